// Supple: dual quaternion skinning of any joint matrix: v' = vec((sum w p q) r*) / |r|^2, p = M v, r = sum w q.
// Printed by `supple shader`, handed out by supple_shader_source; the same answer as supple_deform.
//
// How to use it (functions of <supple/shader.h>):
//  1. Once a mesh: supple_binding_create; influences by supple_shader_pairs_pack, vertices by
//     supple_shader_rest_pack or of your own: floats, position first.
//  2. Once a frame: supple_prepared_update with SUPPLE_DQS, then supple_shader_palette_pack of
//     SUPPLE_PALETTE_AFFINE: 64 bytes a joint, the three rows of its matrix and its rotation.
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

// a plus the pure quaternion p times q: twelve multiply-adds.
fn supple_add_times(a: vec4f, p: vec3f, q: vec4f) -> vec4f {
  return vec4f(a.x + p.x * q.w + p.y * q.z - p.z * q.y,
              a.y + p.y * q.w + p.z * q.x - p.x * q.z,
              a.z + p.z * q.w + p.x * q.y - p.y * q.x,
              a.w - p.x * q.x - p.y * q.y - p.z * q.z);
}

// vec(a r*) / |r|^2.
fn supple_divide(a: vec4f, r: vec4f, squared: f32) -> vec3f {
  return (a.xyz * r.w - r.xyz * a.w - cross(a.xyz, r.xyz)) * (1.0 / squared);
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
  let pivot: vec4f = supple_palette_at(pivot_joint * 4u + 3u);
  var r: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  // Sums of the columns of each matrix times its quaternion: what makes the whole map, not only one point.
  var ax: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  var ay: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  var az: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  var aw: vec4f = vec4f(0.0, 0.0, 0.0, 0.0);
  for (var i: u32 = 0u; i < count; i++) {
    let pair: vec2u = supple_influence(begin + i);
    let joint: u32 = pair.x + supple_parameters.first_joint;
    let weight: f32 = bitcast<f32>(pair.y);
    let m0: vec4f = supple_palette_at(joint * 4u);
    let m1: vec4f = supple_palette_at(joint * 4u + 1u);
    let m2: vec4f = supple_palette_at(joint * 4u + 2u);
    let turn: vec4f = supple_palette_at(joint * 4u + 3u);
    // Negated only where the quaternions are clearly apart: sign() would lose the influence at 180 degrees.
    let q: vec4f = turn * select(weight, -weight, dot(pivot, turn) < -1e-6);
    r = r + q;
    ax = supple_add_times(ax, vec3f(m0.x, m1.x, m2.x), q);
    ay = supple_add_times(ay, vec3f(m0.y, m1.y, m2.y), q);
    az = supple_add_times(az, vec3f(m0.z, m1.z, m2.z), q);
    aw = supple_add_times(aw, vec3f(m0.w, m1.w, m2.w), q);
  }
  if (total == 0.0) {
    return rest;
  }
  let squared: f32 = dot(r, r);
  result.position = supple_divide(ax * p.x + ay * p.y + az * p.z + aw, r, squared);
  let x: vec3f = supple_divide(ax, r, squared);
  let y: vec3f = supple_divide(ay, r, squared);
  let z: vec3f = supple_divide(az, r, squared);
  let framed: supple_deformed = supple_frame(rest, x, y, z);
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
