/* export_npz.h: posed vertices as NumPy arrays in an uncompressed zip. */
#ifndef SUPPLE_CLI_EXPORT_NPZ_H
#define SUPPLE_CLI_EXPORT_NPZ_H

#include "export.h"

int cli_export_npz(cli_output *output, const cli_posed *posed, uint32_t count);

#endif
