/* steps.inl: the kernels of four lanes for a compiler that finishes while they run, as WebAssembly's do. Such a compiler
 * fills its registers badly, and the twelve sums of LBS, a weight and a product are nearly all that there are; so the
 * sums of a block go to memory, two parts of it at a time, and what follows reads them from there. What is rare
 * takes the way of lbs.inl and dqs.inl.
 *
 * A sum begins with its first product here, not with 0 plus that. They differ by the sign of a zero at most, which no
 * result shows: sums are added to, multiplied and compared, and outputs have + 0 added. */

enum { STEP_JOINTS = 4, STEP_LANES = 2 * VF_LANES }; /* summed at a time */

/* Lanes lane … lane + STEP_LANES - 1 of the sums[numbers][16] over `count` joints; `more`: added to what is there. */
SUPPLEI_INLINE void step_sum_lanes(const float *const joints[STEP_JOINTS], const float *weights,
                                   uint32_t count, bool more, int numbers, float *sums) {
  vf low[STEP_JOINTS], high[STEP_JOINTS];
  for (uint32_t i = 0; i < count; i++) {
    low[i] = vf_load(weights + i * SUPPLEI_BLOCK);
    high[i] = vf_load(weights + i * SUPPLEI_BLOCK + VF_LANES);
  }
#pragma clang loop unroll(full)
  for (int k = 0; k < numbers; k++) {
    float *to = sums + k * SUPPLEI_BLOCK;
    vf number = vf_set(joints[0][k]), a = vf_mul(low[0], number), b = vf_mul(high[0], number);
    if (more) a = vf_add(vf_load(to), a), b = vf_add(vf_load(to + VF_LANES), b);
    for (uint32_t i = 1; i < count; i++) {
      a = vf_accumulate(a, low[i], joints[i] + k);
      b = vf_accumulate(b, high[i], joints[i] + k);
    }
    vf_store(to, a);
    vf_store(to + VF_LANES, b);
  }
}

/* The same for all lanes and joints first … first + count - 1 of the blocks' list. */
SUPPLEI_INLINE void step_sum_some(const supplei_kernel_job *job, const float *numbers, int width,
                                  uint32_t first, uint32_t count, bool more, float *sums) {
  const float *weights = job->blocks.weights + (size_t)first * SUPPLEI_BLOCK, *joints[STEP_JOINTS];
  for (uint32_t i = 0; i < count; i++)
    joints[i] = numbers + (size_t)job->blocks.joints[first + i] * (size_t)width;
  step_sum_lanes(joints, weights, count, more, width, sums);
  step_sum_lanes(joints, weights + STEP_LANES, count, more, width, sums + STEP_LANES);
}

/* sums[width][16] of a block: over its joints, weight times each of the `width` numbers. */
SUPPLEI_INLINE void step_sum(const supplei_kernel_job *job, uint32_t block, const float *numbers,
                             int width, float *sums) {
  const uint32_t begin = job->blocks.begins[block], end = job->blocks.begins[block + 1];
  switch (end - begin) {
  case 0: memset(sums, 0, (size_t)width * SUPPLEI_BLOCK * sizeof *sums); return;
  case 1: step_sum_some(job, numbers, width, begin, 1, false, sums); return;
  case 2: step_sum_some(job, numbers, width, begin, 2, false, sums); return;
  case 3: step_sum_some(job, numbers, width, begin, 3, false, sums); return;
  default: step_sum_some(job, numbers, width, begin, STEP_JOINTS, false, sums);
  }
  for (uint32_t first = begin + STEP_JOINTS; first < end; first += STEP_JOINTS)
    switch (end - first) {
    case 1: step_sum_some(job, numbers, width, first, 1, true, sums); return;
    case 2: step_sum_some(job, numbers, width, first, 2, true, sums); return;
    case 3: step_sum_some(job, numbers, width, first, 3, true, sums); return;
    default: step_sum_some(job, numbers, width, first, STEP_JOINTS, true, sums);
    }
}

SUPPLEI_APART void step_sum_matrices(const supplei_kernel_job *job, uint32_t block, float *sums) {
  step_sum(job, block, job->matrices, 12, sums);
}
SUPPLEI_APART void step_sum_rigid(const supplei_kernel_job *job, uint32_t block, float *sums) {
  step_sum(job, block, job->agreed_rigid, 8, sums);
}

/* Number k of the sums, for the lanes from `lane` on. */
SUPPLEI_INLINE vf step_read(const float *sums, int k, uint32_t lane) {
  return vf_load(sums + k * SUPPLEI_BLOCK + lane);
}

/* ---- streams whose numbers lie side by side ---- */

SUPPLEI_INLINE bool is_packed(const supplei_kernel_stream *in, const supplei_kernel_out *out,
                              size_t width) {
  return in->data && in->stride == width * sizeof(float) && out->stride == in->stride &&
         !out->stream;
}

/* All streams that are asked for; tangents beside normals alone. */
SUPPLEI_INLINE bool are_packed(const supplei_kernel_job *job) {
  return is_packed(&job->positions, &job->out_positions, 3) &&
         (job->out_normals.data ? is_packed(&job->normals, &job->out_normals, 3)
                                : !job->out_tangents.data) &&
         (!job->out_tangents.data || is_packed(&job->tangents, &job->out_tangents, 4));
}

/* A stream's numbers from a block and lane on. */
SUPPLEI_INLINE const float *packed_in(const supplei_kernel_stream *in, uint32_t block,
                                      uint32_t lane, uint32_t width) {
  return (const float *)(const void *)in->data + ((size_t)block * SUPPLEI_BLOCK + lane) * width;
}
SUPPLEI_INLINE float *packed_out(const supplei_kernel_out *out, uint32_t block, uint32_t lane,
                                 uint32_t width) {
  return (float *)(void *)out->data + ((size_t)block * SUPPLEI_BLOCK + lane) * width;
}

SUPPLEI_INLINE v3 packed_read3(const supplei_kernel_stream *in, uint32_t block, uint32_t lane) {
  v3 v;
  vf_load3(packed_in(in, block, lane, 3), &v.x, &v.y, &v.z);
  return v;
}
SUPPLEI_INLINE void packed_write3(const supplei_kernel_out *out, uint32_t block, uint32_t lane,
                                  v3 v) {
  v = plus_zero(v);
  vf_store3(packed_out(out, block, lane, 3), v.x, v.y, v.z);
}

SUPPLEI_INLINE void packed_read_frame(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                                      bool tangents, part *p) {
  p->normal = packed_read3(&job->normals, block, lane);
  if (tangents)
    vf_load4(packed_in(&job->tangents, block, lane, 4), &p->tangent.x, &p->tangent.y, &p->tangent.z,
             &p->handedness);
}

SUPPLEI_INLINE void packed_write_frame(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                                       bool tangents, const part *p) {
  packed_write3(&job->out_normals, block, lane, p->normal);
  if (tangents) {
    const v3 t = plus_zero(p->tangent);
    vf_store4(packed_out(&job->out_tangents, block, lane, 4), t.x, t.y, t.z, p->handedness);
  }
}

/* ---- linear blend skinning: sums, then positions, then frames ---- */

SUPPLEI_INLINE void lbs_step_positions(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                                       const float *sums) {
  const v3 v = packed_read3(&job->positions, block, lane);
  vf m[12];
  for (int k = 0; k < 12; k++) m[k] = step_read(sums, k, lane);
  packed_write3(&job->out_positions, block, lane,
                (v3){lbs_row(m, v), lbs_row(m + 4, v), lbs_row(m + 8, v)});
}

SUPPLEI_INLINE uint32_t lbs_step_frames(const supplei_kernel_job *job, uint32_t block,
                                        uint32_t lane, const float *sums, bool tangents,
                                        supplei_kernel_normals mode) {
  uint32_t again = 0;
  part p = {0};
  linear l = {0};
  for (int r = 0; r < 3; r++)
    l.row[r] = (v3){step_read(sums, 4 * r, lane), step_read(sums, 4 * r + 1, lane),
                    step_read(sums, 4 * r + 2, lane)};
  packed_read_frame(job, block, lane, tangents, &p);
  frame_apply(job, &l, vf_set(1.0f), &p, true, tangents, mode, &again);
  packed_write_frame(job, block, lane, tangents, &p);
  return (again & all_lanes()) << lane;
}

SUPPLEI_INLINE void lbs_steps(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                              uint16_t *again, bool normals, bool tangents,
                              supplei_kernel_normals mode) {
  for (uint32_t block = begin; block < end; block++) {
    float sums[12 * SUPPLEI_BLOCK];
    uint32_t bits = 0;
    if (job->blocks.wide[block]) {
      bits = lbs_wide(job, block);
    } else {
      step_sum_matrices(job, block, sums);
#pragma clang loop unroll(full)
      for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES)
        lbs_step_positions(job, block, lane, sums);
#pragma clang loop unroll(full)
      for (uint32_t lane = 0; normals && lane < SUPPLEI_BLOCK; lane += VF_LANES)
        bits |= lbs_step_frames(job, block, lane, sums, tangents, mode);
    }
    again[block - begin] = (uint16_t)bits;
  }
}

static void lbs_in_steps(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                         uint16_t *again) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  if (!are_packed(job) || job->blocks.sums)
    lbs_blocks(job, begin, end, again, normals, tangents, job->mode);
  else if (tangents)
    lbs_steps(job, begin, end, again, true, true, job->mode);
  else if (!normals)
    lbs_steps(job, begin, end, again, false, false, SUPPLEI_KERNEL_LINEAR);
  else if (job->mode == SUPPLEI_KERNEL_COFACTOR)
    lbs_steps(job, begin, end, again, true, false, SUPPLEI_KERNEL_COFACTOR);
  else if (job->mode == SUPPLEI_KERNEL_UNIT)
    lbs_steps(job, begin, end, again, true, false, SUPPLEI_KERNEL_UNIT);
  else
    lbs_steps(job, begin, end, again, true, false, SUPPLEI_KERNEL_LINEAR);
}

/* ---- dual quaternion skinning of rigid joints whose signs agree ---- */

SUPPLEI_INLINE uint32_t dqs_step(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                                 const float *sums, bool normals, bool tangents,
                                 supplei_kernel_normals mode) {
  vf q[8];
  for (int k = 0; k < 8; k++) q[k] = step_read(sums, k, lane);
  blended_rigid b = {{q[0], q[1], q[2], q[3]}, {q[4], q[5], q[6], q[7]}, q[0]};
  b.squared = quat_lanes_dot(b.real, b.real);
  part p = {.position = packed_read3(&job->positions, block, lane)};
  if (normals) packed_read_frame(job, block, lane, tangents, &p);
  const uint32_t again = dqs_rigid(job, b, &p, normals, tangents, mode);
  packed_write3(&job->out_positions, block, lane, p.position);
  if (normals) packed_write_frame(job, block, lane, tangents, &p);
  return (again & all_lanes()) << lane;
}

/* Blocks of any kind and streams of any stride. */
SUPPLEI_APART void dqs_any(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                           uint16_t *again) {
  dqs_blocks(job, begin, end, again, job->out_normals.data != NULL, job->out_tangents.data != NULL,
             job->mode);
}

SUPPLEI_INLINE bool is_plain(const supplei_kernel_job *job, uint32_t block) {
  return !job->blocks.wide[block] && !(job->doubtful && job->doubtful[block]) &&
         kind_of_block(job, block) == ALL_RIGID;
}

SUPPLEI_INLINE void dqs_steps(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                              uint16_t *again, bool normals, bool tangents,
                              supplei_kernel_normals mode) {
  for (uint32_t block = begin; block < end; block++) {
    float sums[8 * SUPPLEI_BLOCK];
    uint32_t bits = 0;
    if (!is_plain(job, block)) {
      dqs_any(job, block, block + 1, again + (block - begin));
      continue;
    }
    step_sum_rigid(job, block, sums);
    for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES)
      bits |= dqs_step(job, block, lane, sums, normals, tangents, mode);
    again[block - begin] = (uint16_t)bits;
  }
}

static void dqs_in_steps(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                         uint16_t *again) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  if (!are_packed(job))
    dqs_any(job, begin, end, again);
  else if (tangents)
    dqs_steps(job, begin, end, again, true, true, job->mode);
  else if (!normals)
    dqs_steps(job, begin, end, again, false, false, SUPPLEI_KERNEL_LINEAR);
  else if (job->mode == SUPPLEI_KERNEL_COFACTOR)
    dqs_steps(job, begin, end, again, true, false, SUPPLEI_KERNEL_COFACTOR);
  else if (job->mode == SUPPLEI_KERNEL_UNIT)
    dqs_steps(job, begin, end, again, true, false, SUPPLEI_KERNEL_UNIT);
  else
    dqs_steps(job, begin, end, again, true, false, SUPPLEI_KERNEL_LINEAR);
}
