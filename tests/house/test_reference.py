# test_reference.py: a comment speaks of everything that the public headers declare, and Doxygen has no complaint.
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys

ROOT, SCRATCH = os.environ["SUPPLE_SOURCE_DIR"], os.environ["SUPPLE_SCRATCH"]
FILTER = os.path.join(ROOT, "docs", "doxygen_filter.py")

HEADER = """/* x.h: a header. */
#ifndef SUPPLE_X_H
#define SUPPLE_X_H
#ifdef __cplusplus
extern "C" {
#endif
#define SUPPLE_ONE 1 /* the number <one> */
#define SUPPLE_TWO 2
/* ---- things ---- */
typedef enum supple_thing {
  SUPPLE_THING_A, /* the first */
  SUPPLE_THING_B
} supple_thing;

/* A pair. */
typedef struct supple_pair {
  int a, b; /* both */
  /* three words
   * of two lines */
  int (*call)(void *user /* not of ours */);
  int alone;
} supple_pair;

/* Of both functions. */
SUPPLE_API int supple_one(int x,
                          int y);
SUPPLE_API int supple_two(void);
SUPPLE_API void supple_pair_free(supple_pair *pair);

SUPPLE_API int supple_three(void);
/* Inline. */
static inline int supple_four(void) { /* within */ return 4; }
#ifdef __cplusplus
}
#endif
#endif
"""
UNDOCUMENTED = ["#define SUPPLE_TWO 2", "typedef enum supple_thing", "SUPPLE_THING_B", "int alone", "supple_pair_free",
                "supple_three"]
EXPECTED = ["/** @file x.h\nA header. */", "/** the number &lt;one&gt; */\n#define SUPPLE_ONE", "/** the first */ SUPPLE_THING_A",
            "/** A pair. */ typedef struct supple_pair", "/** both */ int a,/** both */  b;",
            "/** three words\nof two lines */ int (*call)(void *user /* not of ours */)",
            "/** Of both functions. */ SUPPLE_API int supple_one", "/** Of both functions. */ SUPPLE_API int supple_two",
            "/** Inline. */ static inline int supple_four(void) { /* within */"]


def load_filter():
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("doxygen_filter", FILTER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prove(module):
    """The filter on a small header: what it finds undocumented, and what it makes of the rest."""
    reader = module.Reader("x.h", HEADER)
    found = [text for _, text in sorted(reader.undocumented())]
    failures = []
    if len(found) != len(UNDOCUMENTED) or any(re.sub(r"\W", "", u) not in re.sub(r"\W", "", f)
                                              for u, f in zip(UNDOCUMENTED, found)):
        failures.append("undocumented: %s" % found)
    text = reader.result()
    failures += ["not in the output: %s\n%s" % (part, text) for part in EXPECTED if part not in text]
    bare = [re.sub(r"\s+|/\*.*?\*/", "", source, flags=re.S) for source in (HEADER, text)]
    if bare[0] != bare[1]:
        failures.append("the filter changes code: %s" % text)
    if HEADER.count("\n") > text.count("\n"):
        failures.append("the filter drops lines")
    return failures


def main():
    module = load_filter()
    problems = ["the check itself is wrong: " + failure for failure in prove(module)]
    headers = sorted(glob.glob(os.path.join(ROOT, "include", "supple", "*.h")))
    for path in headers:
        problems += ["%s:%d: no comment speaks of: %s" % (os.path.relpath(path, ROOT), line, text)
                     for line, text in module.read(path).undocumented()]
    if shutil.which("doxygen"):
        shutil.rmtree(os.path.join(SCRATCH, "reference"), ignore_errors=True)
        done = subprocess.run(["doxygen", "docs/Doxyfile"], cwd=ROOT, capture_output=True, text=True, timeout=250,
                              env={**os.environ, "SUPPLE_DOCS": SCRATCH, "SUPPLE_VERSION": ""})
        if done.returncode or done.stderr.strip():
            problems.append("doxygen: status %d\n%s" % (done.returncode, done.stderr))
        elif not os.path.exists(os.path.join(SCRATCH, "reference", "deform_8h.html")):
            problems.append("doxygen wrote no page of deform.h")
    else:
        print("doxygen is not there: its own warnings were not looked at")
    for problem in problems:
        print(problem)
    print("%d headers, %d problems" % (len(headers), len(problems)))
    return 1 if problems else 0


sys.exit(main())
