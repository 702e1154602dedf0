/* bake_small.c: the plan of a small bake. */
#include "tests/cli/bake_small.h"

#include "tests/cli/small_asset.h"

bool bake_small_make(bake_small *small, const char *path, bake_format format, uint32_t frames) {
  int exit_code = CLI_FAILED;
  if (!small->options.clip) small->options.clip = "turn";
  if (!small_asset_write(path, false)) return false;
  small->own.frames = frames;
  small->stage = cli_stage_load(path, &small->options, &exit_code);
  return small->stage && bake_plan_make(&small->plan, small->stage, &small->own, format) == CLI_FINE;
}

void bake_small_free(bake_small *small) {
  bake_plan_free(&small->plan);
  cli_stage_free(small->stage);
}
