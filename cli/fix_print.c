/* fix_print.c: what was repaired, as text and as JSON. */
#include "fix_print.h"

#include <string.h>

enum { OF_A_KIND = 6 };

uint32_t fix_refused(const supple_fix_report *report) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->action_count; i++) count += !report->actions[i].done;
  return count;
}

/* ---- text ---- */

/* How many actions before this one have its code and its outcome. */
static uint32_t same_before(const supple_fix_report *report, uint32_t index) {
  const supple_fix_action *action = &report->actions[index];
  uint32_t count = 0;
  for (uint32_t i = index; i-- > 0 && count <= OF_A_KIND;)
    count += report->actions[i].done == action->done &&
             strcmp(report->actions[i].code, action->code) == 0;
  return count;
}

static void print_action(cli_output *output, const supple_fix_action *action) {
  cli_output_text(output, action->done ? "  " : "  not done: ");
  if (action->pointer[0]) {
    cli_plain_text(output, action->pointer);
    cli_output_text(output, ": ");
  }
  cli_plain_text(output, action->text);
  if (action->code[0]) cli_output_format(output, " [%s]", action->code);
  cli_output_text(output, "\n");
}

static void print_actions(cli_output *output, const fix_outcome *outcome) {
  uint32_t left_out = 0;
  for (uint32_t i = 0; i < outcome->report->action_count; i++) {
    if (outcome->all || same_before(outcome->report, i) < OF_A_KIND)
      print_action(output, &outcome->report->actions[i]);
    else
      left_out++;
  }
  if (left_out)
    cli_output_format(output, "  … and %u more of these kinds (--verbose shows them all)\n",
                      left_out);
}

static void print_distance(cli_output *output, const fix_outcome *outcome) {
  const supple_fix_report *report = outcome->report;
  char metres[CLI_NUMBER_TEXT], share[CLI_NUMBER_TEXT], when[CLI_NUMBER_TEXT];
  const char *where = report->range_of_motion ? "over a range of motion" : "over all clips";
  const bool partly = report->compared_moments < report->moments;
  if (report->incomplete)
    where =
        report->range_of_motion ? "over a part of a range of motion" : "over a part of the clips";
  if (report->largest_metres <= 0) {
    cli_output_format(output, "  no vertex moves, %s, under lbs and dqs\n", where);
  } else {
    cli_output_format(output, "  vertices move by at most %s m (%s %% of the size), %s",
                      cli_float_text((float)report->largest_metres, metres),
                      cli_float_text((float)(100 * report->largest_share), share), where);
    if (outcome->worst_clip) {
      cli_output_text(output, ": in ");
      cli_plain_text(output, outcome->worst_clip);
      cli_output_format(output, " at %s s", cli_fixed_text(report->worst_seconds, 2, when));
    }
    cli_output_text(output, "\n");
  }
  if (partly || report->incomplete)
    cli_output_format(output, "  compared at %u of %u moments%s: all of them would take too long\n",
                      report->compared_moments, report->moments,
                      report->incomplete ? ", and not at all primitives" : "");
  if (outcome->influences)
    cli_output_format(output, "  dropping the smallest weights would move them by %s m\n",
                      cli_float_text((float)report->truncated_metres, metres));
}

static void print_pruned(cli_output *output, const fix_outcome *outcome) {
  const supple_pruned *d = &outcome->dropped;
  const struct {
    uint32_t count;
    const char *what;
  } parts[] = {{d->accessors, "accessors"}, {d->views, "views"},   {d->buffers, "buffers"},
               {d->meshes, "meshes"},       {d->skins, "skins"},   {d->materials, "materials"},
               {d->textures, "textures"},   {d->images, "images"}, {d->samplers, "samplers"},
               {d->cameras, "cameras"}};
  bool any = false;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (!parts[i].count) continue;
    cli_output_format(output, "%s%u %s",
                      any ? ", " : "  left out, since nothing uses them: ", parts[i].count,
                      parts[i].what);
    any = true;
  }
  if (any) cli_output_format(output, " (%llu bytes)\n", (unsigned long long)d->bytes);
  if (!outcome->kept) return;
  cli_output_text(output, "  what ");
  cli_plain_text(output, outcome->kept);
  cli_output_text(output, " may refer to is kept\n");
}

void fix_print_text(cli_output *output, const fix_outcome *outcome) {
  const uint32_t refused = fix_refused(outcome->report);
  const uint32_t done = outcome->report->action_count - refused;
  cli_plain_text(output, outcome->file);
  if (done)
    cli_output_format(output, ": %u repair%s", done, done == 1 ? "" : "s");
  else
    cli_output_text(output, ": nothing to repair");
  if (refused) cli_output_format(output, ", %u not done", refused);
  cli_output_text(output, "\n");
  print_actions(output, outcome);
  if (done) print_distance(output, outcome);
  if (outcome->pruned) print_pruned(output, outcome);
  if (!outcome->written) return;
  cli_output_text(output, "  written: ");
  cli_plain_text(output, outcome->written);
  cli_output_text(output, "\n");
}

/* ---- JSON ---- */

static void json_pruned(cli_json *json, const fix_outcome *outcome) {
  const supple_pruned *d = &outcome->dropped;
  cli_json_object(json, "pruned");
  cli_json_integer(json, "accessors", d->accessors);
  cli_json_integer(json, "views", d->views);
  cli_json_integer(json, "buffers", d->buffers);
  cli_json_integer(json, "meshes", d->meshes);
  cli_json_integer(json, "skins", d->skins);
  cli_json_integer(json, "materials", d->materials);
  cli_json_integer(json, "textures", d->textures);
  cli_json_integer(json, "images", d->images);
  cli_json_integer(json, "samplers", d->samplers);
  cli_json_integer(json, "cameras", d->cameras);
  cli_json_integer(json, "bytes", (int64_t)d->bytes);
  cli_json_text(json, "kept_for", outcome->kept);
  cli_json_end(json);
}

void fix_print_json(cli_output *output, const fix_outcome *outcome) {
  const supple_fix_report *report = outcome->report;
  cli_json json = cli_json_start(output, true);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "file", outcome->file);
  cli_json_text(&json, "written", outcome->written);
  cli_json_array(&json, "actions");
  for (uint32_t i = 0; i < report->action_count; i++) {
    const supple_fix_action *action = &report->actions[i];
    cli_json_object(&json, NULL);
    cli_json_bool(&json, "done", action->done);
    cli_json_text(&json, "code", action->code);
    cli_json_text(&json, "pointer", action->pointer);
    cli_json_index(&json, "count", action->count);
    cli_json_text(&json, "text", action->text);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_double(&json, "largest_metres", report->largest_metres);
  cli_json_double(&json, "largest_share", report->largest_share);
  if (outcome->influences)
    cli_json_double(&json, "truncated_metres", report->truncated_metres);
  else
    cli_json_null(&json, "truncated_metres");
  cli_json_integer(&json, "moments", report->moments);
  cli_json_integer(&json, "compared_moments", report->compared_moments);
  cli_json_bool(&json, "incomplete", report->incomplete);
  cli_json_bool(&json, "range_of_motion", report->range_of_motion);
  cli_json_index(&json, "worst_clip", report->worst_clip);
  if (report->worst_clip == SUPPLE_NONE)
    cli_json_null(&json, "worst_seconds");
  else
    cli_json_double(&json, "worst_seconds", report->worst_seconds);
  if (outcome->pruned)
    json_pruned(&json, outcome);
  else
    cli_json_null(&json, "pruned");
  cli_json_end(&json);
}
