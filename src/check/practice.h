/* practice.h: what the parts of the checker that look for trouble in practice share. */
#ifndef SUPPLEI_PRACTICE_H
#define SUPPLEI_PRACTICE_H

#include "../../include/supple/deform.h"
#include "check_state.h"
#include "frames.h"

/* The largest way that something goes, where and when. metres 0: nowhere. */
typedef struct supplei_worst {
  double metres;
  supplei_frame frame;
  uint32_t index; /* of a vertex, or of a joint */
} supplei_worst;

/* Vertices of one kind; allocated with room for `capacity`. */
typedef struct supplei_vertices {
  uint32_t *items, count, capacity;
} supplei_vertices;

/* Influences of one way of reading them. */
typedef struct supplei_reading {
  supple_binding *binding; /* NULL: nobody reads them in this way, or it is the same as reading all */
} supplei_reading;

/* One primitive that skins deform: its influences, and what goes wrong with them. */
typedef struct supplei_mover {
  const supple_primitive *primitive;   /* NULL: no instance uses it, or it has no influences */
  supplei_reading all, largest, first; /* all influences; the four largest; JOINTS_0 alone */
  float *first_weights;                /* of JOINTS_0, for `first` */
  uint16_t *first_joints;
  supplei_vertices off, unweighted, many, misplaced; /* see practice_influences.c */
  double least_sum, most_sum;                        /* of off */
  double largest_dropped; /* share of a vertex's weight beyond the four largest */
  uint32_t most_influences, sets,
      used_sets;     /* used_sets: one more than the last that carries weight */
  supple_bounds box; /* of the positions as stored */
  supplei_worst off_moved, unweighted_rest, unweighted_origin, largest_moved, first_moved, outside;
} supplei_mover;

/* Ways in which a joint's matrix is no rigid motion. */
typedef enum supplei_trouble {
  SUPPLEI_TROUBLE_SCALED,    /* the same along all axes */
  SUPPLEI_TROUBLE_STRETCHED, /* not so */
  SUPPLEI_TROUBLE_MIRRORED,
  SUPPLEI_TROUBLE_SINGULAR,
  SUPPLEI_TROUBLE_COUNT
} supplei_trouble;

/* One skin in its poses. */
typedef struct supplei_skin_use {
  const supple_instance *instance; /* the last that uses it, or NULL; the others: supplei_instance_use.next */
  uint8_t *used;                   /* [joint_count] whether a vertex follows it */
  uint8_t *troubles; /* [joint_count] bits by supplei_trouble, and SHEARED beyond them */
  uint32_t used_count;
  supple_palette *palette, *flat; /* flat: of worlds without shear */
  /* the joint that is worst, in `metres` how bad it is (a factor, not metres) */
  supplei_worst worst[SUPPLEI_TROUBLE_COUNT];
  double least_scale, most_scale; /* of scaled joints */
  uint32_t most_at_once;          /* scaled joints, in one frame */
  bool sheared;                   /* in the frame posed */
  supplei_worst shear;            /* how far dropping shear moves a vertex */
  double shear_angle;             /* the largest, as the cosine between two axes of a joint */
  uint32_t bound;                 /* the joint that stands for the bind pose, or SUPPLE_NONE */
  supplei_worst rest;             /* from the bind pose, the nodes as stored */
  uint32_t rest_joints;           /* how many are not where they were bound */
  supplei_worst refused;          /* metres 1: a matrix is not finite; index: its joint */
} supplei_skin_use;

/* The joints that the vertices of a mesh follow. */
typedef struct supplei_mesh_use {
  uint16_t *joints; /* [count], of each but the first occurrence left out; room for as many */
  uint32_t count, capacity;
  bool looked_at;
} supplei_mesh_use;

/* One skinned node. */
typedef struct supplei_instance_use {
  supplei_worst applied; /* how far its own world would move a vertex */
  double diagonal;       /* of its largest primitive's box with the nodes as stored */
  uint32_t next;         /* another instance of its skin, or SUPPLE_NONE */
  uint32_t twin;         /* the next instance that deformation cannot tell apart, or SUPPLE_NONE */
  bool first;            /* no instance before is so */
} supplei_instance_use;

/* What channels do to a node, as bits. */
enum {
  SUPPLEI_ANIMATED = 1, /* its transform */
  SUPPLEI_RESCALED = 2  /* to a scale other than 1 */
};

typedef struct supplei_practice {
  supplei_check *check;
  const supple_asset *asset;
  const supple_allocator *allocator;
  uint8_t *animated; /* [node_count] bits as above */
  uint32_t *clips;   /* [node_count] how many clips move it */
  uint32_t *joints;  /* [joint_node_count] every node that is a joint, ascending */
  uint32_t joint_node_count;
  supplei_mover *movers;           /* of all meshes' primitives, one after the other */
  uint32_t *first_mover;           /* [mesh_count + 1] */
  supplei_mesh_use *meshes;        /* [mesh_count] */
  uint8_t *joint_seen;             /* [65536], of the mesh at hand */
  supplei_skin_use *skins;         /* [skin_count] */
  supplei_instance_use *instances; /* [instance_count] */
} supplei_practice;

/* ---- the parts; memory that runs out is told to check->result ---- */

/* Allocates all that is above but for the readings and lists of movers. */
bool supplei_practice_open(supplei_practice *practice, supplei_check *check);
void supplei_practice_close(supplei_practice *practice);
/* Readings and lists of a mover, and the joints that it uses into `use`. False: out of memory. */
bool supplei_influences_open(supplei_practice *practice, supplei_mover *mover,
                             supplei_mesh_use *use);
void supplei_influences_close(supplei_practice *practice, supplei_mover *mover);
/* What the lists and the poses say of it. */
void supplei_influences_tell(supplei_practice *practice, const supplei_mover *mover);

void supplei_practice_names(supplei_practice *practice);
void supplei_practice_nodes(supplei_practice *practice);
void supplei_practice_skins(supplei_practice *practice);
/* Looks at all frames: fills movers, skins and instances. */
void supplei_practice_poses(supplei_practice *practice);
void supplei_practice_strict(supplei_practice *practice);

/* Judges the palettes of all skins in a frame; sets `sheared` of those whose joints' worlds shear. */
void supplei_joints_look(supplei_practice *practice, const supple_pose *pose,
                         const supplei_frame *frame);
/* Worlds of `flat` as those of pose with every shear dropped on the way down. */
void supplei_joints_flatten(const supple_pose *pose, supple_pose *flat);
/* The joint whose matrix most of the joints in use have, and how many have another. */
uint32_t supplei_joints_common(const supplei_skin_use *skin, const supple_bounds *box,
                               uint32_t *others);
/* metres[k]: how far DQS that knows rigid motions alone puts a vertex from DQS that follows the joints, where
 * trouble k is worst; NaN: it cannot be said. */
void supplei_joints_tell(supplei_practice *practice, const supplei_skin_use *skin,
                         const double *metres);

/* ---- texts ---- */

enum { SUPPLEI_WORDS = 128 };
/* `digits` (1 to 9) significant digits: "0.0123", "1.5e-07", "not finite". Without the locale. */
const char *supplei_practice_number(double value, int digits, char words[SUPPLEI_WORDS]);
/* "0.0123 m". */
const char *supplei_practice_metres(double metres, char words[SUPPLEI_WORDS]);
/* "with the nodes as stored" or "in clip \"Walk\" at 0.5 s". */
const char *supplei_practice_when(const supple_asset *asset, const supplei_worst *worst,
                                  char words[SUPPLEI_WORDS]);
/* "\"wrist\" (node 7)" or "node 7". */
const char *supplei_practice_node(const supple_asset *asset, uint32_t node,
                                  char words[SUPPLEI_WORDS]);

/* ---- small ---- */

/* Keeps the larger one. What is not finite does not count. */
void supplei_worst_offer(supplei_worst *worst, double metres, const supplei_frame *frame,
                         uint32_t index);
/* No metres to tell. */
supplei_extent supplei_practice_count(uint32_t count);

#endif
