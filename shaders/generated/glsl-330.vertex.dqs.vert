#version 330 core
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
// Attributes: 0 position, 1 normal, 2 tangent (w: handedness), 3 joints (integers), 4 weights.
// Outputs, also for transform feedback: supple_position, supple_normal, supple_tangent, as far as asked for.
// Uniforms, by name: those declared below, of which clip_from_scene is the projection times the view.
// supple_palette: a texture RGBA32F, nearest; texel i at (i % width, i / width).

uniform mat4 supple_clip_from_scene;
uniform uint supple_first_joint;

uniform sampler2D supple_palette;
vec4 supple_palette_at(uint i) {
  uint width = uint(textureSize(supple_palette, 0).x);
  return texelFetch(supple_palette, ivec2(int(i % width), int(i / width)), 0);
}

struct supple_deformed {
  vec3 position;
  vec3 normal;
};

// a plus the pure quaternion p times q: twelve multiply-adds.
vec4 supple_add_times(vec4 a, vec3 p, vec4 q) {
  return vec4(a.x + p.x * q.w + p.y * q.z - p.z * q.y,
              a.y + p.y * q.w + p.z * q.x - p.x * q.z,
              a.z + p.z * q.w + p.x * q.y - p.y * q.x,
              a.w - p.x * q.x - p.y * q.y - p.z * q.z);
}

// vec(a r*) / |r|^2.
vec3 supple_divide(vec4 a, vec4 r, float squared) {
  return (a.xyz * r.w - r.xyz * a.w - cross(a.xyz, r.xyz)) * (1.0 / squared);
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

// Normal and tangent under the linear map whose columns are x, y and z.
supple_deformed supple_frame(supple_deformed rest, vec3 x, vec3 y, vec3 z) {
  supple_deformed result = rest;
  // Extreme scales are brought into reach, since squares of squares would leave the range of float.
  float reach = 1.0;
  float size = dot(x, x) + dot(y, y) + dot(z, z);
  if (!(size >= 1e-10 && size <= 1e10)) {
    vec3 a = max(abs(x), max(abs(y), abs(z)));
    float largest = max(a.x, max(a.y, a.z));
    reach = (largest > 1e-37 ? 1.0 / largest : 1.0);
  }
  vec3 lx = x * reach;
  vec3 ly = y * reach;
  vec3 lz = z * reach;
  size = dot(lx, lx) + dot(ly, ly) + dot(lz, lz);
  vec3 n = lx * rest.normal.x + ly * rest.normal.y + lz * rest.normal.z;
  vec3 yz = cross(ly, lz);
  float determinant = dot(lx, yz);
  // By the cofactors and the determinant's sign; where that vanishes, by the map itself.
  vec3 m = rest.normal * (determinant < 0.0 ? -1.0 : 1.0);
  vec3 c = yz * m.x + cross(lz, lx) * m.y + cross(lx, ly) * m.z;
  float own = dot(m, m);
  if (supple_is_direction(dot(c, c), size * size * own)) {
    n = c * (1.0 / sqrt(dot(c, c)));
  } else {
    n = supple_direction(n, size, rest.normal);
  }
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
  vec4 pivot = supple_palette_at(pivot_joint * 4u + 3u);
  vec4 r = vec4(0.0, 0.0, 0.0, 0.0);
  // Sums of the columns of each matrix times its quaternion: what makes the whole map, not only one point.
  vec4 ax = vec4(0.0, 0.0, 0.0, 0.0);
  vec4 ay = vec4(0.0, 0.0, 0.0, 0.0);
  vec4 az = vec4(0.0, 0.0, 0.0, 0.0);
  vec4 aw = vec4(0.0, 0.0, 0.0, 0.0);
  for (uint i = 0u; i < count; i++) {
    uint joint = joints_0[i] + supple_first_joint;
    float weight = weights_0[i];
    vec4 m0 = supple_palette_at(joint * 4u);
    vec4 m1 = supple_palette_at(joint * 4u + 1u);
    vec4 m2 = supple_palette_at(joint * 4u + 2u);
    vec4 turn = supple_palette_at(joint * 4u + 3u);
    // Negated only where the quaternions are clearly apart: sign() would lose the influence at 180 degrees.
    vec4 q = turn * (dot(pivot, turn) < -1e-6 ? -weight : weight);
    r = r + q;
    ax = supple_add_times(ax, vec3(m0.x, m1.x, m2.x), q);
    ay = supple_add_times(ay, vec3(m0.y, m1.y, m2.y), q);
    az = supple_add_times(az, vec3(m0.z, m1.z, m2.z), q);
    aw = supple_add_times(aw, vec3(m0.w, m1.w, m2.w), q);
  }
  if (total == 0.0) {
    return rest;
  }
  float squared = dot(r, r);
  result.position = supple_divide(ax * p.x + ay * p.y + az * p.z + aw, r, squared);
  vec3 x = supple_divide(ax, r, squared);
  vec3 y = supple_divide(ay, r, squared);
  vec3 z = supple_divide(az, r, squared);
  supple_deformed framed = supple_frame(rest, x, y, z);
  result.normal = framed.normal;
  return result;
}

layout(location = 0) in vec3 supple_in_position;
layout(location = 1) in vec3 supple_in_normal;
layout(location = 3) in uvec4 supple_in_joints_0;
layout(location = 4) in vec4 supple_in_weights_0;
out vec3 supple_position;
out vec3 supple_normal;

void main() {
  supple_deformed rest;
  rest.position = supple_in_position;
  rest.normal = supple_in_normal;
  uint index = uint(gl_VertexID);
  supple_deformed posed = supple_deform(rest, supple_in_joints_0, supple_in_weights_0, index);
  supple_position = posed.position;
  supple_normal = posed.normal;
  gl_Position = supple_clip_from_scene * vec4(posed.position, 1.0);
}
