/* usd_material.c: materials as UsdPreviewSurface, and the images that they use. */
#include "usd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- images ---- */

/* Images whose format USD's viewers read; the ending of the file. */
static const char *ending_of(const supple_image *image) {
  static const struct {
    const char *type, *ending;
  } known[] = {{"image/png", ".png"},       {"image/jpeg", ".jpg"},  {"image/webp", ".webp"},
               {"image/avif", ".avif"},     {"image/ktx2", ".ktx2"}, {"image/gif", ".gif"},
               {"image/vnd-ms.dds", ".dds"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(image->mime_type, known[i].type) == 0) return known[i].ending;
  const char *dot = strrchr(image->path, '.');
  if (!dot || strlen(dot) > 5) return "";
  for (const char *c = dot + 1; *c; c++)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
      return "";
  return dot;
}

/* What a .usdz may hold, by its first bytes: viewers look at those, and at the ending. NULL: another kind. */
static const char *packed_ending(const supple_image *image) {
  static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
  static const unsigned char jpeg[] = {0xFF, 0xD8, 0xFF};
  if (image->size >= sizeof png && memcmp(image->data, png, sizeof png) == 0) return ".png";
  if (image->size >= sizeof jpeg && memcmp(image->data, jpeg, sizeof jpeg) == 0) return ".jpg";
  return NULL;
}

/* What may stand between @ and @ as it is. */
static bool is_plain_path(const char *path) {
  for (const char *c = path; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == '@' || *c == '\\' || *c == 0x7F) return false;
  return path[0] != '\0';
}

/* Wanted where it has a name of its own; else numbered. */
static bool name_image(cli_usd *usd, uint32_t index) {
  const supple_image *image = &usd->asset->images[index];
  cli_usd_image *out = &usd->images[index];
  if (out->used) return true;
  out->used = true;
  if (usd->beside_source && image->path[0] && is_plain_path(image->path)) {
    out->name = image->path;
    return true;
  }
  if (!image->data || image->size == 0) return true; /* told with the losses */
  const char *ending = usd->packed ? packed_ending(image) : ending_of(image);
  out->unfit = !ending;
  if (!ending) return true; /* likewise */
  const char *slash = strrchr(image->path, '/');
  const char *wanted = image->name[0] ? image->name : slash ? slash + 1 : image->path;
  char base[64];
  snprintf(base, sizeof base, "%.60s", wanted);
  char *dot = strrchr(base, '.');
  if (dot && dot != base) *dot = '\0';
  const char *identifier = cli_usd_names_take_numbered(usd->image_names, base, "image", index);
  const size_t room = identifier ? strlen(usd->stem) + strlen(identifier) + strlen(ending) + 2 : 0;
  char *name = room ? malloc(room) : NULL;
  if (!name) return false;
  snprintf(name, room, "%s-%s%s", usd->stem, identifier, ending);
  out->name = out->owned = name;
  out->write = true;
  return true;
}

/* The image of a material's texture, or SUPPLE_NONE where USD gets none. */
static uint32_t texture_image(const cli_usd *usd, const supple_material *material) {
  const supple_texture *texture = &material->base_color_texture;
  if (texture->image >= usd->asset->image_count || texture->texcoord != 0) return SUPPLE_NONE;
  return texture->image;
}

bool cli_usd_name_materials(cli_usd *usd) {
  const supple_asset *asset = usd->asset;
  usd->material_names = cli_usd_names_create();
  usd->image_names = cli_usd_names_create();
  usd->materials = calloc((size_t)asset->material_count + 1, sizeof *usd->materials);
  usd->images = calloc((size_t)asset->image_count + 1, sizeof *usd->images);
  usd->colored = calloc((size_t)asset->material_count + 1, sizeof *usd->colored);
  if (!usd->material_names || !usd->image_names || !usd->materials || !usd->images || !usd->colored)
    return false;
  for (uint32_t m = 0; m < asset->mesh_count; m++)
    for (uint32_t p = 0; p < asset->meshes[m].primitive_count; p++) {
      const supple_primitive *primitive = &asset->meshes[m].primitives[p];
      if (primitive->colors && primitive->material < asset->material_count)
        usd->colored[primitive->material] = 1;
    }
  for (uint32_t m = 0; m < asset->material_count; m++) {
    const supple_material *material = &asset->materials[m];
    const uint32_t image = texture_image(usd, material);
    usd->materials[m] =
        cli_usd_names_take_numbered(usd->material_names, material->name, "Material", m);
    if (!usd->materials[m]) return false;
    if (image != SUPPLE_NONE && !name_image(usd, image)) return false;
    if (material->base_color_texture.image < asset->image_count && image == SUPPLE_NONE)
      usd->other_coords++;
  }
  return true;
}

/* ---- shaders ---- */

static const char *wrap_word(uint32_t wrap) {
  return wrap == 33071 ? "clamp" : wrap == 33648 ? "mirror" : "repeat";
}

static void write_tuple(const cli_usd *usd, const char *declaration, const float *values,
                        uint32_t width) {
  cli_usd_indent(&usd->text);
  cli_output_format(usd->text.output, "%s = ", declaration);
  if (width == 1)
    cli_usd_float(usd->text.output, values[0]);
  else
    cli_usd_tuple(usd->text.output, values, width);
  cli_output_text(usd->text.output, "\n");
}

static void open_shader(cli_usd *usd, const char *name, const char *id) {
  cli_usd_open(&usd->text, "Shader", name, NULL, NULL);
  cli_usd_line(&usd->text, "uniform token info:id = \"%s\"", id);
}

static bool has_transform(const supple_texture *texture) {
  return texture->offset[0] != 0 || texture->offset[1] != 0 || texture->rotation != 0 ||
         texture->scale[0] != 1 || texture->scale[1] != 1;
}

/* KHR_texture_transform, on (u, v) with v downwards: uv' = R S uv + o, R = (c s; -s c). With s = u, t = 1 - v
 * that is st' = R^T S st + (o.x + s S.y, 1 - o.y - c S.y): UsdTransform2d's scale, counterclockwise turn in
 * degrees, and translation. */
static void write_transform(cli_usd *usd, const supple_texture *texture, const char *material) {
  const double angle = (double)texture->rotation;
  const double s = supple_sin(angle), c = supple_cos(angle);
  const float degrees = (float)(angle * 180 / SUPPLE_PI);
  const float translation[2] = {
      (float)((double)texture->offset[0] + s * (double)texture->scale[1]),
      (float)(1 - (double)texture->offset[1] - c * (double)texture->scale[1])};
  open_shader(usd, "Transform", "UsdTransform2d");
  cli_usd_line(&usd->text,
               "float2 inputs:in.connect = </%s/Materials/%s/Coordinates.outputs:result>",
               usd->root, material);
  write_tuple(usd, "float inputs:rotation", &degrees, 1);
  write_tuple(usd, "float2 inputs:scale", texture->scale, 2);
  write_tuple(usd, "float2 inputs:translation", translation, 2);
  cli_usd_line(&usd->text, "float2 outputs:result");
  cli_usd_close(&usd->text);
}

static void write_texture(cli_usd *usd, const supple_material *material, const char *name,
                          const char *file) {
  const supple_texture *texture = &material->base_color_texture;
  const bool moved = has_transform(texture);
  open_shader(usd, "Coordinates", "UsdPrimvarReader_float2");
  cli_usd_line(&usd->text, "string inputs:varname = \"st\"");
  cli_usd_line(&usd->text, "float2 outputs:result");
  cli_usd_close(&usd->text);
  if (moved) write_transform(usd, texture, name);
  open_shader(usd, "BaseColor", "UsdUVTexture");
  cli_usd_indent(&usd->text);
  cli_output_format(usd->text.output, "asset inputs:file = @%s@\n", file);
  write_tuple(usd, "float4 inputs:scale", material->base_color, 4);
  cli_usd_line(&usd->text, "token inputs:sourceColorSpace = \"sRGB\"");
  cli_usd_line(&usd->text, "float2 inputs:st.connect = </%s/Materials/%s/%s.outputs:result>",
               usd->root, name, moved ? "Transform" : "Coordinates");
  cli_usd_line(&usd->text, "token inputs:wrapS = \"%s\"", wrap_word(texture->wrap_s));
  cli_usd_line(&usd->text, "token inputs:wrapT = \"%s\"", wrap_word(texture->wrap_t));
  cli_usd_line(&usd->text, "float outputs:a");
  cli_usd_line(&usd->text, "float3 outputs:rgb");
  cli_usd_close(&usd->text);
}

static void write_color_reader(cli_usd *usd, const supple_material *material) {
  open_shader(usd, "Colors", "UsdPrimvarReader_float3");
  write_tuple(usd, "float3 inputs:fallback", material->base_color, 3);
  cli_usd_line(&usd->text, "string inputs:varname = \"displayColor\"");
  cli_usd_line(&usd->text, "float3 outputs:result");
  cli_usd_close(&usd->text);
}

/* Where the colour comes from: a texture, the vertices, or the material alone. */
static void write_color(const cli_usd *usd, const supple_material *material, const char *name,
                        const char *input, const char *texture, bool colors) {
  if (texture)
    cli_usd_line(&usd->text, "color3f inputs:%s.connect = </%s/Materials/%s/BaseColor.outputs:rgb>",
                 input, usd->root, name);
  else if (colors)
    cli_usd_line(&usd->text, "color3f inputs:%s.connect = </%s/Materials/%s/Colors.outputs:result>",
                 input, usd->root, name);
  else {
    char declaration[64];
    snprintf(declaration, sizeof declaration, "color3f inputs:%s", input);
    write_tuple(usd, declaration, material->base_color, 3);
  }
}

static void write_surface(cli_usd *usd, const supple_material *material, const char *name,
                          const char *texture, bool colors) {
  static const float black[3] = {0, 0, 0};
  open_shader(usd, "Surface", "UsdPreviewSurface");
  if (material->unlit) { /* its colour is what it shines with */
    write_tuple(usd, "color3f inputs:diffuseColor", black, 3);
    write_color(usd, material, name, "emissiveColor", texture, colors);
  } else {
    write_color(usd, material, name, "diffuseColor", texture, colors);
    write_tuple(usd, "color3f inputs:emissiveColor", material->emissive, 3);
    write_tuple(usd, "float inputs:metallic", &material->metallic, 1);
  }
  if (material->alpha_mode != SUPPLE_ALPHA_OPAQUE) {
    if (texture)
      cli_usd_line(&usd->text,
                   "float inputs:opacity.connect = </%s/Materials/%s/BaseColor.outputs:a>",
                   usd->root, name);
    else
      write_tuple(usd, "float inputs:opacity", &material->base_color[3], 1);
    if (material->alpha_mode == SUPPLE_ALPHA_MASK)
      write_tuple(usd, "float inputs:opacityThreshold", &material->alpha_cutoff, 1);
  }
  if (!material->unlit) write_tuple(usd, "float inputs:roughness", &material->roughness, 1);
  cli_usd_line(&usd->text, "int inputs:useSpecularWorkflow = 0");
  cli_usd_line(&usd->text, "token outputs:surface");
  cli_usd_close(&usd->text);
}

void cli_usd_write_materials(cli_usd *usd) {
  const supple_asset *asset = usd->asset;
  if (asset->material_count == 0) return;
  cli_usd_open(&usd->text, "Scope", "Materials", NULL, NULL);
  for (uint32_t m = 0; m < asset->material_count; m++) {
    const supple_material *material = &asset->materials[m];
    const char *name = usd->materials[m];
    const uint32_t image = texture_image(usd, material);
    const char *texture = image == SUPPLE_NONE ? NULL : usd->images[image].name;
    const bool colors = !texture && usd->colored[m];
    cli_usd_open(&usd->text, "Material", name, material->name, NULL);
    cli_usd_line(&usd->text,
                 "token outputs:surface.connect = </%s/Materials/%s/Surface.outputs:surface>",
                 usd->root, name);
    write_surface(usd, material, name, texture, colors);
    if (texture) write_texture(usd, material, name, texture);
    if (colors) write_color_reader(usd, material);
    cli_usd_close(&usd->text);
  }
  cli_usd_close(&usd->text);
}
