/* kernel_cases.h: rigs and jobs on which every instruction set must give the reference's bits. */
#ifndef KERNEL_CASES_H
#define KERNEL_CASES_H

#include <supple/deform.h>

/* Runs all cases on an instruction set against the vertex-by-vertex reference, bit by bit. Prints the first
 * differences. Returns how many vertices differed; *vertices is how many were compared. */
uint32_t kernel_cases_compare(supple_isa isa, uint32_t *vertices);
/* The test program of an instruction set: skips where this machine has it not. */
int kernel_cases_main(supple_isa isa);

#endif
