/* fabricated_page.c: see fabricated_page.h. */
#include "fabricated_page.h"

#include <stdio.h>
#include <string.h>

void fabricated_page_open(fabricated_page *one, fabricated_kind kind) {
  static const cli_options options;
  one->made = fabricated_create(kind);
  one->results = fabricated_comparison(one->made);
  one->results->options = &options;
  one->all = verdict_reach(one->results);
  one->page =
      (report_page){.output = cli_output_open_memory(), .results = one->results, .all = one->all};
  one->page.outlines = fabricated_outlines(one->made, one->all, &one->page.outline_count);
}

const char *fabricated_page_text(const fabricated_page *one) {
  size_t size;
  const char *text = cli_output_contents(one->page.output, &size);
  return text ? text : "";
}

void fabricated_page_close(fabricated_page *one) {
  cli_output_close(one->page.output);
  verdict_free(one->all);
  fabricated_free(one->made);
}

unsigned fabricated_count(const char *text, const char *part) {
  unsigned count = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + strlen(part), part)) count++;
  return count;
}

/* Elements that have no end. */
static bool is_void(const char *name) {
  static const char *const names[] = {"meta", "br"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

/* The end of a tag: the first '>' outside double quotes. */
static const char *tag_end(const char *at) {
  bool quoted = false;
  for (; *at && (quoted || *at != '>'); at++)
    if (*at == '"') quoted = !quoted;
  return at;
}

bool fabricated_is_balanced(const char *text) {
  char open[64][16];
  size_t depth = 0;
  for (const char *at = strchr(text, '<'); at; at = strchr(at, '<')) {
    const bool closes = at[1] == '/';
    char name[16];
    const char *end = tag_end(at);
    if (!*end) return false;
    if (at[1] == '!') {
      at = end;
      continue;
    }
    if (sscanf(at + 1 + closes, "%15[a-zA-Z0-9]", name) != 1 || strcmp(name, "img") == 0)
      return false;
    if (closes) {
      if (depth == 0 || strcmp(open[depth - 1], name) != 0) {
        fprintf(stderr, "</%s> closes %s\n", name, depth ? open[depth - 1] : "nothing");
        return false;
      }
      depth--;
    } else if (end[-1] != '/' && !is_void(name)) {
      if (depth == 64) return false;
      strcpy(open[depth++], name);
    }
    at = end;
  }
  if (depth) fprintf(stderr, "%s stays open\n", open[depth - 1]);
  return depth == 0;
}
