/* fix_at_work.h: the state that repairs share, made for a document, for tests of single parts. */
#ifndef FIX_AT_WORK_H
#define FIX_AT_WORK_H

#include "tests/fix/fix_tests.h"

#include "src/fix/fix_state.h"

typedef struct fix_at_work {
  supplei_fix fix;
  supple_fix_options options;
  supple_error error;
} fix_at_work;

/* Takes the document, which close_work frees. */
static inline void open_work(fix_at_work *w, supple_document *document) {
  memset(w, 0, sizeof *w);
  w->fix.document = document;
  w->fix.options = &w->options;
  w->fix.error = &w->error;
  w->fix.allocator = supplei_allocator(NULL);
  supplei_arena_init(&w->fix.arena, &w->fix.allocator, 0);
  w->fix.before = supple_document_asset(document, NULL, &w->error);
  if (!w->fix.before) fail_msg("%s", w->error.message);
}

static inline void close_work(fix_at_work *w) {
  supple_asset_free(w->fix.before);
  supplei_release(&w->fix.allocator, w->fix.actions, w->fix.action_capacity, sizeof *w->fix.actions);
  supplei_release(&w->fix.allocator, w->fix.traces, w->fix.trace_capacity, sizeof *w->fix.traces);
  supplei_arena_free(&w->fix.arena);
  supple_document_free(w->fix.document);
}

#endif
