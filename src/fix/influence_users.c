/* influence_users.c: primitives that share their influences. */
#include "../base/prologue.h"

#include "influence_users.h"

#include "../base/merge_sort.h"
#include "fix_json.h"

#include <stdio.h>
#include <string.h>

static supple_result add_key(supplei_influence_users *users, supplei_fix *fix, uint32_t number) {
  void *pool = users->pool;
  const supple_result grown =
      supplei_grow(&users->allocator, &pool, &users->pool_capacity, users->pool_count,
                   users->pool_count + 1, sizeof *users->pool, fix->error);
  users->pool = pool;
  if (!grown) users->pool[users->pool_count++] = number;
  return grown;
}

static supple_result add_user(supplei_influence_users *users, supplei_fix *fix,
                              const supplei_influence_user *user) {
  void *items = users->items;
  const supple_result grown = supplei_grow(&users->allocator, &items, &users->capacity, users->count,
                                           users->count + 1, sizeof *users->items, fix->error);
  users->items = items;
  if (!grown) users->items[users->count++] = *user;
  return grown;
}

/* The sets of a primitive; the loader has seen that they are numbered without gaps, and that joints and weights
 * match. */
static supple_result add_sets(supplei_influence_users *users, supplei_fix *fix,
                              supplei_influence_user *user) {
  supple_result result = SUPPLE_OK;
  while (!result) {
    char key[24];
    snprintf(key, sizeof key, "JOINTS_%u", (unsigned)user->set_count);
    const uint32_t joints = supplei_fix_index(fix->document, user->attributes, key);
    snprintf(key, sizeof key, "WEIGHTS_%u", (unsigned)user->set_count);
    const uint32_t weights = supplei_fix_index(fix->document, user->attributes, key);
    if (joints == SUPPLE_NONE || weights == SUPPLE_NONE) return SUPPLE_OK;
    result = add_key(users, fix, joints);
    if (!result) result = add_key(users, fix, weights);
    user->set_count++;
  }
  return result;
}

static supple_result add_geometry(supplei_influence_users *users, supplei_fix *fix,
                                  supple_value object, supple_value attributes) {
  const supple_value targets = supple_document_member(fix->document, object, "targets");
  supple_result result =
      add_key(users, fix, supplei_fix_index(fix->document, attributes, "POSITION"));
  for (uint32_t t = 0; !result && t < supple_document_count(fix->document, targets); t++)
    result =
        add_key(users, fix,
                supplei_fix_index(fix->document, supple_document_child(fix->document, targets, t),
                                  "POSITION"));
  return result;
}

static supple_result add_primitive(supplei_influence_users *users, supplei_fix *fix, uint32_t mesh,
                                   uint32_t primitive, bool geometry) {
  const supple_document *document = fix->document;
  const supple_value object = supplei_fix_primitive(document, mesh, primitive);
  supplei_influence_user user = {.mesh = mesh,
                                 .primitive = primitive,
                                 .attributes =
                                     supple_document_member(document, object, "attributes"),
                                 .key = users->pool_count};
  supple_result result = add_sets(users, fix, &user);
  if (result || !user.set_count) return result;
  const supple_value extensions = supple_document_member(document, object, "extensions");
  const supple_value draco =
      supple_document_member(document, extensions, "KHR_draco_mesh_compression");
  user.draco = draco != SUPPLE_NONE;
  /* Compressed data is not what its accessors say. */
  if (user.draco) result = add_key(users, fix, supplei_fix_index(document, draco, "bufferView"));
  if (!result && geometry) result = add_geometry(users, fix, object, user.attributes);
  user.key_count = users->pool_count - user.key;
  return result ? result : add_user(users, fix, &user);
}

static int compare_users(const void *context, uint64_t a, uint64_t b) {
  const supplei_influence_users *users = context;
  const supplei_influence_user *p = &users->items[a], *q = &users->items[b];
  if (p->set_count != q->set_count) return p->set_count < q->set_count ? -1 : 1;
  if (p->key_count != q->key_count) return p->key_count < q->key_count ? -1 : 1;
  for (uint32_t i = 0; i < p->key_count; i++) {
    const uint32_t m = users->pool[p->key + i], n = users->pool[q->key + i];
    if (m != n) return m < n ? -1 : 1;
  }
  return 0;
}

static supple_result sort_users(supplei_influence_users *users, supplei_fix *fix) {
  const size_t count = users->count;
  uint64_t *order = supplei_allocate(&users->allocator, 2 * count, sizeof *order);
  supplei_influence_user *sorted = supplei_allocate(&users->allocator, count, sizeof *sorted);
  const bool fine = order && sorted;
  for (size_t i = 0; fine && i < count; i++) order[i] = i;
  if (fine) supplei_merge_sort(order, order + count, count, compare_users, users);
  for (size_t i = 0; fine && i < count; i++) sorted[i] = users->items[order[i]];
  if (fine && count) memcpy(users->items, sorted, count * sizeof *sorted);
  supplei_release(&users->allocator, order, 2 * count, sizeof *order);
  supplei_release(&users->allocator, sorted, count, sizeof *sorted);
  return fine ? SUPPLE_OK : supplei_fix_no_memory(fix, "primitives");
}

supple_result supplei_influence_users_find(supplei_influence_users *users, supplei_fix *fix,
                                           bool geometry) {
  *users = (supplei_influence_users){.allocator = fix->allocator};
  supple_result result = SUPPLE_OK;
  for (uint32_t m = 0; !result && m < fix->before->mesh_count; m++)
    for (uint32_t p = 0; !result && p < fix->before->meshes[m].primitive_count; p++)
      result = add_primitive(users, fix, m, p, geometry);
  return result ? result : sort_users(users, fix);
}

void supplei_influence_users_release(supplei_influence_users *users) {
  supplei_release(&users->allocator, users->items, users->capacity, sizeof *users->items);
  supplei_release(&users->allocator, users->pool, users->pool_capacity, sizeof *users->pool);
  users->items = NULL;
  users->pool = NULL;
  users->count = users->capacity = users->pool_count = users->pool_capacity = 0;
}

uint32_t supplei_influence_users_end(const supplei_influence_users *users, uint32_t begin) {
  uint32_t end = begin + 1;
  while (end < users->count && compare_users(users, begin, end) == 0) end++;
  return end;
}
