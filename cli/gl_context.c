/* gl_context.c: OpenGL without a window, programs, and what OpenGL complains of. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "gl_context.h"

#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(CLI_HAS_GL)

gl_context *gl_context_open(char *message, size_t size) {
  snprintf(message, size,
           "this build of supple cannot draw: it was compiled without libepoxy, EGL or libpng "
           "(Debian: apt-get install libepoxy-dev libegl-dev libpng-dev, then build again)");
  return NULL;
}

void gl_context_close(gl_context *context) { (void)context; }

#else

#include <dlfcn.h>
#include <epoxy/egl.h>

struct gl_context {
  EGLDisplay display;
  EGLContext context;
};

static const char *const install = "(Debian: apt-get install libegl1 libgl1 libgl1-mesa-dri)";

/* libepoxy ends the program where it finds no library; so they are looked for before it is asked. */
static bool is_installed(const char *const *names) {
  for (; *names; names++) {
    void *library = dlopen(*names, RTLD_LAZY | RTLD_LOCAL);
    if (library) return true; /* stays open: epoxy will open it anyway */
  }
  return false;
}

static bool has_extension(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; at && (at = strstr(at, name)) != NULL; at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
  return false;
}

/* A context of 3.3 core on the display, made current. */
static bool try_display(gl_context *context, EGLDisplay display) {
  static const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                  EGL_NONE};
  static const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                                3,
                                EGL_CONTEXT_MINOR_VERSION,
                                3,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                EGL_NONE};
  EGLConfig config;
  EGLint count = 0, major, minor;
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) return false;
  context->display = display;
  context->context = EGL_NO_CONTEXT;
  if ((major > 1 || minor >= 5) && eglBindAPI(EGL_OPENGL_API) &&
      eglChooseConfig(display, wanted, &config, 1, &count) && count > 0)
    context->context = eglCreateContext(display, config, EGL_NO_CONTEXT, core);
  if (context->context != EGL_NO_CONTEXT &&
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context))
    return true;
  if (context->context != EGL_NO_CONTEXT) eglDestroyContext(display, context->context);
  eglTerminate(display);
  return false;
}

/* Graphics devices in the order in which EGL lists them (GPUs come before software), then Mesa's platform
 * without a window, then whatever display there is. */
static bool find_display(gl_context *context) {
  enum { DEVICES = 16 };
  const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const bool platform = has_extension(client, "EGL_EXT_platform_base");
  EGLDeviceEXT devices[DEVICES];
  EGLint count = 0;
  if (platform && has_extension(client, "EGL_EXT_device_enumeration") &&
      has_extension(client, "EGL_EXT_platform_device") &&
      eglQueryDevicesEXT(DEVICES, devices, &count))
    for (EGLint i = 0; i < count; i++)
      if (try_display(context, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL)))
        return true;
  if (platform && has_extension(client, "EGL_MESA_platform_surfaceless") &&
      try_display(context, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                                    EGL_DEFAULT_DISPLAY, NULL)))
    return true;
  return try_display(context, eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

gl_context *gl_context_open(char *message, size_t size) {
  static const char *const egl[] = {"libEGL.so.1", "libEGL.so", "libEGL.dylib", NULL};
  static const char *const gl[] = {"libOpenGL.so.0", "libGL.so.1", NULL};
  if (!is_installed(egl) || !is_installed(gl)) {
    snprintf(message, size, "cannot draw: EGL or OpenGL is not installed %s", install);
    return NULL;
  }
  gl_context *context = calloc(1, sizeof *context);
  if (!context) {
    snprintf(message, size, "out of memory");
    return NULL;
  }
  if (!find_display(context)) {
    snprintf(message, size,
             "cannot draw: there is no OpenGL 3.3 without a window, on a GPU or in software %s",
             install);
    free(context);
    return NULL;
  }
  while (glGetError() != GL_NO_ERROR) continue;
  return context;
}

void gl_context_close(gl_context *context) {
  if (!context) return;
  eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(context->display, context->context);
  eglTerminate(context->display);
  eglReleaseThread();
  free(context);
}

const char *gl_context_renderer(const gl_context *context) {
  (void)context;
  const char *name = (const char *)glGetString(GL_RENDERER);
  return name ? name : "unknown";
}

/* ---- programs ---- */

static GLuint compile(GLenum stage, const char *text) {
  const GLuint shader = glCreateShader(stage);
  GLint fine = GL_FALSE;
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (fine) return shader;
  char log[1500] = "";
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  cli_complain(CLI_FAILED, "a shader does not compile here: %s", log);
  glDeleteShader(shader);
  return 0;
}

GLuint gl_program(const char *vertex, const char *fragment, const char *const *captured,
                  GLsizei count) {
  GLint fine = GL_FALSE;
  const GLuint first = compile(GL_VERTEX_SHADER, vertex);
  const GLuint second = first && fragment ? compile(GL_FRAGMENT_SHADER, fragment) : 0;
  GLuint program = 0;
  if (first && (second || !fragment)) {
    program = glCreateProgram();
    glAttachShader(program, first);
    if (second) glAttachShader(program, second);
    if (count) glTransformFeedbackVaryings(program, count, captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &fine);
    if (!fine) {
      char log[1500] = "";
      glGetProgramInfoLog(program, sizeof log, NULL, log);
      cli_complain(CLI_FAILED, "shaders do not link here: %s", log);
      glDeleteProgram(program);
      program = 0;
    }
  }
  if (first) glDeleteShader(first);
  if (second) glDeleteShader(second);
  return program;
}

bool gl_fine(const char *what) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return true;
  cli_complain(CLI_FAILED, "%s: %s", what,
               error == GL_OUT_OF_MEMORY ? "the graphics memory is full"
                                         : "OpenGL refuses (a fault of supple or of the driver)");
  while (glGetError() != GL_NO_ERROR) continue;
  return false;
}

#endif
