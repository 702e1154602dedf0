/* octs_pair.h: vo of the facade as two vq, where no register holds eight floats. Comes after vq. */
#ifndef SUPPLEI_OCTS_PAIR_H
#define SUPPLEI_OCTS_PAIR_H

typedef struct vo {
  vq low, high;
} vo;
static inline vo vo_set(float a) { return (vo){vq_set(a), vq_set(a)}; }
static inline vo vo_load(const float *p) { return (vo){vq_load(p), vq_load(p + 4)}; }
static inline void vo_store(float *low, float *high, vo a) {
  vq_store(low, a.low);
  vq_store(high, a.high);
}
static inline vo vo_add(vo a, vo b) { return (vo){vq_add(a.low, b.low), vq_add(a.high, b.high)}; }
static inline vo vo_mul(vo a, vo b) { return (vo){vq_mul(a.low, b.low), vq_mul(a.high, b.high)}; }
static inline vq vo_low(vo a) { return a.low; }

#endif
