/* test_accessor.c: accessors against their views and buffers: shape, range, alignment, sparse
 * parts. */
#include "asset_text.h"

#include <math.h>

/* Points whose POSITION is accessor 0, over a buffer of 16 floats 0, 1, 2, … */
#define POINTS                                                                                     \
  ",'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0}}]}],'accessors':[%s],'"         \
  "bufferViews':[%s]"
static const char *const plain_view = "{'buffer':0,'byteLength':64}";

static bin sixteen(void) {
  bin b = {.size = 0};
  for (int i = 0; i < 16; i++) {
    float value = (float)i;
    put_f32(&b, 1, &value);
  }
  return b;
}

static void check_positions(const char *accessors, const char *views, uint32_t count,
                            const float *wanted) {
  bin b = sixteen();
  supple_asset *asset = load(&b, POINTS, accessors, views);
  const supple_primitive *p = &asset->meshes[0].primitives[0];
  assert_int_equal(p->vertex_count, count);
  for (uint32_t i = 0; i < 3 * count; i++)
    if (p->positions[i] != wanted[i])
      fail_msg("%s: [%u] = %g", accessors, (unsigned)i, (double)p->positions[i]);
  supple_asset_free(asset);
}

static void where_elements_lie(void **state) {
  (void)state;
  check_positions("{'componentType':5126,'type':'VEC3','count':2,'bufferView':0}", plain_view, 2,
                  (float[]){0, 1, 2, 3, 4, 5});
  check_positions("{'componentType':5126,'type':'VEC3','count':2,'bufferView':0,'byteOffset':4}",
                  "{'buffer':0,'byteOffset':8,'byteLength':28}", 2, (float[]){3, 4, 5, 6, 7, 8});
  check_positions("{'componentType':5126,'type':'VEC3','count':3,'bufferView':0}",
                  "{'buffer':0,'byteLength':52,'byteStride':20}", 3,
                  (float[]){0, 1, 2, 5, 6, 7, 10, 11, 12});
  check_positions(
      "{'componentType':5126,'type':'VEC3','count':1e0,'bufferView':0,'byteOffset':0.0}",
      plain_view, 1, (float[]){0, 1, 2}); /* integers may be written so */
  check_positions("{'componentType':5126,'type':'VEC3','count':2}", plain_view, 2,
                  (float[]){0, 0, 0, 0, 0, 0});
}

static void sparse_elements(void **state) {
  (void)state;
  /* the first half of the float 1, at byte 4, is the index 0 */
  check_positions(
      "{'componentType':5126,'type':'VEC3','count':2,'bufferView':0,'sparse':{'count':1,"
      "'indices':{'bufferView':0,'componentType':5123,'byteOffset':4},'values':{'bufferView':0,'"
      "byteOffset':48}}}",
      plain_view, 2, (float[]){12, 13, 14, 3, 4, 5});
  check_positions(
      "{'componentType':5126,'type':'VEC3','count':2,'sparse':{'count':1,"
      "'indices':{'bufferView':0,'componentType':5125},'values':{'bufferView':0,'byteOffset':48}}}",
      plain_view, 2, (float[]){12, 13, 14, 0, 0, 0});
}

static void check_refused(const char *accessor, const char *views, const char *pointer,
                          const char *part) {
  bin b = sixteen();
  refuse(&b, pointer, part, POINTS, accessor, views);
}

static void wrong_shapes(void **state) {
  (void)state;
  const char *user = "/meshes/0/primitives/0/attributes/POSITION";
  check_refused("{'componentType':5126,'type':'VEC2','count':2,'bufferView':0}", plain_view, user,
                "VEC2; it must be VEC3");
  check_refused("{'componentType':5126,'type':'MAT4','count':1,'bufferView':0}", plain_view, user,
                "MAT4");
  check_refused("{'componentType':5125,'type':'VEC3','count':2,'bufferView':0}", plain_view, user,
                "uint32");
  refuse(NULL, "/meshes/0/primitives/0/indices", "is of normalised int16",
         ",'accessors':[{'componentType':5126,'type':'VEC3','count':4},"
         "{'componentType':5122,'type':'SCALAR','count':3,'normalized':true}],"
         "'meshes':[{'primitives':[{'indices':1,'attributes':{'POSITION':0}}]}]");
  check_refused("{'componentType':5126,'type':'VEC5','count':2}", plain_view, "/accessors/0/type",
                "must be SCALAR");
  check_refused("{'componentType':5126,'type':3,'count':2}", plain_view, "/accessors/0/type",
                "must be a string");
  check_refused("{'componentType':5126,'count':2}", plain_view, "/accessors/0/type", "is missing");
  check_refused("{'componentType':5124,'type':'VEC3','count':2}", plain_view,
                "/accessors/0/componentType", "must be 5120");
  check_refused("{'componentType':5126.5,'type':'VEC3','count':2}", plain_view,
                "/accessors/0/componentType", "5120");
  check_refused("{'type':'VEC3','count':2}", plain_view, "/accessors/0/componentType", "is missing");
  check_refused("{'componentType':5126,'type':'VEC3'}", plain_view, "/accessors/0/count",
                "is missing");
  static const char *const counts[] = {"0",    "-1",  "1.5",  "4294967295",
                                       "1e30", "'2'", "null", "[2]"};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    char accessor[100];
    snprintf(accessor, sizeof accessor, "{'componentType':5126,'type':'VEC3','count':%s}",
             counts[i]);
    check_refused(accessor, plain_view, "/accessors/0/count", "must be");
  }
  check_refused("{'componentType':5126,'type':'VEC3','count':2,'normalized':1}", plain_view,
                "/accessors/0/normalized", "true or false");
  check_refused("7", plain_view, "/accessors/0", "must be an object");
}

static void wrong_ranges(void **state) {
  (void)state;
  const char *at = "/accessors/0";
  check_refused("{'componentType':5126,'type':'VEC3','count':6,'bufferView':0}", plain_view, at,
                "needs 72 bytes");
  check_refused("{'componentType':5126,'type':'VEC3','count':5,'bufferView':0,'byteOffset':8}",
                plain_view, at, "needs 60");
  check_refused("{'componentType':5126,'type':'VEC3','count':4294967294,'bufferView':0}",
                plain_view, at, "51539607528");
  check_refused(
      "{'componentType':5126,'type':'VEC3','count':1,'bufferView':0,'byteOffset':9007199254740992}",
      plain_view, at, "needs 12");
  check_refused("{'componentType':5126,'type':'VEC3','count':1,'bufferView':0,'byteOffset':2}",
                plain_view, at, "multiples");
  check_refused("{'componentType':5126,'type':'VEC3','count':1,'bufferView':0}",
                "{'buffer':0,'byteOffset':2,'byteLength':32}", at, "multiples");
  check_refused("{'componentType':5126,'type':'VEC3','count':1,'bufferView':0}",
                "{'buffer':0,'byteLength':64,'byteStride':14}", at, "multiples");
  check_refused("{'componentType':5126,'type':'VEC3','count':2,'bufferView':0}",
                "{'buffer':0,'byteLength':64,'byteStride':8}", "/bufferViews/0",
                "byteStride 8 is less");
  check_refused("{'componentType':5126,'type':'VEC3','count':2,'bufferView':1}", plain_view,
                "/accessors/0/bufferView", "index 1, but there are only 1 bufferViews");
}

static void wrong_views(void **state) {
  (void)state;
  const char *accessor = "{'componentType':5126,'type':'VEC3','count':1,'bufferView':0}";
  check_refused(accessor, "{'buffer':0,'byteLength':65}", "/bufferViews/0",
                "bytes 0 to 65 of a buffer that has 64");
  check_refused(accessor, "{'buffer':0,'byteOffset':60,'byteLength':5}", "/bufferViews/0",
                "bytes 60 to 65");
  check_refused(accessor, "{'buffer':0,'byteOffset':9007199254740992,'byteLength':9007199254740992}",
                "/bufferViews/0", "bytes");
  check_refused(accessor, "{'buffer':0,'byteOffset':-4,'byteLength':12}",
                "/bufferViews/0/byteOffset", "from 0");
  check_refused(accessor, "{'buffer':0,'byteLength':0}", "/bufferViews/0/byteLength", "from 1");
  check_refused(accessor, "{'buffer':0}", "/bufferViews/0/byteLength", "is missing");
  check_refused(accessor, "{'byteLength':12}", "/bufferViews/0/buffer", "is missing");
  check_refused(accessor, "{'buffer':1,'byteLength':12}", "/bufferViews/0/buffer", "only 1 buffers");
  check_refused(accessor, "{'buffer':0,'byteLength':64,'byteStride':3}",
                "/bufferViews/0/byteStride", "from 4 to 252");
  check_refused(accessor, "{'buffer':0,'byteLength':64,'byteStride':256}",
                "/bufferViews/0/byteStride", "from 4 to 252");
}

static void check_sparse(const char *sparse, const char *pointer, const char *part) {
  char accessor[500];
  snprintf(accessor, sizeof accessor, "{'componentType':5126,'type':'VEC3','count':2,'sparse':%s}",
           sparse);
  check_refused(accessor, plain_view, pointer, part);
}

static void wrong_sparse_parts(void **state) {
  (void)state;
  check_sparse("{'count':0}", "/accessors/0/sparse/count", "from 1 to 2");
  check_sparse("{'count':3}", "/accessors/0/sparse/count", "from 1 to 2");
  check_sparse("{}", "/accessors/0/sparse/count", "is missing");
  check_sparse("{'count':1}", "/accessors/0/sparse/indices", "is missing");
  check_sparse("{'count':1,'indices':{'bufferView':0,'componentType':5125}}",
               "/accessors/0/sparse/values", "is missing");
  check_sparse(
      "{'count':1,'indices':{'bufferView':0,'componentType':5126},'values':{'bufferView':0}}",
      "/accessors/0/sparse/indices", "5121, 5123 or 5125");
  check_sparse(
      "{'count':1,'indices':{'bufferView':4,'componentType':5125},'values':{'bufferView':0}}",
      "/accessors/0/sparse/indices/bufferView", "index 4");
  check_sparse("{'count':1,'indices':{'bufferView':0,'componentType':5125},'values':{'bufferView':"
               "0,'byteOffset':56}}",
               "/accessors/0/sparse/values", "needs 12 bytes");
  check_sparse("{'count':1,'indices':{'bufferView':0,'componentType':5125,'byteOffset':64},'values'"
               ":{'bufferView':0}}",
               "/accessors/0/sparse/indices", "needs 4 bytes");
  check_sparse("{'count':1,'indices':{'bufferView':0,'componentType':5123,'byteOffset':1},'values':"
               "{'bufferView':0}}",
               "/accessors/0/sparse/indices", "multiples");
  check_sparse("{'count':1,'indices':{'bufferView':0,'componentType':5125,'byteOffset':4},'values':"
               "{'bufferView':0}}",
               "/accessors/0/sparse/indices", "index 1065353216 of an accessor with 2");
  check_sparse(
      "{'count':2,'indices':{'bufferView':0,'componentType':5123},'values':{'bufferView':0}}",
      "/accessors/0/sparse/indices", "not strictly ascending at 1");
}

/* Any number of users of an accessor share what it decodes to. */
static void decoded_once(void **state) {
  (void)state;
  bin b = sixteen();
  supple_asset *asset = load(
      &b,
      ",'meshes':[{'primitives':[{'attributes':{'POSITION':0}},{'attributes':{'POSITION':0}}]}],"
      "'accessors':[{'componentType':5126,'type':'VEC3','count':3,'bufferView':0}],'bufferViews':[%"
      "s]",
      plain_view);
  assert_ptr_equal(asset->meshes[0].primitives[0].positions,
                   asset->meshes[0].primitives[1].positions);
  supple_asset_free(asset);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_elements_lie), cmocka_unit_test(sparse_elements),
      cmocka_unit_test(wrong_shapes),       cmocka_unit_test(wrong_ranges),
      cmocka_unit_test(wrong_views),        cmocka_unit_test(wrong_sparse_parts),
      cmocka_unit_test(decoded_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
