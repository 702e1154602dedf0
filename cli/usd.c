/* usd.c: an asset as .usda text: what is worked out before, and the file as a whole. */
#include "usd.h"

#include "posed_bounds.h"
#include "print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static size_t folder_length(const char *path) {
  size_t length = 0;
  for (size_t i = 0; path[i]; i++)
    if (path[i] == '/' || path[i] == '\\') length = i + 1;
  return length;
}

/* "out/My fox.usda" -> "My_fox": images are named after it, and the default prim. */
static bool name_root(cli_usd *usd, const char *out) {
  char base[112];
  const char *file = strcmp(out, "-") == 0 ? usd->stage->path : out;
  snprintf(base, sizeof base, "%.110s", file + folder_length(file));
  char *dot = strrchr(base, '.');
  if (dot && dot != base) *dot = '\0';
  cli_usd_names *names = cli_usd_names_create();
  const char *identifier = names ? cli_usd_names_take(names, base, "Asset") : NULL;
  char *root = malloc(128);
  if (identifier && root) snprintf(root, 128, "%s", identifier);
  cli_usd_names_free(names);
  usd->root = usd->stem = root;
  return identifier && root;
}

static bool same_folder(const char *a, const char *b) {
  const size_t n = folder_length(a), m = folder_length(b);
  return n == m && memcmp(a, b, n) == 0;
}

/* ---- skeletons ---- */

/* Whether a vertex of a skin's instances follows no joint (--unweighted rest). */
static void find_resting(const cli_usd *usd, uint8_t *resting) {
  for (uint32_t i = 0; i < usd->stage->instance_count; i++) {
    const cli_stage_instance *staged = &usd->stage->instances[i];
    for (uint32_t p = 0; p < staged->instance->primitive_count; p++) {
      const supple_binding *binding = staged->bindings[p];
      if (!binding || usd->stage->options->unweighted != SUPPLE_UNWEIGHTED_REST) continue;
      if (supple_binding_cleaning(binding)->unweighted)
        resting[staged->instance->skin - usd->asset->skins] = 1;
    }
  }
}

static bool make_skeletons(cli_usd *usd) {
  const supple_asset *asset = usd->asset;
  uint8_t *resting = calloc((size_t)asset->skin_count + 1, 1);
  usd->skeletons = calloc((size_t)asset->skin_count + 1, sizeof *usd->skeletons);
  bool fine = resting && usd->skeletons;
  if (!fine) cli_complain(CLI_FAILED, "out of memory");
  if (fine) find_resting(usd, resting);
  for (uint32_t s = 0; s < asset->skin_count && fine; s++) {
    cli_usd_skeleton *skeleton = &usd->skeletons[s];
    fine = cli_usd_skeleton_make(skeleton, &usd->rig, &asset->skins[s], resting[s] != 0);
    bool reserved = true;
    for (uint32_t j = 0; j < skeleton->joint_count && fine && reserved; j++)
      reserved = cli_usd_names_reserve(usd->names, skeleton->joints[j].name);
    if (!reserved) cli_complain(CLI_FAILED, "out of memory");
    fine = fine && reserved;
  }
  for (uint32_t s = 0; s < asset->skin_count && fine; s++) {
    usd->skeletons[s].name =
        cli_usd_names_take_numbered(usd->names, asset->skins[s].name, "Skeleton", s);
    fine = usd->skeletons[s].name != NULL;
    if (!fine) cli_complain(CLI_FAILED, "out of memory");
  }
  free(resting);
  return fine;
}

static void add_boxes(cli_usd *usd) {
  for (uint32_t i = 0; i < usd->stage->instance_count; i++) {
    const cli_stage_instance *staged = &usd->stage->instances[i];
    cli_usd_skeleton *skeleton = &usd->skeletons[staged->instance->skin - usd->asset->skins];
    for (uint32_t p = 0; p < staged->instance->primitive_count; p++)
      if (staged->bindings[p])
        cli_usd_skeleton_add(skeleton, staged->instance->primitives[p], staged->bindings[p]);
  }
}

static bool wants_transforms(const void *user, const supple_channel *channel) {
  (void)user;
  return channel->path != SUPPLE_PATH_WEIGHTS;
}

static void walk_moment(cli_usd *usd, bool compare, uint32_t clip, double seconds) {
  supple_pose_sample(usd->pose, &usd->asset->clips[clip], seconds);
  for (uint32_t s = 0; s < usd->asset->skin_count; s++)
    if (compare)
      cli_usd_skeleton_compare(&usd->skeletons[s], usd->pose, clip, seconds);
    else
      cli_usd_skeleton_look(&usd->skeletons[s], &usd->rig, usd->pose);
}

/* Every clip's samples, and the middles between them: looked at, or compared with what USD gets. */
static bool walk_clips(cli_usd *usd, bool compare) {
  const char *label = compare ? "comparing clips" : "looking at clips";
  for (uint32_t c = 0; c < usd->asset->clip_count; c++) {
    const supple_clip *clip = &usd->asset->clips[c];
    uint32_t count;
    cli_usd_moment *moments = cli_usd_moments(clip, usd->fps, wants_transforms, NULL, &count);
    if (!moments) return false;
    for (uint32_t i = 0; i < count; i++) {
      const double seconds = moments[i].seconds;
      walk_moment(usd, compare, c, seconds);
      if (i + 1 < count)
        walk_moment(usd, compare, c, seconds + (moments[i + 1].seconds - seconds) / 2);
      cli_progress(label, c, usd->asset->clip_count);
    }
    free(moments);
  }
  cli_progress(label, 1, 1);
  return true;
}

static bool settle_skeletons(cli_usd *usd) {
  const uint32_t skins = usd->asset->skin_count;
  supple_pose_rest(usd->pose);
  for (uint32_t s = 0; s < skins; s++)
    cli_usd_skeleton_look(&usd->skeletons[s], &usd->rig, usd->pose);
  if (!walk_clips(usd, false)) return false;
  supple_pose_rest(usd->pose);
  for (uint32_t s = 0; s < skins; s++) {
    cli_usd_skeleton_settle(&usd->skeletons[s], usd->pose);
    cli_usd_skeleton_compare(&usd->skeletons[s], usd->pose, SUPPLE_NONE, 0);
  }
  return walk_clips(usd, true);
}

/* At the times of the bound clip's keys. The box is that of the method that meshes ask for. */
static bool find_extent(cli_usd *usd, supple_method method) {
  cli_posed_bounds bounds;
  const bool fine = cli_posed_bounds_find(usd->stage, method, usd->clip, &bounds) == CLI_FINE;
  if (fine) usd->extent = bounds.rest;
  if (fine && usd->clip != SUPPLE_NONE)
    usd->extent = supple_bounds_join(bounds.rest, bounds.clips[usd->clip]);
  cli_posed_bounds_free(&bounds);
  return fine;
}

/* The reader keeps no names of morph targets: glTF has none but in a mesh's extras. */
static bool open_names(cli_usd *usd) {
  bool morphs = false;
  for (uint32_t m = 0; m < usd->asset->mesh_count; m++)
    for (uint32_t p = 0; p < usd->asset->meshes[m].primitive_count; p++)
      morphs = morphs || usd->asset->meshes[m].primitives[p].target_count > 0;
  usd->targets = calloc((size_t)usd->asset->skeleton.weight_count + 1, sizeof *usd->targets);
  if (morphs && strcmp(usd->stage->path, "-") != 0) {
    const supple_load_options load = {.limits = usd->stage->options->limits};
    supple_error error;
    usd->document = supple_document_load(usd->stage->path, &load, &error);
    if (!usd->document && error.result == SUPPLE_ERROR_MEMORY) return false;
  }
  return usd->targets != NULL;
}

bool cli_usd_make(cli_usd *usd, const cli_stage *stage, const cli_usd_settings *settings) {
  supple_error error;
  memset(usd, 0, sizeof *usd);
  usd->stage = stage;
  usd->asset = stage->asset;
  usd->clip = settings->clip;
  usd->skinning_method = settings->method == SUPPLE_LBS ? "classicLinear" : "dualQuaternion";
  usd->keep_sums = settings->method == SUPPLE_LBS && stage->options->weights == SUPPLE_WEIGHTS_KEEP;
  usd->fps = settings->fps > 0            ? settings->fps
             : usd->asset->clip_count > 0 ? cli_usd_frames_per_second(usd->asset)
                                          : 24;
  usd->packed = settings->packed;
  usd->beside_source =
      !usd->packed && strcmp(stage->path, "-") != 0 && same_folder(stage->path, settings->out);
  usd->names = cli_usd_names_create();
  usd->pose = supple_pose_create(&usd->asset->skeleton, NULL, &error);
  if (!usd->names || !usd->pose || !cli_usd_rig_make(&usd->rig, usd->asset) ||
      !cli_usd_names_reserve(usd->names, "Materials") || !name_root(usd, settings->out) ||
      !cli_usd_name_materials(usd) || !open_names(usd)) {
    cli_complain(CLI_FAILED, "out of memory");
    return false;
  }
  if (!make_skeletons(usd)) return false;
  add_boxes(usd);
  return settle_skeletons(usd) && find_extent(usd, settings->method);
}

void cli_usd_clear(cli_usd *usd) {
  for (uint32_t s = 0; usd->skeletons && s < usd->asset->skin_count; s++)
    cli_usd_skeleton_clear(&usd->skeletons[s]);
  for (uint32_t i = 0; usd->images && i < usd->asset->image_count; i++) free(usd->images[i].owned);
  for (uint32_t t = 0; usd->targets && t < usd->asset->skeleton.weight_count; t++)
    free(usd->targets[t]);
  free(usd->targets);
  supple_document_free(usd->document);
  free(usd->skeletons);
  free(usd->images);
  free((void *)usd->materials);
  free(usd->colored);
  free((void *)(uintptr_t)usd->root);
  cli_usd_names_free(usd->material_names);
  cli_usd_names_free(usd->image_names);
  cli_usd_names_free(usd->names);
  cli_usd_rig_clear(&usd->rig);
  supple_pose_destroy(usd->pose);
  memset(usd, 0, sizeof *usd);
}

/* ---- the file ---- */

static void write_header(const cli_usd *usd) {
  cli_output *output = usd->text.output;
  const supple_asset *asset = usd->asset;
  cli_output_format(output, "#usda 1.0\n(\n");
  cli_output_format(output, "    defaultPrim = \"%s\"\n", usd->root);
  if (asset->copyright[0]) {
    cli_output_text(output, "    customLayerData = {\n        string copyright = ");
    cli_usd_string(output, asset->copyright);
    cli_output_text(output, "\n    }\n");
  }
  cli_output_text(output, "    doc = \"Written by supple " SUPPLE_VERSION_TEXT "\"\n");
  if (usd->clip != SUPPLE_NONE) {
    const supple_clip *clip = &asset->clips[usd->clip];
    cli_output_text(output, "    endTimeCode = ");
    cli_usd_time(output, cli_usd_code(clip->end, usd->fps));
    cli_output_text(output, "\n    startTimeCode = ");
    cli_usd_time(output, cli_usd_code(clip->begin, usd->fps));
    cli_output_text(output, "\n");
  }
  cli_output_text(output, "    framesPerSecond = ");
  cli_usd_double(output, usd->fps);
  cli_output_text(output, "\n    metersPerUnit = 1\n    timeCodesPerSecond = ");
  cli_usd_double(output, usd->fps);
  cli_output_text(output, "\n    upAxis = \"Y\"\n)\n\n");
}

int cli_usd_write(cli_usd *usd, cli_output *output) {
  usd->text = (cli_usd_text){output, 0};
  write_header(usd);
  const char *display = usd->asset->scene < usd->asset->scene_count
                            ? usd->asset->scenes[usd->asset->scene].name
                            : NULL;
  cli_usd_open(&usd->text, "SkelRoot", usd->root, display, NULL);
  cli_usd_write_extent(usd, &usd->extent);
  cli_usd_write_materials(usd);
  int exit_code = cli_usd_write_skins(usd);
  if (exit_code == CLI_FINE) exit_code = cli_usd_write_scene(usd);
  cli_usd_close(&usd->text);
  return exit_code;
}

/* ---- what is lost ---- */

/* In metres, and as a share of what the skeleton moves; a float holds no less than a ten millionth. */
static void print_distance(const cli_usd *usd, const cli_usd_skeleton *skeleton, double diagonal) {
  const cli_usd_loss *loss = &skeleton->loss;
  const bool at_rest = loss->clip == SUPPLE_NONE;
  char distance[CLI_NUMBER_TEXT], share[CLI_NUMBER_TEXT], seconds[CLI_NUMBER_TEXT];
  char name[128], clip[128], when[256] = "at rest";
  if (!at_rest)
    snprintf(when, sizeof when, "clip %s at %s s",
             cli_clip_name(usd->asset, loss->clip, clip, sizeof clip),
             cli_fixed_text(loss->seconds, 3, seconds));
  cli_note("skin %u: vertices are up to %s m off (%s %% of the size) under linear blending: joint "
           "%s, %s",
           skeleton->skin->index, cli_float_text((float)loss->distance, distance),
           cli_fixed_text(100 * loss->distance / diagonal, 4, share),
           cli_node_name(usd->asset, skeleton->joints[loss->joint].node, name, sizeof name), when);
}

static double diagonal_of(const supple_bounds *box) {
  double square = 0;
  for (int c = 0; c < 3; c++) {
    const double span = (double)box->max[c] - (double)box->min[c];
    square += span * span;
  }
  return box->min[0] <= box->max[0] ? sqrt(square) : 0;
}

static void print_skeleton_loss(const cli_usd *usd, const cli_usd_skeleton *skeleton) {
  const cli_usd_loss *loss = &skeleton->loss;
  const uint32_t skin = skeleton->skin->index;
  const double diagonal = diagonal_of(&loss->box);
  const bool shows = loss->joint != SUPPLE_NONE && loss->distance > 2e-6 * diagonal;
  if (!shows && !usd->stage->options->verbose) return;
  if (loss->sheared)
    cli_note(
        "skin %u: %u joints are sheared, which USD's skeletal animation cannot hold; the shear "
        "is dropped",
        skin, loss->sheared);
  if (loss->rounded)
    cli_note("skin %u: the scales of %u joints are rounded to 16 bits, as USD stores them", skin,
             loss->rounded);
  if (loss->singular)
    cli_note("skin %u: %u inverse bind matrices are singular, which USD cannot hold", skin,
             loss->singular);
  if (loss->joint != SUPPLE_NONE) print_distance(usd, skeleton, diagonal > 0 ? diagonal : 1);
}

void cli_usd_print_losses(const cli_usd *usd) {
  for (uint32_t s = 0; s < usd->asset->skin_count; s++)
    print_skeleton_loss(usd, &usd->skeletons[s]);
  if (usd->not_drawn)
    cli_note("%u primitives are lines or points; they are left out", usd->not_drawn);
  if (usd->other_coords)
    cli_note("%u materials use other texture coordinates than TEXCOORD_0, or an image that is not "
             "there; they keep their colour alone",
             usd->other_coords);
  for (uint32_t i = 0; i < usd->asset->image_count; i++)
    if (usd->images[i].unfit)
      cli_note("image %u (%s) is neither PNG nor JPEG, and a .usdz holds no others: materials keep "
               "their colour alone (convert to .usda to keep it, or convert the image first)",
               i,
               usd->asset->images[i].mime_type[0] ? usd->asset->images[i].mime_type
                                                  : "of no known kind");
    else if (usd->images[i].used && !usd->images[i].name)
      cli_note("image %u (%s) could not be read; materials keep their colour alone", i,
               usd->asset->images[i].path[0] ? usd->asset->images[i].path
                                             : usd->asset->images[i].name);
}
