/* practice.c: what breaks skinned assets in practice: its parts in order, and what they share. */
#include "../base/prologue.h"

#include "practice.h"

#include "instance_twins.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- texts ---- */

/* value = 0.ddd · 10^*exponent; the digits as one whole number. */
static uint64_t digits_of(double value, int digits, int *exponent) {
  uint64_t most = 1;
  *exponent = 0;
  while (value >= 1) value /= 10, ++*exponent;
  while (value < 0.1) value *= 10, --*exponent;
  for (int i = 0; i < digits; i++) value *= 10, most *= 10;
  uint64_t whole = (uint64_t)(value + 0.5);
  if (whole < most) return whole;
  ++*exponent;
  return whole / 10;
}

const char *supplei_practice_number(double value, int digits, char words[SUPPLEI_WORDS]) {
  if (value == 0 || !(fabs(value) < HUGE_VAL)) {
    snprintf(words, SUPPLEI_WORDS, "%s", value == 0 ? "0" : "not finite");
    return words;
  }
  int exponent, point;
  char text[16], *at = words;
  uint64_t whole = digits_of(fabs(value), digits, &exponent);
  int length = snprintf(text, sizeof text, "%llu", (unsigned long long)whole);
  while (length > 1 && text[length - 1] == '0') length--;
  bool plain = exponent > -5 && exponent < 10;
  point = plain ? exponent : 1;
  if (value < 0) *at++ = '-';
  if (point <= 0) *at++ = '0', *at++ = '.';
  for (int i = point; i < 0; i++) *at++ = '0';
  for (int i = 0; i < length || i < point; i++) {
    if (i == point && i) *at++ = '.';
    *at++ = i < length ? text[i] : '0';
  }
  *at = '\0';
  if (!plain) snprintf(at, 16, "e%+03d", exponent - 1);
  return words;
}

const char *supplei_practice_metres(double metres, char words[SUPPLEI_WORDS]) {
  supplei_practice_number(metres, 3, words);
  if (fabs(metres) < HUGE_VAL) strcat(words, " m");
  return words;
}

/* At most `most` bytes of a text, cut at a whole character. */
static int shown(const char *text, size_t most) {
  size_t length = strlen(text);
  if (length <= most) return (int)length;
  for (length = most; length && ((unsigned char)text[length] & 0xC0) == 0x80;) length--;
  return (int)length;
}

const char *supplei_practice_when(const supple_asset *asset, const supplei_worst *worst,
                                  char words[SUPPLEI_WORDS]) {
  const supplei_frame *frame = &worst->frame;
  if (frame->clip == SUPPLE_NONE || !(worst->metres > 0)) {
    snprintf(words, SUPPLEI_WORDS, "with the nodes as stored");
    return words;
  }
  char seconds[SUPPLEI_WORDS];
  const char *name = asset->clips[frame->clip].name;
  supplei_practice_number(frame->seconds, 4, seconds);
  if (name[0])
    snprintf(words, SUPPLEI_WORDS, "in clip \"%.*s\" at %.20s s", shown(name, 64), name, seconds);
  else
    snprintf(words, SUPPLEI_WORDS, "in clip %u at %.20s s", (unsigned)frame->clip, seconds);
  return words;
}

const char *supplei_practice_node(const supple_asset *asset, uint32_t node,
                                  char words[SUPPLEI_WORDS]) {
  const char *name = asset->skeleton.nodes[node].name;
  if (name[0])
    snprintf(words, SUPPLEI_WORDS, "\"%.*s\" (node %u)", shown(name, 64), name, (unsigned)node);
  else
    snprintf(words, SUPPLEI_WORDS, "node %u", (unsigned)node);
  return words;
}

/* ---- small ---- */

void supplei_worst_offer(supplei_worst *worst, double metres, const supplei_frame *frame,
                         uint32_t index) {
  if (metres > worst->metres && metres < HUGE_VAL) *worst = (supplei_worst){metres, *frame, index};
}

supplei_extent supplei_practice_count(uint32_t count) {
  return (supplei_extent){count, (double)NAN};
}

/* ---- what the parts share ---- */

/* Whether a channel of scales has a key other than 1, 1, 1. */
static bool rescales(const supple_channel *channel) {
  bool cubic = channel->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE;
  if (channel->path != SUPPLE_PATH_SCALE || !channel->values) return false;
  for (size_t k = 0; k < channel->key_count; k++)
    for (size_t c = 0; c < 3; c++)
      if (fabs((double)channel->values[(cubic ? 3 * k + 1 : k) * 3 + c] - 1) > 1e-4) return true;
  return false;
}

/* last: room for a clip a node. */
static void mark_channels(supplei_practice *practice, uint32_t *last) {
  const supple_asset *asset = practice->asset;
  for (uint32_t i = 0; i < asset->clip_count; i++)
    for (uint32_t c = 0; c < asset->clips[i].channel_count; c++) {
      const supple_channel *channel = &asset->clips[i].channels[c];
      if (rescales(channel)) practice->animated[channel->node] |= SUPPLEI_RESCALED;
      if (channel->path == SUPPLE_PATH_WEIGHTS) continue;
      practice->animated[channel->node] |= SUPPLEI_ANIMATED;
      practice->clips[channel->node] += last[channel->node] != i + 1;
      last[channel->node] = i + 1;
    }
}

/* joints: first marked, then gathered in place. */
static void list_joints(supplei_practice *practice) {
  const supple_asset *asset = practice->asset;
  for (uint32_t s = 0; s < asset->skin_count; s++)
    for (uint32_t k = 0; k < asset->skins[s].joint_count; k++)
      practice->joints[asset->skins[s].joints[k]] = 1;
  for (uint32_t node = 0; node < asset->skeleton.node_count; node++)
    if (practice->joints[node]) practice->joints[practice->joint_node_count++] = node;
}

static bool open_skin(supplei_practice *practice, const supple_instance *instance) {
  const supple_allocator *a = practice->allocator;
  supplei_skin_use *use = &practice->skins[instance->skin->index];
  uint32_t count = instance->skin->joint_count,
           index = (uint32_t)(instance - practice->asset->instances);
  bool first = !use->instance;
  practice->instances[index].next =
      first ? SUPPLE_NONE : (uint32_t)(use->instance - practice->asset->instances);
  use->instance = instance;
  if (!first) return true;
  use->used = supplei_allocate_zero(a, count, 1);
  use->troubles = supplei_allocate_zero(a, count, 1);
  use->palette = supple_palette_create(count, SUPPLE_SPACE_SCENE, a, NULL);
  use->least_scale = HUGE_VAL;
  use->bound = SUPPLE_NONE;
  return use->used && use->troubles && use->palette;
}

/* Which joints the vertices of a mesh follow, by a skin. */
static void mark_used(supplei_skin_use *use, const supplei_mesh_use *mesh) {
  for (uint32_t i = 0; i < mesh->count; i++) {
    const uint32_t joint = mesh->joints[i];
    if (joint >= use->instance->skin->joint_count || use->used[joint]) continue;
    use->used[joint] = 1;
    use->used_count++;
  }
}

static bool open_mesh(supplei_practice *practice, const supple_instance *instance) {
  supplei_mesh_use *use = &practice->meshes[instance->mesh];
  bool fine = true;
  if (use->looked_at) return true;
  use->looked_at = true;
  for (uint32_t p = 0; fine && p < instance->primitive_count; p++) {
    const supple_primitive *primitive = instance->primitives[p];
    supplei_mover *mover = &practice->movers[practice->first_mover[instance->mesh] + p];
    if (!primitive->influence_count || !primitive->positions || !primitive->vertex_count) continue;
    mover->primitive = primitive;
    fine = supplei_influences_open(practice, mover, use);
  }
  for (uint32_t i = 0; i < use->count; i++) practice->joint_seen[use->joints[i]] = 0;
  return fine;
}

static bool open_instance(supplei_practice *practice, const supple_instance *instance) {
  const uint32_t index = (uint32_t)(instance - practice->asset->instances);
  if (!open_skin(practice, instance) || !open_mesh(practice, instance)) return false;
  if (practice->instances[index].first)
    mark_used(&practice->skins[instance->skin->index], &practice->meshes[instance->mesh]);
  return true;
}

/* Chains of instances that deformation cannot tell apart. */
static bool chain_twins(supplei_practice *practice) {
  const supple_asset *asset = practice->asset;
  const supple_allocator *a = practice->allocator;
  uint32_t *first = supplei_allocate(a, asset->instance_count, sizeof *first);
  uint32_t *last = supplei_allocate(a, asset->instance_count, sizeof *last);
  const bool fine = first && last && supplei_instance_twins(asset, first, a);
  for (uint32_t i = 0; fine && i < asset->instance_count; i++) {
    practice->instances[i].first = first[i] == i;
    practice->instances[i].twin = SUPPLE_NONE;
    if (first[i] != i) practice->instances[last[first[i]]].twin = i;
    last[first[i]] = i;
  }
  supplei_release(a, last, asset->instance_count, sizeof *last);
  supplei_release(a, first, asset->instance_count, sizeof *first);
  return fine;
}

static bool count_movers(supplei_practice *practice) {
  const supple_asset *asset = practice->asset;
  uint64_t count = 0;
  practice->first_mover =
      supplei_allocate_zero(practice->allocator, (size_t)asset->mesh_count + 1, sizeof(uint32_t));
  if (!practice->first_mover) return false;
  for (uint32_t m = 0; m < asset->mesh_count; m++) {
    count += asset->meshes[m].primitive_count;
    practice->first_mover[m + 1] = (uint32_t)count;
  }
  if (count > UINT32_MAX) return false;
  practice->movers =
      supplei_allocate_zero(practice->allocator, (size_t)count, sizeof *practice->movers);
  return practice->movers != NULL;
}

enum { JOINTS = 65536 }; /* that a vertex can name */

bool supplei_practice_open(supplei_practice *practice, supplei_check *check) {
  const supple_asset *asset = check->asset;
  const supple_allocator *a = &check->allocator;
  size_t nodes = asset->skeleton.node_count;
  *practice = (supplei_practice){.check = check, .asset = asset, .allocator = a};
  practice->animated = supplei_allocate_zero(a, nodes, 1);
  practice->clips = supplei_allocate_zero(a, nodes, sizeof *practice->clips);
  practice->joints = supplei_allocate_zero(a, nodes, sizeof *practice->joints);
  practice->skins = supplei_allocate_zero(a, asset->skin_count, sizeof *practice->skins);
  practice->instances = supplei_allocate_zero(a, asset->instance_count, sizeof *practice->instances);
  practice->meshes = supplei_allocate_zero(a, asset->mesh_count, sizeof *practice->meshes);
  practice->joint_seen = supplei_allocate_zero(a, JOINTS, 1);
  bool fine = practice->animated && practice->clips && practice->joints && practice->skins &&
              practice->instances && practice->meshes && practice->joint_seen &&
              count_movers(practice) && chain_twins(practice);
  if (fine) {
    mark_channels(practice, practice->joints); /* whose memory list_joints needs as zeros */
    memset(practice->joints, 0, nodes * sizeof *practice->joints);
    list_joints(practice);
  }
  for (uint32_t i = 0; fine && i < asset->instance_count; i++)
    fine = open_instance(practice, &asset->instances[i]);
  if (!fine && !check->result) check->result = SUPPLE_ERROR_MEMORY;
  return fine;
}

static void close_skin(supplei_practice *practice, uint32_t index) {
  supplei_skin_use *use = &practice->skins[index];
  uint32_t count = practice->asset->skins[index].joint_count;
  supplei_release(practice->allocator, use->used, count, 1);
  supplei_release(practice->allocator, use->troubles, count, 1);
  supple_palette_destroy(use->palette);
  supple_palette_destroy(use->flat);
}

void supplei_practice_close(supplei_practice *practice) {
  const supple_asset *asset = practice->asset;
  const supple_allocator *a = practice->allocator;
  size_t nodes = asset->skeleton.node_count;
  uint32_t movers = practice->first_mover ? practice->first_mover[asset->mesh_count] : 0;
  for (uint32_t i = 0; practice->movers && i < movers; i++)
    supplei_influences_close(practice, &practice->movers[i]);
  for (uint32_t s = 0; practice->skins && s < asset->skin_count; s++) close_skin(practice, s);
  for (uint32_t m = 0; practice->meshes && m < asset->mesh_count; m++)
    supplei_release(a, practice->meshes[m].joints, practice->meshes[m].capacity, sizeof(uint16_t));
  supplei_release(a, practice->meshes, asset->mesh_count, sizeof *practice->meshes);
  supplei_release(a, practice->joint_seen, JOINTS, 1);
  supplei_release(a, practice->movers, movers, sizeof *practice->movers);
  supplei_release(a, practice->first_mover, (size_t)asset->mesh_count + 1, sizeof(uint32_t));
  supplei_release(a, practice->skins, asset->skin_count, sizeof *practice->skins);
  supplei_release(a, practice->instances, asset->instance_count, sizeof *practice->instances);
  supplei_release(a, practice->joints, nodes, sizeof *practice->joints);
  supplei_release(a, practice->clips, nodes, sizeof *practice->clips);
  supplei_release(a, practice->animated, nodes, 1);
}

void supplei_check_practice(supplei_check *check) {
  supplei_practice practice;
  if (supplei_practice_open(&practice, check)) {
    supplei_practice_names(&practice);
    supplei_practice_nodes(&practice);
    supplei_practice_skins(&practice);
    supplei_practice_poses(&practice);
    if (check->options->strict) supplei_practice_strict(&practice);
  }
  supplei_practice_close(&practice);
}
