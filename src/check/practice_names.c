/* practice_names.c: names of joints that are missing, used twice, or changed by viewers. */
#include "../base/prologue.h"

#include "practice.h"

#include "../base/merge_sort.h"

#include <stdio.h>
#include <string.h>

/* Names of all joints: as they are, and as three.js calls them. */
typedef struct joint_names {
  const supple_node *nodes;
  const uint32_t *joints; /* nodes */
  char *text;             /* what viewers make of them, one after the other */
  size_t text_size;
  size_t *begins; /* [joint_node_count] in text */
} joint_names;

/* ---- what three.js makes of a name ---- */

/* Bytes of the white space (as JavaScript's \s has it) at text; 0: there is none. */
static size_t white_space(const char *text) {
  const unsigned char *t = (const unsigned char *)text;
  if (t[0] == ' ' || (t[0] >= 9 && t[0] <= 13)) return 1;
  if (t[0] == 0xC2 && t[1] == 0xA0) return 2; /* U+00A0 */
  if (t[0] < 0xE1 || t[0] > 0xEF || !t[1] || !t[2]) return 0;
  uint32_t code = (t[0] & 0x0Fu) << 12 | (t[1] & 0x3Fu) << 6 | (t[2] & 0x3Fu);
  bool space = code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
               code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000 ||
               code == 0xFEFF;
  return space ? 3 : 0;
}

/* White space becomes "_", []. :/ are left out. At most as long as the name, with its NUL. */
static size_t clean_name(const char *name, char *out) {
  size_t length = 0;
  while (*name) {
    size_t space = white_space(name);
    if (space)
      out[length++] = '_';
    else if (!strchr("[].:/", *name))
      out[length++] = *name;
    name += space ? space : 1;
  }
  out[length++] = '\0';
  return length;
}

static const char *cleaned(const joint_names *names, uint64_t item) {
  return names->text + names->begins[item];
}

static const char *raw(const joint_names *names, uint64_t item) {
  return names->nodes[names->joints[item]].name;
}

/* ---- findings ---- */

static int by_name(const void *context, uint64_t a, uint64_t b) {
  const joint_names *names = context;
  int order = strcmp(cleaned(names, a), cleaned(names, b));
  if (!order) order = strcmp(raw(names, a), raw(names, b));
  return order ? order : (a > b) - (a < b);
}

typedef struct name_count {
  uint32_t count;
  uint32_t first, second; /* nodes of an example; the finding is at the first */
} name_count;

static void note(name_count *noted, uint32_t count, uint32_t first, uint32_t second) {
  if (!noted->count || first < noted->first) noted->first = first, noted->second = second;
  noted->count += count;
}

/* Runs of equal names, and of different ones that become equal. */
static void compare_neighbours(const joint_names *names, const uint64_t *order, uint32_t count,
                               name_count *duplicates, name_count *collisions) {
  for (uint32_t i = 0, end; i < count; i = end) {
    uint32_t same = i;
    bool differ = false;
    for (end = i + 1; end < count; end++) {
      if (strcmp(cleaned(names, order[end]), cleaned(names, order[i])) != 0) break;
      if (strcmp(raw(names, order[end]), raw(names, order[same])) != 0) {
        if (!differ) note(collisions, 0, names->joints[order[i]], names->joints[order[end]]);
        if (end - same > 1)
          note(duplicates, end - same, names->joints[order[same]], names->joints[order[same + 1]]);
        same = end, differ = true;
      }
    }
    if (end - same > 1)
      note(duplicates, end - same, names->joints[order[same]], names->joints[order[same + 1]]);
    if (differ) collisions->count += end - i;
  }
}

static void found(supplei_practice *practice, supplei_code code, const name_count *noted,
                  const char *what) {
  char pointer[64], first[SUPPLEI_WORDS], second[SUPPLEI_WORDS];
  if (!noted->count) return;
  bool pair = noted->first != noted->second;
  snprintf(pointer, sizeof pointer, "/nodes/%u", (unsigned)noted->first);
  supplei_practice_node(practice->asset, noted->first, first);
  supplei_practice_node(practice->asset, noted->second, second);
  supplei_check_found(practice->check, code, pointer, supplei_practice_count(noted->count),
                      "%u of %u joints %s: %s%s%s", (unsigned)noted->count,
                      (unsigned)practice->joint_node_count, what, first, pair ? " and " : "",
                      pair ? second : "");
}

static void look(supplei_practice *practice, const joint_names *names, uint64_t *order) {
  name_count missing = {0}, unsafe = {0}, duplicates = {0}, collisions = {0};
  uint32_t count = practice->joint_node_count, named = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t node = names->joints[i];
    if (!raw(names, i)[0])
      note(&missing, 1, node, node);
    else
      order[named++] = i;
    if (strcmp(raw(names, i), cleaned(names, i)) != 0) note(&unsafe, 1, node, node);
  }
  supplei_merge_sort(order, order + count, named, by_name, names);
  compare_neighbours(names, order, named, &duplicates, &collisions);
  found(practice, SUPPLEI_CODE_SKINNING_NAME_DUPLICATE, &duplicates,
        "share their name with another");
  found(practice, SUPPLEI_CODE_SKINNING_NAME_COLLISION, &collisions,
        "have names that three.js makes equal");
  found(practice, SUPPLEI_CODE_SKINNING_NAME_MISSING, &missing, "have no name, the first");
  found(practice, SUPPLEI_CODE_SKINNING_NAME_UNSAFE, &unsafe,
        "have a name that three.js changes, the first");
}

void supplei_practice_names(supplei_practice *practice) {
  const supple_allocator *a = practice->allocator;
  uint32_t count = practice->joint_node_count;
  joint_names names = {.nodes = practice->asset->skeleton.nodes, .joints = practice->joints};
  for (uint32_t i = 0; i < count; i++) names.text_size += strlen(raw(&names, i)) + 1;
  names.text = supplei_allocate(a, names.text_size, 1);
  names.begins = supplei_allocate(a, count, sizeof *names.begins);
  uint64_t *order = supplei_allocate(a, count, 2 * sizeof *order);
  if (names.text && names.begins && order) {
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++) {
      names.begins[i] = length;
      length += clean_name(raw(&names, i), names.text + length);
    }
    look(practice, &names, order);
  } else if (!practice->check->result) {
    practice->check->result = SUPPLE_ERROR_MEMORY;
  }
  supplei_release(a, order, count, 2 * sizeof *order);
  supplei_release(a, names.begins, count, sizeof *names.begins);
  supplei_release(a, names.text, names.text_size, 1);
}
