/* reader_images.c: images, as they are stored. */
#include "../base/prologue.h"

#include "accessor.h"
#include "buffers.h"
#include "json_text.h"
#include "uri.h"

#include <string.h>

/* ---- what kind they are ---- */

/* By the first bytes, "" where nothing is known of them. */
static const char *recognise(const unsigned char *data, size_t size) {
  static const struct {
    const char *type;
    uint8_t at, size;
    const char *bytes;
  } known[] = {{"image/png", 0, 8, "\x89PNG\r\n\x1A\n"},
               {"image/jpeg", 0, 3, "\xFF\xD8\xFF"},
               {"image/webp", 8, 4, "WEBP"},
               {"image/ktx2", 0, 12, "\xABKTX 20\xBB\r\n\x1A\n"},
               {"image/avif", 4, 8, "ftypavif"},
               {"image/vnd-ms.dds", 0, 4, "DDS "},
               {"image/gif", 0, 4, "GIF8"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (size >= (size_t)known[i].at + known[i].size &&
        memcmp(data + known[i].at, known[i].bytes, known[i].size) == 0)
      return known[i].type;
  return "";
}

/* The media type of a data URI, from after "data:" to the first parameter; what is not printable ASCII becomes
 * '?'. */
static supple_result read_media_type(supplei_loader *loader, const char *uri, size_t length,
                                     supple_image *image) {
  static const size_t start = 5;
  size_t end = start, used = 0;
  while (end < length && uri[end] != ';' && uri[end] != ',') end++;
  char *type = supplei_loader_allocate(loader, end - start + 1, 1, "a media type");
  if (!type) return supplei_loader_memory_result(loader);
  for (size_t i = start; i < end; i++) {
    int high = uri[i] == '%' && end - i > 2 ? supplei_hex_digit((unsigned char)uri[i + 1]) : -1;
    int low = high >= 0 ? supplei_hex_digit((unsigned char)uri[i + 2]) : -1;
    int c = (unsigned char)uri[i];
    if (low >= 0) c = high * 16 + low, i += 2;
    type[used++] = c > 0x20 && c < 0x7F ? (char)c : '?';
  }
  image->mime_type = type;
  return SUPPLE_OK;
}

/* ---- where their bytes are ---- */

static supple_result read_data_uri(supplei_loader *loader, uint32_t node, const char *uri,
                                   size_t length, supple_image *image) {
  supple_error error;
  size_t size = 0;
  supple_result result = SUPPLE_OK;
  if (!image->mime_type[0]) result = read_media_type(loader, uri, length, image);
  if (result) return result;
  if (supplei_uri_data(uri, length, NULL, &size, &error))
    return supplei_uri_wrong(loader, node, &error);
  if (loader->options->structure_only) return SUPPLE_OK;
  unsigned char *data = supplei_loader_allocate(loader, size, 1, "an image");
  if (!data) return supplei_loader_memory_result(loader);
  if (supplei_uri_data(uri, length, data, &size, &error))
    return supplei_uri_wrong(loader, node, &error);
  image->data = data;
  image->size = size;
  return SUPPLE_OK;
}

static supple_result copy_bytes(supplei_loader *loader, const unsigned char *bytes, size_t size,
                                supple_image *image) {
  unsigned char *data = supplei_loader_allocate(loader, size, 1, "an image");
  if (!data) return supplei_loader_memory_result(loader);
  if (size) memcpy(data, bytes, size);
  image->data = data;
  image->size = size;
  return SUPPLE_OK;
}

/* One that cannot be read is no reason to refuse the asset. */
static supple_result read_file(supplei_loader *loader, uint32_t node, supple_image *image) {
  supplei_buffer file = {0};
  supple_result result = supplei_file_open(loader, node, image->path, &file);
  if (!result) {
    result = copy_bytes(loader, file.data, file.size, image);
  } else if (result != SUPPLE_ERROR_LIMIT && result != SUPPLE_ERROR_MEMORY) {
    size_t place =
        strlen(loader->error->pointer); /* the message repeats it, and the note has it anyway */
    supplei_loader_note(loader, node, "the image is left out: %.300s",
                        loader->error->message + (place ? place + 2 : 0));
    memset(loader->error, 0, sizeof *loader->error);
    result = SUPPLE_OK;
  }
  supplei_file_release(loader, &file);
  return result;
}

/* A file of its own. One that would be refused is left out: it moves no vertex. */
static supple_result read_path(supplei_loader *loader, uint32_t node, const char *uri,
                               size_t length, supple_image *image) {
  char *path = supplei_loader_allocate(loader, length + 1, 1, "a path");
  if (!path) return supplei_loader_memory_result(loader);
  bool raw;
  supple_error error;
  supple_result result =
      supplei_uri_path(uri, length, loader->options->allow_outside_uris, path, &raw, &error);
  if (result && result != SUPPLE_ERROR_FILE) return supplei_uri_wrong(loader, node, &error);
  if (result) {
    supplei_loader_note(loader, node, "the image is left out, since %.300s", error.message);
    return SUPPLE_OK;
  }
  if (raw)
    supplei_loader_note(loader, node, "has characters that a URI must escape; read as they are");
  image->path = path;
  bool wanted = loader->options->image_files && !loader->options->structure_only;
  return wanted ? read_file(loader, node, image) : SUPPLE_OK;
}

static supple_result read_uri(supplei_loader *loader, uint32_t node, supple_image *image) {
  const char *uri = NULL;
  size_t length = 0;
  supple_result result = supplei_uri_text(loader, node, &uri, &length);
  if (result) return result;
  return supplei_uri_is_data(uri, length) ? read_data_uri(loader, node, uri, length, image)
                                          : read_path(loader, node, uri, length, image);
}

static supple_result read_view_image(supplei_loader *loader, uint32_t view, supple_image *image) {
  const unsigned char *bytes = NULL;
  const bool wanted = !loader->options->structure_only;
  size_t size = 0;
  supple_result result = supplei_view_bytes(loader, view, wanted ? &bytes : NULL, &size);
  return result || !wanted ? result : copy_bytes(loader, bytes, size, image);
}

static supple_result read_image(supplei_loader *loader, uint32_t object, supple_image *image) {
  uint32_t view = SUPPLE_NONE, uri = supplei_json_member(&loader->json, object, "uri");
  image->path = "";
  supple_result result = supplei_get_string(loader, object, "name", &image->name);
  if (!result) result = supplei_get_string(loader, object, "mimeType", &image->mime_type);
  if (!result)
    result =
        supplei_get_index(loader, object, "bufferView", loader->views.count, "bufferViews", &view);
  if (result) return result;
  if (uri != SUPPLE_NONE && view != SUPPLE_NONE)
    return supplei_loader_wrong(loader, object, "has both \"uri\" and \"bufferView\"");
  if (uri == SUPPLE_NONE && view == SUPPLE_NONE)
    supplei_loader_note(loader, object, "has neither \"uri\" nor \"bufferView\": an empty image");
  if (uri != SUPPLE_NONE) result = read_uri(loader, uri, image);
  if (view != SUPPLE_NONE) result = read_view_image(loader, view, image);
  if (!result && !image->mime_type[0] && image->data)
    image->mime_type = recognise(image->data, image->size);
  return result;
}

supple_result supplei_read_images(supplei_loader *loader) {
  uint32_t count = loader->images.count;
  supple_image *images = supplei_loader_allocate(loader, count, sizeof *images, "the images");
  if (!images) return supplei_loader_memory_result(loader);
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    result = read_image(loader, loader->images.items[i], &images[i]);
  loader->asset->images = images;
  loader->asset->image_count = count;
  return result;
}
