/* command_render.c: `supple render`: pictures and films, method beside method, by OpenGL without a window. */
#include "command.h"

#include "compare.h"
#include "print.h"
#include "render_film.h"
#include "render_fit.h"
#include "render_plan.h"
#include "threads.h"
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

static const render_own defaults = {
    .size = {1280, 720}, .turn = 25, .tilt = 8, .zoom = 1, .fps = 30, .samples = 4};

#define AT(field) .offset = offsetof(render_own, field)
#define GIVEN(field) .given = offsetof(render_own, field)

static const cli_option own_options[] = {
    {.name = "size",
     .argument = "WxH",
     .kind = CLI_CUSTOM,
     .parse = render_parse_size,
     AT(size),
     .help = "of the picture in pixels (default 1280x720)"},
    {.name = "turn",
     .argument = "D",
     .kind = CLI_NUMBER,
     AT(turn),
     GIVEN(turn_given),
     .least = -36000,
     .most = 36000,
     .help = "camera to the side, in degrees: 0 from the front, 90 from the asset's left "
             "(default 25; with --joint: across its bone)"},
    {.name = "tilt",
     .argument = "D",
     .kind = CLI_NUMBER,
     AT(tilt),
     .least = -90,
     .most = 90,
     .help = "camera up, in degrees (default 8)"},
    {.name = "zoom",
     .argument = "F",
     .kind = CLI_NUMBER,
     AT(zoom),
     .least = 0.01,
     .most = 100,
     .help = "so many times larger than what fits (default 1)"},
    {.name = "joint",
     .argument = "NAME|worst",
     .kind = CLI_TEXT,
     AT(joint),
     .help = "look at this joint; worst: at the one that keeps least of its shape"},
    {.name = "sections",
     .argument = "NAME|worst",
     .kind = CLI_TEXT,
     AT(sections),
     .help = "draw the cross-sections of this joint, the one at the joint in red"},
    {.name = "heat",
     .argument = "none|deviation|kept",
     .kind = CLI_CHOICE,
     AT(heat),
     .help = "colour by distance from the first method, or by what each vertex keeps"},
    {.name = "wireframe", .kind = CLI_FLAG, AT(wireframe), .help = "draw the edges of triangles"},
    {.name = "background",
     .argument = "COLOUR|none",
     .kind = CLI_CUSTOM,
     .parse = render_parse_background,
     AT(background),
     .help = "#rrggbb, white, black, grey, green; none: transparent (default: a soft gradient)"},
    {.name = "no-labels",
     .kind = CLI_FLAG,
     AT(no_labels),
     .help = "without the names of the methods and the scale of a heat map"},
    {.name = "fps",
     .argument = "N",
     .kind = CLI_NUMBER,
     AT(fps),
     GIVEN(fps_given),
     .least = 1,
     .most = 60,
     .help = "frames a second of a film (default: .mp4 30, .gif 25; with --frames: as fast as the "
             "clip)"},
    {.name = "samples",
     .argument = "N",
     .kind = CLI_COUNT,
     AT(samples),
     .least = 1,
     .most = 16,
     .help = "a pixel, for smooth edges (default 4)"},
};

/* Everything of one run. */
typedef struct render_run {
  const cli_invocation *invocation;
  const render_own *own;
  cli_options options; /* the invocation's, and what is to be loaded */
  render_kind kind;
  cli_stage *stage;
  render_scene scene;
  supple_method methods[CLI_METHODS_MOST];
  uint32_t method_count, threads;
  supple_measure **measures; /* where something is measured */
  cli_moment worst;          /* where the worst joint is at its worst */
  uint32_t worst_node, worst_place[2];
  render_plan plan;
  render_look look;
  render_camera camera;
  supple_vec3 *targets; /* one a moment, where a joint is looked at */
  double radius;
  render_box box;
  render_image image;
} render_run;

static void free_run(render_run *run) {
  render_image_free(&run->image);
  free(run->targets);
  render_plan_free(&run->plan);
  if (run->measures) compare_measures_free(run->measures, run->stage->instance_count);
  render_scene_free(&run->scene);
  cli_stage_free(run->stage);
}

static bool is_worst(const char *name) { return name && strcmp(name, "worst") == 0; }

/* ---- what is looked at ---- */

/* The joint that keeps least, over the clips or the pose that the options name, as `compare` finds it. */
static int find_worst(render_run *run) {
  int exit_code = CLI_FAILED;
  motion_plan *motion = motion_from_clips(run->stage, &exit_code);
  if (motion && motion->clip_count == 0) {
    motion_free(motion);
    return cli_complain(CLI_FAILED, "%s: no clips: 'worst' needs one, or --pose", run->stage->path);
  }
  comparison *results = motion ? compare_run(run->stage, motion, run->measures, run->methods,
                                             run->method_count, 0.75, run->threads)
                               : NULL;
  verdict *all = results ? verdict_reach(results) : NULL;
  if (all && all->measured_count == 0) {
    exit_code =
        cli_complain(CLI_FAILED, "%s: nothing bends: there is no worst joint", run->stage->path);
  } else if (all) {
    const verdict_joint *row = &all->joints[0];
    run->worst = motion_moment(motion, row->frame);
    run->worst_node = row->node;
    run->worst_place[0] = row->instance;
    run->worst_place[1] = row->joint;
    exit_code = CLI_FINE;
  }
  verdict_free(all);
  compare_free(results);
  motion_free(motion);
  return exit_code;
}

/* Measures where they are needed, and the worst joint. */
static int measure(render_run *run) {
  const render_own *own = run->own;
  const bool worst = is_worst(own->joint) || is_worst(own->sections);
  if (!worst && !own->sections && own->heat != RENDER_HEAT_KEPT) return CLI_FINE;
  if (run->stage->instance_count == 0)
    return cli_complain(CLI_FAILED, "%s: nothing is skinned, so nothing can be measured",
                        run->stage->path);
  run->measures = compare_measures(run->stage, 0.75, run->threads);
  if (!run->measures) return CLI_FAILED;
  return worst ? find_worst(run) : CLI_FINE;
}

/* Instance and joint whose sections are drawn: of the instances that have the joint, the first with sections. */
static int choose_sections(render_run *run) {
  uint32_t node = run->worst_node;
  run->look.sections[0] = run->look.sections[1] = SUPPLE_NONE;
  if (!run->own->sections) return CLI_FINE;
  if (is_worst(run->own->sections)) {
    memcpy(run->look.sections, run->worst_place, sizeof run->look.sections);
  } else {
    const int exit_code =
        cli_find_joint(run->stage->asset, run->own->sections, strlen(run->own->sections), &node);
    if (exit_code != CLI_FINE) return exit_code;
  }
  const char *status = NULL;
  for (uint32_t i = 0; i < run->stage->instance_count; i++) {
    const supple_skin *skin = run->stage->instances[i].instance->skin;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
      if (skin->joints[j] != node) continue;
      bool any = false;
      const supple_measured_joint *known = supple_measure_joint(run->measures[i], j);
      for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) any = any || known->sections[k];
      if (!status || any) status = any ? "" : supple_joint_status_text(known->status);
      if (!any || run->look.sections[0] != SUPPLE_NONE) continue;
      run->look.sections[0] = i;
      run->look.sections[1] = j;
    }
  }
  char name[128];
  cli_node_name(run->stage->asset, node, name, sizeof name);
  if (!status)
    return cli_complain(CLI_USAGE, "--sections: '%s' is a node, but not a joint of a skin", name);
  if (status[0]) cli_note("joint '%s' has no section to draw (%s)", name, status);
  return CLI_FINE;
}

/* The moment in the middle of what the camera sees: the only one, or the first. */
static int aim_at_joint(render_run *run) {
  uint32_t node = run->worst_node;
  const render_own *own = run->own;
  if (!is_worst(own->joint)) {
    const int exit_code = cli_find_joint(run->stage->asset, own->joint, strlen(own->joint), &node);
    if (exit_code != CLI_FINE) return exit_code;
  }
  run->targets = calloc((size_t)run->plan.moment_count + 1, sizeof *run->targets);
  if (!run->targets) return cli_complain(CLI_FAILED, "out of memory");
  const render_camera plain = render_camera_make(0, 0);
  render_fit fit;
  int exit_code =
      render_fit_find(run->stage, &run->scene, &plain, run->plan.framed, run->plan.framed_count,
                      run->methods, run->method_count, run->threads, &fit);
  render_place place;
  for (uint32_t i = run->plan.moment_count; i-- > 0 && exit_code == CLI_FINE;) {
    exit_code = render_place_find(run->stage, &run->plan.moments[i], node, &fit.box, &place);
    run->targets[i] = place.position;
    if (place.radius > run->radius) run->radius = place.radius;
  }
  if (exit_code == CLI_FINE && is_worst(own->joint)) /* seen well where it matters */
    exit_code = render_place_find(run->stage, &run->worst, node, &fit.box, &place);
  if (exit_code == CLI_FINE && !own->turn_given)
    run->camera = render_camera_make(place.turn, own->tilt);
  return exit_code;
}

static int set_camera(render_run *run) {
  const render_own *own = run->own;
  render_fit fit;
  int exit_code = CLI_FINE;
  run->camera = render_camera_make(own->turn, own->tilt);
  if (own->joint) exit_code = aim_at_joint(run);
  if (exit_code == CLI_FINE)
    exit_code = render_fit_find(run->stage, &run->scene, &run->camera, run->plan.framed,
                                run->plan.framed_count, run->methods, run->method_count,
                                run->threads, &fit);
  if (exit_code != CLI_FINE) return exit_code;
  const double aspect = (double)render_panel_width(&run->look, run->method_count) / run->look.height;
  run->box = fit.box;
  run->look.heat_most = fit.deviation;
  if (!own->joint) render_camera_fit(&run->camera, &fit.box, aspect, own->zoom);
  return CLI_FINE;
}

/* ---- drawing ---- */

static int shoot(render_run *run, render_studio *studio, uint32_t i) {
  if (run->targets) {
    const double aspect =
        (double)render_panel_width(&run->look, run->method_count) / run->look.height;
    render_camera_aim(&run->camera, run->targets[i], run->radius, &run->box, aspect, run->own->zoom);
  }
  return render_studio_shoot(studio, &run->plan.moments[i], &run->camera, &run->image);
}

static int draw_film(render_run *run, render_studio *studio, cli_output *output) {
  render_film *film =
      render_film_open(output, run->kind == RENDER_KIND_GIF ? RENDER_GIF : RENDER_MP4,
                       run->look.width, run->look.height, run->plan.fps, run->plan.moment_count);
  int exit_code = CLI_FINE;
  if (!film) return CLI_FAILED;
  for (uint32_t i = 0; i < run->plan.moment_count && exit_code == CLI_FINE; i++) {
    cli_progress("drawing", i, run->plan.moment_count);
    exit_code = shoot(run, studio, i);
    if (exit_code == CLI_FINE) exit_code = render_film_add(film, &run->image);
  }
  cli_progress("drawing", run->plan.moment_count, run->plan.moment_count);
  const int closed = render_film_close(film);
  return exit_code == CLI_FINE ? closed : exit_code;
}

static int draw(render_run *run, render_studio *studio, const char *path) {
  run->image.pixels = malloc((size_t)run->look.width * run->look.height * 4);
  if (!run->image.pixels) return cli_complain(CLI_FAILED, "out of memory");
  cli_output *output = cli_output_open(path);
  if (!output) return CLI_FAILED;
  int exit_code;
  if (run->kind == RENDER_KIND_PNG) {
    exit_code = shoot(run, studio, 0);
    if (exit_code == CLI_FINE) render_image_write_png(output, &run->image);
  } else {
    exit_code = draw_film(run, studio, output);
  }
  if (exit_code == CLI_FINE) return cli_output_close(output);
  cli_output_abandon(output);
  return exit_code;
}

/* ---- all of it ---- */

static void choose_methods(render_run *run) {
  const cli_options *options = &run->options;
  run->method_count = options->method_count;
  for (uint32_t m = 0; m < options->method_count; m++) run->methods[m] = options->methods[m];
  if (run->method_count) return;
  const bool both = run->own->heat == RENDER_HEAT_DEVIATION;
  run->method_count = both ? 2 : 1;
  run->methods[0] = both ? SUPPLE_LBS : cli_choose_method(run->stage);
  run->methods[1] = SUPPLE_DQS;
}

static void set_look(render_run *run) {
  const render_own *own = run->own;
  run->look = (render_look){.width = own->size[0],
                            .height = own->size[1],
                            .samples = own->samples,
                            .backdrop = own->background.kind,
                            .heat = (render_heat)own->heat,
                            .wireframe = own->wireframe,
                            .labels = !own->no_labels};
  memcpy(run->look.color, own->background.color, sizeof run->look.color);
}

static int prepare(render_run *run) {
  int exit_code;
  run->stage = cli_stage_load(run->invocation->files[0], &run->options, &exit_code);
  if (!run->stage) return exit_code;
  if (run->options.verbose) cli_stage_print_repairs(run->stage);
  choose_methods(run);
  set_look(run);
  exit_code = render_scene_make(run->stage, &run->scene);
  if (exit_code == CLI_FINE) exit_code = measure(run);
  if (exit_code == CLI_FINE) exit_code = choose_sections(run);
  const bool at_worst =
      (is_worst(run->own->joint) || is_worst(run->own->sections)) && !run->options.time_given;
  if (exit_code == CLI_FINE)
    exit_code = render_plan_make(run->stage, run->own, run->kind, at_worst ? &run->worst : NULL,
                                 &run->plan);
  if (exit_code == CLI_FINE) exit_code = set_camera(run);
  return exit_code;
}

static int work(render_run *run, const char *path) {
  char message[512];
  uint32_t samples;
  int exit_code = prepare(run);
  if (exit_code != CLI_FINE) return exit_code;
  render_studio *studio =
      render_studio_open(run->stage, &run->scene, &run->look, run->methods, run->method_count,
                         run->measures, message, sizeof message);
  if (!studio) return message[0] ? cli_complain(CLI_FAILED, "%s", message) : CLI_FAILED;
  const char *renderer = render_studio_renderer(studio, &samples);
  if (samples < run->own->samples) cli_note("%s has %u samples a pixel at most", renderer, samples);
  if (run->options.verbose) cli_note("drawn by %s", renderer);
  exit_code = draw(run, studio, path);
  render_studio_close(studio);
  return exit_code;
}

static int run_render(const cli_invocation *invocation) {
  render_run run = {.invocation = invocation, .own = invocation->own};
  const char *path = invocation->options.output;
  if (!path) return cli_complain(CLI_USAGE, "say -o OUT.png, OUT.gif or OUT.mp4");
  if (!render_kind_of(path, &run.kind))
    return cli_complain(CLI_USAGE, "%s: the ending must be one of .png .gif .mp4", path);
  int exit_code = render_check_usage(&invocation->options, run.own, run.kind);
  if (exit_code != CLI_FINE) return exit_code;
  run.options = invocation->options;
  run.options.image_files = true;
  run.threads = cli_thread_count(invocation->options.threads);
  exit_code = work(&run, path);
  free_run(&run);
  return exit_code;
}

const cli_command cli_command_render = {
    .name = "render",
    .summary = "draw pictures and films, method beside method",
    .usage = "FILE -o OUT.png|.gif|.mp4 [--methods lbs,dqs] [options]",
    .description =
        "Draws FILE by OpenGL without a window, on a GPU or in software: everything in its\n"
        "default scene, with base colours and textures, deformed by the project's own shaders.\n"
        "Several --methods stand side by side. A .png is one moment: of --clip at --time, or\n"
        "the nodes as stored; a .gif or .mp4 is a whole clip, encoded by ffmpeg.\n"
        "\n"
        "  supple render hero.glb --methods lbs,dqs --joint worst -o worst.png\n"
        "  supple render hero.glb --methods lbs,dqs --clip Wave -o wave.mp4\n"
        "  supple render hero.glb --clip Wave --time 0.8 --heat kept -o "
        "kept.png\n"
        "\n"
        "The camera holds all of the clip under every method; --turn, --tilt and --zoom move it,\n"
        "--joint looks at a joint. With 'worst' and without --time a picture shows the moment at\n"
        "which the joint is at its worst, over the clips or the --clip or --pose given. The same\n"
        "input gives the same picture on the same OpenGL.\n",
    .shared = CLI_USES_OUTPUT | CLI_USES_DRY_RUN | CLI_USES_METHODS | CLI_USES_DEFORM |
              CLI_USES_INFLUENCES | CLI_USES_CLIP | CLI_USES_TIME | CLI_USES_FRAMES |
              CLI_USES_REST | CLI_USES_POSE | CLI_USES_THREADS | CLI_USES_VERBOSE | CLI_USES_LOADING,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof *own_options,
    .own_size = sizeof(render_own),
    .own_defaults = &defaults,
    .least_files = 1,
    .most_files = 1,
    .function = run_render,
};
