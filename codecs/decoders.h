/* decoders.h: what the sources of libsupple-codecs share. */
#ifndef SUPPLEI_DECODERS_H
#define SUPPLEI_DECODERS_H

#include <supple/codecs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As supple_codecs.meshopt. */
supple_result supplei_codecs_meshopt(void *user, const void *data, size_t size, const char *mode,
                                     const char *filter, size_t count, size_t stride, void *out);

/* As supple_codecs.draco_…; no exception leaves them. */
supple_result supplei_codecs_draco_open(void *user, const void *data, size_t size, void **mesh,
                                        uint32_t *point_count, uint32_t *index_count);
supple_result supplei_codecs_draco_read(void *user, void *mesh, uint32_t attribute,
                                        uint32_t component_type, uint32_t components, void *out);
void supplei_codecs_draco_close(void *user, void *mesh);

#ifdef __cplusplus
}
#endif
#endif
