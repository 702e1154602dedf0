/* web_asset.c: loading an asset, and telling JavaScript what is in it. */
#include "web.h"

WEB_EXPORT supple_asset *web_asset_load(const void *data, size_t size, uint32_t flags) {
  const supple_load_options options = web_load_options(flags);
  return supple_asset_load_memory(data, size, &options, &web_error);
}
WEB_EXPORT void web_asset_free(supple_asset *asset) { supple_asset_free(asset); }

/* ---- what is in it, as JSON ---- */

static void describe_nodes(web_text *text, const supple_asset *asset) {
  web_array(text, "nodes");
  for (uint32_t i = 0; i < asset->skeleton.node_count; i++) {
    const supple_node *node = &asset->skeleton.nodes[i];
    web_object(text, NULL);
    web_string(text, "name", node->name);
    web_index(text, "parent", node->parent);
    web_index(text, "mesh", node->mesh);
    web_index(text, "skin", node->skin);
    web_number(text, "weightBegin", node->weight_begin);
    web_number(text, "weightCount", node->weight_count);
    web_end(text, '}');
  }
  web_end(text, ']');
}

static void describe_primitive(web_text *text, const supple_primitive *primitive) {
  web_object(text, NULL);
  web_number(text, "topology", primitive->topology);
  web_number(text, "vertexCount", primitive->vertex_count);
  web_number(text, "indexCount", primitive->index_count);
  web_number(text, "influenceCount", primitive->influence_count);
  web_number(text, "targetCount", primitive->target_count);
  web_index(text, "material", primitive->material);
  web_pointer(text, "positions", primitive->positions);
  web_pointer(text, "normals", primitive->normals);
  web_pointer(text, "tangents", primitive->tangents);
  web_pointer(text, "texcoords", primitive->texcoords);
  web_pointer(text, "colors", primitive->colors);
  web_pointer(text, "indices", primitive->indices);
  web_pointer(text, "joints", primitive->joints);
  web_pointer(text, "weights", primitive->weights);
  web_end(text, '}');
}

static void describe_meshes(web_text *text, const supple_asset *asset) {
  web_array(text, "meshes");
  for (uint32_t i = 0; i < asset->mesh_count; i++) {
    const supple_mesh *mesh = &asset->meshes[i];
    web_object(text, NULL);
    web_string(text, "name", mesh->name);
    web_array(text, "primitives");
    for (uint32_t k = 0; k < mesh->primitive_count; k++)
      describe_primitive(text, &mesh->primitives[k]);
    web_end(text, ']');
    web_end(text, '}');
  }
  web_end(text, ']');
}

static void describe_skins(web_text *text, const supple_asset *asset) {
  web_array(text, "skins");
  for (uint32_t i = 0; i < asset->skin_count; i++) {
    const supple_skin *skin = &asset->skins[i];
    web_object(text, NULL);
    web_string(text, "name", skin->name);
    web_string(text, "method", skin->skinning_method);
    web_pointer(text, "inverseBinds", skin->inverse_binds);
    web_array(text, "joints");
    for (uint32_t k = 0; k < skin->joint_count; k++) web_number(text, NULL, skin->joints[k]);
    web_end(text, ']');
    web_array(text, "parents");
    for (uint32_t k = 0; k < skin->joint_count; k++) web_index(text, NULL, skin->parents[k]);
    web_end(text, ']');
    web_end(text, '}');
  }
  web_end(text, ']');
}

static void describe_rest(web_text *text, const supple_asset *asset) {
  web_array(text, "instances");
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    const supple_instance *instance = &asset->instances[i];
    web_object(text, NULL);
    web_number(text, "node", instance->node);
    web_number(text, "mesh", instance->mesh);
    web_number(text, "skin", instance->skin->index);
    web_end(text, '}');
  }
  web_end(text, ']');
  web_array(text, "clips");
  for (uint32_t i = 0; i < asset->clip_count; i++) {
    web_object(text, NULL);
    web_string(text, "name", asset->clips[i].name);
    web_number(text, "begin", asset->clips[i].begin);
    web_number(text, "end", asset->clips[i].end);
    web_end(text, '}');
  }
  web_end(text, ']');
  web_array(text, "extensions");
  for (uint32_t i = 0; i < asset->extension_count; i++)
    web_string(text, NULL, asset->extensions_used[i]);
  web_end(text, ']');
  web_array(text, "notes");
  for (uint32_t i = 0; i < asset->note_count; i++) {
    web_object(text, NULL);
    web_string(text, "pointer", asset->notes[i].pointer);
    web_string(text, "text", asset->notes[i].text);
    web_end(text, '}');
  }
  web_end(text, ']');
}

/* Everything but the streams, which it gives the addresses of; free it with web_free. */
WEB_EXPORT char *web_asset_describe(const supple_asset *asset) {
  web_text text = {0};
  web_object(&text, NULL);
  web_string(&text, "generator", asset->generator);
  web_index(&text, "scene", asset->scene);
  web_number(&text, "memoryBytes", (double)asset->memory_bytes);
  describe_nodes(&text, asset);
  describe_meshes(&text, asset);
  describe_skins(&text, asset);
  describe_rest(&text, asset);
  web_end(&text, '}');
  return web_finish(&text);
}
