/* partition_joints.c: sets of joints gathered into as few parts as may be, each with at most so many joints. */
#include "../base/prologue.h"

#include "partition_joints.h"

#include "../base/memory.h"
#include "../base/merge_sort.h"

#include <string.h>

/* A part that grows: its joints as a map of bits. */
typedef struct bin {
  uint32_t *bits;  /* [words] */
  uint32_t count;  /* joints in it */
  uint32_t joined; /* the part it was joined to, or SUPPLE_NONE */
} bin;

typedef struct packing {
  const supplei_joint_sets *sets;
  supple_allocator allocator;
  uint32_t most, words;
  bin *bins;
  uint32_t bin_count, bin_capacity;
} packing;

static uint32_t size_of(const supplei_joint_sets *sets, uint64_t set) {
  return sets->begins[set + 1] - sets->begins[set];
}

/* Large sets first, then by their joints; equal ones follow each other. */
static int compare_sets(const void *context, uint64_t a, uint64_t b) {
  const supplei_joint_sets *sets = context;
  const uint32_t n = size_of(sets, a), m = size_of(sets, b);
  if (n != m) return n > m ? -1 : 1;
  const uint16_t *p = sets->joints + sets->begins[a], *q = sets->joints + sets->begins[b];
  for (uint32_t i = 0; i < n; i++)
    if (p[i] != q[i]) return p[i] < q[i] ? -1 : 1;
  return 0;
}

static bool same_set(const supplei_joint_sets *sets, uint64_t a, uint64_t b) {
  return compare_sets(sets, a, b) == 0;
}

static uint32_t added_by(const packing *p, const bin *to, uint64_t set) {
  uint32_t added = 0;
  for (uint32_t i = p->sets->begins[set]; i < p->sets->begins[set + 1]; i++) {
    const uint32_t joint = p->sets->joints[i];
    added += !(to->bits[joint / 32] >> joint % 32 & 1);
  }
  return added;
}

static void put(const packing *p, bin *to, uint64_t set) {
  to->count += added_by(p, to, set);
  for (uint32_t i = p->sets->begins[set]; i < p->sets->begins[set + 1]; i++) {
    const uint32_t joint = p->sets->joints[i];
    to->bits[joint / 32] |= (uint32_t)1 << joint % 32;
  }
}

static bool grow_bins(packing *p) {
  if (p->bin_count < p->bin_capacity) return true;
  if (p->bin_capacity > UINT32_MAX / 2) return false;
  const uint32_t capacity = p->bin_capacity ? 2 * p->bin_capacity : 16;
  bin *bins = supplei_allocate(&p->allocator, capacity, sizeof *bins);
  if (!bins) return false;
  if (p->bin_count) memcpy(bins, p->bins, p->bin_count * sizeof *bins);
  supplei_release(&p->allocator, p->bins, p->bin_capacity, sizeof *bins);
  p->bins = bins;
  p->bin_capacity = capacity;
  return true;
}

/* The part for a set: SUPPLE_NONE when out of memory. */
static uint32_t place(packing *p, uint64_t set) {
  uint32_t best = SUPPLE_NONE, fewest = UINT32_MAX;
  for (uint32_t b = 0; b < p->bin_count; b++) {
    const uint32_t added = added_by(p, &p->bins[b], set);
    if (p->bins[b].count + added > p->most) continue;
    if (added < fewest || (added == fewest && p->bins[b].count > p->bins[best].count))
      best = b, fewest = added;
  }
  if (best == SUPPLE_NONE) {
    if (!grow_bins(p)) return SUPPLE_NONE;
    uint32_t *bits = supplei_allocate_zero(&p->allocator, p->words, sizeof *bits);
    if (!bits) return SUPPLE_NONE;
    best = p->bin_count++;
    p->bins[best] = (bin){bits, 0, SUPPLE_NONE};
  }
  put(p, &p->bins[best], set);
  return best;
}

static uint32_t bits_of(uint32_t word) {
  uint32_t count = 0;
  for (; word; word &= word - 1) count++;
  return count;
}

static void join_bins(packing *p) {
  for (uint32_t a = 0; a < p->bin_count; a++)
    for (uint32_t b = a + 1; b < p->bin_count && p->bins[a].joined == SUPPLE_NONE; b++) {
      if (p->bins[b].joined != SUPPLE_NONE) continue;
      uint32_t together = 0;
      for (uint32_t w = 0; w < p->words; w++)
        together += bits_of(p->bins[a].bits[w] | p->bins[b].bits[w]);
      if (together > p->most) continue;
      for (uint32_t w = 0; w < p->words; w++) p->bins[a].bits[w] |= p->bins[b].bits[w];
      p->bins[a].count = together;
      p->bins[b].joined = a;
    }
}

/* Numbers the parts that are left by their first set, and writes their joints. */
static supple_result number_parts(const packing *p, supplei_partition *partition) {
  uint32_t total = 0, count = 0;
  for (uint32_t b = 0; b < p->bin_count; b++)
    if (p->bins[b].joined == SUPPLE_NONE) count++, total += p->bins[b].count;
  partition->joints = supplei_allocate(&p->allocator, total, sizeof *partition->joints);
  partition->joint_begins =
      supplei_allocate_zero(&p->allocator, (size_t)count + 1, sizeof *partition->joint_begins);
  partition->part_count = count;
  partition->joint_total = total;
  uint32_t *numbers = supplei_allocate(&p->allocator, p->bin_count, sizeof *numbers);
  const bool fine = partition->joints && partition->joint_begins && numbers;
  for (uint32_t b = 0; fine && b < p->bin_count; b++) numbers[b] = SUPPLE_NONE;
  uint32_t next = 0, at = 0;
  for (uint32_t i = 0; fine && i < partition->set_count; i++) {
    uint32_t b = partition->parts[i];
    while (p->bins[b].joined != SUPPLE_NONE) b = p->bins[b].joined;
    if (numbers[b] == SUPPLE_NONE) {
      numbers[b] = next++;
      for (uint32_t joint = 0; joint < 32 * p->words; joint++)
        if (p->bins[b].bits[joint / 32] >> joint % 32 & 1)
          partition->joints[at++] = (uint16_t)joint;
      partition->joint_begins[next] = at;
    }
    partition->parts[i] = numbers[b];
  }
  supplei_release(&p->allocator, numbers, p->bin_count, sizeof *numbers);
  return fine ? SUPPLE_OK : SUPPLE_ERROR_MEMORY;
}

static supple_result pack(packing *p, supplei_partition *partition, const uint64_t *order) {
  for (uint32_t i = 0; i < p->sets->count; i++) {
    const bool again = i > 0 && same_set(p->sets, order[i], order[i - 1]);
    const uint32_t part = again ? partition->parts[order[i - 1]] : place(p, order[i]);
    if (part == SUPPLE_NONE) return SUPPLE_ERROR_MEMORY;
    partition->parts[order[i]] = part;
  }
  join_bins(p);
  return number_parts(p, partition);
}

supple_result supplei_partition_joints(supplei_partition *partition, const supplei_joint_sets *sets,
                                       uint32_t most, const supple_allocator *allocator,
                                       uint32_t *culprit) {
  *partition =
      (supplei_partition){.allocator = supplei_allocator(allocator), .set_count = sets->count};
  packing p = {.sets = sets, .allocator = partition->allocator, .most = most, .words = 1};
  for (uint32_t i = 0; i < sets->count; i++) {
    const uint32_t n = size_of(sets, i);
    if (n > most) {
      *culprit = i;
      return SUPPLE_ERROR_LIMIT;
    }
    const uint32_t words = n ? sets->joints[sets->begins[i + 1] - 1] / 32u + 1 : 1;
    if (words > p.words) p.words = words;
  }
  partition->parts = supplei_allocate(&p.allocator, sets->count, sizeof *partition->parts);
  uint64_t *order = supplei_allocate(&p.allocator, 2 * (size_t)sets->count, sizeof *order);
  supple_result result = partition->parts && order ? SUPPLE_OK : SUPPLE_ERROR_MEMORY;
  if (!result) {
    for (uint32_t i = 0; i < sets->count; i++) order[i] = i;
    supplei_merge_sort(order, order + sets->count, sets->count, compare_sets, sets);
    result = pack(&p, partition, order);
  }
  supplei_release(&p.allocator, order, 2 * (size_t)sets->count, sizeof *order);
  for (uint32_t b = 0; b < p.bin_count; b++)
    supplei_release(&p.allocator, p.bins[b].bits, p.words, sizeof *p.bins[b].bits);
  supplei_release(&p.allocator, p.bins, p.bin_capacity, sizeof *p.bins);
  return result;
}

void supplei_partition_free(supplei_partition *partition) {
  const supple_allocator *a = &partition->allocator;
  supplei_release(a, partition->parts, partition->set_count, sizeof *partition->parts);
  supplei_release(a, partition->joints, partition->joint_total, sizeof *partition->joints);
  supplei_release(a, partition->joint_begins, (size_t)partition->part_count + 1,
                  sizeof *partition->joint_begins);
  *partition = (supplei_partition){.allocator = partition->allocator};
}
