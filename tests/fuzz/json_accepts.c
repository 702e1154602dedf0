/* json_accepts.c: says of each file whether its bytes are JSON to the parser: "accept NAME" or "refuse NAME BYTE
 * MESSAGE" a line. For test_json_suite.py. */
#include "src/gltf/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

int main(int count, char **paths) {
  char *data = malloc(MOST);
  if (!data) return 1;
  for (int i = 1; i < count; i++) {
    FILE *file = fopen(paths[i], "rb");
    if (!file) return fprintf(stderr, "cannot open %s\n", paths[i]), 1;
    const size_t size = fread(data, 1, MOST, file);
    fclose(file);
    char *exact = malloc(size ? size : 1);
    if (!exact) return 1;
    if (size) memcpy(exact, data, size);
    supplei_json json;
    supple_error error;
    const supplei_json_limits limits = {0, 0, 0};
    if (supplei_json_parse(&json, exact, size, &limits, NULL, &error)) {
      printf("refuse %s %zu %s\n", paths[i], error.offset, error.message);
    } else {
      printf("accept %s\n", paths[i]);
      supplei_json_release(&json);
    }
    free(exact);
  }
  free(data);
  return 0;
}
