/* fixture.c: what the builders of fixtures share. */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

const cli_fixture_kind cli_fixtures[] = {
    {"arm", "a capped cylinder on two joints: twist-180, bend-129, twist-90-bend-100",
     cli_fixture_build_arm},
    {"ring", "five rings of twelve vertices on two joints: twist-180", cli_fixture_build_ring},
    {"shear", "sheared, mirrored, zero-scaled and unevenly scaled joints, nested: sway",
     cli_fixture_build_shear},
    {"tube", "a tube, twelve joints, three influence sets: twist-360", cli_fixture_build_tube},
    {"figure", "a plain human figure of 24 joints: move", cli_fixture_build_figure},
    {NULL, NULL, NULL},
};

struct cli_fixture_block {
  struct cli_fixture_block *next;
};

const cli_fixture_kind *cli_fixture_find(const char *name) {
  for (const cli_fixture_kind *kind = cli_fixtures; kind->name; kind++) {
    if (strcmp(kind->name, name) == 0) return kind;
  }
  return NULL;
}

cli_fixture *cli_fixture_create(const cli_fixture_kind *kind) {
  cli_fixture *fixture = calloc(1, sizeof *fixture);
  if (!fixture) return NULL;
  if (kind->build(fixture)) return fixture;
  cli_fixture_free(fixture);
  return NULL;
}

void cli_fixture_free(cli_fixture *fixture) {
  if (!fixture) return;
  for (struct cli_fixture_block *block = fixture->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  free(fixture);
}

void *cli_fixture_allocate(cli_fixture *fixture, size_t count, size_t size) {
  const size_t head = 16; /* keeps what follows aligned */
  if (size && count > (SIZE_MAX - head) / size) return NULL;
  struct cli_fixture_block *block = calloc(1, head + count * size);
  if (!block) return NULL;
  block->next = fixture->blocks;
  fixture->blocks = block;
  return (char *)block + head;
}

/* ---- the rig ---- */

static void show(cli_fixture *f, const char *name, const cli_fixture_size *size,
                 uint32_t *skin_joints) {
  f->primitive = (supple_primitive){.topology = SUPPLE_TOPOLOGY_TRIANGLES,
                                    .vertex_count = size->vertex_count,
                                    .positions = f->positions,
                                    .normals = f->normals,
                                    .indices = f->indices,
                                    .index_count = 3 * size->triangle_count,
                                    .influence_count = size->influence_count,
                                    .joints = f->joints,
                                    .weights = f->weights};
  f->mesh = (supple_mesh){.name = name, .primitives = &f->primitive, .primitive_count = 1};
  f->skin = (supple_skin){.name = name,
                          .joint_count = size->joint_count,
                          .joints = skin_joints,
                          .inverse_binds = f->inverse_binds,
                          .parents = f->parents,
                          .skeleton = SUPPLE_NONE};
  f->gltf = (cli_gltf){.nodes = f->nodes,
                       .node_count = size->joint_count + size->extra_nodes + 1,
                       .meshes = &f->mesh,
                       .mesh_count = 1,
                       .skins = &f->skin,
                       .skin_count = 1,
                       .clips = f->clips,
                       .materials = &f->material,
                       .material_count = 1};
}

bool cli_fixture_begin(cli_fixture *f, const char *name, const cli_fixture_size *size,
                       const float color[3]) {
  const size_t vertices = size->vertex_count, influences = size->influence_count;
  const uint32_t node_count = size->joint_count + size->extra_nodes + 1;
  f->nodes = cli_fixture_allocate(f, node_count, sizeof *f->nodes);
  f->inverse_binds = cli_fixture_allocate(f, size->joint_count, sizeof *f->inverse_binds);
  f->positions = cli_fixture_allocate(f, vertices, 3 * sizeof *f->positions);
  f->normals = cli_fixture_allocate(f, vertices, 3 * sizeof *f->normals);
  f->weights = cli_fixture_allocate(f, vertices, influences * sizeof *f->weights);
  f->joints = cli_fixture_allocate(f, vertices, influences * sizeof *f->joints);
  f->indices = cli_fixture_allocate(f, size->triangle_count, 3 * sizeof *f->indices);
  uint32_t *skin_joints = cli_fixture_allocate(f, size->joint_count, sizeof *skin_joints);
  f->parents = cli_fixture_allocate(f, size->joint_count, sizeof *f->parents);
  if (!f->nodes || !f->inverse_binds || !f->positions || !f->normals || !f->weights || !f->joints ||
      !f->indices || !skin_joints || !f->parents) {
    return false;
  }
  for (uint32_t i = 0; i < node_count; i++) f->nodes[i] = cli_gltf_node("");
  for (uint32_t i = 0; i < size->joint_count; i++) skin_joints[i] = i, f->parents[i] = SUPPLE_NONE;
  f->nodes[node_count - 1].name = name;
  f->nodes[node_count - 1].mesh = f->nodes[node_count - 1].skin = 0;
  f->joint_count = size->joint_count;
  f->material = cli_gltf_material(name, (float[4]){color[0], color[1], color[2], 1});
  show(f, name, size, skin_joints);
  return true;
}

void cli_fixture_place(cli_fixture *f, uint32_t node, const char *name, uint32_t parent,
                       supple_vec3 translation) {
  f->nodes[node].name = name;
  f->nodes[node].parent = parent;
  f->nodes[node].rest.translation = translation;
}

void cli_fixture_bind(cli_fixture *f) {
  for (uint32_t i = 0; i < f->joint_count; i++) {
    supple_affine64 world = supple_affine64_identity();
    for (uint32_t up = i; up != SUPPLE_NONE; up = f->nodes[up].parent) {
      const supple_node *node = &f->nodes[up];
      supple_affine64 local =
          node->has_matrix ? node->matrix : supple_transform_to_affine(&node->rest);
      world = supple_affine64_multiply(&local, &world);
    }
    f->inverse_binds[i] = supple_affine64_identity();
    supple_affine64_inverse(&world, &f->inverse_binds[i]);
    uint32_t up = f->nodes[i].parent;
    while (up != SUPPLE_NONE && up >= f->joint_count) up = f->nodes[up].parent;
    f->parents[i] = up;
  }
}

void cli_fixture_weigh(cli_fixture *f, uint32_t vertex, const double *weights) {
  const uint32_t most = f->primitive.influence_count;
  uint16_t *joints = f->joints + (size_t)vertex * most;
  float *stored = f->weights + (size_t)vertex * most;
  double kept[CLI_FIXTURE_JOINTS];
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < most; i++) joints[i] = 0, stored[i] = 0;
  /* Insertion into the largest ones so far, ties to the lower joint. */
  for (uint32_t k = 0; k < f->joint_count; k++) {
    if (!(weights[k] > 0) || (count == most && weights[k] <= kept[count - 1])) continue;
    uint32_t at = count < most ? count++ : count - 1;
    for (; at > 0 && weights[k] > kept[at - 1]; at--)
      kept[at] = kept[at - 1], joints[at] = joints[at - 1];
    kept[at] = weights[k];
    joints[at] = (uint16_t)k;
  }
  for (uint32_t i = 0; i < count; i++) sum += kept[i];
  double rest = 1;
  for (uint32_t i = count; i-- > 1;) {
    stored[i] = (float)(kept[i] / sum);
    rest -= (double)stored[i];
  }
  if (count) stored[0] = (float)rest;
  /* What rounding left over may have taken the first below its equals. */
  for (uint32_t i = 1; i < count && stored[i] > stored[i - 1]; i++) {
    float weight = stored[i];
    uint16_t joint = joints[i];
    stored[i] = stored[i - 1], joints[i] = joints[i - 1];
    stored[i - 1] = weight, joints[i - 1] = joint;
  }
}

/* ---- clips ---- */

supple_clip *cli_fixture_clip(cli_fixture *f, const char *name, uint32_t channel_count) {
  supple_channel *channels = cli_fixture_allocate(f, channel_count, sizeof *channels);
  if (!channels || f->gltf.clip_count == CLI_FIXTURE_CLIPS) return NULL;
  supple_clip *clip = &f->clips[f->gltf.clip_count++];
  *clip = (supple_clip){.name = name, .begin = 0, .end = 1, .channels = channels};
  return clip;
}

float *cli_fixture_times(cli_fixture *f, uint32_t steps) {
  float *times = cli_fixture_allocate(f, (size_t)steps + 1, sizeof *times);
  for (uint32_t i = 0; times && i <= steps; i++) times[i] = (float)((double)i / steps);
  return times;
}

float *cli_fixture_channel(cli_fixture *f, supple_clip *clip, uint32_t node, supple_path path,
                           const float *times, uint32_t key_count) {
  if (!clip || !times) return NULL;
  uint32_t width = path == SUPPLE_PATH_ROTATION ? 4 : 3;
  float *values = cli_fixture_allocate(f, key_count, width * sizeof *values);
  if (!values) return NULL;
  /* The array is the fixture's own, made by cli_fixture_clip. */
  supple_channel *channels = (supple_channel *)(uintptr_t)clip->channels;
  channels[clip->channel_count++] = (supple_channel){.node = node,
                                                     .path = path,
                                                     .interpolation = SUPPLE_INTERPOLATION_LINEAR,
                                                     .key_count = key_count,
                                                     .width = width,
                                                     .times = times,
                                                     .values = values};
  return values;
}

supple_quat cli_fixture_turn(supple_vec3 axis, double degrees) {
  double half = degrees / 2;
  double sine = supple_sin(half * (SUPPLE_PI / 180)), cosine = supple_cos(half * (SUPPLE_PI / 180));
  if (half - 180 * floor(half / 180) == 90) cosine = 0;
  if (half - 180 * floor(half / 180) == 0) sine = 0;
  return supple_quat_make(axis.x * sine, axis.y * sine, axis.z * sine, cosine);
}

void cli_fixture_store_quat(float *values, supple_quat q) {
  values[0] = (float)q.x;
  values[1] = (float)q.y;
  values[2] = (float)q.z;
  values[3] = (float)q.w;
}

double cli_fixture_smoothstep(double begin, double end, double x) {
  double t = (x - begin) / (end - begin);
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  return t * t * (3 - 2 * t);
}

/* ---- surfaces of revolution ---- */

void cli_fixture_revolve_size(const cli_fixture_ring *rings, uint32_t ring_count, uint32_t segments,
                              cli_fixture_size *size) {
  size->vertex_count = size->triangle_count = 0;
  for (uint32_t i = 0; i < ring_count; i++) {
    bool pole = rings[i].radius == 0;
    size->vertex_count += pole ? 1 : segments;
    if (i == 0 || rings[i].crease) continue;
    size->triangle_count += pole || rings[i - 1].radius == 0 ? segments : 2 * segments;
  }
}

static uint32_t *put_triangle(uint32_t *to, uint32_t a, uint32_t b, uint32_t c) {
  to[0] = a;
  to[1] = b;
  to[2] = c;
  return to + 3;
}

/* Faces between a ring that begins at vertex `below` and the next, at `above`. */
static uint32_t *put_band(uint32_t *to, uint32_t below, bool below_pole, uint32_t above,
                          bool above_pole, uint32_t segments, bool against) {
  for (uint32_t i = 0; i < segments; i++) {
    uint32_t next = (i + 1) % segments;
    if (below_pole) {
      to = put_triangle(to, below, above + next, above + i);
    } else if (above_pole) {
      to = put_triangle(to, below + i, below + next, above);
    } else {
      to = put_triangle(to, below + i, below + next, above + (against ? i : next));
      to = put_triangle(to, below + (against ? next : i), above + next, above + i);
    }
  }
  return to;
}

void cli_fixture_revolve(cli_fixture *f, const cli_fixture_ring *rings, uint32_t ring_count,
                         uint32_t segments, cli_fixture_diagonals diagonals) {
  float *position = f->positions, *normal = f->normals;
  uint32_t *index = f->indices;
  uint32_t vertex = 0, before = 0;
  for (uint32_t r = 0; r < ring_count; r++) {
    const cli_fixture_ring *ring = &rings[r];
    bool pole = ring->radius == 0;
    double across = sqrt(1 - ring->rise * ring->rise);
    for (uint32_t i = 0; i < (pole ? 1 : segments); i++, position += 3, normal += 3) {
      double angle = 2 * SUPPLE_PI * i / segments;
      double x = supple_cos(angle), z = -supple_sin(angle);
      position[0] = (float)(ring->radius * x);
      position[1] = (float)ring->y;
      position[2] = (float)(ring->radius * z);
      normal[0] = (float)(across * x);
      normal[1] = (float)ring->rise;
      normal[2] = (float)(across * z);
    }
    if (r > 0 && !ring->crease) {
      index = put_band(index, before, rings[r - 1].radius == 0, vertex, pole, segments,
                       diagonals == CLI_DIAGONALS_AGAINST);
    }
    before = vertex;
    vertex += pole ? 1 : segments;
  }
}

uint32_t cli_fixture_rod(cli_fixture_ring *rings, double radius, double length, uint32_t cap,
                         uint32_t body) {
  uint32_t count = 0;
  double straight = length - 2 * radius;
  for (uint32_t i = 0; i < cap; i++) {
    double angle = SUPPLE_PI / 2 * i / cap;
    double up = -supple_cos(angle), out = supple_sin(angle);
    rings[count++] = (cli_fixture_ring){
        .y = radius * up - straight / 2, .radius = i ? radius * out : 0, .rise = i ? up : -1};
  }
  for (uint32_t i = 0; i <= body; i++) {
    rings[count++] = (cli_fixture_ring){.y = straight * ((double)i / body - 0.5), .radius = radius};
  }
  for (uint32_t i = 0; i < cap; i++) {
    const cli_fixture_ring *below = &rings[cap - 1 - i];
    rings[count++] =
        (cli_fixture_ring){.y = -below->y, .radius = below->radius, .rise = -below->rise};
  }
  return count;
}
