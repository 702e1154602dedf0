/* test_fixture_net.c: surface nets of spheres, whose area and volume are known. */
#include "cli/fixture_net.h"

#include "fixture_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static double ball(supple_vec3 p) { return supple_vec3_length(p) - 0.5; }

/* Two balls at x = ±0.4 that grow together, and one above that touches neither. */
static double balls(supple_vec3 p) {
  supple_vec3 side = supple_vec3_make(fabs(p.x) - 0.4, p.y, p.z),
              above = supple_vec3_make(p.x, p.y - 2, p.z);
  double a = supple_vec3_length(side) - 0.5, b = supple_vec3_length(above) - 0.5;
  return a < b ? a : b;
}

static const cli_net_options options = {.spacing = 0.05,
                                        .least = {0, -1.03, -1.01},
                                        .most = {1, 3, 1},
                                        .seed = {0.02, 0, 0},
                                        .rounds = 4};

/* As a primitive, to be looked at by mesh_facts_of. */
static mesh_facts facts_of(const cli_net *net) {
  size_t count = net->vertex_count;
  float *positions = malloc(3 * count * sizeof *positions),
        *normals = malloc(3 * count * sizeof *normals);
  assert_non_null(positions);
  assert_non_null(normals);
  for (size_t i = 0; i < count; i++) {
    const supple_vec3 *p = &net->positions[i], *n = &net->normals[i];
    const float place[3] = {(float)p->x, (float)p->y, (float)p->z};
    const float normal[3] = {(float)n->x, (float)n->y, (float)n->z};
    for (size_t k = 0; k < 3; k++) positions[3 * i + k] = place[k], normals[3 * i + k] = normal[k];
  }
  supple_primitive primitive = {.vertex_count = net->vertex_count,
                                .positions = positions,
                                .normals = normals,
                                .indices = net->triangles,
                                .index_count = 3 * net->triangle_count};
  mesh_facts facts = mesh_facts_of(&primitive);
  free(positions);
  free(normals);
  return facts;
}

static void test_ball(void **state) {
  (void)state;
  cli_net net;
  assert_true(cli_net_create(&net, ball, &options));
  assert_int_equal(net.vertex_count, 2 * net.half);
  assert_int_equal(net.triangle_count, 2 * net.vertex_count - 4); /* a sphere's */
  mesh_facts facts = facts_of(&net);
  assert_int_equal(facts.repeated + facts.open + facts.inward, 0);
  assert_int_equal(facts.pieces, 1);
  double whole = 4.0 / 3 * SUPPLE_PI * 0.125;
  assert_true(facts.volume < whole && facts.volume > 0.985 * whole);
  for (uint32_t i = 0; i < net.vertex_count; i++) {
    assert_true(fabs(supple_vec3_length(net.positions[i]) - 0.5) < 1e-6);
    /* the normal is the place, twice as long */
    supple_vec3 off = supple_vec3_subtract(supple_vec3_scale(net.positions[i], 2), net.normals[i]);
    assert_true(supple_vec3_length(off) < 1e-5);
  }
  for (uint32_t i = 0; i < net.half; i++) {
    const supple_vec3 *p = &net.positions[i], *q = &net.positions[net.half + i];
    assert_true(p->x == -q->x && p->y == q->y && p->z == q->z && p->x >= 0);
  }
  cli_net_free(&net);
}

static void test_rounds_even_it_out(void **state) {
  (void)state;
  double longest[2];
  for (int k = 0; k < 2; k++) {
    cli_net_options chosen = options;
    chosen.rounds = k ? 8 : 0;
    cli_net net;
    assert_true(cli_net_create(&net, ball, &chosen));
    double least = 1, most = 0;
    for (uint32_t i = 0; i < 3 * net.triangle_count; i++) {
      uint32_t a = net.triangles[i], b = net.triangles[i % 3 == 2 ? i - 2 : i + 1];
      double edge = supple_vec3_length(supple_vec3_subtract(net.positions[a], net.positions[b]));
      least = edge < least ? edge : least;
      most = edge > most ? edge : most;
    }
    longest[k] = most / least;
    cli_net_free(&net);
  }
  assert_true(longest[1] < longest[0] && longest[1] < 4);
}

static void test_follows_one_piece_across_the_middle(void **state) {
  (void)state;
  cli_net net;
  assert_true(cli_net_create(&net, balls, &options));
  mesh_facts facts = facts_of(&net);
  assert_int_equal(facts.repeated + facts.open, 0);
  assert_int_equal(facts.pieces, 1);
  for (uint32_t i = 0; i < net.vertex_count; i++) assert_true(net.positions[i].y < 1);
  cli_net_free(&net);
}

static double nothing(supple_vec3 p) {
  (void)p;
  return 1;
}

static void test_no_surface(void **state) {
  (void)state;
  cli_net net;
  assert_false(cli_net_create(&net, nothing, &options));
  assert_null(net.positions);
  assert_null(net.triangles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ball),
      cmocka_unit_test(test_rounds_even_it_out),
      cmocka_unit_test(test_follows_one_piece_across_the_middle),
      cmocka_unit_test(test_no_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
