/* blocks.c: compiles a binding's influences into blocks of 16 vertices. */
#include "../base/prologue.h"

#include "blocks.h"

#include "../base/memory.h"
#include "binding.h"

#include <string.h>

/* A row of a block, which is also what blocks are aligned to: one more than needed is allocated for that. */
enum { LANES = SUPPLEI_BLOCK, ROW = 64 };
_Static_assert(ROW == LANES * sizeof(float), "a row is one float a lane");

void supplei_blocks_free(supple_binding *b) {
  const supple_allocator *a = &b->allocator;
  supplei_blocks *s = &b->blocks;
  size_t n = s->count;
  supplei_release(a, s->begins, n + 1, sizeof *s->begins);
  supplei_release(a, s->joints, s->total, sizeof *s->joints);
  supplei_release(a, s->weight_memory, (size_t)s->total + 1, ROW);
  supplei_release(a, s->pivots, n * LANES, sizeof *s->pivots);
  supplei_release(a, s->wide, n, sizeof *s->wide);
  supplei_release(a, s->special, n, sizeof *s->special);
  for (int i = 0; i < 3; i++) supplei_release(a, s->geometry_memory[i], s->geometry_rows[i], ROW);
  supplei_release(a, s->pairs, s->pair_count, sizeof *s->pairs);
  supplei_release(a, s->pair_begins, (size_t)s->pair_count + 1, sizeof *s->pair_begins);
  supplei_release(a, s->pair_blocks, s->pair_block_count, sizeof *s->pair_blocks);
  supplei_release(a, s->edge_begins, (size_t)b->joint_limit + 1, sizeof *s->edge_begins);
  supplei_release(a, s->neighbours, (size_t)s->pair_count * 2, sizeof *s->neighbours);
  *s = (supplei_blocks){0};
}

static float *align(void *memory) {
  uintptr_t address = (uintptr_t)memory;
  return (float *)((char *)memory + ((ROW - address % ROW) % ROW));
}

/* A table of joints: which block met a joint last, and where in the blocks' joints it is then. */
typedef struct joint_table {
  uint32_t *met, *places; /* [joint_limit] */
  uint32_t now;           /* the number of the block */
} joint_table;

static void sort_joints(uint16_t *list, uint32_t n) {
  for (uint32_t i = 1; i < n; i++) {
    uint16_t joint = list[i];
    uint32_t at = i;
    for (; at > 0 && list[at - 1] > joint; at--) list[at] = list[at - 1];
    list[at] = joint;
  }
}

/* The joints of a block as they come, into list[SUPPLEI_BLOCK_MOST_JOINTS]; one more than that where it is wide. */
static uint32_t joints_of_block(const supple_binding *b, uint32_t block, joint_table *table,
                                uint16_t list[SUPPLEI_BLOCK_MOST_JOINTS]) {
  uint32_t n = 0, now = ++table->now;
  for (uint32_t i = b->offsets[block * LANES]; i < b->offsets[(block + 1) * LANES]; i++) {
    uint16_t joint = b->joints[i];
    if (table->met[joint] == now) continue;
    if (n == SUPPLEI_BLOCK_MOST_JOINTS) return n + 1;
    table->met[joint] = now;
    list[n++] = joint;
  }
  return n;
}

static bool allocate_blocks(supple_binding *b, joint_table *table) {
  const supple_allocator *a = &b->allocator;
  supplei_blocks *s = &b->blocks;
  size_t n = s->count = b->vertex_count / LANES;
  s->begins = supplei_allocate(a, n + 1, sizeof *s->begins);
  s->pivots = supplei_allocate_zero(a, n * LANES, sizeof *s->pivots);
  s->wide = supplei_allocate_zero(a, n, sizeof *s->wide);
  s->special = supplei_allocate_zero(a, n, sizeof *s->special);
  if (!s->begins || !s->pivots || !s->wide || !s->special) return false;
  uint16_t list[SUPPLEI_BLOCK_MOST_JOINTS];
  s->begins[0] = 0;
  for (uint32_t block = 0; block < n; block++) {
    uint32_t joints = joints_of_block(b, block, table, list);
    s->wide[block] = joints > SUPPLEI_BLOCK_MOST_JOINTS;
    s->begins[block + 1] = s->begins[block] + (s->wide[block] ? 0 : joints);
  }
  s->total = s->begins[n];
  s->joints = supplei_allocate(a, s->total, sizeof *s->joints);
  s->weight_memory = supplei_allocate_zero(a, (size_t)s->total + 1, ROW);
  if (!s->joints || !s->weight_memory) return false;
  s->weights = align(s->weight_memory);
  return true;
}

static void fill_lane(supple_binding *b, uint32_t block, uint32_t lane, const joint_table *table) {
  supplei_blocks *s = &b->blocks;
  uint32_t vertex = block * LANES + lane;
  uint32_t begin = b->offsets[vertex], end = b->offsets[vertex + 1];
  if (begin == end) {
    s->special[block] = (uint16_t)(s->special[block] | 1u << lane);
    return;
  }
  s->pivots[vertex] = b->joints[begin + b->pivots[vertex]];
  if (s->wide[block]) return;
  for (uint32_t i = begin; i < end; i++)
    s->weights[(size_t)table->places[b->joints[i]] * LANES + lane] = b->weights[i];
}

static void fill_blocks(supple_binding *b, joint_table *table) {
  supplei_blocks *s = &b->blocks;
  for (uint32_t block = 0; block < s->count; block++) {
    uint32_t begin = s->begins[block], n = s->begins[block + 1] - begin;
    if (n) {
      uint16_t list[SUPPLEI_BLOCK_MOST_JOINTS];
      joints_of_block(b, block, table, list);
      sort_joints(list, n);
      memcpy(s->joints + begin, list, n * sizeof *list);
      for (uint32_t i = 0; i < n; i++) table->places[list[i]] = begin + i;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) fill_lane(b, block, lane, table);
  }
}

static bool compile_blocks(supple_binding *b) {
  const supple_allocator *a = &b->allocator;
  joint_table table = {.met = supplei_allocate_zero(a, b->joint_limit, sizeof *table.met),
                       .places = supplei_allocate(a, b->joint_limit, sizeof *table.places)};
  bool ok = table.met && table.places && allocate_blocks(b, &table);
  if (ok) fill_blocks(b, &table);
  supplei_release(a, table.met, b->joint_limit, sizeof *table.met);
  supplei_release(a, table.places, b->joint_limit, sizeof *table.places);
  return ok;
}

/* ---- geometry ---- */

static bool compile_stream(supple_binding *b, int which, const float *from, size_t width) {
  supplei_blocks *s = &b->blocks;
  if (!from || !b->vertex_count) return true;
  size_t blocks = ((size_t)b->vertex_count + LANES - 1) / LANES;
  s->geometry_rows[which] = blocks * width + 1;
  s->geometry_memory[which] = supplei_allocate(&b->allocator, s->geometry_rows[which], ROW);
  if (!s->geometry_memory[which]) return false;
  float *to = s->geometry[which] = align(s->geometry_memory[which]);
  for (size_t v = 0; v < blocks * LANES; v++) {
    size_t vertex = v < b->vertex_count ? v : b->vertex_count - 1; /* padding repeats the last one */
    if (b->order) vertex = b->order[vertex];
    for (size_t c = 0; c < width; c++)
      to[(v / LANES * width + c) * LANES + v % LANES] = from[vertex * width + c];
  }
  return true;
}

/* ---- pairs ---- */

typedef struct pair_list {
  uint64_t *keys; /* pivot, other, block: 16, 16, 32 bits */
  uint64_t *scratch;
  uint32_t *ends; /* [joint_limit] scratch */
  size_t count;
} pair_list;

/* Bit i: lane i has weight on a joint (used), or its highest (pivots). */
typedef struct lane_masks {
  uint32_t used[SUPPLEI_BLOCK_MOST_JOINTS], pivots[SUPPLEI_BLOCK_MOST_JOINTS];
} lane_masks;

static lane_masks masks_of_block(const supplei_blocks *s, uint32_t block, uint32_t n) {
  lane_masks masks;
  const uint16_t *pivots = s->pivots + (size_t)block * LANES, *joints = s->joints + s->begins[block];
  const float *weights = s->weights + (size_t)s->begins[block] * LANES;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t used = 0, pivot = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
      used |= (uint32_t)(weights[i * LANES + lane] > 0) << lane;
      pivot |= (uint32_t)(pivots[lane] == joints[i]) << lane;
    }
    masks.used[i] = used, masks.pivots[i] = pivot;
  }
  return masks;
}

/* Every pair of every block, block by block; where there is no memory yet, counts them. */
static void add_pairs(const supplei_blocks *s, pair_list *list) {
  list->count = 0;
  for (uint32_t block = 0; block < s->count; block++) {
    uint32_t n = s->begins[block + 1] - s->begins[block];
    const uint16_t *joints = s->joints + s->begins[block];
    lane_masks masks = masks_of_block(s, block, n);
    for (uint32_t p = 0; p < n; p++)
      for (uint32_t o = 0; o < n; o++) {
        if (o == p || !(masks.pivots[p] & masks.used[o])) continue;
        if (list->keys)
          list->keys[list->count] = (uint64_t)joints[p] << 48 | (uint64_t)joints[o] << 32 | block;
        list->count++;
      }
  }
}

/* Stable by the 16 bits of the keys from `shift` on. */
static void count_sort(pair_list *list, uint32_t joint_limit, int shift) {
  uint32_t sum = 0;
  if (joint_limit) memset(list->ends, 0, joint_limit * sizeof *list->ends);
  for (size_t i = 0; i < list->count; i++) list->ends[list->keys[i] >> shift & 0xFFFF]++;
  for (uint32_t j = 0; j < joint_limit; j++) list->ends[j] = sum += list->ends[j];
  for (size_t i = list->count; i-- > 0;)
    list->scratch[--list->ends[list->keys[i] >> shift & 0xFFFF]] = list->keys[i];
  uint64_t *swap = list->keys;
  list->keys = list->scratch, list->scratch = swap;
}

static bool store_pairs(supple_binding *b, const pair_list *list) {
  const supple_allocator *a = &b->allocator;
  supplei_blocks *s = &b->blocks;
  for (size_t i = 0; i < list->count; i++)
    s->pair_count += i == 0 || list->keys[i] >> 32 != list->keys[i - 1] >> 32;
  s->pair_block_count = (uint32_t)list->count;
  s->pairs = supplei_allocate(a, s->pair_count, sizeof *s->pairs);
  s->pair_begins = supplei_allocate(a, (size_t)s->pair_count + 1, sizeof *s->pair_begins);
  s->pair_blocks = supplei_allocate(a, s->pair_block_count, sizeof *s->pair_blocks);
  if (!s->pairs || !s->pair_begins || !s->pair_blocks) return false;
  uint32_t pair = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    uint64_t key = list->keys[i];
    if (i == 0 || key >> 32 != list->keys[i - 1] >> 32) {
      s->pair_begins[pair] = i;
      s->pairs[pair][0] = (uint16_t)(key >> 48);
      s->pairs[pair++][1] = (uint16_t)(key >> 32);
    }
    s->pair_blocks[i] = (uint32_t)key;
  }
  s->pair_begins[pair] = (uint32_t)list->count;
  return true;
}

static bool store_graph(supple_binding *b) {
  supplei_blocks *s = &b->blocks;
  if (s->pair_count > UINT32_MAX / 2) return false; /* edges are counted in 32 bits */
  s->edge_begins =
      supplei_allocate_zero(&b->allocator, (size_t)b->joint_limit + 1, sizeof *s->edge_begins);
  s->neighbours = supplei_allocate(&b->allocator, (size_t)s->pair_count * 2, sizeof *s->neighbours);
  if (!s->edge_begins || !s->neighbours) return false;
  for (uint32_t p = 0; p < s->pair_count; p++)
    for (int end = 0; end < 2; end++) s->edge_begins[s->pairs[p][end]]++;
  uint32_t sum = 0;
  for (uint32_t j = 0; j <= b->joint_limit; j++) {
    uint32_t degree = s->edge_begins[j];
    s->edge_begins[j] = sum += degree; /* the end; filling steps back to the beginning */
  }
  for (uint32_t p = s->pair_count; p-- > 0;)
    for (int end = 0; end < 2; end++)
      s->neighbours[--s->edge_begins[s->pairs[p][end]]] = s->pairs[p][1 - end];
  return true;
}

static bool find_pairs(supple_binding *b) {
  const supple_allocator *a = &b->allocator;
  pair_list list = {.keys = NULL};
  add_pairs(&b->blocks, &list);
  size_t count = list.count;
  list.scratch = supplei_allocate(a, count, sizeof *list.scratch);
  list.ends = supplei_allocate(a, b->joint_limit, sizeof *list.ends);
  list.keys = supplei_allocate(a, count, sizeof *list.keys);
  bool ok = list.keys && list.scratch && list.ends;
  if (ok) {
    add_pairs(&b->blocks, &list);
    count_sort(&list, b->joint_limit, 32);
    count_sort(&list, b->joint_limit, 48);
    ok = store_pairs(b, &list) && store_graph(b);
  }
  supplei_release(a, list.keys, count, sizeof *list.keys);
  supplei_release(a, list.scratch, count, sizeof *list.scratch);
  supplei_release(a, list.ends, b->joint_limit, sizeof *list.ends);
  return ok;
}

bool supplei_blocks_compile(supple_binding *binding, const supple_primitive *primitive,
                            bool geometry) {
  if (SUPPLEI_BY_BLOCKS && (!compile_blocks(binding) || !find_pairs(binding))) return false;
  return !geometry || (compile_stream(binding, 0, primitive->positions, 3) &&
                       compile_stream(binding, 1, primitive->normals, 3) &&
                       compile_stream(binding, 2, primitive->tangents, 4));
}
