/* fix.c: the order of the repairs, and the report. */
#include "../base/prologue.h"

#include "fix_state.h"

#include "../gltf/document_tree.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- what the repairs share ---- */

supple_result supplei_fix_no_memory(supplei_fix *fix, const char *what) {
  return supplei_fail(fix->error, SUPPLE_ERROR_MEMORY, NULL, SIZE_MAX, "out of memory (%s)", what);
}

static supple_result add_action(supplei_fix *fix, const char *code, const char *pointer,
                                uint32_t count, bool done, const char *format, va_list arguments) {
  char text[512];
  void *actions = fix->actions;
  const supple_result grown =
      supplei_grow(&fix->allocator, &actions, &fix->action_capacity, fix->action_count,
                   fix->action_count + 1, sizeof *fix->actions, fix->error);
  if (grown) return grown;
  fix->actions = actions;
  vsnprintf(text, sizeof text, format, arguments);
  supple_fix_action *action = &fix->actions[fix->action_count];
  *action = (supple_fix_action){
      .code = code,
      .pointer = supplei_arena_text(&fix->arena, pointer, strlen(pointer)),
      .text = supplei_arena_text(&fix->arena, text, strlen(text)),
      .count = count,
      .done = done,
  };
  if (!action->pointer || !action->text) return supplei_fix_no_memory(fix, "the report");
  fix->action_count++;
  return SUPPLE_OK;
}

supple_result supplei_fix_did(supplei_fix *fix, const char *code, const char *pointer,
                              uint32_t count, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const supple_result result = add_action(fix, code, pointer, count, true, format, arguments);
  va_end(arguments);
  return result;
}

supple_result supplei_fix_could_not(supplei_fix *fix, const char *code, const char *pointer,
                                    uint32_t count, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const supple_result result = add_action(fix, code, pointer, count, false, format, arguments);
  va_end(arguments);
  return result;
}

supple_result supplei_fix_trace(supplei_fix *fix, const supplei_trace *trace) {
  void *traces = fix->traces;
  const supple_result grown =
      supplei_grow(&fix->allocator, &traces, &fix->trace_capacity, fix->trace_count,
                   fix->trace_count + 1, sizeof *fix->traces, fix->error);
  if (grown) return grown;
  fix->traces = traces;
  fix->traces[fix->trace_count++] = *trace;
  return SUPPLE_OK;
}

const char *supplei_fix_number(double value, char text[SUPPLEI_FIX_NUMBER]) {
  double digits = fabs(value);
  int power = 0; /* digits = |value| · 10^power */
  if (!isfinite(value) || value == 0) return strcpy(text, value == 0 ? "0" : "not finite");
  for (; digits >= 10000 && power > -400; power--) digits /= 10;
  for (; digits < 1000 && power < 400; power++) digits *= 10;
  digits = floor(digits + 0.5);
  /* Powers of ten up to 22 are exact, so the quotient is the double nearest to the decimal. */
  double unit = 1;
  for (int i = 0; i < (power < 0 ? -power : power); i++) unit *= 10;
  if (value < 0) digits = -digits;
  return supplei_number_text(power < 0 ? digits * unit : digits / unit, text);
}

/* ---- the whole ---- */

/* Every skinned node shows itself, until something is moved. */
static supple_result trace_all(supplei_fix *fix) {
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; !result && i < fix->before->instance_count; i++)
    result = supplei_fix_trace(fix, &(supplei_trace){.instance = i,
                                                     .primitive = SUPPLE_NONE,
                                                     .node = fix->before->instances[i].node,
                                                     .now = SUPPLE_NONE});
  return result;
}

static supple_result repair(supplei_fix *fix) {
  const uint32_t repairs = fix->repairs;
  supple_result result = SUPPLE_OK;
  if (repairs & SUPPLE_REPAIR_REBIND) result = supplei_fix_rebind(fix);
  if (!result && (repairs & SUPPLE_REPAIR_WEIGHTS || fix->options->influences))
    result = supplei_fix_weights(fix);
  if (!result && repairs & SUPPLE_REPAIR_NODES) result = supplei_fix_nodes(fix);
  if (!result && fix->options->max_joints) result = supplei_fix_split(fix);
  if (!result && repairs & SUPPLE_REPAIR_NAMES) result = supplei_fix_names(fix);
  if (!result && repairs & SUPPLE_REPAIR_BOUNDS) result = supplei_fix_bounds(fix);
  return result;
}

/* Moves what was found into one object that an arena frees. */
static supple_fix_report *make_report(supplei_fix *fix, const supple_fix_report *distances) {
  const uint32_t count = fix->action_count;
  supplei_fix_result *made = supplei_arena_allocate(&fix->arena, 1, sizeof *made);
  supple_fix_action *actions = supplei_arena_allocate(&fix->arena, count, sizeof *actions);
  if (!made || !actions) {
    supplei_fix_no_memory(fix, "the report");
    return NULL;
  }
  if (count) memcpy(actions, fix->actions, count * sizeof *actions);
  made->report = *distances;
  made->report.actions = actions;
  made->report.action_count = count;
  made->arena = fix->arena;
  fix->arena = (supplei_arena){.allocator = fix->allocator};
  return &made->report;
}

supple_fix_report *supple_fix_document(supple_document *document, const supple_fix_options *options,
                                       supple_error *error) {
  static const supple_fix_options defaults;
  supple_error own; /* the repairs read it */
  supplei_fix fix = {.document = document, .options = options ? options : &defaults};
  supple_fix_report distances = {0}, *report = NULL;
  fix.error = error ? error : &own;
  fix.allocator = supplei_allocator(&fix.options->load.allocator);
  fix.repairs = fix.options->repairs ? fix.options->repairs : SUPPLE_REPAIR_DEFAULT;
  supplei_arena_init(&fix.arena, &fix.allocator, 0);
  fix.before = supple_document_asset(document, &fix.options->load, fix.error);
  if (fix.before && !trace_all(&fix) && !repair(&fix) && !supplei_fix_compare(&fix, &distances))
    report = make_report(&fix, &distances);
  supple_asset_free(fix.before);
  supplei_release(&fix.allocator, fix.actions, fix.action_capacity, sizeof *fix.actions);
  supplei_release(&fix.allocator, fix.traces, fix.trace_capacity, sizeof *fix.traces);
  supplei_arena_free(&fix.arena);
  return report;
}

void supple_fix_report_free(supple_fix_report *report) {
  if (!report) return;
  supplei_arena arena = ((supplei_fix_result *)(void *)report)->arena;
  supplei_arena_free(&arena);
}
