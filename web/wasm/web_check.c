/* web_check.c: checking and fixing a file in memory. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

/* The findings as JSON, to be freed with web_free; NULL where memory ran out. */
WEB_EXPORT char *web_check(const void *data, size_t size, uint32_t flags, uint32_t strict) {
  const supple_check_options options = {.load = web_load_options(flags), .strict = strict != 0};
  supple_check_report *report = supple_check_memory(data, size, &options, &web_error);
  if (!report) return NULL;
  web_text text = {0};
  web_object(&text, NULL);
  web_bool(&text, "loads", report->loads);
  web_string(&text, "refused", report->refused);
  web_array(&text, "findings");
  for (uint32_t i = 0; i < report->finding_count; i++) {
    const supple_finding *finding = &report->findings[i];
    web_object(&text, NULL);
    web_string(&text, "code", finding->code->name);
    web_string(&text, "severity", supple_severity_text(finding->code->severity));
    web_string(&text, "pointer", finding->pointer);
    web_string(&text, "text", finding->text);
    web_string(&text, "meaning", finding->code->meaning);
    web_string(&text, "consequence", finding->code->consequence);
    web_string(&text, "fix", finding->code->fix);
    web_number(&text, "count", finding->count);
    web_number(&text, "metres", finding->metres);
    web_end(&text, '}');
  }
  web_end(&text, ']');
  web_end(&text, '}');
  supple_check_report_free(report);
  return web_finish(&text);
}

/* ---- fix ---- */

typedef struct web_fixed {
  char *report; /* JSON */
  unsigned char *data;
  size_t size, filled;
} web_fixed;

WEB_EXPORT void web_fixed_free(web_fixed *fixed) {
  if (!fixed) return;
  free(fixed->report);
  free(fixed->data);
  free(fixed);
}
WEB_EXPORT const char *web_fixed_report(const web_fixed *fixed) { return fixed->report; }
WEB_EXPORT const void *web_fixed_data(const web_fixed *fixed) { return fixed->data; }
WEB_EXPORT size_t web_fixed_size(const web_fixed *fixed) { return fixed->size; }

static char *report_text(const supple_fix_report *report) {
  web_text text = {0};
  web_object(&text, NULL);
  web_number(&text, "largestMetres", report->largest_metres);
  web_number(&text, "largestShare", report->largest_share);
  web_number(&text, "truncatedMetres", report->truncated_metres);
  web_index(&text, "worstClip", report->worst_clip);
  web_number(&text, "worstSeconds", report->worst_seconds);
  web_number(&text, "moments", report->moments);
  web_number(&text, "comparedMoments", report->compared_moments);
  web_bool(&text, "incomplete", report->incomplete);
  web_array(&text, "actions");
  for (uint32_t i = 0; i < report->action_count; i++) {
    const supple_fix_action *action = &report->actions[i];
    web_object(&text, NULL);
    web_string(&text, "code", action->code);
    web_string(&text, "pointer", action->pointer);
    web_string(&text, "text", action->text);
    web_number(&text, "count", action->count);
    web_bool(&text, "done", action->done);
    web_end(&text, '}');
  }
  web_end(&text, ']');
  web_end(&text, '}');
  return web_finish(&text);
}

static supple_result append(void *user, const void *data, size_t size) {
  web_fixed *fixed = user;
  if (size > fixed->size - fixed->filled) return SUPPLE_ERROR_ARGUMENT;
  memcpy(fixed->data + fixed->filled, data, size);
  fixed->filled += size;
  return SUPPLE_OK;
}

static bool write_glb(web_fixed *fixed, supple_document *document) {
  supple_written *written =
      supple_document_write(document, &(supple_write_options){.name = "asset.glb"}, &web_error);
  if (!written) return false;
  fixed->size = (size_t)written->files[0].size;
  fixed->data = malloc(fixed->size ? fixed->size : 1);
  const bool fine = fixed->data && !supple_written_copy(written, 0, append, fixed, &web_error);
  supple_written_free(written);
  return fine;
}

/* Repairs (bits of supple_repair, 0: the default ones) and writes a .glb. NULL: web_error_message. */
WEB_EXPORT web_fixed *web_fix(const void *data, size_t size, uint32_t flags, uint32_t repairs,
                              uint32_t influences, uint32_t max_joints) {
  const supple_fix_options options = {.load = web_load_options(flags),
                                      .repairs = repairs,
                                      .influences = influences,
                                      .max_joints = max_joints};
  supple_document *document = supple_document_load_memory(data, size, &options.load, &web_error);
  supple_fix_report *report = document ? supple_fix_document(document, &options, &web_error) : NULL;
  web_fixed *fixed = report ? calloc(1, sizeof *fixed) : NULL;
  if (fixed) fixed->report = report_text(report);
  if (fixed && (!fixed->report || !write_glb(fixed, document))) {
    web_fixed_free(fixed);
    fixed = NULL;
  }
  supple_fix_report_free(report);
  supple_document_free(document);
  return fixed;
}

/* The same file as a .glb that needs no decoder and no other file. NULL: web_error_message. */
WEB_EXPORT web_fixed *web_plain(const void *data, size_t size, uint32_t flags) {
  const supple_load_options options = web_load_options(flags);
  supple_document *document = supple_document_load_memory(data, size, &options, &web_error);
  web_fixed *plain = document && !supple_document_decompress(document, NULL, &web_error)
                         ? calloc(1, sizeof *plain)
                         : NULL;
  if (plain && !write_glb(plain, document)) {
    web_fixed_free(plain);
    plain = NULL;
  }
  supple_document_free(document);
  return plain;
}
