/* document_io.h: documents from files, and back into files. */
#ifndef SUPPLE_CLI_DOCUMENT_IO_H
#define SUPPLE_CLI_DOCUMENT_IO_H

#include "command.h"

/* Loads the file ("-": stdin, without files beside it) with the options' limits and this build's codecs. NULL:
 * *exit_code is CLI_FAILED, with the reason reported. */
supple_document *cli_document_load(const char *path, const cli_options *options, int *exit_code);

/* Where a document goes. */
typedef struct cli_document_target {
  const char *path;   /* ".glb" or ".gltf"; "-": stdout, in the container that was read */
  const char *source; /* what the document was loaded from; NULL or "-": not from a file */
  bool dry_run;       /* say what would be written, on stderr, and write nothing */
  bool keep_images;   /* see supple_write_options */
} cli_document_target;

/* CLI_USAGE, reported, where the path ends in neither .glb nor .gltf: to be asked before any work is done. */
int cli_document_check_target(const char *path);

/* Writes all files that make up the document: each beside its place under another name, and renamed once all of
 * them are whole, the main one last. Files that the document names and that did not change are copied where `path`
 * is in another folder than `source`. An exit code; what failed, or could not be copied, was reported. */
int cli_document_write(supple_document *document, const cli_document_target *target);

#endif
