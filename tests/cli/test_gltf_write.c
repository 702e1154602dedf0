/* test_gltf_write.c: what is written loads as what was meant, and what cannot be meant is
 * refused. */
#include "cli/gltf_write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Everything that can be written, once: two meshes, the second of two primitives, one with morph
 * targets; a matrix; a skin whose inverse bind matrix shears; six influences; every path and
 * interpolation. */
static const float positions[9] = {0.1f, -2.5f, 1e-7f, 1, 0, 3e10f, -0.7f, 4, 0};
static const float normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float tangents[12] = {1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1};
static const float offsets[9] = {0, 0, 0, 0.25f, 0, 0, 0, 0, -1};
static const uint32_t triangle[3] = {2, 0, 1}, segment[2] = {0, 2};
static const uint16_t joints[18] = {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
static const float weights[18] = {0.75f, 0.25f, 0, 0,    0,    0, 1, 0, 0,
                                  0,     0,     0, 0.5f, 0.5f, 0, 0, 0, 0};
static const uint16_t wide_joints[12] = {300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const float wide_weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
static const supple_morph_target targets[2] = {{offsets, NULL, NULL}, {offsets, normals, offsets}};
static const supple_primitive plain[1] = {{.vertex_count = 3,
                                           .positions = positions,
                                           .indices = triangle,
                                           .index_count = 3,
                                           .influence_count = 6,
                                           .joints = joints,
                                           .weights = weights,
                                           .material = 1}};
static const supple_primitive pair[2] = {{.vertex_count = 3,
                                          .positions = positions,
                                          .normals = normals,
                                          .tangents = tangents,
                                          .indices = triangle,
                                          .index_count = 3,
                                          .targets = targets,
                                          .target_count = 2,
                                          .material = SUPPLE_NONE},
                                         {.vertex_count = 3,
                                          .positions = positions,
                                          .indices = segment,
                                          .index_count = 2,
                                          .topology = SUPPLE_TOPOLOGY_LINES,
                                          .targets = targets,
                                          .target_count = 2,
                                          .material = 0}};
static const supple_mesh meshes[2] = {{"skinned", plain, 1}, {"two \"parts\"", pair, 2}};
static const supple_material materials[2] = {
    {.name = "red",
     .base_color = {0.8f, 0.1f, 0.1f, 1},
     .base_color_texture = {.image = SUPPLE_NONE, .scale = {1, 1}}},
    {.name = "",
     .base_color = {0.2f, 0.3f, 0.4f, 0.5f},
     .base_color_texture = {.image = SUPPLE_NONE, .scale = {1, 1}},
     .alpha_mode = SUPPLE_ALPHA_BLEND}};
static const uint32_t skin_joints[2] = {0, 2};
static const supple_affine64 inverse_binds[2] = {{{{1, 0.5, 0, 7}, {0, 1, 0, -1}, {0, 0, 2, 0.125}}},
                                                 {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
static const float times[3] = {0, 0.1f, 1}, late[1] = {0.5f};
static const float moves[9] = {0, 0, 0, 1, 2, 3, 4, 5, 6};
static const float turns[12] = {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1};
static const float scales[27] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2,
                                 2, 0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 0};
static const float morphs[2] = {0.5f, 1};
static const supple_channel channels[4] = {
    {0, SUPPLE_PATH_TRANSLATION, SUPPLE_INTERPOLATION_LINEAR, 3, 3, times, moves},
    {2, SUPPLE_PATH_ROTATION, SUPPLE_INTERPOLATION_STEP, 3, 4, times, turns},
    {2, SUPPLE_PATH_SCALE, SUPPLE_INTERPOLATION_CUBIC_SPLINE, 3, 3, times, scales},
    {4, SUPPLE_PATH_WEIGHTS, SUPPLE_INTERPOLATION_LINEAR, 1, 2, late, morphs}};
static const supple_clip clips[2] = {{"empty", 0, 0, NULL, 0}, {"all", 0, 1, channels, 4}};
static const float rest_weights[2] = {0.25f, -1};

typedef struct everything {
  supple_node nodes[5];
  supple_skin skin;
  cli_gltf gltf;
} everything;

static void fill(everything *e) {
  static const char *const names[5] = {"root", "matrix", "tip \\ \x01 é", "body", ""};
  for (size_t i = 0; i < 5; i++) e->nodes[i] = cli_gltf_node(names[i]);
  e->nodes[0].rest.translation = supple_vec3_make(0.1, 0, 1.0 / 3);
  e->nodes[1].parent = 0;
  e->nodes[1].has_matrix = true;
  e->nodes[1].matrix = (supple_affine64){{{0, -2, 0, 1}, {2, 0, 0, 2}, {0, 0, 2, 3}}};
  e->nodes[2].parent = 1;
  e->nodes[2].rest.rotation = supple_quat_make(0, 0.6, 0, 0.8);
  e->nodes[2].rest.scale = supple_vec3_make(1, -1, 2);
  e->nodes[3].mesh = e->nodes[3].skin = 0;
  e->nodes[4].mesh = 1;
  e->nodes[4].parent = 0;
  e->nodes[4].weight_count = 2;
  e->skin = (supple_skin){.name = "rig",
                          .joint_count = 2,
                          .joints = skin_joints,
                          .inverse_binds = inverse_binds,
                          .skeleton = 0};
  e->gltf = (cli_gltf){.nodes = e->nodes,
                       .node_count = 5,
                       .weights = rest_weights,
                       .weight_count = 2,
                       .meshes = meshes,
                       .mesh_count = 2,
                       .skins = &e->skin,
                       .skin_count = 1,
                       .clips = clips,
                       .clip_count = 2,
                       .materials = materials,
                       .material_count = 2,
                       .copyright = "nobody"};
}

static cli_output *written(const cli_gltf *gltf, cli_gltf_format format, size_t *size) {
  cli_output *output = cli_output_open_memory();
  assert_non_null(output);
  supple_error error;
  supple_result result = cli_gltf_write(output, gltf, format, &error);
  if (result) print_error("%s\n", error.message);
  assert_int_equal(result, SUPPLE_OK);
  assert_non_null(cli_output_contents(output, size));
  return output;
}

static supple_asset *reloaded(const cli_gltf *gltf, cli_gltf_format format) {
  size_t size = 0;
  cli_output *output = written(gltf, format, &size);
  supple_error error;
  supple_asset *asset =
      supple_asset_load_memory(cli_output_contents(output, &size), size, NULL, &error);
  if (!asset) print_error("%s\n", error.message);
  assert_non_null(asset);
  cli_output_abandon(output);
  return asset;
}

static void check_nodes(const supple_asset *asset, const everything *e) {
  assert_int_equal(asset->skeleton.node_count, 5);
  for (size_t i = 0; i < 5; i++) {
    const supple_node *a = &asset->skeleton.nodes[i], *b = &e->nodes[i];
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->parent, b->parent);
    assert_int_equal(a->mesh, b->mesh);
    assert_int_equal(a->skin, b->skin);
    assert_int_equal(a->has_matrix, b->has_matrix);
    if (b->has_matrix)
      assert_memory_equal(&a->matrix, &b->matrix, sizeof a->matrix);
    else
      assert_memory_equal(&a->rest, &b->rest, sizeof a->rest);
  }
  assert_int_equal(asset->scene_count, 1);
  assert_int_equal(asset->scenes[0].node_count, 2);
  assert_int_equal(asset->scenes[0].nodes[0], 0);
  assert_int_equal(asset->scenes[0].nodes[1], 3);
  assert_int_equal(asset->skeleton.nodes[4].weight_count, 2);
  const float *rest = asset->skeleton.weights + asset->skeleton.nodes[4].weight_begin;
  assert_memory_equal(rest, rest_weights, sizeof rest_weights);
}

static void check_meshes(const supple_asset *asset) {
  assert_int_equal(asset->mesh_count, 2);
  assert_string_equal(asset->meshes[1].name, "two \"parts\"");
  assert_int_equal(asset->meshes[1].primitive_count, 2);
  const supple_primitive *skinned = &asset->meshes[0].primitives[0],
                         *rich = &asset->meshes[1].primitives[0];
  const supple_primitive *lines = &asset->meshes[1].primitives[1];
  assert_memory_equal(skinned->positions, positions, sizeof positions);
  assert_memory_equal(skinned->indices, triangle, sizeof triangle);
  assert_int_equal(skinned->influence_count, 8); /* padded */
  for (size_t v = 0; v < 3; v++) {
    for (size_t k = 0; k < 8; k++) {
      assert_true(skinned->weights[8 * v + k] == (k < 6 ? weights[6 * v + k] : 0));
      assert_int_equal(skinned->joints[8 * v + k], k < 6 ? joints[6 * v + k] : 0);
    }
  }
  assert_int_equal(skinned->material, 1);
  assert_memory_equal(rich->normals, normals, sizeof normals);
  assert_memory_equal(rich->tangents, tangents, sizeof tangents);
  assert_int_equal(rich->material, SUPPLE_NONE);
  assert_int_equal(rich->target_count, 2);
  assert_memory_equal(rich->targets[0].positions, offsets, sizeof offsets);
  assert_null(rich->targets[0].normals);
  assert_memory_equal(rich->targets[1].normals, normals, sizeof normals);
  assert_memory_equal(rich->targets[1].tangents, offsets, sizeof offsets);
  assert_int_equal(lines->topology, SUPPLE_TOPOLOGY_LINES);
  assert_memory_equal(lines->indices, segment, sizeof segment);
  assert_memory_equal(asset->materials[0].base_color, materials[0].base_color, 4 * sizeof(float));
  assert_memory_equal(asset->materials[1].base_color, materials[1].base_color, 4 * sizeof(float));
  assert_string_equal(asset->materials[0].name, "red");
}

static void check_rig(const supple_asset *asset) {
  assert_int_equal(asset->skin_count, 1);
  assert_string_equal(asset->skins[0].name, "rig");
  assert_int_equal(asset->skins[0].skeleton, 0);
  assert_memory_equal(asset->skins[0].joints, skin_joints, sizeof skin_joints);
  assert_memory_equal(asset->skins[0].inverse_binds, inverse_binds, sizeof inverse_binds);
  assert_int_equal(asset->clip_count, 1); /* the empty one is left out */
  const supple_clip *clip = &asset->clips[0];
  assert_string_equal(clip->name, "all");
  assert_int_equal(clip->channel_count, 4);
  static const size_t value_counts[4] = {9, 12, 27, 2};
  for (size_t i = 0; i < 4; i++) {
    const supple_channel *a = &clip->channels[i], *b = &channels[i];
    assert_int_equal(a->node, b->node);
    assert_int_equal(a->path, b->path);
    assert_int_equal(a->interpolation, b->interpolation);
    assert_int_equal(a->key_count, b->key_count);
    assert_int_equal(a->width, b->width);
    assert_memory_equal(a->times, b->times, a->key_count * sizeof(float));
    assert_memory_equal(a->values, b->values, value_counts[i] * sizeof(float));
  }
}

static void test_everything_comes_back(void **state) {
  (void)state;
  everything e;
  fill(&e);
  for (int text = 0; text < 2; text++) {
    supple_asset *asset = reloaded(&e.gltf, text ? CLI_GLTF_TEXT : CLI_GLTF_BINARY);
    check_nodes(asset, &e);
    check_meshes(asset);
    check_rig(asset);
    assert_string_equal(asset->copyright, "nobody");
    supple_asset_free(asset);
  }
}

static void test_layout_of_binary(void **state) {
  (void)state;
  everything e;
  fill(&e);
  size_t size = 0;
  cli_output *output = written(&e.gltf, CLI_GLTF_BINARY, &size);
  const unsigned char *bytes = (const unsigned char *)cli_output_contents(output, &size);
  uint32_t words[5];
  for (size_t i = 0; i < 5; i++) {
    words[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
               (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
  }
  assert_memory_equal(bytes, "glTF", 4);
  assert_int_equal(words[1], 2);
  assert_int_equal(words[2], size);
  assert_int_equal(words[3] % 4, 0);
  assert_memory_equal(bytes + 16, "JSON{", 5);
  assert_memory_equal(bytes + 20 + words[3] + 4, "BIN", 4);
  assert_int_equal(size % 4, 0);
  cli_output_abandon(output);
}

static void expect_text(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("missing: %s", part);
}

static void test_bounds_and_numbers_as_text(void **state) {
  (void)state;
  everything e;
  fill(&e);
  size_t size = 0;
  cli_output *output = written(&e.gltf, CLI_GLTF_TEXT, &size);
  const char *text = cli_output_contents(output, &size);
  expect_text(text, "\"min\": [-0.7, -2.5, 0]");
  expect_text(text, "\"max\": [1, 4, 30000000000]");
  expect_text(text, "\"translation\": [0.1, 0, 0.3333333333333333]");
  expect_text(text, "\"min\": [0.5]"); /* times, even of a single key */
  expect_text(text, "\"baseColorFactor\": [0.8, 0.1, 0.1, 1]");
  expect_text(text, "\"alphaMode\": \"BLEND\"");
  expect_text(text, "data:application/octet-stream;base64,");
  cli_output_abandon(output);
}

static void test_wide_joints_take_two_bytes(void **state) {
  (void)state;
  enum { COUNT = 301 };
  supple_node nodes[COUNT + 1];
  uint32_t list[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) nodes[i] = cli_gltf_node(NULL), list[i] = i;
  for (uint32_t i = 1; i < COUNT; i++) nodes[i].parent = 0;
  nodes[COUNT] = cli_gltf_node(NULL);
  nodes[COUNT].mesh = nodes[COUNT].skin = 0;
  supple_primitive primitive = plain[0];
  primitive.influence_count = 4;
  primitive.joints = wide_joints;
  primitive.weights = wide_weights;
  primitive.material = SUPPLE_NONE;
  primitive.indices = NULL;
  primitive.index_count = 0;
  supple_mesh mesh = {NULL, &primitive, 1};
  supple_skin skin = {.joint_count = COUNT, .joints = list, .skeleton = SUPPLE_NONE};
  cli_gltf gltf = {.nodes = nodes,
                   .node_count = COUNT + 1,
                   .meshes = &mesh,
                   .mesh_count = 1,
                   .skins = &skin,
                   .skin_count = 1};
  supple_asset *asset = reloaded(&gltf, CLI_GLTF_BINARY);
  assert_int_equal(asset->meshes[0].primitives[0].joints[0], 300);
  assert_int_equal(asset->meshes[0].primitives[0].index_count, 3); /* by vertex number */
  supple_affine64 identity = supple_affine64_identity();
  assert_memory_equal(&asset->skins[0].inverse_binds[5], &identity, sizeof identity);
  supple_asset_free(asset);
}

static void test_many_vertices_take_wide_indices(void **state) {
  (void)state;
  enum { COUNT = 65536 };
  float *many = calloc((size_t)3 * COUNT, sizeof *many);
  assert_non_null(many);
  for (uint32_t extra = 0; extra < 2; extra++) {
    /* 65,535 vertices still fit in 16 bits: the number 65,535 itself is none of them. */
    uint32_t count = COUNT - 1 + extra;
    const uint32_t corners[3] = {0, count - 1, 1};
    supple_primitive primitive = {.vertex_count = count,
                                  .positions = many,
                                  .indices = corners,
                                  .index_count = 3,
                                  .material = SUPPLE_NONE};
    supple_mesh mesh = {NULL, &primitive, 1};
    supple_node node = cli_gltf_node("many");
    node.mesh = 0;
    cli_gltf gltf = {.nodes = &node, .node_count = 1, .meshes = &mesh, .mesh_count = 1};
    size_t size = 0;
    cli_output *output = written(&gltf, CLI_GLTF_BINARY, &size);
    const char *text = cli_output_contents(output, &size) + 20;
    expect_text(text, extra ? "\"componentType\":5125" : "\"componentType\":5123");
    cli_output_abandon(output);
    supple_asset *asset = reloaded(&gltf, CLI_GLTF_BINARY);
    assert_memory_equal(asset->meshes[0].primitives[0].indices, corners, sizeof corners);
    supple_asset_free(asset);
  }
  free(many);
}

static void test_empty(void **state) {
  (void)state;
  cli_gltf nothing = {0};
  supple_asset *asset = reloaded(&nothing, CLI_GLTF_BINARY);
  assert_int_equal(asset->skeleton.node_count + asset->mesh_count + asset->skin_count, 0);
  supple_asset_free(asset);
}

/* ---- refusals ---- */

static void expect_refusal(const cli_gltf *gltf, supple_result result, const char *pointer) {
  cli_output *output = cli_output_open_memory();
  assert_non_null(output);
  supple_error error;
  assert_int_equal(cli_gltf_write(output, gltf, CLI_GLTF_BINARY, &error), result);
  assert_int_equal(error.result, result);
  assert_string_equal(error.pointer, pointer);
  assert_int_equal(strncmp(error.message, pointer, strlen(pointer)), 0);
  assert_true(strlen(error.message) > strlen(pointer) + 2);
  assert_int_equal(cli_output_tell(output), 0);
  assert_int_equal(cli_gltf_write(output, gltf, CLI_GLTF_TEXT, NULL), result);
  assert_int_equal(cli_output_tell(output), 0);
  cli_output_abandon(output);
}

static void test_refuses_wrong_indices(void **state) {
  (void)state;
  everything e;
  fill(&e);
  e.nodes[2].parent = 5;
  expect_refusal(&e.gltf, SUPPLE_ERROR_ARGUMENT, "/nodes/2");
  fill(&e);
  e.nodes[3].mesh = 2;
  expect_refusal(&e.gltf, SUPPLE_ERROR_ARGUMENT, "/nodes/3");
  fill(&e);
  e.nodes[4].weight_begin = 1;
  expect_refusal(&e.gltf, SUPPLE_ERROR_ARGUMENT, "/nodes/4");
  fill(&e);
  e.gltf.material_count = 1;
  expect_refusal(&e.gltf, SUPPLE_ERROR_ARGUMENT, "/meshes/0/primitives/0");
  fill(&e);
  e.skin.skeleton = 77;
  expect_refusal(&e.gltf, SUPPLE_ERROR_ARGUMENT, "/skins/0");
  fill(&e);
  supple_primitive bad = plain[0];
  static const uint32_t outside[3] = {0, 1, 3};
  bad.indices = outside;
  const supple_mesh mesh[2] = {{"bad", &bad, 1}, meshes[1]};
  e.gltf.meshes = mesh;
  expect_refusal(&e.gltf, SUPPLE_ERROR_ARGUMENT, "/meshes/0/primitives/0");
  bad.indices = triangle;
  bad.vertex_count = 0;
  expect_refusal(&e.gltf, SUPPLE_ERROR_ARGUMENT, "/meshes/0/primitives/0");
}

static void test_refuses_what_is_not_finite(void **state) {
  (void)state;
  everything e;
  fill(&e);
  e.nodes[0].rest.translation.y = (double)INFINITY;
  expect_refusal(&e.gltf, SUPPLE_ERROR_NUMBER, "/nodes/0");
  fill(&e);
  float bad_positions[9];
  memcpy(bad_positions, positions, sizeof positions);
  bad_positions[5] = NAN;
  supple_primitive bad = plain[0];
  bad.positions = bad_positions;
  const supple_mesh mesh[2] = {{"bad", &bad, 1}, meshes[1]};
  e.gltf.meshes = mesh;
  expect_refusal(&e.gltf, SUPPLE_ERROR_NUMBER, "/meshes/0/primitives/0/attributes/POSITION");
  fill(&e);
  supple_affine64 binds[2] = {inverse_binds[0], inverse_binds[1]};
  binds[1].m[2][3] = 1e300; /* finite, but not as the float that a file holds */
  e.skin.inverse_binds = binds;
  expect_refusal(&e.gltf, SUPPLE_ERROR_NUMBER, "/skins/0/inverseBindMatrices");
}

static void test_format_by_name(void **state) {
  (void)state;
  assert_int_equal(cli_gltf_format_of("a.gltf"), CLI_GLTF_TEXT);
  assert_int_equal(cli_gltf_format_of("A.GlTF"), CLI_GLTF_TEXT);
  assert_int_equal(cli_gltf_format_of("a.glb"), CLI_GLTF_BINARY);
  assert_int_equal(cli_gltf_format_of("-"), CLI_GLTF_BINARY);
  assert_int_equal(cli_gltf_format_of("gltf"), CLI_GLTF_BINARY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everything_comes_back),
      cmocka_unit_test(test_layout_of_binary),
      cmocka_unit_test(test_bounds_and_numbers_as_text),
      cmocka_unit_test(test_wide_joints_take_two_bytes),
      cmocka_unit_test(test_many_vertices_take_wide_indices),
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_refuses_wrong_indices),
      cmocka_unit_test(test_refuses_what_is_not_finite),
      cmocka_unit_test(test_format_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
