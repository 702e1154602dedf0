/* lbs.inl: linear blend skinning of whole blocks: 12 sums over the block's joints, one matrix a lane. */

typedef struct blended_matrix {
  vf m[12];
} blended_matrix;

SUPPLEI_INLINE blended_matrix lbs_blend(const supplei_kernel_job *job, uint32_t block,
                                        uint32_t lane) {
  const supplei_kernel_blocks *blocks = &job->blocks;
  uint32_t begin = blocks->begins[block], end = blocks->begins[block + 1];
  vf zero = vf_set(0.0f);
  vf m0 = zero, m1 = zero, m2 = zero, m3 = zero, m4 = zero, m5 = zero, m6 = zero, m7 = zero,
     m8 = zero, m9 = zero, m10 = zero, m11 = zero;
  for (uint32_t i = begin; i < end; i++) {
    vf w = vf_load(blocks->weights + (size_t)i * SUPPLEI_BLOCK + lane);
    const float *number = job->matrices + (size_t)blocks->joints[i] * 12;
    m0 = vf_accumulate(m0, w, number);
    m1 = vf_accumulate(m1, w, number + 1);
    m2 = vf_accumulate(m2, w, number + 2);
    m3 = vf_accumulate(m3, w, number + 3);
    m4 = vf_accumulate(m4, w, number + 4);
    m5 = vf_accumulate(m5, w, number + 5);
    m6 = vf_accumulate(m6, w, number + 6);
    m7 = vf_accumulate(m7, w, number + 7);
    m8 = vf_accumulate(m8, w, number + 8);
    m9 = vf_accumulate(m9, w, number + 9);
    m10 = vf_accumulate(m10, w, number + 10);
    m11 = vf_accumulate(m11, w, number + 11);
  }
  return (blended_matrix){{m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11}};
}

SUPPLEI_INLINE blended_matrix lbs_read_wide(const float *sums, uint32_t lane) {
  blended_matrix b;
  for (int row = 0; row < 3; row++) wide_lanes(sums, row, lane, b.m + 4 * row);
  return b;
}

SUPPLEI_INLINE vf lbs_row(const vf *row, v3 v) {
  return vf_add(vf_add(vf_add(vf_mul(row[0], v.x), vf_mul(row[1], v.y)), vf_mul(row[2], v.z)),
                row[3]);
}

/* sums: of a wide block, or NULL. */
SUPPLEI_INLINE uint32_t lbs_part(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                                 const float *sums, bool normals, bool tangents,
                                 supplei_kernel_normals mode) {
  uint32_t again = 0;
  part p = read_part(job, block, lane, normals, tangents);
  blended_matrix m = sums ? lbs_read_wide(sums, lane) : lbs_blend(job, block, lane);
  p.position =
      (v3){lbs_row(m.m, p.position), lbs_row(m.m + 4, p.position), lbs_row(m.m + 8, p.position)};
  linear l = {.row = {{m.m[0], m.m[1], m.m[2]}, {m.m[4], m.m[5], m.m[6]}, {m.m[8], m.m[9], m.m[10]}}};
  if (job->blocks.sums) {
    vf sum = vf_load(job->blocks.sums + (size_t)block * SUPPLEI_BLOCK + lane);
    p.position = v3_scale(p.position, sum);
    for (int r = 0; r < 3; r++) l.row[r] = v3_scale(l.row[r], sum);
  }
  frame_apply(job, &l, vf_set(1.0f), &p, normals, tangents, mode, &again);
  write_part(job, block, lane, &p, normals, tangents);
  return again & all_lanes();
}

SUPPLEI_APART uint32_t lbs_wide(const supplei_kernel_job *job, uint32_t block) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  float sums[3 * SUPPLEI_BLOCK * 4];
  uint32_t bits = 0;
  wide_sum(job, block, job->matrices, 3, false, sums);
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES)
    bits |= lbs_part(job, block, lane, sums, normals, tangents, job->mode) << lane;
  return bits;
}

SUPPLEI_INLINE void lbs_blocks(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                               uint16_t *again, bool normals, bool tangents,
                               supplei_kernel_normals mode) {
  for (uint32_t block = begin; block < end; block++) {
    uint32_t bits = 0;
    if (job->blocks.wide[block]) {
      bits = lbs_wide(job, block);
    } else {
      for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES)
        bits |= lbs_part(job, block, lane, NULL, normals, tangents, mode) << lane;
    }
    again[block - begin] = (uint16_t)bits;
  }
}

/* What is asked most gets code of its own. */
static inline void lbs(const supplei_kernel_job *job, uint32_t begin, uint32_t end, uint16_t *again) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  if (tangents)
    lbs_blocks(job, begin, end, again, normals, true, job->mode);
  else if (!normals)
    lbs_blocks(job, begin, end, again, false, false, SUPPLEI_KERNEL_LINEAR);
  else if (job->mode == SUPPLEI_KERNEL_COFACTOR)
    lbs_blocks(job, begin, end, again, true, false, SUPPLEI_KERNEL_COFACTOR);
  else if (job->mode == SUPPLEI_KERNEL_UNIT)
    lbs_blocks(job, begin, end, again, true, false, SUPPLEI_KERNEL_UNIT);
  else
    lbs_blocks(job, begin, end, again, true, false, SUPPLEI_KERNEL_LINEAR);
}
