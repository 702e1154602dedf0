/* fixture_body.h: the human figure as a field: negative inside, zero on the skin. */
#ifndef SUPPLE_CLI_FIXTURE_BODY_H
#define SUPPLE_CLI_FIXTURE_BODY_H

#include "fixture.h"

/* A figure of 1.75 m that stands on y = 0, looks along +Z and lets its arms hang at 45 degrees.
 * Near the skin the field is within about a tenth of the distance in metres; it is even in x,
 * bit by bit. */
double cli_body_field(supple_vec3 p);

/* The frame of the arm at +X: where the upper arm begins, which way the arm points. Lengths
 * along it. */
supple_vec3 cli_body_shoulder(void);
supple_vec3 cli_body_arm_direction(void);
static const double cli_body_elbow = 0.285, cli_body_wrist = 0.540, cli_body_knuckles = 0.666;

#endif
