/* test_gltf_looks.c: materials, textures and images, written and read back. */
#include "cli/gltf_looks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const float texcoords[6] = {0, 0, 1, 0.5f, -2, 3};
static const float colors[12] = {1, 0, 0, 1, 0, 1, 0, 0.5f, 0, 0, 1, 0};
static const unsigned char png[9] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 7};
static const unsigned char webp[12] = "RIFF\1\1\1\1WEBP";
static const supple_image images[4] = {{.mime_type = "image/gif", .data = "GIF89a", .size = 6},
                                       {"a picture", "image/png", "", png, sizeof png},
                                       {NULL, "image/jpeg", "elsewhere.jpg", NULL, 0},
                                       {NULL, "image/webp", "was/read.webp", webp, sizeof webp}};

typedef struct textured {
  supple_node node;
  supple_material materials[4];
  supple_primitive primitive;
  supple_mesh mesh;
  cli_gltf gltf;
} textured;

static void fill(textured *t) {
  memset(t, 0, sizeof *t);
  t->node = cli_gltf_node("node");
  t->node.mesh = 0;
  for (size_t i = 0; i < 4; i++)
    t->materials[i] = cli_gltf_material("m", (float[4]){0.1f, 0.2f, 0.3f, 1});
  t->materials[1].base_color_texture =
      (supple_texture){.image = 3, .wrap_s = 10497, .wrap_t = 10497, .scale = {1, 1}};
  t->materials[2] = (supple_material){.name = "all",
                                      .base_color = {1, 0.5f, 0.25f, 0.75f},
                                      .base_color_texture = {.image = 1,
                                                             .texcoord = 0,
                                                             .wrap_s = 33071,
                                                             .wrap_t = 33648,
                                                             .nearest = true,
                                                             .offset = {0.5f, -1},
                                                             .rotation = 0.1f,
                                                             .scale = {2, 3}},
                                      .metallic = 0.25f,
                                      .roughness = 0.75f,
                                      .emissive = {1, 0.5f, 0},
                                      .alpha_mode = SUPPLE_ALPHA_MASK,
                                      .alpha_cutoff = 0.125f,
                                      .double_sided = true,
                                      .unlit = true};
  t->materials[3].alpha_mode = SUPPLE_ALPHA_BLEND;
  t->primitive = (supple_primitive){.vertex_count = 3,
                                    .positions = positions,
                                    .texcoords = texcoords,
                                    .colors = colors,
                                    .material = 2};
  t->mesh = (supple_mesh){.name = "mesh", .primitives = &t->primitive, .primitive_count = 1};
  t->gltf = (cli_gltf){.nodes = &t->node,
                       .node_count = 1,
                       .meshes = &t->mesh,
                       .mesh_count = 1,
                       .materials = t->materials,
                       .material_count = 4,
                       .images = images,
                       .image_count = 4};
}

static supple_asset *read_back(const cli_gltf *gltf, cli_gltf_format format) {
  cli_output *output = cli_output_open_memory();
  supple_error error;
  size_t size;
  if (cli_gltf_write(output, gltf, format, &error)) fail_msg("%s", error.message);
  const char *data = cli_output_contents(output, &size);
  supple_asset *asset = supple_asset_load_memory(data, size, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  cli_output_abandon(output);
  assert_int_equal(asset->note_count, 0);
  return asset;
}

static void check_texture(const supple_texture *a, const supple_texture *b, uint32_t image) {
  assert_int_equal(a->image, image);
  assert_int_equal(a->texcoord, b->texcoord);
  assert_int_equal(a->wrap_s, b->wrap_s);
  assert_int_equal(a->wrap_t, b->wrap_t);
  assert_int_equal(a->nearest, b->nearest);
  assert_memory_equal(a->offset, b->offset, sizeof a->offset);
  assert_memory_equal(a->scale, b->scale, sizeof a->scale);
  assert_true(a->rotation == b->rotation);
}

static void check_material(const supple_material *a, const supple_material *b, uint32_t image) {
  assert_string_equal(a->name, b->name);
  assert_memory_equal(a->base_color, b->base_color, sizeof a->base_color);
  assert_memory_equal(a->emissive, b->emissive, sizeof a->emissive);
  assert_true(a->metallic == b->metallic && a->roughness == b->roughness);
  assert_int_equal(a->alpha_mode, b->alpha_mode);
  assert_true(a->alpha_mode != SUPPLE_ALPHA_MASK || a->alpha_cutoff == b->alpha_cutoff);
  assert_int_equal(a->double_sided, b->double_sided);
  assert_int_equal(a->unlit, b->unlit);
  if (image != SUPPLE_NONE)
    check_texture(&a->base_color_texture, &b->base_color_texture, image);
  else
    assert_int_equal(a->base_color_texture.image, SUPPLE_NONE);
}

static void everything_comes_back(void **state) {
  (void)state;
  textured t;
  fill(&t);
  for (int format = 0; format < 2; format++) {
    supple_asset *asset = read_back(&t.gltf, format ? CLI_GLTF_TEXT : CLI_GLTF_BINARY);
    const supple_primitive *p = asset->meshes[0].primitives;
    assert_memory_equal(p->positions, positions, sizeof positions);
    assert_memory_equal(p->texcoords, texcoords, sizeof texcoords);
    assert_memory_equal(p->colors, colors, sizeof colors);
    /* Images that nobody uses stay out. */
    assert_int_equal(asset->image_count, 2);
    static const uint32_t places[4] = {SUPPLE_NONE, 1, 0, SUPPLE_NONE};
    for (size_t i = 0; i < 4; i++) check_material(&asset->materials[i], &t.materials[i], places[i]);
    assert_string_equal(asset->images[0].name, "a picture");
    assert_string_equal(asset->images[0].mime_type, "image/png");
    assert_int_equal(asset->images[0].size, sizeof png);
    assert_memory_equal(asset->images[0].data, png, sizeof png);
    assert_string_equal(asset->images[1].path, "");
    assert_memory_equal(asset->images[1].data, webp, sizeof webp);
    static const char *const used[] = {"KHR_texture_transform", "KHR_materials_unlit",
                                       "EXT_texture_webp"};
    assert_int_equal(asset->extension_count, 3);
    for (size_t i = 0; i < 3; i++) assert_string_equal(asset->extensions_used[i], used[i]);
    supple_asset_free(asset);
  }
}

static void refuse(const textured *t, supple_result wanted, const char *pointer, const char *part) {
  supple_error error;
  cli_output *output = cli_output_open_memory();
  assert_int_equal(cli_gltf_write(output, &t->gltf, CLI_GLTF_BINARY, &error), wanted);
  assert_string_equal(error.pointer, pointer);
  assert_non_null(strstr(error.message, part));
  cli_output_abandon(output);
}

static void refusals(void **state) {
  (void)state;
  textured t;
  fill(&t);
  t.materials[3].base_color_texture.image = 4;
  refuse(&t, SUPPLE_ERROR_ARGUMENT, "/materials/3", "4 is not one of 4 images");
  t.materials[3].base_color_texture.image = 2;
  refuse(&t, SUPPLE_ERROR_ARGUMENT, "/materials/3", "no bytes");
  t.materials[3].base_color_texture.image = 0;
  refuse(&t, SUPPLE_ERROR_ARGUMENT, "/materials/3", "of a kind that glTF does not know");
  fill(&t);
  t.materials[2].emissive[1] = NAN;
  refuse(&t, SUPPLE_ERROR_NUMBER, "/materials/2", "not finite");
  fill(&t);
  t.materials[2].base_color_texture.scale[1] = INFINITY;
  refuse(&t, SUPPLE_ERROR_NUMBER, "/materials/2", "not finite");
}

static void what_fits(void **state) {
  (void)state;
  assert_false(cli_gltf_image_fits(&images[0]));
  assert_true(cli_gltf_image_fits(&images[1]));
  assert_false(cli_gltf_image_fits(&images[2]));
  assert_true(cli_gltf_image_fits(&images[3]));
  const supple_image nothing = {0};
  assert_false(cli_gltf_image_fits(&nothing));
}

static void without_any(void **state) {
  (void)state;
  textured t;
  fill(&t);
  t.gltf.material_count = 1;
  t.primitive.material = 0;
  cli_output *output = cli_output_open_memory();
  assert_int_equal(cli_gltf_write(output, &t.gltf, CLI_GLTF_TEXT, NULL), SUPPLE_OK);
  const char *text = cli_output_contents(output, NULL);
  static const char *const absent[] = {"textures", "images", "samplers", "extensions"};
  for (size_t i = 0; i < 4; i++) assert_null(strstr(text, absent[i]));
  cli_output_abandon(output);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(everything_comes_back),
                                     cmocka_unit_test(refusals), cmocka_unit_test(what_fits),
                                     cmocka_unit_test(without_any)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
