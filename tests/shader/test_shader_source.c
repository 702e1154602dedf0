/* test_shader_source.c: supple_shader_source: every shader there is, what there is not, and sizes. */
#include <supple/shader.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The text, in memory to be freed; NULL where there is none. */
static char *text_of(const supple_shader_options *options, size_t *size) {
  size_t needed = 0;
  if (supple_shader_source(options, NULL, 0, &needed, NULL)) return NULL;
  char *text = malloc(needed + 1);
  assert_non_null(text);
  text[needed] = 'x';
  assert_int_equal(supple_shader_source(options, text, needed + 1, size, NULL), SUPPLE_OK);
  assert_int_equal(*size, needed);
  assert_int_equal(text[needed], 0);
  return text;
}

/* ---- every combination of options ---- */

/* The number of a combination, taken apart digit by digit. */
static int digit(uint32_t *number, uint32_t base) {
  int value = (int)(*number % base);
  *number /= base;
  return value;
}

static supple_shader_options combination(uint32_t number) {
  supple_shader_options o = {.language = (supple_shader_language)digit(&number, 8)};
  o.stage = (supple_shader_stage)digit(&number, 2);
  o.method = (supple_method)digit(&number, 2);
  o.scale = (supple_scale)digit(&number, 3);
  o.signs = (supple_signs)digit(&number, 2);
  o.influences = (supple_shader_influences)digit(&number, 3);
  o.memory = (supple_shader_memory)digit(&number, 4);
  o.normals = (supple_normals)digit(&number, 3);
  o.positions_only = digit(&number, 2);
  o.tangents = digit(&number, 2);
  o.morph = digit(&number, 2);
  o.functions_only = digit(&number, 2);
  return o;
}

enum { COMBINATIONS = 8 * 2 * 2 * 3 * 2 * 3 * 4 * 3 * 2 * 2 * 2 * 2 };

static bool is_small(const supple_shader_options *o) {
  return o->language == SUPPLE_SHADER_GLSL_330 || o->language == SUPPLE_SHADER_GLSL_ES_300;
}

/* As the header says it. */
static bool exists(const supple_shader_options *o) {
  bool dqs = o->method == SUPPLE_DQS, spirv = o->language == SUPPLE_SHADER_SPIRV;
  bool storage = o->memory == SUPPLE_SHADER_STORAGE, texture = o->memory == SUPPLE_SHADER_TEXTURE;
  if (is_small(o) && (o->stage == SUPPLE_SHADER_COMPUTE || storage)) return false;
  if (texture && !is_small(o) && o->language != SUPPLE_SHADER_GLSL_430) return false;
  if (dqs && o->scale == SUPPLE_SCALE_FIRST) return false;
  if (o->tangents && o->positions_only) return false;
  if (!spirv) return true;
  return !o->functions_only && !(dqs && o->signs == SUPPLE_SIGNS_PER_POSE) &&
         o->memory != SUPPLE_SHADER_UNIFORM &&
         !(o->positions_only && o->stage == SUPPLE_SHADER_VERTEX);
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
  return count;
}

static void assert_text(const supple_shader_options *o, const char *text) {
  assert_null(strstr(text, "\n@if"));
  assert_null(strstr(text, "\n@e"));
  assert_null(strchr(text, '\t'));
  assert_null(strstr(text, "= sign("));
  assert_null(strchr(text, '$'));
  assert_int_equal(count_of(text, "{"), count_of(text, "}"));
  assert_int_equal(count_of(text, "("), count_of(text, ")"));
  bool entry = strstr(text, "void main(") || strstr(text, " main(") ||
               strstr(text, " supple_vertex(") || strstr(text, " supple_compute(");
  assert_int_equal(entry, !o->functions_only);
  assert_int_equal(strstr(text, "morph_weight") != NULL, o->morph);
  assert_int_equal(strstr(text, "-1e-6") != NULL,
                   o->method == SUPPLE_DQS && o->signs == SUPPLE_SIGNS_PER_VERTEX);
  if (o->positions_only) assert_null(strstr(text, "posed.normal"));
}

static void test_every_combination(void **state) {
  (void)state;
  int made = 0, refused = 0;
  for (uint32_t number = 0; number < COMBINATIONS;
       number += 7) { /* 7 divides no base: all digits vary */
    supple_shader_options o = combination(number);
    supple_error error = {.message = ""};
    size_t size = 0;
    supple_result result = supple_shader_source(&o, NULL, 0, &size, &error);
    if (!exists(&o)) {
      assert_int_equal(result, SUPPLE_ERROR_UNSUPPORTED);
      assert_true(strlen(error.message) > 20);
      refused++;
      continue;
    }
    assert_int_equal(result, SUPPLE_OK);
    char *text = text_of(&o, &size);
    assert_non_null(text);
    if (o.language != SUPPLE_SHADER_SPIRV) assert_text(&o, text);
    free(text);
    made++;
  }
  assert_true(made > 1000 && refused > 1000);
}

/* ---- beginnings ---- */

static void test_versions(void **state) {
  (void)state;
  static const char *const beginnings[] = {"#version 330 core\n", "#version 430 core\n",
                                           "#version 450 core\n", "#version 300 es\n"};
  for (int i = 0; i < 4; i++) {
    supple_shader_options o = {.language = (supple_shader_language)i, .method = SUPPLE_DQS};
    size_t size;
    char *text = text_of(&o, &size);
    assert_int_equal(strncmp(text, beginnings[i], strlen(beginnings[i])), 0);
    free(text);
    o.functions_only = true;
    text = text_of(&o, &size);
    assert_null(strstr(text, "#version"));
    free(text);
  }
}

static void test_modules_differ(void **state) {
  (void)state;
  uint32_t seen[64][2];
  int count = 0;
  for (uint32_t number = 0; number < 3 * 2 * 3 * 2 * 2; number++) {
    uint32_t rest = number;
    supple_shader_options o = {.language = SUPPLE_SHADER_SPIRV};
    int method = digit(&rest, 3);
    o.method = method ? SUPPLE_DQS : SUPPLE_LBS;
    o.scale = method == 2 ? SUPPLE_SCALE_NONE : SUPPLE_SCALE_AFFINE;
    o.stage = (supple_shader_stage)digit(&rest, 2);
    o.influences = (supple_shader_influences)digit(&rest, 3);
    o.tangents = digit(&rest, 2);
    o.positions_only = digit(&rest, 2);
    bool compute = o.stage == SUPPLE_SHADER_COMPUTE;
    if (compute ? o.influences || o.tangents : o.positions_only) continue;
    size_t size;
    char *words = text_of(&o, &size);
    uint32_t magic, sum = 0, word;
    memcpy(&magic, words, 4);
    assert_int_equal(magic, 0x07230203);
    assert_int_equal(size % 4, 0);
    for (size_t i = 0; i < size; i += 4) memcpy(&word, words + i, 4), sum = sum * 31 + word;
    for (int i = 0; i < count; i++) assert_false(seen[i][0] == (uint32_t)size && seen[i][1] == sum);
    seen[count][0] = (uint32_t)size, seen[count][1] = sum;
    count++;
    free(words);
  }
  assert_int_equal(count, 24);
}

/* ---- sizes and mistakes ---- */

static void test_capacity(void **state) {
  (void)state;
  supple_shader_options o = {.method = SUPPLE_DQS};
  size_t size = 0, again = 0;
  supple_error error;
  assert_int_equal(supple_shader_source(&o, NULL, 0, &size, NULL), SUPPLE_OK);
  char *text = malloc(size + 2);
  assert_non_null(text);
  memset(text, 'x', size + 2);
  assert_int_equal(supple_shader_source(&o, text, size - 1, &again, &error), SUPPLE_ERROR_LIMIT);
  assert_int_equal(text[0], 'x');
  assert_int_equal(again, size);
  assert_int_equal(supple_shader_source(&o, text, size, NULL, NULL), SUPPLE_OK); /* no room for NUL */
  assert_int_equal(text[size], 'x');
  assert_int_equal(supple_shader_source(&o, text, size + 1, &again, NULL), SUPPLE_OK);
  assert_int_equal(text[size], 0);
  assert_int_equal(text[size + 1], 'x');
  free(text);
}

static void test_wrong_options(void **state) {
  (void)state;
  supple_shader_options good = {.method = SUPPLE_DQS}, o[8];
  for (int i = 0; i < 8; i++) o[i] = good;
  o[0].language = (supple_shader_language)8;
  o[1].stage = (supple_shader_stage)2;
  o[2].method = (supple_method)2;
  o[3].scale = (supple_scale)3;
  o[4].signs = (supple_signs)-1;
  o[5].influences = (supple_shader_influences)3;
  o[6].memory = (supple_shader_memory)4;
  o[7].normals = (supple_normals)3;
  for (int i = 0; i < 8; i++)
    assert_int_equal(supple_shader_source(&o[i], NULL, 0, NULL, NULL), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_shader_source(NULL, NULL, 0, NULL, NULL), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_shader_source(&good, NULL, 0, NULL, NULL), SUPPLE_OK);
}

static void test_names(void **state) {
  (void)state;
  static const char *const names[] = {"glsl-330", "glsl-430", "glsl-450", "glsl-es-300",
                                      "hlsl",     "msl",      "wgsl",     "spirv"};
  for (int i = 0; i < 8; i++)
    assert_string_equal(supple_shader_language_text((supple_shader_language)i), names[i]);
  assert_null(supple_shader_language_text((supple_shader_language)8));
}

static void test_layouts(void **state) {
  (void)state;
  supple_shader_options o = {.scale = SUPPLE_SCALE_NONE};
  assert_int_equal(supple_shader_layout(&o), SUPPLE_PALETTE_ROWS);
  o.method = SUPPLE_DQS;
  assert_int_equal(supple_shader_layout(&o), SUPPLE_PALETTE_DUAL);
  o.scale = SUPPLE_SCALE_AFFINE;
  assert_int_equal(supple_shader_layout(&o), SUPPLE_PALETTE_AFFINE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_combination), cmocka_unit_test(test_versions),
      cmocka_unit_test(test_modules_differ),    cmocka_unit_test(test_capacity),
      cmocka_unit_test(test_wrong_options),     cmocka_unit_test(test_names),
      cmocka_unit_test(test_layouts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
