/* stage.h: an asset made ready to be deformed, as the options say; and one thread's work on it.
 *
 *   cli_stage *stage = cli_stage_load(path, &invocation->options, &exit_code);
 *   cli_workspace *work = cli_workspace_create(stage, methods, 2);        one a thread
 *   cli_workspace_pose(work, &(cli_moment){.clip = 0, .seconds = 0.5});   once a moment
 *   cli_workspace_enter(work, instance);                                  palette, morphs
 *   cli_workspace_deform(work, m);                                        for each method
 *   … work->positions[m][primitive], work->palette, …
 *
 * Every function reports what failed (cli_complain) and returns an exit code, or NULL with one. */
#ifndef SUPPLE_CLI_STAGE_H
#define SUPPLE_CLI_STAGE_H

#include "command.h"
#include "handpose.h"

/* An instance with its influences cleaned. Bindings are shared by the instances of a mesh. */
typedef struct cli_stage_instance {
  const supple_instance *instance;
  const supple_binding *const *bindings; /* one a primitive; NULL where it has no influences */
  uint32_t vertex_count;                 /* of all its primitives */
  bool morphs;                           /* one of its primitives has targets */
} cli_stage_instance;

typedef struct cli_stage {
  const char *path;
  const cli_options *options; /* borrowed */
  supple_asset *asset;
  cli_stage_instance *instances; /* [asset->instance_count] */
  uint32_t instance_count;
  cli_turn *turns; /* of --pose, resolved */
  uint32_t turn_count;
  struct cli_stage_memory *memory; /* what cli_stage_free frees */
} cli_stage;

/* Loads the file ("-": stdin, without files beside it) with the options' limits, cleans influences, resolves
 * --pose. NULL: *exit_code is CLI_FAILED (the file), or CLI_USAGE (a joint of --pose that is not there). */
cli_stage *cli_stage_load(const char *path, const cli_options *options, int *exit_code);
void cli_stage_free(cli_stage *stage);
/* twin[i]: the first instance whose vertices are at the places of those of instance i in every pose, or i itself: of
 * one mesh and skin, in the scene's space, without morph targets and copies. [instance_count], freed by the caller;
 * NULL: out of memory, which was reported. */
uint32_t *cli_stage_twins(const cli_stage *stage);
/* The loading part alone, for commands that deform nothing. */
supple_asset *cli_load_asset(const char *path, const cli_options *options, bool structure_only,
                             int *exit_code);
/* How the library is to load, as the options say. */
supple_load_options cli_load_options(const cli_options *options);
/* All of stdin, at most --limit-file-bytes; NULL with the reason reported. Freed by the caller. */
void *cli_read_stdin(const cli_options *options, size_t *size);
/* Reports why a file could not be loaded, with the option that would help. CLI_FAILED. */
int cli_complain_of_file(const char *path, const supple_error *error);
/* The decoders of compressed meshes that this build has, for supple_load_options.codecs; NULL: none. */
const supple_codecs *cli_codecs(void);
/* Repairs of influences, on stderr, one line a kind and primitive; with --verbose the reader's notes too. */
void cli_stage_print_repairs(const cli_stage *stage);

/* --method, else what the first skin that names one asks for in extras.skinningMethod, else DQS. Says so where skins
 * disagree, or where --weights keep changes nothing. */
supple_method cli_choose_method(const cli_stage *stage);

/* Clip of --clip, by name or #INDEX: CLI_FINE, or CLI_USAGE with the nearest names. *clip is SUPPLE_NONE
 * where --clip was not given. */
int cli_find_clip(const supple_asset *asset, const cli_options *options, uint32_t *clip);
/* Node by name or #INDEX (a joint of a skin before any other node of that name): CLI_FINE, or CLI_USAGE. */
int cli_find_joint(const supple_asset *asset, const char *name, size_t length, uint32_t *node);

/* The times at which to look at a clip: --time alone; --frames evenly spaced, ends included; else every key
 * of the clip, in order, or 120 evenly spaced where there are more. A clip of no length has one time.
 * *times is freed by the caller. CLI_FAILED where memory runs out. */
int cli_clip_times(const supple_clip *clip, const cli_options *options, double **times,
                   uint32_t *count);

/* A node's name, or "node 12" where it has none. Returns text. */
const char *cli_node_name(const supple_asset *asset, uint32_t node, char *text, size_t size);
/* A clip's name, or "#2". Returns text. */
const char *cli_clip_name(const supple_asset *asset, uint32_t clip, char *text, size_t size);

/* A moment: a clip at a time (SUPPLE_NONE: nodes as stored), then the stage's --pose, then more turns. */
typedef struct cli_moment {
  uint32_t clip;
  double seconds;
  const cli_turn *turns;
  uint32_t turn_count;
} cli_moment;

/* The one moment that the options name: --clip at --time (without: where the clip begins), --time of the only
 * clip, or the nodes as stored. CLI_FINE, or CLI_USAGE where they disagree or there is no such clip. */
int cli_choose_moment(const supple_asset *asset, const cli_options *options, cli_moment *moment);

/* One thread's buffers: a pose of all nodes, and everything for one instance at a time. The arrays hold one
 * element a primitive of the instance entered; [m] is the number of the method. An element is NULL where
 * the primitive has no such data, or no influences. */
typedef struct cli_workspace {
  const cli_stage *stage;
  supple_pose *pose;
  uint32_t method_count;
  supple_method methods[CLI_METHODS_MOST];
  bool want_normals, want_tangents; /* set by the owner before the first cli_workspace_enter */

  uint32_t instance; /* the one entered, or SUPPLE_NONE */
  uint32_t primitive_count;
  const supple_palette *palette;
  const float *const *rest; /* what is deformed: morphed positions, or the primitive's own */
  const float *const *rest_normals; /* likewise; NULL elements where it has none */
  const float *const *rest_tangents;
  const supple_prepared *const *prepared[CLI_METHODS_MOST];
  const float *const *positions[CLI_METHODS_MOST]; /* deformed, tightly packed */
  const float *const *normals[CLI_METHODS_MOST];   /* where want_normals and it has normals */
  const float *const *tangents[CLI_METHODS_MOST]; /* where want_tangents and it has normals and tangents */
  supple_deform_report deformed[CLI_METHODS_MOST]; /* of the last cli_workspace_deform, all primitives */
  struct cli_workspace_memory *memory;
} cli_workspace;

/* NULL: out of memory, which was reported. */
cli_workspace *cli_workspace_create(const cli_stage *stage, const supple_method *methods,
                                    uint32_t method_count);
void cli_workspace_free(cli_workspace *work);
/* Poses all nodes. Cheap where the moment is the one already held. */
void cli_workspace_pose(cli_workspace *work, const cli_moment *moment);
/* Makes buffers for the instance (where it is not the one entered last), composes its palette for the pose
 * held, and applies morph targets. */
int cli_workspace_enter(cli_workspace *work, uint32_t instance);
/* Prepares all primitives for method number m, for those who deform by other means (a GPU). CLI_FAILED as below. */
int cli_workspace_prepare(cli_workspace *work, uint32_t m);
/* Prepares and deforms all primitives by method number m. CLI_FAILED where a joint's matrix is not finite:
 * the message names the joint. */
int cli_workspace_deform(cli_workspace *work, uint32_t m);

#endif
