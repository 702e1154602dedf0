/* web_text.h: a growing text of JSON, for what is handed to JavaScript as one value. */
#ifndef SUPPLE_WEB_TEXT_H
#define SUPPLE_WEB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise it; memory that runs out is remembered and gives NULL in the end. */
typedef struct web_text {
  char *data;
  size_t length, capacity;
  bool failed;
  bool comma; /* a value came before in the innermost container */
} web_text;

/* `key` NULL: in an array, or at the top. */
void web_object(web_text *text, const char *key);
void web_array(web_text *text, const char *key);
void web_end(web_text *text, char bracket); /* '}' or ']' */
void web_string(web_text *text, const char *key,
                const char *value); /* UTF-8; what is not becomes U+FFFD */
void web_number(web_text *text, const char *key, double value);  /* not finite: null */
void web_index(web_text *text, const char *key, uint32_t value); /* SUPPLE_NONE: null */
void web_pointer(web_text *text, const char *key,
                 const void *value); /* the address as a number; NULL: 0 */
void web_bool(web_text *text, const char *key, bool value);

/* The NUL-terminated text, which the caller frees; NULL where memory ran out. */
char *web_finish(web_text *text);

#endif
