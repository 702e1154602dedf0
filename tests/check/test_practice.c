/* test_practice.c: numbers as text, what is looked at when, and memory that runs out. */
#include "practice_tests.h"

#include "src/check/practice.h"

static void numbers(void **state) {
  (void)state;
  static const struct {
    double value;
    int digits;
    const char *text;
  } cases[] = {{0, 3, "0"},
               {1, 3, "1"},
               {-2.5, 3, "-2.5"},
               {0.02160849, 3, "0.0216"},
               {12.345, 3, "12.3"},
               {1234.5, 3, "1230"},
               {0.98031234, 6, "0.980312"},
               {0.9996, 3, "1"},
               {999.6, 3, "1000"},
               {0.0000216, 3, "0.0000216"},
               {1.5e-7, 2, "1.5e-07"},
               {3e-300, 2, "3e-300"},
               {2e12, 2, "2e+12"},
               {1e8, 2, "100000000"},
               {100, 1, "100"},
               {(double)INFINITY, 3, "not finite"},
               {(double)NAN, 3, "not finite"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char words[SUPPLEI_WORDS];
    assert_string_equal(supplei_practice_number(cases[i].value, cases[i].digits, words),
                        cases[i].text);
  }
}

static void texts(void **state) {
  (void)state;
  char words[SUPPLEI_WORDS];
  /* 64 bytes are shown; what would be cut in the middle of a character is left out */
  static const char *const name =
      "0123456789012345678901234567890123456789012345678901234567890123\xC3\xA4";
  static const char *const late =
      "012345678901234567890123456789012345678901234567890123456789012\xC3\xA4";
  const supple_node nodes[3] = {{.name = name}, {.name = late}, {.name = ""}};
  const supple_clip clip = {.name = "walk"}, unnamed = {.name = ""};
  const supple_clip clips[2] = {clip, unnamed};
  const supple_asset asset = {
      .skeleton = {.nodes = nodes, .node_count = 3}, .clips = clips, .clip_count = 2};
  assert_string_equal(
      supplei_practice_node(&asset, 0, words),
      "\"0123456789012345678901234567890123456789012345678901234567890123\" (node 0)");
  assert_string_equal(
      supplei_practice_node(&asset, 1, words),
      "\"012345678901234567890123456789012345678901234567890123456789012\" (node 1)");
  assert_string_equal(supplei_practice_node(&asset, 2, words), "node 2");
  assert_string_equal(supplei_practice_when(&asset, &(supplei_worst){1, {0, 1.25}, 0}, words),
                      "in clip \"walk\" at 1.25 s");
  assert_string_equal(supplei_practice_when(&asset, &(supplei_worst){1, {1, 0}, 0}, words),
                      "in clip 1 at 0 s");
  assert_string_equal(supplei_practice_when(&asset, &(supplei_worst){0}, words),
                      "with the nodes as stored");
  assert_string_equal(supplei_practice_metres(0.1, words), "0.1 m");
}

static void worst(void **state) {
  (void)state;
  supplei_worst w = {0};
  const supplei_frame first = {1, 2}, second = {3, 4};
  supplei_worst_offer(&w, 0, &first, 5);
  assert_int_equal(w.index, 0);
  supplei_worst_offer(&w, 1, &first, 5);
  supplei_worst_offer(&w, 1, &second, 6);
  supplei_worst_offer(&w, (double)NAN, &second, 7);
  supplei_worst_offer(&w, (double)INFINITY, &second, 8);
  assert_true(w.metres == 1 && w.index == 5 && w.frame.clip == 1);
}

/* A rig with much trouble. */
static rig troubled(void) {
  rig r = six_joints();
  r.nodes = "[{'name':'j.0','children':[1]},{'name':'j0','scale':[2,1,1],'children':[2]},"
            "{'rotation':[0,0,0.38268343236509,0.92387953251129]},{'name':'j3','scale':[-1,1,1]},"
            "{'name':'j4','scale':[1,0,1]},{'name':'j5'},{'name':'skinned','mesh':0,'skin':0,'"
            "translation':[1,0,0]}]";
  for (int v = 0; v < 4; v++)
    for (int i = 0; i < 4; i++) r.weights[0][v][i] = 0.1f, r.weights[1][v][i] = i < 2 ? 0.25f : 0;
  r.clips = MOVE_A;
  r.strict = true;
  return r;
}

static void structure_only(void **state) {
  (void)state;
  rig r = troubled();
  const supple_check_options options = {.structure_only = true};
  supple_check_report *report = check_rig_with(&r, &options);
  for (uint32_t i = 0; i < report->finding_count; i++)
    assert_false(strncmp(report->findings[i].code->name, "SKINNING_", 9) == 0);
  supple_check_report_free(report);
}

static void no_memory(void **state) {
  (void)state;
  rig r = troubled();
  glb_text glb = build_rig(&r);
  size_t calls = 0;
  for (size_t fail_at = 0; fail_at <= calls; fail_at++) {
    ledger book;
    supple_error error = {0};
    const supple_check_options options = {.strict = true, .load.allocator = ledger_allocator(&book)};
    book.fail_at = fail_at;
    supple_check_report *report = supple_check_memory(glb.bytes, glb.size, &options, &error);
    if (fail_at == 0) {
      assert_non_null(report);
      assert_true(find_code(report, "SKINNING_WORLD_SHEARED") &&
                  find_code(report, "SKINNING_JOINTS_SINGULAR") &&
                  find_code(report, "SKINNING_INFLUENCES_MANY") &&
                  find_code(report, "SKINNING_SETS_UNORDERED") &&
                  find_code(report, "SKINNING_STRICT_JOINT_SCALED"));
      calls = book.calls;
    } else if (report || error.result != SUPPLE_ERROR_MEMORY) {
      fail_msg("allocation %zu of %zu: %s: %s", fail_at, calls, report ? "a report" : "no report",
               error.message);
    }
    supple_check_report_free(report);
    if (book.live) fail_msg("allocation %zu of %zu: %zu objects leak", fail_at, calls, book.live);
  }
  free(glb.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(texts),
                                     cmocka_unit_test(worst), cmocka_unit_test(structure_only),
                                     cmocka_unit_test(no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
