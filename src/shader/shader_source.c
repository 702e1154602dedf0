/* shader_source.c: shader text for what is asked: the lines of a language, by their conditions. */
#include "../base/prologue.h"

#include "../../include/supple/shader.h"
#include "../base/error.h"

#include <string.h>

#include "shader_glsl.inl"
#include "shader_hlsl.inl"
#include "shader_msl.inl"
#include "shader_wgsl.inl"

typedef struct spirv_module {
  const uint32_t *words;
  uint32_t count;
} spirv_module;

#include "shader_spirv.inl"

/* ---- what there is ---- */

const char *supple_shader_language_text(supple_shader_language language) {
  switch (language) {
  case SUPPLE_SHADER_GLSL_330: return "glsl-330";
  case SUPPLE_SHADER_GLSL_430: return "glsl-430";
  case SUPPLE_SHADER_GLSL_450: return "glsl-450";
  case SUPPLE_SHADER_GLSL_ES_300: return "glsl-es-300";
  case SUPPLE_SHADER_HLSL: return "hlsl";
  case SUPPLE_SHADER_MSL: return "msl";
  case SUPPLE_SHADER_WGSL: return "wgsl";
  case SUPPLE_SHADER_SPIRV: return "spirv";
  }
  return NULL;
}

supple_palette_layout supple_shader_layout(const supple_shader_options *options) {
  if (options->method == SUPPLE_LBS) return SUPPLE_PALETTE_ROWS;
  return options->scale == SUPPLE_SCALE_NONE ? SUPPLE_PALETTE_DUAL : SUPPLE_PALETTE_AFFINE;
}

static bool is_small(supple_shader_language language) {
  return language == SUPPLE_SHADER_GLSL_330 || language == SUPPLE_SHADER_GLSL_ES_300;
}

static supple_shader_memory memory_of(const supple_shader_options *o) {
  if (o->memory != SUPPLE_SHADER_BEST) return o->memory;
  return is_small(o->language) ? SUPPLE_SHADER_TEXTURE : SUPPLE_SHADER_STORAGE;
}

static bool in_range(const supple_shader_options *o) {
  return (unsigned)o->language <= SUPPLE_SHADER_SPIRV &&
         (unsigned)o->stage <= SUPPLE_SHADER_COMPUTE && (unsigned)o->method <= SUPPLE_DQS &&
         (unsigned)o->scale <= SUPPLE_SCALE_NONE && (unsigned)o->signs <= SUPPLE_SIGNS_PER_POSE &&
         (unsigned)o->influences <= SUPPLE_SHADER_ANY &&
         (unsigned)o->memory <= SUPPLE_SHADER_TEXTURE &&
         (unsigned)o->normals <= SUPPLE_NORMALS_LINEAR;
}

/* Why a SPIR-V module cannot be had, or NULL. */
static const char *spirv_reason(const supple_shader_options *o) {
  if (o->functions_only)
    return "SPIR-V is a whole module, not functions to paste; ask for glsl-450";
  if (o->method == SUPPLE_DQS && o->signs == SUPPLE_SIGNS_PER_POSE)
    return "the SPIR-V modules find signs by vertex; compile glsl-450 for signs by pose";
  if (memory_of(o) != SUPPLE_SHADER_STORAGE)
    return "the SPIR-V modules read the palette from a storage buffer; compile glsl-450 for a "
           "uniform block";
  if (o->positions_only && o->stage == SUPPLE_SHADER_VERTEX)
    return "the SPIR-V modules of the vertex stage have normals; compile glsl-450 for positions "
           "alone";
  return NULL;
}

/* Why there is no such shader, or NULL. */
static const char *reason(const supple_shader_options *o) {
  supple_shader_memory memory = memory_of(o);
  if (o->stage == SUPPLE_SHADER_COMPUTE && is_small(o->language))
    return "GLSL 3.30 and GLSL ES 3.00 have no compute stage; use glsl-430, or the vertex stage "
           "with transform "
           "feedback";
  if (o->method == SUPPLE_DQS && o->scale == SUPPLE_SCALE_FIRST)
    return "there is no shader for the scale mode 'first'; use 'affine'";
  if (o->tangents && o->positions_only)
    return "tangents are made orthogonal to normals; ask for normals too";
  if (memory == SUPPLE_SHADER_STORAGE && is_small(o->language))
    return "GLSL 3.30 and GLSL ES 3.00 have no storage buffers; use a texture or a uniform block";
  if (memory == SUPPLE_SHADER_TEXTURE && !is_small(o->language) &&
      o->language != SUPPLE_SHADER_GLSL_430)
    return "only GLSL 3.30, 4.30 and ES 3.00 read the palette from a texture; use a storage buffer";
  return o->language == SUPPLE_SHADER_SPIRV ? spirv_reason(o) : NULL;
}

/* ---- conditions ---- */

enum { MOST_FLAGS = 16 };

/* The names that hold for a shader, as the lines' conditions have them. */
typedef struct flag_set {
  const char *names[MOST_FLAGS];
  int count;
} flag_set;

static void raise_flag(flag_set *flags, bool holds, const char *name) {
  if (holds) flags->names[flags->count++] = name;
}

static flag_set flags_of(const supple_shader_options *o) {
  static const char *const languages[] = {"glsl_330", "glsl_430", "glsl_450", "glsl_es",
                                          "hlsl",     "msl",      "wgsl",     "spirv"};
  static const char *const influences[] = {"four", "eight", "any"};
  static const char *const memories[] = {"", "storage", "uniform", "texture"};
  supple_palette_layout layout = supple_shader_layout(o);
  flag_set flags = {.count = 0};
  raise_flag(&flags, true, languages[o->language]);
  raise_flag(&flags, true, o->stage == SUPPLE_SHADER_VERTEX ? "vertex" : "compute");
  raise_flag(&flags, true, influences[o->influences]);
  raise_flag(&flags, true, memories[memory_of(o)]);
  raise_flag(&flags, layout == SUPPLE_PALETTE_ROWS, "lbs");
  raise_flag(&flags, layout == SUPPLE_PALETTE_AFFINE, "affine");
  raise_flag(&flags, layout == SUPPLE_PALETTE_DUAL, "rigid");
  raise_flag(&flags, o->method == SUPPLE_DQS && o->signs == SUPPLE_SIGNS_PER_POSE, "pose");
  raise_flag(&flags, !o->positions_only, "normals");
  raise_flag(&flags, !o->positions_only && o->normals == SUPPLE_NORMALS_COFACTOR, "cofactor");
  raise_flag(&flags, !o->positions_only && o->normals == SUPPLE_NORMALS_LINEAR, "linear");
  raise_flag(&flags, o->tangents, "tangents");
  raise_flag(&flags, o->morph, "morph");
  raise_flag(&flags, !o->functions_only, "main");
  return flags;
}

static bool has_flag(const flag_set *flags, const char *name, size_t length) {
  for (int i = 0; i < flags->count; i++)
    if (strncmp(flags->names[i], name, length) == 0 && flags->names[i][length] == 0) return true;
  return false;
}

/* Words are and-ed, groups of them between bars or-ed, "!" negates. */
static bool holds(const char *condition, const flag_set *flags) {
  bool group = true;
  for (const char *at = condition;;) {
    at += strspn(at, " ");
    if (*at == 0 || *at == '|') {
      if (group || *at == 0) return group;
      group = true;
      at++;
      continue;
    }
    bool wanted = *at != '!';
    at += !wanted;
    size_t length = strcspn(at, " |");
    group &= has_flag(flags, at, length) == wanted;
    at += length;
  }
}

/* ---- writing ---- */

typedef struct writer {
  char *text; /* NULL: only counted */
  size_t size;
} writer;

static void put(writer *to, const char *data, size_t size) {
  if (to->text && size) memcpy(to->text + to->size, data, size);
  to->size += size;
}

/* The lines whose conditions hold. `skipped` counts the open conditions from the outermost on that does not. */
static void put_lines(writer *to, const char *const *lines, const flag_set *flags) {
  int skipped = 0;
  for (; *lines; lines++) {
    const char *line = *lines;
    if (strncmp(line, "@if ", 4) == 0) {
      skipped += skipped > 0 || !holds(line + 4, flags);
    } else if (strcmp(line, "@else") == 0) {
      if (skipped <= 1) skipped = !skipped;
    } else if (strcmp(line, "@end") == 0) {
      skipped -= skipped > 0;
    } else if (!skipped) {
      line += line[0] == '@'; /* "@@" begins a line with "@" */
      put(to, line, strlen(line));
      put(to, "\n", 1);
    }
  }
}

/* The modules of a method: compute for positions alone, compute, then vertex by influences and tangents. */
static void put_module(writer *to, const supple_shader_options *o) {
  enum { OF_A_METHOD = 8 };
  int method = o->method == SUPPLE_LBS ? 0 : o->scale == SUPPLE_SCALE_AFFINE ? 1 : 2;
  int which = o->stage == SUPPLE_SHADER_COMPUTE ? !o->positions_only
                                                : 2 + 2 * (int)o->influences + o->tangents;
  const spirv_module *module = &spirv_modules[method * OF_A_METHOD + which];
  put(to, (const char *)module->words, module->count * sizeof *module->words);
}

static void put_shader(writer *to, const supple_shader_options *o) {
  flag_set flags = flags_of(o);
  switch (o->language) {
  case SUPPLE_SHADER_GLSL_330:
  case SUPPLE_SHADER_GLSL_430:
  case SUPPLE_SHADER_GLSL_450:
  case SUPPLE_SHADER_GLSL_ES_300: put_lines(to, glsl_lines, &flags); break;
  case SUPPLE_SHADER_HLSL: put_lines(to, hlsl_lines, &flags); break;
  case SUPPLE_SHADER_MSL: put_lines(to, msl_lines, &flags); break;
  case SUPPLE_SHADER_WGSL: put_lines(to, wgsl_lines, &flags); break;
  case SUPPLE_SHADER_SPIRV: put_module(to, o); break;
  }
}

supple_result supple_shader_source(const supple_shader_options *options, char *text,
                                   size_t capacity, size_t *size, supple_error *error) {
  if (!options || !in_range(options))
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "an option of the shader is none of its kind");
  const char *why = reason(options);
  if (why) return supplei_fail(error, SUPPLE_ERROR_UNSUPPORTED, NULL, SIZE_MAX, "%s", why);
  writer to = {NULL, 0};
  put_shader(&to, options);
  if (size) *size = to.size;
  if (!text) return SUPPLE_OK;
  if (capacity < to.size)
    return supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                        "the shader has %zu bytes, and there is room for %zu", to.size, capacity);
  if (capacity > to.size) text[to.size] = 0;
  to = (writer){text, 0};
  put_shader(&to, options);
  return SUPPLE_OK;
}
