/* base.h: results, errors, memory, version. Every other header of Supple includes this one.
 *
 * Conventions of the whole library (docs/decisions.md says why):
 *  - column vectors, right-handed, metres, radians, seconds, quaternions (x, y, z, w), as glTF 2.0;
 *  - functions that can fail return supple_result (0 is success) or a pointer (NULL is failure), and
 *    fill an optional supple_error;
 *  - option structs: zero-initialise them, zero means the default; NULL instead means all defaults;
 *  - an object is immutable once built unless its comment says otherwise: any number of threads may
 *    read it. The library starts no thread and keeps no global state. */
#ifndef SUPPLE_BASE_H
#define SUPPLE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUPPLE_VERSION_MAJOR 0 /* changes with the interface */
#define SUPPLE_VERSION_MINOR 1 /* until 1.0 changes with the interface, then with additions to it */
#define SUPPLE_VERSION_PATCH 0 /* changes with corrections */
#define SUPPLE_VERSION_TEXT "0.1.0" /* the three with dots between them */

/* What a public function carries. Programs that use the shared library on Windows define
 * SUPPLE_SHARED (CMake and pkg-config do so for them). */
#if defined(SUPPLE_SHARED) && defined(_WIN32)
#ifdef SUPPLE_BUILDING
#define SUPPLE_API __declspec(dllexport)
#else
#define SUPPLE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SUPPLE_API __attribute__((visibility("default")))
#else
#define SUPPLE_API
#endif

/* "No such node, joint, mesh, …" wherever an index may be absent. */
#define SUPPLE_NONE UINT32_MAX

/* How something ended. */
typedef enum supple_result {
  SUPPLE_OK = 0,            /* it worked */
  SUPPLE_ERROR_ARGUMENT,    /* the caller passed something that can never work */
  SUPPLE_ERROR_MEMORY,      /* the allocator returned NULL */
  SUPPLE_ERROR_FILE,        /* a file could not be opened, read or written */
  SUPPLE_ERROR_FORMAT,      /* the data breaks a rule of JSON, GLB or glTF */
  SUPPLE_ERROR_LIMIT,       /* a limit was met; the message names it */
  SUPPLE_ERROR_UNSUPPORTED, /* valid, but needs something that this build has not */
  SUPPLE_ERROR_NUMBER       /* a number is not finite where it has to be */
} supple_result;

/* What went wrong. `message` is one complete sentence that says where (JSON pointer or byte), what, and
 * what to do; it does not name the file, which the caller knows. Always NUL-terminated UTF-8. */
typedef struct supple_error {
  supple_result result; /* the reason in short */
  size_t offset;        /* byte in the file, or SIZE_MAX */
  char pointer[192];    /* JSON pointer (RFC 6901), or "" */
  char message[512];    /* see above */
} supple_error;

/* Memory for one object. `allocate` returns memory aligned for any type up to 16 bytes, or NULL;
 * `release` gets the pointer and size of an earlier allocate. Both must be callable from the threads
 * that create and destroy the object. A zeroed struct means malloc and free. */
typedef struct supple_allocator {
  void *(*allocate)(void *user, size_t size);             /* size is above 0 */
  void (*release)(void *user, void *memory, size_t size); /* memory is not NULL */
  void *user;                                             /* handed to both */
} supple_allocator;

/* Vertex data of the caller: `stride` bytes from one vertex's first float to the next. Need not be
 * aligned beyond 4 bytes. stride 0 means every vertex reads the same element. */
typedef struct supple_stream {
  const float *data; /* the first element; NULL: there is none */
  size_t stride;     /* bytes between elements; 0: the same for all */
} supple_stream;

/* As supple_stream, to write to. stride must be at least the element's size. */
typedef struct supple_out_stream {
  float *data;   /* the first element; NULL: not wanted */
  size_t stride; /* bytes between elements */
} supple_out_stream;

/* An axis-aligned box; empty while min > max. */
typedef struct supple_bounds {
  float min[3], max[3]; /* corners, by axis */
} supple_bounds;

/* "0.1.0" of the library that is linked (SUPPLE_VERSION_TEXT is that of the headers). */
SUPPLE_API const char *supple_version(void);

/* A short English text for a result, never NULL. */
SUPPLE_API const char *supple_result_text(supple_result result);

#ifdef __cplusplus
}
#endif
#endif
