/* stage.c: loading, cleaning, resolving what the options name. */
#include "stage.h"

#include "print.h"

#if defined(CLI_HAS_CODECS)
#include <supple/codecs.h>
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cli_stage_memory {
  supple_binding ***meshes; /* per mesh: one binding a primitive, or NULL where no instance uses it */
};

/* ---- loading ---- */

void *cli_read_stdin(const cli_options *options, size_t *size) {
  const size_t limit = options->limits.file_bytes ? options->limits.file_bytes : UINT32_MAX;
  size_t capacity = (size_t)1 << 20, used = 0;
  char *data = malloc(capacity);
  while (data) {
    used += fread(data + used, 1, capacity - used, stdin);
    if (used < capacity || used > limit) break;
    char *more = capacity <= SIZE_MAX / 2 ? realloc(data, 2 * capacity) : NULL;
    if (!more) free(data);
    data = more;
    capacity *= 2;
  }
  *size = used;
  if (data && used <= limit && !ferror(stdin)) return data;
  if (!data)
    cli_complain(CLI_FAILED, "out of memory while reading stdin");
  else if (used > limit)
    cli_complain(CLI_FAILED, "stdin has more than %zu bytes: see --limit-file-bytes", limit);
  else
    cli_complain(CLI_FAILED, "cannot read stdin: %s", strerror(errno));
  free(data);
  return NULL;
}

/* The option that lifts what a message of the library names by a field of its options ("limits.json_depth",
 * "allow_outside_uris"); NULL where it names none. */
static const cli_option *option_for(const char *message) {
  static const char limits[] = "limits.", outside[] = "allow_outside_uris";
  static const cli_grammar loading = {.shared = CLI_USES_LOADING};
  char wanted[64] = "allow-outside-uris";
  const char *at = NULL;
  for (const char *next = message; (next = strstr(next, limits)) != NULL; at = next)
    next += sizeof limits - 1; /* the last one: names that the file gives stand before it */
  if (at) {
    snprintf(wanted, sizeof wanted, "limit-%.*s", (int)strspn(at, "abcdefghijklmnopqrstuvwxyz_"),
             at);
    for (char *c = wanted; *c; c++)
      if (*c == '_') *c = '-';
  } else if (!strstr(message, outside)) {
    return NULL;
  }
  const cli_option *option;
  for (size_t i = 0; (option = cli_options_list(&loading, i)) != NULL; i++)
    if (strcmp(option->name, wanted) == 0) break;
  return option;
}

int cli_complain_of_file(const char *path, const supple_error *error) {
  const bool can_be_lifted =
      error->result == SUPPLE_ERROR_LIMIT || strstr(error->message, "would allow it");
  const cli_option *option = can_be_lifted ? option_for(error->message) : NULL;
  return cli_complain(CLI_FAILED, "%s: %s%s%s%s%s", path, error->message, option ? ": see --" : "",
                      option ? option->name : "", option && option->argument ? " " : "",
                      option && option->argument ? option->argument : "");
}

const supple_codecs *cli_codecs(void) {
#if defined(CLI_HAS_CODECS)
  return supple_codecs_all();
#else
  return NULL;
#endif
}

supple_load_options cli_load_options(const cli_options *options) {
  return (supple_load_options){.limits = options->limits,
                               .allow_outside_uris = options->allow_outside_uris,
                               .image_files = options->image_files,
                               .codecs = cli_codecs()};
}

supple_asset *cli_load_asset(const char *path, const cli_options *options, bool structure_only,
                             int *exit_code) {
  supple_load_options load = cli_load_options(options);
  load.structure_only = structure_only;
  supple_error error;
  supple_asset *asset;
  memset(&error, 0, sizeof error);
  *exit_code = CLI_FAILED;
  if (strcmp(path, "-") == 0) {
    size_t size = 0;
    void *data = cli_read_stdin(options, &size);
    if (!data) return NULL;
    asset = supple_asset_load_memory(data, size, &load, &error);
    free(data);
  } else {
    asset = supple_asset_load(path, &load, &error);
  }
  if (asset)
    *exit_code = CLI_FINE;
  else
    cli_complain_of_file(path, &error);
  return asset;
}

static bool clean_mesh(const cli_stage *stage, const supple_instance *instance) {
  const supple_binding_options options = {.weights = (supple_weights)stage->options->weights,
                                          .unweighted =
                                              (supple_unweighted)stage->options->unweighted,
                                          .max_influences = stage->options->max_influences};
  supple_binding ***bindings = &stage->memory->meshes[instance->mesh];
  if (*bindings) return true;
  *bindings = calloc((size_t)instance->primitive_count + 1, sizeof **bindings);
  if (!*bindings) {
    cli_complain(CLI_FAILED, "out of memory");
    return false;
  }
  for (uint32_t p = 0; p < instance->primitive_count; p++) {
    const supple_primitive *primitive = instance->primitives[p];
    supple_error error;
    if (primitive->influence_count == 0) continue;
    (*bindings)[p] = supple_binding_create(primitive, &options, &error);
    if (!(*bindings)[p]) {
      cli_complain(CLI_FAILED, "%s: mesh %u, primitive %u: %s", stage->path, primitive->mesh,
                   primitive->index, error.message);
      return false;
    }
  }
  return true;
}

static bool prepare_instances(cli_stage *stage) {
  const supple_asset *asset = stage->asset;
  stage->memory = calloc(1, sizeof *stage->memory);
  if (stage->memory)
    stage->memory->meshes = calloc((size_t)asset->mesh_count + 1, sizeof *stage->memory->meshes);
  stage->instances = calloc((size_t)asset->instance_count + 1, sizeof *stage->instances);
  if (!stage->memory || !stage->memory->meshes || !stage->instances) {
    cli_complain(CLI_FAILED, "out of memory");
    return false;
  }
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    cli_stage_instance *staged = &stage->instances[i];
    staged->instance = &asset->instances[i];
    if (!clean_mesh(stage, staged->instance)) return false;
    staged->bindings = (const supple_binding *const *)stage->memory->meshes[staged->instance->mesh];
    for (uint32_t p = 0; p < staged->instance->primitive_count; p++) {
      staged->vertex_count += staged->instance->primitives[p]->vertex_count;
      if (staged->instance->primitives[p]->target_count) staged->morphs = true;
    }
  }
  stage->instance_count = asset->instance_count;
  return true;
}

/* ---- --pose ---- */

/* Where a node no skin uses has its bone: towards its first child. */
static cli_axes axes_of_plain_node(const supple_skeleton *skeleton, uint32_t node) {
  for (uint32_t i = 0; i < skeleton->node_count; i++)
    if (skeleton->nodes[i].parent == node)
      return cli_axes_from_bone(skeleton->nodes[i].rest.translation);
  return cli_axes_from_bone(supple_vec3_make(0, 0, 0));
}

static int find_axes(const cli_stage *stage, supple_measure **measures, cli_turn *turn) {
  const supple_asset *asset = stage->asset;
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    const supple_skin *skin = asset->instances[i].skin;
    uint32_t joint = 0;
    while (joint < skin->joint_count && skin->joints[joint] != turn->node) joint++;
    if (joint == skin->joint_count) continue;
    if (!measures[i]) {
      supple_error error;
      measures[i] = supple_measure_create(&asset->skeleton, &asset->instances[i],
                                          stage->instances[i].bindings, NULL, &error);
      if (!measures[i]) return cli_complain(CLI_FAILED, "%s: %s", stage->path, error.message);
    }
    turn->axes = cli_axes_of_joint(measures[i], skin, joint);
    return CLI_FINE;
  }
  turn->axes = axes_of_plain_node(&asset->skeleton, turn->node);
  return CLI_FINE;
}

static int resolve_turns(cli_stage *stage) {
  const cli_options *options = stage->options;
  int exit_code = CLI_FINE;
  if (options->pose_count == 0) return CLI_FINE;
  supple_measure **measures = calloc((size_t)stage->instance_count + 1, sizeof *measures);
  stage->turns = calloc(options->pose_count, sizeof *stage->turns);
  if (!measures || !stage->turns) exit_code = cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; exit_code == CLI_FINE && i < options->pose_count; i++) {
    char message[128];
    size_t name_length = 0;
    cli_turn *turn = &stage->turns[i];
    if (!cli_turn_parse(options->poses[i], turn, &name_length, message, sizeof message))
      exit_code = cli_complain(CLI_USAGE, "--pose %s: %s", options->poses[i], message);
    if (exit_code == CLI_FINE)
      exit_code = cli_find_joint(stage->asset, options->poses[i], name_length, &turn->node);
    if (exit_code == CLI_FINE) exit_code = find_axes(stage, measures, turn);
    if (exit_code == CLI_FINE) stage->turn_count = i + 1;
  }
  for (uint32_t i = 0; measures && i < stage->instance_count; i++)
    supple_measure_destroy(measures[i]);
  free(measures);
  return exit_code;
}

cli_stage *cli_stage_load(const char *path, const cli_options *options, int *exit_code) {
  cli_stage *stage = calloc(1, sizeof *stage);
  if (!stage) {
    *exit_code = cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  stage->path = path;
  stage->options = options;
  stage->asset = cli_load_asset(path, options, false, exit_code);
  if (stage->asset) *exit_code = prepare_instances(stage) ? resolve_turns(stage) : CLI_FAILED;
  if (*exit_code != CLI_FINE) {
    cli_stage_free(stage);
    return NULL;
  }
  return stage;
}

/* What makes an instance look as it does; own: nobody else does so. */
typedef struct looks {
  uint32_t mesh, skin, own, number;
} looks;

static int by_looks(const void *a, const void *b) {
  const looks *p = a, *q = b;
  if (p->mesh != q->mesh) return p->mesh < q->mesh ? -1 : 1;
  if (p->skin != q->skin) return p->skin < q->skin ? -1 : 1;
  if (p->own != q->own) return p->own < q->own ? -1 : 1;
  return p->number < q->number ? -1 : p->number > q->number;
}

uint32_t *cli_stage_twins(const cli_stage *stage) {
  const uint32_t count = stage->instance_count;
  uint32_t *twin = malloc(((size_t)count + 1) * sizeof *twin);
  looks *all = malloc(((size_t)count + 1) * sizeof *all);
  if (!twin || !all) {
    free(twin);
    free(all);
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  const bool scene = stage->options->space == (int)SUPPLE_SPACE_SCENE;
  for (uint32_t i = 0; i < count; i++) {
    const supple_instance *instance = stage->instances[i].instance;
    const bool alone = !scene || stage->instances[i].morphs || instance->copies;
    all[i] = (looks){instance->mesh, instance->skin->index, alone ? i + 1 : 0, i};
  }
  qsort(all, count, sizeof *all, by_looks);
  for (uint32_t i = 0; i < count; i++) {
    const bool same = i && all[i].mesh == all[i - 1].mesh && all[i].skin == all[i - 1].skin &&
                      all[i].own == all[i - 1].own;
    twin[all[i].number] = same ? twin[all[i - 1].number] : all[i].number;
  }
  free(all);
  return twin;
}

void cli_stage_free(cli_stage *stage) {
  if (!stage) return;
  if (stage->memory && stage->memory->meshes) {
    for (uint32_t m = 0; m < stage->asset->mesh_count; m++) {
      supple_binding **bindings = stage->memory->meshes[m];
      for (uint32_t p = 0; bindings && p < stage->asset->meshes[m].primitive_count; p++)
        supple_binding_destroy(bindings[p]);
      free(bindings);
    }
    free(stage->memory->meshes);
  }
  free(stage->memory);
  free(stage->instances);
  free(stage->turns);
  supple_asset_free(stage->asset);
  free(stage);
}

/* ---- repairs ---- */

static void print_primitive_repairs(const cli_stage *stage, const supple_primitive *primitive,
                                    const supple_binding_report *found) {
  char name[128];
  const char *mesh = stage->asset->meshes[primitive->mesh].name;
  snprintf(name, sizeof name, "mesh %u%s%.60s%s, primitive %u", primitive->mesh,
           mesh[0] ? " (" : "", mesh, mesh[0] ? ")" : "", primitive->index);
  if (found->duplicates)
    cli_note("%s: %u influences name a joint that their vertex has already; merged", name,
             found->duplicates);
  if (found->negatives)
    cli_note("%s: %u influences have a negative weight; dropped", name, found->negatives);
  if (found->renormalised) {
    char least[CLI_NUMBER_TEXT], most[CLI_NUMBER_TEXT];
    cli_note("%s: the weights of %u of %u vertices do not sum to 1 (%s to %s); %s", name,
             found->renormalised, found->vertices,
             cli_fixed_text((double)found->smallest_sum, 4, least),
             cli_fixed_text((double)found->largest_sum, 4, most),
             stage->options->weights == SUPPLE_WEIGHTS_KEEP ? "kept" : "divided by their sum");
  }
  if (found->unweighted)
    cli_note("%s: %u vertices have no weight; they %s", name, found->unweighted,
             stage->options->unweighted == SUPPLE_UNWEIGHTED_REST
                 ? "stay at rest"
                 : "follow the first joint they name");
  if (found->limited) {
    char share[CLI_NUMBER_TEXT];
    cli_note("%s: %u influences dropped by --max-influences, at most %s %% of a vertex", name,
             found->limited, cli_fixed_text(100.0 * (double)found->largest_dropped, 2, share));
  }
}

void cli_stage_print_repairs(const cli_stage *stage) {
  const supple_asset *asset = stage->asset;
  for (uint32_t i = 0; stage->options->verbose && i < asset->note_count; i++)
    cli_note("%s%s%s", asset->notes[i].pointer, asset->notes[i].pointer[0] ? ": " : "",
             asset->notes[i].text);
  for (uint32_t m = 0; m < asset->mesh_count; m++) {
    supple_binding *const *bindings = stage->memory->meshes[m];
    for (uint32_t p = 0; bindings && p < asset->meshes[m].primitive_count; p++)
      if (bindings[p])
        print_primitive_repairs(stage, &asset->meshes[m].primitives[p],
                                supple_binding_cleaning(bindings[p]));
  }
}

/* ---- the method ---- */

/* LBS or DQS where the skin names it in the file's extras; false where it does not. */
static bool named_method(const supple_skin *skin, supple_method *method) {
  const char *name = skin->skinning_method ? skin->skinning_method : "";
  const bool linear = strcmp(name, "classicLinear") == 0;
  if (!linear && strcmp(name, "dualQuaternion") != 0) return false;
  *method = linear ? SUPPLE_LBS : SUPPLE_DQS;
  return true;
}

supple_method cli_choose_method(const cli_stage *stage) {
  const cli_options *options = stage->options;
  const supple_asset *asset = stage->asset;
  supple_method method = options->method_given ? (supple_method)options->method : SUPPLE_DQS;
  bool found = options->method_given;
  for (uint32_t s = 0; s < asset->skin_count && !found; s++) {
    found = named_method(&asset->skins[s], &method);
    if (found && options->verbose)
      cli_note("%s: skin %u asks for %s (%s)", stage->path, s, asset->skins[s].skinning_method,
               cli_method_name(method));
    for (uint32_t other = s + 1; other < asset->skin_count && found; other++) {
      supple_method differs = method;
      if (!named_method(&asset->skins[other], &differs) || differs == method) continue;
      cli_note("%s: skins %u and %u name different methods; %s is used for all (--method)",
               stage->path, s, other, cli_method_name(method));
      break;
    }
  }
  if (method == SUPPLE_DQS && options->weights == SUPPLE_WEIGHTS_KEEP)
    cli_note("--weights keep changes nothing under dqs, which does not depend on their sum");
  return method;
}

/* ---- names ---- */

const char *cli_node_name(const supple_asset *asset, uint32_t node, char *text, size_t size) {
  const char *name = asset->skeleton.nodes[node].name;
  if (name[0])
    snprintf(text, size, "%s", name);
  else
    snprintf(text, size, "node %u", node);
  return text;
}

const char *cli_clip_name(const supple_asset *asset, uint32_t clip, char *text, size_t size) {
  const char *name = asset->clips[clip].name;
  if (name[0])
    snprintf(text, size, "%s", name);
  else
    snprintf(text, size, "#%u", clip);
  return text;
}

/* "#12" as a number below `count`. */
static bool parse_index(const char *text, size_t length, uint32_t count, uint32_t *index) {
  uint64_t value = 0;
  if (length < 2 || length > 11 || text[0] != '#') return false;
  for (size_t i = 1; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + (uint64_t)(text[i] - '0');
  }
  if (value >= count) return false;
  *index = (uint32_t)value;
  return true;
}

int cli_find_clip(const supple_asset *asset, const cli_options *options, uint32_t *clip) {
  char near[320];
  cli_nearest nearest = {0};
  *clip = SUPPLE_NONE;
  if (!options->clip) return CLI_FINE;
  for (uint32_t i = 0; i < asset->clip_count; i++)
    if (strcmp(asset->clips[i].name, options->clip) == 0) {
      *clip = i;
      return CLI_FINE;
    }
  if (parse_index(options->clip, strlen(options->clip), asset->clip_count, clip)) return CLI_FINE;
  for (uint32_t i = 0; i < asset->clip_count; i++)
    cli_nearest_offer(&nearest, options->clip, asset->clips[i].name);
  return cli_complain(CLI_USAGE, "there is no clip '%.80s' among %u%s", options->clip,
                      asset->clip_count, cli_nearest_text(&nearest, near, sizeof near));
}

int cli_choose_moment(const supple_asset *asset, const cli_options *options, cli_moment *moment) {
  memset(moment, 0, sizeof *moment);
  moment->clip = SUPPLE_NONE;
  if (options->rest && (options->clip || options->time_given))
    return cli_complain(CLI_USAGE, "--rest does not go with --clip or --time");
  const int exit_code = cli_find_clip(asset, options, &moment->clip);
  if (exit_code != CLI_FINE) return exit_code;
  if (options->time_given && moment->clip == SUPPLE_NONE) {
    if (asset->clip_count != 1)
      return cli_complain(CLI_USAGE, "--time needs --clip: the file has %u clips",
                          asset->clip_count);
    moment->clip = 0;
  }
  if (moment->clip != SUPPLE_NONE)
    moment->seconds = options->time_given ? options->time : asset->clips[moment->clip].begin;
  return CLI_FINE;
}

static bool is_named(const supple_asset *asset, uint32_t node, const char *name, size_t length) {
  const char *own = asset->skeleton.nodes[node].name;
  return strlen(own) == length && length > 0 && memcmp(own, name, length) == 0;
}

static int refuse_joint(const supple_asset *asset, const char *name, size_t length) {
  char near[320], wanted[160];
  cli_nearest nearest = {0};
  snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 150 ? length : 150), name);
  for (uint32_t s = 0; s < asset->skin_count; s++)
    for (uint32_t k = 0; k < asset->skins[s].joint_count; k++)
      cli_nearest_offer(&nearest, wanted, asset->skeleton.nodes[asset->skins[s].joints[k]].name);
  for (uint32_t i = 0; i < asset->skeleton.node_count; i++)
    cli_nearest_offer(&nearest, wanted, asset->skeleton.nodes[i].name);
  return cli_complain(CLI_USAGE, "there is no joint '%s'%s", wanted,
                      cli_nearest_text(&nearest, near, sizeof near));
}

int cli_find_joint(const supple_asset *asset, const char *name, size_t length, uint32_t *node) {
  for (uint32_t s = 0; s < asset->skin_count; s++)
    for (uint32_t k = 0; k < asset->skins[s].joint_count; k++)
      if (is_named(asset, asset->skins[s].joints[k], name, length)) {
        *node = asset->skins[s].joints[k];
        return CLI_FINE;
      }
  for (uint32_t i = 0; i < asset->skeleton.node_count; i++)
    if (is_named(asset, i, name, length)) {
      *node = i;
      return CLI_FINE;
    }
  if (parse_index(name, length, asset->skeleton.node_count, node)) return CLI_FINE;
  return refuse_joint(asset, name, length);
}

/* ---- times ---- */

static int by_number(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Every distinct key time; NULL where there are more than `most` (*count is then most + 1) or memory ends. */
static double *distinct_keys(const supple_clip *clip, uint32_t most, uint32_t *count) {
  size_t total = 0, kept = 0;
  for (uint32_t c = 0; c < clip->channel_count; c++) total += clip->channels[c].key_count;
  double *times = malloc((total + 1) * sizeof *times);
  if (!times) {
    *count = 0;
    return NULL;
  }
  total = 0;
  for (uint32_t c = 0; c < clip->channel_count; c++)
    for (uint32_t k = 0; k < clip->channels[c].key_count; k++)
      times[total++] = (double)clip->channels[c].times[k];
  if (total == 0) times[total++] = clip->begin;
  qsort(times, total, sizeof *times, by_number);
  for (size_t i = 0; i < total; i++)
    if (i == 0 || times[i] != times[kept - 1]) times[kept++] = times[i];
  if (kept > most) {
    free(times);
    *count = most + 1;
    return NULL;
  }
  *count = (uint32_t)kept;
  return times;
}

int cli_clip_times(const supple_clip *clip, const cli_options *options, double **times,
                   uint32_t *count) {
  enum { KEYS_MOST = 120 };
  uint32_t frames = options->time_given ? 1 : options->frames;
  *times = NULL;
  if (frames == 0) {
    *times = distinct_keys(clip, KEYS_MOST, count);
    if (*times) return CLI_FINE;
    if (*count == 0) return cli_complain(CLI_FAILED, "out of memory");
    frames = KEYS_MOST;
  } else if (!options->time_given && clip->end <= clip->begin) {
    frames = 1;
  }
  *count = frames;
  *times = malloc(frames * sizeof **times);
  if (!*times) return cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; i < frames; i++)
    (*times)[i] = i == 0 ? clip->begin
                  : i == frames - 1
                      ? clip->end
                      : clip->begin + (clip->end - clip->begin) * (double)i / (double)(frames - 1);
  if (options->time_given) (*times)[0] = options->time;
  return CLI_FINE;
}
