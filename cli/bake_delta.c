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
  const float *base, *plain; /* base NULL: zeros */
  uint32_t vertices;
  size_t width;
} differences;

/* All differences, in loops that compilers turn into vectors. */
static void subtract(const differences *d, float *out) {
  const size_t count = d->width * d->vertices;
  if (!d->base) {
    memcpy(out, d->plain, count * sizeof *out);
    return;
  }
  for (size_t i = 0; i < count; i++) out[i] = d->plain[i] - d->base[i];
}

/* Whether any of a vertex's numbers is not zero: but for the sign no bit is set. */
static bool differs(const float *values, size_t width) {
  uint32_t bits[4] = {0};
  memcpy(bits, values, width * sizeof *values);
  return (bits[0] | bits[1] | bits[2] | bits[3]) << 1 != 0;
}

/* How many vertices differ; beyond `enough` it stops to count. */
static uint32_t count_changed(const differences *d, const float *values, uint32_t enough) {
  enum { AT_ONCE = 256 };
  uint32_t changed = 0;
  for (uint32_t v = 0; v < d->vertices && changed <= enough;) {
    const uint32_t end = d->vertices - v < AT_ONCE ? d->vertices : v + AT_ONCE;
    if (d->width == 3) /* known to the compiler */
      for (; v < end; v++) changed += differs(values + 3 * (size_t)v, 3);
    else
      for (; v < end; v++) changed += differs(values + 4 * (size_t)v, 4);
  }
  return changed;
}

/* Of three numbers a vertex; four vertices side by side, for vectors. */
static void find_extent(const float *values, uint32_t vertices, bake_chunk *chunk) {
  enum { SIDE = 12 };
  float least[SIDE], most[SIDE];
  const size_t count = 3 * (size_t)vertices;
  size_t i = 0;
  for (int k = 0; k < SIDE; k++) least[k] = most[k] = values[k % 3];
  for (; i + SIDE <= count; i += SIDE)
    for (int k = 0; k < SIDE; k++) {
      const float value = values[i + (size_t)k];
      least[k] = value < least[k] ? value : least[k];
      most[k] = value > most[k] ? value : most[k];
    }
  for (int k = 0; i < count; i++, k++) {
    least[k] = values[i] < least[k] ? values[i] : least[k];
    most[k] = values[i] > most[k] ? values[i] : most[k];
  }
  for (int k = 0; k < SIDE; k++) {
    if (k < 3 || least[k] < chunk->min[k % 3]) chunk->min[k % 3] = least[k];
    if (k < 3 || most[k] > chunk->max[k % 3]) chunk->max[k % 3] = most[k];
  }
}

/* What is not zero, and behind it the numbers of the vertices, in the place of all differences. */
static void make_sparse(const differences *d, size_t index, unsigned char *out,
                        const bake_chunk *chunk) {
  float *values = (float *)(void *)out;
  unsigned char *numbers = out + chunk->floats_size;
  for (uint32_t v = 0; v < d->vertices; v++) {
    const size_t at = d->width * v;
    float own[4];
    for (size_t c = 0; c < d->width; c++) own[c] = d->plain[at + c] - d->base[at + c];
    if (!differs(own, d->width)) continue;
    memcpy(values, own, d->width * sizeof *values);
    values += d->width;
    for (size_t b = 0; b < index; b++) *numbers++ = (unsigned char)(v >> 8 * b & 0xff);
  }
  while ((size_t)(numbers - out) < chunk->floats_size + chunk->indices_size) *numbers++ = 0;
}

/* Floats as they are on this machine become little endian. */
static void order_bytes(unsigned char *at, size_t count) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  for (size_t i = 0; first != 1 && i < count; i++, at += 4) {
    uint32_t bits;
    memcpy(&bits, at, sizeof bits);
    store_u32(at, bits);
  }
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
  const differences d = {base ? (const float *)(const void *)(base + place) : NULL,
                         (const float *)(const void *)(plain + place),
                         plan->primitives[part].source->vertex_count, width_of(stream)};
  bake_chunk chunk = {.stream = stream, .count = d.vertices};
  unsigned char *head = record->data + record->size, *out = head + BAKE_CHUNK_HEAD;
  float *values = (float *)(void *)out;
  subtract(&d, values);
  if (d.vertices && stream == BAKE_POSITIONS) find_extent(values, d.vertices, &chunk);
  const uint32_t half = d.vertices / 2;
  const uint32_t changed = base ? count_changed(&d, values, half) : d.vertices;
  chunk.sparse = base && changed <= half; /* most stand still: also the shorter one then */
  if (chunk.sparse) chunk.count = changed;
  chunk.floats_size = 4 * d.width * chunk.count;
  chunk.indices_size = chunk.sparse ? whole(index * changed) : 0;
  if (chunk.sparse) make_sparse(&d, index, out, &chunk);
  order_bytes(out, d.width * chunk.count);
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
