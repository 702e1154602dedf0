/* test_bake_npz.c: zip64: forced on a small file, and by arrays that pass 4 GiB, mostly holes. Python's zipfile and
 * the bytes themselves say what is in there. (Contents: test_command_bake.py.) */
#include "cli/bake_npz.h"

#include "cli/checksum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char path[] = SUPPLE_SCRATCH "/big.npz";

static const uint32_t triangle[3] = {0, 1, 2};
static const supple_primitive source = {.vertex_count = 3, .indices = triangle, .index_count = 3};
static const supple_instance instance = {.node = 5};
static cli_stage_instance staged = {.instance = &instance};
static const cli_stage stage = {.instances = &staged, .instance_count = 1};
static bake_primitive part = {.source = &source};
static double times[2] = {0, 0.5};

static bake_plan plan_of(size_t vertices) {
  return (bake_plan){.stage = &stage,
                     .format = BAKE_NPZ,
                     .times = times,
                     .frame_count = 2,
                     .primitives = &part,
                     .primitive_count = 1,
                     .vertex_count = vertices,
                     .normals = true};
}

static void write_npz(const bake_plan *plan, bool zip64, uint32_t frames) {
  unsigned char data[72];
  for (int i = 0; i < 72; i++) data[i] = (unsigned char)i;
  bake_record record = {.data = data, .size = sizeof data};
  record.crcs[0] = cli_crc32(0, data, 36);
  record.crcs[1] = cli_crc32(0, data + 36, 36);
  cli_output *output = cli_output_open(path);
  assert_non_null(output);
  bake_npz *npz = bake_npz_begin(output, plan, zip64);
  assert_non_null(npz);
  for (uint32_t i = 0; i < frames; i++) bake_npz_frame(npz, &record);
  bake_npz_end(npz);
  assert_int_equal(cli_output_close(output), CLI_FINE);
}

/* Runs a few lines of Python with `file`, a ZipFile, and `p` and `n`, the entries of positions and normals. */
static void python(const char *lines) {
  char command[2048];
  snprintf(command, sizeof command,
           "python3 -B -c \"import zipfile\nfile = zipfile.ZipFile('%s')\n"
           "p, n = file.getinfo('positions.npy'), file.getinfo('normals.npy')\n%s\"",
           path, lines);
  assert_int_equal(system(command), 0);
}

static uint64_t little(const unsigned char *at, int size) {
  uint64_t value = 0;
  for (int i = size - 1; i >= 0; i--) value = value << 8 | at[i];
  return value;
}

static void forced(void **state) {
  (void)state;
  const bake_plan plan = plan_of(3);
  static unsigned char bytes[1 << 16];
  write_npz(&plan, true, 2);
  python("assert file.testzip() is None\nassert p.file_size == p.compress_size > 72\n"
         "assert file.read('normals.npy')[-72:] == bytes(range(36, 72)) * 2");
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  /* the first local header: version 4.5, sizes of all ones, field 1 of 16 bytes with both sizes */
  assert_int_equal(little(bytes, 4), 0x04034b50);
  assert_int_equal(little(bytes + 4, 2), 45);
  assert_int_equal(little(bytes + 18, 8), UINT64_MAX);
  const size_t extra = 30 + (size_t)little(bytes + 26, 2);
  assert_int_equal(little(bytes + 28, 2), 20);
  assert_int_equal(little(bytes + extra, 4), 16u << 16 | 1);
  assert_int_equal(little(bytes + extra + 4, 8), little(bytes + extra + 12, 8));
  /* the end of the directory, its locator, and the one of zip64 that it leads to */
  const unsigned char *end = bytes + size - 22, *locator = end - 20;
  assert_int_equal(little(end, 4), 0x06054b50);
  assert_int_equal(little(end + 12, 8), UINT64_MAX);
  assert_int_equal(little(locator, 4), 0x07064b50);
  const uint64_t place = little(locator + 8, 8);
  assert_int_equal(place, size - 22 - 20 - 56);
  assert_int_equal(little(bytes + place, 4), 0x06064b50);
  assert_int_equal(little(bytes + place + 4, 8), 44);
  assert_int_equal(little(bytes + place + 32, 8), 7); /* entries */
  assert_int_equal(little(bytes + place + 40, 8) + little(bytes + place + 48, 8), place);
}

static void not_where_nothing_needs_it(void **state) {
  (void)state;
  const bake_plan plan = plan_of(3);
  write_npz(&plan, false, 2);
  python("assert file.testzip() is None\n"
         "assert all(not i.extra and i.extract_version == 20 for i in file.infolist())");
}

/* 2 frames of 400 million vertices: 9.6 GB an array, of which nothing is written but its header. */
static void past_four_gigabytes(void **state) {
  (void)state;
  const bake_plan plan = plan_of(400000000);
  if (sizeof(size_t) < 8) skip();
  write_npz(&plan, false, 0);
  python("assert p.file_size == p.compress_size == 9600000000 + p.file_size % 9600000000 < "
         "9600000512\n"
         "assert n.header_offset > p.file_size and n.file_size > 9600000000\n"
         "assert file.read('times.npy')[-16:] == bytes(14) + bytes([0xe0, 0x3f])\n"
         "head = file.open('normals.npy').read(200)\n"
         "assert head[:8] == bytes([0x93]) + b'NUMPY' + bytes([1, 0]) and b'(2, 400000000, 3)' in "
         "head");
  remove(path);
}

/* What cannot seek (here: memory) fails instead of writing something else. */
static void needs_a_file(void **state) {
  (void)state;
  const bake_plan plan = plan_of(3);
  cli_output *output = cli_output_open_memory();
  bake_npz *npz = bake_npz_begin(output, &plan, false);
  assert_non_null(npz);
  assert_true(cli_output_failed(output));
  bake_npz_abandon(npz);
  cli_output_abandon(output);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forced), cmocka_unit_test(not_where_nothing_needs_it),
      cmocka_unit_test(past_four_gigabytes), cmocka_unit_test(needs_a_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
