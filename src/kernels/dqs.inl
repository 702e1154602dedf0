/* dqs.inl: dual quaternion skinning of whole blocks: 8 sums over the block's joints where all are rigid up to
 * the common scale, 20 where none is, both and a choice by lane where some are. */

typedef struct quat_lanes {
  vf x, y, z, w;
} quat_lanes;

SUPPLEI_INLINE vf quat_lanes_dot(quat_lanes a, quat_lanes b) {
  return vf_add(vf_add(vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)), vf_mul(a.z, b.z)),
                vf_mul(a.w, b.w));
}

/* The stored quaternion of each lane's pivot. */
SUPPLEI_INLINE quat_lanes pivot_quats(const supplei_kernel_job *job, uint32_t block, uint32_t lane) {
  float q[4][VF_LANES];
  const uint16_t *pivots = job->blocks.pivots + (size_t)block * SUPPLEI_BLOCK + lane;
  for (uint32_t i = 0; i < VF_LANES; i++)
    for (int k = 0; k < 4; k++) q[k][i] = job->stored_rigid[(size_t)pivots[i] * 8 + (size_t)k];
  return (quat_lanes){vf_load(q[0]), vf_load(q[1]), vf_load(q[2]), vf_load(q[3])};
}

/* Weights of joint i of the block list, negated in the lanes where its quaternion is far from the pivot's. */
SUPPLEI_INLINE vf dqs_weight(const supplei_kernel_job *job, uint32_t i, uint32_t lane,
                             bool doubtful, const quat_lanes *pivot) {
  vf w = vf_load(job->blocks.weights + (size_t)i * SUPPLEI_BLOCK + lane);
  if (!doubtful) return w;
  const float *q = job->stored_rigid + (size_t)job->blocks.joints[i] * 8;
  quat_lanes joint = {vf_set(q[0]), vf_set(q[1]), vf_set(q[2]), vf_set(q[3])};
  return vf_select(vf_less(quat_lanes_dot(*pivot, joint), vf_set(-1e-6f)), vf_neg(w), w);
}

typedef struct blended_rigid {
  quat_lanes real, dual;
  vf squared;
} blended_rigid;

SUPPLEI_INLINE blended_rigid dqs_blend_rigid(const supplei_kernel_job *job, uint32_t block,
                                             uint32_t lane, bool doubtful, const quat_lanes *pivot) {
  const supplei_kernel_blocks *blocks = &job->blocks;
  const float *numbers = doubtful ? job->stored_rigid : job->agreed_rigid;
  uint32_t begin = blocks->begins[block], end = blocks->begins[block + 1];
  vf zero = vf_set(0.0f);
  quat_lanes r = {zero, zero, zero, zero}, d = r;
  for (uint32_t i = begin; i < end; i++) {
    vf w = dqs_weight(job, i, lane, doubtful, pivot);
    const float *number = numbers + (size_t)blocks->joints[i] * 8;
    r.x = vf_accumulate(r.x, w, number);
    r.y = vf_accumulate(r.y, w, number + 1);
    r.z = vf_accumulate(r.z, w, number + 2);
    r.w = vf_accumulate(r.w, w, number + 3);
    d.x = vf_accumulate(d.x, w, number + 4);
    d.y = vf_accumulate(d.y, w, number + 5);
    d.z = vf_accumulate(d.z, w, number + 6);
    d.w = vf_accumulate(d.w, w, number + 7);
  }
  return (blended_rigid){r, d, quat_lanes_dot(r, r)};
}

/* v turned by r, which need not be a unit; twice = 2 / |r|². */
SUPPLEI_INLINE v3 dqs_rotate(quat_lanes r, vf twice, v3 v) {
  v3 u = {r.x, r.y, r.z};
  v3 c = v3_add(v3_cross(u, v), v3_scale(v, r.w));
  return v3_add(v, v3_scale(v3_cross(u, c), twice));
}

SUPPLEI_INLINE v3 dqs_rigid_point(const blended_rigid *b, vf twice, v3 x) {
  v3 u = {b->real.x, b->real.y, b->real.z}, ve = {b->dual.x, b->dual.y, b->dual.z};
  v3 c = v3_add(v3_cross(u, x), v3_scale(x, b->real.w));
  v3 moved = v3_add(v3_sub(v3_scale(ve, b->real.w), v3_scale(u, b->dual.w)), v3_cross(u, ve));
  return v3_add(x, v3_scale(v3_add(v3_cross(u, c), moved), twice));
}

SUPPLEI_INLINE void dqs_rigid_frame(const supplei_kernel_job *job, const blended_rigid *b, vf twice,
                                    part *p, bool normals, bool tangents,
                                    supplei_kernel_normals mode, uint32_t *again) {
  float sign = job->scale < 0 ? -1.0f : 1.0f;
  vf factor = vf_set(mode == SUPPLEI_KERNEL_LINEAR ? job->scale : sign);
  if (normals) {
    v3 n = dqs_rotate(b->real, twice, p->normal);
    if (mode != SUPPLEI_KERNEL_LINEAR) {
      vf nn = v3_dot(n, n);
      *again |= ~vm_bits(is_direction(nn, v3_dot(p->normal, p->normal)));
      p->normal = v3_scale(n, vf_div(factor, vf_sqrt(nn)));
    } else {
      p->normal = v3_scale(n, factor);
    }
  }
  if (tangents) {
    v3 t = v3_scale(dqs_rotate(b->real, twice, p->tangent), factor);
    if (mode != SUPPLEI_KERNEL_LINEAR)
      t = tangent_beside(t, p->tangent, vf_set(1.0f), normals ? &p->normal : NULL, again);
    p->tangent = t;
    if (job->scale < 0) p->handedness = vf_neg(p->handedness);
  }
}

SUPPLEI_INLINE blended_rigid dqs_read_wide_rigid(const float *sums, uint32_t lane) {
  vf r[4], d[4];
  wide_lanes(sums, 0, lane, r);
  wide_lanes(sums, 1, lane, d);
  blended_rigid b = {{r[0], r[1], r[2], r[3]}, {d[0], d[1], d[2], d[3]}, r[0]};
  b.squared = quat_lanes_dot(b.real, b.real);
  return b;
}

/* Positions and frames of a part from its sums. */
SUPPLEI_INLINE uint32_t dqs_rigid(const supplei_kernel_job *job, blended_rigid b, part *p,
                                  bool normals, bool tangents, supplei_kernel_normals mode) {
  uint32_t again = ~vm_bits(vf_less(vf_set(1e-12f), b.squared));
  vf twice = vf_div(vf_set(2.0f), b.squared);
  p->position = dqs_rigid_point(&b, twice, v3_scale(p->position, vf_set(job->scale)));
  dqs_rigid_frame(job, &b, twice, p, normals, tangents, mode, &again);
  return again;
}

/* ---- joints that are not rigid ---- */

typedef struct blended_affine {
  v3 column[4]; /* of the numerator's rows x, y, z */
  vf bottom[4]; /* its row w */
  quat_lanes real;
  vf inverse; /* 1 / |r|² */
} blended_affine;

/* Two passes, since 20 sums do not fit the registers of most machines. */
SUPPLEI_INLINE blended_affine dqs_blend_affine(const supplei_kernel_job *job, uint32_t block,
                                               uint32_t lane, bool doubtful,
                                               const quat_lanes *pivot) {
  const supplei_kernel_blocks *blocks = &job->blocks;
  const float *numbers = doubtful ? job->stored_affine : job->agreed_affine;
  uint32_t begin = blocks->begins[block], end = blocks->begins[block + 1];
  vf zero = vf_set(0.0f);
  quat_lanes r = {zero, zero, zero, zero};
  vf b0 = zero, b1 = zero, b2 = zero, b3 = zero;
  for (uint32_t i = begin; i < end; i++) {
    vf w = dqs_weight(job, i, lane, doubtful, pivot);
    const float *number = numbers + (size_t)blocks->joints[i] * 20;
    b0 = vf_accumulate(b0, w, number + 12);
    b1 = vf_accumulate(b1, w, number + 13);
    b2 = vf_accumulate(b2, w, number + 14);
    b3 = vf_accumulate(b3, w, number + 15);
    r.x = vf_accumulate(r.x, w, number + 16);
    r.y = vf_accumulate(r.y, w, number + 17);
    r.z = vf_accumulate(r.z, w, number + 18);
    r.w = vf_accumulate(r.w, w, number + 19);
  }
  v3 c0 = {zero, zero, zero}, c1 = c0, c2 = c0, c3 = c0;
  for (uint32_t i = begin; i < end; i++) {
    vf w = dqs_weight(job, i, lane, doubtful, pivot);
    const float *number = numbers + (size_t)blocks->joints[i] * 20;
    c0.x = vf_accumulate(c0.x, w, number);
    c1.x = vf_accumulate(c1.x, w, number + 1);
    c2.x = vf_accumulate(c2.x, w, number + 2);
    c3.x = vf_accumulate(c3.x, w, number + 3);
    c0.y = vf_accumulate(c0.y, w, number + 4);
    c1.y = vf_accumulate(c1.y, w, number + 5);
    c2.y = vf_accumulate(c2.y, w, number + 6);
    c3.y = vf_accumulate(c3.y, w, number + 7);
    c0.z = vf_accumulate(c0.z, w, number + 8);
    c1.z = vf_accumulate(c1.z, w, number + 9);
    c2.z = vf_accumulate(c2.z, w, number + 10);
    c3.z = vf_accumulate(c3.z, w, number + 11);
  }
  return (blended_affine){.column = {c0, c1, c2, c3}, .bottom = {b0, b1, b2, b3}, .real = r};
}

/* vec(a r*) / |r|². */
SUPPLEI_INLINE v3 dqs_divide(const blended_affine *b, v3 a, vf aw) {
  v3 r = {b->real.x, b->real.y, b->real.z};
  v3 sum = v3_sub(v3_sub(v3_scale(a, b->real.w), v3_scale(r, aw)), v3_cross(a, r));
  return v3_scale(sum, b->inverse);
}

SUPPLEI_INLINE vf affine_sum(vf c0, vf c1, vf c2, vf c3, v3 v) {
  return vf_add(vf_add(vf_add(vf_mul(c0, v.x), vf_mul(c1, v.y)), vf_mul(c2, v.z)), c3);
}

SUPPLEI_INLINE blended_affine dqs_read_wide_affine(const float *sums, uint32_t lane) {
  vf x[4], y[4], z[4], w[4], r[4];
  wide_lanes(sums, 0, lane, x);
  wide_lanes(sums, 1, lane, y);
  wide_lanes(sums, 2, lane, z);
  wide_lanes(sums, 3, lane, w);
  wide_lanes(sums, 4, lane, r);
  blended_affine b = {.real = {r[0], r[1], r[2], r[3]}};
  for (int c = 0; c < 4; c++) {
    b.column[c] = (v3){x[c], y[c], z[c]};
    b.bottom[c] = w[c];
  }
  return b;
}

SUPPLEI_INLINE uint32_t dqs_affine(const supplei_kernel_job *job, blended_affine b, part *p,
                                   bool normals, bool tangents, supplei_kernel_normals mode) {
  vf squared = quat_lanes_dot(b.real, b.real);
  uint32_t again = ~vm_bits(vf_less(vf_set(1e-12f), squared));
  b.inverse = vf_div(vf_set(1.0f), squared);
  const v3 *c = b.column;
  v3 a = {affine_sum(c[0].x, c[1].x, c[2].x, c[3].x, p->position),
          affine_sum(c[0].y, c[1].y, c[2].y, c[3].y, p->position),
          affine_sum(c[0].z, c[1].z, c[2].z, c[3].z, p->position)};
  vf aw = affine_sum(b.bottom[0], b.bottom[1], b.bottom[2], b.bottom[3], p->position);
  p->position = dqs_divide(&b, a, aw);
  if (normals || tangents) {
    v3 l0 = dqs_divide(&b, c[0], b.bottom[0]), l1 = dqs_divide(&b, c[1], b.bottom[1]),
       l2 = dqs_divide(&b, c[2], b.bottom[2]);
    linear l = {.row = {{l0.x, l1.x, l2.x}, {l0.y, l1.y, l2.y}, {l0.z, l1.z, l2.z}}};
    frame_apply(job, &l, b.inverse, p, normals, tangents, mode, &again);
  }
  return again;
}

/* ---- blocks ---- */

SUPPLEI_INLINE v3 v3_select(vm m, v3 a, v3 b) {
  return (v3){vf_select(m, a.x, b.x), vf_select(m, a.y, b.y), vf_select(m, a.z, b.z)};
}

/* The lanes that use one of the block's joints that are not rigid. */
SUPPLEI_INLINE vm affine_lanes(const supplei_kernel_job *job, uint32_t block, uint32_t lane) {
  vf zero = vf_set(0.0f);
  vm lanes = vf_less(zero, zero);
  for (uint32_t i = job->blocks.begins[block]; i < job->blocks.begins[block + 1]; i++)
    if (!job->is_rigid[job->blocks.joints[i]])
      lanes = vm_or(lanes,
                    vf_less(zero, vf_load(job->blocks.weights + (size_t)i * SUPPLEI_BLOCK + lane)));
  return lanes;
}

/* What a block's joints are. */
enum { ALL_RIGID, ALL_AFFINE, MIXED };
SUPPLEI_INLINE int kind_of_block(const supplei_kernel_job *job, uint32_t block) {
  uint32_t begin = job->blocks.begins[block], end = job->blocks.begins[block + 1], rigid = 0;
  if (!job->stored_affine) return ALL_RIGID;
  for (uint32_t i = begin; i < end; i++) rigid += job->is_rigid[job->blocks.joints[i]] != 0;
  return rigid == end - begin ? ALL_RIGID : rigid == 0 ? ALL_AFFINE : MIXED;
}

/* p where a lane is rigid, q where it is not. */
SUPPLEI_INLINE void select_part(vm affine, const part *q, part *p, bool normals, bool tangents) {
  p->position = v3_select(affine, q->position, p->position);
  if (normals) p->normal = v3_select(affine, q->normal, p->normal);
  if (tangents) {
    p->tangent = v3_select(affine, q->tangent, p->tangent);
    p->handedness = vf_select(affine, q->handedness, p->handedness);
  }
}

/* A block of rigid joints whose signs agree: the common case. */
SUPPLEI_INLINE uint32_t dqs_plain_block(const supplei_kernel_job *job, uint32_t block, bool normals,
                                        bool tangents, supplei_kernel_normals mode) {
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES) {
    part p = read_part(job, block, lane, normals, tangents);
    uint32_t again =
        dqs_rigid(job, dqs_blend_rigid(job, block, lane, false, NULL), &p, normals, tangents, mode);
    write_part(job, block, lane, &p, normals, tangents);
    bits |= (again & all_lanes()) << lane;
  }
  return bits;
}

/* A block of joints none of which is rigid, and whose signs agree. */
SUPPLEI_INLINE uint32_t dqs_affine_block(const supplei_kernel_job *job, uint32_t block,
                                         bool normals, bool tangents, supplei_kernel_normals mode) {
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES) {
    part p = read_part(job, block, lane, normals, tangents);
    uint32_t again = dqs_affine(job, dqs_blend_affine(job, block, lane, false, NULL), &p, normals,
                                tangents, mode);
    write_part(job, block, lane, &p, normals, tangents);
    bits |= (again & all_lanes()) << lane;
  }
  return bits;
}

/* A block of joints that are not all rigid, or whose signs are in doubt. */
SUPPLEI_INLINE uint32_t dqs_part(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                                 bool doubtful, bool normals, bool tangents) {
  part p = read_part(job, block, lane, normals, tangents), q = p;
  quat_lanes pivot = {0};
  if (doubtful) pivot = pivot_quats(job, block, lane);
  uint32_t again = 0, bits = 0;
  if (job->stored_affine) {
    vm lanes = affine_lanes(job, block, lane);
    bits = vm_bits(lanes);
    if (bits)
      again = bits & dqs_affine(job, dqs_blend_affine(job, block, lane, doubtful, &pivot), &q,
                                normals, tangents, job->mode);
    if (bits == all_lanes()) p = q;
  }
  if (bits != all_lanes()) {
    again |= ~bits & dqs_rigid(job, dqs_blend_rigid(job, block, lane, doubtful, &pivot), &p,
                               normals, tangents, job->mode);
    if (bits) select_part(affine_lanes(job, block, lane), &q, &p, normals, tangents);
  }
  write_part(job, block, lane, &p, normals, tangents);
  return again & all_lanes();
}

SUPPLEI_APART uint32_t dqs_doubtful_block(const supplei_kernel_job *job, uint32_t block) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES)
    bits |= dqs_part(job, block, lane, true, normals, tangents) << lane;
  return bits;
}

SUPPLEI_APART uint32_t dqs_mixed_block(const supplei_kernel_job *job, uint32_t block) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES)
    bits |= dqs_part(job, block, lane, false, normals, tangents) << lane;
  return bits;
}

/* Lanes whose bit is set. */
SUPPLEI_INLINE vm lanes_of(uint32_t bits) {
  float truth[VF_LANES];
  for (uint32_t i = 0; i < VF_LANES; i++) truth[i] = bits >> i & 1 ? 1.0f : 0.0f;
  return vf_less(vf_set(0.5f), vf_load(truth));
}

/* A wide block: signs are always resolved vertex by vertex (unless they are settled once a pose). */
SUPPLEI_APART uint32_t dqs_wide(const supplei_kernel_job *job, uint32_t block) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  float rigid[2 * SUPPLEI_BLOCK * 4], affine[5 * SUPPLEI_BLOCK * 4];
  uint32_t all_bits = job->stored_affine ? wide_affine_bits(job, block) : 0, result = 0;
  if (job->per_pose)
    wide_sum(job, block, job->stored_rigid, 2, false, rigid);
  else
    wide_sum(job, block, job->stored_rigid, 2, true, rigid);
  if (all_bits && job->per_pose) wide_sum(job, block, job->stored_affine, 5, false, affine);
  if (all_bits && !job->per_pose) wide_sum(job, block, job->stored_affine, 5, true, affine);
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane += VF_LANES) {
    uint32_t bits = all_bits >> lane & all_lanes();
    part p = read_part(job, block, lane, normals, tangents), q = p;
    uint32_t again =
        ~bits & dqs_rigid(job, dqs_read_wide_rigid(rigid, lane), &p, normals, tangents, job->mode);
    if (bits) {
      again |= bits & dqs_affine(job, dqs_read_wide_affine(affine, lane), &q, normals, tangents,
                                 job->mode);
      select_part(lanes_of(bits), &q, &p, normals, tangents);
    }
    write_part(job, block, lane, &p, normals, tangents);
    result |= (again & all_lanes()) << lane;
  }
  return result;
}

SUPPLEI_INLINE void dqs_blocks(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                               uint16_t *again, bool normals, bool tangents,
                               supplei_kernel_normals mode) {
  for (uint32_t block = begin; block < end; block++) {
    uint32_t bits;
    int kind = kind_of_block(job, block);
    if (job->blocks.wide[block])
      bits = dqs_wide(job, block);
    else if (job->doubtful && job->doubtful[block])
      bits = dqs_doubtful_block(job, block);
    else if (kind == MIXED)
      bits = dqs_mixed_block(job, block);
    else if (kind == ALL_AFFINE)
      bits = dqs_affine_block(job, block, normals, tangents, mode);
    else
      bits = dqs_plain_block(job, block, normals, tangents, mode);
    again[block - begin] = (uint16_t)bits;
  }
}

/* What is asked most gets code of its own. */
static inline void dqs(const supplei_kernel_job *job, uint32_t begin, uint32_t end, uint16_t *again) {
  bool normals = job->out_normals.data != NULL, tangents = job->out_tangents.data != NULL;
  if (tangents)
    dqs_blocks(job, begin, end, again, normals, true, job->mode);
  else if (!normals)
    dqs_blocks(job, begin, end, again, false, false, SUPPLEI_KERNEL_LINEAR);
  else if (job->mode == SUPPLEI_KERNEL_COFACTOR)
    dqs_blocks(job, begin, end, again, true, false, SUPPLEI_KERNEL_COFACTOR);
  else if (job->mode == SUPPLEI_KERNEL_UNIT)
    dqs_blocks(job, begin, end, again, true, false, SUPPLEI_KERNEL_UNIT);
  else
    dqs_blocks(job, begin, end, again, true, false, SUPPLEI_KERNEL_LINEAR);
}
