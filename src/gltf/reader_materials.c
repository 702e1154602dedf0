/* reader_materials.c: samplers, textures, and what is read of materials. */
#include "../base/prologue.h"

#include "loader.h"

enum { FILTER_NEAREST = 9728, FILTER_LINEAR = 9729 };
enum { WRAP_REPEAT = 10497, WRAP_CLAMP = 33071, WRAP_MIRROR = 33648 };

static supple_texture no_texture(void) {
  return (supple_texture){
      .image = SUPPLE_NONE, .wrap_s = WRAP_REPEAT, .wrap_t = WRAP_REPEAT, .scale = {1, 1}};
}

/* ---- samplers ---- */

static supple_result read_wrap(supplei_loader *loader, uint32_t object, const char *key,
                               uint32_t *wrap) {
  uint32_t node = supplei_json_member(&loader->json, object, key);
  uint64_t value = 0;
  if (node == SUPPLE_NONE) return SUPPLE_OK;
  supplei_json_unsigned(&loader->json, node, UINT16_MAX, &value);
  if (value != WRAP_REPEAT && value != WRAP_CLAMP && value != WRAP_MIRROR)
    return supplei_loader_wrong(loader, node, "must be 10497, 33071 or 33648");
  *wrap = (uint32_t)value;
  return SUPPLE_OK;
}

static supple_result read_sampler(supplei_loader *loader, uint32_t object, supple_texture *sampler) {
  uint32_t node = supplei_json_member(&loader->json, object, "magFilter");
  uint64_t filter = FILTER_LINEAR;
  *sampler = no_texture();
  if (node != SUPPLE_NONE && (!supplei_json_unsigned(&loader->json, node, UINT16_MAX, &filter) ||
                              (filter != FILTER_NEAREST && filter != FILTER_LINEAR)))
    return supplei_loader_wrong(loader, node, "must be 9728 or 9729");
  sampler->nearest = filter == FILTER_NEAREST;
  supple_result result = read_wrap(loader, object, "wrapS", &sampler->wrap_s);
  return result ? result : read_wrap(loader, object, "wrapT", &sampler->wrap_t);
}

/* ---- textures ---- */

/* The image of a texture, or where glTF itself names none, what an extension puts in its place. */
static supple_result read_source(supplei_loader *loader, uint32_t object, supple_texture *texture) {
  static const char *const extensions[] = {"KHR_texture_basisu", "EXT_texture_webp",
                                           "EXT_texture_avif", "MSFT_texture_dds"};
  supple_result result =
      supplei_get_index(loader, object, "source", loader->images.count, "images", &texture->image);
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions && !result; i++) {
    uint32_t extension = supplei_extension(loader, object, extensions[i]), image = SUPPLE_NONE;
    if (extension != SUPPLE_NONE)
      result =
          supplei_get_index(loader, extension, "source", loader->images.count, "images", &image);
    if (texture->image == SUPPLE_NONE) texture->image = image;
  }
  return result;
}

static supple_result read_texture(supplei_loader *loader, uint32_t object,
                                  const supple_texture *samplers, supple_texture *texture) {
  uint32_t sampler = SUPPLE_NONE;
  supple_result result =
      supplei_get_index(loader, object, "sampler", loader->samplers.count, "samplers", &sampler);
  if (result) return result;
  *texture = sampler == SUPPLE_NONE ? no_texture() : samplers[sampler];
  return read_source(loader, object, texture);
}

supple_result supplei_read_textures(supplei_loader *loader) {
  uint32_t count = loader->textures.count;
  supple_texture *samplers =
      supplei_loader_scratch(loader, loader->samplers.count, sizeof *samplers, "the samplers");
  loader->texture_data =
      supplei_loader_scratch(loader, count, sizeof *loader->texture_data, "the textures");
  if (!samplers || !loader->texture_data) return supplei_loader_memory_result(loader);
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < loader->samplers.count && !result; i++)
    result = read_sampler(loader, loader->samplers.items[i], &samplers[i]);
  for (uint32_t i = 0; i < count && !result; i++)
    result = read_texture(loader, loader->textures.items[i], samplers, &loader->texture_data[i]);
  return result;
}

/* ---- materials ---- */

static supple_result read_texcoord(supplei_loader *loader, uint32_t object, uint32_t *texcoord) {
  uint64_t value = *texcoord;
  supple_result result = supplei_get_unsigned(loader, object, "texCoord", 0, UINT32_MAX - 1, &value);
  *texcoord = (uint32_t)value;
  return result;
}

static supple_result read_transform(supplei_loader *loader, uint32_t object,
                                    supple_texture *texture) {
  uint32_t transform = supplei_extension(loader, object, "KHR_texture_transform");
  if (transform == SUPPLE_NONE) return SUPPLE_OK;
  supple_result result = supplei_get_floats(loader, transform, "offset", texture->offset, 2);
  if (!result) result = supplei_get_floats(loader, transform, "rotation", &texture->rotation, 1);
  if (!result) result = supplei_get_floats(loader, transform, "scale", texture->scale, 2);
  if (!result) result = read_texcoord(loader, transform, &texture->texcoord);
  return result;
}

static supple_result read_texture_use(supplei_loader *loader, uint32_t object, const char *key,
                                      supple_texture *texture) {
  uint32_t use, node, index;
  supple_result result = supplei_get(loader, object, key, SUPPLEI_JSON_OBJECT, &use);
  if (result || use == SUPPLE_NONE) return result;
  result = supplei_require(loader, use, "index", SUPPLEI_JSON_NUMBER, &node);
  if (!result)
    result = supplei_read_index(loader, node, loader->textures.count, "textures", &index);
  if (result) return result;
  *texture = loader->texture_data[index];
  result = read_texcoord(loader, use, &texture->texcoord);
  return result ? result : read_transform(loader, use, texture);
}

static supple_result read_alpha(supplei_loader *loader, uint32_t object, supple_material *material) {
  static const char *const modes[] = {"OPAQUE", "MASK", "BLEND"};
  uint32_t node, mode = 0;
  supple_result result = supplei_get(loader, object, "alphaMode", SUPPLEI_JSON_STRING, &node);
  if (!result)
    result = supplei_get_floats(loader, object, "alphaCutoff", &material->alpha_cutoff, 1);
  if (result || node == SUPPLE_NONE) return result;
  while (mode < 3 && !supplei_json_equals(&loader->json, node, modes[mode])) mode++;
  if (mode == 3) return supplei_loader_wrong(loader, node, "must be OPAQUE, MASK or BLEND");
  material->alpha_mode = (supple_alpha_mode)mode;
  return SUPPLE_OK;
}

static supple_result read_metallic_roughness(supplei_loader *loader, uint32_t object,
                                             supple_material *material) {
  uint32_t pbr;
  supple_result result =
      supplei_get(loader, object, "pbrMetallicRoughness", SUPPLEI_JSON_OBJECT, &pbr);
  if (result || pbr == SUPPLE_NONE) return result;
  result = supplei_get_floats(loader, pbr, "baseColorFactor", material->base_color, 4);
  if (!result)
    result = read_texture_use(loader, pbr, "baseColorTexture", &material->base_color_texture);
  if (!result) result = supplei_get_floats(loader, pbr, "metallicFactor", &material->metallic, 1);
  if (!result) result = supplei_get_floats(loader, pbr, "roughnessFactor", &material->roughness, 1);
  return result;
}

static supple_result read_material(supplei_loader *loader, uint32_t object,
                                   supple_material *material) {
  *material = (supple_material){.base_color = {1, 1, 1, 1},
                                .base_color_texture = no_texture(),
                                .metallic = 1,
                                .roughness = 1,
                                .alpha_cutoff = 0.5f};
  supple_result result = supplei_get_string(loader, object, "name", &material->name);
  if (!result) result = read_metallic_roughness(loader, object, material);
  if (!result) result = supplei_get_floats(loader, object, "emissiveFactor", material->emissive, 3);
  if (!result) result = read_alpha(loader, object, material);
  if (!result) result = supplei_get_bool(loader, object, "doubleSided", &material->double_sided);
  material->unlit = supplei_extension(loader, object, "KHR_materials_unlit") != SUPPLE_NONE;
  return result;
}

supple_result supplei_read_materials(supplei_loader *loader) {
  uint32_t count = loader->materials.count;
  supple_material *materials =
      supplei_loader_allocate(loader, count, sizeof *materials, "the materials");
  if (!materials) return supplei_loader_memory_result(loader);
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    result = read_material(loader, loader->materials.items[i], &materials[i]);
  loader->asset->materials = materials;
  loader->asset->material_count = count;
  return result;
}
