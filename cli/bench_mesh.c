/* bench_mesh.c: tubes along a chain of joints, and primitives of assets, to be timed. */
#include "bench_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 32, ALIGNMENT = 64, SCALED_JOINT = 30 };

void *cli_bench_memory(size_t bytes) {
  if (bytes > SIZE_MAX - 2 * ALIGNMENT) return NULL;
  char *memory = calloc(bytes + 2 * ALIGNMENT, 1);
  if (!memory) return NULL;
  const size_t ahead =
      ALIGNMENT - (size_t)((uintptr_t)memory % ALIGNMENT); /* 1 to 64, so 16 at least */
  char *aligned = memory + (ahead < sizeof(void *) ? ahead + ALIGNMENT : ahead);
  memcpy(aligned - sizeof memory, &memory, sizeof memory);
  return aligned;
}

void cli_bench_release(void *memory) {
  if (!memory) return;
  char *start;
  memcpy(&start, (char *)memory - sizeof start, sizeof start);
  free(start);
}

/* Numbers that are the same everywhere: Knuth's 64-bit generator, its upper bits. */
static uint32_t draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static double draw_between(uint64_t *state, double low, double high) {
  return low + (high - low) * draw(state) / 2147483647.0;
}

void cli_bench_mesh_free(cli_bench_mesh *mesh) {
  cli_bench_release(mesh->positions);
  cli_bench_release(mesh->normals);
  cli_bench_release(mesh->tangents);
  cli_bench_release(mesh->weights);
  cli_bench_release(mesh->joints);
  cli_bench_release(mesh->matrices);
  memset(mesh, 0, sizeof *mesh);
}

static bool mesh_room(cli_bench_mesh *mesh, uint32_t vertex_count, uint32_t influence_count,
                      bool normals, bool tangents) {
  const size_t n = vertex_count;
  mesh->vertex_count = vertex_count;
  mesh->influence_count = influence_count;
  mesh->positions = cli_bench_memory(n * 3 * sizeof(float));
  if (normals) mesh->normals = cli_bench_memory(n * 3 * sizeof(float));
  if (tangents) mesh->tangents = cli_bench_memory(n * 4 * sizeof(float));
  mesh->weights = cli_bench_memory(n * influence_count * sizeof(float));
  mesh->joints = cli_bench_memory(n * influence_count * sizeof(uint16_t));
  return mesh->positions && (mesh->normals || !normals) && (mesh->tangents || !tangents) &&
         mesh->weights && mesh->joints;
}

/* ---- tubes ---- */

/* A vertex's influences: B-spline weights of four joints in a row, or what the kind makes of them. */
static void tube_influences(cli_bench_mesh *mesh, cli_bench_kind kind, size_t v, double along,
                            uint64_t *state) {
  const uint32_t count = mesh->influence_count, first = (uint32_t)along;
  uint16_t *joints = mesh->joints + v * count;
  float *weights = mesh->weights + v * count;
  const double middle = along - (double)first + (count - 2) / 2.0;
  const uint32_t used = kind == CLI_BENCH_VARIED ? 1 + draw(state) % 4 : count;
  double exact[8], sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    const double far = ((double)i - middle) / (count / 2.0), rest = 1 - far * far;
    exact[i] = i < used && rest >= 0 ? rest * rest + 0.001 : 0;
    if (i == 0 && used == 1) exact[i] = 1;
    sum += exact[i];
  }
  for (uint32_t i = 0; i < count; i++) {
    weights[i] = (float)(exact[i] / sum);
    joints[i] = (uint16_t)(i < used ? first + i : first);
    /* Four of 64, all different: one of each quarter. */
    if (kind == CLI_BENCH_RANDOM) joints[i] = (uint16_t)(16 * i + draw(state) % 16);
  }
}

static void tube_vertex(cli_bench_mesh *mesh, cli_bench_kind kind, size_t v, size_t place,
                        uint64_t *state) {
  const double rings = (double)((mesh->vertex_count - 1) / AROUND + 1);
  const double along =
      (double)(place / AROUND) / rings * (CLI_BENCH_JOINTS - (int)mesh->influence_count + 1);
  const double angle = 2 * SUPPLE_PI * (double)(place % AROUND) / AROUND;
  const double c = supple_cos(angle), s = supple_sin(angle);
  float *position = mesh->positions + 3 * v, *normal = mesh->normals + 3 * v,
        *tangent = mesh->tangents + 4 * v;
  position[0] = (float)(0.8 * c);
  position[1] = (float)(along + (mesh->influence_count - 2) / 2.0);
  position[2] = (float)(0.8 * s);
  normal[0] = (float)c;
  normal[2] = (float)s;
  tangent[0] = (float)-s;
  tangent[2] = (float)c;
  tangent[3] = place % 2 ? 1 : -1;
  tube_influences(mesh, kind, v, along, state);
}

bool cli_bench_mesh_tube(cli_bench_mesh *mesh, cli_bench_kind kind, uint32_t vertex_count) {
  static const char *const names[] = {"coherent", "shuffled", "random", "1-4 influences",
                                      "8 influences"};
  memset(mesh, 0, sizeof *mesh);
  snprintf(mesh->name, sizeof mesh->name, "%s", names[kind]);
  mesh->joint_count = CLI_BENCH_JOINTS;
  uint32_t *places = cli_bench_memory((size_t)vertex_count * sizeof *places);
  if (!places || !mesh_room(mesh, vertex_count, kind == CLI_BENCH_EIGHT ? 8 : 4, true, true)) {
    cli_bench_release(places);
    cli_bench_mesh_free(mesh);
    return false;
  }
  uint64_t state = 1;
  for (uint32_t v = 0; v < vertex_count; v++) {
    const uint32_t other = kind == CLI_BENCH_SHUFFLED ? draw(&state) % (v + 1) : v;
    places[v] = places[other];
    places[other] = v;
  }
  for (uint32_t v = 0; v < vertex_count; v++) tube_vertex(mesh, kind, v, places[v], &state);
  cli_bench_release(places);
  return true;
}

static supple_affine64 moved(double y) {
  supple_affine64 m = supple_affine64_identity();
  m.m[1][3] = y;
  return m;
}

static void write_dual_quat(const supple_affine64 *rigid, supple_quat rotation, float *out) {
  const supple_vec3 translation = {rigid->m[0][3], rigid->m[1][3], rigid->m[2][3]};
  const supple_dual_quat d = supple_dual_quat_from_rigid(rotation, translation);
  const double numbers[8] = {d.real.x, d.real.y, d.real.z, d.real.w,
                             d.dual.x, d.dual.y, d.dual.z, d.dual.w};
  for (int i = 0; i < 8; i++) out[i] = (float)numbers[i];
}

void cli_bench_pose_tube(cli_bench_pose pose, cli_bench_scale scale, supple_affine *matrices,
                         float *dual_quats) {
  static const double most[] = {0.3, 1.2, 2.5};
  uint64_t state = 2;
  supple_affine64 world = supple_affine64_identity();
  supple_quat rotation = {0, 0, 0, 1};
  for (int j = 0; j < CLI_BENCH_JOINTS; j++) {
    const double x = draw_between(&state, -1, 1), y = draw_between(&state, -1, 1),
                 z = draw_between(&state, -1, 1);
    supple_transform local = supple_transform_identity();
    local.rotation = supple_quat_from_axis_angle((supple_vec3){x, y, z},
                                                 draw_between(&state, -most[pose], most[pose]));
    local.translation.y = j > 0;
    const supple_affine64 step = supple_transform_to_affine(&local), away = moved(-j);
    world = supple_affine64_multiply(&world, &step);
    rotation = supple_quat_normalise(supple_quat_multiply(rotation, local.rotation));
    supple_affine64 matrix = supple_affine64_multiply(&world, &away);
    write_dual_quat(&matrix, rotation, dual_quats + 8 * j);
    supple_transform own = supple_transform_identity();
    if (scale == CLI_BENCH_AFFINE || (scale == CLI_BENCH_ONE_SCALED && j == SCALED_JOINT))
      own.scale = (supple_vec3){1.1, 0.9 + 0.002 * j, 1.2};
    const supple_affine64 scaling = supple_transform_to_affine(&own);
    const supple_affine64 scaled = supple_affine64_multiply(&world, &scaling);
    matrix = supple_affine64_multiply(&scaled, &away);
    for (int r = 0; r < 3 && scale == CLI_BENCH_COMMON; r++)
      for (int c = 0; c < 4; c++) matrix.m[r][c] *= 1.7;
    matrices[j] = supple_affine_from_double(&matrix);
  }
}

/* ---- assets ---- */

static void copy_influences(cli_bench_mesh *mesh, const supple_binding *binding) {
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    const uint16_t *joints;
    const float *weights;
    const uint32_t count = supple_binding_influences(binding, v, &joints, &weights);
    const size_t first = (size_t)v * mesh->influence_count;
    for (uint32_t i = 0; i < mesh->influence_count; i++) {
      mesh->joints[first + i] = count ? joints[i < count ? i : 0] : 0;
      mesh->weights[first + i] = i < count ? weights[i] : 0;
    }
  }
}

static bool fill_primitive(cli_bench_mesh *mesh, const supple_primitive *primitive,
                           const supple_palette *palette, const supple_binding *binding) {
  const uint32_t most = supple_binding_cleaning(binding)->most_influences,
                 n = primitive->vertex_count;
  const uint32_t limit = supple_binding_joint_limit(binding);
  if (!most || limit > palette->joint_count ||
      !mesh_room(mesh, n, (most + 3) / 4 * 4, primitive->normals != NULL,
                 primitive->tangents != NULL))
    return false;
  mesh->joint_count = palette->joint_count;
  mesh->matrices = cli_bench_memory(palette->joint_count * sizeof *mesh->matrices);
  if (!mesh->matrices) return false;
  memcpy(mesh->matrices, palette->matrices, palette->joint_count * sizeof *mesh->matrices);
  memcpy(mesh->positions, primitive->positions, (size_t)n * 3 * sizeof(float));
  if (mesh->normals) memcpy(mesh->normals, primitive->normals, (size_t)n * 3 * sizeof(float));
  if (mesh->tangents) memcpy(mesh->tangents, primitive->tangents, (size_t)n * 4 * sizeof(float));
  copy_influences(mesh, binding);
  return true;
}

bool cli_bench_mesh_primitive(cli_bench_mesh *mesh, const supple_primitive *primitive,
                              const supple_palette *palette, const char *name) {
  memset(mesh, 0, sizeof *mesh);
  snprintf(mesh->name, sizeof mesh->name, "%s", name);
  supple_binding *binding = supple_binding_create(primitive, NULL, NULL);
  const bool fine = binding && fill_primitive(mesh, primitive, palette, binding);
  supple_binding_destroy(binding);
  if (!fine) cli_bench_mesh_free(mesh);
  return fine;
}
