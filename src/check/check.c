/* check.c: checking a file: its parts in order, and the report. */
#include "../base/prologue.h"

#include "check_state.h"

#include "../base/merge_sort.h"
#include "../gltf/document_state.h"
#include "../gltf/file_read.h"
#include "../gltf/json_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 512, POINTER_SIZE = 1024 };

/* The report and the arena that it lies in. */
typedef struct owned_report {
  supple_check_report report; /* first: its address is the whole's */
  supplei_arena arena;
} owned_report;

static const supple_check_options no_options = {0};

/* ---- findings ---- */

static bool grow(supplei_check *check) {
  if (check->count < check->capacity) return true;
  if (check->capacity > UINT32_MAX / 2) return false;
  uint32_t capacity = check->capacity ? 2 * check->capacity : 64;
  supple_finding *findings = supplei_allocate(&check->allocator, capacity, sizeof *findings);
  if (!findings) return false;
  if (check->count) memcpy(findings, check->findings, check->count * sizeof *findings);
  supplei_release(&check->allocator, check->findings, check->capacity, sizeof *findings);
  check->findings = findings;
  check->capacity = capacity;
  return true;
}

/* Texts of the file may hold anything, and are cut anywhere. */
static void make_printable(char *text) {
  for (unsigned char *c = (unsigned char *)text; *c;) {
    size_t length = supplei_utf8_length(c, strlen((const char *)c));
    if (!length || *c < 0x20 || *c == 0x7F) *c = '?', length = 1;
    c += length;
  }
}

static void found(supplei_check *check, supplei_code code, const char *pointer,
                  supplei_extent extent, const char *format, va_list arguments) {
  char text[TEXT_SIZE];
  vsnprintf(text, sizeof text, format, arguments);
  make_printable(text);
  supple_finding finding = {.code = supple_check_code(code),
                            .pointer = supplei_arena_text(&check->arena, pointer, strlen(pointer)),
                            .text = supplei_arena_text(&check->arena, text, strlen(text)),
                            .count = extent.count ? extent.count : 1,
                            .metres = extent.metres};
  if (finding.pointer && finding.text && grow(check))
    check->findings[check->count++] = finding;
  else if (!check->result)
    check->result = SUPPLE_ERROR_MEMORY;
}

void supplei_check_found(supplei_check *check, supplei_code code, const char *pointer,
                         supplei_extent extent, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  found(check, code, pointer, extent, format, arguments);
  va_end(arguments);
}

void supplei_check_found_at(supplei_check *check, supplei_code code, supple_value value,
                            supplei_extent extent, const char *format, ...) {
  char pointer[POINTER_SIZE];
  supple_document_pointer(check->document, value, pointer, sizeof pointer);
  va_list arguments;
  va_start(arguments, format);
  found(check, code, pointer, extent, format, arguments);
  va_end(arguments);
}

/* ---- the order of the report ---- */

/* As the reference tokens of two pointers: numbers by value, the rest by their bytes. */
static int compare_pointers(const char *a, const char *b) {
  static const char digits[] = "0123456789";
  size_t at = 0;
  while (a[at] && a[at] == b[at]) at++;
  if (a[at] == b[at]) return 0;
  size_t number = at; /* where the number begins that they differ in */
  while (number && a[number - 1] >= '0' && a[number - 1] <= '9') number--;
  size_t digits_a = strspn(a + number, digits), digits_b = strspn(b + number, digits);
  if (digits_a && digits_b && digits_a != digits_b) return digits_a < digits_b ? -1 : 1;
  return (unsigned char)a[at] < (unsigned char)b[at] ? -1 : 1;
}

/* The top-level members by key: where each stands in the file. */
typedef struct key_places {
  const char **keys; /* [count], as they stand */
  uint64_t *order;   /* [count], by key; as many more are scratch */
  uint32_t count;
} key_places;

static int compare_keys(const void *context, uint64_t a, uint64_t b) {
  const char *const *keys = context;
  return strcmp(keys[a], keys[b]);
}

static bool find_places(supplei_check *check, key_places *places) {
  uint32_t count = check->document ? supple_document_count(check->document, 0) : 0;
  places->keys = supplei_arena_allocate(&check->arena, count, sizeof *places->keys);
  places->order = supplei_arena_allocate(&check->arena, count, 2 * sizeof *places->order);
  if (!places->keys || !places->order) return false;
  places->count = count;
  for (uint32_t i = 0; i < count; i++) {
    places->keys[i] =
        supple_document_key(check->document, supple_document_child(check->document, 0, i));
    places->order[i] = i;
  }
  supplei_merge_sort(places->order, places->order + count, count, compare_keys, places->keys);
  return true;
}

/* 0 the file itself, then its members, then what is not there. */
static uint32_t place_of(const key_places *places, const char *pointer) {
  if (*pointer != '/') return 0;
  size_t length = strcspn(++pointer, "/");
  uint32_t low = 0, high = places->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, at = (uint32_t)places->order[middle];
    int order = strncmp(places->keys[at], pointer, length);
    if (!order && places->keys[at][length]) order = 1;
    if (!order) return at + 1;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return places->count + 1;
}

static int compare_findings(const void *context, uint64_t a, uint64_t b) {
  const supple_finding *findings = context, *first = &findings[(uint32_t)a],
                       *second = &findings[(uint32_t)b];
  if (first->code->severity != second->code->severity)
    return first->code->severity < second->code->severity ? -1 : 1;
  if (a >> 32 != b >> 32) return a >> 32 < b >> 32 ? -1 : 1;
  return compare_pointers(first->pointer, second->pointer);
}

/* Errors first, then in the order of the file, then as found. */
static bool fill_report(supplei_check *check, supple_check_report *report) {
  uint32_t count = check->count;
  key_places places;
  if (!find_places(check, &places)) return false;
  supple_finding *sorted = supplei_arena_allocate(&check->arena, count, sizeof *sorted);
  uint64_t *order = supplei_allocate(&check->allocator, count, 2 * sizeof *order);
  if (sorted && order) {
    for (uint32_t i = 0; i < count; i++)
      order[i] = (uint64_t)place_of(&places, check->findings[i].pointer) << 32 | i;
    supplei_merge_sort(order, order + count, count, compare_findings, check->findings);
    for (uint32_t i = 0; i < count; i++) {
      sorted[i] = check->findings[(uint32_t)order[i]];
      report->counts[sorted[i].code->severity]++;
    }
    report->findings = sorted;
    report->finding_count = count;
  }
  supplei_release(&check->allocator, order, count, 2 * sizeof *order);
  return sorted && order;
}

/* ---- the whole ---- */

/* `refused`: what kept the container from being read; NULL: nothing. */
static void run_document(supplei_check *check, const supple_error *refused,
                         supple_check_report *report) {
  supple_load_options load = check->options->load;
  supple_error error = {0};
  load.structure_only |= check->options->structure_only;
  supple_asset *asset = refused ? NULL : supple_document_asset(check->document, &load, &error);
  report->loads = asset != NULL;
  if (!asset && error.result == SUPPLE_ERROR_MEMORY) check->result = SUPPLE_ERROR_MEMORY;
  if (!asset && !refused) memcpy(report->refused, error.message, sizeof report->refused);
  if (!check->options->structure_only) check->asset = asset;
  supplei_check_rules(check);
  if (check->asset && !check->result) supplei_check_practice(check);
  check->asset = NULL;
  supple_asset_free(asset);
}

/* A GLB that is damaged may hold JSON that is not. */
static void run_rest(supplei_check *check, const supplei_check_text *json,
                     const supple_error *refused, supple_check_report *report) {
  supple_error error = {0};
  if (!json->sound) return;
  check->document =
      supple_document_load_memory(json->text, json->length, &check->options->load, &error);
  if (!check->document) {
    if (error.result == SUPPLE_ERROR_MEMORY) check->result = SUPPLE_ERROR_MEMORY;
    return;
  }
  check->salvaged = true;
  run_document(check, refused, report);
}

static void run_parts(supplei_check *check, const supple_error *refused,
                      supple_check_report *report) {
  supplei_check_text json = {0};
  if (check->data) supplei_check_container(check, &json);
  if (refused) {
    memcpy(report->refused, refused->message, sizeof report->refused);
    run_rest(check, &json, refused, report);
  } else {
    run_document(check, NULL, report);
  }
}

/* `refused`: why there is no document. */
static supple_check_report *run(supplei_check *check, const supple_error *refused,
                                supple_error *error) {
  supplei_arena_init(&check->arena, &check->allocator, 0);
  owned_report *owned = supplei_arena_allocate(&check->arena, 1, sizeof *owned);
  if (!owned)
    check->result = SUPPLE_ERROR_MEMORY;
  else
    run_parts(check, refused, &owned->report);
  if (!check->result && !fill_report(check, &owned->report)) check->result = SUPPLE_ERROR_MEMORY;
  if (check->salvaged) supple_document_free(check->document);
  supplei_release(&check->allocator, check->findings, check->capacity, sizeof *check->findings);
  if (!check->result) {
    owned->arena = check->arena;
    return &owned->report;
  }
  size_t bytes = check->arena.total;
  supplei_arena_free(&check->arena);
  if (check->result == SUPPLE_ERROR_MEMORY)
    supplei_fail_memory(error, bytes, "checking");
  else
    supplei_fail(error, check->result, NULL, SIZE_MAX, "the check failed: %s",
                 supple_result_text(check->result));
  return NULL;
}

static supplei_check begin(const supple_check_options *options) {
  if (!options) options = &no_options;
  return (supplei_check){.options = options,
                         .allocator = supplei_allocator(&options->load.allocator)};
}

supple_check_report *supple_check_document(supple_document *document,
                                           const supple_check_options *options, supple_error *error) {
  supplei_check check = begin(options);
  check.document = document;
  if (document) return run(&check, NULL, error);
  supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "document is NULL");
  return NULL;
}

/* The bytes of a file, and its document (which is freed) or why there is none. */
static supple_check_report *run_bytes(supplei_check *check, const void *data, size_t size,
                                      supple_document *document, supple_error *refused,
                                      supple_error *error) {
  if (!document && refused->result != SUPPLE_ERROR_FORMAT &&
      refused->result != SUPPLE_ERROR_UNSUPPORTED) {
    if (error) *error = *refused;
    return NULL;
  }
  check->data = size ? data : (const void *)"";
  check->size = size;
  check->document = document;
  supple_check_report *report = run(check, document ? NULL : refused, error);
  supple_document_free(document);
  return report;
}

supple_check_report *supple_check_memory(const void *data, size_t size,
                                         const supple_check_options *options, supple_error *error) {
  supplei_check check = begin(options);
  supple_error refused = {0};
  supple_document *document =
      supple_document_load_memory(data, size, &check.options->load, &refused);
  return run_bytes(&check, data, size, document, &refused, error);
}

supple_check_report *supple_check_file(const char *path, const supple_check_options *options,
                                       supple_error *error) {
  supplei_check check = begin(options);
  supple_error refused = {0};
  supple_document *document = supple_document_load(path, &check.options->load, &refused);
  if (document)
    return run_bytes(&check, document->file, document->file_size, document, &refused, error);
  size_t limit = check.options->load.limits.file_bytes, size = 0;
  void *data = NULL;
  if (!path || supplei_file_read(path, limit ? limit : UINT32_MAX, &check.allocator, &data, &size,
                                 &refused)) {
    if (error) *error = refused;
    return NULL;
  }
  supple_check_report *report = run_bytes(&check, data, size, NULL, &refused, error);
  supplei_release(&check.allocator, data, size, 1);
  return report;
}

void supple_check_report_free(supple_check_report *report) {
  if (!report) return;
  supplei_arena arena = ((owned_report *)report)->arena;
  supplei_arena_free(&arena);
}
