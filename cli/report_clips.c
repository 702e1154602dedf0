/* report_clips.c: what happens to the whole of each instance over each clip: a table, and plots. */
#include "report_parts.h"

#include "print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 150, MOST_DRAWN = 8 };

/* One instance over one clip, and how much of its skin collapses at worst. */
typedef struct clip_pair {
  uint32_t clip, instance;
  double badness;
} clip_pair;

static float number_at(const comparison *results, const clip_pair *pair, uint32_t method,
                       uint32_t time, size_t offset) {
  const size_t frame = results->motion->clips[pair->clip].first_frame + time;
  float value;
  memcpy(&value, (const char *)compared_frame_at(results, pair->instance, frame, method) + offset,
         sizeof value);
  return value;
}

/* The least or the most of a number over the clip. */
static double extreme(const comparison *results, const clip_pair *pair, uint32_t method,
                      size_t offset, bool most) {
  double found = (double)NAN;
  for (uint32_t t = 0; t < results->motion->clips[pair->clip].time_count; t++) {
    const double value = (double)number_at(results, pair, method, t, offset);
    if (isfinite(value) && (most ? !(value <= found) : !(value >= found))) found = value;
  }
  return found;
}

static int by_badness(const void *left, const void *right) {
  const clip_pair *a = left, *b = right;
  if (a->badness != b->badness) return a->badness > b->badness ? -1 : 1;
  if (a->clip != b->clip) return a->clip < b->clip ? -1 : 1;
  return a->instance < b->instance ? -1 : a->instance > b->instance;
}

/* ---- the table ---- */
static void print_name(const report_page *page, const clip_pair *pair) {
  report_clip(page, page->results->motion->clips[pair->clip].first_frame);
  if (page->results->instance_count < 2) return;
  cli_output_text(page->output, " · ");
  report_node(page, page->results->instances[pair->instance].instance->node);
}

static void print_method_row(const report_page *page, const clip_pair *pair, uint32_t m) {
  const comparison *results = page->results;
  cli_output *output = page->output;
  if (m) cli_output_text(output, "<tr class=\"more\">");
  cli_output_text(output, "<td>");
  report_method(page, m);
  cli_output_text(output, "</td>");
  report_cell_percent(output, extreme(results, pair, m, offsetof(compared_frame, volume), false), 0);
  report_cell_percent(output, extreme(results, pair, m, offsetof(compared_frame, volume), true), 0);
  report_cell_percent(output,
                      extreme(results, pair, m, offsetof(compared_frame, edge_least), false), 0);
  report_cell_percent(output, extreme(results, pair, m, offsetof(compared_frame, edge_most), true),
                      0);
  report_cell_percent(output, extreme(results, pair, m, offsetof(compared_frame, kept_below), true),
                      0);
  uint32_t flipped = 0;
  for (uint32_t t = 0; t < results->motion->clips[pair->clip].time_count; t++) {
    const uint32_t one = compared_frame_at(results, pair->instance,
                                           results->motion->clips[pair->clip].first_frame + t, m)
                             ->flipped;
    if (one > flipped) flipped = one;
  }
  cli_output_format(output, "<td class=\"n\">%u</td><td class=\"n\">", (unsigned)flipped);
  if (m)
    report_metres(output, extreme(results, pair, m, offsetof(compared_frame, deviation), true),
                  false);
  else
    cli_output_text(output, "–");
  cli_output_text(output, "</td></tr>\n");
}

static void print_pair(const report_page *page, const clip_pair *pair) {
  cli_output *output = page->output;
  const motion_clip *clip = &page->results->motion->clips[pair->clip];
  cli_output_format(output, "<tr><th scope=\"row\" rowspan=\"%u\">",
                    (unsigned)page->results->method_count);
  print_name(page, pair);
  cli_output_format(output, "<br><span class=\"soft\">%u %s%s</span></th>",
                    (unsigned)clip->time_count, clip->labels ? "pose" : "time",
                    clip->time_count == 1 ? "" : "s");
  for (uint32_t m = 0; m < page->results->method_count; m++) print_method_row(page, pair, m);
}

static void print_table(const report_page *page, const clip_pair *pairs, size_t count) {
  cli_output *output = page->output;
  cli_output_text(
      output,
      "<div class=\"scroll\"><table><caption>Extremes over the clip, in % of rest</caption><thead>"
      "<tr><th scope=\"col\" rowspan=\"2\">Clip</th><th scope=\"col\" rowspan=\"2\">Method</th>"
      "<th scope=\"colgroup\" colspan=\"2\" class=\"n\">Volume</th>"
      "<th scope=\"colgroup\" colspan=\"2\" class=\"n\">Edges</th>"
      "<th scope=\"col\" rowspan=\"2\" class=\"n\">Skin area that<br>collapses</th>"
      "<th scope=\"col\" rowspan=\"2\" class=\"n\">Triangles<br>inside out</th>"
      "<th scope=\"col\" rowspan=\"2\" class=\"n\">Deviation</th></tr>"
      "<tr><th scope=\"col\" class=\"n\">least</th><th scope=\"col\" class=\"n\">most</th>"
      "<th scope=\"col\" class=\"n\">shortest</th><th scope=\"col\" class=\"n\">longest</th>"
      "</tr></thead><tbody>\n");
  const size_t shown = count < MOST_ROWS ? count : MOST_ROWS;
  for (size_t i = 0; i < shown; i++) print_pair(page, &pairs[i]);
  cli_output_text(output, "</tbody></table></div>\n");
  if (count > shown)
    cli_output_format(output,
                      "<p class=\"soft\">And %u more, less bad; <code>--json</code> has all.</p>\n",
                      (unsigned)(count - shown));
}

/* ---- the plots ---- */
static void add_series(const report_page *page, report_plot *plot, const clip_pair *pair,
                       uint32_t method, bool dashed, const char *name, size_t offset) {
  double *values = report_plot_add(plot, method, dashed, name);
  for (uint32_t t = 0; values && t < plot->clip->time_count; t++)
    values[t] = (double)number_at(page->results, pair, method, t, offset);
}

static report_plot start_plot(const report_page *page, const clip_pair *pair, const char *title) {
  return (report_plot){.title = title,
                       .unit = "%",
                       .width = 520,
                       .height = 190,
                       .scale = 100,
                       .clip = &page->results->motion->clips[pair->clip],
                       .methods = page->results->methods,
                       .threshold = (double)NAN,
                       .mark = SIZE_MAX};
}

static void draw_volume(const report_page *page, const clip_pair *pair) {
  report_plot plot = start_plot(page, pair, "Volume");
  plot.least = 90, plot.most = 100;
  bool any = false;
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    add_series(page, &plot, pair, m, false, "volume", offsetof(compared_frame, volume));
    any = any || isfinite(extreme(page->results, pair, m, offsetof(compared_frame, volume), false));
  }
  plot.failed = plot.failed || !any;
  report_plot_draw(page->output, &plot);
  if (any) return;
  cli_output_text(page->output, "<p class=\"none\">No volume: no shell of the mesh is closed.</p>");
}

/* Left out where none is. */
static void draw_flipped(const report_page *page, const clip_pair *pair) {
  report_plot plot = start_plot(page, pair, "Triangles turned inside out");
  plot.unit = "triangles";
  plot.scale = 1;
  bool any = false;
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    double *values = report_plot_add(&plot, m, false, "triangles");
    for (uint32_t t = 0; values && t < plot.clip->time_count; t++) {
      values[t] =
          compared_frame_at(page->results, pair->instance, plot.clip->first_frame + t, m)->flipped;
      any = any || values[t] > 0;
    }
  }
  plot.failed = plot.failed || !any;
  report_plot_draw(page->output, &plot);
}

static void draw_pair(const report_page *page, const clip_pair *pair) {
  cli_output_text(page->output, "<article class=\"card\"><h3>");
  print_name(page, pair);
  cli_output_text(page->output, "</h3>\n<div class=\"plots\">\n");
  draw_volume(page, pair);
  report_plot edges = start_plot(page, pair, "Edge length: mean (solid), extremes (dashed)");
  report_plot below = start_plot(page, pair, "Skin area that collapses");
  char title[64];
  snprintf(title, sizeof title, "Distance from %s: most (solid), rms (dashed)",
           compare_method_short(page->results->methods[0]));
  report_plot apart = start_plot(page, pair, title);
  const double diagonal = page->results->instances[pair->instance].diagonal;
  apart.scale = diagonal > 0 ? 100 / diagonal : 0;
  apart.unit = "% of the diagonal";
  edges.least = 50, edges.most = 150;
  below.most = 5;
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    add_series(page, &edges, pair, m, false, "mean edge", offsetof(compared_frame, edge_mean));
    add_series(page, &edges, pair, m, true, "shortest edge", offsetof(compared_frame, edge_least));
    add_series(page, &edges, pair, m, true, "longest edge", offsetof(compared_frame, edge_most));
    add_series(page, &below, pair, m, false, "area", offsetof(compared_frame, kept_below));
    if (m == 0) continue;
    add_series(page, &apart, pair, m, false, "largest distance",
               offsetof(compared_frame, deviation));
    add_series(page, &apart, pair, m, true, "rms distance", offsetof(compared_frame, deviation_rms));
  }
  report_plot_draw(page->output, &edges);
  report_plot_draw(page->output, &below);
  report_plot_draw(page->output, &apart);
  draw_flipped(page, pair);
  cli_output_text(page->output, "</div></article>\n");
}

void report_clips(const report_page *page) {
  const comparison *results = page->results;
  cli_output *output = page->output;
  const size_t clip_count = results->motion->clip_count,
               count = clip_count * results->instance_count;
  clip_pair *pairs = malloc((count ? count : 1) * sizeof *pairs);
  if (!pairs) {
    cli_output_no_memory(output);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    pairs[i] = (clip_pair){.clip = (uint32_t)(i / results->instance_count),
                           .instance = (uint32_t)(i % results->instance_count)};
    const double below = extreme(results, &pairs[i], 0, offsetof(compared_frame, kept_below), true);
    pairs[i].badness = isnan(below) ? -1 : below;
  }
  qsort(pairs, count, sizeof *pairs, by_badness);
  cli_output_format(output, "<section id=\"clips\"><h2>%s</h2>\n",
                    results->motion->range ? "Over the range of motion" : "Over the clips");
  print_table(page, pairs, count);
  const size_t drawn = count < MOST_DRAWN ? count : MOST_DRAWN;
  report_legend(page, false);
  for (size_t i = 0; i < drawn; i++) draw_pair(page, &pairs[i]);
  if (count > drawn)
    cli_output_format(output, "<p class=\"soft\">Drawn: the %u in which most skin collapses.</p>\n",
                      (unsigned)drawn);
  cli_output_text(output, "</section>\n");
  free(pairs);
}
