/* bench_time.c: verifying and timing contestants on one mesh, in turns. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "bench_time.h"

#include "bench_plain.h"
#include "bench_reference.h"
#include "command.h"
#include "threads.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>
#endif

enum { BLOCK = 16, MOST_VERIFIED = 8000, SHORT_RUN = 50000, WARM = 1000000 };

/* ---- clocks ---- */

static double wall_clock(void) {
#if defined(_WIN32)
  LARGE_INTEGER count, frequency;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&frequency);
  return 1e9 * (double)count.QuadPart / (double)frequency.QuadPart;
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
#endif
}

double cli_bench_cpu_clock(void) {
#if !defined(_WIN32) && defined(CLOCK_THREAD_CPUTIME_ID)
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
#endif
  return wall_clock();
}

#if defined(_WIN32)
const char cli_bench_clock_name[] = "wall clock";
#else
const char cli_bench_clock_name[] = "thread CPU time";
#endif

/* ---- what the entries of a mesh share ---- */

typedef struct pose_state {
  supple_affine *matrices; /* NULL: not asked for */
  float *dual_quats;
  cli_bench_joint *joints;
  supple_prepared *prepared[2][2]; /* [method][sorted] */
} pose_state;

typedef struct state {
  const cli_bench_mesh *mesh;
  supple_binding *bindings[2]; /* [sorted] */
  double block_joints[2];
  pose_state poses[CLI_BENCH_SCALES][CLI_BENCH_POSES];
  float *out_positions, *out_normals, *out_tangents;
} state;

static void state_free(state *s) {
  for (int i = 0; i < CLI_BENCH_SCALES * CLI_BENCH_POSES; i++) {
    pose_state *pose = &s->poses[i / CLI_BENCH_POSES][i % CLI_BENCH_POSES];
    for (int k = 0; k < 4; k++) supple_prepared_destroy(pose->prepared[k / 2][k % 2]);
    free(pose->matrices);
    free(pose->dual_quats);
    free(pose->joints);
  }
  for (int i = 0; i < 2; i++) supple_binding_destroy(s->bindings[i]);
  cli_bench_release(s->out_positions);
  cli_bench_release(s->out_normals);
  cli_bench_release(s->out_tangents);
}

/* How many joints, on average, a block of the binding uses. */
static double joints_of_block(const supple_binding *binding) {
  const uint32_t count = supple_binding_vertex_count(binding);
  uint16_t seen[8 * BLOCK];
  double joints = 0;
  for (uint32_t begin = 0; begin < count; begin += BLOCK) {
    uint32_t used = 0;
    for (uint32_t i = begin; i < begin + BLOCK && i < count; i++) {
      const uint16_t *list;
      const float *weights;
      const uint32_t n = supple_binding_influences(binding, i, &list, &weights);
      for (uint32_t k = 0; k < n; k++) {
        uint32_t at = 0;
        while (at < used && seen[at] != list[k]) at++;
        if (at == used && used < 8 * BLOCK) seen[used++] = list[k];
      }
    }
    joints += used;
  }
  return joints * BLOCK / count;
}

static bool make_binding(state *s, bool sorted) {
  if (s->bindings[sorted]) return true;
  const cli_bench_mesh *mesh = s->mesh;
  supple_primitive primitive;
  memset(&primitive, 0, sizeof primitive);
  primitive.vertex_count = mesh->vertex_count;
  primitive.positions = mesh->positions;
  primitive.normals = mesh->normals;
  primitive.tangents = mesh->tangents;
  primitive.influence_count = mesh->influence_count;
  primitive.joints = mesh->joints;
  primitive.weights = mesh->weights;
  const supple_binding_options options = {.sort = sorted, .geometry = true};
  s->bindings[sorted] = supple_binding_create(&primitive, &options, NULL);
  if (s->bindings[sorted]) s->block_joints[sorted] = joints_of_block(s->bindings[sorted]);
  return s->bindings[sorted] != NULL;
}

static bool make_matrices(state *s, pose_state *pose, const cli_bench_entry *entry) {
  if (pose->matrices) return true;
  const size_t count = s->mesh->joint_count;
  pose->matrices = calloc(count, sizeof *pose->matrices);
  pose->dual_quats = calloc(count, 8 * sizeof(float));
  pose->joints = calloc(count, sizeof *pose->joints);
  if (!pose->matrices || !pose->dual_quats || !pose->joints) return false;
  if (s->mesh->matrices)
    memcpy(pose->matrices, s->mesh->matrices, count * sizeof *pose->matrices);
  else
    cli_bench_pose_tube(entry->pose, entry->scale, pose->matrices, pose->dual_quats);
  for (size_t j = 0; j < count; j++) pose->joints[j] = cli_bench_joint_of(&pose->matrices[j]);
  return true;
}

static supple_result make_prepared(state *s, const cli_bench_entry *entry) {
  pose_state *pose = &s->poses[entry->scale][entry->pose];
  if (!make_binding(s, entry->sorted) || !make_matrices(s, pose, entry)) return SUPPLE_ERROR_MEMORY;
  supple_prepared **prepared = &pose->prepared[entry->method == SUPPLE_DQS][entry->sorted];
  if (*prepared) return SUPPLE_OK;
  const supple_binding *binding = s->bindings[entry->sorted];
  *prepared = supple_prepared_create(binding, NULL, NULL);
  if (!*prepared) return SUPPLE_ERROR_MEMORY;
  supple_palette palette;
  memset(&palette, 0, sizeof palette);
  palette.joint_count = s->mesh->joint_count;
  palette.matrices = pose->matrices;
  return supple_prepared_update(*prepared, binding, &palette, entry->method);
}

/* ---- running one entry ---- */

static cli_bench_plain plain_of(const state *s, const cli_bench_entry *entry) {
  const cli_bench_mesh *mesh = s->mesh;
  const pose_state *pose = &s->poses[entry->scale][entry->pose];
  cli_bench_plain plain = {
      .vertex_count = mesh->vertex_count,
      .influence_count = mesh->influence_count,
      .positions = mesh->positions,
      .weights = mesh->weights,
      .joints = mesh->joints,
      .matrices = &pose->matrices[0].m[0][0],
      .dual_quats = pose->dual_quats,
      .out_positions = s->out_positions,
  };
  if (entry->streams >= CLI_BENCH_PN) {
    plain.normals = mesh->normals;
    plain.out_normals = s->out_normals;
  }
  if (entry->streams >= CLI_BENCH_PNT) {
    plain.tangents = mesh->tangents;
    plain.out_tangents = s->out_tangents;
  }
  return plain;
}

static supple_job job_of(const state *s, const cli_bench_entry *entry) {
  const size_t three = 3 * sizeof(float), four = 4 * sizeof(float);
  const cli_bench_mesh *mesh = s->mesh;
  supple_job job;
  memset(&job, 0, sizeof job);
  job.prepared =
      s->poses[entry->scale][entry->pose].prepared[entry->method == SUPPLE_DQS][entry->sorted];
  job.isa = entry->isa;
  job.normal_mode = entry->normals;
  job.out_positions = (supple_out_stream){s->out_positions, three};
  if (entry->user) job.positions = (supple_stream){mesh->positions, three};
  if (entry->streams >= CLI_BENCH_PN) {
    job.out_normals = (supple_out_stream){s->out_normals, three};
    if (entry->user) job.normals = (supple_stream){mesh->normals, three};
  }
  if (entry->streams >= CLI_BENCH_PNT) {
    job.out_tangents = (supple_out_stream){s->out_tangents, four};
    if (entry->user) job.tangents = (supple_stream){mesh->tangents, four};
  }
  return job;
}

static supple_result run_entry(const state *s, const cli_bench_entry *entry) {
  if (entry->plain) {
    const cli_bench_plain plain = plain_of(s, entry);
    cli_bench_plain_run(&plain, entry->method, entry->isa);
    return SUPPLE_OK;
  }
  const supple_job job = job_of(s, entry);
  return supple_deform(&job);
}

/* ---- verifying ---- */

static cli_bench_vertex rest_of(const cli_bench_mesh *mesh, size_t v) {
  cli_bench_vertex rest;
  memset(&rest, 0, sizeof rest);
  rest.tangent[0] = 1;
  for (size_t k = 0; k < 3; k++) {
    rest.position[k] = (double)mesh->positions[3 * v + k];
    if (mesh->normals) rest.normal[k] = (double)mesh->normals[3 * v + k];
  }
  for (size_t k = 0; k < 4 && mesh->tangents; k++)
    rest.tangent[k] = (double)mesh->tangents[4 * v + k];
  return rest;
}

static double most_off(const float *got, const double *expected, int count) {
  double most = 0;
  for (int k = 0; k < count; k++) {
    const double off = fabs((double)got[k] - expected[k]);
    if (!(off <= most)) most = off; /* also a NaN */
  }
  return most;
}

/* Whether output `place` (of the binding's order) is right. */
static bool right_at(const state *s, const cli_bench_entry *entry, uint32_t place, double *off) {
  const cli_bench_mesh *mesh = s->mesh;
  const uint32_t *order = supple_binding_order(s->bindings[entry->sorted]);
  const size_t v = order ? order[place] : place;
  const cli_bench_blend blend = {
      .method = entry->method,
      .pivot = entry->plain ? CLI_BENCH_AGAINST_FIRST : CLI_BENCH_AGAINST_LARGEST,
      .joints = s->poses[entry->scale][entry->pose].joints,
      .count = mesh->influence_count,
      .indices = mesh->joints + v * mesh->influence_count,
      .weights = mesh->weights + v * mesh->influence_count,
  };
  const cli_bench_vertex rest = rest_of(mesh, v),
                         posed = cli_bench_reference(&blend, entry->normals, &rest);
  double size = 1;
  for (int k = 0; k < 3; k++)
    size = fmax(size, fmax(fabs(rest.position[k]), fabs(posed.position[k])));
  const double close = 1e-4 / fmax(posed.trust, 1e-3);
  *off = most_off(s->out_positions + 3 * (size_t)place, posed.position, 3) / size;
  if (!(*off <= 1e-5 * 8)) return false;
  if (entry->streams >= CLI_BENCH_PN)
    *off = most_off(s->out_normals + 3 * (size_t)place, posed.normal, 3);
  if (!(*off <= close)) return false;
  if (entry->streams >= CLI_BENCH_PNT)
    *off = most_off(s->out_tangents + 4 * (size_t)place, posed.tangent, 3);
  return *off <= close;
}

static const char *entry_text(const cli_bench_entry *entry, char text[80]) {
  snprintf(text, 80, "%s %s %s", entry->plain ? "the plain loop," : "supple,",
           entry->method == SUPPLE_DQS ? "dqs," : "lbs,", supple_isa_text(entry->isa));
  return text;
}

static int verify_entry(state *s, const cli_bench_entry *entry) {
  const uint32_t count = s->mesh->vertex_count, step = count / MOST_VERIFIED + 1;
  char text[80];
  memset(s->out_positions, 0xff, (size_t)count * 3 * sizeof(float));
  if (s->out_normals) memset(s->out_normals, 0xff, (size_t)count * 3 * sizeof(float));
  if (s->out_tangents) memset(s->out_tangents, 0xff, (size_t)count * 4 * sizeof(float));
  const supple_result result = run_entry(s, entry);
  if (result)
    return cli_complain(CLI_FAILED, "%s, mesh %s: %s", entry_text(entry, text), s->mesh->name,
                        supple_result_text(result));
  for (uint32_t place = 0; place < count; place += step) {
    double off;
    if (!right_at(s, entry, place, &off))
      return cli_complain(CLI_FAILED,
                          "%s, mesh %s: vertex %lu is off by %ld millionths; nothing was timed",
                          entry_text(entry, text), s->mesh->name, (unsigned long)place,
                          off < 1000 ? (long)(off * 1e6) : 999999999L);
  }
  return CLI_FINE;
}

/* ---- timing ---- */

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Meshes that a cache holds run once untimed, so that each finds its own data there. */
static double time_entry(const state *s, const cli_bench_entry *entry) {
  const uint32_t count = s->mesh->vertex_count, runs = count < SHORT_RUN ? 4 : 1;
  if (count <= WARM) run_entry(s, entry);
  const double begin = cli_bench_cpu_clock();
  for (uint32_t i = 0; i < runs; i++) run_entry(s, entry);
  return (cli_bench_cpu_clock() - begin) / runs / count;
}

static double time_copy(const state *s) {
  const cli_bench_mesh *mesh = s->mesh;
  const size_t size = (size_t)mesh->vertex_count * 3 * sizeof(float);
  const double begin = cli_bench_cpu_clock();
  cli_bench_copy(s->out_positions, mesh->positions, size);
  if (mesh->normals) cli_bench_copy(s->out_normals, mesh->normals, size);
  return (cli_bench_cpu_clock() - begin) / mesh->vertex_count;
}

/* Two threads that start each round together. Where no second thread comes, nothing is timed. */
typedef struct pair {
  const supple_job *job;
  uint32_t middle, count, rounds;
  atomic_uint started, ended, gone;
  double best;
} pair;

static bool pair_meets(pair *p, atomic_uint *arrived, uint32_t round) {
  atomic_fetch_add(arrived, 1);
  const double begin = wall_clock();
  for (uint32_t spins = 1; atomic_load(arrived) < 2 * (round + 1); spins++) {
    if (spins % 4096 == 0 && wall_clock() - begin > 2e9) atomic_store(&p->gone, 1);
    if (atomic_load(&p->gone)) return false;
  }
  return true;
}

static int pair_task(void *user, uint32_t index, uint32_t worker) {
  (void)worker;
  pair *p = user;
  for (uint32_t round = 0; round < p->rounds; round++) {
    if (!pair_meets(p, &p->started, round)) return 0;
    const double begin = wall_clock();
    supple_deform_range(p->job, index ? p->middle : 0, index ? p->count : p->middle, NULL);
    if (!pair_meets(p, &p->ended, round)) return 0;
    if (index == 0) p->best = fmin(p->best, (wall_clock() - begin) / p->count);
  }
  return 0;
}

static void time_pair(const state *s, cli_bench_entry *entry, uint32_t rounds) {
  const supple_job job = job_of(s, entry);
  const uint32_t count = s->mesh->vertex_count;
  pair p = {.job = &job,
            .middle = count / 2 / BLOCK * BLOCK,
            .count = count,
            .rounds = rounds,
            .best = HUGE_VAL};
  atomic_init(&p.started, 0);
  atomic_init(&p.ended, 0);
  atomic_init(&p.gone, 0);
  cli_parallel(2, 2, pair_task, &p, NULL);
  if (!atomic_load(&p.gone)) entry->ns = entry->best = p.best;
}

/* Bytes a vertex that an entry must read and write: streams, weights and joints. Blocks of many joints
 * hold the influences of each vertex instead. */
static double bytes_of(const state *s, const cli_bench_entry *entry) {
  static const double streams[] = {2 * 12, 2 * 24, 2 * 40};
  const double alone = 6.0 * s->mesh->influence_count;
  return streams[entry->streams] +
         (entry->plain ? alone : fmin(s->block_joints[entry->sorted] * (4 + 2.0 / BLOCK), alone));
}

static void time_round(state *s, cli_bench_entry *entries, uint32_t count, double *times,
                       uint32_t round) {
  for (uint32_t i = 0; i < count; i++)
    if (entries[i].threads == 1)
      times[(size_t)i * CLI_BENCH_MOST_ROUNDS + round] = time_entry(s, &entries[i]);
  times[(size_t)count * CLI_BENCH_MOST_ROUNDS + round] = time_copy(s);
}

static int time_entries(state *s, cli_bench_entry *entries, uint32_t count, uint32_t rounds) {
  double *times = calloc((size_t)count + 1, CLI_BENCH_MOST_ROUNDS * sizeof *times);
  if (!times) return cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t round = 0; round < rounds; round++) time_round(s, entries, count, times, round);
  for (uint32_t i = 0; i <= count; i++)
    qsort(times + (size_t)i * CLI_BENCH_MOST_ROUNDS, rounds, sizeof *times, compare_doubles);
  const double *copies = times + (size_t)count * CLI_BENCH_MOST_ROUNDS;
  const double copied = (s->mesh->normals ? 48 : 24) / fmax(copies[rounds / 2], 1e-9);
  for (uint32_t i = 0; i < count; i++) {
    cli_bench_entry *entry = &entries[i];
    entry->ns = times[(size_t)i * CLI_BENCH_MOST_ROUNDS + rounds / 2];
    entry->best = times[(size_t)i * CLI_BENCH_MOST_ROUNDS];
    if (entry->threads == 2) time_pair(s, entry, 3 * rounds);
    if (entry->ns > 0) entry->copy_share = bytes_of(s, entry) / entry->ns / copied;
  }
  free(times);
  return CLI_FINE;
}

int cli_bench_time(const cli_bench_mesh *mesh, cli_bench_entry *entries, uint32_t count,
                   uint32_t rounds) {
  state s;
  memset(&s, 0, sizeof s);
  s.mesh = mesh;
  const size_t n = mesh->vertex_count;
  rounds = rounds < CLI_BENCH_MOST_ROUNDS ? rounds : CLI_BENCH_MOST_ROUNDS;
  s.out_positions = cli_bench_memory(n * 3 * sizeof(float));
  if (mesh->normals) s.out_normals = cli_bench_memory(n * 3 * sizeof(float));
  if (mesh->tangents) s.out_tangents = cli_bench_memory(n * 4 * sizeof(float));
  supple_result result = SUPPLE_OK;
  if (!s.out_positions || (mesh->normals && !s.out_normals) || (mesh->tangents && !s.out_tangents))
    result = SUPPLE_ERROR_MEMORY;
  for (uint32_t i = 0; i < count && !result; i++) result = make_prepared(&s, &entries[i]);
  int exit_code =
      result ? cli_complain(CLI_FAILED, "mesh %s: %s", mesh->name, supple_result_text(result))
             : CLI_FINE;
  for (uint32_t i = 0; i < count && exit_code == CLI_FINE; i++)
    exit_code = verify_entry(&s, &entries[i]);
  if (exit_code == CLI_FINE) exit_code = time_entries(&s, entries, count, rounds);
  state_free(&s);
  return exit_code;
}
