// Supple: dual quaternion skinning of rigid joints, up to one scale common to all of them.
// Printed by `supple shader`, handed out by supple_shader_source; the same answer as supple_deform.
//
// How to use it (functions of <supple/shader.h>):
//  1. Once a mesh: supple_binding_create with max_influences as below; joints and weights by
//     supple_shader_attributes_pack (integers from 8 bits on, floats from normalised bytes on).
//  2. Once a frame: supple_prepared_update with SUPPLE_DQS, then supple_shader_palette_pack of
//     SUPPLE_PALETTE_DUAL: 32 bytes a joint, {real, dual}; scale is what supple_shader_scale says.
//  3. Draw. The matrices of a palette lead to the scene (or the mesh, as was asked): the node's own transform
//     must not be applied again to a palette of SUPPLE_SPACE_SCENE.
//  4. Several palettes may lie in one buffer: first_joint is where this one begins.
//
// 0 parameters {clip_from_scene, scale, first_joint, vertex_count, morph_count}: supple_shader_vertex_parameters
// 1 palette
// Numbers are registers: b0, t1 (constant buffer: b1), t2, t3, t4, u5, t6, t7. Shader model 5 or 6; entry main.

cbuffer supple_parameters : register(b0) {
  float4x4 supple_clip_from_scene;
  float supple_scale;
  uint supple_first_joint;
  uint supple_vertex_count;
  uint supple_morph_count;
};

StructuredBuffer<float4> supple_palette : register(t1);
float4 supple_palette_at(uint i) { return supple_palette[i]; }

struct supple_deformed {
  float3 position;
  float3 normal;
};

// v turned by r, whose length does not matter.
float3 supple_turn(float4 r, float squared, float3 v) {
  return v + cross(r.xyz, cross(r.xyz, v) + v * r.w) * (2.0f / squared);
}

// v turned and moved.
float3 supple_move(float4 r, float4 d, float squared, float3 v) {
  float3 moved = d.xyz * r.w - r.xyz * d.w + cross(r.xyz, d.xyz);
  return v + (cross(r.xyz, cross(r.xyz, v) + v * r.w) + moved) * (2.0f / squared);
}

// Whether a vector of this squared length is more than rounding, where `size` could be expected.
bool supple_is_direction(float squared, float size) {
  return squared > 1e-12f * size && squared <= 3.4e38f;
}

// Unit length along v; otherwise along n, which may be zero.
float3 supple_direction(float3 v, float size, float3 n) {
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

// Normal and tangent where the map is a turn by r and one scale.
supple_deformed supple_turn_frame(supple_deformed rest, float4 r, float squared, float scale) {
  supple_deformed result = rest;
  float factor = (scale < 0.0f ? -1.0f : 1.0f);
  float3 n = supple_turn(r, squared, rest.normal) * factor;
  n = supple_direction(n, 1.0f, rest.normal);
  result.normal = n;
  return result;
}

// The vertex number `index`, deformed. Weights that sum to 1; a vertex without any stays as it is.
supple_deformed supple_deform(supple_deformed vertex_at_rest,
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
    uint joint = joints_0[i] + supple_first_joint;
    float weight = weights_0[i];
    total = total + weight;
    if (weight > most || (weight == most && joint < pivot_joint)) {
      most = weight;
      pivot_joint = joint;
    }
  }
  float4 pivot = supple_palette_at(pivot_joint * 2u);
  float4 r = float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 d = float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (uint i = 0u; i < count; i++) {
    uint joint = joints_0[i] + supple_first_joint;
    float weight = weights_0[i];
    float4 q = supple_palette_at(joint * 2u);
    // Negated only where the quaternions are clearly apart: sign() would lose the influence at 180 degrees.
    float signed_weight = (dot(pivot, q) < -1e-6f ? -weight : weight);
    r = r + q * signed_weight;
    d = d + supple_palette_at(joint * 2u + 1u) * signed_weight;
  }
  if (total == 0.0f) {
    return rest;
  }
  float squared = dot(r, r);
  result.position = supple_move(r, d, squared, p * supple_scale);
  supple_deformed framed = supple_turn_frame(rest, r, squared, supple_scale);
  result.normal = framed.normal;
  return result;
}

struct supple_vertex_in {
  float3 position : POSITION;
  float3 normal : NORMAL;
  uint4 joints_0 : BLENDINDICES0;
  float4 weights_0 : BLENDWEIGHT0;
  uint index : SV_VertexID;
};

struct supple_vertex_out {
  float4 clip : SV_Position;
  float3 position : TEXCOORD0;
  float3 normal : NORMAL;
};

supple_vertex_out main(supple_vertex_in given) {
  supple_deformed rest;
  rest.position = given.position;
  rest.normal = given.normal;
  supple_deformed posed = supple_deform(rest, given.joints_0, given.weights_0, given.index);
  supple_vertex_out made;
  made.clip = mul(supple_clip_from_scene, float4(posed.position, 1.0f));
  made.position = posed.position;
  made.normal = posed.normal;
  return made;
}
