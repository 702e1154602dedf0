/* fabricated.c: see fabricated.h. */
#include "fabricated.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 10, METHODS = 2 };

struct fabricated {
  supple_node nodes[NODES];
  uint32_t joints[FABRICATED_JOINTS], parents[FABRICATED_JOINTS];
  supple_skin skin;
  supple_primitive primitive;
  const supple_primitive *primitives[1];
  supple_instance instances[FABRICATED_INSTANCES];
  supple_asset asset;
  supple_note note;
  supple_clip asset_clips[2];
  motion_plan motion;
  motion_clip clips[2];
  double times[2][5];
  comparison results;
  compared_instance compared[FABRICATED_INSTANCES];
  compared_outline outlines[FABRICATED_JOINTS];
  uint32_t outline_count;
};

static const char *const names[NODES] = {"body", "root", "upper", "wrist.L", FABRICATED_HOSTILE,
                                         "手首", "",     "idle",  "shirt",   "camera"};
static const supple_joint_status statuses[FABRICATED_JOINTS] = {
    SUPPLE_JOINT_RIGID, SUPPLE_JOINT_OK,   SUPPLE_JOINT_OK,        SUPPLE_JOINT_AMBIGUOUS,
    SUPPLE_JOINT_OK,    SUPPLE_JOINT_OPEN, SUPPLE_JOINT_UNWEIGHTED};
static const double least[METHODS][FABRICATED_JOINTS] = {{1, 0.9, 0.312, 0.5, 0.7, 0.8, 1},
                                                         {1, 0.99, 0.987, 0.95, 0.99, 0.96, 1}};

double fabricated_number(double lowest, uint32_t time, uint32_t time_count) {
  const double middle = 0.5 * (time_count - 1);
  const double hump = middle > 0 ? 1 - fabs(time - middle) / middle : 1;
  return 1 - (1 - lowest) * hump;
}

static void fill_nodes(fabricated *made) {
  for (uint32_t n = 0; n < NODES; n++) {
    made->nodes[n] = (supple_node){.name = names[n],
                                   .parent = n >= 2 && n <= 7 ? n - 1 : SUPPLE_NONE,
                                   .mesh = SUPPLE_NONE,
                                   .skin = SUPPLE_NONE,
                                   .camera = SUPPLE_NONE};
  }
  for (uint32_t j = 0; j < FABRICATED_JOINTS; j++) {
    made->joints[j] = j + 1;
    made->parents[j] = j ? j - 1 : SUPPLE_NONE;
  }
  made->skin = (supple_skin){.name = "",
                             .joint_count = FABRICATED_JOINTS,
                             .joints = made->joints,
                             .parents = made->parents,
                             .skeleton = SUPPLE_NONE};
  made->primitive = (supple_primitive){.vertex_count = 100, .index_count = 300};
  made->primitives[0] = &made->primitive;
  for (uint32_t i = 0; i < FABRICATED_INSTANCES; i++)
    made->instances[i] = (supple_instance){
        .node = i ? 8 : 0, .skin = &made->skin, .primitives = made->primitives, .primitive_count = 1};
  made->note = (supple_note){.pointer = "/skins/0", .text = "odd <b>thing</b>"};
  made->asset_clips[0].name = "Wave";
  made->asset_clips[1].name = FABRICATED_HOSTILE;
  made->asset = (supple_asset){.skeleton = {.nodes = made->nodes, .node_count = NODES},
                               .skins = &made->skin,
                               .skin_count = 1,
                               .instances = made->instances,
                               .instance_count = FABRICATED_INSTANCES,
                               .clips = made->asset_clips,
                               .clip_count = 2,
                               .generator = "made <up>",
                               .notes = &made->note,
                               .note_count = 1};
}

static void fill_motion(fabricated *made, fabricated_kind kind) {
  static const char *const labels[3] = {"twist 90°", "twist 180°", "bend 90°"};
  static char wave[] = "Wave", hostile[] = FABRICATED_HOSTILE, wrist[] = "wrist.L";
  const bool range = kind == FABRICATED_RANGE;
  for (uint32_t c = 0; c < 2; c++) {
    motion_clip *clip = &made->clips[c];
    clip->name = c ? hostile : range ? wrist : wave;
    clip->clip = range ? SUPPLE_NONE : c;
    clip->time_count = c == 0 && !range ? 5 : 3;
    clip->times = made->times[c];
    clip->first_frame = made->motion.frame_count;
    clip->labels = range ? labels : NULL;
    for (uint32_t t = 0; t < clip->time_count; t++) clip->times[t] = range || c ? t : t / 4.0;
    made->motion.frame_count += clip->time_count;
  }
  made->motion.clips = made->clips;
  made->motion.clip_count = 2;
  made->motion.range = range;
}

static compared_joint joint_of(double lowest, supple_joint_status status, uint32_t time,
                               uint32_t count) {
  const float number = (float)fabricated_number(lowest, time, count);
  compared_joint one = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, SUPPLE_NONE};
  if (status == SUPPLE_JOINT_OK) {
    one.worst = number;
    one.section = (float)fabricated_number(0.5 + 0.5 * lowest, time, count);
    one.projected = one.section;
    one.radius = (float)sqrt(fabricated_number(lowest, time, count));
    one.bulge = 2 - one.radius;
    one.worst_offset = time * 2 + 1 == count ? SUPPLE_SECTION_AT_JOINT : 5;
  }
  if (status != SUPPLE_JOINT_RIGID && status != SUPPLE_JOINT_UNWEIGHTED)
    one.kept = status == SUPPLE_JOINT_OK ? 0.5f + 0.5f * number : number;
  one.own_kept = one.kept;
  return one;
}

static void fill_frame(compared_frame *frame, double lowest, bool closed, uint32_t m, uint32_t t,
                       uint32_t count) {
  const float number = (float)fabricated_number(lowest, t, count);
  *frame = (compared_frame){.volume = closed ? 0.8f + 0.2f * number : NAN,
                            .edge_mean = 0.9f + 0.1f * number,
                            .edge_least = number,
                            .edge_most = 2 - number,
                            .kept_below = 0.1f * (1 - number),
                            .deviation = m ? 0.1f * (1 - number) : 0,
                            .deviation_rms = m ? 0.03f * (1 - number) : 0,
                            .flipped = m || t == 0 ? 0 : 3,
                            .scaled = m,
                            .sheared = 2 * m};
}

static void fill_instance(fabricated *made, uint32_t i, fabricated_kind kind) {
  compared_instance *one = &made->compared[i];
  const size_t frames = made->motion.frame_count;
  one->instance = &made->instances[i];
  one->diagonal = 2;
  one->triangle_count = 100;
  one->joints = calloc(FABRICATED_JOINTS, sizeof *one->joints);
  one->cleaning = calloc(1, sizeof *one->cleaning);
  one->results = calloc(frames * METHODS * FABRICATED_JOINTS, sizeof *one->results);
  one->frames = calloc(frames * METHODS, sizeof *one->frames);
  one->turns = calloc(frames * FABRICATED_JOINTS, sizeof *one->turns);
  assert(one->joints && one->cleaning && one->results && one->frames && one->turns);
  one->cleaning[0] = (supple_binding_report){.vertices = 100,
                                             .influences = 220,
                                             .most_influences = 4,
                                             .renormalised = 7,
                                             .smallest_sum = 0.98f,
                                             .largest_sum = 1};
  for (uint32_t j = 0; j < FABRICATED_JOINTS; j++) {
    supple_measured_joint *known = &one->joints[j];
    known->status = kind == FABRICATED_NOTHING ? SUPPLE_JOINT_RIGID : statuses[j];
    known->parent = j ? j - 1 : SUPPLE_NONE;
    known->child = j + 1 < FABRICATED_JOINTS ? j + 1 : SUPPLE_NONE;
    known->shared = known->status != SUPPLE_JOINT_RIGID && known->status != SUPPLE_JOINT_UNWEIGHTED;
    for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++)
      known->sections[k] = known->status == SUPPLE_JOINT_OK;
  }
  for (uint32_t c = 0; c < 2; c++)
    for (uint32_t t = 0; t < made->clips[c].time_count; t++)
      for (uint32_t j = 0; j < FABRICATED_JOINTS; j++)
        one->turns[(made->clips[c].first_frame + t) * FABRICATED_JOINTS + j] =
            j ? (float)(50 * j * (1 - fabricated_number(0, t, made->clips[c].time_count))) : NAN;
  for (uint32_t c = 0; c < 2; c++)
    for (uint32_t t = 0; t < made->clips[c].time_count; t++)
      for (uint32_t m = 0; m < METHODS; m++) {
        const size_t at = (made->clips[c].first_frame + t) * METHODS + m;
        const double half = c || i ? 0.5 : 1;
        const double depth = kind == FABRICATED_FINE ? 0.1 * half : half;
        for (uint32_t j = 0; j < FABRICATED_JOINTS; j++)
          one->results[at * FABRICATED_JOINTS + j] = joint_of(
              1 - (1 - least[m][j]) * depth, one->joints[j].status, t, made->clips[c].time_count);
        fill_frame(&one->frames[at], 1 - (1 - least[m][2]) * depth, i == 0, m, t,
                   made->clips[c].time_count);
      }
}

fabricated *fabricated_create(fabricated_kind kind) {
  fabricated *made = calloc(1, sizeof *made);
  assert(made);
  fill_nodes(made);
  fill_motion(made, kind);
  for (uint32_t i = 0; i < FABRICATED_INSTANCES; i++) fill_instance(made, i, kind);
  made->results = (comparison){.file = "some/where/he<r>o.glb",
                               .asset = &made->asset,
                               .motion = &made->motion,
                               .methods = {SUPPLE_LBS, SUPPLE_DQS},
                               .method_count = METHODS,
                               .threshold = 0.75,
                               .instances = made->compared,
                               .instance_count = FABRICATED_INSTANCES};
  return made;
}

comparison *fabricated_comparison(fabricated *made) { return &made->results; }

static double *circle(uint32_t count, double width) {
  double *points = calloc(2 * (size_t)count, sizeof *points);
  assert(points);
  for (uint32_t i = 0; i < count; i++) {
    const double angle = 2 * 3.14159265358979 * i / count;
    points[2 * i] = 0.04 * width * cos(angle) + 0.002 * cos(3 * angle);
    points[2 * i + 1] = 0.05 * sin(angle);
  }
  return points;
}

compared_outline *fabricated_outlines(fabricated *made, const verdict *all, uint32_t *count) {
  for (uint32_t i = 0; i < all->bad_count; i++) {
    const verdict_joint *row = &all->joints[i];
    compared_outline *outline = &made->outlines[i];
    *outline = (compared_outline){
        .instance = row->instance, .joint = row->joint, .offset = SUPPLE_NONE, .frame = row->frame};
    if (row->status != SUPPLE_JOINT_OK) continue;
    outline->offset = SUPPLE_SECTION_AT_JOINT;
    outline->point_count = 64;
    outline->rest = circle(64, 1);
    for (uint32_t m = 0; m < METHODS; m++) outline->posed[m] = circle(64, row->keeps[m]);
  }
  made->outline_count = *count = all->bad_count;
  return made->outlines;
}

void fabricated_free(fabricated *made) {
  for (uint32_t i = 0; i < FABRICATED_INSTANCES; i++) {
    free(made->compared[i].joints);
    free(made->compared[i].cleaning);
    free(made->compared[i].results);
    free(made->compared[i].frames);
    free(made->compared[i].turns);
  }
  for (uint32_t i = 0; i < made->outline_count; i++) {
    free(made->outlines[i].rest);
    for (uint32_t m = 0; m < METHODS; m++) free(made->outlines[i].posed[m]);
  }
  free(made);
}
