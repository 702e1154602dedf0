/* handpose.h: turning a joint by hand: twist about its bone, bend and side across it.
 *
 * In the joint's own space let t be the direction of its outgoing bone (supple_measure_joint, through the
 * inverse bind's linear part). bend's axis is the joint's Z made perpendicular to t, but X where t is within
 * 25 degrees of +-Z; side's is the third, side = twist x bend. The joint's rotation becomes
 *     local · bend · side · twist
 * with local what the pose held: so the bone is twisted first, in the joint's own frame. */
#ifndef SUPPLE_CLI_HANDPOSE_H
#define SUPPLE_CLI_HANDPOSE_H

#include <supple/supple.h>

#include <stdbool.h>
#include <stddef.h>

/* Unit, right-handed (side = twist x bend), in the joint's own space. */
typedef struct cli_axes {
  supple_vec3 twist, bend, side;
} cli_axes;

/* A joint turned: angles in radians. */
typedef struct cli_turn {
  uint32_t node;
  cli_axes axes;
  double twist, bend, side;
} cli_turn;

/* Axes from a bone's direction (any length; zero: +Y) in the joint's own space. */
cli_axes cli_axes_from_bone(supple_vec3 bone);
/* Axes of a skin's joint, as a measure of an instance of that skin knows its bone: the outgoing one, else the
 * incoming one. */
cli_axes cli_axes_of_joint(const supple_measure *measure, const supple_skin *skin, uint32_t joint);

/* Turns the joint on top of what the pose holds; supple_pose_update comes after. */
void cli_turn_apply(supple_pose *pose, const cli_turn *turn);

/* The text of --pose: JOINT:twist=D,bend=D,side=D, split at the last colon; degrees. Fills all of *turn
 * but node and axes (radians), and *name_length, how much of text names the joint. False with a reason. */
bool cli_turn_parse(const char *text, cli_turn *turn, size_t *name_length, char *message,
                    size_t message_size);

#endif
