/* test_output.c: files that are whole or absent. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "cli/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(_WIN32)
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

static const char path[] = SUPPLE_SCRATCH "/out.bin";

static size_t read_file(const char *name, char *data, size_t size) {
  FILE *file = fopen(name, "rb");
  if (!file) return SIZE_MAX;
  const size_t length = fread(data, 1, size, file);
  fclose(file);
  return length;
}

static int files_in_scratch(void) {
  int count = 0;
#if !defined(_WIN32)
  DIR *folder = opendir(SUPPLE_SCRATCH);
  assert_non_null(folder);
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) count += entry->d_name[0] != '.';
  closedir(folder);
#endif
  return count;
}

static int start(void **state) {
  (void)state;
  remove(path);
  return 0;
}

static void appears_whole_on_close(void **state) {
  (void)state;
  char data[64];
  const int before = files_in_scratch();
  cli_output *output = cli_output_open(path);
  assert_non_null(output);
  cli_output_text(output, "hello ");
  cli_output_format(output, "%s %d", "world", 5);
  assert_int_equal(read_file(path, data, sizeof data), SIZE_MAX);
  assert_int_equal(files_in_scratch(), before + 1); /* it waits beside */
  assert_int_equal(cli_output_tell(output), 13);
  assert_int_equal(cli_output_close(output), CLI_FINE);
  assert_int_equal(read_file(path, data, sizeof data), 13);
  assert_memory_equal(data, "hello world 5", 13);
  assert_int_equal(files_in_scratch(), before + 1);
}

static void abandoned_leaves_what_was(void **state) {
  (void)state;
  char data[64];
  cli_output *output = cli_output_open(path);
  cli_output_text(output, "old");
  assert_int_equal(cli_output_close(output), CLI_FINE);
  const int before = files_in_scratch();
  output = cli_output_open(path);
  cli_output_text(output, "new and longer");
  cli_output_abandon(output);
  assert_int_equal(read_file(path, data, sizeof data), 3);
  assert_memory_equal(data, "old", 3);
  assert_int_equal(files_in_scratch(), before);
  cli_output_abandon(NULL);
}

static void several_at_once(void **state) {
  (void)state;
  cli_output *a = cli_output_open(path), *b = cli_output_open(path);
  assert_true(a && b);
  cli_output_text(a, "a");
  cli_output_text(b, "b");
  assert_int_equal(cli_output_close(a), CLI_FINE);
  assert_int_equal(cli_output_close(b), CLI_FINE);
  char data[8];
  assert_int_equal(read_file(path, data, sizeof data), 1);
  assert_int_equal(data[0], 'b');
}

/* Complete, but not in its place: the old file stays until it is closed, and for good where it is abandoned. */
static void completed_waits_for_close(void **state) {
  (void)state;
  char data[16];
  for (int keep = 0; keep < 2; keep++) {
    cli_output *old = cli_output_open(path);
    assert_non_null(old);
    cli_output_text(old, "old");
    assert_int_equal(cli_output_close(old), CLI_FINE);
    const int before = files_in_scratch();
    cli_output *output = cli_output_open(path);
    assert_non_null(output);
    cli_output_text(output, "newer");
    assert_true(cli_output_complete(output));
    assert_int_equal(read_file(path, data, sizeof data), 3);
    if (keep)
      assert_int_equal(cli_output_close(output), CLI_FINE);
    else
      cli_output_abandon(output);
    assert_int_equal(read_file(path, data, sizeof data), keep ? 5 : 3);
    assert_int_equal(files_in_scratch(), before);
  }
}

/* As many as a file with many parts has: whole before the first of them appears, and none left behind. */
static void thousands_wait_for_close(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  char name[sizeof path + 32], data[16], wanted[32];
  cli_output **outputs = calloc(COUNT, sizeof *outputs);
  assert_non_null(outputs);
  for (int round = 0; round < 2; round++) { /* the second takes the places of the first */
    const int before = files_in_scratch();
    for (int i = 0; i < COUNT; i++) {
      snprintf(name, sizeof name, "%s.%d", path, i);
      outputs[i] = cli_output_open(name);
      assert_non_null(outputs[i]);
      cli_output_format(outputs[i], "%d in %d", i, round);
      assert_true(cli_output_complete(outputs[i]));
    }
    assert_int_equal(read_file(name, data, sizeof data), SIZE_MAX);
    for (int i = 0; i < COUNT; i++) {
      if (i % 3 == 2)
        cli_output_abandon(outputs[i]);
      else
        assert_int_equal(cli_output_close(outputs[i]), CLI_FINE);
    }
    for (int i = 0; i < COUNT; i++) {
      snprintf(name, sizeof name, "%s.%d", path, i);
      snprintf(wanted, sizeof wanted, "%d in %d", i, round);
      const size_t size = read_file(name, data, sizeof data);
      assert_int_equal(size, i % 3 == 2 ? SIZE_MAX : strlen(wanted));
      if (i % 3 == 2) continue;
      assert_memory_equal(data, wanted, size);
      remove(name);
    }
    assert_int_equal(files_in_scratch(), before);
  }
  free(outputs);
}

static void large_writes(void **state) {
  (void)state;
  enum { SIZE = 300000 };
  char *data = malloc(SIZE), *back = malloc(SIZE + 1);
  for (int i = 0; i < SIZE; i++) data[i] = (char)(i * 7 % 251);
  cli_output *output = cli_output_open(path);
  for (int at = 0, step = 1; at < SIZE; at += step, step = step * 5 % 99991) {
    if (step > SIZE - at) step = SIZE - at;
    cli_output_write(output, data + at, (size_t)step);
  }
  assert_int_equal(cli_output_tell(output), SIZE);
  assert_int_equal(cli_output_close(output), CLI_FINE);
  assert_int_equal(read_file(path, back, SIZE + 1), SIZE);
  assert_memory_equal(back, data, SIZE);
  output = cli_output_open_memory();
  for (int i = 0; i < 3; i++) cli_output_write(output, data, SIZE);
  size_t size;
  const char *contents = cli_output_contents(output, &size);
  assert_int_equal(size, 3 * SIZE);
  assert_memory_equal(contents + 2 * SIZE, data, SIZE);
  cli_output_abandon(output);
  free(data);
  free(back);
}

static void places_can_be_filled_later(void **state) {
  (void)state;
  char data[64];
  cli_output *output = cli_output_open(path);
  assert_non_null(output);
  cli_output_text(output, "head ???? tail");
  cli_output_seek(output, 5);
  assert_int_equal(cli_output_tell(output), 5);
  cli_output_text(output, "of a");
  cli_output_seek(output, 20);
  cli_output_text(output, "!");
  assert_int_equal(cli_output_tell(output), 21);
  assert_int_equal(cli_output_close(output), CLI_FINE);
  assert_int_equal(read_file(path, data, sizeof data), 21);
  assert_memory_equal(data, "head of a tail\0\0\0\0\0\0!", 21);
  output = cli_output_open_memory();
  cli_output_text(output, "a");
  cli_output_seek(output, 0); /* memory has no places */
  assert_true(cli_output_failed(output));
  cli_output_abandon(output);
}

static void long_formats(void **state) {
  (void)state;
  char text[2001];
  memset(text, 'x', 2000);
  text[2000] = '\0';
  cli_output *output = cli_output_open_memory();
  cli_output_format(output, "<%s>", text);
  size_t size;
  const char *contents = cli_output_contents(output, &size);
  assert_int_equal(size, 2002);
  assert_int_equal(contents[2001], '>');
  cli_output_abandon(output);
}

static void little_endian(void **state) {
  (void)state;
  cli_output *output = cli_output_open_memory();
  cli_output_u16(output, 0x0102);
  cli_output_u32(output, 0x03040506);
  cli_output_f32(output, 1.0f);
  assert_memory_equal(cli_output_contents(output, NULL), "\x02\x01\x06\x05\x04\x03\x00\x00\x80\x3f",
                      10);
  assert_false(cli_output_is_terminal(output));
  cli_output_abandon(output);
}

static void failures_are_told(void **state) {
  (void)state;
  assert_null(cli_output_open(SUPPLE_SCRATCH "/no/such/folder/x"));
  assert_null(cli_output_open(SUPPLE_SCRATCH)); /* a folder */
#if !defined(_WIN32)
  struct stat status;
  if (stat("/dev/full", &status) != 0) skip();
  cli_output *output = cli_output_open("/dev/full");
  assert_non_null(output);
  cli_output_text(output, "x");
  assert_false(cli_output_failed(output)); /* still in the buffer */
  assert_int_equal(cli_output_close(output), CLI_FAILED);
  assert_int_equal(stat("/dev/full", &status), 0); /* not replaced by a file */
  assert_true(S_ISCHR(status.st_mode));
#endif
}

static void links_and_modes_stay(void **state) {
  (void)state;
#if !defined(_WIN32)
  static const char link_path[] = SUPPLE_SCRATCH "/link.bin";
  struct stat status;
  char data[8];
  cli_output *output = cli_output_open(path);
  assert_int_equal(cli_output_close(output), CLI_FINE);
  assert_int_equal(chmod(path, 0640), 0);
  remove(link_path);
  assert_int_equal(symlink("out.bin", link_path), 0);
  output = cli_output_open(link_path);
  cli_output_text(output, "new");
  assert_int_equal(cli_output_close(output), CLI_FINE);
  assert_int_equal(lstat(link_path, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(read_file(path, data, sizeof data), 3);
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0640);
  remove(link_path);
#endif
}

static void signals_leave_nothing(void **state) {
  (void)state;
#if !defined(_WIN32)
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, 0};
  for (int i = 0; i < 4; i++) {
    const int before = files_in_scratch();
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      cli_output_guard();
      cli_output *output = cli_output_open(path);
      if (!output || files_in_scratch() != before + 1) _exit(9);
      cli_output_text(output, "half of it");
      if (signals[i] == 0) exit(3); /* the end without close */
      raise(signals[i]);
      _exit(8);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (signals[i] == 0)
      assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    else
      assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
    assert_int_equal(files_in_scratch(), before);
  }
#endif
}

static void paths_end_in_either_case(void **state) {
  (void)state;
  assert_true(cli_path_ends("a/Hero.GLB", ".glb"));
  assert_true(cli_path_ends(".glb", ".glb"));
  assert_false(cli_path_ends("glb", ".glb"));
  assert_false(cli_path_ends("hero.glb.txt", ".glb"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(appears_whole_on_close, start),
      cmocka_unit_test_setup(abandoned_leaves_what_was, start),
      cmocka_unit_test_setup(several_at_once, start),
      cmocka_unit_test_setup(completed_waits_for_close, start),
      cmocka_unit_test_setup(thousands_wait_for_close, start),
      cmocka_unit_test_setup(large_writes, start),
      cmocka_unit_test_setup(places_can_be_filled_later, start),
      cmocka_unit_test(paths_end_in_either_case),
      cmocka_unit_test(long_formats),
      cmocka_unit_test(little_endian),
      cmocka_unit_test(failures_are_told),
      cmocka_unit_test_setup(links_and_modes_stay, start),
      cmocka_unit_test_setup(signals_leave_nothing, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
