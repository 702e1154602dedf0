/* buffers.h: the bytes of glTF buffers, from the GLB, a data URI, or another file. */
#ifndef SUPPLEI_BUFFERS_H
#define SUPPLEI_BUFFERS_H

#include "loader.h"

/* buffer.byteLength, checked to be there. */
supple_result supplei_buffer_length(supplei_loader *loader, uint32_t buffer, uint64_t *length);

/* Whether the file says where its bytes are (its length was asked before). (The fallback buffer
 * of a compressed view may not.) */
bool supplei_buffer_has_source(const supplei_loader *loader, uint32_t buffer);

/* Its bytes, at least byteLength of them, which live as long as the loader. Read once, when
 * first asked. */
supple_result supplei_buffer_open(supplei_loader *loader, uint32_t buffer,
                                  const unsigned char **data);

/* The text of a "uri" (a JSON node), decoded; it lives as long as the loader. */
supple_result supplei_uri_text(supplei_loader *loader, uint32_t node, const char **uri,
                               size_t *length);

/* Says again at a JSON node what an error of uri.h, which has no place, said. */
supple_result supplei_uri_wrong(supplei_loader *loader, uint32_t node, const supple_error *error);

/* The bytes of another file, named by the URI at `node`; supplei_file_release gives them back. */
supple_result supplei_file_open(supplei_loader *loader, uint32_t node, const char *path,
                                supplei_buffer *file);
void supplei_file_release(supplei_loader *loader, supplei_buffer *file);

/* Releases what was opened. */
void supplei_buffers_close(supplei_loader *loader);

#endif
