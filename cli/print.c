/* print.c: JSON, escaped text, and progress. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

/* ---- UTF-8 ---- */

uint32_t cli_utf8_next(const char **text) {
  const unsigned char *at = (const unsigned char *)*text;
  static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
  int more = at[0] < 0x80                    ? 0
             : at[0] >= 0xc2 && at[0] < 0xe0 ? 1
             : at[0] >= 0xe0 && at[0] < 0xf0 ? 2
             : at[0] >= 0xf0 && at[0] < 0xf5 ? 3
                                             : -1;
  uint32_t code = more < 0 ? 0 : more == 0 ? at[0] : (uint32_t)at[0] & (0x3fu >> more);
  for (int i = 1; i <= more; i++) {
    if ((at[i] & 0xc0) != 0x80) {
      more = -1;
      break;
    }
    code = code << 6 | (at[i] & 0x3fu);
  }
  if (more < 0 || code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    *text += 1;
    return 0xfffd;
  }
  *text += more + 1;
  return code;
}

/* What a terminal draws on top of the character before. Not all of Unicode: the blocks that occur. */
static bool is_combining(uint32_t c) {
  return (c >= 0x300 && c <= 0x36f) || (c >= 0x483 && c <= 0x489) || (c >= 0x591 && c <= 0x5bd) ||
         (c >= 0x610 && c <= 0x61a) || (c >= 0x64b && c <= 0x65f) || (c >= 0x1ab0 && c <= 0x1aff) ||
         (c >= 0x1dc0 && c <= 0x1dff) || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x20d0 && c <= 0x20ff) || (c >= 0x3099 && c <= 0x309a) ||
         (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xfe20 && c <= 0xfe2f) || c == 0xfeff;
}

static bool is_wide(uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0x303e) ||
         (c >= 0x3041 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
         (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) ||
         (c >= 0x1f300 && c <= 0x1f64f) || (c >= 0x1f900 && c <= 0x1f9ff) ||
         (c >= 0x20000 && c <= 0x3fffd);
}

size_t cli_text_width(const char *text) {
  size_t width = 0;
  while (*text) {
    const uint32_t c = cli_utf8_next(&text);
    width += is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
  }
  return width;
}

/* Writes text, characters for which `escape` has a text replaced by it. */
typedef const char *escape_function(uint32_t code, char *buffer);

static void write_escaped(cli_output *output, const char *text, escape_function *escape) {
  char buffer[16];
  const char *run = text; /* characters that stand for themselves are written together */
  while (*text) {
    const char *start = text;
    uint32_t code = cli_utf8_next(&text);
    const bool bad = code == 0xfffd && text == start + 1;
    const char *instead = bad ? escape(UINT32_MAX, buffer) : escape(code, buffer);
    if (!instead) continue;
    cli_output_write(output, run, (size_t)(start - run));
    cli_output_text(output, instead);
    run = text;
  }
  cli_output_write(output, run, (size_t)(text - run));
}

/* ---- escapes ---- UINT32_MAX: a byte that is not UTF-8 */

static const char *json_escape(uint32_t code, char *buffer) {
  switch (code) {
  case '"': return "\\\"";
  case '\\': return "\\\\";
  case '\n': return "\\n";
  case '\r': return "\\r";
  case '\t': return "\\t";
  case UINT32_MAX: return "\xef\xbf\xbd";
  default: break;
  }
  if (code >= 0x20 && code != '<' && code != 0x7f && code != 0x2028 && code != 0x2029) return NULL;
  snprintf(buffer, 16, "\\u%04x", (unsigned)code);
  return buffer;
}

static const char *html_escape(uint32_t code, char *buffer) {
  (void)buffer;
  switch (code) {
  case '&': return "&amp;";
  case '<': return "&lt;";
  case '>': return "&gt;";
  case '"': return "&quot;";
  case '\'': return "&#39;";
  case '\n':
  case '\t': return NULL;
  case UINT32_MAX: return "\xef\xbf\xbd";
  default: return code < 0x20 || (code >= 0x7f && code < 0xa0) ? "\xef\xbf\xbd" : NULL;
  }
}

static const char *plain_escape(uint32_t code, char *buffer) {
  (void)buffer;
  /* C1 controls and the marks that turn writing direction could disguise text on a terminal */
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) ||
                       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return control || code == UINT32_MAX ? "?" : NULL;
}

void cli_json_quote(cli_output *output, const char *text) {
  cli_output_write(output, "\"", 1);
  write_escaped(output, text, json_escape);
  cli_output_write(output, "\"", 1);
}

void cli_html_text(cli_output *output, const char *text) {
  write_escaped(output, text, html_escape);
}

void cli_plain_text(cli_output *output, const char *text) {
  write_escaped(output, text, plain_escape);
}

/* ---- JSON ---- */

cli_json cli_json_start(cli_output *output, bool indent) {
  cli_json json;
  memset(&json, 0, sizeof json);
  json.output = output;
  json.indent = indent;
  return json;
}

static void new_line(const cli_json *json, uint32_t depth) {
  static const char spaces[] = "                                                                ";
  cli_output_write(json->output, "\n", 1);
  cli_output_write(json->output, spaces, 2 * (size_t)depth);
}

/* Comma, line and key before a member. Scalars in arrays stay on the line; all else gets its own. */
static void before(cli_json *json, const char *key, bool container) {
  if (json->depth > 0) {
    const uint32_t top = json->depth - 1;
    const bool line = json->indent && (!json->is_array[top] || container);
    if (json->filled[top]) cli_output_text(json->output, line || !json->indent ? "," : ", ");
    json->filled[top] = true;
    if (line) {
      json->broken[top] = true;
      new_line(json, json->depth);
    }
  }
  if (key) {
    cli_json_quote(json->output, key);
    cli_output_text(json->output, json->indent ? ": " : ":");
  }
}

static void open_container(cli_json *json, const char *key, bool is_array) {
  before(json, key, true);
  cli_output_text(json->output, is_array ? "[" : "{");
  if (json->depth >= CLI_JSON_DEPTH) return; /* a bug in the program, found by its tests */
  json->is_array[json->depth] = is_array;
  json->filled[json->depth] = false;
  json->broken[json->depth] = false;
  json->depth++;
}

void cli_json_object(cli_json *json, const char *key) { open_container(json, key, false); }
void cli_json_array(cli_json *json, const char *key) { open_container(json, key, true); }

void cli_json_end(cli_json *json) {
  if (json->depth == 0) return;
  json->depth--;
  if (json->broken[json->depth]) new_line(json, json->depth);
  cli_output_text(json->output, json->is_array[json->depth] ? "]" : "}");
  if (json->depth == 0) cli_output_write(json->output, "\n", 1);
}

void cli_json_text(cli_json *json, const char *key, const char *text) {
  before(json, key, false);
  if (text)
    cli_json_quote(json->output, text);
  else
    cli_output_text(json->output, "null");
}

void cli_json_float(cli_json *json, const char *key, float value) {
  char text[CLI_NUMBER_TEXT];
  before(json, key, false);
  cli_output_text(json->output, cli_float_text(value, text));
}

void cli_json_double(cli_json *json, const char *key, double value) {
  char text[CLI_NUMBER_TEXT];
  before(json, key, false);
  cli_output_text(json->output, cli_double_text(value, text));
}

void cli_json_integer(cli_json *json, const char *key, int64_t value) {
  before(json, key, false);
  cli_output_format(json->output, "%lld", (long long)value);
}

void cli_json_index(cli_json *json, const char *key, uint32_t value) {
  if (value == SUPPLE_NONE)
    cli_json_null(json, key);
  else
    cli_json_integer(json, key, value);
}

void cli_json_bool(cli_json *json, const char *key, bool value) {
  before(json, key, false);
  cli_output_text(json->output, value ? "true" : "false");
}

void cli_json_null(cli_json *json, const char *key) {
  before(json, key, false);
  cli_output_text(json->output, "null");
}

void cli_json_floats(cli_json *json, const char *key, const float *values, size_t count) {
  cli_json_array(json, key);
  for (size_t i = 0; i < count; i++) cli_json_float(json, NULL, values[i]);
  cli_json_end(json);
}

void cli_json_doubles(cli_json *json, const char *key, const double *values, size_t count) {
  cli_json_array(json, key);
  for (size_t i = 0; i < count; i++) cli_json_double(json, NULL, values[i]);
  cli_json_end(json);
}

/* ---- progress ---- */

static bool stderr_is_terminal(void) {
#if defined(_WIN32)
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(fileno(stderr)) != 0;
#endif
}

/* From an arbitrary start. */
static double clock_seconds(void) {
#if defined(_WIN32)
  return 1e-3 * (double)GetTickCount64();
#else
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

void cli_progress(const char *label, uint32_t done, uint32_t total) {
  static double shown; /* when the line was last drawn */
  static bool drawn;
  if (!stderr_is_terminal()) return;
  if (done >= total) {
    if (drawn) fputs("\r\033[K", stderr);
    drawn = false;
    return;
  }
  const double seconds = clock_seconds();
  if (fabs(seconds - shown) < 0.1) return;
  shown = seconds;
  drawn = true;
  fprintf(stderr, "\r%s: %lu / %lu\033[K", label, (unsigned long)done, (unsigned long)total);
  fflush(stderr);
}
