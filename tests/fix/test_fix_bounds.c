/* test_fix_bounds.c: min and max are exactly those of the elements. */
#include "tests/fix/fix_tests.h"

static const supple_fix_options bounds_only = {.repairs = SUPPLE_REPAIR_BOUNDS};

static void wrong_and_missing(void **state) {
  (void)state;
  strip s = clean_strip();
  s.positions[0] =
      -0.1f; /* 0.1 is no float: its text must read back as that float, and as its double */
  s.positions[6] = s.positions[12] = -0.1f;
  s.bounds = ",'min':[-0.5,0,0],'max':[0.5,2,0]";
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, bounds_only);
  assert_int_equal(report->action_count, 1);
  assert_string_equal(report->actions[0].code, "ACCESSOR_MIN_MISMATCH");
  assert_true(number_at(document, "/accessors/0/min/0") == (double)-0.1f);
  assert_true(number_at(document, "/accessors/0/max/1") == 2);
  assert_done_for_good(document, bounds_only);
  supple_fix_report_free(report);
  supple_document_free(document);
  s.bounds = "";
  document = open_strip(&s);
  report = fix_strip(document, bounds_only);
  assert_string_equal(report->actions[0].code, "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS");
  assert_true(number_at(document, "/accessors/0/max/0") == 0.5);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* A text that is the float's, though not its double's, is fine: -0.1 for (double)-0.1f. */
static void short_texts_stay(void **state) {
  (void)state;
  strip s = clean_strip();
  s.positions[0] = s.positions[6] = s.positions[12] = -0.1f;
  s.bounds = ",'min':[-0.1,0,0.0],'max':[0.5,2.0,0]";
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, bounds_only);
  assert_int_equal(report->action_count, 0);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* Of normalised integers the stored integers count; morph targets and keys need bounds, too. */
static void integers_targets_keys(void **state) {
  (void)state;
  strip s = clean_strip();
  s.primitive = ",'targets':[{'POSITION':7}]";
  supple_document *document = open_strip(&s);
  static const int8_t offsets[18] = {-128, 0, 5, 127};
  supple_error error;
  uint32_t added;
  const supple_accessor_data data = {
      .layout = {5120, 3, 1, true, 6}, .data = offsets, .target = 34962};
  assert_int_equal(supple_document_add_accessor(document, &data, &added, &error), SUPPLE_OK);
  const supple_value times = supple_document_find(document, "/accessors/4");
  assert_int_equal(
      supple_document_remove(document, supple_document_member(document, times, "max"), &error),
      SUPPLE_OK);
  supple_fix_report *report = supple_fix_document(document, &bounds_only, &error);
  if (!report) fail_msg("%s", error.message);
  assert_true(number_at(document, "/accessors/7/min/0") == -128);
  assert_true(number_at(document, "/accessors/7/max/0") == 127);
  assert_true(number_at(document, "/accessors/7/max/2") == 5);
  assert_true(number_at(document, "/accessors/4/max/0") == 1);
  assert_done_for_good(document, bounds_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_and_missing),
      cmocka_unit_test(short_texts_stay),
      cmocka_unit_test(integers_targets_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
