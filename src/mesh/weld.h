/* weld.h: which points are the same. */
#ifndef SUPPLEI_WELD_H
#define SUPPLEI_WELD_H

#include "../../include/supple/base.h"

/* Gives every point the number of its welded point: of those made from earlier points within `tolerance`
 * (metres) of it the first, else a new one, counted from 0; so welding does not creep along a chain of close
 * points. points: [count][3], in the range of float. Points that are not finite are never welded. A tolerance
 * that is not above 0 welds equal points alone. Writes welded[count] and first[i] = the point that welded point i was made from (room for count). Returns the
 * number of welded points, or SUPPLE_NONE when out of memory. */
uint32_t supplei_weld(const double *points, uint32_t count, double tolerance, uint32_t *welded,
                      uint32_t *first, const supple_allocator *allocator);

#endif
