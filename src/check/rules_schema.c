/* rules_schema.c: whether properties are there, of their type, and in their range. */
#include "../base/prologue.h"

#include "rules.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { POINTER_SIZE = 1024, TEXT_SIZE = 512 };
static const int64_t most_integer = INT64_C(1) << 53;

/* ---- findings ---- */

static void found_at_pointer(supplei_rules *rules, supplei_code code, const char *pointer,
                             uint64_t count, const char *format, va_list arguments) {
  char text[TEXT_SIZE];
  vsnprintf(text, sizeof text, format, arguments);
  supplei_extent extent = {.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX,
                           .metres = (double)NAN};
  supplei_check_found(rules->check, code, pointer, extent, "%s", text);
}

void supplei_rules_found(supplei_rules *rules, supplei_code code, supple_value value,
                         const char *format, ...) {
  char pointer[POINTER_SIZE];
  supple_document_pointer(rules->document, value, pointer, sizeof pointer);
  va_list arguments;
  va_start(arguments, format);
  found_at_pointer(rules, code, pointer, 1, format, arguments);
  va_end(arguments);
}

void supplei_rules_found_many(supplei_rules *rules, supplei_code code, supple_value value,
                              uint64_t count, const char *format, ...) {
  char pointer[POINTER_SIZE];
  supple_document_pointer(rules->document, value, pointer, sizeof pointer);
  va_list arguments;
  va_start(arguments, format);
  found_at_pointer(rules, code, pointer, count, format, arguments);
  va_end(arguments);
}

void supplei_rules_found_key(supplei_rules *rules, supplei_code code, supple_value object,
                             const char *key, const char *format, ...) {
  char pointer[POINTER_SIZE];
  supple_value member = key ? supple_document_member(rules->document, object, key) : object;
  supple_document_pointer(rules->document, member != SUPPLE_NONE ? member : object, pointer,
                          sizeof pointer);
  if (member == SUPPLE_NONE) {
    size_t used = strlen(pointer);
    snprintf(pointer + used, sizeof pointer - used, "/%s", key);
  }
  va_list arguments;
  va_start(arguments, format);
  found_at_pointer(rules, code, pointer, 1, format, arguments);
  va_end(arguments);
}

/* ---- types ---- */

static const char *type_text(supple_value_type type) {
  switch (type) {
  case SUPPLE_VALUE_NULL: return "null";
  case SUPPLE_VALUE_FALSE: return "false";
  case SUPPLE_VALUE_TRUE: return "true";
  case SUPPLE_VALUE_NUMBER: return "a number";
  case SUPPLE_VALUE_STRING: return "a string";
  case SUPPLE_VALUE_ARRAY: return "an array";
  case SUPPLE_VALUE_OBJECT: return "an object";
  case SUPPLE_VALUE_NONE: break;
  }
  return "absent";
}

static void mismatch(supplei_rules *rules, supplei_code code, supple_value value,
                     const char *expected) {
  supplei_rules_found(rules, code, value, "is %s; it must be %s",
                      type_text(supple_document_type(rules->document, value)), expected);
}

static void missing(supplei_rules *rules, supple_value object, const char *key) {
  supplei_rules_found(rules, SUPPLEI_CODE_UNDEFINED_PROPERTY, object, "has no \"%s\"", key);
}

supple_value supplei_rules_member(supplei_rules *rules, supple_value object, const char *key,
                                  const char *type) {
  supple_value value = supple_document_member(rules->document, object, key);
  if (supple_document_type(rules->document, value) != SUPPLE_VALUE_NULL) return value;
  mismatch(rules, SUPPLEI_CODE_TYPE_MISMATCH, value, type);
  return SUPPLE_NONE;
}

supple_value supplei_rules_typed(supplei_rules *rules, supple_value object, const char *key,
                                 supple_value_type type, bool required) {
  supple_value value = supplei_rules_member(rules, object, key, type_text(type));
  if (value == SUPPLE_NONE && required) missing(rules, object, key);
  if (value == SUPPLE_NONE || supple_document_type(rules->document, value) == type) return value;
  mismatch(rules, SUPPLEI_CODE_TYPE_MISMATCH, value, type_text(type));
  return SUPPLE_NONE;
}

/* A number without a fraction. */
static bool whole(const supplei_rules *rules, supple_value value, double *number) {
  return supple_document_number(rules->document, value, number) && isfinite(*number) &&
         floor(*number) == *number;
}

/* ---- numbers ---- */

int64_t supplei_rules_integer(supplei_rules *rules, supple_value object, const char *key,
                              int64_t smallest, int64_t largest, int64_t otherwise) {
  supple_value value = supplei_rules_member(rules, object, key, "a whole number");
  double number;
  if (value == SUPPLE_NONE) {
    if (otherwise != SUPPLEI_REQUIRED) return otherwise;
    missing(rules, object, key);
  } else if (!whole(rules, value, &number)) {
    mismatch(rules, SUPPLEI_CODE_TYPE_MISMATCH, value, "a whole number");
  } else if (number < (double)smallest || (number > (double)largest && largest < most_integer)) {
    if (largest < most_integer)
      supplei_rules_found(rules, SUPPLEI_CODE_VALUE_NOT_IN_RANGE, value,
                          "is %.17g; it must be from %lld to %lld", number, (long long)smallest,
                          (long long)largest);
    else
      supplei_rules_found(rules, SUPPLEI_CODE_VALUE_NOT_IN_RANGE, value,
                          "is %.17g; it must be at least %lld", number, (long long)smallest);
  } else {
    return number < (double)most_integer ? (int64_t)number : most_integer;
  }
  return -1;
}

uint32_t supplei_rules_choice(supplei_rules *rules, supple_value object, const char *key,
                              const uint32_t *list, bool required) {
  supple_value value = supplei_rules_member(rules, object, key, "a whole number");
  double number;
  if (value == SUPPLE_NONE) {
    if (required) missing(rules, object, key);
    return 0;
  }
  if (!whole(rules, value, &number)) {
    mismatch(rules, SUPPLEI_CODE_TYPE_MISMATCH, value, "a whole number");
    return 0;
  }
  for (const uint32_t *item = list; *item; item++)
    if (number == (double)*item) return *item;
  supplei_rules_found(rules, SUPPLEI_CODE_VALUE_NOT_IN_LIST, value,
                      "is %.17g, which glTF does not define", number);
  return 0;
}

bool supplei_rules_bool(supplei_rules *rules, supple_value object, const char *key) {
  supple_value value = supplei_rules_member(rules, object, key, "true or false");
  supple_value_type type = supple_document_type(rules->document, value);
  if (type != SUPPLE_VALUE_NONE && type != SUPPLE_VALUE_TRUE && type != SUPPLE_VALUE_FALSE)
    mismatch(rules, SUPPLEI_CODE_TYPE_MISMATCH, value, "true or false");
  return type == SUPPLE_VALUE_TRUE;
}

supple_value supplei_rules_numbers(supplei_rules *rules, supple_value object, const char *key,
                                   uint32_t count, double smallest, double largest, double *out) {
  supple_value array = supplei_rules_typed(rules, object, key, SUPPLE_VALUE_ARRAY, false);
  if (array == SUPPLE_NONE) return array;
  uint32_t found = supple_document_count(rules->document, array);
  if (!found || (count && found != count)) {
    if (!found)
      supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, array, "is empty");
    else
      supplei_rules_found(rules, SUPPLEI_CODE_ARRAY_LENGTH_NOT_IN_LIST, array,
                          "has %u numbers instead of %u", (unsigned)found, (unsigned)count);
    return SUPPLE_NONE;
  }
  bool wrong = false;
  for (uint32_t i = 0; i < found; i++) {
    supple_value item = supple_document_child(rules->document, array, i);
    double number;
    if (!supple_document_number(rules->document, item, &number)) {
      if (!wrong)
        supplei_rules_found(rules, SUPPLEI_CODE_ARRAY_TYPE_MISMATCH, array,
                            "item %u is %s; it must be a number", (unsigned)i,
                            type_text(supple_document_type(rules->document, item)));
      wrong = true;
    } else if (!isfinite(number) || number < smallest || number > largest) {
      supplei_rules_found(rules, SUPPLEI_CODE_VALUE_NOT_IN_RANGE, item, "is %.9g, out of range",
                          number);
      wrong = true;
    } else if (out) {
      out[i] = number;
    }
  }
  return wrong ? SUPPLE_NONE : array;
}

/* ---- text ---- */

const char *supplei_rules_text(supplei_rules *rules, supple_value object, const char *key,
                               const char *const *list, bool required) {
  supple_value value = supplei_rules_typed(rules, object, key, SUPPLE_VALUE_STRING, required);
  const char *text = supple_document_string(rules->document, value);
  if (!text || !list) return text;
  for (; *list; list++)
    if (strcmp(text, *list) == 0) return text;
  supplei_rules_found(rules, SUPPLEI_CODE_VALUE_NOT_IN_LIST, value,
                      "is \"%.64s\", which glTF does not define", text);
  return NULL;
}

/* ---- indices ---- */

/* Indices that are too large for anything are told apart from none. */
uint32_t supplei_rules_index_of(supplei_rules *rules, supple_value value) {
  double number;
  if (!whole(rules, value, &number) || number < 0) return SUPPLE_NONE;
  return number < (double)(SUPPLE_NONE - 1) ? (uint32_t)number : SUPPLE_NONE - 1;
}

uint32_t supplei_rules_index(supplei_rules *rules, supple_value object, const char *key,
                             bool required) {
  supple_value value = supplei_rules_member(rules, object, key, "an index");
  double number;
  if (value == SUPPLE_NONE) {
    if (required) missing(rules, object, key);
    return SUPPLE_NONE;
  }
  if (!whole(rules, value, &number))
    mismatch(rules, SUPPLEI_CODE_TYPE_MISMATCH, value, "an index, a whole number");
  else if (number < 0)
    supplei_rules_found(rules, SUPPLEI_CODE_INVALID_INDEX, value, "is %.17g; an index is 0 or more",
                        number);
  return supplei_rules_index_of(rules, value);
}

supple_value supplei_rules_nodes(supplei_rules *rules, supple_value object, const char *key,
                                 bool required) {
  supple_value array = supplei_rules_typed(rules, object, key, SUPPLE_VALUE_ARRAY, required);
  if (array == SUPPLE_NONE) return array;
  uint32_t count = supple_document_count(rules->document, array);
  if (!count) {
    supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, array, "is empty");
    return SUPPLE_NONE;
  }
  rules->stamp++;
  for (uint32_t i = 0; i < count; i++) {
    supple_value item = supple_document_child(rules->document, array, i);
    uint32_t index = supplei_rules_index_of(rules, item);
    if (index == SUPPLE_NONE) {
      supplei_rules_found(rules, SUPPLEI_CODE_INVALID_INDEX, item,
                          "is no index (a whole number, 0 or more)");
    } else if (index < rules->node_array.count && rules->stamps) {
      if (rules->stamps[index] == rules->stamp)
        supplei_rules_found(rules, SUPPLEI_CODE_DUPLICATE_ELEMENTS, item,
                            "names node %u, which the list has already", (unsigned)index);
      rules->stamps[index] = rules->stamp;
    }
  }
  return array;
}

static bool exists(const supplei_rules *rules, const supplei_rules_array *array, uint32_t index) {
  return index < array->count &&
         supple_document_type(rules->document, supple_document_child(rules->document, array->value,
                                                                     index)) == SUPPLE_VALUE_OBJECT;
}

bool supplei_rules_resolve(supplei_rules *rules, supple_value object, const char *key,
                           uint32_t index, const supplei_rules_array *array, const char *what) {
  if (index == SUPPLE_NONE) return false;
  if (exists(rules, array, index)) return true;
  if (index < array->count)
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNRESOLVED_REFERENCE, object, key,
                            "names %s %u, which is no object", what, (unsigned)index);
  else
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNRESOLVED_REFERENCE, object, key,
                            "names %s %u, but there are only %u", what, (unsigned)index,
                            (unsigned)array->count);
  return false;
}

uint32_t supplei_rules_node_of(supplei_rules *rules, supple_value item) {
  uint32_t index = supplei_rules_index_of(rules, item);
  if (index == SUPPLE_NONE || exists(rules, &rules->node_array, index)) return index;
  if (index < rules->node_array.count)
    supplei_rules_found(rules, SUPPLEI_CODE_UNRESOLVED_REFERENCE, item,
                        "names node %u, which is no object", (unsigned)index);
  else
    supplei_rules_found(rules, SUPPLEI_CODE_UNRESOLVED_REFERENCE, item,
                        "names node %u, but there are only %u", (unsigned)index,
                        (unsigned)rules->node_array.count);
  return SUPPLE_NONE;
}

/* ---- objects ---- */

supple_value supplei_rules_objects(supplei_rules *rules, supple_value object, const char *key) {
  supple_value array = supplei_rules_typed(rules, object, key, SUPPLE_VALUE_ARRAY, true);
  if (array == SUPPLE_NONE) return array;
  uint32_t count = supple_document_count(rules->document, array);
  if (!count) {
    supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, array, "is empty");
    return SUPPLE_NONE;
  }
  for (uint32_t i = 0; i < count; i++) {
    supple_value item = supple_document_child(rules->document, array, i);
    if (supple_document_type(rules->document, item) == SUPPLE_VALUE_OBJECT) continue;
    supplei_rules_found(rules, SUPPLEI_CODE_ARRAY_TYPE_MISMATCH, array,
                        "item %u is %s; it must be an object", (unsigned)i,
                        type_text(supple_document_type(rules->document, item)));
    return SUPPLE_NONE;
  }
  return array;
}

static bool in_list(const char *const *list, const char *text) {
  for (; *list; list++)
    if (strcmp(*list, text) == 0) return true;
  return false;
}

bool supplei_rules_declares(const supplei_rules *rules, const char *name) {
  uint32_t low = 0, high = rules->declared_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(rules->declared[middle], name);
    if (!order) return true;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

static void check_extensions(supplei_rules *rules, supple_value object) {
  supple_value extensions =
      supplei_rules_typed(rules, object, "extensions", SUPPLE_VALUE_OBJECT, false);
  uint32_t count = supple_document_count(rules->document, extensions);
  for (uint32_t i = 0; i < count; i++) {
    supple_value extension = supple_document_child(rules->document, extensions, i);
    if (supple_document_type(rules->document, extension) != SUPPLE_VALUE_OBJECT)
      mismatch(rules, SUPPLEI_CODE_TYPE_MISMATCH, extension, "an object");
    if (!supplei_rules_declares(rules, supple_document_key(rules->document, extension)))
      supplei_rules_found(rules, SUPPLEI_CODE_UNDECLARED_EXTENSION, extension,
                          "this extension is not in extensionsUsed");
  }
}

void supplei_rules_object(supplei_rules *rules, supple_value object, const char *const *keys) {
  uint32_t count = supple_document_count(rules->document, object);
  for (uint32_t i = 0; i < count; i++) {
    supple_value member = supple_document_child(rules->document, object, i);
    const char *key = supple_document_key(rules->document, member);
    if (strcmp(key, "extensions") == 0) {
      check_extensions(rules, object);
    } else if (strcmp(key, "extras") == 0) {
      supple_value_type type = supple_document_type(rules->document, member);
      if (type != SUPPLE_VALUE_OBJECT && type != SUPPLE_VALUE_NULL)
        supplei_rules_found(rules, SUPPLEI_CODE_NON_OBJECT_EXTRAS, member, "is %s, not an object",
                            type_text(type));
    } else if (!in_list(keys, key)) {
      supplei_rules_found(rules, SUPPLEI_CODE_UNEXPECTED_PROPERTY, member,
                          "is no property that glTF defines here");
    } else if (strcmp(key, "name") == 0) {
      supplei_rules_text(rules, object, "name", NULL, false);
    }
  }
}
