/* verdict.c: one row for each joint node: how much it keeps, where it is worst, whether it collapses. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double verdict_keeps(const compared_joint *joint) {
  if (isnan(joint->own_kept)) return (double)joint->worst;
  if (isnan(joint->worst)) return (double)joint->own_kept;
  return (double)(joint->own_kept < joint->worst ? joint->own_kept : joint->worst);
}

/* The more a status says about a section, the earlier it comes. */
static int rank_of(supple_joint_status status) {
  switch (status) {
  case SUPPLE_JOINT_OK: return 0;
  case SUPPLE_JOINT_AMBIGUOUS: return 1;
  case SUPPLE_JOINT_OPEN: return 2;
  case SUPPLE_JOINT_OUTSIDE: return 3;
  case SUPPLE_JOINT_SKIPPED: return 4;
  case SUPPLE_JOINT_RIGID: return 5;
  case SUPPLE_JOINT_UNWEIGHTED: return 6;
  }
  return 7;
}

static double least_of(const double *values, uint32_t count) {
  double least = (double)NAN;
  for (uint32_t i = 0; i < count; i++)
    if (!isnan(values[i]) && !(values[i] >= least)) least = values[i];
  return least;
}

/* Takes one frame of one instance's joint into its row. */
static void take_frame(verdict_joint *row, const comparison *results, uint32_t instance,
                       uint32_t joint, size_t frame) {
  double keeps[CLI_METHODS_MOST];
  for (uint32_t m = 0; m < results->method_count; m++) {
    keeps[m] = verdict_keeps(compared_joint_at(results, instance, frame, m, joint));
    if (!isnan(keeps[m]) && !(keeps[m] >= row->lowest[m])) {
      row->lowest[m] = keeps[m];
      row->lowest_frame[m] = frame;
    }
  }
  const double least = least_of(keeps, results->method_count);
  if (isnan(least) || least >= least_of(row->keeps, results->method_count)) return;
  double sections[CLI_METHODS_MOST];
  for (uint32_t m = 0; m < results->method_count; m++)
    sections[m] = (double)compared_joint_at(results, instance, frame, m, joint)->worst;
  row->section = least_of(sections, results->method_count);
  row->measured = true;
  row->instance = instance;
  row->joint = joint;
  row->frame = frame;
  for (uint32_t m = 0; m < results->method_count; m++) row->keeps[m] = keeps[m];
}

static void take_joint(verdict_joint *row, const comparison *results, uint32_t instance,
                       uint32_t joint) {
  const supple_measured_joint *known = &results->instances[instance].joints[joint];
  if (rank_of(known->status) < rank_of(row->status)) row->status = known->status;
  bool any = known->shared;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) any = any || known->sections[k];
  for (size_t f = 0; any && f < results->motion->frame_count; f++)
    take_frame(row, results, instance, joint, f);
}

static void start_row(verdict_joint *row, uint32_t node, uint32_t instance, uint32_t joint,
                      supple_joint_status status) {
  *row = (verdict_joint){
      .node = node, .instance = instance, .joint = joint, .status = status, .section = (double)NAN};
  for (uint32_t m = 0; m < CLI_METHODS_MOST; m++) row->keeps[m] = row->lowest[m] = (double)NAN;
}

static int by_worst(const void *left, const void *right) {
  const verdict_joint *a = left, *b = right;
  if (a->bad != b->bad) return a->bad ? -1 : 1;
  if (a->measured != b->measured) return a->measured ? -1 : 1;
  if (a->measured) {
    const double x = least_of(a->keeps, CLI_METHODS_MOST), y = least_of(b->keeps, CLI_METHODS_MOST);
    if (x < y) return -1;
    if (x > y) return 1;
    if (isnan(a->section) != isnan(b->section)) return isnan(a->section) ? 1 : -1;
    if (a->section < b->section) return -1;
    if (a->section > b->section) return 1;
  }
  return a->node < b->node ? -1 : a->node > b->node;
}

static void judge(verdict *all, const comparison *results) {
  for (uint32_t i = 0; i < all->joint_count; i++) {
    verdict_joint *row = &all->joints[i];
    all->measured_count += row->measured;
    for (uint32_t m = 0; m < results->method_count; m++) {
      row->collapses[m] = row->lowest[m] < results->threshold;
      row->bad = row->bad || row->collapses[m];
      all->collapsing[m] += row->collapses[m];
    }
    all->bad_count += row->bad;
  }
  if (all->joint_count) qsort(all->joints, all->joint_count, sizeof *all->joints, by_worst);
}

verdict *verdict_reach(const comparison *results) {
  const uint32_t node_count = results->asset->skeleton.node_count;
  verdict *all = calloc(1, sizeof *all);
  uint32_t *row_of = malloc(((size_t)node_count + 1) * sizeof *row_of);
  if (all) all->joints = calloc((size_t)node_count + 1, sizeof *all->joints);
  if (!all || !row_of || !all->joints) {
    free(row_of);
    verdict_free(all);
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  for (uint32_t n = 0; n < node_count; n++) row_of[n] = SUPPLE_NONE;
  for (uint32_t i = 0; i < results->instance_count; i++) {
    const supple_skin *skin = results->instances[i].instance->skin;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
      const uint32_t node = skin->joints[j];
      if (row_of[node] == SUPPLE_NONE) {
        row_of[node] = all->joint_count++;
        start_row(&all->joints[row_of[node]], node, i, j, results->instances[i].joints[j].status);
      }
      take_joint(&all->joints[row_of[node]], results, i, j);
    }
  }
  free(row_of);
  judge(all, results);
  return all;
}

void verdict_free(verdict *all) {
  if (!all) return;
  free(all->joints);
  free(all);
}

const verdict_joint *verdict_lowest(const verdict *all, uint32_t method) {
  const verdict_joint *lowest = NULL;
  for (uint32_t i = 0; i < all->joint_count; i++) {
    const verdict_joint *row = &all->joints[i];
    if (!isnan(row->lowest[method]) && (!lowest || row->lowest[method] < lowest->lowest[method]))
      lowest = row;
  }
  return lowest;
}

const char *verdict_count_text(const comparison *results, const verdict *all, uint32_t method,
                               bool title, char *text, size_t size) {
  const char *name = title ? compare_method_title(results->methods[method])
                           : compare_method_short(results->methods[method]);
  const unsigned bad = all->collapsing[method], count = all->joint_count;
  const char *joints = count == 1 ? "joint" : "joints";
  if (bad == 0)
    snprintf(text, size, "none of %u %s collapses under %s", count, joints, name);
  else if (bad == 1)
    snprintf(text, size, "1 of %u %s collapses under %s", count, joints, name);
  else
    snprintf(text, size, "%u of %u %s collapse under %s", bad, count, joints, name);
  return text;
}
