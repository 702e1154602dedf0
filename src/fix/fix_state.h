/* fix_state.h: what the repairs share while they work on one document. */
#ifndef SUPPLEI_FIX_STATE_H
#define SUPPLEI_FIX_STATE_H

#include "../../include/supple/fix.h"
#include "../base/error.h"
#include "../base/memory.h"

/* Which primitive of the repaired file shows what a skinned primitive of the file showed. */
typedef struct supplei_trace {
  uint32_t instance,
      primitive; /* of the asset as it was; primitive SUPPLE_NONE: all of them, under their numbers */
  uint32_t node, now; /* the node that carries it now, and the primitive's number in its mesh */
  const uint32_t *sources; /* [source_count] the old vertex of each new one; NULL: they are the same */
  uint32_t source_count;
} supplei_trace;

typedef struct supplei_fix {
  supple_document *document;
  const supple_fix_options *options; /* never NULL */
  uint32_t repairs;                  /* of supple_repair */
  supple_allocator allocator;
  supple_asset *before; /* as it was */
  supplei_arena arena;  /* of the report, its texts, and the traces' sources */
  supple_fix_action *actions;
  uint32_t action_count, action_capacity;
  supplei_trace *traces;
  uint32_t trace_count, trace_capacity;
  bool deforms;  /* something was changed that may move vertices: they are compared */
  bool untraced; /* there are more traces than are kept */
  supple_error *error;
} supplei_fix;

/* The whole report: its arena frees it. */
typedef struct supplei_fix_result {
  supple_fix_report report; /* first, so that the one is the other */
  supplei_arena arena;
} supplei_fix_result;

/* ---- actions; failing is running out of memory ---- */

/* One action; `code` is a string constant. Text and pointer are copied. */
supple_result supplei_fix_did(supplei_fix *fix, const char *code, const char *pointer,
                              uint32_t count, const char *format, ...) SUPPLEI_PRINTF(5, 6);
/* The same for what could not be done; text says why. */
supple_result supplei_fix_could_not(supplei_fix *fix, const char *code, const char *pointer,
                                    uint32_t count, const char *format, ...) SUPPLEI_PRINTF(5, 6);
/* fix->error is filled for memory. */
supple_result supplei_fix_no_memory(supplei_fix *fix, const char *what);
supple_result supplei_fix_trace(supplei_fix *fix, const supplei_trace *trace);

/* "0.0123": 4 significant digits, without the locale. */
enum { SUPPLEI_FIX_NUMBER = 40 };
const char *supplei_fix_number(double value, char text[SUPPLEI_FIX_NUMBER]);

/* ---- the repairs, in the order in which they run; each of its own file ---- */

supple_result supplei_fix_rebind(supplei_fix *fix);
/* Tidies; with options->influences limits too. */
supple_result supplei_fix_weights(supplei_fix *fix);
supple_result supplei_fix_nodes(supplei_fix *fix);
supple_result supplei_fix_split(supplei_fix *fix);
supple_result supplei_fix_names(supplei_fix *fix);
supple_result supplei_fix_bounds(supplei_fix *fix);
/* Deforms both, fills the distances of the report. */
supple_result supplei_fix_compare(supplei_fix *fix, supple_fix_report *report);

#endif
