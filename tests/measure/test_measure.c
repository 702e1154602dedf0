/* test_measure.c: building a measure, what it knows before any pose, and where its sections are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/measure/measure_state.h"
#include "tests/measure/shapes.h"

#include <math.h>
#include <string.h>

static void has_texts(void **state) {
  (void)state;
  static const char *const texts[] = {"ok",      "rigid",     "unweighted", "open",
                                      "outside", "ambiguous", "skipped"};
  for (int s = SUPPLE_JOINT_OK; s <= SUPPLE_JOINT_SKIPPED; s++)
    assert_string_equal(supple_joint_status_text((supple_joint_status)s), texts[s]);
  assert_string_equal(supple_joint_status_text((supple_joint_status)99), "unknown");
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++)
    near(supple_section_offset(k), -0.6 + 0.15 * k, 1e-15);
  assert_true(supple_section_offset(SUPPLE_SECTION_AT_JOINT) == 0);
}

static void knows_the_arm(void **state) {
  (void)state;
  shape *s = arm_shape(64, 120);
  assert_int_equal(s->index_count / 3, 15488);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  assert_int_equal(supple_measure_joint_count(r.measure), 2);
  assert_true(supple_measure_threshold(r.measure) == 0.75);
  near(supple_measure_diagonal(r.measure), sqrt(0.6 * 0.6 * 2 + 2.6 * 2.6), 1e-6);
  const supple_measured_joint *elbow = rig_joint_of(&r, 1);
  assert_int_equal(elbow->status, SUPPLE_JOINT_OK);
  assert_int_equal(elbow->parent, 0);
  assert_int_equal(elbow->child, SUPPLE_NONE);
  assert_true(elbow->shared);
  near(elbow->incoming_length, 1.3, 1e-12);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) assert_true(elbow->sections[k]);
  /* The first joint begins at the end of the skin: its planes below are outside. */
  const supple_measured_joint *shoulder = rig_joint_of(&r, 0);
  assert_int_equal(shoulder->status, SUPPLE_JOINT_OK);
  for (uint32_t k = 0; k < SUPPLE_SECTION_AT_JOINT; k++) assert_false(shoulder->sections[k]);
  assert_true(shoulder->sections[SUPPLE_SECTION_COUNT - 1]);
  near(r.measure->area,
       2 * ellipse_polygon(0.3, 0.3, 64) + 2.6 * 64 * 2 * 0.3 * sin(SUPPLE_PI / 64), 1e-6);
  near(r.measure->volume, 2.6 * ellipse_polygon(0.3, 0.3, 64), 1e-6);
  rig_unbuild(&r);
  shape_destroy(s);
}

static double off_plane(supple_vec3 point, supple_vec3 origin, supple_vec3 axis) {
  return supple_vec3_dot(supple_vec3_subtract(point, origin), axis);
}

/* Points are where the plane is, on the skin, and move as the skin does. */
static void gives_section_points(void **state) {
  (void)state;
  shape *s = arm_shape(16, 26);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  supple_vec3 rest[128], posed[128], origin, axis, up;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    uint32_t n = supple_measure_section_size(r.measure, 1, k);
    assert_true(n >= 16 && n <= 32);
    supple_measure_section_points(r.measure, 1, k, NULL, rest);
    supple_measure_section_frame(r.measure, 1, k, NULL, &origin, &axis, &up);
    near(origin.y, supple_section_offset(k) * 1.3, 1e-12);
    near(axis.y, 1, 1e-12);
    near(supple_vec3_dot(axis, up), 0, 1e-12);
    near(supple_vec3_length(up), 1, 1e-12);
    double turned = 0;
    for (uint32_t i = 0; i < n; i++) {
      near(off_plane(rest[i], origin, axis), 0, 1e-6);
      double distance = sqrt(rest[i].x * rest[i].x + rest[i].z * rest[i].z);
      assert_true(distance < 0.3 + 1e-6 && distance > 0.3 * cos(SUPPLE_PI / 16) - 1e-6);
      supple_vec3 next = rest[i + 1 < n ? i + 1 : 0];
      turned += supple_atan2(rest[i].z * next.x - rest[i].x * next.z,
                             rest[i].x * next.x + rest[i].z * next.z);
    }
    near(fabs(turned), 2 * SUPPLE_PI, 1e-5); /* once around, in order */
  }
  /* A rigid motion of everything takes the points along. */
  r.pose->locals[0].translation = supple_vec3_make(5, 6, 7);
  rig_deform(&r, SUPPLE_DQS, NULL);
  uint32_t n = supple_measure_section_size(r.measure, 1, 3);
  supple_measure_section_points(r.measure, 1, 3, NULL, rest);
  supple_measure_section_points(r.measure, 1, 3, (const float *const *)r.posed, posed);
  for (uint32_t i = 0; i < n; i++) {
    supple_vec3 moved = supple_vec3_add(rest[i], supple_vec3_make(5, 6, 7));
    near(supple_vec3_length(supple_vec3_subtract(posed[i], moved)), 0, 2e-6);
  }
  rig_unbuild(&r);
  shape_destroy(s);
}

/* Bent by 90 degrees about X: below along the incoming bone, above along the outgoing, between the two. */
static void frames_follow_the_bones(void **state) {
  (void)state;
  shape *s = arm_shape(16, 26);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  rig_turn(&r, 1, 1, 0, 0, 90);
  r.pose->locals[0].translation = supple_vec3_make(1, 0, 0);
  rig_deform(&r, SUPPLE_LBS, NULL);
  supple_vec3 origin, axis, up, up_before;
  supple_measure_section_frame(r.measure, 1, 0, r.palette, &origin, &axis, &up);
  near(supple_vec3_length(supple_vec3_subtract(origin, supple_vec3_make(1, -0.78, 0))), 0, 1e-6);
  near(axis.y, 1, 1e-6);
  supple_measure_section_frame(r.measure, 1, 8, r.palette, &origin, &axis, &up);
  near(supple_vec3_length(supple_vec3_subtract(origin, supple_vec3_make(1, 0, 0.78))), 0, 1e-6);
  near(axis.z, 1, 1e-6);
  near(supple_vec3_dot(axis, up), 0, 1e-6);
  supple_measure_section_frame(r.measure, 1, SUPPLE_SECTION_AT_JOINT, r.palette, &origin, &axis,
                               &up);
  near(supple_vec3_length(supple_vec3_subtract(origin, supple_vec3_make(1, 0, 0))), 0, 1e-6);
  near(axis.y, sqrt(0.5), 1e-6);
  near(axis.z, sqrt(0.5), 1e-6);
  /* A twist turns `up` with the joint above and not below. */
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k += 8) {
    supple_measure_section_frame(r.measure, 1, k, NULL, &origin, &axis, &up_before);
    rig_turn(&r, 1, 0, 1, 0, 90);
    rig_deform(&r, SUPPLE_LBS, NULL);
    supple_measure_section_frame(r.measure, 1, k, r.palette, &origin, &axis, &up);
    near(supple_vec3_dot(up, up_before), k ? 0 : 1, 1e-6);
  }
  rig_unbuild(&r);
  shape_destroy(s);
}

static void leaves_out_what_it_must(void **state) {
  (void)state;
  shape *s = arm_shape(16, 26), *lines = shape_create(), *other = shape_create();
  shape_box(lines, supple_vec3_make(-9, -9, -9), supple_vec3_make(9, 9, 9));
  shape_box(other, supple_vec3_make(-5, -5, -5), supple_vec3_make(5, 5, 5));
  rig r;
  arm_rig(&r, s);
  rig_shape(&r, lines);
  rig_shape(&r, other);
  r.primitives[1].topology = SUPPLE_TOPOLOGY_LINES;
  rig_build(&r, NULL);
  near(supple_measure_diagonal(r.measure), sqrt(300), 1e-6); /* `other` counts, `lines` does not */
  supple_measure_destroy(r.measure);
  const supple_binding *bindings[] = {r.bindings[0], r.bindings[1], NULL};
  r.measure = supple_measure_create(&r.skeleton, &r.instance, bindings, NULL, NULL);
  assert_non_null(r.measure);
  near(supple_measure_diagonal(r.measure), sqrt(0.72 + 6.76), 1e-3);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
  supple_measure_destroy(r.measure);
  /* Nothing at all is a measure too. */
  const supple_binding *none[] = {NULL, NULL, NULL};
  r.measure = supple_measure_create(&r.skeleton, &r.instance, none, NULL, NULL);
  assert_non_null(r.measure);
  assert_true(supple_measure_diagonal(r.measure) == 0);
  assert_int_equal(rig_joint_of(&r, 0)->status, SUPPLE_JOINT_UNWEIGHTED);
  rig_evaluate(&r, SUPPLE_LBS, NULL);
  assert_true(isnan(r.all.volume) && isnan(r.all.edge_mean) && isnan(r.all.edge_least) &&
              isnan(r.all.edge_most));
  assert_true(r.all.flipped == 0 && r.all.kept_below == 0);
  assert_true(isnan(r.each[1].kept) && isnan(r.each[1].worst));
  assert_int_equal(r.each[1].worst_offset, SUPPLE_NONE);
  rig_unbuild(&r);
  shape_destroy(s);
  shape_destroy(lines);
  shape_destroy(other);
}

static void refuses_what_does_not_fit(void **state) {
  (void)state;
  shape *s = arm_shape(8, 4);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  const supple_binding *const *bindings = (const supple_binding *const *)r.bindings;
  supple_error error = {0};
  r.skin.joint_count = 1;
  assert_null(supple_measure_create(&r.skeleton, &r.instance, bindings, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  assert_null(supple_measure_create(&r.skeleton, &r.instance, bindings, NULL, NULL));
  r.skin.joint_count = 2;
  r.order[1] = r.order[2]; /* a skeleton that is none */
  assert_null(supple_measure_create(&r.skeleton, &r.instance, bindings, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "order"));
  assert_null(supple_measure_create(&r.skeleton, &r.instance, bindings, NULL, NULL));
  supple_measure_destroy(NULL);
  rig_unbuild(&r);
  shape_destroy(s);
}

static void takes_options(void **state) {
  (void)state;
  shape *s = arm_shape(16, 26);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, &(supple_measure_options){.threshold = 0.5});
  assert_true(supple_measure_threshold(r.measure) == 0.5);
  supple_joint_measure joint = {.kept = 0.1, .own_kept = 0.6, .worst = 0.6}; /* kept does not count */
  assert_false(supple_measure_collapses(r.measure, &joint));
  joint.own_kept = 0.4;
  assert_true(supple_measure_collapses(r.measure, &joint));
  joint.own_kept = 0.5, joint.worst = 0.49;
  assert_true(supple_measure_collapses(r.measure, &joint));
  joint.own_kept = joint.worst = (double)NAN;
  assert_false(supple_measure_collapses(r.measure, &joint));
  rig_unbuild(&r);
  rig_build(&r, &(supple_measure_options){.weld_tolerance = 0.5}); /* all in two heaps or so */
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OPEN);
  rig_unbuild(&r);
  shape_destroy(s);
}

/* Every allocation fails in turn: NULL, the right error, nothing left. */
static void survives_failing_memory(void **state) {
  (void)state;
  shape *s = arm_shape(12, 26);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  for (int once = 0; once < 2; once++) {
    bool done = false;
    for (size_t n = 0; !done; n++) {
      assert_true(n < 1000);
      meter m = {.fail_at = n, .once = once};
      supple_measure_options options = {.allocator = meter_allocator(&m)};
      supple_error error = {0};
      supple_measure *measure = supple_measure_create(
          &r.skeleton, &r.instance, (const supple_binding *const *)r.bindings, &options, &error);
      done = measure != NULL;
      if (done)
        assert_true(n > 20 && m.requests <= n);
      else
        assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
      supple_measure_destroy(measure);
      assert_true(m.live == 0 && m.wrong == 0);
    }
  }
  rig_unbuild(&r);
  shape_destroy(s);
}

/* A rest position that is no number spoils its own triangles alone. */
static void survives_bad_positions(void **state) {
  (void)state;
  static const float bad[] = {(float)NAN, (float)INFINITY, -(float)INFINITY, 3.4e38f};
  for (int i = 0; i < 4; i++) {
    shape *s = arm_shape(16, 26);
    float *p = s->positions + 3 * (16 * 24 + 3); /* near the upper end */
    p[i % 3] = bad[i];
    rig r;
    arm_rig(&r, s);
    rig_build(&r, NULL);
    rig_turn(&r, 1, 0, 1, 0, 180);
    rig_evaluate(&r, SUPPLE_LBS, NULL);
    if (i < 3) {
      assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
      near(rig_section(&r, 1, SUPPLE_SECTION_AT_JOINT), 0, 1e-6);
      assert_true(isnan(r.all.volume)); /* that shell is no longer closed */
      assert_true(r.all.kept_below > 0.05 && r.all.kept_below < 0.5);
      near(r.each[1].kept, 0, 1e-6);
    }
    for (int all = 0; all < 2; all++) {
      for (uint32_t k = 0; all && k < 3 * s->vertex_count; k++) s->positions[k] = bad[i];
      rig_unbuild(&r);
      rig_build(&r, NULL);
      rig_evaluate(&r, SUPPLE_DQS, NULL);
    }
    assert_int_not_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
    rig_unbuild(&r);
    shape_destroy(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_texts),
      cmocka_unit_test(knows_the_arm),
      cmocka_unit_test(gives_section_points),
      cmocka_unit_test(frames_follow_the_bones),
      cmocka_unit_test(leaves_out_what_it_must),
      cmocka_unit_test(refuses_what_does_not_fit),
      cmocka_unit_test(takes_options),
      cmocka_unit_test(survives_failing_memory),
      cmocka_unit_test(survives_bad_positions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
