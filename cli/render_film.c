/* render_film.c: ffmpeg as a child process that reads raw pictures from a pipe. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "render_film.h"

#include "print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)

render_film *render_film_open(cli_output *output, render_film_format format, uint32_t width,
                              uint32_t height, double fps, uint32_t frame_count) {
  (void)output, (void)format, (void)width, (void)height, (void)fps, (void)frame_count;
  cli_complain(CLI_FAILED,
               "films are not made on Windows: draw .png pictures, one for each --time");
  return NULL;
}

int render_film_add(render_film *film, const render_image *image) {
  (void)film, (void)image;
  return CLI_FAILED;
}

int render_film_close(render_film *film) {
  (void)film;
  return CLI_FAILED;
}

#else

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct render_film {
  pid_t child;
  int pipe;
  bool failed; /* and reported */
};

/* palettegen keeps all pictures until it has seen the last one; above this many bytes each gets its own colours. */
#define PALETTE_BYTES 1e9

enum { ARGUMENTS = 48 };

/* What ffmpeg is told; size and rate are texts. */
static void list_arguments(const char **list, const char *place, render_film_format format,
                           const char *size, const char *rate, bool one_palette) {
  static const char *const input[] = {"ffmpeg",        "-hide_banner", "-loglevel", "error",
                                      "-nostdin",      "-y",           "-f",        "rawvideo",
                                      "-pixel_format", "rgba"};
  /* yuv420p plays everywhere; the matrix has to be said in the stream and used by the conversion */
  static const char *const mp4[] = {"-vf",
                                    "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
                                    "-c:v",
                                    "libx264",
                                    "-preset",
                                    "veryfast",
                                    "-crf",
                                    "18",
                                    "-colorspace",
                                    "bt709",
                                    "-color_primaries",
                                    "bt709",
                                    "-color_trc",
                                    "bt709",
                                    "-movflags",
                                    "+faststart",
                                    "-f",
                                    "mp4"};
  static const char *const gif[] = {"-loop", "0", "-f", "gif", "-filter_complex"};
  static const char *const output[] = {"-an",       "-fflags",       "+bitexact", "-flags:v",
                                       "+bitexact", "-map_metadata", "-1"};
  size_t n = 0;
  for (size_t i = 0; i < sizeof input / sizeof *input; i++) list[n++] = input[i];
  list[n++] = "-video_size", list[n++] = size;
  list[n++] = "-framerate", list[n++] = rate;
  list[n++] = "-i", list[n++] = "pipe:0";
  for (size_t i = 0; i < sizeof output / sizeof *output; i++) list[n++] = output[i];
  if (format == RENDER_MP4) {
    for (size_t i = 0; i < sizeof mp4 / sizeof *mp4; i++) list[n++] = mp4[i];
  } else {
    for (size_t i = 0; i < sizeof gif / sizeof *gif; i++) list[n++] = gif[i];
    list[n++] = one_palette ? "[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=sierra2_4a"
                            : "[0:v]split[a][b];[a]palettegen=stats_mode=single[p];"
                              "[b][p]paletteuse=new=1:dither=sierra2_4a";
  }
  list[n++] = place;
  list[n] = NULL;
}

static int start(render_film *film, const char **arguments) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  if (pipe(ends) != 0) return errno;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  int fault = posix_spawn_file_actions_init(&actions);
  if (fault == 0) {
    fault = posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (fault == 0 && ends[0] != STDIN_FILENO)
      fault = posix_spawn_file_actions_addclose(&actions, ends[0]);
    if (fault == 0) /* stdout is for data; ffmpeg has none */
      fault = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (fault == 0) {
      char *list[ARGUMENTS];
      size_t n = 0;
      do {
        list[n] = (char *)(uintptr_t)arguments[n]; /* posix_spawn promises not to write */
      } while (arguments[n++]);
      fault = posix_spawnp(&film->child, "ffmpeg", &actions, NULL, list, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[0]);
  if (fault)
    close(ends[1]);
  else
    film->pipe = ends[1];
  return fault;
}

render_film *render_film_open(cli_output *output, render_film_format format, uint32_t width,
                              uint32_t height, double fps, uint32_t frame_count) {
  const char *place = cli_output_place(output);
  if (!place) {
    cli_complain(CLI_FAILED, "a film needs a file to be written to: not a pipe or a device");
    return NULL;
  }
  render_film *film = calloc(1, sizeof *film);
  if (!film) {
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  char size[32], rate[CLI_NUMBER_TEXT], *safe = malloc(strlen(place) + 6);
  const char *arguments[ARGUMENTS];
  int fault = ENOMEM;
  snprintf(size, sizeof size, "%ux%u", width, height);
  if (safe) {
    sprintf(safe, "file:%s", place); /* whatever the name looks like */
    list_arguments(arguments, safe, format, size, cli_fixed_text(fps, 4, rate),
                   4.0 * width * height * frame_count < PALETTE_BYTES);
    fault = start(film, arguments);
  }
  free(safe);
  if (fault == 0) return film;
  cli_complain(CLI_FAILED,
               fault == ENOENT
                   ? "films are encoded by ffmpeg, which is not installed (Debian: apt-get install "
                     "ffmpeg); .png pictures need none"
                   : "ffmpeg does not start: %s",
               strerror(fault));
  free(film);
  return NULL;
}

int render_film_add(render_film *film, const render_image *image) {
  const unsigned char *data = image->pixels;
  size_t left = (size_t)image->width * image->height * 4;
  while (left && !film->failed) {
    const ssize_t done = write(film->pipe, data, left);
    if (done > 0) {
      data += done;
      left -= (size_t)done;
    } else if (done < 0 && errno != EINTR) {
      film->failed = true;
      cli_complain(CLI_FAILED, "ffmpeg ended too early: %s", strerror(errno));
    }
  }
  return film->failed ? CLI_FAILED : CLI_FINE;
}

int render_film_close(render_film *film) {
  int status = 0;
  close(film->pipe);
  while (waitpid(film->child, &status, 0) < 0 && errno == EINTR) continue;
  const bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  int exit_code = film->failed ? CLI_FAILED : CLI_FINE;
  if (!fine && !film->failed)
    exit_code =
        cli_complain(CLI_FAILED, "ffmpeg could not encode the film (its own words are above)");
  free(film);
  return exit_code;
}

#endif
