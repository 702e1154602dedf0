/* view_write.h: the page of `supple view` with a file inside. */
#ifndef SUPPLE_CLI_VIEW_WRITE_H
#define SUPPLE_CLI_VIEW_WRITE_H

#include "options.h"
#include "output.h"

/* Writes the page with the asset at `path` inside, for the caller to close (which puts it in its place) or abandon. NULL:
 * it failed, which was reported, and *exit_code says how. */
cli_output *view_write(const char *path, const cli_options *options, const char *out,
                       int *exit_code);

#endif
