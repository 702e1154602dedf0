#version 450 core
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
//   (push constants)
// 1 palette
// Numbers are bindings of set 0.
// Attributes: 0 position, 1 normal, 2 tangent (w: handedness), 3 joints, 4 weights.

layout(push_constant) uniform supple_parameters {
  mat4 supple_clip_from_scene;
  float supple_scale;
  uint supple_first_joint;
  uint supple_vertex_count;
  uint supple_morph_count;
};

layout(std430, set = 0, binding = 1) readonly buffer supple_palette_block {
  vec4 supple_palette[];
};
vec4 supple_palette_at(uint i) { return supple_palette[i]; }

struct supple_deformed {
  vec3 position;
  vec3 normal;
};

// v turned by r, whose length does not matter.
vec3 supple_turn(vec4 r, float squared, vec3 v) {
  return v + cross(r.xyz, cross(r.xyz, v) + v * r.w) * (2.0 / squared);
}

// v turned and moved.
vec3 supple_move(vec4 r, vec4 d, float squared, vec3 v) {
  vec3 moved = d.xyz * r.w - r.xyz * d.w + cross(r.xyz, d.xyz);
  return v + (cross(r.xyz, cross(r.xyz, v) + v * r.w) + moved) * (2.0 / squared);
}

// Whether a vector of this squared length is more than rounding, where `size` could be expected.
bool supple_is_direction(float squared, float size) {
  return squared > 1e-12 * size && squared <= 3.4e38;
}

// Unit length along v; otherwise along n, which may be zero.
vec3 supple_direction(vec3 v, float size, vec3 n) {
  float vv = dot(v, v);
  float nn = dot(n, n);
  if (supple_is_direction(vv, size * nn)) {
    return v * (1.0 / sqrt(vv));
  }
  if (nn > 0.0) {
    return n * (1.0 / sqrt(nn));
  }
  return n;
}

// Normal and tangent where the map is a turn by r and one scale.
supple_deformed supple_turn_frame(supple_deformed rest, vec4 r, float squared, float scale) {
  supple_deformed result = rest;
  float factor = (scale < 0.0 ? -1.0 : 1.0);
  vec3 n = supple_turn(r, squared, rest.normal) * factor;
  n = supple_direction(n, 1.0, rest.normal);
  result.normal = n;
  return result;
}

// The vertex number `index`, deformed. Weights that sum to 1; a vertex without any stays as it is.
supple_deformed supple_deform(supple_deformed vertex_at_rest,
                              uvec4 joints_0,
                              vec4 weights_0,
                              uint index) {
  supple_deformed rest = vertex_at_rest;
  uint count = 4u;
  supple_deformed result = rest;
  vec3 p = rest.position;
  float total = 0.0;
  // The pivot is the influence with the highest weight, of several the one of the lowest joint.
  float most = 0.0;
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
  vec4 pivot = supple_palette_at(pivot_joint * 2u);
  vec4 r = vec4(0.0, 0.0, 0.0, 0.0);
  vec4 d = vec4(0.0, 0.0, 0.0, 0.0);
  for (uint i = 0u; i < count; i++) {
    uint joint = joints_0[i] + supple_first_joint;
    float weight = weights_0[i];
    vec4 q = supple_palette_at(joint * 2u);
    // Negated only where the quaternions are clearly apart: sign() would lose the influence at 180 degrees.
    float signed_weight = (dot(pivot, q) < -1e-6 ? -weight : weight);
    r = r + q * signed_weight;
    d = d + supple_palette_at(joint * 2u + 1u) * signed_weight;
  }
  if (total == 0.0) {
    return rest;
  }
  float squared = dot(r, r);
  result.position = supple_move(r, d, squared, p * supple_scale);
  supple_deformed framed = supple_turn_frame(rest, r, squared, supple_scale);
  result.normal = framed.normal;
  return result;
}

layout(location = 0) in vec3 supple_in_position;
layout(location = 1) in vec3 supple_in_normal;
layout(location = 3) in uvec4 supple_in_joints_0;
layout(location = 4) in vec4 supple_in_weights_0;
layout(location = 0) out vec3 supple_position;
layout(location = 1) out vec3 supple_normal;

void main() {
  supple_deformed rest;
  rest.position = supple_in_position;
  rest.normal = supple_in_normal;
  uint index = uint(gl_VertexIndex);
  supple_deformed posed = supple_deform(rest, supple_in_joints_0, supple_in_weights_0, index);
  supple_position = posed.position;
  supple_normal = posed.normal;
  gl_Position = supple_clip_from_scene * vec4(posed.position, 1.0);
}
