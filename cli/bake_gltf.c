/* bake_gltf.c: frames as morph targets.
 *
 * The first frame is the mesh, every other one a target; keys give frame k its target at its time, so that it shows
 * exactly there, and LINEAR weights blend neighbours in between. All dense differences lie in one view, all sparse
 * ones in another, in the order of frames, and are read from the parts while the file is written. */
#include "bake_gltf.h"

#include "bake_delta.h"
#include "bake_strip.h"
#include "document_io.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FLOAT = 5126,
  UNSIGNED_BYTE = 5121,
  UNSIGNED_SHORT = 5123,
  UNSIGNED_INT = 5125,
  ATTRIBUTES = 34962
};

typedef enum view_kind { VIEW_VEC3, VIEW_VEC4, VIEW_SPARSE, VIEW_COUNT } view_kind;

/* A chunk of a record, where it is and where it goes. */
typedef struct piece {
  bake_chunk chunk;
  uint32_t part;
  uint64_t place;  /* in the part's file */
  uint64_t offset; /* in its view */
} piece;

struct gltf_writer;

/* One of the views: its pieces, by offset. */
typedef struct view {
  struct gltf_writer *writer;
  uint32_t *pieces, piece_count; /* numbers of pieces */
  uint64_t size;
  uint32_t number; /* of the bufferView */
  uint32_t spare;  /* its accessor, which becomes that of a piece; SUPPLE_NONE once used */
} view;

typedef struct gltf_writer {
  const bake_plan *plan;
  bake_parts *parts;
  supple_document *document;
  bake_place *places;
  piece *pieces; /* [frames][pieces_a_frame] */
  uint32_t pieces_a_frame;
  size_t piece_count;
  view views[VIEW_COUNT];
  supple_error error;
} gltf_writer;

static int no_memory(void) { return cli_complain(CLI_FAILED, "out of memory"); }
static int complain(const gltf_writer *w) { return bake_complain_of(w->plan, &w->error); }

/* ---- what the parts hold ---- */

static view_kind view_of(const bake_chunk *chunk) {
  if (chunk->sparse) return VIEW_SPARSE;
  return chunk->stream == BAKE_TANGENTS ? VIEW_VEC4 : VIEW_VEC3;
}

static size_t chunk_size(const bake_chunk *chunk) {
  return chunk->floats_size + chunk->indices_size;
}

/* Notes the chunks of a record. */
static int note_record(void *user, uint32_t frame, const bake_record *record) {
  gltf_writer *w = user;
  size_t place = 0;
  (void)frame;
  for (uint32_t i = 0; i < w->plan->primitive_count; i++)
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++) {
      if (!bake_delta_has(w->plan, i, (bake_stream)s)) continue;
      piece *p = &w->pieces[w->piece_count];
      if (!bake_delta_chunk(w->plan, i, (bake_stream)s, record->data, record->size, &place,
                            &p->chunk))
        return cli_complain(CLI_FAILED, "a part of %s is damaged", w->plan->output);
      view *v = &w->views[view_of(&p->chunk)];
      p->part = record->part;
      p->place = record->place + p->chunk.place;
      p->offset = v->size;
      v->size += chunk_size(&p->chunk);
      if (chunk_size(&p->chunk)) v->pieces[v->piece_count++] = (uint32_t)w->piece_count;
      w->piece_count++;
    }
  return CLI_FINE;
}

static int note_pieces(gltf_writer *w) {
  for (uint32_t i = 0; i < w->plan->primitive_count; i++)
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++)
      w->pieces_a_frame += bake_delta_has(w->plan, i, (bake_stream)s);
  const uint64_t count = (uint64_t)w->pieces_a_frame * w->plan->frame_count;
  if (count >= UINT32_MAX || count > SIZE_MAX / sizeof *w->pieces) return no_memory();
  w->pieces = malloc((size_t)count * sizeof *w->pieces + 1);
  if (!w->pieces) return no_memory();
  for (int k = 0; k < VIEW_COUNT; k++) {
    w->views[k].writer = w;
    w->views[k].spare = SUPPLE_NONE;
    w->views[k].pieces = malloc((size_t)count * sizeof(uint32_t) + 1);
    if (!w->views[k].pieces) return no_memory();
  }
  return bake_parts_read(w->parts, note_record, w);
}

/* ---- views ---- */

/* The piece of a view that has a byte. */
static uint32_t find_piece(const view *v, uint64_t begin) {
  uint32_t low = 0, high = v->piece_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (v->writer->pieces[v->pieces[middle]].offset <= begin)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static supple_result pull_view(void *user, uint64_t begin, void *out, size_t size) {
  const view *v = user;
  unsigned char *bytes = out;
  for (uint32_t k = find_piece(v, begin); size; k++) {
    if (k >= v->piece_count) return SUPPLE_ERROR_ARGUMENT;
    const piece *p = &v->writer->pieces[v->pieces[k]];
    const uint64_t skip = begin - p->offset, left = chunk_size(&p->chunk) - skip;
    const size_t part = left < size ? (size_t)left : size;
    if (!bake_parts_bytes(v->writer->parts, p->part, p->place + skip, bytes, part))
      return SUPPLE_ERROR_FILE;
    begin += part;
    bytes += part;
    size -= part;
  }
  return SUPPLE_OK;
}

/* The bufferView of an accessor that was just added. */
static uint32_t view_number(const gltf_writer *w, uint32_t accessor) {
  const supple_value accessors = supple_document_member(w->document, 0, "accessors");
  const supple_value value = supple_document_child(w->document, accessors, accessor);
  return supple_document_index(w->document,
                               supple_document_member(w->document, value, "bufferView"));
}

static int add_view(gltf_writer *w, view_kind kind) {
  static const uint8_t rows[VIEW_COUNT] = {3, 4, 1};
  view *v = &w->views[kind];
  const bool dense = kind != VIEW_SPARSE;
  const uint64_t element = dense ? 4u * rows[kind] : 1u;
  supple_value table, value;
  if (v->size == 0) return CLI_FINE;
  if (v->size / element >= SUPPLE_NONE)
    return cli_complain(CLI_FAILED, "%s would pass 4 GiB: bake fewer frames, or to .npz",
                        w->plan->output);
  const supple_accessor_data data = {.layout = {.component = dense ? FLOAT : UNSIGNED_BYTE,
                                                .rows = rows[kind],
                                                .columns = 1,
                                                .count = (uint32_t)(v->size / element)},
                                     .pull = pull_view,
                                     .user = v,
                                     .target = dense ? ATTRIBUTES : 0};
  if (supple_document_add_accessor(w->document, &data, &v->spare, &w->error)) return complain(w);
  v->number = view_number(w, v->spare);
  if (!dense) return CLI_FINE;
  /* several accessors share it, so it must say its stride */
  table = supple_document_member(w->document, 0, "bufferViews");
  value = supple_document_child(w->document, table, v->number);
  if (supple_document_set(w->document, value, "byteStride", kind == VIEW_VEC3 ? "12" : "16", NULL,
                          &w->error))
    return complain(w);
  return CLI_FINE;
}

/* ---- accessors ---- */

static void write_extent(cli_output *out, const char *key, const float values[3]) {
  char text[CLI_NUMBER_TEXT];
  cli_output_format(out, ",\"%s\":[", key);
  for (int c = 0; c < 3; c++) {
    if (c) cli_output_text(out, ",");
    cli_output_text(out, cli_float_text(values[c], text));
  }
  cli_output_text(out, "]");
}

static void write_accessor(const gltf_writer *w, cli_output *out, const piece *p, uint32_t vertices) {
  const bake_chunk *chunk = &p->chunk;
  const view *v = &w->views[view_of(chunk)];
  cli_output_format(out, "{\"componentType\":%d,\"count\":%u,\"type\":\"VEC%d\"", (int)FLOAT,
                    vertices, chunk->stream == BAKE_TANGENTS ? 4 : 3);
  if (chunk->stream == BAKE_POSITIONS) {
    write_extent(out, "min", chunk->min);
    write_extent(out, "max", chunk->max);
  }
  if (!chunk->sparse)
    cli_output_format(out, ",\"bufferView\":%u,\"byteOffset\":%llu", v->number,
                      (unsigned long long)p->offset);
  else if (chunk->count)
    cli_output_format(
        out,
        ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%u,\"byteOffset\":%llu,"
        "\"componentType\":%d},\"values\":{\"bufferView\":%u,\"byteOffset\":%llu}}",
        chunk->count, v->number, (unsigned long long)(p->offset + chunk->floats_size),
        vertices <= 65536 ? (int)UNSIGNED_SHORT : (int)UNSIGNED_INT, v->number,
        (unsigned long long)p->offset);
  cli_output_text(out, "}");
}

/* The accessor of a piece; its number in *index. */
static int add_accessor(gltf_writer *w, const piece *p, uint32_t vertices, uint32_t *index) {
  view *v = &w->views[view_of(&p->chunk)];
  const supple_value table = supple_document_member(w->document, 0, "accessors");
  cli_output *out = cli_output_open_memory();
  supple_result result = SUPPLE_OK;
  if (!out) return CLI_FAILED;
  write_accessor(w, out, p, vertices);
  const char *text = cli_output_contents(out, NULL);
  *index = supple_document_count(w->document, table);
  if (text && v->spare != SUPPLE_NONE && chunk_size(&p->chunk)) {
    *index = v->spare;
    v->spare = SUPPLE_NONE;
    result = supple_document_replace(w->document, supple_document_child(w->document, table, *index),
                                     text, NULL, &w->error);
  } else if (text) {
    result = supple_document_insert(w->document, table, SUPPLE_NONE, text, NULL, &w->error);
  }
  cli_output_abandon(out);
  if (!text) return no_memory();
  return result ? complain(w) : CLI_FINE;
}

/* ---- primitives ---- */

static const char *const attribute_names[] = {"POSITION", "NORMAL", "TANGENT"};

/* The attributes of the first frame, into the primitive's. */
static int add_base(gltf_writer *w, uint32_t part, const piece *first, supple_value primitive) {
  const supple_value attributes = supple_document_member(w->document, primitive, "attributes");
  for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++) {
    uint32_t index;
    char text[16];
    if (!bake_delta_has(w->plan, part, (bake_stream)s)) continue;
    const int exit_code =
        add_accessor(w, first++, w->plan->primitives[part].source->vertex_count, &index);
    if (exit_code != CLI_FINE) return exit_code;
    snprintf(text, sizeof text, "%u", index);
    if (supple_document_set(w->document, attributes, attribute_names[s], text, NULL, &w->error))
      return complain(w);
  }
  return CLI_FINE;
}

/* Its targets: those of the other frames. `first` is its first piece of the first frame. */
static int write_targets(gltf_writer *w, cli_output *out, uint32_t part, const piece *first) {
  for (uint32_t frame = 1; frame < w->plan->frame_count; frame++) {
    const piece *p = first + (size_t)frame * w->pieces_a_frame;
    cli_output_text(out, frame == 1 ? "[{" : ",{");
    for (int s = BAKE_POSITIONS; s <= BAKE_TANGENTS; s++) {
      uint32_t index;
      if (!bake_delta_has(w->plan, part, (bake_stream)s)) continue;
      const int exit_code =
          add_accessor(w, p++, w->plan->primitives[part].source->vertex_count, &index);
      if (exit_code != CLI_FINE) return exit_code;
      cli_output_format(out, "%s\"%s\":%u", s == BAKE_POSITIONS ? "" : ",", attribute_names[s],
                        index);
    }
    cli_output_text(out, "}");
  }
  cli_output_text(out, "]");
  return CLI_FINE;
}

static int add_targets(gltf_writer *w, uint32_t part, const piece *first, supple_value primitive) {
  if (w->plan->frame_count < 2) return CLI_FINE;
  cli_output *out = cli_output_open_memory();
  if (!out) return CLI_FAILED;
  int exit_code = write_targets(w, out, part, first);
  const char *text = cli_output_contents(out, NULL);
  if (exit_code == CLI_FINE && !text) exit_code = no_memory();
  if (exit_code == CLI_FINE &&
      supple_document_set(w->document, primitive, "targets", text, NULL, &w->error))
    exit_code = complain(w);
  cli_output_abandon(out);
  return exit_code;
}

static int add_primitives(gltf_writer *w) {
  const bake_plan *plan = w->plan;
  const piece *first = w->pieces;
  uint32_t number = 0;
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    const bake_place *place = &w->places[plan->primitives[i].instance];
    number = i && plan->primitives[i].instance == plan->primitives[i - 1].instance ? number + 1 : 0;
    if (!place->left_out) {
      const supple_value primitive = supple_document_child(w->document, place->primitives, number);
      int exit_code = add_base(w, i, first, primitive);
      if (exit_code == CLI_FINE) exit_code = add_targets(w, i, first, primitive);
      if (exit_code != CLI_FINE) return exit_code;
    }
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
static int add_keys(gltf_writer *w, uint32_t *times, uint32_t *weights) {
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
static int add_animation(gltf_writer *w) {
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

int bake_gltf_write(const bake_plan *plan, bake_parts *parts) {
  const cli_document_target target = {.path = plan->output}; /* a .glb takes everything in */
  gltf_writer w = {.plan = plan, .parts = parts};
  int exit_code = CLI_FAILED;
  w.places = calloc((size_t)plan->stage->instance_count + 1, sizeof *w.places);
  if (!w.places)
    no_memory();
  else if ((w.document = cli_document_load(plan->stage->path, plan->stage->options, &exit_code)) !=
           NULL)
    exit_code = bake_strip(w.document, plan, w.places);
  if (exit_code == CLI_FINE) exit_code = note_pieces(&w);
  for (int k = 0; exit_code == CLI_FINE && k < VIEW_COUNT; k++)
    exit_code = add_view(&w, (view_kind)k);
  if (exit_code == CLI_FINE) exit_code = add_primitives(&w);
  if (exit_code == CLI_FINE) exit_code = add_animation(&w);
  if (exit_code == CLI_FINE) exit_code = cli_document_write(w.document, &target);
  supple_document_free(w.document);
  for (int k = 0; k < VIEW_COUNT; k++) free(w.views[k].pieces);
  free(w.pieces);
  free(w.places);
  return exit_code;
}
