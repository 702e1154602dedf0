/* small_asset.c: a square tube on two joints, written as a .gltf with its buffer inside. */
#include "small_asset.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned char buffer[4096];
static size_t used;

static void put_float(float value) {
  memcpy(buffer + used, &value, 4); /* the machines that run the tests are little endian */
  used += 4;
}

static void put_u16(unsigned value) {
  buffer[used++] = (unsigned char)(value & 0xff);
  buffer[used++] = (unsigned char)(value >> 8);
}

static void write_base64(FILE *file) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < used; i += 3) {
    const unsigned a = buffer[i], b = i + 1 < used ? buffer[i + 1] : 0,
                   c = i + 2 < used ? buffer[i + 2] : 0;
    const unsigned bits = a << 16 | b << 8 | c;
    fputc(digits[bits >> 18], file);
    fputc(digits[bits >> 12 & 63], file);
    fputc(i + 1 < used ? digits[bits >> 6 & 63] : '=', file);
    fputc(i + 2 < used ? digits[bits & 63] : '=', file);
  }
}

static const float corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

/* Offsets: positions 0, normals 144, morph 288, joints 432, weights 528, indices 720, inverse binds 840,
 * then the clips. */
static void fill(bool broken) {
  static const unsigned ends[12] = {0, 1, 2, 0, 2, 3, 8, 10, 9, 8, 11, 10};
  used = 0;
  for (int ring = 0; ring < 3; ring++)
    for (int k = 0; k < 4; k++)
      put_float(0.5f * corner[k][0]), put_float((float)ring), put_float(0.5f * corner[k][1]);
  for (int ring = 0; ring < 3; ring++)
    for (int k = 0; k < 4; k++)
      put_float(0.70710678f * corner[k][0]), put_float(0), put_float(0.70710678f * corner[k][1]);
  for (int v = 0; v < 12; v++) put_float(0.5f), put_float(0), put_float(0);
  for (int v = 0; v < 12; v++) put_u16(0), put_u16(1), put_u16(0), put_u16(0);
  for (int ring = 0; ring < 3; ring++)
    for (int k = 0; k < 4; k++) {
      const float second = 0.5f * (float)ring;
      put_float(broken && ring == 0 && k == 0 ? 2.0f : 1.0f - second);
      put_float(second), put_float(0), put_float(0);
    }
  for (unsigned ring = 0; ring < 2; ring++)
    for (unsigned k = 0; k < 4; k++) {
      const unsigned a = 4 * ring + k, b = 4 * ring + (k + 1) % 4;
      put_u16(a), put_u16(a + 4), put_u16(b);
      put_u16(b), put_u16(a + 4), put_u16(b + 4);
    }
  for (int i = 0; i < 12; i++) put_u16(ends[i]);
  for (int joint = 0; joint < 2; joint++)
    for (int i = 0; i < 16; i++)
      put_float(i % 5 == 0 ? 1.0f : i == 13 && joint == 1 ? -1.0f : 0.0f);
  put_float(0), put_float(0.25f), put_float(1); /* 968: turn */
  put_float(0), put_float(0), put_float(0), put_float(1);
  put_float(0), put_float(0.38268343f), put_float(0), put_float(0.92387953f);
  put_float(0), put_float(1), put_float(0), put_float(0);
  put_float(0), put_float(2); /* 1028: move */
  put_float(0), put_float(0), put_float(0), put_float(2), put_float(0), put_float(0);
  put_float(0), put_float(1), put_float(0), put_float(1); /* 1060: grow */
}

static const char head[] =
    "{\"asset\":{\"version\":\"2.0\",\"generator\":\"a test\"},\"scene\":0,"
    "\"scenes\":[{\"nodes\":[0,1]}],"
    "\"nodes\":[{\"name\":\"tube\",\"mesh\":0,\"skin\":0,\"translation\":[7,7,7]},"
    "{\"name\":\"root\",\"children\":[2]},{\"name\":\"tip\",\"translation\":[0,1,0]}],"
    "\"meshes\":[{\"name\":\"square\",\"weights\":[0],\"primitives\":[{\"attributes\":"
    "{\"POSITION\":0,\"NORMAL\":1,\"JOINTS_0\":3,\"WEIGHTS_0\":4},\"indices\":5,"
    "\"targets\":[{\"POSITION\":2}]}]}],"
    "\"skins\":[{\"name\":\"rig\",\"joints\":[1,2],\"inverseBindMatrices\":6}],"
    "\"animations\":[{\"name\":\"turn\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":2,"
    "\"path\":"
    "\"rotation\"}}],\"samplers\":[{\"input\":7,\"output\":8}]},"
    "{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}}],"
    "\"samplers\":[{\"input\":9,\"output\":10}]},"
    "{\"name\":\"grow\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}]"
    ","
    "\"samplers\":[{\"input\":11,\"output\":12}]}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":1076}],\"accessors\":["
    "{\"bufferView\":0,\"byteOffset\":0,\"componentType\":5126,\"count\":12,\"type\":\"VEC3\","
    "\"min\":[-0.5,0,-0.5],\"max\":[0.5,2,0.5]},"
    "{\"bufferView\":0,\"byteOffset\":144,\"componentType\":5126,\"count\":12,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"byteOffset\":288,\"componentType\":5126,\"count\":12,\"type\":\"VEC3\","
    "\"min\":[0.5,0,0],\"max\":[0.5,0,0]},"
    "{\"bufferView\":0,\"byteOffset\":432,\"componentType\":5123,\"count\":12,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":528,\"componentType\":5126,\"count\":12,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":720,\"componentType\":5123,\"count\":60,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"byteOffset\":840,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":0,\"byteOffset\":968,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\","
    "\"min\":[0],\"max\":[1]},"
    "{\"bufferView\":0,\"byteOffset\":980,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":1028,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\","
    "\"min\":[0],\"max\":[2]},"
    "{\"bufferView\":0,\"byteOffset\":1036,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"byteOffset\":1060,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\","
    "\"min\":[0],\"max\":[1]},"
    "{\"bufferView\":0,\"byteOffset\":1068,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}]"
    ","
    "\"buffers\":[{\"byteLength\":1076,\"uri\":\"data:application/octet-stream;base64,";

static bool write_file(const char *path, const char *start) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  fputs(start, file);
  write_base64(file);
  fputs("\"}]}", file);
  return fclose(file) == 0;
}

bool small_asset_write(const char *path, bool broken) {
  fill(broken);
  return used == 1076 && write_file(path, head);
}

bool small_asset_write_plain(const char *path) {
  used = 0;
  for (int i = 0; i < 9; i++) put_float((float)(i % 4 == 0));
  return write_file(
      path,
      "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{"
      "\"attributes\":{\"POSITION\":0}}]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
      "\"min\":[0,0,0],\"max\":[1,1,1]}],\"buffers\":[{\"byteLength\":36,\"uri\":"
      "\"data:application/octet-stream;base64,");
}
