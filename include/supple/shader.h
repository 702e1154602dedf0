/* shader.h: the same deformation on the GPU: shader text in every shading language, and the bytes it reads.
 *
 *   supple_shader_source                              once: a vertex or compute shader
 *   supple_shader_attributes_pack, supple_shader_pairs_pack   once a mesh: influences
 *   supple_prepared_update, supple_shader_palette_pack        once a frame: the palette
 *
 * Every text is generated from one source (shaders/deform.shade) and says at its top which bindings it has and
 * how it is used. Its results agree with supple_deform within 2e-6 of the larger of the bounds' diagonal and the
 * largest coordinate, normals within 1e-4: with rigid_tolerance < 0, where the affine shader is used (which has
 * no shorter way for rigid joints), else within that tolerance.
 *
 * A palette is an array of vec4, three, two or four a joint, so that std140, std430 and the texels of an RGBA32F
 * texture are the same bytes; a texture's last row is filled up with zeros. */
#ifndef SUPPLE_SHADER_H
#define SUPPLE_SHADER_H

#include "base.h"
#include "deform.h"
#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the text is written in. */
typedef enum supple_shader_language {
  SUPPLE_SHADER_GLSL_330,    /* OpenGL 3.3: vertex */
  SUPPLE_SHADER_GLSL_430,    /* OpenGL 4.3 */
  SUPPLE_SHADER_GLSL_450,    /* GLSL for Vulkan */
  SUPPLE_SHADER_GLSL_ES_300, /* OpenGL ES 3.0, WebGL 2: vertex */
  SUPPLE_SHADER_HLSL,        /* shader models 5 and 6 */
  SUPPLE_SHADER_MSL,         /* Metal 2 and later */
  SUPPLE_SHADER_WGSL,        /* WebGPU */
  SUPPLE_SHADER_SPIRV        /* 1.0, for Vulkan 1.0: no text but words */
} supple_shader_language;

/* Where it runs. */
typedef enum supple_shader_stage {
  SUPPLE_SHADER_VERTEX, /* deforms what is drawn (or captured by transform feedback) */
  SUPPLE_SHADER_COMPUTE /* deforms a buffer into another; not in GLSL 3.30 and ES 3.00 */
} supple_shader_stage;

/* How many influences a vertex has. */
typedef enum supple_shader_influences {
  SUPPLE_SHADER_FOUR,  /* 4 */
  SUPPLE_SHADER_EIGHT, /* 8 */
  SUPPLE_SHADER_ANY    /* each its own number: a range of one array */
} supple_shader_influences;

/* Where the palette lies. */
typedef enum supple_shader_memory {
  SUPPLE_SHADER_BEST,    /* texture in GLSL 3.30 and ES 3.00, else storage */
  SUPPLE_SHADER_STORAGE, /* a storage buffer; not in GLSL 3.30 and ES 3.00 */
  SUPPLE_SHADER_UNIFORM, /* a uniform block of 1024 vec4 (16 KiB): 341 joints by rows, 512 dual, 256 affine */
  SUPPLE_SHADER_TEXTURE /* GLSL 3.30, 4.30 and ES 3.00 alone */
} supple_shader_memory;

/* Which shader. Zero means the default. */
typedef struct supple_shader_options {
  supple_shader_language language; /* 0: GLSL 3.30 */
  supple_shader_stage stage;       /* 0: vertex */
  supple_method method;            /* 0: LBS */
  supple_scale scale; /* of DQS. Affine: any matrix, SUPPLE_PALETTE_AFFINE; none: rigid joints, up to
                                          a scale common to all, SUPPLE_PALETTE_DUAL; first: there is no shader */
  supple_signs signs;                  /* of DQS; has to be that of the prepared palette */
  supple_shader_influences influences; /* 0: four */
  supple_shader_memory memory;         /* of the palette */
  supple_normals normals;              /* 0: cofactor */
  bool positions_only;                 /* no normals: `normals` is not looked at */
  bool tangents;                       /* too; needs normals */
  bool morph;                          /* morph targets before skinning */
  bool functions_only; /* no entry point, attributes or #version: to be pasted into a shader of your own, which
                          calls supple_deform (not in SPIR-V) */
} supple_shader_options;

/* Writes the shader into text[capacity], NUL-terminated where there is room for that, and its size without NUL
 * into *size (which may be NULL). SPIR-V: words in the byte order of this machine. text NULL: the size alone.
 * SUPPLE_ERROR_LIMIT where capacity is less than size: nothing is written. SUPPLE_ERROR_UNSUPPORTED, with the
 * reason in *error (which may be NULL), where the language has not what is asked for.
 *
 * SPIR-V modules have some of their switches as constants to specialise (id 0: normals, 0 cofactor, 1 unit,
 * 2 linear; in compute, 1: whether there are tangents, 2: the number of influences, 0: ranges), so that of compute
 * there are two a method: for positions alone, and for all streams. Morph targets are always there, of one stream
 * for positions alone, of three in compute and where there are tangents, else of two; morph_count 0 passes them
 * over. */
SUPPLE_API supple_result supple_shader_source(const supple_shader_options *options, char *text,
                                              size_t capacity, size_t *size, supple_error *error);
/* "glsl-330", "glsl-430", "glsl-450", "glsl-es-300", "hlsl", "msl", "wgsl", "spirv"; NULL past the last. */
SUPPLE_API const char *supple_shader_language_text(supple_shader_language language);

/* ---- what the shaders read ---- */

/* The uniform block (push constants) of vertex shaders in GLSL 4.50, SPIR-V, HLSL, MSL and WGSL: 80 bytes. */
typedef struct supple_shader_vertex_parameters {
  float clip_from_scene[16]; /* column-major */
  float scale;               /* supple_shader_scale */
  uint32_t first_joint;      /* where this palette begins, in joints */
  uint32_t vertex_count;     /* of the mesh: what parts one morph target from the next */
  uint32_t morph_count;      /* targets */
} supple_shader_vertex_parameters;

/* The same of compute shaders: 32 bytes. */
typedef struct supple_shader_compute_parameters {
  uint32_t vertex_count; /* to deform */
  uint32_t rest_stride; /* floats from one vertex at rest to the next: at least 3, 6 with normals, 10 with
                             tangents */
  uint32_t posed_stride; /* the same of deformed ones */
  uint32_t morph_count;  /* targets */
  float scale;           /* supple_shader_scale */
  uint32_t first_joint;  /* where this palette begins, in joints */
  uint32_t row;          /* 64 times the groups dispatched in x */
  uint32_t unused;       /* 0 */
} supple_shader_compute_parameters;

/* What a palette holds for each joint. */
typedef enum supple_palette_layout {
  SUPPLE_PALETTE_ROWS, /* 12 floats, 48 bytes: three rows of the matrix; LBS */
  SUPPLE_PALETTE_DUAL, /* 8 floats, 32 bytes: dual quaternion {real, dual}, each (x, y, z, w); DQS, rigid */
  SUPPLE_PALETTE_AFFINE /* 16 floats, 64 bytes: three rows, and the rotation (x, y, z, w); DQS */
} supple_palette_layout;

/* The layout that a shader reads. */
SUPPLE_API supple_palette_layout supple_shader_layout(const supple_shader_options *options);
/* 48, 32 or 64. */
SUPPLE_API size_t supple_shader_joint_size(supple_palette_layout layout);
/* Bytes of a palette: of whole rows of `texture_width` texels (16 bytes), 0: of a buffer. 0 where that is too much
 * for size_t. */
SUPPLE_API size_t supple_shader_palette_size(supple_palette_layout layout, uint32_t joint_count,
                                             uint32_t texture_width);
/* All joints of the palette that `prepared` was updated with, into out[size / 4]; what is beyond them is set to
 * zero. The quaternions and their signs are those that supple_deform blends. Rows can be had of any, for LBS; the two
 * others of one updated for DQS: SUPPLE_PALETTE_AFFINE where its scale mode is affine, SUPPLE_PALETTE_DUAL where it
 * is none, or affine and every joint rigid up to the common scale (supple_prepared_found says so). Else, or where
 * size is less than needed or prepared was not updated: SUPPLE_ERROR_ARGUMENT. *error may be NULL. */
SUPPLE_API supple_result supple_shader_palette_pack(const supple_prepared *prepared,
                                                    supple_palette_layout layout, float *out,
                                                    size_t size, supple_error *error);
/* The number of joints that it packs; 0 where prepared was not updated. */
SUPPLE_API uint32_t supple_shader_joint_count(const supple_prepared *prepared);
/* The parameter `scale` that goes with SUPPLE_PALETTE_DUAL; the other layouts do not use it. */
SUPPLE_API float supple_shader_scale(const supple_prepared *prepared);

/* How the numbers of a vertex attribute are stored. */
typedef enum supple_shader_number {
  SUPPLE_SHADER_NUMBER_FULL, /* joints: u32; weights: float */
  SUPPLE_SHADER_NUMBER_U16,  /* joints: u16; weights: normalised u16, 65535 is 1 */
  SUPPLE_SHADER_NUMBER_U8    /* joints: u8, below 256; weights: normalised u8, 255 is 1 */
} supple_shader_number;

/* Where influences of the vertex stage go: element i of each is vertex i of the binding. Unused influences have
 * joint and weight 0; joints ascend. */
typedef struct supple_shader_attributes {
  uint32_t influences;               /* a vertex: 4 or 8 */
  supple_shader_number joint_number; /* 0: u32 */
  supple_shader_number
      weight_number;    /* 0: float. Rounded weights keep their sum: the largest takes the rest */
  void *joints;         /* [vertex_count][influences] */
  void *weights;        /* [vertex_count][influences] */
  size_t joint_stride;  /* bytes from vertex to vertex; 0: packed */
  size_t weight_stride; /* the same */
} supple_shader_attributes;
/* Weights are the binding's, times the kept sum (supple_binding_sum). SUPPLE_ERROR_LIMIT where a vertex has more
 * influences (create the binding with max_influences), a joint does not fit its type, or a kept sum is above 1 in
 * normalised weights; SUPPLE_ERROR_ARGUMENT where a stride is too small or `influences` neither 4 nor 8. */
SUPPLE_API supple_result supple_shader_attributes_pack(const supple_binding *binding,
                                                       const supple_shader_attributes *attributes,
                                                       supple_error *error);

/* Influences of compute shaders, and of vertex shaders with SUPPLE_SHADER_ANY: {uint32_t joint; float weight} each.
 * Bytes for all vertices, with 4 or 8 influences a vertex (0: as many as each has), in rows of `texture_width`
 * texels of RG32UI (0: a buffer). 0 where that is too much. */
SUPPLE_API size_t supple_shader_pairs_size(const supple_binding *binding, uint32_t influences,
                                           uint32_t texture_width);
/* Writes them into pairs[size], what is beyond them zero, and with influences 0 each vertex's {first influence,
 * count} into ranges[vertex_count][2] (else NULL). Fails as supple_shader_attributes_pack does. */
SUPPLE_API supple_result supple_shader_pairs_pack(const supple_binding *binding,
                                                  uint32_t influences, void *pairs, size_t size,
                                                  uint32_t (*ranges)[2], supple_error *error);

/* Morph targets: vec4 (the offset, 0) [target][vertex][position, normal, tangent]: 1, 2 or 3 of the last, as many as
 * the shader deforms. Bytes in whole rows of `texture_width` texels (0: a buffer); 0 where that is too much. */
SUPPLE_API size_t supple_shader_targets_size(const supple_primitive *primitive, uint32_t streams,
                                             uint32_t texture_width);
/* Writes them into out[size / 4], what a target has not and what is beyond as zeros; vertices in the order of
 * `order` (supple_binding_order; NULL: the primitive's). SUPPLE_ERROR_ARGUMENT where size is less than needed or
 * streams not 1 to 3. */
SUPPLE_API supple_result supple_shader_targets_pack(const supple_primitive *primitive,
                                                    uint32_t streams, const uint32_t *order,
                                                    float *out, size_t size);

/* Vertices at rest for compute shaders: `stride` floats each: position, then with streams 2 the normal, with
 * streams 3 the tangent too (4 floats); a stream that the primitive has not is zero. Writes
 * vertex_count × stride floats; the rest of each vertex stays as it is. SUPPLE_ERROR_ARGUMENT where stride is too
 * small for them, or streams not 1 to 3. */
SUPPLE_API supple_result supple_shader_rest_pack(const supple_primitive *primitive, uint32_t streams,
                                                 const uint32_t *order, float *out, uint32_t stride);

#ifdef __cplusplus
}
#endif
#endif
