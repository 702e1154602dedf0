/* json_text.h: UTF-8 and the escapes of JSON strings. */
#ifndef SUPPLEI_JSON_TEXT_H
#define SUPPLEI_JSON_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Length of the UTF-8 sequence at s, `left` >= 1 bytes before the end; 0 where it is invalid:
 * overlong, a surrogate, above U+10FFFF, or cut. */
size_t supplei_utf8_length(const unsigned char *s, size_t left);

/* Bytes of the escape at s[0] == '\\' (a surrogate pair is one), 0 where it is wrong; *code is its
 * character. */
size_t supplei_json_escape(const unsigned char *s, size_t left, uint32_t *code);

/* Writes a character as UTF-8 into out[4]; returns its bytes. */
size_t supplei_utf8_write(uint32_t code, char *out);

/* 0 to 15, -1 for anything else. */
int supplei_hex_digit(unsigned char c);

#endif
