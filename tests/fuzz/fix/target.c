/* fix/target.c: any document that loads, repaired: what comes out loads, has nothing left to repair, and nothing that
 * the checker would have the same repairs mend. The bytes after a GLB choose the options. */
#include "../fuzz.h"

#include <stdio.h>
#include <string.h>

/* Whether the report says that it could not be mended: under its code, or another at the same place. */
static bool was_left(const supple_fix_report *report, const supple_finding *finding) {
  for (uint32_t i = 0; i < report->action_count; i++) {
    const supple_fix_action *action = &report->actions[i];
    if (!action->done && (strcmp(action->code, finding->code->name) == 0 ||
                          strcmp(action->pointer, finding->pointer) == 0))
      return true;
  }
  return false;
}

static void expect_report(const supple_fix_report *report) {
  for (uint32_t i = 0; i < report->action_count; i++) {
    const supple_fix_action *action = &report->actions[i];
    fuzz_expect(action->pointer[0] == 0 || action->pointer[0] == '/',
                "a JSON pointer starts with /");
    fuzz_expect(strlen(action->text) > 10, "an action is a sentence");
  }
  fuzz_expect(!(report->largest_metres < 0) && !(report->truncated_metres < 0),
              "a distance is not negative");
}

/* Done again, nothing is done. */
static void expect_nothing_left(supple_document *document, const supple_fix_options *options) {
  supple_error error;
  supple_fix_report *again = supple_fix_document(document, options, &error);
  fuzz_expect(again != NULL, "what was repaired can be repaired");
  for (uint32_t i = 0; i < again->action_count; i++)
    fuzz_expect(!again->actions[i].done, "what was repaired has nothing left to repair");
  supple_fix_report_free(again);
}

static void expect_clean(supple_document *document, const supple_fix_report *report,
                         const supple_fix_options *options) {
  const supple_check_options check = {.load = options->load};
  supple_error error;
  supple_check_report *found = supple_check_document(document, &check, &error);
  if (!found) {
    fuzz_expect(error.result == SUPPLE_ERROR_LIMIT, "only a limit ends the checker");
    return;
  }
  fuzz_expect(found->loads, "what was repaired loads");
  for (uint32_t i = 0; i < found->finding_count; i++) {
    const supple_finding *finding = &found->findings[i];
    if (strcmp(finding->code->fix, "default") == 0 && !was_left(report, finding)) {
      fprintf(stderr, "%s at %s\n", finding->code->name, finding->pointer);
      fuzz_expect(false, "what the checker would have mended is mended");
    }
  }
  supple_check_report_free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint32_t influences[] = {0, 0, 0, 1, 2, 3, 4, 8},
                        joints[] = {0, 0, 0, 1, 2, 4, 8, 64};
  fuzz_input input = fuzz_split(data, size);
  supple_fix_options options = {.load = {.limits = fuzz_limits}};
  options.repairs = fuzz_option(&input, 64);
  options.influences = influences[fuzz_option(&input, 8)];
  options.max_joints = joints[fuzz_option(&input, 8)];
  options.load.allocator = fuzz_allocator(fuzz_option(&input, 256));
  supple_error error;
  supple_document *document =
      supple_document_load_memory(input.data, input.size, &options.load, &error);
  if (!document) {
    fuzz_expect_error(&error, input.size);
    fuzz_expect_no_memory();
    return 0;
  }
  memset(&error, 0x5A, sizeof error);
  supple_fix_report *report = supple_fix_document(document, &options, &error);
  if (!report) fuzz_expect_error(&error, SIZE_MAX);
  if (report) expect_report(report);
  if (report && !fuzz_allocator_failed()) {
    expect_nothing_left(document, &options);
    const bool all = !options.repairs || (options.repairs & 47) == SUPPLE_REPAIR_DEFAULT;
    if (all) expect_clean(document, report, &options);
  }
  supple_fix_report_free(report);
  supple_document_free(document);
  fuzz_expect_no_memory();
  return 0;
}
