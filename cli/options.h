/* options.h: what can be said on the command line, declared once: the shared options, and the kinds that
 * a command's own options are made of. */
#ifndef SUPPLE_CLI_OPTIONS_H
#define SUPPLE_CLI_OPTIONS_H

#include <supple/supple.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What type an option's value has, in the struct it is written to. */
typedef enum cli_option_kind {
  CLI_FLAG,   /* bool, becomes true */
  CLI_NUMBER, /* double, finite, least <= x <= most */
  CLI_COUNT,  /* uint32_t, least <= n <= most */
  CLI_SIZE,   /* size_t: digits, then K, M or G for 1024, 1024², 1024³ */
  CLI_TEXT,   /* const char *, not empty */
  CLI_CHOICE, /* int: which of the words in `argument` ("lbs|dqs"), from 0 */
  CLI_CUSTOM  /* by `parse` */
} cli_option_kind;

/* One option. Long options accept "--name value" and "--name=value", short ones "-o value" and "-ovalue".
 *
 *   static const cli_option own[] = {
 *     {.name = "threshold", .argument = "P", .kind = CLI_NUMBER, .offset = offsetof(own_struct, threshold),
 *      .given = offsetof(own_struct, threshold_given), .least = 0, .most = 100,
 *      .help = "joints that keep less collapse (default 75)"},
 *   };
 */
typedef struct cli_option {
  const char *name;     /* without dashes */
  char letter;          /* short form, or 0 */
  const char *argument; /* placeholder in --help ("S"), or the words of a CLI_CHOICE; NULL for a flag */
  cli_option_kind kind;
  size_t offset;      /* of the value */
  size_t given;       /* of a bool that becomes true; 0: the struct's first member, which is one */
  double least, most; /* for CLI_NUMBER and CLI_COUNT; both 0: any */
  const char *help;   /* lower case, no full stop; wrapped when it is printed */
  /* CLI_CUSTOM: reads text into value (target + offset); false, with a reason in message, where it cannot. */
  bool (*parse)(void *value, const char *text, char *message, size_t message_size);
} cli_option;

/* Which shared options a command takes. --help is always one. */
enum {
  CLI_USES_METHOD = 1 << 0,     /* --method */
  CLI_USES_METHODS = 1 << 1,    /* --methods a,b */
  CLI_USES_DEFORM = 1 << 2,     /* --scale --signs --split --rigid-tolerance */
  CLI_USES_NORMALS = 1 << 3,    /* --normals */
  CLI_USES_INFLUENCES = 1 << 4, /* --weights --unweighted --max-influences */
  CLI_USES_CLIP = 1 << 5,       /* --clip */
  CLI_USES_TIME = 1 << 6,       /* --time */
  CLI_USES_FRAMES = 1 << 7,     /* --frames */
  CLI_USES_REST = 1 << 8,       /* --rest */
  CLI_USES_POSE = 1 << 9,       /* --pose */
  CLI_USES_SPACE = 1 << 10,     /* --space */
  CLI_USES_THREADS = 1 << 11,   /* --threads */
  CLI_USES_JSON = 1 << 12,      /* --json */
  CLI_USES_OUTPUT = 1 << 13,    /* -o, --output */
  CLI_USES_LOADING = 1 << 14,   /* --limit-NAME, --allow-outside-uris */
  CLI_USES_VERBOSE = 1 << 15,   /* --verbose */
  CLI_USES_DRY_RUN = 1 << 16    /* --dry-run: all is done but the last rename (output.h) */
};

enum { CLI_METHODS_MOST = 8, CLI_POSES_MOST = 4096 };

/* The shared options as parsed. Zero is the default of each. */
typedef struct cli_options {
  bool given; /* any option was */
  int method; /* 0 lbs, 1 dqs (supple_method); see method_given */
  bool method_given;
  supple_method methods[CLI_METHODS_MOST]; /* --methods; distinct */
  uint32_t method_count;                   /* 0: not given */
  int scale, signs, split,
      normals;             /* supple_scale, supple_signs, supple_split_method, supple_normals */
  double rigid_tolerance;  /* 0: the library's default */
  int weights, unweighted; /* supple_weights, supple_unweighted */
  uint32_t max_influences;
  const char *clip; /* NAME or #INDEX, or NULL */
  double time;      /* seconds */
  bool time_given;
  uint32_t frames; /* 0: not given */
  bool rest;
  const char **poses; /* --pose texts, in order; resolved by stage.h. Owned (cli_options_free) */
  uint32_t pose_count;
  bool out_of_memory; /* why they could not be parsed */
  int space;          /* supple_space */
  uint32_t threads;   /* 0: as many as cores */
  bool json, verbose, dry_run;
  const char *output; /* or NULL */
  bool help;
  supple_limits limits;
  bool allow_outside_uris;
  bool image_files; /* no option: a command that needs the bytes of images sets it before loading */
} cli_options;

void cli_options_free(cli_options *options);

/* What a command line is parsed against: shared options into *options, own ones into *own. */
typedef struct cli_grammar {
  uint32_t shared;
  const cli_option *own_options;
  size_t own_option_count;
} cli_grammar;

/* Parses arguments[count] in one pass; the files land in files[count], *file_count of them ("-" is a file,
 * "--" ends options). On a mistake false, with a sentence in message: unknown options name the nearest ones. */
bool cli_options_parse(const cli_grammar *grammar, char *const *arguments, size_t count,
                       cli_options *options, void *own, const char **files, size_t *file_count,
                       char *message, size_t message_size);

/* The option number `index` of a grammar in the order of --help (own ones first), or NULL past the end. */
const cli_option *cli_options_list(const cli_grammar *grammar, size_t index);

/* "lbs", "dqs"; and back (false: no such method). */
const char *cli_method_name(supple_method method);
bool cli_method_find(const char *name, size_t length, supple_method *method);

/* The word number `index` of "a|b|c" as text and length; false past the end. */
bool cli_choice_word(const char *choices, int index, const char **word, size_t *length);

/* A whole text as a finite number; no locale, no spaces, no hexadecimal. */
bool cli_parse_number(const char *text, size_t length, double *number);

/* Restricted Damerau-Levenshtein distance, letters' case ignored (ASCII); at most `most` + 1. */
uint32_t cli_edit_distance(const char *a, const char *b, uint32_t most);
/* Collects the nearest of many names: zero-initialise, offer each, then print. At most three, nearest
 * first, first offered first among equals; far ones (over half of wanted's length) only where they contain
 * or are contained in it. The names must outlive it. */
typedef struct cli_nearest {
  const char *prefix; /* printed before each name, or NULL */
  const char *names[3];
  uint32_t distances[3];
} cli_nearest;
void cli_nearest_offer(cli_nearest *nearest, const char *wanted, const char *name);
/* "; did you mean 'a', 'b' or 'c'?", or "" where nothing is near. Returns text. */
const char *cli_nearest_text(const cli_nearest *nearest, char *text, size_t size);

#endif
