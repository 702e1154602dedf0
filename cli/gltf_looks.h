/* gltf_looks.h: materials, textures and images of a glTF file being written (part of gltf_write). */
#ifndef SUPPLE_CLI_GLTF_LOOKS_H
#define SUPPLE_CLI_GLTF_LOOKS_H

#include "gltf_write.h"
#include "print.h"

/* Fills *error (may be NULL) and returns `result`. */
supple_result cli_gltf_fail(supple_error *error, supple_result result, const char *pointer,
                            const char *format, ...) CLI_PRINTF(4, 5);

/* SUPPLE_ERROR_ARGUMENT where a texture names no image, or one without bytes or kind; SUPPLE_ERROR_NUMBER. */
supple_result cli_gltf_check_looks(const cli_gltf *gltf, supple_error *error);

/* "materials", each with its number as that of its texture where it has one. */
void cli_gltf_put_materials(cli_json *json, const cli_gltf *gltf);

/* Where each image stands among those that materials use: places[image_count]; SUPPLE_NONE: none does. */
void cli_gltf_place_images(const cli_gltf *gltf, uint32_t *places);

/* "textures", "samplers", "images", "extensionsUsed", "extensionsRequired". The used images have the buffer
 * views first_view and following. */
void cli_gltf_put_looks(cli_json *json, const cli_gltf *gltf, const uint32_t *places,
                        uint32_t first_view);

#endif
