/* report_plot.c: lines over the times of a clip, as inline SVG. */
#include "report_parts.h"

#include "print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  LEFT = 46, /* of the axes, from the picture's edges */
  RIGHT = 8,
  TOP = 26,
  BOTTOM = 28,
  MOST_POINTS = 240, /* of one line; more are thinned */
  FEW_POINTS = 12    /* so few get a mark each */
};

/* Where numbers land in the picture. */
typedef struct plot_axes {
  double x_least, x_most, y_least, y_most, y_step;
  int right, bottom;
} plot_axes;

static double across(const plot_axes *axes, double x) {
  const double span = axes->x_most - axes->x_least;
  return LEFT + (axes->right - LEFT) * (span > 0 ? (x - axes->x_least) / span : 0.5);
}
static double down(const plot_axes *axes, double y) {
  return axes->bottom - (axes->bottom - TOP) * (y - axes->y_least) / (axes->y_most - axes->y_least);
}

double report_nice_step(double length, int wanted) {
  if (!(length > 0) || !isfinite(length)) return 1;
  const double raw = length / wanted;
  double power = 1;
  while (power > raw) power /= 10;
  while (power * 10 <= raw) power *= 10;
  if (raw <= power * 1.0001) return power;
  return raw <= 2 * power ? 2 * power : raw <= 5 * power ? 5 * power : 10 * power;
}

double *report_plot_add(report_plot *plot, uint32_t method, bool dashed, const char *name) {
  const uint32_t count = plot->clip->time_count;
  const bool room = plot->series_count < REPORT_SERIES_MOST;
  double *values = room ? malloc((count ? count : 1) * sizeof *values) : NULL;
  if (!values) {
    plot->failed = true;
    plot->out_of_memory |= room;
    return NULL;
  }
  for (uint32_t t = 0; t < count; t++) values[t] = (double)NAN;
  plot->series[plot->series_count++] =
      (report_series){.values = values, .method = method, .dashed = dashed, .name = name};
  return values;
}

/* Poses that are no moments of one movement stand side by side. */
static double time_of(const motion_clip *clip, uint32_t t) {
  return clip->labels ? t : clip->times[t];
}

static plot_axes fit_axes(const report_plot *plot) {
  const motion_clip *clip = plot->clip;
  plot_axes axes = {.y_least = plot->least,
                    .y_most = plot->most,
                    .right = plot->width - RIGHT,
                    .bottom = plot->height - BOTTOM};
  for (uint32_t s = 0; s < plot->series_count; s++)
    for (uint32_t t = 0; t < clip->time_count; t++) {
      const double y = plot->series[s].values[t] * plot->scale;
      if (!isfinite(y)) continue;
      if (y < axes.y_least) axes.y_least = y;
      if (y > axes.y_most) axes.y_most = y;
    }
  if (!(axes.y_most > axes.y_least)) axes.y_most = axes.y_least + 1;
  axes.y_step = report_nice_step(axes.y_most - axes.y_least, 4);
  /* A line that leaves the axis by less than its own width does not lengthen it. */
  axes.y_least = floor(axes.y_least / axes.y_step + 0.02) * axes.y_step;
  axes.y_most = ceil(axes.y_most / axes.y_step - 0.02) * axes.y_step;
  axes.x_least = time_of(clip, 0);
  axes.x_most = time_of(clip, clip->time_count - 1);
  if (clip->labels) axes.x_least -= 0.5, axes.x_most += 0.5;
  return axes;
}

static int decimals_of(double step) {
  int decimals = 0;
  while (decimals < 6 && fabs(step - floor(step + 0.5)) > 1e-9) step *= 10, decimals++;
  return decimals;
}

static void draw_text(cli_output *output, const char *class, double x, double y) {
  char number[CLI_NUMBER_TEXT];
  cli_output_format(output, "<text class=\"%s\" x=\"%s\"", class, cli_fixed_text(x, 1, number));
  cli_output_format(output, " y=\"%s\">", cli_fixed_text(y, 1, number));
}

static void draw_y_axis(cli_output *output, const report_plot *plot, const plot_axes *axes) {
  const int decimals = decimals_of(axes->y_step);
  char number[CLI_NUMBER_TEXT];
  const int count = (int)floor((axes->y_most - axes->y_least) / axes->y_step + 0.5);
  for (int i = 0; i <= count && i <= 20; i++) {
    const double value = axes->y_least + i * axes->y_step;
    const double y = down(axes, value);
    cli_output_format(output, "<path class=\"grid\" d=\"M%d %s", LEFT, cli_fixed_text(y, 1, number));
    cli_output_format(output, "H%d\"/>", axes->right);
    draw_text(output, "y", LEFT - 6, y + 4);
    cli_output_text(output, cli_fixed_text(value, decimals, number));
    cli_output_text(output, "</text>");
  }
  draw_text(output, "title", 2, 12);
  cli_html_text(output, plot->title);
  cli_output_text(output, "<tspan class=\"unit\"> · ");
  cli_html_text(output, plot->unit);
  cli_output_text(output, "</tspan></text>");
}

static void draw_x_axis(cli_output *output, const report_plot *plot, const plot_axes *axes) {
  const motion_clip *clip = plot->clip;
  char number[CLI_NUMBER_TEXT];
  if (clip->labels) {
    for (uint32_t t = 0; t < clip->time_count; t++) {
      draw_text(output, "x", across(axes, t), axes->bottom + 18);
      cli_html_text(output, clip->labels[t]);
      cli_output_text(output, "</text>");
    }
    return;
  }
  const double length = axes->x_most - axes->x_least;
  const double step = report_nice_step(length, 5);
  const int decimals = decimals_of(step);
  double first = ceil(axes->x_least / step - 1e-9) * step;
  for (int i = 0; i <= 20; i++) {
    const double value = length > 0 ? first + i * step : axes->x_least;
    if (value > axes->x_most + 1e-9 * step) break;
    const double x = across(axes, value);
    cli_output_format(output, "<path class=\"tick\" d=\"M%s", cli_fixed_text(x, 1, number));
    cli_output_format(output, " %dv4\"/>", axes->bottom);
    draw_text(output, "x", x, axes->bottom + 18);
    cli_output_text(output, cli_fixed_text(value, length > 0 ? decimals : 2, number));
    cli_output_text(output, i == 0 ? " s</text>" : "</text>");
    if (!(length > 0)) break;
  }
}

/* The times to draw of a bucket of a thinned line: its least and its most, in their order. */
static uint32_t thin(const double *values, uint32_t begin, uint32_t end, uint32_t picked[2]) {
  uint32_t least = begin, most = begin;
  for (uint32_t t = begin; t < end; t++) {
    if (isnan(values[t])) {
      picked[0] = t;
      return 1;
    }
    if (values[t] < values[least]) least = t;
    if (values[t] > values[most]) most = t;
  }
  picked[0] = least < most ? least : most;
  picked[1] = least < most ? most : least;
  return least == most ? 1 : 2;
}

static void draw_line(cli_output *output, const report_plot *plot, const plot_axes *axes,
                      const report_series *series) {
  const uint32_t count = plot->clip->time_count;
  const uint32_t bucket =
      count <= MOST_POINTS ? 1 : (count + MOST_POINTS / 2 - 1) / (MOST_POINTS / 2);
  cli_output_format(output, "<path class=\"line s%u%s\" d=\"",
                    report_colour(plot->methods[series->method]), series->dashed ? " dash" : "");
  bool pen = false;
  for (uint32_t begin = 0; begin < count; begin += bucket) {
    uint32_t picked[2];
    const uint32_t end = count - begin < bucket ? count : begin + bucket;
    const uint32_t points = thin(series->values, begin, end, picked);
    for (uint32_t i = 0; i < points; i++) {
      const double y = series->values[picked[i]] * plot->scale;
      if (isfinite(y)) {
        cli_output_text(output, pen ? "L" : "M");
        report_point(output, across(axes, time_of(plot->clip, picked[i])), down(axes, y));
      }
      pen = isfinite(y);
    }
  }
  cli_output_text(output, "\"/>");
}

static void draw_marks(cli_output *output, const report_plot *plot, const plot_axes *axes,
                       const report_series *series, double aside) {
  char number[CLI_NUMBER_TEXT];
  for (uint32_t t = 0; t < plot->clip->time_count; t++) {
    const double y = series->values[t] * plot->scale;
    if (!isfinite(y)) continue;
    cli_output_format(output, "<circle class=\"mark f%u%s\" r=\"3.5\" cx=\"%s\"",
                      report_colour(plot->methods[series->method]), series->dashed ? " hollow" : "",
                      cli_fixed_text(across(axes, time_of(plot->clip, t)) + aside, 1, number));
    cli_output_format(output, " cy=\"%s\"/>", cli_fixed_text(down(axes, y), 1, number));
  }
}

static void draw_guides(cli_output *output, const report_plot *plot, const plot_axes *axes) {
  char number[CLI_NUMBER_TEXT];
  if (plot->mark < plot->clip->time_count) {
    const double x = across(axes, time_of(plot->clip, (uint32_t)plot->mark));
    cli_output_format(output, "<path class=\"moment\" d=\"M%s", cli_fixed_text(x, 1, number));
    cli_output_format(output, " %dV%d\"/>", TOP, axes->bottom);
  }
  if (plot->threshold > axes->y_least && plot->threshold < axes->y_most) {
    const double y = down(axes, plot->threshold);
    cli_output_format(output, "<path class=\"threshold\" d=\"M%d %s", LEFT,
                      cli_fixed_text(y, 1, number));
    cli_output_format(output, "H%d\"/>", axes->right);
  }
}

/* The plot in words: the range of each line. */
static void describe(cli_output *output, const report_plot *plot) {
  cli_output_text(output, "<desc>");
  for (uint32_t s = 0; s < plot->series_count; s++) {
    const report_series *series = &plot->series[s];
    double least = (double)NAN, most = (double)NAN;
    for (uint32_t t = 0; t < plot->clip->time_count; t++) {
      const double y = series->values[t] * plot->scale;
      if (!isfinite(y)) continue;
      if (!(y >= least)) least = y;
      if (!(y <= most)) most = y;
    }
    if (isnan(least)) continue;
    cli_output_format(output, "%s %s from ", compare_method_short(plot->methods[series->method]),
                      series->name);
    report_number(output, least, 1);
    cli_output_text(output, " to ");
    report_number(output, most, 1);
    cli_output_format(output, " %s. ", plot->unit);
  }
  cli_output_text(output, "</desc>");
}

void report_plot_draw(cli_output *output, report_plot *plot) {
  if (plot->out_of_memory) cli_output_no_memory(output);
  if (plot->series_count && !plot->failed) {
    const plot_axes axes = fit_axes(plot);
    const bool marks = plot->clip->labels || plot->clip->time_count <= FEW_POINTS;
    cli_output_format(output, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\"><title>",
                      plot->width, plot->height);
    cli_html_text(output, plot->title);
    cli_output_text(output, "</title>");
    describe(output, plot);
    draw_y_axis(output, plot, &axes);
    draw_x_axis(output, plot, &axes);
    draw_guides(output, plot, &axes);
    for (uint32_t s = plot->series_count; s-- > 0;) {
      if (!plot->clip->labels) draw_line(output, plot, &axes, &plot->series[s]);
      /* side by side, where a pose has several */
      const double aside = plot->clip->labels ? 9 * (s - 0.5 * (plot->series_count - 1)) : 0;
      if (marks) draw_marks(output, plot, &axes, &plot->series[s], aside);
    }
    cli_output_text(output, "</svg>\n");
  }
  for (uint32_t s = 0; s < plot->series_count; s++) free(plot->series[s].values);
  plot->series_count = 0;
}
