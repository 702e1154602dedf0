/* test_truncation.c: every shorter length of three small assets is refused with a reason: a GLB, a .gltf with its
 * buffer inside, and a .gltf with its buffer in another file. */
#include "asset_text.h"

#include <math.h>

enum { RINGS = 5, AROUND = 4, VERTICES = RINGS * AROUND };

/* A tube along Y on two joints, the upper one turning about Y. */
static void fill(bin *b) {
  static const float corner[AROUND][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  static const float binds[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,
                                  1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1};
  static const float times[2] = {0, 1}, turns[8] = {0, 0, 0, 1, 0, 1, 0, 0};
  memset(b, 0, sizeof *b);
  for (int i = 0; i < VERTICES; i++) {
    const float *c = corner[i % AROUND];
    put_f32(b, 3, (const float[]){c[0], (float)(i / AROUND), c[1]});
  }
  for (int i = 0; i < VERTICES; i++) put_u8(b, 4, (const uint8_t[]){0, 1, 0, 0});
  for (int i = 0; i < VERTICES; i++) {
    const float second = (float)(i / AROUND) / (RINGS - 1);
    put_f32(b, 4, (const float[]){1 - second, second, 0, 0});
  }
  put_f32(b, 32, binds);
  put_f32(b, 2, times);
  put_f32(b, 8, turns);
  for (unsigned r = 0; r + 1 < RINGS; r++)
    for (unsigned k = 0; k < AROUND; k++) {
      const uint16_t a = (uint16_t)(r * AROUND + k),
                     next = (uint16_t)(r * AROUND + (k + 1) % AROUND);
      put_u16(b, 6,
              (const uint16_t[]){a, (uint16_t)(a + AROUND), next, next, (uint16_t)(a + AROUND),
                                 (uint16_t)(next + AROUND)});
    }
}

/* With ' for ". `uri` is all of the member, with its comma, or "". */
static char *write_json(const bin *b, const char *uri) {
  const size_t room = strlen(uri) + 4096;
  char *json = malloc(room);
  assert_non_null(json);
  const int length = snprintf(
      json, room,
      "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%u%s}],'scene':0,'scenes':[{'nodes':[0,"
      "1]}],"
      "'nodes':[{'mesh':0,'skin':0},{'name':'root','children':[2]},{'name':'tip','translation':[0,"
      "2,0]}],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':"
      "6}]}],"
      "'skins':[{'joints':[1,2],'inverseBindMatrices':3}],"
      "'animations':[{'samplers':[{'input':4,'output':5}],"
      "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]}],"
      "'bufferViews':[{'buffer':0,'byteLength':%u}],'accessors':["
      "{'bufferView':0,'byteOffset':0,'componentType':5126,'count':20,'type':'VEC3','min':[-1,0,-1]"
      ",'max':[1,4,1]},"
      "{'bufferView':0,'byteOffset':240,'componentType':5121,'count':20,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':320,'componentType':5126,'count':20,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':640,'componentType':5126,'count':2,'type':'MAT4'},"
      "{'bufferView':0,'byteOffset':768,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'"
      "max':[1]},"
      "{'bufferView':0,'byteOffset':776,'componentType':5126,'count':2,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':808,'componentType':5123,'count':96,'type':'SCALAR'}]}",
      (unsigned)b->size, uri, (unsigned)b->size);
  assert_true(length > 0 && (size_t)length < room);
  for (char *c = json; *c; c++)
    if (*c == '\'') *c = '"';
  return json;
}

static char *data_uri(const bin *b, size_t bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *uri = malloc(4 * bytes / 3 + 100);
  assert_non_null(uri);
  char *at = uri + sprintf(uri, ",'uri':'data:application/octet-stream;base64,");
  for (size_t i = 0; i < bytes; i += 3) {
    const unsigned second = i + 1 < bytes ? b->bytes[i + 1] : 0,
                   third = i + 2 < bytes ? b->bytes[i + 2] : 0;
    const unsigned bits = (unsigned)b->bytes[i] << 16 | second << 8 | third;
    *at++ = digits[bits >> 18];
    *at++ = digits[bits >> 12 & 63];
    *at++ = i + 1 < bytes ? digits[bits >> 6 & 63] : '=';
    *at++ = i + 2 < bytes ? digits[bits & 63] : '=';
  }
  strcpy(at, "'");
  return uri;
}

/* ---- the other file ---- */

typedef struct other_file {
  const bin *content;
  size_t size; /* how much of it there is */
  unsigned open;
} other_file;

static supple_result read_other(void *user, const char *path, const void **data, size_t *size,
                                supple_error *error) {
  other_file *file = user;
  (void)error;
  assert_string_equal(path, "tube.bin");
  unsigned char *copy =
      malloc(file->size ? file->size : 1); /* exact, so that a sanitizer sees its end */
  if (!copy) return SUPPLE_ERROR_MEMORY;
  memcpy(copy, file->content->bytes, file->size);
  *data = copy;
  *size = file->size;
  file->open++;
  return SUPPLE_OK;
}

static void release_other(void *user, const void *data, size_t size) {
  other_file *file = user;
  assert_int_equal(size, file->size);
  file->open--;
  free((void *)(uintptr_t)data);
}

/* ---- loading ---- */

/* Whether `size` bytes load; where not, the error must be whole. */
static bool loads(const void *data, size_t size, other_file *other, supple_error *error) {
  ledger book;
  supple_load_options options = {.allocator = ledger_allocator(&book)};
  if (other) options.reader = (supple_reader){read_other, release_other, other};
  unsigned char *copy = malloc(size ? size : 1);
  assert_non_null(copy);
  if (size) memcpy(copy, data, size);
  memset(error, 0x5A, sizeof *error);
  supple_asset *asset = supple_asset_load_memory(copy, size, &options, error);
  free(copy);
  if (other) assert_int_equal(other->open, 0);
  const bool loaded = asset != NULL;
  if (loaded) {
    assert_int_equal(asset->instance_count, 1);
    assert_int_equal(asset->meshes[0].primitives[0].vertex_count, VERTICES);
  } else {
    assert_int_equal(error->result, SUPPLE_ERROR_FORMAT);
    assert_non_null(memchr(error->message, 0, sizeof error->message));
    assert_true(strlen(error->message) > 10);
    assert_true(error->offset == SIZE_MAX || error->offset <= size);
    assert_true(error->offset != SIZE_MAX || error->pointer[0] == '/'); /* it names a place */
  }
  supple_asset_free(asset);
  assert_int_equal(book.live, 0);
  return loaded;
}

static void check_every_length(const void *data, size_t size, other_file *other) {
  supple_error error;
  if (!loads(data, size, other, &error)) fail_msg("the whole is refused: %s", error.message);
  for (size_t n = 0; n < size; n++)
    if (loads(data, n, other, &error)) fail_msg("%zu of %zu bytes are accepted", n, size);
}

static void glb(void **state) {
  (void)state;
  bin b;
  fill(&b);
  char *json = write_json(&b, "");
  glb_text whole = make_glb(&b, json);
  check_every_length(whole.bytes, whole.size, NULL);
  /* A header that tells the truth about the shorter file: the BIN chunk is then what ends too early. */
  supple_error error;
  for (size_t n = 0; n < whole.size; n++) {
    unsigned char *shorter = malloc(n + 12);
    assert_non_null(shorter);
    memcpy(shorter, whole.bytes, n);
    if (n >= 12) write_u32(shorter + 8, n);
    if (loads(shorter, n, NULL, &error)) fail_msg("%zu of %zu bytes are accepted", n, whole.size);
    free(shorter);
  }
  free(whole.bytes);
  free(json);
}

static void buffer_inside(void **state) {
  (void)state;
  bin b;
  supple_error error;
  fill(&b);
  char *uri = data_uri(&b, b.size), *json = write_json(&b, uri);
  check_every_length(json, strlen(json), NULL);
  free(uri), free(json);
  for (size_t n = 0; n < b.size; n++) { /* whole JSON around a shorter buffer */
    uri = data_uri(&b, n), json = write_json(&b, uri);
    if (loads(json, strlen(json), NULL, &error)) fail_msg("a buffer of %zu bytes is accepted", n);
    if (!strstr(error.message, "byteLength")) fail_msg("%zu: %s", n, error.message);
    assert_string_equal(error.pointer, "/buffers/0");
    free(uri), free(json);
  }
}

static void buffer_beside(void **state) {
  (void)state;
  bin b;
  supple_error error;
  fill(&b);
  char *json = write_json(&b, ",'uri':'tube.bin'");
  other_file other = {.content = &b, .size = b.size};
  check_every_length(json, strlen(json), &other);
  for (other.size = 0; other.size < b.size; other.size++) {
    if (loads(json, strlen(json), &other, &error))
      fail_msg("a file of %zu bytes is accepted", other.size);
    if (!strstr(error.message, "byteLength")) fail_msg("%zu: %s", other.size, error.message);
    assert_string_equal(error.pointer, "/buffers/0");
  }
  free(json);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(glb), cmocka_unit_test(buffer_inside),
                                     cmocka_unit_test(buffer_beside)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
