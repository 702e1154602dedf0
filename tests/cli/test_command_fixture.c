/* test_command_fixture.c: `supple fixture`, in this process. */
#include "cli/command.h"
#include "cli/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* supple fixture a b c d, without those that are NULL. */
static int run(const char *a, const char *b, const char *c, const char *d) {
  char words[6][512] = {"supple", "fixture"};
  char *argv[7] = {words[0], words[1]};
  const char *given[4] = {a, b, c, d};
  int count = 2;
  for (int i = 0; i < 4; i++) {
    if (!given[i]) continue;
    snprintf(words[count], sizeof words[count], "%s", given[i]);
    argv[count] = words[count];
    count++;
  }
  argv[count] = NULL;
  return cli_run(count, argv);
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *data = calloc(1, 8 << 20);
  assert_non_null(data);
  *size = fread(data, 1, (8 << 20) - 1, file);
  fclose(file);
  return data;
}

static void test_writes_every_fixture(void **state) {
  (void)state;
  static const char *const endings[] = {"glb", "gltf"};
  for (const cli_fixture_kind *kind = cli_fixtures; kind->name; kind++) {
    for (size_t i = 0; i < 2; i++) {
      char path[512];
      snprintf(path, sizeof path, "%s/%s.%s", SUPPLE_SCRATCH, kind->name, endings[i]);
      assert_int_equal(run(kind->name, "-o", path, NULL), CLI_FINE);
      supple_error error;
      supple_asset *asset = supple_asset_load(path, NULL, &error);
      assert_non_null(asset);
      assert_int_equal(asset->instance_count, 1);
      assert_string_equal(asset->skins[0].name, kind->name);
      /* the summary names its clips */
      for (uint32_t c = 0; c < asset->clip_count; c++) {
        assert_non_null(strstr(kind->summary, asset->clips[c].name));
      }
      supple_asset_free(asset);
      size_t size = 0;
      char *data = read_file(path, &size);
      assert_int_equal(strncmp(data, "glTF", 4) == 0, i == 0);
      free(data);
      remove(path);
    }
  }
}

static void test_list(void **state) {
  (void)state;
  for (int json = 0; json < 2; json++) {
    const char *path = SUPPLE_SCRATCH "/list.txt";
    assert_int_equal(run("--list", "-o", path, json ? "--json" : NULL), CLI_FINE);
    size_t size = 0;
    char *text = read_file(path, &size);
    assert_non_null(text);
    for (const cli_fixture_kind *kind = cli_fixtures; kind->name; kind++) {
      assert_non_null(strstr(text, kind->name));
      assert_non_null(strstr(text, kind->summary));
    }
    assert_int_equal(text[0] == '{', json);
    free(text);
    remove(path);
  }
}

static void test_wrong_usage(void **state) {
  (void)state;
  assert_int_equal(run(NULL, NULL, NULL, NULL), CLI_USAGE);
  assert_int_equal(run("arm", NULL, NULL, NULL), CLI_USAGE); /* where to? */
  assert_int_equal(run("amr", "-o", SUPPLE_SCRATCH "/amr.glb", NULL), CLI_USAGE);
  assert_int_equal(run("arm", "ring", "-o", SUPPLE_SCRATCH "/two.glb"), CLI_USAGE);
  assert_int_equal(run("--list", "arm", NULL, NULL), CLI_USAGE);
  size_t size = 0;
  assert_null(read_file(SUPPLE_SCRATCH "/amr.glb", &size));
}

static void test_cannot_write(void **state) {
  (void)state;
  assert_int_equal(run("ring", "-o", SUPPLE_SCRATCH "/no/such/folder/ring.glb", NULL), CLI_FAILED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writes_every_fixture),
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_wrong_usage),
      cmocka_unit_test(test_cannot_write),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
