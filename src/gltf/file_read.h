/* file_read.h: a whole regular file into memory. */
#ifndef SUPPLEI_FILE_READ_H
#define SUPPLEI_FILE_READ_H

#include "../../include/supple/base.h"

/* Reads the file at `path` (UTF-8, on Windows too) of at most `limit` bytes. Only regular files:
 * a pipe or device could block or never end. Release *data with supplei_release(allocator, data,
 * size, 1). */
supple_result supplei_file_read(const char *path, size_t limit, const supple_allocator *allocator,
                                void **data, size_t *size, supple_error *error);

/* How large a regular file is that can be opened. */
supple_result supplei_file_size(const char *path, const supple_allocator *allocator, uint64_t *size,
                                supple_error *error);

#endif
