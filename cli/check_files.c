/* check_files.c: the files that arguments name, folders searched. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "check_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dirent.h>
#include <sys/stat.h>
#endif

enum { DEPTH_MOST = 100 };

/* ---- lists ---- */

/* Takes the path; NULL: memory ran out for it. */
static bool add(cli_file_list *list, char *path) {
  if (path && list->count == list->capacity) {
    const size_t capacity = list->capacity ? 2 * (size_t)list->capacity : 64;
    char **paths = capacity < UINT32_MAX / 8 ? realloc(list->paths, capacity * sizeof *paths) : NULL;
    if (!paths) {
      free(path);
      path = NULL;
    } else {
      list->paths = paths;
      list->capacity = (uint32_t)capacity;
    }
  }
  if (!path) {
    cli_complain(CLI_FAILED, "out of memory");
    return false;
  }
  list->paths[list->count++] = path;
  return true;
}

void cli_files_free(cli_file_list *list) {
  for (uint32_t i = 0; i < list->count; i++) free(list->paths[i]);
  free(list->paths);
  memset(list, 0, sizeof *list);
}

static char *join(const char *folder, const char *name) {
  const size_t length = strlen(folder), more = strlen(name);
  const bool ends = length && (folder[length - 1] == '/' || folder[length - 1] == '\\');
  char *path = malloc(length + more + 2);
  if (!path) return NULL;
  memcpy(path, folder, length);
  if (!ends) path[length] = '/';
  memcpy(path + length + !ends, name, more + 1);
  return path;
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ---- what the system knows ---- */

typedef enum entry_kind {
  ENTRY_FILE,
  ENTRY_FOLDER,
  ENTRY_OTHER /* a link to a folder, a pipe, nothing at all */
} entry_kind;

#if defined(_WIN32)

static entry_kind kind_of(const char *path, bool follow) {
  const DWORD attributes = GetFileAttributesA(path);
  if (attributes == INVALID_FILE_ATTRIBUTES) return ENTRY_OTHER;
  if (!(attributes & FILE_ATTRIBUTE_DIRECTORY)) return ENTRY_FILE;
  return !follow && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) ? ENTRY_OTHER : ENTRY_FOLDER;
}

/* Everything in a folder, as paths. */
static bool list_folder(const char *folder, cli_file_list *list) {
  WIN32_FIND_DATAA found;
  char *pattern = join(folder, "*");
  if (!pattern) return add(list, NULL);
  const HANDLE handle = FindFirstFileA(pattern, &found);
  free(pattern);
  if (handle == INVALID_HANDLE_VALUE) {
    cli_complain(CLI_FAILED, "cannot read the folder %s: error %lu", folder, GetLastError());
    return false;
  }
  bool fine = true;
  do {
    if (strcmp(found.cFileName, ".") != 0 && strcmp(found.cFileName, "..") != 0)
      fine = add(list, join(folder, found.cFileName));
  } while (fine && FindNextFileA(handle, &found));
  FindClose(handle);
  return fine;
}

#else

/* follow: a link to a folder is that folder. */
static entry_kind kind_of(const char *path, bool follow) {
  struct stat status;
  if (stat(path, &status) != 0) return ENTRY_OTHER;
  if (S_ISREG(status.st_mode)) return ENTRY_FILE;
  if (!S_ISDIR(status.st_mode)) return ENTRY_OTHER;
  if (follow) return ENTRY_FOLDER;
  return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) ? ENTRY_FOLDER : ENTRY_OTHER;
}

static bool list_folder(const char *folder, cli_file_list *list) {
  DIR *directory = opendir(folder);
  if (!directory) {
    cli_complain(CLI_FAILED, "cannot read the folder %s: %s", folder, strerror(errno));
    return false;
  }
  bool fine = true;
  for (;;) {
    errno = 0;
    const struct dirent *entry = readdir(directory);
    if (!entry) break;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    fine = add(list, join(folder, entry->d_name));
    if (!fine) break;
  }
  if (fine && errno) {
    cli_complain(CLI_FAILED, "cannot read the folder %s: %s", folder, strerror(errno));
    fine = false;
  }
  closedir(directory);
  return fine;
}

#endif

/* ---- the walk ---- */

static bool looks_like_asset(const char *path) {
  static const char *const endings[] = {".glb", ".gltf", ".vrm"};
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
    size_t k = 0;
    while (dot[k] && tolower((unsigned char)dot[k]) == endings[i][k]) k++;
    if (!dot[k] && !endings[i][k]) return true;
  }
  return false;
}

static int walk(const char *folder, uint32_t depth, cli_file_list *found) {
  cli_file_list entries = {0};
  if (depth > DEPTH_MOST)
    return cli_complain(CLI_FAILED, "%s: folders nested more than %d deep are not searched", folder,
                        (int)DEPTH_MOST);
  int exit_code = list_folder(folder, &entries) ? CLI_FINE : CLI_FAILED;
  if (entries.count) qsort(entries.paths, entries.count, sizeof *entries.paths, by_text);
  for (uint32_t i = 0; i < entries.count; i++) {
    const entry_kind kind = kind_of(entries.paths[i], false);
    if (kind == ENTRY_FOLDER) {
      if (walk(entries.paths[i], depth + 1, found) != CLI_FINE) exit_code = CLI_FAILED;
    } else if (kind == ENTRY_FILE && looks_like_asset(entries.paths[i])) {
      if (!add(found, entries.paths[i])) exit_code = CLI_FAILED;
      entries.paths[i] = NULL; /* taken, or freed */
    }
  }
  cli_files_free(&entries);
  return exit_code;
}

int cli_files_expand(const char *const *arguments, size_t count, cli_file_list *list) {
  int exit_code = CLI_FINE;
  for (size_t i = 0; i < count; i++) {
    const uint32_t before = list->count;
    if (strcmp(arguments[i], "-") == 0 || kind_of(arguments[i], true) != ENTRY_FOLDER) {
      char *copy = malloc(strlen(arguments[i]) + 1);
      if (copy) strcpy(copy, arguments[i]);
      if (!add(list, copy)) exit_code = CLI_FAILED;
    } else if (walk(arguments[i], 1, list) != CLI_FINE) {
      exit_code = CLI_FAILED;
    } else if (list->count == before) {
      exit_code =
          cli_complain(CLI_FAILED, "%s: no .glb, .gltf or .vrm file in this folder", arguments[i]);
    }
  }
  return exit_code;
}
