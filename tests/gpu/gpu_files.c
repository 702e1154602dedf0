/* gpu_files.c: cases as files, for programs that are not in C to run them. */
#include "tests/gpu/gpu_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool put(FILE *file, const void *data, size_t size) {
  return size == 0 || fwrite(data, 1, size, file) == size;
}

bool gpu_case_write(const gpu_case *one, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  size_t n = one->vertex_count,
         palette =
             supple_shader_palette_size(supple_shader_layout(&one->options), one->joint_count, 0);
  uint32_t head[16] = {one->vertex_count,
                       one->joint_count,
                       one->morph_count,
                       one->streams,
                       one->influences,
                       gpu_case_width(one),
                       (uint32_t)(one->pairs_size / 8),
                       (uint32_t)(palette / 16),
                       (uint32_t)(one->targets_size / 16),
                       0,
                       GPU_STREAM};
  memcpy(&head[9], &one->scale, 4);
  bool fine = put(file, head, sizeof head) && put(file, one->rest, n * GPU_STREAM * 4) &&
              put(file, one->ranges, n * 8) && put(file, one->pairs, one->pairs_size) &&
              put(file, one->palette, palette) && put(file, one->targets, one->targets_size) &&
              put(file, one->morph_weights, one->morph_count * sizeof(float)) &&
              put(file, one->joints, n * 32) && put(file, one->weights, n * 32);
  return fclose(file) == 0 && fine;
}

float *gpu_case_read(const gpu_case *one, const char *path) {
  size_t count = (size_t)one->vertex_count * GPU_STREAM;
  float *posed = calloc(count + 1, sizeof(float));
  FILE *file = fopen(path, "rb");
  bool fine = file && posed && fread(posed, sizeof(float), count, file) == count;
  if (file) fclose(file);
  if (fine) return posed;
  printf("%s: %s has not all vertices\n", one->name, path);
  free(posed);
  return NULL;
}

bool gpu_text_write(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  if (!file) return false;
  bool fine = put(file, text, strlen(text));
  return fclose(file) == 0 && fine;
}
