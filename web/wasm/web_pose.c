/* web_pose.c: poses of an asset: sampling clips, turning joints, reading worlds. */
#include "web.h"

WEB_EXPORT supple_pose *web_pose_create(const supple_asset *asset) {
  return supple_pose_create(&asset->skeleton, NULL, &web_error);
}
WEB_EXPORT void web_pose_free(supple_pose *pose) { supple_pose_destroy(pose); }
WEB_EXPORT void web_pose_rest(supple_pose *pose) { supple_pose_rest(pose); }
WEB_EXPORT void web_pose_sample(supple_pose *pose, const supple_asset *asset, uint32_t clip,
                                double seconds) {
  if (clip < asset->clip_count)
    supple_pose_sample(pose, &asset->clips[clip], seconds);
  else
    supple_pose_rest(pose);
}
/* Ten doubles a node: translation, rotation (x, y, z, w), scale. Written by hand it needs
 * web_pose_use_local for the node, then web_pose_update. */
WEB_EXPORT double *web_pose_locals(supple_pose *pose) { return &pose->locals->translation.x; }
WEB_EXPORT void web_pose_use_local(supple_pose *pose, uint32_t node) {
  if (node < pose->skeleton->node_count) pose->use_matrix[node] = 0;
}
WEB_EXPORT float *web_pose_weights(supple_pose *pose) { return pose->weights; }
WEB_EXPORT void web_pose_update(supple_pose *pose) { supple_pose_update(pose); }
/* Twelve doubles a node: three rows of four. */
WEB_EXPORT const double *web_pose_worlds(const supple_pose *pose) { return &pose->worlds->m[0][0]; }

_Static_assert(sizeof(supple_transform) == 10 * sizeof(double), "ten doubles a transform");
_Static_assert(sizeof(supple_affine64) == 12 * sizeof(double), "twelve doubles a matrix");
