/* usd.h: an asset as USD text (.usda) with UsdSkel skeletons, animations, blend shapes and preview materials.
 *
 *   SkelRoot NAME
 *     Scope Materials            usd_material.c
 *     Skeleton …                 one a skin; below it one SkelAnimation a clip: usd_rig.c, usd_animation.c
 *     Mesh …                     one a primitive of a skinned instance: usd_mesh.c
 *     Xform …                    nodes that carry meshes without skin: usd_scene.c
 *
 * Skinned meshes and skeletons stand at the root without a transform, so that skeleton space is the scene:
 * the skinned node's own transform moves nothing, as glTF says. */
#ifndef SUPPLE_CLI_USD_H
#define SUPPLE_CLI_USD_H

#include "stage.h"
#include "usd_skeleton.h"
#include "usd_text.h"

/* An image that materials use. */
typedef struct cli_usd_image {
  bool used;
  bool write;       /* as a file of its own: beside the .usda, or in the .usdz */
  bool unfit;       /* of a kind that a .usdz cannot have */
  const char *name; /* of that file, or the path of one that is there; relative. NULL: not used */
  char *owned;      /* the name where it was made */
} cli_usd_image;

/* What is written, and how. */
typedef struct cli_usd {
  const cli_stage *stage;
  const supple_asset *asset;
  cli_usd_text text;
  double fps;    /* time codes a second */
  uint32_t clip; /* the one bound, or SUPPLE_NONE */
  const char *skinning_method;
  bool keep_sums;     /* weights as stored: linear blending alone */
  const char *root;   /* identifier of the default prim */
  const char *stem;   /* OUT without folder and ending: images are named after it */
  bool beside_source; /* OUT lies in the asset's folder: its image files are used as they are */
  bool packed;        /* into a .usdz: images are in there, PNG and JPEG alone */
  supple_bounds extent; /* of skinned vertices at rest and over the bound clip; empty: there are none */
  cli_usd_names *names; /* of all prims but those below skeletons and materials */
  cli_usd_rig rig;
  supple_pose *pose;
  supple_document *document;   /* to look names up; NULL: there are none to look up */
  cli_usd_skeleton *skeletons; /* [skin_count] */
  cli_usd_image *images;       /* [image_count] */
  const char **materials;      /* [material_count] identifiers */
  uint8_t *colored;            /* [material_count] a primitive with colours uses it */
  cli_usd_names *material_names, *image_names;
  char **targets; /* [weight_count of the skeleton] name of each node's morph targets in USD, or NULL */
  uint32_t not_drawn;    /* primitives of lines and points */
  uint32_t other_coords; /* materials whose texture uses another TEXCOORD than 0 */
} cli_usd;

/* What can be said of how to write. */
typedef struct cli_usd_settings {
  const char *out; /* the path of the .usda or .usdz */
  bool packed;     /* it is a .usdz */
  double fps;      /* 0: found from the keys */
  uint32_t clip;   /* SUPPLE_NONE: none is bound */
  supple_method method;
} cli_usd_settings;

/* Works out names, skeletons and what is lost. False: reported. Clear it all the same. */
bool cli_usd_make(cli_usd *usd, const cli_stage *stage, const cli_usd_settings *settings);
void cli_usd_clear(cli_usd *usd);
/* Writes the .usda. CLI_FINE, or CLI_FAILED with the reason reported; closing stays with the caller. */
int cli_usd_write(cli_usd *usd, cli_output *output);
/* What USD cannot hold, on stderr. */
void cli_usd_print_losses(const cli_usd *usd);

/* ---- parts ---- */

/* usd_animation.c: time codes at which a clip's channels have to be sampled: keys; what holds is parted from what
 * follows by a sample a thousandth of a code before the key; cubic splines are sampled at every whole code
 * between keys. */
typedef struct cli_usd_moment {
  double code, seconds;
} cli_usd_moment;
typedef bool cli_usd_wants(const void *user, const supple_channel *channel);
/* Sorted, distinct codes. NULL (with *count 0): out of memory, which was reported. Free it. */
cli_usd_moment *cli_usd_moments(const supple_clip *clip, double fps, cli_usd_wants *wants,
                                const void *user, uint32_t *count);
/* The lowest usual number of frames a second that has a frame at every key of every clip, or 60. */
double cli_usd_frames_per_second(const supple_asset *asset);
/* The code of a time, rounded to a whole one where float keys say no more. */
double cli_usd_code(double seconds, double fps);

/* An attribute: `sample` makes its count × width floats for a time. */
typedef void cli_usd_sample(const void *user, double seconds, float *values);
typedef struct cli_usd_attribute {
  const char *declaration;
  uint32_t width;
  size_t count;
  bool single; /* the value itself, not an array */
  bool turns;  /* quaternions, scalar first: written with the sign nearest to the sample before */
  cli_usd_sample *sample;
  const void *user;
} cli_usd_attribute;
/* `declaration.timeSamples = {…}`, without samples that repeat; `declaration = …` at `still` seconds where there is
 * no moment. */
int cli_usd_write_attribute(const cli_usd *usd, const cli_usd_attribute *attribute,
                            const cli_usd_moment *moments, uint32_t count, double still);

/* Nodes whose morph weights a skeleton's animations carry. */
typedef struct cli_usd_morphs {
  const uint32_t *nodes;
  uint32_t count;
} cli_usd_morphs;
/* The SkelAnimations of a skeleton: identifiers below its prim. */
typedef struct cli_usd_animations {
  const char **of_clip; /* [clip_count] NULL: the clip does not move it */
  const char *rest; /* one that holds still, where only it says the morph weights at rest; or NULL */
  const char *bound; /* one of these, or NULL */
} cli_usd_animations;
/* Decides which there are. CLI_FAILED: reported; free of_clip all the same. */
int cli_usd_name_animations(cli_usd *usd, const cli_usd_skeleton *skeleton,
                            const cli_usd_morphs *morphs, cli_usd_names *names,
                            cli_usd_animations *animations);
int cli_usd_write_animations(cli_usd *usd, const cli_usd_skeleton *skeleton,
                             const cli_usd_morphs *morphs, const cli_usd_animations *animations);
/* "uniform token[] joints = [...]" */
void cli_usd_write_joint_paths(const cli_usd *usd, const cli_usd_skeleton *skeleton);
/* Name of a morph target in animations and below meshes; node is the one that has the weights. */
const char *cli_usd_target_name(const cli_usd *usd, uint32_t node, uint32_t target);

/* usd_rig.c: the skeletons of all skins with their animations, and the meshes bound to them. */
int cli_usd_write_skins(cli_usd *usd);
/* The primitives of a node that are not skinned, below the open prim at `path`; those with morph targets hang on a
 * skeleton of one joint. */
int cli_usd_write_plain_meshes(cli_usd *usd, uint32_t node, const char *path);

/* usd_targets.c: what the file calls a morph target, or NULL; as long as no other name is asked for. */
const char *cli_usd_target_display(const cli_usd *usd, uint32_t node, uint32_t target);
/* Names the morph targets of these nodes, as the file calls them, each once. */
bool cli_usd_name_targets(cli_usd *usd, const cli_usd_morphs *morphs);

/* usd_mesh.c: one primitive. */
typedef struct cli_usd_binding {
  const cli_usd_skeleton *skeleton; /* NULL: not bound */
  const supple_binding *binding;    /* NULL: all of it follows the skeleton's only joint */
  const char *path;                 /* of the skeleton */
  const char *animation;            /* path of the SkelAnimation, or NULL */
  uint32_t node;                    /* which has the morph weights */
} cli_usd_binding;
/* The open prim's extent; nothing where the box is empty. */
void cli_usd_write_extent(const cli_usd *usd, const supple_bounds *box);
/* `path`: of the open prim. */
int cli_usd_write_mesh(cli_usd *usd, const supple_primitive *primitive, const char *display,
                       const char *path, const cli_usd_binding *binding);

/* usd_material.c */
bool cli_usd_name_materials(cli_usd *usd);
void cli_usd_write_materials(cli_usd *usd);

/* usd_scene.c: nodes that carry meshes without skin. */
int cli_usd_write_scene(cli_usd *usd);
/* Whether a primitive of a node is skinned; else usd_scene.c writes it. */
static inline bool cli_usd_is_skinned(const supple_node *node, const supple_primitive *primitive) {
  return node->skin != SUPPLE_NONE && primitive->influence_count > 0;
}

#endif
