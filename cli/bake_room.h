/* bake_room.h: the bytes of frames in a .glb, which are written before its JSON is known.
 *
 * A .glb begins with its JSON, which says of each frame where it lies and what its extent is. So the document is first
 * made as long as it can get, whatever the frames hold. That much room is kept, the frames are written behind it, once
 * and for all, then the rest around them; spaces fill what the JSON leaves. Where all frames are few bytes they wait in
 * memory instead, and no room needs to be kept. Which of both it is, and how much is kept, depends on the inputs alone. */
#ifndef SUPPLE_CLI_BAKE_ROOM_H
#define SUPPLE_CLI_BAKE_ROOM_H

#include "bake.h"

typedef struct bake_room bake_room;

/* For at most `most` bytes of frames in plan->output. The document (borrowed) has all else that it will have, and no
 * text of it gets longer. NULL: it failed, which was reported. */
bake_room *bake_room_open(const bake_plan *plan, supple_document *document, uint64_t most);
/* The next bytes, a multiple of four. CLI_FAILED: reported, or will be by bake_room_close. */
int bake_room_add(bake_room *room, const void *data, size_t size);
/* Gives the document the bytes: they begin at a place of a buffer; it needs views of them. */
int bake_room_settle(bake_room *room, uint32_t *buffer, uint64_t *offset);
/* exit_code CLI_FINE: writes the document around them. Else nothing is left behind. Frees, and returns the code. */
int bake_room_close(bake_room *room, int exit_code);

#endif
