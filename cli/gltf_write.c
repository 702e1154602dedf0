/* gltf_write.c: glTF 2.0 files from the library's own structs.
 *
 * The JSON text is written into memory in one pass; whoever mentions an accessor adds it to a
 * list on the way. After that every accessor's place in the buffer is known, and the bytes
 * follow in that order. */
#include "gltf_write.h"

#include "gltf_looks.h"
#include "print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum component {
  COMPONENT_U8 = 5121,
  COMPONENT_U16 = 5123,
  COMPONENT_U32 = 5125,
  COMPONENT_F32 = 5126
};
enum target { TARGET_NONE = 0, TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };
enum source {
  SOURCE_FLOATS,
  SOURCE_WEIGHTS,
  SOURCE_JOINTS,
  SOURCE_INDICES,
  SOURCE_MATRICES,
  SOURCE_BYTES
};

/* One accessor, which has a buffer view of its own; of an image there is the view alone. Images come last. */
typedef struct accessor {
  enum source source;
  const void *data;
  uint32_t count;         /* elements */
  uint32_t width;         /* numbers an element */
  uint32_t first, stride; /* influences: the set's first, and how many a vertex has */
  enum component component;
  enum target target;
  bool bounded;          /* min and max are written */
  uint64_t offset, size; /* in the buffer, padded to four bytes after it */
} accessor;

typedef struct writer {
  const cli_gltf *gltf;
  cli_json json;
  accessor *accessors;
  size_t accessor_count, accessor_capacity;
  uint64_t buffer_size;
  supple_result result; /* the first failure */
  supple_error *error;
} writer;

supple_result cli_gltf_fail(supple_error *error, supple_result result, const char *pointer,
                            const char *format, ...) {
  if (!error) return result;
  memset(error, 0, sizeof *error);
  error->result = result;
  error->offset = SIZE_MAX;
  snprintf(error->pointer, sizeof error->pointer, "%s", pointer);
  int length =
      snprintf(error->message, sizeof error->message, "%s%s", pointer, *pointer ? ": " : "");
  va_list arguments;
  va_start(arguments, format);
  if (length >= 0 && (size_t)length < sizeof error->message) {
    vsnprintf(error->message + length, sizeof error->message - (size_t)length, format, arguments);
  }
  va_end(arguments);
  return result;
}

/* ---- checking ---- */

static supple_result check_index(supple_error *error, const char *pointer, uint32_t index,
                                 uint32_t count, bool optional) {
  if (index < count || (optional && index == SUPPLE_NONE)) return SUPPLE_OK;
  return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "%u is not one of %u", index, count);
}

static supple_result check_node(const cli_gltf *gltf, uint32_t index, supple_error *error) {
  const supple_node *node = &gltf->nodes[index];
  char pointer[64];
  snprintf(pointer, sizeof pointer, "/nodes/%u", index);
  supple_result result = check_index(error, pointer, node->parent, gltf->node_count, true);
  if (!result) result = check_index(error, pointer, node->mesh, gltf->mesh_count, true);
  if (!result) result = check_index(error, pointer, node->skin, gltf->skin_count, true);
  if (result) return result;
  if (node->weight_count > gltf->weight_count ||
      node->weight_begin > gltf->weight_count - node->weight_count) {
    return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "its morph weights are not there");
  }
  const supple_transform *t = &node->rest;
  double numbers[10] = {t->translation.x, t->translation.y, t->translation.z, t->rotation.x,
                        t->rotation.y,    t->rotation.z,    t->rotation.w,    t->scale.x,
                        t->scale.y,       t->scale.z};
  bool finite = !node->has_matrix || supple_affine64_is_finite(&node->matrix);
  for (size_t k = 0; k < 10 && !node->has_matrix; k++) finite = finite && isfinite(numbers[k]);
  if (!finite)
    return cli_gltf_fail(error, SUPPLE_ERROR_NUMBER, pointer, "its transform is not finite");
  return SUPPLE_OK;
}

static supple_result check_primitive(const cli_gltf *gltf, const supple_primitive *primitive,
                                     const char *pointer, supple_error *error) {
  if (primitive->vertex_count == 0 || !primitive->positions) {
    return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "it has no vertex");
  }
  if (primitive->influence_count && (!primitive->joints || !primitive->weights)) {
    return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "its influences are not there");
  }
  for (uint32_t i = 0; i < primitive->index_count; i++) {
    if (primitive->indices[i] < primitive->vertex_count) continue;
    return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "index %u names vertex %u of %u", i,
                         primitive->indices[i], primitive->vertex_count);
  }
  return check_index(error, pointer, primitive->material, gltf->material_count, true);
}

static supple_result check_mesh(const cli_gltf *gltf, uint32_t index, supple_error *error) {
  const supple_mesh *mesh = &gltf->meshes[index];
  char pointer[64];
  snprintf(pointer, sizeof pointer, "/meshes/%u", index);
  if (mesh->primitive_count == 0)
    return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "it has no primitive");
  for (uint32_t i = 0; i < mesh->primitive_count; i++) {
    snprintf(pointer, sizeof pointer, "/meshes/%u/primitives/%u", index, i);
    supple_result result = check_primitive(gltf, &mesh->primitives[i], pointer, error);
    if (result) return result;
    if (mesh->primitives[i].target_count != mesh->primitives[0].target_count) {
      return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer,
                           "its morph targets differ in number from the first's");
    }
  }
  return SUPPLE_OK;
}

static supple_result check_clip(const cli_gltf *gltf, uint32_t index, supple_error *error) {
  const supple_clip *clip = &gltf->clips[index];
  for (uint32_t i = 0; i < clip->channel_count; i++) {
    const supple_channel *channel = &clip->channels[i];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/animations/%u/channels/%u", index, i);
    supple_result result = check_index(error, pointer, channel->node, gltf->node_count, false);
    if (result) return result;
    if (channel->key_count == 0 || channel->width == 0) {
      return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "it has no key");
    }
  }
  return SUPPLE_OK;
}

static supple_result check(const cli_gltf *gltf, supple_error *error) {
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < gltf->node_count && !result; i++) result = check_node(gltf, i, error);
  for (uint32_t i = 0; i < gltf->mesh_count && !result; i++) result = check_mesh(gltf, i, error);
  for (uint32_t i = 0; i < gltf->skin_count && !result; i++) {
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/skins/%u", i);
    const supple_skin *skin = &gltf->skins[i];
    if (skin->joint_count == 0)
      result = cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "it has no joint");
    for (uint32_t k = 0; k < skin->joint_count && !result; k++) {
      result = check_index(error, pointer, skin->joints[k], gltf->node_count, false);
    }
    if (!result) result = check_index(error, pointer, skin->skeleton, gltf->node_count, true);
  }
  for (uint32_t i = 0; i < gltf->clip_count && !result; i++) result = check_clip(gltf, i, error);
  return result ? result : cli_gltf_check_looks(gltf, error);
}

/* ---- accessors ---- */

static uint32_t component_size(enum component component) {
  return component == COMPONENT_U8 ? 1 : component == COMPONENT_U16 ? 2 : 4;
}

/* Adds an accessor and returns its index. A float that is not finite makes the writer fail at
 * `pointer`. */
static uint32_t add_accessor(writer *w, const accessor *wanted, const char *pointer) {
  if (w->accessor_count == w->accessor_capacity) {
    size_t capacity = w->accessor_capacity ? 2 * w->accessor_capacity : 64;
    accessor *grown = capacity > SIZE_MAX / sizeof *grown || w->accessor_count >= SUPPLE_NONE
                          ? NULL
                          : realloc(w->accessors, capacity * sizeof *grown);
    if (!grown) {
      if (!w->result) w->result = cli_gltf_fail(w->error, SUPPLE_ERROR_MEMORY, "", "out of memory");
      return 0;
    }
    w->accessors = grown;
    w->accessor_capacity = capacity;
  }
  if (wanted->source == SOURCE_FLOATS || wanted->source == SOURCE_WEIGHTS) {
    const float *numbers = wanted->data;
    uint32_t stride = wanted->source == SOURCE_WEIGHTS ? wanted->stride : wanted->width;
    size_t total = (size_t)wanted->count * stride;
    for (size_t i = 0; i < total && !w->result; i++) {
      if (isfinite(numbers[i])) continue;
      w->result = cli_gltf_fail(w->error, SUPPLE_ERROR_NUMBER, pointer, "element %zu is not finite",
                                i / stride);
    }
  }
  accessor *added = &w->accessors[w->accessor_count];
  *added = *wanted;
  added->offset = w->buffer_size;
  added->size = (uint64_t)wanted->count * wanted->width * component_size(wanted->component);
  w->buffer_size += (added->size + 3) / 4 * 4;
  if (w->buffer_size > UINT32_MAX && !w->result) {
    w->result = cli_gltf_fail(w->error, SUPPLE_ERROR_LIMIT, "/buffers/0",
                              "a glTF file cannot be larger than 4 GiB");
  }
  return (uint32_t)w->accessor_count++;
}

static uint32_t add_stream(writer *w, const float *data, uint32_t count, uint32_t width,
                           bool bounded, const char *pointer) {
  accessor wanted = {.source = SOURCE_FLOATS,
                     .data = data,
                     .count = count,
                     .width = width,
                     .component = COMPONENT_F32,
                     .target = TARGET_VERTICES,
                     .bounded = bounded};
  return add_accessor(w, &wanted, pointer);
}

static float row_value(const supple_affine64 *matrix, uint32_t element) {
  double columns[16];
  supple_affine64_to_columns(matrix, columns);
  return (float)columns[element];
}

static void put_influences(cli_output *output, const accessor *a) {
  for (uint32_t i = 0; i < a->count; i++) {
    for (uint32_t k = a->first; k < a->first + 4; k++) {
      size_t at = (size_t)i * a->stride + k;
      bool there = k < a->stride;
      if (a->source == SOURCE_WEIGHTS) {
        cli_output_f32(output, there ? ((const float *)a->data)[at] : 0.0f);
      } else {
        uint16_t joint = there ? ((const uint16_t *)a->data)[at] : 0;
        uint8_t byte = (uint8_t)joint;
        if (a->component == COMPONENT_U8)
          cli_output_write(output, &byte, 1);
        else
          cli_output_u16(output, joint);
      }
    }
  }
}

static void put_accessor(cli_output *output, const accessor *a) {
  size_t total = (size_t)a->count * a->width;
  if (a->source == SOURCE_WEIGHTS || a->source == SOURCE_JOINTS) put_influences(output, a);
  if (a->source == SOURCE_BYTES) cli_output_write(output, a->data, total);
  for (size_t i = 0; i < total && a->source != SOURCE_BYTES; i++) {
    if (a->source == SOURCE_FLOATS) cli_output_f32(output, ((const float *)a->data)[i]);
    if (a->source == SOURCE_MATRICES) {
      cli_output_f32(output,
                     row_value((const supple_affine64 *)a->data + i / 16, (uint32_t)(i % 16)));
    }
    if (a->source == SOURCE_INDICES && a->component == COMPONENT_U16) {
      cli_output_u16(output, (uint16_t)((const uint32_t *)a->data)[i]);
    } else if (a->source == SOURCE_INDICES) {
      cli_output_u32(output, ((const uint32_t *)a->data)[i]);
    }
  }
  static const uint8_t padding[4] = {0};
  cli_output_write(output, padding, (size_t)((4 - a->size % 4) % 4));
}

/* ---- JSON: nodes ---- */

static void put_name(cli_json *json, const char *name) {
  if (name && *name) cli_json_text(json, "name", name);
}

static void put_transform(cli_json *json, const supple_node *node) {
  const supple_transform *t = &node->rest;
  if (node->has_matrix) {
    double columns[16];
    supple_affine64_to_columns(&node->matrix, columns);
    cli_json_doubles(json, "matrix", columns, 16);
    return;
  }
  double translation[3] = {t->translation.x, t->translation.y, t->translation.z};
  double rotation[4] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w};
  double scale[3] = {t->scale.x, t->scale.y, t->scale.z};
  bool moved = translation[0] != 0 || translation[1] != 0 || translation[2] != 0;
  bool turned = rotation[0] != 0 || rotation[1] != 0 || rotation[2] != 0 || rotation[3] != 1;
  bool scaled = scale[0] != 1 || scale[1] != 1 || scale[2] != 1;
  if (moved) cli_json_doubles(json, "translation", translation, 3);
  if (turned) cli_json_doubles(json, "rotation", rotation, 4);
  if (scaled) cli_json_doubles(json, "scale", scale, 3);
}

/* Children listed by node: those of node i are list[begin[i]] … list[begin[i + 1] - 1],
 * ascending. */
static bool list_children(const cli_gltf *gltf, uint32_t **begin, uint32_t **list) {
  size_t count = gltf->node_count;
  *begin = calloc(count + 2, sizeof **begin);
  *list = calloc(count + 1, sizeof **list);
  if (!*begin || !*list) return false;
  /* begin[i + 2] counts; after the sums begin[i + 1] is where node i's next child goes, and,
   * filled, where the next node's begin. */
  for (size_t i = 0; i < count; i++) {
    if (gltf->nodes[i].parent != SUPPLE_NONE) (*begin)[(size_t)gltf->nodes[i].parent + 2]++;
  }
  for (size_t i = 1; i < count + 2; i++) (*begin)[i] += (*begin)[i - 1];
  for (size_t i = 0; i < count; i++) {
    uint32_t parent = gltf->nodes[i].parent;
    if (parent != SUPPLE_NONE) (*list)[(*begin)[(size_t)parent + 1]++] = (uint32_t)i;
  }
  return true;
}

static void put_node(writer *w, uint32_t index, const uint32_t *children, uint32_t child_count) {
  cli_json *json = &w->json;
  const supple_node *node = &w->gltf->nodes[index];
  cli_json_object(json, NULL);
  put_name(json, node->name);
  put_transform(json, node);
  if (node->mesh != SUPPLE_NONE) cli_json_index(json, "mesh", node->mesh);
  if (node->skin != SUPPLE_NONE) cli_json_index(json, "skin", node->skin);
  bool morphs =
      node->mesh != SUPPLE_NONE && w->gltf->meshes[node->mesh].primitives[0].target_count > 0;
  if (morphs && node->weight_count) {
    cli_json_floats(json, "weights", w->gltf->weights + node->weight_begin, node->weight_count);
  }
  if (child_count) {
    cli_json_array(json, "children");
    for (uint32_t k = 0; k < child_count; k++) cli_json_index(json, NULL, children[k]);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_nodes(writer *w) {
  const cli_gltf *gltf = w->gltf;
  if (gltf->node_count == 0) return;
  cli_json *json = &w->json;
  uint32_t *begin = NULL, *list = NULL;
  if (list_children(gltf, &begin, &list)) {
    cli_json_integer(json, "scene", 0);
    cli_json_array(json, "scenes");
    cli_json_object(json, NULL);
    cli_json_array(json, "nodes");
    for (uint32_t i = 0; i < gltf->node_count; i++) {
      if (gltf->nodes[i].parent == SUPPLE_NONE) cli_json_index(json, NULL, i);
    }
    cli_json_end(json);
    cli_json_end(json);
    cli_json_end(json);
    cli_json_array(json, "nodes");
    for (uint32_t i = 0; i < gltf->node_count; i++)
      put_node(w, i, list + begin[i], begin[i + 1] - begin[i]);
    cli_json_end(json);
  } else if (!w->result) {
    w->result = cli_gltf_fail(w->error, SUPPLE_ERROR_MEMORY, "", "out of memory");
  }
  free(begin);
  free(list);
}

/* ---- JSON: meshes ---- */

static void put_influence_sets(writer *w, const supple_primitive *primitive, const char *pointer) {
  const uint32_t per_vertex = primitive->influence_count;
  bool small = true;
  size_t total = (size_t)primitive->vertex_count * per_vertex;
  for (size_t i = 0; i < total && small; i++) small = primitive->joints[i] <= UINT8_MAX;
  for (uint32_t set = 0; set < (per_vertex + 3) / 4; set++) {
    char key[32];
    accessor wanted = {.source = SOURCE_JOINTS,
                       .data = primitive->joints,
                       .count = primitive->vertex_count,
                       .width = 4,
                       .first = 4 * set,
                       .stride = per_vertex,
                       .component = small ? COMPONENT_U8 : COMPONENT_U16,
                       .target = TARGET_VERTICES};
    snprintf(key, sizeof key, "JOINTS_%u", set);
    cli_json_index(&w->json, key, add_accessor(w, &wanted, pointer));
    wanted.source = SOURCE_WEIGHTS;
    wanted.data = primitive->weights;
    wanted.component = COMPONENT_F32;
    snprintf(key, sizeof key, "WEIGHTS_%u", set);
    cli_json_index(&w->json, key, add_accessor(w, &wanted, pointer));
  }
}

static void put_stream(writer *w, const char *key, const float *data, uint32_t count,
                       uint32_t width, const char *place) {
  if (!data) return;
  char pointer[128];
  snprintf(pointer, sizeof pointer, "%s/%s", place, key);
  bool bounded = strcmp(key, "POSITION") == 0;
  cli_json_index(&w->json, key, add_stream(w, data, count, width, bounded, pointer));
}

static void put_targets(writer *w, const supple_primitive *primitive, const char *place) {
  if (primitive->target_count == 0) return;
  cli_json_array(&w->json, "targets");
  for (uint32_t i = 0; i < primitive->target_count; i++) {
    const supple_morph_target *target = &primitive->targets[i];
    char pointer[96];
    snprintf(pointer, sizeof pointer, "%s/targets/%u", place, i);
    cli_json_object(&w->json, NULL);
    put_stream(w, "POSITION", target->positions, primitive->vertex_count, 3, pointer);
    put_stream(w, "NORMAL", target->normals, primitive->vertex_count, 3, pointer);
    put_stream(w, "TANGENT", target->tangents, primitive->vertex_count, 3, pointer);
    cli_json_end(&w->json);
  }
  cli_json_end(&w->json);
}

static void put_primitive(writer *w, const supple_primitive *primitive, const char *place) {
  cli_json *json = &w->json;
  char pointer[96];
  snprintf(pointer, sizeof pointer, "%s/attributes", place);
  cli_json_object(json, NULL);
  cli_json_object(json, "attributes");
  put_stream(w, "POSITION", primitive->positions, primitive->vertex_count, 3, pointer);
  put_stream(w, "NORMAL", primitive->normals, primitive->vertex_count, 3, pointer);
  put_stream(w, "TANGENT", primitive->tangents, primitive->vertex_count, 4, pointer);
  put_stream(w, "TEXCOORD_0", primitive->texcoords, primitive->vertex_count, 2, pointer);
  put_stream(w, "COLOR_0", primitive->colors, primitive->vertex_count, 4, pointer);
  put_influence_sets(w, primitive, pointer);
  cli_json_end(json);
  if (primitive->index_count) {
    /* The largest number of a type would restart a strip: it is never a vertex. */
    bool narrow = primitive->vertex_count <= UINT16_MAX;
    enum component component = narrow ? COMPONENT_U16 : COMPONENT_U32;
    accessor wanted = {.source = SOURCE_INDICES,
                       .data = primitive->indices,
                       .count = primitive->index_count,
                       .width = 1,
                       .component = component,
                       .target = TARGET_INDICES};
    cli_json_index(json, "indices", add_accessor(w, &wanted, place));
  }
  if (primitive->topology != SUPPLE_TOPOLOGY_TRIANGLES) {
    cli_json_integer(json, "mode", primitive->topology == SUPPLE_TOPOLOGY_LINES ? 1 : 0);
  }
  if (primitive->material != SUPPLE_NONE) cli_json_index(json, "material", primitive->material);
  put_targets(w, primitive, place);
  cli_json_end(json);
}

static void put_meshes(writer *w) {
  if (w->gltf->mesh_count == 0) return;
  cli_json_array(&w->json, "meshes");
  for (uint32_t i = 0; i < w->gltf->mesh_count; i++) {
    const supple_mesh *mesh = &w->gltf->meshes[i];
    cli_json_object(&w->json, NULL);
    put_name(&w->json, mesh->name);
    cli_json_array(&w->json, "primitives");
    for (uint32_t k = 0; k < mesh->primitive_count; k++) {
      char place[64];
      snprintf(place, sizeof place, "/meshes/%u/primitives/%u", i, k);
      put_primitive(w, &mesh->primitives[k], place);
    }
    cli_json_end(&w->json);
    cli_json_end(&w->json);
  }
  cli_json_end(&w->json);
}

/* ---- JSON: skins and animations ---- */

static void put_skins(writer *w) {
  if (w->gltf->skin_count == 0) return;
  cli_json *json = &w->json;
  cli_json_array(json, "skins");
  for (uint32_t i = 0; i < w->gltf->skin_count; i++) {
    const supple_skin *skin = &w->gltf->skins[i];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/skins/%u/inverseBindMatrices", i);
    cli_json_object(json, NULL);
    put_name(json, skin->name);
    for (uint32_t k = 0; k < skin->joint_count && skin->inverse_binds && !w->result; k++) {
      supple_affine rounded = supple_affine_from_double(&skin->inverse_binds[k]);
      supple_affine64 written = supple_affine_to_double(&rounded);
      if (supple_affine64_is_finite(&written)) continue;
      w->result =
          cli_gltf_fail(w->error, SUPPLE_ERROR_NUMBER, pointer, "matrix %u is not finite", k);
    }
    if (skin->inverse_binds) {
      accessor wanted = {.source = SOURCE_MATRICES,
                         .data = skin->inverse_binds,
                         .count = skin->joint_count,
                         .width = 16,
                         .component = COMPONENT_F32,
                         .target = TARGET_NONE};
      cli_json_index(json, "inverseBindMatrices", add_accessor(w, &wanted, pointer));
    }
    if (skin->skeleton != SUPPLE_NONE) cli_json_index(json, "skeleton", skin->skeleton);
    cli_json_array(json, "joints");
    for (uint32_t k = 0; k < skin->joint_count; k++) cli_json_index(json, NULL, skin->joints[k]);
    cli_json_end(json);
    cli_json_end(json);
  }
  cli_json_end(json);
}

/* Channels with the same times (the same array) share an accessor. */
static uint32_t add_times(writer *w, const supple_channel *channel, size_t from,
                          const char *pointer) {
  for (size_t i = from; i < w->accessor_count; i++) {
    const accessor *a = &w->accessors[i];
    if (a->bounded && a->data == channel->times && a->count == channel->key_count)
      return (uint32_t)i;
  }
  accessor wanted = {.source = SOURCE_FLOATS,
                     .data = channel->times,
                     .count = channel->key_count,
                     .width = 1,
                     .component = COMPONENT_F32,
                     .target = TARGET_NONE,
                     .bounded = true};
  return add_accessor(w, &wanted, pointer);
}

static void put_samplers(writer *w, const supple_clip *clip, uint32_t index) {
  static const char *const interpolations[] = {"LINEAR", "STEP", "CUBICSPLINE"};
  cli_json *json = &w->json;
  size_t from = w->accessor_count;
  cli_json_array(json, "samplers");
  for (uint32_t i = 0; i < clip->channel_count; i++) {
    const supple_channel *channel = &clip->channels[i];
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/animations/%u/samplers/%u", index, i);
    /* Morph weights are written as numbers, the rest as vectors. */
    bool scalar = channel->path == SUPPLE_PATH_WEIGHTS;
    uint64_t count = (uint64_t)channel->key_count * (scalar ? channel->width : 1) *
                     (channel->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE ? 3 : 1);
    if (count > UINT32_MAX && !w->result) {
      w->result = cli_gltf_fail(w->error, SUPPLE_ERROR_LIMIT, pointer,
                                "a glTF file cannot be larger than 4 GiB");
      count = 0;
    }
    accessor wanted = {.source = SOURCE_FLOATS,
                       .data = channel->values,
                       .count = (uint32_t)count,
                       .width = scalar ? 1 : channel->width,
                       .component = COMPONENT_F32,
                       .target = TARGET_NONE};
    cli_json_object(json, NULL);
    cli_json_index(json, "input", add_times(w, channel, from, pointer));
    cli_json_text(json, "interpolation", interpolations[channel->interpolation]);
    cli_json_index(json, "output", add_accessor(w, &wanted, pointer));
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_clip(writer *w, const supple_clip *clip, uint32_t index) {
  static const char *const paths[] = {"translation", "rotation", "scale", "weights"};
  cli_json *json = &w->json;
  cli_json_object(json, NULL);
  put_name(json, clip->name);
  cli_json_array(json, "channels");
  for (uint32_t i = 0; i < clip->channel_count; i++) {
    cli_json_object(json, NULL);
    cli_json_index(json, "sampler", i);
    cli_json_object(json, "target");
    cli_json_index(json, "node", clip->channels[i].node);
    cli_json_text(json, "path", paths[clip->channels[i].path]);
    cli_json_end(json);
    cli_json_end(json);
  }
  cli_json_end(json);
  put_samplers(w, clip, index);
  cli_json_end(json);
}

static void put_clips(writer *w) {
  uint32_t written = 0;
  for (uint32_t i = 0; i < w->gltf->clip_count; i++) {
    if (w->gltf->clips[i].channel_count == 0) continue;
    if (written++ == 0) cli_json_array(&w->json, "animations");
    put_clip(w, &w->gltf->clips[i], i);
  }
  if (written) cli_json_end(&w->json);
}

/* ---- JSON: accessors and the buffer ---- */

static const char *type_of(uint32_t width) {
  return width == 1   ? "SCALAR"
         : width == 2 ? "VEC2"
         : width == 3 ? "VEC3"
         : width == 4 ? "VEC4"
                      : "MAT4";
}

static void put_bounds(cli_json *json, const accessor *a) {
  float least[4], most[4];
  const float *numbers = a->data;
  for (uint32_t k = 0; k < a->width && k < 4; k++) {
    least[k] = most[k] = numbers[k];
    for (size_t i = 1; i < a->count; i++) {
      float number = numbers[i * a->width + k];
      if (number < least[k]) least[k] = number;
      if (number > most[k]) most[k] = number;
    }
  }
  cli_json_floats(json, "min", least, a->width);
  cli_json_floats(json, "max", most, a->width);
}

static void put_accessors(writer *w) {
  if (w->accessor_count == 0) return;
  cli_json *json = &w->json;
  cli_json_array(json, "accessors");
  for (size_t i = 0; i < w->accessor_count; i++) {
    const accessor *a = &w->accessors[i];
    if (a->source == SOURCE_BYTES) break;
    cli_json_object(json, NULL);
    cli_json_integer(json, "bufferView", (int64_t)i);
    cli_json_integer(json, "componentType", a->component);
    cli_json_integer(json, "count", a->count);
    cli_json_text(json, "type", type_of(a->width));
    if (a->bounded) put_bounds(json, a);
    cli_json_end(json);
  }
  cli_json_end(json);
  cli_json_array(json, "bufferViews");
  for (size_t i = 0; i < w->accessor_count; i++) {
    const accessor *a = &w->accessors[i];
    cli_json_object(json, NULL);
    cli_json_integer(json, "buffer", 0);
    if (a->offset) cli_json_integer(json, "byteOffset", (int64_t)a->offset);
    cli_json_integer(json, "byteLength", (int64_t)a->size);
    if (a->target != TARGET_NONE) cli_json_integer(json, "target", a->target);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_base64(cli_output *output, const uint8_t *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                     (left > 2 ? bytes[i + 2] : 0);
    char text[4] = {digits[group >> 18], digits[group >> 12 & 63],
                    left > 1 ? digits[group >> 6 & 63] : '=', left > 2 ? digits[group & 63] : '='};
    cli_output_write(output, text, 4);
  }
}

static supple_result fail_memory(supple_error *error) {
  return cli_gltf_fail(error, SUPPLE_ERROR_MEMORY, "", "out of memory");
}

/* "data:…" of everything in the buffer, or NULL. The caller abandons it. */
static cli_output *buffer_uri(const writer *w) {
  cli_output *bytes = cli_output_open_memory(), *uri = cli_output_open_memory();
  if (bytes && uri) {
    for (size_t i = 0; i < w->accessor_count; i++) put_accessor(bytes, &w->accessors[i]);
    size_t size = 0;
    const char *data = cli_output_contents(bytes, &size);
    cli_output_text(uri, "data:application/octet-stream;base64,");
    if (data) put_base64(uri, (const uint8_t *)data, size);
    cli_output_abandon(bytes);
    if (data) return uri;
    bytes = NULL;
  }
  cli_output_abandon(bytes);
  cli_output_abandon(uri);
  return NULL;
}

static void put_buffer(writer *w, cli_gltf_format format) {
  if (w->accessor_count == 0) return;
  cli_json *json = &w->json;
  cli_json_array(json, "buffers");
  cli_json_object(json, NULL);
  cli_json_integer(json, "byteLength", (int64_t)w->buffer_size);
  if (format == CLI_GLTF_TEXT && !w->result) {
    cli_output *uri = buffer_uri(w);
    size_t size = 0;
    const char *text = uri ? cli_output_contents(uri, &size) : NULL;
    if (text)
      cli_json_text(json, "uri", text);
    else
      w->result = fail_memory(w->error);
    cli_output_abandon(uri);
  }
  cli_json_end(json);
  cli_json_end(json);
}

/* Textures and the images that materials use. */
static void put_looks(writer *w) {
  uint32_t *places = calloc((size_t)w->gltf->image_count + 1, sizeof *places);
  if (!places) {
    if (!w->result) w->result = fail_memory(w->error);
    return;
  }
  cli_gltf_place_images(w->gltf, places);
  cli_gltf_put_looks(&w->json, w->gltf, places, (uint32_t)w->accessor_count);
  for (uint32_t i = 0; i < w->gltf->image_count; i++) {
    const supple_image *image = &w->gltf->images[i];
    accessor wanted = {.source = SOURCE_BYTES,
                       .data = image->data,
                       .count = (uint32_t)image->size,
                       .width = 1,
                       .component = COMPONENT_U8};
    if (places[i] != SUPPLE_NONE) add_accessor(w, &wanted, "/images");
  }
  free(places);
}

static void put_document(writer *w, cli_gltf_format format) {
  cli_json *json = &w->json;
  cli_json_object(json, NULL);
  cli_json_object(json, "asset");
  cli_json_text(json, "version", "2.0");
  cli_json_text(json, "generator", "supple " SUPPLE_VERSION_TEXT);
  if (w->gltf->copyright && *w->gltf->copyright)
    cli_json_text(json, "copyright", w->gltf->copyright);
  cli_json_end(json);
  put_nodes(w);
  cli_gltf_put_materials(json, w->gltf);
  put_meshes(w);
  put_skins(w);
  put_clips(w);
  put_looks(w);
  if (!w->result) put_accessors(w);
  put_buffer(w, format);
  cli_json_end(json);
}

/* ---- the file ---- */

static supple_result put_binary(cli_output *output, const writer *w, const char *text,
                                size_t text_size) {
  uint64_t padded = ((uint64_t)text_size + 3) / 4 * 4;
  uint64_t total = 12 + 8 + padded + (w->buffer_size ? 8 + w->buffer_size : 0);
  if (total > UINT32_MAX) {
    return cli_gltf_fail(w->error, SUPPLE_ERROR_LIMIT, "",
                         "a glTF file cannot be larger than 4 GiB");
  }
  cli_output_write(output, "glTF", 4);
  cli_output_u32(output, 2);
  cli_output_u32(output, (uint32_t)total);
  cli_output_u32(output, (uint32_t)padded);
  cli_output_write(output, "JSON", 4);
  cli_output_write(output, text, text_size);
  cli_output_write(output, "   ", (size_t)(padded - text_size));
  if (w->buffer_size) {
    cli_output_u32(output, (uint32_t)w->buffer_size);
    cli_output_write(output, "BIN\0", 4);
    for (size_t i = 0; i < w->accessor_count; i++) put_accessor(output, &w->accessors[i]);
  }
  return SUPPLE_OK;
}

supple_result cli_gltf_write(cli_output *output, const cli_gltf *gltf, cli_gltf_format format,
                             supple_error *error) {
  supple_result result = check(gltf, error);
  if (result) return result;
  cli_output *text = cli_output_open_memory();
  if (!text) return fail_memory(error);
  writer w = {.gltf = gltf, .json = cli_json_start(text, format == CLI_GLTF_TEXT), .error = error};
  put_document(&w, format);
  size_t size = 0;
  const char *contents = cli_output_contents(text, &size);
  result = w.result ? w.result : contents ? SUPPLE_OK : fail_memory(error);
  if (!result && format == CLI_GLTF_TEXT) cli_output_write(output, contents, size);
  if (!result && format == CLI_GLTF_BINARY) result = put_binary(output, &w, contents, size);
  cli_output_abandon(text);
  free(w.accessors);
  return result;
}

supple_node cli_gltf_node(const char *name) {
  return (supple_node){.name = name,
                       .parent = SUPPLE_NONE,
                       .mesh = SUPPLE_NONE,
                       .skin = SUPPLE_NONE,
                       .camera = SUPPLE_NONE,
                       .rest = supple_transform_identity(),
                       .matrix = supple_affine64_identity()};
}

supple_material cli_gltf_material(const char *name, const float color[4]) {
  supple_material material = {.name = name,
                              .base_color_texture = {.image = SUPPLE_NONE, .scale = {1, 1}},
                              .roughness = 0.6f,
                              .alpha_cutoff = 0.5f};
  memcpy(material.base_color, color, sizeof material.base_color);
  return material;
}

cli_gltf_format cli_gltf_format_of(const char *path) {
  static const char ending[] = ".gltf";
  size_t length = strlen(path), wanted = sizeof ending - 1;
  if (length < wanted) return CLI_GLTF_BINARY;
  for (size_t i = 0; i < wanted; i++) {
    char letter = path[length - wanted + i];
    if (letter >= 'A' && letter <= 'Z') letter = (char)(letter - 'A' + 'a');
    if (letter != ending[i]) return CLI_GLTF_BINARY;
  }
  return CLI_GLTF_TEXT;
}
