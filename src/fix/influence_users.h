/* influence_users.h: primitives that share their influences. */
#ifndef SUPPLEI_INFLUENCE_USERS_H
#define SUPPLEI_INFLUENCE_USERS_H

#include "fix_state.h"

/* A primitive with influences, as the document names its accessors. */
typedef struct supplei_influence_user {
  uint32_t mesh, primitive;
  supple_value attributes;
  uint32_t set_count;
  uint32_t key,
      key_count; /* its key in the pool: joints and weights of each set, then what limiting depends on */
  bool draco; /* the data is compressed as a whole */
} supplei_influence_user;

/* All of them; those with equal keys form a group, and stand next to each other. */
typedef struct supplei_influence_users {
  supple_allocator allocator;
  supplei_influence_user *items;
  uint32_t count, capacity;
  uint32_t *pool;
  uint32_t pool_count, pool_capacity;
} supplei_influence_users;

/* Collects and sorts. `geometry`: positions (morphed ones too) are part of the key. Release it in any case. */
supple_result supplei_influence_users_find(supplei_influence_users *users, supplei_fix *fix,
                                           bool geometry);
void supplei_influence_users_release(supplei_influence_users *users);
/* The end of the group that begins at `begin`. */
uint32_t supplei_influence_users_end(const supplei_influence_users *users, uint32_t begin);

#endif
