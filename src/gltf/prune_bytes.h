/* prune_bytes.h: taking bytes out of buffers that no view refers to. */
#ifndef SUPPLEI_PRUNE_BYTES_H
#define SUPPLEI_PRUNE_BYTES_H

#include "document_state.h"

/* Moves what views use of a buffer with holes into the buffer that takes new bytes; adds to *bytes what is saved.
 * The last step of an edit: after success nothing of it can be taken back. */
supple_result supplei_prune_bytes(supple_document *document, uint64_t *bytes, supple_error *error);

#endif
