/* bake_folder.c: looking for part files in the output's folder. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "bake_folder.h"

#include "bake_shard.h"
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dirent.h>
#endif

typedef void each_name(void *user, const char *name);

/* Length of the folder in a path, its last separator included. */
static size_t folder_length(const char *path) {
  size_t length = strlen(path);
  while (length > 0 && path[length - 1] != '/'
#if defined(_WIN32)
         && path[length - 1] != '\\' && path[length - 1] != ':'
#endif
  )
    length--;
  return length;
}

/* Calls `each` for every name in the folder of `path`; false where the folder cannot be read, or memory ends. */
static bool list_folder(const char *path, each_name *each, void *user) {
  const size_t length = folder_length(path);
  char *folder = malloc(length + 3);
  bool fine = false;
  if (!folder) return false;
  memcpy(folder, path, length);
#if defined(_WIN32)
  WIN32_FIND_DATAA found;
  memcpy(folder + length, "*", 2);
  const HANDLE list = FindFirstFileA(folder, &found);
  fine = list != INVALID_HANDLE_VALUE;
  if (fine) {
    do each(user, found.cFileName);
    while (FindNextFileA(list, &found));
    FindClose(list);
  }
#else
  memcpy(folder + length, length ? "" : ".", length ? 1 : 2);
  DIR *list = opendir(folder);
  fine = list != NULL;
  for (const struct dirent *entry; fine && (entry = readdir(list)) != NULL;)
    each(user, entry->d_name);
  if (fine) closedir(list);
#endif
  free(folder);
  return fine;
}

static bool read_number(const char **text, uint32_t *number) {
  uint64_t value = 0;
  const char *at = *text;
  for (; *at >= '0' && *at <= '9' && value <= BAKE_SHARDS_MOST; at++)
    value = value * 10 + (uint64_t)(*at - '0');
  if (at == *text || value == 0 || value > BAKE_SHARDS_MOST) return false;
  *text = at;
  *number = (uint32_t)value;
  return true;
}

/* What follows "OUT.part-3-of-16" in a name, and the 16; NULL where the name does not begin so. */
static const char *after_part(const char *name, const char *output, uint32_t *shard_count) {
  static const char part[] = ".part-", of[] = "-of-";
  const char *base = output + folder_length(output);
  const size_t length = strlen(base);
  uint32_t shard;
  if (strncmp(name, base, length) != 0 || strncmp(name + length, part, sizeof part - 1) != 0)
    return NULL;
  name += length + sizeof part - 1;
  if (!read_number(&name, &shard) || strncmp(name, of, sizeof of - 1) != 0) return NULL;
  name += sizeof of - 1;
  return read_number(&name, shard_count) && shard <= *shard_count ? name : NULL;
}

/* ---- counting ---- */

typedef struct count_state {
  const char *output;
  uint32_t least, most; /* numbers of shards that names speak of; 0: none did */
} count_state;

static void count_name(void *user, const char *name) {
  count_state *state = user;
  uint32_t count;
  const char *rest = after_part(name, state->output, &count);
  if (!rest || *rest) return;
  if (state->least == 0 || count < state->least) state->least = count;
  if (count > state->most) state->most = count;
}

int bake_count_shards(const char *output, uint32_t *shard_count) {
  count_state state = {.output = output};
  if (!list_folder(output, count_name, &state))
    return cli_complain(CLI_FAILED, "the folder of %s cannot be read", output);
  if (state.most == 0)
    return cli_complain(
        CLI_FAILED,
        "there is no part of %s (such as %s.part-1-of-16): make them by the same command "
        "with --shard I/N instead of --join",
        output, output);
  if (state.least != state.most)
    return cli_complain(
        CLI_FAILED, "there are parts of %s of %u shards and of %u: remove those that do not count",
        output, state.least, state.most);
  *shard_count = state.most;
  return CLI_FINE;
}

/* ---- leftovers ---- */

typedef struct leftover {
  const char *output;
  uint32_t shard_count;
  char *path; /* found, or NULL */
} leftover;

/* "4711-0" and ".tmp" behind a part's name. */
static bool is_unfinished(const char *rest) {
  if (*rest != '.') return false;
  const size_t digits = 1 + strspn(rest + 1, "0123456789-");
  return digits > 1 && strcmp(rest + digits, ".tmp") == 0;
}

static void find_leftover(void *user, const char *name) {
  leftover *state = user;
  uint32_t count;
  const char *rest = state->path ? NULL : after_part(name, state->output, &count);
  if (!rest || count != state->shard_count || !is_unfinished(rest)) return;
  const size_t length = folder_length(state->output), size = strlen(name) + 1;
  state->path = malloc(length + size);
  if (!state->path) return;
  memcpy(state->path, state->output, length);
  memcpy(state->path + length, name, size);
}

void bake_remove_unfinished(const char *output, uint32_t shard_count) {
  bool removed = true;
  while (removed) { /* one at a time: a folder that changes while it is listed may show anything */
    leftover state = {output, shard_count, NULL};
    removed = list_folder(output, find_leftover, &state) && state.path && remove(state.path) == 0;
    free(state.path);
  }
}
