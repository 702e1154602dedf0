/* export_npz.c: NumPy arrays (.npy, version 1.0) in an uncompressed zip. */
#include "export_npz.h"

#include "stored_zip.h"

#include <stdio.h>
#include <string.h>

/* The magic, and a header padded with spaces to a multiple of 64 bytes. */
static void npy_header(cli_output *npy, const char *type, size_t rows, size_t columns) {
  char text[192];
  memset(text, ' ', sizeof text);
  int wrote = snprintf(text, sizeof text - 64,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }", type, rows,
                       columns);
  text[wrote] = ' ';
  const size_t length = (10 + (size_t)wrote + 1 + 63) / 64 * 64 - 10;
  text[length - 1] = '\n';
  cli_output_write(npy, "\x93NUMPY\x01\x00", 8);
  cli_output_u16(npy, (uint16_t)length);
  cli_output_write(npy, text, length);
}

static int add_floats(cli_zip *zip, const char *name, const float *values, size_t rows,
                      size_t columns) {
  if (!values) return CLI_FINE;
  cli_output *npy = cli_output_open_memory();
  if (!npy) return CLI_FAILED;
  npy_header(npy, "<f4", rows, columns);
  for (size_t i = 0; i < rows * columns; i++) cli_output_f32(npy, values[i]);
  const int exit_code = cli_zip_add_contents(zip, name, npy);
  cli_output_abandon(npy);
  return exit_code;
}

static int add_triangles(cli_zip *zip, const char *name, const supple_primitive *source) {
  if (source->topology != SUPPLE_TOPOLOGY_TRIANGLES) return CLI_FINE;
  cli_output *npy = cli_output_open_memory();
  if (!npy) return CLI_FAILED;
  npy_header(npy, "<u4", source->index_count / 3, 3);
  for (size_t i = 0; i < source->index_count / 3 * 3; i++) cli_output_u32(npy, source->indices[i]);
  const int exit_code = cli_zip_add_contents(zip, name, npy);
  cli_output_abandon(npy);
  return exit_code;
}

static int add_primitive(cli_zip *zip, const cli_posed *posed) {
  const size_t rows = posed->source->vertex_count;
  static const char *const kinds[] = {"positions", "normals", "tangents", "triangles"};
  char names[4][64], copy[24] = "";
  if (posed->copies) snprintf(copy, sizeof copy, "_copy%u", posed->copy);
  for (int i = 0; i < 4; i++)
    snprintf(names[i], sizeof names[i], "node%u_primitive%u%s_%s.npy", posed->node,
             posed->source->index, copy, kinds[i]);
  int exit_code = add_floats(zip, names[0], posed->positions, rows, 3);
  if (exit_code == CLI_FINE) exit_code = add_floats(zip, names[1], posed->normals, rows, 3);
  if (exit_code == CLI_FINE) exit_code = add_floats(zip, names[2], posed->tangents, rows, 4);
  if (exit_code == CLI_FINE) exit_code = add_triangles(zip, names[3], posed->source);
  return exit_code;
}

int cli_export_npz(cli_output *output, const cli_posed *posed, uint32_t count) {
  cli_zip *zip = cli_zip_create(output, 1, "the .npz");
  int exit_code = zip ? CLI_FINE : CLI_FAILED;
  for (uint32_t i = 0; exit_code == CLI_FINE && i < count; i++)
    exit_code = add_primitive(zip, &posed[i]);
  if (exit_code == CLI_FINE) cli_zip_end(zip);
  cli_zip_free(zip);
  return exit_code;
}
