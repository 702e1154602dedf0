/* json/target.c: any bytes as JSON: what is parsed must hold together, what is refused must say where. */
#include "../fuzz.h"

#include "src/gltf/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_string(const supplei_json *json, uint32_t node) {
  const size_t length = json->nodes[node].length;
  char *out = malloc(length ? length : 1);
  if (!out) abort();
  const size_t decoded = supplei_json_string(json, node, out);
  fuzz_expect(decoded <= length, "decoding never lengthens");
  fuzz_expect(decoded == length || json->nodes[node].escaped, "only escapes shorten");
  free(out);
}

/* The span of a value is JSON by itself, with the same values below it. */
static void check_span(const supplei_json *json, uint32_t node) {
  const supplei_json_node *span = &json->nodes[node];
  const bool text = span->type == SUPPLEI_JSON_STRING;
  const size_t length = span->length + (text ? 2u : 0u);
  char *copy = malloc(length ? length : 1);
  if (!copy) abort();
  memcpy(copy, json->text + span->begin - (text ? 1 : 0), length);
  supplei_json again;
  const supple_allocator allocator = fuzz_allocator(0);
  const supple_result result = supplei_json_parse(&again, copy, length, NULL, &allocator, NULL);
  fuzz_expect(result == SUPPLE_OK, "a value's span is JSON");
  fuzz_expect(again.count == span->next - node, "a value's span has its values");
  supplei_json_release(&again);
  free(copy);
}

static void check_node(const supplei_json *json, uint32_t node) {
  const supplei_json_node *span = &json->nodes[node];
  double number = 0;
  uint64_t whole = 0;
  char pointer[192];
  fuzz_expect(span->begin <= json->length && span->length <= json->length - span->begin,
              "a value is in the text");
  fuzz_expect(span->key <= json->length && span->key_length <= json->length - span->key,
              "a key is in the text");
  fuzz_expect(span->next > node && span->next <= json->count, "the next value comes later");
  const bool is_number = supplei_json_number(json, node, &number);
  fuzz_expect(is_number == (span->type == SUPPLEI_JSON_NUMBER),
              "numbers and nothing else are numbers");
  fuzz_expect(!isnan(number), "no number is NaN");
  if (supplei_json_unsigned(json, node, UINT64_C(1) << 53, &whole))
    fuzz_expect(is_number && number == (double)whole, "a whole number is a number");
  if (span->type == SUPPLEI_JSON_STRING) check_string(json, node);
  (void)supplei_json_equals(json, node, "VEC3");
  (void)supplei_json_key_starts(json, node, "JOINTS_");
  supplei_json_pointer(json, node, pointer, sizeof pointer);
  fuzz_expect(memchr(pointer, 0, sizeof pointer) != NULL, "a pointer ends");
  uint32_t children = 0;
  for (uint32_t child = node + 1; child < span->next; child = json->nodes[child].next) children++;
  fuzz_expect(children == span->count, "children are counted");
  const uint32_t member = supplei_json_member(json, node, "a");
  fuzz_expect(member == SUPPLE_NONE || (member > node && member < span->next),
              "a member is below its object");
}

static void parse(const uint8_t *data, size_t size, uint32_t values, uint32_t depth,
                  uint32_t fail_at) {
  supplei_json json;
  supple_error error;
  memset(&error, 0x5A, sizeof error);
  const supplei_json_limits limits = {values, depth, 0};
  const supple_allocator allocator = fuzz_allocator(fail_at);
  const supple_result result =
      supplei_json_parse(&json, (const char *)data, size, &limits, &allocator, &error);
  if (result) {
    fuzz_expect(error.result == result, "the error is the result");
    fuzz_expect_error(&error, size);
    if (fuzz_allocator_failed())
      fuzz_expect(result == SUPPLE_ERROR_MEMORY, "out of memory says so");
  } else {
    fuzz_expect(json.count > 0 && json.nodes[0].next == json.count, "there is one whole value");
    const uint32_t step = 1 + json.count / 32; /* quadratic otherwise */
    for (uint32_t i = 0; i < json.count; i++) {
      if (i < 64 || i % step == 0) check_node(&json, i);
      if (i % step == 0) check_span(&json, i);
    }
    supplei_json_release(&json);
  }
  fuzz_expect_no_memory();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parse(data, size, 0, 0, 0);
  if (size % 4 == 1) parse(data, size, 16, 6, 0);
  if (size % 4 == 2) parse(data, size, 0, 0, 1 + (uint32_t)(size % 3));
  return 0;
}
