/* report_summary.c: the top of the page: what is wrong in one sentence, the figures, and the ranking. */
#include "report_parts.h"

#include "print.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { RANKED = 40 };

/* ---- the sentence ---- */
static void print_strong(const report_page *page, uint32_t method, double ratio) {
  cli_output_format(page->output, "<strong class=\"m%u\">",
                    report_colour(page->results->methods[method]));
  report_percent(page->output, ratio);
  cli_output_text(page->output, "</strong>");
}

static void print_moment(const report_page *page, size_t frame) {
  const bool clip = motion_is_clip(page->results->motion, frame);
  cli_output_text(page->output, clip ? " at " : " in the ");
  if (clip) report_when(page, frame);
  cli_output_text(page->output, clip ? " of <em>" : "");
  report_clip(page, frame);
  cli_output_text(page->output, clip ? "</em>" : "");
}

/* "; dual quaternion skinning keeps 98.7 %": what the other methods do there. */
static void print_others(const report_page *page, const verdict_joint *row, uint32_t first) {
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    if (m == first || isnan(row->keeps[m])) continue;
    cli_output_text(page->output, "; ");
    cli_output_text(page->output, compare_method_title(page->results->methods[m]));
    cli_output_text(page->output, " keeps ");
    print_strong(page, m, row->keeps[m]);
  }
}

static void print_capital(cli_output *output, const char *text) {
  char first[2] = {text[0], 0};
  if (first[0] >= 'a' && first[0] <= 'z') first[0] = (char)(first[0] - 'a' + 'A');
  cli_output_text(output, first);
  cli_output_text(output, text + 1);
}

void report_sentence(const report_page *page) {
  char text[200];
  const comparison *results = page->results;
  cli_output *output = page->output;
  print_capital(output, verdict_count_text(results, page->all, 0, true, text, sizeof text));
  for (uint32_t m = 1; m < results->method_count; m++)
    if (page->all->collapsing[m])
      cli_output_format(output, "%s %u under %s", page->all->collapsing[0] ? ", and" : ", but",
                        (unsigned)page->all->collapsing[m],
                        compare_method_title(results->methods[m]));
  const verdict_joint *row = page->all->measured_count ? &page->all->joints[0] : NULL;
  if (!row) {
    cli_output_text(output, ": none could be measured; the table of joints says why.");
    return;
  }
  uint32_t first = 0; /* the method that keeps least there */
  for (uint32_t m = 1; m < results->method_count; m++)
    if (row->keeps[m] < row->keeps[first]) first = m;
  cli_output_text(output, page->all->bad_count ? ": <strong>" : ": the lowest, <strong>");
  report_node(page, row->node);
  cli_output_text(output, page->all->bad_count ? "</strong> keeps " : "</strong>, keeps ");
  print_strong(page, first, row->keeps[first]);
  cli_output_text(output, " of its cross-section");
  if (first) {
    cli_output_text(output, " under ");
    cli_output_text(output, compare_method_title(results->methods[first]));
  }
  print_moment(page, row->frame);
  print_others(page, row, first);
  cli_output_text(output, ".");
}

/* ---- the figures ---- */
/* The least and the most of a number over all instances and frames; offset of a float in compared_frame. */
static void range_of(const comparison *results, uint32_t method, size_t offset, double *least,
                     double *most) {
  *least = *most = (double)NAN;
  for (uint32_t i = 0; i < results->instance_count; i++)
    for (size_t f = 0; f < results->motion->frame_count; f++) {
      float value;
      memcpy(&value, (const char *)compared_frame_at(results, i, f, method) + offset, sizeof value);
      if (!isfinite(value)) continue;
      if (!((double)value >= *least)) *least = (double)value;
      if (!((double)value <= *most)) *most = (double)value;
    }
}

static void print_range(const report_page *page, const char *title, size_t least_offset,
                        size_t most_offset) {
  cli_output *output = page->output;
  cli_output_format(output, "<tr><th scope=\"row\">%s</th>", title);
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    double least, most, unused;
    range_of(page->results, m, least_offset, &least, &unused);
    range_of(page->results, m, most_offset, &unused, &most);
    cli_output_text(output, "<td class=\"n\">");
    if (isnan(least)) {
      cli_output_text(output, "–");
    } else {
      report_number(output, 100 * least, 1);
      cli_output_text(output, " to ");
      report_percent(output, most);
    }
    cli_output_text(output, "</td>");
  }
  cli_output_text(output, "</tr>\n");
}

static void print_most(const report_page *page, const char *title, size_t offset) {
  cli_output_format(page->output, "<tr><th scope=\"row\">%s</th>", title);
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    double least, most;
    range_of(page->results, m, offset, &least, &most);
    report_cell_percent(page->output, most, 0);
  }
  cli_output_text(page->output, "</tr>\n");
}

static void print_flipped(const report_page *page) {
  cli_output_text(page->output, "<tr><th scope=\"row\">Triangles turned inside out, at most</th>");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    uint32_t most = 0, of = 0;
    for (uint32_t i = 0; i < page->results->instance_count; i++) {
      for (size_t f = 0; f < page->results->motion->frame_count; f++) {
        const uint32_t flipped = compared_frame_at(page->results, i, f, m)->flipped;
        if (flipped > most || of == 0)
          most = flipped, of = page->results->instances[i].triangle_count;
      }
    }
    cli_output_format(page->output, "<td class=\"n\">%u of %u</td>", (unsigned)most, (unsigned)of);
  }
  cli_output_text(page->output, "</tr>\n");
}

static void print_deviation(const report_page *page) {
  if (page->results->method_count < 2) return;
  cli_output_format(page->output, "<tr><th scope=\"row\">Farthest a vertex is from %s</th>",
                    compare_method_short(page->results->methods[0]));
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    double farthest = 0, diagonal = 0;
    for (uint32_t i = 0; i < page->results->instance_count; i++)
      for (size_t f = 0; f < page->results->motion->frame_count; f++) {
        const double far = (double)compared_frame_at(page->results, i, f, m)->deviation;
        if (far >= farthest) farthest = far, diagonal = page->results->instances[i].diagonal;
      }
    cli_output_text(page->output, "<td class=\"n\">");
    if (m == 0) {
      cli_output_text(page->output, "–");
    } else {
      report_metres(page->output, farthest, false);
      cli_output_text(page->output, " <span class=\"soft\">(");
      report_percent(page->output, farthest / diagonal);
      cli_output_text(page->output, " of the diagonal)</span>");
    }
    cli_output_text(page->output, "</td>");
  }
  cli_output_text(page->output, "</tr>\n");
}

static void print_lowest(const report_page *page) {
  cli_output_text(page->output, "<tr><th scope=\"row\">Least that a joint keeps</th>");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    const verdict_joint *row = verdict_lowest(page->all, m);
    cli_output_text(page->output, "<td class=\"n\">");
    if (row) {
      report_percent(page->output, row->lowest[m]);
      cli_output_text(page->output, " <span class=\"soft\">(");
      report_node(page, row->node);
      cli_output_text(page->output, ")</span>");
    } else {
      cli_output_text(page->output, "–");
    }
    cli_output_text(page->output, "</td>");
  }
  cli_output_text(page->output, "</tr>\n");
}

static void print_figures(const report_page *page) {
  cli_output *output = page->output;
  const comparison *results = page->results;
  cli_output_text(output,
                  "<div class=\"scroll\"><table class=\"figures\"><caption>At a glance</caption>"
                  "<thead><tr><td></td>");
  for (uint32_t m = 0; m < results->method_count; m++) {
    cli_output_text(output, "<th scope=\"col\" class=\"n\">");
    report_method(page, m);
    cli_output_text(output, "</th>");
  }
  cli_output_text(output, "</tr></thead><tbody>\n<tr><th scope=\"row\">Joints that collapse</th>");
  for (uint32_t m = 0; m < results->method_count; m++)
    cli_output_format(output, "<td class=\"n\"><b>%u</b> of %u</td>",
                      (unsigned)page->all->collapsing[m], (unsigned)page->all->joint_count);
  cli_output_text(output, "</tr>\n");
  print_lowest(page);
  print_range(page, "Volume of closed shells", offsetof(compared_frame, volume),
              offsetof(compared_frame, volume));
  print_range(page, "Edge lengths, shortest to longest", offsetof(compared_frame, edge_least),
              offsetof(compared_frame, edge_most));
  print_most(page, "Skin area that collapses, at most", offsetof(compared_frame, kept_below));
  print_flipped(page);
  print_deviation(page);
  cli_output_text(output, "</tbody></table></div>\n");
}

/* ---- the ranking ---- */
/* One line from 0 to 100 %: a dot a method, and the threshold. */
static void draw_range(const report_page *page, const verdict_joint *row) {
  cli_output *output = page->output;
  double least = 1, most = 0;
  char number[CLI_NUMBER_TEXT];
  cli_output_text(output, "<svg class=\"range\" viewBox=\"0 0 340 14\" aria-hidden=\"true\">"
                          "<path class=\"grid\" d=\"M6 7H334\"/>");
  cli_output_format(output, "<path class=\"threshold\" d=\"M%s 1V13\"/>",
                    cli_fixed_text(6 + 328 * page->results->threshold, 1, number));
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    const double keeps = fmin(fmax(row->keeps[m], 0), 1);
    if (isnan(row->keeps[m])) continue;
    least = fmin(least, keeps), most = fmax(most, keeps);
  }
  if (most >= least) {
    cli_output_format(output, "<path class=\"span\" d=\"M%s 7H",
                      cli_fixed_text(6 + 328 * least, 1, number));
    cli_output_format(output, "%s\"/>", cli_fixed_text(6 + 328 * most, 1, number));
  }
  for (uint32_t m = page->results->method_count; m-- > 0;) {
    if (isnan(row->keeps[m])) continue;
    const double keeps = fmin(fmax(row->keeps[m], 0), 1);
    cli_output_format(output, "<circle class=\"f%u\" r=\"5\" cy=\"7\" cx=\"%s\"/>",
                      report_colour(page->results->methods[m]),
                      cli_fixed_text(6 + 328 * keeps, 1, number));
  }
  cli_output_text(output, "</svg>");
}

static void print_ranked(const report_page *page, uint32_t index) {
  const verdict_joint *row = &page->all->joints[index];
  cli_output *output = page->output;
  cli_output_format(output, "<tr><td class=\"n soft\">%u</td><th scope=\"row\">",
                    (unsigned)index + 1);
  if (index < page->outline_count)
    cli_output_format(output, "<a href=\"#joint-%u\">", (unsigned)index + 1);
  report_node(page, row->node);
  if (index < page->outline_count) cli_output_text(output, "</a>");
  cli_output_text(output, "</th><td>");
  report_clip(page, row->frame);
  cli_output_text(output, "</td><td class=\"at\">");
  report_when(page, row->frame);
  cli_output_text(output, "</td><td class=\"n\">");
  report_turn(page, row);
  cli_output_text(output, "</td><td class=\"wide\">");
  draw_range(page, row);
  cli_output_text(output, "</td>");
  for (uint32_t m = 0; m < page->results->method_count; m++)
    report_cell_percent(output, row->keeps[m], page->results->threshold);
  cli_output_text(output, "</tr>\n");
}

static void print_ranking(const report_page *page) {
  cli_output *output = page->output;
  const uint32_t bad = page->all->bad_count;
  const uint32_t wanted = bad ? bad : page->all->measured_count < 8 ? page->all->measured_count : 8;
  const uint32_t count = wanted < RANKED ? wanted : RANKED;
  if (!count) return;
  cli_output_text(output, "<div class=\"scroll\"><table class=\"ranking\"><caption>");
  cli_output_text(output, bad ? "Joints that collapse, worst first" : "Joints that keep least");
  cli_output_text(output,
                  "</caption><thead><tr><td></td><th scope=\"col\">Joint</th><th scope=\"col\">");
  cli_output_text(output, page->results->motion->range ? "Turned" : "Clip");
  cli_output_text(output, "</th><th scope=\"col\">At</th><th scope=\"col\" class=\"n\">Turn</th>"
                          "<th scope=\"col\" class=\"wide axis\">"
                          "<span>0</span><span>kept</span><span>100\u202f%</span></th>");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    cli_output_text(output, "<th scope=\"col\" class=\"n\">");
    report_method(page, m);
    cli_output_text(output, "</th>");
  }
  cli_output_text(output, "</tr></thead><tbody>\n");
  for (uint32_t i = 0; i < count; i++) print_ranked(page, i);
  cli_output_text(output, "</tbody></table></div>\n");
  if (wanted > count)
    cli_output_format(output,
                      "<p class=\"soft\">And %u more, in the table of <a href=\"#joints\">all "
                      "joints</a>.</p>\n",
                      (unsigned)(wanted - count));
}

void report_summary(const report_page *page) {
  cli_output *output = page->output;
  cli_output_text(output, "<p class=\"lead\">");
  report_sentence(page);
  cli_output_text(output, "</p>\n<div class=\"summary\">\n");
  print_figures(page);
  print_ranking(page);
  cli_output_text(output, "</div>\n");
}
