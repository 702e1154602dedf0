/* test_pose.c: worlds, rotations and mirrors of node hierarchies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig_reference.h"

static supple_pose *create(const supple_skeleton *skeleton) {
  supple_pose *pose = supple_pose_create(skeleton, NULL, NULL);
  assert_non_null(pose);
  return pose;
}

static void assert_affine(const supple_affine64 *a, const double expected[12], double tolerance) {
  for (int i = 0; i < 12; i++) {
    const double d = fabs(a->m[i / 4][i % 4] - expected[i]);
    if (!(d <= tolerance))
      fail_msg("entry %d is %.17g, not %.17g", i, a->m[i / 4][i % 4], expected[i]);
  }
}

static void worlds_by_hand(void **state) {
  (void)state;
  /* node 1 is the root: a quarter turn about z, twice as large; node 0 hangs on its x axis */
  supple_node nodes[2] = {plain_node(1), plain_node(SUPPLE_NONE)};
  const double half = sqrt(0.5);
  nodes[1].rest.translation = supple_vec3_make(1, 2, 3);
  nodes[1].rest.rotation = supple_quat_make(0, 0, half, half);
  nodes[1].rest.scale = supple_vec3_make(2, 2, 2);
  nodes[0].rest.translation = supple_vec3_make(1, 0, 0);
  nodes[0].rest.scale = supple_vec3_make(1, 3, 1);
  const uint32_t order[2] = {1, 0};
  const float weights[3] = {0.25f, 0.5f, 1};
  const supple_skeleton skeleton = {nodes, order, 2, weights, 3};
  supple_pose *pose = create(&skeleton);
  assert_affine(&pose->worlds[1], (double[]){0, -2, 0, 1, 2, 0, 0, 2, 0, 0, 2, 3}, 1e-15);
  assert_affine(&pose->worlds[0], (double[]){0, -6, 0, 1, 2, 0, 0, 4, 0, 0, 2, 3}, 4e-15);
  assert_memory_equal(pose->weights, weights, sizeof weights);
  assert_true(fabs(pose->rotations[0].z - half) < 1e-15 && fabs(pose->rotations[0].w - half) < 1e-15);
  assert_int_equal(pose->mirrored[0], 0);

  pose->locals[1].translation = supple_vec3_make(0, 0, 0);
  pose->weights[1] = 9;
  assert_affine(&pose->worlds[0], (double[]){0, -6, 0, 1, 2, 0, 0, 4, 0, 0, 2, 3}, 4e-15);
  supple_pose_update(pose);
  assert_affine(&pose->worlds[0], (double[]){0, -6, 0, 0, 2, 0, 0, 2, 0, 0, 2, 0}, 4e-15);
  supple_pose_rest(pose);
  assert_affine(&pose->worlds[0], (double[]){0, -6, 0, 1, 2, 0, 0, 4, 0, 0, 2, 3}, 4e-15);
  assert_memory_equal(pose->weights, weights, sizeof weights);
  supple_pose_destroy(pose);
}

static void matrices_keep_their_shear(void **state) {
  (void)state;
  supple_node nodes[2] = {plain_node(SUPPLE_NONE), plain_node(0)};
  const supple_affine64 shear = {{{1, 0.5, 0, 7}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  nodes[0].has_matrix = true;
  nodes[0].matrix = shear;
  nodes[0].rest.translation = supple_vec3_make(7, 0, 0);
  nodes[1].rest.translation = supple_vec3_make(0, 2, 0);
  const uint32_t order[2] = {0, 1};
  const supple_skeleton skeleton = {nodes, order, 2, NULL, 0};
  supple_pose *pose = create(&skeleton);
  assert_int_equal(pose->use_matrix[0], 1);
  assert_int_equal(pose->use_matrix[1], 0);
  const double sheared[12] = {1, 0.5, 0, 8, 0, 1, 0, 2, 0, 0, 1, 0};
  assert_affine(&pose->worlds[1], sheared, 0);

  pose->use_matrix[0] = 0; /* the nearest transform without shear takes over */
  supple_pose_update(pose);
  assert_affine(&pose->worlds[1], (double[]){1, 0, 0, 7, 0, 1, 0, 2, 0, 0, 1, 0}, 0);
  supple_pose_rest(pose);
  assert_affine(&pose->worlds[1], sheared, 0);
  supple_pose_destroy(pose);
}

/* The orthogonal factors of all locals, multiplied up to the root; each by Newton's iteration. */
static matrix4 reference_turn(const supple_pose *pose, uint32_t node) {
  matrix4 turn = matrix4_identity();
  for (; node != SUPPLE_NONE; node = pose->skeleton->nodes[node].parent)
    turn =
        matrix4_multiply(matrix4_polar(pose->use_matrix[node]
                                           ? matrix4_from_affine(&pose->skeleton->nodes[node].matrix)
                                           : matrix4_from_transform(&pose->locals[node])),
                         turn);
  return turn;
}

static void random_hierarchies_match_the_definition(void **state) {
  (void)state;
  uint64_t seed = 1;
  int mirrors = 0;
  for (int round = 0; round < 20; round++) {
    random_rig rig;
    random_rig_make(&rig, &seed, round % 2 == 1);
    supple_pose *pose = create(&rig.skeleton);
    for (uint32_t n = 0; n < RANDOM_NODES; n++) {
      const matrix4 world = reference_world(pose, n);
      assert_true(matrix4_distance(matrix4_from_affine(&pose->worlds[n]), world) < 1e-13);
      assert_int_equal(pose->mirrored[n], matrix4_determinant(world) < 0);
      assert_true(fabs(supple_quat_norm(pose->rotations[n]) - 1) < 1e-15);
      const matrix4 turn = matrix4_of_turn(pose->rotations[n], pose->mirrored[n]);
      assert_true(matrix4_distance(turn, reference_turn(pose, n)) < 1e-12);
      mirrors += pose->mirrored[n];
    }
    supple_pose_destroy(pose);
  }
  assert_true(mirrors > 100);
}

static void mirrors_count_up_to_the_root(void **state) {
  (void)state;
  const supple_vec3 scales[6] = {{-1, 1, 1}, {1, -2, 1},   {-1, -1, -3},
                                 {0, 1, -1}, {-0.0, 0, 1}, {0, 0, 0}};
  const uint8_t expected[6] = {1, 0, 1, 0, 0, 0};
  supple_node nodes[6];
  uint32_t order[6];
  for (uint32_t n = 0; n < 6; n++) {
    nodes[n] = plain_node(n ? n - 1 : SUPPLE_NONE);
    nodes[n].rest.scale = scales[n];
    order[n] = n;
  }
  const supple_skeleton skeleton = {nodes, order, 6, NULL, 0};
  supple_pose *pose = create(&skeleton);
  for (uint32_t n = 0; n < 6; n++) assert_int_equal(pose->mirrored[n], expected[n]);
  supple_pose_destroy(pose);
}

static void zero_scale_keeps_the_rotation(void **state) {
  (void)state;
  supple_node nodes[3] = {plain_node(SUPPLE_NONE), plain_node(0), plain_node(SUPPLE_NONE)};
  nodes[0].rest.scale = supple_vec3_make(0, 0, 0);
  nodes[1].rest.rotation = supple_quat_make(0.6, 0, 0, 0.8);
  nodes[2].has_matrix = true; /* all zero */
  memset(&nodes[2].matrix, 0, sizeof nodes[2].matrix);
  const uint32_t order[3] = {0, 1, 2};
  const supple_skeleton skeleton = {nodes, order, 3, NULL, 0};
  supple_pose *pose = create(&skeleton);
  assert_affine(&pose->worlds[1], (double[12]){0}, 0);
  const supple_quat q = pose->rotations[1];
  assert_true(fabs(q.x - 0.6) < 1e-15 && q.y == 0 && q.z == 0 && fabs(q.w - 0.8) < 1e-15);
  assert_true(pose->rotations[2].w == 1 && !pose->mirrored[2]);
  supple_pose_destroy(pose);
}

/* A flattened mirror turns as the mirror does that it is the limit of. */
static void flattened_mirrors_are_limits(void **state) {
  (void)state;
  for (int signs = 0; signs < 8; signs++) {
    supple_node nodes[2] = {plain_node(SUPPLE_NONE), plain_node(SUPPLE_NONE)};
    const supple_vec3 scale = {signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1};
    nodes[0].rest.rotation = nodes[1].rest.rotation = supple_quat_make(0.1, 0.5, -0.3, 0.7);
    nodes[0].rest.scale = nodes[1].rest.scale = scale;
    if (scale.y > 0) nodes[0].rest.scale.y = 0, nodes[1].rest.scale.y = 1e-3;
    const uint32_t order[2] = {0, 1};
    const supple_skeleton skeleton = {nodes, order, 2, NULL, 0};
    supple_pose *pose = create(&skeleton);
    const matrix4 near = matrix4_polar(reference_world(pose, 1));
    assert_true(matrix4_distance(matrix4_of_turn(pose->rotations[0], pose->mirrored[0]), near) <
                1e-12);
    supple_pose_destroy(pose);
  }
}

static void rotations_of_any_length(void **state) {
  (void)state;
  supple_node nodes[2] = {plain_node(SUPPLE_NONE), plain_node(SUPPLE_NONE)};
  nodes[0].rest.rotation = supple_quat_make(0, 0, 5, 5);
  nodes[1].rest.rotation = supple_quat_make(0, 0, 0, 0);
  const uint32_t order[2] = {0, 1};
  const supple_skeleton skeleton = {nodes, order, 2, NULL, 0};
  supple_pose *pose = create(&skeleton);
  assert_affine(&pose->worlds[0], (double[]){0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}, 1e-15);
  assert_affine(&pose->worlds[1], (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 0);
  assert_true(fabs(supple_quat_norm(pose->rotations[0]) - 1) < 1e-15);
  assert_true(pose->rotations[1].w == 1);
  supple_pose_destroy(pose);
}

static void deep_chains_stay_rotations(void **state) {
  (void)state;
  enum { DEPTH = 20000 };
  supple_node *nodes = malloc(DEPTH * sizeof *nodes);
  uint32_t *order = malloc(DEPTH * sizeof *order);
  assert_true(nodes && order);
  for (uint32_t n = 0; n < DEPTH; n++) { /* one full turn in all */
    nodes[n] = plain_node(n ? n - 1 : SUPPLE_NONE);
    nodes[n].rest.rotation = supple_quat_make(0, sin(SUPPLE_PI / DEPTH), 0, cos(SUPPLE_PI / DEPTH));
    order[n] = n;
  }
  const supple_skeleton skeleton = {nodes, order, DEPTH, NULL, 0};
  supple_pose *pose = create(&skeleton);
  const supple_quat half = pose->rotations[DEPTH / 2 - 1], full = pose->rotations[DEPTH - 1];
  assert_true(fabs(half.y - 1) < 1e-11 && fabs(half.w) < 1e-11);
  assert_true(fabs(supple_quat_norm(full) - 1) < 1e-15 && fabs(full.w + 1) < 1e-11);
  assert_affine(&pose->worlds[DEPTH - 1], (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 1e-10);
  supple_pose_destroy(pose);
  free(nodes), free(order);
}

static void sampling_starts_from_rest(void **state) {
  (void)state;
  supple_node nodes[2] = {plain_node(SUPPLE_NONE), plain_node(0)};
  nodes[1].rest.translation = supple_vec3_make(0, 1, 0);
  const uint32_t order[2] = {0, 1};
  const float rest_weight = 0.5f, time = 0, value[3] = {4, 0, 0};
  nodes[0].weight_count = 1;
  const supple_skeleton skeleton = {nodes, order, 2, &rest_weight, 1};
  const supple_channel channel = {
      0, SUPPLE_PATH_TRANSLATION, SUPPLE_INTERPOLATION_LINEAR, 1, 3, &time, value};
  const supple_clip clip = {"", 0, 0, &channel, 1};
  supple_pose *pose = create(&skeleton);
  pose->locals[1].translation = supple_vec3_make(9, 9, 9);
  pose->weights[0] = 0;
  supple_pose_sample(pose, &clip, 0);
  assert_affine(&pose->worlds[1], (double[]){1, 0, 0, 4, 0, 1, 0, 1, 0, 0, 1, 0}, 0);
  assert_true(pose->weights[0] == rest_weight);
  supple_pose_destroy(pose);
}

static void numbers_that_are_not_finite_show(void **state) {
  (void)state;
  supple_node nodes[3] = {plain_node(SUPPLE_NONE), plain_node(0), plain_node(SUPPLE_NONE)};
  nodes[0].rest.translation.y = (double)NAN;
  nodes[2].has_matrix = true;
  nodes[2].matrix.m[1][1] = (double)INFINITY;
  const uint32_t order[3] = {2, 0, 1};
  const supple_skeleton skeleton = {nodes, order, 3, NULL, 0};
  supple_pose *pose = create(&skeleton);
  for (int n = 0; n < 3; n++) assert_false(supple_affine64_is_finite(&pose->worlds[n]));
  supple_pose_destroy(pose);
}

static void assert_refused(const supple_skeleton *skeleton, const char *text) {
  counting_memory memory = {.fail_at = SIZE_MAX};
  const supple_allocator allocator = counting_allocator(&memory);
  supple_error error;
  assert_null(supple_pose_create(skeleton, &allocator, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  if (!strstr(error.message, text)) fail_msg("\"%s\" does not say \"%s\"", error.message, text);
  assert_int_equal(memory.live_blocks, 0);
}

static void broken_skeletons_are_refused(void **state) {
  (void)state;
  supple_node nodes[2] = {plain_node(SUPPLE_NONE), plain_node(0)};
  const uint32_t right[2] = {0, 1}, late[2] = {1, 0}, twice[2] = {0, 0}, outside[2] = {0, 2};
  const float weights[2] = {0, 0};
  assert_refused(&(supple_skeleton){nodes, late, 2, NULL, 0},
                 "parent 0 of node 1 does not come before");
  assert_refused(&(supple_skeleton){nodes, twice, 2, NULL, 0},
                 "entry 1 of the skeleton's order is node 0");
  assert_refused(&(supple_skeleton){nodes, outside, 2, NULL, 0}, "node 2, which it does not have");
  nodes[0].parent = 1; /* a cycle */
  assert_refused(&(supple_skeleton){nodes, right, 2, NULL, 0}, "parent 1 of node 0");
  nodes[0].parent = 77;
  assert_refused(&(supple_skeleton){nodes, right, 2, NULL, 0}, "parent 77 of node 0");
  nodes[0].parent = SUPPLE_NONE;
  nodes[1].weight_begin = 1, nodes[1].weight_count = UINT32_MAX;
  assert_refused(&(supple_skeleton){nodes, right, 2, weights, 2}, "morph weights of node 1");
  nodes[1].weight_begin = 3, nodes[1].weight_count = 0;
  assert_refused(&(supple_skeleton){nodes, right, 2, weights, 2}, "morph weights of node 1");
  nodes[1].weight_begin = 2;
  const supple_skeleton weighted = {nodes, right, 2, weights, 2};
  supple_pose_destroy(create(&weighted));
  const supple_skeleton unweighted = {nodes, right, 2, NULL, 2};
  supple_pose *pose = create(&unweighted); /* none given: zeros */
  assert_true(pose->weights[0] == 0 && pose->weights[1] == 0);
  supple_pose_destroy(pose);
}

static void empty_skeletons_work(void **state) {
  (void)state;
  const supple_skeleton none = {NULL, NULL, 0, NULL, 0};
  const supple_clip clip = {"", 0, 0, NULL, 0};
  supple_pose *pose = create(&none);
  supple_pose_sample(pose, &clip, 1);
  supple_pose_destroy(pose);
  supple_pose_destroy(NULL);
}

static void failing_memory_leaks_nothing(void **state) {
  (void)state;
  random_rig rig;
  uint64_t seed = 7;
  random_rig_make(&rig, &seed, true);
  supple_pose *pose = NULL;
  counting_memory memory;
  supple_error error;
  size_t failures = 0;
  for (; !pose; failures++) {
    memory = (counting_memory){.fail_at = failures};
    const supple_allocator allocator = counting_allocator(&memory);
    pose = supple_pose_create(&rig.skeleton, &allocator, &error);
    if (pose) break;
    assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(memory.live_bytes, 0);
    assert_null(supple_pose_create(
        &rig.skeleton,
        &(supple_allocator){counting_allocate, counting_release, &(counting_memory){0}}, NULL));
  }
  assert_true(failures > 0);
  const size_t calls = memory.calls;
  supple_pose_rest(pose);
  supple_pose_update(pose);
  assert_int_equal(memory.calls, calls);
  supple_pose_destroy(pose);
  assert_int_equal(memory.live_blocks, 0);
  assert_int_equal(memory.live_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(worlds_by_hand),
      cmocka_unit_test(matrices_keep_their_shear),
      cmocka_unit_test(random_hierarchies_match_the_definition),
      cmocka_unit_test(mirrors_count_up_to_the_root),
      cmocka_unit_test(zero_scale_keeps_the_rotation),
      cmocka_unit_test(flattened_mirrors_are_limits),
      cmocka_unit_test(rotations_of_any_length),
      cmocka_unit_test(deep_chains_stay_rotations),
      cmocka_unit_test(sampling_starts_from_rest),
      cmocka_unit_test(numbers_that_are_not_finite_show),
      cmocka_unit_test(broken_skeletons_are_refused),
      cmocka_unit_test(empty_skeletons_work),
      cmocka_unit_test(failing_memory_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
