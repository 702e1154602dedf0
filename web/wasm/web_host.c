/* web_host.c: what every module has: memory and errors for JavaScript, files and decoders from it. */
#include "web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

supple_error web_error;

#define WEB_IMPORT(name) __attribute__((import_module("supple"), import_name(name)))

/* The bytes of an external file by its path (UTF-8, decoded): an address made by web_allocate and *size, or 0. */
WEB_IMPORT("read_file") void *web_read_file(const char *path, size_t length, size_t *size);
/* One compressed buffer view into out[count * stride]: 0, or what went wrong. */
WEB_IMPORT("decode_meshopt")
int web_decode_meshopt(const void *data, size_t size, const char *mode, const char *filter,
                       size_t count, size_t stride, void *out);
/* Opens a Draco mesh: a handle above 0, or 0. */
WEB_IMPORT("draco_open")
uint32_t web_draco_open(const void *data, size_t size, uint32_t *points, uint32_t *indices);
WEB_IMPORT("draco_read")
int web_draco_read(uint32_t mesh, uint32_t attribute, uint32_t component_type, uint32_t components,
                   void *out, size_t size);
WEB_IMPORT("draco_close") void web_draco_close(uint32_t mesh);

/* ---- memory and errors ---- */

WEB_EXPORT void *web_allocate(size_t size) { return malloc(size ? size : 1); }
WEB_EXPORT void web_free(void *memory) { free(memory); }
WEB_EXPORT const char *web_error_message(void) { return web_error.message; }
WEB_EXPORT const char *web_error_pointer(void) { return web_error.pointer; }
WEB_EXPORT const char *web_version(void) { return supple_version(); }
WEB_EXPORT const char *web_isa(void) {
  return supple_isa_text(supple_isa_available(SUPPLE_ISA_WASM) ? SUPPLE_ISA_WASM
                                                               : SUPPLE_ISA_SCALAR);
}

/* ---- external files and codecs ---- */

static supple_result read_file(void *user, const char *path, const void **data, size_t *size,
                               supple_error *error) {
  (void)user;
  *data = web_read_file(path, strlen(path), size);
  if (*data) return SUPPLE_OK;
  if (error)
    snprintf(error->message, sizeof error->message,
             "the file '%s' was not given: load the asset together with the files that it names",
             path);
  return SUPPLE_ERROR_FILE;
}

static void release_file(void *user, const void *data, size_t size) {
  (void)user;
  (void)size;
  free((void *)(uintptr_t)data);
}

static supple_result meshopt(void *user, const void *data, size_t size, const char *mode,
                             const char *filter, size_t count, size_t stride, void *out) {
  (void)user;
  return web_decode_meshopt(data, size, mode, filter, count, stride, out) ? SUPPLE_ERROR_FORMAT
                                                                          : SUPPLE_OK;
}

static supple_result draco_open(void *user, const void *data, size_t size, void **mesh,
                                uint32_t *point_count, uint32_t *index_count) {
  (void)user;
  const uint32_t handle = web_draco_open(data, size, point_count, index_count);
  *mesh = (void *)(uintptr_t)handle;
  return handle ? SUPPLE_OK : SUPPLE_ERROR_FORMAT;
}

static size_t component_bytes(uint32_t type) {
  return type == 5125 || type == 5126 ? 4 : type == 5122 || type == 5123 ? 2 : 1;
}

static supple_result draco_read(void *user, void *mesh, uint32_t attribute, uint32_t component_type,
                                uint32_t components, void *out) {
  (void)user;
  return web_draco_read((uint32_t)(uintptr_t)mesh, attribute, component_type, components, out,
                        component_bytes(component_type))
             ? SUPPLE_ERROR_FORMAT
             : SUPPLE_OK;
}

static void draco_close(void *user, void *mesh) {
  (void)user;
  web_draco_close((uint32_t)(uintptr_t)mesh);
}

enum { HAS_MESHOPT = 1, HAS_DRACO = 2, STRUCTURE_ONLY = 4, OUTSIDE_URIS = 8 };

supple_load_options web_load_options(uint32_t flags) {
  static supple_codecs codecs[4]; /* by which decoders JavaScript has ready */
  supple_codecs *chosen = &codecs[flags & 3];
  if (flags & HAS_MESHOPT) chosen->meshopt = meshopt;
  if (flags & HAS_DRACO) {
    chosen->draco_open = draco_open;
    chosen->draco_read = draco_read;
    chosen->draco_close = draco_close;
  }
  return (supple_load_options){.reader = {.read = read_file, .release = release_file},
                               .codecs = chosen,
                               .structure_only = (flags & STRUCTURE_ONLY) != 0,
                               .allow_outside_uris = (flags & OUTSIDE_URIS) != 0};
}
