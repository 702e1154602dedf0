/* fix_json.h: small questions to a document, and copies of its values, for the repairs. */
#ifndef SUPPLEI_FIX_JSON_H
#define SUPPLEI_FIX_JSON_H

#include "../gltf/document_tree.h"
#include "fix_state.h"

/* A number in an object's member: SUPPLE_NONE where there is none. */
uint32_t supplei_fix_index(const supple_document *document, supple_value object, const char *key);
/* /ARRAY/INDEX, as "/nodes/3". */
supple_value supplei_fix_item(const supple_document *document, const char *array, uint32_t index);
/* /meshes/MESH/primitives/PRIMITIVE */
supple_value supplei_fix_primitive(const supple_document *document, uint32_t mesh,
                                   uint32_t primitive);
/* Removes a member where there is one. */
supple_result supplei_fix_remove(supplei_fix *fix, supple_value object, const char *key);
/* Sets a member to a whole number. */
supple_result supplei_fix_set_index(supplei_fix *fix, supple_value object, const char *key,
                                    uint32_t index);

/* How often each accessor is named: by primitives (attributes, targets, indices), skins, samplers of animations,
 * and instancing. uses[count] starts at zero. */
void supplei_fix_count_uses(const supple_document *document, uint32_t *uses, uint32_t count);

/* ---- text ---- */

void supplei_fix_put_index(supplei_output *output, uint32_t index);
/* ,"key": or "key": where `first` */
void supplei_fix_put_key(supplei_output *output, const char *key, bool first);
/* A value as JSON: numbers by value, strings, names and order as they are. */
void supplei_fix_put_value(supplei_output *output, const supple_document *document,
                           supple_value value);
/* The members of an object but for those named in `without` (ending with NULL), each after a comma; `first`: the
 * first without one. Returns whether there was any. */
bool supplei_fix_put_members(supplei_output *output, const supple_document *document,
                             supple_value object, const char *const *without, bool first);

#endif
