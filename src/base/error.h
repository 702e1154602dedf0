/* error.h: filling a supple_error. */
#ifndef SUPPLEI_ERROR_H
#define SUPPLEI_ERROR_H

#include "../../include/supple/base.h"

/* MinGW's own printf is the GNU one, but gcc takes it for Microsoft's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define SUPPLEI_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define SUPPLEI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define SUPPLEI_PRINTF(text, first)
#endif

/* Fills *error (which may be NULL) and returns `result`. `pointer` is a JSON pointer or NULL, `offset` a
 * byte or SIZE_MAX. The message becomes "POINTER: text" or "byte N: text"; one too long is cut at a
 * whole UTF-8 character. Control characters and invalid UTF-8 become '?'. */
supple_result supplei_fail(supple_error *error, supple_result result, const char *pointer,
                           size_t offset, const char *format, ...) SUPPLEI_PRINTF(5, 6);

/* SUPPLE_ERROR_MEMORY with its standard text: "out of memory (N bytes for WHAT)". */
supple_result supplei_fail_memory(supple_error *error, size_t bytes, const char *what);

#endif
