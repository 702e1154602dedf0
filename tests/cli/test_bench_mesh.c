/* test_bench_mesh.c: the tubes of the benchmark are what they are called, and primitives come over whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench_mesh.h"

#include <math.h>
#include <string.h>

static double sum_of(const cli_bench_mesh *mesh, uint32_t v, uint32_t *used) {
  double sum = 0;
  *used = 0;
  for (uint32_t i = 0; i < mesh->influence_count; i++) {
    const float w = mesh->weights[v * mesh->influence_count + i];
    assert_true(mesh->joints[v * mesh->influence_count + i] < CLI_BENCH_JOINTS);
    sum += (double)w;
    *used += w > 0;
  }
  return sum;
}

static void test_weights(void **state) {
  (void)state;
  for (int kind = 0; kind <= CLI_BENCH_EIGHT; kind++) {
    cli_bench_mesh mesh;
    uint32_t seen[9] = {0};
    assert_true(cli_bench_mesh_tube(&mesh, (cli_bench_kind)kind, 2000));
    for (uint32_t v = 0; v < 2000; v++) {
      uint32_t used;
      assert_true(fabs(sum_of(&mesh, v, &used) - 1) < 1e-6);
      seen[used]++;
      const float *n = mesh.normals + 3 * v, *t = mesh.tangents + 4 * v;
      assert_true(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-6f);
      assert_true(fabsf(n[0] * t[0] + n[1] * t[1] + n[2] * t[2]) < 1e-6f && fabsf(t[3]) == 1.0f);
    }
    if (kind == CLI_BENCH_VARIED)
      assert_true(seen[1] > 300 && seen[2] > 300 && seen[3] > 300 && seen[4] > 300);
    else
      assert_int_equal(seen[kind == CLI_BENCH_EIGHT ? 8 : 4], 2000);
    cli_bench_mesh_free(&mesh);
  }
}

/* How many joints the blocks of 16 use on average. */
static double joints_of_blocks(const cli_bench_mesh *mesh) {
  uint32_t all = 0;
  for (uint32_t begin = 0; begin < mesh->vertex_count; begin += 16) {
    uint64_t bits = 0;
    for (uint32_t i = begin * mesh->influence_count; i < (begin + 16) * mesh->influence_count; i++)
      bits |= (uint64_t)1 << mesh->joints[i];
    for (; bits; bits &= bits - 1) all++;
  }
  return all / (mesh->vertex_count / 16.0);
}

static void test_order(void **state) {
  (void)state;
  static const double least[] = {4, 25, 30, 3, 8}, most[] = {4.2, 50, 50, 5, 8.5};
  for (int kind = 0; kind <= CLI_BENCH_EIGHT; kind++) {
    cli_bench_mesh mesh;
    assert_true(cli_bench_mesh_tube(&mesh, (cli_bench_kind)kind, 16000));
    const double joints = joints_of_blocks(&mesh);
    assert_true(joints >= least[kind] && joints <= most[kind]);
    cli_bench_mesh_free(&mesh);
  }
}

/* The shuffled tube has the coherent one's vertices. */
static void test_shuffled(void **state) {
  (void)state;
  cli_bench_mesh a, b;
  assert_true(cli_bench_mesh_tube(&a, CLI_BENCH_COHERENT, 1600));
  assert_true(cli_bench_mesh_tube(&b, CLI_BENCH_SHUFFLED, 1600));
  uint32_t same = 0;
  for (uint32_t v = 0; v < 1600; v++) {
    uint32_t found = 0;
    for (uint32_t w = 0; w < 1600; w++)
      found += memcmp(a.positions + 3 * v, b.positions + 3 * w, 12) == 0;
    assert_int_equal(found, 1);
    same += memcmp(a.positions + 3 * v, b.positions + 3 * v, 12) == 0;
  }
  assert_true(same < 100);
  cli_bench_mesh_free(&a);
  cli_bench_mesh_free(&b);
}

static double determinant(const supple_affine *m) {
  const float(*a)[4] = m->m;
  return (double)(a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
                  a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
                  a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]));
}

static void test_poses(void **state) {
  (void)state;
  supple_affine matrices[CLI_BENCH_JOINTS];
  float dual_quats[8 * CLI_BENCH_JOINTS];
  for (int pose = 0; pose < CLI_BENCH_POSES; pose++)
    for (int scale = 0; scale < CLI_BENCH_SCALES; scale++) {
      cli_bench_pose_tube((cli_bench_pose)pose, (cli_bench_scale)scale, matrices, dual_quats);
      uint32_t rigid = 0;
      for (int j = 0; j < CLI_BENCH_JOINTS; j++) {
        const double volume = determinant(&matrices[j]);
        rigid += fabs(volume - 1) < 1e-5;
        if (scale == CLI_BENCH_COMMON) assert_true(fabs(volume - 1.7 * 1.7 * 1.7) < 1e-4);
      }
      static const uint32_t expected[] = {64, 0, 63, 0};
      assert_int_equal(rigid, expected[scale]);
    }
}

/* A joint of the chain stays where the one before it holds it. */
static void test_chain(void **state) {
  (void)state;
  supple_affine m[CLI_BENCH_JOINTS];
  float dual_quats[8 * CLI_BENCH_JOINTS];
  cli_bench_pose_tube(CLI_BENCH_LARGER, CLI_BENCH_RIGID, m, dual_quats);
  for (int j = 1; j < CLI_BENCH_JOINTS; j++)
    for (int r = 0; r < 3; r++) {
      const float before = m[j - 1].m[r][1] * (float)j + m[j - 1].m[r][3];
      const float here = m[j].m[r][1] * (float)j + m[j].m[r][3];
      assert_true(fabsf(before - here) < 2e-4f);
    }
}

static void test_primitive(void **state) {
  (void)state;
  static const float positions[] = {0, 0, 0, 1, 2, 3}, weights[] = {1, 3, 0, 0, 0, 2};
  static const uint16_t joints[] = {0, 1, 0, 0, 0, 2};
  supple_affine matrices[3];
  const supple_affine64 identity = supple_affine64_identity();
  for (int j = 0; j < 3; j++) matrices[j] = supple_affine_from_double(&identity);
  const supple_primitive primitive = {.vertex_count = 2,
                                      .positions = positions,
                                      .influence_count = 3,
                                      .joints = joints,
                                      .weights = weights};
  supple_palette palette = {.joint_count = 3, .matrices = matrices};
  cli_bench_mesh mesh;
  assert_true(cli_bench_mesh_primitive(&mesh, &primitive, &palette, "two"));
  assert_string_equal(mesh.name, "two");
  assert_int_equal(mesh.influence_count, 4);
  assert_null(mesh.normals);
  assert_true(mesh.weights[0] == 0.25f && mesh.weights[1] == 0.75f && mesh.weights[4] == 1.0f);
  assert_int_equal(mesh.joints[1], 1);
  assert_int_equal(mesh.joints[4], 2);
  assert_memory_equal(mesh.positions, positions, sizeof positions);
  cli_bench_mesh_free(&mesh);
  palette.joint_count = 2; /* too few */
  assert_false(cli_bench_mesh_primitive(&mesh, &primitive, &palette, "two"));
}

static void test_memory(void **state) {
  (void)state;
  for (size_t bytes = 0; bytes < 200; bytes += 13) {
    unsigned char *memory = cli_bench_memory(bytes);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    for (size_t i = 0; i < bytes; i++) assert_int_equal(memory[i], 0);
    memset(memory, 1, bytes);
    cli_bench_release(memory);
  }
  assert_null(cli_bench_memory(SIZE_MAX));
  cli_bench_release(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_weights),  cmocka_unit_test(test_order),
      cmocka_unit_test(test_shuffled), cmocka_unit_test(test_poses),
      cmocka_unit_test(test_chain),    cmocka_unit_test(test_primitive),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
