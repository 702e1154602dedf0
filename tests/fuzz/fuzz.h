/* fuzz.h: what the fuzz targets share: an allocator that keeps books, options inside the input, limits.
 *
 * A target takes one file. Where that is a GLB, the bytes after its end are options of the target (how to
 * load, clean, prepare, deform), one byte each, 0 where there are none: so every input is a file that the
 * reader accepts or refuses as it is. */
#ifndef FUZZ_H
#define FUZZ_H

#include <supple/supple.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The target. Returns 0; a finding ends the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program where a promise is broken. */
void fuzz_expect(bool fine, const char *promise);

/* ---- input ---- */

typedef struct fuzz_input {
  const uint8_t *data; /* the asset */
  size_t size;
  const uint8_t *options; /* what follows it */
  size_t option_count, option_at;
} fuzz_input;

fuzz_input fuzz_split(const uint8_t *data, size_t size);
/* The next option, below `count`. */
uint32_t fuzz_option(fuzz_input *input, uint32_t count);

/* Of targets that load assets: small, so that inputs are many. */
extern const supple_limits fuzz_limits;

/* ---- memory ---- */

/* Checks the sizes that are released; the call number `fail_at` gives NULL (0: none). */
supple_allocator fuzz_allocator(uint32_t fail_at);
/* Whether the last fuzz_allocator gave NULL on purpose. */
bool fuzz_allocator_failed(void);
/* Everything of fuzz_allocator must be released by now. */
void fuzz_expect_no_memory(void);

/* ---- loading ---- */

/* Decoders that fuzz_load hands over; NULL unless a target sets it. */
extern const supple_codecs *fuzz_codecs;

/* Loads with tight limits from an exact copy of the bytes, external files made up; takes three options.
 * NULL where the asset is refused, with the error checked. */
supple_asset *fuzz_load(fuzz_input *input);
/* An error as it must be: a reason, a sentence, a place within the file. */
void fuzz_expect_error(const supple_error *error, size_t file_size);
/* Everything that gltf.h, mesh.h and rig.h promise of an asset that was loaded. */
void fuzz_check_asset(const supple_asset *asset, bool structure_only);

/* A buffer of exactly count floats, so that a sanitizer sees every step outside; free() it. */
float *fuzz_floats(size_t count);

#endif
