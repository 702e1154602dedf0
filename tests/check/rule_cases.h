/* rule_cases.h: files with one fault each: cases/base.gltf, which has none, with an edit of cases/cases.json.
 *
 * cases.json has {"cases": […]}. A case is {"group", "code", "pointer", "edits", "bytes"}: the code must be found at
 * the pointer. An edit is [pointer of an object, key, JSON text (null: remove)], [pointer of an array, "+", JSON
 * text] or [pointer, JSON text], in which ' stands for "; bytes is [offset in base.bin, hexadecimal digits].
 * test_validator.py shows that the Khronos glTF-Validator finds the same. */
#ifndef SUPPLE_TESTS_RULE_CASES_H
#define SUPPLE_TESTS_RULE_CASES_H

#include <supple/check.h>

#include "tests/gltf/asset_text.h"

#define RULE_CASES SUPPLE_SOURCE_DIR "/tests/check/cases/"

enum { RULE_CASES_MOST = 4096 };

static inline supple_document *rule_cases_load(const char *path) {
  supple_error error;
  supple_document *document = supple_document_load(path, NULL, &error);
  if (!document) fail_msg("%s: %s", path, error.message);
  return document;
}

/* ---- edits ---- */

static inline const char *rule_cases_json(const char *text, char *out, size_t size) {
  if (!text) return NULL;
  assert_true(strlen(text) < size);
  strcpy(out, text);
  for (char *c = out; *c; c++)
    if (*c == '\'') *c = '"';
  return out;
}

static inline void rule_cases_edit(supple_document *document, const char *at, const char *key,
                                   const char *text) {
  char buffer[RULE_CASES_MOST * 2];
  const char *json = rule_cases_json(text, buffer, sizeof buffer);
  supple_value value = supple_document_find(document, at);
  supple_error error = {0};
  supple_result result;
  if (!key)
    result = supple_document_replace(document, value, json, NULL, &error);
  else if (strcmp(key, "+") == 0)
    result = supple_document_insert(document, value, SUPPLE_NONE, json, NULL, &error);
  else if (!json)
    result = supple_document_remove(document, supple_document_member(document, value, key), &error);
  else
    result = supple_document_set(document, value, key, json, NULL, &error);
  if (result) fail_msg("%s %s: %s", at, key ? key : "", error.message);
}

static inline size_t rule_cases_read(const char *path, unsigned char *out, size_t most) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t size = fread(out, 1, most, file);
  fclose(file);
  return size;
}

/* The buffer with some bytes changed, as a data URI. */
static inline void rule_cases_patch(supple_document *document, size_t offset, const char *digits) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned char data[RULE_CASES_MOST + 3] = {0};
  char uri[RULE_CASES_MOST * 2] = "'data:application/octet-stream;base64,";
  size_t size = rule_cases_read(RULE_CASES "base.bin", data, RULE_CASES_MOST), at = strlen(uri);
  assert_true(size && offset + strlen(digits) / 2 <= size);
  for (size_t i = 0; digits[2 * i]; i++) {
    unsigned byte;
    assert_int_equal(sscanf(digits + 2 * i, "%2x", &byte), 1);
    data[offset + i] = (unsigned char)byte;
  }
  for (size_t i = 0; i < size; i += 3) {
    uint32_t three = (uint32_t)data[i] << 16 | (uint32_t)data[i + 1] << 8 | data[i + 2];
    for (int k = 18; k >= 0; k -= 6) uri[at++] = alphabet[three >> k & 63];
  }
  for (size_t k = 0; k < (3 - size % 3) % 3; k++) uri[at - 1 - k] = '=';
  strcpy(uri + at, "'");
  rule_cases_edit(document, "/buffers/0", "uri", uri);
}

/* ---- cases ---- */

static inline const char *rule_cases_text(const supple_document *cases, supple_value container,
                                          uint32_t index) {
  return supple_document_string(cases, supple_document_child(cases, container, index));
}

static inline const char *rule_cases_member(const supple_document *cases, supple_value item,
                                            const char *key) {
  return supple_document_string(cases, supple_document_member(cases, item, key));
}

static inline supple_document *rule_cases_make(const supple_document *cases, supple_value item) {
  supple_document *document = rule_cases_load(RULE_CASES "base.gltf");
  supple_value edits = supple_document_member(cases, item, "edits"),
               bytes = supple_document_member(cases, item, "bytes");
  for (uint32_t i = 0; i < supple_document_count(cases, edits); i++) {
    supple_value one = supple_document_child(cases, edits, i);
    if (supple_document_count(cases, one) == 2)
      rule_cases_edit(document, rule_cases_text(cases, one, 0), NULL,
                      rule_cases_text(cases, one, 1));
    else
      rule_cases_edit(document, rule_cases_text(cases, one, 0), rule_cases_text(cases, one, 1),
                      rule_cases_text(cases, one, 2));
  }
  if (supple_document_count(cases, bytes))
    rule_cases_patch(document, supple_document_index(cases, supple_document_child(cases, bytes, 0)),
                     rule_cases_text(cases, bytes, 1));
  return document;
}

static inline supple_check_report *rule_cases_report(supple_document *document,
                                                     const supple_check_options *options) {
  supple_error error;
  supple_check_report *report = supple_check_document(document, options, &error);
  if (!report) fail_msg("%s", error.message);
  supple_document_free(document);
  return report;
}

/* The first finding of a code at a pointer (NULL: anywhere), or NULL. */
static inline const supple_finding *rule_cases_find(const supple_check_report *report,
                                                    const char *code, const char *pointer) {
  for (uint32_t i = 0; i < report->finding_count; i++) {
    const supple_finding *finding = &report->findings[i];
    if (strcmp(finding->code->name, code) == 0 &&
        (!pointer || strcmp(finding->pointer, pointer) == 0))
      return finding;
  }
  return NULL;
}

/* A report of base.gltf with one edit (at NULL: none). */
static inline supple_check_report *rule_cases_check(const char *at, const char *key,
                                                    const char *json,
                                                    const supple_check_options *options) {
  supple_document *document = rule_cases_load(RULE_CASES "base.gltf");
  if (at) rule_cases_edit(document, at, key, json);
  return rule_cases_report(document, options);
}

/* Finds what it must, says so in a sentence, and says nothing else of a file that has no fault. */
static inline void rule_cases_one(const supple_document *cases, supple_value item,
                                  const supple_check_report *base) {
  const char *code = rule_cases_member(cases, item, "code"),
             *pointer = rule_cases_member(cases, item, "pointer");
  supple_check_report *report = rule_cases_report(rule_cases_make(cases, item), NULL);
  const supple_finding *finding = rule_cases_find(report, code, pointer);
  if (!finding) fail_msg("%s was not found at \"%s\"", code, pointer);
  if (!finding->text[0] || !finding->count) fail_msg("%s at \"%s\" says nothing", code, pointer);
  if (rule_cases_find(base, code, NULL)) fail_msg("%s was found in the base", code);
  supple_check_report_free(report);
}

/* Runs the cases of a group; fails where there are fewer than `least`. */
static inline void rule_cases_run(const char *group, uint32_t least) {
  supple_document *cases = rule_cases_load(RULE_CASES "cases.json");
  const supple_value list = supple_document_find(cases, "/cases");
  supple_check_report *base = rule_cases_check(NULL, NULL, NULL, NULL);
  assert_true(base->loads);
  assert_int_equal(base->counts[SUPPLE_SEVERITY_ERROR], 0);
  uint32_t run = 0;
  for (uint32_t i = 0; i < supple_document_count(cases, list); i++) {
    supple_value item = supple_document_child(cases, list, i);
    if (strcmp(rule_cases_member(cases, item, "group"), group)) continue;
    rule_cases_one(cases, item, base);
    run++;
  }
  supple_check_report_free(base);
  supple_document_free(cases);
  if (run < least) fail_msg("only %u cases of %s", (unsigned)run, group);
}

/* Whether some case, of any group, is for a code. */
static inline bool rule_cases_have(const char *code) {
  supple_document *cases = rule_cases_load(RULE_CASES "cases.json");
  const supple_value list = supple_document_find(cases, "/cases");
  bool found = false;
  for (uint32_t i = 0; i < supple_document_count(cases, list); i++)
    found |=
        strcmp(rule_cases_member(cases, supple_document_child(cases, list, i), "code"), code) == 0;
  supple_document_free(cases);
  return found;
}

#endif
