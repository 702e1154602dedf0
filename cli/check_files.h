/* check_files.h: the files that arguments name: themselves, and in folders everything that looks like an asset. */
#ifndef SUPPLE_CLI_CHECK_FILES_H
#define SUPPLE_CLI_CHECK_FILES_H

#include "command.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cli_file_list {
  char **paths; /* [count], owned */
  uint32_t count, capacity;
} cli_file_list;

/* Arguments in their order: a file (or "-") as it is, a folder as every .glb, .gltf and .vrm in it and in the folders
 * below, sorted by name. Links to folders are not followed. A folder that cannot be read, is nested too deep, or
 * holds no asset is reported and makes the result CLI_FAILED; what was found is in *list all the same. */
int cli_files_expand(const char *const *arguments, size_t count, cli_file_list *list);
void cli_files_free(cli_file_list *list);

#endif
