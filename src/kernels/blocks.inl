/* blocks.inl: reading and writing the streams of a block, and vectors of vectors. Included by each
 * kernels_*.c after its vf_*.h. */

typedef struct v3 {
  vf x, y, z;
} v3;

SUPPLEI_INLINE v3 v3_add(v3 a, v3 b) {
  return (v3){vf_add(a.x, b.x), vf_add(a.y, b.y), vf_add(a.z, b.z)};
}
SUPPLEI_INLINE v3 v3_sub(v3 a, v3 b) {
  return (v3){vf_sub(a.x, b.x), vf_sub(a.y, b.y), vf_sub(a.z, b.z)};
}
SUPPLEI_INLINE v3 v3_scale(v3 a, vf s) {
  return (v3){vf_mul(a.x, s), vf_mul(a.y, s), vf_mul(a.z, s)};
}
SUPPLEI_INLINE vf v3_dot(v3 a, v3 b) {
  return vf_add(vf_add(vf_mul(a.x, b.x), vf_mul(a.y, b.y)), vf_mul(a.z, b.z));
}
SUPPLEI_INLINE v3 v3_cross(v3 a, v3 b) {
  return (v3){vf_sub(vf_mul(a.y, b.z), vf_mul(a.z, b.y)), vf_sub(vf_mul(a.z, b.x), vf_mul(a.x, b.z)),
              vf_sub(vf_mul(a.x, b.y), vf_mul(a.y, b.x))};
}
SUPPLEI_INLINE uint32_t all_lanes(void) { return (1u << VF_LANES) - 1; }
/* acc + w · number in all lanes. */
SUPPLEI_INLINE vf vf_accumulate(vf acc, vf w, const float *number) {
  return vf_add(acc, vf_mul(w, vf_set(*number)));
}

/* `width` floats of VF_LANES vertices, packed; and back. */
SUPPLEI_APART void gather(const char *at, size_t stride, size_t width, float *packed) {
  for (size_t i = 0; i < VF_LANES; i++)
    memcpy(packed + width * i, at + i * stride, width * sizeof(float));
}
SUPPLEI_APART void scatter(char *at, size_t stride, size_t width, const float *packed) {
  for (size_t i = 0; i < VF_LANES; i++)
    memcpy(at + i * stride, packed + width * i, width * sizeof(float));
}

/* Three floats of VF_LANES vertices of a block, from `lane` on. */
SUPPLEI_INLINE v3 read3(const supplei_kernel_stream *stream, const float *compiled, uint32_t block,
                        uint32_t lane) {
  v3 v;
  if (!stream->data) {
    const float *p = compiled + (size_t)block * 3 * SUPPLEI_BLOCK + lane;
    return (v3){vf_load(p), vf_load(p + SUPPLEI_BLOCK), vf_load(p + 2 * SUPPLEI_BLOCK)};
  }
  const char *at = stream->data + ((size_t)block * SUPPLEI_BLOCK + lane) * stream->stride;
  if (stream->stride == 3 * sizeof(float)) {
    vf_load3((const float *)(const void *)at, &v.x, &v.y, &v.z);
    return v;
  }
  float packed[3 * VF_LANES];
  gather(at, stream->stride, 3, packed);
  vf_load3(packed, &v.x, &v.y, &v.z);
  return v;
}

SUPPLEI_INLINE void read4(const supplei_kernel_stream *stream, const float *compiled,
                          uint32_t block, uint32_t lane, v3 *v, vf *w) {
  if (!stream->data) {
    const float *p = compiled + (size_t)block * 4 * SUPPLEI_BLOCK + lane;
    *v = (v3){vf_load(p), vf_load(p + SUPPLEI_BLOCK), vf_load(p + 2 * SUPPLEI_BLOCK)};
    *w = vf_load(p + 3 * SUPPLEI_BLOCK);
    return;
  }
  const char *at = stream->data + ((size_t)block * SUPPLEI_BLOCK + lane) * stream->stride;
  if (stream->stride == 4 * sizeof(float)) {
    vf_load4((const float *)(const void *)at, &v->x, &v->y, &v->z, w);
    return;
  }
  float packed[4 * VF_LANES];
  gather(at, stream->stride, 4, packed);
  vf_load4(packed, &v->x, &v->y, &v->z, w);
}

/* + 0 turns -0 into +0, as the reference does. */
SUPPLEI_INLINE v3 plus_zero(v3 v) {
  vf zero = vf_set(0.0f);
  return (v3){vf_add(v.x, zero), vf_add(v.y, zero), vf_add(v.z, zero)};
}

SUPPLEI_INLINE void write3(const supplei_kernel_out *out, uint32_t block, uint32_t lane, v3 v) {
  v = plus_zero(v);
  char *at = out->data + ((size_t)block * SUPPLEI_BLOCK + lane) * out->stride;
  if (out->stream) {
    vf_stream3((float *)(void *)at, v.x, v.y, v.z);
  } else if (out->stride == 3 * sizeof(float)) {
    vf_store3((float *)(void *)at, v.x, v.y, v.z);
  } else {
    float packed[3 * VF_LANES];
    vf_store3(packed, v.x, v.y, v.z);
    scatter(at, out->stride, 3, packed);
  }
}

SUPPLEI_INLINE void write4(const supplei_kernel_out *out, uint32_t block, uint32_t lane, v3 v, vf w) {
  v = plus_zero(v);
  char *at = out->data + ((size_t)block * SUPPLEI_BLOCK + lane) * out->stride;
  if (out->stride == 4 * sizeof(float)) {
    vf_store4((float *)(void *)at, v.x, v.y, v.z, w);
  } else {
    float packed[4 * VF_LANES];
    vf_store4(packed, v.x, v.y, v.z, w);
    scatter(at, out->stride, 4, packed);
  }
}

/* One part of a block: VF_LANES vertices from `lane` on. */
typedef struct part {
  v3 position, normal, tangent;
  vf handedness;
} part;

SUPPLEI_INLINE part read_part(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                              bool normals, bool tangents) {
  part p = {.position = read3(&job->positions, job->blocks.positions, block, lane)};
  if (normals) p.normal = read3(&job->normals, job->blocks.normals, block, lane);
  if (tangents) read4(&job->tangents, job->blocks.tangents, block, lane, &p.tangent, &p.handedness);
  return p;
}

SUPPLEI_INLINE void write_part(const supplei_kernel_job *job, uint32_t block, uint32_t lane,
                               const part *p, bool normals, bool tangents) {
  write3(&job->out_positions, block, lane, p->position);
  if (normals) write3(&job->out_normals, block, lane, p->normal);
  if (tangents) write4(&job->out_tangents, block, lane, p->tangent, p->handedness);
}
