/* stored_zip.h: a zip file whose entries are stored as they are, each a whole in memory.
 *
 * Zip as in PKWARE's APPNOTE 6.3, with sizes of 32 bits: larger files are refused. Dates are always the same, so that
 * results do not depend on the day. */
#ifndef SUPPLE_CLI_STORED_ZIP_H
#define SUPPLE_CLI_STORED_ZIP_H

#include "output.h"

typedef struct cli_zip cli_zip;

/* alignment: the data of each entry begins at a multiple of it (1, or a power of two up to 4096). `path` names the file
 * in messages. NULL: out of memory, reported. */
cli_zip *cli_zip_create(cli_output *output, uint32_t alignment, const char *path);
/* The name in UTF-8, shorter than 256 bytes. CLI_FAILED: reported. */
int cli_zip_add(cli_zip *zip, const char *name, const void *data, size_t size);
/* What an output of memory holds. */
int cli_zip_add_contents(cli_zip *zip, const char *name, const cli_output *contents);
/* Writes the directory. */
void cli_zip_end(cli_zip *zip);
/* NULL is fine. The output stays open. */
void cli_zip_free(cli_zip *zip);

#endif
