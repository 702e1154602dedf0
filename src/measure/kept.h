/* kept.h: how much of its cross-section a vertex keeps, with no topology at all. */
#ifndef SUPPLEI_KEPT_H
#define SUPPLEI_KEPT_H

#include "measure_state.h"

/* What a joint's matrix does in this frame. */
typedef struct supplei_joint_turn {
  supple_mat3 rotation; /* orthogonal polar factor, of -M where M mirrors */
  double breadth;       /* square root of the product of the two smaller singular values */
  supple_quat quat;     /* the rotation */
  double turn;          /* against its parent joint: 1 - |cos(half the angle)|; 0 at a root */
} supplei_joint_turn;

void supplei_turn_joints(const supple_measure *measure, const supple_palette *palette,
                         supplei_joint_turn *turns);
/* The normal turned by the joints of a source vertex, blended linearly. */
supple_vec3 supplei_turn_normal(const supple_measure *measure, const supplei_joint_turn *turns,
                                uint32_t source, supple_vec3 normal);
/* Fills joints[].kept and own_kept (joints may be NULL); returns the share of the area whose kept is below the threshold. */
double supplei_measure_kept(const supple_measure *measure, const supple_prepared *const *prepared,
                            const supplei_joint_turn *turns, supple_joint_measure *joints);

#endif
