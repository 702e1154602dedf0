// Supple: linear blend skinning.
// Printed by `supple shader`, handed out by supple_shader_source; the same answer as supple_deform.
//
// How to use it (functions of <supple/shader.h>):
//  1. Once a mesh: supple_binding_create; influences by supple_shader_pairs_pack, vertices by
//     supple_shader_rest_pack or of your own: floats, position first.
//  2. Once a frame: supple_prepared_update with SUPPLE_LBS, then supple_shader_palette_pack of
//     SUPPLE_PALETTE_ROWS: 48 bytes a joint, the three rows of its matrix.
//  3. Dispatch (row / 64, rows, 1) groups of 64, where row is a multiple of 64 and row * rows >= vertex_count;
//     then wait for it (a barrier) before the vertices are read.
//  4. Several palettes may lie in one buffer: first_joint is where this one begins.
//
// 0 parameters {vertex_count, rest_stride, posed_stride, morph_count, scale, first_joint, row, 0}:
//   supple_shader_compute_parameters; strides are in floats.
// 1 palette
// 2 influences {joint, weight}
// 4 vertices at rest, 5 deformed: position at 0, normal at 3, tangent at 6
// Numbers are buffer indices; entry supple_compute.
#include <metal_stdlib>
using namespace metal;

struct supple_parameters {
  uint vertex_count;
  uint rest_stride;
  uint posed_stride;
  uint morph_count;
  float scale;
  uint first_joint;
  uint row;
  uint unused;
};

// What supple_deform reads.
struct supple_resources {
  constant supple_parameters *parameters;
  device const float4 *palette;
  device const uint2 *influences;
};
static inline float4 supple_palette_at(supple_resources from, uint i) { return from.palette[i]; }
static inline uint2 supple_influence(supple_resources from, uint i) { return from.influences[i]; }

struct supple_deformed {
  float3 position;
  float3 normal;
};

// Whether a vector of this squared length is more than rounding, where `size` could be expected.
static inline bool supple_is_direction(float squared, float size) {
  return squared > 1e-12f * size && squared <= 3.4e38f;
}

// Unit length along v; otherwise along n, which may be zero.
static inline float3 supple_direction(float3 v, float size, float3 n) {
  float vv = dot(v, v);
  float nn = dot(n, n);
  if (supple_is_direction(vv, size * nn)) {
    return v * (1.0f / sqrt(vv));
  }
  if (nn > 0.0f) {
    return n * (1.0f / sqrt(nn));
  }
  return n;
}

// Normal and tangent under the linear map whose columns are x, y and z.
static inline supple_deformed supple_frame(supple_deformed rest, float3 x, float3 y, float3 z) {
  supple_deformed result = rest;
  // Extreme scales are brought into reach, since squares of squares would leave the range of float.
  float reach = 1.0f;
  float size = dot(x, x) + dot(y, y) + dot(z, z);
  if (!(size >= 1e-10f && size <= 1e10f)) {
    float3 a = max(abs(x), max(abs(y), abs(z)));
    float largest = max(a.x, max(a.y, a.z));
    reach = (largest > 1e-37f ? 1.0f / largest : 1.0f);
  }
  float3 lx = x * reach;
  float3 ly = y * reach;
  float3 lz = z * reach;
  size = dot(lx, lx) + dot(ly, ly) + dot(lz, lz);
  float3 n = lx * rest.normal.x + ly * rest.normal.y + lz * rest.normal.z;
  float3 yz = cross(ly, lz);
  float determinant = dot(lx, yz);
  // By the cofactors and the determinant's sign; where that vanishes, by the map itself.
  float3 m = rest.normal * (determinant < 0.0f ? -1.0f : 1.0f);
  float3 c = yz * m.x + cross(lz, lx) * m.y + cross(lx, ly) * m.z;
  float own = dot(m, m);
  if (supple_is_direction(dot(c, c), size * size * own)) {
    n = c * (1.0f / sqrt(dot(c, c)));
  } else {
    n = supple_direction(n, size, rest.normal);
  }
  result.normal = n;
  return result;
}

// The vertex number `index`, deformed. Weights that sum to 1; a vertex without any stays as it is.
static inline supple_deformed supple_deform(supple_resources from, supple_deformed vertex_at_rest,
                                            uint index) {
  supple_deformed rest = vertex_at_rest;
  uint begin = index * 4u;
  uint count = 4u;
  supple_deformed result = rest;
  float3 p = rest.position;
  float total = 0.0f;
  float4 m0 = float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 m1 = float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 m2 = float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (uint i = 0u; i < count; i++) {
    uint2 pair = supple_influence(from, begin + i);
    uint joint = pair.x + from.parameters->first_joint;
    float weight = as_type<float>(pair.y);
    total = total + weight;
    m0 = m0 + supple_palette_at(from, joint * 3u) * weight;
    m1 = m1 + supple_palette_at(from, joint * 3u + 1u) * weight;
    m2 = m2 + supple_palette_at(from, joint * 3u + 2u) * weight;
  }
  if (total == 0.0f) {
    return rest;
  }
  result.position = float3(dot(m0.xyz, p) + m0.w, dot(m1.xyz, p) + m1.w, dot(m2.xyz, p) + m2.w);
  float3 x = float3(m0.x, m1.x, m2.x);
  float3 y = float3(m0.y, m1.y, m2.y);
  float3 z = float3(m0.z, m1.z, m2.z);
  supple_deformed framed = supple_frame(rest, x, y, z);
  result.normal = framed.normal;
  return result;
}

kernel void supple_compute(constant supple_parameters &parameters [[buffer(0)]],
                           device const float4 *palette [[buffer(1)]],
                           device const uint2 *influences [[buffer(2)]],
                           device const float *rest_vertices [[buffer(4)]],
                           device float *posed_vertices [[buffer(5)]],
                           uint2 id [[thread_position_in_grid]]) {
  uint index = id.y * parameters.row + id.x;
  if (id.x >= parameters.row || index >= parameters.vertex_count) return;
  supple_resources from;
  from.parameters = &parameters;
  from.palette = palette;
  from.influences = influences;
  device const float *in = rest_vertices + index * parameters.rest_stride;
  device float *out = posed_vertices + index * parameters.posed_stride;
  supple_deformed rest;
  rest.position = float3(in[0], in[1], in[2]);
  rest.normal = float3(in[3], in[4], in[5]);
  supple_deformed posed = supple_deform(from, rest, index);
  out[0] = posed.position.x;
  out[1] = posed.position.y;
  out[2] = posed.position.z;
  out[3] = posed.normal.x;
  out[4] = posed.normal.y;
  out[5] = posed.normal.z;
}
