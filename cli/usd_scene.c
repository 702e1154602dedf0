/* usd_scene.c: nodes that carry meshes without skin, as a tree of Xforms that the bound clip moves. */
#include "usd.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene {
  cli_usd *usd;
  uint32_t *child, *next;          /* [node_count] first child and next sibling among the wanted */
  uint32_t roots;                  /* the first root */
  const supple_channel **moves[3]; /* [node_count] the bound clip's channel by path, or NULL */
  char *path;                      /* of the open prim */
  size_t length, room;
} scene;

/* ---- which nodes ---- */

static bool carries_plain_mesh(const supple_asset *asset, const supple_node *node) {
  if (node->mesh >= asset->mesh_count) return false;
  const supple_mesh *mesh = &asset->meshes[node->mesh];
  for (uint32_t p = 0; p < mesh->primitive_count; p++)
    if (!cli_usd_is_skinned(node, &mesh->primitives[p])) return true;
  return false;
}

static bool allocate(scene *tree) {
  const size_t nodes = (size_t)tree->usd->asset->skeleton.node_count + 1;
  tree->child = malloc(nodes * sizeof *tree->child);
  tree->next = malloc(nodes * sizeof *tree->next);
  for (size_t p = 0; p < 3; p++) tree->moves[p] = calloc(nodes, sizeof *tree->moves[p]);
  tree->room = 256;
  tree->path = malloc(tree->room);
  return tree->child && tree->next && tree->moves[0] && tree->moves[1] && tree->moves[2] &&
         tree->path;
}

/* Links what carries a mesh, and all above it. From the end of the order, so that children come before their
 * parents, and later siblings before earlier ones. */
static bool link_nodes(scene *tree) {
  const supple_asset *asset = tree->usd->asset;
  const supple_skeleton *skeleton = &asset->skeleton;
  tree->roots = SUPPLE_NONE;
  memset(tree->child, 0xFF, (size_t)skeleton->node_count * sizeof *tree->child);
  for (uint32_t i = skeleton->node_count; i-- > 0;) {
    const uint32_t n = skeleton->order[i], parent = skeleton->nodes[n].parent;
    if (tree->child[n] == SUPPLE_NONE && !carries_plain_mesh(asset, &skeleton->nodes[n])) continue;
    uint32_t *first = parent == SUPPLE_NONE ? &tree->roots : &tree->child[parent];
    tree->next[n] = *first;
    *first = n;
  }
  return tree->roots != SUPPLE_NONE;
}

static void find_channels(scene *tree) {
  const cli_usd *usd = tree->usd;
  if (usd->clip == SUPPLE_NONE) return;
  const supple_clip *clip = &usd->asset->clips[usd->clip];
  for (uint32_t c = 0; c < clip->channel_count; c++) {
    const supple_channel *channel = &clip->channels[c];
    if (channel->path < SUPPLE_PATH_WEIGHTS && channel->key_count)
      tree->moves[channel->path][channel->node] = channel;
  }
}

/* ---- a node's transform ---- */

typedef struct move {
  const supple_channel *channel; /* NULL: the rest */
  const supple_transform *rest;
  supple_path path;
} move;

static void sample_move(const void *user, double seconds, float *values) {
  const move *of = user;
  const supple_quat q = of->rest->rotation;
  const supple_vec3 v =
      of->path == SUPPLE_PATH_TRANSLATION ? of->rest->translation : of->rest->scale;
  float sampled[4] = {(float)v.x, (float)v.y, (float)v.z, 0};
  if (of->path == SUPPLE_PATH_ROTATION)
    sampled[0] = (float)q.x, sampled[1] = (float)q.y, sampled[2] = (float)q.z,
    sampled[3] = (float)q.w;
  if (of->channel) supple_channel_sample(of->channel, seconds, sampled);
  const bool turn = of->path == SUPPLE_PATH_ROTATION; /* USD has the scalar first */
  for (int i = 0; i < (turn ? 4 : 3); i++)
    values[i] = sampled[turn ? (i + 3) % 4 : i] + 0.0f; /* no -0 */
}

static bool wants_all(const void *user, const supple_channel *channel) {
  (void)user, (void)channel;
  return true;
}

static int write_move(const scene *tree, uint32_t node, supple_path path, const char *declaration) {
  const cli_usd *usd = tree->usd;
  const move of = {tree->moves[path][node], &usd->asset->skeleton.nodes[node].rest, path};
  const uint32_t width = path == SUPPLE_PATH_ROTATION ? 4 : 3;
  const cli_usd_attribute attribute = {declaration, width, 1, true, width == 4, sample_move, &of};
  if (!of.channel) return cli_usd_write_attribute(usd, &attribute, NULL, 0, 0);
  const supple_clip alone = {.name = "", .channels = of.channel, .channel_count = 1};
  uint32_t count;
  cli_usd_moment *moments = cli_usd_moments(&alone, usd->fps, wants_all, NULL, &count);
  if (!moments) return CLI_FAILED;
  const int exit_code = cli_usd_write_attribute(usd, &attribute, moments, count, 0);
  free(moments);
  return exit_code;
}

static bool is_identity(const supple_transform *t) {
  return t->translation.x == 0 && t->translation.y == 0 && t->translation.z == 0 &&
         t->rotation.x == 0 && t->rotation.y == 0 && t->rotation.z == 0 && t->scale.x == 1 &&
         t->scale.y == 1 && t->scale.z == 1;
}

static int write_transform(const scene *tree, uint32_t node) {
  const cli_usd *usd = tree->usd;
  const supple_node *source = &usd->asset->skeleton.nodes[node];
  const bool moved = tree->moves[0][node] || tree->moves[1][node] || tree->moves[2][node];
  if (!moved && source->has_matrix) {
    cli_usd_indent(&usd->text);
    cli_output_text(usd->text.output, "matrix4d xformOp:transform = ");
    cli_usd_matrix(usd->text.output, &source->matrix);
    cli_output_text(usd->text.output, "\n");
    cli_usd_line(&usd->text, "uniform token[] xformOpOrder = [\"xformOp:transform\"]");
    return CLI_FINE;
  }
  if (!moved && is_identity(&source->rest)) return CLI_FINE;
  int exit_code = write_move(tree, node, SUPPLE_PATH_ROTATION, "quatf xformOp:orient");
  if (exit_code == CLI_FINE)
    exit_code = write_move(tree, node, SUPPLE_PATH_SCALE, "float3 xformOp:scale");
  if (exit_code == CLI_FINE)
    exit_code = write_move(tree, node, SUPPLE_PATH_TRANSLATION, "double3 xformOp:translate");
  cli_usd_line(&usd->text, "uniform token[] xformOpOrder = [\"xformOp:translate\", "
                           "\"xformOp:orient\", \"xformOp:scale\"]");
  return exit_code;
}

/* ---- the tree ---- */

static bool append_path(scene *tree, const char *identifier) {
  const size_t size = strlen(identifier) + 1;
  if (tree->length + size + 1 > tree->room) {
    const size_t room = 2 * (tree->length + size + 1);
    char *path = realloc(tree->path, room);
    if (!path) return false;
    tree->path = path;
    tree->room = room;
  }
  tree->path[tree->length++] = '/';
  memcpy(tree->path + tree->length, identifier, size);
  tree->length += size - 1;
  return true;
}

static int open_node(scene *tree, uint32_t node) {
  cli_usd *usd = tree->usd;
  const supple_node *source = &usd->asset->skeleton.nodes[node];
  const char *identifier = cli_usd_names_take_numbered(usd->names, source->name, "Node", node);
  if (!identifier || !append_path(tree, identifier))
    return cli_complain(CLI_FAILED, "out of memory");
  cli_usd_open(&usd->text, "Xform", identifier, source->name, NULL);
  int exit_code = write_transform(tree, node);
  if (exit_code == CLI_FINE && carries_plain_mesh(usd->asset, source))
    exit_code = cli_usd_write_plain_meshes(usd, node, tree->path);
  return exit_code;
}

static void close_node(scene *tree) {
  cli_usd_close(&tree->usd->text);
  while (tree->path[tree->length - 1] != '/') tree->length--;
  tree->path[--tree->length] = '\0';
}

/* Without recursion: files may nest deeper than the stack. */
static int write_tree(scene *tree) {
  const supple_node *nodes = tree->usd->asset->skeleton.nodes;
  int exit_code =
      append_path(tree, tree->usd->root) ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
  uint32_t node = tree->roots;
  while (node != SUPPLE_NONE && exit_code == CLI_FINE && !cli_output_failed(tree->usd->text.output)) {
    exit_code = open_node(tree, node);
    if (exit_code != CLI_FINE) break;
    if (tree->child[node] != SUPPLE_NONE) {
      node = tree->child[node];
      continue;
    }
    close_node(tree);
    while (tree->next[node] == SUPPLE_NONE && nodes[node].parent != SUPPLE_NONE) {
      node = nodes[node].parent;
      close_node(tree);
    }
    node = tree->next[node];
  }
  return exit_code;
}

int cli_usd_write_scene(cli_usd *usd) {
  scene tree = {.usd = usd};
  int exit_code = allocate(&tree) ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
  if (exit_code == CLI_FINE && link_nodes(&tree)) {
    find_channels(&tree);
    exit_code = write_tree(&tree);
  }
  free(tree.child);
  free(tree.next);
  for (size_t p = 0; p < 3; p++) free(tree.moves[p]);
  free(tree.path);
  return exit_code;
}
