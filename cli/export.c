/* export.c: posed vertices as JSON, OBJ, PLY and glTF. */
#include "export.h"

#include "export_npz.h"
#include "gltf_write.h"
#include "print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool cli_export_format_of(const char *path, cli_export_format *format) {
  static const struct {
    const char *ending;
    cli_export_format format;
  } known[] = {{".json", CLI_EXPORT_JSON}, {".npz", CLI_EXPORT_NPZ},  {".obj", CLI_EXPORT_OBJ},
               {".ply", CLI_EXPORT_PLY},   {".glb", CLI_EXPORT_GLTF}, {".gltf", CLI_EXPORT_GLTF}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (cli_path_ends(path, known[i].ending)) {
      *format = known[i].format;
      return true;
    }
  return false;
}

/* ---- JSON ---- */

static int write_json(cli_output *output, const cli_posed *posed, uint32_t count) {
  cli_json json = cli_json_start(output, false);
  cli_json_object(&json, NULL);
  cli_json_array(&json, "primitives");
  for (uint32_t i = 0; i < count; i++) {
    const supple_primitive *source = posed[i].source;
    const size_t n = source->vertex_count;
    cli_json_object(&json, NULL);
    cli_json_index(&json, "node", posed[i].node);
    cli_json_index(&json, "mesh", source->mesh);
    cli_json_index(&json, "primitive", source->index);
    if (posed[i].copies) cli_json_index(&json, "copy", posed[i].copy);
    cli_json_floats(&json, "positions", posed[i].positions, 3 * n);
    if (posed[i].normals) cli_json_floats(&json, "normals", posed[i].normals, 3 * n);
    if (posed[i].tangents) cli_json_floats(&json, "tangents", posed[i].tangents, 4 * n);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
  return CLI_FINE;
}

/* ---- OBJ ---- */

static void obj_name(cli_output *output, const cli_posed *posed) {
  cli_output_text(output, "o ");
  if (posed->name[0] == '\0') cli_output_format(output, "node%u", posed->node);
  for (const char *c = posed->name; *c; c++) {
    const bool plain = (unsigned char)*c > 0x20 && *c != 0x7f && *c != '#' && *c != '\\';
    cli_output_write(output, plain ? c : "_", 1);
  }
  cli_output_format(output, "_primitive%u", posed->source->index);
  if (posed->copies) cli_output_format(output, "_copy%u", posed->copy);
  cli_output_text(output, "\n");
}

static void obj_vectors(cli_output *output, const char *word, const float *values, size_t count) {
  char text[CLI_NUMBER_TEXT];
  for (size_t i = 0; i < count; i++) {
    cli_output_text(output, word);
    for (size_t c = 0; c < 3; c++) {
      cli_output_text(output, " ");
      cli_output_text(output, cli_float_text(values[3 * i + c], text));
    }
    cli_output_text(output, "\n");
  }
}

/* Indices of an OBJ count from 1 through the whole file, those of normals on their own. */
static void obj_elements(cli_output *output, const supple_primitive *source, bool normals,
                         uint64_t first, uint64_t first_normal) {
  static const char *const words[] = {"f", "l", "p"};
  const uint32_t corners = 3 - (uint32_t)source->topology;
  for (uint32_t i = 0; i + corners <= source->index_count; i += corners) {
    cli_output_text(output, words[source->topology]);
    for (uint32_t c = 0; c < corners; c++) {
      const uint64_t index = source->indices[i + c];
      cli_output_format(output, " %llu", (unsigned long long)(first + index));
      if (normals && corners == 3)
        cli_output_format(output, "//%llu", (unsigned long long)(first_normal + index));
    }
    cli_output_text(output, "\n");
  }
}

static int write_obj(cli_output *output, const cli_posed *posed, uint32_t count) {
  uint64_t first = 1, first_normal = 1;
  cli_output_text(output, "# written by supple " SUPPLE_VERSION_TEXT "\n");
  for (uint32_t i = 0; i < count; i++) {
    const supple_primitive *source = posed[i].source;
    obj_name(output, &posed[i]);
    obj_vectors(output, "v", posed[i].positions, source->vertex_count);
    if (posed[i].normals) obj_vectors(output, "vn", posed[i].normals, source->vertex_count);
    obj_elements(output, source, posed[i].normals != NULL, first, first_normal);
    first += source->vertex_count;
    if (posed[i].normals) first_normal += source->vertex_count;
  }
  return CLI_FINE;
}

/* ---- PLY ---- */

static void ply_header(cli_output *output, uint64_t vertices, uint64_t faces, bool normals) {
  cli_output_format(output,
                    "ply\nformat binary_little_endian 1.0\n"
                    "comment written by supple " SUPPLE_VERSION_TEXT "\nelement vertex %llu\n"
                    "property float x\nproperty float y\nproperty float z\n",
                    (unsigned long long)vertices);
  if (normals) cli_output_text(output, "property float nx\nproperty float ny\nproperty float nz\n");
  cli_output_format(output,
                    "element face %llu\nproperty list uchar int vertex_indices\nend_header\n",
                    (unsigned long long)faces);
}

static int write_ply(cli_output *output, const cli_posed *posed, uint32_t count) {
  uint64_t vertices = 0, faces = 0;
  uint32_t first = 0;
  bool normals = false;
  for (uint32_t i = 0; i < count; i++) {
    vertices += posed[i].source->vertex_count;
    if (posed[i].source->topology == SUPPLE_TOPOLOGY_TRIANGLES)
      faces += posed[i].source->index_count / 3;
    normals = normals || posed[i].normals;
  }
  if (vertices > INT32_MAX)
    return cli_complain(CLI_FAILED, "more vertices than .ply can count (2147483647)");
  ply_header(output, vertices, faces, normals);
  for (uint32_t i = 0; i < count; i++)
    for (size_t v = 0; v < posed[i].source->vertex_count; v++) {
      for (size_t c = 0; c < 3; c++) cli_output_f32(output, posed[i].positions[3 * v + c]);
      for (size_t c = 0; normals && c < 3; c++)
        cli_output_f32(output, posed[i].normals ? posed[i].normals[3 * v + c] : 0.0f);
    }
  for (uint32_t i = 0; i < count; i++) {
    const supple_primitive *source = posed[i].source;
    const bool triangles = source->topology == SUPPLE_TOPOLOGY_TRIANGLES;
    for (uint32_t k = 0; triangles && k + 3 <= source->index_count; k += 3) {
      cli_output_write(output, "\3", 1);
      for (uint32_t c = 0; c < 3; c++) cli_output_u32(output, first + source->indices[k + c]);
    }
    first += source->vertex_count;
  }
  return CLI_FINE;
}

/* ---- glTF ---- */

/* What the writer is handed: one node and one mesh a posed node and copy. */
typedef struct gltf_parts {
  supple_node *nodes;
  supple_mesh *meshes;
  supple_primitive *primitives;
  supple_material *materials; /* the asset's, without textures that cannot be kept */
} gltf_parts;

/* Why the file cannot show a material's texture as the asset does, or NULL. */
static const char *texture_fault(const supple_asset *asset, const supple_texture *texture) {
  if (texture->image >= asset->image_count) return "it has no image";
  if (texture->texcoord > 0) return "it uses texture coordinates other than TEXCOORD_0";
  const supple_image *image = &asset->images[texture->image];
  if (!image->data) return "its image was not read";
  return cli_gltf_image_fits(image) ? NULL : "its image is of a kind that glTF does not know";
}

static void fill_materials(supple_material *materials, const supple_asset *asset,
                           const cli_posed *posed, uint32_t count) {
  for (uint32_t m = 0; m < asset->material_count; m++) {
    materials[m] = asset->materials[m];
    materials[m].base_color_texture.image = SUPPLE_NONE;
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t m = posed[i].source->material;
    if (m >= asset->material_count) continue;
    materials[m].base_color_texture.image = asset->materials[m].base_color_texture.image;
  }
  for (uint32_t m = 0; m < asset->material_count; m++) {
    supple_texture *texture = &materials[m].base_color_texture;
    if (texture->image == SUPPLE_NONE) continue;
    const char *fault = texture_fault(asset, texture);
    if (!fault) continue;
    cli_note("material %u: its texture is left out: %s", m, fault);
    texture->image = SUPPLE_NONE;
  }
}

static bool is_finite(const float *values, size_t width, size_t count) {
  for (size_t i = 0; values && i < width * count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

static uint32_t fill_parts(const gltf_parts *parts, const cli_posed *posed, uint32_t count) {
  uint32_t nodes = 0;
  for (uint32_t i = 0; i < count; i++) {
    const supple_primitive *source = posed[i].source;
    supple_primitive *primitive = &parts->primitives[i];
    if (i == 0 || posed[i].node != posed[i - 1].node || posed[i].copy != posed[i - 1].copy) {
      supple_mesh *mesh = &parts->meshes[nodes];
      memset(mesh, 0, sizeof *mesh);
      mesh->name = posed[i].name;
      mesh->primitives = primitive;
      parts->nodes[nodes] = cli_gltf_node(posed[i].name);
      parts->nodes[nodes].mesh = nodes;
      nodes++;
    }
    primitive->mesh = nodes - 1;
    primitive->index = parts->meshes[nodes - 1].primitive_count++;
    primitive->topology = source->topology;
    primitive->vertex_count = source->vertex_count;
    primitive->positions = posed[i].positions;
    primitive->normals = posed[i].normals;
    primitive->tangents = posed[i].tangents;
    if (is_finite(source->texcoords, 2, source->vertex_count))
      primitive->texcoords = source->texcoords;
    if (is_finite(source->colors, 4, source->vertex_count)) primitive->colors = source->colors;
    primitive->indices = source->indices;
    primitive->index_count = source->index_count;
    primitive->material = source->material;
  }
  return nodes;
}

static int write_gltf(cli_output *output, const char *path, const supple_asset *asset,
                      const cli_posed *posed, uint32_t count) {
  const gltf_parts parts = {calloc((size_t)count + 1, sizeof *parts.nodes),
                            calloc((size_t)count + 1, sizeof *parts.meshes),
                            calloc((size_t)count + 1, sizeof *parts.primitives),
                            calloc((size_t)asset->material_count + 1, sizeof *parts.materials)};
  int exit_code = CLI_FINE;
  if (!parts.nodes || !parts.meshes || !parts.primitives || !parts.materials) {
    exit_code = cli_complain(CLI_FAILED, "out of memory");
  } else {
    const uint32_t nodes = fill_parts(&parts, posed, count);
    fill_materials(parts.materials, asset, posed, count);
    const cli_gltf gltf = {.nodes = parts.nodes,
                           .node_count = nodes,
                           .meshes = parts.meshes,
                           .mesh_count = nodes,
                           .materials = parts.materials,
                           .material_count = asset->material_count,
                           .images = asset->images,
                           .image_count = asset->image_count,
                           .copyright = asset->copyright};
    supple_error error;
    if (cli_gltf_write(output, &gltf, cli_gltf_format_of(path), &error) != SUPPLE_OK)
      exit_code = cli_complain(CLI_FAILED, "%s: %s", path, error.message);
  }
  free(parts.nodes);
  free(parts.meshes);
  free(parts.primitives);
  free(parts.materials);
  return exit_code;
}

/* ---- all of them ---- */

/* Formats without a way to say "not a number" refuse it. */
static int check_finite(const cli_posed *posed, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = 0; k < 3 * (size_t)posed[i].source->vertex_count; k++)
      if (!isfinite(posed[i].positions[k]))
        return cli_complain(CLI_FAILED,
                            "vertex %zu of node %u, primitive %u is not finite; .json and .npz "
                            "can hold that",
                            k / 3, posed[i].node, posed[i].source->index);
  return CLI_FINE;
}

int cli_export(cli_output *output, const char *path, cli_export_format format,
               const supple_asset *asset, const cli_posed *posed, uint32_t count) {
  const bool any_number = format == CLI_EXPORT_JSON || format == CLI_EXPORT_NPZ;
  const int exit_code = any_number ? CLI_FINE : check_finite(posed, count);
  if (exit_code != CLI_FINE) return exit_code;
  switch (format) {
  case CLI_EXPORT_JSON: return write_json(output, posed, count);
  case CLI_EXPORT_NPZ: return cli_export_npz(output, posed, count);
  case CLI_EXPORT_OBJ: return write_obj(output, posed, count);
  case CLI_EXPORT_PLY: return write_ply(output, posed, count);
  case CLI_EXPORT_GLTF: break;
  }
  return write_gltf(output, path, asset, posed, count);
}
