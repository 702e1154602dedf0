/* gltf.h: reading glTF 2.0 (.gltf with its files or data URIs, .glb) into one arena.
 *
 * Loading validates everything that later stages rely on, and decodes; it repairs nothing (cleaning the
 * influences is the binding's). An asset is immutable: any number of threads may read it. */
#ifndef SUPPLE_GLTF_H
#define SUPPLE_GLTF_H

#include "base.h"
#include "mesh.h"
#include "rig.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Delivers an external file named by a URI (already percent-decoded and judged safe). Returns SUPPLE_OK
 * with *data, *size, and frees nothing: `release` is called with the same once, before the load returns
 * (NULL: nothing to do). Any other result fails the load; fill *error if you can say more. */
typedef struct supple_reader {
  supple_result (*read)(void *user, const char *path, const void **data, size_t *size,
                        supple_error *error);                 /* never NULL */
  void (*release)(void *user, const void *data, size_t size); /* may be NULL */
  void *user;                                                 /* handed to both */
} supple_reader;

/* Zero means the default in brackets. The message of SUPPLE_ERROR_LIMIT names the field. */
typedef struct supple_limits {
  size_t file_bytes;    /* of the asset's file; of all files together that it names [4 GiB - 1] */
  size_t memory_bytes;  /* of the asset in memory, files excluded [1 GiB] */
  uint32_t json_values; /* values in the JSON text [10,000,000] */
  uint32_t json_depth;  /* nesting of arrays and objects [1,000] */
  uint32_t nodes;       /* [1,000,000] */
  uint32_t node_depth;  /* [100,000] */
  uint32_t vertices;    /* of one primitive [100,000,000] */
  uint32_t joints;      /* of one skin [65,535] */
  uint32_t influence_sets; /* of one primitive [64] */
  uint32_t morph_targets;  /* of one mesh [4,096] */
} supple_limits;

/* How to load; zero means the default. */
typedef struct supple_load_options {
  supple_limits limits;       /* zeroed: the defaults */
  supple_allocator allocator; /* for the asset and what loading needs; zeroed: malloc */
  supple_reader reader; /* external files; without it: files beside the asset (loading from a path),
                                 none (loading from memory) */
  bool allow_outside_uris; /* absolute paths and "..": refused unless set */
  bool structure_only; /* leave vertex streams and keys undecoded (NULL): nodes, skins, counts and
                                 names only, for tools that ask what is in a file */
} supple_load_options;

/* A set of root nodes. */
typedef struct supple_scene {
  const char *name;      /* "" where it has none */
  const uint32_t *nodes; /* the roots */
  uint32_t node_count;   /* of nodes */
} supple_scene;

/* A mesh of the file. */
typedef struct supple_mesh {
  const char *name;                   /* "" where it has none */
  const supple_primitive *primitives; /* all of them, skinned or not */
  uint32_t primitive_count;           /* of primitives */
} supple_mesh;

/* What Supple reads of a material. */
typedef struct supple_material {
  const char *name;    /* "" where it has none */
  float base_color[4]; /* pbrMetallicRoughness.baseColorFactor; 1, 1, 1, 1 unless told */
} supple_material;

/* Something legal but odd that the reader met and how it took it (policy): shown by the command, kept for
 * `check`. */
typedef struct supple_note {
  const char *pointer; /* JSON pointer, "" for the file itself */
  const char *text;    /* one sentence */
} supple_note;

/* Everything read from a file. All pointers live as long as the asset. */
typedef struct supple_asset {
  supple_skeleton skeleton;                    /* every node of the file */
  const supple_scene *scenes;                  /* [scene_count] */
  uint32_t scene_count;                        /* of scenes */
  uint32_t scene;                              /* the default one, or SUPPLE_NONE */
  const supple_mesh *meshes;                   /* [mesh_count] */
  uint32_t mesh_count;                         /* of meshes */
  const supple_skin *skins;                    /* [skin_count] */
  uint32_t skin_count;                         /* of skins */
  const supple_instance *instances;            /* nodes with mesh and skin, in file order */
  uint32_t instance_count;                     /* of instances */
  const supple_clip *clips;                    /* [clip_count] */
  uint32_t clip_count;                         /* of clips */
  const supple_material *materials;            /* [material_count] */
  uint32_t material_count;                     /* of materials */
  const char *const *extensions_used;          /* [extension_count] names, as the file lists them */
  uint32_t extension_count;                    /* of extensions_used */
  const char *generator, *version, *copyright; /* of asset, "" where absent */
  const supple_note *notes;                    /* [note_count] */
  uint32_t note_count;                         /* of notes */
  size_t memory_bytes;                         /* the arena's size */
} supple_asset;

/* Loads a .gltf or .glb (told apart by content) with one free. options may be NULL. NULL on failure. */
SUPPLE_API supple_asset *supple_asset_load(const char *path, const supple_load_options *options,
                                           supple_error *error);
/* The same from memory, which is borrowed only during the call. */
SUPPLE_API supple_asset *supple_asset_load_memory(const void *data, size_t size,
                                                  const supple_load_options *options,
                                                  supple_error *error);
/* Frees everything that its pointers lead to. NULL is fine. */
SUPPLE_API void supple_asset_free(supple_asset *asset);

#ifdef __cplusplus
}
#endif
#endif
