/* bake_frame.c: posing and deforming frames, in parallel, taken in order. */
#include "bake_frame.h"

#include "bake_delta.h"
#include "checksum.h"
#include "copies.h"
#include "print.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

/* What happened to the vertices of an instance, over all frames that a thread made. */
typedef struct happenings {
  uint64_t fallbacks, normals, tangents; /* vertices */
} happenings;

struct bake_maker {
  const bake_plan *plan;
  happenings *met;            /* [instance_count] */
  cli_workspace **workspaces; /* [instance_count], made when first needed */
  bake_record plain;          /* .glb: the frame before its difference is taken */
};

/* ---- memory ---- */

size_t bake_normals_place(const bake_plan *plan) { return 3 * sizeof(float) * plan->vertex_count; }

size_t bake_tangents_place(const bake_plan *plan) {
  return bake_normals_place(plan) * (plan->normals ? 2 : 1);
}

size_t bake_plain_size(const bake_plan *plan) {
  return bake_tangents_place(plan) + (plan->tangents ? 4 * sizeof(float) * plan->vertex_count : 0);
}

static bool create_plain(bake_record *record, const bake_plan *plan) {
  memset(record, 0, sizeof *record);
  record->capacity = bake_plain_size(plan);
  record->data = malloc(record->capacity + 1);
  if (!record->data) cli_complain(CLI_FAILED, "out of memory");
  return record->data != NULL;
}

bool bake_record_create(bake_record *record, const bake_plan *plan) {
  memset(record, 0, sizeof *record);
  if (plan->format != BAKE_GLB) return create_plain(record, plan);
  record->capacity = bake_delta_most(plan);
  record->data = malloc(record->capacity + 1);
  if (!record->data) cli_complain(CLI_FAILED, "out of memory");
  return record->data != NULL;
}

void bake_record_free(bake_record *record) {
  free(record->data);
  memset(record, 0, sizeof *record);
}

bake_maker *bake_maker_create(const bake_plan *plan) {
  bake_maker *maker = calloc(1, sizeof *maker);
  const size_t instances = (size_t)plan->stage->instance_count + 1;
  if (maker) {
    maker->workspaces = calloc(instances, sizeof *maker->workspaces);
    maker->met = calloc(instances, sizeof *maker->met);
  }
  if (!maker || !maker->workspaces || !maker->met) {
    cli_complain(CLI_FAILED, "out of memory");
    bake_maker_free(maker);
    return NULL;
  }
  maker->plan = plan;
  if (plan->format == BAKE_GLB && !create_plain(&maker->plain, plan)) {
    bake_maker_free(maker);
    return NULL;
  }
  return maker;
}

void bake_maker_free(bake_maker *maker) {
  if (!maker) return;
  for (uint32_t i = 0; maker->plan && i < maker->plan->stage->instance_count; i++)
    cli_workspace_free(maker->workspaces[i]);
  free(maker->workspaces);
  free(maker->met);
  bake_record_free(&maker->plain);
  free(maker);
}

/* ---- one frame ---- */

/* Deforms an instance at a moment. */
static int deform(bake_maker *maker, uint32_t instance, uint32_t frame) {
  const bake_plan *plan = maker->plan;
  cli_workspace **work = &maker->workspaces[instance];
  const cli_moment moment = {.clip = plan->clip, .seconds = plan->times[frame]};
  if (!*work) {
    *work = cli_workspace_create(plan->stage, &plan->method, 1);
    if (!*work) return CLI_FAILED;
    (*work)->want_normals = plan->normals;
    (*work)->want_tangents = plan->tangents;
  }
  cli_workspace_pose(*work, &moment);
  int exit_code = cli_workspace_enter(*work, instance);
  if (exit_code == CLI_FINE) exit_code = cli_workspace_deform(*work, 0);
  maker->met[instance].fallbacks += (*work)->deformed[0].fallbacks;
  maker->met[instance].normals += (*work)->deformed[0].vanished_normals;
  maker->met[instance].tangents += (*work)->deformed[0].vanished_tangents;
  return exit_code;
}

static bool machine_is_little(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

/* Where a stream of a primitive goes in a plain frame; NULL where frames have none. */
static float *stream_of(const bake_plan *plan, const bake_primitive *part,
                        const bake_record *record, bake_stream stream) {
  const size_t v = part->first_vertex;
  float *floats = (float *)(void *)record->data;
  if (stream == BAKE_POSITIONS) return floats + 3 * v;
  if (stream == BAKE_NORMALS && plan->normals) return floats + 3 * (plan->vertex_count + v);
  if (stream != BAKE_TANGENTS || !plan->tangents) return NULL;
  return (float *)(void *)(record->data + bake_tangents_place(plan)) + 4 * v;
}

/* Floats become little endian, but for cli_export and bake_delta_encode, which take them as they are. */
static void order_bytes(const bake_plan *plan, bake_record *record) {
  if (machine_is_little() || plan->format == BAKE_STATIC || plan->format == BAKE_GLB) return;
  for (size_t i = 0; i + 4 <= record->size; i += 4) {
    unsigned char *at = record->data + i;
    const unsigned char bytes[4] = {at[3], at[2], at[1], at[0]};
    memcpy(at, bytes, 4);
  }
}

/* By the bits, in a loop that compilers turn into vectors. */
static bool all_finite(const float *values, size_t count) {
  uint32_t found = 0;
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    found |= (bits & 0x7f800000u) == 0x7f800000u;
  }
  return !found;
}

static int refuse_number(const bake_plan *plan, const bake_primitive *part, uint32_t frame) {
  char time[CLI_NUMBER_TEXT];
  return cli_complain(
      CLI_FAILED,
      "%s: a position of node %u, primitive %u is not finite at %s s; .npz can hold that",
      plan->stage->path, plan->stage->instances[part->instance].instance->node, part->primitive,
      cli_double_text(plan->times[frame], time));
}

/* Moves what was deformed to where a copy has it; the frame keeps it. */
static void move_copy(const bake_plan *plan, const cli_workspace *work, const bake_primitive *part,
                      const bake_record *record) {
  const cli_stage *stage = plan->stage;
  const supple_instance *instance = stage->instances[part->instance].instance;
  if (!instance->copies || plan->format == BAKE_GLB) return;
  const supple_affine64 matrix =
      cli_copy_matrix(instance, part->copy, work->pose, (supple_space)stage->options->space);
  cli_copy_move(&matrix, part->source->vertex_count, stream_of(plan, part, record, BAKE_POSITIONS),
                part->source->normals ? stream_of(plan, part, record, BAKE_NORMALS) : NULL,
                part->source->normals && part->source->tangents
                    ? stream_of(plan, part, record, BAKE_TANGENTS)
                    : NULL);
}

/* Copies what was deformed into the frame. */
static int keep_primitive(const bake_maker *maker, const bake_primitive *part, uint32_t frame,
                          bake_record *record) {
  const bake_plan *plan = maker->plan;
  const cli_workspace *work = maker->workspaces[part->instance];
  const float *deformed[3] = {work->positions[0][part->primitive],
                              work->normals[0][part->primitive], work->tangents[0][part->primitive]};
  const size_t n = part->source->vertex_count;
  for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++) {
    float *stream = stream_of(plan, part, record, (bake_stream)s);
    const size_t count = n * (s == BAKE_TANGENTS ? 4 : 3);
    if (stream && deformed[s]) memcpy(stream, deformed[s], count * sizeof *stream);
    if (stream && !deformed[s]) memset(stream, 0, count * sizeof *stream);
  }
  move_copy(plan, work, part, record);
  const bool fine = plan->format == BAKE_NPZ || plan->format == BAKE_BOUNDS ||
                    all_finite(stream_of(plan, part, record, BAKE_POSITIONS), 3 * n);
  return fine ? CLI_FINE : refuse_number(plan, part, frame);
}
int bake_make_plain(bake_maker *maker, uint32_t frame, bake_record *record) {
  const bake_plan *plan = maker->plan;
  int exit_code = CLI_FINE;
  record->size = bake_plain_size(plan);
  for (uint32_t i = 0; exit_code == CLI_FINE && i < plan->primitive_count; i++) {
    const bake_primitive *part = &plan->primitives[i];
    if (i == 0 || part->instance != part[-1].instance)
      exit_code = deform(maker, part->instance, frame);
    if (exit_code == CLI_FINE) exit_code = keep_primitive(maker, part, frame, record);
  }
  if (exit_code != CLI_FINE) return exit_code;
  if (plan->format == BAKE_BOUNDS) {
    const supple_stream stream = {(const float *)(const void *)record->data, 3 * sizeof(float)};
    record->bounds = supple_bounds_of(stream, (uint32_t)plan->vertex_count);
  }
  order_bytes(plan, record);
  return CLI_FINE;
}

void bake_record_sum(const bake_plan *plan, bake_record *record) {
  if (plan->format != BAKE_NPZ) return;
  const size_t size = bake_normals_place(plan);
  record->crcs[0] = cli_crc32(0, record->data, size);
  if (plan->normals) record->crcs[1] = cli_crc32(0, record->data + size, size);
}

/* ---- all frames ---- */

typedef struct frame_run {
  const bake_plan *plan;
  bake_maker **makers;  /* [threads] */
  bake_record *records; /* [window] */
  uint32_t threads, window;
  bake_record base; /* .glb: the first frame, plain */
  bake_sink *sink;
  void *user;
} frame_run;

static int make_frame(void *user, uint32_t index, uint32_t worker) {
  const frame_run *run = user;
  const bake_plan *plan = run->plan;
  const uint32_t frame = plan->frame_begin + index;
  bake_record *record = &run->records[index % run->window];
  if (!run->makers[worker]) run->makers[worker] = bake_maker_create(plan);
  bake_maker *maker = run->makers[worker];
  if (!maker) return CLI_FAILED;
  if (!record->data && !bake_record_create(record, plan)) return CLI_FAILED;
  const bool glb = plan->format == BAKE_GLB;
  const int exit_code = bake_make_plain(maker, frame, glb ? &maker->plain : record);
  if (exit_code != CLI_FINE) return exit_code;
  if (glb) bake_delta_encode(plan, frame == 0 ? NULL : run->base.data, maker->plain.data, record);
  bake_record_sum(plan, record);
  return CLI_FINE;
}

static int take_frame(void *user, uint32_t index, uint32_t worker) {
  const frame_run *run = user;
  (void)worker;
  return run->sink(run->user, run->plan->frame_begin + index, &run->records[index % run->window]);
}

/* The frame that the others are told apart from: every shard makes it for itself. */
static int make_base(frame_run *run) {
  if (run->plan->format != BAKE_GLB || run->plan->frame_end <= 1) return CLI_FINE;
  if (!create_plain(&run->base, run->plan)) return CLI_FAILED;
  run->makers[0] = bake_maker_create(run->plan);
  return run->makers[0] ? bake_make_plain(run->makers[0], 0, &run->base) : CLI_FAILED;
}

/* Enough frames under way that no thread waits for another, and some more where they are small. */
static uint32_t choose_window(const bake_plan *plan, uint32_t threads) {
  const size_t small = (size_t)16 << 20;
  const size_t size = bake_plain_size(plan) + 1;
  uint32_t window = threads + 1;
  while (window < 4 * threads && (size_t)window * size < small) window++;
  return window;
}

static void print_happenings(const frame_run *run) {
  const cli_stage *stage = run->plan->stage;
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    const uint32_t node = stage->instances[i].instance->node;
    happenings all = {0, 0, 0};
    for (uint32_t t = 0; t < run->threads; t++) {
      if (!run->makers[t]) continue;
      all.fallbacks += run->makers[t]->met[i].fallbacks;
      all.normals += run->makers[t]->met[i].normals;
      all.tangents += run->makers[t]->met[i].tangents;
    }
    if (all.fallbacks)
      cli_note(
          "node %u: quaternions of vertices cancel, %llu times in all frames; linear blending was "
          "used there",
          node, (unsigned long long)all.fallbacks);
    if (all.normals)
      cli_note("node %u: normals vanished and were replaced, %llu times in all frames", node,
               (unsigned long long)all.normals);
    if (all.tangents)
      cli_note("node %u: tangents vanished and were replaced, %llu times in all frames", node,
               (unsigned long long)all.tangents);
  }
}

int bake_make_all(const bake_plan *plan, bake_sink *sink, void *user) {
  frame_run run = {.plan = plan, .sink = sink, .user = user};
  run.threads = cli_thread_count(plan->stage->options->threads);
  run.window = choose_window(plan, run.threads);
  run.makers = calloc(run.threads, sizeof *run.makers);
  run.records = calloc(run.window, sizeof *run.records);
  int exit_code =
      run.makers && run.records ? make_base(&run) : cli_complain(CLI_FAILED, "out of memory");
  if (exit_code == CLI_FINE)
    exit_code = cli_ordered(plan->frame_end - plan->frame_begin, run.threads, run.window,
                            make_frame, take_frame, &run, "baking");
  if (exit_code == CLI_FINE) print_happenings(&run);
  for (uint32_t i = 0; run.makers && i < run.threads; i++) bake_maker_free(run.makers[i]);
  for (uint32_t i = 0; run.records && i < run.window; i++) bake_record_free(&run.records[i]);
  bake_record_free(&run.base);
  free(run.makers);
  free(run.records);
  return exit_code;
}
