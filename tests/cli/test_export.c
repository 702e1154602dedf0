/* test_export.c: posed vertices as text, as polygons and as glTF, read back. */
#include "cli/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* A triangle with normals and a line without: two nodes. */
static float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0.1f};
static const float normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
static const float line[6] = {5, 5, 5, 6, 6, 6};
static const uint32_t corners[3] = {0, 1, 2}, ends[2] = {0, 1};
static const supple_primitive sources[2] = {{.mesh = 3,
                                             .index = 0,
                                             .vertex_count = 3,
                                             .indices = corners,
                                             .index_count = 3,
                                             .material = SUPPLE_NONE},
                                            {.mesh = 4,
                                             .index = 1,
                                             .topology = SUPPLE_TOPOLOGY_LINES,
                                             .vertex_count = 2,
                                             .indices = ends,
                                             .index_count = 2,
                                             .material = SUPPLE_NONE}};
static const cli_posed posed[2] = {
    {.node = 7, .name = "a name", .source = &sources[0], .positions = triangle, .normals = normals},
    {.node = 9, .name = "", .source = &sources[1], .positions = line}};
static const supple_asset asset = {.copyright = ""};

static cli_output *export_as(const char *path, int wanted) {
  cli_export_format format = CLI_EXPORT_JSON;
  assert_true(cli_export_format_of(path, &format));
  cli_output *output = cli_output_open_memory();
  assert_int_equal(cli_export(output, path, format, &asset, posed, 2), wanted);
  return output;
}

static void formats_by_ending(void **state) {
  (void)state;
  cli_export_format format = CLI_EXPORT_OBJ;
  assert_true(cli_export_format_of("x.JSON", &format) && format == CLI_EXPORT_JSON);
  assert_true(cli_export_format_of("a/b.glb", &format) && format == CLI_EXPORT_GLTF);
  assert_true(cli_export_format_of("b.gltf", &format) && format == CLI_EXPORT_GLTF);
  assert_true(cli_export_format_of(".npz", &format) && format == CLI_EXPORT_NPZ);
  assert_false(cli_export_format_of("json", &format));
  assert_false(cli_export_format_of("a.fbx", &format));
  assert_false(cli_export_format_of("", &format));
}

static void json(void **state) {
  (void)state;
  cli_output *output = export_as("x.json", CLI_FINE);
  assert_string_equal(
      cli_output_contents(output, NULL),
      "{\"primitives\":[{\"node\":7,\"mesh\":3,\"primitive\":0,\"positions\":[0,0,0,1,0,0,0,1,0.1],"
      "\"normals\":[0,0,1,0,0,1,0,0,1]},"
      "{\"node\":9,\"mesh\":4,\"primitive\":1,\"positions\":[5,5,5,6,6,6]}]}\n");
  cli_output_abandon(output);
}

static void obj(void **state) {
  (void)state;
  cli_output *output = export_as("x.obj", CLI_FINE);
  const char *text = strchr(cli_output_contents(output, NULL), '\n');
  assert_string_equal(text, "\no a_name_primitive0\nv 0 0 0\nv 1 0 0\nv 0 1 0.1\n"
                            "vn 0 0 1\nvn 0 0 1\nvn 0 0 1\nf 1//1 2//2 3//3\n"
                            "o node9_primitive1\nv 5 5 5\nv 6 6 6\nl 4 5\n");
  cli_output_abandon(output);
}

static void ply(void **state) {
  (void)state;
  size_t size;
  cli_output *output = export_as("x.ply", CLI_FINE);
  const char *text = cli_output_contents(output, &size);
  const char *data = strstr(text, "end_header\n");
  assert_non_null(data);
  data += 11;
  assert_non_null(strstr(text, "element vertex 5\n"));
  assert_non_null(strstr(text, "element face 1\n"));
  assert_non_null(strstr(text, "property float nz\n"));
  assert_int_equal(size - (size_t)(data - text), 5 * 24 + 13);
  float values[30];
  memcpy(values, data, sizeof values);
  for (int i = 0; i < 3; i++) {
    assert_memory_equal(values + 6 * i, triangle + 3 * i, 12);
    assert_memory_equal(values + 6 * i + 3, normals + 3 * i, 12);
  }
  assert_true(values[18] == 5 && values[21] == 0 && values[26] == 6);
  assert_memory_equal(data + 120, "\3\0\0\0\0\1\0\0\0\2\0\0\0", 13);
  cli_output_abandon(output);
}

static void gltf(void **state) {
  (void)state;
  size_t size;
  cli_output *output = export_as("x.glb", CLI_FINE);
  const char *data = cli_output_contents(output, &size);
  supple_error error;
  supple_asset *back = supple_asset_load_memory(data, size, NULL, &error);
  if (!back) fail_msg("%s", error.message);
  assert_int_equal(back->mesh_count, 2);
  assert_int_equal(back->skeleton.node_count, 2);
  assert_string_equal(back->skeleton.nodes[0].name, "a name");
  assert_memory_equal(back->meshes[0].primitives[0].positions, triangle, sizeof triangle);
  assert_memory_equal(back->meshes[0].primitives[0].normals, normals, sizeof normals);
  assert_memory_equal(back->meshes[0].primitives[0].indices, corners, sizeof corners);
  assert_int_equal(back->meshes[1].primitives[0].topology, SUPPLE_TOPOLOGY_LINES);
  supple_asset_free(back);
  cli_output_abandon(output);
}

/* Its texture, its coordinates and its colours go along; those that cannot, stay behind. */
static void gltf_looks(void **state) {
  (void)state;
  static const float texcoords[6] = {0, 0, 1, 0, 0, 1}, colors[12] = {1, 1, 1, 1, 0, NAN};
  static const supple_texture plain = {.image = 0, .wrap_s = 10497, .wrap_t = 10497, .scale = {1, 1}};
  supple_material materials[5] = {{.name = "kept", .base_color_texture = plain},
                                  {.name = "unused", .base_color_texture = plain},
                                  {.name = "other coordinates", .base_color_texture = plain},
                                  {.name = "not read", .base_color_texture = plain},
                                  {.name = "none", .base_color_texture = plain}};
  materials[2].base_color_texture.texcoord = 1;
  materials[3].base_color_texture.image = 1;
  materials[4].base_color_texture.image = SUPPLE_NONE;
  const supple_image images[2] = {{.mime_type = "image/png", .path = "", .data = "1234", .size = 4},
                                  {.mime_type = "image/png", .path = "elsewhere.png"}};
  const supple_asset textured = {.copyright = "",
                                 .materials = materials,
                                 .material_count = 5,
                                 .images = images,
                                 .image_count = 2};
  supple_primitive looks[4];
  cli_posed shown[4];
  static const uint32_t used[4] = {0, 2, 3, 4};
  for (int i = 0; i < 4; i++) {
    looks[i] = sources[0];
    looks[i].material = used[i];
    looks[i].texcoords = texcoords;
    looks[i].colors = colors;
    shown[i] = posed[0];
    shown[i].source = &looks[i];
  }
  cli_output *output = cli_output_open_memory();
  assert_int_equal(cli_export(output, "x.glb", CLI_EXPORT_GLTF, &textured, shown, 4), CLI_FINE);
  size_t size;
  const char *data = cli_output_contents(output, &size);
  supple_error error;
  supple_asset *back = supple_asset_load_memory(data, size, NULL, &error);
  if (!back) fail_msg("%s", error.message);
  assert_int_equal(back->image_count, 1);
  assert_int_equal(back->material_count, 5);
  for (uint32_t i = 0; i < 5; i++)
    assert_int_equal(back->materials[i].base_color_texture.image, i == 0 ? 0 : SUPPLE_NONE);
  assert_memory_equal(back->meshes[0].primitives[0].texcoords, texcoords, sizeof texcoords);
  assert_null(back->meshes[0].primitives[0].colors); /* not finite */
  supple_asset_free(back);
  cli_output_abandon(output);
}

static void what_is_not_finite(void **state) {
  (void)state;
  triangle[4] = NAN;
  static const char *const refused[] = {"x.obj", "x.ply", "x.glb"};
  for (int i = 0; i < 3; i++) cli_output_abandon(export_as(refused[i], CLI_FAILED));
  cli_output *output = export_as("x.json", CLI_FINE);
  assert_non_null(strstr(cli_output_contents(output, NULL), "[0,0,0,1,null,0,"));
  cli_output_abandon(output);
  triangle[4] = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formats_by_ending),
      cmocka_unit_test(json),
      cmocka_unit_test(obj),
      cmocka_unit_test(ply),
      cmocka_unit_test(gltf),
      cmocka_unit_test(gltf_looks),
      cmocka_unit_test(what_is_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
