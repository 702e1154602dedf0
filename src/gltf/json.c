/* json.c: the JSON parser: one pass, no recursion, spans only. */
#include "../base/prologue.h"

#include "json.h"

#include "../base/error.h"
#include "../base/memory.h"
#include "json_text.h"
#include "../base/merge_sort.h"

#include <string.h>

typedef struct parser {
  supplei_json *json;
  const unsigned char *text;
  size_t length, at;
  supplei_json_limits limits;
  uint32_t open; /* the innermost open container, or SUPPLE_NONE; its `next` names the one around it */
  uint32_t depth;
  uint64_t *sort_space; /* for the keys of big objects: two halves of sort_capacity / 2 */
  size_t sort_capacity;
  supple_error *error;
} parser;

static supple_result fail_at(const parser *p, size_t at, const char *what) {
  return supplei_fail(p->error, SUPPLE_ERROR_FORMAT, NULL, p->limits.offset + at, "%s", what);
}

/* Says what stands at p->at instead of what was expected. */
static supple_result fail_expected(const parser *p, const char *expected) {
  size_t at = p->limits.offset + p->at;
  if (p->at >= p->length)
    return supplei_fail(p->error, SUPPLE_ERROR_FORMAT, NULL, at,
                        "the JSON ends where %s is expected", expected);
  unsigned c = p->text[p->at];
  if (c > 0x20 && c < 0x7F)
    return supplei_fail(p->error, SUPPLE_ERROR_FORMAT, NULL, at, "'%c' where JSON expects %s",
                        (char)c, expected);
  return supplei_fail(p->error, SUPPLE_ERROR_FORMAT, NULL, at, "byte 0x%02X where JSON expects %s",
                      c, expected);
}

/* ---- tokens ---- */

static void skip_space(parser *p) {
  const unsigned char *s = p->text;
  size_t at = p->at;
  while (at < p->length && (s[at] == ' ' || s[at] == '\n' || s[at] == '\r' || s[at] == '\t')) at++;
  p->at = at;
}

/* Whether the eight bytes at s are all ASCII, no control characters, and neither '"' nor '\'. */
static bool all_plain(const unsigned char *s) {
  uint64_t word;
  memcpy(&word, s, 8);
  const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
  uint64_t quote = word ^ (ones * '"'), backslash = word ^ (ones * '\\');
  return !((word | (word - ones * 0x20) | (quote - ones) | (backslash - ones)) & tops);
}

/* A string from its opening quote; the span between the quotes. */
static supple_result read_string(parser *p, uint32_t *begin, uint32_t *length, bool *escaped) {
  const unsigned char *s = p->text;
  size_t at = p->at + 1, start = at;
  *escaped = false;
  for (;;) {
    while (p->length - at >= 8 && all_plain(s + at)) at += 8;
    if (at >= p->length) return fail_at(p, p->at, "the string that starts here never ends");
    unsigned char c = s[at];
    if (c == '"') break;
    if (c == '\\') {
      uint32_t code;
      size_t n = supplei_json_escape(s + at, p->length - at, &code);
      if (!n) return fail_at(p, at, "wrong escape in a string (or half of a surrogate pair)");
      *escaped = true;
      at += n;
    } else if (c < 0x20) {
      return fail_at(p, at, "a control character in a string must be escaped");
    } else {
      size_t n = supplei_utf8_length(s + at, p->length - at);
      if (!n) return fail_at(p, at, "invalid UTF-8");
      at += n;
    }
  }
  *begin = (uint32_t)start;
  *length = (uint32_t)(at - start);
  p->at = at + 1;
  return SUPPLE_OK;
}

static size_t skip_digits(const parser *p, size_t at) {
  while (at < p->length && p->text[at] >= '0' && p->text[at] <= '9') at++;
  return at;
}

static supple_result read_number(parser *p) {
  const unsigned char *s = p->text;
  size_t at = p->at + (s[p->at] == '-'), digits = at;
  at = skip_digits(p, at);
  if (at == digits) return p->at = at, fail_expected(p, "a digit");
  if (s[digits] == '0' && at - digits > 1)
    return fail_at(p, digits, "a number must not start with 0");
  if (at < p->length && s[at] == '.') {
    digits = at + 1;
    at = skip_digits(p, digits);
    if (at == digits) return p->at = at, fail_expected(p, "a digit");
  }
  if (at < p->length && (s[at] == 'e' || s[at] == 'E')) {
    digits = at + 1;
    if (digits < p->length && (s[digits] == '+' || s[digits] == '-')) digits++;
    at = skip_digits(p, digits);
    if (at == digits) return p->at = at, fail_expected(p, "a digit");
  }
  p->at = at;
  return SUPPLE_OK;
}

static supple_result read_word(parser *p, const char *word) {
  size_t n = strlen(word);
  if (p->length - p->at < n || memcmp(p->text + p->at, word, n) != 0)
    return fail_expected(p, "a value");
  p->at += n;
  return SUPPLE_OK;
}

/* ---- nodes ---- */

static supple_result grow(parser *p) {
  supplei_json *json = p->json;
  uint32_t capacity = json->capacity < UINT32_MAX / 2 ? 2 * json->capacity : UINT32_MAX - 1;
  if (!json->capacity) /* a guess that pretty-printed assets stay within */
    capacity = p->length < 20u << 20 ? 16 + (uint32_t)(p->length / 20) : 1u << 20;
  if (p->limits.values && capacity > p->limits.values) capacity = p->limits.values;
  if (capacity <= json->count)
    return supplei_fail(p->error, SUPPLE_ERROR_LIMIT, NULL, p->limits.offset + p->at,
                        "more JSON values than limits.json_values allows (%u)",
                        (unsigned)json->count);
  supplei_json_node *nodes = supplei_allocate(&json->allocator, capacity, sizeof *nodes);
  if (!nodes)
    return supplei_fail_memory(p->error, sizeof *nodes * (size_t)capacity, "the values of the JSON");
  if (json->count) memcpy(nodes, json->nodes, json->count * sizeof *nodes);
  supplei_release(&json->allocator, json->nodes, json->capacity, sizeof *nodes);
  json->nodes = nodes;
  json->capacity = capacity;
  return SUPPLE_OK;
}

/* A child of the open container; its key, if any, was read into `key`. */
static supple_result add_node(parser *p, const supplei_json_node *key) {
  supplei_json *json = p->json;
  if (json->count == json->capacity) {
    supple_result result = grow(p);
    if (result) return result;
  }
  supplei_json_node *node = &json->nodes[json->count++];
  *node = *key;
  node->begin = (uint32_t)p->at;
  node->next = json->count;
  if (p->open != SUPPLE_NONE) json->nodes[p->open].count++;
  return SUPPLE_OK;
}

static supple_result open_container(parser *p, supplei_json_type type) {
  if (p->limits.depth && p->depth >= p->limits.depth)
    return supplei_fail(p->error, SUPPLE_ERROR_LIMIT, NULL, p->limits.offset + p->at,
                        "the JSON is nested deeper than limits.json_depth allows (%u)",
                        (unsigned)p->limits.depth);
  supplei_json_node *node = &p->json->nodes[p->json->count - 1];
  node->type = (uint8_t)type;
  node->next = p->open;
  p->open = p->json->count - 1;
  p->depth++;
  p->at++;
  return SUPPLE_OK;
}

/* ---- keys ---- */

/* The next character of a key, decoded; 0 bytes at its end. */
static size_t next_character(const char *text, size_t left, uint32_t *code) {
  if (!left) return 0;
  if (text[0] == '\\') return supplei_json_escape((const unsigned char *)text, left, code);
  *code = (unsigned char)text[0]; /* a byte of UTF-8 where not escaped: see compare_decoded */
  return 1;
}

/* Decodes by pieces of up to four bytes, so that an escaped character equals its plain UTF-8. */
typedef struct decoder {
  const char *text;
  size_t left;
  char piece[4];
  size_t piece_at, piece_length;
} decoder;

static int next_byte(decoder *d) {
  if (d->piece_at == d->piece_length) {
    uint32_t code;
    size_t n = next_character(d->text, d->left, &code);
    if (!n) return -1;
    if (n == 1)
      d->piece[0] = d->text[0], d->piece_length = 1;
    else
      d->piece_length = supplei_utf8_write(code, d->piece);
    d->piece_at = 0;
    d->text += n;
    d->left -= n;
  }
  return (unsigned char)d->piece[d->piece_at++];
}

static int compare_keys(const supplei_json *json, const supplei_json_node *a,
                        const supplei_json_node *b) {
  if (!a->key_escaped && !b->key_escaped) {
    size_t shorter = a->key_length < b->key_length ? a->key_length : b->key_length;
    int order = memcmp(json->text + a->key, json->text + b->key, shorter);
    return order ? order : a->key_length < b->key_length ? -1 : a->key_length > b->key_length;
  }
  decoder x = {.text = json->text + a->key, .left = a->key_length};
  decoder y = {.text = json->text + b->key, .left = b->key_length};
  for (;;) {
    int p = next_byte(&x), q = next_byte(&y);
    if (p != q) return p < q ? -1 : 1;
    if (p < 0) return 0;
  }
}

static int compare_children(const void *context, uint64_t a, uint64_t b) {
  const supplei_json *json = context;
  return compare_keys(json, &json->nodes[a], &json->nodes[b]);
}

static supple_result fail_duplicate(const parser *p, uint32_t node) {
  return fail_at(p, p->json->nodes[node].key, "this key stands twice in one object");
}

/* By sorting, which no choice of keys makes slow, as it would a hash. */
static supple_result check_many_keys(parser *p, uint32_t object) {
  const supplei_json *json = p->json;
  size_t count = json->nodes[object].count;
  if (p->sort_capacity < 2 * count) {
    supplei_release(&json->allocator, p->sort_space, p->sort_capacity, sizeof *p->sort_space);
    p->sort_capacity = 4 * count;
    p->sort_space = supplei_allocate(&json->allocator, p->sort_capacity, sizeof *p->sort_space);
    if (!p->sort_space) {
      size_t bytes = p->sort_capacity * sizeof *p->sort_space;
      p->sort_capacity = 0;
      return supplei_fail_memory(p->error, bytes, "the keys of a JSON object");
    }
  }
  uint32_t child = object + 1;
  for (size_t i = 0; i < count; i++, child = json->nodes[child].next) p->sort_space[i] = child;
  supplei_merge_sort(p->sort_space, p->sort_space + p->sort_capacity / 2, count, compare_children,
                     json);
  for (size_t i = 1; i < count; i++)
    if (compare_children(json, p->sort_space[i - 1], p->sort_space[i]) == 0)
      return fail_duplicate(p, (uint32_t)p->sort_space[i]);
  return SUPPLE_OK;
}

enum { FEW_KEYS = 24 };

static supple_result check_keys(parser *p, uint32_t object) {
  const supplei_json *json = p->json;
  uint32_t count = json->nodes[object].count;
  if (count > FEW_KEYS) return check_many_keys(p, object);
  /* A bit for each pair of length and last letter: most objects never compare a key. */
  uint64_t seen = 0;
  uint32_t children[FEW_KEYS], child = object + 1;
  for (uint32_t i = 0; i < count; i++, child = json->nodes[child].next) {
    const supplei_json_node *node = &json->nodes[child];
    uint32_t last =
        node->key_length ? (unsigned char)json->text[node->key + node->key_length - 1] : 0;
    uint64_t bit = UINT64_C(1) << ((node->key_length * 7 + last) & 63);
    if (node->key_escaped) bit = UINT64_MAX;
    children[i] = child;
    if (seen & bit)
      for (uint32_t k = 0; k < i; k++)
        if (compare_keys(json, &json->nodes[children[k]], node) == 0)
          return fail_duplicate(p, child);
    seen |= bit;
  }
  return SUPPLE_OK;
}

/* ---- the grammar ---- */

static supple_result close_container(parser *p) {
  supplei_json *json = p->json;
  uint32_t closed = p->open;
  supplei_json_node *node = &json->nodes[closed];
  p->at++;
  p->open = node->next;
  p->depth--;
  node->next = json->count;
  node->length = (uint32_t)p->at - node->begin;
  return node->type == SUPPLEI_JSON_OBJECT && node->count > 1 ? check_keys(p, closed) : SUPPLE_OK;
}

/* The key and colon of a member, up to its value. */
static supple_result read_key(parser *p, supplei_json_node *key) {
  if (p->at >= p->length || p->text[p->at] != '"')
    return fail_expected(p, "a key in double quotes");
  supple_result result = read_string(p, &key->key, &key->key_length, &key->key_escaped);
  if (result) return result;
  skip_space(p);
  if (p->at >= p->length || p->text[p->at] != ':') return fail_expected(p, "':'");
  p->at++;
  skip_space(p);
  return SUPPLE_OK;
}

static supple_result read_scalar(parser *p) {
  supplei_json_node *node = &p->json->nodes[p->json->count - 1];
  supple_result result;
  switch (p->text[p->at]) {
  case '"':
    node->type = SUPPLEI_JSON_STRING;
    return read_string(p, &node->begin, &node->length, &node->escaped);
  case 't':
    node->type = SUPPLEI_JSON_TRUE;
    result = read_word(p, "true");
    break;
  case 'f':
    node->type = SUPPLEI_JSON_FALSE;
    result = read_word(p, "false");
    break;
  case 'n':
    node->type = SUPPLEI_JSON_NULL;
    result = read_word(p, "null");
    break;
  case '-':
  case '0':
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
  case '8':
  case '9':
    node->type = SUPPLEI_JSON_NUMBER;
    result = read_number(p);
    break;
  default: return fail_expected(p, "a value");
  }
  node->length = (uint32_t)p->at - node->begin;
  return result;
}

/* One value and all the brackets that close after it; *more: another value follows. */
static supple_result read_value(parser *p, bool *more) {
  supplei_json_node key = {0};
  supple_result result;
  bool in_object = p->open != SUPPLE_NONE && p->json->nodes[p->open].type == SUPPLEI_JSON_OBJECT;
  if (in_object && (result = read_key(p, &key))) return result;
  if (p->at >= p->length) return fail_expected(p, "a value");
  if ((result = add_node(p, &key))) return result;

  unsigned char c = p->text[p->at];
  if (c == '{' || c == '[') {
    if ((result = open_container(p, c == '{' ? SUPPLEI_JSON_OBJECT : SUPPLEI_JSON_ARRAY)))
      return result;
    skip_space(p);
    unsigned char closing = c == '{' ? '}' : ']';
    if (p->at >= p->length || p->text[p->at] != closing) return *more = true, SUPPLE_OK;
    if ((result = close_container(p))) return result;
  } else if ((result = read_scalar(p))) {
    return result;
  }
  for (;;) {
    skip_space(p);
    if (p->open == SUPPLE_NONE) return *more = false, SUPPLE_OK;
    bool object = p->json->nodes[p->open].type == SUPPLEI_JSON_OBJECT;
    c = p->at < p->length ? p->text[p->at] : 0;
    if (c == ',') {
      p->at++;
      skip_space(p);
      return *more = true, SUPPLE_OK;
    }
    if (c != (object ? '}' : ']')) return fail_expected(p, object ? "',' or '}'" : "',' or ']'");
    if ((result = close_container(p))) return result;
  }
}

static supple_result parse(parser *p) {
  if (p->length >= UINT32_MAX)
    return supplei_fail(p->error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX, "the JSON is 4 GiB or longer");
  if (p->length >= 3 && memcmp(p->text, "\xEF\xBB\xBF", 3) == 0)
    return fail_at(p, 0, "a byte order mark must not stand before JSON");
  skip_space(p);
  supple_result result = SUPPLE_OK;
  for (bool more = true; more && !result;) result = read_value(p, &more);
  if (!result && p->at < p->length) return fail_expected(p, "nothing more");
  return result;
}

supple_result supplei_json_parse(supplei_json *json, const char *text, size_t length,
                                 const supplei_json_limits *limits,
                                 const supple_allocator *allocator, supple_error *error) {
  *json = (supplei_json){.text = text, .length = length, .allocator = supplei_allocator(allocator)};
  parser p = {.json = json,
              .text = (const unsigned char *)text,
              .length = length,
              .open = SUPPLE_NONE,
              .error = error};
  if (limits) p.limits = *limits;
  supple_result result = parse(&p);
  supplei_release(&json->allocator, p.sort_space, p.sort_capacity, sizeof *p.sort_space);
  if (result) supplei_json_release(json);
  return result;
}

void supplei_json_release(supplei_json *json) {
  supplei_release(&json->allocator, json->nodes, json->capacity, sizeof *json->nodes);
  json->nodes = NULL;
  json->count = json->capacity = 0;
}
