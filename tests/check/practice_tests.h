/* practice_tests.h: a small skinned asset to put trouble into, and what the checker must say of it.
 *
 * Three joints a (0, 0, 0), b (0, 1, 0), c (0, 2, 0), one below the other, bound there; four vertices: (0, 0, 0) on a,
 * (0, 1, 0) on b, (0, 2, 0) on c, (1, 2, 0) half on b and half on c; node 3 has the mesh. Nothing is wrong
 * with it. JSON is written with ' for ". */
#ifndef PRACTICE_TESTS_H
#define PRACTICE_TESTS_H

#include "tests/gltf/asset_text.h"

#include <math.h>

#include <supple/check.h>

enum { JOINTS = 6 };

typedef struct rig {
  float positions[4][3], normals[4][3];
  uint8_t joints[2][4][4];
  float weights[2][4][4];
  float inverse_binds[JOINTS][16];
  float turns[2][4], moves[2][3], scales[2][3]; /* keys at 0 and 1 s */
  const char *nodes, *skins, *meshes, *clips;
  const char *more; /* further members of the JSON */
  bool strict;
} rig;

static const char *const TURN_B = "[{'name':'move','samplers':[{'input':7,'output':8}],'channels':["
                                  "{'sampler':0,'target':{'node':1,'path':"
                                  "'rotation'}}]}]";
static const char *const MOVE_A = "[{'name':'move','samplers':[{'input':7,'output':9}],'channels':["
                                  "{'sampler':0,'target':{'node':0,'path':"
                                  "'translation'}}]}]";

/* Six joints at the origin, of which j4 stands at (10, 0, 0); for vertices with many influences. Needs inverse
 * bind matrices that are identities. */
static const char *const SIX_NODES =
    "[{'name':'j0'},{'name':'j1'},{'name':'j2'},{'name':'j3'},{'name':'j4','translation':[10,0,0]},"
    "{'name':'j5'},{'name':'skinned','mesh':0,'skin':0}]";
static const char *const TWO_SETS = "[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':6,'"
                                    "JOINTS_0':1,'WEIGHTS_0':2,'JOINTS_1':4,"
                                    "'WEIGHTS_1':5},'indices':11}]}]";

static inline rig clean_rig(void) {
  rig r = {.positions = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 2, 0}},
           .joints = {{{0}, {1}, {2}, {1, 2}}},
           .weights = {{{1}, {1}, {1}, {0.5f, 0.5f}}},
           .turns = {{0, 0, 0, 1}, {0, 0, 0.70710678f, 0.70710678f}},
           .moves = {{0, 0, 0}, {3, 0, 0}},
           .scales = {{1, 1, 1}, {1, 2, 1}},
           .nodes =
               "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2]},"
               "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]",
           .skins = "[{'joints':[0,1,2],'inverseBindMatrices':3,'skeleton':0}]",
           .meshes =
               "[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':6,'JOINTS_0':1,'WEIGHTS_0':2},"
               "'indices':11}]}]",
           .more = ""};
  for (int v = 0; v < 4; v++) r.normals[v][2] = 1;
  for (int k = 0; k < JOINTS; k++) {
    for (int i = 0; i < 16; i += 5) r.inverse_binds[k][i] = 1;
    r.inverse_binds[k][13] = k < 3 ? (float)-k : 0;
  }
  return r;
}

static inline rig six_joints(void) {
  rig r = clean_rig();
  r.nodes = SIX_NODES;
  r.meshes = TWO_SETS;
  r.skins = "[{'joints':[0,1,2,3,4,5],'inverseBindMatrices':3}]";
  for (int k = 0; k < JOINTS; k++) r.inverse_binds[k][13] = 0;
  for (int v = 0; v < 4; v++)
    for (int i = 0; i < 4; i++)
      r.joints[0][v][i] = (uint8_t)i, r.joints[1][v][i] = (uint8_t)(i < 2 ? 4 + i : 0);
  return r;
}

/* The GLB of it. Free bytes. */
static inline glb_text build_rig(const rig *r) {
  static const uint16_t triangles[6] = {0, 1, 2, 1, 3, 2};
  static const float times[2] = {0, 1};
  static char json[1 << 16];
  static bin b;
  b.size = 0;
  const struct {
    const void *data;
    size_t size;
  } parts[12] = {{r->positions, sizeof r->positions},
                 {r->joints[0], 16},
                 {r->weights[0], 64},
                 {r->inverse_binds, sizeof r->inverse_binds},
                 {r->joints[1], 16},
                 {r->weights[1], 64},
                 {r->normals, sizeof r->normals},
                 {times, sizeof times},
                 {r->turns, sizeof r->turns},
                 {r->moves, sizeof r->moves},
                 {r->scales, sizeof r->scales},
                 {triangles, sizeof triangles}};
  size_t at[12];
  for (int i = 0; i < 12; i++) {
    at[i] = b.size;
    put_bytes(&b, parts[i].data, parts[i].size);
  }
  static const char *const kinds[12] = {"5126,'count':4,'type':'VEC3','min':[0,0,0],'max':[1,2,0]",
                                        "5121,'count':4,'type':'VEC4'",
                                        "5126,'count':4,'type':'VEC4'",
                                        "5126,'count':6,'type':'MAT4'",
                                        "5121,'count':4,'type':'VEC4'",
                                        "5126,'count':4,'type':'VEC4'",
                                        "5126,'count':4,'type':'VEC3'",
                                        "5126,'count':2,'type':'SCALAR','min':[0],'max':[1]",
                                        "5126,'count':2,'type':'VEC4'",
                                        "5126,'count':2,'type':'VEC3'",
                                        "5126,'count':2,'type':'VEC3'",
                                        "5123,'count':6,'type':'SCALAR'"};
  int n = snprintf(json, sizeof json,
                   "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%u}],'bufferViews':[",
                   (unsigned)b.size);
  for (int i = 0; i < 12; i++)
    n += snprintf(json + n, sizeof json - (size_t)n,
                  "%s{'buffer':0,'byteOffset':%u,'byteLength':%u}", i ? "," : "", (unsigned)at[i],
                  (unsigned)((i < 11 ? at[i + 1] : b.size) - at[i]));
  n += snprintf(json + n, sizeof json - (size_t)n, "],'accessors':[");
  for (int i = 0; i < 12; i++)
    n += snprintf(json + n, sizeof json - (size_t)n, "%s{'bufferView':%d,'componentType':%s}",
                  i ? "," : "", i, kinds[i]);
  n += snprintf(json + n, sizeof json - (size_t)n, "],'nodes':%s,'skins':%s,'meshes':%s%s%s%s}",
                r->nodes, r->skins, r->meshes, r->clips ? ",'animations':" : "",
                r->clips ? r->clips : "", r->more);
  assert_true(n > 0 && (size_t)n < sizeof json);
  return make_glb(&b, json);
}

static inline supple_check_report *check_rig_with(const rig *r, const supple_check_options *options) {
  glb_text glb = build_rig(r);
  supple_error error = {0};
  supple_check_report *report = supple_check_memory(glb.bytes, glb.size, options, &error);
  free(glb.bytes);
  if (!report) fail_msg("not checked: %s", error.message);
  if (!report->loads) fail_msg("refused: %s", report->refused);
  return report;
}

static inline supple_check_report *check_rig(const rig *r) {
  const supple_check_options options = {.strict = r->strict};
  return check_rig_with(r, &options);
}

/* The first finding of a code, or NULL. */
static inline const supple_finding *find_code(const supple_check_report *report, const char *code) {
  for (uint32_t i = 0; i < report->finding_count; i++)
    if (strcmp(report->findings[i].code->name, code) == 0) return &report->findings[i];
  return NULL;
}

static inline uint32_t count_code(const supple_check_report *report, const char *code) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < report->finding_count; i++)
    count += strcmp(report->findings[i].code->name, code) == 0;
  return count;
}

/* What must be found: one finding of the code. metres NAN: it must not say; part: of its text. */
typedef struct expected {
  const char *code, *pointer;
  uint32_t count;
  double metres;
  const char *part;
} expected;

static inline void expect_in(const supple_check_report *report, const expected *e) {
  const supple_finding *f = find_code(report, e->code);
  if (!f) fail_msg("%s: not found", e->code);
  if (count_code(report, e->code) != 1)
    fail_msg("%s: found %u times", e->code, count_code(report, e->code));
  bool far = isnan(e->metres) ? !isnan(f->metres)
                              : !(fabs(f->metres - e->metres) <= 2e-5 * (1 + e->metres));
  if (strcmp(f->pointer, e->pointer) != 0 || f->count != e->count || far ||
      !strstr(f->text, e->part))
    fail_msg("%s: at \"%s\", %u, %g m: %s\nwanted at \"%s\", %u, %g m: …%s…", e->code, f->pointer,
             f->count, f->metres, f->text, e->pointer, e->count, e->metres, e->part);
}

/* It is found in this rig, and not in the clean one. */
static inline void expect(const rig *r, const expected *e) {
  rig clean = clean_rig();
  clean.strict = r->strict;
  supple_check_report *report = check_rig(&clean);
  if (find_code(report, e->code)) fail_msg("%s: found in the clean rig", e->code);
  supple_check_report_free(report);
  report = check_rig(r);
  expect_in(report, e);
  supple_check_report_free(report);
}

/* It is not found. */
static inline void expect_not(const rig *r, const char *code) {
  supple_check_report *report = check_rig(r);
  const supple_finding *f = find_code(report, code);
  if (f) fail_msg("%s: found: %s", code, f->text);
  supple_check_report_free(report);
}

#endif
