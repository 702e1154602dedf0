// Supple: linear blend skinning.
// Printed by `supple shader`, handed out by supple_shader_source; the same answer as supple_deform.
//
// How to use it (functions of <supple/shader.h>):
//  1. Once a mesh: supple_binding_create with max_influences as below; joints and weights by
//     supple_shader_attributes_pack (integers from 8 bits on, floats from normalised bytes on).
//  2. Once a frame: supple_prepared_update with SUPPLE_LBS, then supple_shader_palette_pack of
//     SUPPLE_PALETTE_ROWS: 48 bytes a joint, the three rows of its matrix.
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

// Normal and tangent under the linear map whose columns are x, y and z.
fn supple_frame(rest: supple_deformed, x: vec3f, y: vec3f, z: vec3f) -> supple_deformed {
  var result: supple_deformed = rest;
  // Extreme scales are brought into reach, since squares of squares would leave the range of float.
  var reach: f32 = 1.0;
  var size: f32 = dot(x, x) + dot(y, y) + dot(z, z);
  if (!(size >= 1e-10 && size <= 1e10)) {
    let a: vec3f = max(abs(x), max(abs(y), abs(z)));
    let largest: f32 = max(a.x, max(a.y, a.z));
    reach = select(1.0, 1.0 / largest, largest > 1e-37);
  }
  let lx: vec3f = x * reach;
  let ly: vec3f = y * reach;
  let lz: vec3f = z * reach;
  size = dot(lx, lx) + dot(ly, ly) + dot(lz, lz);
  var n: vec3f = lx * rest.normal.x + ly * rest.normal.y + lz * rest.normal.z;
  let yz: vec3f = cross(ly, lz);
  let determinant: f32 = dot(lx, yz);
  // By the cofactors and the determinant's sign; where that vanishes, by the map itself.
  let m: vec3f = rest.normal * select(1.0, -1.0, determinant < 0.0);
  let c: vec3f = yz * m.x + cross(lz, lx) * m.y + cross(lx, ly) * m.z;
  let own: f32 = dot(m, m);
  if (supple_is_direction(dot(c, c), size * size * own)) {
    n = c * (1.0 / sqrt(dot(c, c)));
  } else {
    n = supple_direction(n, size, rest.normal);
  }
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
  var m0: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  var m1: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  var m2: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  for (var i: u32 = 0u; i < count; i++) {
    let joint: u32 = joints_0[i] + supple_parameters.first_joint;
    let weight: f32 = weights_0[i];
    total = total + weight;
    m0 = m0 + supple_palette_at(joint * 3u) * weight;
    m1 = m1 + supple_palette_at(joint * 3u + 1u) * weight;
    m2 = m2 + supple_palette_at(joint * 3u + 2u) * weight;
  }
  if (total == 0.0) {
    return rest;
  }
  result.position = vec3f(dot(m0.xyz, p) + m0.w, dot(m1.xyz, p) + m1.w, dot(m2.xyz, p) + m2.w);
  let x: vec3f = vec3f(m0.x, m1.x, m2.x);
  let y: vec3f = vec3f(m0.y, m1.y, m2.y);
  let z: vec3f = vec3f(m0.z, m1.z, m2.z);
  let framed: supple_deformed = supple_frame(rest, x, y, z);
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
