/* codecs/target.c: compressed data as an asset has it, or bare: decoded, or refused, and never beyond its memory.
 *
 * "glTF…" and JSON are assets; "DRACO…" is a compressed mesh; anything else is for meshoptimizer: a byte for the
 * mode, one for the filter, one for the stride in units of four (of two for indices), two for the count, the data. */
#include "../fuzz.h"

#include <supple/codecs.h>

#include <stdlib.h>
#include <string.h>

static void *copy_of(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  return copy;
}

static void read_mesh(const supple_codecs *codecs, void *mesh, uint32_t points, uint32_t indices) {
  static const uint32_t types[] = {5120, 5121, 5122, 5123, 5125, 5126},
                        sizes[] = {1, 1, 2, 2, 4, 4};
  uint32_t *triangles = malloc(4 * (size_t)indices + 1);
  if (!triangles) abort();
  if (indices && !codecs->draco_read(codecs->user, mesh, SUPPLE_NONE, 5125, 1, triangles))
    for (uint32_t i = 0; i < indices; i++)
      fuzz_expect(triangles[i] < points, "an index is a point");
  free(triangles);
  for (uint32_t id = 0; id < 8; id++)
    for (int type = 0; type < 6; type++)
      for (uint32_t width = 1; width <= 4; width++) {
        void *out = malloc((size_t)points * width * sizes[type] + 1);
        if (!out) abort();
        (void)codecs->draco_read(codecs->user, mesh, id, types[type], width, out);
        free(out);
      }
}

static void open_draco(const supple_codecs *codecs, const uint8_t *data, size_t size) {
  void *mesh = NULL;
  uint32_t points = 2000, indices = 6000;
  if (!codecs->draco_open) return;
  void *copy = copy_of(data, size);
  const supple_result result =
      codecs->draco_open(codecs->user, copy, size, &mesh, &points, &indices);
  free(copy); /* the mesh must not need it any more */
  fuzz_expect((mesh != NULL) == (result == SUPPLE_OK), "a mesh where it was opened");
  if (!mesh) return;
  if (points <= 10000 && indices <= 30000) read_mesh(codecs, mesh, points, indices);
  codecs->draco_close(codecs->user, mesh);
}

static void decode_meshopt(const supple_codecs *codecs, const uint8_t *data, size_t size) {
  static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
  static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"};
  if (size < 6 || !codecs->meshopt) return;
  const char *mode = modes[data[0] % 3];
  const size_t unit = data[0] % 3 ? 2 : 4, stride = unit * (data[2] % 66u);
  const size_t count = data[3] | (size_t)data[4] << 8;
  void *copy = copy_of(data + 5, size - 5), *out = malloc(stride * count + 1);
  if (!out) abort();
  (void)codecs->meshopt(codecs->user, copy, size - 5, mode, filters[data[1] % 5], count, stride,
                        out);
  free(copy);
  free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_codecs = supple_codecs_all();
  if (size >= 5 && memcmp(data, "DRACO", 5) == 0) {
    open_draco(fuzz_codecs, data, size);
  } else if (size && data[0] < 32 && data[0] != '\n' && data[0] != '\r' && data[0] != '\t') {
    decode_meshopt(fuzz_codecs, data, size);
  } else {
    fuzz_input input = fuzz_split(data, size);
    supple_asset_free(fuzz_load(&input));
    fuzz_expect_no_memory();
  }
  return 0;
}
