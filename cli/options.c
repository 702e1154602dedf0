/* options.c: the shared options and the parser of all options. */
#include "options.h"

#include "handpose.h"
#include "print.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) .offset = offsetof(cli_options, field)
#define GIVEN(field) .given = offsetof(cli_options, field)
#define COUNT_MOST ((double)UINT32_MAX)

static bool parse_methods(void *value, const char *text, char *message, size_t size);
static bool parse_pose(void *value, const char *text, char *message, size_t size);

typedef struct shared_option {
  uint32_t uses;
  cli_option option;
} shared_option;

#define LIMIT_SIZE(field, word, text)                                                              \
  {                                                                                                \
    CLI_USES_LOADING, {                                                                            \
      .name = "limit-" word, .argument = "BYTES", .kind = CLI_SIZE, AT(limits.field), .help = text \
    }                                                                                              \
  }
#define LIMIT_COUNT(field, word, text)                                                             \
  {                                                                                                \
    CLI_USES_LOADING, {                                                                            \
      .name = "limit-" word, .argument = "N", .kind = CLI_COUNT, AT(limits.field), .least = 1,     \
      .most = COUNT_MOST, .help = text                                                             \
    }                                                                                              \
  }

static const shared_option shared_options[] = {
    {CLI_USES_OUTPUT,
     {.name = "output",
      .letter = 'o',
      .argument = "OUT",
      .kind = CLI_TEXT,
      AT(output),
      .help = "where the result goes; - is stdout"}},
    {CLI_USES_DRY_RUN,
     {.name = "dry-run",
      .kind = CLI_FLAG,
      AT(dry_run),
      .help = "do everything, say what would be written, and leave no file"}},
    {CLI_USES_JSON, {.name = "json", .kind = CLI_FLAG, AT(json), .help = "print JSON"}},
    {CLI_USES_METHOD,
     {.name = "method",
      .argument = "lbs|dqs",
      .kind = CLI_CHOICE,
      AT(method),
      GIVEN(method_given),
      .help = "linear blend or dual quaternion skinning (default: skin:\nwhat the file names, else "
              "dqs; "
              "info: lbs)"}},
    {CLI_USES_METHODS,
     {.name = "methods",
      .argument = "A,B",
      .kind = CLI_CUSTOM,
      .parse = parse_methods,
      .help = "methods to compare, the reference first (default lbs,dqs; render: the one that skin "
              "uses)"}},
    {CLI_USES_CLIP,
     {.name = "clip",
      .argument = "NAME|#INDEX",
      .kind = CLI_TEXT,
      AT(clip),
      .help = "the clip to play"}},
    {CLI_USES_TIME,
     {.name = "time",
      .argument = "S",
      .kind = CLI_NUMBER,
      AT(time),
      GIVEN(time_given),
      .help = "at this time of the clip, in seconds"}},
    {CLI_USES_FRAMES,
     {.name = "frames",
      .argument = "N",
      .kind = CLI_COUNT,
      AT(frames),
      .least = 1,
      .most = 1000000,
      .help = "at N times evenly spaced, ends included (default: every key, up to "
              "120; 120 evenly spaced where there are more)"}},
    {CLI_USES_REST, {.name = "rest", .kind = CLI_FLAG, AT(rest), .help = "nodes as stored, no clip"}},
    {CLI_USES_POSE,
     {.name = "pose",
      .argument = "JOINT:twist=D,bend=D,side=D",
      .kind = CLI_CUSTOM,
      .parse = parse_pose,
      .help = "turn a joint by hand, in degrees: about its bone, and across it; may "
              "be repeated. JOINT is a node's name or #INDEX"}},
    {CLI_USES_SPACE,
     {.name = "space",
      .argument = "scene|mesh",
      .kind = CLI_CHOICE,
      AT(space),
      .help = "space of the result (default scene); mesh: relative to the skinned node"}},
    {CLI_USES_DEFORM,
     {.name = "scale",
      .argument = "affine|first|none",
      .kind = CLI_CHOICE,
      AT(scale),
      .help = "how dqs treats scaled and sheared joints (default affine); first: "
              "scale, then the rigid motion; none: the rigid motion alone"}},
    {CLI_USES_DEFORM,
     {.name = "signs",
      .argument = "vertex|pose",
      .kind = CLI_CHOICE,
      AT(signs),
      .help = "whether dqs settles quaternions' signs per vertex (default) or once per pose"}},
    {CLI_USES_DEFORM,
     {.name = "split",
      .argument = "polar|gram-schmidt",
      .kind = CLI_CHOICE,
      AT(split),
      .help = "how dqs finds a matrix's rotation (default polar)"}},
    {CLI_USES_DEFORM,
     {.name = "rigid-tolerance",
      .argument = "X",
      .kind = CLI_NUMBER,
      AT(rigid_tolerance),
      .least = -1,
      .most = 1,
      .help = "share of the common scale within which a joint is rigid (default "
              "2e-5); negative: none is"}},
    {CLI_USES_NORMALS,
     {.name = "normals",
      .argument = "cofactor|unit|linear",
      .kind = CLI_CHOICE,
      AT(normals),
      .help = "how normals follow (default cofactor); unit: by the matrix, "
              "normalised; linear: not normalised"}},
    {CLI_USES_INFLUENCES,
     {.name = "weights",
      .argument = "normalise|keep",
      .kind = CLI_CHOICE,
      AT(weights),
      .help = "divide weights by their sum (default), or keep them as stored (lbs only)"}},
    {CLI_USES_INFLUENCES,
     {.name = "unweighted",
      .argument = "joint|rest",
      .kind = CLI_CHOICE,
      AT(unweighted),
      .help = "a vertex without weight follows the first joint it names (default), "
              "or stays at rest"}},
    {CLI_USES_INFLUENCES,
     {.name = "max-influences",
      .argument = "K",
      .kind = CLI_COUNT,
      AT(max_influences),
      .least = 1,
      .most = 65535,
      .help = "keep the K largest weights of a vertex"}},
    {CLI_USES_THREADS,
     {.name = "threads",
      .argument = "N",
      .kind = CLI_COUNT,
      AT(threads),
      .least = 1,
      .most = 256,
      .help = "threads to use (default: one a core)"}},
    {CLI_USES_VERBOSE,
     {.name = "verbose",
      .letter = 'v',
      .kind = CLI_FLAG,
      AT(verbose),
      .help = "say on stderr what was read, repaired and met"}},
    {CLI_USES_LOADING,
     {.name = "allow-outside-uris",
      .kind = CLI_FLAG,
      AT(allow_outside_uris),
      .help = "let the file name others by absolute paths or by \"..\""}},
    LIMIT_SIZE(file_bytes, "file-bytes",
               "largest file read (default 4G - 1); K, M and G are understood"),
    LIMIT_SIZE(memory_bytes, "memory-bytes", "most memory for the asset (default 1G)"),
    LIMIT_COUNT(json_values, "json-values", "values in the JSON text (default 10000000)"),
    LIMIT_COUNT(json_depth, "json-depth", "nesting of the JSON text (default 1000)"),
    LIMIT_COUNT(nodes, "nodes", "nodes (default 1000000)"),
    LIMIT_COUNT(node_depth, "node-depth", "nesting of nodes (default 100000)"),
    LIMIT_COUNT(vertices, "vertices", "vertices of a primitive (default 100000000)"),
    LIMIT_COUNT(joints, "joints", "joints of a skin (default 65535)"),
    LIMIT_COUNT(influence_sets, "influence-sets", "JOINTS_n sets of a primitive (default 64)"),
    LIMIT_COUNT(morph_targets, "morph-targets", "morph targets of a mesh (default 4096)"),
    {0, {.name = "help", .letter = 'h', .kind = CLI_FLAG, AT(help), .help = "print this"}},
};

enum { SHARED_COUNT = sizeof shared_options / sizeof shared_options[0] };

/* ---- methods ---- */

static const char method_words[] = "lbs|dqs";

const char *cli_method_name(supple_method method) { return method == SUPPLE_LBS ? "lbs" : "dqs"; }

bool cli_method_find(const char *name, size_t length, supple_method *method) {
  const char *word;
  size_t word_length;
  for (int i = 0; cli_choice_word(method_words, i, &word, &word_length); i++)
    if (word_length == length && memcmp(word, name, length) == 0) {
      *method = (supple_method)i;
      return true;
    }
  return false;
}

static bool parse_methods(void *value, const char *text, char *message, size_t size) {
  cli_options *options = value;
  options->method_count = 0;
  for (const char *word = text;;) {
    const char *end = strchr(word, ',');
    const size_t length = end ? (size_t)(end - word) : strlen(word);
    supple_method method;
    if (!cli_method_find(word, length, &method)) {
      snprintf(message, size, "there is no method '%.*s' (there are lbs and dqs)",
               (int)(length < 60 ? length : 60), word);
      return false;
    }
    for (uint32_t i = 0; i < options->method_count; i++)
      if (options->methods[i] == method) {
        snprintf(message, size, "method '%s' is named twice", cli_method_name(method));
        return false;
      }
    options->methods[options->method_count++] = method;
    if (!end) return true;
    word = end + 1;
  }
}

static bool parse_pose(void *value, const char *text, char *message, size_t size) {
  cli_options *options = value;
  cli_turn turn;
  size_t name_length;
  if (!cli_turn_parse(text, &turn, &name_length, message, size)) return false;
  if (options->pose_count >= CLI_POSES_MOST) {
    snprintf(message, size, "more than %d times --pose", (int)CLI_POSES_MOST);
    return false;
  }
  const size_t bytes = (options->pose_count + 1) * sizeof options->poses[0];
  const char **poses = realloc(options->poses, bytes);
  if (!poses) {
    options->out_of_memory = true;
    snprintf(message, size, "out of memory");
    return false;
  }
  options->poses = poses;
  options->poses[options->pose_count++] = text;
  return true;
}

void cli_options_free(cli_options *options) {
  free(options->poses);
  options->poses = NULL;
  options->pose_count = 0;
}

/* ---- values ---- */

bool cli_choice_word(const char *choices, int index, const char **word, size_t *length) {
  const char *at = choices;
  for (int i = 0;; i++) {
    const char *end = strchr(at, '|');
    if (i == index) {
      *word = at;
      *length = end ? (size_t)(end - at) : strlen(at);
      return true;
    }
    if (!end) return false;
    at = end + 1;
  }
}

bool cli_parse_number(const char *text, size_t length, double *number) {
  char copy[128];
  const char *point = localeconv()->decimal_point;
  const size_t point_length = strlen(point);
  size_t n = 0;
  if (length == 0 || length > 64) return false;
  for (size_t i = 0; i < length; i++) {
    const char c = text[i];
    if (c == '.') {
      if (n + point_length >= sizeof copy) return false;
      memcpy(copy + n, point, point_length);
      n += point_length;
    } else if ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == 'e' || c == 'E') {
      copy[n++] = c;
    } else {
      return false;
    }
  }
  copy[n] = '\0';
  char *end;
  const double value = strtod(copy, &end);
  if (end != copy + n || !isfinite(value)) return false;
  *number = value;
  return true;
}

static bool parse_size(const char *text, size_t *size) {
  size_t value = 0;
  const char *at = text;
  for (; *at >= '0' && *at <= '9'; at++) {
    const size_t digit = (size_t)(*at - '0');
    if (value > (SIZE_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  if (at == text || value == 0) return false;
  const unsigned shift = *at == 'K' || *at == 'k'   ? 10
                         : *at == 'M' || *at == 'm' ? 20
                         : *at == 'G' || *at == 'g' ? 30
                                                    : 0;
  if (shift) at++;
  if (*at != '\0' || value > SIZE_MAX >> shift) return false;
  *size = value << shift;
  return true;
}

static void say_range(const cli_option *option, char *message, size_t size) {
  char least[CLI_NUMBER_TEXT], most[CLI_NUMBER_TEXT];
  const char *what = option->kind == CLI_COUNT ? "whole number" : "number";
  if (option->least < option->most)
    snprintf(message, size, "--%s needs a %s from %s to %s", option->name, what,
             cli_double_text(option->least, least), cli_double_text(option->most, most));
  else
    snprintf(message, size, "--%s needs a %s", option->name, what);
}

static bool set_number(const cli_option *option, void *value, const char *text, char *message,
                       size_t size) {
  double number = 0;
  const bool ranged = option->least < option->most;
  bool fine = cli_parse_number(text, strlen(text), &number);
  fine = fine && (!ranged || (number >= option->least && number <= option->most));
  if (option->kind == CLI_COUNT) {
    fine = fine && number >= 0 && number <= COUNT_MOST && number == floor(number) &&
           strspn(text, "0123456789") == strlen(text);
    if (fine) *(uint32_t *)value = (uint32_t)number;
  } else if (fine) {
    *(double *)value = number;
  }
  if (!fine) say_range(option, message, size);
  return fine;
}

static bool set_choice(const cli_option *option, void *value, const char *text, char *message,
                       size_t size) {
  const char *word;
  size_t length;
  const char *wanted = text;
  if (strcmp(option->name, "weights") == 0 && strcmp(text, "normalize") == 0) wanted = "normalise";
  for (int i = 0; cli_choice_word(option->argument, i, &word, &length); i++)
    if (strlen(wanted) == length && memcmp(word, wanted, length) == 0) {
      *(int *)value = i;
      return true;
    }
  snprintf(message, size, "--%s is one of %s, not '%.60s'", option->name, option->argument, text);
  return false;
}

/* Sets one option in the struct that it belongs to. */
static bool set_option(const cli_option *option, void *target, const char *text, char *message,
                       size_t size) {
  void *value = (char *)target + option->offset;
  char reason[256];
  bool fine = true;
  switch (option->kind) {
  case CLI_FLAG: *(bool *)value = true; break;
  case CLI_NUMBER:
  case CLI_COUNT: fine = set_number(option, value, text, message, size); break;
  case CLI_SIZE:
    fine = parse_size(text, value);
    if (!fine)
      snprintf(message, size, "--%s needs a number of bytes, such as 500000 or 64M", option->name);
    break;
  case CLI_TEXT:
    *(const char **)value = text;
    fine = text[0] != '\0';
    if (!fine) snprintf(message, size, "--%s needs a %s", option->name, option->argument);
    break;
  case CLI_CHOICE: fine = set_choice(option, value, text, message, size); break;
  case CLI_CUSTOM:
    fine = option->parse(value, text, reason, sizeof reason);
    if (!fine) snprintf(message, size, "--%s '%.80s': %s", option->name, text, reason);
    break;
  }
  if (fine) *(bool *)((char *)target + option->given) = true;
  return fine;
}

/* ---- the parser ---- */

const cli_option *cli_options_list(const cli_grammar *grammar, size_t index) {
  if (index < grammar->own_option_count) return &grammar->own_options[index];
  index -= grammar->own_option_count;
  for (size_t i = 0; i < SHARED_COUNT; i++) {
    const uint32_t uses = shared_options[i].uses;
    if (uses && !(uses & grammar->shared)) continue;
    if (index == 0) return &shared_options[i].option;
    index--;
  }
  return NULL;
}

typedef struct parser {
  const cli_grammar *grammar;
  char *const *arguments;
  size_t count, at;
  cli_options *options;
  void *own;
  char *message;
  size_t message_size;
} parser;

static void *target_of(const parser *p, const cli_option *option) {
  const cli_grammar *g = p->grammar;
  const bool own = g->own_option_count && option >= g->own_options &&
                   option < g->own_options + g->own_option_count;
  return own ? p->own : (void *)p->options;
}

static const cli_option *find_long(const cli_grammar *grammar, const char *name, size_t length) {
  const cli_option *option;
  for (size_t i = 0; (option = cli_options_list(grammar, i)) != NULL; i++)
    if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) return option;
  return NULL;
}

static bool refuse_long(const parser *p, const char *name, size_t length) {
  char wanted[64], near[256];
  snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 60 ? length : 60), name);
  cli_nearest nearest = {.prefix = "--"};
  const cli_option *option;
  for (size_t i = 0; (option = cli_options_list(p->grammar, i)) != NULL; i++)
    cli_nearest_offer(&nearest, wanted, option->name);
  snprintf(p->message, p->message_size, "there is no option '--%s'%s", wanted,
           cli_nearest_text(&nearest, near, sizeof near));
  return false;
}

static bool parse_long(parser *p, const char *argument) {
  const char *name = argument + 2;
  const char *equals = strchr(name, '=');
  const size_t length = equals ? (size_t)(equals - name) : strlen(name);
  const cli_option *option = find_long(p->grammar, name, length);
  if (!option) return refuse_long(p, name, length);
  const char *text = equals ? equals + 1 : NULL;
  if (option->kind == CLI_FLAG) {
    if (text) {
      snprintf(p->message, p->message_size, "--%s takes no value", option->name);
      return false;
    }
  } else if (!text) {
    if (p->at + 1 >= p->count) {
      snprintf(p->message, p->message_size, "--%s needs a value: %s", option->name,
               option->argument);
      return false;
    }
    text = p->arguments[++p->at];
  }
  return set_option(option, target_of(p, option), text, p->message, p->message_size);
}

static bool parse_short(parser *p, const char *argument) {
  for (const char *at = argument + 1; *at; at++) {
    const cli_option *option;
    size_t i = 0;
    while ((option = cli_options_list(p->grammar, i)) != NULL && option->letter != *at) i++;
    if (!option) {
      snprintf(p->message, p->message_size, "there is no option '%.20s'", argument);
      return false;
    }
    if (option->kind == CLI_FLAG) {
      if (!set_option(option, target_of(p, option), NULL, p->message, p->message_size))
        return false;
      continue;
    }
    const char *text = at[1] ? at + 1 : NULL;
    if (!text) {
      if (p->at + 1 >= p->count) {
        snprintf(p->message, p->message_size, "-%c needs a value: %s", option->letter,
                 option->argument);
        return false;
      }
      text = p->arguments[++p->at];
    }
    return set_option(option, target_of(p, option), text, p->message, p->message_size);
  }
  return true;
}

bool cli_options_parse(const cli_grammar *grammar, char *const *arguments, size_t count,
                       cli_options *options, void *own, const char **files, size_t *file_count,
                       char *message, size_t message_size) {
  parser p = {grammar, arguments, count, 0, options, own, message, message_size};
  bool options_end = false;
  memset(options, 0, sizeof *options);
  *file_count = 0;
  for (; p.at < count; p.at++) {
    const char *argument = arguments[p.at];
    if (options_end || argument[0] != '-' || argument[1] == '\0')
      files[(*file_count)++] = argument;
    else if (strcmp(argument, "--") == 0)
      options_end = true;
    else if (!(argument[1] == '-' ? parse_long(&p, argument) : parse_short(&p, argument)))
      return false;
  }
  return true;
}

/* ---- nearest names ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

uint32_t cli_edit_distance(const char *a, const char *b, uint32_t most) {
  enum { LONGEST = 128 };
  uint32_t rows[3][LONGEST + 1];
  const size_t n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST) return strcmp(a, b) == 0 ? 0 : most + 1;
  for (size_t j = 0; j <= m; j++) rows[0][j] = (uint32_t)j;
  for (size_t i = 1; i <= n; i++) {
    uint32_t *row = rows[i % 3];
    const uint32_t *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
    row[0] = (uint32_t)i;
    for (size_t j = 1; j <= m; j++) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      uint32_t best = above[j - 1] + (x != y);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      /* two neighbours swapped are one mistake */
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]) && twice[j - 2] + 1 < best)
        best = twice[j - 2] + 1;
      row[j] = best;
    }
  }
  const uint32_t distance = rows[n % 3][m];
  return distance > most ? most + 1 : distance;
}

static bool contains(const char *text, const char *part) {
  const size_t length = strlen(part);
  if (length < 2) return false;
  for (; *text; text++) {
    size_t i = 0;
    while (i < length && lower(text[i]) == lower(part[i])) i++;
    if (i == length) return true;
  }
  return false;
}

void cli_nearest_offer(cli_nearest *nearest, const char *wanted, const char *name) {
  const size_t length = strlen(wanted);
  if (name[0] == '\0' || length > 1000) return;
  const uint32_t most = (uint32_t)(length + 1) / 2;
  uint32_t distance = cli_edit_distance(wanted, name, most);
  if (distance > most && !contains(name, wanted) && !contains(wanted, name)) return;
  for (int i = 0; i < 3; i++) {
    if (nearest->names[i] && strcmp(nearest->names[i], name) == 0) return;
    if (nearest->names[i] && nearest->distances[i] <= distance) continue;
    for (int k = 2; k > i; k--) {
      nearest->names[k] = nearest->names[k - 1];
      nearest->distances[k] = nearest->distances[k - 1];
    }
    nearest->names[i] = name;
    nearest->distances[i] = distance;
    return;
  }
}

const char *cli_nearest_text(const cli_nearest *nearest, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < 3 && nearest->names[i] && used < size; i++) {
    const char *before = i == 0                                    ? "; did you mean "
                         : i == 2 || nearest->names[i + 1] == NULL ? " or "
                                                                   : ", ";
    const int wrote = snprintf(text + used, size - used, "%s'%s%.80s'", before,
                               nearest->prefix ? nearest->prefix : "", nearest->names[i]);
    if (wrote < 0) break;
    used += (size_t)wrote;
  }
  if (used && used + 1 < size) memcpy(text + used, "?", 2);
  return text;
}
