/* practice_skins.c: what the skins themselves say: joints, inverse bind matrices, twins. */
#include "../base/prologue.h"

#include "practice.h"

#include "../base/merge_sort.h"

#include <stdio.h>
#include <string.h>

/* ---- one skin ---- */

static void look_at_joint_count(supplei_practice *practice, const supple_skin *skin,
                                const char *pointer) {
  static const struct {
    uint32_t most;
    const char *whose;
  } limits[] = {{1024, "uniform buffers of 64 KB hold"},
                {256, "joint numbers of 8 bits, and uniform buffers of 16 KB, reach"},
                {128, "512 uniform vectors hold"},
                {64, "256 uniform vectors, the least of WebGL 2, hold"}};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    if (skin->joint_count <= limits[i].most) continue;
    supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_JOINTS_MANY, pointer,
                        supplei_practice_count(skin->joint_count),
                        "%u joints, more than the %u that %s", (unsigned)skin->joint_count,
                        (unsigned)limits[i].most, limits[i].whose);
    return;
  }
}

static void look_at_unused(supplei_practice *practice, const supplei_skin_use *use,
                           const char *pointer) {
  const supple_skin *skin = use->instance->skin;
  char name[SUPPLEI_WORDS];
  uint32_t first = 0, unused = skin->joint_count - use->used_count;
  if (!unused) return;
  while (use->used[first]) first++;
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_JOINTS_UNUSED, pointer,
                      supplei_practice_count(unused),
                      "%u of %u joints move no vertex, the first is %s", (unsigned)unused,
                      (unsigned)skin->joint_count,
                      supplei_practice_node(practice->asset, skin->joints[first], name));
}

static void look_at_inverse_binds(supplei_practice *practice, const supple_skin *skin,
                                  uint32_t accessor, const char *pointer) {
  char name[SUPPLEI_WORDS];
  uint32_t singular = 0, first = 0;
  if (accessor == SUPPLE_NONE) {
    supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_INVERSE_BINDS_MISSING, pointer,
                        supplei_practice_count(skin->joint_count),
                        "no inverse bind matrices: each vertex is moved by the whole world "
                        "transforms of its joints");
    return;
  }
  for (uint32_t k = skin->joint_count; k-- > 0;) {
    supple_affine64 inverse;
    if (supple_affine64_inverse(&skin->inverse_binds[k], &inverse)) continue;
    singular++;
    first = k;
  }
  if (singular)
    supplei_check_found(
        practice->check, SUPPLEI_CODE_SKINNING_INVERSE_BIND_SINGULAR, pointer,
        supplei_practice_count(singular),
        "%u of %u inverse bind matrices have no inverse, the first that of joint %u, %s",
        (unsigned)singular, (unsigned)skin->joint_count, (unsigned)first,
        supplei_practice_node(practice->asset, skin->joints[first], name));
}

/* ---- skins that are alike ---- */

static int by_key(const void *context, uint64_t a, uint64_t b) {
  const uint64_t *keys = context; /* [skin_count] */
  if (keys[a] != keys[b]) return keys[a] < keys[b] ? -1 : 1;
  return (a > b) - (a < b);
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
  return hash;
}

static bool same_joints(const supple_skin *a, const supple_skin *b) {
  return a->joint_count == b->joint_count &&
         memcmp(a->joints, b->joints, a->joint_count * sizeof *a->joints) == 0;
}

static bool same_skin(const supple_skin *a, const supple_skin *b) {
  return same_joints(a, b) &&
         memcmp(a->inverse_binds, b->inverse_binds, a->joint_count * sizeof *a->inverse_binds) == 0;
}

/* Skins of one key that are, or are not, like the first of them. */
typedef struct skin_group {
  uint32_t first, count;  /* count: of the others */
  uint32_t lowest, other; /* of the others: the first and the last */
} skin_group;

static void tell_group(supplei_practice *practice, const skin_group *group, bool twins,
                       uint64_t accessor) {
  char pointer[64], others[64];
  if (!group->count) return;
  if (group->count == 1)
    snprintf(others, sizeof others, "skin %u", (unsigned)group->lowest);
  else
    snprintf(others, sizeof others, "%u others, skins %u to %u,", (unsigned)group->count,
             (unsigned)group->lowest, (unsigned)group->other);
  snprintf(pointer, sizeof pointer, "/skins/%u%s", (unsigned)group->first,
           twins ? "" : "/inverseBindMatrices");
  if (twins)
    supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_SKIN_DUPLICATE, pointer,
                        supplei_practice_count(group->count),
                        "%s %s the same %u joints and inverse bind matrices", others,
                        group->count == 1 ? "has" : "have",
                        (unsigned)practice->asset->skins[group->first].joint_count);
  else
    supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_INVERSE_BINDS_SHARED, pointer,
                        supplei_practice_count(group->count),
                        "%s with other joints %s the same inverse bind matrices, accessor %u",
                        others, group->count == 1 ? "has" : "have", (unsigned)accessor);
}

/* twins: keys are hashes, and skins that equal the first of their run are told; that two hashes of 64 bits are
 * equal by accident is nothing to reckon with. Else keys are accessors, and skins with other joints than the
 * first of their run are told. */
static void compare(supplei_practice *practice, const uint64_t *order, const uint64_t *keys,
                    bool twins) {
  const supple_skin *skins = practice->asset->skins;
  uint32_t count = practice->asset->skin_count;
  for (uint32_t i = 0; i < count;) {
    skin_group group = {.first = (uint32_t)order[i]};
    uint64_t key = keys[order[i]];
    for (i++; i < count && keys[order[i]] == key; i++) {
      const supple_skin *first = &skins[group.first], *other = &skins[order[i]];
      if (twins ? !same_skin(first, other) : same_joints(first, other)) continue;
      if (!group.count++) group.lowest = (uint32_t)order[i];
      group.other = (uint32_t)order[i];
    }
    if (twins || key != SUPPLE_NONE) tell_group(practice, &group, twins, key);
  }
}

/* ---- all of them ---- */

static void look(supplei_practice *practice, uint64_t *accessors, uint64_t *hashes, uint64_t *order) {
  const supple_asset *asset = practice->asset;
  const supple_document *document = practice->check->document;
  uint32_t count = asset->skin_count;
  supple_value skins = supple_document_member(document, 0, "skins");
  for (uint32_t s = 0; s < count; s++) {
    const supple_skin *skin = &asset->skins[s];
    char pointer[64];
    supple_value value = supple_document_child(document, skins, s);
    uint32_t accessor = supple_document_index(
        document, supple_document_member(document, value, "inverseBindMatrices"));
    snprintf(pointer, sizeof pointer, "/skins/%u", (unsigned)s);
    look_at_joint_count(practice, skin, pointer);
    if (practice->skins[s].instance) look_at_unused(practice, &practice->skins[s], pointer);
    look_at_inverse_binds(practice, skin, accessor, pointer);
    accessors[s] = accessor;
    hashes[s] = mix(mix(0xCBF29CE484222325u, skin->joints, skin->joint_count * sizeof *skin->joints),
                    skin->inverse_binds, skin->joint_count * sizeof *skin->inverse_binds);
  }
  for (uint32_t s = 0; s < count; s++) order[s] = s;
  supplei_merge_sort(order, order + count, count, by_key, hashes);
  compare(practice, order, hashes, true);
  supplei_merge_sort(order, order + count, count, by_key, accessors);
  compare(practice, order, accessors, false);
}

void supplei_practice_skins(supplei_practice *practice) {
  const supple_allocator *a = practice->allocator;
  size_t count = practice->asset->skin_count;
  uint64_t *accessors = supplei_allocate(a, count, sizeof *accessors);
  uint64_t *hashes = supplei_allocate(a, count, sizeof *hashes);
  uint64_t *order = supplei_allocate(a, count, 2 * sizeof *order);
  if (accessors && hashes && order)
    look(practice, accessors, hashes, order);
  else if (!practice->check->result)
    practice->check->result = SUPPLE_ERROR_MEMORY;
  supplei_release(a, order, count, 2 * sizeof *order);
  supplei_release(a, hashes, count, sizeof *hashes);
  supplei_release(a, accessors, count, sizeof *accessors);
}
