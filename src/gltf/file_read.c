/* file_read.c: a whole regular file into memory. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 200809L /* stat */
#define _FILE_OFFSET_BITS 64    /* files above 2 GiB where off_t has 32 bits */
#endif
#include "../base/prologue.h"

#include "file_read.h"

#include "../base/error.h"
#include "../base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static supple_result fail_system(supple_error *error, const char *verb) {
  return supplei_fail(error, SUPPLE_ERROR_FILE, NULL, SIZE_MAX, "cannot %s the file: %s", verb,
                      strerror(errno));
}

#if defined(_WIN32)
#include "json_text.h"

#include <wchar.h>

enum { PATH_UNITS = 32768 }; /* the longest path that Windows knows */

/* UTF-8 to UTF-16; false where it is invalid or too long. */
static bool widen(const char *path, wchar_t *wide) {
  const unsigned char *s = (const unsigned char *)path;
  size_t left = strlen(path), used = 0;
  while (left) {
    size_t n = supplei_utf8_length(s, left);
    if (!n || used + 3 > PATH_UNITS) return false;
    uint32_t code = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) code = code << 6 | (s[i] & 0x3F);
    if (code < 0x10000) {
      wide[used++] = (wchar_t)code;
    } else {
      wide[used++] = (wchar_t)(0xD800 + ((code - 0x10000) >> 10));
      wide[used++] = (wchar_t)(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
    s += n, left -= n;
  }
  wide[used] = 0;
  return true;
}

static supple_result open_regular(const char *path, const supple_allocator *allocator, FILE **file,
                                  uint64_t *bytes, supple_error *error) {
  wchar_t *wide = supplei_allocate(allocator, PATH_UNITS, sizeof *wide);
  if (!wide) return supplei_fail_memory(error, PATH_UNITS * sizeof *wide, "a path");
  supple_result result = SUPPLE_OK;
  struct _stat64 status;
  if (!widen(path, wide))
    result = supplei_fail(error, SUPPLE_ERROR_FILE, NULL, SIZE_MAX, "the path is not valid UTF-8");
  else if (_wstat64(wide, &status) != 0)
    result = fail_system(error, "open");
  else if ((status.st_mode & _S_IFMT) != _S_IFREG)
    result = supplei_fail(error, SUPPLE_ERROR_FILE, NULL, SIZE_MAX, "not a regular file");
  else if (!(*file = _wfopen(wide, L"rb")))
    result = fail_system(error, "open");
  else
    *bytes = (uint64_t)status.st_size;
  supplei_release(allocator, wide, PATH_UNITS, sizeof *wide);
  return result;
}
#else
static supple_result open_regular(const char *path, const supple_allocator *allocator, FILE **file,
                                  uint64_t *bytes, supple_error *error) {
  (void)allocator;
  struct stat status;
  if (stat(path, &status) != 0) return fail_system(error, "open");
  if (S_ISDIR(status.st_mode))
    return supplei_fail(error, SUPPLE_ERROR_FILE, NULL, SIZE_MAX, "this is a folder, not a file");
  if (!S_ISREG(status.st_mode))
    return supplei_fail(error, SUPPLE_ERROR_FILE, NULL, SIZE_MAX, "not a regular file");
  *file = fopen(path, "rb");
  if (!*file) return fail_system(error, "open");
  *bytes = (uint64_t)status.st_size;
  return SUPPLE_OK;
}
#endif

supple_result supplei_file_read(const char *path, size_t limit, const supple_allocator *allocator,
                                void **data, size_t *size, supple_error *error) {
  FILE *file = NULL;
  uint64_t bytes = 0;
  *data = NULL, *size = 0;
  supple_result result = open_regular(path, allocator, &file, &bytes, error);
  if (result) return result;
  void *memory = NULL;
  if (bytes > limit)
    result = supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                          "the file has %llu bytes, more than limits.file_bytes allows (%zu)",
                          (unsigned long long)bytes, limit);
  else if (!(memory = supplei_allocate(allocator, (size_t)bytes, 1)))
    result = supplei_fail_memory(error, (size_t)bytes, "the file");
  setvbuf(file, NULL, _IONBF, 0); /* one read, straight to its place */
  if (!result && fread(memory, 1, (size_t)bytes, file) != (size_t)bytes) {
    if (ferror(file))
      result = fail_system(error, "read");
    else
      result = supplei_fail(error, SUPPLE_ERROR_FILE, NULL, SIZE_MAX,
                            "the file shrank while it was read");
  }
  fclose(file);
  if (result) {
    supplei_release(allocator, memory, (size_t)bytes, 1);
    return result;
  }
  *data = memory, *size = (size_t)bytes;
  return SUPPLE_OK;
}

supple_result supplei_file_size(const char *path, const supple_allocator *allocator, uint64_t *size,
                                supple_error *error) {
  FILE *file = NULL;
  const supple_result result = open_regular(path, allocator, &file, size, error);
  if (!result) fclose(file);
  return result;
}
