/* test_wgsl.c: the WGSL shaders, vertex and compute, run by WebGPU in node (Dawn, on SwiftShader), against supple_deform.
 * Skipped where node, its packages (tests/gpu/package.json) or a device is missing. */
#include "tests/gpu/gpu_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 64, MOST_DRAWN = 600, SKIPPED = 77 };

typedef struct run {
  uint32_t count, drawn; /* cases; those of the vertex stage */
  gpu_worst worst;
} run;

static void path_of(char path[1024], const char *kind, uint32_t number, const char *ending) {
  snprintf(path, 1024, "%s/%s_%u.%s", SUPPLE_SCRATCH, kind, (unsigned)number, ending);
}

static bool write_case(void *user, const gpu_case *one) {
  run *r = user;
  if (r->count >= MOST_CASES) return true;
  char shader[1024], data[1024], out[1024];
  path_of(shader, "case", r->count, "wgsl");
  path_of(data, "case", r->count, "bin");
  path_of(out, "out", r->count, "bin");
  remove(out);
  size_t size;
  bool vertex = one->vertex_count <= MOST_DRAWN && one->streams < 3 && r->count % 4;
  char *text =
      gpu_case_source(one, SUPPLE_SHADER_WGSL, vertex ? SUPPLE_SHADER_VERTEX : SUPPLE_SHADER_COMPUTE,
                      r->count % 3 == 2 ? SUPPLE_SHADER_UNIFORM : SUPPLE_SHADER_STORAGE, &size);
  bool fine = text && gpu_text_write(shader, text) && gpu_case_write(one, data);
  free(text);
  r->count++, r->drawn += vertex;
  return fine;
}

static bool check_case(void *user, const gpu_case *one) {
  run *r = user;
  char path[1024];
  if (r->count >= MOST_CASES) return true;
  path_of(path, "out", r->count++, "bin");
  float *posed = gpu_case_read(one, path);
  bool fine = posed && gpu_case_check(one, posed, &r->worst);
  free(posed);
  return fine;
}

/* Exit status of the script; the device is that of Chromium's SwiftShader where none was named. */
static int run_node(uint32_t count) {
  static const char *const swiftshader = "/usr/lib/chromium/vk_swiftshader_icd.json";
  char line[4096];
  FILE *file = getenv("VK_ICD_FILENAMES") ? NULL : fopen(swiftshader, "rb");
  if (file) fclose(file);
  snprintf(line, sizeof line, "%s%s node %s/tests/gpu/_run_wgsl.mjs %s %u; echo $? >%s/status.txt",
           file ? "VK_ICD_FILENAMES=" : "", file ? swiftshader : "", SUPPLE_SOURCE_DIR,
           SUPPLE_SCRATCH, (unsigned)count, SUPPLE_SCRATCH);
  if (system(line) != 0 || !(file = fopen(SUPPLE_SCRATCH "/status.txt", "rb"))) return 1;
  int status = 1;
  char text[16] = "";
  if (fgets(text, sizeof text, file)) status = atoi(text);
  fclose(file);
  return status;
}

int main(void) {
  static const gpu_places places = {SUPPLE_CORPUS, SUPPLE_COMMAND, SUPPLE_SCRATCH};
  static run r;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (system("node --version >" SUPPLE_SCRATCH "/version.txt 2>&1") != 0) {
    printf("skipped: there is no node\n");
    return SKIPPED;
  }
  if (!gpu_cases_visit(&places, 8, 5, write_case, &r)) return 1;
  int status = run_node(r.count);
  if (status) return status == SKIPPED ? SKIPPED : 1;
  r.count = 0;
  bool fine = gpu_cases_visit(&places, 8, 5, check_case, &r);
  printf("WGSL: %u cases, %u of them drawn, %llu vertices (%llu in doubt): position %.3g of the "
         "size, normal %.3g, "
         "tangent %.3g\n",
         (unsigned)r.worst.cases, (unsigned)r.drawn, (unsigned long long)r.worst.vertices,
         (unsigned long long)r.worst.doubts, r.worst.position, r.worst.normal, r.worst.tangent);
  return fine && r.count > 0 ? 0 : 1;
}
