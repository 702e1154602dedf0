/* report_outline.c: a cross-section drawn: at rest and under each method, seen along the bone. */
#include "report_parts.h"

#include "print.h"

#include <math.h>

enum { SIZE = 260, MARGIN = 18, FOOT = 26 };

/* From metres about the bone to the picture. */
typedef struct outline_view {
  double scale, x, y; /* picture = x + scale · metres, y − scale · metres */
} outline_view;

typedef struct outline_box {
  double least[2], most[2];
} outline_box;

static void widen(outline_box *box, const double *points, uint32_t count) {
  for (uint32_t i = 0; i < 2 * count; i++) {
    if (!isfinite(points[i])) continue;
    if (points[i] < box->least[i & 1]) box->least[i & 1] = points[i];
    if (points[i] > box->most[i & 1]) box->most[i & 1] = points[i];
  }
}

static outline_view fit(const report_page *page, const compared_outline *outline) {
  outline_box box = {{0, 0}, {0, 0}}; /* the bone is always in it */
  widen(&box, outline->rest, outline->point_count);
  for (uint32_t m = 0; m < page->results->method_count; m++)
    widen(&box, outline->posed[m], outline->point_count);
  const double width = box.most[0] - box.least[0], height = box.most[1] - box.least[1];
  const double size = width > height ? width : height;
  outline_view view = {.scale = size > 0 ? (SIZE - 2 * MARGIN) / size : 1};
  view.x = 0.5 * SIZE - view.scale * 0.5 * (box.most[0] + box.least[0]);
  view.y = 0.5 * SIZE + view.scale * 0.5 * (box.most[1] + box.least[1]);
  return view;
}

/* Points closer than the eye sees are left out. */
static void draw_loop(cli_output *output, const outline_view *view, const double *points,
                      uint32_t count, const char *class) {
  double last_x = (double)INFINITY, last_y = (double)INFINITY;
  cli_output_format(output, "<path class=\"%s\" d=\"", class);
  bool pen = false;
  for (uint32_t i = 0; i < count; i++) {
    const double x = view->x + view->scale * points[2 * i];
    const double y = view->y - view->scale * points[2 * i + 1];
    if (!isfinite(x) || !isfinite(y)) continue;
    if (pen && fabs(x - last_x) < 0.6 && fabs(y - last_y) < 0.6) continue;
    cli_output_text(output, pen ? "L" : "M");
    report_point(output, x, y);
    pen = true;
    last_x = x, last_y = y;
  }
  cli_output_text(output, pen ? "Z\"/>" : "\"/>");
}

static void draw_bone(cli_output *output, const outline_view *view) {
  cli_output_text(output, "<path class=\"bone\" d=\"M");
  report_point(output, view->x - 5, view->y);
  cli_output_text(output, "h10M");
  report_point(output, view->x, view->y - 5);
  cli_output_text(output, "v10\"/>");
}

/* A bar of a round length, about a third of the picture. */
static void draw_scale(cli_output *output, const outline_view *view) {
  const double length = report_nice_step(SIZE / view->scale, 4);
  const double width = length * view->scale;
  if (!isfinite(width) || width < 4 || width > SIZE) return;
  cli_output_text(output, "<path class=\"scale\" d=\"M");
  report_point(output, MARGIN, SIZE + 12);
  cli_output_text(output, "v-4v4h");
  report_number(output, width, 1);
  cli_output_text(output, "v-4v4\"/><text class=\"scale\" x=\"");
  report_number(output, MARGIN + width + 7, 1);
  cli_output_format(output, "\" y=\"%d\">", SIZE + 15);
  report_metres(output, length, true);
  cli_output_text(output, "</text>");
}

void report_outline(const report_page *page, uint32_t index) {
  const compared_outline *outline = &page->outlines[index];
  cli_output *output = page->output;
  if (!outline->point_count) return;
  const outline_view view = fit(page, outline);
  cli_output_format(output, "<svg class=\"outline\" viewBox=\"0 0 %d %d\" role=\"img\"><title>",
                    SIZE, SIZE + FOOT);
  cli_output_text(output,
                  "Cross-section seen along the bone, at rest and under each method</title><desc>");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    const compared_joint *one =
        compared_joint_at(page->results, outline->instance, outline->frame, m, outline->joint);
    cli_output_format(output, "%s keeps ", compare_method_short(page->results->methods[m]));
    report_percent(output, (double)one->worst);
    cli_output_text(output, " of it. ");
  }
  cli_output_text(output, "</desc>");
  draw_loop(output, &view, outline->rest, outline->point_count, "rest");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    char class[24] = "loop s0 a0";
    class[6] = class[9] = (char)('0' + report_colour(page->results->methods[m]));
    draw_loop(output, &view, outline->posed[m], outline->point_count, class);
  }
  draw_bone(output, &view);
  draw_scale(output, &view);
  cli_output_text(output, "</svg>\n");
}
