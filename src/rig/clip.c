/* clip.c: channels at a time (glTF 2.0, appendix C), and clips applied to poses. */
#include "../base/prologue.h"

#include "../../include/supple/rig.h"

/* Where a time falls: `fraction` of the way from `key` to the next, which are `seconds` apart. The
 * fraction is 0 where the key's own value holds; then there need not be a next. */
typedef struct span {
  uint32_t key;
  double fraction, seconds;
} span;

/* By bisection. Not-a-number counts as before the first key. */
static span find_span(const supple_channel *channel, double seconds) {
  const float *times = channel->times;
  const uint32_t last = channel->key_count - 1;
  if (!(seconds > (double)times[0])) return (span){0, 0, 0};
  if (seconds >= (double)times[last]) return (span){last, 0, 0};
  uint32_t low = 0, high = last; /* times[low] <= seconds < times[high] */
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if ((double)times[middle] <= seconds)
      low = middle;
    else
      high = middle;
  }
  if (channel->interpolation == SUPPLE_INTERPOLATION_STEP) return (span){low, 0, 0};
  const double begin = (double)times[low], length = (double)times[high] - begin;
  return (span){low, (seconds - begin) / length, length};
}

typedef enum part { IN_TANGENT, VALUE, OUT_TANGENT } part;

static double stored(const supple_channel *channel, uint32_t key, part which, uint32_t component) {
  const bool cubic = channel->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE;
  const size_t element = cubic ? (size_t)key * 3 + (size_t)which : key;
  return (double)channel->values[element * channel->width + component];
}

/* Cubic splines: the Hermite polynomial of appendix C; tangents are per second, hence times the
 * span. */
static double interpolate(const supple_channel *channel, span at, uint32_t component) {
  const double from = stored(channel, at.key, VALUE, component);
  if (at.fraction == 0) return from;
  const double to = stored(channel, at.key + 1, VALUE, component), t = at.fraction;
  if (channel->interpolation != SUPPLE_INTERPOLATION_CUBIC_SPLINE) return from + (to - from) * t;
  const double leave = at.seconds * stored(channel, at.key, OUT_TANGENT, component);
  const double arrive = at.seconds * stored(channel, at.key + 1, IN_TANGENT, component);
  const double t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * leave + (3 * t2 - 2 * t3) * to +
         (t3 - t2) * arrive;
}

static supple_vec3 interpolate_vector(const supple_channel *channel, span at) {
  return supple_vec3_make(interpolate(channel, at, 0), interpolate(channel, at, 1),
                          interpolate(channel, at, 2));
}

static supple_quat stored_rotation(const supple_channel *channel, uint32_t key) {
  return supple_quat_make(stored(channel, key, VALUE, 0), stored(channel, key, VALUE, 1),
                          stored(channel, key, VALUE, 2), stored(channel, key, VALUE, 3));
}

/* Unit length within what quantised keys and careless exporters leave. */
static bool about_unit(supple_quat q) { return fabs(supple_quat_dot(q, q) - 1) < 0.05; }

/* The slerp of appendix C on the keys as stored, which is the definition also where they are a
 * little off unit length (normalising them first turns 1e-4 elsewhere on real files); the caller
 * normalises the result. Keys far from unit length have no angle in that formula and are
 * normalised before. */
static supple_quat slerp_stored(supple_quat a, supple_quat b, double t) {
  if (!about_unit(a) || !about_unit(b)) a = supple_quat_normalise(a), b = supple_quat_normalise(b);
  double cosine = supple_quat_dot(a, b);
  if (cosine < 0) b = supple_quat_scale(b, -1), cosine = -cosine;
  double from = 1 - t, to = t;
  const double angle = supple_acos(cosine), sine = supple_sin(angle); /* acos clamps */
  if (sine > 1e-6) from = supple_sin(from * angle) / sine, to = supple_sin(to * angle) / sine;
  return supple_quat_add(supple_quat_scale(a, from), supple_quat_scale(b, to));
}

static supple_quat interpolate_rotation(const supple_channel *channel, span at) {
  if (channel->interpolation == SUPPLE_INTERPOLATION_LINEAR && at.fraction > 0)
    return supple_quat_normalise(slerp_stored(stored_rotation(channel, at.key),
                                              stored_rotation(channel, at.key + 1), at.fraction));
  return supple_quat_normalise(
      supple_quat_make(interpolate(channel, at, 0), interpolate(channel, at, 1),
                       interpolate(channel, at, 2), interpolate(channel, at, 3)));
}

void supple_channel_sample(const supple_channel *channel, double seconds, float *values) {
  if (!channel->key_count) return;
  const span at = find_span(channel, seconds);
  if (channel->path == SUPPLE_PATH_ROTATION) {
    const supple_quat q = interpolate_rotation(channel, at);
    values[0] = (float)q.x, values[1] = (float)q.y, values[2] = (float)q.z, values[3] = (float)q.w;
    return;
  }
  for (uint32_t i = 0; i < channel->width; i++) values[i] = (float)interpolate(channel, at, i);
}

/* A channel of another asset, or one that breaks its rules, must not reach outside the pose. */
static bool fits(const supple_channel *channel, const supple_skeleton *skeleton) {
  if (!channel->key_count || channel->node >= skeleton->node_count) return false;
  const uint32_t width = channel->path == SUPPLE_PATH_WEIGHTS    ? channel->width
                         : channel->path == SUPPLE_PATH_ROTATION ? 4
                                                                 : 3;
  return channel->width == width;
}

static void apply_weights(supple_pose *pose, const supple_channel *channel, span at) {
  const supple_node *node = &pose->skeleton->nodes[channel->node];
  const uint32_t count = channel->width < node->weight_count ? channel->width : node->weight_count;
  for (uint32_t i = 0; i < count; i++)
    pose->weights[node->weight_begin + i] = (float)interpolate(channel, at, i);
}

void supple_pose_apply(supple_pose *pose, const supple_clip *clip, double seconds) {
  for (uint32_t i = 0; i < clip->channel_count; i++) {
    const supple_channel *channel = &clip->channels[i];
    if (!fits(channel, pose->skeleton)) continue;
    const span at = find_span(channel, seconds);
    supple_transform *local = &pose->locals[channel->node];
    switch (channel->path) {
    case SUPPLE_PATH_TRANSLATION: local->translation = interpolate_vector(channel, at); break;
    case SUPPLE_PATH_ROTATION: local->rotation = interpolate_rotation(channel, at); break;
    case SUPPLE_PATH_SCALE: local->scale = interpolate_vector(channel, at); break;
    case SUPPLE_PATH_WEIGHTS: apply_weights(pose, channel, at); continue;
    }
    pose->use_matrix[channel->node] = 0;
  }
}
