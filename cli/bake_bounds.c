/* bake_bounds.c: a line for each frame, and one for the clip. */
#include "bake_bounds.h"

#include "bake_frame.h"
#include "print.h"

#include <stdio.h>

enum { TIME_DECIMALS = 3, DECIMALS = 4, COLUMN = 11 };

typedef struct printer {
  const bake_plan *plan;
  cli_output *output;
  cli_json json;
  supple_bounds all;
} printer;

/* A number at the right end of its column. */
static void cell(cli_output *output, double value, int decimals) {
  char text[CLI_NUMBER_TEXT];
  cli_fixed_text(value, decimals, text);
  cli_output_format(output, " %*s", COLUMN, text);
}

/* time NULL: none is meant. */
static void row(printer *p, const char *first, const double *time, const supple_bounds *box) {
  cli_output *output = p->output;
  cli_output_format(output, "%8s", first);
  if (p->plan->clip != SUPPLE_NONE && time)
    cell(output, *time, TIME_DECIMALS);
  else
    cli_output_format(output, " %*s", COLUMN, "");
  for (int c = 0; c < 3; c++) cell(output, (double)box->min[c], DECIMALS);
  for (int c = 0; c < 3; c++) cell(output, (double)box->max[c], DECIMALS);
  cli_output_text(output, "\n");
}

static void json_box(cli_json *json, const supple_bounds *box) {
  cli_json_floats(json, "min", box->min, 3);
  cli_json_floats(json, "max", box->max, 3);
}

static int print_frame(void *user, uint32_t frame, const bake_record *record) {
  printer *p = user;
  char number[16];
  p->all = supple_bounds_join(p->all, record->bounds);
  if (p->plan->stage->options->json) {
    cli_json_object(&p->json, NULL);
    cli_json_index(&p->json, "frame", frame);
    if (p->plan->clip != SUPPLE_NONE) cli_json_double(&p->json, "time", p->plan->times[frame]);
    json_box(&p->json, &record->bounds);
    cli_json_end(&p->json);
  } else {
    snprintf(number, sizeof number, "%u", frame);
    row(p, number, &p->plan->times[frame], &record->bounds);
  }
  return cli_output_failed(p->output) ? CLI_FAILED : CLI_FINE;
}

static void begin_table(const printer *p) {
  static const char *const heads[] = {"time (s)", "min x", "min y", "min z",
                                      "max x",    "max y", "max z"};
  cli_output_format(p->output, "%8s", "frame");
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    cli_output_format(p->output, " %*s", COLUMN, heads[i]);
  cli_output_text(p->output, "\n");
}

static void begin_json(printer *p) {
  const cli_stage *stage = p->plan->stage;
  char name[256];
  p->json = cli_json_start(p->output, true);
  cli_json_object(&p->json, NULL);
  cli_json_text(&p->json, "file", stage->path);
  cli_json_text(&p->json, "method", cli_method_name(p->plan->method));
  cli_json_text(&p->json, "clip",
                p->plan->clip == SUPPLE_NONE
                    ? NULL
                    : cli_clip_name(stage->asset, p->plan->clip, name, sizeof name));
  cli_json_array(&p->json, "frames");
}

int bake_bounds_print(const bake_plan *plan) {
  printer p = {.plan = plan, .output = cli_output_open("-"), .all = {{1, 1, 1}, {-1, -1, -1}}};
  const bool json = plan->stage->options->json;
  if (!p.output) return CLI_FAILED;
  if (json)
    begin_json(&p);
  else
    begin_table(&p);
  const int exit_code = bake_make_all(plan, print_frame, &p);
  if (exit_code != CLI_FINE && !cli_output_failed(p.output)) {
    cli_output_abandon(p.output);
    return exit_code;
  }
  if (json) {
    cli_json_end(&p.json);
    json_box(&p.json, &p.all);
    cli_json_end(&p.json);
  } else if (plan->frame_count > 1) {
    row(&p, "all", NULL, &p.all);
  }
  return cli_output_close(p.output);
}
