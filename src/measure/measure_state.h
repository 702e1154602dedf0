/* measure_state.h: what is inside a measure: bones, sections, and what never changes from frame to frame. */
#ifndef SUPPLEI_MEASURE_STATE_H
#define SUPPLEI_MEASURE_STATE_H

#include "../../include/supple/measure.h"
#include "../mesh/surface.h"

/* A material point on an edge of the surface: between two source vertices, at share t. */
typedef struct supplei_point {
  uint32_t a, b;
  double t;
} supplei_point;

/* A section: points[begin … begin + count) around the loop, and its measures at rest. */
typedef struct supplei_section {
  uint32_t begin, count;
  double area, projected, least, most; /* in mesh space; the last three at the joint alone */
  double scale;                        /* from mesh space to the scene, with the nodes as stored */
} supplei_section;

/* A plane through `origin`; `up` lies in it. */
typedef struct supplei_plane {
  supple_vec3 origin, axis, up;
} supplei_plane;

struct supple_measure {
  supple_allocator allocator;
  supple_measure_options options;
  const supple_instance *instance;
  const supple_binding **bindings; /* [primitive_count] NULL: left out */
  uint32_t primitive_count, joint_count;
  supplei_surface surface;
  supple_measured_joint *joints;
  bool *weighted;       /* [joint_count] a vertex has weight on it */
  double *shared_above; /* [joint_count] weight shared with the parent */
  double scale; /* of the palette with the nodes as stored: mesh space to scene, median of joints */
  double *scales;            /* [source_count] the same at each vertex, blended from its joints */
  bool mirrored;             /* that palette reflects */
  supplei_section *sections; /* [joint_count][SUPPLE_SECTION_COUNT] */
  supplei_point *points;
  uint32_t point_count, point_capacity;
  double *areas;     /* [source_count] of the skin around each source vertex */
  double area;       /* of all */
  double volume;     /* of the closed shells in mesh space, unsigned; 0: none */
  double cube;       /* what takes it to the scene, with the nodes as stored */
  uint32_t *blended; /* source vertices with two influences or more */
  uint32_t blended_count;
  uint32_t *bending; /* triangles that have such a vertex */
  uint32_t bending_count;
};

/* So many joints in one place are passed over on the way to the end of a bone; more would be quadratic. */
enum { SUPPLEI_MOST_PASSED_OVER = 1000 };

/* The influences of a source vertex. */
uint32_t supplei_source_influences(const supple_measure *measure, uint32_t source,
                                   const uint16_t **joints, const float **weights);

/* bones.c: joints[].position, bones, lengths, shared; weighted; shared_above; scale, scales, mirrored. */
bool supplei_measure_bones(supple_measure *measure, const supple_skeleton *skeleton,
                           supple_error *error);
/* The direction between two bones' unit directions; `outgoing` where they fold back on each other. */
supple_vec3 supplei_bisector(supple_vec3 incoming, supple_vec3 outgoing);
/* Where section k of a joint cuts the bind pose. False: the joint has no bone. */
bool supplei_section_plane(const supple_measure *measure, uint32_t joint, uint32_t k,
                           supplei_plane *plane);
/* measure.c: takes a plane of the bind pose along with the joint (or, before it, the incoming bone). */
void supplei_pose_plane(const supple_measure *measure, uint32_t joint, uint32_t k,
                        const supple_palette *palette, supplei_plane *plane);
/* Signed volume of the closed shells at these source points, each counted as positive at rest. */
double supplei_volume_of(const supplei_surface *surface, const double *points);
/* sections.c: cuts all joints; sets status and sections. */
bool supplei_measure_cut(supple_measure *measure);

/* loops.c: the shape of a section in given positions: `points` [count], around `plane`. */
typedef struct supplei_shape {
  supple_vec3 area;   /* vector area */
  double least, most; /* distances from the plane's axis */
} supplei_shape;
supplei_shape supplei_shape_of(const supple_vec3 *points, uint32_t count,
                               const supplei_plane *plane);

#endif
