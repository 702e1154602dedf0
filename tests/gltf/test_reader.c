/* test_reader.c: loading as a whole: options, limits, failing memory, every cut, structure only. */
#include "asset_text.h"

/* A strip of three vertices with normals, two joints, a target, two clips and a scene, of every
 * kind of part. */
static const char *const rest =
    ",'scene':0,'scenes':[{'nodes':[0,1]}],'extensionsUsed':['X_unknown'],'materials':[{'name':'m'}"
    "],"
    "'bufferViews':[{'buffer':0,'byteLength':160}],'accessors':["
    "{'bufferView':0,'componentType':5126,'type':'VEC3','count':4},"
    "{'bufferView':0,'byteOffset':48,'componentType':5121,'type':'VEC4','count':4},"
    "{'bufferView':0,'byteOffset':64,'componentType':5121,'normalized':true,'type':'VEC4','count':"
    "4},"
    "{'bufferView':0,'byteOffset':80,'componentType':5123,'type':'SCALAR','count':4},"
    "{'componentType':5126,'type':'MAT4','count':2},"
    "{'bufferView':0,'byteOffset':88,'componentType':5126,'type':'SCALAR','count':2},"
    "{'bufferView':0,'byteOffset':96,'componentType':5126,'type':'VEC4','count':2},"
    "{'bufferView':0,'byteOffset':96,'componentType':5126,'type':'SCALAR','count':2}],"
    "'meshes':[{'name':'mesh','weights':[0.5],'primitives':[{'mode':5,'material':0,'indices':3,'"
    "attributes':{'POSITION':0,"
    "'NORMAL':0,'JOINTS_0':1,'WEIGHTS_0':2},'targets':[{'POSITION':0}]}]}],"
    "'nodes':[{'mesh':0,'skin':0,'name':'body'},{'children':[2]},{'rotation':[0,0,0,2]}],"
    "'skins':[{'joints':[1,2],'inverseBindMatrices':4}],"
    "'animations':[{'samplers':[{'input':5,'output':6},{'input':5,'output':7}],'channels':[{'"
    "sampler':0,'target':{'node':2,"
    "'path':'rotation'}},{'sampler':1,'target':{'node':0,'path':'weights'}},{'sampler':1,'target':{"
    "'node':0,'path':'weights'}}]}]";

static bin everything(void) {
  static const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, times[2] = {0.5f, 3},
                     rotations[8] = {0, 0, 0, 1, 1, 0, 0, 0};
  static const uint8_t joints[16] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0},
                       weights[16] = {255, 0, 0, 0, 127, 128, 0, 0, 127, 128, 0, 0, 255, 0, 0, 0};
  static const uint16_t indices[4] = {0, 1, 2, 3};
  bin b = {.size = 0};
  put_f32(&b, 12, positions);
  put_u8(&b, 16, joints);
  put_u8(&b, 16, weights);
  put_u16(&b, 4, indices);
  put_f32(&b, 2, times);
  put_f32(&b, 8, rotations);
  b.size = 160;
  return b;
}

static glb_text whole(void) {
  bin b = everything();
  char json[4000];
  snprintf(json, sizeof json, "{'asset':{'version':'2.0'},'buffers':[{'byteLength':160}]%s}", rest);
  return make_glb(&b, json);
}

static void check_structure(const supple_asset *asset) {
  const supple_primitive *p = &asset->meshes[0].primitives[0];
  assert_true(asset->scene == 0 && asset->scene_count == 1 && asset->material_count == 1);
  assert_true(asset->skeleton.node_count == 3 && asset->skin_count == 1 &&
              asset->instance_count == 1);
  assert_true(p->vertex_count == 4 && p->index_count == 6 && p->influence_count == 4 &&
              p->target_count == 1);
  assert_int_equal(p->topology, SUPPLE_TOPOLOGY_TRIANGLES);
  assert_true(asset->clip_count == 1 && asset->clips[0].channel_count == 2);
  assert_true(asset->clips[0].begin == 0.5 && asset->clips[0].end == 3);
  assert_true(asset->clips[0].channels[0].key_count == 2 && asset->clips[0].channels[0].width == 4);
  assert_true(asset->skeleton.weight_count == 1 && asset->skeleton.weights[0] == 0.5f);
  assert_string_equal(asset->skeleton.nodes[0].name, "body");
  assert_non_null(asset->skins[0].inverse_binds);
}

static void everything_and_structure_only(void **state) {
  (void)state;
  bin b = everything();
  supple_asset *asset = load(&b, "%s", rest);
  check_structure(asset);
  const supple_primitive *p = &asset->meshes[0].primitives[0];
  const uint32_t strip[6] = {0, 1, 2, 1, 3, 2};
  assert_memory_equal(p->indices, strip, sizeof strip);
  assert_true(p->positions && p->normals && p->joints && p->weights && p->targets[0].positions);
  assert_true(asset->clips[0].channels[0].times && asset->clips[0].channels[1].values);
  size_t full = asset->memory_bytes;
  supple_asset_free(asset);

  const supple_load_options options = {.structure_only = true};
  asset = load_with(&options, &b, "%s", rest);
  check_structure(asset);
  p = &asset->meshes[0].primitives[0];
  assert_true(!p->positions && !p->normals && !p->joints && !p->weights && !p->indices &&
              !p->targets[0].positions);
  assert_true(!asset->clips[0].channels[0].times && !asset->clips[0].channels[1].values);
  assert_true(asset->memory_bytes <= full);
  supple_asset_free(asset);
}

static void every_failing_allocation(void **state) {
  (void)state;
  glb_text glb = whole();
  ledger book;
  supple_load_options options = {.allocator = ledger_allocator(&book)};
  supple_error error;
  supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, &options, &error);
  assert_non_null(asset);
  assert_true(book.live_bytes == asset->memory_bytes); /* only the arena is left */
  supple_asset_free(asset);
  assert_true(book.live == 0 && book.live_bytes == 0);
  size_t calls = book.calls;
  for (size_t fail = 1; fail <= calls; fail++) {
    options.allocator = ledger_allocator(&book);
    book.fail_at = fail;
    memset(&error, 0x5A, sizeof error);
    assert_null(supple_asset_load_memory(glb.bytes, glb.size, &options, &error));
    assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "out of memory"));
    assert_int_equal(book.live, 0);
    options.allocator = ledger_allocator(&book); /* and nobody asks why */
    book.fail_at = fail;
    assert_null(supple_asset_load_memory(glb.bytes, glb.size, &options, NULL));
  }
  free(glb.bytes);
}

static void every_cut(void **state) {
  (void)state;
  glb_text glb = whole();
  supple_error error;
  size_t json_size = glb.bytes[12] + 256u * glb.bytes[13];
  for (size_t size = 0; size < glb.size; size++) {
    unsigned char *copy = malloc(size ? size : 1); /* a sanitizer sees a read beyond */
    memcpy(copy, glb.bytes, size);
    assert_null(supple_asset_load_memory(copy, size, NULL, &error));
    assert_true(error.result == SUPPLE_ERROR_FORMAT && error.message[0]);
    if (size >= 20) { /* also with lengths mended: a shorter BIN or JSON */
      write_u32(copy + 8, size);
      if (size < 20 + json_size)
        write_u32(copy + 12, size - 20);
      else if (size >= 28 + json_size)
        write_u32(copy + 20 + json_size, size - 28 - json_size);
      assert_null(supple_asset_load_memory(copy, size, NULL, &error));
      assert_true(error.result == SUPPLE_ERROR_FORMAT && error.message[0]);
    }
    free(copy);
  }
  free(glb.bytes);
}

/* Whatever byte is changed, it loads or says why not. */
static void every_byte_changed(void **state) {
  (void)state;
  static const unsigned char values[] = {0, '0', '9', '-', '"', '{', ']', 0x7F, 0x80, 0xFF};
  glb_text glb = whole();
  for (size_t at = 0; at < glb.size; at++) {
    unsigned char kept = glb.bytes[at];
    for (size_t i = 0; i < sizeof values; i++) {
      supple_error error;
      error.message[0] = 0;
      glb.bytes[at] = values[i];
      supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, NULL, &error);
      assert_true(asset || error.message[0]);
      supple_asset_free(asset);
    }
    glb.bytes[at] = kept;
  }
  free(glb.bytes);
}

static void limits_are_named(void **state) {
  (void)state;
  glb_text glb = whole();
  const struct {
    supple_limits limits;
    const char *name;
  } cases[] = {
      {{.file_bytes = 100}, "limits.file_bytes"},
      {{.memory_bytes = 5000}, "limits.memory_bytes"},
      {{.json_values = 20}, "limits.json_values"},
      {{.json_depth = 3}, "limits.json_depth"},
      {{.nodes = 2}, "limits.nodes"},
      {{.node_depth = 1}, "limits.node_depth"},
      {{.vertices = 3}, "limits.vertices"},
      {{.joints = 1}, "limits.joints"},
      {{.file_bytes = glb.size}, NULL},
      {{.influence_sets = 1, .morph_targets = 1, .joints = 2, .vertices = 4, .nodes = 3, .node_depth = 2},
       NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const supple_load_options options = {.limits = cases[i].limits};
    supple_error error;
    supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, &options, &error);
    assert_int_equal(asset == NULL, cases[i].name != NULL);
    supple_asset_free(asset);
    if (!cases[i].name) continue;
    assert_int_equal(error.result, SUPPLE_ERROR_LIMIT);
    if (!strstr(error.message, cases[i].name)) fail_msg("%s: %s", cases[i].name, error.message);
  }
  free(glb.bytes);
}

static void oddities_of_the_container(void **state) {
  (void)state;
  glb_text glb = whole();
  size_t json_size = glb.bytes[12] + 256u * glb.bytes[13], bin_at = 20 + json_size;
  /* a chunk of another type before BIN, a second BIN, and five bytes after the end */
  unsigned char *odd = calloc(glb.size + 100, 1);
  memcpy(odd, glb.bytes, bin_at);
  memcpy(odd + bin_at + 4, "what", 4);
  memcpy(odd + bin_at + 8, glb.bytes + bin_at, glb.size - bin_at);
  memcpy(odd + glb.size + 8, odd + bin_at + 8, 8);
  write_u32(odd + glb.size + 8, 0);
  write_u32(odd + 8, glb.size + 16);
  supple_error error;
  supple_asset *asset = supple_asset_load_memory(odd, glb.size + 21, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  check_structure(asset);
  assert_true(has_note(asset, "", "not the second chunk") &&
              has_note(asset, "", "more than one BIN"));
  assert_true(has_note(asset, "", "5 bytes after the end"));
  supple_asset_free(asset);
  write_u32(odd + 8, glb.size + 21);
  asset = supple_asset_load_memory(odd, glb.size + 21, NULL, &error);
  assert_true(asset && has_note(asset, "", "after the last chunk"));
  supple_asset_free(asset);
  free(odd);
  free(glb.bytes);
}

/* A tiny file must not take more memory than the limit allows: an accessor without a view costs
 * nothing. */
static void zeros_are_limited_too(void **state) {
  (void)state;
  refuse_with(NULL, NULL, SUPPLE_ERROR_LIMIT, "", "limits.memory_bytes",
              ",'accessors':[{'componentType':5126,'type':'VEC3','count':99999999}],'meshes':[{'"
              "primitives':[{'attributes':"
              "{'POSITION':0}}]}]");
}

static void from_a_path(void **state) {
  (void)state;
  const char *path = SUPPLE_SCRATCH "/whole.glb";
  glb_text glb = whole();
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(glb.bytes, 1, glb.size, file), glb.size);
  fclose(file);
  ledger book;
  supple_error error;
  supple_load_options options = {.allocator = ledger_allocator(&book)};
  supple_asset *asset = supple_asset_load(path, &options, &error);
  assert_non_null(asset);
  check_structure(asset);
  supple_asset_free(asset);
  assert_int_equal(book.live, 0);
  for (size_t fail = 1, calls = book.calls; fail <= calls; fail++) {
    options.allocator = ledger_allocator(&book);
    book.fail_at = fail;
    assert_null(supple_asset_load(path, &options, &error));
    assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
    assert_int_equal(book.live, 0);
  }
  options = (supple_load_options){.limits = {.file_bytes = glb.size - 1}};
  assert_null(supple_asset_load(path, &options, &error));
  assert_true(error.result == SUPPLE_ERROR_LIMIT && strstr(error.message, "limits.file_bytes"));
  remove(path);
  assert_null(supple_asset_load(path, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_FILE);
  assert_null(supple_asset_load(NULL, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  assert_null(supple_asset_load_memory(NULL, 5, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  assert_null(supple_asset_load_memory(NULL, 0, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_FORMAT);
  supple_asset_free(NULL);
  free(glb.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(everything_and_structure_only),
                                     cmocka_unit_test(every_failing_allocation),
                                     cmocka_unit_test(every_cut),
                                     cmocka_unit_test(every_byte_changed),
                                     cmocka_unit_test(limits_are_named),
                                     cmocka_unit_test(oddities_of_the_container),
                                     cmocka_unit_test(zeros_are_limited_too),
                                     cmocka_unit_test(from_a_path)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
