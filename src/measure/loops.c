/* loops.c: the size and shape of a closed loop of points. */
#include "../base/prologue.h"

#include "measure_state.h"

#include <math.h>

supplei_shape supplei_shape_of(const supple_vec3 *points, uint32_t count,
                               const supplei_plane *plane) {
  supplei_shape shape = {.area = {0, 0, 0}, .least = HUGE_VAL, .most = 0};
  if (count == 0) return shape;
  bool known = true;
  supple_vec3 before = supple_vec3_subtract(points[count - 1], points[0]);
  for (uint32_t i = 0; i < count; i++) {
    supple_vec3 here = supple_vec3_subtract(points[i], points[0]); /* less cancellation */
    shape.area = supple_vec3_add(shape.area, supple_vec3_cross(before, here));
    before = here;
    supple_vec3 d = supple_vec3_subtract(points[i], plane->origin);
    double along = supple_vec3_dot(d, plane->axis);
    double distance =
        supple_vec3_length(supple_vec3_subtract(d, supple_vec3_scale(plane->axis, along)));
    known &= isfinite(distance) != 0; /* which fmin and fmax would pass over */
    shape.least = fmin(shape.least, distance);
    shape.most = fmax(shape.most, distance);
  }
  shape.area = supple_vec3_scale(shape.area, 0.5);
  if (!known) shape.least = shape.most = (double)NAN;
  return shape;
}
