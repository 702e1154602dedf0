/* glb_mutator.c: mutations that know what an asset is made of: values of the JSON, numbers of the BIN chunk,
 * options after the end. Lengths and padding are mended afterwards, so that most inputs reach the reader's
 * inner parts instead of failing at the container. */
#include "fuzz.h"

#include "src/gltf/glb.h"
#include "src/gltf/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { ROOM = 1 << 18 };

static uint64_t state;

static uint32_t below(uint32_t count) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % count;
}

/* ---- JSON ---- */

static const char *const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "3",
                                      "4",
                                      "-1",
                                      "255",
                                      "256",
                                      "65535",
                                      "65536",
                                      "4294967295",
                                      "4294967296",
                                      "9007199254740993",
                                      "1e30",
                                      "1e400",
                                      "-1e-400",
                                      "0.5",
                                      "-0",
                                      "1e-40",
                                      "5120",
                                      "5121",
                                      "5122",
                                      "5123",
                                      "5125",
                                      "5126",
                                      "12",
                                      "16",
                                      "64",
                                      "2147483648",
                                      "0.70710678",
                                      "-1e38",
                                      "3.4e38"};
static const char *const words[] = {"\"SCALAR\"",
                                    "\"VEC2\"",
                                    "\"VEC3\"",
                                    "\"VEC4\"",
                                    "\"MAT4\"",
                                    "\"MAT3\"",
                                    "\"LINEAR\"",
                                    "\"STEP\"",
                                    "\"CUBICSPLINE\"",
                                    "\"translation\"",
                                    "\"rotation\"",
                                    "\"scale\"",
                                    "\"weights\"",
                                    "\"2.0\"",
                                    "\"\"",
                                    "\"KHR_mesh_quantization\"",
                                    "\"KHR_draco_mesh_compression\"",
                                    "\"EXT_meshopt_compression\"",
                                    "\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAA\"",
                                    "\"a.bin\"",
                                    "\"a b%20c.bin\"",
                                    "\"../up.bin\"",
                                    "\"%2e%2e/x\"",
                                    "\"gone!\"",
                                    "\"http://x/y\"",
                                    "\"\\u0041\\ud83d\\ude00\"",
                                    "null",
                                    "true",
                                    "false",
                                    "[]",
                                    "{}",
                                    "[0]",
                                    "[0,0,0,0]",
                                    "[1,1,1]",
                                    "{\"a\":0}"};
static const char *const keys[] = {"POSITION",      "NORMAL",
                                   "TANGENT",       "JOINTS_0",
                                   "WEIGHTS_0",     "JOINTS_1",
                                   "WEIGHTS_1",     "TEXCOORD_0",
                                   "bufferView",    "byteOffset",
                                   "byteStride",    "byteLength",
                                   "componentType", "normalized",
                                   "count",         "type",
                                   "sparse",        "indices",
                                   "values",        "uri",
                                   "buffer",        "skin",
                                   "mesh",          "children",
                                   "matrix",        "translation",
                                   "rotation",      "scale",
                                   "weights",       "targets",
                                   "mode",          "material",
                                   "skeleton",      "inverseBindMatrices",
                                   "joints",        "input",
                                   "output",        "interpolation",
                                   "sampler",       "target",
                                   "node",          "path",
                                   "extensions",    "extras",
                                   "name",          "extensionsRequired",
                                   "extensionsUsed"};

/* Replaces `length` bytes at `at` by others; the text's new length, or the old one where there is no room. */
static size_t splice(char *text, size_t size, size_t most, size_t at, size_t length,
                     const char *other, size_t other_length) {
  if (size - length + other_length > most) return size;
  memmove(text + at + other_length, text + at + length, size - at - length);
  memcpy(text + at, other, other_length);
  return size - length + other_length;
}

/* The text of a value, quotes and all. */
static void span_of(const supplei_json *json, uint32_t node, size_t *at, size_t *length) {
  const supplei_json_node *value = &json->nodes[node];
  const size_t quotes = value->type == SUPPLEI_JSON_STRING;
  *at = value->begin - quotes;
  *length = value->length + 2 * quotes;
}

/* A number a little beside the one that stands there. */
static size_t nudge(const supplei_json *json, uint32_t node, char out[32]) {
  double number = 0;
  supplei_json_number(json, node, &number);
  if (!(number > -1e9 && number < 1e9)) number = 0;
  const int steps[] = {-1, 1, -4, 4, 12, 16, 100};
  if (below(4) == 0) return (size_t)snprintf(out, 32, "%.6g", number * (below(2) ? -1.0 : 0.5));
  return (size_t)snprintf(out, 32, "%.0f", number + steps[below(7)]);
}

static size_t remove_value(const supplei_json *json, uint32_t node, char *text, size_t size) {
  size_t at, length;
  span_of(json, node, &at, &length);
  size_t begin = json->nodes[node].key_length ? json->nodes[node].key - 1 : at, end = at + length;
  while (end < size && (text[end] == ' ' || text[end] == '\n')) end++;
  if (end < size && text[end] == ',')
    end++;
  else
    while (begin > 0 && (text[begin - 1] == ',' || text[begin - 1] == ' ')) begin--;
  return splice(text, size, size, begin, end - begin, "", 0);
}

/* A copy of a value in front of it, for arrays; the text of another value instead of it. */
static size_t copy_value(const supplei_json *json, uint32_t to, char *text, size_t size,
                         size_t most) {
  static char other[ROOM];
  size_t at, length, from_at, from_length;
  span_of(json, to, &at, &length);
  if (!json->nodes[to].key_length && below(2)) {
    if (length + 1 > sizeof other) return size;
    memcpy(other, text + at, length);
    other[length] = ',';
    return splice(text, size, most, at, 0, other, length + 1);
  }
  span_of(json, below(json->count), &from_at, &from_length);
  if (from_length > sizeof other) return size;
  memcpy(other, text + from_at, from_length);
  return splice(text, size, most, at, length, other, from_length);
}

static size_t replace_value(const supplei_json *json, uint32_t node, char *text, size_t size,
                            size_t most) {
  char near[32];
  size_t at, length;
  span_of(json, node, &at, &length);
  const char *word = json->nodes[node].type == SUPPLEI_JSON_NUMBER || below(3) == 0
                         ? numbers[below(sizeof numbers / sizeof *numbers)]
                         : words[below(sizeof words / sizeof *words)];
  if (json->nodes[node].type == SUPPLEI_JSON_NUMBER && below(2)) {
    near[nudge(json, node, near)] = 0;
    word = near;
  }
  return splice(text, size, most, at, length, word, strlen(word));
}

static size_t mutate_value(const supplei_json *json, char *text, size_t size, size_t most) {
  uint32_t node = below(json->count);
  const char *key = keys[below(sizeof keys / sizeof *keys)];
  for (int tries = 0; tries < 6 && json->nodes[node].count; tries++)
    node = below(json->count); /* rather a leaf */
  switch (below(8)) {
  case 0: return remove_value(json, node, text, size);
  case 1: return copy_value(json, node, text, size, most);
  case 2: /* another key */
    if (!json->nodes[node].key_length) return replace_value(json, node, text, size, most);
    return splice(text, size, most, json->nodes[node].key, json->nodes[node].key_length, key,
                  strlen(key));
  case 3: { /* one more member, in front */
    char member[96];
    while (json->nodes[node].type != SUPPLEI_JSON_OBJECT && node > 0) node--;
    if (json->nodes[node].type != SUPPLEI_JSON_OBJECT || !json->nodes[node].count) return size;
    const int length =
        snprintf(member, sizeof member, "\"%s\":%s,", key,
                 below(2) ? numbers[below(8)] : words[below(sizeof words / sizeof *words)]);
    if (length < 0 || (size_t)length >= sizeof member) return size;
    return splice(text, size, most, json->nodes[node].begin + 1, 0, member, (size_t)length);
  }
  default: return replace_value(json, node, text, size, most);
  }
}

static size_t mutate_json(char *text, size_t size, size_t most) {
  supplei_json json;
  if (below(16) == 0 || supplei_json_parse(&json, text, size, NULL, NULL, NULL))
    return LLVMFuzzerMutate((uint8_t *)text, size, most);
  size = mutate_value(&json, text, size, most);
  supplei_json_release(&json);
  return size;
}

/* ---- BIN ---- */

static void mutate_bin(uint8_t *bin, size_t size) {
  static const float floats[] = {0,      -0.0f, 1,      -1,      0.5f,  2,      1e-45f,
                                 1e-38f, 1e38f, -1e38f, 3.4e38f, 1e10f, 1e-20f, 0.25f};
  static const uint32_t bits[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFFFFFF,
                                  0x80000000, 0x00010000, 0x01000100};
  if (size < 4) return;
  const size_t at = below((uint32_t)(size / 4)) * 4;
  switch (below(6)) {
  case 0: (void)LLVMFuzzerMutate(bin, size, size); return;
  case 1: memcpy(bin + at, &bits[below(7)], 4); return;
  case 2: { /* one number for a whole run */
    const float value = floats[below(14)];
    for (size_t k = at; k + 4 <= size && k < at + 4 * (size_t)below(32); k += 4)
      memcpy(bin + k, &value, 4);
    return;
  }
  case 3: bin[at + below(4)] = (uint8_t)below(8); return;
  case 4: memcpy(bin + at, bin + below((uint32_t)(size / 4)) * 4, 4); return;
  default: memcpy(bin + at, &floats[below(14)], 4); return;
  }
}

/* ---- all of it ---- */

static void put_u32(uint8_t *to, size_t value) {
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(value >> 8 * i);
}

static size_t write_glb(uint8_t *to, size_t most, const char *json, size_t json_size,
                        const uint8_t *bin, size_t bin_size, const uint8_t *options,
                        size_t option_count) {
  const size_t padded = (json_size + 3) / 4 * 4, bin_padded = (bin_size + 3) / 4 * 4;
  const size_t total = 20 + padded + (bin ? 8 + bin_padded : 0);
  if (total + option_count > most) return 0;
  memcpy(to, "glTF", 4);
  put_u32(to + 4, 2), put_u32(to + 8, total), put_u32(to + 12, padded);
  memcpy(to + 16, "JSON", 4);
  memcpy(to + 20, json, json_size);
  memset(to + 20 + json_size, ' ', padded - json_size);
  if (bin) {
    uint8_t *chunk = to + 20 + padded;
    put_u32(chunk, bin_padded);
    memcpy(chunk + 4, "BIN", 4);
    memcpy(chunk + 8, bin, bin_size);
    memset(chunk + 8 + bin_size, 0, bin_padded - bin_size);
  }
  if (option_count) memcpy(to + total, options, option_count);
  return total + option_count;
}

static size_t mutate_options(uint8_t *options, size_t count, size_t most) {
  if (count < most && below(3) == 0) options[count++] = 0;
  if (count && below(4) == 0) return count - 1;
  if (count) options[below((uint32_t)count)] = (uint8_t)below(256);
  return count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static char json[ROOM];
  static uint8_t bin[ROOM], options[64];
  supplei_glb glb;
  const fuzz_input input = fuzz_split(data, size);
  state = seed * UINT64_C(2654435761) + 12345;
  if (!supplei_glb_is(data, size) || supplei_glb_parse(&glb, input.data, input.size, NULL) ||
      glb.json_size > ROOM / 2 || glb.bin_size > ROOM || below(64) == 0) {
    if (size < 2 || data[0] != '{' || size > ROOM / 2) return LLVMFuzzerMutate(data, size, most);
    memcpy(json, data, size);
    const size_t length = mutate_json(json, size, most < ROOM ? most : ROOM);
    memcpy(data, json, length);
    return length;
  }
  size_t json_size = glb.json_size, bin_size = glb.bin_size, option_count = input.option_count;
  if (option_count > 16) option_count = 16;
  memcpy(json, glb.json, json_size);
  if (glb.bin) memcpy(bin, glb.bin, bin_size);
  if (option_count) memcpy(options, input.options, option_count);
  for (uint32_t rounds = 1 + below(3); rounds > 0; rounds--) {
    const uint32_t which = below(16);
    if (which < 8)
      json_size = mutate_json(json, json_size, ROOM);
    else if (which < 13)
      mutate_bin(bin, bin_size);
    else
      option_count = mutate_options(options, option_count, 16);
  }
  const size_t written =
      write_glb(data, most, json, json_size, glb.bin ? bin : NULL, bin_size, options, option_count);
  return written ? written : LLVMFuzzerMutate(data, size, most);
}
