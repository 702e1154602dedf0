/* test_limit_influences.c: a vertex limited by what the clips of its instances do, equal ones equally. */
#include "tests/fix/fix_tests.h"

#include "src/fix/limit_influences.h"

static supple_asset *strip_asset(const strip *s) {
  supple_error error;
  supple_document *document = open_strip(s);
  supple_asset *asset = supple_document_asset(document, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  supple_document_free(document);
  return asset;
}

static uint32_t limit(supplei_limiter *limiter, const supple_asset *asset, uint32_t vertex,
                      supplei_stored_influence *list, uint32_t count, supplei_limit_report *report) {
  uint32_t left = 0;
  assert_int_equal(supplei_limiter_vertex(limiter, asset->meshes[0].primitives, vertex, list, count,
                                          SUPPLEI_WEIGHT_F32, &left, report),
                   SUPPLE_OK);
  return left;
}

/* The clip turns joints 1 and 2 as one: 0.4, 0.35, 0.25 of 0, 1, 2 for a vertex of ring 0 is 0.4, 0.6 without
 * loss (but for what the made up poses pull). */
static void joints_of_one_motion(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_asset *asset = strip_asset(&s);
  supplei_limiter limiter;
  supplei_limit_report report = {0};
  const bool meshes[1] = {true};
  assert_int_equal(supplei_limiter_open(&limiter, asset, 2, NULL), SUPPLE_OK);
  assert_int_equal(supplei_limiter_choose(&limiter, meshes), SUPPLE_OK);
  supplei_stored_influence list[4] = {{(double)0.4f, 0}, {(double)0.35f, 1}, {0.25, 2}, {0, 0}};
  assert_int_equal(limit(&limiter, asset, 0, list, 3, &report), 2);
  assert_int_equal(report.limited, 1);
  assert_int_equal(report.refitted, 1);
  assert_true(report.largest < 0.1 * report.truncated && report.truncated > 0.01);
  assert_true(list[0].joint != 0 && list[1].joint == 0 && list[2].weight == 0 && list[2].joint == 0);
  assert_true(list[0].weight - 0.6 < 0.01 && 0.6 - list[0].weight < 0.01);
  /* what is few enough stays as it is */
  supplei_stored_influence few[2] = {{0.5, 7}, {0.5, 3}};
  assert_int_equal(limit(&limiter, asset, 0, few, 2, &report), 2);
  assert_true(few[0].joint == 7 && report.limited == 1);
  supplei_limiter_close(&limiter);
  supple_asset_free(asset);
}

/* The same point with the same influences in another order, and one beside it. */
static void equal_vertices(void **state) {
  (void)state;
  strip s = clean_strip();
  memcpy(s.positions + 9, s.positions + 6, 3 * sizeof(float)); /* vertex 3 on vertex 2 */
  supple_asset *asset = strip_asset(&s);
  supplei_limiter limiter;
  supplei_limit_report report = {0};
  const bool meshes[1] = {true};
  assert_int_equal(supplei_limiter_open(&limiter, asset, 2, NULL), SUPPLE_OK);
  assert_int_equal(supplei_limiter_choose(&limiter, meshes), SUPPLE_OK);
  supplei_stored_influence a[3] = {{0.375, 0}, {0.375, 1}, {0.25, 2}},
                           b[3] = {{0.375, 1}, {0.25, 2}, {0.375, 0}};
  limit(&limiter, asset, 2, a, 3, &report);
  limit(&limiter, asset, 3, b, 3, &report);
  for (int i = 0; i < 3; i++) assert_true(a[i].joint == b[i].joint && a[i].weight == b[i].weight);
  supplei_limiter_close(&limiter);
  supple_asset_free(asset);
}

/* A mesh that nobody shows has no poses: the largest weights stay. */
static void without_instances(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_asset *asset = strip_asset(&s);
  supplei_limiter limiter;
  supplei_limit_report report = {0};
  const bool meshes[1] = {false};
  assert_int_equal(supplei_limiter_open(&limiter, asset, 2, NULL), SUPPLE_OK);
  assert_int_equal(supplei_limiter_choose(&limiter, meshes), SUPPLE_OK);
  supplei_stored_influence list[3] = {{0.25, 2}, {0.5, 1}, {0.25, 0}};
  assert_int_equal(limit(&limiter, asset, 0, list, 3, &report), 2);
  assert_int_equal(report.refitted, 0);
  assert_true(list[0].joint == 1 && list[0].weight == (double)(float)(2.0 / 3) && list[1].joint == 0);
  supplei_limiter_close(&limiter);
  supple_asset_free(asset);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_asset *asset = strip_asset(&s);
  bool fine = false;
  for (size_t at = 1; !fine && at < 100; at++) {
    ledger book;
    supplei_limiter limiter;
    supplei_limit_report report = {0};
    const bool meshes[1] = {true};
    supplei_stored_influence list[3] = {{0.5, 0}, {0.25, 1}, {0.25, 2}};
    uint32_t left;
    const supple_allocator allocator = ledger_allocator(&book);
    book.fail_at = at;
    supple_result result = supplei_limiter_open(&limiter, asset, 1, &allocator);
    if (!result) result = supplei_limiter_choose(&limiter, meshes);
    if (!result)
      result = supplei_limiter_vertex(&limiter, asset->meshes[0].primitives, 0, list, 3,
                                      SUPPLEI_WEIGHT_U8, &left, &report);
    fine = result == SUPPLE_OK;
    assert_true(fine || result == SUPPLE_ERROR_MEMORY);
    supplei_limiter_close(&limiter);
    assert_int_equal(book.live, 0);
  }
  assert_true(fine);
  supple_asset_free(asset);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_of_one_motion),
      cmocka_unit_test(equal_vertices),
      cmocka_unit_test(without_instances),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
