/* copies.h: the copies of an instance that EXT_mesh_gpu_instancing draws. */
#ifndef SUPPLE_CLI_COPIES_H
#define SUPPLE_CLI_COPIES_H

#include <supple/supple.h>

/* How often an instance is drawn: 1 without the extension. */
uint32_t cli_copy_count(const supple_instance *instance);

/* What moves posed vertices, which are in `space`, to where copy number `copy` has them; the identity without
 * the extension. */
supple_affine64 cli_copy_matrix(const supple_instance *instance, uint32_t copy,
                                const supple_pose *pose, supple_space space);

/* Moves vertices in place: positions [count][3], normals [count][3] and tangents [count][4] or NULL. Normals go by
 * the cofactors, tangents by the matrix; each keeps its length, tangents become orthogonal to the normals and
 * their w is negated by a mirror. */
void cli_copy_move(const supple_affine64 *matrix, size_t count, float *positions, float *normals,
                   float *tangents);

/* The box around a moved box. */
supple_bounds cli_copy_bounds(const supple_affine64 *matrix, supple_bounds box);

#endif
