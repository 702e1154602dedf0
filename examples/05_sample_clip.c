/* 05_sample_clip.c: a clip played, and where it takes every node.
 *
 * Concept. A pose holds one frame of a skeleton: the local transforms that a clip writes, and
 * the world transforms that follow from them. Sampling begins at rest, so that nothing is left
 * from the frame before; supple_pose_apply layers a clip on what is there; locals can be
 * written by hand, too.
 *
 * Usage. 05_sample_clip FILE.glb [CLIP [FRAMES]]: prints, for frames evenly spaced over the
 * clip, how far each node is turned and moved from where it rests in the scene.
 *
 * Implementation. Two poses of the same skeleton, one at rest, one sampled. The turn between
 * their worlds is the angle of the quaternion that leads from one to the other. */
#include <supple/supple.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const supple_clip *find_clip(const supple_asset *asset, const char *name) {
  for (uint32_t i = 0; i < asset->clip_count; i++)
    if (!name || strcmp(asset->clips[i].name, name) == 0) return &asset->clips[i];
  return NULL;
}

/* Degrees between two unit quaternions as rotations: q and -q are the same one. */
static double degrees_between(supple_quat a, supple_quat b) {
  const double cosine = fabs(supple_quat_dot(a, b));
  return 2 * supple_acos(cosine) * 180 / SUPPLE_PI;
}

static void print_frame(const supple_pose *pose, const supple_pose *rest, double seconds) {
  const supple_skeleton *skeleton = pose->skeleton;
  printf("%.3f s\n", seconds);
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    const double turn = degrees_between(pose->rotations[n], rest->rotations[n]);
    const supple_vec3 move = supple_vec3_subtract(supple_affine64_translation(&pose->worlds[n]),
                                                  supple_affine64_translation(&rest->worlds[n]));
    printf("  %s: turned by %.2f degrees, moved by %.4f m\n", skeleton->nodes[n].name, turn,
           supple_vec3_length(move));
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: %s FILE.glb [CLIP [FRAMES]]\n", argv[0]), 2;
  const int frames = argc > 3 ? atoi(argv[3]) : 3;
  supple_error error;
  supple_asset *asset = supple_asset_load(argv[1], NULL, &error);
  if (!asset) return fprintf(stderr, "%s: %s\n", argv[1], error.message), 1;

  const supple_clip *clip = find_clip(asset, argc > 2 ? argv[2] : NULL);
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, &error);
  supple_pose *rest = supple_pose_create(&asset->skeleton, NULL, &error);
  const bool fine = clip && pose && rest;
  if (!clip)
    fprintf(stderr, "%s: there is no such clip\n", argv[1]);
  else if (!fine)
    fprintf(stderr, "%s: %s\n", argv[1], error.message);
  for (int i = 0; fine && i < frames; i++) {
    const double share = frames > 1 ? (double)i / (frames - 1) : 0;
    const double seconds = clip->begin + share * (clip->end - clip->begin);
    supple_pose_sample(pose, clip, seconds);
    print_frame(pose, rest, seconds);
  }
  supple_pose_destroy(rest);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  return fine ? 0 : 1;
}
