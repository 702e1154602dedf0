/* bake_frame.h: making frames, one thread's part of it; and all frames of a shard in order. */
#ifndef SUPPLE_CLI_BAKE_FRAME_H
#define SUPPLE_CLI_BAKE_FRAME_H

#include "bake.h"

/* One thread's buffers: constant in the number of frames. */
typedef struct bake_maker bake_maker;

/* NULL: out of memory, which was reported. */
bake_maker *bake_maker_create(const bake_plan *plan);
void bake_maker_free(bake_maker *maker);

/* Room for one frame. False: out of memory, reported. */
bool bake_record_create(bake_record *record, const bake_plan *plan);
void bake_record_free(bake_record *record);

/* Bytes of a frame as plain streams: positions, normals, tangents (bake_record); and where each stream begins. */
size_t bake_plain_size(const bake_plan *plan);
size_t bake_normals_place(const bake_plan *plan);
size_t bake_tangents_place(const bake_plan *plan);

/* Poses and deforms everything at times[frame] into plain streams; for BAKE_BOUNDS record->bounds, too. CLI_FAILED
 * where a matrix, or a position that the format cannot hold, is not finite. */
int bake_make_plain(bake_maker *maker, uint32_t frame, bake_record *record);

/* Fills record->crcs of a plain frame, where the plan's format needs them. */
void bake_record_sum(const bake_plan *plan, bake_record *record);

/* Makes the frames of the plan's shard on the options' threads, and hands them to the sink in order. */
int bake_make_all(const bake_plan *plan, bake_sink *sink, void *user);

#endif
