/* golden_rig.c: meshes and palettes whose every bit is the same on every machine: integers, exact products,
 * quotients and conversions here, all else by the library. */
#include "golden_rig.h"

#include "golden.h"

#include <stddef.h>
#include <string.h>

/* ---- the mesh ---- */

static void build_shape(cli_golden_rig *rig, cli_golden_random *random) {
  for (uint32_t v = 0; v < CLI_GOLDEN_VERTICES; v++) {
    for (int c = 0; c < 3; c++) rig->positions[v][c] = (float)(2.0 * cli_golden_signed(random));
    for (int c = 0; c < 3; c++) rig->normals[v][c] = (float)cli_golden_signed(random);
    for (int c = 0; c < 3; c++) rig->tangents[v][c] = (float)cli_golden_signed(random);
    rig->tangents[v][3] = v % 2 ? -1.0f : 1.0f;
    if (v % 53 == 17) memset(rig->normals[v], 0, sizeof rig->normals[v]);
    if (v % 59 == 23) memset(rig->tangents[v], 0, 3 * sizeof(float));
    if (v % 61 == 31) memcpy(rig->tangents[v], rig->normals[v], 3 * sizeof(float));
  }
}

/* Two joints of opposite sign under signs per pose, in equal shares. */
static void share_equally(cli_golden_rig *rig, uint32_t v, uint32_t joint) {
  memset(rig->weights[v], 0, sizeof rig->weights[v]);
  rig->joints[v][0] = (uint16_t)joint;
  rig->joints[v][1] = (uint16_t)((joint + 3) % CLI_GOLDEN_JOINTS);
  rig->weights[v][0] = rig->weights[v][1] = 0.5f;
}

static void build_influences(cli_golden_rig *rig, cli_golden_random *random) {
  for (uint32_t v = 0; v < CLI_GOLDEN_VERTICES; v++) {
    const uint32_t first = v * CLI_GOLDEN_JOINTS / CLI_GOLDEN_VERTICES;
    const uint32_t count = 1 + v % CLI_GOLDEN_INFLUENCES;
    for (uint32_t i = 0; i < CLI_GOLDEN_INFLUENCES; i++) {
      const uint32_t joint = cli_golden_bits(random) % CLI_GOLDEN_JOINTS;
      const uint32_t level = cli_golden_bits(random) % 255 + 1;
      rig->joints[v][i] = (uint16_t)(v % 3 ? (first + i) % CLI_GOLDEN_JOINTS : joint);
      rig->weights[v][i] = i < count ? (float)level / 255.0f : 0.0f;
    }
    if (v % 17 == 0) { /* one influence */
      memset(rig->weights[v], 0, sizeof rig->weights[v]);
      rig->weights[v][v / 17 % CLI_GOLDEN_INFLUENCES] = 1;
    }
    if (v % 29 == 7) /* ties */
      for (uint32_t i = 0; i < count; i++) rig->weights[v][i] = 1.0f / (float)count;
    if (v % 37 == 3) rig->weights[v][count / 2] = -0.125f;
    if (v % 31 == 5) memset(rig->weights[v], 0, sizeof rig->weights[v]);
    if (v % 23 == 11) share_equally(rig, v, first);
  }
}

/* ---- the joints ---- */

/* What a joint is built from: T · R · S, S any 3 × 3 matrix. */
typedef struct joint_parts {
  supple_transform motion; /* its scale is 1 */
  supple_affine64 stretch;
  bool mirrored;
} joint_parts;

static void stretch_evenly(joint_parts *parts, double scale) {
  for (int k = 0; k < 3; k++) parts->stretch.m[k][k] = scale;
  parts->mirrored = scale < 0;
}

static void stretch_unevenly(joint_parts *parts, cli_golden_random *random) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      const double number = cli_golden_signed(random);
      parts->stretch.m[r][c] = (r == c ? 1.0 : 0.0) + 0.25 * number;
    }
}

static supple_quat turned(cli_golden_random *random, double most) {
  supple_vec3 axis;
  axis.x = cli_golden_signed(random);
  axis.y = cli_golden_signed(random);
  axis.z = cli_golden_signed(random);
  return supple_quat_from_axis_angle(axis, most * cli_golden_signed(random));
}

/* Powers of the third of a turn about (1, 1, 1), and half turns: matrices of 0, 1 and -1. */
static supple_quat exact_turn(cli_golden_kind kind, uint32_t joint) {
  static const supple_quat thirds[3] = {{0, 0, 0, 1}, {0.5, 0.5, 0.5, 0.5}, {0.5, 0.5, 0.5, -0.5}};
  static const supple_quat halves[4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  return kind == CLI_GOLDEN_THIRDS ? thirds[joint % 3] : halves[joint % 4];
}

static void stretch(joint_parts *parts, cli_golden_kind kind, uint32_t joint,
                    cli_golden_random *random) {
  static const double scales[4] = {1, 0.25, 3.7, 1};
  static const double extremes[4] = {1e-9, 1e9, 3e-5, 1e4};
  switch (kind) {
  case CLI_GOLDEN_COMMON: stretch_evenly(parts, 0.0254); break;
  case CLI_GOLDEN_REFLECTED: stretch_evenly(parts, -1); break;
  case CLI_GOLDEN_SCALED: stretch_evenly(parts, scales[joint % 4]); break;
  case CLI_GOLDEN_EXTREME: stretch_evenly(parts, extremes[joint % 4]); break;
  case CLI_GOLDEN_SHEARED: stretch_unevenly(parts, random); break;
  case CLI_GOLDEN_MIRRORED:
    if (joint % 3 == 0) break;
    stretch_unevenly(parts, random);
    parts->mirrored = joint % 3 == 1;
    if (parts->mirrored)
      for (int r = 0; r < 3; r++) parts->stretch.m[r][1] = -parts->stretch.m[r][1];
    break;
  case CLI_GOLDEN_SINGULAR:
    for (uint32_t k = 0; k < joint % 4; k++) parts->stretch.m[2 - k][2 - k] = 0;
    parts->mirrored = joint % 8 == 2;
    break;
  case CLI_GOLDEN_MIXED:
    if (joint % 8 == 5) stretch_unevenly(parts, random);
    if (joint % 8 == 6) parts->stretch.m[1][1] = -1, parts->mirrored = true;
    if (joint % 8 == 7) parts->stretch.m[2][2] = 0;
    break;
  default: break;
  }
}

static void build_joint(cli_golden_rig *rig, uint32_t joint, cli_golden_kind kind,
                        cli_golden_random *random) {
  joint_parts parts = {supple_transform_identity(), supple_affine64_identity(), false};
  if (kind != CLI_GOLDEN_REST) {
    parts.motion.translation.x = 0.5 * cli_golden_signed(random);
    parts.motion.translation.y = 0.5 * cli_golden_signed(random);
    parts.motion.translation.z = 0.5 * cli_golden_signed(random);
    if (kind == CLI_GOLDEN_THIRDS || kind == CLI_GOLDEN_HALF_TURNS)
      parts.motion.rotation = exact_turn(kind, joint);
    else
      parts.motion.rotation = turned(random, kind == CLI_GOLDEN_SMALL ? 0.3 : 3.1);
  }
  stretch(&parts, kind, joint, random);
  const supple_affine64 motion = supple_transform_to_affine(&parts.motion);
  const supple_affine64 matrix = supple_affine64_multiply(&motion, &parts.stretch);
  rig->matrices[joint] = supple_affine_from_double(&matrix);
  rig->rotations[joint] = parts.motion.rotation;
  rig->mirrored[joint] = parts.mirrored;
  rig->parents[joint] = joint == 0                 ? SUPPLE_NONE
                        : kind == CLI_GOLDEN_MIXED ? (joint - 1) / 2
                                                   : joint - 1;
}

/* ---- the interface ---- */

void cli_golden_rig_build(cli_golden_rig *rig, cli_golden_kind kind) {
  cli_golden_random random = {0x5ee9 + 977 * (uint64_t)kind};
  memset(rig, 0, sizeof *rig);
  build_shape(rig, &random);
  build_influences(rig, &random);
  for (uint32_t joint = 0; joint < CLI_GOLDEN_JOINTS; joint++)
    build_joint(rig, joint, kind, &random);
}

supple_primitive cli_golden_rig_primitive(const cli_golden_rig *rig) {
  supple_primitive primitive;
  memset(&primitive, 0, sizeof primitive);
  primitive.vertex_count = CLI_GOLDEN_VERTICES;
  primitive.positions = rig->positions[0];
  primitive.normals = rig->normals[0];
  primitive.tangents = rig->tangents[0];
  primitive.influence_count = CLI_GOLDEN_INFLUENCES;
  primitive.joints = rig->joints[0];
  primitive.weights = rig->weights[0];
  primitive.material = SUPPLE_NONE;
  return primitive;
}

supple_palette cli_golden_rig_palette(cli_golden_rig *rig) {
  supple_palette palette;
  memset(&palette, 0, sizeof palette);
  palette.joint_count = CLI_GOLDEN_JOINTS;
  palette.matrices = rig->matrices;
  palette.rotations = rig->rotations;
  palette.mirrored = rig->mirrored;
  palette.parents = rig->parents;
  return palette;
}
