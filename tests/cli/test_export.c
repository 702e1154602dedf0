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
static const cli_posed posed[2] = {{7, "a name", &sources[0], triangle, normals, NULL},
                                   {9, "", &sources[1], line, NULL, NULL}};
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
      cmocka_unit_test(what_is_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
