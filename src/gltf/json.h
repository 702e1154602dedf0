/* json.h: strict JSON (RFC 8259) as a tree of spans into the text.
 *
 * Nothing is copied or converted while parsing: strings keep their escapes, numbers their
 * digits, objects their order, so that an editor can write back everything that it does not
 * understand. */
#ifndef SUPPLEI_JSON_H
#define SUPPLEI_JSON_H

#include "../../include/supple/base.h"

typedef enum supplei_json_type {
  SUPPLEI_JSON_NULL,
  SUPPLEI_JSON_FALSE,
  SUPPLEI_JSON_TRUE,
  SUPPLEI_JSON_NUMBER,
  SUPPLEI_JSON_STRING,
  SUPPLEI_JSON_ARRAY,
  SUPPLEI_JSON_OBJECT
} supplei_json_type;

/* One value. Nodes are in the order of the text, so the first child of a container is the node
 * after it. */
typedef struct supplei_json_node {
  uint32_t key, key_length;  /* the span of its key between the quotes; 0, 0 in an array */
  uint32_t begin, length;    /* the span of the value; of a string, between the quotes */
  uint32_t count;            /* children */
  uint32_t next;             /* the node after this one and all below it */
  uint8_t type;              /* supplei_json_type */
  bool key_escaped, escaped; /* a backslash in the key, in the string */
} supplei_json_node;

typedef struct supplei_json {
  const char *text; /* borrowed */
  size_t length;
  supplei_json_node *nodes; /* [0] is the whole text's value */
  uint32_t count, capacity;
  supple_allocator allocator;
} supplei_json;

typedef struct supplei_json_limits {
  uint32_t values, depth; /* 0: none */
  size_t offset;          /* of the text in its file: added to the bytes that errors name */
} supplei_json_limits;

/* Parses exactly one value of less than 4 GiB. Refused beside wrong grammar: invalid UTF-8, lone
 * surrogate escapes, a byte order mark, and two equal keys in one object (compared decoded).
 * Iterative; linear but for a sort of the keys of big objects. Release *json after success;
 * after failure it is empty. */
supple_result supplei_json_parse(supplei_json *json, const char *text, size_t length,
                                 const supplei_json_limits *limits,
                                 const supple_allocator *allocator, supple_error *error);
void supplei_json_release(supplei_json *json);

/* The member of an object by its key (plain ASCII), SUPPLE_NONE where there is none or `object`
 * is not an object. */
uint32_t supplei_json_member(const supplei_json *json, uint32_t object, const char *key);

/* Whether the key of a member starts with `prefix` (plain ASCII). */
bool supplei_json_key_starts(const supplei_json *json, uint32_t node, const char *prefix);

/* Whether a node is a string equal to `text` (plain ASCII). */
bool supplei_json_equals(const supplei_json *json, uint32_t node, const char *text);

/* A number as the nearest double (infinite where it overflows). False where the node is no
 * number. */
bool supplei_json_number(const supplei_json *json, uint32_t node, double *value);

/* A number without fraction in [0, largest], largest <= 2^53; "1e2" and "2.0" count. False
 * otherwise. */
bool supplei_json_unsigned(const supplei_json *json, uint32_t node, uint64_t largest,
                           uint64_t *value);

/* The decoded UTF-8 of a string, not terminated, into out[length of the node] (always enough);
 * returns its bytes. It may hold NUL. */
size_t supplei_json_string(const supplei_json *json, uint32_t node, char *out);

/* The JSON pointer (RFC 6901) of a node, NUL-terminated, cut at `size`. O(nodes): for messages. */
void supplei_json_pointer(const supplei_json *json, uint32_t node, char *out, size_t size);

#endif
