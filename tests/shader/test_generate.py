# test_generate.py: what is generated from shaders/ is what is committed, and what the command prints.
import filecmp
import importlib.util
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _shader

PROBLEMS = []


def check(fine, what):
    if not fine:
        PROBLEMS.append(what)
        print("FAIL " + what)


def load_generator():
    spec = importlib.util.spec_from_file_location("generate", os.path.join(_shader.SOURCE, "shaders", "generate.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_committed(generator):
    """Writes everything anew and compares. SPIR-V only where the same programs compile it as before."""
    recorded = open(os.path.join(_shader.SOURCE, "src/shader/shader_spirv.inl"), encoding="utf-8").read().split("\n")[1]
    tools = all(shutil.which(name) for name in ("glslangValidator", "spirv-opt"))
    same = tools and generator.versions() in recorded
    if not same:
        print("SPIR-V not compared: made with%s, and here is %s" % (
            recorded.strip("* /"), generator.versions() if tools else "neither glslangValidator nor spirv-opt"))
    fresh = os.path.join(_shader.SCRATCH, "fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    generator.generate(fresh, same)
    count = 0
    for folder, _, names in os.walk(fresh):
        for name in names:
            path = os.path.join(folder, name)
            place = os.path.relpath(path, fresh)
            committed = os.path.join(_shader.SOURCE, place)
            check(os.path.isfile(committed) and filecmp.cmp(path, committed, shallow=False),
                  "%s is not what shaders/generate.py writes: run it" % place)
            count += 1
    for name in os.listdir(os.path.join(_shader.SOURCE, "shaders/generated")):
        check(os.path.isfile(os.path.join(fresh, "shaders/generated", name)),
              "shaders/generated/%s is left over: delete it" % name)
    print("%d files written anew" % count)


def flags_of(options):
    """The conditions that hold, from the command's options."""
    given = dict(zip(options, options[1:]))
    flag = {"glsl-330": "glsl_330", "glsl-430": "glsl_430", "glsl-450": "glsl_450", "glsl-es-300": "glsl_es"}
    language = given["--lang"]
    flags = {flag.get(language, language), given["--stage"], given["--palette"], "main",
             {"4": "four", "8": "eight", "n": "any"}[given["--influences"]]}
    if given["--method"] == "lbs":
        flags.add("lbs")
    else:
        flags.add({"affine": "affine", "none": "rigid"}[given["--scale"]])
        if given["--signs"] == "pose":
            flags.add("pose")
    if given["--normals"] != "none":
        flags |= {"normals", given["--normals"]} - {"unit"}
    for word in ("tangents", "morph"):
        if "--" + word in options:
            flags.add(word)
    return flags


def check_command(generator):
    """The conditions are evaluated twice, here and in C: both must say the same."""
    templates = {name: generator.template(name) for name in generator.LANGUAGES}
    count = 0
    for language in _shader.LANGUAGES:
        for options in _shader.some(language, 16):
            lines = templates["glsl" if language.startswith("glsl") else language]
            expected = "\n".join(generator.resolve(lines, flags_of(options))) + "\n"
            check(_shader.shader(options).decode() == expected, "supple shader %s differs" % " ".join(options))
            count += 1
    for flag, name, shown in generator.READABLE:
        for stage in ("vertex", "compute"):
            if stage == "compute" and shown in _shader.SMALL:
                continue
            path = [n for n in os.listdir(os.path.join(_shader.SOURCE, "shaders/generated"))
                    if n.startswith("%s.%s.dqs." % (shown, stage))]
            text = open(os.path.join(_shader.SOURCE, "shaders/generated", path[0]), "rb").read()
            check(_shader.shader(["--lang", shown, "--stage", stage]) == text, "%s is not the default" % path[0])
    print("%d texts compared" % count)


def check_generator(generator):
    """It must be able to fail."""
    for wrong in (["@if vertex", "a"], ["@end"], ["@if fragment", "@end"], ["@what"]):
        try:
            generator.check_conditions(wrong)
            check(False, "the generator takes %s" % wrong)
        except generator.Wrong:
            pass
    flags = {"vertex", "lbs"}
    for condition, holds in (("vertex", True), ("compute", False), ("vertex !compute", True), ("compute | lbs", True),
                             ("vertex compute | lbs !vertex", False), ("!lbs", False)):
        check(generator.holds(condition, flags) == holds, "condition " + condition)


def main():
    _shader.need_command()
    generator = load_generator()
    check_generator(generator)
    check_committed(generator)
    check_command(generator)
    return 1 if PROBLEMS else 0


sys.exit(main())
