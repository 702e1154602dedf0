/* shapes.c: see shapes.h. */
#include "tests/measure/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void expect_near(double a, double b, double bound, const char *what, int line) {
  if (fabs(a - b) <= bound) return;
  print_error("line %d: %s is %.12g, not %.12g (within %g)\n", line, what, a, b, bound);
  fail();
}

/* ---- meshes ---- */

shape *shape_create(void) {
  shape *s = calloc(1, sizeof *s);
  assert_non_null(s);
  return s;
}

void shape_destroy(shape *s) {
  free(s->positions);
  free(s->weights);
  free(s->joints);
  free(s->indices);
  free(s);
}

uint32_t shape_vertex(shape *s, double x, double y, double z) {
  if (s->vertex_count == s->vertex_room) {
    s->vertex_room = s->vertex_room ? s->vertex_room * 2 : 64;
    size_t room = s->vertex_room;
    s->positions = realloc(s->positions, room * 3 * sizeof *s->positions);
    s->weights = realloc(s->weights, room * SHAPE_INFLUENCES * sizeof *s->weights);
    s->joints = realloc(s->joints, room * SHAPE_INFLUENCES * sizeof *s->joints);
    assert_true(s->positions && s->weights && s->joints);
  }
  uint32_t v = s->vertex_count++;
  float *p = s->positions + 3 * (size_t)v;
  p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
  shape_weigh(s, v, 0, 1, 0);
  return v;
}

void shape_triangle(shape *s, uint32_t a, uint32_t b, uint32_t c) {
  if (s->index_count + 3 > s->index_room) {
    s->index_room = s->index_room ? s->index_room * 2 : 96;
    s->indices = realloc(s->indices, s->index_room * sizeof *s->indices);
    assert_non_null(s->indices);
  }
  uint32_t *i = s->indices + s->index_count;
  i[0] = a, i[1] = b, i[2] = c;
  s->index_count += 3;
}

void shape_quad(shape *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  shape_triangle(s, a, b, c);
  shape_triangle(s, a, c, d);
}

void shape_reverse(shape *s, uint32_t begin) {
  for (uint32_t i = begin; i < s->index_count; i += 3) {
    uint32_t a = s->indices[i];
    s->indices[i] = s->indices[i + 1];
    s->indices[i + 1] = a;
  }
}

void shape_weigh(shape *s, uint32_t vertex, uint16_t a, double weight, uint16_t b) {
  float *w = s->weights + SHAPE_INFLUENCES * (size_t)vertex;
  uint16_t *j = s->joints + SHAPE_INFLUENCES * (size_t)vertex;
  for (int i = 0; i < SHAPE_INFLUENCES; i++) w[i] = 0, j[i] = 0;
  w[0] = (float)weight, j[0] = a;
  w[1] = (float)(1 - weight), j[1] = b;
}

double smoothstep(double low, double high, double x) {
  double t = (x - low) / (high - low);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return t * t * (3 - 2 * t);
}

void shape_blend(shape *s, uint32_t begin, double low, double high, uint16_t lower, uint16_t upper) {
  for (uint32_t v = begin; v < s->vertex_count; v++)
    shape_weigh(s, v, lower, 1 - smoothstep(low, high, (double)s->positions[3 * (size_t)v + 1]),
                upper);
}

void shape_tube(shape *s, const tube *t) {
  uint32_t columns = t->around + (t->seam ? 1 : 0), first = s->vertex_count;
  for (uint32_t r = 0; r <= t->along; r++)
    for (uint32_t c = 0; c < columns; c++) {
      double share = (double)r / t->along, wide = 1 + (t->top - 1) * share;
      double angle = 2 * SUPPLE_PI * (double)(c % t->around) / t->around;
      shape_vertex(s, t->x + t->rx * wide * sin(angle), t->y0 + (t->y1 - t->y0) * share,
                   t->z + t->rz * wide * cos(angle));
    }
  for (uint32_t r = 0; r < t->along; r++)
    for (uint32_t c = 0; c < t->around; c++) {
      uint32_t next = (c + 1) % columns, a = first + r * columns;
      shape_quad(s, a + c, a + next, a + columns + next, a + columns + c);
    }
  if (!t->capped) return;
  uint32_t bottom = shape_vertex(s, t->x, t->y0, t->z), top = shape_vertex(s, t->x, t->y1, t->z);
  uint32_t last = first + t->along * columns;
  for (uint32_t c = 0; c < t->around; c++) {
    uint32_t next = (c + 1) % columns;
    shape_triangle(s, bottom, first + next, first + c);
    shape_triangle(s, top, last + c, last + next);
  }
}

void shape_box(shape *s, supple_vec3 low, supple_vec3 high) {
  static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  uint32_t first = s->vertex_count;
  for (int k = 0; k < 8; k++)
    shape_vertex(s, k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
  for (int f = 0; f < 6; f++)
    shape_quad(s, first + faces[f][0], first + faces[f][1], first + faces[f][2],
               first + faces[f][3]);
}

void shape_move(shape *s, uint32_t begin, const supple_affine64 *m) {
  for (uint32_t v = begin; v < s->vertex_count; v++) {
    float *p = s->positions + 3 * (size_t)v;
    supple_vec3 at = supple_affine64_transform_point(
        m, supple_vec3_make((double)p[0], (double)p[1], (double)p[2]));
    p[0] = (float)at.x, p[1] = (float)at.y, p[2] = (float)at.z;
  }
}

double ellipse_polygon(double rx, double rz, uint32_t corners) {
  return corners / 2.0 * sin(2 * SUPPLE_PI / corners) * rx * rz;
}

/* ---- rigs ---- */

static supple_node plain_node(uint32_t parent) {
  supple_node node = {
      .name = "", .parent = parent, .mesh = SUPPLE_NONE, .skin = SUPPLE_NONE, .camera = SUPPLE_NONE};
  node.rest.rotation = supple_quat_identity();
  node.rest.scale = supple_vec3_make(1, 1, 1);
  return node;
}

void rig_start(rig *r) {
  memset(r, 0, sizeof *r);
  r->nodes[0] = plain_node(SUPPLE_NONE);
  r->skeleton = (supple_skeleton){.nodes = r->nodes, .order = r->order, .node_count = 1};
  r->skin = (supple_skin){.name = "",
                          .joints = r->joints,
                          .inverse_binds = r->inverse_binds,
                          .parents = r->parents,
                          .skeleton = SUPPLE_NONE};
  r->instance = (supple_instance){.skin = &r->skin, .primitives = r->primitive_list};
}

uint32_t rig_joint(rig *r, uint32_t parent, double x, double y, double z) {
  uint32_t j = r->skin.joint_count++;
  assert_true(j < RIG_JOINTS);
  supple_vec3 place = supple_vec3_make(x, y, z), above = supple_vec3_make(0, 0, 0);
  if (parent != SUPPLE_NONE) above = r->places[parent];
  r->places[j] = place;
  r->parents[j] = parent;
  r->joints[j] = r->order[j + 1] = j + 1;
  r->nodes[j + 1] = plain_node(parent == SUPPLE_NONE ? 0 : parent + 1);
  r->nodes[j + 1].rest.translation = supple_vec3_subtract(place, above);
  r->inverse_binds[j] = supple_affine64_identity();
  for (int row = 0; row < 3; row++)
    r->inverse_binds[j].m[row][3] = -(row == 0 ? x : row == 1 ? y : z);
  r->skeleton.node_count = j + 2;
  return j;
}

void rig_shape(rig *r, const shape *s) {
  uint32_t p = r->instance.primitive_count++;
  assert_true(p < RIG_SHAPES);
  r->primitives[p] = (supple_primitive){.index = p,
                                        .vertex_count = s->vertex_count,
                                        .positions = s->positions,
                                        .indices = s->indices,
                                        .index_count = s->index_count,
                                        .influence_count = SHAPE_INFLUENCES,
                                        .joints = s->joints,
                                        .weights = s->weights,
                                        .material = SUPPLE_NONE};
  r->primitive_list[p] = &r->primitives[p];
}

void rig_build(rig *r, const supple_measure_options *options) {
  for (uint32_t p = 0; p < r->instance.primitive_count; p++) {
    r->bindings[p] = supple_binding_create(&r->primitives[p], NULL, NULL);
    assert_non_null(r->bindings[p]);
    r->prepared[p] = supple_prepared_create(r->bindings[p], NULL, NULL);
    assert_non_null(r->prepared[p]);
    r->posed[p] = calloc((size_t)r->primitives[p].vertex_count * 3 + 1, sizeof(float));
    assert_non_null(r->posed[p]);
  }
  r->pose = supple_pose_create(&r->skeleton, NULL, NULL);
  r->palette = supple_palette_create(r->skin.joint_count, SUPPLE_SPACE_SCENE, NULL, NULL);
  assert_true(r->pose && r->palette);
  supple_error error = {0};
  r->measure = supple_measure_create(&r->skeleton, &r->instance,
                                     (const supple_binding *const *)r->bindings, options, &error);
  if (!r->measure) print_error("%s\n", error.message);
  assert_non_null(r->measure);
}

void rig_unbuild(rig *r) {
  for (uint32_t p = 0; p < r->instance.primitive_count; p++) {
    supple_binding_destroy(r->bindings[p]);
    supple_prepared_destroy(r->prepared[p]);
    free(r->posed[p]);
  }
  supple_measure_destroy(r->measure);
  supple_pose_destroy(r->pose);
  supple_palette_destroy(r->palette);
}

void rig_turn(rig *r, uint32_t j, double x, double y, double z, double degrees) {
  supple_quat turn =
      supple_quat_from_axis_angle(supple_vec3_make(x, y, z), degrees * SUPPLE_PI / 180);
  r->pose->locals[j + 1].rotation = supple_quat_multiply(r->nodes[j + 1].rest.rotation, turn);
}

supple_measure_frame rig_frame(const rig *r, const float *const *rest) {
  return (supple_measure_frame){.palette = r->palette,
                                .prepared = (const supple_prepared *const *)r->prepared,
                                .positions = (const float *const *)r->posed,
                                .rest = rest};
}

void rig_deform(rig *r, supple_method method, const float *const *rest) {
  supple_pose_update(r->pose);
  supple_palette_compose(r->palette, r->pose, &r->instance);
  for (uint32_t p = 0; p < r->instance.primitive_count; p++) {
    assert_int_equal(supple_prepared_update(r->prepared[p], r->bindings[p], r->palette, method),
                     SUPPLE_OK);
    supple_job job = {.prepared = r->prepared[p],
                      .positions = {rest ? rest[p] : r->primitives[p].positions, 12},
                      .out_positions = {r->posed[p], 12}};
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
  }
}

void rig_evaluate(rig *r, supple_method method, const float *const *rest) {
  rig_deform(r, method, rest);
  supple_measure_frame frame = rig_frame(r, rest);
  assert_int_equal(supple_measure_evaluate(r->measure, &frame, &r->all, r->each), SUPPLE_OK);
}

double rig_section(const rig *r, uint32_t joint, uint32_t k) { return r->each[joint].section[k]; }

const supple_measured_joint *rig_joint_of(const rig *r, uint32_t joint) {
  return supple_measure_joint(r->measure, joint);
}

shape *arm_shape(uint32_t around, uint32_t along) {
  shape *s = shape_create();
  shape_tube(s, &(tube){.y0 = -1.3,
                        .y1 = 1.3,
                        .rx = 0.3,
                        .rz = 0.3,
                        .top = 1,
                        .around = around,
                        .along = along,
                        .capped = true});
  shape_blend(s, 0, -0.38, 0.38, 0, 1);
  return s;
}

void arm_rig(rig *r, const shape *s) {
  rig_start(r);
  rig_joint(r, SUPPLE_NONE, 0, -1.3, 0);
  rig_joint(r, 0, 0, 0, 0);
  rig_shape(r, s);
}

/* ---- memory ---- */

static void *meter_allocate(void *user, size_t size) {
  meter *m = user;
  size_t number = m->requests++;
  if (number == m->fail_at || (number > m->fail_at && !m->once)) return NULL;
  size_t *block = malloc(size + 16);
  if (!block) return NULL;
  *block = size;
  m->live += size;
  return (char *)block + 16;
}

static void meter_release(void *user, void *memory, size_t size) {
  meter *m = user;
  size_t *block = (size_t *)(void *)((char *)memory - 16);
  m->wrong += *block != size;
  m->live -= *block;
  free(block);
}

supple_allocator meter_allocator(meter *m) {
  return (supple_allocator){meter_allocate, meter_release, m};
}
