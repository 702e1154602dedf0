/* test_surface.c: primitives welded and joined, and shells that are closed, open, inside out or
 * neither. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "src/mesh/surface.h"
#include "tests/mesh/mesh_tests.h"

static const double default_tolerance = 1e-5;

/* A mesh under construction. */
enum { MOST = 400 };
typedef struct builder {
  float positions[3 * MOST];
  uint32_t indices[3 * MOST], vertex_count, index_count;
} builder;

static uint32_t add_vertex(builder *b, double x, double y, double z) {
  assert_true(b->vertex_count < MOST);
  float *p = b->positions + 3 * b->vertex_count;
  p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
  return b->vertex_count++;
}

static void add_triangle(builder *b, uint32_t i, uint32_t j, uint32_t k) {
  assert_true(b->index_count + 3 <= 3 * MOST);
  uint32_t *at = b->indices + b->index_count;
  at[0] = i, at[1] = j, at[2] = k;
  b->index_count += 3;
}

/* Face f (0 to 5: -x, +x, -y, +y, -z, +z) of a cube with its own four vertices, counter-clockwise
 * from outside, or from inside. */
static void add_face(builder *b, int f, double x, double y, double z, double size, bool inside_out) {
  const double low[3] = {x, y, z};
  int axis = f / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
  uint32_t corner[4];
  for (int k = 0; k < 4; k++) {
    double p[3] = {low[0], low[1], low[2]};
    if (f % 2) p[axis] += size;
    if (k == 1 || k == 2) p[u] += size;
    if (k >= 2) p[v] += size;
    corner[k] = add_vertex(b, p[0], p[1], p[2]);
  }
  bool counter = (f % 2 == 1) != inside_out;
  add_triangle(b, corner[0], corner[counter ? 1 : 2], corner[counter ? 2 : 1]);
  add_triangle(b, corner[0], corner[counter ? 2 : 3], corner[counter ? 3 : 2]);
}

static void add_cube(builder *b, double x, double y, double z, double size, bool inside_out) {
  for (int f = 0; f < 6; f++) add_face(b, f, x, y, z, size, inside_out);
}

static supple_primitive primitive_of(const builder *b) {
  return (supple_primitive){.topology = SUPPLE_TOPOLOGY_TRIANGLES,
                            .vertex_count = b->vertex_count,
                            .positions = b->positions,
                            .indices = b->indices,
                            .index_count = b->index_count};
}

static supplei_surface join(const builder *const *builders, const bool *use, uint32_t count) {
  supple_primitive primitives[4];
  const supple_primitive *pointers[4];
  bool all[4] = {true, true, true, true};
  for (uint32_t i = 0; i < count; i++)
    primitives[i] = primitive_of(builders[i]), pointers[i] = &primitives[i];
  supplei_surface s;
  assert_true(supplei_surface_create(&s, pointers, use ? use : all, count, default_tolerance, NULL));
  return s;
}

static supplei_surface surface_of(const builder *b) { return join(&b, NULL, 1); }

static void assert_shells(const supplei_surface *s, uint32_t begin, uint32_t end, int sign) {
  assert_true(end <= s->triangle_count);
  for (uint32_t t = begin; t < end; t++) assert_int_equal(s->shells[t], sign);
}

static void seams_are_welded(void **state) {
  (void)state;
  builder b = {.vertex_count = 0};
  add_cube(&b, 1, 2, 3, 2, false);
  supplei_surface s = surface_of(&b);
  assert_int_equal(s.source_count, 24);
  assert_int_equal(s.welded_count, 8);
  assert_int_equal(s.triangle_count, 12);
  assert_shells(&s, 0, 12, 1);
  assert_close(s.diagonal, sqrt(12), 1e-15);
  for (uint32_t v = 0; v < 24; v++) {
    const double *p = s.points + 3 * v, *q = s.points + 3 * s.sources[s.welded[v]];
    for (int c = 0; c < 3; c++) {
      assert_true(p[c] == (double)b.positions[3 * v + (uint32_t)c]);
      assert_true(p[c] == q[c]);
    }
  }
  assert_memory_equal(s.corners, b.indices, 36 * sizeof *b.indices);
  supplei_surface_free(&s);
  supplei_surface_free(&s); /* twice does no harm */

  /* Seams that do not quite meet. */
  for (uint32_t i = 0; i < 72; i++) b.positions[i] += (float)(i % 5) * 1e-6f;
  s = surface_of(&b);
  assert_int_equal(s.welded_count, 8);
  assert_shells(&s, 0, 12, 1);
  supplei_surface_free(&s);
  b.positions[0] -= 1e-3f;
  s = surface_of(&b);
  assert_int_equal(s.welded_count, 9);
  assert_shells(&s, 0, 12, 0);
  supplei_surface_free(&s);
}

static void open_and_inside_out(void **state) {
  (void)state;
  builder b = {.vertex_count = 0};
  add_cube(&b, 0, 0, 0, 1, true);
  supplei_surface s = surface_of(&b);
  assert_shells(&s, 0, 12, -1);
  supplei_surface_free(&s);
  b.index_count -= 3; /* a hole */
  s = surface_of(&b);
  assert_int_equal(s.triangle_count, 11);
  assert_shells(&s, 0, 11, 0);
  supplei_surface_free(&s);

  /* Three cubes apart, each for itself; the origin is in none. */
  builder three = {.vertex_count = 0};
  add_cube(&three, 10, 0, 0, 1, false);
  add_cube(&three, -10, 0, 0, 1, true);
  add_cube(&three, 0, 10, 0, 1, false);
  three.index_count -= 3;
  s = surface_of(&three);
  assert_shells(&s, 0, 12, 1);
  assert_shells(&s, 12, 24, -1);
  assert_shells(&s, 24, 35, 0);
  supplei_surface_free(&s);

  /* One face turned around: its edges are walked twice the same way. */
  builder turned = {.vertex_count = 0};
  for (int f = 0; f < 6; f++) add_face(&turned, f, 0, 0, 0, 1, f == 3);
  s = surface_of(&turned);
  assert_shells(&s, 0, 12, 0);
  supplei_surface_free(&s);
}

static void not_manifold(void **state) {
  (void)state;
  /* Two cubes that touch along an edge are one closed shell. */
  builder b = {.vertex_count = 0};
  add_cube(&b, 0, 0, 0, 1, false);
  add_cube(&b, 1, 1, 0, 1, false);
  supplei_surface s = surface_of(&b);
  assert_int_equal(s.welded_count, 14);
  assert_shells(&s, 0, 24, 1);
  supplei_surface_free(&s);
  /* At a corner alone: two shells. */
  builder corner = {.vertex_count = 0};
  add_cube(&corner, 0, 0, 0, 1, false);
  add_cube(&corner, 1, 1, 1, 1, true);
  s = surface_of(&corner);
  assert_int_equal(s.welded_count, 15);
  assert_shells(&s, 0, 12, 1);
  assert_shells(&s, 12, 24, -1);
  supplei_surface_free(&s);
  /* A fin opens the shell it stands on. */
  builder fin = {.vertex_count = 0};
  add_cube(&fin, 0, 0, 0, 1, false);
  uint32_t tip = add_vertex(&fin, 3, 3, 3);
  add_triangle(&fin, fin.indices[0], fin.indices[1], tip);
  s = surface_of(&fin);
  assert_int_equal(s.triangle_count, 13);
  assert_shells(&s, 0, 13, 0);
  supplei_surface_free(&s);
  /* A triangle stored twice does so as well. */
  builder twice = {.vertex_count = 0};
  add_cube(&twice, 0, 0, 0, 1, false);
  add_triangle(&twice, twice.indices[0], twice.indices[1], twice.indices[2]);
  s = surface_of(&twice);
  assert_shells(&s, 0, 13, 0);
  supplei_surface_free(&s);
}

/* Cards with two sides are closed, but their volume is rounding; a thin plate's is not. */
static void sheets_with_two_sides_have_no_volume(void **state) {
  (void)state;
  uint64_t random = 31;
  for (uint32_t trial = 0; trial < 100; trial++) {
    builder b = {.vertex_count = 0};
    double along[3], across[3], at[3];
    for (int c = 0; c < 3; c++) {
      along[c] = random_between(&random, -1, 1), across[c] = random_between(&random, -1, 1);
      at[c] = random_between(&random, -100, 100);
    }
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < 5; k++)
        add_vertex(&b, at[0] + i * along[0] + k * across[0], at[1] + i * along[1] + k * across[1],
                   at[2] + i * along[2] + k * across[2]);
    for (uint32_t i = 0; i < 4; i++)
      for (uint32_t k = 0; k < 4; k++) {
        uint32_t a = 5 * i + k;
        add_triangle(&b, a, a + 1, a + 6), add_triangle(&b, a, a + 6, a + 5);
        add_triangle(&b, a, a + 6, a + 1), add_triangle(&b, a, a + 5, a + 6);
      }
    supplei_surface s = surface_of(&b);
    assert_int_equal(s.triangle_count, 64);
    assert_shells(&s, 0, 64, 0);
    supplei_surface_free(&s);
  }
  builder plate = {.vertex_count = 0};
  add_cube(&plate, 100, 0, 0, 1, false);
  for (uint32_t v = 0; v < 24; v++) plate.positions[3 * v + 2] *= 1e-4f;
  supplei_surface s = surface_of(&plate);
  assert_shells(&s, 0, 12, 1);
  supplei_surface_free(&s);
  /* So is that of a small shell beside a large one. */
  builder small = {.vertex_count = 0};
  add_cube(&small, 0, 0, 0, 1000, false);
  add_cube(&small, 0, 2000, 0, 0.5, true);
  s = surface_of(&small);
  assert_shells(&s, 0, 12, 1);
  assert_shells(&s, 12, 24, -1);
  supplei_surface_free(&s);
}

static void degenerate_triangles_are_dropped(void **state) {
  (void)state;
  builder b = {.vertex_count = 0};
  add_cube(&b, 0, 0, 0, 1, false);
  uint32_t near = add_vertex(&b, 1e-7, 0, 0), far = add_vertex(&b, 5, 5, 5);
  add_triangle(&b, 0, 0, 1);
  add_triangle(&b, 2, 1, 2);
  add_triangle(&b, near, 0, far); /* the cube's first corner, twice */
  add_triangle(&b, far, far, far);
  b.indices[b.index_count++] = 1; /* two thirds of a triangle */
  b.indices[b.index_count++] = 2;
  supplei_surface s = surface_of(&b);
  assert_int_equal(s.triangle_count, 12);
  assert_int_equal(s.welded_count, 9);
  assert_shells(&s, 0, 12, 1);
  supplei_surface_free(&s);
  builder none = {.vertex_count = 0};
  s = surface_of(&none);
  assert_int_equal(s.triangle_count, 0);
  assert_int_equal(s.welded_count, 0);
  assert_true(s.diagonal == 0);
  supplei_surface_free(&s);
}

/* Half a cube in each of two primitives, between primitives that do not count. */
static void several_primitives_are_joined(void **state) {
  (void)state;
  builder halves[2] = {{.vertex_count = 0}, {.vertex_count = 0}}, other = {.vertex_count = 0};
  for (int f = 0; f < 6; f++) add_face(&halves[f / 3], f, 0, 0, 0, 1, false);
  add_cube(&other, 50, 50, 50, 1, false);
  supple_primitive left[4] = {primitive_of(&other), primitive_of(&other), primitive_of(&other),
                              primitive_of(&other)};
  left[0].topology = SUPPLE_TOPOLOGY_LINES;
  left[1].indices = NULL;
  left[2].positions = NULL;
  supple_primitive first = primitive_of(&halves[0]), second = primitive_of(&halves[1]);
  const supple_primitive *primitives[] = {&left[0], &first,  &left[1], &left[2],
                                          &left[3], &second, &left[0]};
  const bool use[] = {true, true, true, true, false, true, true};
  supplei_surface s;
  assert_true(supplei_surface_create(&s, primitives, use, 7, default_tolerance, NULL));
  assert_int_equal(s.source_count, 24);
  assert_int_equal(s.welded_count, 8);
  assert_int_equal(s.triangle_count, 12);
  assert_shells(&s, 0, 12, 1);
  assert_close(s.diagonal, sqrt(3), 1e-15);
  static const uint32_t begins[] = {0, 0, 12, 12, 12, 12, 24, 24};
  assert_memory_equal(s.begins, begins, sizeof begins);
  for (uint32_t v = 0; v < 24; v++)
    assert_int_equal(supplei_surface_primitive(&s, v), v < 12 ? 1 : 5);
  assert_int_equal(s.corners[3 * 6], 12 + halves[1].indices[0]);
  supplei_surface_free(&s);

  const builder *both[] = {&halves[0], &halves[1]};
  s = join(both, (bool[]){true, false}, 2);
  assert_int_equal(s.triangle_count, 6);
  assert_shells(&s, 0, 6, 0);
  supplei_surface_free(&s);
}

static void what_is_no_number(void **state) {
  (void)state;
  builder b = {.vertex_count = 0};
  add_cube(&b, 0, 0, 0, 1, false);
  add_cube(&b, 5, 5, 5, 1, false);
  b.positions[7] = NAN, b.positions[3] = INFINITY;
  supplei_surface s = surface_of(&b);
  assert_shells(&s, 0, 12, 0);
  assert_shells(&s, 12, 24, 1);
  assert_close(s.diagonal, sqrt(108), 1e-6); /* of the numbers */
  supplei_surface_free(&s);
  /* Closed by its indices: there is still no volume. */
  builder tetrahedron = {.vertex_count = 0};
  add_vertex(&tetrahedron, 0, 0, 0), add_vertex(&tetrahedron, 1, 0, 0);
  add_vertex(&tetrahedron, 0, 1, 0), add_vertex(&tetrahedron, 0, 0, 1);
  add_triangle(&tetrahedron, 0, 2, 1), add_triangle(&tetrahedron, 0, 1, 3);
  add_triangle(&tetrahedron, 0, 3, 2), add_triangle(&tetrahedron, 1, 2, 3);
  for (int bad = 0; bad < 3; bad++) {
    if (bad == 1) tetrahedron.positions[0] = NAN;
    if (bad == 2) tetrahedron.positions[0] = INFINITY;
    s = surface_of(&tetrahedron);
    assert_shells(&s, 0, 4, bad == 0);
    supplei_surface_free(&s);
  }
  /* The ends of what a float holds. */
  builder ends = {.vertex_count = 0};
  add_cube(&ends, -(double)FLT_MAX, -(double)FLT_MAX, 0, (double)FLT_MAX, false);
  s = surface_of(&ends);
  assert_int_equal(s.welded_count, 8);
  assert_shells(&s, 0, 12, 1);
  supplei_surface_free(&s);
}

/* A disc whose edges share the last vertex, and a long strip: time that grew with the square would
 * show. */
static void large_surfaces(void **state) {
  (void)state;
  enum { RIM = 150000 };
  float *positions = malloc((RIM + 1) * 3 * sizeof *positions);
  uint32_t *indices = malloc(RIM * 3 * sizeof *indices);
  assert_true(positions && indices);
  for (uint32_t i = 0; i < RIM; i++) {
    positions[3 * i] = (float)i, positions[3 * i + 1] = (float)(i % 7), positions[3 * i + 2] = 0;
    indices[3 * i] = i, indices[3 * i + 1] = (i + 1) % RIM, indices[3 * i + 2] = RIM;
  }
  positions[3 * RIM] = positions[3 * RIM + 1] = positions[3 * RIM + 2] = 10;
  supple_primitive primitive = {
      .vertex_count = RIM + 1, .positions = positions, .indices = indices, .index_count = 3 * RIM};
  const supple_primitive *primitives[] = {&primitive};
  supplei_surface s;
  for (int strip = 0; strip < 2; strip++) {
    for (uint32_t i = 0; i < RIM && strip; i++)
      for (uint32_t c = 0; c < 3; c++) indices[3 * i + c] = (RIM - 2 - i + c) % RIM;
    assert_true(supplei_surface_create(&s, primitives, (bool[]){true}, 1, 0, NULL));
    assert_int_equal(s.triangle_count, RIM);
    assert_shells(&s, 0, RIM, 0);
    supplei_surface_free(&s);
  }
  free(positions);
  free(indices);
}

static void too_many_vertices(void **state) {
  (void)state;
  float position[3] = {0, 0, 0};
  uint32_t index = 0;
  supple_primitive huge = {.vertex_count = UINT32_MAX, .positions = position, .indices = &index};
  supple_primitive half = huge;
  half.vertex_count = UINT32_MAX / 2 + 1;
  supple_primitive corners = {
      .vertex_count = 1, .positions = position, .indices = &index, .index_count = UINT32_MAX};
  const supple_primitive *one[] = {&huge}, *two[] = {&half, &half}, *three[] = {&corners};
  ledger book = {0};
  supple_allocator allocator = ledger_allocator(&book);
  supplei_surface s;
  assert_false(supplei_surface_create(&s, one, (bool[]){true}, 1, 1e-5, &allocator));
  supplei_surface_free(&s);
  assert_false(supplei_surface_create(&s, two, (bool[]){true, true}, 2, 1e-5, &allocator));
  supplei_surface_free(&s);
  assert_false(supplei_surface_create(&s, three, (bool[]){true}, 1, 1e-5, &allocator));
  supplei_surface_free(&s);
  assert_int_equal(book.live, 0);
  assert_false(book.wrong);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  builder b = {.vertex_count = 0};
  add_cube(&b, 0, 0, 0, 1, false);
  supple_primitive primitive = primitive_of(&b);
  const supple_primitive *primitives[] = {&primitive, &primitive};
  bool made = false;
  for (size_t fail_at = 1; !made; fail_at++) {
    ledger book = {.fail_at = fail_at};
    supple_allocator allocator = ledger_allocator(&book);
    supplei_surface s;
    made = supplei_surface_create(&s, primitives, (bool[]){true, true}, 2, 1e-5, &allocator);
    assert_true(made ? fail_at > 8 : book.calls >= fail_at);
    supplei_surface_free(&s);
    assert_int_equal(book.live, 0);
    assert_false(book.wrong);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(seams_are_welded),
      cmocka_unit_test(open_and_inside_out),
      cmocka_unit_test(not_manifold),
      cmocka_unit_test(sheets_with_two_sides_have_no_volume),
      cmocka_unit_test(degenerate_triangles_are_dropped),
      cmocka_unit_test(several_primitives_are_joined),
      cmocka_unit_test(what_is_no_number),
      cmocka_unit_test(large_surfaces),
      cmocka_unit_test(too_many_vertices),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
