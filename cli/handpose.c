/* handpose.c: turning joints by hand. */
#include "handpose.h"

#include "options.h"

#include <stdio.h>
#include <string.h>

static const supple_vec3 unit_x = {1, 0, 0}, unit_y = {0, 1, 0}, unit_z = {0, 0, 1};

/* a made perpendicular to the unit vector t, unit length. */
static supple_vec3 perpendicular(supple_vec3 a, supple_vec3 t, supple_vec3 otherwise) {
  const supple_vec3 along = supple_vec3_scale(t, supple_vec3_dot(a, t));
  return supple_vec3_normalise(supple_vec3_subtract(a, along), otherwise);
}

cli_axes cli_axes_from_bone(supple_vec3 bone) {
  static const double cosine_of_25_degrees = 0.90630778703664996;
  cli_axes axes;
  axes.twist = supple_vec3_normalise(bone, unit_y);
  const bool along_z = fabs(axes.twist.z) > cosine_of_25_degrees;
  axes.bend = perpendicular(along_z ? unit_x : unit_z, axes.twist, unit_x);
  axes.side = supple_vec3_cross(axes.twist, axes.bend);
  return axes;
}

cli_axes cli_axes_of_joint(const supple_measure *measure, const supple_skin *skin, uint32_t joint) {
  const supple_measured_joint *known = supple_measure_joint(measure, joint);
  supple_vec3 bone = known->outgoing;
  if (supple_vec3_dot(bone, bone) == 0.0) bone = known->incoming;
  return cli_axes_from_bone(supple_affine64_transform_direction(&skin->inverse_binds[joint], bone));
}

/* bend · side · twist: twist first. */
static supple_quat rotation_of(const cli_axes *axes, double twist, double bend, double side) {
  const supple_quat q_twist = supple_quat_from_axis_angle(axes->twist, twist);
  const supple_quat q_bend = supple_quat_from_axis_angle(axes->bend, bend);
  const supple_quat q_side = supple_quat_from_axis_angle(axes->side, side);
  return supple_quat_multiply(q_bend, supple_quat_multiply(q_side, q_twist));
}

void cli_turn_apply(supple_pose *pose, const cli_turn *turn) {
  supple_transform *local = &pose->locals[turn->node];
  if (turn->twist == 0.0 && turn->bend == 0.0 && turn->side == 0.0) return;

  /* The turn belongs between the node's rotation and its scale, so the axes go through the scale. A
   * mirror turns angles round; side's axis, a cross product, does not take part in the mirror, so its
   * angle stays. */
  const supple_vec3 s = local->scale;
  const supple_vec3 t = {s.x * turn->axes.twist.x, s.y * turn->axes.twist.y,
                         s.z * turn->axes.twist.z};
  const supple_vec3 b = {s.x * turn->axes.bend.x, s.y * turn->axes.bend.y, s.z * turn->axes.bend.z};
  cli_axes axes;
  axes.twist = supple_vec3_normalise(t, turn->axes.twist);
  axes.bend = perpendicular(b, axes.twist, turn->axes.bend);
  axes.side = supple_vec3_cross(axes.twist, axes.bend);
  const double sign = s.x * s.y * s.z < 0.0 ? -1.0 : 1.0;

  const supple_quat q = rotation_of(&axes, sign * turn->twist, sign * turn->bend, turn->side);
  local->rotation =
      supple_quat_normalise(supple_quat_multiply(supple_quat_normalise(local->rotation), q));
  pose->use_matrix[turn->node] = 0;
}

/* ---- the text ---- */

static bool parse_angle(const char *text, size_t length, cli_turn *turn, char *message, size_t size,
                        uint32_t *seen) {
  static const char *const names[] = {"twist", "bend", "side"};
  double *const angles[] = {&turn->twist, &turn->bend, &turn->side};
  for (int i = 0; i < 3; i++) {
    const size_t n = strlen(names[i]);
    if (length <= n || memcmp(text, names[i], n) != 0 || text[n] != '=') continue;
    double degrees;
    if (!cli_parse_number(text + n + 1, length - n - 1, &degrees)) {
      snprintf(message, size, "%s needs a number of degrees", names[i]);
      return false;
    }
    if (*seen & 1u << i) {
      snprintf(message, size, "%s is there twice", names[i]);
      return false;
    }
    *seen |= 1u << i;
    *angles[i] = degrees * (SUPPLE_PI / 180.0);
    return true;
  }
  snprintf(message, size, "'%.*s' is none of twist=D, bend=D, side=D",
           (int)(length < 40 ? length : 40), text);
  return false;
}

bool cli_turn_parse(const char *text, cli_turn *turn, size_t *name_length, char *message,
                    size_t message_size) {
  uint32_t seen = 0;
  const char *colon = strrchr(text, ':');
  memset(turn, 0, sizeof *turn);
  turn->node = SUPPLE_NONE;
  if (!colon || colon == text) {
    snprintf(message, message_size, "write JOINT:twist=D,bend=D,side=D");
    return false;
  }
  *name_length = (size_t)(colon - text);
  for (const char *at = colon + 1;;) {
    const char *comma = strchr(at, ',');
    const size_t length = comma ? (size_t)(comma - at) : strlen(at);
    if (!parse_angle(at, length, turn, message, message_size, &seen)) return false;
    if (!comma) return true;
    at = comma + 1;
  }
}
