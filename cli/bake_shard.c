/* bake_shard.c: shards, by number or by what a cluster's environment says. */
#include "bake_shard.h"

#include "command.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Digits alone, up to 4294967295; *text moves behind them. */
static bool read_digits(const char **text, uint32_t *number) {
  uint64_t value = 0;
  const char *at = *text;
  for (; *at >= '0' && *at <= '9'; at++) {
    value = value * 10 + (uint64_t)(*at - '0');
    if (value > UINT32_MAX) return false;
  }
  if (at == *text) return false;
  *text = at;
  *number = (uint32_t)value;
  return true;
}

/* A variable of the environment as a number. *found: it is set. CLI_USAGE where it is set to something else. */
static int read_variable(const char *name, bool *found, uint32_t *number) {
  const char *text = getenv(name);
  *found = text && text[0];
  if (!*found) return CLI_FINE;
  if (read_digits(&text, number) && *text == '\0') return CLI_FINE;
  return cli_complain(CLI_USAGE, "--shard auto: %s is '%.40s', not a number", name, getenv(name));
}

/* Where a scheduler tells a process its number: `first` and `step` say how numbers are spread, "" where they count
 * from 0 by ones. */
typedef struct scheduler {
  const char *number, *count, *first, *step;
} scheduler;

static const scheduler schedulers[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "", ""},
    {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", "", ""},
};

static int check_shard(uint32_t shard, uint32_t count, const char *text) {
  if (count == 0 || count > BAKE_SHARDS_MOST)
    return cli_complain(CLI_USAGE, "--shard %s: there must be 1 to %d shards", text,
                        (int)BAKE_SHARDS_MOST);
  if (shard >= count)
    return cli_complain(CLI_USAGE, "--shard %s: number %lu of %u does not exist", text,
                        (unsigned long)shard + 1, count);
  return CLI_FINE;
}

/* With the number of shards from the environment. */
static int spread_of(const scheduler *from, uint32_t *shard, uint32_t *count) {
  uint32_t first = 0, step = 1;
  bool found = false;
  int exit_code = read_variable(from->count, &found, count);
  if (exit_code != CLI_FINE) return exit_code;
  if (!found)
    return cli_complain(CLI_USAGE, "--shard auto: %s is set, %s is not: say --shard auto/N",
                        from->number, from->count);
  if (from->first[0]) exit_code = read_variable(from->first, &found, &first);
  if (exit_code == CLI_FINE && from->step[0]) exit_code = read_variable(from->step, &found, &step);
  if (exit_code != CLI_FINE) return exit_code;
  if (step == 0) step = 1;
  if (*shard < first || (*shard - first) % step || (*shard - first) / step >= *count)
    return cli_complain(
        CLI_USAGE,
        "--shard auto: task %u is none of %u evenly spaced ones; for tasks picked one by "
        "one say --shard auto/N with the N of the whole array, whose tasks count from 0",
        *shard, *count);
  *shard = (*shard - first) / step;
  return CLI_FINE;
}

static int parse_auto(const char *text, uint32_t *shard, uint32_t *count) {
  const char *at = text + strlen("auto");
  const bool counted = *at == '/';
  if (counted && (++at, !read_digits(&at, count) || *at))
    return cli_complain(CLI_USAGE, "--shard %.40s: say auto/N with the number of shards", text);
  for (size_t i = 0; i < sizeof schedulers / sizeof schedulers[0]; i++) {
    bool found = false;
    int exit_code = read_variable(schedulers[i].number, &found, shard);
    if (exit_code != CLI_FINE) return exit_code;
    if (!found) continue;
    if (!counted) exit_code = spread_of(&schedulers[i], shard, count);
    return exit_code != CLI_FINE ? exit_code : check_shard(*shard, *count, text);
  }
  return cli_complain(CLI_USAGE,
                      "--shard auto: none of SLURM_ARRAY_TASK_ID, OMPI_COMM_WORLD_RANK and "
                      "JOB_COMPLETION_INDEX is set: say --shard I/N");
}

int bake_shard_parse(const char *text, uint32_t *shard, uint32_t *count) {
  const char *at = text;
  if (strcmp(text, "auto") == 0 || strncmp(text, "auto/", 5) == 0)
    return parse_auto(text, shard, count);
  if (!read_digits(&at, shard) || *at != '/' || (++at, !read_digits(&at, count)) || *at)
    return cli_complain(CLI_USAGE,
                        "--shard %.40s: say I/N (1/16 is the first of 16), auto or auto/N", text);
  if (*shard == 0) return cli_complain(CLI_USAGE, "--shard %.40s: shards count from 1", text);
  *shard -= 1;
  return check_shard(*shard, *count, text);
}

void bake_shard_range(uint32_t frames, uint32_t shard, uint32_t count, uint32_t *begin,
                      uint32_t *end) {
  *begin = (uint32_t)((uint64_t)frames * shard / count);
  *end = (uint32_t)((uint64_t)frames * ((uint64_t)shard + 1) / count);
}
