/* surface.h: the triangles of an instance's primitives, welded by position and joined, with their shells. */
#ifndef SUPPLEI_SURFACE_H
#define SUPPLEI_SURFACE_H

#include "../../include/supple/mesh.h"

/* "source" numbers the vertices of all primitives in a row: primitive p's begin at begins[p]. "welded"
 * numbers what is left when points at one place are one. */
typedef struct supplei_surface {
  supple_allocator allocator;
  uint32_t primitive_count, source_count, welded_count, triangle_count, corner_capacity;
  uint32_t *begins;  /* [primitive_count + 1] */
  uint32_t *welded;  /* [source_count] */
  uint32_t *sources; /* [welded_count] the source vertex that stands for it */
  double *points;    /* [source_count][3] rest positions */
  uint32_t *corners; /* [triangle_count][3] source vertices; no triangle is degenerate when welded */
  int8_t *shells; /* [triangle_count] 0: of a shell that is open or flat; else the sign of its volume */
  double diagonal; /* of the bounds at rest */
} supplei_surface;

/* Joins the primitives for which use[p] is set and which are triangles. The weld tolerance is a share of the
 * diagonal. False when out of memory or at 2^32 vertices; free it in any case. */
bool supplei_surface_create(supplei_surface *surface, const supple_primitive *const *primitives,
                            const bool *use, uint32_t primitive_count, double tolerance,
                            const supple_allocator *allocator);
void supplei_surface_free(supplei_surface *surface);

/* The primitive of a source vertex. */
uint32_t supplei_surface_primitive(const supplei_surface *surface, uint32_t source);

#endif
