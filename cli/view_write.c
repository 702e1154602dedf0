/* view_write.c: the page of `supple view` with a file inside. */
#include "view_write.h"

#include "document_io.h"
#include "print.h"
#include "stage.h"
#include "view_page.h"

#include <stdlib.h>
#include <string.h>

/* Where the page carries its asset: an empty element, which gets a name and the bytes of a .glb as base64. */
static const char carrier[] = "<script type=\"application/octet-stream\" id=\"supple-asset\"";
static const char title[] = "<title>";

/* ---- base64, as the bytes come ---- */

typedef struct base64 {
  cli_output *output;
  unsigned char left[3]; /* bytes of a group that is not yet full */
  size_t left_count;
} base64;

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(base64 *to, const unsigned char *bytes, size_t count) {
  const uint32_t group = (uint32_t)bytes[0] << 16 | (count > 1 ? (uint32_t)bytes[1] << 8 : 0) |
                         (count > 2 ? bytes[2] : 0u);
  const char text[4] = {digits[group >> 18], digits[group >> 12 & 63],
                        count > 1 ? digits[group >> 6 & 63] : '=',
                        count > 2 ? digits[group & 63] : '='};
  cli_output_write(to->output, text, sizeof text);
}

static supple_result put_base64(void *user, const void *data, size_t size) {
  base64 *to = user;
  const unsigned char *bytes = data;
  while (size > 0 && to->left_count > 0) {
    to->left[to->left_count++] = *bytes++;
    size--;
    if (to->left_count < 3) continue;
    put_group(to, to->left, 3);
    to->left_count = 0;
  }
  for (; size >= 3; bytes += 3, size -= 3) put_group(to, bytes, 3);
  for (; size > 0; size--) to->left[to->left_count++] = *bytes++;
  return cli_output_failed(to->output) ? SUPPLE_ERROR_FILE : SUPPLE_OK;
}

/* ---- the file, as the page can read it ---- */

static const char *name_in(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++)
    if (*c == '/' || *c == '\\') name = c + 1;
  return strcmp(path, "-") == 0 ? "stdin" : name;
}

/* Refuses a file that the library cannot read, or that has nothing to show. */
static int check_asset(supple_document *document, const char *path, const cli_options *options) {
  const supple_load_options load = cli_load_options(options);
  supple_error error;
  memset(&error, 0, sizeof error);
  supple_asset *asset = supple_document_asset(document, &load, &error);
  if (!asset) return cli_complain_of_file(path, &error);
  const bool skinned = asset->instance_count > 0;
  supple_asset_free(asset);
  if (skinned) return CLI_FINE;
  return cli_complain(CLI_FAILED, "%s: no skinned mesh: no node has both a mesh and a skin", path);
}

/* Whether a texture is KTX2, which the page cannot decode by itself. */
static bool has_basis(supple_document *document) {
  const supple_value textures = supple_document_find(document, "/textures");
  for (uint32_t i = 0; i < supple_document_count(document, textures); i++) {
    const supple_value texture = supple_document_child(document, textures, i);
    const supple_value extensions = supple_document_member(document, texture, "extensions");
    if (supple_document_member(document, extensions, "KHR_texture_basisu") != SUPPLE_NONE)
      return true;
  }
  return false;
}

/* ---- the page ---- */

/* Up to the end of `mark`, which the page must have once. */
static const char *after(const char *page, const char *mark) {
  const char *found = strstr(page, mark);
  return found ? found + strlen(mark) : NULL;
}

/* `basis`, or NULL, comes before the asset. */
static int put_page(cli_output *output, const char *page, const char *basis,
                    supple_written *written, const char *path) {
  const char *const heading = after(page, title), *const place = after(page, carrier);
  if (!heading || !place || place < heading)
    return cli_complain(CLI_FAILED, "the page in this build is not the one that it should be");
  supple_error error;
  memset(&error, 0, sizeof error);
  cli_output_write(output, page, (size_t)(heading - page));
  cli_html_text(output, name_in(path));
  cli_output_text(output, " in ");
  cli_output_write(output, heading, (size_t)(place - heading) - strlen(carrier));
  if (basis) cli_output_text(output, basis);
  cli_output_text(output, carrier);
  cli_output_text(output, " data-name=\"");
  cli_html_text(output, name_in(path));
  cli_output_text(output, "\">");
  base64 to = {.output = output};
  if (supple_written_copy(written, 0, put_base64, &to, &error) && !cli_output_failed(output))
    return cli_complain_of_file(path, &error);
  if (to.left_count) put_group(&to, to.left, to.left_count);
  cli_output_text(output, place + 1);
  return CLI_FINE;
}

/* The page in its temporary place, or NULL. */
static cli_output *write_page(supple_document *document, const char *path, const char *out) {
  const supple_write_options how = {.name = "asset.glb"};
  supple_error error;
  memset(&error, 0, sizeof error);
  supple_written *written = supple_document_write(document, &how, &error);
  if (!written) {
    cli_complain_of_file(path, &error);
    return NULL;
  }
  for (uint32_t i = 1; i < written->file_count; i++)
    cli_note("%s names %s, which %s: the page does without", path, written->files[i].name,
             written->files[i].missing ? "cannot be read" : "stays a file of its own");
  const bool wants_basis = has_basis(document);
  size_t size = 0;
  char *page = view_page_text(&size), *basis = wants_basis ? view_basis_text(&size) : NULL;
  int exit_code = CLI_FAILED;
  cli_output *output = NULL;
  if (!page || (wants_basis && !basis))
    cli_complain(CLI_FAILED, "out of memory");
  else if ((output = cli_output_open(out)) != NULL)
    exit_code = put_page(output, page, basis, written, path);
  if (exit_code != CLI_FINE) {
    cli_output_abandon(output);
    output = NULL;
  }
  free(page);
  free(basis);
  supple_written_free(written);
  return output;
}

static cli_output *view_loaded(supple_document *document, const char *path,
                               const cli_options *options, const char *out) {
  supple_error error;
  memset(&error, 0, sizeof error);
  if (check_asset(document, path, options) != CLI_FINE) return NULL;
  if (supple_document_decompress(document, NULL, &error)) {
    cli_complain_of_file(path, &error);
    return NULL;
  }
  return write_page(document, path, out);
}

cli_output *view_write(const char *path, const cli_options *options, const char *out,
                       int *exit_code) {
  *exit_code = CLI_FAILED;
  if (!view_page_is_here()) {
    cli_complain(CLI_FAILED, "this build of supple carries no page: build it by CMake");
    return NULL;
  }
  supple_document *document = cli_document_load(path, options, exit_code);
  if (!document) return NULL;
  cli_output *output = view_loaded(document, path, options, out);
  supple_document_free(document);
  *exit_code = output ? CLI_FINE : CLI_FAILED;
  return output;
}
