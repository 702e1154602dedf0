/* check.h: what is wrong, or will go wrong, with the skins of a glTF file.
 *
 * Rules of the specification carry the code names of the Khronos glTF-Validator where it has one; the rest,
 * what breaks between programs in practice, begins with SKINNING_. Files that the loader refuses are checked
 * all the same, as far as their JSON can be read. */
#ifndef SUPPLE_CHECK_H
#define SUPPLE_CHECK_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How bad it is. */
typedef enum supple_severity {
  SUPPLE_SEVERITY_ERROR,       /* breaks a rule: viewers may refuse the file */
  SUPPLE_SEVERITY_WARNING,     /* allowed or not, viewers show it differently, or wrongly */
  SUPPLE_SEVERITY_INFORMATION, /* worth knowing */
  SUPPLE_SEVERITY_HINT         /* could be done better */
} supple_severity;

/* One code: the same for every finding of it. */
typedef struct supple_code {
  const char *name;         /* "ACCESSOR_WEIGHTS_NON_NORMALIZED", "SKINNING_…" */
  supple_severity severity; /* of its findings */
  const char *meaning;      /* one sentence: what the rule is */
  const char *consequence;  /* one sentence: what viewers do with it */
  const char *fix; /* what of `supple fix` mends it: "" nothing, "default", or the option ("--influences 4") */
  bool strict; /* only looked for under supple_check_options.strict */
} supple_code;

/* One finding. Many of a kind (vertices of one accessor) are one finding with their number. */
typedef struct supple_finding {
  const supple_code *code; /* what it is */
  const char *pointer;     /* JSON pointer of the place; "" the file itself */
  const char *text;        /* one sentence with the numbers of this case */
  uint32_t count;          /* how many vertices, keys, joints, … it speaks of; at least 1 */
  double metres; /* how far it moves, or may move, a vertex; NaN where that is not what it is about */
} supple_finding;

/* Zero means the default. */
typedef struct supple_check_options {
  supple_load_options load; /* limits, reader, codecs */
  bool strict;              /* the proposals for strict skinning too (KHR_skin_strict and kin) */
  bool structure_only;      /* what the JSON says; vertices, keys and poses are not looked at */
} supple_check_options;

/* Everything found, errors first, then in the order of the file's top-level members. A file may be refused by the
 * loader without an error here (what this build cannot decode, limits, warnings that the loader takes for errors). */
typedef struct supple_check_report {
  const supple_finding *findings; /* [finding_count] */
  uint32_t finding_count;         /* of findings */
  uint32_t counts[4];             /* findings by supple_severity */
  bool loads;                     /* the loader takes the file */
  char refused[512];              /* its message where not, else "" */
} supple_check_report;

/* Checks a file; a file that is no glTF at all is one finding. NULL when out of memory, where the file cannot be
 * read, or where it meets a limit of options->load (error says so). Linear in the size of the file; data that
 * accessors make of the same bytes again and again is looked at as far as limits.memory_bytes allows, and
 * SKINNING_CHECK_INCOMPLETE is found where that is not enough. */
SUPPLE_API supple_check_report *supple_check_file(const char *path,
                                                  const supple_check_options *options,
                                                  supple_error *error);
/* The same from memory, borrowed during the call. */
SUPPLE_API supple_check_report *supple_check_memory(const void *data, size_t size,
                                                    const supple_check_options *options,
                                                    supple_error *error);
/* A document as it is now. */
SUPPLE_API supple_check_report *supple_check_document(supple_document *document,
                                                      const supple_check_options *options,
                                                      supple_error *error);
/* NULL is fine. */
SUPPLE_API void supple_check_report_free(supple_check_report *report);

/* All codes, in a fixed order; NULL past the end. */
SUPPLE_API const supple_code *supple_check_code(uint32_t index);
/* "error", "warning", "information", "hint" */
SUPPLE_API const char *supple_severity_text(supple_severity severity);

#ifdef __cplusplus
}
#endif
#endif
