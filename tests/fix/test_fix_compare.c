/* test_fix_compare.c: the distances that a report states are those of the vertices. */
#include "tests/fix/fix_at_work.h"

#include <math.h>

static void trace(fix_at_work *work, supplei_trace t) {
  assert_int_equal(supplei_fix_trace(&work->fix, &t), SUPPLE_OK);
}

/* Joint c is lifted by half after all: vertices 4 and 5, half its own, go up by a quarter at rest, and by as much in
 * every pose. */
static void a_known_way(void **state) {
  (void)state;
  fix_at_work work;
  strip s = clean_strip();
  open_work(&work, open_strip(&s));
  trace(&work, (supplei_trace){.instance = 0, .primitive = 0, .node = 0, .now = 0});
  supple_fix_report report = {0};
  assert_int_equal(supple_document_set(work.fix.document,
                                       supple_document_find(work.fix.document, "/nodes/3"),
                                       "translation", "[0,1.5,0]", NULL, NULL),
                   SUPPLE_OK);
  assert_int_equal(supplei_fix_compare(&work.fix, &report), SUPPLE_OK);
  assert_true(report.largest_metres == 0); /* nothing said that something moves */
  work.fix.deforms = true;
  assert_int_equal(supplei_fix_compare(&work.fix, &report), SUPPLE_OK);
  assert_true(fabs(report.largest_metres - 0.25) < 1e-6);
  assert_true(fabs(report.largest_share - 0.25 / sqrt(5)) < 1e-6);
  assert_false(report.range_of_motion);
  assert_true(report.truncated_metres == 0);
  close_work(&work);
}

/* Vertices are compared with those they come from. */
static void sources_are_followed(void **state) {
  (void)state;
  static const uint32_t turned[6] = {1, 0, 3, 2, 5, 4};
  fix_at_work work;
  strip s = clean_strip();
  open_work(&work, open_strip(&s));
  trace(&work, (supplei_trace){0, 0, 0, 0, turned, 6});
  work.fix.deforms = true;
  supple_fix_report report = {0};
  assert_int_equal(supplei_fix_compare(&work.fix, &report), SUPPLE_OK);
  assert_true(fabs(report.largest_metres - 1) < 1e-6); /* from x = -0.5 to 0.5 */
  close_work(&work);
}

/* Vertices 4 and 5 with 0.6 and 0.4 of b and c, limited to one: with c turned by the clip's end, which only turns b,
 * nothing parts b from c, so nothing moves; vertices 2 and 3, half a's, go where b goes or stay. */
static void truncation(void **state) {
  (void)state;
  fix_at_work work;
  strip s = clean_strip();
  open_work(&work, open_strip(&s));
  trace(&work, (supplei_trace){.instance = 0, .primitive = 0, .node = 0, .now = 0});
  work.fix.deforms = true;
  work.options.influences = 1;
  supple_fix_report report = {0};
  assert_int_equal(supplei_fix_compare(&work.fix, &report), SUPPLE_OK);
  assert_true(report.largest_metres == 0);
  /* vertex 2, at (-0.5, 0) from b: b takes it to (0, -0.5), a leaves it; half way is (-0.25, -0.25) off by √⅛ */
  assert_true(fabs(report.truncated_metres - sqrt(0.125)) < 0.05);
  close_work(&work);
}

/* Whole instances, many of them: they are one comparison; the one whose joint moved is found among them. */
static void many_instances(void **state) {
  (void)state;
  enum { COUNT = 300 };
  static char nodes[COUNT * 40 + 1000];
  fix_at_work work;
  strip s = clean_strip();
  size_t used = (size_t)sprintf(nodes, "%s", s.nodes);
  for (int i = 0; i < COUNT; i++)
    used += (size_t)sprintf(nodes + used, ",{'mesh':0,'skin':%d}", i == 200);
  s.nodes = nodes;
  s.skins = "{'joints':[1,2,3],'inverseBindMatrices':3},{'joints':[1,2,3],'inverseBindMatrices':3}";
  open_work(&work, open_strip(&s));
  for (uint32_t i = 0; i < work.fix.before->instance_count; i++)
    trace(&work, (supplei_trace){.instance = i,
                                 .primitive = SUPPLE_NONE,
                                 .node = work.fix.before->instances[i].node,
                                 .now = SUPPLE_NONE});
  work.fix.deforms = true;
  supple_fix_report report = {0};
  assert_int_equal(supplei_fix_compare(&work.fix, &report), SUPPLE_OK);
  assert_true(report.largest_metres == 0 && report.moments > 1);
  /* b and c change places in the second skin: vertices 2 and 3, half b's, which is one higher now, go up by half */
  const supple_value joints = supple_document_find(work.fix.document, "/skins/1/joints");
  assert_int_equal(supple_document_replace(work.fix.document, joints, "[1,3,2]", NULL, NULL),
                   SUPPLE_OK);
  assert_int_equal(supplei_fix_compare(&work.fix, &report), SUPPLE_OK);
  assert_true(report.largest_metres >= 0.5 - 1e-6);
  assert_int_equal(report.compared_moments, report.moments);
  assert_false(report.incomplete);
  close_work(&work);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_instances),
      cmocka_unit_test(a_known_way),
      cmocka_unit_test(sources_are_followed),
      cmocka_unit_test(truncation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
