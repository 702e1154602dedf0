/* fixture_figure.c: the fixture "figure", a plain human of 24 joints: rig, weights and the clip
 * "move".
 *
 * Weights are products of smooth steps along the limbs, so that only neighbours in the hierarchy
 * blend and nothing leaks from leg to leg or from arm to trunk. All is said for the side at +X,
 * the figure's left. */
#include "fixture.h"
#include "fixture_body.h"
#include "fixture_net.h"

enum joint {
  HIPS,
  SPINE,
  CHEST,
  UPPER_CHEST,
  NECK,
  HEAD,
  CLAVICLE,
  UPPER_ARM,
  FOREARM,
  HAND,
  FINGERS,
  THIGH,
  SHIN,
  FOOT,
  TOES,
  SIDE_COUNT = TOES - CLAVICLE + 1, /* the right side's follow: CLAVICLE + SIDE_COUNT, … */
  JOINTS = TOES + 1 + SIDE_COUNT
};

typedef struct joint_place {
  const char *name, *right_name; /* NULL: it has no twin */
  uint32_t parent;
  supple_vec3 place; /* arms: {along the arm, 0, 0} from the shoulder */
} joint_place;

static const joint_place places[TOES + 1] = {
    [HIPS] = {"hips", NULL, SUPPLE_NONE, {0, 0.940, -0.010}},
    [SPINE] = {"spine", NULL, HIPS, {0, 1.040, -0.005}},
    [CHEST] = {"chest", NULL, SPINE, {0, 1.160, -0.005}},
    [UPPER_CHEST] = {"upper_chest", NULL, CHEST, {0, 1.290, -0.012}},
    [NECK] = {"neck", NULL, UPPER_CHEST, {0, 1.475, -0.022}},
    [HEAD] = {"head", NULL, NECK, {0, 1.560, -0.008}},
    [CLAVICLE] = {"clavicle.L", "clavicle.R", UPPER_CHEST, {0.025, 1.415, -0.010}},
    [UPPER_ARM] = {"upper_arm.L", "upper_arm.R", CLAVICLE, {0, 0, 0}},
    [FOREARM] = {"forearm.L", "forearm.R", UPPER_ARM, {cli_body_elbow, 0, 0}},
    [HAND] = {"hand.L", "hand.R", FOREARM, {cli_body_wrist, 0, 0}},
    [FINGERS] = {"fingers.L", "fingers.R", HAND, {cli_body_knuckles, 0, 0}},
    [THIGH] = {"thigh.L", "thigh.R", HIPS, {0.090, 0.910, -0.005}},
    [SHIN] = {"shin.L", "shin.R", THIGH, {0.091, 0.480, 0.004}},
    [FOOT] = {"foot.L", "foot.R", SHIN, {0.093, 0.085, -0.022}},
    [TOES] = {"toes.L", "toes.R", FOOT, {0.098, 0.022, 0.100}},
};

static supple_vec3 place_of(uint32_t joint) {
  if (joint < UPPER_ARM || joint > FINGERS) return places[joint].place;
  supple_vec3 along = supple_vec3_scale(cli_body_arm_direction(), places[joint].place.x);
  return supple_vec3_add(cli_body_shoulder(), along);
}

static uint32_t right_of(uint32_t joint) { return joint < CLAVICLE ? joint : joint + SIDE_COUNT; }

static void put_rig(cli_fixture *f) {
  for (uint32_t k = 0; k <= TOES; k++) {
    uint32_t parent = places[k].parent;
    supple_vec3 from = parent == SUPPLE_NONE ? supple_vec3_make(0, 0, 0) : place_of(parent);
    supple_vec3 step = supple_vec3_subtract(place_of(k), from);
    cli_fixture_place(f, k, places[k].name, parent, step);
    if (!places[k].right_name) continue;
    step.x = -step.x;
    cli_fixture_place(f, right_of(k), places[k].right_name, right_of(parent), step);
  }
}

/* ---- weights ---- */

static double step(double begin, double end, double x) {
  return cli_fixture_smoothstep(begin, end, x);
}

/* Hands `share` of the vertex down a chain of joints: what step i leaves of it stays with joint
 * i. */
static void share_out(double *weights, double share, uint32_t first, const double *steps,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    weights[first + i] += share * (1 - steps[i]);
    share *= steps[i];
  }
  weights[first + count] += share;
}

static double arm_share(supple_vec3 p, double *weights) {
  supple_vec3 q = supple_vec3_subtract(p, cli_body_shoulder());
  /* A plane through the shoulder joint that leans outward, so as to pass above the armpit. */
  double above = q.y < 0.05 ? q.y : 0.05; /* not as far as the head */
  double share = step(-0.045, 0.060, 0.954 * q.x + 0.300 * above);
  double along = supple_vec3_dot(q, cli_body_arm_direction());
  const double steps[3] = {step(cli_body_elbow - 0.050, cli_body_elbow + 0.050, along),
                           step(cli_body_wrist - 0.080, cli_body_wrist + 0.035, along),
                           step(cli_body_knuckles - 0.028, cli_body_knuckles + 0.028, along)};
  share_out(weights, share, UPPER_ARM, steps, 3);
  return share;
}

static double leg_share(supple_vec3 p, double *weights) {
  /* The groin rises outward; between the legs a vertex stays with the hips, which both have. */
  double between = 1 - step(0, 0.048, p.x);
  double share = step(-0.080, 0.080, 0.800 + 0.75 * p.x - p.y - 0.100 * between);
  const double steps[3] = {step(-0.060, 0.060, places[SHIN].place.y - p.y),
                           step(-0.040, 0.040, places[FOOT].place.y - p.y + 0.5 * (p.z + 0.022)),
                           step(0.070, 0.125, p.z)};
  share_out(weights, share, THIGH, steps, 3);
  return share;
}

static void weigh(supple_vec3 p, double weights[TOES + 1]) {
  for (uint32_t k = 0; k <= TOES; k++) weights[k] = 0;
  double trunk = 1;
  if (p.y < 1.2 && p.x < 0.25)
    trunk -= leg_share(p, weights);
  else
    trunk -= arm_share(p, weights);
  /* The neck ends where the shoulders begin; the chin is the head's, the nape the neck's; and what
   * hangs from the shoulder belongs to it, however low it is. */
  double middle = 1 - step(0.050, 0.095, p.x) * (1 - step(1.480, 1.530, p.y));
  double tilt = p.z < -0.06 ? -0.06 : p.z > 0.06 ? 0.06 : p.z;
  double height = p.y + (p.x > 0.160 ? 1.6 * (p.x - 0.160) : 0);
  const double steps[5] = {step(0.980, 1.100, height), step(1.100, 1.220, height),
                           step(1.230, 1.350, height), step(1.415, 1.515, p.y + 0.4 * p.z) * middle,
                           step(1.500, 1.575, p.y + 0.7 * tilt)};
  share_out(weights, trunk, HIPS, steps, 5);
  double shoulder = step(0.030, 0.100, p.x) * step(1.280, 1.400, height) * weights[UPPER_CHEST];
  weights[UPPER_CHEST] -= shoulder;
  weights[CLAVICLE] += shoulder;
}

static void put_skin(cli_fixture *f, const cli_net *net) {
  for (uint32_t i = 0; i < net->half; i++) {
    double left[JOINTS] = {0}, right[JOINTS] = {0};
    weigh(net->positions[i], left);
    for (uint32_t k = 0; k <= TOES; k++) right[right_of(k)] = left[k];
    cli_fixture_weigh(f, i, left);
    cli_fixture_weigh(f, net->half + i, right);
  }
}

static void put_mesh(cli_fixture *f, const cli_net *net) {
  for (size_t i = 0; i < net->vertex_count; i++) {
    const supple_vec3 *p = &net->positions[i], *n = &net->normals[i];
    f->positions[3 * i] = (float)p->x;
    f->positions[3 * i + 1] = (float)p->y;
    f->positions[3 * i + 2] = (float)p->z;
    f->normals[3 * i] = (float)n->x;
    f->normals[3 * i + 1] = (float)n->y;
    f->normals[3 * i + 2] = (float)n->z;
  }
  for (size_t i = 0; i < (size_t)3 * net->triangle_count; i++) f->indices[i] = net->triangles[i];
}

/* ---- the clip ---- */

/* A joint's turn at the end of the clip: twisted about its bone, then bent. Of a right joint the
 * turn is said for its left twin, and mirrored. */
typedef struct turn {
  uint32_t joint;
  bool right;
  double twist, bend, side; /* degrees */
} turn;

/* A leap, looking over the left shoulder, with forearms wrung both ways. */
static const turn turns[] = {
    {SPINE, false, 8, 4, 0},     {CHEST, false, 8, 4, 0},  {UPPER_CHEST, false, 6, 4, 0},
    {NECK, false, 90, 0, 0},     {HEAD, false, 0, -6, 0},  {UPPER_ARM, false, 0, 35, 0},
    {FOREARM, false, 0, 100, 0}, {HAND, false, 170, 0, 0}, {UPPER_ARM, true, 0, -30, 10},
    {FOREARM, true, 120, 60, 0}, {HAND, true, -150, 0, 0}, {THIGH, false, 0, -75, 0},
    {SHIN, false, 0, 110, 0},    {FOOT, false, 0, 25, 0},  {THIGH, true, 0, 12, 0},
    {SHIN, true, 0, 90, 0},      {FOOT, true, 0, 35, 0},
};

/* Trunk and legs: twist about +Y, bend about +X (forward; knees backward), side about +Z. Arms:
 * twist about the bone, bend forward, side upward. */
static supple_quat turn_at(const turn *t, double share) {
  bool is_arm = t->joint >= CLAVICLE && t->joint <= FINGERS;
  supple_vec3 bone = is_arm ? cli_body_arm_direction() : supple_vec3_make(0, 1, 0);
  supple_vec3 forward = supple_vec3_make(0, 0, 1);
  supple_vec3 bend = supple_vec3_cross(bone, forward), side = forward;
  supple_quat q =
      supple_quat_multiply(cli_fixture_turn(side, t->side * share),
                           supple_quat_multiply(cli_fixture_turn(bend, t->bend * share),
                                                cli_fixture_turn(bone, t->twist * share)));
  return t->right ? supple_quat_make(q.x, -q.y, -q.z, q.w) : q;
}

static bool add_move(cli_fixture *f) {
  enum { TURNS = sizeof turns / sizeof *turns, STEPS = 12 };
  supple_clip *clip = cli_fixture_clip(f, "move", TURNS);
  const float *times = cli_fixture_times(f, STEPS);
  for (uint32_t i = 0; i < TURNS; i++) {
    uint32_t node = turns[i].right ? right_of(turns[i].joint) : turns[i].joint;
    float *values = cli_fixture_channel(f, clip, node, SUPPLE_PATH_ROTATION, times, STEPS + 1);
    if (!values) return false;
    for (uint32_t k = 0; k <= STEPS; k++) {
      cli_fixture_store_quat(values + (size_t)4 * k, turn_at(&turns[i], (double)k / STEPS));
    }
  }
  return true;
}

bool cli_fixture_build_figure(cli_fixture *f) {
  static const float color[3] = {0.86f, 0.62f, 0.48f};
  /* A spacing at which the surface passes no cell twice, which would pinch it; the tests tell. */
  static const cli_net_options options = {.spacing = 0.0089,
                                          .least = {0, -0.03, -0.16},
                                          .most = {0.74, 1.79, 0.22},
                                          .seed = {0.02, 1.66, 0},
                                          .rounds = 10};
  cli_net net;
  if (!cli_net_create(&net, cli_body_field, &options)) return false;
  cli_fixture_size size = {.joint_count = JOINTS,
                           .vertex_count = net.vertex_count,
                           .triangle_count = net.triangle_count,
                           .influence_count = 4};
  bool made = cli_fixture_begin(f, "figure", &size, color);
  if (made) {
    put_mesh(f, &net);
    put_rig(f);
    cli_fixture_bind(f);
    put_skin(f, &net);
    made = add_move(f);
  }
  cli_net_free(&net);
  return made;
}
