/* decompress.h: what the parts of a document's decompression share. */
#ifndef SUPPLEI_DECOMPRESS_H
#define SUPPLEI_DECOMPRESS_H

#include "document_state.h"
#include "meshopt_rules.h"

enum { SUPPLEI_STAMP = 8 };

/* Decompressed data, kept as long as the document; `stamp` says of what, since the JSON may change. */
typedef struct supplei_unpacked {
  uint32_t value; /* that says how it is compressed */
  uint64_t stamp[SUPPLEI_STAMP];
  unsigned char *data;
  size_t size;
} supplei_unpacked;

/* The data that a value with this stamp stands for, NULL: not yet decompressed. */
const unsigned char *supplei_unpacked_find(const supple_document *document, uint32_t value,
                                           const uint64_t stamp[SUPPLEI_STAMP]);
/* Room for data, within limits.memory_bytes; `value` is named where there is none. */
supple_result supplei_unpacked_allocate(supple_document *document, uint32_t value, uint64_t count,
                                        size_t size, unsigned char **data, supple_error *error);
/* Gives back what supplei_unpacked_keep did not take. */
void supplei_unpacked_release(supple_document *document, unsigned char *data, size_t size);
/* Keeps it (takes it over only on success). */
supple_result supplei_unpacked_keep(supple_document *document, const supplei_unpacked *unpacked,
                                    supple_error *error);

/* ---- the steps of supple_document_decompress, inside one transaction ---- */

/* Views: their bytes in the new buffer, in the place of the compressed ones. */
supple_result supplei_decompress_views(supple_document *document, uint32_t *changed,
                                       supple_error *error);
/* Primitives: their accessors with the decoded elements. */
supple_result supplei_decompress_primitives(supple_document *document, uint32_t *changed,
                                            supple_error *error);
/* Takes an extension out of an object, and "extensions" where it was the last. */
supple_result supplei_decompress_drop(supple_document *document, uint32_t object, const char *name,
                                      supple_error *error);

#endif
