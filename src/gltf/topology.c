/* topology.c: strips, fans and loops unrolled to lists. */
#include "../base/prologue.h"

#include "topology.h"

supple_topology supplei_topology_of(supplei_mode mode) {
  if (mode == SUPPLEI_MODE_POINTS) return SUPPLE_TOPOLOGY_POINTS;
  return mode < SUPPLEI_MODE_TRIANGLES ? SUPPLE_TOPOLOGY_LINES : SUPPLE_TOPOLOGY_TRIANGLES;
}

uint64_t supplei_topology_count(supplei_mode mode, uint32_t count, uint32_t *unused) {
  uint64_t lines = count < 2 ? 0 : (uint64_t)count - 1,
           triangles = count < 3 ? 0 : (uint64_t)count - 2;
  *unused = 0;
  switch (mode) {
  case SUPPLEI_MODE_POINTS: return count;
  case SUPPLEI_MODE_LINES: *unused = count % 2; return count - count % 2;
  case SUPPLEI_MODE_TRIANGLES: *unused = count % 3; return count - count % 3;
  case SUPPLEI_MODE_LINE_LOOP: lines += lines > 0; break;
  case SUPPLEI_MODE_LINE_STRIP: break;
  case SUPPLEI_MODE_TRIANGLE_STRIP:
  case SUPPLEI_MODE_TRIANGLE_FAN: *unused = triangles ? 0 : count; return 3 * triangles;
  }
  *unused = lines ? 0 : count;
  return 2 * lines;
}

static uint32_t at(const uint32_t *source, uint32_t i) { return source ? source[i] : i; }

static void unroll_lines(const uint32_t *source, uint32_t count, bool loop, uint32_t *out) {
  for (uint32_t i = 0; i + 1 < count; i++) {
    *out++ = at(source, i);
    *out++ = at(source, i + 1);
  }
  if (!loop || count < 2) return;
  *out++ = at(source, count - 1);
  *out = at(source, 0);
}

static void unroll_strip(const uint32_t *source, uint32_t count, uint32_t *out) {
  for (uint32_t i = 0; count - i > 2; i++) { /* every other triangle is wound the other way */
    *out++ = at(source, i);
    *out++ = at(source, i + 1 + i % 2);
    *out++ = at(source, i + 2 - i % 2);
  }
}

static void unroll_fan(const uint32_t *source, uint32_t count, uint32_t *out) {
  for (uint32_t i = 0; count - i > 2; i++) {
    *out++ = at(source, i + 1);
    *out++ = at(source, i + 2);
    *out++ = at(source, 0);
  }
}

void supplei_topology_unroll(supplei_mode mode, const uint32_t *source, uint32_t count,
                             uint32_t *out) {
  uint32_t unused;
  uint64_t total = supplei_topology_count(mode, count, &unused);
  if (!total) return;
  switch (mode) {
  case SUPPLEI_MODE_POINTS:
  case SUPPLEI_MODE_LINES:
  case SUPPLEI_MODE_TRIANGLES:
    for (uint32_t i = 0; out != source && i < total; i++) out[i] = at(source, i);
    break;
  case SUPPLEI_MODE_LINE_LOOP: unroll_lines(source, count, true, out); break;
  case SUPPLEI_MODE_LINE_STRIP: unroll_lines(source, count, false, out); break;
  case SUPPLEI_MODE_TRIANGLE_STRIP: unroll_strip(source, count, out); break;
  case SUPPLEI_MODE_TRIANGLE_FAN: unroll_fan(source, count, out); break;
  }
}
