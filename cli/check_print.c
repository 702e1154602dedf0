/* check_print.c: what the checker found, as text and as JSON. */
#include "check_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 4, OF_A_CODE = 10, CODES_MOST = 512 };

/* ---- counting ---- */

static uint32_t code_index(const supple_code *code) {
  uint32_t index = 0;
  while (supple_check_code(index) && supple_check_code(index) != code) index++;
  return index;
}

static bool is_ignored(const supple_finding *finding, const cli_check_view *view) {
  return view->ignored && view->ignored[code_index(finding->code)];
}

static bool is_shown(const supple_finding *finding, const cli_check_view *view) {
  return finding->code->severity <= view->least && !is_ignored(finding, view);
}

void cli_check_count(const supple_check_report *report, const cli_check_view *view,
                     uint32_t counts[CLI_SEVERITIES]) {
  memset(counts, 0, CLI_SEVERITIES * sizeof *counts);
  for (uint32_t i = 0; report && i < report->finding_count; i++)
    counts[report->findings[i].code->severity] += !is_ignored(&report->findings[i], view);
}

const char *cli_check_counts_text(const uint32_t counts[CLI_SEVERITIES], char *text, size_t size) {
  static const char *const names[CLI_SEVERITIES][2] = {{"error", "errors"},
                                                       {"warning", "warnings"},
                                                       {"information", "information"},
                                                       {"hint", "hints"}};
  size_t used = 0;
  snprintf(text, size, "nothing found");
  for (int i = 0; i < CLI_SEVERITIES && used < size; i++) {
    if (!counts[i]) continue;
    const int length = snprintf(text + used, size - used, "%s%u %s", used ? ", " : "", counts[i],
                                names[i][counts[i] != 1]);
    used += length > 0 ? (size_t)length : 0;
  }
  return text;
}

/* ---- text ---- */

/* Words of text, `label` in front, in lines of WIDTH columns that begin after `indent` spaces. */
static void print_wrapped(cli_output *output, const char *label, const char *text, size_t indent) {
  char word[512];
  size_t column = indent + strlen(label);
  bool first = true;
  cli_output_format(output, "%*s%s", (int)indent, "", label);
  while (*text) {
    const size_t length = strcspn(text, " \n"),
                 kept = length < sizeof word ? length : sizeof word - 1;
    memcpy(word, text, kept);
    word[kept] = '\0';
    const size_t width = cli_text_width(word);
    if (!first && column + 1 + width > WIDTH) {
      cli_output_format(output, "\n%*s", (int)(indent + strlen(label)), "");
      column = indent + strlen(label);
    } else if (!first) {
      cli_output_text(output, " ");
      column++;
    }
    cli_plain_text(output, word);
    column += width;
    first = false;
    text += kept + (kept == length && text[length] != '\0');
  }
  cli_output_text(output, "\n");
}

static void print_fix(cli_output *output, const supple_code *code, size_t indent) {
  char text[128];
  if (!code->fix[0]) return;
  const bool by_default = strcmp(code->fix, "default") == 0;
  snprintf(text, sizeof text, "supple fix%s%s", by_default ? "" : " ", by_default ? "" : code->fix);
  print_wrapped(output, "fix: ", text, indent);
}

static void print_finding(cli_output *output, const supple_finding *finding,
                          const cli_check_view *view) {
  cli_output_format(output, "  %-11s  %s", supple_severity_text(finding->code->severity),
                    finding->code->name);
  cli_output_text(output, finding->pointer[0] ? "  " : "");
  cli_plain_text(output, finding->pointer);
  cli_output_text(output, "\n");
  print_wrapped(output, "", finding->text, INDENT);
  if (!view->verbose) return;
  print_wrapped(output, "rule: ", finding->code->meaning, INDENT);
  print_wrapped(output, "viewers: ", finding->code->consequence, INDENT);
  print_fix(output, finding->code, INDENT);
}

/* How often a code is found in a file, and how often it was printed. */
typedef struct tally {
  const supple_code *code;
  uint32_t found, printed;
} tally;

typedef struct tallies {
  tally items[CODES_MOST];
  uint32_t count, latest; /* latest: where the last code was; findings of one code come together */
} tallies;

/* NULL where there are more codes than anybody has. */
static tally *tally_of(tallies *t, const supple_code *code) {
  if (t->latest < t->count && t->items[t->latest].code == code) return &t->items[t->latest];
  uint32_t at = 0;
  while (at < t->count && t->items[at].code != code) at++;
  if (at == CODES_MOST) return NULL;
  if (at == t->count) t->items[t->count++] = (tally){.code = code};
  t->latest = at;
  return &t->items[at];
}

static void print_findings(cli_output *output, const supple_check_report *report,
                           const cli_check_view *view) {
  tallies all = {.count = 0};
  tally *t;
  for (uint32_t i = 0; i < report->finding_count; i++)
    if (is_shown(&report->findings[i], view) && (t = tally_of(&all, report->findings[i].code)))
      t->found++;
  for (uint32_t i = 0; i < report->finding_count; i++) {
    const supple_finding *finding = &report->findings[i];
    if (!is_shown(finding, view)) continue;
    t = tally_of(&all, finding->code);
    if (t && !view->all && t->printed == OF_A_CODE) continue;
    print_finding(output, finding, view);
    if (!t || ++t->printed < OF_A_CODE || t->found == t->printed || view->all) continue;
    cli_output_format(output, "%*s… and %u more like it (--all shows them)\n", INDENT, "",
                      t->found - t->printed);
  }
}

void cli_check_print(cli_output *output, const cli_checked *checked, const cli_check_view *view) {
  const supple_check_report *report = checked->report;
  uint32_t counts[CLI_SEVERITIES];
  char text[160];
  cli_plain_text(output, checked->path);
  if (!report) {
    cli_output_text(output, ": not checked: ");
    cli_plain_text(output, checked->unread ? checked->unread : "it cannot be read");
    cli_output_text(output, "\n");
    return;
  }
  cli_check_count(report, view, counts);
  cli_output_format(output, ": %s\n", cli_check_counts_text(counts, text, sizeof text));
  if (!report->loads) print_wrapped(output, "refused by the loader: ", report->refused, 2);
  print_findings(output, report, view);
}

/* ---- JSON ---- */

static void json_counts(cli_json *json, const uint32_t counts[CLI_SEVERITIES]) {
  cli_json_object(json, "counts");
  for (int i = 0; i < CLI_SEVERITIES; i++)
    cli_json_integer(json, supple_severity_text((supple_severity)i), counts[i]);
  cli_json_end(json);
}

static void json_code(cli_json *json, const supple_code *code) {
  cli_json_text(json, "meaning", code->meaning);
  cli_json_text(json, "consequence", code->consequence);
  cli_json_text(json, "fix", code->fix[0] ? code->fix : NULL);
}

static void json_finding(cli_json *json, const supple_finding *finding) {
  cli_json_object(json, NULL);
  cli_json_text(json, "code", finding->code->name);
  cli_json_text(json, "severity", supple_severity_text(finding->code->severity));
  cli_json_text(json, "pointer", finding->pointer);
  cli_json_text(json, "text", finding->text);
  cli_json_integer(json, "count", finding->count);
  cli_json_double(json, "metres", finding->metres);
  json_code(json, finding->code);
  cli_json_end(json);
}

void cli_check_json(cli_json *json, const cli_checked *checked, const cli_check_view *view) {
  const supple_check_report *report = checked->report;
  uint32_t counts[CLI_SEVERITIES];
  cli_check_count(report, view, counts);
  cli_json_object(json, NULL);
  cli_json_text(json, "file", checked->path);
  cli_json_bool(json, "loads", report && report->loads);
  cli_json_text(json, "refused",
                !report         ? checked->unread
                : report->loads ? NULL
                                : report->refused);
  json_counts(json, counts);
  cli_json_array(json, "findings");
  for (uint32_t i = 0; report && i < report->finding_count; i++)
    if (is_shown(&report->findings[i], view)) json_finding(json, &report->findings[i]);
  cli_json_end(json);
  cli_json_end(json);
}

/* ---- codes ---- */

void cli_check_print_codes(cli_output *output, bool verbose) {
  const supple_code *code;
  for (uint32_t i = 0; (code = supple_check_code(i)) != NULL; i++) {
    cli_output_format(output, "%-11s  %s%s\n", supple_severity_text(code->severity), code->name,
                      code->strict ? "  (--strict)" : "");
    print_wrapped(output, "", code->meaning, INDENT);
    if (!verbose) continue;
    print_wrapped(output, "viewers: ", code->consequence, INDENT);
    print_fix(output, code, INDENT);
  }
}

void cli_check_json_codes(cli_output *output) {
  cli_json json = cli_json_start(output, true);
  const supple_code *code;
  cli_json_object(&json, NULL);
  cli_json_array(&json, "codes");
  for (uint32_t i = 0; (code = supple_check_code(i)) != NULL; i++) {
    cli_json_object(&json, NULL);
    cli_json_text(&json, "code", code->name);
    cli_json_text(&json, "severity", supple_severity_text(code->severity));
    cli_json_bool(&json, "strict", code->strict);
    json_code(&json, code);
    cli_json_end(&json);
  }
  while (json.depth) cli_json_end(&json);
}
