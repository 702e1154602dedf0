/* test_document_asset.c: every corpus file, written the same way, into the other container, and pruned, decodes to the
 * same bits; and the asset of a document has its edits. */
#include "document_text.h"

#include "corpus_text.h"

static void expect_bytes(const void *a, const void *b, size_t size, const char *what) {
  if (!a != !b || (a && memcmp(a, b, size) != 0)) fail_msg("%s differ", what);
}

static void expect_primitive(const supple_primitive *a, const supple_primitive *b) {
  const size_t vertices = a->vertex_count;
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->index_count, b->index_count);
  assert_int_equal(a->influence_count, b->influence_count);
  assert_int_equal(a->target_count, b->target_count);
  expect_bytes(a->positions, b->positions, vertices * 12, "positions");
  expect_bytes(a->normals, b->normals, vertices * 12, "normals");
  expect_bytes(a->tangents, b->tangents, vertices * 16, "tangents");
  expect_bytes(a->indices, b->indices, a->index_count * sizeof *a->indices, "indices");
  expect_bytes(a->joints, b->joints, vertices * a->influence_count * sizeof *a->joints, "joints");
  expect_bytes(a->weights, b->weights, vertices * a->influence_count * sizeof *a->weights,
               "weights");
  for (uint32_t t = 0; t < a->target_count; t++)
    expect_bytes(a->targets[t].positions, b->targets[t].positions, vertices * 12, "targets");
}

static void expect_clip(const supple_clip *a, const supple_clip *b) {
  assert_int_equal(a->channel_count, b->channel_count);
  for (uint32_t c = 0; c < a->channel_count; c++) {
    const supple_channel *x = &a->channels[c], *y = &b->channels[c];
    assert_int_equal(x->node, y->node);
    assert_int_equal(x->path, y->path);
    assert_int_equal(x->key_count, y->key_count);
    assert_int_equal(x->interpolation, y->interpolation);
    const size_t parts = x->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
    expect_bytes(x->times, y->times, x->key_count * sizeof *x->times, "times");
    expect_bytes(x->values, y->values, x->key_count * x->width * parts * sizeof *x->values, "keys");
  }
}

/* Everything that deforms. Nodes are compared only where none was pruned. */
static void expect_equal(const supple_asset *a, const supple_asset *b) {
  assert_int_equal(a->skin_count, b->skin_count);
  assert_int_equal(a->mesh_count, b->mesh_count);
  assert_int_equal(a->clip_count, b->clip_count);
  assert_int_equal(a->instance_count, b->instance_count);
  assert_int_equal(a->skeleton.node_count, b->skeleton.node_count);
  for (uint32_t i = 0; i < a->skeleton.node_count; i++) {
    const supple_node *x = &a->skeleton.nodes[i], *y = &b->skeleton.nodes[i];
    assert_true(x->parent == y->parent && x->mesh == y->mesh && x->skin == y->skin);
    assert_memory_equal(&x->rest, &y->rest, sizeof x->rest);
    assert_memory_equal(&x->matrix, &y->matrix, sizeof x->matrix);
    assert_string_equal(x->name, y->name);
  }
  for (uint32_t i = 0; i < a->skin_count; i++) {
    const supple_skin *x = &a->skins[i], *y = &b->skins[i];
    assert_int_equal(x->joint_count, y->joint_count);
    expect_bytes(x->joints, y->joints, x->joint_count * sizeof *x->joints, "joints of the skin");
    expect_bytes(x->inverse_binds, y->inverse_binds, x->joint_count * sizeof *x->inverse_binds,
                 "binds");
  }
  for (uint32_t m = 0; m < a->mesh_count; m++) {
    assert_int_equal(a->meshes[m].primitive_count, b->meshes[m].primitive_count);
    for (uint32_t p = 0; p < a->meshes[m].primitive_count; p++)
      expect_primitive(&a->meshes[m].primitives[p], &b->meshes[m].primitives[p]);
  }
  for (uint32_t i = 0; i < a->clip_count; i++) expect_clip(&a->clips[i], &b->clips[i]);
}

/* Files beside the one in memory: those that were written with it. */
typedef struct folder {
  supple_written *written;
} folder;

static supple_result read_beside(void *user, const char *path, const void **data, size_t *size,
                                 supple_error *error) {
  const folder *f = user;
  for (uint32_t i = 1; i < f->written->file_count; i++) {
    if (strcmp(f->written->files[i].name, path) != 0) continue;
    written_bytes out = {0};
    const supple_result result = supple_written_copy(f->written, i, written_put, &out, error);
    *data = out.data;
    *size = out.size;
    return result;
  }
  return SUPPLE_ERROR_FILE;
}

static void release(void *user, const void *data, size_t size) {
  (void)user, (void)size;
  free((void *)data);
}

static void expect_written(supple_document *document, const char *name, const supple_asset *asset) {
  supple_error error;
  supple_written *written = lay_out(document, name);
  written_bytes out = copy_file(written, 0);
  folder beside = {.written = written};
  const supple_load_options options = {.reader = {read_beside, release, &beside}};
  supple_asset *again = supple_asset_load_memory(out.data, out.size, &options, &error);
  if (!again) fail_msg("%s: %s", name, error.message);
  expect_equal(asset, again);
  supple_asset_free(again);
  free(out.data);
  supple_written_free(written);
}

static void check_file(const char *path) {
  supple_error error;
  supple_asset *asset = supple_asset_load(path, NULL, &error);
  if (!asset) return; /* compressed, or broken on purpose */
  supple_document *document = supple_document_load(path, NULL, &error);
  if (!document) fail_msg("%s: %s", path, error.message);
  expect_written(document, NULL, asset);
  expect_written(document, "other.glb", asset);
  expect_written(document, "other.gltf", asset);
  supple_asset *same = supple_document_asset(document, NULL, &error);
  assert_non_null(same);
  expect_equal(asset, same);
  supple_asset_free(same);
  /* An accessor is written anew with the bits that it has. */
  supple_accessor_layout layout;
  if (supple_document_accessor_count(document) &&
      !supple_document_accessor(document, 0, &layout, &error) && layout.component == 5126) {
    float *values = malloc((size_t)layout.count * layout.rows * layout.columns * sizeof *values);
    assert_non_null(values);
    fine(supple_document_floats(document, 0, values, problem));
    fine(supple_document_set_accessor(
        document, 0, &(supple_accessor_data){.layout = layout, .data = values, .target = 0},
        problem));
    free(values);
  } else {
    fine(supple_document_set(document, 0, "extras", "[1]", NULL, problem));
  }
  same = supple_document_asset(document, NULL, &error);
  if (!same) fail_msg("%s: %s", path, error.message);
  expect_equal(asset, same);
  supple_asset_free(same);
  expect_written(document, NULL, asset);
  expect_written(document, "other.glb", asset);
  expect_written(document, "other.gltf", asset);
  const char *kept;
  supple_pruned pruned;
  if (!supple_document_prune(document, &pruned, &kept, &error) && !pruned.nodes && !pruned.meshes &&
      !pruned.skins && !pruned.animations) {
    expect_written(document, NULL, asset);
    expect_written(document, "other.glb", asset);
  }
  supple_document_free(document);
  supple_asset_free(asset);
}

static void test_corpus(void **state) {
  (void)state;
  corpus_list list;
  if (!open_list(&list, "index.json")) return;
  const supplei_json *json = &list.json;
  uint32_t node = 1, checked = 0;
  for (uint32_t i = 0; i < json->nodes[0].count; i++, node = json->nodes[node].next) {
    char file[200], path[1000];
    list_text(&list, node, "file", file);
    if (!file[0]) continue;
    snprintf(path, sizeof path, "%s/%s", SUPPLE_CORPUS, file);
    check_file(path);
    checked++;
  }
  close_list(&list);
  assert_true(checked > 20);
}

static void test_edits(void **state) {
  (void)state;
  supple_error error;
  supple_document *d =
      open_text("{'asset':{'version':'2.0'},'nodes':[{'name':'a'}],'skins':[{'joints':[0]}]}");
  const supple_affine64 m = {{{1, 0, 0, 7}, {0, 1, 0, 8}, {0, 0, 1, 9}}};
  fine(supple_document_set(d, supple_document_find(d, "/nodes/0"), "name", "\"b\"", NULL, problem));
  fine(supple_document_set_inverse_binds(d, 0, &m, 1, problem));
  supple_asset *asset = supple_document_asset(d, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  assert_string_equal(asset->skeleton.nodes[0].name, "b");
  assert_memory_equal(asset->skins[0].inverse_binds, &m, sizeof m);
  supple_asset_free(asset);
  fine(supple_document_set(d, supple_document_find(d, "/skins/0"), "joints", "[5]", NULL, problem));
  assert_null(supple_document_asset(d, NULL, &error));
  assert_string_equal(error.pointer, "/skins/0/joints/0");
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_corpus), cmocka_unit_test(test_edits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
