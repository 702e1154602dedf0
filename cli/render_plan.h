/* render_plan.h: what the command line of `supple render` asks for: its own options, and the moments that follow. */
#ifndef SUPPLE_CLI_RENDER_PLAN_H
#define SUPPLE_CLI_RENDER_PLAN_H

#include "render_studio.h"

/* The command's own options. */
typedef struct render_own {
  bool given;
  uint32_t size[2]; /* width, height */
  double turn, tilt, zoom, fps;
  bool turn_given, fps_given;
  const char *joint, *sections; /* names, or "worst" */
  int heat;                     /* render_heat */
  bool wireframe, no_labels;
  uint32_t samples;
  struct {
    render_backdrop kind;
    unsigned char color[3];
  } background;
} render_own;

enum { RENDER_SIDE_MOST = 16384 }; /* pixels */

/* For the table of options: "1280x720"; "none", "gradient", "#rrggbb", "#rgb", or a few names of colours. */
bool render_parse_size(void *value, const char *text, char *message, size_t size);
bool render_parse_background(void *value, const char *text, char *message, size_t size);

typedef enum render_kind { RENDER_KIND_PNG, RENDER_KIND_GIF, RENDER_KIND_MP4 } render_kind;

/* By the ending of the name ("-": PNG); false where it is none of them. */
bool render_kind_of(const char *path, render_kind *kind);
/* What cannot be meant, with exit code 2. */
int render_check_usage(const cli_options *options, const render_own *own, render_kind kind);

/* The moments to draw, of one clip (or one pose). */
typedef struct render_plan {
  cli_moment *moments;
  uint32_t moment_count;
  double fps;
  /* Moments that the camera has to hold: those, or of a picture of a clip all of the clip's. */
  cli_moment *framed;
  uint32_t framed_count;
} render_plan;

/* `at`: draw this moment (the worst one), or in a film its clip, where not NULL. CLI_USAGE or CLI_FAILED where options do not go with the file;
 * reported. Free it whatever comes back. */
int render_plan_make(const cli_stage *stage, const render_own *own, render_kind kind,
                     const cli_moment *at, render_plan *plan);
void render_plan_free(render_plan *plan);

#endif
