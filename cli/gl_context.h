/* gl_context.h: OpenGL without a window: EGL on a GPU, or on Mesa's software renderer.
 *
 * A build without libepoxy, EGL and libpng (CLI_HAS_GL) has the first two functions alone, and cannot open. */
#ifndef SUPPLE_CLI_GL_CONTEXT_H
#define SUPPLE_CLI_GL_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A context of OpenGL 3.3 core, current in the thread that opened it. */
typedef struct gl_context gl_context;

/* NULL: there is none; message says why and what to install. One at a time. */
gl_context *gl_context_open(char *message, size_t size);
/* NULL is fine. */
void gl_context_close(gl_context *context);

#if defined(CLI_HAS_GL)
#include <epoxy/gl.h>

/* What draws: "llvmpipe (LLVM 15.0.6, 256 bits)". As long as the context. */
const char *gl_context_renderer(const gl_context *context);

/* A program of a vertex and a fragment shader. captured[count]: outputs of the vertex shader that transform feedback
 * writes, interleaved; the fragment shader may then be NULL. 0: it did not compile, which was reported. */
GLuint gl_program(const char *vertex, const char *fragment, const char *const *captured,
                  GLsizei count);
/* Whether OpenGL met no error since the last call; one is reported, with `what` was being done. */
bool gl_fine(const char *what);
#endif

#endif
