/* mat3.h: scaling that keeps 3×3 computations away from overflow and underflow. */
#ifndef SUPPLEI_MAT3_H
#define SUPPLEI_MAT3_H

#include "../../include/supple/math.h"

bool supplei_mat3_is_finite(const supple_mat3 *a);

/* The exponent e for which the largest entry of a · 2^-e lies in [1/2, 1); 0 for the zero
 * matrix. */
int supplei_mat3_exponent(const supple_mat3 *a);

/* a · 2^exponent: exact unless an entry leaves the range of double. */
supple_mat3 supplei_mat3_scaled(const supple_mat3 *a, int exponent);

/* |a| |a^-1| in Frobenius norms (3 for a similarity, above the ratio of the extreme singular
 * values), given cof(a) and det(a). Infinite where it is above 1000 or so, or where det(a) leaves
 * the safe range of double. */
double supplei_mat3_condition(const supple_mat3 *a, const supple_mat3 *cofactor, double determinant);

#endif
