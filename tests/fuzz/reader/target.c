/* reader/target.c: any bytes as an asset: loaded with every promise kept, or refused with a reason. */
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = fuzz_split(data, size);
  supple_asset *asset = fuzz_load(&input);
  supple_asset_free(asset);
  fuzz_expect_no_memory();
  return 0;
}
