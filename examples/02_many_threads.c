/* 02_many_threads.c: one mesh deformed by several threads, with the same bits as by one.
 *
 * Concept. The library starts no thread. A prepared palette is immutable until its next update,
 * so any number of threads may deform from it at once, each a range of vertices of its own. How
 * the vertices are split does not change a bit of the result.
 *
 * Usage. 02_many_threads FILE.glb [THREADS]
 *
 * Implementation. POSIX threads, one a range, for the first primitive in the middle of the
 * first clip. An engine would hand the ranges to its own pool instead. */
#include <supple/supple.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MOST = 64 };

typedef struct share {
  const supple_job *job;
  uint32_t begin, end;
  supple_result result;
} share;

static void *work(void *argument) {
  share *mine = argument;
  mine->result = supple_deform_range(mine->job, mine->begin, mine->end, NULL);
  return NULL;
}

/* Deforms all vertices by so many threads; one that can't be started is done here. */
static bool deform_by(const supple_job *job, uint32_t vertex_count, uint32_t threads) {
  pthread_t handles[THREADS_MOST];
  bool started[THREADS_MOST];
  share shares[THREADS_MOST];
  bool fine = true;
  for (uint32_t i = 0; i < threads; i++) {
    shares[i].job = job;
    shares[i].begin = (uint32_t)((uint64_t)vertex_count * i / threads);
    shares[i].end = (uint32_t)((uint64_t)vertex_count * (i + 1) / threads);
    started[i] = pthread_create(&handles[i], NULL, work, &shares[i]) == 0;
    if (!started[i]) work(&shares[i]);
  }
  for (uint32_t i = 0; i < threads; i++) {
    if (started[i]) pthread_join(handles[i], NULL);
    fine = fine && shares[i].result == SUPPLE_OK;
  }
  return fine;
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: %s FILE.glb [THREADS]\n", argv[0]), 2;
  int asked = argc > 2 ? atoi(argv[2]) : 4;
  const uint32_t threads = asked < 1 ? 1 : asked > THREADS_MOST ? THREADS_MOST : (uint32_t)asked;
  supple_error error;
  supple_asset *asset = supple_asset_load(argv[1], NULL, &error);
  if (!asset) return fprintf(stderr, "%s: %s\n", argv[1], error.message), 1;
  if (!asset->instance_count) return fprintf(stderr, "%s: nothing is skinned\n", argv[1]), 1;

  const supple_instance *instance = &asset->instances[0];
  const supple_primitive *primitive = instance->primitives[0];
  const uint32_t joints = instance->skin->joint_count;
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, &error);
  supple_palette *palette = supple_palette_create(joints, SUPPLE_SPACE_SCENE, NULL, &error);
  supple_binding *binding = supple_binding_create(primitive, NULL, &error);
  supple_prepared *prepared = binding ? supple_prepared_create(binding, NULL, &error) : NULL;
  const size_t stride = 3 * sizeof(float), size = primitive->vertex_count * stride;
  float *alone = calloc(1, size), *together = calloc(1, size);
  bool fine = pose && palette && prepared && alone && together;
  if (fine) {
    const supple_clip *clip = asset->clip_count ? &asset->clips[0] : NULL;
    if (clip) supple_pose_sample(pose, clip, (clip->begin + clip->end) / 2);
    supple_palette_compose(palette, pose, instance);
    supple_job job = {.prepared = prepared, .positions = {primitive->positions, stride}};
    fine = supple_prepared_update(prepared, binding, palette, SUPPLE_DQS) == SUPPLE_OK;
    job.out_positions = (supple_out_stream){alone, stride};
    fine = fine && supple_deform(&job) == SUPPLE_OK;
    job.out_positions = (supple_out_stream){together, stride};
    fine = fine && deform_by(&job, primitive->vertex_count, threads);
  }
  const bool same = fine && memcmp(alone, together, size) == 0;
  if (fine)
    printf("%u vertices, %u threads: %s bits\n", primitive->vertex_count, threads,
           same ? "the same" : "OTHER");
  free(alone), free(together);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  return same ? 0 : 1;
}
