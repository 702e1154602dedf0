/* test_msl.c: the Metal shaders, compiled as C++17 with a small stand-in for metal_stdlib, and run, against
 * supple_deform. Skipped where there is no C++ compiler. */
#include "tests/gpu/gpu_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 64 };

typedef struct run {
  FILE *program;
  uint32_t count;
  bool compute[MOST_CASES]; /* which stage a case took */
  gpu_worst worst;
} run;

static void path_of(char path[1024], const char *kind, uint32_t number, const char *ending) {
  snprintf(path, 1024, "%s/%s_%u.%s", SUPPLE_SCRATCH, kind, (unsigned)number, ending);
}

/* What calls the kernel of a case for every vertex. */
static void write_compute(FILE *to, const gpu_case *one) {
  fprintf(to,
          "  supple_parameters p = {d.vertices(), 10u, 10u, d.head[2], d.scale(), 0u, 64u, 0u};\n"
          "  for (uint v = 0; v < (d.vertices() / 64 + 1) * 64; v++) {\n"
          "    uint2 id = {v %% 64, v / 64};\n"
          "    supple_compute(p, d.palette.data(), d.pairs.data(), ");
  if (one->influences == 0) fprintf(to, "d.ranges.data(), ");
  fprintf(to, "d.rest.data(), d.posed.data(), ");
  if (one->options.morph) fprintf(to, "d.targets.data(), d.morph_weights.data(), ");
  fprintf(to, "id);\n  }\n");
}

static void write_vertex(FILE *to, const gpu_case *one) {
  fprintf(
      to,
      "  supple_parameters p = {};\n  p.scale = d.scale();\n  p.vertex_count = d.vertices();\n"
      "  p.morph_count = d.head[2];\n"
      "  for (uint v = 0; v < d.vertices(); v++) {\n"
      "    const float *in = d.rest.data() + v * 10;\n    float *out = d.posed.data() + v * 10;\n"
      "    supple_vertex_in given;\n    given.position = float3(in[0], in[1], in[2]);\n");
  if (one->streams > 1) fprintf(to, "    given.normal = float3(in[3], in[4], in[5]);\n");
  if (one->streams > 2) fprintf(to, "    given.tangent = float4(in[6], in[7], in[8], in[9]);\n");
  if (one->influences == 0) fprintf(to, "    given.range = d.ranges[v];\n");
  for (unsigned set = 0; set < one->influences / 4; set++)
    fprintf(
        to, "    given.joints_%u = joints_at(d, v, %u);\n    given.weights_%u = weights_at(d, v, %u);\n",
        set, set, set, set);
  fprintf(to, "    supple_vertex_out made = supple_vertex(given, p, d.palette.data(), ");
  if (one->influences == 0) fprintf(to, "d.pairs.data(), ");
  if (one->options.morph) fprintf(to, "d.targets.data(), d.morph_weights.data(), ");
  fprintf(to, "v);\n    std::memcpy(out, &made.position, 12);\n");
  if (one->streams > 1) fprintf(to, "    std::memcpy(out + 3, &made.normal, 12);\n");
  if (one->streams > 2) fprintf(to, "    std::memcpy(out + 6, &made.tangent, 16);\n");
  fprintf(to, "  }\n");
}

/* Writes the shader, the case, and a namespace of the program that runs the one on the other. */
static bool write_case(void *user, const gpu_case *one) {
  run *r = user;
  uint32_t number = r->count;
  if (number >= MOST_CASES) return true;
  char shader[1024], data[1024];
  path_of(shader, "case", number, "metal");
  path_of(data, "case", number, "bin");
  bool compute = r->compute[number] = number % 2;
  size_t size;
  char *text =
      gpu_case_source(one, SUPPLE_SHADER_MSL, compute ? SUPPLE_SHADER_COMPUTE : SUPPLE_SHADER_VERTEX,
                      number % 3 == 2 ? SUPPLE_SHADER_UNIFORM : SUPPLE_SHADER_STORAGE, &size);
  bool fine = text && gpu_text_write(shader, text) && gpu_case_write(one, data);
  free(text);
  fprintf(r->program, "namespace case_%u {\n#include \"case_%u.metal\"\nvoid run(gpu_data &d) {\n",
          (unsigned)number, (unsigned)number);
  if (compute)
    write_compute(r->program, one);
  else
    write_vertex(r->program, one);
  fprintf(r->program, "}\n}\n");
  r->count++;
  return fine;
}

static bool write_program(run *r) {
  static const gpu_places places = {SUPPLE_CORPUS, SUPPLE_COMMAND, SUPPLE_SCRATCH};
  r->program = fopen(SUPPLE_SCRATCH "/run.cpp", "wb");
  if (!r->program) return false;
  fprintf(r->program, "// run.cpp: written by test_msl.c\n#include <run.hpp>\n");
  bool fine = gpu_cases_visit(&places, 9, 3, write_case, r);
  fprintf(r->program, "int main() {\n");
  for (uint32_t i = 0; i < r->count; i++)
    fprintf(
        r->program, "  { gpu_data d = read_case(\"case_%u.bin\"); case_%u::run(d); write_case(\"out_%u.bin\", d); }\n",
        (unsigned)i, (unsigned)i, (unsigned)i);
  fprintf(r->program, "  return 0;\n}\n");
  return fclose(r->program) == 0 && fine;
}

static bool check_case(void *user, const gpu_case *one) {
  run *r = user;
  char path[1024];
  if (r->count >= MOST_CASES) return true;
  path_of(path, "out", r->count, "bin");
  float *posed = gpu_case_read(one, path);
  bool fine = posed && gpu_case_check(one, posed, &r->worst);
  if (!fine)
    printf("(case %u, %s)\n", (unsigned)r->count, r->compute[r->count] ? "compute" : "vertex");
  r->count++;
  free(posed);
  return fine;
}

int main(void) {
  static const gpu_places places = {SUPPLE_CORPUS, SUPPLE_COMMAND, SUPPLE_SCRATCH};
  static run r;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (system("c++ --version >" SUPPLE_SCRATCH "/version.txt 2>&1") != 0) {
    printf("skipped: there is no C++ compiler (c++)\n");
    return 77;
  }
  if (!write_program(&r)) return 1;
  if (system("cd " SUPPLE_SCRATCH
             " && c++ -std=c++17 -O1 -ffp-contract=off -Wall -Werror -Wno-attributes "
             "-Wno-unused-function -Wno-unknown-attributes -Wno-unknown-warning-option "
             "-I " SUPPLE_SOURCE_DIR "/tests/gpu/metal run.cpp -o run && ./run") != 0) {
    printf("the Metal shaders do not compile, or do not run\n");
    return 1;
  }
  r.count = 0;
  bool fine = gpu_cases_visit(&places, 9, 3, check_case, &r);
  printf("MSL as C++: %u cases, %llu vertices (%llu in doubt): position %.3g of the size, normal "
         "%.3g, "
         "tangent %.3g\n",
         (unsigned)r.worst.cases, (unsigned long long)r.worst.vertices,
         (unsigned long long)r.worst.doubts, r.worst.position, r.worst.normal, r.worst.tangent);
  return fine && r.count > 0 ? 0 : 1;
}
