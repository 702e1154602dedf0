/* wide.inl: blocks whose vertices share few joints. The numbers of each vertex are summed alone, four at a time,
 * into a buffer [quad][16][4], from which the lanes then read them. */

/* Weight of influence i of a vertex, negated where its quaternion is far from the pivot's. */
SUPPLEI_INLINE float wide_weight(const supplei_kernel_job *job, uint32_t i, const float *pivot) {
  float w = job->blocks.vertex_weights[i];
  if (!pivot) return w;
  const float *q = job->stored_rigid + (size_t)job->blocks.vertex_joints[i] * 8;
  return pivot[0] * q[0] + pivot[1] * q[1] + pivot[2] * q[2] + pivot[3] * q[3] < -1e-6f ? -w : w;
}

/* The sums of one vertex: two quads at a time, and a last one where `quads` is odd. */
SUPPLEI_INLINE void wide_vertex(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                                const float *numbers, int quads, const float *pivot, float *sums) {
  vo sum[2] = {vo_set(0.0f), vo_set(0.0f)};
  vq last = vq_set(0.0f);
  for (uint32_t i = begin; i < end; i++) {
    vo w = vo_set(wide_weight(job, i, pivot));
    const float *number = numbers + (size_t)job->blocks.vertex_joints[i] * 4 * (size_t)quads;
    for (int k = 0; k < quads / 2; k++) sum[k] = vo_add(sum[k], vo_mul(w, vo_load(number + 8 * k)));
    if (quads % 2) last = vq_add(last, vq_mul(vo_low(w), vq_load(number + 4 * (quads - 1))));
  }
  const int stride = SUPPLEI_BLOCK * 4;
  for (int k = 0; k < quads / 2; k++)
    vo_store(sums + 2 * k * stride, sums + (2 * k + 1) * stride, sum[k]);
  if (quads % 2) vq_store(sums + (quads - 1) * stride, last);
}

/* Sums `quads` × 4 numbers a joint for the 16 vertices of a block. Four influences are what most have. */
SUPPLEI_INLINE void wide_sum(const supplei_kernel_job *job, uint32_t block, const float *numbers,
                             int quads, bool by_pivot, float *sums) {
  const uint32_t *begins = job->blocks.vertex_begins + (size_t)block * SUPPLEI_BLOCK;
  const uint16_t *pivots = job->blocks.pivots + (size_t)block * SUPPLEI_BLOCK;
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane++) {
    const float *pivot = by_pivot ? job->stored_rigid + (size_t)pivots[lane] * 8 : NULL;
    uint32_t begin = begins[lane], end = begins[lane + 1];
    if (end - begin == 4)
      wide_vertex(job, begin, begin + 4, numbers, quads, pivot, sums + 4 * lane);
    else
      wide_vertex(job, begin, end, numbers, quads, pivot, sums + 4 * lane);
  }
}

/* The four numbers of a quad, by lanes. */
SUPPLEI_INLINE void wide_lanes(const float *sums, int quad, uint32_t lane, vf out[4]) {
  vf_load4(sums + (quad * SUPPLEI_BLOCK + (int)lane) * 4, &out[0], &out[1], &out[2], &out[3]);
}

/* Bit i: vertex i of the block has a joint that is not rigid. */
SUPPLEI_INLINE uint32_t wide_affine_bits(const supplei_kernel_job *job, uint32_t block) {
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane++) {
    uint32_t vertex = block * SUPPLEI_BLOCK + lane, affine = 0;
    for (uint32_t i = job->blocks.vertex_begins[vertex]; i < job->blocks.vertex_begins[vertex + 1];
         i++)
      affine |= !job->is_rigid[job->blocks.vertex_joints[i]];
    bits |= affine << lane;
  }
  return bits;
}
