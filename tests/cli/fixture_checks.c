/* fixture_checks.c: see fixture_checks.h. */
#include "fixture_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- meshes ---- */

typedef struct placed {
  float xyz[3];
  uint32_t vertex;
} placed;

static int compare_placed(const void *a, const void *b) {
  const placed *p = a, *q = b;
  for (int k = 0; k < 3; k++) {
    if (p->xyz[k] < q->xyz[k]) return -1;
    if (p->xyz[k] > q->xyz[k]) return 1;
  }
  return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

static int compare_u64(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* For each vertex the lowest one at its place. */
static uint32_t *weld(const supple_primitive *primitive) {
  const uint32_t count = primitive->vertex_count;
  placed *list = malloc(count * sizeof *list);
  uint32_t *welded = malloc(count * sizeof *welded);
  assert_non_null(list);
  assert_non_null(welded);
  for (uint32_t i = 0; i < count; i++) {
    memcpy(list[i].xyz, primitive->positions + (size_t)3 * i, sizeof list[i].xyz);
    list[i].vertex = i;
  }
  qsort(list, count, sizeof *list, compare_placed);
  for (uint32_t i = 0; i < count; i++) {
    bool same = i > 0 && memcmp(list[i].xyz, list[i - 1].xyz, sizeof list[i].xyz) == 0;
    welded[list[i].vertex] = same ? welded[list[i - 1].vertex] : list[i].vertex;
  }
  free(list);
  return welded;
}

static uint32_t root_of(uint32_t *up, uint32_t i) {
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

static uint32_t count_pieces(const supple_primitive *primitive, const uint32_t *welded) {
  uint32_t *up = malloc(primitive->vertex_count * sizeof *up), pieces = 0;
  assert_non_null(up);
  for (uint32_t i = 0; i < primitive->vertex_count; i++) up[i] = i;
  for (uint32_t i = 0; i < primitive->index_count; i++) {
    uint32_t a = root_of(up, welded[primitive->indices[i]]);
    uint32_t b = root_of(up, welded[primitive->indices[i - i % 3]]);
    up[a > b ? a : b] = a > b ? b : a;
  }
  for (uint32_t i = 0; i < primitive->vertex_count; i++) pieces += welded[i] == i && up[i] == i;
  free(up);
  return pieces;
}

static supple_vec3 vector(const float *data, uint32_t vertex) {
  const float *v = data + (size_t)3 * vertex;
  return supple_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

static void add_triangle(mesh_facts *facts, const supple_primitive *primitive,
                         const uint32_t *corner) {
  supple_vec3 p[3], normal = supple_vec3_make(0, 0, 0);
  for (int k = 0; k < 3; k++) {
    p[k] = vector(primitive->positions, corner[k]);
    normal = supple_vec3_add(normal, vector(primitive->normals, corner[k]));
  }
  supple_vec3 face =
      supple_vec3_cross(supple_vec3_subtract(p[1], p[0]), supple_vec3_subtract(p[2], p[0]));
  facts->inward += !(supple_vec3_dot(face, normal) > 0);
  facts->volume += supple_vec3_dot(p[0], supple_vec3_cross(p[1], p[2])) / 6;
}

mesh_facts mesh_facts_of(const supple_primitive *primitive) {
  mesh_facts facts = {0};
  uint32_t *welded = weld(primitive);
  const uint32_t count = primitive->index_count;
  uint64_t *edges = malloc(count * sizeof *edges);
  assert_non_null(edges);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t from = welded[primitive->indices[i]];
    uint64_t to = welded[primitive->indices[i % 3 == 2 ? i - 2 : i + 1]];
    edges[i] = from << 32 | to;
    if (i % 3 == 0) add_triangle(&facts, primitive, primitive->indices + i);
  }
  qsort(edges, count, sizeof *edges, compare_u64);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t opposite = edges[i] << 32 | edges[i] >> 32;
    facts.repeated += i > 0 && edges[i] == edges[i - 1];
    facts.open += !bsearch(&opposite, edges, count, sizeof *edges, compare_u64);
  }
  facts.pieces = count_pieces(primitive, welded);
  free(edges);
  free(welded);
  return facts;
}

uint32_t checked_influences(const supple_primitive *primitive, uint32_t vertex,
                            uint32_t joint_count) {
  const uint32_t most = primitive->influence_count;
  const uint16_t *joints = primitive->joints + (size_t)vertex * most;
  const float *weights = primitive->weights + (size_t)vertex * most;
  uint32_t count = 0;
  double sum = 0;
  while (count < most && weights[count] > 0) sum += (double)weights[count++];
  for (uint32_t i = 0; i < most; i++) {
    assert_true(joints[i] < joint_count);
    if (i >= count) assert_true(weights[i] == 0 && joints[i] == 0);
    if (i > 0) assert_true(weights[i] <= weights[i - 1]);
    for (uint32_t k = 0; k < i && i < count; k++) assert_int_not_equal(joints[i], joints[k]);
  }
  assert_true(count > 0);
  assert_true(fabs(sum - 1) <= 1e-7 * count);
  return count;
}

/* ---- files ---- */

supple_asset *fixture_asset(const cli_fixture *fixture, cli_gltf_format format) {
  cli_output *output = cli_output_open_memory();
  assert_non_null(output);
  supple_error error;
  assert_int_equal(cli_gltf_write(output, &fixture->gltf, format, &error), SUPPLE_OK);
  size_t size = 0;
  const char *contents = cli_output_contents(output, &size);
  assert_non_null(contents);
  supple_asset *asset = supple_asset_load_memory(contents, size, NULL, &error);
  if (!asset) print_error("%s\n", error.message);
  assert_non_null(asset);
  cli_output_abandon(output);
  return asset;
}

uint64_t fixture_hash(const void *data, size_t size) {
  const uint8_t *bytes = data;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

static void check_same_mesh(const supple_primitive *a, const supple_primitive *b) {
  const size_t vertices = a->vertex_count;
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->index_count, b->index_count);
  assert_int_equal(a->influence_count, b->influence_count);
  assert_memory_equal(a->positions, b->positions, vertices * 3 * sizeof(float));
  assert_memory_equal(a->normals, b->normals, vertices * 3 * sizeof(float));
  assert_memory_equal(a->joints, b->joints, vertices * a->influence_count * sizeof(uint16_t));
  assert_memory_equal(a->weights, b->weights, vertices * a->influence_count * sizeof(float));
  assert_memory_equal(a->indices, b->indices, a->index_count * sizeof(uint32_t));
}

static void check_same_clip(const supple_clip *a, const supple_clip *b) {
  assert_string_equal(a->name, b->name);
  assert_true(b->begin == 0 && b->end == 1);
  assert_int_equal(a->channel_count, b->channel_count);
  for (uint32_t i = 0; i < a->channel_count; i++) {
    const supple_channel *p = &a->channels[i], *q = &b->channels[i];
    assert_int_equal(p->node, q->node);
    assert_int_equal(p->path, q->path);
    assert_int_equal(p->interpolation, q->interpolation);
    assert_int_equal(p->key_count, q->key_count);
    assert_memory_equal(p->times, q->times, p->key_count * sizeof(float));
    assert_memory_equal(p->values, q->values, (size_t)p->key_count * p->width * sizeof(float));
  }
}

/* At rest, and where a clip begins, every joint matrix is the identity. */
static void check_rest(const supple_asset *asset) {
  const supple_instance *instance = &asset->instances[0];
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  supple_palette *palette =
      supple_palette_create(instance->skin->joint_count, SUPPLE_SPACE_SCENE, NULL, NULL);
  assert_non_null(pose);
  assert_non_null(palette);
  for (uint32_t clip = 0; clip <= asset->clip_count; clip++) {
    if (clip < asset->clip_count)
      supple_pose_sample(pose, &asset->clips[clip], 0);
    else
      supple_pose_rest(pose);
    supple_palette_compose(palette, pose, instance);
    for (uint32_t k = 0; k < palette->joint_count; k++) {
      for (int i = 0; i < 12; i++) {
        double wanted = i / 4 == i % 4 ? 1 : 0;
        assert_true(fabs((double)palette->matrices[k].m[i / 4][i % 4] - wanted) < 2e-6);
      }
    }
  }
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
}

static void check_loaded(const cli_fixture *fixture, cli_gltf_format format) {
  supple_asset *asset = fixture_asset(fixture, format);
  assert_int_equal(asset->instance_count, 1);
  assert_int_equal(asset->note_count, 0);
  assert_int_equal(asset->skeleton.node_count, fixture->gltf.node_count);
  for (uint32_t i = 0; i < fixture->gltf.node_count; i++) {
    assert_string_equal(asset->skeleton.nodes[i].name, fixture->nodes[i].name);
    assert_int_equal(asset->skeleton.nodes[i].parent, fixture->nodes[i].parent);
  }
  const supple_skin *skin = asset->instances[0].skin;
  assert_int_equal(skin->joint_count, fixture->joint_count);
  for (uint32_t k = 0; k < skin->joint_count; k++) {
    assert_int_equal(skin->joints[k], k);
    assert_int_equal(skin->parents[k], fixture->parents[k]);
  }
  check_same_mesh(&fixture->primitive, asset->instances[0].primitives[0]);
  assert_int_equal(asset->clip_count, fixture->gltf.clip_count);
  for (uint32_t i = 0; i < asset->clip_count; i++) {
    check_same_clip(&fixture->gltf.clips[i], &asset->clips[i]);
  }
  check_rest(asset);
  supple_asset_free(asset);
}

void check_fixture(const char *name, bool closed) {
  const cli_fixture_kind *kind = cli_fixture_find(name);
  assert_non_null(kind);
  cli_fixture *fixture = cli_fixture_create(kind), *again = cli_fixture_create(kind);
  assert_non_null(fixture);
  assert_non_null(again);
  check_same_mesh(&fixture->primitive, &again->primitive);
  for (uint32_t i = 0; i < fixture->gltf.clip_count; i++) {
    check_same_clip(&fixture->clips[i], &again->clips[i]);
  }
  check_loaded(fixture, CLI_GLTF_BINARY);
  check_loaded(fixture, CLI_GLTF_TEXT);
  mesh_facts facts = mesh_facts_of(&fixture->primitive);
  assert_int_equal(facts.repeated, 0);
  assert_int_equal(facts.open > 0, !closed);
  assert_int_equal(facts.pieces, 1);
  assert_int_equal(facts.inward, 0);
  for (uint32_t i = 0; i < fixture->primitive.vertex_count; i++) {
    double length = supple_vec3_length(vector(fixture->normals, i));
    assert_true(fabs(length - 1) < 1e-6);
    checked_influences(&fixture->primitive, i, fixture->joint_count);
  }
  cli_fixture_free(fixture);
  cli_fixture_free(again);
}
