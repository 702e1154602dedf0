/* test_allocation_failures.c: the n-th allocation fails, for every n, in everything that allocates: an error that
 * says so, nothing leaked, and the same objects work once there is memory. */
#include "tests/gltf/asset_text.h"

#include <supple/supple.h>

/* ---- a tube on three joints, with everything that takes memory ---- */

enum { RINGS = 9, AROUND = 8, VERTICES = RINGS * AROUND };

static void fill(bin *b) {
  static const float circle[AROUND][2] = {{1, 0},  {0.7f, 0.7f},   {0, 1},  {-0.7f, 0.7f},
                                          {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}};
  static const float times[2] = {0, 1}, turns[8] = {0, 0, 0, 1, 0, 1, 0, 0};
  memset(b, 0, sizeof *b);
  for (int i = 0; i < VERTICES; i++)
    put_f32(
        b, 3,
        (const float[]){circle[i % AROUND][0], 0.5f * (float)(i / AROUND), circle[i % AROUND][1]});
  for (int i = 0; i < VERTICES; i++)
    put_f32(b, 3, (const float[]){circle[i % AROUND][0], 0, circle[i % AROUND][1]});
  for (int i = 0; i < VERTICES; i++) put_u8(b, 4, (const uint8_t[]){0, 1, 2, 0});
  for (int i = 0; i < VERTICES; i++) {
    const float t = (float)(i / AROUND) / (RINGS - 1);
    put_f32(b, 4, (const float[]){(1 - t) * (1 - t), 2 * t * (1 - t), t * t, 0});
  }
  for (int joint = 0; joint < 3; joint++)
    for (int i = 0; i < 16; i++)
      put_f32(b, 1, (const float[]){i % 5 == 0 ? 1.0f : i == 13 ? -2.0f * (float)joint : 0.0f});
  put_f32(b, 2, times);
  put_f32(b, 8, turns);
  for (unsigned r = 0; r + 1 < RINGS; r++)
    for (unsigned k = 0; k < AROUND; k++) {
      const uint16_t a = (uint16_t)(r * AROUND + k),
                     next = (uint16_t)(r * AROUND + (k + 1) % AROUND);
      put_u16(b, 6,
              (const uint16_t[]){a, (uint16_t)(a + AROUND), next, next, (uint16_t)(a + AROUND),
                                 (uint16_t)(next + AROUND)});
    }
}

/* The GLB; JOINTS of 4 bytes start at 1728, and so on in the order of fill(). */
static glb_text make_tube(void) {
  static char json[8192];
  bin b;
  fill(&b);
  const size_t indices = 6 * AROUND * (RINGS - 1);
  const int length = snprintf(
      json, sizeof json,
      "{'asset':{'version':'2.0','generator':'g'},'buffers':[{'byteLength':%u}],'scene':0,"
      "'scenes':[{'name':'s','nodes':[0,1,4]}],'materials':[{'name':'m'}],'extensionsUsed':['EXT_"
      "unknown'],"
      "'nodes':[{'name':'tube','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'b','"
      "translation':[0,2,0],"
      "'children':[3]},{'name':'c','translation':[0,2,0]},{'name':'odd','rotation':[0,0,1,1]}],"
      "'meshes':[{'name':'mesh','weights':[0.5],'primitives':[{'attributes':{'POSITION':0,'NORMAL':"
      "1,'JOINTS_0':2,"
      "'WEIGHTS_0':3},'indices':7,'material':0,'targets':[{'POSITION':1}]}]}],"
      "'skins':[{'name':'skin','joints':[1,2,3],'inverseBindMatrices':4}],"
      "'animations':[{'name':'clip','samplers':[{'input':5,'output':6}],"
      "'channels':[{'sampler':0,'target':{'node':2,'path':'rotation'}}]}],"
      "'bufferViews':[{'buffer':0,'byteLength':%u}],'accessors':["
      "{'bufferView':0,'byteOffset':0,'componentType':5126,'count':72,'type':'VEC3','min':[-1,0,-1]"
      ",'max':[1,4,1]},"
      "{'bufferView':0,'byteOffset':864,'componentType':5126,'count':72,'type':'VEC3'},"
      "{'bufferView':0,'byteOffset':1728,'componentType':5121,'count':72,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':2016,'componentType':5126,'count':72,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':3168,'componentType':5126,'count':3,'type':'MAT4'},"
      "{'bufferView':0,'byteOffset':3360,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'"
      "max':[1]},"
      "{'bufferView':0,'byteOffset':3368,'componentType':5126,'count':2,'type':'VEC4'},"
      "{'bufferView':0,'byteOffset':3400,'componentType':5123,'count':%u,'type':'SCALAR'}]}",
      (unsigned)b.size, (unsigned)b.size, (unsigned)indices);
  assert_true(length > 0 && (size_t)length < sizeof json);
  return make_glb(&b, json);
}

static supple_asset *load_tube(const supple_allocator *allocator, supple_error *error) {
  glb_text glb = make_tube();
  const supple_load_options options = {.allocator = *allocator};
  memset(error, 0x5A, sizeof *error);
  supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, &options, error);
  free(glb.bytes);
  return asset;
}

/* What several steps share; all of it is there. */
typedef struct scene {
  supple_asset *asset;
  const supple_instance *instance;
  const supple_primitive *primitive;
  supple_binding *binding;
  supple_pose *pose;
  supple_palette *palette;
} scene;

static scene scene_at_half(void) {
  supple_error error;
  const supple_allocator plain = {0};
  scene s = {.asset = load_tube(&plain, &error)};
  if (!s.asset) fail_msg("%s", error.message);
  s.instance = &s.asset->instances[0];
  s.primitive = s.instance->primitives[0];
  s.binding = supple_binding_create(s.primitive, NULL, &error);
  s.pose = supple_pose_create(&s.asset->skeleton, NULL, &error);
  s.palette = supple_palette_create(3, SUPPLE_SPACE_SCENE, NULL, &error);
  assert_non_null(s.binding), assert_non_null(s.pose), assert_non_null(s.palette);
  supple_pose_sample(s.pose, &s.asset->clips[0], 0.5);
  supple_palette_compose(s.palette, s.pose, s.instance);
  return s;
}

static void close_scene(scene *s) {
  supple_palette_destroy(s->palette);
  supple_pose_destroy(s->pose);
  supple_binding_destroy(s->binding);
  supple_asset_free(s->asset);
}

/* ---- every n ---- */

/* Makes something with the allocator and releases it. False: memory ended, `error` is filled. */
typedef bool attempt(const scene *s, const supple_allocator *allocator, supple_error *error);

static void for_every_allocation(attempt *make, bool has_error) {
  scene s = scene_at_half();
  ledger book;
  supple_error error;
  supple_allocator allocator = ledger_allocator(&book);
  assert_true(make(&s, &allocator, &error));
  const size_t calls = book.calls;
  assert_true(calls > 0);
  assert_int_equal(book.live, 0);
  for (size_t n = 1; n <= calls; n++) {
    allocator = ledger_allocator(&book);
    book.fail_at = n;
    memset(&error, 0x5A, sizeof error);
    if (make(&s, &allocator, &error)) fail_msg("it works without allocation %zu of %zu", n, calls);
    assert_int_equal(book.live, 0);
    assert_true(book.calls >= n);
    if (!has_error) continue;
    assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
    if (!strstr(error.message, "out of memory")) fail_msg("%zu: %s", n, error.message);
  }
  allocator = ledger_allocator(&book);
  assert_true(make(&s, &allocator, &error)); /* nothing is spoilt */
  assert_int_equal(book.live, 0);
  close_scene(&s);
}

static bool make_asset(const scene *s, const supple_allocator *allocator, supple_error *error) {
  (void)s;
  supple_asset *asset = load_tube(allocator, error);
  if (asset) {
    assert_int_equal(asset->instance_count, 1);
    assert_true(asset->note_count > 0); /* notes take memory too */
  }
  supple_asset_free(asset);
  return asset != NULL;
}
static void loading(void **state) {
  (void)state;
  for_every_allocation(make_asset, true);
}

/* From a file: the bytes and the path take memory too. */
static bool make_from_file(const scene *s, const supple_allocator *allocator, supple_error *error) {
  (void)s;
  const supple_load_options options = {.allocator = *allocator};
  supple_asset *asset = supple_asset_load(SUPPLE_SCRATCH "/tube.gltf", &options, error);
  supple_asset_free(asset);
  return asset != NULL;
}
static void loading_files(void **state) {
  (void)state;
  glb_text glb = make_tube();
  const size_t json = glb.bytes[12] | (size_t)glb.bytes[13] << 8, start = 28 + json;
  FILE *file = fopen(SUPPLE_SCRATCH "/tube.bin", "wb");
  assert_non_null(file);
  fwrite(glb.bytes + start, 1, glb.size - start, file);
  fclose(file);
  file = fopen(SUPPLE_SCRATCH "/tube.gltf", "wb");
  assert_non_null(file);
  const char *text = (const char *)glb.bytes + 20, *at = strstr(text, "'byteLength'");
  if (!at) at = strstr(text, "\"byteLength\"");
  assert_non_null(at);
  fwrite(text, 1, (size_t)(at - text), file);
  fputs("\"uri\":\"tube.b\\u0069n\",", file);
  fwrite(at, 1, json - (size_t)(at - text), file);
  fclose(file);
  free(glb.bytes);
  for_every_allocation(make_from_file, true);
}

static bool make_binding(const scene *s, const supple_allocator *allocator, supple_error *error) {
  const supple_binding_options options = {.weights = SUPPLE_WEIGHTS_KEEP, .allocator = *allocator};
  supple_binding *binding = supple_binding_create(s->primitive, &options, error);
  supple_binding_destroy(binding);
  return binding != NULL;
}
static void binding(void **state) {
  (void)state;
  for_every_allocation(make_binding, true);
}

static bool make_pose(const scene *s, const supple_allocator *allocator, supple_error *error) {
  supple_pose *pose = supple_pose_create(&s->asset->skeleton, allocator, error);
  if (pose) supple_pose_sample(pose, &s->asset->clips[0], 0.25);
  supple_pose_destroy(pose);
  return pose != NULL;
}
static void pose(void **state) {
  (void)state;
  for_every_allocation(make_pose, true);
}

static bool make_palette(const scene *s, const supple_allocator *allocator, supple_error *error) {
  supple_palette *palette = supple_palette_create(3, SUPPLE_SPACE_MESH, allocator, error);
  if (palette) supple_palette_compose(palette, s->pose, s->instance);
  supple_palette_destroy(palette);
  return palette != NULL;
}
static void palette(void **state) {
  (void)state;
  for_every_allocation(make_palette, true);
}

/* Created, and deformed from: neither the update nor the call may allocate again. */
static bool make_prepared(const scene *s, const supple_allocator *allocator, supple_error *error) {
  static float positions[3 * VERTICES];
  const supple_prepared_options options = {.allocator = *allocator};
  supple_prepared *prepared = supple_prepared_create(s->binding, &options, error);
  if (!prepared) return false;
  const ledger *book = allocator->user;
  const size_t calls = book->calls;
  assert_int_equal(supple_prepared_update(prepared, s->binding, s->palette, SUPPLE_DQS), SUPPLE_OK);
  assert_int_equal(supple_deform(&(supple_job){.prepared = prepared,
                                               .positions = {s->primitive->positions, 12},
                                               .out_positions = {positions, 12}}),
                   SUPPLE_OK);
  assert_int_equal(book->calls, calls);
  supple_prepared_destroy(prepared);
  return true;
}
static void prepared(void **state) {
  (void)state;
  for_every_allocation(make_prepared, true);
}

/* A palette of more joints than the binding uses: the update has to allocate, may fail, and works later. */
static void growing_update(void **state) {
  (void)state;
  enum { MANY = 70 };
  scene s = scene_at_half();
  supple_error error;
  supple_palette *large = supple_palette_create(MANY, SUPPLE_SPACE_SCENE, NULL, &error);
  assert_non_null(large);
  large->joint_count = MANY;
  for (uint32_t j = 0; j < MANY; j++) {
    large->matrices[j] = s.palette->matrices[j % 3];
    large->rotations[j] = s.palette->rotations[j % 3];
    large->mirrored[j] = 0;
  }
  large->parents = NULL;
  ledger book;
  size_t failures = 0;
  for (size_t n = 1;; n++) {
    const supple_allocator allocator = ledger_allocator(&book);
    const supple_prepared_options options = {.allocator = allocator};
    supple_prepared *grown = supple_prepared_create(s.binding, &options, &error);
    assert_non_null(grown);
    assert_int_equal(supple_prepared_update(grown, s.binding, s.palette, SUPPLE_DQS), SUPPLE_OK);
    book.fail_at = book.calls + n;
    const supple_result result = supple_prepared_update(grown, s.binding, large, SUPPLE_DQS);
    const bool failed = result == SUPPLE_ERROR_MEMORY;
    if (!failed) assert_int_equal(result, SUPPLE_OK);
    failures += failed;
    if (failed) { /* must be updated before use, and can be */
      float nothing[3] = {-1, -1, -1};
      const supple_job job = {.prepared = grown,
                              .positions = {s.primitive->positions, 12},
                              .out_positions = {nothing, 12}};
      assert_int_equal(supple_deform_range(&job, 0, 1, NULL), SUPPLE_ERROR_ARGUMENT);
      assert_true(nothing[0] == -1);
      book.fail_at = 0;
      assert_int_equal(supple_prepared_update(grown, s.binding, large, SUPPLE_DQS), SUPPLE_OK);
    }
    const size_t calls = book.calls;
    assert_int_equal(supple_prepared_update(grown, s.binding, s.palette, SUPPLE_LBS), SUPPLE_OK);
    assert_int_equal(book.calls, calls); /* smaller ones never allocate */
    supple_prepared_destroy(grown);
    assert_int_equal(book.live, 0);
    if (!failed) break;
  }
  assert_true(failures > 0);
  supple_palette_destroy(large);
  close_scene(&s);
}

static bool make_measure(const scene *s, const supple_allocator *allocator, supple_error *error) {
  const supple_binding *bindings[1] = {s->binding};
  const supple_measure_options options = {.allocator = *allocator};
  supple_measure *measure =
      supple_measure_create(&s->asset->skeleton, s->instance, bindings, &options, error);
  supple_measure_destroy(measure);
  return measure != NULL;
}
static void measure_create(void **state) {
  (void)state;
  for_every_allocation(make_measure, true);
}

static void measure_evaluate(void **state) {
  (void)state;
  scene s = scene_at_half();
  supple_error error;
  ledger book;
  const supple_binding *bindings[1] = {s.binding};
  const supple_measure_options options = {.allocator = ledger_allocator(&book)};
  supple_measure *measure =
      supple_measure_create(&s.asset->skeleton, s.instance, bindings, &options, &error);
  supple_prepared *posed = supple_prepared_create(s.binding, NULL, &error);
  assert_non_null(measure), assert_non_null(posed);
  static float deformed[3 * VERTICES];
  assert_int_equal(supple_prepared_update(posed, s.binding, s.palette, SUPPLE_LBS), SUPPLE_OK);
  assert_int_equal(supple_deform(&(supple_job){.prepared = posed,
                                               .positions = {s.primitive->positions, 12},
                                               .out_positions = {deformed, 12}}),
                   SUPPLE_OK);
  const supple_prepared *all[1] = {posed};
  const float *positions[1] = {deformed};
  const supple_measure_frame frame = {s.palette, all, positions, NULL};
  supple_instance_measure whole;
  supple_joint_measure joints[3];
  const size_t live = book.live, before = book.calls;
  assert_int_equal(supple_measure_evaluate(measure, &frame, &whole, joints), SUPPLE_OK);
  const size_t calls = book.calls - before;
  assert_true(calls > 0);
  assert_int_equal(book.live, live);
  for (size_t n = 1; n <= calls; n++) {
    book.fail_at = book.calls + n;
    assert_int_equal(supple_measure_evaluate(measure, &frame, &whole, joints), SUPPLE_ERROR_MEMORY);
    assert_int_equal(book.live, live);
  }
  book.fail_at = 0;
  assert_int_equal(supple_measure_evaluate(measure, &frame, &whole, joints), SUPPLE_OK);
  supple_prepared_destroy(posed);
  supple_measure_destroy(measure);
  assert_int_equal(book.live, 0);
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loading),         cmocka_unit_test(loading_files),
      cmocka_unit_test(binding),         cmocka_unit_test(pose),
      cmocka_unit_test(palette),         cmocka_unit_test(prepared),
      cmocka_unit_test(growing_update),  cmocka_unit_test(measure_create),
      cmocka_unit_test(measure_evaluate)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
