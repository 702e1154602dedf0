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
// Numbers are bindings of group 0; entry supple_vertex.
// Attributes: 0 position, 1 normal, 2 tangent (w: handedness), 3 joints, 4 weights.

struct supple_parameter_block {
  clip_from_scene: mat4x4f,
  scale: f32,
  first_joint: u32,
  vertex_count: u32,
  morph_count: u32,
}
@group(0) @binding(0) var<uniform> supple_parameters: supple_parameter_block;
@group(0) @binding(1) var<storage, read> supple_palette: array<vec4f>;
fn supple_palette_at(i: u32) -> vec4f { return supple_palette[i]; }

struct supple_deformed {
  position: vec3f,
  normal: vec3f,
}

// v turned by r, whose length does not matter.
fn supple_turn(r: vec4f, squared: f32, v: vec3f) -> vec3f {
  return v + cross(r.xyz, cross(r.xyz, v) + v * r.w) * (2.0 / squared);
}

// v turned and moved.
fn supple_move(r: vec4f, d: vec4f, squared: f32, v: vec3f) -> vec3f {
  let moved: vec3f = d.xyz * r.w - r.xyz * d.w + cross(r.xyz, d.xyz);
  return v + (cross(r.xyz, cross(r.xyz, v) + v * r.w) + moved) * (2.0 / squared);
}

// Whether a vector of this squared length is more than rounding, where `size` could be expected.
fn supple_is_direction(squared: f32, size: f32) -> bool {
  return squared > 1e-12 * size && squared <= 3.4e38;
}

// Unit length along v; otherwise along n, which may be zero.
fn supple_direction(v: vec3f, size: f32, n: vec3f) -> vec3f {
  let vv: f32 = dot(v, v);
  let nn: f32 = dot(n, n);
  if (supple_is_direction(vv, size * nn)) {
    return v * (1.0 / sqrt(vv));
  }
  if (nn > 0.0) {
    return n * (1.0 / sqrt(nn));
  }
  return n;
}

// Normal and tangent where the map is a turn by r and one scale.
fn supple_turn_frame(rest: supple_deformed, r: vec4f, squared: f32, scale: f32) -> supple_deformed {
  var result: supple_deformed = rest;
  let factor: f32 = select(1.0, -1.0, scale < 0.0);
  var n: vec3f = supple_turn(r, squared, rest.normal) * factor;
  n = supple_direction(n, 1.0, rest.normal);
  result.normal = n;
  return result;
}

// The vertex number `index`, deformed. Weights that sum to 1; a vertex without any stays as it is.
fn supple_deform(vertex_at_rest: supple_deformed,
                 joints_0: vec4u,
                 weights_0: vec4f,
                 index: u32) -> supple_deformed {
  var rest: supple_deformed = vertex_at_rest;
  let count: u32 = 4u;
  var result: supple_deformed = rest;
  let p: vec3f = rest.position;
  var total: f32 = 0.0;
  // The pivot is the influence with the highest weight, of several the one of the lowest joint.
  var most: f32 = 0.0;
  var pivot_joint: u32 = 0u;
  for (var i: u32 = 0u; i < count; i++) {
    let joint: u32 = joints_0[i] + supple_parameters.first_joint;
    let weight: f32 = weights_0[i];
    total = total + weight;
    if (weight > most || (weight == most && joint < pivot_joint)) {
      most = weight;
      pivot_joint = joint;
    }
  }
  let pivot: vec4f = supple_palette_at(pivot_joint * 2u);
  var r: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  var d: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  for (var i: u32 = 0u; i < count; i++) {
    let joint: u32 = joints_0[i] + supple_parameters.first_joint;
    let weight: f32 = weights_0[i];
    let q: vec4f = supple_palette_at(joint * 2u);
    // Negated only where the quaternions are clearly apart: sign() would lose the influence at 180 degrees.
    let signed_weight: f32 = select(weight, -weight, dot(pivot, q) < -1e-6);
    r = r + q * signed_weight;
    d = d + supple_palette_at(joint * 2u + 1u) * signed_weight;
  }
  if (total == 0.0) {
    return rest;
  }
  let squared: f32 = dot(r, r);
  result.position = supple_move(r, d, squared, p * supple_parameters.scale);
  let framed: supple_deformed = supple_turn_frame(rest, r, squared, supple_parameters.scale);
  result.normal = framed.normal;
  return result;
}

struct supple_vertex_in {
  @location(0) position: vec3f,
  @location(1) normal: vec3f,
  @location(3) joints_0: vec4u,
  @location(4) weights_0: vec4f,
  @builtin(vertex_index) index: u32,
}

struct supple_vertex_out {
  @builtin(position) clip: vec4f,
  @location(0) position: vec3f,
  @location(1) normal: vec3f,
}

@vertex
fn supple_vertex(given: supple_vertex_in) -> supple_vertex_out {
  var rest: supple_deformed;
  rest.position = given.position;
  rest.normal = given.normal;
  let posed: supple_deformed = supple_deform(rest, given.joints_0, given.weights_0, given.index);
  var made: supple_vertex_out;
  made.clip = supple_parameters.clip_from_scene * vec4f(posed.position, 1.0);
  made.position = posed.position;
  made.normal = posed.normal;
  return made;
}
