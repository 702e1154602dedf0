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

enum { BUFFER = 1 << 16, PATH_LONGEST = 4096, SLOTS = 512 };

struct cli_output {
  FILE *file; /* NULL: memory */
  char *path; /* where it ends up; NULL for stdout and memory */
  bool spool; /* it ends up nowhere */
  int slot;   /* of the temporary name; -1: written in place */
  char *buffer;
  size_t used, capacity;
  uint64_t written;
  uint64_t pushed; /* bytes that the system was asked to bring to the disk */
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

/* Names to remove when the program ends early. A slot is filled before it is armed, so that the signal
 * handler, which may run at any moment, sees whole names. */
static char temporaries[SLOTS][PATH_LONGEST];
static volatile sig_atomic_t armed[SLOTS];
static bool taken[SLOTS];

static void remove_temporaries(void) {
  for (int i = 0; i < SLOTS; i++)
    if (armed[i]) {
#if defined(_WIN32)
      remove(temporaries[i]);
#else
      unlink(temporaries[i]); /* async-signal-safe, remove() is not said to be */
#endif
      armed[i] = 0;
    }
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
static FILE *create_beside(const char *path, int *slot) {
  static unsigned serial;
  int free_slot = 0;
  while (free_slot < SLOTS && taken[free_slot]) free_slot++;
  if (free_slot == SLOTS) {
    errno = EMFILE;
    return NULL;
  }
  for (int attempt = 0; attempt < 100; attempt++) {
    const int length = snprintf(temporaries[free_slot], PATH_LONGEST, "%s.%ld-%u.tmp", path,
                                process_number(), serial++);
    if (length < 0 || length >= PATH_LONGEST) {
      errno = ENAMETOOLONG;
      return NULL;
    }
    armed[free_slot] = 1;
    FILE *file = create_new(temporaries[free_slot]);
    if (file) {
      taken[free_slot] = true;
      *slot = free_slot;
      return file;
    }
    const int reason = errno;
    armed[free_slot] = 0;
    errno = reason;
    if (errno != EEXIST) return NULL;
  }
  return NULL;
}

static void forget_temporary(int slot, bool remove_it) {
  if (remove_it) remove(temporaries[slot]);
  armed[slot] = 0;
  taken[slot] = false;
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
  output->slot = -1;
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
    output->file = create_beside(output->path, &output->slot);
  if (!output->file) {
    cli_complain(CLI_FAILED, "cannot write %s: %s", path, strerror(errno));
    cli_output_abandon(output);
    return NULL;
  }
  setvbuf(output->file, NULL, _IONBF, 0); /* the buffer is ours */
  return output;
}

cli_output *cli_output_open_spool(const char *path) {
  cli_output *output = create(NULL);
  if (!output) return NULL;
  bool in_place;
  output->spool = true;
  output->path = final_path(path, &in_place);
  if (output->path) output->file = create_beside(output->path, &output->slot);
  if (!output->file) {
    cli_complain(CLI_FAILED, "cannot write beside %s: %s", path, strerror(errno));
    cli_output_abandon(output);
    return NULL;
  }
  setvbuf(output->file, NULL, _IONBF, 0);
  return output;
}

cli_output *cli_output_open_memory(void) { return create(NULL); }

const char *cli_output_place(const cli_output *output) {
  return output->slot >= 0 ? temporaries[output->slot] : NULL;
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
 * written is not waited for. */
static void push(cli_output *output) {
#if defined(POSIX_FADV_DONTNEED)
  enum { AT_ONCE = 8 << 20 };
  const uint64_t there = output->written; /* the buffer is empty */
  if (output->slot < 0 || there < output->pushed + AT_ONCE) return;
  (void)posix_fadvise(fileno(output->file), (off_t)output->pushed, (off_t)(there - output->pushed),
                      POSIX_FADV_DONTNEED);
  output->pushed = there;
#else
  (void)output;
#endif
}

static void flush(cli_output *output) {
  if (output->used == 0 || output->failed) return;
  errno = 0;
  if (fwrite(output->buffer, 1, output->used, output->file) != output->used) fail(output);
  output->used = 0;
  push(output);
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
      if (!output->failed) push(output);
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

static bool seek(FILE *file, uint64_t place) {
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
  if (!output->failed && (!output->file || output->file == stdout || !seek(output->file, place)))
    fail(output);
  output->written = place;
}

bool cli_output_read(cli_output *output, uint64_t place, void *data, size_t size) {
  if (output->failed || !output->spool) return false;
  flush(output);
  const bool fine =
      !output->failed && seek(output->file, place) && fread(data, 1, size, output->file) == size;
  return fine && seek(output->file, output->written);
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
static void keep_mode(const char *path, const char *temporary) {
#if !defined(_WIN32)
  struct stat status;
  if (stat(path, &status) == 0) (void)chmod(temporary, status.st_mode & 07777);
#else
  (void)path, (void)temporary;
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
  return !output->failed;
}

int cli_output_close(cli_output *output) {
  const bool standard = output->file == stdout;
  if (output->file) {
    flush(output);
    errno = 0;
    if ((standard ? fflush(output->file) : fclose(output->file)) != 0) fail(output);
  }
  if (output->slot >= 0) {
    const char *temporary = temporaries[output->slot];
    errno = 0;
    if (!output->failed && !output->spool && rehearsing) {
      cli_note("would write %s (%llu bytes)", output->path, (unsigned long long)output->written);
    } else if (!output->failed && !output->spool) {
      keep_mode(output->path, temporary);
      if (!replace_file(temporary, output->path)) fail(output);
    }
    forget_temporary(output->slot, output->failed || output->spool || rehearsing);
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
  if (output->slot >= 0) forget_temporary(output->slot, true);
  release(output);
}
