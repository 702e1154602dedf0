/* command_info.c: `supple info`: what is in a file, and what room it takes when it moves. */
#include "command.h"

#include "posed_bounds.h"
#include "print.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

typedef struct info_own {
  bool given;
  bool no_bounds;
} info_own;

/* What is printed, in either form. */
typedef struct info_facts {
  const cli_stage *stage;
  const supple_asset *asset;
  supple_method method;
  bool bounded; /* bounds hold */
  cli_posed_bounds bounds;
} info_facts;

static const char *topology_name(supple_topology topology) {
  return topology == SUPPLE_TOPOLOGY_TRIANGLES ? "triangles"
         : topology == SUPPLE_TOPOLOGY_LINES   ? "lines"
                                               : "points";
}

/* Elements of a primitive: triangles, lines or points. */
static uint32_t element_count(const supple_primitive *primitive) {
  return primitive->index_count / (3 - (uint32_t)primitive->topology);
}

/* Weights that are not zero, as stored: in all, and the most of one vertex. */
static void count_stored(const supple_primitive *primitive, uint64_t *all, uint32_t *most) {
  *all = 0;
  *most = 0;
  for (size_t v = 0; v < primitive->vertex_count; v++) {
    uint32_t count = 0;
    for (size_t i = 0; i < primitive->influence_count; i++)
      count += primitive->weights[v * primitive->influence_count + i] != 0.0f;
    *all += count;
    if (count > *most) *most = count;
  }
}

/* Cleaning of a primitive that an instance uses, or NULL. */
static const supple_binding_report *cleaning_of(const info_facts *facts, uint32_t mesh,
                                                uint32_t primitive) {
  for (uint32_t i = 0; i < facts->stage->instance_count; i++) {
    const cli_stage_instance *staged = &facts->stage->instances[i];
    if (staged->instance->mesh == mesh && staged->bindings[primitive])
      return supple_binding_cleaning(staged->bindings[primitive]);
  }
  return NULL;
}

static uint64_t key_count(const supple_clip *clip) {
  uint64_t count = 0;
  for (uint32_t c = 0; c < clip->channel_count; c++) count += clip->channels[c].key_count;
  return count;
}

static bool is_empty(const supple_bounds *box) { return !(box->min[0] <= box->max[0]); }

/* ---- JSON ---- */

static void json_attributes(cli_json *json, const supple_primitive *primitive) {
  cli_json_array(json, "attributes");
  cli_json_text(json, NULL, "POSITION");
  if (primitive->normals) cli_json_text(json, NULL, "NORMAL");
  if (primitive->tangents) cli_json_text(json, NULL, "TANGENT");
  if (primitive->influence_count) {
    cli_json_text(json, NULL, "JOINTS");
    cli_json_text(json, NULL, "WEIGHTS");
  }
  cli_json_end(json);
}

static void json_influences(cli_json *json, const info_facts *facts,
                            const supple_primitive *primitive) {
  if (primitive->influence_count == 0) {
    cli_json_null(json, "influences");
    return;
  }
  const supple_binding_report *cleaned = cleaning_of(facts, primitive->mesh, primitive->index);
  uint64_t stored;
  uint32_t most;
  count_stored(primitive, &stored, &most);
  cli_json_object(json, "influences");
  cli_json_integer(json, "slots", primitive->influence_count);
  cli_json_integer(json, "stored", (int64_t)stored);
  cli_json_integer(json, "stored_most", most);
  if (cleaned) {
    cli_json_integer(json, "cleaned", cleaned->influences);
    cli_json_integer(json, "cleaned_most", cleaned->most_influences);
    cli_json_object(json, "repairs");
    cli_json_integer(json, "duplicates", cleaned->duplicates);
    cli_json_integer(json, "negatives", cleaned->negatives);
    cli_json_integer(json, "renormalised", cleaned->renormalised);
    cli_json_integer(json, "unweighted", cleaned->unweighted);
    cli_json_integer(json, "limited", cleaned->limited);
    cli_json_float(json, "smallest_sum", cleaned->smallest_sum);
    cli_json_float(json, "largest_sum", cleaned->largest_sum);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void json_meshes(cli_json *json, const info_facts *facts) {
  cli_json_array(json, "meshes");
  for (uint32_t m = 0; m < facts->asset->mesh_count; m++) {
    const supple_mesh *mesh = &facts->asset->meshes[m];
    cli_json_object(json, NULL);
    cli_json_index(json, "mesh", m);
    cli_json_text(json, "name", mesh->name);
    cli_json_array(json, "primitives");
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      const supple_primitive *primitive = &mesh->primitives[p];
      cli_json_object(json, NULL);
      cli_json_index(json, "primitive", p);
      cli_json_text(json, "topology", topology_name(primitive->topology));
      cli_json_integer(json, "vertices", primitive->vertex_count);
      cli_json_integer(json, topology_name(primitive->topology), element_count(primitive));
      cli_json_integer(json, "morph_targets", primitive->target_count);
      cli_json_index(json, "material", primitive->material);
      json_attributes(json, primitive);
      json_influences(json, facts, primitive);
      cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void json_skins(cli_json *json, const supple_asset *asset) {
  cli_json_array(json, "skins");
  for (uint32_t s = 0; s < asset->skin_count; s++) {
    const supple_skin *skin = &asset->skins[s];
    cli_json_object(json, NULL);
    cli_json_index(json, "skin", s);
    cli_json_text(json, "name", skin->name);
    cli_json_index(json, "skeleton", skin->skeleton);
    cli_json_text(json, "skinning_method", skin->skinning_method ? skin->skinning_method : "");
    cli_json_array(json, "joints");
    for (uint32_t k = 0; k < skin->joint_count; k++) {
      cli_json_object(json, NULL);
      cli_json_index(json, "joint", k);
      cli_json_index(json, "node", skin->joints[k]);
      cli_json_text(json, "name", asset->skeleton.nodes[skin->joints[k]].name);
      cli_json_index(json, "parent", skin->parents[k]);
      cli_json_end(json);
    }
    cli_json_end(json);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void json_scenes(cli_json *json, const supple_asset *asset) {
  cli_json_index(json, "scene", asset->scene);
  cli_json_array(json, "scenes");
  for (uint32_t s = 0; s < asset->scene_count; s++) {
    cli_json_object(json, NULL);
    cli_json_text(json, "name", asset->scenes[s].name);
    cli_json_array(json, "nodes");
    for (uint32_t i = 0; i < asset->scenes[s].node_count; i++)
      cli_json_index(json, NULL, asset->scenes[s].nodes[i]);
    cli_json_end(json);
    cli_json_end(json);
  }
  cli_json_end(json);
  cli_json_array(json, "instances");
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    const supple_instance *instance = &asset->instances[i];
    cli_json_object(json, NULL);
    cli_json_index(json, "node", instance->node);
    cli_json_text(json, "name", asset->skeleton.nodes[instance->node].name);
    cli_json_index(json, "mesh", instance->mesh);
    cli_json_index(json, "skin", instance->skin->index);
    if (instance->copy_count) cli_json_index(json, "copies", instance->copy_count);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void json_clips(cli_json *json, const supple_asset *asset) {
  cli_json_array(json, "clips");
  for (uint32_t c = 0; c < asset->clip_count; c++) {
    const supple_clip *clip = &asset->clips[c];
    cli_json_object(json, NULL);
    cli_json_index(json, "clip", c);
    cli_json_text(json, "name", clip->name);
    cli_json_double(json, "begin", clip->begin);
    cli_json_double(json, "end", clip->end);
    cli_json_integer(json, "channels", clip->channel_count);
    cli_json_integer(json, "keys", (int64_t)key_count(clip));
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void json_box(cli_json *json, const char *key, const supple_bounds *box) {
  if (is_empty(box)) {
    cli_json_null(json, key);
    return;
  }
  cli_json_object(json, key);
  cli_json_floats(json, "min", box->min, 3);
  cli_json_floats(json, "max", box->max, 3);
  cli_json_end(json);
}

static void json_bounds(cli_json *json, const info_facts *facts) {
  if (!facts->bounded) {
    cli_json_null(json, "bounds");
    return;
  }
  cli_json_object(json, "bounds");
  cli_json_text(json, "method", cli_method_name(facts->method));
  json_box(json, "rest", &facts->bounds.rest);
  json_box(json, "posed", &facts->bounds.posed);
  cli_json_array(json, "clips");
  for (uint32_t c = 0; c < facts->bounds.clip_count; c++) {
    cli_json_object(json, NULL);
    cli_json_index(json, "clip", c);
    cli_json_integer(json, "times", facts->bounds.times[c]);
    json_box(json, "box", &facts->bounds.clips[c]);
    cli_json_end(json);
  }
  cli_json_end(json);
  cli_json_end(json);
}

static void print_json(cli_output *output, const info_facts *facts) {
  const supple_asset *asset = facts->asset;
  cli_json json = cli_json_start(output, true);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "file", facts->stage->path);
  cli_json_text(&json, "version", asset->version);
  cli_json_text(&json, "generator", asset->generator);
  cli_json_text(&json, "copyright", asset->copyright);
  cli_json_array(&json, "extensions");
  for (uint32_t i = 0; i < asset->extension_count; i++)
    cli_json_text(&json, NULL, asset->extensions_used[i]);
  cli_json_end(&json);
  cli_json_integer(&json, "memory_bytes", (int64_t)asset->memory_bytes);
  cli_json_integer(&json, "nodes", asset->skeleton.node_count);
  json_scenes(&json, asset);
  json_meshes(&json, facts);
  json_skins(&json, asset);
  json_clips(&json, asset);
  cli_json_array(&json, "materials");
  for (uint32_t i = 0; i < asset->material_count; i++)
    cli_json_text(&json, NULL, asset->materials[i].name);
  cli_json_end(&json);
  cli_json_array(&json, "notes");
  for (uint32_t i = 0; i < asset->note_count; i++) {
    cli_json_object(&json, NULL);
    cli_json_text(&json, "pointer", asset->notes[i].pointer);
    cli_json_text(&json, "text", asset->notes[i].text);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  json_bounds(&json, facts);
  cli_json_end(&json);
}

/* ---- text ---- */

static void print_head(cli_output *output, const info_facts *facts) {
  const supple_asset *asset = facts->asset;
  cli_plain_text(output, facts->stage->path);
  cli_output_text(output, ": glTF ");
  cli_plain_text(output, asset->version);
  if (asset->generator[0]) {
    cli_output_text(output, " by ");
    cli_plain_text(output, asset->generator);
  }
  cli_output_format(output,
                    "\n%u scenes, %u nodes, %u meshes, %u skins, %u skinned nodes, "
                    "%u clips, %u materials\n",
                    asset->scene_count, asset->skeleton.node_count, asset->mesh_count,
                    asset->skin_count, asset->instance_count, asset->clip_count,
                    asset->material_count);
  if (asset->copyright[0]) {
    cli_output_text(output, "copyright: ");
    cli_plain_text(output, asset->copyright);
    cli_output_text(output, "\n");
  }
  for (uint32_t i = 0; i < asset->instance_count; i++)
    if (asset->instances[i].copy_count)
      cli_output_format(output, "node %u is drawn %u times (EXT_mesh_gpu_instancing)\n",
                        asset->instances[i].node, asset->instances[i].copy_count);
  if (asset->extension_count == 0) return;
  cli_output_text(output, "extensions:");
  for (uint32_t i = 0; i < asset->extension_count; i++) {
    cli_output_text(output, " ");
    cli_plain_text(output, asset->extensions_used[i]);
  }
  cli_output_text(output, "\n");
}

static void cell_influences(cli_table *table, const supple_primitive *primitive,
                            const supple_binding_report *cleaned) {
  char before[CLI_NUMBER_TEXT], after[CLI_NUMBER_TEXT];
  uint64_t stored;
  uint32_t most;
  if (primitive->influence_count == 0) {
    cli_table_cell(table, "none");
    cli_table_cell(table, "");
    return;
  }
  count_stored(primitive, &stored, &most);
  const double n = (double)primitive->vertex_count;
  cli_table_format(table, "%s, at most %u", cli_fixed_text((double)stored / n, 2, before), most);
  if (cleaned)
    cli_table_format(table, "%s, at most %u",
                     cli_fixed_text((double)cleaned->influences / n, 2, after),
                     cleaned->most_influences);
  else
    cli_table_cell(table, "not skinned");
}

static void print_meshes(cli_output *output, const info_facts *facts) {
  if (facts->asset->mesh_count == 0) return;
  cli_output_text(output, "\nmeshes\n");
  cli_table *table = cli_table_create("llrrrll");
  static const char *const heads[] = {
      "mesh", "name", "primitive", "vertices", "elements", "influences a vertex", "after cleaning"};
  for (int i = 0; i < 7; i++) cli_table_cell(table, heads[i]);
  for (uint32_t m = 0; m < facts->asset->mesh_count; m++) {
    const supple_mesh *mesh = &facts->asset->meshes[m];
    for (uint32_t p = 0; p < mesh->primitive_count; p++) {
      const supple_primitive *primitive = &mesh->primitives[p];
      cli_table_format(table, "%u", m);
      cli_table_cell(table, mesh->name);
      cli_table_format(table, "%u", p);
      cli_table_format(table, "%u", primitive->vertex_count);
      cli_table_format(table, "%u %s", element_count(primitive), topology_name(primitive->topology));
      cell_influences(table, primitive, cleaning_of(facts, m, p));
      cli_table_end_row(table);
    }
  }
  cli_table_print(table, output, 2);
  for (uint32_t m = 0; m < facts->asset->mesh_count; m++)
    if (facts->asset->meshes[m].primitive_count && facts->asset->meshes[m].primitives[0].target_count)
      cli_output_format(output, "  mesh %u has %u morph targets\n", m,
                        facts->asset->meshes[m].primitives[0].target_count);
}

/* How many joints of the skin are above joint k. */
static uint32_t depth_of(const supple_skin *skin, uint32_t k) {
  uint32_t depth = 0;
  for (uint32_t j = skin->parents[k]; j != SUPPLE_NONE && depth < skin->joint_count;
       j = skin->parents[j])
    depth++;
  return depth;
}

typedef struct tree_printer {
  cli_output *output;
  const supple_asset *asset;
  const supple_skin *skin;
  uint32_t *first, *next; /* children of a joint as a list: first child, next sibling */
} tree_printer;

/* Joints below their parents, children in the skin's order; iterative, since chains may be long. */
static void print_tree(const tree_printer *t) {
  enum { DEEPEST_SHOWN = 24 };
  const supple_skin *skin = t->skin;
  uint32_t roots = SUPPLE_NONE;
  for (uint32_t k = 0; k < skin->joint_count; k++) t->first[k] = SUPPLE_NONE;
  for (uint32_t k = skin->joint_count; k-- > 0;) {
    uint32_t *list = skin->parents[k] == SUPPLE_NONE ? &roots : &t->first[skin->parents[k]];
    t->next[k] = *list;
    *list = k;
  }
  for (uint32_t k = roots, depth = 0; k != SUPPLE_NONE;) {
    char name[256];
    const uint32_t shown = depth < DEEPEST_SHOWN ? depth : DEEPEST_SHOWN;
    cli_output_format(t->output, "  %*s", (int)(2 * shown), "");
    cli_plain_text(t->output, cli_node_name(t->asset, skin->joints[k], name, sizeof name));
    cli_output_text(t->output, "\n");
    if (t->first[k] != SUPPLE_NONE) {
      k = t->first[k];
      depth++;
      continue;
    }
    while (k != SUPPLE_NONE && t->next[k] == SUPPLE_NONE) {
      k = skin->parents[k];
      depth -= k != SUPPLE_NONE;
    }
    if (k != SUPPLE_NONE) k = t->next[k];
  }
}

static void print_skins(cli_output *output, const supple_asset *asset) {
  for (uint32_t s = 0; s < asset->skin_count; s++) {
    const supple_skin *skin = &asset->skins[s];
    const size_t bytes = ((size_t)skin->joint_count + 1) * sizeof(uint32_t);
    uint32_t deepest = 0;
    for (uint32_t k = 0; k < skin->joint_count && skin->joint_count <= 4096; k++) {
      const uint32_t depth = depth_of(skin, k);
      if (depth > deepest) deepest = depth;
    }
    cli_output_format(output, "\nskin %u", s);
    if (skin->name[0]) cli_output_text(output, " ");
    cli_plain_text(output, skin->name);
    cli_output_format(output, ": %u joints", skin->joint_count);
    if (deepest) cli_output_format(output, ", %u levels", deepest + 1);
    if (skin->skinning_method && skin->skinning_method[0])
      cli_output_format(output, ", asks for %s", skin->skinning_method);
    cli_output_text(output, "\n");
    const tree_printer tree = {output, asset, skin, malloc(bytes), malloc(bytes)};
    if (tree.first && tree.next)
      print_tree(&tree);
    else
      cli_output_no_memory(output);
    free(tree.first);
    free(tree.next);
  }
}

static void print_clips(cli_output *output, const supple_asset *asset) {
  char name[256];
  if (asset->clip_count == 0) return;
  cli_output_text(output, "\nclips\n");
  cli_table *table = cli_table_create("llrrrr");
  static const char *const heads[] = {"clip", "name", "begins", "ends", "channels", "keys"};
  for (int i = 0; i < 6; i++) cli_table_cell(table, heads[i]);
  for (uint32_t c = 0; c < asset->clip_count; c++) {
    const supple_clip *clip = &asset->clips[c];
    cli_table_format(table, "%u", c);
    cli_table_cell(table, cli_clip_name(asset, c, name, sizeof name));
    cli_table_fixed(table, clip->begin, 3, "s");
    cli_table_fixed(table, clip->end, 3, "s");
    cli_table_format(table, "%u", clip->channel_count);
    cli_table_format(table, "%llu", (unsigned long long)key_count(clip));
    cli_table_end_row(table);
  }
  cli_table_print(table, output, 2);
}

static void row_box(cli_table *table, const char *what, uint32_t times, const supple_bounds *box) {
  char text[3][CLI_NUMBER_TEXT];
  cli_table_cell(table, what);
  if (times)
    cli_table_format(table, "%u", times);
  else
    cli_table_cell(table, "");
  for (int end = 0; end < 2 && !is_empty(box); end++) {
    const float *corner = end ? box->max : box->min;
    for (int c = 0; c < 3; c++) cli_fixed_text((double)corner[c], 4, text[c]);
    cli_table_format(table, "%s  %s  %s", text[0], text[1], text[2]);
  }
  if (is_empty(box)) cli_table_cell(table, "empty");
  cli_table_end_row(table);
}

static void print_bounds(cli_output *output, const info_facts *facts) {
  char name[256];
  if (!facts->bounded || facts->asset->instance_count == 0) return;
  cli_output_format(output, "\nbounds by %s, metres\n", cli_method_name(facts->method));
  cli_table *table = cli_table_create("lrll");
  static const char *const heads[] = {"of", "times", "least x y z", "most x y z"};
  for (int i = 0; i < 4; i++) cli_table_cell(table, heads[i]);
  row_box(table, "nodes as stored", 0, &facts->bounds.rest);
  for (uint32_t c = 0; c < facts->bounds.clip_count; c++)
    row_box(table, cli_clip_name(facts->asset, c, name, sizeof name), facts->bounds.times[c],
            &facts->bounds.clips[c]);
  if (facts->bounds.clip_count > 1) row_box(table, "all clips", 0, &facts->bounds.posed);
  cli_table_print(table, output, 2);
}

static void print_text(cli_output *output, const info_facts *facts) {
  const supple_asset *asset = facts->asset;
  print_head(output, facts);
  print_meshes(output, facts);
  print_skins(output, asset);
  print_clips(output, asset);
  print_bounds(output, facts);
  if (asset->note_count) cli_output_text(output, "\nnotes\n");
  for (uint32_t i = 0; i < asset->note_count; i++) {
    cli_output_text(output, "  ");
    cli_plain_text(output, asset->notes[i].pointer);
    cli_output_text(output, asset->notes[i].pointer[0] ? ": " : "");
    cli_plain_text(output, asset->notes[i].text);
    cli_output_text(output, "\n");
  }
}

/* ---- the command ---- */

static int print_facts(const cli_options *options, const info_facts *facts) {
  cli_output *output = cli_output_open(options->output ? options->output : "-");
  if (!output) return CLI_FAILED;
  if (options->json)
    print_json(output, facts);
  else
    print_text(output, facts);
  return cli_output_close(output);
}

static int run_info(const cli_invocation *invocation) {
  const cli_options *options = &invocation->options;
  const info_own *own = invocation->own;
  int exit_code;
  cli_stage *stage = cli_stage_load(invocation->files[0], options, &exit_code);
  if (!stage) return exit_code;
  info_facts facts = {.stage = stage, .asset = stage->asset};
  facts.method = options->method_given ? (supple_method)options->method : SUPPLE_LBS;
  if (!own->no_bounds) {
    exit_code = cli_posed_bounds_find(stage, facts.method, SUPPLE_NONE, &facts.bounds);
    facts.bounded = exit_code == CLI_FINE;
  }
  /* what could be found out is printed even where a pose could not be deformed */
  const int printed = print_facts(options, &facts);
  if (exit_code == CLI_FINE) exit_code = printed;
  cli_posed_bounds_free(&facts.bounds);
  cli_stage_free(stage);
  return exit_code;
}

static const cli_option own_options[] = {
    {.name = "no-bounds",
     .kind = CLI_FLAG,
     .offset = offsetof(info_own, no_bounds),
     .help = "do not pose the file to find its bounds"},
};

const cli_command cli_command_info = {
    .name = "info",
    .summary = "print what is in a file, and its bounds over every clip",
    .usage = "FILE [options]",
    .description =
        "Meshes with their influences before and after cleaning, skins as trees of joints,\n"
        "clips, scenes, extensions; and the box that the skinned vertices fill: with the\n"
        "nodes as stored, and over each clip (every key up to 120 times, or --frames).\n"
        "Boxes are tight, by linear blend skinning unless --method says otherwise.\n",
    .shared = CLI_USES_JSON | CLI_USES_OUTPUT | CLI_USES_METHOD | CLI_USES_DEFORM |
              CLI_USES_INFLUENCES | CLI_USES_FRAMES | CLI_USES_POSE | CLI_USES_SPACE |
              CLI_USES_THREADS | CLI_USES_LOADING,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(info_own),
    .least_files = 1,
    .most_files = 1,
    .function = run_info,
};
