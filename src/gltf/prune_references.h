/* prune_references.h: who refers to whom in a glTF file, by the specification and the extensions that are known. */
#ifndef SUPPLEI_PRUNE_REFERENCES_H
#define SUPPLEI_PRUNE_REFERENCES_H

#include "document_state.h"

/* Objects of glTF's top-level arrays. Those before SUPPLEI_PRUNE_KINDS are referred to by number. */
typedef enum supplei_prune_kind {
  SUPPLEI_PRUNE_ACCESSOR,
  SUPPLEI_PRUNE_VIEW,
  SUPPLEI_PRUNE_BUFFER,
  SUPPLEI_PRUNE_MESH,
  SUPPLEI_PRUNE_SKIN,
  SUPPLEI_PRUNE_MATERIAL,
  SUPPLEI_PRUNE_TEXTURE,
  SUPPLEI_PRUNE_IMAGE,
  SUPPLEI_PRUNE_SAMPLER,
  SUPPLEI_PRUNE_CAMERA,
  SUPPLEI_PRUNE_NODE,
  SUPPLEI_PRUNE_KINDS,
  SUPPLEI_PRUNE_SCENE = SUPPLEI_PRUNE_KINDS,
  SUPPLEI_PRUNE_ANIMATION,
  SUPPLEI_PRUNE_ROOT /* the whole: what its extensions refer to */
} supplei_prune_kind;

/* "accessors", …; of scenes and animations too. */
const char *supplei_prune_table(supplei_prune_kind kind);

/* Called for each reference: a number, or a JSON pointer as a string (KHR_animation_pointer), for which `kind` is
 * SUPPLEI_PRUNE_ROOT. Not SUPPLE_OK ends it. May replace the value, and nothing else. */
typedef supple_result supplei_prune_visit(void *user, supplei_prune_kind kind, uint32_t value);

/* Visits the references of one object. */
supple_result supplei_prune_references(const supplei_tree *tree, supplei_prune_kind kind,
                                       uint32_t object, supplei_prune_visit *visit, void *user);

/* The object that a JSON pointer leads into: its kind and number, and how much of the pointer names it ("/nodes/3").
 * False where it leads elsewhere. */
bool supplei_prune_pointer(const char *pointer, supplei_prune_kind *kind, uint32_t *index,
                           size_t *length);

/* The kinds (bits) that an extension may refer to in ways that are not known here. 0: everything is known. */
uint32_t supplei_prune_unknown(const char *extension);

#endif
