/* test_broken.c: the corpus' broken and nasty assets: each is refused with a place, or loads and
 * says what is odd. */
#include "corpus_text.h"

static struct {
  void *data;
  size_t size;
  int reads;
} bytes;

/* The files that the .gltf name are not in the corpus; all stand for the bytes of one buffer. */
static supple_result read_bytes(void *user, const char *path, const void **data, size_t *size,
                                supple_error *error) {
  (void)user, (void)error;
  bytes.reads++;
  if (strstr(path, "missing")) return SUPPLE_ERROR_FILE;
  *data = bytes.data;
  *size = bytes.size;
  return SUPPLE_OK;
}

/* Whether cleaning the influences of a loaded asset reports what its file is about. */
static bool binding_reports(const supple_asset *asset) {
  bool any = false;
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    supple_binding *binding = supple_binding_create(asset->instances[i].primitives[0], NULL, NULL);
    assert_non_null(binding);
    const supple_binding_report *report = supple_binding_cleaning(binding);
    any |= report->duplicates || report->negatives || report->renormalised || report->unweighted;
    supple_binding_destroy(binding);
  }
  return any;
}

static void check_values(const char *file, const supple_asset *asset) {
  const supple_primitive *p = &asset->meshes[0].primitives[0];
  if (strstr(file, "sparse-valid"))
    for (uint32_t k = 0; k < 3; k++)
      assert_true(p->positions[3 + k] == 9 && p->positions[9 + k] == 9 && p->positions[k] != 9);
  if (strstr(file, "no-bufferview"))
    for (uint32_t k = 0; k < 3 * p->vertex_count; k++) assert_true(p->positions[k] == 0);
  if (strstr(file, "anim-no-node")) assert_int_equal(asset->clips[0].channel_count, 0);
  if (strstr(file, "deep-chain")) assert_int_equal(asset->skeleton.node_count, 1003);
}

static void check_one(const char *file, const char *expect) {
  char path[1000];
  supple_error error;
  const supple_load_options options = {.reader = {read_bytes, NULL, NULL}};
  snprintf(path, sizeof path, "%s/%s", SUPPLE_CORPUS, file);
  bytes.reads = 0;
  memset(&error, 0x5A, sizeof error);
  supple_asset *asset = supple_asset_load(path, &options, &error);
  bool placed = !asset && error.message[0] && (error.pointer[0] || error.offset != SIZE_MAX);
  bool right = false;
  if (strcmp(expect, "error") == 0)
    right = placed;
  else if (strcmp(expect, "accept") == 0)
    right = asset != NULL;
  else if (strcmp(expect, "refuse-uri") == 0)
    right = placed && !bytes.reads && strstr(error.message, "refused");
  else if (strcmp(expect, "diagnose-or-policy") == 0)
    right = asset ? asset->note_count || binding_reports(asset) : placed;
  if (!right)
    fail_msg("%s: wanted %s: %s", file, expect, asset ? "it loads, without a word" : error.message);
  if (asset) check_values(file, asset);
  supple_asset_free(asset);
}

static void every_broken_asset(void **state) {
  (void)state;
  corpus_list list;
  if (!open_list(&list, "broken/broken.json")) skip();
  supple_allocator allocator = supplei_allocator(NULL);
  supple_error error;
  assert_int_equal(supplei_file_read(SUPPLE_CORPUS "/secret.bin", SIZE_MAX, &allocator, &bytes.data,
                                     &bytes.size, &error),
                   SUPPLE_OK);
  uint32_t entry = 1;
  assert_true(list.json.nodes[0].count > 70);
  for (uint32_t i = 0; i < list.json.nodes[0].count; i++, entry = list.json.nodes[entry].next) {
    char file[200], expect[200];
    check_one(list_text(&list, entry, "file", file), list_text(&list, entry, "expect", expect));
  }
  free(bytes.data);
  close_list(&list);
}

/* Where "../" is allowed it is read, relative to the asset. */
static void outside_where_allowed(void **state) {
  (void)state;
  corpus_list list;
  if (!open_list(&list, "broken/broken.json")) skip();
  const supple_load_options options = {.allow_outside_uris = true};
  supple_error error;
  supple_asset *asset =
      supple_asset_load(SUPPLE_CORPUS "/broken/gltf-uri-parent-encoded.gltf", &options, &error);
  if (!asset) fail_msg("%s", error.message);
  assert_int_equal(asset->instance_count, 1);
  supple_asset_free(asset);
  close_list(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_broken_asset),
                                     cmocka_unit_test(outside_where_allowed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
