/* render_plan.c: options of `supple render` read and checked; clips cut into frames. */
#include "render_plan.h"

#include "print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MOST = 100000, GIF_RATE = 25, MP4_RATE = 30, RATE_MOST = 60 };

/* ---- options ---- */

/* A whole number at the beginning of text; NULL: none, or above the limit. */
static const char *read_side(const char *text, uint32_t *side) {
  uint32_t value = 0;
  const char *c = text;
  for (; *c >= '0' && *c <= '9'; c++) {
    value = value * 10 + (uint32_t)(*c - '0');
    if (value > RENDER_SIDE_MOST) return NULL;
  }
  *side = value;
  return c == text || value == 0 ? NULL : c;
}

bool render_parse_size(void *value, const char *text, char *message, size_t size) {
  uint32_t *sides = value;
  uint32_t read[2] = {0, 0};
  const char *end = read_side(text, &read[0]);
  if (end && (*end == 'x' || *end == 'X')) end = read_side(end + 1, &read[1]);
  if (end && *end == '\0' && read[1]) {
    sides[0] = read[0];
    sides[1] = read[1];
    return true;
  }
  snprintf(message, size, "a size is WIDTHxHEIGHT, 1 to %d pixels each: 1280x720", RENDER_SIDE_MOST);
  return false;
}

static int hexadecimal(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* "#rgb" or "#rrggbb". */
static bool read_color(const char *text, unsigned char color[3]) {
  const size_t length = strlen(text);
  if (text[0] != '#' || (length != 4 && length != 7)) return false;
  for (size_t i = 1; i < length; i++)
    if (hexadecimal(text[i]) < 0) return false;
  for (size_t c = 0; c < 3; c++)
    color[c] = (unsigned char)(length == 4 ? 17 * hexadecimal(text[1 + c])
                                           : 16 * hexadecimal(text[1 + 2 * c]) +
                                                 hexadecimal(text[2 + 2 * c]));
  return true;
}

bool render_parse_background(void *value, const char *text, char *message, size_t size) {
  static const struct {
    const char *name;
    unsigned char color[3];
  } named[] = {{"white", {255, 255, 255}},
               {"black", {0, 0, 0}},
               {"grey", {128, 128, 128}},
               {"gray", {128, 128, 128}},
               {"green", {0, 177, 64}}};
  /* value points at the struct of render_own */
  render_own *own = (render_own *)(void *)((char *)value - offsetof(render_own, background));
  own->background.kind = RENDER_COLOR;
  if (strcmp(text, "none") == 0) {
    own->background.kind = RENDER_TRANSPARENT;
    return true;
  }
  if (strcmp(text, "gradient") == 0) {
    own->background.kind = RENDER_GRADIENT;
    return true;
  }
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (strcmp(text, named[i].name) == 0) {
      memcpy(own->background.color, named[i].color, 3);
      return true;
    }
  if (read_color(text, own->background.color)) return true;
  snprintf(message, size,
           "a background is #rrggbb, white, black, grey, green, gradient, or none (transparent)");
  return false;
}

bool render_kind_of(const char *path, render_kind *kind) {
  static const struct {
    const char *ending;
    render_kind kind;
  } known[] = {{".png", RENDER_KIND_PNG}, {".gif", RENDER_KIND_GIF}, {".mp4", RENDER_KIND_MP4}};
  const size_t length = strlen(path);
  *kind = RENDER_KIND_PNG;
  if (strcmp(path, "-") == 0) return true;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const size_t end = strlen(known[i].ending);
    bool same = length >= end;
    for (size_t k = 0; same && k < end; k++) {
      const char c = path[length - end + k];
      same = (c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) == known[i].ending[k];
    }
    if (same) {
      *kind = known[i].kind;
      return true;
    }
  }
  return false;
}

int render_check_usage(const cli_options *options, const render_own *own, render_kind kind) {
  const uint32_t panels = options->method_count ? options->method_count : 1;
  if (own->samples & (own->samples - 1))
    return cli_complain(CLI_USAGE, "--samples is 1, 2, 4, 8 or 16");
  if (own->size[0] < panels)
    return cli_complain(CLI_USAGE, "--size: %u methods side by side need %u pixels at least",
                        panels, panels);
  if (kind == RENDER_KIND_PNG && (options->frames || own->fps_given))
    return cli_complain(
        CLI_USAGE, "--frames and --fps are of films (-o OUT.gif or .mp4); a picture has --time");
  if (kind != RENDER_KIND_PNG && (options->time_given || options->rest))
    return cli_complain(CLI_USAGE, "--time and --rest are of pictures (-o OUT.png), not of films");
  if (kind == RENDER_KIND_MP4 && own->background.kind == RENDER_TRANSPARENT)
    return cli_complain(CLI_USAGE,
                        "MP4 has no transparency: --background none goes with .png, .gif");
  if (kind == RENDER_KIND_MP4 && (own->size[0] % 2 || own->size[1] % 2))
    return cli_complain(CLI_USAGE, "--size: an MP4 has an even width and height");
  if (own->heat == RENDER_HEAT_DEVIATION && options->method_count == 1)
    return cli_complain(CLI_USAGE,
                        "--heat deviation is from the first of --methods: name two at least");
  if (options->rest && (options->clip || options->time_given))
    return cli_complain(CLI_USAGE, "--rest does not go with --clip or --time");
  return CLI_FINE;
}

/* ---- moments ---- */

static cli_moment *allocate(size_t count) { return calloc(count + 1, sizeof(cli_moment)); }

/* One picture; of a clip the camera holds all of the clip. */
static int plan_picture(const cli_stage *stage, const cli_moment *at, render_plan *plan) {
  cli_moment moment;
  if (at) {
    moment = *at;
  } else {
    const int exit_code = cli_choose_moment(stage->asset, stage->options, &moment);
    if (exit_code != CLI_FINE) return exit_code;
  }
  plan->moments = allocate(1);
  if (!plan->moments) return cli_complain(CLI_FAILED, "out of memory");
  plan->moments[0] = moment;
  plan->moment_count = 1;
  plan->fps = 1;
  double *times = NULL;
  uint32_t count = 0;
  if (moment.clip != SUPPLE_NONE) {
    cli_options all = *stage->options; /* as if neither --time nor --frames were there */
    all.time_given = false;
    all.frames = 0;
    const int exit_code = cli_clip_times(&stage->asset->clips[moment.clip], &all, &times, &count);
    if (exit_code != CLI_FINE) return exit_code;
  }
  plan->framed = allocate((size_t)count + 1);
  if (plan->framed) {
    plan->framed[plan->framed_count++] = moment;
    for (uint32_t i = 0; i < count; i++) {
      plan->framed[plan->framed_count] = moment;
      plan->framed[plan->framed_count++].seconds = times[i];
    }
  }
  free(times);
  return plan->framed ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
}

/* The clip of a film: --clip, else that of the worst moment, else the first one. */
static int choose_clip(const cli_stage *stage, const cli_moment *at, uint32_t *clip) {
  const supple_asset *asset = stage->asset;
  const int exit_code = cli_find_clip(asset, stage->options, clip);
  if (exit_code != CLI_FINE) return exit_code;
  if (*clip == SUPPLE_NONE && at) *clip = at->clip;
  if (*clip == SUPPLE_NONE) {
    char name[128];
    if (asset->clip_count == 0)
      return cli_complain(CLI_FAILED, "%s: no clips; a picture (-o OUT.png) needs none",
                          stage->path);
    *clip = 0;
    if (asset->clip_count > 1)
      cli_note("%s: the first of %u clips is drawn, '%s' (--clip)", stage->path, asset->clip_count,
               cli_clip_name(asset, 0, name, sizeof name));
  }
  if (!(asset->clips[*clip].end > asset->clips[*clip].begin))
    return cli_complain(
        CLI_FAILED, "%s: clip #%u has no length: one pose is a picture (-o OUT.png --clip '#%u')",
        stage->path, *clip, *clip);
  return CLI_FINE;
}

/* Frames of a clip at its own speed, or as many as were asked for, ends included. */
static int plan_film(const cli_stage *stage, const render_own *own, render_kind kind,
                     const cli_moment *at, render_plan *plan) {
  uint32_t clip;
  const int exit_code = choose_clip(stage, at, &clip);
  if (exit_code != CLI_FINE) return exit_code;
  const supple_clip *one = &stage->asset->clips[clip];
  const double length = one->end - one->begin;
  const double rate = own->fps_given ? own->fps : kind == RENDER_KIND_GIF ? GIF_RATE : MP4_RATE;
  const uint32_t asked = stage->options->frames;
  const double count = asked ? asked : floor(length * rate + 1e-6) + 1;
  if (count > FRAMES_MOST)
    return cli_complain(CLI_FAILED, "%s: clip #%u would be %.0f frames, more than %d: see --frames",
                        stage->path, clip, count, FRAMES_MOST);
  plan->moment_count = (uint32_t)count;
  plan->moments = allocate(plan->moment_count);
  if (!plan->moments) return cli_complain(CLI_FAILED, "out of memory");
  plan->fps = rate;
  if (asked > 1 && !own->fps_given) /* as fast as the clip */
    plan->fps = fmin(RATE_MOST, fmax(1, (asked - 1) / length));
  const double step = asked > 1 ? length / (asked - 1) : 1 / rate;
  for (uint32_t i = 0; i < plan->moment_count; i++) {
    plan->moments[i].clip = clip;
    plan->moments[i].seconds = fmin(one->end, one->begin + i * step);
  }
  plan->framed = plan->moments;
  plan->framed_count = plan->moment_count;
  return CLI_FINE;
}

int render_plan_make(const cli_stage *stage, const render_own *own, render_kind kind,
                     const cli_moment *at, render_plan *plan) {
  memset(plan, 0, sizeof *plan);
  return kind == RENDER_KIND_PNG ? plan_picture(stage, at, plan)
                                 : plan_film(stage, own, kind, at, plan);
}

void render_plan_free(render_plan *plan) {
  if (plan->framed != plan->moments) free(plan->framed);
  free(plan->moments);
  memset(plan, 0, sizeof *plan);
}
