# test_layers.py: the order of the layers, a test for every source, the prologue, and the names of files.
#
# Run without arguments it checks the repository, after proving on small wrong trees that it can fail.
import os
import re
import sys
import tempfile

# Who may include whom. Headers in include/supple/ belong to the layer they are named after.
LAYERS = {
    "base": set(),
    "math": {"base"},
    "rig": {"base", "math"},
    "mesh": {"base", "math", "rig"},
    "simd": {"base"},
    "kernels": {"base", "simd"},
    "deform": {"base", "math", "rig", "mesh", "kernels"},
    "measure": {"base", "math", "rig", "mesh", "kernels", "deform"},
    "gltf": {"base", "math", "rig", "mesh"},
    "check": {"base", "math", "rig", "mesh", "kernels", "deform", "measure", "gltf"},
    "fix": {"base", "math", "rig", "mesh", "kernels", "deform", "measure", "gltf", "check"},
    "shader": {"base", "math", "rig", "mesh", "kernels", "deform"},
}
# Headers that are not named after their layer.
HEADER_LAYERS = {"document": "gltf", "codecs": "gltf"}
# The binding keeps the table of kernels; the deformers call it. Neither sees anything else of kernels.
KERNELS_HEADER = "src/kernels/kernels.h"
OUTSIDE = ("cli", "codecs", "web", "bench", "examples")  # these see <supple/...> alone
CODE = (".c", ".h", ".inl")
COMMENTED = CODE + (".py", ".sh", ".cmake")
C11_HEADERS = set(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg"
    " stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar wctype".split())
# Not for the library: threads and state of the process, or numbers that depend on the locale.
UNWANTED_HEADERS = {"locale", "setjmp", "signal", "fenv", "tgmath", "complex", "time"}
# Headers of the system in single files, each with its reason in docs/decisions.md.
SYSTEM_HEADERS = {"src/gltf/file_read.c": {"sys/stat.h"}}
INTRINSIC_HEADERS = {"immintrin.h", "arm_neon.h", "wasm_simd128.h", "cpuid.h", "intrin.h", "emmintrin.h"}
# Several files of one name are what tools expect of these.
COMMON_NAMES = {"CMakeLists.txt", "README.md", "main.c", "index.html"}


def files_of(root):
    """Every file of the repository, as paths from the root, build products left out."""
    found = []
    for folder, folders, names in os.walk(root):
        place = os.path.relpath(folder, root)
        folders[:] = sorted(
            f for f in folders
            if f not in ("__pycache__", "node_modules") and not (place == "." and f in ("build", "demo"))
            and (not f.startswith(".") or f == ".ci"))
        found += [os.path.normpath(os.path.join(place, name)).replace(os.sep, "/") for name in sorted(names)]
    return found


def text_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def includes_of(text):
    """(line, bracket, name) of every #include outside comments."""
    bare = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
    for number, line in enumerate(bare.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1), match.group(2)


def layer_of(path):
    parts = path.split("/")
    if parts[:2] == ["include", "supple"]:
        name = parts[-1][:-2]
        return "umbrella" if name == "supple" else HEADER_LAYERS.get(name, name)
    return parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]


def resolve(path, bracket, name):
    """The included file as a path from the root, or None for a header of the system."""
    if bracket == "<":
        return "include/" + name if name.startswith("supple/") else None
    return os.path.normpath(os.path.join(os.path.dirname(path), name)).replace(os.sep, "/")


def check_library_include(path, layer, target, name):
    if target is None:
        plain = name[:-2] if name.endswith(".h") else name
        if name in INTRINSIC_HEADERS and layer in ("base", "simd", "kernels"):
            return None
        if name in SYSTEM_HEADERS.get(path, ()):
            return None
        if plain not in C11_HEADERS:
            return "<%s> is no header of C11" % name
        if plain in UNWANTED_HEADERS:
            return "<%s> is not for the library" % name
        return None
    if target == "include/supple/supple.h":
        return "the library includes the headers it needs, not supple.h"
    other = layer_of(target)
    if other == layer or (layer in LAYERS and other in LAYERS[layer]):
        if other == "kernels" and layer != "kernels" and target != KERNELS_HEADER:
            return "of kernels only kernels.h may be included"
        return None
    if layer == "mesh" and target == KERNELS_HEADER:
        return None
    if layer not in LAYERS:
        return "%s is no layer" % layer
    return "%s may not include %s (%s)" % (layer, other, target)


def check_includes(root, path):
    text = text_of(root, path)
    top = path.split("/")[0]
    for line, bracket, name in includes_of(text):
        target = resolve(path, bracket, name)
        problem = None
        if top in ("include", "src"):
            if path == "include/supple/supple.h":
                continue
            problem = check_library_include(path, layer_of(path), target, name)
        elif target is not None and not target.startswith("include/supple/"):
            if target.split("/")[0] != top:
                problem = "%s sees <supple/...> and its own folder alone" % top
        if problem:
            yield "%s:%d: %s" % (path, line, problem)


def check_prologue(root, path):
    names = [name for _, _, name in includes_of(text_of(root, path))]
    expected = "prologue.h" if path.startswith("src/base/") else "../base/prologue.h"
    if not names or names[0] != expected:
        yield '%s: the first include must be "%s"' % (path, expected)


def check_first_line(root, path):
    lines = text_of(root, path).split("\n")
    if lines[0].startswith("#!"):
        lines = lines[1:]
    first = lines[0] if lines else ""
    hash_comment = not path.endswith(CODE)
    if not first.startswith("#" if hash_comment else ("/*", "//")) or len(first.strip("/*# ")) < 8:
        yield "%s: the first line must be a comment that says what the file is" % path
        return
    named = re.match(r"[/*# ]*([\w./-]+\.\w+):", first)
    if named and not path.endswith(named.group(1)):
        yield "%s: the first line speaks of %s" % (path, named.group(1))


def check_test(path, everything):
    parts = path.split("/")
    if parts[0] == "src" and len(parts) == 3:
        wanted = ["tests/%s/test_%s" % (parts[1], parts[2])]
    elif parts[0] == "cli" and len(parts) == 2:
        if parts[1] == "main.c":
            if not any(re.match(r"tests/cli/(test_\w+\.py|[^_/][\w.-]*\.sh)$", p) for p in everything):
                yield "cli/main.c: has no script test in tests/cli"
            return
        stem = "tests/cli/test_%s" % parts[1][:-2]
        wanted = [stem + ".c", stem + ".py", stem + ".sh"]
        if parts[1].startswith("golden"):
            wanted.append("tests/golden/test_" + parts[1])
    elif parts[0] == "codecs":
        wanted = ["tests/codecs/test_%s.c" % parts[1].rsplit(".", 1)[0]]
    else:
        return
    if not any(name in everything for name in wanted):
        yield "%s: has no test (%s)" % (path, " or ".join(wanted))


def check_names(paths):
    seen = {}
    for path in paths:
        name = path.split("/")[-1]
        if name in COMMON_NAMES or path.startswith(("tests/data/", "tests/fuzz/", "web/")):
            continue
        if path.endswith(COMMENTED):
            seen.setdefault(name, []).append(path)
    # A private header may carry the name of the public one it completes.
    for name, where in sorted(seen.items()):
        where = [p for p in where if not p.startswith("include/")] if name.endswith(".h") else where
        if len(where) > 1:
            yield "%s: several files of one name: %s" % (name, ", ".join(where))


def check_tree(root):
    everything = files_of(root)
    known = set(everything)
    problems = []
    for path in everything:
        top = path.split("/")[0]
        if top in ("include", "src") + OUTSIDE and path.endswith(CODE + (".cpp",)):
            problems += check_includes(root, path)
        if top == "src" and path.endswith(".c"):
            problems += check_prologue(root, path)
        if path.endswith((".c", ".cpp")):
            problems += check_test(path, known)
        is_text = path.endswith(COMMENTED) or path.split("/")[-1] == "CMakeLists.txt" or path in ("dev", ".ci/run")
        if is_text and not path.startswith("tests/data/"):
            problems += check_first_line(root, path)
    problems += check_names(everything)
    return problems


# ---- the proof that it can fail ----

GOOD = {
    "include/supple/base.h": "/* base.h: the results of everything. */\n#include <stddef.h>\n",
    "include/supple/rig.h": "/* rig.h: skeletons and poses. */\n#include \"base.h\"\n",
    "include/supple/supple.h": "/* supple.h: the whole library. */\n#include \"rig.h\"\n",
    "src/base/prologue.h": "/* prologue.h: what every source includes first. */\n#include <float.h>\n",
    "src/rig/pose.c": "/* pose.c: poses of a skeleton. */\n#include \"../base/prologue.h\"\n\n"
                      "#include <supple/rig.h>\n#include \"../../include/supple/rig.h\"\n#include <string.h>\n"
                      "/* an example:\n#include <supple/supple.h>\n*/\n",
    "cli/main.c": "/* main.c: the command line. */\n#include <supple/supple.h>\n#include \"options.h\"\n#include <unistd.h>\n",
    "cli/options.h": "/* options.h: what was asked for. */\n",
    "src/gltf/file_read.c": "/* file_read.c: a whole file. */\n#include \"../base/prologue.h\"\n#include <sys/stat.h>\n",
    "tests/gltf/test_file_read.c": "/* test_file_read.c: files. */\n",
    "tests/rig/test_pose.c": "/* test_pose.c: poses. */\n#include \"src/rig/pose.h\"\n",
    "tests/cli/usage.sh": "#!/bin/sh\n# usage.sh: wrong usage exits with 2.\n",
}
# What to add or change, and a part of the complaint that must follow.
BAD = [
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include "../base/prologue.h"\n#include "../../include/supple/deform.h"\n',
     "rig may not include deform"),
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include "../base/prologue.h"\n#include "../mesh/binding.h"\n',
     "rig may not include mesh"),
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include "../base/prologue.h"\n#  include <supple/gltf.h>\n',
     "rig may not include gltf"),
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include "../base/prologue.h"\n#include <supple/supple.h>\n', "not supple.h"),
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include "../base/prologue.h"\n#include <pthread.h>\n', "no header of C11"),
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include "../base/prologue.h"\n#include <locale.h>\n', "not for the library"),
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include "../base/prologue.h"\n#include <sys/stat.h>\n', "no header of C11"),
    ("src/gltf/file_read.c", '/* file_read.c: a file. */\n#include "../base/prologue.h"\n#include <sys/mman.h>\n', "no header of C11"),
    ("src/rig/pose.c", '/* pose.c: poses here. */\n#include <string.h>\n#include "../base/prologue.h"\n', "the first include"),
    ("src/rig/pose.c", '#include "../base/prologue.h"\n', "the first line"),
    ("src/rig/pose.c", '/* clip.c: sampling clips. */\n#include "../base/prologue.h"\n', "speaks of clip.c"),
    ("src/rig/clip.c", '/* clip.c: sampling clips. */\n#include "../base/prologue.h"\n', "has no test"),
    ("src/deform/lbs.h", '/* lbs.h: linear blending. */\n#include "../gltf/json.h"\n', "deform may not include gltf"),
    ("src/deform/lbs.h", '/* lbs.h: linear blending. */\n#include "../kernels/lbs.inl"\n', "only kernels.h"),
    ("src/kernels/lbs.inl", "#define WIDTH 4\n", "the first line"),
    ("src/kernels/lbs.inl", '/* lbs.inl: linear blending. */\n#include "../mesh/binding.h"\n', "kernels may not include mesh"),
    ("src/kernels/kernels_neon.c", '/* kernels_neon.c: on arm64. */\n#include "../base/prologue.h"\n', "test_kernels_neon.c"),
    ("src/simd/vf_neon.h", '/* vf_neon.h: four lanes. */\n#include "../kernels/kernels.h"\n', "simd may not include kernels"),
    ("src/mesh/order.h", '/* order.h: a good order. */\n#include "../simd/vf_neon.h"\n', "mesh may not include simd"),
    ("src/mesh/order.h", '/* order.h: a good order. */\n#include <arm_neon.h>\n', "no header of C11"),
    ("src/rig/tables.inl", '/* tables.inl: numbers. */\n#include "../measure/volume.h"\n', "rig may not include measure"),
    ("src/paint/brush.h", '/* brush.h: a layer nobody knows. */\n#include "../base/prologue.h"\n', "paint is no layer"),
    ("include/supple/base.h", '/* base.h: the results of everything. */\n#include "rig.h"\n', "base may not include rig"),
    ("cli/options.h", '/* options.h: what was asked for. */\n#include "../src/base/memory.h"\n', "its own folder"),
    ("bench/speed.h", '/* speed.h: how fast it is. */\n#include "../cli/options.h"\n', "its own folder"),
    ("cli/skin.c", "/* skin.c: the command skin. */\n", "has no test"),
    ("codecs/draco.cpp", "// draco.cpp: a decoder.\n", "has no test"),
    ("codecs/draco.cpp", '// draco.cpp: a decoder.\n#include "../src/gltf/loader.h"\n', "its own folder"),
    ("tests/cli/usage.sh", None, "no script test"),
    ("tests/cli/usage.sh", "#!/bin/sh\nexit 0\n", "the first line"),
    ("cli/prologue.h", "/* prologue.h: one name, two files. */\n", "several files"),
]


def write_tree(root, tree):
    for path, text in tree.items():
        if text is None:
            continue
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


def prove():
    failures = []
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, GOOD)
        failures += ["a good tree: " + problem for problem in check_tree(root)]
    for path, text, complaint in BAD:
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, {**GOOD, path: text})
            problems = check_tree(root)
            if not any(complaint in problem for problem in problems):
                failures.append("not found: %s in %s (said: %s)" % (complaint, path, problems))
    return failures


def main():
    root = os.environ.get("SUPPLE_SOURCE_DIR") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    failures = prove()
    for failure in failures:
        print("the check itself is wrong:", failure)
    problems = check_tree(root)
    for problem in problems:
        print(problem)
    print("%d proofs, %d problems" % (len(BAD) + 1, len(problems)))
    return 1 if failures or problems else 0


sys.exit(main())
