/* codecs_consumer.c: somebody's program with the decoders of compressed meshes. */
#include <supple/codecs.h>

#include <stdio.h>

int main(void) {
  const supple_load_options options = {.codecs = supple_codecs_all()};
  supple_error error;
  const char *text = "{\"asset\":{\"version\":\"2.0\"}}";
  supple_asset *asset = supple_asset_load_memory(text, 27, &options, &error);
  printf("supple %s: %s\n", supple_version(), asset ? "consumed" : error.message);
  supple_asset_free(asset);
  return options.codecs ? 0 : 1;
}
