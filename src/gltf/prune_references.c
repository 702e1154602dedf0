/* prune_references.c: who refers to whom in a glTF file. */
#include "../base/prologue.h"

#include "prune_references.h"

#include <string.h>

static const char *const tables[] = {"accessors", "bufferViews", "buffers",   "meshes",   "skins",
                                     "materials", "textures",    "images",    "samplers", "cameras",
                                     "nodes",     "scenes",      "animations"};

const char *supplei_prune_table(supplei_prune_kind kind) { return tables[kind]; }

typedef struct walk {
  const supplei_tree *tree;
  supplei_prune_visit *visit;
  void *user;
  supple_result result; /* the first that is not SUPPLE_OK; nothing is visited after it */
} walk;

/* ---- steps ---- */

static uint32_t get(const walk *w, uint32_t object, const char *key) {
  return supplei_tree_member(w->tree, object, key);
}

static uint32_t extension(const walk *w, uint32_t object, const char *name) {
  return supplei_document_extension(w->tree, object, name);
}

static uint32_t count_of(const walk *w, uint32_t value) {
  const supplei_value *v = supplei_value_at(w->tree, value);
  return v ? v->count : 0;
}

static void visit_value(walk *w, supplei_prune_kind kind, uint32_t value) {
  if (value != SUPPLE_NONE && !w->result) w->result = w->visit(w->user, kind, value);
}

static void visit_member(walk *w, supplei_prune_kind kind, uint32_t object, const char *key) {
  visit_value(w, kind, get(w, object, key));
}

/* All children of an array or object. */
static void visit_all(walk *w, supplei_prune_kind kind, uint32_t container) {
  for (uint32_t i = 0; i < count_of(w, container); i++)
    visit_value(w, kind, supplei_tree_child(w->tree, container, i));
}

/* ---- objects ---- */

static void visit_primitive(walk *w, uint32_t primitive) {
  visit_all(w, SUPPLEI_PRUNE_ACCESSOR, get(w, primitive, "attributes"));
  visit_member(w, SUPPLEI_PRUNE_ACCESSOR, primitive, "indices");
  visit_member(w, SUPPLEI_PRUNE_MATERIAL, primitive, "material");
  const uint32_t targets = get(w, primitive, "targets");
  for (uint32_t i = 0; i < count_of(w, targets); i++)
    visit_all(w, SUPPLEI_PRUNE_ACCESSOR, supplei_tree_child(w->tree, targets, i));
  visit_member(w, SUPPLEI_PRUNE_VIEW, extension(w, primitive, "KHR_draco_mesh_compression"),
               "bufferView");
  const uint32_t mappings = get(w, extension(w, primitive, "KHR_materials_variants"), "mappings");
  for (uint32_t i = 0; i < count_of(w, mappings); i++)
    visit_member(w, SUPPLEI_PRUNE_MATERIAL, supplei_tree_child(w->tree, mappings, i), "material");
}

static void visit_animation(walk *w, uint32_t animation) {
  const uint32_t samplers = get(w, animation, "samplers"), channels = get(w, animation, "channels");
  for (uint32_t i = 0; i < count_of(w, samplers); i++) {
    const uint32_t sampler = supplei_tree_child(w->tree, samplers, i);
    visit_member(w, SUPPLEI_PRUNE_ACCESSOR, sampler, "input");
    visit_member(w, SUPPLEI_PRUNE_ACCESSOR, sampler, "output");
  }
  for (uint32_t i = 0; i < count_of(w, channels); i++) {
    const uint32_t target = get(w, supplei_tree_child(w->tree, channels, i), "target");
    visit_member(w, SUPPLEI_PRUNE_NODE, target, "node");
    visit_member(w, SUPPLEI_PRUNE_ROOT, extension(w, target, "KHR_animation_pointer"), "pointer");
  }
}

static bool ends_with(const char *text, const char *ending) {
  const size_t length = strlen(text), n = strlen(ending);
  return length >= n && strcmp(text + length - n, ending) == 0;
}

/* Every "…Texture" of a material and of its extensions is a textureInfo. The depth is that of the JSON at most;
 * materials nest four deep, so what lies deeper is no texture. */
static void visit_textures(walk *w, uint32_t value, int depth) {
  for (uint32_t i = 0; i < count_of(w, value) && depth < 6; i++) {
    const uint32_t child = supplei_tree_child(w->tree, value, i);
    const char *key = supplei_tree_key(w->tree, child);
    if (!supplei_tree_is(w->tree, child, SUPPLEI_JSON_OBJECT) || strcmp(key, "extras") == 0)
      continue;
    if (ends_with(key, "Texture"))
      visit_member(w, SUPPLEI_PRUNE_TEXTURE, child, "index");
    else
      visit_textures(w, child, depth + 1);
  }
}

static void visit_node(walk *w, uint32_t node) {
  visit_member(w, SUPPLEI_PRUNE_MESH, node, "mesh");
  visit_member(w, SUPPLEI_PRUNE_SKIN, node, "skin");
  visit_member(w, SUPPLEI_PRUNE_CAMERA, node, "camera");
  visit_all(w, SUPPLEI_PRUNE_NODE, get(w, node, "children"));
  visit_all(w, SUPPLEI_PRUNE_ACCESSOR,
            get(w, extension(w, node, "EXT_mesh_gpu_instancing"), "attributes"));
}

static void visit_accessor(walk *w, uint32_t accessor) {
  const uint32_t sparse = get(w, accessor, "sparse");
  visit_member(w, SUPPLEI_PRUNE_VIEW, accessor, "bufferView");
  visit_member(w, SUPPLEI_PRUNE_VIEW, get(w, sparse, "indices"), "bufferView");
  visit_member(w, SUPPLEI_PRUNE_VIEW, get(w, sparse, "values"), "bufferView");
}

static void visit_view(walk *w, uint32_t view) {
  visit_member(w, SUPPLEI_PRUNE_BUFFER, view, "buffer");
  visit_member(w, SUPPLEI_PRUNE_BUFFER, extension(w, view, "EXT_meshopt_compression"), "buffer");
  visit_member(w, SUPPLEI_PRUNE_BUFFER, extension(w, view, "KHR_meshopt_compression"), "buffer");
}

static void visit_texture(walk *w, uint32_t texture) {
  static const char *const sources[] = {"KHR_texture_basisu", "EXT_texture_webp",
                                        "EXT_texture_avif", "MSFT_texture_dds"};
  visit_member(w, SUPPLEI_PRUNE_SAMPLER, texture, "sampler");
  visit_member(w, SUPPLEI_PRUNE_IMAGE, texture, "source");
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
    visit_member(w, SUPPLEI_PRUNE_IMAGE, extension(w, texture, sources[i]), "source");
}

/* Image-based lights hold images, three deep; they are named by scenes and always kept. */
static void visit_root(walk *w, uint32_t root) {
  const uint32_t lights = get(w, extension(w, root, "EXT_lights_image_based"), "lights");
  for (uint32_t i = 0; i < count_of(w, lights); i++) {
    const uint32_t mips = get(w, supplei_tree_child(w->tree, lights, i), "specularImages");
    for (uint32_t k = 0; k < count_of(w, mips); k++)
      visit_all(w, SUPPLEI_PRUNE_IMAGE, supplei_tree_child(w->tree, mips, k));
  }
}

static void visit_skin(walk *w, uint32_t skin) {
  visit_member(w, SUPPLEI_PRUNE_ACCESSOR, skin, "inverseBindMatrices");
  visit_member(w, SUPPLEI_PRUNE_NODE, skin, "skeleton");
  visit_all(w, SUPPLEI_PRUNE_NODE, get(w, skin, "joints"));
}

supple_result supplei_prune_references(const supplei_tree *tree, supplei_prune_kind kind,
                                       uint32_t object, supplei_prune_visit *visit, void *user) {
  walk w = {.tree = tree, .visit = visit, .user = user};
  const uint32_t primitives =
      kind == SUPPLEI_PRUNE_MESH ? get(&w, object, "primitives") : SUPPLE_NONE;
  switch (kind) {
  case SUPPLEI_PRUNE_ACCESSOR: visit_accessor(&w, object); break;
  case SUPPLEI_PRUNE_VIEW: visit_view(&w, object); break;
  case SUPPLEI_PRUNE_MESH:
    for (uint32_t i = 0; i < count_of(&w, primitives); i++)
      visit_primitive(&w, supplei_tree_child(tree, primitives, i));
    break;
  case SUPPLEI_PRUNE_SKIN: visit_skin(&w, object); break;
  case SUPPLEI_PRUNE_MATERIAL: visit_textures(&w, object, 0); break;
  case SUPPLEI_PRUNE_TEXTURE: visit_texture(&w, object); break;
  case SUPPLEI_PRUNE_IMAGE: visit_member(&w, SUPPLEI_PRUNE_VIEW, object, "bufferView"); break;
  case SUPPLEI_PRUNE_NODE: visit_node(&w, object); break;
  case SUPPLEI_PRUNE_SCENE: visit_all(&w, SUPPLEI_PRUNE_NODE, get(&w, object, "nodes")); break;
  case SUPPLEI_PRUNE_ANIMATION: visit_animation(&w, object); break;
  case SUPPLEI_PRUNE_ROOT: visit_root(&w, object); break;
  case SUPPLEI_PRUNE_BUFFER:
  case SUPPLEI_PRUNE_SAMPLER:
  case SUPPLEI_PRUNE_CAMERA: break;
  }
  return w.result;
}

/* ---- pointers ---- */

bool supplei_prune_pointer(const char *pointer, supplei_prune_kind *kind, uint32_t *index,
                           size_t *length) {
  if (*pointer != '/') return false;
  const char *name = pointer + 1;
  const size_t n = strcspn(name, "/");
  int found = 0;
  while (found < SUPPLEI_PRUNE_KINDS &&
         !(strlen(tables[found]) == n && strncmp(tables[found], name, n) == 0))
    found++;
  if (found == SUPPLEI_PRUNE_KINDS || !name[n]) return false;
  const char *digits = name + n + 1;
  uint64_t number = 0;
  size_t k = 0;
  for (; digits[k] >= '0' && digits[k] <= '9' && k < 10; k++)
    number = number * 10 + (uint64_t)(digits[k] - '0');
  if (k == 0 || (digits[k] && digits[k] != '/') || number >= SUPPLE_NONE) return false;
  *kind = (supplei_prune_kind)found;
  *index = (uint32_t)number;
  *length = (size_t)(digits + k - pointer);
  return true;
}

/* ---- extensions ---- */

static bool matches(const char *name, const char *pattern) {
  const size_t n = strcspn(pattern, "*");
  return strncmp(name, pattern, n) == 0 && (pattern[n] || !name[n]);
}

uint32_t supplei_prune_unknown(const char *name) {
  static const char *const known[] = {"KHR_animation_pointer",
                                      "KHR_draco_mesh_compression",
                                      "KHR_lights_punctual",
                                      "KHR_materials_anisotropy",
                                      "KHR_materials_clearcoat",
                                      "KHR_materials_diffuse_transmission",
                                      "KHR_materials_dispersion",
                                      "KHR_materials_emissive_strength",
                                      "KHR_materials_ior",
                                      "KHR_materials_iridescence",
                                      "KHR_materials_pbrSpecularGlossiness",
                                      "KHR_materials_sheen",
                                      "KHR_materials_specular",
                                      "KHR_materials_transmission",
                                      "KHR_materials_unlit",
                                      "KHR_materials_variants",
                                      "KHR_materials_volume",
                                      "KHR_mesh_quantization",
                                      "KHR_meshopt_compression",
                                      "KHR_node_visibility",
                                      "KHR_node_hoverability",
                                      "KHR_node_selectability",
                                      "KHR_texture_basisu",
                                      "KHR_texture_transform",
                                      "KHR_xmp_json_ld",
                                      "EXT_lights_ies",
                                      "EXT_lights_image_based",
                                      "EXT_mesh_gpu_instancing",
                                      "EXT_meshopt_compression",
                                      "EXT_texture_avif",
                                      "EXT_texture_webp",
                                      "MSFT_texture_dds",
                                      "MSFT_packing_normalRoughnessMetallic",
                                      "MSFT_packing_occlusionRoughnessMetallic",
                                      "FB_ngon_encoding",
                                      "EXT_materials_bump",
                                      "ADOBE_materials_thin_transparency"};
  /* Avatars: what they name is a node, a mesh, or what a material shows, and never bytes. */
  static const char *const avatars[] = {"VRM", "VRMC_*"};
  const uint32_t shown = 1u << SUPPLEI_PRUNE_NODE | 1u << SUPPLEI_PRUNE_MESH |
                         1u << SUPPLEI_PRUNE_MATERIAL | 1u << SUPPLEI_PRUNE_TEXTURE |
                         1u << SUPPLEI_PRUNE_IMAGE | 1u << SUPPLEI_PRUNE_SAMPLER;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i]) == 0) return 0;
  for (size_t i = 0; i < sizeof avatars / sizeof *avatars; i++)
    if (matches(name, avatars[i])) return shown;
  return (1u << SUPPLEI_PRUNE_KINDS) - 1;
}
