/* test_prepare.c: classes and the common scale, signs, refusals, palettes that grow, every
 * allocation failing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "src/deform/prepared.h"
#include "tests/deform/deform_tests.h"

/* A binding whose only vertex belongs to joint 0: a palette may have any number of joints. */
static supple_binding *bind_one(void) { return bind(1, 1, (uint16_t[]){0}, (float[]){1}); }

static supple_prepared_report found_with(supple_affine *matrices, uint32_t count,
                                         supple_prepared_options options) {
  supple_binding *b = bind_one();
  supple_palette palette = palette_of(matrices, count);
  supple_prepared *p = prepare_with(b, &palette, SUPPLE_DQS, options);
  supple_prepared_report found = *supple_prepared_found(p);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
  assert_int_equal(found.refused_joint, SUPPLE_NONE);
  assert_int_equal(found.rigid + found.scaled + found.sheared, count);
  return found;
}

static supple_prepared_report found_of(supple_affine *matrices, uint32_t count) {
  return found_with(matrices, count, (supple_prepared_options){.rigid_tolerance = 0});
}

static void assert_classes(const supple_prepared_report *r, uint32_t rigid, uint32_t scaled,
                           uint32_t sheared, uint32_t mirrored, uint32_t singular) {
  assert_int_equal(r->rigid, rigid);
  assert_int_equal(r->scaled, scaled);
  assert_int_equal(r->sheared, sheared);
  assert_int_equal(r->mirrored, mirrored);
  assert_int_equal(r->singular, singular);
}

static void every_class_is_counted(void **state) {
  (void)state;
  supple_affine sheared = identity();
  sheared.m[0][1] = 0.5f;
  supple_affine matrices[] = {
      identity(),                                  /* rigid */
      translated(turned(1, 2, 3, 77, 1), 5, 6, 7), /* rigid */
      turned(-1, 2, 0, 170, 1),                    /* rigid */
      turned(1, 0, 1, 30, 2.5),                    /* scaled */
      diagonal(1, 2, 1),                           /* uneven */
      sheared,                                     /* sheared */
      diagonal(-1, 1, 1),                          /* scaled by -1: mirrored */
      diagonal(-1, 2, 1),                          /* uneven and mirrored */
      diagonal(1, 1, 0),                           /* rank 2 */
      diagonal(1, 0, 0),                           /* rank 1 */
      diagonal(0, 0, 0),                           /* rank 0 */
  };
  for (int split = 0; split < 2; split++) {
    supple_prepared_options options = {.split =
                                           split ? SUPPLE_SPLIT_GRAM_SCHMIDT : SUPPLE_SPLIT_POLAR};
    supple_prepared_report r = found_with(matrices, 11, options);
    assert_true(fabs(r.common_scale - 1) < 1e-6);
    assert_classes(&r, 3, 2, 6, 2, 3);
  }
}

static void joints_beyond_the_binding_count(void **state) {
  (void)state;
  supple_affine matrices[5] = {identity(), diagonal(3, 3, 3), diagonal(3, 3, 3), diagonal(1, 2, 3),
                               diagonal(0, 0, 0)};
  supple_prepared_report r = found_of(matrices, 5);
  assert_true(r.common_scale == 3);
  assert_classes(&r, 2, 1, 2, 0, 1);
}

/* ---- the common scale ---- */

static double common_of(const double *scales, uint32_t count, double tolerance, uint32_t *rigid) {
  supple_affine matrices[32];
  assert_true(count <= 32);
  for (uint32_t j = 0; j < count; j++) {
    float s = (float)scales[j];
    matrices[j] = diagonal(s, s, s);
  }
  supple_prepared_report r =
      found_with(matrices, count, (supple_prepared_options){.rigid_tolerance = tolerance});
  *rigid = r.rigid;
  return r.common_scale;
}

static void the_scale_that_most_joints_have(void **state) {
  (void)state;
  uint32_t rigid;
  assert_true(common_of((double[]){1, 0.25, 1, 0.25, 0.25}, 5, 0, &rigid) == 0.25 && rigid == 3);
  assert_true(common_of((double[]){7, 0.25, 1}, 3, 0, &rigid) == 0.25 && rigid == 1); /* lowest */
  assert_true(common_of((double[]){1, -2, -2}, 3, 0, &rigid) == -2 && rigid == 2);
  assert_true(common_of((double[]){2, -2}, 2, 0, &rigid) == -2 && rigid == 1);
  assert_true(common_of((double[]){-1, -1, -1}, 3, 0, &rigid) == -1 && rigid == 3);
  assert_true(common_of((double[]){0x1p-40, 0x1p-40, 1}, 3, 0, &rigid) == 0x1p-40 && rigid == 2);
  assert_true(common_of((double[]){0x1p60, 0x1p60, 1}, 3, 0, &rigid) == 0x1p60 && rigid == 2);
  /* No joint has a scale: all are singular. */
  assert_true(common_of((double[]){0, 0}, 2, 0, &rigid) == 1 && rigid == 0);
  /* Many, in no order. */
  double scales[32];
  for (uint32_t j = 0; j < 32; j++) scales[j] = 1 + (j * 13 % 32) / 4;
  assert_true(common_of(scales, 32, 0, &rigid) == 1 && rigid == 4);
}

static void tolerances_are_borders(void **state) {
  (void)state;
  uint32_t rigid;
  /* The window is as wide as the tolerance of its lowest scale, the scale its middle. */
  assert_true(common_of((double[]){1, 1.125}, 2, 0.125, &rigid) == 1.125 && rigid == 2);
  assert_true(common_of((double[]){1, 1.1251}, 2, 0.125, &rigid) == 1 && rigid == 1);
  assert_true(common_of((double[]){-1, -1.125}, 2, 0.125, &rigid) == -1 && rigid == 2);
  assert_true(common_of((double[]){1, 1, 1, 1.125}, 4, 0.125, &rigid) == 1 && rigid == 4);
  assert_true(common_of((double[]){1, 1, 1, 1.1251}, 4, 0.125, &rigid) == 1 && rigid == 3);
  assert_true(common_of((double[]){1, 1, 1, 0.875}, 4, 0.125, &rigid) == 1 && rigid == 4);
  assert_true(common_of((double[]){1, 1, 1, 0.8749}, 4, 0.125, &rigid) == 1 && rigid == 3);
  /* The default is 2e-5. */
  assert_true(common_of((double[]){1, 1, 1, 1 + 1.9e-5}, 4, 0, &rigid) == 1 && rigid == 4);
  assert_true(common_of((double[]){1, 1, 1, 1 + 2.1e-5}, 4, 0, &rigid) == 1 && rigid == 3);
  /* Negative: no joint is rigid; their scale is still told. */
  assert_true(common_of((double[]){3, 3, 1}, 3, -1, &rigid) == 3 && rigid == 0);

  /* Shear e moves the polar factor's stretch by e / 2. */
  static const struct {
    float shear;
    uint32_t rigid;
  } shears[] = {{0.24f, 4}, {0.26f, 3}};
  for (int k = 0; k < 2; k++) {
    supple_affine matrices[4] = {identity(), identity(), identity(), identity()};
    matrices[3].m[0][1] = shears[k].shear;
    supple_prepared_report r =
        found_with(matrices, 4, (supple_prepared_options){.rigid_tolerance = 0.125});
    assert_int_equal(r.rigid, shears[k].rigid);
    assert_int_equal(r.sheared, 4 - shears[k].rigid);
  }
  supple_affine matrices[3] = {identity(), diagonal(2, 2, 2), diagonal(1, 1.25f, 1)};
  supple_prepared_report r =
      found_with(matrices, 3, (supple_prepared_options){.rigid_tolerance = -1});
  assert_classes(&r, 0, 2, 1, 0, 0);
}

/* ---- refusals ---- */

static bool may_deform(const supple_prepared *p) {
  const float position[3] = {1, 2, 3};
  float out[3];
  supple_job job = {.prepared = p, .positions = {position, 12}, .out_positions = {out, 12}};
  return supple_deform(&job) == SUPPLE_OK;
}

static void matrices_that_are_not_finite(void **state) {
  (void)state;
  static const float no_numbers[] = {NAN, INFINITY, -INFINITY};
  supple_binding *b = bind_one();
  supple_affine matrices[4];
  supple_palette palette = palette_of(matrices, 4);
  supple_prepared *p = supple_prepared_create(b, NULL, NULL);
  assert_int_equal(supple_prepared_found(p)->refused_joint, SUPPLE_NONE);
  assert_false(may_deform(p));
  for (int k = 0; k < 2 * 3 * 12; k++) {
    for (int j = 0; j < 4; j++) matrices[j] = identity();
    uint32_t joint = k % 3 ? 2 : 0; /* used by no vertex, and by one */
    matrices[joint].m[k % 12 / 4][k % 4] = no_numbers[k / 12 % 3];
    matrices[3].m[0][0] = NAN; /* the first is named */
    supple_method method = k / 36 ? SUPPLE_DQS : SUPPLE_LBS;
    assert_int_equal(supple_prepared_update(p, b, &palette, method), SUPPLE_ERROR_NUMBER);
    assert_int_equal(supple_prepared_found(p)->refused_joint, joint);
    assert_false(may_deform(p));
    supple_inspection inspection = {0};
    assert_int_equal(supple_prepared_inspect(p, 0, 1, &inspection), SUPPLE_ERROR_ARGUMENT);
    matrices[joint] = matrices[3] = identity();
    assert_int_equal(supple_prepared_update(p, b, &palette, method), SUPPLE_OK);
    assert_int_equal(supple_prepared_found(p)->refused_joint, SUPPLE_NONE);
    assert_true(may_deform(p));
  }
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* What DQS makes of a matrix may be out of reach though the matrix is not. */
static void numbers_that_no_float_holds(void **state) {
  (void)state;
  supple_binding *b = bind_one();
  supple_affine matrices[2] = {identity(), turned(1, 1, 1, 120, 1)};
  for (int r = 0; r < 3; r++) matrices[1].m[r][3] = FLT_MAX;
  supple_palette palette = palette_of(matrices, 2);
  supple_prepared *p = supple_prepared_create(b, NULL, NULL);
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_LBS), SUPPLE_OK);
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_ERROR_NUMBER);
  assert_int_equal(supple_prepared_found(p)->refused_joint, 1);
  assert_false(may_deform(p));
  matrices[1] = identity();
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_OK);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

static void wrong_arguments(void **state) {
  (void)state;
  supple_binding *b = bind(1, 1, (uint16_t[]){2}, (float[]){1}), *other = bind_one();
  supple_affine matrices[3] = {identity(), identity(), identity()};
  supple_palette palette = palette_of(matrices, 3), short_palette = palette_of(matrices, 2);
  supple_prepared *p = supple_prepared_create(b, NULL, NULL);
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_OK);
  assert_true(may_deform(p));
  assert_int_equal(supple_prepared_update(p, b, &short_palette, SUPPLE_DQS), SUPPLE_ERROR_ARGUMENT);
  assert_false(may_deform(p));
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_OK);
  assert_int_equal(supple_prepared_update(p, other, &palette, SUPPLE_LBS), SUPPLE_ERROR_ARGUMENT);
  assert_false(may_deform(p));
  supple_prepared_destroy(p);
  supple_prepared_destroy(NULL);
  supple_binding_destroy(other);
  supple_binding_destroy(b);
}

static void the_palette_is_copied(void **state) {
  (void)state;
  supple_binding *b = bind_one();
  for (int method = 0; method < 2; method++) {
    supple_affine matrix = translated(identity(), 1, 2, 3);
    supple_palette palette = palette_of(&matrix, 1);
    supple_prepared *p = prepare(b, &palette, method ? SUPPLE_DQS : SUPPLE_LBS);
    memset(&matrix, 0xFF, sizeof matrix);
    const float position[3] = {0, 0, 0};
    float out[3];
    deform_points(p, position, out, 1);
    assert_point(out, 1, 2, 3, 1e-6);
    supple_prepared_destroy(p);
  }
  supple_binding_destroy(b);
}

/* ---- memory ---- */

static void palettes_that_grow(void **state) {
  (void)state;
  enum { LARGE = 1000 };
  supple_binding *b = bind_one();
  static supple_affine matrices[LARGE];
  for (uint32_t j = 0; j < LARGE; j++) matrices[j] = identity();
  supple_palette small = palette_of(matrices, 1), large = palette_of(matrices, LARGE);
  ledger book = {0};
  supple_prepared_options options = {.allocator = ledger_allocator(&book)};
  supple_prepared *p = supple_prepared_create(b, &options, NULL);
  size_t created = book.calls;
  assert_int_equal(supple_prepared_update(p, b, &small, SUPPLE_DQS), SUPPLE_OK);
  assert_int_equal(book.calls, created);
  assert_int_equal(supple_prepared_update(p, b, &large, SUPPLE_DQS), SUPPLE_OK);
  size_t grown = book.calls;
  assert_true(grown > created);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(supple_prepared_update(p, b, k ? &large : &small, SUPPLE_DQS), SUPPLE_OK);
    assert_int_equal(supple_prepared_found(p)->rigid, k ? LARGE : 1);
  }
  assert_int_equal(book.calls, grown);
  supple_prepared_destroy(p);
  assert_int_equal(book.live, 0);
  assert_false(book.wrong);

  /* Growing fails at any point: an error, and it works again. */
  size_t failures = 0;
  for (supple_result result = SUPPLE_ERROR_MEMORY; result != SUPPLE_OK; failures++) {
    book = (ledger){0};
    p = supple_prepared_create(b, &options, NULL);
    assert_int_equal(supple_prepared_update(p, b, &small, SUPPLE_DQS), SUPPLE_OK);
    book.fail_at = book.calls + failures + 1;
    result = supple_prepared_update(p, b, &large, SUPPLE_DQS);
    if (result != SUPPLE_OK) {
      assert_int_equal(result, SUPPLE_ERROR_MEMORY);
      assert_false(may_deform(p));
      assert_int_equal(supple_prepared_update(p, b, &small, SUPPLE_DQS), SUPPLE_OK);
      assert_true(may_deform(p));
      assert_int_equal(supple_prepared_update(p, b, &large, SUPPLE_DQS), SUPPLE_OK);
    }
    supple_prepared_destroy(p);
    assert_int_equal(book.live, 0);
    assert_false(book.wrong);
  }
  assert_true(failures > 5);
  supple_binding_destroy(b);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  supple_binding *b = bind_one();
  size_t failures = 0;
  for (bool made = false; !made; failures++) {
    ledger book = {.fail_at = failures + 1};
    supple_prepared_options options = {.allocator = ledger_allocator(&book)};
    supple_error error = {.result = SUPPLE_OK};
    supple_prepared *p = supple_prepared_create(b, &options, &error);
    made = p != NULL;
    assert_int_equal(error.result, made ? SUPPLE_OK : SUPPLE_ERROR_MEMORY);
    supple_prepared_destroy(p);
    assert_int_equal(book.live, 0);
    assert_false(book.wrong);
  }
  assert_true(failures > 5);
  supple_binding_destroy(b);
}

static void no_joints_at_all(void **state) {
  (void)state;
  supple_binding *b = bind_with(1, 1, (uint16_t[]){0}, (float[]){0},
                                (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST});
  supple_palette palette = {.joint_count = 0};
  supple_prepared *p = supple_prepared_create(b, NULL, NULL);
  for (int method = 0; method < 2; method++) {
    assert_int_equal(supple_prepared_update(p, b, &palette, method ? SUPPLE_DQS : SUPPLE_LBS),
                     SUPPLE_OK);
    assert_true(may_deform(p));
  }
  assert_true(supple_prepared_found(p)->common_scale == 1);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

static void lbs_reports_nothing_else(void **state) {
  (void)state;
  supple_binding *b = bind_one();
  supple_affine matrix = diagonal(-1, 0, 2);
  supple_palette palette = palette_of(&matrix, 1);
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_int_equal(supple_prepared_found(p)->singular, 1);
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_LBS), SUPPLE_OK);
  assert_classes(supple_prepared_found(p), 0, 0, 0, 0, 0);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* ---- signs ---- */

static void assert_real(const supple_prepared *p, uint32_t joint, double x, double y, double z,
                        double w) {
  const float *q = p->rigid[joint].real;
  assert_close(q[0], x, 1e-6);
  assert_close(q[1], y, 1e-6);
  assert_close(q[2], z, 1e-6);
  assert_close(q[3], w, 1e-6);
}

/* Half angles: sin 60 and cos 60 degrees. */
static const double s60 = 0.86602540378443865, c60 = 0.5;

static void the_largest_component_is_positive(void **state) {
  (void)state;
  supple_affine matrices[] = {
      turned(1, 0, 0, 60, 1),
      turned(1, 0, 0, 120, 1),
      turned(1, 0, 0, -120, 1),
      turned(0, 1, 0, -120, 1),
      turned(0, 0, 1, 240, 1),
      turned(0, 0, 1, 300, 1),
      diagonal(1, -1, -1),
      diagonal(-1, 1, -1),
      diagonal(-1, -1, 1),
      {{{0, -1, 0, 0}, {-1, 0, 0, 0}, {0, 0, -1, 0}}}, /* half a turn about (1, -1, 0) */
  };
  supple_binding *b = bind_one();
  supple_palette palette = palette_of(matrices, 10);
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_real(p, 0, c60, 0, 0, s60);
  assert_real(p, 1, s60, 0, 0, c60);
  assert_real(p, 2, s60, 0, 0, -c60);
  assert_real(p, 3, 0, s60, 0, -c60);
  assert_real(p, 4, 0, 0, s60, -c60);
  assert_real(p, 5, 0, 0, -c60, s60);
  assert_real(p, 6, 1, 0, 0, 0);
  assert_real(p, 7, 0, 1, 0, 0);
  assert_real(p, 8, 0, 0, 1, 0);
  assert_real(p, 9, sqrt(0.5), -sqrt(0.5), 0, 0);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* Turns by 0, 120, 240 and 360 degrees about z: stored (0, 1), (s, c), (s, -c), (0, 1) in (z, w).
 * Along a chain the last becomes (0, -1). */
enum { CHAIN = 4 };
static void chain_of_turns(supple_affine matrices[CHAIN], const uint32_t place[CHAIN]) {
  for (uint32_t k = 0; k < CHAIN; k++) matrices[place[k]] = turned(0, 0, 1, 120.0 * k, 1);
  matrices[place[3]] = identity();
}

static const supple_prepared_options per_pose = {.signs = SUPPLE_SIGNS_PER_POSE};

static void a_joint_agrees_with_its_parent(void **state) {
  (void)state;
  static const uint32_t orders[][CHAIN] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}};
  supple_binding *b = bind_one();
  for (int k = 0; k < 3; k++) {
    const uint32_t *place = orders[k];
    uint32_t parents[CHAIN];
    supple_affine matrices[CHAIN];
    chain_of_turns(matrices, place);
    parents[place[0]] = SUPPLE_NONE;
    for (int c = 1; c < CHAIN; c++) parents[place[c]] = place[c - 1];
    supple_palette palette = palette_of(matrices, CHAIN);
    palette.parents = parents;
    supple_prepared *p = prepare_with(b, &palette, SUPPLE_DQS, per_pose);
    assert_real(p, place[0], 0, 0, 0, 1);
    assert_real(p, place[1], 0, 0, s60, c60);
    assert_real(p, place[2], 0, 0, s60, -c60);
    assert_real(p, place[3], 0, 0, 0, -1);
    supple_prepared_destroy(p);
    /* Per vertex they are as stored. */
    p = prepare(b, &palette, SUPPLE_DQS);
    assert_real(p, place[3], 0, 0, 0, 1);
    supple_prepared_destroy(p);
    /* Without parents, each agrees with joint 0: 240 degrees against 0 is (-s, c). */
    palette.parents = NULL;
    p = prepare_with(b, &palette, SUPPLE_DQS, per_pose);
    if (place[0] == 0) assert_real(p, 2, 0, 0, -s60, c60);
    if (place[0] == 0) assert_real(p, 3, 0, 0, 0, 1);
    supple_prepared_destroy(p);
  }
  supple_binding_destroy(b);
}

/* At exactly 180 degrees between two, neither is turned round. */
static void no_sign_at_half_a_turn(void **state) {
  (void)state;
  supple_binding *b = bind_one();
  supple_affine matrices[2] = {identity(), diagonal(1, -1, -1)};
  supple_palette palette = palette_of(matrices, 2);
  palette.parents = (uint32_t[]){SUPPLE_NONE, 0};
  supple_prepared *p = prepare_with(b, &palette, SUPPLE_DQS, per_pose);
  assert_real(p, 1, 1, 0, 0, 0);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

static void parents_that_are_no_tree(void **state) {
  (void)state;
  static const uint32_t tables[][CHAIN] = {{1, 0, 1, 2},  {0, 1, 2, 3}, {3, 0, 1, 2},
                                           {77, 0, 1, 2}, {1, 2, 3, 1}, {SUPPLE_NONE, 4, 2, 2}};
  supple_binding *b = bind_one();
  for (int k = 0; k < 6; k++) {
    supple_affine matrices[CHAIN];
    chain_of_turns(matrices, (uint32_t[]){0, 1, 2, 3});
    supple_palette palette = palette_of(matrices, CHAIN);
    palette.parents = tables[k];
    supple_prepared *p = prepare_with(b, &palette, SUPPLE_DQS, per_pose);
    assert_int_equal(supple_prepared_found(p)->rigid, CHAIN);
    for (int j = 0; j < CHAIN; j++) /* some sign of the right turn */
      assert_close(fabsf(p->rigid[j].real[3]), j % 3 ? c60 : 1, 1e-6);
    if (k == 3) assert_real(p, 3, 0, 0, 0, -1); /* a parent that is not there: a root */
    supple_prepared_destroy(p);
  }
  supple_binding_destroy(b);
}

static void a_long_chain_backwards(void **state) {
  (void)state;
  enum { LONG = 60000 };
  supple_affine *matrices = malloc(LONG * sizeof *matrices);
  uint32_t *parents = malloc(LONG * sizeof *parents);
  assert_true(matrices && parents);
  const supple_affine turns[3] = {identity(), turned(0, 0, 1, 120, 1), turned(0, 0, 1, 240, 1)};
  for (uint32_t j = 0; j < LONG; j++) {
    matrices[LONG - 1 - j] = turns[j % 3];
    parents[LONG - 1 - j] = j ? LONG - j : SUPPLE_NONE;
  }
  supple_binding *b = bind_one();
  supple_palette palette = palette_of(matrices, LONG);
  palette.parents = parents;
  supple_prepared *p = prepare_with(b, &palette, SUPPLE_DQS, per_pose);
  for (uint32_t j = 0; j < LONG; j++) {
    double sign = j / 3 % 2 ? -1 : 1; /* every third turn comes round to the other side */
    const double expected[3][2] = {{0, 1}, {s60, c60}, {s60, -c60}};
    assert_real(p, LONG - 1 - j, 0, 0, sign * expected[j % 3][0], sign * expected[j % 3][1]);
  }
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
  free(matrices);
  free(parents);
}

/* ---- what completes a singular matrix ---- */

static void hints(void **state) {
  (void)state;
  supple_binding *b = bind_one();
  supple_affine matrix = diagonal(0, 0, 0);
  supple_quat hint = {0, s60, 0, c60};
  supple_palette palette = palette_of(&matrix, 1);
  palette.rotations = &hint;
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_real(p, 0, 0, s60, 0, c60);
  assert_int_equal(supple_prepared_found(p)->mirrored, 0);
  supple_prepared_destroy(p);
  uint8_t mirrored = 1;
  palette.mirrored = &mirrored;
  p = prepare(b, &palette, SUPPLE_DQS);
  assert_real(p, 0, 0, s60, 0, c60);
  assert_int_equal(supple_prepared_found(p)->mirrored, 1);
  supple_prepared_destroy(p);
  /* One that is no number counts as none. */
  static const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int k = 0; k < 12; k++) {
    hint = (supple_quat){0, s60, 0, c60};
    *(k % 4 == 0 ? &hint.x : k % 4 == 1 ? &hint.y : k % 4 == 2 ? &hint.z : &hint.w) = bad[k / 4];
    p = prepare(b, &palette, SUPPLE_DQS);
    assert_real(p, 0, 0, 0, 0, 1);
    supple_prepared_destroy(p);
  }
  supple_binding_destroy(b);
}

/* One object for bindings of other sizes, one after the other; another binding than the one served is refused. */
static void one_serves_many(void **state) {
  (void)state;
  uint16_t joints[40];
  float weights[40];
  for (int i = 0; i < 40; i++) joints[i] = (uint16_t)(i % 2), weights[i] = 1;
  supple_binding *small = bind_one(), *large = bind(40, 1, joints, weights);
  const supple_affine64 identity = supple_affine64_identity();
  const supple_affine one = supple_affine_from_double(&identity);
  supple_affine matrices[2] = {one, one};
  const supple_palette palette = {.joint_count = 2, .matrices = matrices};
  supple_prepared *p = supple_prepared_create(small, NULL, NULL);
  assert_non_null(p);
  const supple_binding *order[] = {small, large, small, large};
  for (int i = 0; i < 4; i++) {
    const supple_binding *other = order[i] == small ? large : small;
    assert_true(supplei_prepared_serve(p, order[i]));
    assert_int_equal(supple_prepared_update(p, other, &palette, SUPPLE_DQS), SUPPLE_ERROR_ARGUMENT);
    assert_int_equal(supple_prepared_update(p, order[i], &palette, SUPPLE_DQS), SUPPLE_OK);
    assert_int_equal(p->block_count, order[i]->blocks.count);
  }
  supple_prepared_destroy(p);
  supple_binding_destroy(large);
  supple_binding_destroy(small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_class_is_counted),
      cmocka_unit_test(one_serves_many),
      cmocka_unit_test(joints_beyond_the_binding_count),
      cmocka_unit_test(the_scale_that_most_joints_have),
      cmocka_unit_test(tolerances_are_borders),
      cmocka_unit_test(matrices_that_are_not_finite),
      cmocka_unit_test(numbers_that_no_float_holds),
      cmocka_unit_test(wrong_arguments),
      cmocka_unit_test(the_palette_is_copied),
      cmocka_unit_test(palettes_that_grow),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(no_joints_at_all),
      cmocka_unit_test(lbs_reports_nothing_else),
      cmocka_unit_test(the_largest_component_is_positive),
      cmocka_unit_test(a_joint_agrees_with_its_parent),
      cmocka_unit_test(no_sign_at_half_a_turn),
      cmocka_unit_test(parents_that_are_no_tree),
      cmocka_unit_test(a_long_chain_backwards),
      cmocka_unit_test(hints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
