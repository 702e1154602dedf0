/* bake_pc2.c: PointCache2: a head and the positions of each frame. */
#include "bake_pc2.h"

void bake_pc2_begin(cli_output *output, const bake_plan *plan) {
  cli_output_write(output, "POINTCACHE2", 12);
  cli_output_u32(output, 1);
  cli_output_u32(output, (uint32_t)plan->vertex_count);
  cli_output_f32(output, (float)plan->start_frame);
  cli_output_f32(output, 1.0f);
  cli_output_u32(output, plan->frame_count);
}

void bake_pc2_frame(cli_output *output, const bake_record *record) {
  cli_output_write(output, record->data, record->size);
}
