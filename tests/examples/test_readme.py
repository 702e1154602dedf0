# test_readme.py: the README's C compiles, runs, and gives the positions that the command gives.
import glob
import json
import os
import re
import shutil
import subprocess
import sys

ROOT, SCRATCH = os.environ["SUPPLE_SOURCE_DIR"], os.environ["SUPPLE_SCRATCH"]
COMMAND = os.environ.get("SUPPLE_COMMAND", "")
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]
# Around the snippet: includes, main(), and what shows its result. Lines of the snippet that begin with # come first.
AFTER = """
for (uint32_t i = 0; i < 3 * mesh->vertex_count; i++) printf("%.9g\\n", (double)xyz[i]);
free(xyz);
supple_prepared_destroy(prepared);
supple_binding_destroy(binding);
supple_palette_destroy(palette);
supple_pose_destroy(pose);
supple_asset_free(asset);
return 0;
"""


def run(*arguments, cwd=None):
    done = subprocess.run(arguments, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL, cwd=cwd,
                          timeout=200)
    if done.returncode:
        sys.exit("%s\nfails with %d:\n%s%s" % (" ".join(arguments), done.returncode, done.stdout[-2000:], done.stderr))
    return done.stdout


def program_of(snippet):
    lines = snippet.split("\n")
    head = [line for line in lines if line.startswith("#")]
    body = [line for line in lines if not line.startswith("#")]
    return "\n".join(head + ["#include <stdio.h>", "#include <stdlib.h>", "int main(void) {"] + body) + AFTER + "}\n"


def main():
    if not COMMAND or not shutil.which("cc"):
        print("needs cc and the command: skipped")
        return 77
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        snippets = re.findall(r"(?ms)^```c\n(.*?)^```$", file.read())
    if len(snippets) != 1:
        sys.exit("README.md has %d blocks of C, not one" % len(snippets))
    code = [line for line in snippets[0].split("\n") if line.strip()]
    if not 10 <= len(code) <= 20:
        sys.exit("the README's C has %d lines; about 15 are meant" % len(code))
    source, program = os.path.join(SCRATCH, "readme.c"), os.path.join(SCRATCH, "readme")
    with open(source, "w", encoding="utf-8") as file:
        file.write(program_of(snippets[0]))
    # The library from its sources: the one of this build may want a sanitizer.
    run("cc", "-std=c11", "-O1", *WARNINGS, "-I" + os.path.join(ROOT, "include"), "-c", source, "-o", source + ".o")
    run("cc", "-std=c11", "-O1", "-I" + os.path.join(ROOT, "include"),
        *sorted(glob.glob(os.path.join(ROOT, "src", "*", "*.c"))), source + ".o", "-o", program, "-lm")
    run(COMMAND, "fixture", "arm", "-o", os.path.join(SCRATCH, "hero.glb"))
    found = [float(line) for line in run(program, cwd=SCRATCH).split()]
    told = run(COMMAND, "skin", "hero.glb", "--method", "dqs", "--clip", "#0", "--time", "0.5", "--json", cwd=SCRATCH)
    wanted = json.loads(told)["primitives"][0]["positions"]
    far = [i for i, (a, b) in enumerate(zip(found, wanted)) if abs(a - b) > 1e-6]
    if len(found) != len(wanted) or not found or far:
        sys.exit("%d numbers, %d wanted, %d differ" % (len(found), len(wanted), len(far)))
    # It deformed at all: the upper half of the arm is turned by 90 degrees.
    at_rest = json.loads(run(COMMAND, "skin", "hero.glb", "--json", cwd=SCRATCH))["primitives"][0]["positions"]
    if max(abs(a - b) for a, b in zip(found, at_rest)) < 0.3:
        sys.exit("the README's clip moves nothing")
    print("%d lines of C, %d vertices" % (len(code), len(found) // 3))
    return 0


sys.exit(main())
