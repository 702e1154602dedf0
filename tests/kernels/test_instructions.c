/* test_instructions.c: how many instructions a vertex costs with AVX2, counted by valgrind's callgrind: a speed
 * that can be tested, since it is the same on every run. Without arguments it counts runs of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <supple/supple.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 16000, INFLUENCES = 4, JOINTS = 64, COLUMNS = 512 };

/* Instructions a vertex, as recorded; positions and normals, rigid joints, input compiled in. A twentieth more fails. */
#if defined(__clang__)
static const double recorded_lbs = 43.95, recorded_dqs = 46.83;
#else
static const double recorded_lbs = 42.72, recorded_dqs = 46.72;
#endif
static const double most_lbs = 45, most_dqs = 50; /* whatever is recorded */

static const char *own_path;

/* ---- what is counted ---- */

static supple_binding *make_binding(void) {
  static float positions[3 * VERTICES], normals[3 * VERTICES], weights[INFLUENCES * VERTICES];
  static uint16_t joints[INFLUENCES * VERTICES];
  static const float shares[INFLUENCES] = {0.1f, 0.4f, 0.3f, 0.2f};
  for (uint32_t v = 0; v < VERTICES; v++) {
    const uint32_t first = v / 64 * (JOINTS - INFLUENCES) / (VERTICES / 64);
    for (uint32_t k = 0; k < 3; k++) {
      positions[3 * v + k] = (float)(v % (7 + k));
      normals[3 * v + k] = k == 1;
    }
    for (uint32_t i = 0; i < INFLUENCES; i++) {
      joints[INFLUENCES * v + i] = (uint16_t)(first + i);
      weights[INFLUENCES * v + i] = shares[(i + v) % INFLUENCES];
    }
  }
  const supple_primitive primitive = {.vertex_count = VERTICES,
                                      .positions = positions,
                                      .normals = normals,
                                      .influence_count = INFLUENCES,
                                      .joints = joints,
                                      .weights = weights};
  return supple_binding_create(&primitive, &(supple_binding_options){.geometry = true}, NULL);
}

static supple_result deform_once(const supple_binding *binding, supple_method method) {
  static float out_positions[3 * VERTICES], out_normals[3 * VERTICES];
  supple_affine matrices[JOINTS];
  for (int j = 0; j < JOINTS; j++) {
    supple_transform turn = supple_transform_identity();
    turn.rotation = supple_quat_from_axis_angle((supple_vec3){1, j, 2}, 0.01 * j);
    turn.translation.y = 0.1 * j;
    const supple_affine64 exact = supple_transform_to_affine(&turn);
    matrices[j] = supple_affine_from_double(&exact);
  }
  const supple_palette palette = {.joint_count = JOINTS, .matrices = matrices};
  supple_prepared *prepared = supple_prepared_create(binding, NULL, NULL);
  if (!prepared) return SUPPLE_ERROR_MEMORY;
  supple_result result = supple_prepared_update(prepared, binding, &palette, method);
  const supple_job job = {.prepared = prepared,
                          .out_positions = {out_positions, 12},
                          .out_normals = {out_normals, 12},
                          .normal_mode = SUPPLE_NORMALS_LINEAR,
                          .isa = SUPPLE_ISA_AVX2};
  if (!result) result = supple_deform(&job);
  supple_prepared_destroy(prepared);
  return result;
}

static int be_counted(const char *method) {
  supple_binding *binding = make_binding();
  if (!binding) return 1;
  const supple_result result =
      deform_once(binding, strcmp(method, "dqs") == 0 ? SUPPLE_DQS : SUPPLE_LBS);
  supple_binding_destroy(binding);
  return result != SUPPLE_OK;
}

/* ---- counting ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static bool can_count(void) {
#if defined(__x86_64__) && defined(__linux__) && defined(__OPTIMIZE__)
  if (SANITIZED || strstr(own_path, "'")) return false;
  return supple_isa_available(SUPPLE_ISA_AVX2) && system("valgrind --version >/dev/null 2>&1") == 0;
#else
  return false;
#endif
}

/* Instructions within supple_deform; callgrind says "Collected : N" at the end. */
static double count(const char *method) {
  char command[2048], line[COLUMNS];
  const char *log = SUPPLE_SCRATCH "/callgrind.log";
  snprintf(command, sizeof command,
           "valgrind --tool=callgrind --toggle-collect=supple_deform "
           "--callgrind-out-file=/dev/null '%s' %s 2>'%s'",
           own_path, method, log);
  if (system(command) != 0) return -1;
  FILE *file = fopen(log, "r");
  double collected = -1;
  while (file && fgets(line, sizeof line, file)) {
    const char *found = strstr(line, "Collected : ");
    if (found) collected = strtod(found + strlen("Collected : "), NULL);
  }
  if (file) fclose(file);
  return collected / VERTICES;
}

static void check(const char *method, double recorded, double most) {
  if (!can_count()) {
    print_message("skipped: this needs valgrind, AVX2 and an optimised build without sanitizers\n");
    skip();
  }
  const double counted = count(method);
  print_message("%s: %.2f instructions a vertex, recorded %.2f, at most %.0f\n", method, counted,
                recorded, most);
  assert_true(counted > 10); /* else nothing was counted */
  assert_true(counted <= 1.05 * recorded);
  assert_true(counted <= most);
}

static void test_lbs(void **state) {
  (void)state;
  check("lbs", recorded_lbs, most_lbs);
}

static void test_dqs(void **state) {
  (void)state;
  check("dqs", recorded_dqs, most_dqs);
}

int main(int argc, char **argv) {
  if (argc == 2) return be_counted(argv[1]);
  own_path = argv[0];
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_lbs), cmocka_unit_test(test_dqs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
