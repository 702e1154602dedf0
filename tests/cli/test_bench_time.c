/* test_bench_time.c: entries are verified before they are timed, and a wrong output is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench_time.h"

#include <string.h>

static cli_bench_entry entry_of(supple_method method, supple_isa isa) {
  cli_bench_entry entry;
  memset(&entry, 0, sizeof entry);
  entry.method = method;
  entry.isa = isa;
  entry.streams = CLI_BENCH_PNT;
  entry.normals = SUPPLE_NORMALS_COFACTOR;
  entry.threads = 1;
  return entry;
}

/* Every scale and pose, input from both sides, sorted and not, one and two threads. */
static void test_all(void **state) {
  (void)state;
  cli_bench_mesh mesh;
  assert_true(cli_bench_mesh_tube(&mesh, CLI_BENCH_SHUFFLED, 1003));
  cli_bench_entry entries[CLI_BENCH_SCALES * CLI_BENCH_POSES + 3];
  uint32_t count = 0;
  for (int scale = 0; scale < CLI_BENCH_SCALES; scale++)
    for (int pose = 0; pose < CLI_BENCH_POSES; pose++) {
      entries[count] = entry_of(scale % 2 ? SUPPLE_LBS : SUPPLE_DQS, SUPPLE_ISA_BEST);
      entries[count].scale = (cli_bench_scale)scale;
      entries[count].pose = (cli_bench_pose)pose;
      entries[count].user = pose == 1;
      count++;
    }
  for (uint32_t i = 0; i < 3; i++) entries[count + i] = entry_of(SUPPLE_DQS, SUPPLE_ISA_SCALAR);
  entries[count].sorted = true;
  entries[count + 1].threads = 2;
  entries[count + 2].normals = SUPPLE_NORMALS_UNIT;
  count += 3;
  assert_int_equal(cli_bench_time(&mesh, entries, count, 3), 0);
  for (uint32_t i = 0; i < count; i++) {
    if (entries[i].threads == 2 && entries[i].ns == 0)
      continue; /* the machine gave one thread alone */
    assert_true(entries[i].ns > 0 && entries[i].best > 0 && entries[i].best <= entries[i].ns);
    assert_true(entries[i].copy_share > 0);
  }
  cli_bench_mesh_free(&mesh);
}

/* Double normals: unit ones are asked for, the plain loop writes them as they come. */
static void test_wrong(void **state) {
  (void)state;
  cli_bench_mesh mesh;
  assert_true(cli_bench_mesh_tube(&mesh, CLI_BENCH_COHERENT, 320));
  for (uint32_t i = 0; i < 3 * 320; i++) mesh.normals[i] *= 2;
  cli_bench_entry entry = entry_of(SUPPLE_LBS, SUPPLE_ISA_SCALAR);
  entry.plain = entry.user = true;
  entry.streams = CLI_BENCH_PN;
  entry.normals = SUPPLE_NORMALS_UNIT;
  assert_int_equal(cli_bench_time(&mesh, &entry, 1, 3), 1);
  entry.normals = SUPPLE_NORMALS_LINEAR;
  assert_int_equal(cli_bench_time(&mesh, &entry, 1, 3), 0);
  cli_bench_mesh_free(&mesh);
}

static void test_refused(void **state) {
  (void)state;
  cli_bench_mesh mesh;
  assert_true(cli_bench_mesh_tube(&mesh, CLI_BENCH_COHERENT, 320));
  cli_bench_entry entry = entry_of(SUPPLE_LBS, (supple_isa)99);
  assert_int_equal(cli_bench_time(&mesh, &entry, 1, 3), 1);
  cli_bench_mesh_free(&mesh);
}

static void test_clock(void **state) {
  (void)state;
  const double begin = cli_bench_cpu_clock();
  while (cli_bench_cpu_clock() <= begin) {}
  assert_true(strlen(cli_bench_clock_name) > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_clock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
