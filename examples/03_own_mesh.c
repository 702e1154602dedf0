/* 03_own_mesh.c: a mesh, a skeleton and a skin of your own, without glTF.
 *
 * Concept. What the reader fills is plain data, and so it can be yours: nodes and their order
 * make a skeleton, joints and inverse bind matrices a skin, vertex arrays a primitive, and the
 * three an instance.
 *
 * Usage. 03_own_mesh [DEGREES]: twists a tube; prints how much of its radius is left halfway.
 *
 * Implementation. Five rings of twelve vertices around Y, two joints where the middle ring
 * is; the middle ring follows both by half. Twisted by 180 degrees, linear blending closes it
 * to a point. */
#include <supple/supple.h>

#include <stdio.h>
#include <stdlib.h>

enum { RINGS = 5, AROUND = 12, VERTICES = RINGS * AROUND };

static float positions[VERTICES][3], weights[VERTICES][2], out[VERTICES][3];
static uint16_t joints[VERTICES][2];

static void build_tube(void) {
  for (int i = 0; i < VERTICES; i++) {
    const int ring = i / AROUND;
    const double angle = 2 * SUPPLE_PI * (i % AROUND) / AROUND;
    positions[i][0] = (float)supple_cos(angle);
    positions[i][1] = (float)(2 * (ring - RINGS / 2));
    positions[i][2] = (float)-supple_sin(angle);
    joints[i][1] = 1;
    weights[i][1] = ring < RINGS / 2 ? 0.0f : ring > RINGS / 2 ? 1.0f : 0.5f;
    weights[i][0] = 1 - weights[i][1];
  }
}

/* Smallest distance from the axis on the middle ring, which was 1. */
static double radius_halfway(void) {
  double least = 1e9;
  for (int i = RINGS / 2 * AROUND; i < (RINGS / 2 + 1) * AROUND; i++) {
    const double r = supple_vec3_length(supple_vec3_make((double)out[i][0], 0, (double)out[i][2]));
    least = r < least ? r : least;
  }
  return least;
}

int main(int argc, char **argv) {
  const double degrees = argc > 1 ? atof(argv[1]) : 180;
  build_tube();

  /* The joints are nodes 0 and 1, both at the origin: so the inverse binds are identities. */
  supple_node nodes[2] = {{.name = "lower", .parent = SUPPLE_NONE}, {.name = "upper", .parent = 0}};
  for (int i = 0; i < 2; i++) {
    nodes[i].mesh = nodes[i].skin = nodes[i].camera = SUPPLE_NONE;
    nodes[i].rest = supple_transform_identity();
  }
  nodes[0].mesh = nodes[0].skin = 0; /* it carries the mesh; where it is does not matter */
  const uint32_t order[2] = {0, 1}, skin_joints[2] = {0, 1}, parents[2] = {SUPPLE_NONE, 0};
  const supple_affine64 inverse_binds[2] = {supple_affine64_identity(), supple_affine64_identity()};
  const supple_skeleton skeleton = {.nodes = nodes, .order = order, .node_count = 2};
  const supple_skin skin = {.joint_count = 2,
                            .joints = skin_joints,
                            .inverse_binds = inverse_binds,
                            .parents = parents,
                            .skeleton = SUPPLE_NONE};
  const supple_primitive primitive = {.vertex_count = VERTICES,
                                      .positions = positions[0],
                                      .influence_count = 2,
                                      .joints = joints[0],
                                      .weights = weights[0],
                                      .material = SUPPLE_NONE};
  const supple_primitive *primitives = &primitive;
  const supple_instance instance = {.skin = &skin, .primitives = &primitives, .primitive_count = 1};

  supple_error error = {.message = ""};
  supple_pose *pose = supple_pose_create(&skeleton, NULL, &error);
  supple_palette *palette = supple_palette_create(2, SUPPLE_SPACE_SCENE, NULL, &error);
  supple_binding *binding = supple_binding_create(&primitive, NULL, &error);
  supple_prepared *prepared = binding ? supple_prepared_create(binding, NULL, &error) : NULL;
  if (!pose || !palette || !prepared) return fprintf(stderr, "%s\n", error.message), 1;

  const supple_vec3 up = supple_vec3_make(0, 1, 0);
  pose->locals[1].rotation = supple_quat_from_axis_angle(up, degrees * SUPPLE_PI / 180);
  supple_pose_update(pose);
  supple_palette_compose(palette, pose, &instance);
  const supple_job job = {.prepared = prepared,
                          .positions = {positions[0], sizeof positions[0]},
                          .out_positions = {out[0], sizeof out[0]}};
  bool fine = true;
  for (int method = SUPPLE_LBS; fine && method <= SUPPLE_DQS; method++) {
    fine = supple_prepared_update(prepared, binding, palette, (supple_method)method) == SUPPLE_OK &&
           supple_deform(&job) == SUPPLE_OK;
    printf("twisted by %g degrees, %s keeps %.1f %% of the radius\n", degrees,
           method == SUPPLE_LBS ? "lbs" : "dqs", fine ? 100 * radius_halfway() : 0);
  }
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
  return fine ? 0 : 1;
}
