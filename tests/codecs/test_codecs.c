/* test_codecs.c: which decoders this build has, and that the list and the functions agree. */
#include <supple/codecs.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void what_there_is(void **state) {
  (void)state;
  const supple_codecs *all = supple_codecs_all();
  assert_non_null(all);
  assert_ptr_equal(all, supple_codecs_all());
  const supple_codec_info *meshopt = supple_codecs_info(0), *draco = supple_codecs_info(1);
  assert_null(supple_codecs_info(2));
  assert_null(supple_codecs_info(SUPPLE_NONE));
  assert_non_null(strstr(meshopt->extensions, "EXT_meshopt_compression"));
  assert_non_null(strstr(draco->extensions, "KHR_draco_mesh_compression"));
  assert_string_equal(meshopt->package, "libmeshoptimizer-dev");
  assert_string_equal(draco->package, "libdraco-dev");
  assert_int_equal(all->meshopt != NULL, meshopt->version[0] != 0);
  assert_int_equal(all->draco_open != NULL, draco->version[0] != 0);
  assert_int_equal(all->draco_read != NULL, all->draco_open != NULL);
  assert_int_equal(all->draco_close != NULL, all->draco_open != NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_there_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
