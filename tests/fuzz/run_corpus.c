/* run_corpus.c: a fuzz target as a plain program: runs it over files, and over the files of folders. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static unsigned long files;

static int run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return fprintf(stderr, "cannot open %s\n", path), 1;
  size_t size = 0, capacity = 4096;
  uint8_t *data = malloc(capacity);
  while (data && (size += fread(data + size, 1, capacity - size, file)) == capacity) {
    uint8_t *more = realloc(data, capacity *= 2);
    if (!more) free(data);
    data = more;
  }
  const int failed = ferror(file);
  fclose(file);
  uint8_t *exact = data ? malloc(size ? size : 1) : NULL; /* so that a sanitizer sees its end */
  if (!exact || failed)
    return free(data), free(exact), fprintf(stderr, "cannot read %s\n", path), 1;
  if (size) memcpy(exact, data, size);
  free(data);
  fprintf(stderr, "%s\n", path); /* the last one named is the one that broke */
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  files++;
  return 0;
}

static int run_path(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) return run_file(path);
  struct dirent **names = NULL;
  const int count = scandir(path, &names, NULL, alphasort);
  int failed = count < 0;
  for (int i = 0; i < count; i++) {
    char child[4096];
    const int length = snprintf(child, sizeof child, "%s/%s", path, names[i]->d_name);
    if (names[i]->d_name[0] != '.' && length > 0 && (size_t)length < sizeof child)
      failed |= run_path(child);
    free(names[i]);
  }
  free(names);
  return failed;
}

int main(int count, char **paths) {
  int failed = 0;
  for (int i = 1; i < count; i++) failed |= run_path(paths[i]);
  printf("%lu files\n", files);
  return failed || files == 0;
}
