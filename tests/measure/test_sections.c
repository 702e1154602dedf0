/* test_sections.c: cutting analytic shapes: areas by formula, broken and split meshes, every status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/measure/measure_state.h"
#include "tests/measure/shapes.h"

#include <math.h>

enum { AT = SUPPLE_SECTION_AT_JOINT, LAST = SUPPLE_SECTION_COUNT - 1 };

/* Bone from y = -1 to 0, and on to 1: the offsets of joint 1 are its heights. */
static void spine(rig *r) {
  rig_start(r);
  rig_joint(r, SUPPLE_NONE, 0, -1, 0);
  rig_joint(r, 0, 0, 0, 0);
  rig_joint(r, 1, 0, 1, 0);
}

static double area_of(const rig *r, uint32_t joint, uint32_t k) {
  return r->measure->sections[joint * SUPPLE_SECTION_COUNT + k].area;
}

static double height_of(uint32_t k) { return -0.6 + 0.15 * k; }

static void add_tube(shape *s, tube t) {
  uint32_t begin = s->vertex_count;
  t.y0 = t.y0 == 0 ? -1.5 : t.y0;
  t.y1 = t.y1 == 0 ? 1.5 : t.y1;
  t.top = t.top == 0 ? 1 : t.top;
  shape_tube(s, &t);
  shape_blend(s, begin, -0.7, 0.7, 0, 1);
}

static void expect_tube(const rig *r, double rx, double rz, uint32_t around) {
  assert_int_equal(rig_joint_of(r, 1)->status, SUPPLE_JOINT_OK);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    assert_true(rig_joint_of(r, 1)->sections[k]);
    near(area_of(r, 1, k), ellipse_polygon(rx, rz, around), 1e-6);
  }
  const supplei_section *at = &r->measure->sections[SUPPLE_SECTION_COUNT + AT];
  near(at->projected, at->area, 1e-9);
  double least = 9, most = 0;
  for (uint32_t c = 0; c < around; c++) { /* the corners, and points on the diagonals between them */
    double angle = 2 * SUPPLE_PI * c / around, x = rx * sin(angle), z = rz * cos(angle);
    most = fmax(most, sqrt(x * x + z * z));
    least = fmin(least, sqrt(x * x + z * z));
  }
  near(at->most, most, 1e-6);
  assert_true(at->least <= least + 1e-6 &&
              at->least >= fmin(rx, rz) * cos(SUPPLE_PI / around) - 1e-6);
}

static void build(rig *r, const shape *s) {
  spine(r);
  rig_shape(r, s);
  rig_build(r, NULL);
}

static void done(rig *r, shape *s) {
  rig_unbuild(r);
  shape_destroy(s);
}

/* Rings anywhere, rings exactly in the planes, and no ring near them. */
static void cuts_tubes(void **state) {
  (void)state;
  static const uint32_t along[] = {1, 7, 20, 30, 60}, around[] = {3, 4, 13, 64};
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 4; k++)
      for (int capped = 0; capped < 2; capped++) { /* closed or not: a loop is all it takes */
        shape *s = shape_create();
        add_tube(
            s,
            (tube){.rx = 0.5, .rz = 0.2, .around = around[k], .along = along[i], .capped = capped});
        if (along[i] == 1) /* both rings are beyond the blend: share them, or nothing would bend */
          for (uint32_t v = 0; v < s->vertex_count; v++) shape_weigh(s, v, 0, 0.5, 1);
        rig r;
        build(&r, s);
        expect_tube(&r, 0.5, 0.2, around[k]);
        done(&r, s);
      }
}

static void cuts_cones_boxes_and_ellipsoids(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create();
  add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .top = 0.25, .around = 32, .along = 10, .capped = true});
  build(&r, s);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    double radius = 0.5 * (1 - 0.75 * (height_of(k) + 1.5) / 3);
    near(area_of(&r, 1, k), ellipse_polygon(radius, radius, 32), 2e-3 * radius * radius);
  }
  done(&r, s);
  s = shape_create();
  shape_box(s, supple_vec3_make(-0.2, -1.5, -0.3), supple_vec3_make(0.4, 1.5, 0.3));
  for (uint32_t v = 0; v < 8; v++) shape_weigh(s, v, 0, 0.5, 1);
  build(&r, s);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) near(area_of(&r, 1, k), 0.36, 1e-6);
  done(&r, s);
  s = shape_create();
  const uint32_t rings = 200;
  add_tube(s, (tube){.rx = 1, .rz = 1, .around = 100, .along = rings, .capped = true});
  for (uint32_t v = 0; v < s->vertex_count; v++) { /* blown up to an ellipsoid */
    float *p = s->positions + 3 * (size_t)v;
    double wide = sqrt(fmax(0, 1 - (double)p[1] * (double)p[1] / 2.25));
    p[0] = (float)((double)p[0] * 0.6 * wide), p[2] = (float)((double)p[2] * 0.3 * wide);
  }
  build(&r, s);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    double expected = SUPPLE_PI * 0.6 * 0.3 * (1 - height_of(k) * height_of(k) / 2.25);
    near(area_of(&r, 1, k) / expected, 1, 2e-3);
  }
  done(&r, s);
}

/* The same tube with a seam, in loose triangles, and in several primitives. */
static void split_meshes_give_the_same(void **state) {
  (void)state;
  const uint32_t around = 24, along = 30;
  shape *whole = shape_create(), *seam = shape_create();
  add_tube(whole, (tube){.rx = 0.5, .rz = 0.2, .around = around, .along = along, .capped = true});
  add_tube(
      seam,
      (tube){.rx = 0.5, .rz = 0.2, .around = around, .along = along, .capped = true, .seam = true});
  rig r;
  build(&r, seam);
  expect_tube(&r, 0.5, 0.2, around);
  done(&r, seam);
  shape *loose = shape_create(); /* every triangle has vertices of its own */
  for (uint32_t i = 0; i < whole->index_count; i++) {
    const float *p = whole->positions + 3 * (size_t)whole->indices[i];
    double off = (i % 5) * 1e-6; /* well within the tolerance */
    shape_vertex(loose, (double)p[0] + off, (double)p[1], (double)p[2] - off);
    if (i % 3 == 2) shape_triangle(loose, i - 2, i - 1, i);
  }
  shape_blend(loose, 0, -0.7, 0.7, 0, 1);
  build(&r, loose);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++)
    near(area_of(&r, 1, k), ellipse_polygon(0.5, 0.2, around), 1e-5);
  near(r.measure->volume, 3 * ellipse_polygon(0.5, 0.2, around), 1e-4);
  done(&r, loose);
  spine(&r); /* in three primitives, one after another: each half of the wall, and one of nothing */
  rig_shape(&r, whole), rig_shape(&r, whole), rig_shape(&r, whole);
  r.primitives[0].index_count = 3 * 997;
  r.primitives[1].index_count = 0;
  r.primitives[2].indices += 3 * 997, r.primitives[2].index_count -= 3 * 997;
  rig_build(&r, NULL);
  expect_tube(&r, 0.5, 0.2, around);
  near(r.measure->volume, 3 * ellipse_polygon(0.5, 0.2, around), 1e-5);
  done(&r, whole);
}

/* Two tubes in one plane: the one around the bone; one around the other: the larger; by other joints: no. */
static void chooses_the_loop(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create();
  add_tube(s, (tube){.x = 2, .rx = 0.9, .rz = 0.9, .around = 16, .along = 20});
  add_tube(s, (tube){.rx = 0.5, .rz = 0.2, .around = 16, .along = 20});
  add_tube(s, (tube){.x = -2, .rx = 0.9, .rz = 0.9, .around = 16, .along = 20});
  build(&r, s);
  expect_tube(&r, 0.5, 0.2, 16);
  done(&r, s);
  for (int order = 0; order < 2; order++) { /* cloth over skin */
    s = shape_create();
    double first = order ? 0.4 : 0.3, second = order ? 0.3 : 0.4;
    add_tube(s, (tube){.rx = first, .rz = first, .around = 16, .along = 20});
    add_tube(s, (tube){.rx = second, .rz = second, .around = 16, .along = 20});
    build(&r, s);
    expect_tube(&r, 0.4, 0.4, 16);
    uint32_t used = 0; /* what a better loop replaced is given up */
    for (size_t i = 0; i < 3 * SUPPLE_SECTION_COUNT; i++) used += r.measure->sections[i].count;
    assert_int_equal(r.measure->point_count, used);
    rig_unbuild(&r);
    spine(&r); /* the larger is less its own, though enough */
    rig_joint(&r, SUPPLE_NONE, 5, 0, 0);
    for (uint32_t v = order ? 0 : 16 * 21; v < (order ? 16u * 21 : 2 * 16 * 21); v++)
      shape_weigh(s, v, 1, 0.85, 3);
    rig_shape(&r, s);
    rig_build(&r, NULL);
    expect_tube(&r, 0.3, 0.3, 16);
    done(&r, s);
    s = shape_create(); /* a coat that another joint carries: the skin is the joint's own */
    add_tube(s, (tube){.rx = first, .rz = first, .around = 16, .along = 20});
    uint32_t begin = s->vertex_count;
    add_tube(s, (tube){.rx = second, .rz = second, .around = 16, .along = 20});
    for (uint32_t v = order ? 0 : begin; v < (order ? begin : s->vertex_count); v++)
      shape_weigh(s, v, 3, 1, 0);
    spine(&r);
    rig_joint(&r, SUPPLE_NONE, 5, 0, 0);
    rig_shape(&r, s);
    rig_build(&r, NULL);
    expect_tube(&r, 0.3, 0.3, 16);
    done(&r, s);
  }
}

static void sheets_are_open(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create(); /* a strip of cloth in front of the bone */
  for (uint32_t k = 0; k <= 30; k++) {
    shape_vertex(s, -0.5, -1.5 + 0.1 * k, 0.2);
    shape_vertex(s, 0.5, -1.5 + 0.1 * k, 0.2);
    if (k) shape_quad(s, 2 * k - 2, 2 * k - 1, 2 * k + 1, 2 * k);
  }
  shape_blend(s, 0, -0.7, 0.7, 0, 1);
  build(&r, s);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OPEN);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    assert_false(rig_joint_of(&r, 1)->sections[k]);
    assert_int_equal(supple_measure_section_size(r.measure, 1, k), 0);
  }
  done(&r, s);
  s = shape_create(); /* a tube with one column of its wall missing */
  add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .around = 16, .along = 20});
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->index_count; i++)
    if (i / 6 % 16 != 5) s->indices[kept++] = s->indices[i];
  s->index_count = kept;
  build(&r, s);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OPEN);
  done(&r, s);
}

/* The work that cutting one joint takes, or a little more, is enough for one and not for the next. */
static void work_has_an_end(void **state) {
  (void)state;
  for (uint32_t cut = 1; cut <= 3; cut++) {
    rig r;
    shape *s = shape_create();
    add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .around = 16, .along = 20});
    for (uint32_t v = 0; v < s->vertex_count; v++)
      shape_weigh(s, v, (uint16_t)(v % 3), 0.5, (uint16_t)((v + 1) % 3));
    spine(&r);
    rig_shape(&r, s);
    const double one = SUPPLE_SECTION_COUNT * (s->vertex_count + s->index_count / 3.0);
    const supple_measure_options options = {.most_work = (cut - 0.5) * one};
    rig_build(&r, cut < 3 ? &options : NULL);
    for (uint32_t j = 0; j < 3; j++)
      assert_int_equal(rig_joint_of(&r, j)->status == SUPPLE_JOINT_SKIPPED, j >= cut);
    done(&r, s);
  }
}

static void a_bone_beside_its_skin_is_outside(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create();
  add_tube(s, (tube){.x = 1, .rx = 0.5, .rz = 0.5, .around = 16, .along = 20, .capped = true});
  build(&r, s);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OUTSIDE);
  assert_true(rig_joint_of(&r, 1)->shared);
  done(&r, s);
  s = shape_create(); /* planes that miss everything cut nothing: open */
  add_tube(
      s, (tube){.y0 = 5, .y1 = 7, .rx = 0.5, .rz = 0.5, .around = 16, .along = 20, .capped = true});
  for (uint32_t v = 0; v < s->vertex_count; v++) shape_weigh(s, v, 0, 0.5, 1);
  build(&r, s);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OPEN);
  done(&r, s);
}

/* A shoulder: the loop is the torso's, and the torso belongs to the spine. */
static void a_torso_is_ambiguous(void **state) {
  (void)state;
  static const double own[] = {0.1, 0.79, 0.81};
  for (int i = 0; i < 3; i++) {
    rig r;
    shape *s = shape_create();
    add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .around = 16, .along = 20, .capped = true});
    for (uint32_t v = 0; v < s->vertex_count; v++) shape_weigh(s, v, 1, own[i], 3);
    spine(&r);
    rig_joint(&r, SUPPLE_NONE, 5, 0, 0);
    rig_shape(&r, s);
    rig_build(&r, NULL);
    bool ok = own[i] > 0.8;
    assert_int_equal(rig_joint_of(&r, 1)->status, ok ? SUPPLE_JOINT_OK : SUPPLE_JOINT_AMBIGUOUS);
    assert_int_equal(rig_joint_of(&r, 1)->sections[AT], ok);
    rig_unbuild(&r);
    rig_build(&r, &(supple_measure_options){.least_share = 0.05});
    assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
    done(&r, s);
  }
}

/* Another chain along the same bone, that has a tenth of the weight: what is the first one's is not its own. */
static void own_is_for_one_joint_alone(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create();
  add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .around = 16, .along = 20, .capped = true});
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    shape_weigh(s, v, 0, 0.95, 1);
    s->weights[4 * (size_t)v] = 0.85f, s->weights[4 * (size_t)v + 2] = 0.1f,
                   s->joints[4 * (size_t)v + 2] = 4;
  }
  spine(&r);
  rig_joint(&r, SUPPLE_NONE, 0, -1, 0);
  rig_joint(&r, 3, 0, 0, 0);
  rig_joint(&r, 4, 0, 1, 0);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
  assert_int_equal(rig_joint_of(&r, 4)->status, SUPPLE_JOINT_AMBIGUOUS);
  done(&r, s);
}

static void rigid_and_unweighted_joints_say_so(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create(); /* two rigid halves */
  add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .around = 16, .along = 20, .capped = true});
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    uint16_t joint = s->positions[3 * (size_t)v + 1] > 0 ? 1 : 0;
    shape_weigh(s, v, joint, 1, 0);
  }
  build(&r, s);
  assert_int_equal(rig_joint_of(&r, 0)->status, SUPPLE_JOINT_RIGID);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_RIGID);
  assert_int_equal(rig_joint_of(&r, 2)->status, SUPPLE_JOINT_UNWEIGHTED);
  assert_false(rig_joint_of(&r, 1)->sections[AT]);
  rig_unbuild(&r);
  shape_weigh(s, 0, 1, 0.5, 0); /* one shared vertex is enough */
  rig_build(&r, NULL);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
  done(&r, s);
}

/* Twist joints on the upper bone take most of the weight; they count as the joint's own where they lie on it. */
static void twist_joints_on_the_bone_count(void **state) {
  (void)state;
  for (int where = 0; where < 3; where++) {
    rig r;
    shape *s = shape_create();
    add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .around = 16, .along = 20, .capped = true});
    for (uint32_t v = 0; v < s->vertex_count; v++) shape_weigh(s, v, 1, 0.3, 3);
    spine(&r);
    if (where == 0) rig_joint(&r, 1, 0, 0.5, 0.05);  /* below the joint, on the outgoing bone */
    if (where == 1) rig_joint(&r, 0, 0.05, -0.5, 0); /* below its parent, on the incoming one */
    if (where == 2) rig_joint(&r, 1, 0.5, 0.5, 0);   /* somewhere else */
    rig_shape(&r, s);
    rig_build(&r, NULL);
    /* The bone's child is the joint that shares most: to keep it, joint 2 has to. */
    assert_int_equal(rig_joint_of(&r, 1)->child, where == 1 ? 2 : 3);
    if (where == 1) assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
    rig_unbuild(&r);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
      float *w = s->weights + 4 * (size_t)v;
      uint16_t *j = s->joints + 4 * (size_t)v;
      w[0] = 0.3f, j[0] = 1, w[1] = 0.3f, j[1] = 3, w[2] = 0.4f, j[2] = 2;
    }
    rig_build(&r, NULL);
    assert_int_equal(rig_joint_of(&r, 1)->child, 2);
    assert_int_equal(rig_joint_of(&r, 1)->status,
                     where == 2 ? SUPPLE_JOINT_AMBIGUOUS : SUPPLE_JOINT_OK);
    /* What was marked for one joint is not for the next: joint 2 has neither 3 nor 0 for its own. */
    if (where == 1) assert_int_equal(rig_joint_of(&r, 2)->status, SUPPLE_JOINT_AMBIGUOUS);
    done(&r, s);
  }
}

/* Planes that hold a whole face, an edge, or nothing but a tip. */
static void planes_through_corners_are_no_trouble(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create(); /* boxes that end exactly in planes */
  shape_box(s, supple_vec3_make(-0.3, -1, -0.3), supple_vec3_make(0.3, 0, 0.3));
  for (uint32_t v = 0; v < 8; v++) shape_weigh(s, v, 0, 0.5, 1);
  build(&r, s);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
  near(area_of(&r, 1, AT), 0.36, 1e-6); /* its top is in the plane */
  near(area_of(&r, 1, 0), 0.36, 1e-6);
  assert_false(rig_joint_of(&r, 1)->sections[LAST]);
  done(&r, s);
  s = shape_create(); /* an octahedron whose waist is in the plane of the joint */
  static const double corners[6][3] = {{0.5, 0, 0}, {0, 0, -0.5}, {-0.5, 0, 0},
                                       {0, 0, 0.5}, {0, 1, 0},    {0, -1, 0}};
  for (int v = 0; v < 6; v++) shape_vertex(s, corners[v][0], corners[v][1], corners[v][2]);
  for (uint32_t c = 0; c < 4; c++) {
    shape_triangle(s, c, (c + 1) % 4, 4);
    shape_triangle(s, (c + 1) % 4, c, 5);
  }
  for (uint32_t v = 0; v < 6; v++) shape_weigh(s, v, 0, 0.5, 1);
  build(&r, s);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    double wide = 1 - fabs(height_of(k));
    near(area_of(&r, 1, k), 0.5 * wide * wide, 1e-6);
  }
  assert_false(rig_joint_of(&r, 0)->sections[AT]); /* at the tip: a loop of no size */
  done(&r, s);
}

static void fins_and_doubles_do_not_break_the_loop(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create(); /* a fin along the wall: three triangles at its edges */
  add_tube(s, (tube){.rx = 0.5, .rz = 0.2, .around = 16, .along = 20, .capped = true});
  uint32_t begin = s->vertex_count;
  for (uint32_t k = 0; k <= 20; k++) shape_vertex(s, 0, -1.5 + 0.15 * k, 1);
  for (uint32_t k = 0; k < 20; k++) shape_quad(s, 16 * k, 16 * (k + 1), begin + k + 1, begin + k);
  shape_blend(s, begin, -0.7, 0.7, 0, 1);
  build(&r, s);
  expect_tube(&r, 0.5, 0.2, 16);
  done(&r, s);
  s = shape_create(); /* each triangle twice in a row, back to back */
  shape *single = shape_create();
  add_tube(s, (tube){.rx = 0.5, .rz = 0.2, .around = 16, .along = 20, .capped = true});
  add_tube(single, (tube){.rx = 0.5, .rz = 0.2, .around = 16, .along = 20, .capped = true});
  s->index_count = 0;
  for (const uint32_t *i = single->indices; i < single->indices + single->index_count; i += 3) {
    shape_triangle(s, i[0], i[1], i[2]);
    shape_triangle(s, i[0], i[2], i[1]);
  }
  shape_destroy(single);
  build(&r, s);
  expect_tube(&r, 0.5, 0.2, 16);
  done(&r, s);
  s = shape_create(); /* triangles that are none */
  add_tube(s, (tube){.rx = 0.5, .rz = 0.2, .around = 16, .along = 20, .capped = true});
  for (uint32_t v = 0; v + 40 < s->vertex_count; v += 3) {
    shape_triangle(s, v, v, v);
    shape_triangle(s, v, v + 1, v);
    shape_triangle(s, v, v, v + 32);
  }
  build(&r, s);
  expect_tube(&r, 0.5, 0.2, 16);
  near(r.measure->volume, 3 * ellipse_polygon(0.5, 0.2, 16), 1e-5);
  done(&r, s);
  s = shape_create(); /* inside out */
  add_tube(s, (tube){.rx = 0.5, .rz = 0.2, .around = 16, .along = 20, .capped = true});
  shape_reverse(s, 0);
  build(&r, s);
  expect_tube(&r, 0.5, 0.2, 16);
  done(&r, s);
}

/* An arm modelled bent by 90 degrees with a mitre: at the joint the bisector cuts an ellipse √2 longer. */
static void bent_bind_poses_are_cut_at_the_bisector(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create();
  shape_tube(
      s, &(tube){.y0 = -1.5, .y1 = 1.5, .rx = 0.3, .rz = 0.3, .top = 1, .around = 32, .along = 60});
  for (uint32_t v = 0; v < s->vertex_count; v++) { /* above z = -y it runs along z */
    float *p = s->positions + 3 * (size_t)v;
    double t = (double)p[1], z = (double)p[2]; /* t: along the straight tube */
    double near_mitre = t > -0.4 && t < 0.4 ? 1 - fabs(t) / 0.4 : 0;
    if (t <= 0)
      p[1] = (float)(t - near_mitre * z);
    else
      p[1] = (float)-z, p[2] = (float)(t + near_mitre * z);
    double w = smoothstep(-0.7, 0.7, t);
    shape_weigh(s, v, 0, 1 - w, 1);
  }
  rig_start(&r);
  rig_joint(&r, SUPPLE_NONE, 0, -1, 0);
  rig_joint(&r, 0, 0, 0, 0);
  rig_joint(&r, 1, 0, 0, 1);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OK);
  near(area_of(&r, 1, AT), sqrt(2) * ellipse_polygon(0.3, 0.3, 32), 1e-4);
  near(area_of(&r, 1, 0), ellipse_polygon(0.3, 0.3, 32), 1e-5);
  near(area_of(&r, 1, LAST), ellipse_polygon(0.3, 0.3, 32), 1e-5);
  done(&r, s);
}

/* Leaves go on, roots begin: a chain of three along one tube has sections all along it. */
static void leaves_and_roots_have_sections(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create();
  shape_tube(s,
             &(tube){.y0 = -2, .y1 = 2, .rx = 0.3, .rz = 0.4, .top = 1, .around = 16, .along = 41});
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    double y = (double)s->positions[3 * (size_t)v + 1];
    double w = smoothstep(-1, 0, y), u = smoothstep(0, 1, y);
    if (y < 0)
      shape_weigh(s, v, 0, 1 - w, 1);
    else
      shape_weigh(s, v, 1, 1 - u, 2);
  }
  spine(&r);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  for (uint32_t j = 0; j < 3; j++)
    for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
      assert_true(rig_joint_of(&r, j)->sections[k]);
      near(area_of(&r, j, k), ellipse_polygon(0.3, 0.4, 16), 1e-6);
    }
  done(&r, s);
}

/* Crossings in the thousands, in rows that a plain hash would put in the same places. */
static void long_cuts_grow(void **state) {
  (void)state;
  rig r;
  shape *s = shape_create();
  add_tube(s, (tube){.rx = 0.5, .rz = 0.5, .around = 3000, .along = 4});
  build(&r, s);
  expect_tube(&r, 0.5, 0.5, 3000);
  done(&r, s);
  s = shape_create(); /* lengthwise: a flat box of many rows, lying across the bone */
  add_tube(
      s,
      (tube){.y0 = -4, .y1 = 4, .rx = 0.5, .rz = 0.5, .around = 16, .along = 3000, .capped = true});
  for (uint32_t v = 0; v < s->vertex_count; v++) {
    float *p = s->positions + 3 * (size_t)v, x = p[0];
    p[0] = p[1], p[1] = x;
    shape_weigh(s, v, 0, 0.5, 1);
  }
  build(&r, s);
  near(area_of(&r, 1, AT), 8, 1e-3);
  done(&r, s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cuts_tubes),
      cmocka_unit_test(cuts_cones_boxes_and_ellipsoids),
      cmocka_unit_test(split_meshes_give_the_same),
      cmocka_unit_test(chooses_the_loop),
      cmocka_unit_test(sheets_are_open),
      cmocka_unit_test(work_has_an_end),
      cmocka_unit_test(a_bone_beside_its_skin_is_outside),
      cmocka_unit_test(a_torso_is_ambiguous),
      cmocka_unit_test(own_is_for_one_joint_alone),
      cmocka_unit_test(rigid_and_unweighted_joints_say_so),
      cmocka_unit_test(twist_joints_on_the_bone_count),
      cmocka_unit_test(planes_through_corners_are_no_trouble),
      cmocka_unit_test(fins_and_doubles_do_not_break_the_loop),
      cmocka_unit_test(bent_bind_poses_are_cut_at_the_bisector),
      cmocka_unit_test(leaves_and_roots_have_sections),
      cmocka_unit_test(long_cuts_grow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
