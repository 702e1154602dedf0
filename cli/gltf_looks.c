/* gltf_looks.c: materials, textures and images of a glTF file being written. */
#include "gltf_looks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPEAT = 10497, CLAMP = 33071, MIRROR = 33648, NEAREST = 9728, LINEAR = 9729 };

/* Kinds of images that glTF itself does not know, and the extensions that do. */
typedef struct image_kind {
  const char *type, *extension;
} image_kind;
static const image_kind kinds[] = {{"image/png", NULL},
                                   {"image/jpeg", NULL},
                                   {"image/ktx2", "KHR_texture_basisu"},
                                   {"image/webp", "EXT_texture_webp"},
                                   {"image/avif", "EXT_texture_avif"},
                                   {"image/vnd-ms.dds", "MSFT_texture_dds"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const image_kind *kind_of(const supple_image *image) {
  for (size_t i = 0; i < KINDS; i++)
    if (image->mime_type && strcmp(image->mime_type, kinds[i].type) == 0) return &kinds[i];
  return NULL;
}

bool cli_gltf_image_fits(const supple_image *image) {
  return image->data && image->size > 0 && image->size <= UINT32_MAX && kind_of(image);
}

static const supple_texture *texture_of(const supple_material *material) {
  return material->base_color_texture.image == SUPPLE_NONE ? NULL : &material->base_color_texture;
}

/* ---- checking ---- */

static bool is_finite(const supple_material *material) {
  const supple_texture *t = &material->base_color_texture;
  float all[15] = {material->metallic, material->roughness, material->alpha_cutoff,
                   t->rotation,        t->offset[0],        t->offset[1],
                   t->scale[0],        t->scale[1]};
  memcpy(all + 8, material->base_color, 4 * sizeof(float));
  memcpy(all + 12, material->emissive, 3 * sizeof(float));
  bool finite = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) finite = finite && isfinite(all[i]);
  return finite;
}

supple_result cli_gltf_check_looks(const cli_gltf *gltf, supple_error *error) {
  for (uint32_t i = 0; i < gltf->material_count; i++) {
    const supple_material *material = &gltf->materials[i];
    const uint32_t image = material->base_color_texture.image;
    char pointer[64];
    snprintf(pointer, sizeof pointer, "/materials/%u", i);
    if (!is_finite(material))
      return cli_gltf_fail(error, SUPPLE_ERROR_NUMBER, pointer, "one of its numbers is not finite");
    if (image == SUPPLE_NONE) continue;
    if (image >= gltf->image_count)
      return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer, "%u is not one of %u images",
                           image, gltf->image_count);
    if (!cli_gltf_image_fits(&gltf->images[image]))
      return cli_gltf_fail(error, SUPPLE_ERROR_ARGUMENT, pointer,
                           "image %u has no bytes, or is of a kind that glTF does not know", image);
  }
  return SUPPLE_OK;
}

/* ---- materials ---- */

static bool is_transformed(const supple_texture *texture) {
  return texture->offset[0] != 0 || texture->offset[1] != 0 || texture->rotation != 0 ||
         texture->scale[0] != 1 || texture->scale[1] != 1;
}

static void put_texture_use(cli_json *json, const supple_texture *texture, uint32_t index) {
  cli_json_object(json, "baseColorTexture");
  cli_json_index(json, "index", index);
  if (texture->texcoord) cli_json_index(json, "texCoord", texture->texcoord);
  if (is_transformed(texture)) {
    cli_json_object(json, "extensions");
    cli_json_object(json, "KHR_texture_transform");
    cli_json_floats(json, "offset", texture->offset, 2);
    cli_json_float(json, "rotation", texture->rotation);
    cli_json_floats(json, "scale", texture->scale, 2);
    cli_json_end(json);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_alpha(cli_json *json, const supple_material *material) {
  if (material->alpha_mode == SUPPLE_ALPHA_BLEND) cli_json_text(json, "alphaMode", "BLEND");
  if (material->alpha_mode != SUPPLE_ALPHA_MASK) return;
  cli_json_text(json, "alphaMode", "MASK");
  cli_json_float(json, "alphaCutoff", material->alpha_cutoff);
}

static void put_material(cli_json *json, const supple_material *material, uint32_t texture) {
  const float *emissive = material->emissive;
  cli_json_object(json, NULL);
  if (material->name && *material->name) cli_json_text(json, "name", material->name);
  cli_json_object(json, "pbrMetallicRoughness");
  cli_json_floats(json, "baseColorFactor", material->base_color, 4);
  if (texture != SUPPLE_NONE) put_texture_use(json, &material->base_color_texture, texture);
  cli_json_float(json, "metallicFactor", material->metallic);
  cli_json_float(json, "roughnessFactor", material->roughness);
  cli_json_end(json);
  if (emissive[0] != 0 || emissive[1] != 0 || emissive[2] != 0)
    cli_json_floats(json, "emissiveFactor", emissive, 3);
  put_alpha(json, material);
  if (material->double_sided) cli_json_bool(json, "doubleSided", true);
  if (material->unlit) {
    cli_json_object(json, "extensions");
    cli_json_object(json, "KHR_materials_unlit");
    cli_json_end(json);
    cli_json_end(json);
  }
  cli_json_end(json);
}

void cli_gltf_put_materials(cli_json *json, const cli_gltf *gltf) {
  if (gltf->material_count == 0) return;
  uint32_t textures = 0;
  cli_json_array(json, "materials");
  for (uint32_t i = 0; i < gltf->material_count; i++) {
    const supple_material *material = &gltf->materials[i];
    put_material(json, material, texture_of(material) ? textures++ : SUPPLE_NONE);
  }
  cli_json_end(json);
}

/* ---- textures, samplers, images ---- */

/* Samplers are numbered by what they say, those of textures that keep to the default left out. */
enum { SAMPLERS = 18 };
static const uint32_t wraps[3] = {REPEAT, CLAMP, MIRROR};

static uint32_t wrap_kind(uint32_t wrap) { return wrap == CLAMP ? 1 : wrap == MIRROR ? 2 : 0; }

static uint32_t sampler_kind(const supple_texture *texture) {
  return wrap_kind(texture->wrap_s) + 3 * wrap_kind(texture->wrap_t) + (texture->nearest ? 9 : 0);
}

/* Numbers of the samplers in the file, SUPPLE_NONE: it is not needed. */
static void put_samplers(cli_json *json, const cli_gltf *gltf, uint32_t numbers[SAMPLERS]) {
  bool used[SAMPLERS] = {false};
  uint32_t count = 0;
  for (uint32_t i = 0; i < gltf->material_count; i++) {
    const supple_texture *texture = texture_of(&gltf->materials[i]);
    if (texture) used[sampler_kind(texture)] = true;
  }
  numbers[0] = SUPPLE_NONE;
  for (uint32_t k = 1; k < SAMPLERS; k++) {
    numbers[k] = SUPPLE_NONE;
    if (!used[k]) continue;
    if (!count) cli_json_array(json, "samplers");
    numbers[k] = count++;
    cli_json_object(json, NULL);
    cli_json_integer(json, "magFilter", k >= 9 ? NEAREST : LINEAR);
    cli_json_integer(json, "wrapS", wraps[k % 3]);
    cli_json_integer(json, "wrapT", wraps[k / 3 % 3]);
    cli_json_end(json);
  }
  if (count) cli_json_end(json);
}

static void put_texture(cli_json *json, uint32_t sampler, uint32_t source, const image_kind *kind) {
  cli_json_object(json, NULL);
  if (sampler != SUPPLE_NONE) cli_json_index(json, "sampler", sampler);
  if (kind->extension) {
    cli_json_object(json, "extensions");
    cli_json_object(json, kind->extension);
    cli_json_index(json, "source", source);
    cli_json_end(json);
    cli_json_end(json);
  } else {
    cli_json_index(json, "source", source);
  }
  cli_json_end(json);
}

static void put_textures(cli_json *json, const cli_gltf *gltf, const uint32_t *places) {
  uint32_t numbers[SAMPLERS];
  put_samplers(json, gltf, numbers);
  cli_json_array(json, "textures");
  for (uint32_t i = 0; i < gltf->material_count; i++) {
    const supple_texture *texture = texture_of(&gltf->materials[i]);
    if (texture)
      put_texture(json, numbers[sampler_kind(texture)], places[texture->image],
                  kind_of(&gltf->images[texture->image]));
  }
  cli_json_end(json);
}

static void put_images(cli_json *json, const cli_gltf *gltf, const uint32_t *places, uint32_t view) {
  cli_json_array(json, "images");
  for (uint32_t i = 0; i < gltf->image_count; i++) {
    const supple_image *image = &gltf->images[i];
    if (places[i] == SUPPLE_NONE) continue;
    cli_json_object(json, NULL);
    if (image->name && *image->name) cli_json_text(json, "name", image->name);
    cli_json_text(json, "mimeType", image->mime_type);
    cli_json_index(json, "bufferView", view++);
    cli_json_end(json);
  }
  cli_json_end(json);
}

void cli_gltf_place_images(const cli_gltf *gltf, uint32_t *places) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < gltf->image_count; i++) places[i] = SUPPLE_NONE;
  for (uint32_t i = 0; i < gltf->material_count; i++) {
    const supple_texture *texture = texture_of(&gltf->materials[i]);
    if (texture) places[texture->image] = 0;
  }
  for (uint32_t i = 0; i < gltf->image_count; i++)
    if (places[i] != SUPPLE_NONE) places[i] = count++;
}

static void put_extensions(cli_json *json, const cli_gltf *gltf, const uint32_t *places,
                           const char *key, bool required) {
  bool transformed = false, unlit = false, open = false, present[KINDS] = {false};
  for (uint32_t i = 0; i < gltf->material_count && !required; i++) {
    const supple_texture *texture = texture_of(&gltf->materials[i]);
    transformed |= texture && is_transformed(texture);
    unlit |= gltf->materials[i].unlit;
  }
  for (uint32_t i = 0; i < gltf->image_count; i++)
    if (places[i] != SUPPLE_NONE) present[kind_of(&gltf->images[i]) - kinds] = true;
  const char *names[KINDS + 2];
  size_t count = 0;
  if (transformed) names[count++] = "KHR_texture_transform";
  if (unlit) names[count++] = "KHR_materials_unlit";
  for (size_t k = 0; k < KINDS; k++)
    if (present[k] && kinds[k].extension) names[count++] = kinds[k].extension;
  for (size_t i = 0; i < count; i++) {
    if (!open) cli_json_array(json, key);
    open = true;
    cli_json_text(json, NULL, names[i]);
  }
  if (open) cli_json_end(json);
}

void cli_gltf_put_looks(cli_json *json, const cli_gltf *gltf, const uint32_t *places,
                        uint32_t first_view) {
  bool textured = false;
  for (uint32_t i = 0; i < gltf->image_count; i++) textured |= places[i] != SUPPLE_NONE;
  if (textured) {
    put_textures(json, gltf, places);
    put_images(json, gltf, places, first_view);
  }
  put_extensions(json, gltf, places, "extensionsUsed", false);
  put_extensions(json, gltf, places, "extensionsRequired", true);
}
