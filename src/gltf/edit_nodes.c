/* edit_nodes.c: rest transforms of a document's nodes. */
#include "../base/prologue.h"

#include "document_state.h"

#include <math.h>
#include <string.h>

static bool equal(const double *a, const double *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (a[i] != b[i]) return false;
  return true;
}

/* Whether a value is an array of so many numbers. */
static bool is_numbers(const supplei_tree *tree, uint32_t array, uint32_t count) {
  if (!supplei_tree_is(tree, array, SUPPLEI_JSON_ARRAY) || tree->values[array].count != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!supplei_tree_is(tree, supplei_tree_child(tree, array, i), SUPPLEI_JSON_NUMBER))
      return false;
  return true;
}

/* Replaces the numbers that differ. */
static supple_result update_numbers(supplei_tree *tree, uint32_t array, const double *values,
                                    uint32_t count, supple_error *error) {
  char text[SUPPLEI_NUMBER_TEXT];
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t item = supplei_tree_child(tree, array, i);
    double old = 0;
    if (supplei_tree_number(tree, item, &old) && old == values[i]) continue;
    const supple_result result =
        supplei_tree_replace(tree, item, supplei_number_text(values[i], text), NULL, error);
    if (result) return result;
  }
  return SUPPLE_OK;
}

/* A member that is an array of numbers; what equals `otherwise` is not put in anew. */
static supple_result set_numbers(supplei_tree *tree, uint32_t object, const char *key,
                                 const double *values, const double *otherwise, uint32_t count,
                                 supple_error *error) {
  const uint32_t array = supplei_tree_member(tree, object, key);
  char text[16 * SUPPLEI_NUMBER_TEXT], number[SUPPLEI_NUMBER_TEXT];
  size_t used = 0;
  if (is_numbers(tree, array, count)) return update_numbers(tree, array, values, count, error);
  if (array == SUPPLE_NONE && equal(values, otherwise, count)) return SUPPLE_OK;
  for (uint32_t i = 0; i < count; i++) {
    const size_t length = strlen(supplei_number_text(values[i], number));
    text[used++] = i ? ',' : '[';
    memcpy(text + used, number, length);
    used += length;
  }
  text[used++] = ']';
  text[used] = 0;
  return supplei_tree_set(tree, object, key, text, NULL, error);
}

static supple_result set_transform(supplei_tree *tree, uint32_t object,
                                   const supple_transform *transform, supple_error *error) {
  static const double zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, none[4] = {0, 0, 0, 1};
  const supple_vec3 t = transform->translation, s = transform->scale;
  const supple_quat r = transform->rotation;
  supple_result result = supplei_tree_remove_member(tree, object, "matrix", error);
  if (!result)
    result =
        set_numbers(tree, object, "translation", (const double[]){t.x, t.y, t.z}, zero, 3, error);
  if (!result)
    result =
        set_numbers(tree, object, "rotation", (const double[]){r.x, r.y, r.z, r.w}, none, 4, error);
  if (!result)
    result = set_numbers(tree, object, "scale", (const double[]){s.x, s.y, s.z}, one, 3, error);
  return result;
}

static supple_result set_matrix(supplei_tree *tree, uint32_t object, const double columns[16],
                                supple_error *error) {
  static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  static const char *const parts[] = {"translation", "rotation", "scale"};
  supple_result result = SUPPLE_OK;
  for (int i = 0; i < 3 && !result; i++)
    result = supplei_tree_remove_member(tree, object, parts[i], error);
  return result ? result : set_numbers(tree, object, "matrix", columns, identity, 16, error);
}

supple_result supple_document_set_node(supple_document *document, uint32_t node,
                                       const supple_transform *transform,
                                       const supple_affine64 *matrix, supple_error *error) {
  supplei_tree *tree = &document->tree;
  const uint32_t object = supplei_document_item(document, "nodes", node);
  double numbers[16] = {0};
  if (!supplei_tree_is(tree, object, SUPPLEI_JSON_OBJECT))
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "there is no node %u",
                        (unsigned)node);
  if (!transform == !matrix)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "a node takes a transform or a matrix, one of them");
  if (matrix)
    supple_affine64_to_columns(matrix, numbers);
  else
    memcpy(numbers, transform, sizeof *transform); /* ten doubles */
  for (int i = 0; i < 16; i++)
    if (!isfinite(numbers[i]))
      return supplei_tree_fail(tree, object, error, SUPPLE_ERROR_NUMBER,
                               "its new transform is not finite");
  const uint32_t mark = supplei_tree_begin(tree);
  const supple_result result = matrix ? set_matrix(tree, object, numbers, error)
                                      : set_transform(tree, object, transform, error);
  return supplei_tree_end(tree, mark, result);
}
