/* render_stills.c: one studio for all pictures of a page. */
#include "render_stills.h"

#include "render_fit.h"
#include "render_studio.h"

#include <stdlib.h>
#include <string.h>

enum { PANEL_WIDTH = 420, PANEL_HEIGHT = 340, TILT = 8 };

typedef struct stills_run {
  const comparison *results;
  const cli_stage *stage;
  supple_measure *const *measures;
  render_scene scene;
  render_look look;
  render_studio *studio;
  render_image image;
  uint32_t threads;
} stills_run;

/* The joint in the middle, from where its bone is seen across. */
static int aim(const stills_run *run, const compared_outline *outline, const cli_moment *moment,
               render_camera *camera) {
  const comparison *results = run->results;
  const uint32_t node = results->instances[outline->instance].instance->skin->joints[outline->joint];
  const render_camera plain = render_camera_make(0, 0);
  render_fit fit;
  render_place place;
  int exit_code = render_fit_find(run->stage, &run->scene, &plain, moment, 1, results->methods,
                                  results->method_count, 1, &fit);
  if (exit_code == CLI_FINE)
    exit_code = render_place_find(run->stage, moment, node, &fit.box, &place);
  if (exit_code != CLI_FINE) return exit_code;
  *camera = render_camera_make(place.turn, TILT);
  exit_code = render_fit_find(run->stage, &run->scene, camera, moment, 1, results->methods,
                              results->method_count, 1, &fit);
  if (exit_code == CLI_FINE)
    render_camera_aim(camera, place.position, place.radius, &fit.box,
                      (double)PANEL_WIDTH / PANEL_HEIGHT, 1);
  return exit_code;
}

/* The bytes of a PNG become the outline's. */
static int keep(const render_image *image, compared_outline *outline) {
  size_t size;
  cli_output *memory = cli_output_open_memory();
  if (!memory) return CLI_FAILED;
  render_image_write_png(memory, image);
  const char *bytes = cli_output_contents(memory, &size);
  outline->picture = bytes ? malloc(size) : NULL;
  if (outline->picture) {
    memcpy(outline->picture, bytes, size);
    outline->picture_size = size;
    outline->picture_width = image->width;
    outline->picture_height = image->height;
  }
  cli_output_abandon(memory);
  return outline->picture ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
}

static int draw(stills_run *run, compared_outline *outline) {
  const cli_moment moment = motion_moment(run->results->motion, outline->frame);
  const bool sections = outline->offset != SUPPLE_NONE;
  render_camera camera;
  int exit_code = aim(run, outline, &moment, &camera);
  if (exit_code != CLI_FINE) return exit_code;
  render_studio_sections(run->studio, sections ? outline->instance : SUPPLE_NONE, outline->joint);
  exit_code = render_studio_shoot(run->studio, &moment, &camera, &run->image);
  return exit_code == CLI_FINE ? keep(&run->image, outline) : exit_code;
}

int render_stills(const comparison *results, const cli_stage *stage,
                  supple_measure *const *measures, compared_outline *outlines, uint32_t count,
                  uint32_t most, uint32_t threads, char *why, size_t size) {
  stills_run run = {.results = results, .stage = stage, .measures = measures, .threads = threads};
  run.look = (render_look){.width = PANEL_WIDTH * results->method_count,
                           .height = PANEL_HEIGHT,
                           .samples = 4,
                           .backdrop = RENDER_TRANSPARENT,
                           .labels = true,
                           .quiet = true,
                           .sections = {SUPPLE_NONE, SUPPLE_NONE}};
  why[0] = '\0';
  if (count > most) count = most;
  if (count == 0) return CLI_FINE;
  int exit_code = render_scene_make(stage, &run.scene);
  if (exit_code != CLI_FINE) return exit_code;
  run.studio = render_studio_open(stage, &run.scene, &run.look, results->methods,
                                  results->method_count, measures, why, size);
  if (!run.studio) {
    render_scene_free(&run.scene);
    return why[0] ? CLI_FINE : CLI_FAILED;
  }
  run.image.pixels = malloc((size_t)run.look.width * run.look.height * 4);
  if (!run.image.pixels) exit_code = cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; i < count && exit_code == CLI_FINE; i++)
    exit_code = draw(&run, &outlines[i]);
  render_image_free(&run.image);
  render_studio_close(run.studio);
  render_scene_free(&run.scene);
  return exit_code;
}
