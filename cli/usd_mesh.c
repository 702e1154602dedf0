/* usd_mesh.c: a primitive as a Mesh, with influences and blend shapes. */
#include "usd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- faces and streams ---- */

static void write_faces(const cli_usd *usd, const supple_primitive *primitive) {
  cli_output *output = usd->text.output;
  const uint32_t faces = primitive->index_count / 3;
  cli_usd_indent(&usd->text);
  cli_output_text(output, "int[] faceVertexCounts = [");
  for (uint32_t f = 0; f < faces; f++) cli_output_text(output, f ? ", 3" : "3");
  cli_output_text(output, "]\n");
  cli_usd_indent(&usd->text);
  cli_output_text(output, "int[] faceVertexIndices = [");
  for (uint32_t i = 0; i < 3 * faces; i++)
    cli_output_format(output, i ? ", %u" : "%u", primitive->indices[i]);
  cli_output_text(output, "]\n");
}

void cli_usd_write_extent(const cli_usd *usd, const supple_bounds *box) {
  if (!(box->min[0] <= box->max[0])) return;
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "float3[] extent = [");
  cli_usd_tuple(usd->text.output, box->min, 3);
  cli_output_text(usd->text.output, ", ");
  cli_usd_tuple(usd->text.output, box->max, 3);
  cli_output_text(usd->text.output, "]\n");
}

/* glTF has the first row of an image at v = 0, USD the last one. */
static void write_coordinates(const cli_usd *usd, const supple_primitive *primitive) {
  if (!primitive->texcoords) return;
  cli_output *output = usd->text.output;
  cli_usd_indent(&usd->text);
  cli_output_text(output, "texCoord2f[] primvars:st = [");
  for (size_t v = 0; v < primitive->vertex_count; v++) {
    const float st[2] = {primitive->texcoords[2 * v],
                         (float)(1.0 - (double)primitive->texcoords[2 * v + 1])};
    if (v) cli_output_text(output, ", ");
    cli_usd_tuple(output, st, 2);
  }
  cli_output_text(output, "]");
  cli_usd_interpolation(&usd->text, "vertex", 0);
}

static const float white[4] = {1, 1, 1, 1};

static const float *base_color(const cli_usd *usd, const supple_primitive *primitive) {
  return primitive->material < usd->asset->material_count
             ? usd->asset->materials[primitive->material].base_color
             : white;
}

static void write_colors(const cli_usd *usd, const supple_primitive *primitive) {
  cli_output *output = usd->text.output;
  const float *base = base_color(usd, primitive);
  if (!primitive->colors) {
    if (primitive->material < usd->asset->material_count)
      cli_usd_primvar(&usd->text, "color3f[] primvars:displayColor", base, 1, 3, "constant");
    return;
  }
  bool clear = false;
  cli_usd_indent(&usd->text);
  cli_output_text(output, "color3f[] primvars:displayColor = [");
  for (size_t v = 0; v < primitive->vertex_count; v++) {
    float color[3];
    for (size_t c = 0; c < 3; c++) color[c] = primitive->colors[4 * v + c] * base[c];
    clear = clear || primitive->colors[4 * v + 3] * base[3] < 1;
    if (v) cli_output_text(output, ", ");
    cli_usd_tuple(output, color, 3);
  }
  cli_output_text(output, "]");
  cli_usd_interpolation(&usd->text, "vertex", 0);
  if (!clear) return;
  cli_usd_indent(&usd->text);
  cli_output_text(output, "float[] primvars:displayOpacity = [");
  for (size_t v = 0; v < primitive->vertex_count; v++) {
    if (v) cli_output_text(output, ", ");
    cli_usd_float(output, primitive->colors[4 * v + 3] * base[3]);
  }
  cli_output_text(output, "]");
  cli_usd_interpolation(&usd->text, "vertex", 0);
}

/* ---- influences ---- */

typedef struct influence_writer {
  const cli_usd *usd;
  const supple_primitive *primitive;
  const cli_usd_binding *bound;
  uint32_t width; /* influences a vertex, padded */
} influence_writer;

/* Influence number i of a vertex, by the skeleton's joints. */
static void influence_at(const influence_writer *writer, uint32_t vertex, uint32_t i,
                         uint32_t *joint, float *weight) {
  const cli_usd_skeleton *skeleton = writer->bound->skeleton;
  const uint16_t *joints;
  const float *weights;
  const bool plain = !writer->bound->binding; /* hangs on the only joint */
  *joint = 0;
  *weight = plain ? 1 : 0;
  if (plain) return;
  const uint32_t count =
      supple_binding_influences(writer->bound->binding, vertex, &joints, &weights);
  if (i < count) {
    *joint = skeleton->of_slot[joints[i]];
    *weight = weights[i];
    if (writer->usd->keep_sums) *weight *= supple_binding_sum(writer->bound->binding, vertex);
  } else if (count == 0 && i == 0) {
    *joint = skeleton->rest_joint;
    *weight = 1;
  }
}

static void write_bound(const influence_writer *writer, bool weights) {
  const cli_usd *usd = writer->usd;
  cli_output *output = usd->text.output;
  cli_usd_indent(&usd->text);
  cli_output_text(output, weights ? "float[] primvars:skel:jointWeights = ["
                                  : "int[] primvars:skel:jointIndices = [");
  for (uint32_t v = 0; v < writer->primitive->vertex_count; v++)
    for (uint32_t i = 0; i < writer->width; i++) {
      uint32_t joint;
      float weight;
      influence_at(writer, v, i, &joint, &weight);
      if (v || i) cli_output_text(output, ", ");
      if (weights)
        cli_usd_float(output, weight);
      else
        cli_output_format(output, "%u", joint);
    }
  cli_output_text(output, "]");
  cli_usd_interpolation(&usd->text, "vertex", writer->width);
}

static void write_influences(const cli_usd *usd, const supple_primitive *primitive,
                             const cli_usd_binding *bound) {
  const supple_affine64 identity = supple_affine64_identity();
  influence_writer writer = {usd, primitive, bound, 1};
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "matrix4d primvars:skel:geomBindTransform = ");
  cli_usd_matrix(usd->text.output, &identity);
  cli_output_text(usd->text.output, "\n");
  if (bound->binding && supple_binding_cleaning(bound->binding)->most_influences)
    writer.width = supple_binding_cleaning(bound->binding)->most_influences;
  write_bound(&writer, false);
  write_bound(&writer, true);
  cli_usd_line(&usd->text, "uniform token primvars:skel:skinningMethod = \"%s\"",
               bound->binding ? usd->skinning_method : "classicLinear");
  cli_usd_line(&usd->text, "rel skel:skeleton = <%s>", bound->path);
  if (bound->animation)
    cli_usd_line(&usd->text, "rel skel:animationSource = <%s>", bound->animation);
}

/* ---- blend shapes ---- */

static bool moves(const supple_morph_target *target, uint32_t vertex) {
  for (size_t c = 0; c < 3; c++) {
    if (target->positions && target->positions[3 * (size_t)vertex + c] != 0) return true;
    if (target->normals && target->normals[3 * (size_t)vertex + c] != 0) return true;
  }
  return false;
}

static void write_offsets(const cli_usd *usd, const supple_primitive *primitive,
                          const supple_morph_target *target, const float *offsets,
                          const char *declaration) {
  static const float none[3] = {0, 0, 0};
  bool first = true;
  cli_usd_indent(&usd->text);
  cli_output_format(usd->text.output, "uniform vector3f[] %s = [", declaration);
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    if (!moves(target, v)) continue;
    if (!first) cli_output_text(usd->text.output, ", ");
    cli_usd_tuple(usd->text.output, offsets ? offsets + 3 * (size_t)v : none, 3);
    first = false;
  }
  cli_output_text(usd->text.output, "]\n");
}

static void write_moved(const cli_usd *usd, const supple_primitive *primitive,
                        const supple_morph_target *target) {
  bool first = true;
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "uniform int[] pointIndices = [");
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    if (!moves(target, v)) continue;
    cli_output_format(usd->text.output, first ? "%u" : ", %u", v);
    first = false;
  }
  cli_output_text(usd->text.output, "]\n");
}

static uint32_t shapes_of(const cli_usd *usd, const supple_primitive *primitive,
                          const cli_usd_binding *bound) {
  const uint32_t weights = usd->asset->skeleton.nodes[bound->node].weight_count;
  return primitive->target_count < weights ? primitive->target_count : weights;
}

static void name_shapes(const cli_usd *usd, const supple_primitive *primitive,
                        const cli_usd_binding *bound, const char *path) {
  const uint32_t count = shapes_of(usd, primitive, bound);
  if (count == 0) return;
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "uniform token[] skel:blendShapes = [");
  for (uint32_t t = 0; t < count; t++) {
    cli_output_format(usd->text.output, "%s\"%s\"", t ? ", " : "",
                      cli_usd_target_name(usd, bound->node, t));
  }
  cli_output_text(usd->text.output, "]\n");
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "rel skel:blendShapeTargets = [");
  for (uint32_t t = 0; t < count; t++)
    cli_output_format(usd->text.output, "%s<%s/%s>", t ? ", " : "", path,
                      cli_usd_target_name(usd, bound->node, t));
  cli_output_text(usd->text.output, "]\n");
}

static void write_shapes(cli_usd *usd, const supple_primitive *primitive,
                         const cli_usd_binding *bound) {
  const uint32_t count = shapes_of(usd, primitive, bound);
  for (uint32_t t = 0; t < count; t++) {
    const supple_morph_target *target = &primitive->targets[t];
    cli_usd_open(&usd->text, "BlendShape", cli_usd_target_name(usd, bound->node, t),
                 cli_usd_target_display(usd, bound->node, t), NULL);
    if (target->normals && primitive->normals)
      write_offsets(usd, primitive, target, target->normals, "normalOffsets");
    write_offsets(usd, primitive, target, target->positions, "offsets");
    write_moved(usd, primitive, target);
    cli_usd_close(&usd->text);
  }
}

/* ---- all of it ---- */

int cli_usd_write_mesh(cli_usd *usd, const supple_primitive *primitive, const char *display,
                       const char *path, const cli_usd_binding *bound) {
  if (primitive->topology != SUPPLE_TOPOLOGY_TRIANGLES) {
    usd->not_drawn++;
    return CLI_FINE;
  }
  const bool has_material = primitive->material < usd->asset->material_count;
  const char *identifier = cli_usd_names_take_numbered(usd->names, display, "Mesh", primitive->mesh);
  const size_t room = identifier ? strlen(path) + strlen(identifier) + 2 : 1;
  char *own_path = malloc(room);
  if (!identifier || !own_path) {
    free(own_path);
    return cli_complain(CLI_FAILED, "out of memory");
  }
  snprintf(own_path, room, "%s/%s", path, identifier);
  cli_usd_open(&usd->text, "Mesh", identifier, display,
               bound && has_material ? "\"MaterialBindingAPI\", \"SkelBindingAPI\""
               : bound               ? "\"SkelBindingAPI\""
               : has_material        ? "\"MaterialBindingAPI\""
                                     : NULL);
  if (has_material) {
    if (usd->asset->materials[primitive->material].double_sided)
      cli_usd_line(&usd->text, "uniform bool doubleSided = 1");
    cli_usd_line(&usd->text, "rel material:binding = </%s/Materials/%s>", usd->root,
                 usd->materials[primitive->material]);
  }
  const supple_bounds box =
      supple_bounds_of((supple_stream){primitive->positions, 12}, primitive->vertex_count);
  cli_usd_write_extent(usd, &box);
  write_faces(usd, primitive);
  if (primitive->normals)
    cli_usd_primvar(&usd->text, "normal3f[] normals", primitive->normals, primitive->vertex_count,
                    3, "vertex");
  cli_usd_line(&usd->text, "uniform token orientation = \"rightHanded\"");
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "point3f[] points = ");
  cli_usd_tuples(usd->text.output, primitive->positions, primitive->vertex_count, 3);
  cli_output_text(usd->text.output, "\n");
  write_colors(usd, primitive);
  write_coordinates(usd, primitive);
  if (bound) {
    write_influences(usd, primitive, bound);
    name_shapes(usd, primitive, bound, own_path);
  }
  cli_usd_line(&usd->text, "uniform token subdivisionScheme = \"none\"");
  if (bound) write_shapes(usd, primitive, bound);
  cli_usd_close(&usd->text);
  free(own_path);
  return CLI_FINE;
}
