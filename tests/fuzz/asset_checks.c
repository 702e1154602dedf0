/* asset_checks.c: everything that the headers promise of a loaded asset. */
#include "fuzz.h"

#include <math.h>
#include <string.h>

/* Reads every byte, so that a sanitizer sees a stream that is too short. */
static void touch(const void *data, size_t size) {
  const volatile unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) (void)bytes[i];
}

static void check_text(const char *text) {
  fuzz_expect(text != NULL, "a name is never NULL");
  touch(text, strlen(text));
}

static void check_index(uint32_t index, uint32_t count, const char *promise) {
  fuzz_expect(index == SUPPLE_NONE || index < count, promise);
}

static void check_finite(const float *values, size_t count, const char *promise) {
  bool fine = true;
  for (size_t i = 0; i < count; i++) fine &= isfinite(values[i]) != 0;
  fuzz_expect(fine, promise);
}

static void check_skeleton(const supple_asset *asset) {
  const supple_skeleton *skeleton = &asset->skeleton;
  static uint32_t place[1024];
  fuzz_expect(skeleton->node_count <= 600, "limits.nodes holds");
  for (uint32_t i = 0; i < skeleton->node_count; i++) place[i] = SUPPLE_NONE;
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    fuzz_expect(skeleton->order[i] < skeleton->node_count, "order names nodes");
    fuzz_expect(place[skeleton->order[i]] == SUPPLE_NONE, "order names a node once");
    place[skeleton->order[i]] = i;
  }
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    const supple_node *node = &skeleton->nodes[i];
    check_text(node->name);
    check_index(node->parent, skeleton->node_count, "a parent is a node");
    if (node->parent != SUPPLE_NONE)
      fuzz_expect(place[node->parent] < place[i], "parents come before children");
    check_index(node->mesh, asset->mesh_count, "node.mesh is a mesh");
    check_index(node->skin, asset->skin_count, "node.skin is a skin");
    fuzz_expect(node->weight_begin <= skeleton->weight_count &&
                    node->weight_count <= skeleton->weight_count - node->weight_begin,
                "a node's weights are the skeleton's");
  }
  if (skeleton->weights) touch(skeleton->weights, skeleton->weight_count * sizeof(float));
}

static void check_targets(const supple_primitive *primitive, bool structure_only) {
  const size_t floats = 3 * (size_t)primitive->vertex_count;
  fuzz_expect(primitive->target_count <= 8, "limits.morph_targets holds");
  for (uint32_t t = 0; t < primitive->target_count; t++) {
    const supple_morph_target *target = &primitive->targets[t];
    const float *streams[] = {target->positions, target->normals, target->tangents};
    for (int k = 0; k < 3; k++) {
      fuzz_expect(!streams[k] || !structure_only, "structure_only leaves morph targets");
      if (streams[k]) touch(streams[k], floats * sizeof(float));
    }
  }
}

static void check_primitive(const supple_primitive *primitive, bool structure_only) {
  const size_t n = primitive->vertex_count;
  const size_t influences = n * primitive->influence_count;
  fuzz_expect(n <= 600, "limits.vertices holds");
  fuzz_expect(primitive->influence_count <= 16, "limits.influence_sets holds");
  fuzz_expect(primitive->influence_count % 4 == 0, "influences come in fours");
  check_targets(primitive, structure_only);
  if (structure_only) {
    fuzz_expect(!primitive->positions && !primitive->normals && !primitive->tangents &&
                    !primitive->texcoords && !primitive->colors && !primitive->joints &&
                    !primitive->weights,
                "structure_only leaves the streams");
    return;
  }
  fuzz_expect(primitive->positions != NULL || n == 0, "there are positions");
  check_finite(primitive->positions, 3 * n, "positions are finite");
  if (primitive->normals) touch(primitive->normals, 12 * n);
  if (primitive->tangents) touch(primitive->tangents, 16 * n);
  if (primitive->texcoords) touch(primitive->texcoords, 8 * n);
  if (primitive->colors) touch(primitive->colors, 16 * n);
  for (uint32_t i = 0; i < primitive->index_count; i++)
    fuzz_expect(primitive->indices[i] < n, "an index is a vertex");
  if (primitive->topology == SUPPLE_TOPOLOGY_TRIANGLES)
    fuzz_expect(primitive->index_count % 3 == 0, "triangles have three corners");
  if (!influences) return;
  touch(primitive->joints, influences * sizeof *primitive->joints);
  check_finite(primitive->weights, influences, "weights are finite");
}

static void check_meshes(const supple_asset *asset, bool structure_only) {
  for (uint32_t m = 0; m < asset->mesh_count; m++) {
    const supple_mesh *mesh = &asset->meshes[m];
    check_text(mesh->name);
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      fuzz_expect(mesh->primitives[p].mesh == m && mesh->primitives[p].index == p,
                  "a primitive knows its place");
      check_index(mesh->primitives[p].material, asset->material_count, "a material there is");
      check_primitive(&mesh->primitives[p], structure_only);
    }
  }
}

static void check_skins(const supple_asset *asset, bool structure_only) {
  for (uint32_t s = 0; s < asset->skin_count; s++) {
    const supple_skin *skin = &asset->skins[s];
    check_text(skin->name);
    fuzz_expect(skin->index == s, "a skin knows its place");
    fuzz_expect(skin->joint_count > 0 && skin->joint_count <= 64, "limits.joints holds");
    check_index(skin->skeleton, asset->skeleton.node_count, "skin.skeleton is a node");
    for (uint32_t k = 0; k < skin->joint_count; k++) {
      fuzz_expect(skin->joints[k] < asset->skeleton.node_count, "a joint is a node");
      check_index(skin->parents[k], skin->joint_count, "a joint's parent is a joint");
      fuzz_expect(skin->parents[k] != k, "a joint is not its own parent");
    }
    if (!structure_only)
      touch(skin->inverse_binds, skin->joint_count * sizeof *skin->inverse_binds);
  }
}

static void check_instance(const supple_asset *asset, const supple_instance *instance,
                           bool structure_only) {
  fuzz_expect(instance->node < asset->skeleton.node_count, "an instance has a node");
  fuzz_expect(instance->mesh < asset->mesh_count, "an instance has a mesh");
  fuzz_expect(instance->primitive_count == asset->meshes[instance->mesh].primitive_count,
              "an instance has its mesh's primitives");
  const supple_node *node = &asset->skeleton.nodes[instance->node];
  fuzz_expect(instance->skin == &asset->skins[node->skin], "an instance has its node's skin");
  for (uint32_t p = 0; p < instance->primitive_count; p++) {
    const supple_primitive *primitive = instance->primitives[p];
    const size_t influences = (size_t)primitive->vertex_count * primitive->influence_count;
    fuzz_expect(primitive == &asset->meshes[instance->mesh].primitives[p], "in their order");
    fuzz_expect(primitive->influence_count > 0, "a skinned primitive has influences");
    fuzz_expect(primitive->target_count <= node->weight_count, "a weight a morph target");
    for (size_t i = 0; !structure_only && i < influences; i++)
      fuzz_expect(primitive->weights[i] == 0 || primitive->joints[i] < instance->skin->joint_count,
                  "a joint with weight is in the skin");
  }
}

static void check_channel(const supple_asset *asset, const supple_clip *clip,
                          const supple_channel *channel, bool structure_only) {
  const size_t keys = channel->key_count;
  fuzz_expect(channel->node < asset->skeleton.node_count, "a channel moves a node");
  const uint32_t widths[] = {3, 4, 3, asset->skeleton.nodes[channel->node].weight_count};
  fuzz_expect((unsigned)channel->path <= SUPPLE_PATH_WEIGHTS, "a channel has a path");
  fuzz_expect(channel->width == widths[channel->path], "a channel has its path's width");
  fuzz_expect(keys > 0, "a channel has keys");
  if (structure_only) return;
  check_finite(channel->times, keys, "key times are finite");
  for (size_t k = 1; k < keys; k++)
    fuzz_expect(channel->times[k] >= channel->times[k - 1], "key times do not decrease");
  fuzz_expect((double)channel->times[0] >= clip->begin &&
                  (double)channel->times[keys - 1] <= clip->end,
              "a clip holds its channels");
  const size_t each = channel->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
  touch(channel->values, keys * channel->width * each * sizeof(float));
}

static void check_clips(const supple_asset *asset, bool structure_only) {
  for (uint32_t c = 0; c < asset->clip_count; c++) {
    const supple_clip *clip = &asset->clips[c];
    check_text(clip->name);
    if (!structure_only) fuzz_expect(clip->begin <= clip->end, "a clip ends after it begins");
    for (uint32_t k = 0; k < clip->channel_count; k++)
      check_channel(asset, clip, &clip->channels[k], structure_only);
  }
}

static void check_material(const supple_asset *asset, const supple_material *material) {
  const supple_texture *texture = &material->base_color_texture;
  check_text(material->name);
  check_finite(material->base_color, 4, "a colour is finite");
  check_finite(material->emissive, 3, "a colour is finite");
  check_finite(texture->offset, 2, "a texture's place is finite");
  check_finite(texture->scale, 2, "a texture's size is finite");
  check_index(texture->image, asset->image_count, "a texture has an image");
  fuzz_expect(isfinite(material->metallic) && isfinite(material->roughness) &&
                  isfinite(material->alpha_cutoff) && isfinite(texture->rotation),
              "a factor is finite");
  fuzz_expect((unsigned)material->alpha_mode <= SUPPLE_ALPHA_BLEND, "an alpha mode there is");
}

static void check_image(const supple_image *image, bool structure_only) {
  check_text(image->name), check_text(image->mime_type), check_text(image->path);
  fuzz_expect(!image->data || !structure_only, "structure_only leaves images");
  fuzz_expect(image->data || !image->size, "an image without bytes has no size");
  if (image->data) touch(image->data, image->size);
}

void fuzz_check_asset(const supple_asset *asset, bool structure_only) {
  check_skeleton(asset);
  check_meshes(asset, structure_only);
  check_skins(asset, structure_only);
  for (uint32_t i = 0; i < asset->instance_count; i++)
    check_instance(asset, &asset->instances[i], structure_only);
  check_clips(asset, structure_only);
  check_index(asset->scene, asset->scene_count, "the scene is one of them");
  for (uint32_t s = 0; s < asset->scene_count; s++) {
    check_text(asset->scenes[s].name);
    for (uint32_t i = 0; i < asset->scenes[s].node_count; i++)
      fuzz_expect(asset->scenes[s].nodes[i] < asset->skeleton.node_count, "a scene has nodes");
  }
  for (uint32_t i = 0; i < asset->material_count; i++) check_material(asset, &asset->materials[i]);
  for (uint32_t i = 0; i < asset->image_count; i++) check_image(&asset->images[i], structure_only);
  for (uint32_t i = 0; i < asset->extension_count; i++) check_text(asset->extensions_used[i]);
  for (uint32_t i = 0; i < asset->note_count; i++) {
    check_text(asset->notes[i].pointer);
    check_text(asset->notes[i].text);
  }
  check_text(asset->generator), check_text(asset->version), check_text(asset->copyright);
}
