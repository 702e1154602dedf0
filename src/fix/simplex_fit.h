/* simplex_fit.h: weights that are not negative and sum to 1 with the smallest quadratic form. */
#ifndef SUPPLEI_SIMPLEX_FIT_H
#define SUPPLEI_SIMPLEX_FIT_H

#include <stddef.h>
#include <stdint.h>

/* Room for problems of up to `count` weights, in memory of the caller. */
typedef struct supplei_simplex {
  uint32_t count;
  double *factor;        /* [count][count] */
  double *ones, *pulled; /* [count] each */
  double *step;          /* [count] */
  uint32_t *set;         /* [count] members that are not held at zero */
} supplei_simplex;

/* How many doubles that takes, and the room made of them. */
size_t supplei_simplex_numbers(uint32_t count);
supplei_simplex supplei_simplex_place(uint32_t count, double *numbers);

/* Minimises w' gram w + e |w - prior|² over weights w[j] of the members of set[set_count], w >= 0, sum w = 1, by an
 * active set (Lawson and Hanson 1974, chapter 23, with the sum kept); gram[count][count] is symmetric and positive
 * semidefinite. e is 1e-10 of its mean diagonal: it only settles what the form leaves open. weights[count] gets the
 * result, zeros outside the set. Returns w' gram w. */
double supplei_simplex_fit(const supplei_simplex *simplex, const double *gram, const uint32_t *set,
                           uint32_t set_count, const double *prior, double *weights);

#endif
