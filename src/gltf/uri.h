/* uri.h: the URIs of glTF buffers: data URIs, and which file names are safe. */
#ifndef SUPPLEI_URI_H
#define SUPPLEI_URI_H

#include "../../include/supple/base.h"

/* Whether it is a "data:" URI (any case). */
bool supplei_uri_is_data(const char *uri, size_t length);

/* Decodes a base64 data URI. Without `out` only *size is told and nothing but the length is
 * checked; with it the base64 (RFC 4648, no whitespace, padding optional) is decoded into
 * out[*size]. */
supple_result supplei_uri_data(const char *uri, size_t length, unsigned char *out, size_t *size,
                               supple_error *error);

/* Decodes %XX of a relative reference into a NUL-terminated path in out[length + 1], and judges
 * it. Always refused: schemes (nothing is ever fetched), "//host", NUL, control characters,
 * invalid UTF-8, an empty path. Refused unless `allow_outside`: absolute paths, drive letters,
 * ".." however written, '\', ':', and the device names of Windows, on every system alike. *raw:
 * characters that should have been escaped were not. */
supple_result supplei_uri_path(const char *uri, size_t length, bool allow_outside, char *out,
                               bool *raw, supple_error *error);

#endif
