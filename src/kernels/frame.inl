/* frame.inl: normals and tangents under L, operation by operation as src/deform/frame.h does it. Lanes that
 * need its rare branches are reported in `again`. */

/* size: squared Frobenius norm of L, or something not below it: the tests below then send lanes to the reference
 * that it would have computed alike, never the other way round. */
typedef struct linear {
  v3 row[3];
  vf size;
} linear;

SUPPLEI_INLINE v3 linear_apply(const linear *l, v3 v) {
  return (v3){v3_dot(l->row[0], v), v3_dot(l->row[1], v), v3_dot(l->row[2], v)};
}

SUPPLEI_INLINE vf linear_size(const linear *l) {
  return vf_add(vf_add(v3_dot(l->row[0], l->row[0]), v3_dot(l->row[1], l->row[1])),
                v3_dot(l->row[2], l->row[2]));
}

/* Where `squared` is long enough to be a direction. */
SUPPLEI_INLINE vm is_direction(vf squared, vf size) {
  vm long_enough = vf_less(vf_mul(vf_set(1e-12f), size), squared);
  return vm_and(long_enough, vf_less(squared, vf_set(HUGE_VALF)));
}

/* Where the reference computes with L itself. */
SUPPLEI_INLINE vm within_reach(vf size) {
  return vm_and(vf_less(vf_set(1e-10f), size), vf_less(size, vf_set(1e10f)));
}

/* Normal by the general L (LBS, and DQS of joints that are not rigid). */
SUPPLEI_INLINE v3 frame_normal(const linear *l, v3 n, supplei_kernel_normals mode, uint32_t *again) {
  if (mode == SUPPLEI_KERNEL_LINEAR) return linear_apply(l, n);
  vf own = v3_dot(n, n);
  if (mode == SUPPLEI_KERNEL_COFACTOR) {
    v3 c0 = v3_cross(l->row[1], l->row[2]), c1 = v3_cross(l->row[2], l->row[0]),
       c2 = v3_cross(l->row[0], l->row[1]);
    v3 c = {v3_dot(c0, n), v3_dot(c1, n), v3_dot(c2, n)};
    vf cc = v3_dot(c, c), det = v3_dot(l->row[0], c0);
    *again |= ~vm_bits(is_direction(cc, vf_mul(vf_mul(l->size, l->size), own)));
    vf sign = vf_select(vf_less(det, vf_set(0.0f)), vf_set(-1.0f), vf_set(1.0f));
    return v3_scale(c, vf_div(sign, vf_sqrt(cc)));
  }
  v3 b = linear_apply(l, n);
  vf bb = v3_dot(b, b);
  *again |= ~vm_bits(is_direction(bb, vf_mul(l->size, own)));
  return v3_scale(b, vf_div(vf_set(1.0f), vf_sqrt(bb)));
}

/* What is left of a moved tangent beside the normal, at unit length. */
SUPPLEI_INLINE v3 tangent_beside(v3 moved, v3 t, vf size, const v3 *n, uint32_t *again) {
  vf before = v3_dot(moved, moved);
  vm direction = is_direction(before, vf_mul(v3_dot(t, t), size));
  if (n) moved = v3_sub(moved, v3_scale(*n, v3_dot(*n, moved)));
  vf after = v3_dot(moved, moved);
  direction = vm_and(direction, vf_less(vf_mul(vf_set(1e-6f), before), after));
  *again |= ~vm_bits(direction);
  return v3_scale(moved, vf_div(vf_set(1.0f), vf_sqrt(after)));
}

SUPPLEI_INLINE v3 frame_tangent(const linear *l, v3 t, const v3 *n, supplei_kernel_normals mode,
                                uint32_t *again) {
  v3 moved = linear_apply(l, t);
  if (mode == SUPPLEI_KERNEL_LINEAR) return moved;
  return tangent_beside(moved, t, l->size, n, again);
}

SUPPLEI_INLINE vf frame_handedness(const linear *l, vf w) {
  v3 c0 = v3_cross(l->row[1], l->row[2]);
  return vf_select(vf_less(v3_dot(l->row[0], c0), vf_set(0.0f)), vf_neg(w), w);
}

/* Normal and tangent of a part by L, whose squared norm is at most the job's bound times `factor`. */
SUPPLEI_INLINE void frame_apply(const supplei_kernel_job *job, linear *l, vf factor, part *p,
                                bool normals, bool tangents, supplei_kernel_normals mode,
                                uint32_t *again) {
  if (tangents || (normals && mode != SUPPLEI_KERNEL_LINEAR && job->unit_bound == 0)) {
    l->size = linear_size(l);
    *again |= ~vm_bits(within_reach(l->size));
  } else if (normals && mode != SUPPLEI_KERNEL_LINEAR) {
    float bound = mode == SUPPLEI_KERNEL_UNIT ? job->unit_bound : job->cofactor_bound;
    l->size = vf_mul(vf_set(bound), factor);
    *again |= ~vm_bits(vf_less(l->size, vf_set(1e10f)));
  }
  if (normals) p->normal = frame_normal(l, p->normal, mode, again);
  if (tangents) {
    p->tangent = frame_tangent(l, p->tangent, normals ? &p->normal : NULL, mode, again);
    p->handedness = frame_handedness(l, p->handedness);
  }
}
