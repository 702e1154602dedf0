/* test_corpus_load.c: every asset of the corpus loads, and has what the corpus' list says. */
#include "corpus_text.h"

/* What breaks a rule of the specification that skinning cannot do without, or needs a codec. */
static const struct {
  const char *id;
  supple_result result;
  const char *pointer, *part;
} refusals[] = {
    {"RiggedSimple-Draco", SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/0", "needs Draco"},
    {"pmndrs-male", SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/0", "needs Draco"},
    {"Fox-meshopt", SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/0", "needs meshopt"},
    {"V-mesh_data-joints_weights_complex", SUPPLE_ERROR_FORMAT, "/meshes/0/primitives/0/attributes",
     "vertex 1 uses joint 9"},
    {"V-skin-empty_joints_array", SUPPLE_ERROR_FORMAT, "/skins/0/joints", "at least one joint"},
    {"V-skin-ibm_invalid_count", SUPPLE_ERROR_FORMAT, "/skins/2/inverseBindMatrices",
     "2 matrices for 3 joints"},
    {"V-skin-unresolved_joint", SUPPLE_ERROR_FORMAT, "/skins/0/joints/0", "index 0"}};

/* What is only odd, and how it is noted. */
static const struct {
  const char *id, *pointer, *part;
} oddities[] = {
    {"V-node-skin_with_no_mesh", "/nodes/0", "no mesh"},
    {"V-node-valid", "/meshes/0/primitives/0/attributes", "no weight at 3 vertices"},
    {"V-skin-ignored_animated_transform", "/animations/0/samplers/0/input", "equal times"},
    {"V-skin-no_common_root", "/skins/0/joints", "no common root"},
    {"V-skin-skeleton_invalid", "/skins/0/skeleton", "not above"},
    {"V-skin-valid", "/skins/0/inverseBindMatrices", "singular"}};

typedef struct totals {
  uint32_t vertices, sets, targets;
  double smallest_sum, largest_sum;
} totals;

/* Over every skinned instance. */
static totals add_up(const supple_asset *asset) {
  totals t = {.smallest_sum = 1e30, .largest_sum = -1e30};
  for (uint32_t m = 0; m < asset->mesh_count; m++) {
    for (uint32_t i = 0; i < asset->meshes[m].primitive_count; i++) {
      const supple_primitive *p = &asset->meshes[m].primitives[i];
      t.vertices += p->vertex_count;
      if (p->influence_count / 4 > t.sets) t.sets = p->influence_count / 4;
      if (p->target_count > t.targets) t.targets = p->target_count;
      for (uint32_t v = 0; p->weights && v < p->vertex_count; v++) {
        double sum = 0;
        for (uint32_t k = 0; k < p->influence_count; k++)
          sum += (double)p->weights[(size_t)v * p->influence_count + k];
        t.smallest_sum = sum < t.smallest_sum ? sum : t.smallest_sum;
        t.largest_sum = sum > t.largest_sum ? sum : t.largest_sum;
      }
    }
  }
  return t;
}

static void check_same(const char *id, const char *what, double got, double wanted,
                       double tolerance) {
  if (!(got >= wanted - tolerance && got <= wanted + tolerance))
    fail_msg("%s: %s is %.9g instead of %.9g", id, what, got, wanted);
}

static void check_joints(const corpus_list *list, uint32_t entry, const char *id,
                         const supple_asset *asset) {
  uint32_t array = supplei_json_member(&list->json, entry, "joints");
  for (uint32_t i = 0; i < asset->skin_count; i++) { /* numbers are one node each */
    double wanted = 0;
    assert_true(supplei_json_number(&list->json, array + 1 + i, &wanted));
    check_same(id, "joints", asset->skins[i].joint_count, wanted, 0);
  }
}

static void check_paths(const corpus_list *list, uint32_t entry, const char *id,
                        const supple_asset *asset) {
  static const char *const names[] = {"translation", "rotation", "scale", "weights"};
  bool wanted[4] = {false}, got[4] = {false};
  uint32_t array = supplei_json_member(&list->json, entry, "paths");
  for (uint32_t i = 0; array != SUPPLE_NONE && i < list->json.nodes[array].count; i++)
    for (int k = 0; k < 4; k++)
      wanted[k] |= supplei_json_equals(&list->json, array + 1 + i, names[k]);
  for (uint32_t i = 0; i < asset->clip_count; i++)
    for (uint32_t k = 0; k < asset->clips[i].channel_count; k++)
      got[asset->clips[i].channels[k].path] = true;
  for (int k = 0; k < 4; k++) check_same(id, names[k], got[k], wanted[k], 0);
}

static void check_asset(const corpus_list *list, uint32_t entry, const char *id,
                        const supple_asset *asset, bool decoded) {
  totals t = add_up(asset);
  check_same(id, "nodes", asset->skeleton.node_count, list_number(list, entry, "nodes"), 0);
  check_same(id, "meshes", asset->mesh_count, list_number(list, entry, "meshes"), 0);
  check_same(id, "skins", asset->skin_count, list_number(list, entry, "skins"), 0);
  check_same(id, "clips", asset->clip_count, list_number(list, entry, "animations"), 0);
  check_same(id, "instances", asset->instance_count, list_number(list, entry, "skinned_instances"),
             0);
  check_same(id, "vertices", t.vertices, list_number(list, entry, "vertices"), 0);
  check_same(id, "sets", t.sets, list_number(list, entry, "influence_sets"), 0);
  check_same(id, "targets", t.targets, list_number(list, entry, "morph_targets"), 0);
  check_joints(list, entry, id, asset);
  check_paths(list, entry, id, asset);
  if (!decoded || supplei_json_member(&list->json, entry, "weight_sum_min") == SUPPLE_NONE) return;
  check_same(id, "smallest sum", t.smallest_sum, list_number(list, entry, "weight_sum_min"), 1e-6);
  check_same(id, "largest sum", t.largest_sum, list_number(list, entry, "weight_sum_max"), 1e-6);
}

static bool check_refusal(const char *id, const supple_error *error) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    if (strcmp(refusals[i].id, id) != 0) continue;
    check_error(error, refusals[i].result, refusals[i].pointer, refusals[i].part);
    return true;
  }
  return false;
}

static void check_oddities(const char *id, const supple_asset *asset) {
  for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++)
    if (strcmp(oddities[i].id, id) == 0 && !has_note(asset, oddities[i].pointer, oddities[i].part))
      fail_msg("%s: no note at %s", id, oddities[i].pointer);
}

static void every_asset(void **state) {
  (void)state;
  corpus_list list;
  if (!open_list(&list, "index.json")) skip();
  uint32_t entry = 1, refused = 0;
  assert_true(list.json.nodes[0].count > 50);
  for (uint32_t i = 0; i < list.json.nodes[0].count; i++, entry = list.json.nodes[entry].next) {
    char id[200], file[200], path[1000];
    supple_error error;
    list_text(&list, entry, "id", id);
    snprintf(path, sizeof path, "%s/%s", SUPPLE_CORPUS, list_text(&list, entry, "file", file));
    for (int structure_only = 0; structure_only < 2; structure_only++) {
      const supple_load_options options = {.structure_only = structure_only};
      supple_asset *asset = supple_asset_load(path, &options, &error);
      if (!asset) {
        if (!check_refusal(id, &error)) fail_msg("%s: %s", id, error.message);
        refused += !structure_only;
        continue;
      }
      check_asset(&list, entry, id, asset, !structure_only);
      if (!structure_only) check_oddities(id, asset);
      supple_asset_free(asset);
    }
  }
  assert_int_equal(refused, sizeof refusals / sizeof *refusals);
  close_list(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_asset)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
