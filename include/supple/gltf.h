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

/* Decoders of compressed meshes (libsupple-codecs has them all: supple_codecs_all). A NULL function: files that
 * need it are refused with a message. Both are called by the thread that loads, and write only where they are
 * told. Data may be hostile. */
typedef struct supple_codecs {
  /* EXT_/KHR_meshopt_compression, one buffer view: `count` elements of `stride` bytes into out[count × stride];
   * mode "ATTRIBUTES", "TRIANGLES" or "INDICES", filter "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL" or
   * "COLOR". Not SUPPLE_OK: the data is damaged, or the mode or filter is not known. */
  supple_result (*meshopt)(void *user, const void *data, size_t size, const char *mode,
                           const char *filter, size_t count, size_t stride, void *out);
  /* KHR_draco_mesh_compression, one primitive: opens data and says how many points and indices (three a
   * triangle) it has; *mesh is handed to the other two. On entry the two numbers are the most that there may be:
   * SUPPLE_ERROR_LIMIT where the data says more. */
  supple_result (*draco_open)(void *user, const void *data, size_t size, void **mesh,
                              uint32_t *point_count, uint32_t *index_count);
  /* The indices into out[index_count] (attribute SUPPLE_NONE), or the attribute with this unique id:
   * out[point_count × components] of component type 5120 … 5126 as glTF numbers them. */
  supple_result (*draco_read)(void *user, void *mesh, uint32_t attribute, uint32_t component_type,
                              uint32_t components, void *out);
  /* Ends it. A supple_document keeps the one that it opened last, and ends it with itself at the latest: the data
   * may be gone by then. */
  void (*draco_close)(void *user, void *mesh);
  void *user; /* handed to all */
} supple_codecs;

/* How to load; zero means the default. */
typedef struct supple_load_options {
  supple_limits limits;       /* zeroed: the defaults */
  supple_allocator allocator; /* for the asset and what loading needs; zeroed: malloc */
  supple_reader reader; /* external files; without it: files beside the asset (loading from a path),
                                 none (loading from memory) */
  const supple_codecs *codecs; /* NULL: none. Borrowed */
  bool allow_outside_uris;     /* absolute paths and "..": refused unless set */
  bool structure_only; /* leave vertex streams and keys undecoded (NULL): nodes, skins, counts and
                                 names only, for tools that ask what is in a file */
  bool image_files; /* read images that are files of their own, too; one that cannot be read is noted */
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

/* An image, as stored: nothing is decoded. */
typedef struct supple_image {
  const char *name; /* "" where it has none */
  const char *mime_type; /* as the file says, else by its first bytes: "image/png", "image/jpeg", …, or "" */
  const char *path; /* of a file of its own, percent-decoded, relative to the asset; "" where it is inside.
                            Opened only where options.image_files is set */
  const void *data; /* the bytes where it is inside or was read, else NULL (and under structure_only) */
  size_t size;      /* of data */
} supple_image;

/* How a material uses an image. */
typedef struct supple_texture {
  uint32_t image;    /* SUPPLE_NONE: there is no texture */
  uint32_t texcoord; /* which TEXCOORD_n (0 is the one that primitives hold) */
  uint32_t wrap_s,
      wrap_t;   /* 10497 repeat (unless told), 33071 clamp to edge, 33648 mirrored repeat */
  bool nearest; /* magFilter is NEAREST */
  float offset[2], rotation, scale[2]; /* KHR_texture_transform; 0, 0, 0, 1, 1 unless told */
} supple_texture;

/* What becomes of alpha. */
typedef enum supple_alpha_mode {
  SUPPLE_ALPHA_OPAQUE, /* nothing */
  SUPPLE_ALPHA_MASK,   /* what is below alpha_cutoff is left out */
  SUPPLE_ALPHA_BLEND   /* it is blended */
} supple_alpha_mode;

/* What Supple reads of a material. */
typedef struct supple_material {
  const char *name;    /* "" where it has none */
  float base_color[4]; /* pbrMetallicRoughness.baseColorFactor; 1, 1, 1, 1 unless told */
  supple_texture base_color_texture; /* pbrMetallicRoughness.baseColorTexture */
  float metallic, roughness;         /* pbrMetallicRoughness; 1, 1 unless told */
  float emissive[3];                 /* emissiveFactor; 0 unless told */
  supple_alpha_mode alpha_mode;      /* alphaMode */
  float alpha_cutoff;                /* 0.5 unless told */
  bool double_sided;                 /* doubleSided */
  bool unlit;                        /* KHR_materials_unlit */
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
  const supple_image *images;                  /* [image_count] */
  uint32_t image_count;                        /* of images */
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
