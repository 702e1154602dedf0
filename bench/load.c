/* load.c: what loading a .glb of 20 MB costs, against reading the file and summing its bytes. */
#include <supple/gltf.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { SIDE = 550, VERTICES = SIDE * SIDE, INDICES = (SIDE - 1) * (SIDE - 1) * 6, ROUNDS = 15 };
static const char path_name[] = "bench-load.glb";

/* The parts of the binary chunk, in this order. */
enum {
  POSITIONS = 0,
  NORMALS = POSITIONS + VERTICES * 12,
  JOINTS = NORMALS + VERTICES * 12,
  WEIGHTS = JOINTS + VERTICES * 4,
  TRIANGLES = WEIGHTS + VERTICES * 16,
  BINARY = TRIANGLES + INDICES * 4
};

static const char json_format[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"children\":[2]},{\"translation\":[0,1,0]}],"
    "\"skins\":[{\"joints\":[1,2]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
    "\"NORMAL\":1,\"JOINTS_0\":2,\"WEIGHTS_0\":3},\"indices\":4}]}],\"buffers\":[{\"byteLength\":%"
    "d}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34962},"
    "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34962},"
    "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34962},"
    "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34962},"
    "{\"buffer\":0,\"byteOffset\":%d,\"byteLength\":%d,\"target\":34963}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[%d,%d,0]},{\"bufferView\":1,\"componentType\":5126,\"count\":%d,"
    "\"type\":\"VEC3\"},{\"bufferView\":2,\"componentType\":5121,\"count\":%d,\"type\":\"VEC4\"},"
    "{\"bufferView\":3,\"componentType\":5126,\"count\":%d,\"type\":\"VEC4\"},"
    "{\"bufferView\":4,\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"}]}";

static void put_u32(unsigned char *to, size_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i & 0xFF);
}

static void put_float(unsigned char *to, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_u32(to, bits);
}

/* A sheet of SIDE × SIDE vertices, shared by two joints. */
static void fill_binary(unsigned char *binary) {
  for (size_t y = 0; y < SIDE; y++)
    for (size_t x = 0; x < SIDE; x++) {
      size_t vertex = y * SIDE + x;
      float share = (float)y / (float)(SIDE - 1);
      put_float(binary + POSITIONS + vertex * 12, (float)x);
      put_float(binary + POSITIONS + vertex * 12 + 4, (float)y);
      put_float(binary + NORMALS + vertex * 12 + 8, 1.0f);
      binary[JOINTS + vertex * 4 + 1] = 1;
      put_float(binary + WEIGHTS + vertex * 16, 1.0f - share);
      put_float(binary + WEIGHTS + vertex * 16 + 4, share);
    }
  unsigned char *index = binary + TRIANGLES;
  for (size_t y = 0; y + 1 < SIDE; y++)
    for (size_t x = 0; x + 1 < SIDE; x++) {
      size_t at = y * SIDE + x;
      const size_t corners[6] = {at, at + 1, at + SIDE, at + SIDE, at + 1, at + SIDE + 1};
      for (int i = 0; i < 6; i++, index += 4) put_u32(index, corners[i]);
    }
}

static bool write_asset(const char *path) {
  static char json[4096];
  int length = snprintf(json, sizeof json, json_format, BINARY, POSITIONS, NORMALS - POSITIONS,
                        NORMALS, JOINTS - NORMALS, JOINTS, WEIGHTS - JOINTS, WEIGHTS,
                        TRIANGLES - WEIGHTS, TRIANGLES, BINARY - TRIANGLES, VERTICES, SIDE - 1,
                        SIDE - 1, VERTICES, VERTICES, VERTICES, INDICES);
  if (length < 0 || (size_t)length + 4 > sizeof json) return false;
  size_t padded = ((size_t)length + 3) / 4 * 4;
  memset(json + length, ' ', padded - (size_t)length);
  unsigned char *binary = calloc(BINARY, 1);
  FILE *file = binary ? fopen(path, "wb") : NULL;
  if (!file) return free(binary), false;
  fill_binary(binary);
  unsigned char head[20], chunk[8];
  memcpy(head, "glTF", 4);
  put_u32(head + 4, 2);
  put_u32(head + 8, 28 + padded + BINARY);
  put_u32(head + 12, padded);
  memcpy(head + 16, "JSON", 4);
  put_u32(chunk, BINARY);
  memcpy(chunk + 4, "BIN\0", 4);
  bool written = fwrite(head, sizeof head, 1, file) == 1 && fwrite(json, padded, 1, file) == 1 &&
                 fwrite(chunk, sizeof chunk, 1, file) == 1 && fwrite(binary, BINARY, 1, file) == 1;
  free(binary);
  return fclose(file) == 0 && written;
}

/* The yardstick: the whole file in fresh memory, every byte looked at. 0 is failure. */
static uint64_t read_and_sum(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  uint64_t sum = 0;
  long end = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  unsigned char *data = end > 0 && fseek(file, 0, SEEK_SET) == 0 ? malloc((size_t)end) : NULL;
  if (data && fread(data, (size_t)end, 1, file) == 1)
    for (size_t i = 0; i < (size_t)end; i++) sum += data[i];
  free(data);
  fclose(file);
  *size = end > 0 ? (size_t)end : 0;
  return sum;
}

static bool load(const char *path, bool structure_only) {
  supple_error error;
  supple_load_options options = {.structure_only = structure_only};
  supple_asset *asset = supple_asset_load(path, &options, &error);
  if (!asset) {
    fprintf(stderr, "%s: %s\n", path, error.message);
    return false;
  }
  bool right = asset->mesh_count == 1 && asset->meshes[0].primitive_count == 1 &&
               asset->meshes[0].primitives[0].vertex_count == VERTICES &&
               (structure_only ||
                asset->meshes[0].primitives[0].positions[3 * (VERTICES - 1)] == (float)(SIDE - 1));
  supple_asset_free(asset);
  if (!right) fprintf(stderr, "%s: loaded wrongly\n", path);
  return right;
}

int main(int count, char **arguments) {
  const char *path = count > 1 ? arguments[1] : path_name;
  if (!write_asset(path)) return fprintf(stderr, "%s: cannot be written\n", path), 1;
  double sum_times[ROUNDS], structure_times[ROUNDS], whole_times[ROUNDS];
  size_t size = 0;
  bool right = true;
  for (int round = -1; round < ROUNDS && right; round++) { /* the first one warms up */
    double start = clock_seconds();
    right = read_and_sum(path, &size) != 0;
    double summed = clock_seconds();
    right = right && load(path, true);
    double structured = clock_seconds();
    right = right && load(path, false);
    double loaded = clock_seconds();
    if (round < 0) continue;
    sum_times[round] = summed - start;
    structure_times[round] = structured - summed;
    whole_times[round] = loaded - structured;
  }
  remove(path);
  if (!right) return 1;
  double sum = clock_median(sum_times, ROUNDS), structure = clock_median(structure_times, ROUNDS),
         whole = clock_median(whole_times, ROUNDS);
  clock_print_machine();
  printf("a .glb of %.1f MB, %d vertices; medians of %d\n", (double)size / 1e6, VERTICES, ROUNDS);
  printf("  read and sum the bytes    %8.2f ms\n", 1e3 * sum);
  printf("  load without decoding     %8.2f ms   ratio %.2f (at most 2)\n", 1e3 * structure,
         structure / sum);
  printf("  load and decode           %8.2f ms   ratio %.2f\n", 1e3 * whole, whole / sum);
  return 0;
}
