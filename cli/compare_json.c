/* compare_json.c: a comparison as JSON: ratios to rest, one entry a time; what does not exist is null. */
#include "compare.h"

#include "print.h"

#include <math.h>

/* Which number of a joint or of an instance, so that one loop prints them all. */
typedef float joint_number(const compared_joint *joint);
typedef float frame_number(const compared_frame *frame);

static float joint_section(const compared_joint *joint) { return joint->section; }
static float joint_projected(const compared_joint *joint) { return joint->projected; }
static float joint_radius(const compared_joint *joint) { return joint->radius; }
static float joint_bulge(const compared_joint *joint) { return joint->bulge; }
static float joint_worst(const compared_joint *joint) { return joint->worst; }
static float joint_kept(const compared_joint *joint) { return joint->kept; }
static float joint_own_kept(const compared_joint *joint) { return joint->own_kept; }

static float frame_volume(const compared_frame *frame) { return frame->volume; }
static float frame_edge_mean(const compared_frame *frame) { return frame->edge_mean; }
static float frame_edge_least(const compared_frame *frame) { return frame->edge_least; }
static float frame_edge_most(const compared_frame *frame) { return frame->edge_most; }
static float frame_kept_below(const compared_frame *frame) { return frame->kept_below; }
static float frame_deviation(const compared_frame *frame) { return frame->deviation; }
static float frame_deviation_rms(const compared_frame *frame) { return frame->deviation_rms; }

/* Where the printing stands. */
typedef struct place {
  cli_json *json;
  const comparison *results;
  const motion_clip *clip;
  uint32_t instance;
} place;

/* "lbs":[…] over the clip's times. */
static void print_joint_series(const place *at, uint32_t method, uint32_t joint,
                               joint_number *number) {
  cli_json_array(at->json, cli_method_name(at->results->methods[method]));
  for (uint32_t t = 0; t < at->clip->time_count; t++)
    cli_json_float(at->json, NULL,
                   number(compared_joint_at(at->results, at->instance, at->clip->first_frame + t,
                                            method, joint)));
  cli_json_end(at->json);
}

static void print_joint_numbers(const place *at, const char *key, uint32_t joint,
                                joint_number *number) {
  cli_json_object(at->json, key);
  for (uint32_t m = 0; m < at->results->method_count; m++) print_joint_series(at, m, joint, number);
  cli_json_end(at->json);
}

static const compared_frame *frame_of(const place *at, uint32_t method, uint32_t time) {
  return compared_frame_at(at->results, at->instance, at->clip->first_frame + time, method);
}

/* Over the clip's times, in shares of `unit`. */
static void print_frame_series(const place *at, const char *key, uint32_t method,
                               frame_number *number, double unit) {
  cli_json_array(at->json, key);
  for (uint32_t t = 0; t < at->clip->time_count; t++)
    cli_json_float(at->json, NULL, (float)((double)number(frame_of(at, method, t)) / unit));
  cli_json_end(at->json);
}

static void print_frame_numbers(const place *at, const char *key, frame_number *number) {
  cli_json_object(at->json, key);
  for (uint32_t m = 0; m < at->results->method_count; m++)
    print_frame_series(at, cli_method_name(at->results->methods[m]), m, number, 1.0);
  cli_json_end(at->json);
}

static void print_flipped(const place *at) {
  cli_json_object(at->json, "flipped");
  for (uint32_t m = 0; m < at->results->method_count; m++) {
    cli_json_array(at->json, cli_method_name(at->results->methods[m]));
    for (uint32_t t = 0; t < at->clip->time_count; t++)
      cli_json_integer(at->json, NULL, (int64_t)frame_of(at, m, t)->flipped);
    cli_json_end(at->json);
  }
  cli_json_end(at->json);
}

static bool has_volume(const place *at) {
  for (uint32_t t = 0; t < at->clip->time_count; t++)
    for (uint32_t m = 0; m < at->results->method_count; m++)
      if (!isnan(frame_of(at, m, t)->volume)) return true;
  return false;
}

static void print_edges(const place *at) {
  cli_json_object(at->json, "edges");
  for (uint32_t m = 0; m < at->results->method_count; m++) {
    cli_json_object(at->json, cli_method_name(at->results->methods[m]));
    print_frame_series(at, "mean", m, frame_edge_mean, 1.0);
    print_frame_series(at, "min", m, frame_edge_least, 1.0);
    print_frame_series(at, "max", m, frame_edge_most, 1.0);
    cli_json_end(at->json);
  }
  cli_json_end(at->json);
}

/* Of every method but the first, from the first. */
static void print_deviation(const place *at) {
  const double diagonal = at->results->instances[at->instance].diagonal;
  cli_json_object(at->json, "deviation");
  for (uint32_t m = 1; m < at->results->method_count; m++) {
    cli_json_object(at->json, cli_method_name(at->results->methods[m]));
    print_frame_series(at, "max", m, frame_deviation, diagonal);
    print_frame_series(at, "rms", m, frame_deviation_rms, diagonal);
    print_frame_series(at, "max_metres", m, frame_deviation, 1.0);
    cli_json_end(at->json);
  }
  cli_json_end(at->json);
}

/* The offset at which the first method's smallest section over all times stands. */
static uint32_t worst_offset(const place *at, uint32_t joint) {
  uint32_t offset = SUPPLE_NONE;
  float least = NAN;
  for (uint32_t t = 0; t < at->clip->time_count; t++) {
    const compared_joint *one =
        compared_joint_at(at->results, at->instance, at->clip->first_frame + t, 0, joint);
    if (isnan(one->worst) || one->worst >= least) continue;
    least = one->worst;
    offset = one->worst_offset;
  }
  return offset;
}

static void print_worst(const place *at, uint32_t joint, const supple_measured_joint *known) {
  bool any = false;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) any = any || known->sections[k];
  if (!any) {
    cli_json_null(at->json, "worst");
    return;
  }
  const uint32_t offset = worst_offset(at, joint);
  cli_json_object(at->json, "worst");
  /* -0.6 + 0.15 k has no short text in a double, and reads as intended in a float. */
  if (offset < SUPPLE_SECTION_COUNT)
    cli_json_float(at->json, "offset", (float)supple_section_offset(offset));
  else
    cli_json_null(at->json, "offset");
  print_joint_numbers(at, "section", joint, joint_worst);
  cli_json_end(at->json);
}

static void print_joint(const place *at, uint32_t joint) {
  const compared_instance *instance = &at->results->instances[at->instance];
  const supple_measured_joint *known = &instance->joints[joint];
  const supple_node *node =
      &at->results->asset->skeleton.nodes[instance->instance->skin->joints[joint]];
  cli_json_object(at->json, NULL);
  cli_json_index(at->json, "joint", joint);
  cli_json_text(at->json, "name", node->name);
  cli_json_text(at->json, "status", supple_joint_status_text(known->status));
  if (known->sections[SUPPLE_SECTION_AT_JOINT]) {
    cli_json_object(at->json, "at_joint");
    print_joint_numbers(at, "section", joint, joint_section);
    print_joint_numbers(at, "section_projected", joint, joint_projected);
    print_joint_numbers(at, "radius", joint, joint_radius);
    print_joint_numbers(at, "bulge", joint, joint_bulge);
    cli_json_end(at->json);
  } else {
    cli_json_null(at->json, "at_joint");
  }
  print_worst(at, joint, known);
  print_joint_numbers(at, "kept", joint, joint_kept);
  print_joint_numbers(at, "own_kept", joint, joint_own_kept);
  cli_json_end(at->json);
}

static void print_instance(const place *at) {
  const supple_instance *instance = at->results->instances[at->instance].instance;
  cli_json_object(at->json, NULL);
  cli_json_index(at->json, "node", instance->node);
  cli_json_index(at->json, "skin", instance->skin->index);
  if (has_volume(at))
    print_frame_numbers(at, "volume", frame_volume);
  else
    cli_json_null(at->json, "volume");
  print_edges(at);
  print_flipped(at);
  print_frame_numbers(at, "kept_below", frame_kept_below);
  print_deviation(at);
  cli_json_array(at->json, "joints");
  for (uint32_t j = 0; j < instance->skin->joint_count; j++) print_joint(at, j);
  cli_json_end(at->json);
  cli_json_end(at->json);
}

/* Times that come from keys are floats: as such they have short texts. */
static void print_time(cli_json *json, double seconds) {
  if ((double)(float)seconds == seconds)
    cli_json_float(json, NULL, (float)seconds);
  else
    cli_json_double(json, NULL, seconds);
}

static void print_clip(const place *at) {
  cli_json_object(at->json, NULL);
  cli_json_text(at->json, "clip", at->clip->name);
  cli_json_array(at->json, "times");
  for (uint32_t t = 0; t < at->clip->time_count; t++) print_time(at->json, at->clip->times[t]);
  cli_json_end(at->json);
  if (at->clip->labels) {
    cli_json_array(at->json, "poses");
    for (uint32_t t = 0; t < at->clip->time_count; t++)
      cli_json_text(at->json, NULL, at->clip->labels[t]);
    cli_json_end(at->json);
  }
  cli_json_array(at->json, "instances");
  place inner = *at;
  for (inner.instance = 0; inner.instance < at->results->instance_count; inner.instance++)
    print_instance(&inner);
  cli_json_end(at->json);
  cli_json_end(at->json);
}

void compare_print_json(cli_output *output, const comparison *results) {
  cli_json json = cli_json_start(output, true);
  place at = {.json = &json, .results = results};
  cli_json_object(&json, NULL);
  cli_json_text(&json, "file", results->file);
  cli_json_array(&json, "methods");
  for (uint32_t m = 0; m < results->method_count; m++)
    cli_json_text(&json, NULL, cli_method_name(results->methods[m]));
  cli_json_end(&json);
  cli_json_double(&json, "threshold", results->threshold);
  cli_json_array(&json, "clips");
  for (uint32_t c = 0; c < results->motion->clip_count; c++) {
    at.clip = &results->motion->clips[c];
    print_clip(&at);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}
