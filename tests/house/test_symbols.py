# test_symbols.py: what libsupple exports, what it asks of the C library, and what its headers declare.
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Not for the library: processor time, threads, the locale, the terminal, and mathematics whose last bit is up
# to the C library.
UNWANTED = set(
    "sin cos tan asin acos atan atan2 sincos sinf cosf tanf asinf acosf atanf atan2f sincosf exp expf exp2 exp2f log"
    " logf log2 log2f log10 pow powf cbrt cbrtf hypot hypotf fma fmaf setlocale localeconv strtod strtof strtold atof"
    " sscanf __isoc99_sscanf fscanf rand srand time clock clock_gettime getenv system printf puts putchar abort exit"
    " strtok setjmp longjmp signal".split())


def public_functions(text):
    """(name, exported) of every function that a header declares without defining it."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    text = re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text)
    text = text.replace('extern "C" {', " ")
    flat, depth = [], 0  # the text outside braces; a body ends its declaration
    for char in text:
        if char == "{":
            depth += 1
            if depth == 1:
                flat.append("{}")
        elif char == "}":
            depth = max(0, depth - 1)
        elif depth == 0:
            flat.append(char)
    found = []
    for statement in re.split(r";", re.sub(r"\)\s*\{\}", ") ;", "".join(flat))):
        words = " ".join(statement.split())
        if words.startswith(("typedef", "static", "enum", "struct", "union")) and "SUPPLE_API" not in words:
            continue
        match = re.search(r"(\w+)\s*\(", re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", words))
        if match:
            found.append((match.group(1), words.startswith("SUPPLE_API ")))
    return found


def check_headers(headers):
    problems, names = [], set()
    for path, text in headers:
        for name, exported in public_functions(text):
            names.add(name)
            if not exported:
                problems.append("%s: %s is declared without SUPPLE_API" % (path, name))
            if not name.startswith("supple_"):
                problems.append("%s: %s is no name of ours" % (path, name))
    return problems, names


def symbols_of(library):
    """(name, type, section) as nm tells."""
    dynamic = ["-D"] if ".so" in os.path.basename(library) else []
    output = subprocess.run(["nm", "-f", "sysv"] + dynamic + [library], check=True, capture_output=True, text=True).stdout
    rows = []
    for line in output.split("\n"):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and cells[0] != "Name":
            rows.append((cells[0].split("@")[0], cells[2], cells[6]))
    return rows, bool(dynamic)


def check_library(rows, shared, declared):
    problems = []
    defined = {name for name, kind, _ in rows if kind in "TDBRVWCGS"}
    # Weak symbols of a shared object are the start-up code's.
    for name in sorted(defined):
        if not name.startswith(("supple_",) if shared else ("supple_", "supplei_")):
            problems.append("%s is exported under a name that is not ours" % name)
        if name.startswith("supple_") and name not in declared:
            problems.append("%s is exported, but no public header declares it" % name)
    for name in sorted(declared - defined):
        problems.append("%s is declared, but nothing defines it" % name)
    if not shared:
        for name, kind, section in rows:
            if kind in "UuWw" and name in UNWANTED and name not in defined:
                problems.append("the library calls %s" % name)
            # Constant tables of pointers lie in .data.rel.ro until the program is loaded.
            if kind in "dDbBCcsSgG" and not section.startswith(".data.rel.ro"):
                problems.append("%s is global state (%s)" % (name, section))
    return sorted(set(problems))


HEADER = """/* supple_in_a_comment(void); */
#define SUPPLE_API
#define SUPPLE_TWO(a) \\
  supple_in_a_macro(a)
extern "C" {
typedef struct supple_thing { int (*call)(void *user); } supple_thing;
typedef int (*supple_callback)(void *user);
SUPPLE_API const supple_thing *supple_thing_make(int a,
                                                 int b);
static inline int supple_thing_inline(int a) { return a ? supple_twice(a) : 0; }
SUPPLE_API void supple_thing_free(supple_thing *thing);
}
"""
SOURCE = """#include <stdlib.h>
#include <math.h>
int supple_thing_make(int a) { return a; }
int supplei_shared(int a) { return a; }
int stray(int a) { return a; }
double supple_undeclared(double x, const char *text) { static int count; return pow(x, ++count) + atof(text); }
"""


def prove():
    problems, names = check_headers([("x.h", HEADER)])
    failures = []
    if problems or names != {"supple_thing_make", "supple_thing_free"}:
        failures.append("a good header: %s %s" % (problems, sorted(names)))
    problems, _ = check_headers([("x.h", HEADER.replace("SUPPLE_API void", "void"))])
    if problems != ["x.h: supple_thing_free is declared without SUPPLE_API"]:
        failures.append("no SUPPLE_API: %s" % problems)
    problems, _ = check_headers([("x.h", HEADER + "SUPPLE_API int make(void);")])
    if problems != ["x.h: make is no name of ours"]:
        failures.append("foreign name: %s" % problems)
    with tempfile.TemporaryDirectory() as folder:
        source, built = os.path.join(folder, "x.c"), os.path.join(folder, "x.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        subprocess.run(["cc", "-std=c11", "-O1", "-c", source, "-o", built], check=True)
        rows, shared = symbols_of(built)
        text = "\n".join(check_library(rows, shared, names))
    for expected in ("stray is exported", "supple_undeclared is exported", "supple_thing_free is declared",
                     "calls pow", "global state"):
        if expected not in text:
            failures.append("not found: %s in\n%s" % (expected, text))
    if "supplei_shared" in text or "supple_thing_make" in text:
        failures.append("wrongly found:\n" + text)
    return failures


def main():
    library = os.environ.get("SUPPLE_LIBRARY", "")
    root = os.environ["SUPPLE_SOURCE_DIR"]
    if not library or not shutil.which("nm") or not shutil.which("cc"):
        print("needs nm, cc and the built library in SUPPLE_LIBRARY: skipped")
        return 77
    failures = prove()
    for failure in failures:
        print("the check itself is wrong:", failure)
    folder = os.path.join(root, "include", "supple")
    headers = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            headers.append(("include/supple/" + name, file.read()))
    # codecs.h speaks of a library of its own, whose symbols tests/codecs asks for.
    problems, _ = check_headers([(path, text) for path, text in headers if path.endswith("/codecs.h")])
    others, declared = check_headers([(path, text) for path, text in headers if not path.endswith("/codecs.h")])
    problems += others + check_library(*symbols_of(library), declared)
    for problem in problems:
        print(problem)
    print("%d public functions, %d problems" % (len(declared), len(problems)))
    return 1 if failures or problems else 0


sys.exit(main())
