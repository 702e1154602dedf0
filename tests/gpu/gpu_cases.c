/* gpu_cases.c: what the shaders are run on, and where supple_deform puts the same vertices. */
#include "tests/gpu/gpu_cases.h"

#include "src/deform/vertex.h"
#include "tests/property/rigs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t gpu_case_width(const gpu_case *one) {
  return one->streams == 1 ? 3 : one->streams == 2 ? 6 : GPU_STREAM;
}

static void *zeroed(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return memory;
}

/* ---- one case ---- */

/* What a case is made of. */
typedef struct setup {
  const char *name;
  const supple_primitive *primitive;
  const supple_palette *palette;
  const float *morph_weights; /* [primitive->target_count], or NULL: no morph targets */
  supple_method method;
  supple_scale scale;
  supple_signs signs;
  supple_normals normals;
  uint32_t streams, influences;
  bool reverse; /* the order of influences */
} setup;

static void release_case(gpu_case *one) {
  free(one->rest), free(one->expected), free(one->reach), free(one->doubts), free(one->palette);
  free(one->joints), free(one->weights), free(one->pairs), free(one->ranges), free(one->targets);
  free(one->morph_weights);
}

static void deform(gpu_case *one, const setup *s, const supple_prepared *prepared) {
  uint32_t n = one->vertex_count;
  size_t stride = GPU_STREAM * sizeof(float);
  float *morphed = zeroed(n, stride);
  memcpy(morphed, one->rest, n * stride);
  if (s->morph_weights) {
    supple_out_stream none = {NULL, 0};
    supple_result result = supple_morph(
        s->primitive, s->morph_weights, one->morph_count, (supple_out_stream){morphed, stride},
        one->streams > 1 ? (supple_out_stream){morphed + 3, stride} : none,
        one->streams > 2 ? (supple_out_stream){morphed + 6, stride} : none);
    if (result) printf("%s: morph: %s\n", one->name, supple_result_text(result)), exit(1);
  }
  supple_job job = {.prepared = prepared,
                    .positions = {morphed, stride},
                    .normals = {morphed + 3, stride},
                    .tangents = {morphed + 6, stride},
                    .out_positions = {one->expected, stride},
                    .normal_mode = s->normals};
  if (one->streams > 1) job.out_normals = (supple_out_stream){one->expected + 3, stride};
  if (one->streams > 2) job.out_tangents = (supple_out_stream){one->expected + 6, stride};
  supple_deform_report report = {0};
  supple_result result = supple_deform_range(&job, 0, n, &report);
  one->fallbacks = report.fallbacks;
  if (result) printf("%s: deform: %s\n", one->name, supple_result_text(result)), exit(1);
  free(morphed);
}

static void measure(gpu_case *one) {
  float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF}, high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
  double diagonal = 0, largest = 0;
  for (uint32_t v = 0; v < one->vertex_count; v++)
    for (int k = 0; k < 3; k++) {
      float x = one->expected[v * GPU_STREAM + (uint32_t)k];
      low[k] = x < low[k] ? x : low[k], high[k] = x > high[k] ? x : high[k];
      if (fabs((double)x) > largest) largest = fabs((double)x);
    }
  for (int k = 0; k < 3 && one->vertex_count; k++)
    diagonal += ((double)high[k] - (double)low[k]) * ((double)high[k] - (double)low[k]);
  diagonal = sqrt(diagonal);
  one->size = (float)(diagonal > largest ? diagonal : largest);
}

static double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Where the map of a vertex leaves a direction or a sign to rounding. */
static uint8_t doubts_of(const gpu_case *one, const supple_prepared *prepared, uint32_t v) {
  supple_mat3 l = supple_prepared_linear(prepared, v), cofactor = supple_mat3_cofactor(&l);
  const float *rest = one->rest + (size_t)v * GPU_STREAM,
              *posed = one->expected + (size_t)v * GPU_STREAM;
  double size = 0, n[3], t[3], c[3], m[3], moved[3], beside[3];
  for (int k = 0; k < 9; k++) size += l.m[k / 3][k % 3] * l.m[k / 3][k % 3];
  for (int k = 0; k < 3; k++) n[k] = (double)rest[3 + k], t[k] = (double)rest[6 + k];
  for (int r = 0; r < 3; r++) {
    c[r] = dot3(cofactor.m[r], n);
    m[r] = dot3(l.m[r], n);
    moved[r] = dot3(l.m[r], t);
  }
  double own = dot3(n, n);
  uint8_t doubts = 0;
  if (fabs(supple_mat3_determinant(&l)) < 1e-5 * size * sqrt(size)) doubts |= GPU_DOUBT_SIGN;
  bool by_cofactor = one->options.normals == SUPPLE_NORMALS_COFACTOR;
  if (by_cofactor ? dot3(c, c) < 1e-5 * size * size * own : dot3(m, m) < 1e-5 * size * own)
    doubts |= GPU_DOUBT_NORMAL;
  double along = 0, before = dot3(moved, moved);
  for (int k = 0; k < 3; k++) along += (double)posed[3 + k] * moved[k];
  for (int k = 0; k < 3; k++) beside[k] = moved[k] - along * (double)posed[3 + k];
  if (dot3(beside, beside) < 1e-3 * before || before < 1e-5 * size * dot3(t, t))
    doubts |= GPU_DOUBT_TANGENT;
  return doubts;
}

static void doubt(gpu_case *one, const supple_prepared *prepared) {
  for (uint32_t v = 0; v < one->vertex_count; v++) {
    one->reach[v] = 1;
    if (one->streams > 1) one->doubts[v] = doubts_of(one, prepared, v);
    supplei_vertex vertex = supplei_vertex_at(prepared->binding, v);
    if (one->options.method == SUPPLE_LBS || vertex.count == 0) continue;
    float squared = supplei_dqs_blend(prepared, &vertex).squared;
    if (squared >= supplei_least_squared && squared < 0.25f) one->reach[v] = 0.5f / sqrtf(squared);
  }
}

static void exchange(uint32_t *a, uint32_t *b) {
  uint32_t c = *a;
  *a = *b, *b = c;
}

/* Influences may come in any order: here joints descend, and padding comes first. */
static void reverse(gpu_case *one) {
  for (uint32_t v = 0; v < one->vertex_count; v++) {
    uint32_t count = one->influences ? one->influences : one->ranges[v][1],
             begin = one->influences ? v * count : one->ranges[v][0];
    for (uint32_t i = 0; i < count / 2; i++) {
      uint32_t a = begin + i, b = begin + count - 1 - i;
      exchange(&one->pairs[2 * a], &one->pairs[2 * b]);
      exchange(&one->pairs[2 * a + 1], &one->pairs[2 * b + 1]);
      if (one->influences == 0) continue;
      float weight = one->weights[a];
      one->weights[a] = one->weights[b], one->weights[b] = weight;
      exchange(&one->joints[a], &one->joints[b]);
    }
  }
}

static bool pack(gpu_case *one, const setup *s, const supple_binding *binding,
                 const supple_prepared *prepared) {
  uint32_t n = one->vertex_count;
  supple_error error = {.message = "?"};
  supple_palette_layout layout = supple_shader_layout(&one->options);
  size_t size = supple_shader_palette_size(layout, one->joint_count, 0);
  one->palette = zeroed(size, 1);
  bool fine = !supple_shader_palette_pack(prepared, layout, one->palette, size, &error);
  one->scale = supple_shader_scale(prepared);
  one->pairs_size = supple_shader_pairs_size(binding, one->influences, 0);
  one->pairs = zeroed(one->pairs_size, 1);
  one->ranges = zeroed(n, sizeof *one->ranges);
  fine = fine && !supple_shader_pairs_pack(binding, one->influences, one->pairs, one->pairs_size,
                                           one->influences ? NULL : one->ranges, &error);
  one->joints = zeroed((size_t)n * 8, sizeof *one->joints);
  one->weights = zeroed((size_t)n * 8, sizeof *one->weights);
  supple_shader_attributes attributes = {
      .influences = one->influences, .joints = one->joints, .weights = one->weights};
  if (one->influences) fine = fine && !supple_shader_attributes_pack(binding, &attributes, &error);
  one->morph_weights = zeroed(one->morph_count, sizeof(float));
  if (s->morph_weights) {
    memcpy(one->morph_weights, s->morph_weights, one->morph_count * sizeof(float));
    one->targets_size = supple_shader_targets_size(s->primitive, one->streams, 0);
    one->targets = zeroed(one->targets_size, 1);
    fine = fine && !supple_shader_targets_pack(s->primitive, one->streams, NULL, one->targets,
                                               one->targets_size);
  }
  if (!fine) printf("%s: %s\n", one->name, error.message);
  if (s->reverse) reverse(one);
  return fine;
}

/* An empty case, with what it is called. */
static gpu_case begin_case(const setup *s) {
  static const char *const scales[] = {"affine", "first", "rigid"}, *const normals[] = {"cofactor",
                                                                                        "unit",
                                                                                        "linear"};
  gpu_case one = {.vertex_count = s->primitive->vertex_count,
                  .joint_count = s->palette->joint_count,
                  .streams = s->streams,
                  .influences = s->influences,
                  .morph_count = s->morph_weights ? s->primitive->target_count : 0};
  one.options = (supple_shader_options){.method = s->method,
                                        .scale = s->scale,
                                        .signs = s->signs,
                                        .influences = s->influences == 4   ? SUPPLE_SHADER_FOUR
                                                      : s->influences == 8 ? SUPPLE_SHADER_EIGHT
                                                                           : SUPPLE_SHADER_ANY,
                                        .normals = s->normals,
                                        .positions_only = s->streams == 1,
                                        .tangents = s->streams == 3,
                                        .morph = s->morph_weights != NULL};
  snprintf(one.name, sizeof one.name, "%s: %s%s%s, %u influences, %s%s%s", s->name,
           s->method == SUPPLE_LBS ? "lbs" : "dqs ", s->method == SUPPLE_LBS ? "" : scales[s->scale],
           s->signs == SUPPLE_SIGNS_PER_POSE ? " per pose" : "", (unsigned)s->influences,
           s->streams == 1 ? "positions" : normals[s->normals], s->streams == 3 ? ", tangents" : "",
           s->morph_weights ? ", morphed" : "");
  return one;
}

/* Deforms, packs, visits. */
static bool visit_case(const setup *s, gpu_visit *visit, void *user) {
  gpu_case one = begin_case(s);
  uint32_t n = one.vertex_count;
  one.rest = zeroed((size_t)n * GPU_STREAM, sizeof(float));
  one.expected = zeroed((size_t)n * GPU_STREAM, sizeof(float));
  one.reach = zeroed(n, sizeof(float));
  one.doubts = zeroed(n, 1);
  supple_binding_options binding_options = {.max_influences = s->influences,
                                            .unweighted = SUPPLE_UNWEIGHTED_REST};
  /* The affine shader has no shorter way for rigid joints. */
  supple_prepared_options options = {.scale = s->scale,
                                     .signs = s->signs,
                                     .rigid_tolerance = s->scale == SUPPLE_SCALE_AFFINE ? -1 : 0};
  supple_error error = {.message = "?"};
  supple_binding *binding = supple_binding_create(s->primitive, &binding_options, &error);
  supple_prepared *prepared = binding ? supple_prepared_create(binding, &options, &error) : NULL;
  bool fine = prepared && !supple_prepared_update(prepared, binding, s->palette, s->method) &&
              !supple_shader_rest_pack(s->primitive, s->streams, NULL, one.rest, GPU_STREAM);
  if (fine) {
    deform(&one, s, prepared);
    measure(&one);
    doubt(&one, prepared);
    fine = pack(&one, s, binding, prepared) && visit(user, &one);
  } else {
    printf("%s: %s\n", one.name, error.message);
  }
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  release_case(&one);
  return fine;
}

/* ---- comparing ---- */

static double distance3(const float *a, const float *b, double sign) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    double d = (double)a[k] - sign * (double)b[k];
    sum += d * d;
  }
  return sqrt(sum);
}

static double length3(const float *a) {
  return sqrt((double)a[0] * (double)a[0] + (double)a[1] * (double)a[1] +
              (double)a[2] * (double)a[2]);
}

/* An error that is not a number is infinite. */
static double known(double error) { return isfinite(error) ? error : HUGE_VAL; }

static double normal_error(const gpu_case *one, uint32_t v, const float *posed) {
  const float *expected = one->expected + (size_t)v * GPU_STREAM + 3;
  if (one->doubts[v] & GPU_DOUBT_NORMAL) {
    double length = length3(posed + 3);
    return one->options.normals == SUPPLE_NORMALS_LINEAR ? 0
                                                         : known(fabs(length - length3(expected)));
  }
  double error = known(distance3(posed + 3, expected, 1));
  if (one->doubts[v] & GPU_DOUBT_SIGN && one->options.normals == SUPPLE_NORMALS_COFACTOR) {
    double other = known(distance3(posed + 3, expected, -1));
    if (other < error) error = other;
  }
  double scale = one->options.normals == SUPPLE_NORMALS_LINEAR ? length3(expected) : 1;
  return error / (scale > 1 ? scale : 1);
}

static double tangent_error(const gpu_case *one, uint32_t v, const float *posed) {
  const float *expected = one->expected + (size_t)v * GPU_STREAM + 6;
  uint8_t doubts = one->doubts[v];
  if (!(doubts & GPU_DOUBT_SIGN) && posed[9] != expected[3]) return HUGE_VAL;
  bool unsure = (doubts & (GPU_DOUBT_NORMAL | GPU_DOUBT_TANGENT)) != 0;
  if (unsure && one->options.normals != SUPPLE_NORMALS_LINEAR)
    return known(fabs(length3(posed + 6) - length3(expected)));
  double scale = one->options.normals == SUPPLE_NORMALS_LINEAR ? length3(expected) : 1;
  return known(distance3(posed + 6, expected, 1)) / (scale > 1 ? scale : 1);
}

static void largest(double *most, double value) {
  if (value > *most) *most = value;
}

bool gpu_case_check(const gpu_case *one, const float *posed, gpu_worst *worst) {
  gpu_worst here = {0};
  uint32_t worst_vertex[3] = {0};
  for (uint32_t v = 0; v < one->vertex_count; v++) {
    const float *at = posed + (size_t)v * GPU_STREAM;
    double reach = (double)one->reach[v];
    double position =
        known(distance3(at, one->expected + (size_t)v * GPU_STREAM, 1)) / (double)one->size / reach;
    double normal = one->streams > 1 ? normal_error(one, v, at) / reach : 0;
    double tangent = one->streams > 2 ? tangent_error(one, v, at) / reach : 0;
    if (position > here.position) worst_vertex[0] = v;
    if (normal > here.normal) worst_vertex[1] = v;
    if (tangent > here.tangent) worst_vertex[2] = v;
    largest(&here.position, position);
    largest(&here.normal, normal);
    largest(&here.tangent, tangent);
    here.doubts += one->streams > 1 && one->doubts[v];
  }
  largest(&worst->position, here.position);
  largest(&worst->normal, here.normal);
  largest(&worst->tangent, here.tangent);
  worst->vertices += one->vertex_count;
  worst->doubts += here.doubts;
  worst->fallbacks += one->fallbacks;
  worst->cases++;
  if (here.position <= 2e-6 && here.normal <= 1e-4 && here.tangent <= 1e-4) return true;
  printf("%s:\n  position off by %.3g of %.3g (vertex %u), normal by %.3g (%u), tangent by %.3g "
         "(%u)\n",
         one->name, here.position, (double)one->size, (unsigned)worst_vertex[0], here.normal,
         (unsigned)worst_vertex[1], here.tangent, (unsigned)worst_vertex[2]);
  for (int i = 0; i < 3; i++) {
    const float *a = posed + (size_t)worst_vertex[i] * GPU_STREAM,
                *b = one->expected + (size_t)worst_vertex[i] * GPU_STREAM;
    printf("  vertex %u (doubts %u):", (unsigned)worst_vertex[i],
           (unsigned)one->doubts[worst_vertex[i]]);
    for (uint32_t k = 0; k < gpu_case_width(one); k++)
      printf(" %.7g/%.7g", (double)a[k], (double)b[k]);
    printf("\n");
  }
  return false;
}

/* ---- joints by hand ---- */

static supple_affine64 turned(double x, double y, double z, double degrees, double scale) {
  supple_quat q = supple_quat_from_axis_angle(supple_vec3_make(x, y, z), degrees * SUPPLE_PI / 180);
  supple_mat3 m = supple_mat3_from_quat(q);
  supple_affine64 out = supple_affine64_identity();
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) out.m[r][c] = m.m[r][c] * scale;
  return out;
}

enum { RIGID_JOINTS = 20, ALL_JOINTS = 36 };

/* The first RIGID_JOINTS are rigid: exact half turns about axes (and back), antipodal ones, any. The others scale,
 * shear, mirror and flatten. */
static void fill_joints(rigs_random *random, supple_affine joints[ALL_JOINTS]) {
  for (int j = 0; j < ALL_JOINTS; j++) {
    double x = rigs_uniform(random, -1, 1), y = rigs_uniform(random, -1, 1),
           z = rigs_uniform(random, -1, 1), angle = rigs_uniform(random, -180, 180);
    supple_affine64 m = turned(x, y, z + 1e-3, angle, 1);
    switch (j) {
    case 0: m = supple_affine64_identity(); break;
    case 1: m = turned(1, 0, 0, 180, 1); break;
    case 2: m = turned(0, 1, 0, 180, 1); break;
    case 3: m = turned(0, 0, 1, 180, 1); break;
    case 4: m = turned(0, 1, 0, -180, 1); break;
    case 5: m = turned(1, 0, 0, 360, 1); break;
    case 6: m = turned(0, 0, 1, 90, 1); break;
    case 7: m = turned(0, 0, 1, -90, 1); break;
    case 8: m = turned(0, 1, 0, 179.9999, 1); break;
    case 9: m = turned(0, 1, 0, 180.0001, 1); break;
    case 10:
      m = turned(0, 1, 0, 180.00012, 1);
      break; /* per pose negated: it cancels with joint 2 */
    case 20: m = turned(x, y, z, angle, 2.5); break;
    case 21: m = turned(x, y, z, angle, -1); break; /* mirrors */
    case 22: m = turned(x, y, z, angle, -0.7); break;
    case 23: m.m[0][0] += 0.5, m.m[0][1] -= 0.75; break; /* shears */
    case 24: m.m[2][0] = 0.3, m.m[1][1] *= 1.5; break;
    case 25: m.m[0][0] = m.m[1][0] = m.m[2][0] = 0; break; /* rank 2 */
    case 26:
      for (int r = 0; r < 3; r++) m.m[r][1] = m.m[r][2] = 0; /* rank 1 */
      break;
    case 27: m = turned(0, 0, 1, 0, 0); break; /* nothing */
    case 28: m = turned(x, y, z, angle, 1e-3); break;
    case 29: m = turned(x, y, z, angle, 30); break;
    case 30: m = turned(0, 1, 0, 180, 2); break;
    case 31: m.m[0][0] *= -1, m.m[1][0] *= -1, m.m[2][0] *= -1; break;
    default: break;
    }
    for (int r = 0; r < 3; r++) m.m[r][3] = rigs_uniform(random, -0.5, 0.5);
    joints[j] = supple_affine_from_double(&m);
  }
}

typedef struct hand_mesh {
  supple_primitive primitive;
  supple_morph_target targets[3];
  float *floats;
  uint16_t *joints;
} hand_mesh;

/* Vertices within ±1 with 0 to `most` influences of joints below `limit`; many have equal weights. */
static hand_mesh make_mesh(rigs_random *random, uint32_t vertex_count, uint32_t most,
                           uint32_t limit) {
  hand_mesh mesh = {.primitive = {.vertex_count = vertex_count, .influence_count = most}};
  size_t n = vertex_count, per = 3 + 3 + 4 + most + 27;
  mesh.floats = zeroed(n * per, sizeof(float));
  mesh.joints = zeroed(n * most, sizeof *mesh.joints);
  float *positions = mesh.floats, *normals = positions + 3 * n, *tangents = normals + 3 * n,
        *weights = tangents + 4 * n, *offsets = weights + most * n;
  for (size_t v = 0; v < n; v++) {
    for (size_t k = 0; k < 3; k++) positions[3 * v + k] = (float)rigs_uniform(random, -1, 1);
    supple_vec3 a, b;
    a.x = rigs_uniform(random, -1, 1), a.y = rigs_uniform(random, -1, 1),
    a.z = rigs_uniform(random, 0.1, 1);
    b.x = rigs_uniform(random, -1, 1), b.y = rigs_uniform(random, 0.1, 1),
    b.z = rigs_uniform(random, -1, 1);
    a = supple_vec3_normalise(a, a);
    b = supple_vec3_normalise(supple_vec3_cross(a, b), a);
    float frame[7] = {(float)a.x, (float)a.y, (float)a.z,          (float)b.x,
                      (float)b.y, (float)b.z, v % 2 ? 1.0f : -1.0f};
    memcpy(normals + 3 * v, frame, 12);
    memcpy(tangents + 4 * v, frame + 3, 16);
    uint32_t count = v % 17 == 16 ? 0 : 1 + rigs_below(random, most);
    for (uint32_t i = 0; i < count; i++) {
      mesh.joints[v * most + i] = (uint16_t)rigs_below(random, limit);
      weights[v * most + i] = v % 3 ? (float)rigs_uniform(random, 0.05, 1) : 0.5f;
    }
    if (v % 19 == 18) { /* turns that cancel */
      memset(weights + v * most, 0, most * sizeof *weights);
      mesh.joints[v * most] = 10, mesh.joints[v * most + 1] = 2;
      weights[v * most] = weights[v * most + 1] = 0.5f;
    }
  }
  for (size_t i = 0; i < 27 * n; i++) offsets[i] = (float)rigs_uniform(random, -0.2, 0.2);
  for (size_t t = 0; t < 3; t++)
    mesh.targets[t] = (supple_morph_target){.positions = offsets + t * 9 * n,
                                            .normals = t == 1 ? NULL : offsets + (t * 9 + 3) * n,
                                            .tangents = t == 2 ? NULL : offsets + (t * 9 + 6) * n};
  mesh.primitive.positions = positions, mesh.primitive.normals = normals,
  mesh.primitive.tangents = tangents;
  mesh.primitive.joints = mesh.joints, mesh.primitive.weights = weights;
  mesh.primitive.target_count = 3;
  return mesh;
}

/* Which of the cases a visit gets. */
typedef struct tour {
  gpu_visit *visit;
  void *user;
  uint32_t every, first, number;
} tour;

static bool offer(tour *t, const setup *s) {
  if (t->number++ % t->every != t->first % t->every) return true;
  return visit_case(s, t->visit, t->user);
}

/* Every method, scale and sign mode, influences, normals and streams of one mesh. */
static bool offer_hand(tour *t, setup s, uint32_t round) {
  static const float morph[3] = {0.7f, 0, -0.4f};
  static const uint32_t influences[] = {4, 8, 0};
  s.influences = influences[round % 3];
  s.streams = 1 + round / 3 % 3;
  s.normals = (supple_normals)(round / 2 % 3);
  s.morph_weights = round % 4 == 1 ? morph : NULL;
  s.reverse = round % 2;
  return offer(t, &s);
}

static bool visit_hand(tour *t) {
  rigs_random random = {77};
  supple_affine joints[ALL_JOINTS];
  fill_joints(&random, joints);
  bool fine = true;
  for (uint32_t variant = 0; variant < 5 && fine; variant++) {
    static const char *const names[] = {"by hand", "by hand", "by hand, rigid", "by hand",
                                        "by hand, rigid"};
    bool rigid = variant == 2 || variant == 4, pose = variant > 2;
    supple_palette palette = {.joint_count = rigid ? RIGID_JOINTS : ALL_JOINTS, .matrices = joints};
    for (uint32_t round = 0; round < 18 && fine; round++) {
      uint32_t most = round % 3 == 0 ? 4 : round % 3 == 1 ? 8 : 13;
      hand_mesh mesh = make_mesh(&random, 257, most, palette.joint_count);
      mesh.primitive.targets = mesh.targets;
      setup s = {.name = names[variant],
                 .primitive = &mesh.primitive,
                 .palette = &palette,
                 .method = variant ? SUPPLE_DQS : SUPPLE_LBS,
                 .scale = rigid ? SUPPLE_SCALE_NONE : SUPPLE_SCALE_AFFINE,
                 .signs = pose ? SUPPLE_SIGNS_PER_POSE : SUPPLE_SIGNS_PER_VERTEX};
      fine = offer_hand(t, s, round);
      free(mesh.floats), free(mesh.joints);
    }
  }
  return fine;
}

/* ---- assets ---- */

static bool all_rigid(const supple_palette *palette, const supple_primitive *primitive) {
  supple_binding *binding = supple_binding_create(primitive, NULL, NULL);
  supple_prepared *prepared = binding ? supple_prepared_create(binding, NULL, NULL) : NULL;
  bool rigid = prepared && !supple_prepared_update(prepared, binding, palette, SUPPLE_DQS) &&
               supple_prepared_found(prepared)->rigid == palette->joint_count &&
               fabs(supple_prepared_found(prepared)->common_scale - 1) < 1e-6;
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  return rigid;
}

/* Each method on a primitive in one pose; what else there is takes turns. */
static bool visit_primitive(tour *t, const char *name, const supple_primitive *primitive,
                            const supple_palette *palette, const float *morph_weights) {
  uint32_t most = primitive->influence_count, turn = t->number;
  setup s = {.name = name, .primitive = primitive, .palette = palette};
  s.influences = turn % 3 == 0 ? 0 : most <= 4 && turn % 3 == 1 ? 4 : 8;
  s.streams = !primitive->normals ? 1 : !primitive->tangents || turn % 2 ? 2 : 3;
  s.normals = (supple_normals)(turn % 5 == 4 ? 1 + turn % 2 : 0);
  s.morph_weights = primitive->target_count ? morph_weights : NULL;
  s.method = SUPPLE_LBS;
  if (!offer(t, &s)) return false;
  s.method = SUPPLE_DQS;
  if (!offer(t, &s)) return false;
  if (!all_rigid(palette, primitive)) return true;
  s.scale = SUPPLE_SCALE_NONE;
  return offer(t, &s);
}

static bool visit_pose(tour *t, const char *name, const supple_asset *asset,
                       const supple_pose *pose) {
  bool fine = true;
  for (uint32_t i = 0; i < asset->instance_count && fine; i++) {
    const supple_instance *instance = &asset->instances[i];
    supple_palette *palette =
        supple_palette_create(instance->skin->joint_count, SUPPLE_SPACE_SCENE, NULL, NULL);
    if (!palette) return false;
    supple_palette_compose(palette, pose, instance);
    const float *weights = pose->weights + asset->skeleton.nodes[instance->node].weight_begin;
    for (uint32_t p = 0; p < instance->primitive_count && fine; p++) {
      const supple_primitive *primitive = instance->primitives[p];
      if (primitive->influence_count && primitive->positions && primitive->vertex_count)
        fine = visit_primitive(t, name, primitive, palette, weights);
    }
    supple_palette_destroy(palette);
  }
  return fine;
}

static bool visit_asset(tour *t, const char *path, const char *name) {
  supple_error error;
  supple_asset *asset = supple_asset_load(path, NULL, &error);
  if (!asset) {
    printf("%s: %s\n", path, error.message);
    return false;
  }
  static const double shares[] = {0.31, 1};
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  bool fine = pose != NULL;
  for (uint32_t c = 0; c < (asset->clip_count < 3 ? asset->clip_count : 3) && fine; c++)
    for (int k = 0; k < 2 && fine; k++) {
      char shown[120];
      const supple_clip *clip = &asset->clips[c];
      double seconds = clip->begin + shares[k] * (clip->end - clip->begin);
      supple_pose_sample(pose, clip, seconds);
      snprintf(shown, sizeof shown, "%s, clip %u at %d %%", name, (unsigned)c,
               (int)(shares[k] * 100));
      fine = visit_pose(t, shown, asset, pose);
    }
  if (fine && asset->clip_count == 0) fine = visit_pose(t, name, asset, pose);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  return fine;
}

static bool visit_fixtures(tour *t, const gpu_places *places) {
  static const char *const names[] = {"arm", "ring", "shear", "tube"};
  bool fine = true;
  for (int i = 0; i < 4 && fine && places->command[0]; i++) {
    char path[1024], line[4096];
    snprintf(path, sizeof path, "%s/%s.glb", places->scratch, names[i]);
    snprintf(line, sizeof line, "\"%s\" fixture %s -o \"%s\"", places->command, names[i], path);
    fine = system(line) == 0 && visit_asset(t, path, names[i]);
  }
  return fine;
}

static bool visit_corpus(tour *t, const gpu_places *places) {
  static const char *const paths[] = {"khronos/RiggedFigure/glTF-Binary/RiggedFigure.glb",
                                      "khronos/Fox/glTF-Binary/Fox.glb",
                                      "blender-io/03_skinned_cylinder.gltf",
                                      "raylib/greenman.glb",
                                      "threejs-models/RobotExpressive.glb",
                                      "quaternius/Manta_ray.glb",
                                      "vrm/cryptovoxels.vrm",
                                      "derived/RiggedFigure-mirrored.glb",
                                      "derived/Fox-rootscale.glb",
                                      "derived/RiggedFigure-blender-8infl.glb"};
  bool fine = true;
  for (size_t i = 0; i < sizeof paths / sizeof *paths && fine; i++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/assets/%s", places->corpus, paths[i]);
    FILE *file = fopen(path, "rb");
    if (!file) continue;
    fclose(file);
    fine = visit_asset(t, path, strrchr(paths[i], '/') + 1);
  }
  return fine;
}

bool gpu_cases_visit(const gpu_places *places, uint32_t every, uint32_t first, gpu_visit *visit,
                     void *user) {
  tour t = {.visit = visit, .user = user, .every = every ? every : 1, .first = first};
  return visit_hand(&t) && visit_fixtures(&t, places) && visit_corpus(&t, places);
}

char *gpu_case_source(const gpu_case *one, supple_shader_language language,
                      supple_shader_stage stage, supple_shader_memory memory, size_t *size) {
  supple_shader_options options = one->options;
  options.language = language, options.stage = stage, options.memory = memory;
  supple_error error;
  if (supple_shader_source(&options, NULL, 0, size, &error)) {
    printf("%s: %s\n", one->name, error.message);
    return NULL;
  }
  char *text = zeroed(*size + 1, 1);
  supple_shader_source(&options, text, *size + 1, size, NULL);
  return text;
}
