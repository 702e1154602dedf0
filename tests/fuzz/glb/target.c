/* glb/target.c: any bytes as the container of binary glTF: chunks lie inside, and do not overlap. */
#include "../fuzz.h"

#include "src/gltf/glb.h"

#include <string.h>

static void check_chunk(const uint8_t *data, size_t size, const unsigned char *chunk, size_t length) {
  fuzz_expect(chunk >= data + 20 && chunk <= data + size, "a chunk starts inside");
  fuzz_expect(length <= size - (size_t)(chunk - data), "a chunk ends inside");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  supplei_glb glb;
  supple_error error;
  memset(&error, 0x5A, sizeof error);
  memset(&glb, 0x5A, sizeof glb);
  if (!supplei_glb_is(data, size)) return 0;
  const supple_result result = supplei_glb_parse(&glb, data, size, &error);
  if (result) {
    fuzz_expect(error.result == result, "the error is the result");
    fuzz_expect_error(&error, size);
    return 0;
  }
  fuzz_expect(glb.trailing <= size, "what follows is inside");
  const size_t inside = size - glb.trailing;
  check_chunk(data, inside, glb.json, glb.json_size);
  fuzz_expect(glb.json_offset == (size_t)(glb.json - data), "the JSON's offset is its place");
  fuzz_expect(!glb.json_size || glb.json[glb.json_size - 1], "the JSON does not end with NUL");
  fuzz_expect((glb.trailing != 0) == ((glb.oddities & SUPPLEI_GLB_TRAILING) != 0),
              "what follows is told");
  fuzz_expect(glb.bin != NULL || glb.bin_size == 0, "no BIN chunk has no bytes");
  if (!glb.bin) return 0;
  check_chunk(data, inside, glb.bin, glb.bin_size);
  fuzz_expect(glb.bin >= glb.json + glb.json_size + 8, "BIN comes after JSON");
  return 0;
}
