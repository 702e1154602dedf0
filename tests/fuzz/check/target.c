/* check/target.c: any bytes to the checker: it always ends with a report or a reason, the report is sound, and it says
 * of a file that it loads exactly where the loader takes it. The bytes after a GLB choose the options. */
#include "../fuzz.h"

#include <math.h>
#include <string.h>

static bool is_printable(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < 0x20 || *text == 0x7F) return false;
  return true;
}

static bool is_listed(const supple_code *code) {
  for (uint32_t i = 0; supple_check_code(i); i++)
    if (supple_check_code(i) == code) return true;
  return false;
}

static void expect_finding(const supple_finding *finding, const supple_check_options *options) {
  fuzz_expect(is_listed(finding->code), "a finding's code is in the list");
  fuzz_expect(options->strict || !finding->code->strict, "strict codes are asked for");
  fuzz_expect(finding->pointer[0] == 0 || finding->pointer[0] == '/',
              "a JSON pointer starts with /");
  fuzz_expect(strlen(finding->text) > 5 && is_printable(finding->text), "a finding is a sentence");
  fuzz_expect(finding->count > 0, "a finding is about something");
  fuzz_expect(isnan(finding->metres) || finding->metres >= 0, "a distance is not negative");
}

static void expect_report(const supple_check_report *report, const supple_check_options *options) {
  uint32_t counts[4] = {0};
  for (uint32_t i = 0; i < report->finding_count; i++) {
    const supple_finding *finding = &report->findings[i];
    expect_finding(finding, options);
    counts[finding->code->severity]++;
    if (i)
      fuzz_expect((finding[-1].code->severity == SUPPLE_SEVERITY_ERROR) >=
                      (finding->code->severity == SUPPLE_SEVERITY_ERROR),
                  "errors come first");
  }
  fuzz_expect(memcmp(counts, report->counts, sizeof counts) == 0, "the counts are the findings'");
  fuzz_expect(report->loads == (report->refused[0] == 0), "a refusal has a reason");
}

/* The loader's own word. */
static void expect_loads(const fuzz_input *input, const supple_check_options *options, bool loads) {
  supple_load_options load = options->load;
  supple_error error;
  load.allocator = (supple_allocator){0};
  load.structure_only = options->structure_only;
  supple_asset *asset = supple_asset_load_memory(input->data, input->size, &load, &error);
  fuzz_expect((asset != NULL) == loads, "the checker and the loader agree");
  supple_asset_free(asset);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = fuzz_split(data, size);
  const uint32_t switches = fuzz_option(&input, 256), failing = fuzz_option(&input, 256);
  const supple_check_options options = {
      .load = {.limits = fuzz_limits, .allocator = fuzz_allocator(failing)},
      .strict = (switches & 1) != 0,
      .structure_only = (switches & 2) != 0};
  supple_error error;
  memset(&error, 0x5A, sizeof error);
  supple_check_report *report = supple_check_memory(input.data, input.size, &options, &error);
  if (!report) {
    fuzz_expect_error(&error, input.size);
    fuzz_expect(error.result == SUPPLE_ERROR_MEMORY || error.result == SUPPLE_ERROR_LIMIT,
                "only limits and memory end the checker");
  } else {
    expect_report(report, &options);
    if (!fuzz_allocator_failed()) expect_loads(&input, &options, report->loads);
  }
  supple_check_report_free(report);
  fuzz_expect_no_memory();
  return 0;
}
