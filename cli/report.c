/* report.c: the page from top to bottom. */
#include "report_parts.h"

#include "print.h"

static void print_head(const report_page *page) {
  cli_output *output = page->output;
  cli_output_text(output,
                  "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
  cli_html_text(output, page->results->file);
  cli_output_text(output, " – what collapses</title>\n<style>\n");
  report_style(output);
  cli_output_text(output, "</style>\n</head>\n");
}

static void print_facts(const report_page *page) {
  const comparison *results = page->results;
  cli_output *output = page->output;
  uint64_t vertices = 0;
  for (uint32_t i = 0; i < results->instance_count; i++)
    for (uint32_t p = 0; p < results->instances[i].instance->primitive_count; p++)
      vertices += results->instances[i].cleaning[p].vertices;
  cli_output_text(output, "<p class=\"facts\">");
  for (uint32_t m = 0; m < results->method_count; m++) {
    if (m) cli_output_text(output, " against ");
    report_method(page, m);
  }
  cli_output_format(output, " · %u %s · %llu vertices · ", (unsigned)results->instance_count,
                    results->instance_count == 1 ? "skinned mesh" : "skinned meshes",
                    (unsigned long long)vertices);
  if (results->motion->range)
    cli_output_format(output, "range of motion, %zu poses", results->motion->frame_count);
  else
    cli_output_format(output, "%u %s, %zu %s", (unsigned)results->motion->clip_count,
                      results->motion->clip_count == 1 ? "clip" : "clips",
                      results->motion->frame_count,
                      results->motion->frame_count == 1 ? "time" : "times");
  cli_output_text(output, " · threshold ");
  report_percent(output, results->threshold);
  cli_output_text(output, "</p>\n");
}

/* The last part of a path: what people call the file. */
static const char *base_name(const char *path) {
  const char *base = path;
  for (const char *at = path; *at; at++)
    if ((*at == '/' || *at == '\\') && at[1]) base = at + 1;
  return base;
}

/* A file's name as a relative URI: what is not plain becomes %XX; "./" first, lest a colon make a scheme of it. */
static void report_link(cli_output *output, const char *name) {
  cli_output_text(output, "./");
  for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                       (*c >= '0' && *c <= '9') || *c == '-' || *c == '_' || *c == '.';
    if (plain)
      cli_output_write(output, c, 1);
    else
      cli_output_format(output, "%%%02X", *c);
  }
}

static void print_body(const report_page *page) {
  cli_output *output = page->output;
  cli_output_text(output,
                  "<body>\n<header><p class=\"eyebrow\">Supple · skinning report</p>\n<h1><bdi>");
  cli_html_text(output, base_name(page->results->file));
  cli_output_text(output, "</bdi></h1>\n");
  print_facts(page);
  cli_output_text(output, "</header>\n<main>\n");
  report_summary(page);
  cli_output_text(output, "<nav aria-label=\"Contents\">");
  if (page->outline_count) cli_output_text(output, "<a href=\"#worst\">The worst joints</a> ");
  cli_output_text(output,
                  "<a href=\"#clips\">Over the clips</a> <a href=\"#joints\">All joints</a> "
                  "<a href=\"#settings\">Settings and repairs</a>");
  if (page->results->view) {
    cli_output_text(output, " <a href=\"");
    report_link(output, base_name(page->results->view));
    cli_output_text(output, "\">Turn it and play it</a>");
  }
  cli_output_text(output, "</nav>\n");
  report_joints(page);
  report_clips(page);
  report_statuses(page);
  report_settings(page);
  cli_output_format(output, "</main>\n<footer>Supple %s</footer>\n</body>\n</html>\n",
                    supple_version());
}

void report_print(cli_output *output, const comparison *results, const verdict *all,
                  const compared_outline *outlines, uint32_t count) {
  const report_page page = {
      .output = output, .results = results, .all = all, .outlines = outlines, .outline_count = count};
  print_head(&page);
  print_body(&page);
}
