/* check_state.h: what the parts of the checker share while they look at one document. */
#ifndef SUPPLEI_CHECK_STATE_H
#define SUPPLEI_CHECK_STATE_H

#include "../../include/supple/check.h"
#include "../base/error.h"
#include "../base/memory.h"

/* Every code, in the order of supple_check_code; codes.c has the table. */
typedef enum supplei_code {
#define SUPPLEI_CODE(name) SUPPLEI_CODE_##name,
#include "codes.h"
#undef SUPPLEI_CODE
  SUPPLEI_CODE_COUNT
} supplei_code;

typedef struct supplei_check {
  const supple_check_options *options; /* never NULL */
  supple_allocator allocator;
  supplei_arena arena;       /* of the report and its texts */
  const unsigned char *data; /* the file's bytes; NULL where a document was handed in */
  size_t size;
  supple_document *document; /* NULL where not even the JSON can be read */
  bool salvaged; /* the document is the JSON of a container that cannot be read: there are no bytes */
  const supple_asset *asset; /* NULL where the loader refuses the file, or under structure_only */
  supple_finding *findings;  /* in the order found; grown by supplei_check_found */
  uint32_t count, capacity;
  supple_result result; /* the first failure of ours (memory); the parts may go on, but need not */
} supplei_check;

/* What a finding may say beside its text. */
typedef struct supplei_extent {
  uint32_t count; /* 0 means 1 */
  double metres;  /* NaN: it does not say */
} supplei_extent;

/* One finding at a JSON pointer ("" the file). Where memory runs out, check->result says so. */
void supplei_check_found(supplei_check *check, supplei_code code, const char *pointer,
                         supplei_extent extent, const char *format, ...) SUPPLEI_PRINTF(5, 6);
/* The same at a value of the document. */
void supplei_check_found_at(supplei_check *check, supplei_code code, supple_value value,
                            supplei_extent extent, const char *format, ...) SUPPLEI_PRINTF(5, 6);

/* ---- the parts, in the order in which they run ---- */

/* The JSON of a file as text, where it can be found. */
typedef struct supplei_check_text {
  const char *text;      /* NULL: it cannot */
  size_t length, offset; /* offset: in the file */
  bool sound;            /* it can be parsed */
} supplei_check_text;

/* Rules of the containers and of JSON, on check->data (rules_container.c). */
void supplei_check_container(supplei_check *check, supplei_check_text *json);
/* Rules of the specification, on the JSON and the accessors' data (rules_*.c); only called where there is a
 * document. */
void supplei_check_rules(supplei_check *check);
/* What breaks in practice, on the asset (practice_*.c); only called where there is one. */
void supplei_check_practice(supplei_check *check);

#endif
