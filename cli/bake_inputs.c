/* bake_inputs.c: what the frames of a bake depend on, as a hash. */
#include "bake_part.h"

#include <string.h>

static void add_u32(cli_hash *hash, uint32_t value) { cli_hash_add(hash, &value, sizeof value); }
static void add_floats(cli_hash *hash, const float *values, size_t count) {
  add_u32(hash, values != NULL);
  if (values) cli_hash_add(hash, values, count * sizeof *values);
}

static void add_options(cli_hash *hash, const bake_plan *plan) {
  const cli_options *options = plan->stage->options;
  const int choices[] = {(int)plan->format, (int)plan->method,   options->scale,
                         options->signs,    options->split,      options->normals,
                         options->weights,  options->unweighted, (int)options->max_influences,
                         options->space,    plan->normals,       plan->tangents};
  cli_hash_add(hash, SUPPLE_VERSION_TEXT, sizeof SUPPLE_VERSION_TEXT);
  for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
    add_u32(hash, (uint32_t)choices[i]);
  cli_hash_add(hash, &options->rigid_tolerance, sizeof options->rigid_tolerance);
  add_u32(hash, plan->clip == SUPPLE_NONE);
  cli_hash_add(hash, plan->times, plan->frame_count * sizeof *plan->times);
}

static void add_primitive(cli_hash *hash, const supple_primitive *source) {
  const size_t n = source->vertex_count, influences = n * source->influence_count;
  add_u32(hash, source->vertex_count);
  add_u32(hash, source->influence_count);
  add_floats(hash, source->positions, 3 * n);
  add_floats(hash, source->normals, 3 * n);
  add_floats(hash, source->tangents, 4 * n);
  cli_hash_add(hash, source->joints, influences * sizeof *source->joints);
  add_floats(hash, source->weights, influences);
  add_u32(hash, source->target_count);
  for (uint32_t t = 0; t < source->target_count; t++) {
    add_floats(hash, source->targets[t].positions, 3 * n);
    add_floats(hash, source->targets[t].normals, 3 * n);
    add_floats(hash, source->targets[t].tangents, 3 * n);
  }
}

static void add_nodes(cli_hash *hash, const supple_skeleton *skeleton) {
  add_u32(hash, skeleton->node_count);
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    const supple_node *node = &skeleton->nodes[i];
    add_u32(hash, node->parent);
    add_u32(hash, node->has_matrix);
    cli_hash_add(hash, &node->rest, sizeof node->rest);
    if (node->has_matrix) cli_hash_add(hash, &node->matrix, sizeof node->matrix);
    add_u32(hash, node->weight_begin);
    add_u32(hash, node->weight_count);
  }
  add_floats(hash, skeleton->weights, skeleton->weight_count);
}

static void add_clip(cli_hash *hash, const supple_clip *clip) {
  add_u32(hash, clip->channel_count);
  for (uint32_t i = 0; i < clip->channel_count; i++) {
    const supple_channel *channel = &clip->channels[i];
    const size_t values = (size_t)channel->key_count * channel->width;
    const bool cubic = channel->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE;
    add_u32(hash, channel->node);
    add_u32(hash, (uint32_t)channel->path);
    add_u32(hash, (uint32_t)channel->interpolation);
    add_u32(hash, channel->width);
    add_floats(hash, channel->times, channel->key_count);
    add_floats(hash, channel->values, values * (cubic ? 3 : 1));
  }
}

void bake_inputs_hash(const bake_plan *plan, uint64_t result[2]) {
  const supple_asset *asset = plan->stage->asset;
  cli_hash hash = cli_hash_start();
  add_options(&hash, plan);
  add_nodes(&hash, &asset->skeleton);
  if (plan->clip != SUPPLE_NONE) add_clip(&hash, &asset->clips[plan->clip]);
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    const bake_primitive *part = &plan->primitives[i];
    const supple_instance *instance = plan->stage->instances[part->instance].instance;
    const supple_skin *skin = instance->skin;
    add_u32(&hash, instance->node);
    cli_hash_add(&hash, skin->joints, skin->joint_count * sizeof *skin->joints);
    cli_hash_add(&hash, skin->inverse_binds, skin->joint_count * sizeof *skin->inverse_binds);
    add_primitive(&hash, part->source);
  }
  cli_hash_result(&hash, result);
}
