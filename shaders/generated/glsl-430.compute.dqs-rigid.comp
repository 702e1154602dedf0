#version 430 core
// Supple: dual quaternion skinning of rigid joints, up to one scale common to all of them.
// Printed by `supple shader`, handed out by supple_shader_source; the same answer as supple_deform.
//
// How to use it (functions of <supple/shader.h>):
//  1. Once a mesh: supple_binding_create; influences by supple_shader_pairs_pack, vertices by
//     supple_shader_rest_pack or of your own: floats, position first.
//  2. Once a frame: supple_prepared_update with SUPPLE_DQS, then supple_shader_palette_pack of
//     SUPPLE_PALETTE_DUAL: 32 bytes a joint, {real, dual}; scale is what supple_shader_scale says.
//  3. Dispatch (row / 64, rows, 1) groups of 64, where row is a multiple of 64 and row * rows >= vertex_count;
//     then wait for it (a barrier) before the vertices are read.
//  4. Several palettes may lie in one buffer: first_joint is where this one begins.
//
// Uniforms, by name: those declared below, of which clip_from_scene is the projection times the view.
// Storage buffer 1: the palette.
// Storage buffer 2: influences {joint, weight}.
// Storage buffers 4: vertices at rest; 5: deformed. Strides are in floats; normal at 3, tangent at 6.

layout(local_size_x = 64) in;

uniform float supple_scale;
uniform uint supple_first_joint;
uniform uint supple_vertex_count;
uniform uint supple_rest_stride;
uniform uint supple_posed_stride;
uniform uint supple_row;

layout(std430, binding = 1) readonly buffer supple_palette_block {
  vec4 supple_palette[];
};
vec4 supple_palette_at(uint i) { return supple_palette[i]; }

layout(std430, binding = 2) readonly buffer supple_influences_block {
  uvec2 supple_influences[];
};
uvec2 supple_influence(uint i) { return supple_influences[i]; }

layout(std430, binding = 4) readonly buffer supple_rest_block {
  float supple_rest[];
};
layout(std430, binding = 5) buffer supple_posed_block {
  float supple_posed[];
};

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
                              uint index) {
  supple_deformed rest = vertex_at_rest;
  uint begin = index * 4u;
  uint count = 4u;
  supple_deformed result = rest;
  vec3 p = rest.position;
  float total = 0.0;
  // The pivot is the influence with the highest weight, of several the one of the lowest joint.
  float most = 0.0;
  uint pivot_joint = 0u;
  for (uint i = 0u; i < count; i++) {
    uvec2 pair = supple_influence(begin + i);
    uint joint = pair.x + supple_first_joint;
    float weight = uintBitsToFloat(pair.y);
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
    uvec2 pair = supple_influence(begin + i);
    uint joint = pair.x + supple_first_joint;
    float weight = uintBitsToFloat(pair.y);
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

void main() {
  uint index = gl_GlobalInvocationID.y * supple_row + gl_GlobalInvocationID.x;
  if (gl_GlobalInvocationID.x >= supple_row || index >= supple_vertex_count) return;
  uint from = index * supple_rest_stride, to = index * supple_posed_stride;
  supple_deformed rest;
  rest.position = vec3(supple_rest[from], supple_rest[from + 1u], supple_rest[from + 2u]);
  rest.normal = vec3(supple_rest[from + 3u], supple_rest[from + 4u], supple_rest[from + 5u]);
  supple_deformed posed = supple_deform(rest, index);
  supple_posed[to] = posed.position.x;
  supple_posed[to + 1u] = posed.position.y;
  supple_posed[to + 2u] = posed.position.z;
  supple_posed[to + 3u] = posed.normal.x;
  supple_posed[to + 4u] = posed.normal.y;
  supple_posed[to + 5u] = posed.normal.z;
}
