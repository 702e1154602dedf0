/* gpu_cases.h: what the shaders are run on, and where supple_deform puts the same vertices. */
#ifndef GPU_CASES_H
#define GPU_CASES_H

#include <supple/supple.h>

#include <stdbool.h>

enum { GPU_STREAM = 10 }; /* floats a vertex: position 3, normal 3, tangent 4 */

/* Everything that a shader reads, and what has to come out. */
typedef struct gpu_case {
  char name[200];
  supple_shader_options options; /* language, stage and memory are up to who runs it */
  uint32_t vertex_count, joint_count, morph_count;
  uint32_t streams;    /* 1: positions, 2: normals too, 3: tangents too */
  uint32_t influences; /* 4, 8, or 0 for any number */
  float scale;
  float *rest;     /* [vertex_count][GPU_STREAM], what is absent 0 */
  float *expected; /* the same, by supple_deform */
  float *reach; /* [vertex_count] how much larger than usual an error may be: 1, or 1 / |r| where that is less */
  uint8_t *doubts; /* [vertex_count] of GPU_DOUBT_ */
  float *palette;
  uint32_t *joints; /* [vertex_count][influences], unless any number */
  float *weights;
  uint32_t *pairs;
  size_t pairs_size;
  uint32_t (*ranges)[2];
  float *targets; /* [morph_count][vertex_count][streams][4] */
  size_t targets_size;
  float *morph_weights;
  uint32_t fallbacks; /* vertices for which LBS stepped in */
  float size;         /* the larger of the bounds' diagonal and the largest coordinate */
} gpu_case;

/* Where rounding alone decides: the normal's sign (the map is singular), or a direction. */
enum { GPU_DOUBT_SIGN = 1, GPU_DOUBT_NORMAL = 2, GPU_DOUBT_TANGENT = 4 };

/* Floats of a vertex in use: 3, 6 or 10. */
uint32_t gpu_case_width(const gpu_case *one);

/* The worst of many comparisons. */
typedef struct gpu_worst {
  double position; /* over the size of its case */
  double normal, tangent;
  uint64_t vertices, doubts, fallbacks;
  uint32_t cases;
} gpu_worst;

/* Whether posed[vertex_count][GPU_STREAM] is what was expected; where not, it is printed. */
bool gpu_case_check(const gpu_case *one, const float *posed, gpu_worst *worst);

/* Called for each case. False stops. */
typedef bool gpu_visit(void *user, const gpu_case *one);

/* Where things are: a folder of real assets (may be missing), the command (may be ""), a folder to write to. */
typedef struct gpu_places {
  const char *corpus, *command, *scratch;
} gpu_places;

/* Every case: joints by hand (turns of exactly 180 degrees, antipodal, singular, mirrored, scaled ones, all influence
 * counts), fixtures and real assets at several times. `every` above 1 takes one of so many, from `first` on.
 * False where a visit stopped. */
bool gpu_cases_visit(const gpu_places *places, uint32_t every, uint32_t first, gpu_visit *visit,
                     void *user);

/* The text of a shader of this language and stage for a case; free() it. NULL, with a message, where there is none. */
char *gpu_case_source(const gpu_case *one, supple_shader_language language,
                      supple_shader_stage stage, supple_shader_memory memory, size_t *size);

#endif
