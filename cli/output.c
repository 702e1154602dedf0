/* output.c: outputs that are whole or absent: buffered, written beside and renamed, cleaned up on signals. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#endif
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <sys/stat.h>
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

enum { BUFFER = 1 << 16 };

/* A file under a temporary name. Never freed, so that a signal handler may read all of them at any moment; those of
 * files that are done with serve again. */
typedef struct temporary {
  struct temporary *next;      /* of all that there are */
  struct temporary *next_free; /* of those that are free */
  volatile sig_atomic_t armed; /* it is to be removed when the program ends early */
  size_t capacity;             /* of name */
  char *name;                  /* whole whenever it is armed */
} temporary;

/* Bytes one behind the other that the system was not asked yet to bring to the disk. */
typedef struct run {
  uint64_t begin, end;
} run;

enum { RUNS = 4 };

struct cli_output {
  FILE *file;           /* NULL: memory */
  char *path;           /* where it ends up; NULL for stdout and memory */
  temporary *temporary; /* NULL: written in place */
  char *buffer;
  size_t used, capacity;
  uint64_t written; /* the place of the next byte */
  uint64_t most;    /* the largest place before a seek */
  run runs[RUNS];   /* the first one grows */
  bool failed;
  int reason; /* errno of the first failure */
};

bool cli_path_ends(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  if (n < m) return false;
  for (size_t i = 0; i < m; i++) {
    const char c = path[n - m + i];
    if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[i]) return false;
  }
  return true;
}

/* ---- temporary files ---- */

static temporary *volatile all_temporaries; /* the latest first */
static temporary *free_temporaries;

static void remove_temporaries(void) {
  for (temporary *t = all_temporaries; t; t = t->next)
    if (t->armed) {
#if defined(_WIN32)
      remove(t->name);
#else
      unlink(t->name); /* async-signal-safe, remove() is not said to be */
#endif
      t->armed = 0;
    }
}

/* One with room for a name; NULL where memory ran out. Its name is only touched while it is not armed. */
static temporary *take_temporary(size_t size) {
  temporary *t = free_temporaries;
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->next = all_temporaries;
    all_temporaries = t;
  } else {
    free_temporaries = t->next_free;
  }
  if (t->capacity < size) {
    char *name = realloc(t->name, size);
    if (!name) {
      t->next_free = free_temporaries;
      free_temporaries = t;
      return NULL;
    }
    t->name = name;
    t->capacity = size;
  }
  return t;
}

static void forget_temporary(temporary *t, bool remove_it) {
  if (remove_it) remove(t->name);
  t->armed = 0;
  t->next_free = free_temporaries;
  free_temporaries = t;
}

static void end_by_signal(int number) {
  remove_temporaries();
  signal(number, SIG_DFL);
  raise(number);
}

void cli_output_guard(void) {
  atexit(remove_temporaries);
  if (signal(SIGINT, SIG_IGN) != SIG_IGN) signal(SIGINT, end_by_signal);
  if (signal(SIGTERM, SIG_IGN) != SIG_IGN) signal(SIGTERM, end_by_signal);
#if !defined(_WIN32)
  if (signal(SIGHUP, SIG_IGN) != SIG_IGN) signal(SIGHUP, end_by_signal);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a file that gets too large is an error of the write, too */
#else
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stdin), _O_BINARY);
#endif
}

static long process_number(void) {
#if defined(_WIN32)
  return (long)_getpid();
#else
  return (long)getpid();
#endif
}

/* A file that was not there. */
static FILE *create_new(const char *path) {
#if defined(_WIN32) /* whose C library may not know "x" */
  const int descriptor = _open(path, _O_CREAT | _O_EXCL | _O_RDWR | _O_BINARY, _S_IREAD | _S_IWRITE);
  return descriptor < 0 ? NULL : _fdopen(descriptor, "w+b");
#else
  return fopen(path, "w+bx");
#endif
}

/* Creates a new file beside `path`. */
static FILE *create_beside(const char *path, temporary **place) {
  enum { SUFFIX = 64 }; /* longer than two numbers and ".tmp" */
  static unsigned serial;
  const size_t size = strlen(path) + SUFFIX;
  temporary *t = take_temporary(size);
  if (!t) {
    errno = ENOMEM;
    return NULL;
  }
  for (int attempt = 0; attempt < 100; attempt++) {
    snprintf(t->name, size, "%s.%ld-%u.tmp", path, process_number(), serial++);
    t->armed = 1;
    FILE *file = create_new(t->name);
    if (file) {
      *place = t;
      return file;
    }
    const int reason = errno;
    t->armed = 0;
    errno = reason;
    if (errno != EEXIST) break;
  }
  const int reason = errno;
  forget_temporary(t, false);
  errno = reason;
  return NULL;
}

static bool replace_file(const char *from, const char *to) {
#if defined(_WIN32)
  return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
#else
  return rename(from, to) == 0;
#endif
}

/* ---- opening ---- */

static cli_output *create(FILE *file) {
  cli_output *output = calloc(1, sizeof *output);
  char *buffer = malloc(BUFFER);
  if (!output || !buffer) {
    free(output);
    free(buffer);
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  output->file = file;
  output->buffer = buffer;
  output->capacity = BUFFER;
  return output;
}

static char *copy_text(const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  else
    errno = ENOMEM;
  return copy;
}

/* Where to write so that `path` changes: behind symbolic links. *in_place: it is a device or a pipe, which a
 * rename would replace by a file. */
static char *final_path(const char *path, bool *in_place) {
  *in_place = false;
#if !defined(_WIN32)
  struct stat status;
  if (stat(path, &status) == 0) {
    *in_place = !S_ISREG(status.st_mode);
    char *real = *in_place ? NULL : realpath(path, NULL);
    if (real) return real;
  }
#endif
  return copy_text(path);
}

static bool rehearsing;

void cli_output_rehearse(bool rehearse) { rehearsing = rehearse; }
bool cli_output_rehearses(void) { return rehearsing; }

cli_output *cli_output_open(const char *path) {
  if (strcmp(path, "-") == 0) return create(stdout);
  cli_output *output = create(NULL);
  if (!output) return NULL;
  bool in_place;
  output->path = final_path(path, &in_place);
  if (in_place && rehearsing) {
    cli_complain(CLI_FAILED, "%s is no file that --dry-run could leave alone", path);
    cli_output_abandon(output);
    return NULL;
  }
  if (in_place)
    output->file = fopen(path, "wb");
  else if (output->path)
    output->file = create_beside(output->path, &output->temporary);
  if (!output->file) {
    cli_complain(CLI_FAILED, "cannot write %s: %s", path, strerror(errno));
    cli_output_abandon(output);
    return NULL;
  }
  setvbuf(output->file, NULL, _IONBF, 0); /* the buffer is ours */
  return output;
}

cli_output *cli_output_open_memory(void) { return create(NULL); }

const char *cli_output_place(const cli_output *output) {
  return output->temporary ? output->temporary->name : NULL;
}

const char *cli_output_contents(const cli_output *output, size_t *size) {
  if (output->failed) return NULL;
  output->buffer[output->used] = '\0';
  if (size) *size = output->used;
  return output->buffer;
}

/* ---- writing ---- */

static void fail(cli_output *output) {
  if (!output->failed) output->reason = errno;
  output->failed = true;
}

/* Lets the disk begin while there is more to come: otherwise nothing moves before the file is closed. What is
 * written is not waited for. Several places of the file may grow by turns. */
static void push(cli_output *output, size_t size) {
#if defined(POSIX_FADV_DONTNEED)
  enum { AT_ONCE = 8 << 20 };
  run now = {output->written - size, output->written}; /* the buffer is empty */
  int k = 0;
  if (!output->temporary) return;
  while (k < RUNS - 1 && output->runs[k].end != now.begin) k++;
  if (output->runs[k].end == now.begin) now.begin = output->runs[k].begin;
  memmove(output->runs + 1, output->runs, (size_t)k * sizeof *output->runs); /* the latest first */
  if (now.end - now.begin >= AT_ONCE) {
    (void)posix_fadvise(fileno(output->file), (off_t)now.begin, (off_t)(now.end - now.begin),
                        POSIX_FADV_DONTNEED);
    now.begin = now.end;
  }
  output->runs[0] = now;
#else
  (void)output, (void)size;
#endif
}

static void flush(cli_output *output) {
  if (output->used == 0 || output->failed) return;
  errno = 0;
  if (fwrite(output->buffer, 1, output->used, output->file) != output->used) fail(output);
  const size_t size = output->used;
  output->used = 0;
  if (!output->failed) push(output, size);
}

/* Room for `size` bytes and a NUL in the buffer of an output of memory. */
static bool grow(cli_output *output, size_t size) {
  if (size < output->capacity - output->used) return true;
  size_t capacity = output->capacity;
  while (size >= capacity - output->used) {
    if (capacity > SIZE_MAX / 2) capacity = 0;
    if (capacity == 0) break;
    capacity *= 2;
  }
  char *buffer = capacity ? realloc(output->buffer, capacity) : NULL;
  if (!buffer) {
    errno = ENOMEM;
    fail(output);
    return false;
  }
  output->buffer = buffer;
  output->capacity = capacity;
  return true;
}

void cli_output_write(cli_output *output, const void *data, size_t size) {
  if (output->failed) return;
  if (!output->file) {
    if (!grow(output, size)) return;
  } else if (size > output->capacity - output->used) {
    flush(output);
    if (size > output->capacity) {
      errno = 0;
      if (!output->failed && fwrite(data, 1, size, output->file) != size) fail(output);
      output->written += size;
      if (!output->failed) push(output, size);
      return;
    }
  }
  output->written += size;
  if (output->failed || size == 0) return;
  memcpy(output->buffer + output->used, data, size);
  output->used += size;
}

void cli_output_text(cli_output *output, const char *text) {
  cli_output_write(output, text, strlen(text));
}

void cli_output_format(cli_output *output, const char *format, ...) {
  char small[512];
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(small, sizeof small, format, arguments);
  if (length >= 0 && (size_t)length < sizeof small) {
    cli_output_write(output, small, (size_t)length);
  } else {
    char *large = length < 0 ? NULL : malloc((size_t)length + 1);
    if (large) {
      vsnprintf(large, (size_t)length + 1, format, again);
      cli_output_write(output, large, (size_t)length);
      free(large);
    } else {
      errno = ENOMEM;
      fail(output);
    }
  }
  va_end(again);
  va_end(arguments);
}

void cli_output_u16(cli_output *output, uint16_t value) {
  const unsigned char bytes[2] = {(unsigned char)(value & 0xff), (unsigned char)(value >> 8)};
  cli_output_write(output, bytes, 2);
}

void cli_output_u32(cli_output *output, uint32_t value) {
  unsigned char bytes[4];
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (8 * i) & 0xff);
  cli_output_write(output, bytes, 4);
}

void cli_output_f32(cli_output *output, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  cli_output_u32(output, bits);
}

bool cli_output_failed(const cli_output *output) { return output->failed; }

void cli_output_no_memory(cli_output *output) {
  errno = ENOMEM;
  fail(output);
}

uint64_t cli_output_tell(const cli_output *output) { return output->written; }

/* Bytes of the file so far. */
static uint64_t size_of(const cli_output *output) {
  return output->most > output->written ? output->most : output->written;
}

bool cli_file_seek(FILE *file, uint64_t place) {
  if (place > INT64_MAX) return false;
#if defined(_WIN32)
  return _fseeki64(file, (__int64)place, SEEK_SET) == 0;
#else
  return fseeko(file, (off_t)place, SEEK_SET) == 0;
#endif
}

void cli_output_seek(cli_output *output, uint64_t place) {
  if (output->failed) return;
  if (output->file) flush(output);
  errno = ESPIPE;
  if (!output->failed &&
      (!output->file || output->file == stdout || !cli_file_seek(output->file, place)))
    fail(output);
  output->most = size_of(output);
  output->written = place;
}

bool cli_output_is_terminal(const cli_output *output) {
  if (!output->file) return false;
#if defined(_WIN32)
  return _isatty(_fileno(output->file)) != 0;
#else
  return isatty(fileno(output->file)) != 0;
#endif
}

/* ---- closing ---- */

static void release(cli_output *output) {
  free(output->path);
  free(output->buffer);
  free(output);
}

/* The mode of the file that is replaced stays. */
static void keep_mode(const char *path, const char *written) {
#if !defined(_WIN32)
  struct stat status;
  if (stat(path, &status) == 0) (void)chmod(written, status.st_mode & 07777);
#else
  (void)path, (void)written;
#endif
}

bool cli_output_complete(cli_output *output) {
  if (!output->file) return !output->failed;
  flush(output);
  errno = 0;
  if (output->file == stdout) {
    if (fflush(stdout) != 0) fail(output);
    return !output->failed;
  }
  if (fclose(output->file) != 0) fail(output);
  output->file = NULL;
  free(output->buffer); /* many may wait for their places */
  output->buffer = NULL;
  output->capacity = 0;
  return !output->failed;
}

int cli_output_close(cli_output *output) {
  const bool standard = output->file == stdout;
  if (output->file) {
    flush(output);
    errno = 0;
    if ((standard ? fflush(output->file) : fclose(output->file)) != 0) fail(output);
  }
  if (output->temporary) {
    const char *name = output->temporary->name;
    errno = 0;
    if (!output->failed && rehearsing) {
      cli_note("would write %s (%llu bytes)", output->path, (unsigned long long)size_of(output));
    } else if (!output->failed) {
      keep_mode(output->path, name);
      if (!replace_file(name, output->path)) fail(output);
    }
    forget_temporary(output->temporary, output->failed || rehearsing);
  }
  int exit_code = CLI_FINE;
  if (output->failed)
    exit_code = cli_complain(CLI_FAILED, "cannot write %s: %s",
                             standard       ? "to stdout"
                             : output->path ? output->path
                                            : "the output",
                             output->reason ? strerror(output->reason) : "the write failed");
  release(output);
  return exit_code;
}

void cli_output_abandon(cli_output *output) {
  if (!output) return;
  if (output->file == stdout)
    flush(output);
  else if (output->file)
    fclose(output->file);
  if (output->temporary) forget_temporary(output->temporary, true);
  release(output);
}
