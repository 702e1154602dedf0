/* write_plan.h: what the parts of writing a document share: the files, each a row of parts. */
#ifndef SUPPLEI_WRITE_PLAN_H
#define SUPPLEI_WRITE_PLAN_H

#include "document_state.h"

/* A stretch of a file. */
typedef struct supplei_part {
  const void *data; /* NULL: a segment, or zeros where that is SUPPLE_NONE */
  uint64_t size;
  uint32_t segment;
} supplei_part;

typedef struct supplei_parts {
  supplei_part *items;
  uint32_t count, capacity;
  uint64_t size; /* of all */
} supplei_parts;

/* Beside a supple_written_file: its parts, or the uri that leads to it. */
typedef struct supplei_written_source {
  uint32_t first, count; /* of the parts of all files */
  uint32_t uri;          /* SUPPLE_NONE: parts */
} supplei_written_source;

typedef struct supplei_plan {
  supple_written written; /* first: its address is the whole's */
  supple_document *document;
  supple_allocator allocator;
  const supple_write_options *options; /* during supple_document_write */
  supple_error *error;                 /* the same */
  supplei_arena arena;                 /* names, headers */
  const char *name;                    /* of the main file */
  bool to_glb, verbatim;
  supple_document shadow; /* the document with a copy of its JSON, which is changed to what is written */
  bool has_shadow;
  supplei_output text;  /* of the JSON */
  supplei_parts merged; /* the bytes of the one buffer that is made */
  supplei_parts parts;  /* of all files */
  uint32_t parts_taken; /* those that belong to a file already */
  supple_written_file *files;
  supplei_written_source *sources;
  uint32_t file_count, file_capacity, source_capacity;
} supplei_plan;

supple_result supplei_parts_add(supplei_plan *plan, supplei_parts *parts, const void *data,
                                uint64_t size, uint32_t segment);
/* Zeros up to a multiple of four. */
supple_result supplei_parts_align(supplei_plan *plan, supplei_parts *parts);
/* A file, to which the parts belong that were added since the one before. */
supple_result supplei_plan_file(supplei_plan *plan, supple_written_file file, uint32_t uri);

/* Makes one buffer of those that cannot stay as they are, and takes images in; in the shadow. *keeper is the
 * buffer (a value), SUPPLE_NONE where there is none (write_buffers.c). */
supple_result supplei_plan_buffers(supplei_plan *plan, uint32_t *keeper);
/* Lists the files that the JSON names (write_names.c). */
supple_result supplei_plan_names(supplei_plan *plan);
/* A name for the new buffer's file that none of the files has, and its URI; both in the arena. */
supple_result supplei_plan_bin_name(supplei_plan *plan, const char **name, const char **uri);

#endif
