/* usd_names.c: identifiers that are valid in USD, and each given once. */
#include "usd_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 100, ROOM = LONGEST + 12 };

typedef struct entry {
  char text[ROOM];
  uint32_t next; /* number to try where it is wanted again */
} entry;

/* Open addressing; at most half full, so that a search ends. */
struct cli_usd_names {
  entry **slots;
  size_t capacity, count; /* capacity is a power of two */
};

cli_usd_names *cli_usd_names_create(void) {
  cli_usd_names *names = calloc(1, sizeof *names);
  if (!names) return NULL;
  names->capacity = 64;
  names->slots = calloc(names->capacity, sizeof *names->slots);
  if (names->slots) return names;
  free(names);
  return NULL;
}

void cli_usd_names_free(cli_usd_names *names) {
  if (!names) return;
  for (size_t i = 0; i < names->capacity; i++) free(names->slots[i]);
  free(names->slots);
  free(names);
}

/* FNV-1a. */
static uint64_t hash_of(const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

static entry **find(entry **slots, size_t capacity, const char *text) {
  size_t i = (size_t)hash_of(text) & (capacity - 1);
  while (slots[i] && strcmp(slots[i]->text, text) != 0) i = (i + 1) & (capacity - 1);
  return &slots[i];
}

static bool grow(cli_usd_names *names) {
  if (2 * (names->count + 1) <= names->capacity) return true;
  if (names->capacity > SIZE_MAX / 2 / sizeof(entry *)) return false;
  const size_t capacity = 2 * names->capacity;
  entry **slots = calloc(capacity, sizeof *slots);
  if (!slots) return false;
  for (size_t i = 0; i < names->capacity; i++)
    if (names->slots[i]) *find(slots, capacity, names->slots[i]->text) = names->slots[i];
  free(names->slots);
  names->slots = slots;
  names->capacity = capacity;
  return true;
}

static void make_identifier(const char *wanted, const char *otherwise, char *out) {
  size_t used = 0;
  bool says_something = false, pending = false;
  for (; *wanted && used < LONGEST - 1; wanted++) {
    const char c = *wanted;
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!digit && !letter && c != '_') {
      pending = true; /* a run of others is one underscore, none at the ends */
      continue;
    }
    if ((pending && used) || (digit && !used)) out[used++] = '_';
    pending = false;
    out[used++] = c;
    says_something = says_something || digit || letter;
  }
  out[used] = '\0';
  if (!says_something) snprintf(out, ROOM, "%.*s", (int)LONGEST, otherwise);
}

const char *cli_usd_names_take(cli_usd_names *names, const char *wanted, const char *otherwise) {
  entry *fresh = malloc(sizeof *fresh);
  if (!fresh || !grow(names)) {
    free(fresh);
    return NULL;
  }
  char base[ROOM];
  make_identifier(wanted ? wanted : "", otherwise, base);
  memcpy(fresh->text, base, sizeof base);
  fresh->next = 2;
  entry *first = *find(names->slots, names->capacity, base);
  entry **place = find(names->slots, names->capacity, fresh->text);
  while (*place) {
    snprintf(fresh->text, sizeof fresh->text, "%.*s_%u", (int)LONGEST, base, first->next++);
    place = find(names->slots, names->capacity, fresh->text);
  }
  *place = fresh;
  names->count++;
  return fresh->text;
}

const char *cli_usd_names_take_numbered(cli_usd_names *names, const char *wanted,
                                        const char *otherwise, uint32_t number) {
  char numbered[ROOM];
  snprintf(numbered, sizeof numbered, "%.60s_%u", otherwise, number);
  return cli_usd_names_take(names, wanted, numbered);
}

bool cli_usd_names_reserve(cli_usd_names *names, const char *identifier) {
  if (*find(names->slots, names->capacity, identifier)) return true;
  return cli_usd_names_take(names, identifier, identifier) != NULL;
}
