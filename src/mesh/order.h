/* order.h: the order of vertices in which neighbours share joints. */
#ifndef SUPPLEI_ORDER_H
#define SUPPLEI_ORDER_H

#include "binding.h"

/* Fills order[vertex_count]: vertices by their joints (ascending lists, compared joint by joint, shorter
 * first), those with the same ones as they were. False when out of memory. */
bool supplei_order_by_joints(const supple_binding *binding, uint32_t *order);

#endif
