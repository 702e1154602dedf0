/* clock.h: time, the machine and the compiler, as every benchmark prints them. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds of the wall clock, from an arbitrary start. */
static inline double clock_seconds(void) {
  struct timespec now;
  if (timespec_get(&now, TIME_UTC) != TIME_UTC) return 0;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int clock_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median, which a busy machine moves least; sorts the values. */
static inline double clock_median(double *values, size_t count) {
  qsort(values, count, sizeof *values, clock_compare);
  return count ? values[count / 2] : 0;
}

/* "MODEL, COMPILER": where the figures come from. */
static inline void clock_print_machine(void) {
  char line[256], model[256] = "unknown processor";
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    snprintf(model, sizeof model, "%s", colon + 1 + strspn(colon + 1, " \t"));
    model[strcspn(model, "\n")] = 0;
    break;
  }
  if (file) fclose(file);
#if defined(__clang__)
  printf("%s, %s\n", model, __VERSION__);
#elif defined(__GNUC__)
  printf("%s, gcc %s\n", model, __VERSION__);
#else
  printf("%s, unknown compiler\n", model);
#endif
}

#endif
