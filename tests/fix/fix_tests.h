/* fix_tests.h: a strip of six vertices on three joints, as a document, for the tests of repairs.
 *
 * Vertices 0 and 1 are at y = 0, 2 and 3 at y = 1, 4 and 5 at y = 2, x = ∓0.5; triangles 012 132 234 354. Nodes: 0
 * "skinned" has the mesh, 1 "a" at the origin, 2 "b" one above it, 3 "c" one above that are the joints. A clip of a
 * second turns b about z by 90 degrees. Nothing in it is to be repaired. */
#ifndef FIX_TESTS_H
#define FIX_TESTS_H

#include "tests/gltf/asset_text.h"

#include <supple/fix.h>

/* What a test may change. Accessors: 0 positions, 1 joints, 2 weights, 3 binds, 4 times, 5 turns, 6 indices. */
typedef struct strip {
  float positions[18];
  uint8_t joints[24];
  float weights[24];
  float binds[48];
  const char *nodes, *skins;
  const char *primitive; /* more members of the primitive */
  const char *channels;  /* more channels, each after a comma */
  const char *more;      /* more members of the file */
  const char *bounds;    /* of the positions */
} strip;

static inline strip clean_strip(void) {
  strip s = {
      .positions = {-0.5f, 0, 0, 0.5f, 0, 0, -0.5f, 1, 0, 0.5f, 1, 0, -0.5f, 2, 0, 0.5f, 2, 0},
      .joints = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 1, 2, 0, 0},
      .weights = {1,    0,    0, 0, 1,    0,    0, 0, 0.5f, 0.5f, 0, 0,
                  0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0},
      .nodes = "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'b',"
               "'translation':[0,1,0],'children':[3]},{'name':'c','translation':[0,1,0]}",
      .skins = "{'joints':[1,2,3],'inverseBindMatrices':3}",
      .primitive = "",
      .channels = "",
      .more = "",
      .bounds = ",'min':[-0.5,0,0],'max':[0.5,2,0]",
  };
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 16; i++) s.binds[16 * j + i] = i % 5 == 0;
    s.binds[16 * j + 13] = -(float)j;
  }
  return s;
}

static inline void fill_strip(bin *b, const strip *s) {
  static const float times[2] = {0, 1}, turns[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
  static const uint16_t indices[12] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
  memset(b, 0, sizeof *b);
  put_f32(b, 18, s->positions);
  put_u8(b, 24, s->joints);
  put_f32(b, 24, s->weights);
  put_f32(b, 48, s->binds);
  put_f32(b, 2, times);
  put_f32(b, 8, turns);
  put_u16(b, 12, indices);
}

static inline glb_text strip_file(const strip *s) {
  static char json[1 << 16];
  bin b;
  fill_strip(&b, s);
  const int length = snprintf(
      json, sizeof json,
      "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1]}],'nodes':[%s],'skins':[%s],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':"
      "6%s}]"
      "}],'animations':[{'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}%s],'"
      "samplers':["
      "{'input':4,'output':5}]}],'accessors':["
      "{'bufferView':0,'componentType':5126,'count':6,'type':'VEC3'%s},"
      "{'bufferView':0,'byteOffset':72,'componentType':5121,'count':6,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':96,'componentType':5126,'count':6,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':192,'componentType':5126,'count':3,'type':'MAT4'},"
      "{'bufferView':0,'byteOffset':384,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'"
      "max':[1]},"
      "{'bufferView':0,'byteOffset':392,'componentType':5126,'count':2,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':424,'componentType':5123,'count':12,'type':'SCALAR'}],"
      "'bufferViews':[{'buffer':0,'byteLength':%u}],'buffers':[{'byteLength':%u}]%s}",
      s->nodes, s->skins, s->primitive, s->channels, s->bounds, (unsigned)b.size, (unsigned)b.size,
      s->more);
  assert_true(length > 0 && (size_t)length < sizeof json);
  return make_glb(&b, json);
}

static inline supple_document *open_strip(const strip *s) {
  supple_error error;
  glb_text glb = strip_file(s);
  supple_document *document = supple_document_load_memory(glb.bytes, glb.size, NULL, &error);
  free(glb.bytes);
  if (!document) fail_msg("%s", error.message);
  return document;
}

/* Repairs, and must not fail. */
static inline supple_fix_report *fix_strip(supple_document *document, supple_fix_options options) {
  supple_error error;
  supple_fix_report *report = supple_fix_document(document, &options, &error);
  if (!report) fail_msg("%s", error.message);
  return report;
}

/* The action of a code; it must be there. */
static inline const supple_fix_action *action_of(const supple_fix_report *report, const char *code) {
  for (uint32_t i = 0; i < report->action_count; i++)
    if (!strcmp(report->actions[i].code, code)) return &report->actions[i];
  fail_msg("no action %s among %u", code, (unsigned)report->action_count);
  return NULL;
}

/* A number of the JSON, by its pointer. */
static inline double number_at(const supple_document *document, const char *pointer) {
  double number = 0;
  if (!supple_document_number(document, supple_document_find(document, pointer), &number))
    fail_msg("no number at %s", pointer);
  return number;
}

static inline void assert_text_at(const supple_document *document, const char *pointer,
                                  const char *wanted) {
  const char *text = supple_document_string(document, supple_document_find(document, pointer));
  if (!text) fail_msg("no text at %s", pointer);
  assert_string_equal(text, wanted);
}

static inline bool is_at(const supple_document *document, const char *pointer) {
  return supple_document_find(document, pointer) != SUPPLE_NONE;
}

/* The bytes of the main file as it would be written, NUL-terminated. Free them. */
typedef struct written_bytes {
  char *data;
  size_t size;
} written_bytes;

static inline supple_result keep_bytes(void *user, const void *data, size_t size) {
  written_bytes *w = user;
  w->data = realloc(w->data, w->size + size + 1);
  assert_non_null(w->data);
  memcpy(w->data + w->size, data, size);
  w->size += size;
  w->data[w->size] = '\0';
  return SUPPLE_OK;
}

static inline written_bytes write_strip(supple_document *document) {
  supple_error error;
  written_bytes bytes = {NULL, 0};
  supple_written *written =
      supple_document_write(document, &(supple_write_options){.name = "strip.glb"}, &error);
  if (!written) fail_msg("%s", error.message);
  assert_int_equal(supple_written_copy(written, 0, keep_bytes, &bytes, &error), SUPPLE_OK);
  supple_written_free(written);
  return bytes;
}

/* Repairs the written file once more: nothing may change. */
static inline void assert_done_for_good(supple_document *document, supple_fix_options options) {
  supple_error error;
  written_bytes once = write_strip(document);
  supple_document *again = supple_document_load_memory(once.data, once.size, NULL, &error);
  if (!again) fail_msg("%s", error.message);
  supple_fix_report *report = fix_strip(again, options);
  for (uint32_t i = 0; i < report->action_count; i++)
    if (report->actions[i].done)
      fail_msg("again: %s %s", report->actions[i].code, report->actions[i].text);
  written_bytes twice = write_strip(again);
  assert_int_equal(once.size, twice.size);
  assert_memory_equal(once.data, twice.data, once.size);
  free(once.data);
  free(twice.data);
  supple_fix_report_free(report);
  supple_document_free(again);
}

#endif
