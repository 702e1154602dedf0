/* bake_delta.c: frames as differences from the first one, dense or sparse. */
#include "bake_delta.h"

#include <string.h>

enum { HEAD_STREAM = 0x53500000 /* "SP", then the stream and whether it is sparse */ };

static uint32_t load_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static void store_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i & 0xff);
}
static float load_f32(const unsigned char *at) {
  const uint32_t bits = load_u32(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static void store_f32(unsigned char *at, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  store_u32(at, bits);
}

static size_t width_of(bake_stream stream) { return stream == BAKE_TANGENTS ? 4 : 3; }
static size_t index_size(const bake_plan *plan, uint32_t part) {
  return plan->primitives[part].source->vertex_count <= 65536 ? 2 : 4;
}
static size_t whole(size_t size) { return (size + 3) / 4 * 4; }

bool bake_delta_has(const bake_plan *plan, uint32_t part, bake_stream stream) {
  const supple_primitive *source = plan->primitives[part].source;
  if (stream == BAKE_NORMALS) return plan->normals && source->normals;
  if (stream == BAKE_TANGENTS) return plan->tangents && source->normals && source->tangents;
  return true;
}

size_t bake_delta_most(const bake_plan *plan) {
  /* a sparse chunk is never longer than a dense one */
  size_t size = 0;
  for (uint32_t i = 0; i < plan->primitive_count; i++)
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++)
      if (bake_delta_has(plan, i, (bake_stream)s))
        size += BAKE_CHUNK_HEAD +
                4 * width_of((bake_stream)s) * plan->primitives[i].source->vertex_count;
  return size;
}

/* Where a stream of a primitive begins in a plain frame. */
static size_t plain_place(const bake_plan *plan, uint32_t part, bake_stream stream) {
  const size_t n = plan->vertex_count, v = plan->primitives[part].first_vertex;
  if (stream == BAKE_POSITIONS) return 12 * v;
  if (stream == BAKE_NORMALS) return 12 * (n + v);
  return 12 * n * (plan->normals ? 2u : 1u) + 16 * v;
}

/* One stream of one primitive, on its way from two plain frames to a chunk. */
typedef struct differences {
  const unsigned char *base, *plain; /* base NULL: zeros */
  uint32_t vertices;
  size_t width;
} differences;

/* One vertex's difference into values[width]; whether it is not zero. */
static bool subtract(const differences *d, uint32_t vertex, float values[4]) {
  const size_t at = 4 * d->width * vertex;
  bool differs = false;
  for (size_t c = 0; c < d->width; c++) {
    values[c] = load_f32(d->plain + at + 4 * c) - (d->base ? load_f32(d->base + at + 4 * c) : 0.0f);
    if (values[c] != 0.0f) differs = true;
  }
  return differs;
}

static uint32_t count_changed(const differences *d) {
  uint32_t changed = 0;
  float values[4];
  for (uint32_t v = 0; v < d->vertices; v++) changed += subtract(d, v, values);
  return changed;
}

static void widen(bake_chunk *chunk, const float *values, bool first) {
  for (int c = 0; c < 3; c++) {
    if (first || values[c] < chunk->min[c]) chunk->min[c] = values[c];
    if (first || values[c] > chunk->max[c]) chunk->max[c] = values[c];
  }
}

/* Floats, numbers and extents of a chunk whose count is known. */
static void fill_chunk(const differences *d, size_t index, unsigned char *out, bake_chunk *chunk) {
  unsigned char *floats = out, *numbers = out + chunk->floats_size;
  float values[4];
  for (uint32_t v = 0; v < d->vertices; v++) {
    const bool differs = subtract(d, v, values);
    widen(chunk, values, v == 0);
    if (chunk->sparse && !differs) continue;
    for (size_t c = 0; c < d->width; c++, floats += 4) store_f32(floats, values[c]);
    if (!chunk->sparse) continue;
    for (size_t b = 0; b < index; b++) *numbers++ = (unsigned char)(v >> 8 * b & 0xff);
  }
  while ((size_t)(numbers - out) < chunk->floats_size + chunk->indices_size) *numbers++ = 0;
}

static void store_head(unsigned char *at, const bake_chunk *chunk) {
  store_u32(at, HEAD_STREAM | (uint32_t)chunk->stream << 1 | chunk->sparse);
  store_u32(at + 4, chunk->count);
  for (int c = 0; c < 3; c++) {
    store_f32(at + 8 + 4 * c, chunk->min[c]);
    store_f32(at + 20 + 4 * c, chunk->max[c]);
  }
}

static void encode_stream(const bake_plan *plan, uint32_t part, bake_stream stream,
                          const unsigned char *base, const unsigned char *plain,
                          bake_record *record) {
  const size_t place = plain_place(plan, part, stream), index = index_size(plan, part);
  const differences d = {base ? base + place : NULL, plain + place,
                         plan->primitives[part].source->vertex_count, width_of(stream)};
  bake_chunk chunk = {.stream = stream, .count = d.vertices};
  const uint32_t changed = base ? count_changed(&d) : d.vertices;
  chunk.sparse = base && changed <= d.vertices / 2; /* most stand still: also the shorter one then */
  if (chunk.sparse) chunk.count = changed;
  chunk.floats_size = 4 * d.width * chunk.count;
  chunk.indices_size = chunk.sparse ? whole(index * changed) : 0;
  unsigned char *head = record->data + record->size;
  fill_chunk(&d, index, head + BAKE_CHUNK_HEAD, &chunk);
  store_head(head, &chunk);
  record->size += BAKE_CHUNK_HEAD + chunk.floats_size + chunk.indices_size;
}

void bake_delta_encode(const bake_plan *plan, const unsigned char *base, const unsigned char *plain,
                       bake_record *record) {
  record->size = 0;
  for (uint32_t i = 0; i < plan->primitive_count; i++)
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++)
      if (bake_delta_has(plan, i, (bake_stream)s))
        encode_stream(plan, i, (bake_stream)s, base, plain, record);
}

bool bake_delta_chunk(const bake_plan *plan, uint32_t part, bake_stream stream,
                      const unsigned char *record, size_t size, size_t *place, bake_chunk *chunk) {
  const uint32_t vertices = plan->primitives[part].source->vertex_count;
  if (size < *place || size - *place < BAKE_CHUNK_HEAD) return false;
  const unsigned char *head = record + *place;
  const uint32_t kind = load_u32(head) ^ HEAD_STREAM;
  memset(chunk, 0, sizeof *chunk);
  chunk->stream = stream;
  chunk->sparse = kind & 1;
  chunk->count = load_u32(head + 4);
  if (kind >> 1 != (uint32_t)stream || chunk->count > vertices) return false;
  if (!chunk->sparse && chunk->count != vertices) return false;
  for (int c = 0; c < 3; c++) {
    chunk->min[c] = load_f32(head + 8 + 4 * c);
    chunk->max[c] = load_f32(head + 20 + 4 * c);
  }
  chunk->place = *place + BAKE_CHUNK_HEAD;
  chunk->floats_size = 4 * width_of(stream) * chunk->count;
  if (chunk->sparse) chunk->indices_size = whole(index_size(plan, part) * chunk->count);
  if (size - chunk->place < chunk->floats_size ||
      size - chunk->place - chunk->floats_size < chunk->indices_size)
    return false;
  *place = chunk->place + chunk->floats_size + chunk->indices_size;
  return true;
}
