/* test_failing_memory.c: the n-th allocation of a whole command fails, for every n: exit code 1, a message, and
 * the output file is as it was before: absent, or with its old content. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "cli/command.h"
#include "tests/cli/small_asset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(SUPPLE_WRAPS_MALLOC) /* the linker hands every call of malloc to __wrap_malloc: CMakeLists.txt */

#include <dirent.h>
#include <unistd.h>

/* ---- allocations that fail when told ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static unsigned long calls, fail_at; /* 0: none. One thread allocates: --threads 1 */
static bool fail_after;              /* all later ones fail too */

static bool fails(void) {
  ++calls;
  return fail_at && (calls == fail_at || (fail_after && calls > fail_at));
}
void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *memory, size_t size) {
  return fails() ? NULL : __real_realloc(memory, size);
}

/* ---- files ---- */

static const char asset[] = SUPPLE_SCRATCH "/tube.gltf";
static const char plain[] = SUPPLE_SCRATCH "/plain.gltf";
static const char messages[] = SUPPLE_SCRATCH "/messages.txt";
static const char printed[] = SUPPLE_SCRATCH "/printed.txt";
static const char folder[] = SUPPLE_SCRATCH "/out";
static const char old[] = "what was there before";

static char text[1 << 20];

static size_t read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file) fclose(file);
  text[size] = 0;
  return file ? size : SIZE_MAX;
}

static void write_old(const char *path) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(old, file);
  assert_int_equal(fclose(file), 0);
}

static unsigned files_in_folder(void) {
  DIR *list = opendir(folder);
  assert_non_null(list);
  unsigned count = 0;
  for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
    count += entry->d_name[0] != '.';
  closedir(list);
  return count;
}

/* ---- running a command with its streams in files ---- */

static int redirect(FILE *stream, const char *path) {
  fflush(stream);
  const int kept = dup(fileno(stream));
  FILE *file = fopen(path, "wb");
  assert_true(kept >= 0 && file);
  dup2(fileno(file), fileno(stream));
  fclose(file);
  return kept;
}
static void restore(FILE *stream, int kept) {
  fflush(stream);
  dup2(kept, fileno(stream));
  close(kept);
}

static int run(char **arguments, unsigned long n, bool after) {
  int count = 0;
  while (arguments[count]) count++;
  const int kept_out = redirect(stdout, printed), kept_err = redirect(stderr, messages);
  calls = 0;
  fail_at = n;
  fail_after = after;
  const int exit_code = cli_run(count, arguments);
  fail_at = 0;
  restore(stdout, kept_out), restore(stderr, kept_err);
  return exit_code;
}

/* ---- every n ---- */

static void expect_failure(int exit_code, unsigned long n, const char *what) {
  read_file(messages);
  if (exit_code != CLI_FAILED)
    fail_msg("%s without allocation %lu: exit code %d: %s", what, n, exit_code, text);
  if (strncmp(text, "supple ", 7) != 0 || !strstr(text, "memory"))
    fail_msg("%s without allocation %lu: no message: %s", what, n, text);
}

/* `arguments` with NULL where the output is named. */
static void for_every_allocation(const char *const *template, const char *output) {
  char *arguments[24], path[512] = "";
  int count = 0;
  if (output) snprintf(path, sizeof path, "%s/%s", folder, output);
  for (; template[count]; count++)
    arguments[count] = (char *)(uintptr_t)(template[count][0] == '>' ? path : template[count]);
  arguments[count] = NULL;
  if (output) remove(path);
  assert_int_equal(files_in_folder(), 0);
  for (int k = 0; k < 2;
       k++) /* the first run makes names of temporary files that later ones take again */
    if (run(arguments, 0, false) != CLI_FINE)
      fail_msg("%s: %s", template[1], (read_file(messages), text));
  const unsigned long total = calls;
  assert_true(total > 3);
  if (output) assert_int_equal(remove(path), 0); /* it was written */
#if defined(__SANITIZE_ADDRESS__) /* slow: every third will do, unless all is asked for */
  const unsigned long step = getenv("SUPPLE_ALL") || total < 60 ? 1 : 3;
#else
  const unsigned long step = 1;
#endif
  for (unsigned long n = 1; n <= total; n += step)
    for (int before = 0; before < 2; before++) { /* without and with a file in the output's place */
      if (before && output) write_old(path);
      const int exit_code = run(arguments, n, before != 0);
      if (before && calls < n) { /* the way to an existing file may take fewer */
        assert_int_equal(exit_code, CLI_FINE);
        if (output) remove(path);
        continue;
      }
      expect_failure(exit_code, n, template[1]);
      if (!output) continue;
      const size_t size = read_file(path);
      if (!before && size != SIZE_MAX)
        fail_msg("%s without allocation %lu leaves a file", template[1], n);
      if (before && strcmp(text, old) != 0)
        fail_msg("%s without allocation %lu overwrites a file", template[1], n);
      if (before) remove(path);
      assert_int_equal(files_in_folder(), 0); /* and no temporary one */
    }
  if (run(arguments, 0, false) != CLI_FINE)
    fail_msg("%s afterwards: %s", template[1], (read_file(messages), text));
  if (output) remove(path);
}

static void skin_writers(void **state) {
  (void)state;
  static const char *const outputs[] = {"posed.json", "posed.npz", "posed.obj",
                                        "posed.ply",  "posed.glb", "posed.gltf"};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    for_every_allocation((const char *const[]){"supple", "skin", asset, "--threads", "1", "--clip",
                                               "turn", "--time", "0.5", "-o", ">", NULL},
                         outputs[i]);
}

static void skin_to_stdout(void **state) {
  (void)state;
  for_every_allocation((const char *const[]){"supple", "skin", asset, "--json", "--threads", "1",
                                             "--method", "lbs", "--pose", "tip:twist=30", "--pose",
                                             "root:bend=10", NULL},
                       NULL);
}

static void bake_writers(void **state) {
  (void)state;
  static const char *const outputs[] = {"baked.pc2", "baked.npz", "baked.glb"};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    for_every_allocation((const char *const[]){"supple", "bake", asset, "--threads", "1", "--clip",
                                               "turn", "--frames", "3", "-o", ">", NULL},
                         outputs[i]);
  for_every_allocation(
      (const char *const[]){"supple", "bake", asset, "--threads", "1", "--rest", "-o", ">", NULL},
      "baked.obj");
  for_every_allocation((const char *const[]){"supple", "bake", asset, "--threads", "1", "--clip",
                                             "turn", "--frames", "3", "--bounds", "--json", NULL},
                       NULL);
}

static void fixture_writers(void **state) {
  (void)state;
  for_every_allocation((const char *const[]){"supple", "fixture", "ring", "-o", ">", NULL},
                       "ring.glb");
  for_every_allocation((const char *const[]){"supple", "fixture", "ring", "-o", ">", NULL},
                       "ring.gltf");
  for_every_allocation((const char *const[]){"supple", "shader", "--lang", "wgsl", "-o", ">", NULL},
                       "shader.wgsl");
}

static void compare_writers(void **state) {
  (void)state;
  for_every_allocation((const char *const[]){"supple", "compare", asset, "--threads", "1",
                                             "--frames", "2", "--pictures", "0", "-o", ">", NULL},
                       "report.html");
  for_every_allocation((const char *const[]){"supple", "compare", asset, "--threads", "1",
                                             "--frames", "2", "--json", NULL},
                       NULL);
  for_every_allocation((const char *const[]){"supple", "compare", asset, "--threads", "1",
                                             "--motion", "rom", "--fail-under", "0.1", NULL},
                       NULL);
}

static void convert_writers(void **state) {
  (void)state;
  for_every_allocation(
      (const char *const[]){"supple", "convert", asset, "--threads", "1", "-o", ">", NULL},
      "tube.usda");
  for_every_allocation(
      (const char *const[]){"supple", "convert", asset, "--threads", "1", "-o", ">", NULL},
      "tube.usdz");
}

static void fix_writers(void **state) {
  (void)state;
  for_every_allocation((const char *const[]){"supple", "fix", asset, "--influences", "1", "--prune",
                                             "-o", ">", NULL},
                       "fixed.glb");
  for_every_allocation((const char *const[]){"supple", "fix", asset, "--rebind", "--json",
                                             "--dry-run", "--influences", "1", "--max-joints", "2",
                                             NULL},
                       NULL);
}

/* The text is made by the command, and one number of it changed. */
static void joints_writers(void **state) {
  (void)state;
  static const char edited[] = SUPPLE_SCRATCH "/edited.txt";
  for_every_allocation((const char *const[]){"supple", "joints", asset, "--export", ">", NULL},
                       "joints.txt");
  char *export[] = {(char[]){"supple"},   (char[]){"joints"},        (char *)(uintptr_t)asset,
                    (char[]){"--export"}, (char *)(uintptr_t)edited, NULL};
  assert_int_equal(run(export, 0, false), CLI_FINE);
  read_file(edited);
  char *number = strstr(text, "translation 0 1 0");
  assert_non_null(number);
  number[strlen("translation 0 ")] = '2';
  FILE *file = fopen(edited, "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  for_every_allocation(
      (const char *const[]){"supple", "joints", asset, "--import", edited, "-o", ">", NULL},
      "imported.glb");
}

static void readers(void **state) {
  (void)state;
  for_every_allocation(
      (const char *const[]){"supple", "info", asset, "--threads", "1", "--json", NULL}, NULL);
  for_every_allocation((const char *const[]){"supple", "info", asset, "--threads", "1", NULL}, NULL);
  for_every_allocation((const char *const[]){"supple", "joints", asset, NULL}, NULL);
  assert_true(small_asset_write_plain(plain));
  for_every_allocation((const char *const[]){"supple", "check", plain, "--threads", "1", NULL},
                       NULL);
  for_every_allocation(
      (const char *const[]){"supple", "check", plain, "--threads", "1", "--json", "-o", ">", NULL},
      "check.json");
  for_every_allocation(
      (const char *const[]){"supple", "joints", asset, "--json", "--dual-quaternions", NULL}, NULL);
}

static int prepare(void **state) {
  (void)state;
  char command[600];
  snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", folder, folder);
  return system(command) == 0 && small_asset_write(asset, true) ? 0 : 1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(skin_writers),    cmocka_unit_test(skin_to_stdout),
      cmocka_unit_test(bake_writers),    cmocka_unit_test(fixture_writers),
      cmocka_unit_test(compare_writers), cmocka_unit_test(convert_writers),
      cmocka_unit_test(fix_writers),     cmocka_unit_test(joints_writers),
      cmocka_unit_test(readers)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}

#else

static void without_wrapping(void **state) {
  (void)state;
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_wrapping)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
