/* measure.h: what collapses. Cross-sections, kept, edges, volume, flipped triangles, deviation.
 *
 * A supple_measure holds what does not change from frame to frame: the welded, joined triangles of an
 * instance and the cross-sections of its joints. It is immutable: any number of threads may evaluate.
 *
 * Everything is a ratio to rest, 1 where nothing changed. Rest is the bind pose (the primitives as stored,
 * or as morphed where a frame gives them), enlarged by the scale that the vertex's joints have with the nodes
 * as stored: so a scaled root, a scaled limb, or the dequantisation hidden in inverse bind matrices, changes
 * nothing.
 *
 * Cross-section of a joint: the bind pose is cut by nine planes, at offsets -0.6, -0.45, … +0.6 of a bone's
 * length from the joint; below 0 along and perpendicular to the incoming bone (from the parent), above 0
 * the outgoing one, at 0 the bisector of the two. Of each cut the closed loop around the bone is taken and
 * kept as material points on edges. Its size is |vector area|. The outgoing bone runs to the child joint
 * with the most shared weight (sum over vertices of the smaller of the two weights); a leaf continues the
 * incoming bone, a root begins with the outgoing one; bones of no length are passed over. */
#ifndef SUPPLE_MEASURE_H
#define SUPPLE_MEASURE_H

#include "base.h"
#include "deform.h"
#include "mesh.h"
#include "rig.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SUPPLE_SECTION_COUNT 9    /* sections of a joint */
#define SUPPLE_SECTION_AT_JOINT 4 /* the number of the one at offset 0 */

/* What is known of a joint's cross-section before any pose. */
typedef enum supple_joint_status {
  SUPPLE_JOINT_OK,         /* it has a section */
  SUPPLE_JOINT_RIGID,      /* shares no vertex with another joint: nothing bends there */
  SUPPLE_JOINT_UNWEIGHTED, /* no vertex has weight on it */
  SUPPLE_JOINT_OPEN,       /* no closed loop: cloth, hair cards */
  SUPPLE_JOINT_OUTSIDE,    /* closed loops, but none around the bone (or the joint has no bone) */
  SUPPLE_JOINT_AMBIGUOUS, /* the loop belongs to other joints: less than 80 % of its weight is on this
                              joint, its parent, its bone's child, and helper joints that lie on the two
                              bones (so shoulders and hips, not twist joints) */
  SUPPLE_JOINT_SKIPPED /* not cut: supple_measure_options.most_work was spent on the joints before it */
} supple_joint_status;

/* "ok", "rigid", … */
SUPPLE_API const char *supple_joint_status_text(supple_joint_status status);

/* Zero means the default in brackets. */
typedef struct supple_measure_options {
  double threshold;      /* kept and sections below it collapse [0.75] */
  double weld_tolerance; /* of the bounds' diagonal [1e-5] */
  double least_share;    /* of a loop's weight for a joint to own it [0.8] */
  double most_work; /* so many points and triangles are looked at to cut the mesh, nine times all of them for each
                       joint; then joints are skipped, which no real rig comes near [2e10, half a minute or so] */
  supple_allocator allocator; /* for the measure and scratch memory; zeroed: malloc */
} supple_measure_options;

/* What is known of a joint before any pose. Vectors in mesh space. */
typedef struct supple_measured_joint {
  supple_joint_status status; /* why it has no section, or that it has */
  uint32_t parent;            /* joint at the start of the incoming bone, or SUPPLE_NONE */
  uint32_t child;             /* joint at the end of the outgoing bone, or SUPPLE_NONE */
  supple_vec3 position; /* of the joint in the bind pose; NaN where its inverse bind matrix is singular */
  supple_vec3 incoming, outgoing; /* unit directions of the two bones; zero where it has none */
  double incoming_length, outgoing_length; /* of the bones, in mesh space; 0: there is none */
  bool sections[SUPPLE_SECTION_COUNT];     /* which offsets have one */
  bool shared;                             /* it shares a vertex: kept is defined */
} supple_measured_joint;

/* What does not change from frame to frame of one instance. Immutable. */
typedef struct supple_measure supple_measure;

/* bindings: one for each primitive of the instance, not sorted (NULL for one to leave out; primitives that are not
 * triangles are left out). Both are borrowed and must outlive the measure. NULL on failure. */
SUPPLE_API supple_measure *supple_measure_create(const supple_skeleton *skeleton,
                                                 const supple_instance *instance,
                                                 const supple_binding *const *bindings,
                                                 const supple_measure_options *options,
                                                 supple_error *error);
/* NULL is fine. */
SUPPLE_API void supple_measure_destroy(supple_measure *measure);
/* The threshold in use, 0.75 unless told. */
SUPPLE_API double supple_measure_threshold(const supple_measure *measure);
/* The skin's number of joints. */
SUPPLE_API uint32_t supple_measure_joint_count(const supple_measure *measure);
/* Joint number `joint` of the skin, which must be below the count; lives as long as the measure. */
SUPPLE_API const supple_measured_joint *supple_measure_joint(const supple_measure *measure,
                                                             uint32_t joint);
/* Diagonal of the rest bounds, in metres of the scene. */
SUPPLE_API double supple_measure_diagonal(const supple_measure *measure);
/* Offset number k in bone lengths: -0.6 + 0.15 k. */
SUPPLE_API double supple_section_offset(uint32_t k);

/* One posed frame under one method. */
typedef struct supple_measure_frame {
  const supple_palette *palette;          /* of the frame, for the instance's skin */
  const supple_prepared *const *prepared; /* one a primitive, updated with that palette */
  const float *const *positions;          /* one a primitive: deformed, tightly packed */
  const float *const *rest; /* one a primitive: morphed, not deformed; NULL where nothing morphs */
} supple_measure_frame;

/* Ratios for one joint. A number that does not exist is NaN here and null in JSON; supple_measured_joint says
 * beforehand which exist. */
typedef struct supple_joint_measure {
  double section[SUPPLE_SECTION_COUNT]; /* area over area at rest, by offset */
  double section_projected; /* at the joint: vector area along the posed bisector of the bones */
  double radius, bulge;     /* at the joint: smallest and largest distance from the bone's axis */
  double worst;             /* smallest section over offsets, of those that have a number */
  uint32_t worst_offset;    /* its number, SUPPLE_NONE where there is none */
  double kept;              /* smallest over the vertices that it shares with other joints */
  double own_kept; /* likewise, of those whose joints it is that turns most against its parent: where the
                      bending is its own. A hip's neighbours share its worst vertex, but not the blame. */
} supple_joint_measure;

/* Ratios for the whole instance. */
typedef struct supple_instance_measure {
  double volume; /* of the closed shells; NaN where there is none */
  double edge_mean, edge_least,
      edge_most;     /* posed over rest length, three edges a triangle; NaN: none */
  uint32_t flipped;  /* triangles that face against their joints' turn */
  double kept_below; /* share of the skin's area whose kept is below the threshold */
} supple_instance_measure;

/* Measures one frame into *instance and joints[joint_count] (either may be NULL). Allocates scratch memory
 * from the measure's allocator and frees it. SUPPLE_ERROR_MEMORY, or SUPPLE_ERROR_ARGUMENT where the palette
 * has fewer joints than the skin. */
SUPPLE_API supple_result supple_measure_evaluate(const supple_measure *measure,
                                                 const supple_measure_frame *frame,
                                                 supple_instance_measure *instance,
                                                 supple_joint_measure *joints);
/* Kept of every vertex of a primitive (its number in the instance) into kept[vertex_count], for pictures: 1 where one
 * joint rules or the primitive is not measured. Of the frame palette and prepared count. Fails as
 * supple_measure_evaluate. */
SUPPLE_API supple_result supple_measure_kept(const supple_measure *measure,
                                             const supple_measure_frame *frame, uint32_t primitive,
                                             double *kept);
/* Whether a measured joint collapses: own_kept or worst below the threshold. */
SUPPLE_API bool supple_measure_collapses(const supple_measure *measure,
                                         const supple_joint_measure *joint);

/* Distance of two deformations of the instance, vertex by vertex, in metres: largest, and root mean square.
 * positions as in supple_measure_frame. */
SUPPLE_API void supple_measure_deviation(const supple_measure *measure,
                                         const float *const *positions,
                                         const float *const *reference, double *largest,
                                         double *rms);

/* The material points of section k of a joint: how many (0: no section), and where they are in positions as
 * in supple_measure_frame (NULL: in the bind pose) into xyz[count]. In order around the loop. */
SUPPLE_API uint32_t supple_measure_section_size(const supple_measure *measure, uint32_t joint,
                                                uint32_t k);
SUPPLE_API void supple_measure_section_points(const supple_measure *measure, uint32_t joint,
                                              uint32_t k, const float *const *positions,
                                              supple_vec3 *xyz);
/* The scale that takes section k from mesh space to the scene with the nodes as stored: rest is the bind pose
 * times it. */
SUPPLE_API double supple_measure_section_scale(const supple_measure *measure, uint32_t joint,
                                               uint32_t k);
/* Where section k sits for a palette (NULL: in the bind pose): the joint's or cut's point on the bone, the
 * plane's normal (the bone's axis), and a perpendicular `up` that turns with the joint, for drawing. */
SUPPLE_API void supple_measure_section_frame(const supple_measure *measure, uint32_t joint,
                                             uint32_t k, const supple_palette *palette,
                                             supple_vec3 *origin, supple_vec3 *axis,
                                             supple_vec3 *up);

#ifdef __cplusplus
}
#endif
#endif
