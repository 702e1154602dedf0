/* report_parts.h: the parts of the page of report.h, each one source, and what they share. */
#ifndef SUPPLE_CLI_REPORT_PARTS_H
#define SUPPLE_CLI_REPORT_PARTS_H

#include "report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct report_page {
  cli_output *output;
  const comparison *results;
  const verdict *all;
  const compared_outline *outlines;
  uint32_t outline_count;
} report_page;

/* ---- report_text.c: numbers and names ---- */
void report_number(cli_output *output, double value, int decimals); /* not finite: an en dash */
void report_percent(cli_output *output, double ratio);              /* "31.2 %" */
/* "3.1 mm", "1.25 m"; `round`: "5 mm" where that is all of it. */
void report_metres(cli_output *output, double metres, bool round);
void report_node(const report_page *page, uint32_t node); /* escaped and isolated */
void report_clip(const report_page *page, size_t frame);  /* name of the frame's clip, likewise */
void report_when(const report_page *page, size_t frame);  /* "0.83 s" */
/* "143°", "0.5°": how far a row's joint is turned against its parent at its worst moment. */
void report_turn(const report_page *page, const verdict_joint *row);
/* "<span class=mN>LBS</span>": a method's name in its colour, after a mark of its line's style. */
void report_method(const report_page *page, uint32_t method);
/* The number of a method's colour: mN (text), sN (line), fN (fill), aN (area) in the style sheet. */
unsigned report_colour(supple_method method);
/* The line styles of all methods, and `rest` where asked. */
void report_legend(const report_page *page, bool rest);
/* A cell of a table; marked as bad below the threshold (0: never). */
void report_cell_percent(cli_output *output, double ratio, double threshold);
/* A point of an SVG path: one digit after the point. */
void report_point(cli_output *output, double x, double y);

/* ---- report_style.c ---- */
void report_style(cli_output *output);

/* ---- report_plot.c: a plot over the times of a clip ---- */
enum { REPORT_SERIES_MOST = 3 * CLI_METHODS_MOST };
typedef struct report_series {
  double *values; /* [count], NaN: a gap */
  uint32_t method;
  bool dashed;      /* the second of a pair of quantities */
  const char *name; /* "smallest section" */
} report_series;

typedef struct report_plot {
  const char *title; /* plain text, for a screen reader too */
  const char *unit;  /* "%" */
  int width, height; /* of the picture, in units that are pixels where there is room */
  double scale;      /* values are shown times this */
  const motion_clip *clip;
  const supple_method *methods;
  report_series series[REPORT_SERIES_MOST];
  uint32_t series_count;
  double least, most; /* the axis shows these at least; in shown units */
  double threshold;   /* a line, in shown units; NaN: none */
  size_t mark;        /* a time to be marked, or SIZE_MAX */
  bool failed;        /* it is left out: there is nothing to see, or no room for a series */
  bool out_of_memory; /* for a series: drawing fails the output */
} report_plot;

/* Adds a series with room for the clip's times; its values are NaN. NULL: no room. */
double *report_plot_add(report_plot *plot, uint32_t method, bool dashed, const char *name);
/* Draws and frees the series. */
void report_plot_draw(cli_output *output, report_plot *plot);
/* Round steps for an axis: 1, 2 or 5 times a power of ten, about `wanted` of them in `length`. */
double report_nice_step(double length, int wanted);

/* ---- the sections of the page ---- */
void report_summary(
    const report_page *page); /* report_summary.c: the sentence, the figures, the ranking */
void report_sentence(const report_page *page);
void report_outline(const report_page *page, uint32_t index); /* report_outline.c: a section, drawn */
void report_joints(const report_page *page);   /* report_joints.c: one card each for the worst */
void report_clips(const report_page *page);    /* report_clips.c: volume, edges, deviation */
void report_statuses(const report_page *page); /* report_statuses.c: every joint */
void report_settings(const report_page *page); /* report_settings.c: settings, repairs, glossary */

#endif
