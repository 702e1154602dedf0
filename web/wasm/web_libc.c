/* web_libc.c: of the C library, what would bring much that is of no use here. Defined here, the library's own, with all
 * that it needs, is left out. There are no files but those that JavaScript hands over (web_host.c). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int stat(const char *restrict path, struct stat *restrict status) {
  (void)path;
  (void)status;
  errno = ENOENT;
  return -1;
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
  (void)path;
  (void)mode;
  errno = ENOENT;
  return NULL;
}

size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file) {
  (void)to;
  (void)size;
  (void)count;
  (void)file;
  return 0;
}

int fclose(FILE *file) {
  (void)file;
  return 0;
}

int ferror(FILE *file) {
  (void)file;
  return 0;
}

int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size) {
  (void)file;
  (void)buffer;
  (void)mode;
  (void)size;
  return 0;
}

/* Of all errors that it names, the one that stat and fopen give. */
char *strerror(int code) {
  (void)code;
  static char text[] = "there are no files";
  return text;
}

/* printf would complain of long double there: nothing else is ever written to a stream. */
extern char __stderr_FILE[1];
char __stderr_FILE[1];
int fputs(const char *restrict text, FILE *restrict file) {
  (void)text;
  (void)file;
  return EOF;
}
