/* usd_targets.c: names of morph targets. */
#include "usd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What exporters agree on: mesh.extras.targetNames. NULL where it does not say. */
static const char *name_in_file(const cli_usd *usd, uint32_t mesh, uint32_t target) {
  char pointer[96];
  if (!usd->document) return NULL;
  snprintf(pointer, sizeof pointer, "/meshes/%u/extras/targetNames/%u", mesh, target);
  return supple_document_string(usd->document, supple_document_find(usd->document, pointer));
}

const char *cli_usd_target_display(const cli_usd *usd, uint32_t node, uint32_t target) {
  return name_in_file(usd, usd->asset->skeleton.nodes[node].mesh, target);
}

const char *cli_usd_target_name(const cli_usd *usd, uint32_t node, uint32_t target) {
  const char *name = usd->targets[usd->asset->skeleton.nodes[node].weight_begin + target];
  return name ? name : "target";
}

bool cli_usd_name_targets(cli_usd *usd, const cli_usd_morphs *morphs) {
  cli_usd_names *names = cli_usd_names_create();
  bool fine = names != NULL;
  for (uint32_t i = 0; i < morphs->count && fine; i++) {
    const supple_node *node = &usd->asset->skeleton.nodes[morphs->nodes[i]];
    for (uint32_t t = 0; t < node->weight_count && fine; t++) {
      char **name = &usd->targets[node->weight_begin + t];
      const char *identifier =
          cli_usd_names_take_numbered(names, name_in_file(usd, node->mesh, t), "target", t);
      const size_t size = identifier ? strlen(identifier) + 1 : 1;
      char *copy = identifier ? malloc(size) : NULL;
      fine = copy != NULL;
      if (!fine) break;
      memcpy(copy, identifier, size);
      free(*name);
      *name = copy;
    }
  }
  cli_usd_names_free(names);
  return fine;
}
