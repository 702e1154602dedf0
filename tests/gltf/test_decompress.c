/* test_decompress.c: real compressed assets, decompressed as documents: nothing compressed is left, and everything
 * decodes to the same bits. */
#include "asset_text.h"

#include <supple/document.h>
#if defined(SUPPLE_HAS_CODECS)
#include <supple/codecs.h>
#endif

static supple_load_options with_codecs(void) {
  supple_load_options options = {.limits = {.memory_bytes = 0}};
#if defined(SUPPLE_HAS_CODECS)
  options.codecs = supple_codecs_all();
#endif
  return options;
}

static void check_stream(const float *a, const float *b, size_t count) {
  assert_int_equal(a != NULL, b != NULL);
  if (a) assert_memory_equal(a, b, count * sizeof(float));
}

static void check_primitive(const supple_primitive *a, const supple_primitive *b) {
  const size_t n = a->vertex_count;
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->topology, b->topology);
  assert_int_equal(a->index_count, b->index_count);
  assert_memory_equal(a->indices, b->indices, a->index_count * sizeof *a->indices);
  check_stream(a->positions, b->positions, 3 * n);
  check_stream(a->normals, b->normals, 3 * n);
  check_stream(a->tangents, b->tangents, 4 * n);
  check_stream(a->texcoords, b->texcoords, 2 * n);
  check_stream(a->colors, b->colors, 4 * n);
  assert_int_equal(a->influence_count, b->influence_count);
  check_stream(a->weights, b->weights, n * a->influence_count);
  assert_memory_equal(a->joints, b->joints, n * a->influence_count * sizeof *a->joints);
}

static void check_assets(const supple_asset *a, const supple_asset *b) {
  assert_int_equal(a->mesh_count, b->mesh_count);
  for (uint32_t m = 0; m < a->mesh_count; m++) {
    assert_int_equal(a->meshes[m].primitive_count, b->meshes[m].primitive_count);
    for (uint32_t p = 0; p < a->meshes[m].primitive_count; p++)
      check_primitive(&a->meshes[m].primitives[p], &b->meshes[m].primitives[p]);
  }
  assert_int_equal(a->skin_count, b->skin_count);
  for (uint32_t s = 0; s < a->skin_count; s++)
    assert_memory_equal(a->skins[s].inverse_binds, b->skins[s].inverse_binds,
                        a->skins[s].joint_count * sizeof *a->skins[s].inverse_binds);
  assert_int_equal(a->clip_count, b->clip_count);
  for (uint32_t c = 0; c < a->clip_count; c++)
    for (uint32_t k = 0; k < a->clips[c].channel_count; k++) {
      const supple_channel *x = &a->clips[c].channels[k], *y = &b->clips[c].channels[k];
      check_stream(x->times, y->times, x->key_count);
      check_stream(x->values, y->values, (size_t)x->key_count * x->width);
    }
}

static void decompressed(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/assets/%s", SUPPLE_CORPUS, name);
  const supple_load_options options = with_codecs();
  supple_error error;
  supple_asset *before = supple_asset_load(path, &options, &error);
  if (!before) fail_msg("%s: %s", name, error.message);
  supple_document *document = supple_document_load(path, &options, &error);
  if (!document) fail_msg("%s: %s", name, error.message);
  uint32_t changed = 0;
  if (supple_document_decompress(document, &changed, &error))
    fail_msg("%s: %s", name, error.message);
  assert_true(changed > 0);
  /* No codec is needed any more. */
  supple_asset *after = supple_document_asset(document, NULL, &error);
  if (!after) fail_msg("%s: %s", name, error.message);
  check_assets(before, after);
  for (uint32_t i = 0; i < after->extension_count; i++)
    assert_null(strstr(after->extensions_used[i], "compression"));
  assert_int_equal(supple_document_decompress(document, &changed, &error), SUPPLE_OK);
  assert_int_equal(changed, 0);
  supple_asset_free(after);
  supple_asset_free(before);
  supple_document_free(document);
}

/* ---- the n-th allocation fails ---- */

typedef struct books {
  size_t live, calls, fail_at;
} books;

static void *allocate(void *user, size_t size) {
  books *b = user;
  if (++b->calls == b->fail_at) return NULL;
  void *memory = malloc(size);
  b->live += memory ? size : 0;
  return memory;
}

static void release(void *user, void *memory, size_t size) {
  ((books *)user)->live -= size;
  free(memory);
}

/* Loads with codecs, or decompresses and writes; false where it fails, for memory alone and with nothing left. */
static bool survives(const char *path, books *b, bool as_document) {
  supple_load_options options = with_codecs();
  options.allocator = (supple_allocator){allocate, release, b};
  supple_error error = {.result = SUPPLE_OK};
  bool fine;
  b->calls = 0;
  if (as_document) {
    supple_document *document = supple_document_load(path, &options, &error);
    fine = document && !supple_document_decompress(document, NULL, &error);
    supple_written *written =
        fine ? supple_document_write(
                   document, &(supple_write_options){.name = "x.glb", .keep_images = true}, &error)
             : NULL;
    fine = written != NULL;
    supple_written_free(written);
    supple_document_free(document);
  } else {
    supple_asset *asset = supple_asset_load(path, &options, &error);
    fine = asset != NULL;
    supple_asset_free(asset);
  }
  assert_int_equal(b->live, 0);
  if (!fine && error.result != SUPPLE_ERROR_MEMORY)
    fail_msg("%s without allocation %zu: %s", path, b->fail_at, error.message);
  return fine;
}

static void without_memory(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/assets/%s", SUPPLE_CORPUS, name);
  for (int as_document = 0; as_document < 2; as_document++) {
    books b = {.fail_at = 0};
    assert_true(survives(path, &b, as_document));
    const size_t total = b.calls;
    assert_true(total > 10);
    /* All of the first and the last, and of many between them some. */
    for (b.fail_at = 1; b.fail_at <= total; b.fail_at += total > 400 && b.fail_at % 97 ? 13 : 1)
      assert_false(survives(path, &b, as_document));
  }
}

static void corpus(void **state) {
  (void)state;
  const supple_load_options options = with_codecs();
  char path[1024];
  snprintf(path, sizeof path, "%s/index.json", SUPPLE_CORPUS);
  FILE *file = fopen(path, "rb");
  if (!file || !options.codecs || !options.codecs->meshopt || !options.codecs->draco_open) {
    if (file) fclose(file);
    print_message("no corpus, or no codecs: skipped\n");
    return;
  }
  fclose(file);
  decompressed("derived/Fox-meshopt.glb");
  decompressed("khronos/RiggedSimple/glTF-Draco/RiggedSimple.gltf");
  decompressed("pmndrs/male/male.gltf");
  without_memory("derived/Fox-meshopt.glb");
  without_memory("khronos/RiggedSimple/glTF-Draco/RiggedSimple.gltf");
}

static void nothing_to_do(void **state) {
  (void)state;
  static const char text[] = "{ \"asset\": {\"version\":\"2.0\"},\"extensionsUsed\":[\"X\"]}";
  supple_error error;
  supple_document *document = supple_document_load_memory(text, sizeof text - 1, NULL, &error);
  assert_non_null(document);
  uint32_t changed = 7;
  assert_int_equal(supple_document_decompress(document, &changed, &error), SUPPLE_OK);
  assert_int_equal(changed, 0);
  assert_int_equal(supple_document_decompress(document, NULL, NULL), SUPPLE_OK);
  assert_int_equal(
      supple_document_count(document, supple_document_find(document, "/extensionsUsed")), 1);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(corpus), cmocka_unit_test(nothing_to_do)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
