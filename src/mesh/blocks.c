/* blocks.c: compiles a binding's influences into blocks of 16 vertices. */
#include "../base/prologue.h"

#include "blocks.h"

#include "../base/memory.h"
#include "../base/merge_sort.h"
#include "binding.h"

#include <string.h>

enum { LANES = SUPPLEI_BLOCK, ALIGNMENT = 64 };

void supplei_blocks_free(supple_binding *b) {
  const supple_allocator *a = &b->allocator;
  supplei_blocks *s = &b->blocks;
  size_t n = s->count;
  supplei_release(a, s->begins, n + 1, sizeof *s->begins);
  supplei_release(a, s->joints, s->total, sizeof *s->joints);
  supplei_release(a, s->weight_memory, (size_t)s->total * LANES * sizeof(float) + ALIGNMENT, 1);
  supplei_release(a, s->pivots, n * LANES, sizeof *s->pivots);
  supplei_release(a, s->wide, n, sizeof *s->wide);
  supplei_release(a, s->special, n, sizeof *s->special);
  for (int i = 0; i < 3; i++) supplei_release(a, s->geometry_memory[i], s->geometry_bytes[i], 1);
  supplei_release(a, s->pairs, s->pair_count, sizeof *s->pairs);
  supplei_release(a, s->pair_begins, (size_t)s->pair_count + 1, sizeof *s->pair_begins);
  supplei_release(a, s->pair_blocks, s->pair_block_count, sizeof *s->pair_blocks);
  supplei_release(a, s->edge_begins, (size_t)b->joint_limit + 1, sizeof *s->edge_begins);
  supplei_release(a, s->neighbours, (size_t)s->pair_count * 2, sizeof *s->neighbours);
  *s = (supplei_blocks){0};
}

static float *align(void *memory) {
  uintptr_t address = (uintptr_t)memory;
  return (float *)((char *)memory + ((ALIGNMENT - address % ALIGNMENT) % ALIGNMENT));
}

/* The joints of a block, ascending, into list[SUPPLEI_BLOCK_MOST_JOINTS]; one more than that where it is wide. */
static uint32_t joints_of_block(const supple_binding *b, uint32_t block,
                                uint16_t list[SUPPLEI_BLOCK_MOST_JOINTS]) {
  uint32_t n = 0;
  for (uint32_t i = b->offsets[block * LANES]; i < b->offsets[(block + 1) * LANES]; i++) {
    uint32_t at = n;
    while (at > 0 && list[at - 1] > b->joints[i]) at--;
    if (at > 0 && list[at - 1] == b->joints[i]) continue;
    if (n == SUPPLEI_BLOCK_MOST_JOINTS) return n + 1;
    for (uint32_t k = n; k > at; k--) list[k] = list[k - 1];
    list[at] = b->joints[i];
    n++;
  }
  return n;
}

static bool allocate_blocks(supple_binding *b) {
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
    uint32_t joints = joints_of_block(b, block, list);
    s->wide[block] = joints > SUPPLEI_BLOCK_MOST_JOINTS;
    s->begins[block + 1] = s->begins[block] + (s->wide[block] ? 0 : joints);
  }
  s->total = s->begins[n];
  s->joints = supplei_allocate(a, s->total, sizeof *s->joints);
  s->weight_memory = supplei_allocate_zero(a, (size_t)s->total * LANES * sizeof(float) + ALIGNMENT, 1);
  if (!s->joints || !s->weight_memory) return false;
  s->weights = align(s->weight_memory);
  return true;
}

static void fill_lane(supple_binding *b, uint32_t block, uint32_t lane) {
  supplei_blocks *s = &b->blocks;
  uint32_t vertex = block * LANES + lane, place = s->begins[block];
  uint32_t begin = b->offsets[vertex], end = b->offsets[vertex + 1];
  if (begin == end) {
    s->special[block] = (uint16_t)(s->special[block] | 1u << lane);
    return;
  }
  s->pivots[vertex] = b->joints[begin + b->pivots[vertex]];
  for (uint32_t i = begin; i < end && !s->wide[block]; i++) {
    while (s->joints[place] != b->joints[i]) place++;
    s->weights[(size_t)place * LANES + lane] = b->weights[i];
  }
}

static void fill_blocks(supple_binding *b) {
  supplei_blocks *s = &b->blocks;
  uint16_t list[SUPPLEI_BLOCK_MOST_JOINTS];
  for (uint32_t block = 0; block < s->count; block++) {
    if (!s->wide[block]) {
      uint32_t n = joints_of_block(b, block, list);
      if (n) memcpy(s->joints + s->begins[block], list, n * sizeof *list);
    }
    for (uint32_t lane = 0; lane < LANES; lane++) fill_lane(b, block, lane);
  }
}

/* ---- geometry ---- */

static bool compile_stream(supple_binding *b, int which, const float *from, size_t width) {
  supplei_blocks *s = &b->blocks;
  if (!from || !b->vertex_count) return true;
  size_t blocks = ((size_t)b->vertex_count + LANES - 1) / LANES;
  s->geometry_bytes[which] = blocks * width * LANES * sizeof(float) + ALIGNMENT;
  s->geometry_memory[which] = supplei_allocate(&b->allocator, s->geometry_bytes[which], 1);
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
  size_t count, capacity;
} pair_list;

/* Adds a key, unless the block (whose keys are the last ones) has it. */
static void add_pair(pair_list *list, uint64_t key) {
  for (size_t i = list->count; i-- > 0 && (uint32_t)list->keys[i] == (uint32_t)key;)
    if (list->keys[i] == key) return;
  list->keys[list->count++] = key;
}

static void add_pairs(const supple_binding *b, pair_list *list) {
  for (uint32_t vertex = 0; vertex < b->blocks.count * LANES; vertex++) {
    uint32_t block = vertex / LANES;
    uint64_t pivot = b->blocks.pivots[vertex];
    for (uint32_t i = b->offsets[vertex]; i < b->offsets[vertex + 1] && !b->blocks.wide[block]; i++)
      if (b->joints[i] != pivot) add_pair(list, pivot << 48 | (uint64_t)b->joints[i] << 32 | block);
  }
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
  s->edge_begins = supplei_allocate_zero(&b->allocator, (size_t)b->joint_limit + 1, sizeof *s->edge_begins);
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
  pair_list list = {.capacity = b->offsets[b->vertex_count]};
  list.keys = supplei_allocate(a, list.capacity, sizeof *list.keys);
  list.scratch = supplei_allocate(a, list.capacity, sizeof *list.scratch);
  bool ok = list.keys && list.scratch;
  if (ok) {
    add_pairs(b, &list);
    supplei_merge_sort(list.keys, list.scratch, list.count, NULL, NULL);
    ok = store_pairs(b, &list) && store_graph(b);
  }
  supplei_release(a, list.keys, list.capacity, sizeof *list.keys);
  supplei_release(a, list.scratch, list.capacity, sizeof *list.scratch);
  return ok;
}

bool supplei_blocks_compile(supple_binding *binding, const supple_primitive *primitive, bool geometry) {
  if (!allocate_blocks(binding)) return false;
  fill_blocks(binding);
  if (!find_pairs(binding)) return false;
  return !geometry || (compile_stream(binding, 0, primitive->positions, 3) &&
                       compile_stream(binding, 1, primitive->normals, 3) &&
                       compile_stream(binding, 2, primitive->tangents, 4));
}
