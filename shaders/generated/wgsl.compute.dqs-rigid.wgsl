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
// 0 parameters {vertex_count, rest_stride, posed_stride, morph_count, scale, first_joint, row, 0}:
//   supple_shader_compute_parameters; strides are in floats.
// 1 palette
// 2 influences {joint, weight}
// 4 vertices at rest, 5 deformed: position at 0, normal at 3, tangent at 6
// Numbers are bindings of group 0; entry supple_compute.

struct supple_parameter_block {
  vertex_count: u32,
  rest_stride: u32,
  posed_stride: u32,
  morph_count: u32,
  scale: f32,
  first_joint: u32,
  row: u32,
  unused: u32,
}
@group(0) @binding(0) var<uniform> supple_parameters: supple_parameter_block;
@group(0) @binding(1) var<storage, read> supple_palette: array<vec4f>;
fn supple_palette_at(i: u32) -> vec4f { return supple_palette[i]; }
@group(0) @binding(2) var<storage, read> supple_influences: array<vec2u>;
fn supple_influence(i: u32) -> vec2u { return supple_influences[i]; }
@group(0) @binding(4) var<storage, read> supple_rest: array<f32>;
@group(0) @binding(5) var<storage, read_write> supple_posed: array<f32>;

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
                 index: u32) -> supple_deformed {
  var rest: supple_deformed = vertex_at_rest;
  let begin: u32 = index * 4u;
  let count: u32 = 4u;
  var result: supple_deformed = rest;
  let p: vec3f = rest.position;
  var total: f32 = 0.0;
  // The pivot is the influence with the highest weight, of several the one of the lowest joint.
  var most: f32 = 0.0;
  var pivot_joint: u32 = 0u;
  for (var i: u32 = 0u; i < count; i++) {
    let pair: vec2u = supple_influence(begin + i);
    let joint: u32 = pair.x + supple_parameters.first_joint;
    let weight: f32 = bitcast<f32>(pair.y);
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
    let pair: vec2u = supple_influence(begin + i);
    let joint: u32 = pair.x + supple_parameters.first_joint;
    let weight: f32 = bitcast<f32>(pair.y);
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

@compute @workgroup_size(64)
fn supple_compute(@builtin(global_invocation_id) id: vec3u) {
  let index: u32 = id.y * supple_parameters.row + id.x;
  if (id.x >= supple_parameters.row || index >= supple_parameters.vertex_count) {
    return;
  }
  let at: u32 = index * supple_parameters.rest_stride;
  let to: u32 = index * supple_parameters.posed_stride;
  var rest: supple_deformed;
  rest.position = vec3f(supple_rest[at], supple_rest[at + 1u], supple_rest[at + 2u]);
  rest.normal = vec3f(supple_rest[at + 3u], supple_rest[at + 4u], supple_rest[at + 5u]);
  let posed: supple_deformed = supple_deform(rest, index);
  supple_posed[to] = posed.position.x;
  supple_posed[to + 1u] = posed.position.y;
  supple_posed[to + 2u] = posed.position.z;
  supple_posed[to + 3u] = posed.normal.x;
  supple_posed[to + 4u] = posed.normal.y;
  supple_posed[to + 5u] = posed.normal.z;
}
