/* report_text.c: numbers, names and the colours of methods, as the page writes them. */
#include "report_parts.h"

#include "print.h"

#include <math.h>

void report_number(cli_output *output, double value, int decimals) {
  char text[CLI_NUMBER_TEXT];
  cli_output_text(output, cli_fixed_text(value, decimals, text));
}

void report_percent(cli_output *output, double ratio) {
  report_number(output, 100.0 * ratio, 1);
  if (isfinite(ratio)) cli_output_text(output, "\u202f%");
}

/* The unit in which a length has one to three digits before the point, and what one metre is in it. */
static double unit_of(double metres, const char **unit) {
  const double size = fabs(metres);
  if (size >= 1 || size == 0) return *unit = "m", 1;
  if (size >= 0.1) return *unit = "cm", 100;
  return size >= 1e-4 ? (*unit = "mm", 1000) : (*unit = "µm", 1e6);
}

void report_metres(cli_output *output, double metres, bool round) {
  const char *unit;
  const double value = metres * unit_of(metres, &unit);
  int decimals = unit[0] == 'm' && !unit[1] ? 2 : 1;
  if (round && fabs(value - floor(value + 0.5)) < 1e-6 * fabs(value)) decimals = 0;
  report_number(output, value, decimals);
  if (isfinite(metres)) cli_output_format(output, "\u202f%s", unit);
}

void report_node(const report_page *page, uint32_t node) {
  char name[512];
  cli_output_text(page->output, "<bdi>");
  cli_html_text(page->output, cli_node_name(page->results->asset, node, name, sizeof name));
  cli_output_text(page->output, "</bdi>");
}

void report_clip(const report_page *page, size_t frame) {
  const motion_plan *motion = page->results->motion;
  cli_output_text(page->output, "<bdi>");
  cli_html_text(page->output, motion->clips[motion_find(motion, frame)].name);
  cli_output_text(page->output, "</bdi>");
}

void report_when(const report_page *page, size_t frame) {
  char text[64];
  cli_html_text(page->output, motion_when(page->results->motion, frame, text, sizeof text));
}

void report_turn(const report_page *page, const verdict_joint *row) {
  const double turn = row->measured
                          ? compared_turn_at(page->results, row->instance, row->frame, row->joint)
                          : (double)NAN;
  report_number(page->output, turn, turn < 9.95 ? 1 : 0);
  if (isfinite(turn)) cli_output_text(page->output, "°");
}

/* A method has its colour whatever its place. The style sheet has four. */
unsigned report_colour(supple_method method) { return (unsigned)method % 4; }

static void print_swatch(cli_output *output, const char *line) {
  cli_output_format(output,
                    "<svg class=\"key\" viewBox=\"0 0 26 10\" aria-hidden=\"true\">"
                    "<path class=\"%s\" d=\"M1 5H25\"/></svg>",
                    line);
}

void report_method(const report_page *page, uint32_t method) {
  cli_output_format(page->output, "<span class=\"method m%u\">%s</span>",
                    report_colour(page->results->methods[method]),
                    compare_method_short(page->results->methods[method]));
}

void report_legend(const report_page *page, bool rest) {
  cli_output_text(page->output, "<p class=\"legend\">");
  if (rest) {
    cli_output_text(page->output, "<span>");
    print_swatch(page->output, "rest");
    cli_output_text(page->output, "rest</span> ");
  }
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    char line[24] = "line s0";
    line[6] = (char)('0' + report_colour(page->results->methods[m]));
    cli_output_text(page->output, "<span>");
    print_swatch(page->output, line);
    cli_output_text(page->output, compare_method_short(page->results->methods[m]));
    cli_output_text(page->output, "</span> ");
  }
  cli_output_text(page->output, "</p>\n");
}

void report_cell_percent(cli_output *output, double ratio, double threshold) {
  cli_output_text(output, ratio < threshold ? "<td class=\"n bad\">" : "<td class=\"n\">");
  report_percent(output, ratio);
  cli_output_text(output, "</td>");
}

void report_point(cli_output *output, double x, double y) {
  char text[CLI_NUMBER_TEXT];
  cli_output_text(output, cli_fixed_text(x, 1, text));
  cli_output_text(output, " ");
  cli_output_text(output, cli_fixed_text(y, 1, text));
}
