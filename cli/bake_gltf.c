/* bake_gltf.c: frames as morph targets.
 *
 * The first frame is the mesh, every other one a target; keys give frame k its target at its time, so that it shows
 * exactly there, and LINEAR weights blend neighbours in between. All texts are there before the first frame is: with
 * the widest numbers, which are replaced by the true ones once all frames have been written (bake_room.h). A view is
 * a row of neighbours of one kind; a frame begins with the kind that the one before ended with, so that rows are long. */
#include "bake_gltf.h"

#include "bake_delta.h"
#include "bake_room.h"
#include "bake_strip.h"
#include "document_io.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = 5126, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, ATTRIBUTES = 34962 };

typedef enum view_kind { VIEW_VEC3, VIEW_VEC4, VIEW_SPARSE, VIEW_COUNT } view_kind;

/* A chunk of a record, and where it went. */
typedef struct piece {
  bake_chunk chunk;
  uint32_t view;
  uint64_t offset; /* in the view */
} piece;

/* Neighbours of one kind. */
typedef struct view {
  view_kind kind;
  uint64_t begin, size; /* in the bytes of all frames */
} view;

struct bake_gltf {
  const bake_plan *plan;
  supple_document *document;
  bake_place *places;
  bake_room *room;
  piece *pieces; /* [frames][pieces_a_frame] */
  uint32_t pieces_a_frame;
  view *views; /* [view_most] */
  uint32_t view_count, view_most;
  uint64_t size;                       /* of all frames so far */
  uint32_t first_accessor, first_view; /* of the document, that are ours */
  supple_error error;
};

static int no_memory(void) { return cli_complain(CLI_FAILED, "out of memory"); }
static int complain(const bake_gltf *w) { return bake_complain_of(w->plan, &w->error); }

static supple_value table_of(const bake_gltf *w, const char *name) {
  return supple_document_member(w->document, 0, name);
}

/* A table at the top, which is made where there is none. */
static int need_table(bake_gltf *w, const char *name, uint32_t *count) {
  if (table_of(w, name) == SUPPLE_NONE &&
      supple_document_set(w->document, 0, name, "[]", NULL, &w->error))
    return complain(w);
  *count = supple_document_count(w->document, table_of(w, name));
  return CLI_FINE;
}

/* ---- frames ---- */

static view_kind view_of(const bake_chunk *chunk) {
  if (chunk->sparse) return VIEW_SPARSE;
  return chunk->stream == BAKE_TANGENTS ? VIEW_VEC4 : VIEW_VEC3;
}

static size_t chunk_size(const bake_chunk *chunk) {
  return chunk->floats_size + chunk->indices_size;
}

static bool is_left_out(const bake_gltf *w, uint32_t part) {
  return w->places[w->plan->primitives[part].instance].left_out;
}

/* The chunks of a record that are shown; what is not is left out. */
static int read_chunks(bake_gltf *w, const bake_record *record, piece *pieces) {
  size_t place = 0;
  for (uint32_t i = 0; i < w->plan->primitive_count; i++)
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++) {
      bake_chunk chunk;
      if (!bake_delta_has(w->plan, i, (bake_stream)s)) continue;
      if (!bake_delta_chunk(w->plan, i, (bake_stream)s, record->data, record->size, &place, &chunk))
        return cli_complain(CLI_FAILED, "a part of %s is damaged", w->plan->output);
      if (!is_left_out(w, i)) (pieces++)->chunk = chunk;
    }
  return CLI_FINE;
}

/* Where the next bytes go. */
static void place_piece(bake_gltf *w, piece *p) {
  const view_kind kind = view_of(&p->chunk);
  if (w->view_count == 0 || w->views[w->view_count - 1].kind != kind)
    w->views[w->view_count++] = (view){.kind = kind, .begin = w->size};
  view *last = &w->views[w->view_count - 1];
  p->view = w->view_count - 1;
  p->offset = last->size;
  last->size += chunk_size(&p->chunk);
  w->size += chunk_size(&p->chunk);
}

int bake_gltf_frame(void *user, uint32_t frame, const bake_record *record) {
  bake_gltf *w = user;
  piece *pieces = w->pieces + (size_t)frame * w->pieces_a_frame;
  int exit_code = read_chunks(w, record, pieces);
  const int first = w->view_count ? (int)w->views[w->view_count - 1].kind : VIEW_VEC3;
  for (int k = 0; k < VIEW_COUNT; k++)
    for (uint32_t i = 0; i < w->pieces_a_frame && exit_code == CLI_FINE; i++) {
      const view_kind kind = (view_kind)((first + k) % VIEW_COUNT);
      piece *p = &pieces[i];
      if (view_of(&p->chunk) != kind || !chunk_size(&p->chunk)) continue;
      place_piece(w, p);
      exit_code = bake_room_add(w->room, record->data + p->chunk.place, chunk_size(&p->chunk));
    }
  return exit_code;
}

/* ---- texts ---- */

/* cli_float_text writes nothing that is longer. */
static const char widest_float[] = "-1.2345678901e-38";

static void write_extent(cli_output *out, const char *key, const float *values) {
  char text[CLI_NUMBER_TEXT];
  cli_output_format(out, ",\"%s\":[", key);
  for (int c = 0; c < 3; c++) {
    if (c) cli_output_text(out, ",");
    cli_output_text(out, values ? cli_float_text(values[c], text) : widest_float);
  }
  cli_output_text(out, "]");
}

/* The accessor of a piece; NULL: the widest. */
static void write_accessor(const bake_gltf *w, cli_output *out, const piece *p, bake_stream stream,
                           uint32_t vertices) {
  const bake_chunk widest = {.sparse = true, .count = vertices};
  const bake_chunk *chunk = p ? &p->chunk : &widest;
  const uint32_t number = w->first_view + (p ? p->view : w->view_most);
  const unsigned long long offset = p ? p->offset : UINT32_MAX;
  cli_output_format(out, "{\"componentType\":%d,\"count\":%u,\"type\":\"VEC%d\"", (int)FLOAT,
                    vertices, stream == BAKE_TANGENTS ? 4 : 3);
  if (stream == BAKE_POSITIONS) {
    write_extent(out, "min", p ? chunk->min : NULL);
    write_extent(out, "max", p ? chunk->max : NULL);
  }
  if (!chunk->sparse)
    cli_output_format(out, ",\"bufferView\":%u,\"byteOffset\":%llu", number, offset);
  else if (chunk->count)
    cli_output_format(
        out,
        ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%u,\"byteOffset\":%llu,"
        "\"componentType\":%d},\"values\":{\"bufferView\":%u,\"byteOffset\":%llu}}",
        chunk->count, number, p ? offset + chunk->floats_size : offset,
        vertices <= 65536 ? (int)UNSIGNED_SHORT : (int)UNSIGNED_INT, number, offset);
  cli_output_text(out, "}");
}

/* A view's text; NULL: the widest. */
static void write_view(cli_output *out, const view *v, uint32_t buffer, uint64_t offset) {
  cli_output_format(out, "{\"buffer\":%u,\"byteOffset\":%llu,\"byteLength\":%llu", buffer,
                    (unsigned long long)offset, (unsigned long long)(v ? v->size : UINT32_MAX));
  /* several accessors share it, so it must say its stride */
  if (!v || v->kind != VIEW_SPARSE)
    cli_output_format(out, ",\"byteStride\":%d,\"target\":%d", v && v->kind == VIEW_VEC3 ? 12 : 16,
                      (int)ATTRIBUTES);
  cli_output_text(out, "}");
}

/* Appends the text to a table, or puts it in the place of an item; `out` is used up. */
static int put_item(bake_gltf *w, cli_output *out, const char *table, uint32_t index) {
  const supple_value array = table_of(w, table);
  const char *text = out ? cli_output_contents(out, NULL) : NULL;
  supple_result result = SUPPLE_OK;
  if (text && index < supple_document_count(w->document, array))
    result = supple_document_replace(w->document, supple_document_child(w->document, array, index),
                                     text, NULL, &w->error);
  else if (text)
    result = supple_document_insert(w->document, array, SUPPLE_NONE, text, NULL, &w->error);
  const bool memory = out && !text;
  cli_output_abandon(out);
  if (memory) return no_memory();
  if (!out) return CLI_FAILED;
  return result ? complain(w) : CLI_FINE;
}

/* Accessors of all frames, which come frame by frame: the widest, or the true ones. */
static int put_accessors(bake_gltf *w, bool widest) {
  uint32_t index = w->first_accessor;
  const piece *p = w->pieces;
  for (uint32_t frame = 0; frame < w->plan->frame_count; frame++)
    for (uint32_t i = 0; i < w->plan->primitive_count; i++)
      for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++) {
        if (is_left_out(w, i) || !bake_delta_has(w->plan, i, (bake_stream)s)) continue;
        cli_output *out = cli_output_open_memory();
        if (out)
          write_accessor(w, out, widest ? NULL : p, (bake_stream)s,
                         w->plan->primitives[i].source->vertex_count);
        p++;
        const int exit_code = put_item(w, out, "accessors", index++);
        if (exit_code != CLI_FINE) return exit_code;
      }
  return CLI_FINE;
}

static int put_widest_views(bake_gltf *w) {
  int exit_code = CLI_FINE;
  for (uint32_t i = 0; i < w->view_most && exit_code == CLI_FINE; i++) {
    cli_output *out = cli_output_open_memory();
    if (out) write_view(out, NULL, UINT32_MAX, UINT32_MAX);
    exit_code = put_item(w, out, "bufferViews", w->first_view + i);
  }
  return exit_code;
}

/* The true ones; the frames begin at `offset` of a buffer. */
static int put_views(bake_gltf *w, uint32_t buffer, uint64_t offset) {
  int exit_code = CLI_FINE;
  const supple_value table = table_of(w, "bufferViews");
  for (uint32_t i = 0; i < w->view_count && exit_code == CLI_FINE; i++) {
    cli_output *out = cli_output_open_memory();
    if (out) write_view(out, &w->views[i], buffer, offset + w->views[i].begin);
    exit_code = put_item(w, out, "bufferViews", w->first_view + i);
  }
  for (uint32_t i = w->view_most; i-- > w->view_count && exit_code == CLI_FINE;)
    if (supple_document_remove(
            w->document, supple_document_child(w->document, table, w->first_view + i), &w->error))
      exit_code = complain(w);
  return exit_code;
}

/* ---- primitives ---- */

static const char *const attribute_names[] = {"POSITION", "NORMAL", "TANGENT"};

/* The accessors of a frame of a primitive, whose first one is given, as attributes of it or as a target. */
static int add_base(bake_gltf *w, uint32_t part, uint32_t first, supple_value primitive) {
  const supple_value attributes = supple_document_member(w->document, primitive, "attributes");
  for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++) {
    char text[16];
    if (!bake_delta_has(w->plan, part, (bake_stream)s)) continue;
    snprintf(text, sizeof text, "%u", first++);
    if (supple_document_set(w->document, attributes, attribute_names[s], text, NULL, &w->error))
      return complain(w);
  }
  return CLI_FINE;
}

/* Its targets: those of the other frames. */
static void write_targets(const bake_gltf *w, cli_output *out, uint32_t part, uint32_t first) {
  for (uint32_t frame = 1; frame < w->plan->frame_count; frame++) {
    uint32_t index = first + frame * w->pieces_a_frame;
    cli_output_text(out, frame == 1 ? "[{" : ",{");
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++)
      if (bake_delta_has(w->plan, part, (bake_stream)s))
        cli_output_format(out, "%s\"%s\":%u", s == BAKE_POSITIONS ? "" : ",", attribute_names[s],
                          index++);
    cli_output_text(out, "}");
  }
  cli_output_text(out, "]");
}

static int add_targets(bake_gltf *w, uint32_t part, uint32_t first, supple_value primitive) {
  if (w->plan->frame_count < 2) return CLI_FINE;
  cli_output *out = cli_output_open_memory();
  if (!out) return CLI_FAILED;
  write_targets(w, out, part, first);
  const char *text = cli_output_contents(out, NULL);
  int exit_code = text ? CLI_FINE : no_memory();
  if (text && supple_document_set(w->document, primitive, "targets", text, NULL, &w->error))
    exit_code = complain(w);
  cli_output_abandon(out);
  return exit_code;
}

static int add_primitives(bake_gltf *w) {
  const bake_plan *plan = w->plan;
  uint32_t first = w->first_accessor, number = 0;
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    const bake_place *place = &w->places[plan->primitives[i].instance];
    number = i && plan->primitives[i].instance == plan->primitives[i - 1].instance ? number + 1 : 0;
    if (place->left_out) continue;
    const supple_value primitive = supple_document_child(w->document, place->primitives, number);
    int exit_code = add_base(w, i, first, primitive);
    if (exit_code == CLI_FINE) exit_code = add_targets(w, i, first, primitive);
    if (exit_code != CLI_FINE) return exit_code;
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++)
      first += bake_delta_has(plan, i, (bake_stream)s);
  }
  return CLI_FINE;
}

/* ---- weights ---- */

/* Key k has a one for target k − 1, so of frames × (frames − 1) floats the ones are k · frames − 1. */
static supple_result pull_weights(void *user, uint64_t begin, void *out, size_t size) {
  static const unsigned char one[4] = {0, 0, 0x80, 0x3f};
  const bake_plan *plan = user;
  const uint64_t step = 4 * (uint64_t)plan->frame_count;
  unsigned char *bytes = out;
  memset(out, 0, size);
  uint64_t k = begin / step;
  if (k == 0) k = 1;
  for (; k < plan->frame_count && k * step - 4 < begin + size; k++)
    for (uint64_t b = 0; b < 4; b++) {
      const uint64_t at = k * step - 4 + b;
      if (at >= begin && at - begin < size) bytes[at - begin] = one[b];
    }
  return SUPPLE_OK;
}

/* The accessors of the keys' times and weights. */
static int add_keys(bake_gltf *w, uint32_t *times, uint32_t *weights) {
  const bake_plan *plan = w->plan;
  float *seconds = malloc(plan->frame_count * sizeof *seconds);
  if (!seconds) return no_memory();
  for (uint32_t i = 0; i < plan->frame_count; i++) {
    seconds[i] = (float)plan->times[i];
    if (i && !(seconds[i] > seconds[i - 1])) {
      free(seconds);
      return cli_complain(CLI_FAILED,
                          "frames %u and %u are at the same time in a .glb, whose times are "
                          "floats: bake fewer frames",
                          i - 1, i);
    }
  }
  const supple_accessor_data inputs = {
      .layout = {.component = FLOAT, .rows = 1, .columns = 1, .count = plan->frame_count},
      .data = seconds,
      .bounds = true};
  const supple_accessor_data outputs = {
      .layout = {.component = FLOAT,
                 .rows = 1,
                 .columns = 1,
                 .count = plan->frame_count * (plan->frame_count - 1)},
      .pull = pull_weights,
      .user = (void *)(uintptr_t)plan};
  supple_result result = supple_document_add_accessor(w->document, &inputs, times, &w->error);
  if (!result) result = supple_document_add_accessor(w->document, &outputs, weights, &w->error);
  free(seconds);
  return result ? complain(w) : CLI_FINE;
}

/* A sampler of the clip, and a channel for each node that shows a baked mesh. */
static int add_animation(bake_gltf *w) {
  const supple_value animations = supple_document_member(w->document, 0, "animations");
  const supple_value clip = supple_document_child(w->document, animations, 0);
  const supple_value samplers = supple_document_member(w->document, clip, "samplers");
  const supple_value channels = supple_document_member(w->document, clip, "channels");
  const uint32_t sampler = supple_document_count(w->document, samplers);
  uint32_t times, weights;
  char text[128];
  if (w->plan->frame_count < 2) return CLI_FINE;
  const int exit_code = add_keys(w, &times, &weights);
  if (exit_code != CLI_FINE) return exit_code;
  snprintf(text, sizeof text, "{\"input\":%u,\"output\":%u,\"interpolation\":\"%s\"}", times,
           weights, w->plan->step ? "STEP" : "LINEAR");
  supple_result result =
      supple_document_insert(w->document, samplers, SUPPLE_NONE, text, NULL, &w->error);
  for (uint32_t i = 0; !result && i < w->plan->stage->instance_count; i++) {
    if (w->places[i].left_out) continue;
    snprintf(text, sizeof text, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"weights\"}}",
             sampler, w->places[i].node);
    result = supple_document_insert(w->document, channels, SUPPLE_NONE, text, NULL, &w->error);
  }
  return result ? complain(w) : CLI_FINE;
}

/* ---- all of it ---- */

static int load(bake_gltf *w) {
  int exit_code = CLI_FAILED;
  w->places = calloc((size_t)w->plan->stage->instance_count + 1, sizeof *w->places);
  if (!w->places) return no_memory();
  w->document = cli_document_load(w->plan->stage->path, w->plan->stage->options, &exit_code);
  return w->document ? bake_strip(w->document, w->plan, w->places) : exit_code;
}

/* Memory for what is known of each frame. */
static int make_tables(bake_gltf *w) {
  const bake_plan *plan = w->plan;
  for (uint32_t i = 0; i < plan->primitive_count; i++)
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS && !is_left_out(w, i); s++)
      w->pieces_a_frame += bake_delta_has(plan, i, (bake_stream)s);
  const uint64_t count = (uint64_t)w->pieces_a_frame * plan->frame_count;
  if (count >= UINT32_MAX / 2 || count > SIZE_MAX / 2 / sizeof *w->pieces) return no_memory();
  /* two kinds a frame, dense and sparse, and it begins with the one that the frame before ended with; tangents, the
   * third, are in single frames alone, which are dense */
  w->view_most = w->pieces_a_frame ? plan->frame_count + 1 : 0;
  w->pieces = calloc((size_t)count + 1, sizeof *w->pieces);
  w->views = calloc((size_t)w->view_most + 1, sizeof *w->views);
  return w->pieces && w->views ? CLI_FINE : no_memory();
}

/* Everything but the frames. */
static int lay_out(bake_gltf *w) {
  int exit_code = load(w);
  if (exit_code == CLI_FINE) exit_code = make_tables(w);
  if (exit_code == CLI_FINE) exit_code = add_animation(w);
  if (exit_code == CLI_FINE && w->pieces_a_frame)
    exit_code = need_table(w, "accessors", &w->first_accessor);
  if (exit_code == CLI_FINE && w->pieces_a_frame)
    exit_code = need_table(w, "bufferViews", &w->first_view);
  if (exit_code == CLI_FINE) exit_code = put_accessors(w, true);
  if (exit_code == CLI_FINE) exit_code = put_widest_views(w);
  if (exit_code == CLI_FINE) exit_code = add_primitives(w);
  if (exit_code != CLI_FINE) return exit_code;
  const uint64_t most = w->pieces_a_frame ? bake_delta_most(w->plan) : 0;
  w->room = bake_room_open(w->plan, w->document, most * w->plan->frame_count);
  return w->room ? CLI_FINE : CLI_FAILED;
}

static int finish(bake_gltf *w) {
  uint32_t buffer;
  uint64_t offset;
  int exit_code = bake_room_settle(w->room, &buffer, &offset);
  if (exit_code == CLI_FINE) exit_code = put_views(w, buffer, offset);
  return exit_code == CLI_FINE ? put_accessors(w, false) : exit_code;
}

bake_gltf *bake_gltf_begin(const bake_plan *plan) {
  bake_gltf *w = calloc(1, sizeof *w);
  if (!w) {
    no_memory();
    return NULL;
  }
  w->plan = plan;
  if (lay_out(w) == CLI_FINE) return w;
  bake_gltf_end(w, CLI_FAILED);
  return NULL;
}

int bake_gltf_end(bake_gltf *w, int exit_code) {
  if (exit_code == CLI_FINE) exit_code = finish(w);
  if (w->room) exit_code = bake_room_close(w->room, exit_code);
  supple_document_free(w->document);
  free(w->pieces);
  free(w->views);
  free(w->places);
  free(w);
  return exit_code;
}
