# _shader.py: what the script tests of shaders share: the combinations there are.
import itertools
import os
import random
import subprocess
import sys

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
SOURCE = os.environ.get("SUPPLE_SOURCE_DIR", "")
SCRATCH = os.environ.get("SUPPLE_SCRATCH", "")
LANGUAGES = ["glsl-330", "glsl-430", "glsl-450", "glsl-es-300", "hlsl", "msl", "wgsl"]
SMALL = ("glsl-330", "glsl-es-300")


def combinations(language):
    """Every shader of a language, as the command's options."""
    stages = ["vertex"] if language in SMALL else ["vertex", "compute"]
    memories = ["texture", "uniform"] if language in SMALL else ["storage", "uniform"]
    if language == "glsl-430":
        memories.append("texture")
    methods = [["--method", "lbs"]] + [["--method", "dqs", "--scale", scale, "--signs", signs]
                                       for scale in ("affine", "none") for signs in ("vertex", "pose")]
    frames = [["--normals", "none"]] + [["--normals", n] + t for n in ("cofactor", "unit", "linear")
                                        for t in ([], ["--tangents"])]
    for stage, memory, method, count, frame, morph in itertools.product(
            stages, memories, methods, ("4", "8", "n"), frames, ([], ["--morph"])):
        yield ["--lang", language, "--stage", stage, "--palette", memory, "--influences", count] + method + frame + morph


def some(language, count):
    """The same few of them in every run."""
    every = list(combinations(language))
    random.Random(language).shuffle(every)
    return every[:count]


def spirv():
    """Every module."""
    for method in (["--method", "lbs"], ["--method", "dqs"], ["--method", "dqs", "--scale", "none"]):
        yield ["--lang", "spirv", "--stage", "compute"] + method
        yield ["--lang", "spirv", "--stage", "compute", "--normals", "none"] + method
        for count in ("4", "8", "n"):
            for tangents in ([], ["--tangents"]):
                yield ["--lang", "spirv", "--stage", "vertex", "--influences", count] + method + tangents


def shader(options):
    done = subprocess.run([COMMAND, "shader"] + options, capture_output=True, timeout=60)
    if done.returncode or not done.stdout:
        print("supple shader %s: exit %d: %s" % (" ".join(options), done.returncode, done.stderr.decode()))
        sys.exit(1)
    return done.stdout


def need_command():
    if not COMMAND or not os.path.isfile(COMMAND):
        print("skipped: the command was not built")
        sys.exit(77)
    os.makedirs(SCRATCH, exist_ok=True)
