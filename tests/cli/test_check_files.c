/* test_check_files.c: the files that arguments name. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700 /* symlink */
#endif
#include "cli/check_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(_WIN32)
#include <sys/stat.h>
#include <unistd.h>

static void make_folder(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", SUPPLE_SCRATCH, name);
  mkdir(path, 0777); /* may be there from an earlier run */
}

static void make_file(const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", SUPPLE_SCRATCH, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fclose(file);
}

static void make_link(const char *target, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", SUPPLE_SCRATCH, name);
  unlink(path);
  assert_int_equal(symlink(target, path), 0);
}

/* What the arguments (in the scratch folder) give: names there, ended by NULL. */
static void expect(int exit_code, const char *const *arguments, size_t count,
                   const char *const *names) {
  static char texts[8][1024];
  const char *paths[8];
  cli_file_list list = {0};
  for (size_t i = 0; i < count; i++) {
    snprintf(texts[i], sizeof texts[i], "%s/%s", SUPPLE_SCRATCH, arguments[i]);
    paths[i] = texts[i];
  }
  assert_int_equal(cli_files_expand(paths, count, &list), exit_code);
  uint32_t found = 0;
  for (; names[found]; found++) {
    char wanted[1024];
    snprintf(wanted, sizeof wanted, "%s/%s", SUPPLE_SCRATCH, names[found]);
    assert_true(found < list.count);
    assert_string_equal(list.paths[found], wanted);
  }
  assert_int_equal(list.count, found);
  cli_files_free(&list);
  assert_null(list.paths);
}

static void folders_are_searched(void **state) {
  (void)state;
  make_folder("in"), make_folder("in/deep"), make_folder("in/empty"), make_folder("elsewhere");
  make_file("in/b.GLB"), make_file("in/a.gltf"), make_file("in/readme.txt"), make_file("in/glb");
  make_file("in/x.glb.bak"), make_file("in/deep/c.vrm"), make_file("in/deep/.gltf"),
      make_file("elsewhere/z.glb");
  make_folder("in/folder.glb");
  make_link("../elsewhere", "in/link"); /* not followed */
  make_link("..", "in/deep/loop");
  make_link("../elsewhere/z.glb", "in/linked.glb");
  make_link("nowhere.glb", "in/dangling.glb");
  expect(CLI_FINE, (const char *const[]){"in"}, 1,
         (const char *const[]){"in/a.gltf", "in/b.GLB", "in/deep/.gltf", "in/deep/c.vrm",
                               "in/linked.glb", NULL});
  /* in the order of the arguments; a slash at the end is not doubled */
  expect(CLI_FINE, (const char *const[]){"elsewhere/", "in/readme.txt", "in/link"}, 3,
         (const char *const[]){"elsewhere/z.glb", "in/readme.txt", "in/link/z.glb", NULL});
}

static void what_is_not_there_is_left_to_the_loader(void **state) {
  (void)state;
  expect(CLI_FINE, (const char *const[]){"in/none.glb"}, 1,
         (const char *const[]){"in/none.glb", NULL});
  cli_file_list list = {0};
  const char *const standard[] = {"-"};
  assert_int_equal(cli_files_expand(standard, 1, &list), CLI_FINE);
  assert_int_equal(list.count, 1);
  assert_string_equal(list.paths[0], "-");
  cli_files_free(&list);
}

static void folders_without_assets(void **state) {
  (void)state;
  make_folder("in"), make_folder("in/empty"), make_folder("elsewhere"), make_file("elsewhere/z.glb");
  expect(CLI_FAILED, (const char *const[]){"in/empty", "elsewhere"}, 2,
         (const char *const[]){"elsewhere/z.glb", NULL});
}

static void folders_nested_deep(void **state) {
  (void)state;
  char name[512] = "deep";
  make_folder(name);
  for (int i = 0; i < 100; i++) {
    strcat(name, "/d");
    make_folder(name);
  }
  strcat(name, "/x.glb");
  make_file(name);
  make_file("deep/y.glb");
  expect(CLI_FAILED, (const char *const[]){"deep"}, 1, (const char *const[]){"deep/y.glb", NULL});
  expect(CLI_FINE, (const char *const[]){"deep/d"}, 1, (const char *const[]){name, NULL});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(folders_are_searched),
                                     cmocka_unit_test(what_is_not_there_is_left_to_the_loader),
                                     cmocka_unit_test(folders_without_assets),
                                     cmocka_unit_test(folders_nested_deep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void) { return 77; }
#endif
