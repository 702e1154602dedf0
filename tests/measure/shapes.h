/* shapes.h: what the tests of the measures share: meshes built by arithmetic, rigs of a few joints, a frame
 * posed and measured, and an allocator that counts and fails. */
#ifndef SHAPES_H
#define SHAPES_H

#include <supple/supple.h>

/* ---- meshes ---- */

enum { SHAPE_INFLUENCES = 4 };

/* Grows as vertices and triangles are added. A new vertex has weight 1 on joint 0. */
typedef struct shape {
  uint32_t vertex_count, vertex_room, index_count, index_room;
  float *positions, *weights;
  uint16_t *joints;
  uint32_t *indices;
} shape;

shape *shape_create(void);
void shape_destroy(shape *s);
uint32_t shape_vertex(shape *s, double x, double y, double z);
void shape_triangle(shape *s, uint32_t a, uint32_t b, uint32_t c);
void shape_quad(shape *s, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
/* Turns the triangles from index `begin` on inside out. */
void shape_reverse(shape *s, uint32_t begin);
/* Weight of joint `upper` = smoothstep(low, high, y), of `lower` the rest; vertices from `begin` on. */
void shape_blend(shape *s, uint32_t begin, double low, double high, uint16_t lower, uint16_t upper);
/* Two weights, the second being 1 - weight. */
void shape_weigh(shape *s, uint32_t vertex, uint16_t a, double weight, uint16_t b);

/* A tube along Y with its outside out; elliptical, tapered where top is not 1 (its radii times that). */
typedef struct tube {
  double x, z, y0, y1; /* centre, ends */
  double rx, rz, top;
  uint32_t around, along;
  bool capped; /* with a middle vertex at either end */
  bool seam;   /* the first column of vertices is stored twice */
} tube;
void shape_tube(shape *s, const tube *t);
void shape_box(shape *s, supple_vec3 low, supple_vec3 high);
/* v' = m v for the vertices from `begin` on. */
void shape_move(shape *s, uint32_t begin, const supple_affine64 *m);

/* Area of a regular polygon inscribed in an ellipse. */
double ellipse_polygon(double rx, double rz, uint32_t corners);
double smoothstep(double low, double high, double x);

/* ---- rigs ---- */

enum { RIG_JOINTS = 24, RIG_SHAPES = 4 };

/* Node 0 is the root of the scene, node k + 1 is joint k. Plain data: change what a test is about between
 * the calls. */
typedef struct rig {
  supple_node nodes[RIG_JOINTS + 1];
  uint32_t order[RIG_JOINTS + 1], joints[RIG_JOINTS], parents[RIG_JOINTS];
  supple_vec3 places[RIG_JOINTS];
  supple_affine64 inverse_binds[RIG_JOINTS];
  supple_skeleton skeleton;
  supple_skin skin;
  supple_instance instance;
  uint32_t shape_count;
  supple_primitive primitives[RIG_SHAPES];
  const supple_primitive *primitive_list[RIG_SHAPES];
  supple_binding *bindings[RIG_SHAPES];
  supple_prepared *prepared[RIG_SHAPES];
  float *posed[RIG_SHAPES];
  supple_measure *measure;
  supple_pose *pose;
  supple_palette *palette;
  supple_instance_measure all;
  supple_joint_measure each[RIG_JOINTS];
} rig;

void rig_start(rig *r);
/* A joint at a place in the bind pose; parent: a joint or SUPPLE_NONE. */
uint32_t rig_joint(rig *r, uint32_t parent, double x, double y, double z);
/* Takes the shape as one more primitive (borrowed). */
void rig_shape(rig *r, const shape *s);
/* Bindings, then the measure; both must succeed. */
void rig_build(rig *r, const supple_measure_options *options);
/* Frees what rig_build made; the joints and shapes stay. */
void rig_unbuild(rig *r);
/* Turns joint j from rest, about an axis of its own. */
void rig_turn(rig *r, uint32_t j, double x, double y, double z, double degrees);
/* Deforms and measures into all and each. `rest` as in supple_measure_frame, NULL: the primitives. */
void rig_evaluate(rig *r, supple_method method, const float *const *rest);
/* Only composes, prepares and deforms. */
void rig_deform(rig *r, supple_method method, const float *const *rest);
supple_measure_frame rig_frame(const rig *r, const float *const *rest);
double rig_section(const rig *r, uint32_t joint, uint32_t k);
const supple_measured_joint *rig_joint_of(const rig *r, uint32_t joint);

/* The arm of the documentation: capped cylinder of radius 0.3 along Y from -1.3 to 1.3, two joints that meet
 * at y = 0, the first beginning at the lower end. */
shape *arm_shape(uint32_t around, uint32_t along);
void arm_rig(rig *r, const shape *s);

/* ---- memory ---- */

/* Counts what is out, fails from request number `fail_at` on (SIZE_MAX: never) but for `once`, and checks that
 * sizes given back are those that were asked for. */
typedef struct meter {
  size_t requests, fail_at, live, wrong;
  bool once;
} meter;
supple_allocator meter_allocator(meter *m);

/* Fails the test where |a - b| > bound, or one is NaN. */
void expect_near(double a, double b, double bound, const char *what, int line);
#define near(a, b, bound) expect_near((a), (b), (bound), #a, __LINE__)

#endif
