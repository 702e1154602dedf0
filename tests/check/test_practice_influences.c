/* test_practice_influences.c: weights, numbers and places of influences, and what they move. */
#include "practice_tests.h"

#define PRIMITIVE "/meshes/0/primitives/0"

static void sums(void **state) {
  (void)state;
  rig r = clean_rig();
  r.weights[0][3][1] = 0.4f; /* of (1, 2, 0), which is √5 from the origin */
  expect(&r, &(expected){"SKINNING_WEIGHT_SUMS", PRIMITIVE, 1, 0.1 * sqrt(5),
                         "1 of 4 vertices sum to 0.9 … 0.9"});
  r.clips = MOVE_A; /* to (4, 2, 0) */
  expect(&r, &(expected){"SKINNING_WEIGHT_SUMS", PRIMITIVE, 1, 0.1 * sqrt(20),
                         "in clip \"move\" at 1 s"});
  r.weights[0][1][0] = 1.25f; /* of (0, 1, 0), moved to (3, 1, 0) */
  expect(&r, &(expected){"SKINNING_WEIGHT_SUMS", PRIMITIVE, 2, 0.25 * sqrt(10),
                         "sum to 0.9 … 1.25; as stored they move vertex 1"});
  r = clean_rig();
  r.weights[0][3][1] = 0.500005f; /* within what floats of another program may be off */
  expect_not(&r, "SKINNING_WEIGHT_SUMS");
  r.weights[0][3][1] = 0.50002f;
  expect(&r, &(expected){"SKINNING_WEIGHT_SUMS", PRIMITIVE, 1, 2e-5 * sqrt(5), "1.00002"});
}

static void none(void **state) {
  (void)state;
  rig r = clean_rig();
  r.weights[0][3][0] = r.weights[0][3][1] = 0; /* first names b, which a moves by (3, 0, 0) */
  r.clips = MOVE_A;
  expect(&r, &(expected){"SKINNING_VERTICES_UNWEIGHTED", PRIMITIVE, 1, sqrt(20),
                         "1 of 4 vertices have no weight, the first is 3; viewers that leave them "
                         "where the mesh has "
                         "them show them up to 3 m"});
  expect_not(&r, "SKINNING_WEIGHT_SUMS");
}

static void four_and_two(rig *r, int first, int second) {
  static const float large[4] = {0.3f, 0.2f, 0.2f, 0.1f}, small[4] = {0.1f, 0.1f};
  for (int v = 0; v < 4; v++) {
    memcpy(r->weights[first][v], large, sizeof large);
    memcpy(r->weights[second][v], small, sizeof small);
    for (int i = 0; i < 4; i++) {
      r->joints[first][v][i] = (uint8_t)i;
      r->joints[second][v][i] = (uint8_t)(i < 2 ? 4 + i : 0);
    }
  }
}

static void many(void **state) {
  (void)state;
  rig r = six_joints();
  four_and_two(&r, 0, 1);
  /* j4 carries a tenth by (10, 0, 0); of the three tenths the lowest joint, j3, is kept: nothing moves */
  expect(&r, &(expected){"SKINNING_INFLUENCES_MANY", PRIMITIVE, 4, 1,
                         "4 of 4 vertices have more than 4 influences, up to 6"});
  expect_not(&r, "SKINNING_SETS_UNORDERED");
  for (int v = 0; v < 4; v++) { /* four in two sets */
    r.weights[0][v][2] = 0, r.weights[0][v][3] = 0;
    r.weights[0][v][0] = 0.5f, r.weights[0][v][1] = 0.3f;
  }
  expect_not(&r, "SKINNING_INFLUENCES_MANY");
  expect(&r, &(expected){"SKINNING_SETS_UNORDERED", PRIMITIVE, 4, 1, "of 4 of 4 vertices"});
}

static void unordered(void **state) {
  (void)state;
  rig r = six_joints();
  four_and_two(&r, 1, 0);
  /* JOINTS_0 alone: j4 and j5 by halves, 5 m; all of them: 1 m */
  expect(&r, &(expected){"SKINNING_SETS_UNORDERED", PRIMITIVE, 4, 4,
                         "JOINTS_0 does not hold the largest weights of 4 of 4"});
  expect(&r, &(expected){"SKINNING_INFLUENCES_MANY", PRIMITIVE, 4, 1, "20 % of a vertex's weight"});
}

static void empty_sets(void **state) {
  (void)state;
  rig r = clean_rig();
  r.meshes = TWO_SETS;
  expect(&r, &(expected){"SKINNING_SETS_EMPTY", PRIMITIVE, 1, (double)NAN,
                         "of 2 sets of influences the last 1"});
  r.weights[1][0][0] = 1;
  expect_not(&r, "SKINNING_SETS_EMPTY");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums), cmocka_unit_test(none),
                                     cmocka_unit_test(many), cmocka_unit_test(unordered),
                                     cmocka_unit_test(empty_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
