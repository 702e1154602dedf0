/* render_studio.c: uploads a scene once; each moment is deformed once on the GPU, then drawn for each method. */
#include "render_studio.h"

#include "compare.h"
#include "copies.h"
#include "gl_draw.h"
#include "gl_skin.h"
#include "print.h"
#include "render_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t render_panel_width(const render_look *look, uint32_t method_count) {
  const uint32_t width = look->width / (method_count ? method_count : 1);
  return width ? width : 1;
}

#if !defined(CLI_HAS_GL)

render_studio *render_studio_open(const cli_stage *stage, const render_scene *scene,
                                  const render_look *look, const supple_method *methods,
                                  uint32_t method_count, supple_measure *const *measures,
                                  char *message, size_t size) {
  (void)stage, (void)scene, (void)look, (void)methods, (void)method_count, (void)measures;
  gl_context_open(message, size);
  return NULL;
}

void render_studio_close(render_studio *studio) { (void)studio; }

const char *render_studio_renderer(const render_studio *studio, uint32_t *samples) {
  (void)studio, *samples = 0;
  return "nothing";
}

void render_studio_sections(render_studio *studio, uint32_t instance, uint32_t joint) {
  (void)studio, (void)instance, (void)joint;
}

int render_studio_shoot(render_studio *studio, const cli_moment *moment,
                        const render_camera *camera, render_image *image) {
  (void)studio, (void)moment, (void)camera, (void)image;
  return CLI_FAILED;
}

#else

/* A part on the GPU. */
typedef struct studio_part {
  const render_part *part;
  gl_rest rest;              /* of a skinned one */
  GLuint positions, normals; /* of any other */
  GLuint texcoords, colors, indices, texture;
  GLuint posed[CLI_METHODS_MOST], kept[CLI_METHODS_MOST]; /* of a skinned one */
  GLuint arrays[CLI_METHODS_MOST];                        /* of any other: the first alone */
  supple_affine64 world;                                  /* of the moment, of one not skinned */
  bool mirrored;                                          /* of the moment */
} studio_part;

/* Sections of one method in a moment. */
typedef struct studio_loops {
  supple_vec3 *points;
  uint32_t counts[SUPPLE_SECTION_COUNT];
} studio_loops;

struct render_studio {
  const cli_stage *stage;
  const render_scene *scene;
  render_look look;
  supple_method methods[CLI_METHODS_MOST];
  uint32_t method_count;
  supple_measure *const *measures;
  gl_context *context;
  gl_canvas *canvas;
  gl_skinner *skinner;
  cli_workspace *work;
  studio_part *parts; /* [scene->part_count] */
  studio_loops loops[CLI_METHODS_MOST];
};

static int out_of_memory(void) { return cli_complain(CLI_FAILED, "out of memory"); }

/* ---- textures ---- */

/* What the material's texture is, or NULL where it has none that can be drawn, which is said once. */
static const supple_image *image_of(const cli_stage *stage, uint32_t m, const char **fault) {
  const supple_asset *asset = stage->asset;
  const supple_texture *texture = &asset->materials[m].base_color_texture;
  *fault = NULL;
  if (texture->image == SUPPLE_NONE) return NULL;
  if (texture->image >= asset->image_count)
    *fault = "its image is of a kind that only an extension knows";
  else if (texture->texcoord > 0)
    *fault = "it uses texture coordinates other than TEXCOORD_0";
  else if (!asset->images[texture->image].data)
    *fault = "its image was not found";
  return *fault ? NULL : &asset->images[texture->image];
}

static bool is_same_texture(const supple_texture *a, const supple_texture *b) {
  return a->image == b->image && a->wrap_s == b->wrap_s && a->wrap_t == b->wrap_t &&
         a->nearest == b->nearest && a->texcoord == b->texcoord;
}

static GLuint make_texture(const cli_stage *stage, uint32_t m, bool quiet) {
  const char *fault;
  char message[256];
  render_image decoded;
  GLuint texture = 0;
  const supple_image *image = image_of(stage, m, &fault);
  if (image && render_image_decode(image->data, image->size, &decoded, message, sizeof message)) {
    texture = gl_texture_make(&decoded, &stage->asset->materials[m].base_color_texture);
    if (!texture) fault = "it is larger than OpenGL can hold here";
    render_image_free(&decoded);
  } else if (image) {
    fault = message;
  }
  if (fault && !quiet) cli_note("material %u: drawn without its texture: %s", m, fault);
  return texture;
}

/* textures[material], each made once; 0 where there is none. */
static bool make_textures(render_studio *studio) {
  const supple_asset *asset = studio->stage->asset;
  GLuint *textures = calloc((size_t)asset->material_count + 1, sizeof *textures);
  bool *done = calloc((size_t)asset->material_count + 1, sizeof *done);
  bool fine = textures && done;
  for (uint32_t i = 0; fine && i < studio->scene->part_count; i++) {
    const render_part *part = &studio->scene->parts[i];
    if (!part->material || !part->primitive->texcoords) continue;
    const uint32_t m = part->primitive->material;
    for (uint32_t other = 0; other < asset->material_count && !done[m]; other++)
      if (done[other] && is_same_texture(&asset->materials[m].base_color_texture,
                                         &asset->materials[other].base_color_texture)) {
        textures[m] = textures[other];
        done[m] = true;
      }
    if (!done[m]) textures[m] = make_texture(studio->stage, m, studio->look.quiet);
    done[m] = true;
    studio->parts[i].texture = textures[m];
  }
  free(textures);
  free(done);
  if (!fine) out_of_memory();
  return fine && gl_fine("uploading textures");
}

/* ---- parts ---- */

static GLuint make_buffer(const void *data, size_t size, GLenum usage) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, usage);
  return buffer;
}

/* Colours are drawn as they are; what is not finite would spoil whole triangles' neighbours. */
static GLuint make_stream(const float *data, size_t count) {
  return data ? make_buffer(data, count * sizeof(float), GL_STATIC_DRAW) : 0;
}

static void make_arrays(render_studio *studio, studio_part *one) {
  const supple_primitive *primitive = one->part->primitive;
  const size_t n = primitive->vertex_count;
  const bool skinned = one->part->skinned;
  for (uint32_t m = 0; m < (skinned ? studio->method_count : 1); m++) {
    gl_vertices vertices = {.posed = one->positions,
                            .normals = one->normals,
                            .texcoords = one->texcoords,
                            .colors = one->colors,
                            .indices = one->indices};
    if (skinned) {
      vertices.stride = gl_skin_stride(&one->rest);
      vertices.has_normals = primitive->normals != NULL;
      vertices.posed = one->posed[m] =
          make_buffer(NULL, n * (size_t)vertices.stride, GL_STREAM_DRAW);
      if (studio->look.heat == RENDER_HEAT_DEVIATION) vertices.reference = one->posed[0];
      if (studio->look.heat == RENDER_HEAT_KEPT)
        vertices.kept = one->kept[m] = make_buffer(NULL, n * sizeof(float), GL_STREAM_DRAW);
    }
    one->arrays[m] = gl_canvas_array(&vertices);
  }
}

static bool make_part(render_studio *studio, studio_part *one, const render_part *part) {
  const supple_primitive *primitive = part->primitive;
  const size_t n = primitive->vertex_count;
  one->part = part;
  one->world = supple_affine64_identity();
  if (part->skinned) {
    const supple_binding *binding = studio->stage->instances[part->instance].bindings[part->slot];
    if (!gl_rest_make(&one->rest, primitive, binding)) return false;
  } else {
    one->positions = make_stream(primitive->positions, 3 * n);
    one->normals = make_stream(primitive->normals, 3 * n);
  }
  one->texcoords = make_stream(primitive->texcoords, 2 * n);
  one->colors = make_stream(primitive->colors, 4 * n);
  one->indices =
      make_buffer(primitive->indices, primitive->index_count * sizeof(uint32_t), GL_STATIC_DRAW);
  make_arrays(studio, one);
  return gl_fine("uploading a mesh");
}

static void free_part(studio_part *one, uint32_t method_count) {
  const GLuint buffers[5] = {one->positions, one->normals, one->texcoords, one->colors,
                             one->indices};
  gl_rest_free(&one->rest);
  glDeleteBuffers(5, buffers);
  glDeleteBuffers((GLsizei)method_count, one->posed);
  glDeleteBuffers((GLsizei)method_count, one->kept);
  glDeleteVertexArrays((GLsizei)method_count, one->arrays);
}

/* ---- opening ---- */

static bool set_up(render_studio *studio) {
  const cli_options *options = studio->stage->options;
  studio->canvas = gl_canvas_create(studio->look.width, studio->look.height, &studio->look.samples);
  studio->skinner = gl_skinner_create((supple_scale)options->scale, (supple_signs)options->signs);
  studio->work = cli_workspace_create(studio->stage, studio->methods, studio->method_count);
  studio->parts = calloc((size_t)studio->scene->part_count + 1, sizeof *studio->parts);
  if (!studio->canvas || !studio->skinner || !studio->work) return false;
  if (!studio->parts) return out_of_memory(), false;
  studio->work->want_normals = true;
  for (uint32_t i = 0; i < studio->scene->part_count; i++)
    if (!make_part(studio, &studio->parts[i], &studio->scene->parts[i])) return false;
  return make_textures(studio);
}

render_studio *render_studio_open(const cli_stage *stage, const render_scene *scene,
                                  const render_look *look, const supple_method *methods,
                                  uint32_t method_count, supple_measure *const *measures,
                                  char *message, size_t size) {
  render_studio *studio = calloc(1, sizeof *studio);
  snprintf(message, size, "%s", "");
  if (!studio) {
    out_of_memory();
    return NULL;
  }
  studio->context = gl_context_open(message, size);
  if (!studio->context) {
    free(studio);
    return NULL;
  }
  studio->stage = stage;
  studio->scene = scene;
  studio->look = *look;
  studio->method_count = method_count < CLI_METHODS_MOST ? method_count : CLI_METHODS_MOST;
  for (uint32_t m = 0; m < studio->method_count; m++) studio->methods[m] = methods[m];
  studio->measures = measures;
  if (set_up(studio)) return studio;
  render_studio_close(studio);
  return NULL;
}

void render_studio_close(render_studio *studio) {
  if (!studio) return;
  for (uint32_t i = 0; studio->parts && i < studio->scene->part_count; i++)
    free_part(&studio->parts[i], studio->method_count);
  for (uint32_t m = 0; m < CLI_METHODS_MOST; m++) free(studio->loops[m].points);
  free(studio->parts);
  gl_skinner_free(studio->skinner);
  gl_canvas_free(studio->canvas);
  cli_workspace_free(studio->work);
  gl_context_close(studio->context); /* textures go with it */
  free(studio);
}

const char *render_studio_renderer(const render_studio *studio, uint32_t *samples) {
  *samples = studio->look.samples;
  return gl_context_renderer(studio->context);
}

void render_studio_sections(render_studio *studio, uint32_t instance, uint32_t joint) {
  studio->look.sections[0] = instance;
  studio->look.sections[1] = joint;
}

/* ---- deforming a moment ---- */

static void replace(GLuint buffer, const float *data, size_t count) {
  if (!buffer || !data) return;
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(count * sizeof(float)), data);
}

/* Deformed by the CPU, where there is no shader for it. */
static int upload_posed(const render_studio *studio, const studio_part *one, uint32_t m) {
  const uint32_t p = one->part->slot;
  const size_t n = one->part->primitive->vertex_count, width = one->rest.normals ? 6 : 3;
  const float *positions = studio->work->positions[m][p], *normals = studio->work->normals[m][p];
  float *both = malloc(n * width * sizeof *both + 1);
  if (!both) return out_of_memory();
  for (size_t v = 0; v < n; v++) {
    memcpy(both + v * width, positions + 3 * v, 3 * sizeof *both);
    if (width == 6) memcpy(both + v * width + 3, normals + 3 * v, 3 * sizeof *both);
  }
  replace(one->posed[m], both, n * width);
  free(both);
  return CLI_FINE;
}

static int upload_kept(const render_studio *studio, const studio_part *one, uint32_t m) {
  const cli_workspace *work = studio->work;
  const size_t n = one->part->primitive->vertex_count;
  const supple_measure_frame frame = {.palette = work->palette,
                                      .prepared = work->prepared[m],
                                      .positions = work->positions[m],
                                      .rest = work->rest};
  double *kept = malloc(n * sizeof *kept + 1);
  float *rounded = malloc(n * sizeof *rounded + 1);
  int exit_code = CLI_FINE;
  if (!kept || !rounded ||
      supple_measure_kept(studio->measures[one->part->instance], &frame, one->part->slot, kept) !=
          SUPPLE_OK) {
    exit_code = out_of_memory();
  } else {
    for (size_t v = 0; v < n; v++) rounded[v] = (float)kept[v];
    replace(one->kept[m], rounded, n);
  }
  free(kept);
  free(rounded);
  return exit_code;
}

/* Whether most joints mirror: triangles then face the other way. */
static bool is_mirrored(const supple_palette *palette) {
  uint32_t count = 0;
  for (uint32_t j = 0; j < palette->joint_count; j++) {
    const supple_affine64 matrix = supple_affine_to_double(&palette->matrices[j]);
    const supple_mat3 linear = supple_affine64_linear(&matrix);
    count += supple_mat3_determinant(&linear) < 0;
  }
  return 2 * (uint64_t)count > palette->joint_count;
}

/* The points of the sections of the joint that is looked at. */
static int take_sections(render_studio *studio, uint32_t m) {
  const uint32_t joint = studio->look.sections[1];
  const supple_measure *measure = studio->measures[studio->look.sections[0]];
  studio_loops *loops = &studio->loops[m];
  size_t total = 0;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    loops->counts[k] = supple_measure_section_size(measure, joint, k);
    total += loops->counts[k];
  }
  supple_vec3 *points = realloc(loops->points, (total + 1) * sizeof *points);
  if (!points) return out_of_memory();
  loops->points = points;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; points += loops->counts[k++])
    if (loops->counts[k])
      supple_measure_section_points(measure, joint, k, studio->work->positions[m], points);
  return CLI_FINE;
}

static int deform_part(render_studio *studio, studio_part *one, uint32_t m) {
  const supple_scale scale = (supple_scale)studio->stage->options->scale;
  const uint32_t p = one->part->slot;
  int exit_code = CLI_FINE;
  if (studio->methods[m] == SUPPLE_LBS || gl_skinner_can(scale)) {
    if (!gl_skin(studio->skinner, &one->rest, studio->work->prepared[m][p], studio->methods[m],
                 one->posed[m]))
      exit_code = CLI_FAILED;
  } else {
    exit_code = upload_posed(studio, one, m);
  }
  if (exit_code == CLI_FINE && one->kept[m]) exit_code = upload_kept(studio, one, m);
  return exit_code;
}

/* Everything of one instance: its parts follow each other. */
static int deform_instance(render_studio *studio, studio_part *first, uint32_t count) {
  cli_workspace *work = studio->work;
  const uint32_t instance = first->part->instance;
  const bool sections = studio->look.sections[0] == instance;
  int exit_code = cli_workspace_enter(work, instance);
  if (exit_code != CLI_FINE) return exit_code;
  for (uint32_t i = 0; i < count; i++) {
    studio_part *one = &first[i];
    const supple_primitive *primitive = one->part->primitive;
    const bool skinned = one->part->skinned;
    one->mirrored = skinned && is_mirrored(work->palette);
    if (!primitive->target_count) continue;
    replace(skinned ? one->rest.positions : one->positions, work->rest[one->part->slot],
            3 * (size_t)primitive->vertex_count);
    replace(skinned ? one->rest.normals : one->normals, work->rest_normals[one->part->slot],
            3 * (size_t)primitive->vertex_count);
  }
  for (uint32_t m = 0; m < studio->method_count && exit_code == CLI_FINE; m++) {
    const bool by_gpu = studio->methods[m] == SUPPLE_LBS ||
                        gl_skinner_can((supple_scale)studio->stage->options->scale);
    exit_code = by_gpu && !sections ? cli_workspace_prepare(work, m) : cli_workspace_deform(work, m);
    for (uint32_t i = 0; i < count && exit_code == CLI_FINE; i++)
      if (first[i].part->skinned) exit_code = deform_part(studio, &first[i], m);
    if (sections && exit_code == CLI_FINE) exit_code = take_sections(studio, m);
  }
  return exit_code;
}

/* Morph targets of a mesh that no skin moves. */
static int morph_part(const render_studio *studio, const studio_part *one) {
  const supple_primitive *primitive = one->part->primitive;
  const supple_node *node = &studio->stage->asset->skeleton.nodes[one->part->node];
  const size_t n = primitive->vertex_count;
  float *positions = malloc(n * 3 * sizeof *positions + 1);
  float *normals = primitive->normals ? malloc(n * 3 * sizeof *normals + 1) : NULL;
  int exit_code = CLI_FINE;
  const supple_out_stream nothing = {NULL, 0}, to = {positions, 12}, to_normals = {normals, 12};
  const float *weights =
      node->weight_count ? studio->work->pose->weights + node->weight_begin : NULL;
  if (!positions || (primitive->normals && !normals) ||
      supple_morph(primitive, weights, node->weight_count, to, normals ? to_normals : nothing,
                   nothing) != SUPPLE_OK)
    exit_code = out_of_memory();
  if (exit_code == CLI_FINE) {
    replace(one->positions, positions, 3 * n);
    replace(one->normals, normals, 3 * n);
  }
  free(positions);
  free(normals);
  return exit_code;
}

static int deform_all(render_studio *studio, const cli_moment *moment) {
  const uint32_t count = studio->scene->part_count;
  int exit_code = CLI_FINE;
  cli_workspace_pose(studio->work, moment);
  for (uint32_t i = 0, end; i < count && exit_code == CLI_FINE; i = end) {
    studio_part *one = &studio->parts[i];
    const uint32_t instance = one->part->instance;
    end = i + 1;
    if (instance != SUPPLE_NONE) {
      while (end < count && studio->parts[end].part->instance == instance) end++;
      exit_code = deform_instance(studio, one, end - i);
    } else if (one->part->primitive->target_count) {
      exit_code = morph_part(studio, one);
    }
    for (uint32_t k = i; k < end; k++) {
      if (studio->parts[k].part->skinned) continue;
      const supple_affine64 *world = &studio->work->pose->worlds[studio->parts[k].part->node];
      const supple_mat3 linear = supple_affine64_linear(world);
      studio->parts[k].world = *world;
      studio->parts[k].mirrored = supple_mat3_determinant(&linear) < 0;
    }
  }
  return exit_code;
}

/* ---- drawing a moment ---- */

static gl_surface surface_of(const render_studio *studio, const studio_part *one, uint32_t m,
                             uint32_t copy) {
  static const GLenum modes[3] = {GL_TRIANGLES, GL_LINES, GL_POINTS};
  const render_part *part = one->part;
  const supple_primitive *primitive = part->primitive;
  gl_surface surface = {.array = one->arrays[part->skinned ? m : 0],
                        .mode = modes[primitive->topology],
                        .index_count = (GLsizei)primitive->index_count,
                        .has_normals = primitive->normals != NULL,
                        .has_colors = one->colors != 0,
                        .has_texcoords = one->texcoords != 0,
                        .material = part->material,
                        .texture = one->texture,
                        .most = studio->look.heat_most,
                        .scene = one->world,
                        .mirrored = one->mirrored};
  if (studio->look.heat != RENDER_HEAT_NONE)
    surface.heat = studio->look.heat == RENDER_HEAT_DEVIATION && part->skinned ? GL_HEAT_DISTANCE
                                                                               : GL_HEAT_LOSS;
  if (part->instance == SUPPLE_NONE) return surface;
  const supple_instance *instance = studio->stage->instances[part->instance].instance;
  const supple_affine64 moved =
      cli_copy_matrix(instance, copy, studio->work->pose, SUPPLE_SPACE_SCENE);
  const supple_mat3 linear = supple_affine64_linear(&moved);
  surface.scene = supple_affine64_multiply(&moved, &one->world);
  surface.mirrored = surface.mirrored != (supple_mat3_determinant(&linear) < 0);
  return surface;
}

enum { PASS_SOLID, PASS_BLENDED, PASS_WIRE };

static void draw_pass(render_studio *studio, uint32_t m, int pass) {
  for (uint32_t i = 0; i < studio->scene->part_count; i++) {
    const studio_part *one = &studio->parts[i];
    const uint32_t copies =
        one->part->instance == SUPPLE_NONE
            ? 1
            : cli_copy_count(studio->stage->instances[one->part->instance].instance);
    for (uint32_t copy = 0; copy < copies; copy++) {
      const gl_surface surface = surface_of(studio, one, m, copy);
      if (pass == PASS_WIRE)
        gl_canvas_wire(studio->canvas, &surface);
      else
        gl_canvas_surface(studio->canvas, &surface, pass == PASS_BLENDED, studio->look.wireframe);
    }
  }
}

static bool draw_sections(render_studio *studio, uint32_t m) {
  static const unsigned char at_joint[3] = {0xd6, 0x1f, 0x69}, others[3] = {0x1f, 0x6f, 0xd6};
  const studio_loops *loops = &studio->loops[m];
  const supple_vec3 *points = loops->points;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; points += loops->counts[k++]) {
    const bool middle = k == SUPPLE_SECTION_AT_JOINT;
    if (loops->counts[k] && !gl_canvas_loop(studio->canvas, points, loops->counts[k],
                                            middle ? 3.5 : 2.2, middle ? at_joint : others))
      return false;
  }
  return true;
}

/* "12 mm", "0.4 m". */
static const char *length_text(double metres, char *text, size_t size) {
  char number[CLI_NUMBER_TEXT];
  const bool small = metres < 0.1;
  const double shown = small ? 1000 * metres : metres;
  snprintf(text, size, "%s %s",
           cli_fixed_text(shown,
                          shown < 1    ? 3
                          : shown < 10 ? 2
                                       : 1,
                          number),
           small ? "mm" : "m");
  return text;
}

static void draw_labels(const render_studio *studio, render_image *image) {
  const render_look *look = &studio->look;
  const uint32_t panel = render_panel_width(look, studio->method_count);
  const double least = look->height < panel ? look->height : panel;
  const double point = least / 250 < 1 ? 1 : least / 250;
  char text[64], title[96];
  for (uint32_t m = 0; m < studio->method_count && studio->method_count > 1; m++) {
    if (m) render_separator(image, m * panel);
    render_text(image, m * panel + 7 * point, 7 * point, 1.25 * point,
                compare_method_short(studio->methods[m]));
  }
  if (look->heat == RENDER_HEAT_NONE) return;
  const double width = 0.36 * look->width, x = 0.5 * (look->width - width);
  const double y = look->height - 34 * point;
  if (look->heat == RENDER_HEAT_KEPT) {
    render_scale_bar(image, x, y, width, point, "kept", "100 %", "0 %");
    return;
  }
  snprintf(title, sizeof title, "deviation from %s", compare_method_short(studio->methods[0]));
  render_scale_bar(image, x, y, width, point, title, "0",
                   length_text(look->heat_most, text, sizeof text));
}

int render_studio_shoot(render_studio *studio, const cli_moment *moment,
                        const render_camera *camera, render_image *image) {
  const render_look *look = &studio->look;
  const uint32_t panel = render_panel_width(look, studio->method_count);
  const int exit_code = deform_all(studio, moment);
  if (exit_code != CLI_FINE) return exit_code;
  for (uint32_t m = 0; m < studio->method_count; m++) {
    const uint32_t left = m * panel;
    const uint32_t width = m + 1 == studio->method_count ? look->width - left : panel;
    gl_canvas_panel(studio->canvas, left, width, camera, (int)look->backdrop, look->color);
    draw_pass(studio, m, PASS_SOLID);
    draw_pass(studio, m, PASS_BLENDED);
    if (look->wireframe) draw_pass(studio, m, PASS_WIRE);
    if (look->sections[0] != SUPPLE_NONE && !draw_sections(studio, m)) return CLI_FAILED;
  }
  image->width = look->width;
  image->height = look->height;
  if (!gl_canvas_read(studio->canvas, image)) return CLI_FAILED;
  if (look->labels) draw_labels(studio, image);
  return CLI_FINE;
}

#endif
