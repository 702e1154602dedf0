/* test_draco.c: a square in both encodings of Draco, every type of numbers, and data that is damaged. */
#include "draco_samples.h"

#include <supple/codecs.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const supple_codecs *all;

static supple_result open_bytes(const unsigned char *data, size_t size, void **mesh,
                                uint32_t *points, uint32_t *indices) {
  *points = *indices = UINT32_MAX;
  return all->draco_open(NULL, data, size, mesh, points, indices);
}

static void check_values(void *mesh, uint32_t id, uint32_t type, uint32_t components,
                         const void *wanted, size_t size) {
  unsigned char out[64];
  assert_int_equal(all->draco_read(NULL, mesh, id, type, components, out), SUPPLE_OK);
  assert_memory_equal(out, wanted, size);
}

static void in_order(void **state) {
  (void)state;
  void *mesh;
  uint32_t points, indices, triangles[6];
  assert_int_equal(open_bytes(sequential, sizeof sequential, &mesh, &points, &indices), SUPPLE_OK);
  assert_true(points == 4 && indices == 6);
  assert_int_equal(all->draco_read(NULL, mesh, SUPPLE_NONE, 5125, 1, triangles), SUPPLE_OK);
  assert_memory_equal(triangles, square_triangles, sizeof triangles);
  check_values(mesh, 0, 5126, 3, square_positions, sizeof square_positions);
  check_values(mesh, 1, 5121, 4, square_joints, sizeof square_joints);
  check_values(mesh, 2, 5126, 4, square_weights, sizeof square_weights);
  check_values(mesh, 3, 5123, 4, square_colors, sizeof square_colors);
  check_values(mesh, 4, 5120, 2, square_signs, sizeof square_signs);
  /* wider types hold the same numbers */
  const uint16_t wide[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255, 254, 253, 252};
  const int16_t wide_signs[8] = {-128, 127, 0, 1, -1, 2, 3, -3};
  check_values(mesh, 1, 5123, 4, wide, sizeof wide);
  check_values(mesh, 4, 5122, 2, wide_signs, sizeof wide_signs);
  unsigned char out[64];
  /* wrong: narrower, another width, no such attribute, no such type */
  assert_int_equal(all->draco_read(NULL, mesh, 3, 5121, 4, out), SUPPLE_ERROR_FORMAT);
  assert_int_equal(all->draco_read(NULL, mesh, 0, 5126, 4, out), SUPPLE_ERROR_FORMAT);
  assert_int_equal(all->draco_read(NULL, mesh, 7, 5126, 3, out), SUPPLE_ERROR_FORMAT);
  assert_int_equal(all->draco_read(NULL, mesh, 0, 5130, 3, out), SUPPLE_ERROR_FORMAT);
  all->draco_close(NULL, mesh);
}

/* The edgebreaker has an order of its own: every vertex must be one of the square's, with all its attributes. */
static void in_another_order(void **state) {
  (void)state;
  void *mesh;
  uint32_t points, indices, triangles[6], seen = 0;
  float positions[12], weights[16];
  uint8_t joints[16];
  assert_int_equal(open_bytes(edgebreaker, sizeof edgebreaker, &mesh, &points, &indices), SUPPLE_OK);
  assert_true(points == 4 && indices == 6);
  assert_int_equal(all->draco_read(NULL, mesh, SUPPLE_NONE, 5125, 1, triangles), SUPPLE_OK);
  assert_int_equal(all->draco_read(NULL, mesh, 0, 5126, 3, positions), SUPPLE_OK);
  assert_int_equal(all->draco_read(NULL, mesh, 1, 5121, 4, joints), SUPPLE_OK);
  assert_int_equal(all->draco_read(NULL, mesh, 2, 5126, 4, weights), SUPPLE_OK);
  uint32_t was[4];
  for (uint32_t i = 0; i < 4; i++)
    for (uint32_t k = 0; k < 4; k++)
      if (memcmp(positions + 3 * i, square_positions + 3 * k, 12) == 0) {
        assert_memory_equal(joints + 4 * i, square_joints + 4 * k, 4);
        assert_memory_equal(weights + 4 * i, square_weights + 4 * k, 16);
        was[i] = k;
        seen |= 1u << k;
      }
  assert_int_equal(seen, 15);
  for (uint32_t t = 0; t < 2; t++) { /* the same triangles, with the same winding */
    bool found = false;
    for (uint32_t other = 0; other < 2; other++)
      for (uint32_t turn = 0; turn < 3; turn++) {
        bool equal = true;
        for (uint32_t k = 0; k < 3; k++)
          equal &= was[triangles[3 * t + k]] == square_triangles[3 * other + (k + turn) % 3];
        found |= equal;
      }
    assert_true(found);
  }
  all->draco_close(NULL, mesh);
}

static void limits(void **state) {
  (void)state;
  void *mesh;
  uint32_t points = 3, indices = UINT32_MAX;
  assert_int_equal(all->draco_open(NULL, sequential, sizeof sequential, &mesh, &points, &indices),
                   SUPPLE_ERROR_LIMIT);
  points = 4, indices = 5;
  assert_int_equal(all->draco_open(NULL, edgebreaker, sizeof edgebreaker, &mesh, &points, &indices),
                   SUPPLE_ERROR_LIMIT);
  assert_null(mesh);
  points = 4, indices = 6;
  assert_int_equal(all->draco_open(NULL, edgebreaker, sizeof edgebreaker, &mesh, &points, &indices),
                   SUPPLE_OK);
  all->draco_close(NULL, mesh);
}

static void read_everything(void *mesh, uint32_t points, uint32_t indices) {
  static const uint32_t types[] = {5126, 5121, 5126, 5123, 5120}, widths[] = {3, 4, 4, 4, 2};
  if (points > 4096 || indices > 4096) return;
  unsigned char *out = malloc(16 * (size_t)points + 4 * (size_t)indices + 1);
  for (uint32_t id = 0; id < 5; id++)
    (void)all->draco_read(NULL, mesh, id, types[id], widths[id], out);
  if (indices) (void)all->draco_read(NULL, mesh, SUPPLE_NONE, 5125, 1, out);
  free(out);
}

static void try_bytes(const unsigned char *data, size_t size, bool must_fail) {
  void *mesh = NULL;
  uint32_t points = 100000, indices = 100000;
  unsigned char *exact = malloc(size + !size);
  memcpy(exact, data, size);
  const supple_result result = all->draco_open(NULL, exact, size, &mesh, &points, &indices);
  assert_true(result || !must_fail);
  assert_int_equal(mesh != NULL, result == SUPPLE_OK);
  if (mesh) {
    read_everything(mesh, points, indices);
    all->draco_close(NULL, mesh);
  }
  free(exact);
}

static void damaged(void **state) {
  (void)state;
  const struct {
    const unsigned char *data;
    size_t size;
  } both[] = {{sequential, sizeof sequential}, {edgebreaker, sizeof edgebreaker}};
  unsigned char copy[512];
  for (size_t i = 0; i < 2; i++) {
    assert_true(both[i].size <= sizeof copy);
    for (size_t size = 0; size < both[i].size - 4; size++) try_bytes(both[i].data, size, size < 20);
    for (size_t at = 0; at < both[i].size; at++)
      for (unsigned value = 0; value < 256; value += 17) {
        memcpy(copy, both[i].data, both[i].size);
        copy[at] = (unsigned char)value;
        try_bytes(copy, both[i].size, at < 5 && copy[at] != both[i].data[at]);
      }
  }
}

static void other_kinds(void **state) {
  (void)state;
  void *mesh;
  uint32_t points, indices;
  assert_int_equal(open_bytes(cloud, sizeof cloud, &mesh, &points, &indices),
                   SUPPLE_ERROR_UNSUPPORTED);
  assert_int_equal(open_bytes((const unsigned char *)"", 0, &mesh, &points, &indices),
                   SUPPLE_ERROR_FORMAT);
  assert_null(mesh);
}

int main(void) {
  all = supple_codecs_all();
  if (!all->draco_open) {
    print_message("skipped: this build has no Draco (libdraco-dev)\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_order), cmocka_unit_test(in_another_order),
                                     cmocka_unit_test(limits), cmocka_unit_test(damaged),
                                     cmocka_unit_test(other_kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
