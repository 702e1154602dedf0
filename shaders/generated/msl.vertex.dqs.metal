// Supple: dual quaternion skinning of any joint matrix: v' = vec((sum w p q) r*) / |r|^2, p = M v, r = sum w q.
// Printed by `supple shader`, handed out by supple_shader_source; the same answer as supple_deform.
//
// How to use it (functions of <supple/shader.h>):
//  1. Once a mesh: supple_binding_create with max_influences as below; joints and weights by
//     supple_shader_attributes_pack (integers from 8 bits on, floats from normalised bytes on).
//  2. Once a frame: supple_prepared_update with SUPPLE_DQS, then supple_shader_palette_pack of
//     SUPPLE_PALETTE_AFFINE: 64 bytes a joint, the three rows of its matrix and its rotation.
//  3. Draw. The matrices of a palette lead to the scene (or the mesh, as was asked): the node's own transform
//     must not be applied again to a palette of SUPPLE_SPACE_SCENE.
//  4. Several palettes may lie in one buffer: first_joint is where this one begins.
//
// 0 parameters {clip_from_scene, scale, first_joint, vertex_count, morph_count}: supple_shader_vertex_parameters
// 1 palette
// Numbers are buffer indices less 8, so that vertex buffers may take the first ones; entry supple_vertex.
// Attributes: 0 position, 1 normal, 2 tangent (w: handedness), 3 joints, 4 weights.
#include <metal_stdlib>
using namespace metal;

struct supple_parameters {
  float4x4 clip_from_scene;
  float scale;
  uint first_joint;
  uint vertex_count;
  uint morph_count;
};

// What supple_deform reads.
struct supple_resources {
  constant supple_parameters *parameters;
  device const float4 *palette;
};
static inline float4 supple_palette_at(supple_resources from, uint i) { return from.palette[i]; }

struct supple_deformed {
  float3 position;
  float3 normal;
};

// a plus the pure quaternion p times q: twelve multiply-adds.
static inline float4 supple_add_times(float4 a, float3 p, float4 q) {
  return float4(a.x + p.x * q.w + p.y * q.z - p.z * q.y,
              a.y + p.y * q.w + p.z * q.x - p.x * q.z,
              a.z + p.z * q.w + p.x * q.y - p.y * q.x,
              a.w - p.x * q.x - p.y * q.y - p.z * q.z);
}

// vec(a r*) / |r|^2.
static inline float3 supple_divide(float4 a, float4 r, float squared) {
  return (a.xyz * r.w - r.xyz * a.w - cross(a.xyz, r.xyz)) * (1.0f / squared);
}

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
                                            uint4 joints_0,
                                            float4 weights_0,
                                            uint index) {
  supple_deformed rest = vertex_at_rest;
  uint count = 4u;
  supple_deformed result = rest;
  float3 p = rest.position;
  float total = 0.0f;
  // The pivot is the influence with the highest weight, of several the one of the lowest joint.
  float most = 0.0f;
  uint pivot_joint = 0u;
  for (uint i = 0u; i < count; i++) {
    uint joint = joints_0[i] + from.parameters->first_joint;
    float weight = weights_0[i];
    total = total + weight;
    if (weight > most || (weight == most && joint < pivot_joint)) {
      most = weight;
      pivot_joint = joint;
    }
  }
  float4 pivot = supple_palette_at(from, pivot_joint * 4u + 3u);
  float4 r = float4(0.0f, 0.0f, 0.0f, 0.0f);
  // Sums of the columns of each matrix times its quaternion: what makes the whole map, not only one point.
  float4 ax = float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 ay = float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 az = float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 aw = float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (uint i = 0u; i < count; i++) {
    uint joint = joints_0[i] + from.parameters->first_joint;
    float weight = weights_0[i];
    float4 m0 = supple_palette_at(from, joint * 4u);
    float4 m1 = supple_palette_at(from, joint * 4u + 1u);
    float4 m2 = supple_palette_at(from, joint * 4u + 2u);
    float4 turn = supple_palette_at(from, joint * 4u + 3u);
    // Negated only where the quaternions are clearly apart: sign() would lose the influence at 180 degrees.
    float4 q = turn * (dot(pivot, turn) < -1e-6f ? -weight : weight);
    r = r + q;
    ax = supple_add_times(ax, float3(m0.x, m1.x, m2.x), q);
    ay = supple_add_times(ay, float3(m0.y, m1.y, m2.y), q);
    az = supple_add_times(az, float3(m0.z, m1.z, m2.z), q);
    aw = supple_add_times(aw, float3(m0.w, m1.w, m2.w), q);
  }
  if (total == 0.0f) {
    return rest;
  }
  float squared = dot(r, r);
  result.position = supple_divide(ax * p.x + ay * p.y + az * p.z + aw, r, squared);
  float3 x = supple_divide(ax, r, squared);
  float3 y = supple_divide(ay, r, squared);
  float3 z = supple_divide(az, r, squared);
  supple_deformed framed = supple_frame(rest, x, y, z);
  result.normal = framed.normal;
  return result;
}

struct supple_vertex_in {
  float3 position [[attribute(0)]];
  float3 normal [[attribute(1)]];
  uint4 joints_0 [[attribute(3)]];
  float4 weights_0 [[attribute(4)]];
};

struct supple_vertex_out {
  float4 clip [[position]];
  float3 position;
  float3 normal;
};

vertex supple_vertex_out supple_vertex(supple_vertex_in given [[stage_in]],
                                       constant supple_parameters &parameters [[buffer(8)]],
                                       device const float4 *palette [[buffer(9)]],
                                       uint index [[vertex_id]]) {
  supple_resources from;
  from.parameters = &parameters;
  from.palette = palette;
  supple_deformed rest;
  rest.position = given.position;
  rest.normal = given.normal;
  supple_deformed posed = supple_deform(from, rest, given.joints_0, given.weights_0, index);
  supple_vertex_out made;
  made.clip = parameters.clip_from_scene * float4(posed.position, 1.0f);
  made.position = posed.position;
  made.normal = posed.normal;
  return made;
}
