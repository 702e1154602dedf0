/* bake_room.c: a .glb around frames that are in the file already.
 *
 * The library lays the document out as ever, with a stretch of new data for the frames. What it hands out as the bytes
 * of the file is then passed on with more room behind the JSON, and without that stretch. */
#include "bake_room.h"

#include "bake_strip.h"
#include "document_io.h"

#include <stdlib.h>
#include <string.h>

enum {
  HEAD = 20,     /* of the file and of its first chunk */
  FIRST = 4,     /* bytes whose place is looked up before there are any */
  SPARE = 64,    /* for digits of the buffer's size */
  FEW = 8 << 20, /* bytes wait in memory */
  UNSIGNED_BYTE = 5121
};

/* A stretch of the frames, as new data of the document. */
typedef struct stretch {
  bake_room *room;
  uint64_t first;
} stretch;

struct bake_room {
  const bake_plan *plan;
  supple_document *document;
  cli_output *output; /* of the file, or of memory */
  bool waits;         /* in memory */
  uint64_t size;      /* of the frames so far */
  uint64_t kept;      /* bytes for the JSON */
  uint64_t place;     /* of the frames in the file */
  uint32_t buffer;    /* of the document, and their place there */
  uint64_t offset;
  stretch stretches[2];
  /* while the library's bytes pass through */
  unsigned char head[HEAD];
  uint64_t passed, json; /* bytes so far; of the JSON with its padding */
  uint64_t found;        /* what had passed when the frames were asked for */
  bool counts;           /* nothing is written */
};

static int no_memory(void) { return cli_complain(CLI_FAILED, "out of memory"); }
static int complain(const bake_room *room, const supple_error *error) {
  return cli_complain(CLI_FAILED, "cannot write %s: %s", room->plan->output, error->message);
}

/* ---- the frames as new data ---- */

static supple_result pull(void *user, uint64_t begin, void *out, size_t size) {
  const stretch *s = user;
  bake_room *room = s->room;
  if (room->waits)
    memcpy(out, cli_output_contents(room->output, NULL) + s->first + begin, size);
  else if (s->first + begin == 0)
    room->found = room->passed;
  return SUPPLE_OK; /* what is in the file already is not looked at again */
}

static uint32_t index_in(const supple_document *document, supple_value value, const char *key) {
  return supple_document_index(document, supple_document_member(document, value, key));
}

/* The last item of a table. */
static supple_value last_of(const supple_document *document, const char *table) {
  const supple_value array = supple_document_member(document, 0, table);
  return supple_document_child(document, array, supple_document_count(document, array) - 1);
}

/* Puts a stretch behind all that the document has; the accessor and the view that come with it go again. */
static int add_stretch(bake_room *room, stretch *s, uint64_t first, uint64_t size) {
  supple_document *document = room->document;
  supple_error error;
  uint32_t accessor;
  *s = (stretch){room, first};
  const supple_accessor_data data = {
      .layout = {.component = UNSIGNED_BYTE, .rows = 1, .columns = 1, .count = (uint32_t)size},
      .pull = pull,
      .user = s};
  supple_result result = supple_document_add_accessor(document, &data, &accessor, &error);
  if (!result && first == 0) {
    const supple_value view = last_of(document, "bufferViews");
    double offset = 0;
    room->buffer = index_in(document, view, "buffer");
    supple_document_number(document, supple_document_member(document, view, "byteOffset"), &offset);
    room->offset = (uint64_t)offset;
  }
  if (!result) result = supple_document_remove(document, last_of(document, "accessors"), &error);
  if (!result) result = supple_document_remove(document, last_of(document, "bufferViews"), &error);
  return result ? complain(room, &error) : CLI_FINE;
}

/* ---- the library's bytes on their way to the file ---- */

static uint32_t load_u32(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static void store_u32(unsigned char *at, uint64_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i & 0xff);
}

/* The lengths in it grow by the room that the JSON leaves. */
static supple_result put_head(bake_room *room) {
  room->json = load_u32(room->head + 12);
  if (room->counts) return SUPPLE_OK;
  if (room->json > room->kept) return SUPPLE_ERROR_ARGUMENT;
  const uint64_t total = load_u32(room->head + 8) + (room->kept - room->json);
  if (total > UINT32_MAX) return SUPPLE_ERROR_LIMIT;
  store_u32(room->head + 8, total);
  store_u32(room->head + 12, room->kept);
  cli_output_write(room->output, room->head, HEAD);
  return SUPPLE_OK;
}

static void put_spaces(bake_room *room) {
  static const char spaces[] = "                                                                ";
  uint64_t left = room->kept - room->json;
  for (size_t n; left; left -= n) {
    n = left < sizeof spaces - 1 ? (size_t)left : sizeof spaces - 1;
    cli_output_write(room->output, spaces, n);
  }
}

/* Where the frames lie among the library's bytes. */
static uint64_t begin_of_frames(const bake_room *room) {
  return room->place - (room->kept - room->json);
}

/* Passes bytes behind the head on, up to where something else is to be done; how many they were. */
static size_t put_some(bake_room *room, const unsigned char *bytes, size_t size) {
  const uint64_t at = room->passed, json_end = HEAD + room->json;
  const uint64_t begin = begin_of_frames(room), end = begin + room->size;
  const uint64_t stop = at < json_end ? json_end : at < begin ? begin : at < end ? end : UINT64_MAX;
  const size_t n = stop - at < size ? (size_t)(stop - at) : size;
  room->passed += n;
  if (at < begin || at >= end) cli_output_write(room->output, bytes, n);
  if (room->passed == json_end) put_spaces(room);
  if (room->passed == begin) cli_output_seek(room->output, room->place + room->size);
  return n;
}

static supple_result put(void *user, const void *data, size_t size) {
  bake_room *room = user;
  const unsigned char *bytes = data;
  size_t done = 0;
  for (; done < size && room->passed < HEAD; done++) room->head[room->passed++] = bytes[done];
  if (done && room->passed == HEAD) {
    const supple_result result = put_head(room);
    if (result) return result;
  }
  if (room->counts) {
    room->passed += size - done;
    return SUPPLE_OK;
  }
  while (done < size) done += put_some(room, bytes + done, size - done);
  return cli_output_failed(room->output) ? SUPPLE_ERROR_FILE : SUPPLE_OK;
}

/* Passes all bytes of the file through. CLI_FAILED: reported, but for what fails in the output. */
static int pass(bake_room *room) {
  const supple_write_options options = {.name = "baked.glb"};
  supple_error error;
  room->passed = room->json = 0;
  room->found = UINT64_MAX;
  supple_written *written = supple_document_write(room->document, &options, &error);
  const bool fine = written && !supple_written_copy(written, 0, put, room, &error);
  supple_written_free(written);
  if (!fine && room->output && cli_output_failed(room->output)) return CLI_FAILED;
  if (!fine) return complain(room, &error);
  if (room->counts || room->found == begin_of_frames(room)) return CLI_FINE;
  return cli_complain(CLI_FAILED, "%s: its frames are not where room was kept", room->plan->output);
}

/* ---- the interface ---- */

/* Finds out where the frames go, and opens the file there. */
static int open_file(bake_room *room) {
  int exit_code = add_stretch(room, &room->stretches[0], 0, FIRST);
  room->counts = true;
  if (exit_code == CLI_FINE) exit_code = pass(room);
  room->counts = false;
  if (exit_code != CLI_FINE) return exit_code;
  room->kept = (room->json + SPARE + 3) / 4 * 4;
  room->place = room->found + (room->kept - room->json);
  room->output = cli_output_open(room->plan->output);
  if (!room->output) return CLI_FAILED;
  cli_output_seek(room->output, room->place);
  return CLI_FINE;
}

bake_room *bake_room_open(const bake_plan *plan, supple_document *document, uint64_t most) {
  bake_room *room = calloc(1, sizeof *room);
  int exit_code = CLI_FAILED;
  if (!room) {
    no_memory();
    return NULL;
  }
  room->plan = plan;
  room->document = document;
  room->waits = most <= FEW || plan->frame_count == 1;
  if (room->waits)
    room->output = cli_output_open_memory();
  else
    exit_code = open_file(room);
  if (room->waits && room->output) exit_code = CLI_FINE;
  if (exit_code == CLI_FINE) return room;
  bake_room_close(room, exit_code);
  return NULL;
}

int bake_room_add(bake_room *room, const void *data, size_t size) {
  if (size >= UINT32_MAX - room->place || room->size >= UINT32_MAX - room->place - size)
    return cli_complain(CLI_FAILED, "%s would pass 4 GiB: bake fewer frames, or to .npz",
                        room->plan->output);
  cli_output_write(room->output, data, size);
  room->size += size;
  return cli_output_failed(room->output) ? CLI_FAILED : CLI_FINE;
}

int bake_room_settle(bake_room *room, uint32_t *buffer, uint64_t *offset) {
  const uint64_t first = room->waits ? 0 : FIRST;
  const int exit_code =
      room->size > first
          ? add_stretch(room, &room->stretches[room->waits ? 0 : 1], first, room->size - first)
          : CLI_FINE;
  *buffer = room->buffer;
  *offset = room->offset;
  return exit_code;
}

int bake_room_close(bake_room *room, int exit_code) {
  const cli_document_target target = {.path = room->plan->output}; /* a .glb takes everything in */
  cli_output *output = room->output;
  if (exit_code == CLI_FINE && room->waits) {
    exit_code = cli_document_write(room->document, &target);
  } else if (exit_code == CLI_FINE) {
    cli_output_seek(output, 0);
    exit_code = pass(room);
  }
  if (output && (cli_output_failed(output) || (exit_code == CLI_FINE && !room->waits)))
    exit_code = cli_output_close(output);
  else
    cli_output_abandon(output);
  free(room);
  return exit_code;
}
