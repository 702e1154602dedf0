/* joints_text.c: inverse bind matrices and rest transforms as text, and back. */
#include "joints_text.h"

#include "print.h"
#include "stage.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the document says ---- */

/* A skin of the document. Free with release_skin. */
typedef struct skin_facts {
  const char *file; /* that the document came from */
  uint32_t index, joint_count;
  supple_value object, joints;
  float *binds; /* [16 × joint_count], by columns; identities where the file has none */
  bool has_binds;
} skin_facts;

static void release_skin(skin_facts *skin) { free(skin->binds); }

static int wrong(const supple_document *document, const char *file, supple_value value,
                 const char *what) {
  char pointer[200];
  return cli_complain(CLI_FAILED, "%s: %s: %s", file,
                      supple_document_pointer(document, value, pointer, sizeof pointer), what);
}

static int read_binds(supple_document *document, skin_facts *skin) {
  const supple_value user = supple_document_member(document, skin->object, "inverseBindMatrices");
  supple_accessor_layout layout;
  supple_error error;
  const uint32_t accessor = supple_document_index(document, user);
  skin->has_binds = user != SUPPLE_NONE;
  if (!skin->has_binds) {
    skin->binds = calloc(skin->joint_count, 16 * sizeof(float));
    for (uint32_t k = 0; skin->binds && k < skin->joint_count; k++)
      for (uint32_t i = 0; i < 16; i++) skin->binds[16 * (size_t)k + i] = i % 5 == 0 ? 1 : 0;
    return skin->binds ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
  }
  if (supple_document_accessor(document, accessor, &layout, &error))
    return cli_complain_of_file(skin->file, &error);
  if (layout.rows != 4 || layout.columns != 4 || layout.count < skin->joint_count)
    return wrong(document, skin->file, user, "must be an accessor of MAT4, one for each joint");
  skin->binds = malloc((size_t)layout.count * 16 * sizeof(float));
  if (!skin->binds) return cli_complain(CLI_FAILED, "out of memory");
  if (supple_document_floats(document, accessor, skin->binds, &error))
    return cli_complain_of_file(skin->file, &error);
  return CLI_FINE;
}

static int read_skin(supple_document *document, const char *file, uint32_t index, skin_facts *skin) {
  memset(skin, 0, sizeof *skin);
  skin->file = file;
  skin->index = index;
  skin->object = supple_document_child(document, supple_document_find(document, "/skins"), index);
  skin->joints = supple_document_member(document, skin->object, "joints");
  skin->joint_count = supple_document_type(document, skin->joints) == SUPPLE_VALUE_ARRAY
                          ? supple_document_count(document, skin->joints)
                          : 0;
  if (skin->joint_count == 0) return wrong(document, file, skin->object, "has no joints");
  return read_binds(document, skin);
}

static uint32_t skin_count(const supple_document *document) {
  return supple_document_count(document, supple_document_find(document, "/skins"));
}

/* The node of a joint; SUPPLE_NONE where it is wrong. */
static uint32_t joint_node(const supple_document *document, const skin_facts *skin, uint32_t joint,
                           supple_value *node) {
  const uint32_t index =
      supple_document_index(document, supple_document_child(document, skin->joints, joint));
  *node = supple_document_child(document, supple_document_find(document, "/nodes"), index);
  return supple_document_type(document, *node) == SUPPLE_VALUE_OBJECT ? index : SUPPLE_NONE;
}

static const char *name_of(const supple_document *document, supple_value object) {
  const char *name =
      supple_document_string(document, supple_document_member(document, object, "name"));
  return name ? name : "";
}

/* An array of exactly so many numbers; false where there is none. */
static bool read_numbers(const supple_document *document, supple_value object, const char *key,
                         double *numbers, uint32_t count) {
  const supple_value array = supple_document_member(document, object, key);
  if (supple_document_type(document, array) != SUPPLE_VALUE_ARRAY ||
      supple_document_count(document, array) != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!supple_document_number(document, supple_document_child(document, array, i), numbers + i))
      return false;
  return true;
}

/* ---- rest transforms ---- */

enum { PART_TRANSLATION, PART_ROTATION, PART_SCALE, PART_MATRIX, PART_BIND, PART_COUNT };
static const struct {
  const char *word, *key;
  uint32_t count;
} parts[] = {[PART_TRANSLATION] = {"translation", "translation", 3},
             [PART_ROTATION] = {"rotation", "rotation", 4},
             [PART_SCALE] = {"scale", "scale", 3},
             [PART_MATRIX] = {"matrix", "matrix", 16},
             [PART_BIND] = {"inverse-bind", NULL, 16}};

/* Numbers of a joint: in the document, or in the text. Matrices by columns. */
typedef struct joint_parts {
  bool has[PART_COUNT];
  double numbers[PART_COUNT][16];
  uint32_t lines[PART_COUNT]; /* of the text */
} joint_parts;

static void read_rest(const supple_document *document, supple_value node, joint_parts *joint) {
  static const double defaults[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 0}};
  memset(joint, 0, sizeof *joint);
  for (int p = 0; p <= PART_MATRIX; p++) {
    joint->has[p] = read_numbers(document, node, parts[p].key, joint->numbers[p], parts[p].count);
    if (!joint->has[p] && p < PART_MATRIX)
      memcpy(joint->numbers[p], defaults[p], sizeof defaults[p]);
  }
  if (joint->has[PART_MATRIX]) /* which counts where both stand */
    joint->has[PART_TRANSLATION] = joint->has[PART_ROTATION] = joint->has[PART_SCALE] = false;
}

/* ---- export ---- */

/* In quotes; only what would break the line is escaped. */
static void print_name(cli_output *output, const char *name) {
  cli_output_text(output, "\"");
  for (const char *c = name; *c; c++) {
    const unsigned char byte = (unsigned char)*c;
    if (byte == '"' || byte == '\\')
      cli_output_format(output, "\\%c", byte);
    else if (byte < 0x20 || byte == 0x7F)
      cli_output_format(output, "\\u%04x", (unsigned)byte);
    else
      cli_output_write(output, c, 1);
  }
  cli_output_text(output, "\"");
}

static void print_rows(cli_output *output, const double *columns, bool as_floats) {
  char text[CLI_NUMBER_TEXT];
  for (int r = 0; r < 3; r++) {
    cli_output_text(output, "     ");
    for (int c = 0; c < 4; c++) {
      const double value = columns[4 * c + r];
      cli_output_format(output, " %s",
                        as_floats ? cli_float_text((float)value, text)
                                  : cli_double_text(value, text));
    }
    cli_output_text(output, "\n");
  }
}

static void print_rest(cli_output *output, const joint_parts *joint) {
  char text[CLI_NUMBER_TEXT];
  for (int p = 0; p < PART_MATRIX; p++) {
    if (!joint->has[p]) continue;
    cli_output_format(output, "    %s", parts[p].word);
    for (uint32_t i = 0; i < parts[p].count; i++)
      cli_output_format(output, " %s", cli_double_text(joint->numbers[p][i], text));
    cli_output_text(output, "\n");
  }
  if (!joint->has[PART_MATRIX]) return;
  cli_output_text(output, "    matrix\n");
  print_rows(output, joint->numbers[PART_MATRIX], false);
}

static int print_skin(supple_document *document, const skin_facts *skin, cli_output *output) {
  cli_output_format(output, "\nskin %u ", skin->index);
  print_name(output, name_of(document, skin->object));
  cli_output_text(output, skin->has_binds ? "\n" : " # without inverse bind matrices: identities\n");
  for (uint32_t k = 0; k < skin->joint_count; k++) {
    supple_value object;
    joint_parts joint;
    double columns[16];
    const uint32_t node = joint_node(document, skin, k, &object);
    if (node == SUPPLE_NONE)
      return wrong(document, skin->file, supple_document_child(document, skin->joints, k),
                   "is not a node");
    cli_output_format(output, "  joint %u ", k);
    print_name(output, name_of(document, object));
    cli_output_format(output, " node %u\n    inverse-bind\n", node);
    for (int i = 0; i < 16; i++) columns[i] = (double)skin->binds[16 * (size_t)k + (size_t)i];
    print_rows(output, columns, true);
    read_rest(document, object, &joint);
    print_rest(output, &joint);
  }
  return CLI_FINE;
}

int cli_joints_export(supple_document *document, const char *name, cli_output *output) {
  cli_output_text(output, "# Inverse bind matrices and rest transforms of ");
  cli_plain_text(output, name);
  cli_output_text(output,
                  "\n# Matrices are three rows of four numbers; the fourth row is 0 0 0 1. A rest "
                  "transform is\n# translation, rotation (x y z w) and scale, or a matrix; what is "
                  "not told is left as it is.\n# Read back by: supple joints FILE --import THIS -o "
                  "OUT\n");
  int exit_code = CLI_FINE;
  for (uint32_t s = 0; s < skin_count(document) && exit_code == CLI_FINE; s++) {
    skin_facts skin;
    exit_code = read_skin(document, name, s, &skin);
    if (exit_code == CLI_FINE) exit_code = print_skin(document, &skin, output);
    release_skin(&skin);
  }
  return exit_code;
}

/* ---- import: the text ---- */

typedef struct text_reader {
  const char *path;
  char *text;
  size_t size, at, line_begin;
  uint32_t line;  /* from 1 */
  char word[512]; /* the last one, decoded */
  size_t word_begin;
  bool quoted;
} text_reader;

static int mistake(const text_reader *t, const char *format, const char *what) {
  char text[700];
  snprintf(text, sizeof text, format, what);
  return cli_complain(CLI_FAILED, "%s:%u:%u: %s", t->path, t->line,
                      (unsigned)(t->word_begin - t->line_begin + 1), text);
}

/* Skips spaces and comments on the line. Whether a word follows. */
static bool more_words(text_reader *t) {
  while (t->at < t->size &&
         (t->text[t->at] == ' ' || t->text[t->at] == '\t' || t->text[t->at] == '\r'))
    t->at++;
  if (t->at < t->size && t->text[t->at] == '#')
    while (t->at < t->size && t->text[t->at] != '\n') t->at++;
  t->word_begin = t->at;
  return t->at < t->size && t->text[t->at] != '\n';
}

/* To the next line that has a word; false at the end of the text. */
static bool next_line(text_reader *t) {
  while (!more_words(t)) {
    if (t->at >= t->size) return false;
    t->at++;
    t->line++;
    t->line_begin = t->at;
  }
  return true;
}

static bool read_escape(text_reader *t, size_t *used) {
  char digits[5] = "";
  const char c = t->at < t->size ? t->text[t->at] : '\0';
  if (c == '"' || c == '\\') {
    t->word[(*used)++] = c;
    t->at++;
    return true;
  }
  if (c != 'u' || t->size - t->at < 5) return false;
  memcpy(digits, t->text + t->at + 1, 4);
  char *end;
  const unsigned long code = strtoul(digits, &end, 16);
  if (end != digits + 4 || code == 0 || code > 0x7F) return false;
  t->word[(*used)++] = (char)code;
  t->at += 5;
  return true;
}

/* A word, or a text in quotes. */
static int read_word(text_reader *t) {
  size_t used = 0;
  t->quoted = t->text[t->at] == '"';
  if (t->quoted) t->at++;
  for (;;) {
    const char c = t->at < t->size ? t->text[t->at] : '\n';
    const bool ends =
        t->quoted ? c == '"' : c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#';
    if (ends) break;
    if (c == '\n') return mistake(t, "a name that never ends: %s is missing", "'\"'");
    if (used + 2 > sizeof t->word) return mistake(t, "too long a %s", t->quoted ? "name" : "word");
    t->at++;
    if (t->quoted && c == '\\') {
      if (!read_escape(t, &used))
        return mistake(t, "an escape that is not \\\", \\\\ or %s", "\\u00XX");
    } else {
      t->word[used++] = c;
    }
  }
  if (t->quoted) t->at++;
  t->word[used] = '\0';
  return CLI_FINE;
}

static int end_of_line(text_reader *t) {
  return more_words(t) ? mistake(t, "more than %s on this line", "is expected") : CLI_FINE;
}

static int read_number(text_reader *t, double *number) {
  if (!more_words(t)) return mistake(t, "a %s is missing", "number");
  const int exit_code = read_word(t);
  if (exit_code != CLI_FINE) return exit_code;
  return !t->quoted && cli_parse_number(t->word, strlen(t->word), number)
             ? CLI_FINE
             : mistake(t, "'%s' is not a number", t->word);
}

static bool is_count(const char *word, uint32_t *count) {
  double number;
  if (!cli_parse_number(word, strlen(word), &number) || !(number >= 0 && number < SUPPLE_NONE) ||
      number != floor(number))
    return false;
  *count = (uint32_t)number;
  return true;
}

/* INDEX, "NAME", or both; *index SUPPLE_NONE and *has_name false where absent. The name stays in t->word. */
static int read_place(text_reader *t, uint32_t *index, bool *has_name) {
  *index = SUPPLE_NONE;
  *has_name = false;
  int exit_code = CLI_FINE;
  if (more_words(t) && t->text[t->at] != '"') {
    exit_code = read_word(t);
    if (exit_code == CLI_FINE && !is_count(t->word, index))
      exit_code = mistake(t, "'%s' is neither a number nor a name in quotes", t->word);
  }
  if (exit_code == CLI_FINE && more_words(t) && t->text[t->at] == '"') {
    exit_code = read_word(t);
    *has_name = true;
  }
  if (exit_code == CLI_FINE && *index == SUPPLE_NONE && !*has_name)
    exit_code = mistake(t, "a number or a name in quotes is %s", "missing");
  return exit_code;
}

/* ---- import: into the document ---- */

typedef struct importer {
  supple_document *document;
  const char *file; /* that it came from */
  text_reader text;
  skin_facts skin;
  bool in_skin, any;    /* inside of one; there was one */
  joint_parts *joints;  /* [skin.joint_count] */
  uint32_t *seen;       /* line of each; 0: not yet */
  uint32_t joint;       /* the one that is read, or SUPPLE_NONE */
  uint32_t *node_lines; /* [node_count] the line that set the rest transform of each; 0: none */
  uint32_t changed;
} importer;

static int unknown_joint(importer *in, const char *name) {
  cli_nearest nearest = {0};
  char tail[200], text[600];
  for (uint32_t k = 0; k < in->skin.joint_count; k++) {
    supple_value node;
    if (joint_node(in->document, &in->skin, k, &node) != SUPPLE_NONE)
      cli_nearest_offer(&nearest, name, name_of(in->document, node));
  }
  snprintf(text, sizeof text, "skin %u has no joint '%.200s'%s", in->skin.index, name,
           cli_nearest_text(&nearest, tail, sizeof tail));
  return mistake(&in->text, "%s", text);
}

/* The joint that a line names. */
static int find_joint(importer *in, uint32_t *joint) {
  uint32_t index;
  bool has_name;
  char text[700];
  supple_value node;
  text_reader *t = &in->text;
  int exit_code = read_place(t, &index, &has_name);
  if (exit_code != CLI_FINE) return exit_code;
  *joint = index;
  if (index != SUPPLE_NONE && index >= in->skin.joint_count) {
    snprintf(text, sizeof text, "skin %u has %u joints, and no number %u", in->skin.index,
             in->skin.joint_count, index);
    return mistake(t, "%s", text);
  }
  if (!has_name) return CLI_FINE;
  uint32_t found = 0, last = SUPPLE_NONE;
  bool fits = false;
  for (uint32_t k = 0; k < in->skin.joint_count; k++) {
    joint_node(in->document, &in->skin, k, &node);
    if (strcmp(name_of(in->document, node), t->word) != 0) continue;
    fits |= k == index;
    found++;
    last = k;
  }
  if (!found) return unknown_joint(in, t->word);
  if (index != SUPPLE_NONE && !fits) {
    snprintf(text, sizeof text, "joint %u of skin %u is not '%.200s', which is joint %u", index,
             in->skin.index, t->word, last);
    return mistake(t, "%s", text);
  }
  if (index == SUPPLE_NONE && found > 1)
    return mistake(t, "several joints are named '%s': give the number too", t->word);
  if (index == SUPPLE_NONE) *joint = last;
  return CLI_FINE;
}

static int begin_joint(importer *in) {
  text_reader *t = &in->text;
  int exit_code = find_joint(in, &in->joint);
  if (exit_code != CLI_FINE) return exit_code;
  if (in->seen[in->joint]) {
    char text[60];
    snprintf(text, sizeof text, "%u", in->seen[in->joint]);
    return mistake(t, "this joint stands on line %s already", text);
  }
  in->seen[in->joint] = t->line;
  if (!more_words(t)) return CLI_FINE;
  exit_code = read_word(t);
  if (exit_code != CLI_FINE) return exit_code;
  if (strcmp(t->word, "node") != 0)
    return mistake(t, "'%s' where only \"node\" may follow", t->word);
  supple_value node;
  uint32_t number = SUPPLE_NONE;
  if (more_words(t)) exit_code = read_word(t);
  if (exit_code != CLI_FINE) return exit_code;
  if (!is_count(t->word, &number) || number != joint_node(in->document, &in->skin, in->joint, &node))
    return mistake(t, "the joint is not node %s", t->word);
  return end_of_line(t);
}

/* Three rows, or four of which the last is 0 0 0 1, into columns. */
static int read_matrix(importer *in, double *columns) {
  text_reader *t = &in->text;
  for (int r = 0; r < 4; r++) {
    columns[4 * r + 3] = r == 3;
    if (r == 3) { /* only where one stands there */
      const text_reader before = *t;
      const bool row = next_line(t) && strchr("+-.0123456789", t->text[t->at]) != NULL;
      if (!row) {
        *t = before;
        return CLI_FINE;
      }
    } else if (!next_line(t)) {
      return mistake(t, "a row of the %s is missing", "matrix");
    }
    for (int c = 0; c < 4; c++) {
      double number;
      const int exit_code = read_number(t, &number);
      if (exit_code != CLI_FINE) return exit_code;
      if (r == 3 && number != (c == 3))
        return mistake(t, "the fourth row must be 0 0 0 1, not '%s': the matrix is not affine",
                       t->word);
      if (r < 3) columns[4 * c + r] = number;
    }
    const int exit_code = end_of_line(t);
    if (exit_code != CLI_FINE) return exit_code;
  }
  return CLI_FINE;
}

static int read_part(importer *in, int part) {
  text_reader *t = &in->text;
  joint_parts *joint = &in->joints[in->joint];
  if (joint->has[part]) return mistake(t, "'%s' stands twice in one joint", parts[part].word);
  joint->has[part] = true;
  joint->lines[part] = t->line;
  const bool trs =
      joint->has[PART_TRANSLATION] || joint->has[PART_ROTATION] || joint->has[PART_SCALE];
  if (trs && joint->has[PART_MATRIX])
    return mistake(t, "a joint takes a matrix or translation, rotation and scale, not %s", "both");
  int exit_code = CLI_FINE;
  if (part >= PART_MATRIX) {
    exit_code = end_of_line(t);
    return exit_code == CLI_FINE ? read_matrix(in, joint->numbers[part]) : exit_code;
  }
  for (uint32_t i = 0; i < parts[part].count && exit_code == CLI_FINE; i++)
    exit_code = read_number(t, &joint->numbers[part][i]);
  return exit_code == CLI_FINE ? end_of_line(t) : exit_code;
}

/* ---- import: what differs ---- */

static int refuse(const importer *in, uint32_t line, const char *what) {
  return cli_complain(CLI_FAILED, "%s:%u: %s", in->text.path, line, what);
}

static bool is_singular(const double *columns) {
  const supple_affine64 matrix = supple_affine64_from_columns(columns);
  supple_affine64 inverse;
  return !supple_affine64_inverse(&matrix, &inverse);
}

static int apply_binds(importer *in, bool *touched) {
  const skin_facts *skin = &in->skin;
  bool any = false;
  supple_error error;
  supple_affine64 *matrices = malloc(skin->joint_count * sizeof *matrices);
  if (!matrices) return cli_complain(CLI_FAILED, "out of memory");
  int exit_code = CLI_FINE;
  for (uint32_t k = 0; k < skin->joint_count && exit_code == CLI_FINE; k++) {
    const joint_parts *joint = &in->joints[k];
    const float *old = skin->binds + 16 * (size_t)k;
    double columns[16];
    bool differs = false;
    for (int i = 0; i < 16; i++) {
      columns[i] = (double)old[i];
      if (!joint->has[PART_BIND] || i % 4 == 3) continue;
      const float now = (float)joint->numbers[PART_BIND][i];
      differs |= now != old[i];
      columns[i] = (double)now;
    }
    matrices[k] = supple_affine64_from_columns(columns);
    if (!differs) continue;
    any = touched[k] = true;
    if (!supple_affine64_is_finite(&matrices[k]))
      exit_code = refuse(in, joint->lines[PART_BIND], "a number is too large for a float");
    else if (is_singular(columns))
      exit_code = refuse(in, joint->lines[PART_BIND],
                         "the inverse bind matrix is singular: it would flatten the mesh");
  }
  if (exit_code == CLI_FINE && any &&
      supple_document_set_inverse_binds(in->document, skin->index, matrices, skin->joint_count,
                                        &error))
    exit_code = cli_complain_of_file(in->file, &error);
  free(matrices);
  return exit_code;
}

/* What the text says of a joint's rest transform, over what the document has. False where nothing differs. */
static bool combine(const joint_parts *text, joint_parts *now) {
  const bool is_matrix = text->has[PART_MATRIX];
  bool differs = false;
  if (is_matrix != now->has[PART_MATRIX]) {
    const bool trs =
        text->has[PART_TRANSLATION] || text->has[PART_ROTATION] || text->has[PART_SCALE];
    differs = is_matrix || trs;
    if (!differs) return false;
  }
  for (int p = 0; p <= PART_MATRIX; p++) {
    if (!text->has[p]) continue;
    for (uint32_t i = 0; i < parts[p].count; i++) {
      if (p == PART_MATRIX && i % 4 == 3) continue; /* not in the text */
      differs |= now->numbers[p][i] != text->numbers[p][i];
      now->numbers[p][i] = text->numbers[p][i];
    }
  }
  now->has[PART_MATRIX] = is_matrix;
  return differs;
}

static int check_rest(const importer *in, const joint_parts *text, const joint_parts *now) {
  const double *r = now->numbers[PART_ROTATION];
  if (now->has[PART_MATRIX])
    return is_singular(now->numbers[PART_MATRIX])
               ? refuse(in, text->lines[PART_MATRIX], "the matrix is singular: it cannot be undone")
               : CLI_FINE;
  const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  return text->has[PART_ROTATION] && !(fabs(length - 1) <= 1e-3)
             ? refuse(in, text->lines[PART_ROTATION], "the rotation is no unit quaternion")
             : CLI_FINE;
}

static int apply_rest(importer *in, uint32_t k, bool *touched) {
  const joint_parts *text = &in->joints[k];
  joint_parts now;
  supple_value object;
  supple_error error;
  const uint32_t node = joint_node(in->document, &in->skin, k, &object);
  if (node == SUPPLE_NONE)
    return wrong(in->document, in->file, supple_document_child(in->document, in->skin.joints, k),
                 "is not a node");
  read_rest(in->document, object, &now);
  if (!combine(text, &now)) return CLI_FINE;
  if (in->node_lines[node]) {
    char what[120];
    snprintf(what, sizeof what, "its node has another rest transform from the joint on line %u",
             in->node_lines[node]);
    return refuse(in, in->seen[k], what);
  }
  const int exit_code = check_rest(in, text, &now);
  if (exit_code != CLI_FINE) return exit_code;
  *touched = true;
  in->node_lines[node] = in->seen[k];
  const double *t = now.numbers[PART_TRANSLATION], *r = now.numbers[PART_ROTATION],
               *s = now.numbers[PART_SCALE];
  const supple_transform transform = {
      {t[0], t[1], t[2]}, {r[0], r[1], r[2], r[3]}, {s[0], s[1], s[2]}};
  const supple_affine64 matrix = supple_affine64_from_columns(now.numbers[PART_MATRIX]);
  if (supple_document_set_node(in->document, node, now.has[PART_MATRIX] ? NULL : &transform,
                               now.has[PART_MATRIX] ? &matrix : NULL, &error))
    return cli_complain_of_file(in->file, &error);
  return CLI_FINE;
}

/* The text of a skin is complete: every joint was there. */
static int end_skin(importer *in) {
  if (!in->in_skin) return CLI_FINE;
  int exit_code = CLI_FINE;
  bool *touched = calloc(in->skin.joint_count, sizeof *touched);
  if (!touched) exit_code = cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t k = 0; k < in->skin.joint_count && exit_code == CLI_FINE; k++) {
    supple_value node;
    if (in->seen[k]) continue;
    joint_node(in->document, &in->skin, k, &node);
    exit_code =
        cli_complain(CLI_FAILED, "%s:%u: joint %u '%s' of skin %u is missing before here",
                     in->text.path, in->text.line, k, name_of(in->document, node), in->skin.index);
  }
  if (exit_code == CLI_FINE) exit_code = apply_binds(in, touched);
  for (uint32_t k = 0; k < in->skin.joint_count && exit_code == CLI_FINE; k++) {
    exit_code = apply_rest(in, k, &touched[k]);
    in->changed += touched[k];
  }
  free(touched);
  free(in->joints);
  free(in->seen);
  release_skin(&in->skin);
  in->joints = NULL;
  in->seen = NULL;
  in->in_skin = false;
  return exit_code;
}

static int begin_skin(importer *in) {
  text_reader *t = &in->text;
  uint32_t index;
  bool has_name;
  int exit_code = read_place(t, &index, &has_name);
  if (exit_code != CLI_FINE) return exit_code;
  if (index == SUPPLE_NONE) return mistake(t, "the number of the skin is %s", "missing");
  if (index >= skin_count(in->document)) {
    char text[80];
    snprintf(text, sizeof text, "there are %u skins, and no number %u", skin_count(in->document),
             index);
    return mistake(t, "%s", text);
  }
  exit_code = end_of_line(t);
  if (exit_code != CLI_FINE) return exit_code;
  exit_code = read_skin(in->document, in->file, index, &in->skin);
  if (exit_code != CLI_FINE) {
    release_skin(&in->skin);
    return exit_code;
  }
  in->in_skin = in->any = true;
  in->joint = SUPPLE_NONE;
  in->joints = calloc(in->skin.joint_count, sizeof *in->joints);
  in->seen = calloc(in->skin.joint_count, sizeof *in->seen);
  return in->joints && in->seen ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
}

static int read_line(importer *in) {
  text_reader *t = &in->text;
  int exit_code = read_word(t);
  if (exit_code != CLI_FINE) return exit_code;
  if (strcmp(t->word, "skin") == 0) {
    exit_code = end_skin(in);
    return exit_code == CLI_FINE ? begin_skin(in) : exit_code;
  }
  if (!in->in_skin) return mistake(t, "'%s' where a skin is expected", t->word);
  if (strcmp(t->word, "joint") == 0) return begin_joint(in);
  for (int p = 0; p < PART_COUNT; p++)
    if (strcmp(t->word, parts[p].word) == 0)
      return in->joint == SUPPLE_NONE ? mistake(t, "'%s' where a joint is expected", t->word)
                                      : read_part(in, p);
  cli_nearest nearest = {0};
  char tail[200], text[700];
  cli_nearest_offer(&nearest, t->word, "skin");
  cli_nearest_offer(&nearest, t->word, "joint");
  for (int p = 0; p < PART_COUNT; p++) cli_nearest_offer(&nearest, t->word, parts[p].word);
  snprintf(text, sizeof text, "'%.300s' begins no line%s", t->word,
           cli_nearest_text(&nearest, tail, sizeof tail));
  return mistake(t, "%s", text);
}

static int read_text(const char *path, text_reader *t) {
  enum { MOST = 1 << 28 };
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (!file) return cli_complain(CLI_FAILED, "cannot read %s: %s", path, strerror(errno));
  size_t capacity = 1 << 16;
  bool fine = true;
  t->text = malloc(capacity);
  while (t->text && t->size < MOST) {
    const size_t got = fread(t->text + t->size, 1, capacity - t->size, file);
    t->size += got;
    if (got == 0) break;
    if (t->size < capacity) continue;
    char *larger = realloc(t->text, 2 * capacity);
    if (!larger) free(t->text);
    t->text = larger;
    capacity *= 2;
  }
  if (ferror(file)) fine = false;
  if (file != stdin) fclose(file);
  if (!t->text) return cli_complain(CLI_FAILED, "out of memory");
  if (t->size >= MOST)
    return cli_complain(CLI_FAILED, "%s is too large for a text of matrices", path);
  return fine ? CLI_FINE : cli_complain(CLI_FAILED, "cannot read %s", path);
}

int cli_joints_import(supple_document *document, const char *name, const char *path,
                      uint32_t *changed) {
  importer in = {.document = document, .file = name, .text = {.path = path, .line = 1}};
  const uint32_t nodes = supple_document_count(document, supple_document_find(document, "/nodes"));
  int exit_code = read_text(path, &in.text);
  in.node_lines = calloc((size_t)nodes + 1, sizeof *in.node_lines);
  if (exit_code == CLI_FINE && !in.node_lines)
    exit_code = cli_complain(CLI_FAILED, "out of memory");
  while (exit_code == CLI_FINE && next_line(&in.text)) exit_code = read_line(&in);
  if (exit_code == CLI_FINE) exit_code = end_skin(&in);
  if (exit_code == CLI_FINE && !in.any && skin_count(document))
    exit_code = cli_complain(CLI_FAILED, "%s: there is no skin in it", path);
  if (in.in_skin) {
    free(in.joints);
    free(in.seen);
    release_skin(&in.skin);
  }
  free(in.node_lines);
  free(in.text.text);
  *changed = in.changed;
  return exit_code;
}
