/* test_reader_images.c: where the bytes of images are, and what kind they are said to be. */
#include "asset_text.h"

static const unsigned char png[12] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 1, 2, 3, 4};
/* The same in base64 (RFC 4648), by hand from its table. */
#define PNG_BASE64 "iVBORw0KGgoBAgME"

static const supple_image *only(const supple_asset *asset) {
  assert_int_equal(asset->image_count, 1);
  return &asset->images[0];
}

static void from_view(void **state) {
  (void)state;
  bin b = {.size = 0};
  put_bytes(&b, "pad!", 4);
  put_bytes(&b, png, sizeof png);
  const char *view = ",'bufferViews':[{'buffer':0,'byteOffset':4,'byteLength':12}],'images':[{%s}]";
  supple_asset *asset = load(&b, view, "'bufferView':0,'mimeType':'image/jpeg','name':'n'");
  assert_string_equal(only(asset)->mime_type, "image/jpeg"); /* as the file says */
  assert_string_equal(only(asset)->name, "n");
  assert_string_equal(only(asset)->path, "");
  assert_int_equal(only(asset)->size, 12);
  assert_memory_equal(only(asset)->data, png, 12);
  supple_asset_free(asset);
  asset = load(&b, view, "'bufferView':0");
  assert_string_equal(only(asset)->mime_type, "image/png"); /* by its bytes */
  supple_asset_free(asset);
  const supple_load_options structure = {.structure_only = true};
  asset = load_with(&structure, &b, view, "'bufferView':0,'mimeType':'image/png'");
  assert_null(only(asset)->data);
  assert_int_equal(only(asset)->size, 0);
  assert_string_equal(only(asset)->mime_type, "image/png");
  supple_asset_free(asset);
  refuse(&b, "/images/0/bufferView", "only 1 bufferViews", view, "'bufferView':1");
  refuse(&b, "/images/0", "both", view, "'bufferView':0,'uri':'x.png'");
  refuse(
      &b, "/bufferViews/0", "bytes 8 to 20", "%s",
      ",'bufferViews':[{'buffer':0,'byteOffset':8,'byteLength':12}],'images':[{'bufferView':0}]");
}

static void kinds(void **state) {
  (void)state;
  static const struct {
    const char *bytes, *type;
  } known[] = {{"\xFF\xD8\xFF\xE0........", "image/jpeg"},
               {"RIFF\1\1\1\1WEBP", "image/webp"},
               {"\xABKTX 20\xBB\r\n\x1A\n", "image/ktx2"},
               {"\1\1\1 ftypavif", "image/avif"},
               {"DDS \x7C.......", "image/vnd-ms.dds"},
               {"GIF89a......", "image/gif"},
               {"no such kind", ""},
               {"\x89PNG\r\n\x1A.....", ""}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    bin b = {.size = 0};
    put_bytes(&b, known[i].bytes, 12);
    supple_asset *asset =
        load(&b, ",'bufferViews':[{'buffer':0,'byteLength':12}],'images':[{'bufferView':0}]");
    assert_string_equal(only(asset)->mime_type, known[i].type);
    supple_asset_free(asset);
  }
}

static void from_data_uri(void **state) {
  (void)state;
  supple_asset *asset = load(NULL, ",'images':[{'uri':'data:image/png;base64," PNG_BASE64 "'}]");
  assert_string_equal(only(asset)->mime_type, "image/png");
  assert_int_equal(only(asset)->size, 12);
  assert_memory_equal(only(asset)->data, png, 12);
  assert_string_equal(only(asset)->path, "");
  supple_asset_free(asset);
  static const struct {
    const char *head, *type;
  } types[] = {{"data:image%%2Fjpeg;x=y;base64,", "image/jpeg"},
               {"data:;base64,", "image/png"},
               {"DATA:image/%%0Apng%%4;base64,", "image/?png%4"},
               {"data:%%FF;base64,", "?"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char json[200];
    snprintf(json, sizeof json, ",'images':[{'uri':'%s" PNG_BASE64 "'}]", types[i].head);
    asset = load(NULL, json, 0);
    assert_string_equal(only(asset)->mime_type, types[i].type);
    assert_memory_equal(only(asset)->data, png, 12);
    supple_asset_free(asset);
  }
  const supple_load_options structure = {.structure_only = true};
  asset = load_with(&structure, NULL, ",'images':[{'uri':'data:image/png;base64,!!!!'}]");
  assert_null(only(asset)->data);
  supple_asset_free(asset);
  refuse(NULL, "/images/0/uri", "not base64", ",'images':[{'uri':'data:image/png,xx'}]");
  refuse(NULL, "/images/0/uri", "0x21", ",'images':[{'uri':'data:image/png;base64,!!!!'}]");
  refuse(NULL, "/images/0/uri", "must be a string", ",'images':[{'uri':1}]");
}

static void from_files(void **state) {
  (void)state;
  supple_asset *asset = load(NULL, ",'images':[{'uri':'a%%20b/%%C3%%A9.png'}]");
  assert_string_equal(only(asset)->path, "a b/\xC3\xA9.png");
  assert_null(only(asset)->data);
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
  static const char *const outside[] = {"../a.png", "/a.png", "http://b/a.png", "c:a.png"};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    asset = load(NULL, ",'images':[{'uri':'%s'},{'uri':'b.png'}]", outside[i]);
    assert_string_equal(asset->images[0].path, "");
    assert_null(asset->images[0].data);
    assert_true(has_note(asset, "/images/0/uri", "is refused"));
    assert_string_equal(asset->images[1].path, "b.png");
    supple_asset_free(asset);
  }
  const supple_load_options allowed = {.allow_outside_uris = true};
  asset = load_with(&allowed, NULL, ",'images':[{'uri':'../a.png'}]");
  assert_string_equal(only(asset)->path, "../a.png");
  supple_asset_free(asset);
  refuse(NULL, "/images/0/uri", "two hex digits", ",'images':[{'uri':'%%4'}]");
  refuse(NULL, "/images/0/uri", "empty", ",'images':[{'uri':''}]");
  asset = load(NULL, ",'images':[{}]");
  assert_true(has_note(asset, "/images/0", "neither"));
  supple_asset_free(asset);
  refuse(NULL, "/images/0", "must be an object", ",'images':[1]");
}

/* ---- image_files ---- */

typedef struct shelf {
  uint32_t reads, releases;
} shelf;

static supple_result read_shelf(void *user, const char *path, const void **data, size_t *size,
                                supple_error *error) {
  (void)error;
  ((shelf *)user)->reads++;
  if (strcmp(path, "here.png") != 0) return SUPPLE_ERROR_FILE;
  *data = png;
  *size = sizeof png;
  return SUPPLE_OK;
}
static void release_shelf(void *user, const void *data, size_t size) {
  assert_ptr_equal(data, png);
  assert_int_equal(size, sizeof png);
  ((shelf *)user)->releases++;
}

static void read_files(void **state) {
  (void)state;
  shelf counts = {0, 0};
  supple_load_options options = {.image_files = true,
                                 .reader = {read_shelf, release_shelf, &counts}};
  const char *images = ",'images':[{'uri':'here.png'},{'uri':'gone.png'}]";
  supple_asset *asset = load_with(&options, NULL, images, 0);
  assert_memory_equal(asset->images[0].data, png, sizeof png);
  assert_string_equal(asset->images[0].path, "here.png");
  assert_string_equal(asset->images[0].mime_type, "image/png");
  assert_null(asset->images[1].data);
  assert_true(has_note(asset, "/images/1/uri", "the image is left out: \"gone.png\""));
  assert_true(counts.reads == 2 && counts.releases == 1);
  supple_asset_free(asset);
  options.limits.file_bytes = 400; /* of the asset; the image is beyond it */
  asset = load_with(&options, NULL, images, 0);
  supple_asset_free(asset);
  options.limits.file_bytes = sizeof png - 1;
  supple_error error;
  const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"here.png\"}]}";
  assert_null(supple_asset_load_memory(text, sizeof text - 1, &options, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_LIMIT);
  options.limits.file_bytes = 0;
  options.structure_only = true;
  counts.reads = 0;
  supple_asset_free(load_with(&options, NULL, images, 0));
  assert_int_equal(counts.reads, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(from_view), cmocka_unit_test(kinds),
                                     cmocka_unit_test(from_data_uri), cmocka_unit_test(from_files),
                                     cmocka_unit_test(read_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
