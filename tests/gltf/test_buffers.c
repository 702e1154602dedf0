/* test_buffers.c: where bytes come from: BIN chunk, data URI, callback, file; and what is
 * refused. */
#include "asset_text.h"

/* One point over buffer 0, whose object is given. */
#define POINT                                                                                      \
  "{'asset':{'version':'2.0'},'buffers':[%s],'bufferViews':[{'buffer':0,'byteLength':12}],'"       \
  "accessors':[{'bufferView':0,"                                                                   \
  "'componentType':5126,'type':'VEC3','count':1}],'meshes':[{'primitives':[{'mode':0,'attributes'" \
  ":{'POSITION':0}}]}]}"

/* "AACAPwAAAEAAAEBA" is 1, 2, 3 in floats. */
static const char *const data_buffer =
    "{'byteLength':12,'uri':'data:application/octet-stream;base64,AACAPwAAAEAAAEBA'}";

static supple_error error;

static char *text_of(const char *buffer) {
  static char text[4000];
  snprintf(text, sizeof text, POINT, buffer);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  return text;
}

static supple_asset *load_text(const char *buffer, const supple_load_options *options) {
  const char *text = text_of(buffer);
  memset(&error, 0x5A, sizeof error);
  return supple_asset_load_memory(text, strlen(text), options, &error);
}

static void check_point(supple_asset *asset) {
  if (!asset) fail_msg("%s", error.message);
  const float *p = asset->meshes[0].primitives[0].positions;
  assert_true(p[0] == 1 && p[1] == 2 && p[2] == 3);
  supple_asset_free(asset);
}

static void data_uris(void **state) {
  (void)state;
  check_point(load_text(data_buffer, NULL));
  check_point(load_text("{'byteLength':12,'uri':'data:;base64,AACAPwAA\\u0041EAAAEBA'}",
                        NULL)); /* an escape */
  check_point(load_text("{'byteLength':12,'uri':'data:;base64,AACAPwAAAEAAAEBAAAAA'}",
                        NULL)); /* longer is fine */
  assert_null(load_text("{'byteLength':12,'uri':'data:;base64,AACAPwAAAEA='}", NULL));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/buffers/0", "only 8 bytes");
  assert_null(load_text("{'byteLength':12,'uri':'data:;base64,AACAPwAAAEAAAE!A'}", NULL));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/buffers/0/uri", "byte 0x21");
  assert_null(load_text("{'byteLength':12,'uri':'data:,AACAPwAAAEAAAEBA'}", NULL));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/buffers/0/uri", "not base64");
  const supple_load_options small = {.limits = {.file_bytes = 600}};
  char big[1200] = "{'byteLength':12,'uri':'data:;base64,";
  memset(big + strlen(big), 'A', 804);
  strcat(big, "'}");
  const char *text = text_of(big);
  assert_null(supple_asset_load_memory(text, strlen(text), &small, &error));
  check_error(&error, SUPPLE_ERROR_LIMIT, "", "limits.file_bytes"); /* the text itself */
}

static void wrong_buffers(void **state) {
  (void)state;
  static const struct {
    const char *buffer, *pointer, *part;
  } cases[] = {{"{}", "/buffers/0/byteLength", "is missing"},
               {"{'byteLength':0}", "/buffers/0/byteLength", "from 1"},
               {"{'byteLength':12.5}", "/buffers/0/byteLength", "integer"},
               {"{'byteLength':'12'}", "/buffers/0/byteLength", "a number"},
               {"{'byteLength':12}", "/buffers/0", "no BIN chunk"},
               {"{'byteLength':12,'uri':7}", "/buffers/0/uri", "a string"},
               {"7", "/buffers/0", "an object"},
               {"{'byteLength':12,'uri':''}", "/buffers/0/uri", "empty"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_null(load_text(cases[i].buffer, NULL));
    check_error(&error, SUPPLE_ERROR_FORMAT, cases[i].pointer, cases[i].part);
  }
  assert_null(load_text("{'byteLength':12,'uri':'a.bin'}", NULL));
  check_error(&error, SUPPLE_ERROR_FILE, "/buffers/0/uri", "came from memory");
}

/* ---- the caller's reader ---- */

typedef struct shelf {
  const char *path; /* what must be asked for */
  const void *data;
  size_t size;
  supple_result result;
  int reads, releases;
} shelf;

static supple_result read_shelf(void *user, const char *path, const void **data, size_t *size,
                                supple_error *why) {
  shelf *s = user;
  s->reads++;
  assert_string_equal(path, s->path);
  if (s->result == SUPPLE_ERROR_FILE) strcpy(why->message, "not on the shelf");
  if (s->result) return s->result;
  *data = s->data;
  *size = s->size;
  return SUPPLE_OK;
}
static void release_shelf(void *user, const void *data, size_t size) {
  shelf *s = user;
  s->releases++;
  assert_ptr_equal(data, s->data);
  assert_int_equal(size, s->size);
}

static void callbacks(void **state) {
  (void)state;
  static const float values[4] = {1, 2, 3, 4};
  shelf s = {.path = "sub/a b.bin", .data = values, .size = 16};
  supple_load_options options = {.reader = {read_shelf, release_shelf, &s}};
  const char *buffer = "{'byteLength':12,'uri':'sub/a%20b.bin'}";
  check_point(load_text(buffer, &options));
  assert_true(s.reads == 1 && s.releases == 1);
  options.reader.release = NULL;
  check_point(load_text(buffer, &options));
  options.reader.release = release_shelf;

  s.size = 11; /* too few bytes: still released, once */
  s.releases = 0;
  assert_null(load_text(buffer, &options));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/buffers/0", "only 11 bytes");
  assert_int_equal(s.releases, 1);
  s.result = SUPPLE_ERROR_FILE;
  assert_null(load_text(buffer, &options));
  check_error(&error, SUPPLE_ERROR_FILE, "/buffers/0/uri", "not on the shelf");
  s.result = SUPPLE_ERROR_UNSUPPORTED;
  assert_null(load_text(buffer, &options));
  check_error(&error, SUPPLE_ERROR_UNSUPPORTED, "/buffers/0/uri",
              supple_result_text(SUPPLE_ERROR_UNSUPPORTED));
  assert_int_equal(s.releases, 1);

  s = (shelf){.path = "a b.bin", .data = values, .size = 12};
  supple_asset *asset = load_text("{'byteLength':12,'uri':'a b.bin'}", &options);
  assert_true(asset && has_note(asset, "/buffers/0/uri", "must escape"));
  check_point(asset);
  s = (shelf){.path = "a.bin", .data = NULL, .size = 0};
  assert_null(load_text("{'byteLength':12,'uri':'a.bin'}", &options));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/buffers/0", "only 0 bytes");
  s = (shelf){.path = "a.bin", .data = values, .size = 10000};
  options.limits.file_bytes = 9999;
  assert_null(load_text("{'byteLength':12,'uri':'a.bin'}", &options));
  check_error(&error, SUPPLE_ERROR_LIMIT, "/buffers/0/uri", "limits.file_bytes");
  assert_int_equal(s.releases, 1);
}

/* A small asset may name one big file many times: all of it together is limited. */
static void the_sum_is_limited(void **state) {
  (void)state;
  static const unsigned char zeros[3000];
  static char text[2000];
  const char *format =
      "{'asset':{'version':'2.0'},'buffers':[{'byteLength':12,'uri':'a.bin'},{'byteLength':12,'uri'"
      ":'a.bin'}],"
      "'bufferViews':[{'buffer':0,'byteLength':12},{'buffer':1,'byteLength':12}],'accessors':["
      "{'bufferView':0,'componentType':5126,'type':'VEC3','count':1},"
      "{'bufferView':1,'componentType':5126,'type':'VEC3','count':1}],"
      "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0,'NORMAL':1}}]}]}";
  strcpy(text, format);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  shelf s = {.path = "a.bin", .data = zeros, .size = sizeof zeros};
  supple_load_options options = {.limits = {.file_bytes = 6000},
                                 .reader = {read_shelf, release_shelf, &s}};
  supple_asset *asset = supple_asset_load_memory(text, strlen(text), &options, &error);
  assert_non_null(asset);
  supple_asset_free(asset);
  options.limits.file_bytes = 5999;
  assert_null(supple_asset_load_memory(text, strlen(text), &options, &error));
  check_error(&error, SUPPLE_ERROR_LIMIT, "/buffers/1/uri", "limits.file_bytes");
  assert_true(s.reads == 4 && s.releases == 4);
}

static void uris_are_judged_before_the_callback(void **state) {
  (void)state;
  static const float values[3] = {1, 2, 3};
  shelf s = {.path = "../a.bin", .data = values, .size = 12};
  supple_load_options options = {.reader = {read_shelf, release_shelf, &s}};
  assert_null(load_text("{'byteLength':12,'uri':'..%2fa.bin'}", &options));
  check_error(&error, SUPPLE_ERROR_FILE, "/buffers/0/uri", "refused");
  assert_null(load_text("{'byteLength':12,'uri':'http://x/a.bin'}", &options));
  check_error(&error, SUPPLE_ERROR_FILE, "/buffers/0/uri", "refused");
  assert_null(load_text("{'byteLength':12,'uri':'a\\u0000.bin'}", &options));
  check_error(&error, SUPPLE_ERROR_FILE, "/buffers/0/uri", "NUL");
  assert_int_equal(s.reads, 0);
  options.allow_outside_uris = true;
  check_point(load_text("{'byteLength':12,'uri':'..%2fa.bin'}", &options));
  assert_int_equal(s.reads, 1);
}

/* ---- files ---- */

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  fclose(file);
}

static void files_beside_the_asset(void **state) {
  (void)state;
  static const float values[3] = {1, 2, 3};
  const char *asset = SUPPLE_SCRATCH "/point.gltf", *other = SUPPLE_SCRATCH "/point data.bin";
  write_file(other, values, sizeof values);
  const char *text = text_of("{'byteLength':12,'uri':'point%20data.bin'}");
  write_file(asset, text, strlen(text));
  check_point(supple_asset_load(asset, NULL, &error));

  char absolute[1000];
  snprintf(absolute, sizeof absolute, "{'byteLength':12,'uri':'%s'}", other);
  text = text_of(absolute);
  write_file(asset, text, strlen(text));
  assert_null(supple_asset_load(asset, NULL, &error));
  check_error(&error, SUPPLE_ERROR_FILE, "/buffers/0/uri", "allow_outside_uris");
  const supple_load_options outside = {.allow_outside_uris = true};
  if (other[0] == '/') check_point(supple_asset_load(asset, &outside, &error));

  text = text_of("{'byteLength':12,'uri':'missing.bin'}");
  write_file(asset, text, strlen(text));
  assert_null(supple_asset_load(asset, NULL, &error));
  check_error(&error, SUPPLE_ERROR_FILE, "/buffers/0/uri", "missing.bin");
  remove(asset);
  remove(other);
}

static void the_chunk(void **state) {
  (void)state;
  static const float values[5] = {1, 2, 3, 0, 0};
  bin b = {.size = 0};
  char json[2000];
  put_f32(&b, 5, values);
  snprintf(json, sizeof json, POINT, "{'byteLength':12}");
  glb_text glb = make_glb(&b, json);
  supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, NULL, &error);
  assert_true(asset && has_note(asset, "/buffers/0", "8 bytes more"));
  check_point(asset);
  free(glb.bytes);
  b.size = 8;
  glb = make_glb(&b, json);
  assert_null(supple_asset_load_memory(glb.bytes, glb.size, NULL, &error));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/buffers/0", "only 8 bytes");
  free(glb.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(data_uris),
                                     cmocka_unit_test(wrong_buffers),
                                     cmocka_unit_test(callbacks),
                                     cmocka_unit_test(the_sum_is_limited),
                                     cmocka_unit_test(uris_are_judged_before_the_callback),
                                     cmocka_unit_test(files_beside_the_asset),
                                     cmocka_unit_test(the_chunk)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
