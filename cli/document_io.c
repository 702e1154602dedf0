/* document_io.c: documents from files, and back into files: all of them or none. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "document_io.h"

#include "output.h"
#include "stage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#if defined(_WIN32)
#include <direct.h>
#endif

/* ---- loading ---- */

supple_document *cli_document_load(const char *path, const cli_options *options, int *exit_code) {
  const supple_load_options load = cli_load_options(options);
  supple_document *document = NULL;
  supple_error error;
  memset(&error, 0, sizeof error);
  *exit_code = CLI_FAILED;
  if (strcmp(path, "-") == 0) {
    size_t size = 0;
    void *data = cli_read_stdin(options, &size);
    if (!data) return NULL;
    document = supple_document_load_memory(data, size, &load, &error);
    free(data);
  } else {
    document = supple_document_load(path, &load, &error);
  }
  if (document)
    *exit_code = CLI_FINE;
  else
    cli_complain_of_file(path, &error);
  return document;
}

/* ---- paths ---- */

static const char *name_in(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++) {
    if (*c == '/') name = c + 1;
#if defined(_WIN32)
    if (*c == '\\' || *c == ':') name = c + 1;
#endif
  }
  return name;
}

/* "FOLDER/NAME" beside a path; NULL where memory runs out. */
static char *beside(const char *path, const char *name) {
  const size_t folder = (size_t)(name_in(path) - path), length = strlen(name);
  char *out = malloc(folder + length + 1);
  if (!out) return NULL;
  memcpy(out, path, folder);
  memcpy(out + folder, name, length + 1);
  return out;
}

/* False where memory runs out. */
static bool same_folder(const char *a, const char *b, bool *same) {
  char *first = beside(a, "."), *second = beside(b, ".");
  const bool fine = first && second;
  *same = false;
  if (fine) {
    *same = strcmp(first, second) == 0;
#if !defined(_WIN32)
    struct stat x, y;
    if (stat(first, &x) == 0 && stat(second, &y) == 0)
      *same = x.st_dev == y.st_dev && x.st_ino == y.st_ino;
#endif
  }
  free(first);
  free(second);
  return fine;
}

/* Makes the folders of a name below the folder of a path. */
static void make_folders(char *path, size_t from) {
  for (char *c = path + from; *c; c++) {
    if (*c != '/') continue;
    *c = '\0';
#if defined(_WIN32)
    _mkdir(path);
#else
    mkdir(path, 0777);
#endif
    *c = '/'; /* what fails here fails again, with a message, where the file is opened */
  }
}

/* Whether a name leads out of the folder of the document. */
static bool leads_out(const char *name) {
  if (name[0] == '/' || name[0] == '\\' || (name[0] && name[1] == ':')) return true;
  for (const char *part = name; part; part = strchr(part, '/')) {
    part += *part == '/';
    if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2])) return true;
  }
  return false;
}

int cli_document_check_target(const char *path) {
  if (strcmp(path, "-") == 0 || cli_path_ends(path, ".glb") || cli_path_ends(path, ".gltf"))
    return CLI_FINE;
  return cli_complain(CLI_USAGE, "'%s' must end in .glb or .gltf", path);
}

/* ---- writing ---- */

typedef struct writing {
  const cli_document_target *target;
  supple_written *written;
  cli_output **outputs; /* [file_count] those that are complete */
  bool elsewhere;       /* files that did not change are needed in another folder */
} writing;

static supple_result put(void *user, const void *data, size_t size) {
  cli_output *output = user;
  cli_output_write(output, data, size);
  return cli_output_failed(output) ? SUPPLE_ERROR_FILE : SUPPLE_OK;
}

/* Whether a file is to be written; notes what is left out. */
static bool is_wanted(const writing *w, uint32_t index) {
  const supple_written_file *file = &w->written->files[index];
  const char *path = w->target->path;
  if (!file->unchanged) return true;
  if (file->missing) {
    if (w->elsewhere)
      cli_note("%s names %s, which cannot be read and is not copied", path, file->name);
    return false;
  }
  if (!w->elsewhere) return false;
  if (!leads_out(file->name)) return true;
  cli_note("%s names %s, outside its folder, which is not copied", path, file->name);
  return false;
}

static int write_file(writing *w, uint32_t index) {
  const supple_written_file *file = &w->written->files[index];
  const cli_document_target *target = w->target;
  char *path = file->name ? beside(target->path, file->name) : NULL;
  if (file->name && !path) return cli_complain(CLI_FAILED, "out of memory");
  const char *place = path ? path : target->path;
  int exit_code = CLI_FINE;
  if (target->dry_run) {
    cli_note("would write %s: %llu bytes", place, (unsigned long long)file->size);
    free(path);
    return CLI_FINE;
  }
  if (path) make_folders(path, (size_t)(name_in(target->path) - target->path));
  cli_output *output = cli_output_open(place);
  supple_error error;
  memset(&error, 0, sizeof error);
  if (!output) {
    exit_code = CLI_FAILED;
  } else if (supple_written_copy(w->written, index, put, output, &error)) {
    exit_code = CLI_FAILED;
    if (cli_output_failed(output))
      (void)cli_output_close(output); /* which reports it */
    else
      cli_complain(CLI_FAILED, "cannot write %s: %s", place, error.message),
          cli_output_abandon(output);
  } else if (!cli_output_complete(output)) {
    exit_code = cli_output_close(output);
  } else {
    w->outputs[index] = output;
  }
  free(path);
  return exit_code;
}

/* All files whole, then each to its place, the main one last. */
static int write_files(writing *w) {
  const uint32_t count = w->written->file_count;
  int exit_code = CLI_FINE;
  for (uint32_t i = 0; i < count && exit_code == CLI_FINE; i++)
    if (is_wanted(w, i)) exit_code = write_file(w, i);
  for (uint32_t i = count; i-- > 0;) {
    if (!w->outputs[i]) continue;
    if (exit_code == CLI_FINE)
      exit_code = cli_output_close(w->outputs[i]);
    else
      cli_output_abandon(w->outputs[i]);
  }
  return exit_code;
}

static int write_to_stdout(writing *w) {
  for (uint32_t i = 1; i < w->written->file_count; i++)
    if (!w->written->files[i].unchanged)
      return cli_complain(CLI_FAILED, "%s would be a file of its own beside stdout: write to a file",
                          w->written->files[i].name);
  return write_file(w, 0) == CLI_FINE &&
                 (!w->outputs[0] || cli_output_close(w->outputs[0]) == CLI_FINE)
             ? CLI_FINE
             : CLI_FAILED;
}

int cli_document_write(supple_document *document, const cli_document_target *target) {
  const bool standard = strcmp(target->path, "-") == 0;
  const bool from_file = target->source && strcmp(target->source, "-") != 0;
  const supple_write_options options = {.name = standard ? NULL : name_in(target->path),
                                        .keep_images = target->keep_images};
  supple_error error;
  memset(&error, 0, sizeof error);
  writing w = {.target = target};
  int exit_code = cli_document_check_target(target->path);
  if (exit_code != CLI_FINE) return exit_code;
  if (!standard && from_file) {
    bool same;
    if (!same_folder(target->path, target->source, &same))
      return cli_complain(CLI_FAILED, "out of memory");
    w.elsewhere = !same;
  }
  w.written = supple_document_write(document, &options, &error);
  if (!w.written)
    return cli_complain(CLI_FAILED, "cannot write %s: %s", standard ? "to stdout" : target->path,
                        error.message);
  if (w.written->dropped_chunks)
    cli_note("%s has no place for %u chunks of the .glb beside JSON and BIN: they are left out",
             target->path, w.written->dropped_chunks);
  w.outputs = calloc(w.written->file_count, sizeof(cli_output *));
  if (!w.outputs)
    exit_code = cli_complain(CLI_FAILED, "out of memory");
  else
    exit_code = standard ? write_to_stdout(&w) : write_files(&w);
  free(w.outputs);
  supple_written_free(w.written);
  return exit_code;
}
