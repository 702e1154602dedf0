/* test_palette.c: joint matrices, and the rotations that complete singular ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig_reference.h"

/* Any ten nodes of a random rig as joints, with random inverse bind matrices. */
enum { JOINTS = 10 };
typedef struct random_skin {
  uint32_t joints[JOINTS], parents[JOINTS];
  supple_affine64 inverse_binds[JOINTS];
  supple_skin skin;
  supple_instance instance;
} random_skin;

static void random_skin_make(random_skin *s, uint64_t *seed) {
  for (int k = 0; k < JOINTS; k++) {
    s->joints[k] = random_bits(seed) % RANDOM_NODES;
    s->parents[k] = SUPPLE_NONE;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++)
        s->inverse_binds[k].m[r][c] = random_between(seed, -0.3, 0.3) + (r == c ? 1 : 0);
    if (k % 2) s->inverse_binds[k].m[0][0] *= -1;
  }
  s->skin = (supple_skin){"", 0, JOINTS, s->joints, s->inverse_binds, s->parents, SUPPLE_NONE, ""};
  s->instance = (supple_instance){random_bits(seed) % RANDOM_NODES, 0, &s->skin, NULL, 0, NULL, 0};
}

static matrix4 matrix4_from_float(const supple_affine *a) {
  matrix4 r = matrix4_identity();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) r.m[i][j] = (long double)a->m[i][j];
  return r;
}

static supple_pose *pose_of(const supple_skeleton *skeleton) {
  supple_pose *pose = supple_pose_create(skeleton, NULL, NULL);
  assert_non_null(pose);
  return pose;
}

static supple_palette *palette_for(uint32_t joints, supple_space space) {
  supple_palette *palette = supple_palette_create(joints, space, NULL, NULL);
  assert_non_null(palette);
  return palette;
}

static void new_palettes_are_identities(void **state) {
  (void)state;
  supple_palette *palette = palette_for(3, SUPPLE_SPACE_MESH);
  assert_int_equal(palette->joint_count, 3);
  assert_int_equal(palette->space, SUPPLE_SPACE_MESH);
  assert_null(palette->parents);
  for (int k = 0; k < 3; k++) {
    assert_true(matrix4_distance(matrix4_from_float(&palette->matrices[k]), matrix4_identity()) == 0);
    assert_true(palette->rotations[k].w == 1 && !palette->mirrored[k]);
  }
  supple_palette_destroy(palette);
  supple_palette_destroy(palette_for(0, SUPPLE_SPACE_SCENE));
  supple_palette_destroy(NULL);
}

/* A skinned node moved to x = 100, and two joints bound where they rest. */
typedef struct small_rig {
  supple_node nodes[3];
  uint32_t order[3], joints[2], parents[2];
  supple_affine64 inverse_binds[2];
  supple_skeleton skeleton;
  supple_skin skin;
  supple_instance instance;
} small_rig;

static void small_rig_make(small_rig *rig) {
  memset(rig, 0, sizeof *rig);
  rig->nodes[0] = plain_node(SUPPLE_NONE); /* the mesh */
  rig->nodes[0].rest.translation.x = 100;
  rig->nodes[1] = plain_node(SUPPLE_NONE);
  rig->nodes[1].rest.translation.y = 1;
  rig->nodes[2] = plain_node(1);
  rig->nodes[2].rest.translation.y = 2;
  for (uint32_t n = 0; n < 3; n++) rig->order[n] = n;
  for (uint32_t k = 0; k < 2; k++) {
    rig->joints[k] = k + 1;
    rig->parents[k] = k ? 0 : SUPPLE_NONE;
    rig->inverse_binds[k] = supple_affine64_identity();
    rig->inverse_binds[k].m[1][3] = k ? -3 : -1;
  }
  rig->skeleton = (supple_skeleton){rig->nodes, rig->order, 3, NULL, 0};
  rig->skin =
      (supple_skin){"", 0, 2, rig->joints, rig->inverse_binds, rig->parents, SUPPLE_NONE, ""};
  rig->instance = (supple_instance){0, 0, &rig->skin, NULL, 0, NULL, 0};
}

static void assert_matrix(const supple_affine *a, const float expected[12]) {
  for (int i = 0; i < 12; i++)
    if (!(fabsf(a->m[i / 4][i % 4] - expected[i]) <= 1e-6f))
      fail_msg("entry %d is %.9g, not %.9g", i, (double)a->m[i / 4][i % 4], (double)expected[i]);
}

static void matrices_by_hand(void **state) {
  (void)state;
  small_rig rig;
  small_rig_make(&rig);
  supple_pose *pose = pose_of(&rig.skeleton);
  supple_palette *scene = palette_for(2, SUPPLE_SPACE_SCENE),
                 *mesh = palette_for(2, SUPPLE_SPACE_MESH);
  const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const float away[12] = {1, 0, 0, -100, 0, 1, 0, 0, 0, 0, 1, 0};
  assert_ptr_equal(supple_palette_compose(scene, pose, &rig.instance), scene);
  supple_palette_compose(mesh, pose, &rig.instance);
  assert_ptr_equal(scene->parents, rig.parents);
  for (int k = 0; k < 2; k++)
    assert_matrix(&scene->matrices[k], still), assert_matrix(&mesh->matrices[k], away);

  /* a half turn of the lower joint about z, through (0, 1): both joints move alike */
  pose->locals[1].rotation = supple_quat_make(0, 0, 1, 0);
  supple_pose_update(pose);
  supple_palette_compose(scene, pose, &rig.instance);
  const float turned[12] = {-1, 0, 0, 0, 0, -1, 0, 2, 0, 0, 1, 0};
  for (int k = 0; k < 2; k++) {
    assert_matrix(&scene->matrices[k], turned);
    assert_true(fabs(fabs(scene->rotations[k].z) - 1) < 1e-15);
  }
  supple_palette_destroy(scene), supple_palette_destroy(mesh), supple_pose_destroy(pose);
}

static void scene_space_ignores_the_skinned_node(void **state) {
  (void)state;
  small_rig rig;
  small_rig_make(&rig);
  supple_pose *pose = pose_of(&rig.skeleton);
  supple_palette *scene = palette_for(2, SUPPLE_SPACE_SCENE),
                 *mesh = palette_for(2, SUPPLE_SPACE_MESH);
  pose->locals[2].rotation = supple_quat_make(0.5, 0.5, 0.1, 0.2);
  supple_pose_update(pose);
  supple_palette_compose(scene, pose, &rig.instance);
  supple_affine before[2];
  memcpy(before, scene->matrices, sizeof before);

  pose->locals[0].translation = supple_vec3_make(-3, 1, 2);
  pose->locals[0].rotation = supple_quat_make(0.1, 0.7, 0, 0.7);
  pose->locals[0].scale = supple_vec3_make(-2, 3, 0.5);
  supple_pose_update(pose);
  supple_palette_compose(scene, pose, &rig.instance);
  assert_memory_equal(before, scene->matrices, sizeof before);
  /* in mesh space the node's world takes the result back to the scene */
  supple_palette_compose(mesh, pose, &rig.instance);
  for (int k = 0; k < 2; k++)
    assert_true(matrix4_distance(matrix4_multiply(reference_world(pose, 0),
                                                  matrix4_from_float(&mesh->matrices[k])),
                                 matrix4_from_float(&before[k])) < 1e-6);

  pose->locals[0].scale.y = 0; /* no inverse: the scene is the reference */
  supple_pose_update(pose);
  supple_palette_compose(mesh, pose, &rig.instance);
  assert_memory_equal(before, mesh->matrices, sizeof before);
  assert_memory_equal(scene->rotations, mesh->rotations, 2 * sizeof(supple_quat));
  assert_memory_equal(scene->mirrored, mesh->mirrored, 2);
  supple_palette_destroy(scene), supple_palette_destroy(mesh), supple_pose_destroy(pose);
}

/* inverse(reference) · world · inverse bind in long double; each entry is that, rounded once to
 * float. */
static void random_skins_match_the_definition(void **state) {
  (void)state;
  uint64_t seed = 21;
  for (int round = 0; round < 40; round++) {
    random_rig rig;
    random_skin skin;
    random_rig_make(&rig, &seed, true);
    random_skin_make(&skin, &seed);
    supple_pose *pose = pose_of(&rig.skeleton);
    supple_palette *palette =
        palette_for(JOINTS, round % 2 ? SUPPLE_SPACE_MESH : SUPPLE_SPACE_SCENE);
    supple_palette_compose(palette, pose, &skin.instance);
    const matrix4 reference =
        round % 2 ? matrix4_inverse(reference_world(pose, skin.instance.node)) : matrix4_identity();
    for (int k = 0; k < JOINTS; k++) {
      const matrix4 world = reference_world(pose, skin.joints[k]);
      const matrix4 bind = matrix4_from_affine(&skin.inverse_binds[k]);
      const matrix4 expected = matrix4_multiply(reference, matrix4_multiply(world, bind));
      long double largest = 0;
      for (int i = 0; i < 12; i++) largest = fmaxl(largest, fabsl(expected.m[i / 4][i % 4]));
      for (int i = 0; i < 12; i++) {
        const long double entry = expected.m[i / 4][i % 4];
        const long double d = fabsl((long double)palette->matrices[k].m[i / 4][i % 4] - entry);
        assert_true(d <= fabsl(entry) * 5.97e-8L + largest * 1e-12L);
      }
      assert_int_equal(palette->mirrored[k], matrix4_determinant(expected) < 0);
      assert_true(fabs(supple_quat_norm(palette->rotations[k]) - 1) < 1e-14);
    }
    supple_palette_destroy(palette), supple_pose_destroy(pose);
  }
}

/* Where everything is a similarity or a mirror, the matrix itself is the rotation (up to scale),
 * so both must agree: through hierarchies, mirrors, references and inverse binds. */
static void rotations_are_those_of_the_matrices(void **state) {
  (void)state;
  uint64_t seed = 33;
  int mirrors = 0;
  for (int round = 0; round < 40; round++) {
    random_rig rig;
    random_skin skin;
    random_rig_make(&rig, &seed, false);
    random_skin_make(&skin, &seed);
    for (uint32_t n = 0; n < RANDOM_NODES; n++) {
      supple_vec3 *scale = &rig.nodes[n].rest.scale;
      *scale = supple_vec3_make(copysign(1.25, scale->x), copysign(1.25, scale->y),
                                copysign(1.25, scale->z));
    }
    for (int k = 0; k < JOINTS; k++) {
      const supple_transform bind = {random_vec3(&seed, -1, 1), random_quat(&seed),
                                     supple_vec3_make(k % 2 ? -0.01 : 0.01, 0.01, 0.01)};
      skin.inverse_binds[k] = supple_transform_to_affine(&bind);
    }
    supple_pose *pose = pose_of(&rig.skeleton);
    supple_palette *palette =
        palette_for(JOINTS, round % 2 ? SUPPLE_SPACE_MESH : SUPPLE_SPACE_SCENE);
    supple_palette_compose(palette, pose, &skin.instance);
    for (int k = 0; k < JOINTS; k++) {
      const matrix4 turn = matrix4_of_turn(palette->rotations[k], palette->mirrored[k]);
      matrix4 m = matrix4_from_float(&palette->matrices[k]);
      const long double scale = cbrtl(fabsl(matrix4_determinant(m)));
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) m.m[r][c] = c == 3 ? 0 : m.m[r][c] / scale;
      assert_true(matrix4_distance(m, turn) < 5e-7);
      mirrors += palette->mirrored[k];
    }
    supple_palette_destroy(palette), supple_pose_destroy(pose);
  }
  assert_true(mirrors > 100 && mirrors < 300);
}

static void singular_joints_keep_the_hierarchy_s_rotation(void **state) {
  (void)state;
  small_rig rig;
  small_rig_make(&rig);
  rig.nodes[2].rest.scale = supple_vec3_make(0, 0, 0);
  rig.nodes[2].rest.rotation = supple_quat_make(0, 0.6, 0, 0.8);
  memset(&rig.inverse_binds[0], 0, sizeof rig.inverse_binds[0]); /* says nothing about rotation */
  supple_pose *pose = pose_of(&rig.skeleton);
  supple_palette *palette = palette_for(2, SUPPLE_SPACE_SCENE);
  supple_palette_compose(palette, pose, &rig.instance);
  assert_matrix(&palette->matrices[1], (float[12]){0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0});
  assert_true(fabs(palette->rotations[1].y - 0.6) < 1e-15 &&
              fabs(palette->rotations[1].w - 0.8) < 1e-15);
  assert_true(palette->rotations[0].w == 1 && !palette->mirrored[0]);
  supple_palette_destroy(palette), supple_pose_destroy(pose);
}

/* In single precision 10,000,000.125 is 10,000,000. */
static void far_from_the_origin(void **state) {
  (void)state;
  small_rig rig;
  small_rig_make(&rig);
  rig.nodes[1].rest.translation = supple_vec3_make(1e7, 0.125, 1e7);
  rig.nodes[2].rest.translation = supple_vec3_make(0.125, 0, 0);
  rig.inverse_binds[1] = supple_affine64_identity();
  rig.inverse_binds[1].m[0][3] = rig.inverse_binds[1].m[2][3] = -1e7;
  supple_pose *pose = pose_of(&rig.skeleton);
  supple_palette *palette = palette_for(2, SUPPLE_SPACE_SCENE);
  supple_palette_compose(palette, pose, &rig.instance);
  assert_true(palette->matrices[1].m[0][3] == 0.125f && palette->matrices[1].m[1][3] == 0.125f &&
              palette->matrices[1].m[2][3] == 0.0f);
  supple_palette_destroy(palette), supple_pose_destroy(pose);
}

static void one_palette_serves_many_skins(void **state) {
  (void)state;
  small_rig rig;
  small_rig_make(&rig);
  supple_pose *pose = pose_of(&rig.skeleton);
  counting_memory memory = {.fail_at = SIZE_MAX};
  const supple_allocator allocator = counting_allocator(&memory);
  supple_palette *palette = supple_palette_create(2, SUPPLE_SPACE_SCENE, &allocator, NULL);
  assert_non_null(palette);
  const supple_skin upper = {"", 1, 1, rig.joints + 1, rig.inverse_binds, NULL, SUPPLE_NONE, ""};
  const supple_instance small = {0, 0, &upper, NULL, 0, NULL, 0};
  const size_t calls = memory.calls;
  supple_palette_compose(palette, pose, &small);
  assert_int_equal(palette->joint_count, 1);
  assert_null(palette->parents);
  assert_matrix(&palette->matrices[0], (float[]){1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0});
  supple_palette_compose(palette, pose, &rig.instance);
  assert_int_equal(palette->joint_count, 2);
  assert_ptr_equal(palette->parents, rig.parents);
  assert_matrix(&palette->matrices[1], (float[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
  supple_skin large = rig.skin;
  large.joint_count = 3; /* beyond the room, and beyond its arrays */
  const supple_instance too_large = {0, 0, &large, NULL, 0, NULL, 0};
  supple_palette_compose(palette, pose, &too_large);
  assert_int_equal(palette->joint_count, 0);
  supple_palette_compose(palette, pose, &small);
  assert_int_equal(memory.calls, calls); /* composing never allocates */
  supple_palette_destroy(palette);
  assert_int_equal(memory.live_blocks, 0);
  assert_int_equal(memory.live_bytes, 0);
  supple_pose_destroy(pose);
}

/* A palette that has seen other inverse binds composes as a new one does. */
static void nothing_is_remembered(void **state) {
  (void)state;
  uint64_t seed = 51;
  random_rig rig;
  random_skin skins[2];
  random_rig_make(&rig, &seed, true);
  random_skin_make(&skins[0], &seed), random_skin_make(&skins[1], &seed);
  supple_pose *pose = pose_of(&rig.skeleton);
  supple_palette *used = palette_for(JOINTS, SUPPLE_SPACE_MESH);
  for (int round = 0; round < 6; round++) {
    random_skin *skin = &skins[round % 2];
    if (round == 4) skin->inverse_binds[3].m[1][1] = -2, skin->inverse_binds[4].m[0][3] = 8;
    supple_palette *fresh = palette_for(JOINTS, SUPPLE_SPACE_MESH);
    supple_palette_compose(used, pose, &skin->instance);
    supple_palette_compose(fresh, pose, &skin->instance);
    assert_memory_equal(used->matrices, fresh->matrices, JOINTS * sizeof *fresh->matrices);
    assert_memory_equal(used->rotations, fresh->rotations, JOINTS * sizeof *fresh->rotations);
    assert_memory_equal(used->mirrored, fresh->mirrored, JOINTS);
    supple_palette_destroy(fresh);
  }
  supple_palette_destroy(used), supple_pose_destroy(pose);
}

/* What cannot be composed must not look like a matrix. */
static void bad_input_shows(void **state) {
  (void)state;
  small_rig rig;
  small_rig_make(&rig);
  rig.joints[1] = 77; /* names no node */
  supple_pose *pose = pose_of(&rig.skeleton);
  supple_palette *scene = palette_for(2, SUPPLE_SPACE_SCENE),
                 *mesh = palette_for(2, SUPPLE_SPACE_MESH);
  supple_palette_compose(scene, pose, &rig.instance);
  assert_true(isfinite(scene->matrices[0].m[0][0]) && isnan(scene->matrices[1].m[0][0]));
  small_rig_make(&rig);
  rig.instance.node = SUPPLE_NONE;
  supple_palette_compose(mesh, pose, &rig.instance);
  assert_true(isnan(mesh->matrices[0].m[0][0]) && isnan(mesh->matrices[1].m[0][0]));
  small_rig_make(&rig);
  rig.inverse_binds[1].m[2][2] = (double)INFINITY;
  pose->locals[0].translation.x = (double)NAN;
  supple_pose_update(pose);
  supple_palette_compose(scene, pose, &rig.instance);
  supple_palette_compose(mesh, pose, &rig.instance);
  assert_true(!isfinite(scene->matrices[1].m[2][2]) && isnan(mesh->matrices[0].m[0][3]));
  supple_palette_destroy(scene), supple_palette_destroy(mesh), supple_pose_destroy(pose);
}

static void failing_memory_leaks_nothing(void **state) {
  (void)state;
  supple_palette *palette = NULL;
  counting_memory memory;
  size_t failures = 0;
  for (; !palette; failures++) {
    memory = (counting_memory){.fail_at = failures};
    const supple_allocator allocator = counting_allocator(&memory);
    supple_error error;
    palette = supple_palette_create(100, SUPPLE_SPACE_SCENE, &allocator, &error);
    if (palette) break;
    assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
    assert_int_equal(memory.live_blocks, 0);
    assert_int_equal(memory.live_bytes, 0);
  }
  assert_true(failures > 0);
  supple_palette_destroy(palette);
  assert_int_equal(memory.live_blocks, 0);
  assert_int_equal(memory.live_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_palettes_are_identities),
      cmocka_unit_test(matrices_by_hand),
      cmocka_unit_test(scene_space_ignores_the_skinned_node),
      cmocka_unit_test(random_skins_match_the_definition),
      cmocka_unit_test(rotations_are_those_of_the_matrices),
      cmocka_unit_test(singular_joints_keep_the_hierarchy_s_rotation),
      cmocka_unit_test(far_from_the_origin),
      cmocka_unit_test(one_palette_serves_many_skins),
      cmocka_unit_test(nothing_is_remembered),
      cmocka_unit_test(bad_input_shows),
      cmocka_unit_test(failing_memory_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
