/* test_fix.c: the repairs together, what they say, and every allocation that fails. */
#include "tests/fix/fix_tests.h"

#include <math.h>

#include "src/fix/fix_state.h"

/* Sums, names, nodes, bounds and a singular matrix at once. */
static strip spoilt(void) {
  strip s = clean_strip();
  s.weights[8] = 0.75f;
  s.weights[0] = 0;
  memset(s.binds + 16, 0, 12 * sizeof *s.binds);
  s.bounds = ",'min':[-1,0,0],'max':[0.5,2,0]";
  s.nodes = "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'a','"
            "translation':[0,1,0],"
            "'children':[3]},{'translation':[0,1,0],'children':[4]},{'name':'low','mesh':0,'skin':"
            "0,'scale':[2,2,2]}";
  return s;
}

static void all_at_once(void **state) {
  (void)state;
  strip s = spoilt();
  static const char *const codes[] = {"SKINNING_INVERSE_BIND_SINGULAR",
                                      "ACCESSOR_WEIGHTS_NON_NORMALIZED",
                                      "SKINNING_VERTICES_UNWEIGHTED",
                                      "NODE_SKINNED_MESH_NON_ROOT",
                                      "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
                                      "SKINNING_NAME_DUPLICATE",
                                      "SKINNING_NAME_MISSING",
                                      "ACCESSOR_MIN_MISMATCH"};
  const supple_fix_options options = {.repairs = SUPPLE_REPAIR_DEFAULT | SUPPLE_REPAIR_REBIND};
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, options);
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    assert_true(action_of(report, codes[i])->done);
  assert_true(report->largest_metres > 0.1 && report->largest_share > 0 && !report->range_of_motion);
  assert_done_for_good(document, options);
  supple_fix_report_free(report);
  supple_document_free(document);
}

static void nothing_to_do(void **state) {
  (void)state;
  strip s = clean_strip();
  glb_text file = strip_file(&s);
  supple_document *document = supple_document_load_memory(file.bytes, file.size, NULL, NULL);
  assert_non_null(document);
  supple_error error;
  supple_fix_report *report = supple_fix_document(document, NULL, &error);
  if (!report) fail_msg("%s", error.message);
  assert_int_equal(report->action_count, 0);
  assert_true(report->largest_metres == 0 && report->worst_clip == SUPPLE_NONE);
  written_bytes same = write_strip(document);
  assert_int_equal(same.size, file.size);
  assert_memory_equal(same.data, file.bytes, file.size);
  free(same.data);
  free(file.bytes);
  supple_fix_report_free(report);
  supple_fix_report_free(NULL);
  supple_document_free(document);
}

static void only_what_was_asked(void **state) {
  (void)state;
  strip s = spoilt();
  supple_document *document = open_strip(&s);
  supple_fix_report *report =
      fix_strip(document, (supple_fix_options){.repairs = SUPPLE_REPAIR_NONE});
  assert_int_equal(report->action_count, 0);
  supple_fix_report_free(report);
  report = fix_strip(document, (supple_fix_options){.repairs = SUPPLE_REPAIR_BOUNDS});
  assert_int_equal(report->action_count, 1);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* Without a clip the distances are those of a range of motion. */
static void without_clips(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_document *document = open_strip(&s);
  assert_int_equal(
      supple_document_remove(document, supple_document_find(document, "/animations"), NULL),
      SUPPLE_OK);
  supple_fix_report *report = fix_strip(document, (supple_fix_options){.influences = 1});
  assert_true(report->range_of_motion && report->worst_clip == SUPPLE_NONE);
  assert_true(report->largest_metres > 0 && report->truncated_metres > 0);
  supple_fix_report_free(report);
  supple_document_free(document);
}

static void refused_files(void **state) {
  (void)state;
  strip s = clean_strip();
  s.skins = "{'joints':[1,2,9]}";
  supple_error error;
  supple_document *document = open_strip(&s);
  assert_null(supple_fix_document(document, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_FORMAT);
  assert_null(supple_fix_document(document, NULL, NULL));
  supple_document_free(document);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  strip s = spoilt();
  ledger book;
  supple_fix_report *report = NULL;
  size_t calls = 1;
  for (; !report; calls += calls < 80 ? 1 : 7) {
    supple_error error;
    supple_document *document = open_strip(&s);
    supple_fix_options options = {
        .repairs = SUPPLE_REPAIR_DEFAULT | SUPPLE_REPAIR_REBIND, .influences = 1, .max_joints = 2};
    options.load.allocator = ledger_allocator(&book);
    book.fail_at = calls;
    report = supple_fix_document(document, &options, &error);
    if (!report && error.result != SUPPLE_ERROR_MEMORY)
      fail_msg("call %zu: %s", calls, error.message);
    supple_document_free(document);
    if (!report) assert_int_equal(book.live, 0);
  }
  assert_true(calls > 200);
  supple_fix_report_free(report);
  assert_int_equal(book.live, 0);
}

static void numbers(void **state) {
  (void)state;
  char text[SUPPLEI_FIX_NUMBER];
  assert_string_equal(supplei_fix_number(0, text), "0");
  assert_string_equal(supplei_fix_number(1.755, text), "1.755");
  assert_string_equal(supplei_fix_number(0.021606, text), "0.02161");
  assert_string_equal(supplei_fix_number(-123456, text), "-123500");
  assert_string_equal(supplei_fix_number(7.9412e-5, text), "0.00007941");
  assert_string_equal(supplei_fix_number(HUGE_VAL, text), "not finite");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_at_once),
      cmocka_unit_test(nothing_to_do),
      cmocka_unit_test(only_what_was_asked),
      cmocka_unit_test(without_clips),
      cmocka_unit_test(refused_files),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
