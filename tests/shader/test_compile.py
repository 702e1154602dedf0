# test_compile.py: shaders of every language are compiled by what is here: glslang (GLSL, HLSL), spirv-val, naga and
# Tint (WGSL), a C++ compiler (MSL). What is missing is said; with nothing at all the test is skipped.
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _shader

PROBLEMS = []
HERE = os.path.dirname(os.path.abspath(__file__))


def run(arguments, **more):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=300, **more)


def fail(what, options, done):
    PROBLEMS.append(" ".join(options))
    print("FAIL %s: supple shader %s\n%s%s" % (what, " ".join(options), done.stdout[-1500:], done.stderr[-1500:]))


def kind_of(options):
    return "comp" if "compute" in options else "vert"


def write(name, data):
    path = os.path.join(_shader.SCRATCH, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def check_glslang():
    if not shutil.which("glslangValidator"):
        return "glslangValidator (glslang-tools)"
    spirv = shutil.which("spirv-val")
    module = os.path.join(_shader.SCRATCH, "module.spv")
    count = 0
    for language in ("glsl-330", "glsl-430", "glsl-450", "glsl-es-300", "hlsl"):
        for options in _shader.some(language, 10):
            kind = kind_of(options)
            path = write("shader." + kind, _shader.shader(options))
            target = {"glsl-450": ["-V", "-o", module], "hlsl": ["-D", "-V", "-e", "main", "-o", module]}.get(language, [])
            done = run(["glslangValidator", "-S", kind] + target + [path])
            count += 1
            if done.returncode:
                fail("glslang", options, done)
            elif target and spirv:
                done = run([spirv, module])
                if done.returncode:
                    fail("spirv-val", options, done)
    # It must be able to fail.
    broken = _shader.shader(["--lang", "glsl-330"]).replace(b"supple_divide(ax", b"supple_divided(ax")
    if run(["glslangValidator", "-S", "vert", write("broken.vert", broken)]).returncode == 0:
        PROBLEMS.append("glslang takes everything")
    print("glslang: %d shaders" % count)
    return None


def check_modules():
    if not shutil.which("spirv-val"):
        return "spirv-val (spirv-tools)"
    count = 0
    for options in _shader.spirv():
        done = run(["spirv-val", "--target-env", "vulkan1.0", write("module.spv", _shader.shader(options))])
        count += 1
        if done.returncode:
            fail("spirv-val", options, done)
    print("spirv-val: %d modules" % count)
    return None


def check_crossed():
    """The modules through spirv-cross, as engines do, and what it writes through glslang."""
    if not shutil.which("spirv-cross") or not shutil.which("glslangValidator"):
        return "spirv-cross and glslangValidator"
    count = 0
    for options in list(_shader.spirv())[::3]:
        module = write("module.spv", _shader.shader(options))
        kind = kind_of(options)
        for ending, arguments, target in (("hlsl", ["--hlsl", "--shader-model", "50"], ["-D", "-V", "-e", "main"]),
                                          ("glsl", ["--version", "430", "--no-es"], [])):
            path = os.path.join(_shader.SCRATCH, "crossed." + ending)
            done = run(["spirv-cross", module, "--output", path] + arguments)
            if done.returncode == 0:
                out = ["-o", os.path.join(_shader.SCRATCH, "crossed.spv")] if target else []
                done = run(["glslangValidator", "-S", kind] + target + out + [path])
            count += 1
            if done.returncode:
                fail("spirv-cross, " + ending, options, done)
    print("spirv-cross: %d texts" % count)
    return None


def check_functions():
    """Functions alone, with a version and a main() of one's own."""
    if not shutil.which("glslangValidator"):
        return None
    own = (b"#version 330 core\nin vec3 p;\nin vec3 n;\nin uvec4 j;\nin vec4 w;\nout vec3 colour;\n%s\nvoid main() {\n"
           b"  supple_deformed rest;\n  rest.position = p;\n  rest.normal = n;\n"
           b"  supple_deformed posed = supple_deform(rest, j, w, uint(gl_VertexID));\n"
           b"  colour = posed.normal;\n  gl_Position = vec4(posed.position, 1.0);\n}\n")
    options = ["--lang", "glsl-330", "--functions"]
    done = run(["glslangValidator", "-S", "vert", write("own.vert", own % _shader.shader(options))])
    if done.returncode:
        fail("glslang", options, done)
    return None


def wgsl_files():
    """Path of each shader, with its options; the last is wrong: every checker must find it."""
    made = [(write("shader_%d.wgsl" % number, _shader.shader(options)), options)
            for number, options in enumerate(_shader.some("wgsl", 24))]
    broken = _shader.shader(["--lang", "wgsl"]).replace(b"return supple_palette[i];", b"return supple_palette[i].x;")
    return made + [(write("broken.wgsl", broken), ["(broken)"])]


def report(checker, said, files):
    """Lines "FILE: message" of a checker, by file."""
    wrong = dict(line.partition(": ")[::2] for line in said.split("\n") if ": " in line)
    for path, options in files[:-1]:
        if path in wrong:
            PROBLEMS.append(path)
            print("FAIL %s: supple shader %s: %s" % (checker, " ".join(options), wrong[path]))
    if files[-1][0] not in wrong:
        PROBLEMS.append(checker + " takes everything")
        print("FAIL %s: %s" % (PROBLEMS[-1], said))
    print("%s: %d shaders" % (checker, len(files) - 1))


def check_naga(files):
    if not shutil.which("node") or not shutil.which("spirv-val"):
        return "node and spirv-val"
    done = run(["node", os.path.join(HERE, "_naga.mjs")] + [path for path, _ in files])
    if done.returncode == 77:
        return done.stdout.strip()
    said = done.stdout + done.stderr
    for path, _ in files:
        if os.path.isfile(path + ".spv"):
            valid = run(["spirv-val", path + ".spv"])
            said += "%s: %s\n" % (path, valid.stderr.strip().replace("\n", " ")) if valid.returncode else ""
    report("naga", said, files)
    return None


def check_tint(files):
    if not shutil.which("node"):
        return None
    environment = dict(os.environ, XDG_RUNTIME_DIR=_shader.SCRATCH)
    swiftshader = "/usr/lib/chromium/vk_swiftshader_icd.json"
    if os.path.isfile(swiftshader):
        environment.setdefault("VK_ICD_FILENAMES", swiftshader)
    done = run(["node", os.path.join(HERE, "../gpu/_check_wgsl.mjs")] + [path for path, _ in files], env=environment)
    if done.returncode == 77:
        return done.stdout.strip()
    report("Tint", done.stdout + done.stderr, files)
    return None


def check_msl():
    """All in one program, each in a namespace of its own."""
    compiler = shutil.which("c++")
    if not compiler:
        return "a C++ compiler (c++)"
    lines, chosen = ["#include <metal_stdlib>"], _shader.some("msl", 24)
    for number, options in enumerate(chosen):
        write("shader_%d.metal" % number, _shader.shader(options))
        lines.append('namespace shader_%d {\n#include "shader_%d.metal"\n}' % (number, number))
    path = write("all.cpp", "\n".join(lines + [""]).encode())
    done = run([compiler, "-std=c++17", "-fsyntax-only", "-Wall", "-Wno-attributes", "-Wno-unused-function",
                "-Wno-unknown-attributes", "-Wno-unknown-warning-option", "-Werror", "-I",
                os.path.join(_shader.SOURCE, "tests/gpu/metal"), path])
    if done.returncode:
        fail("c++", ["--lang", "msl"], done)
    print("MSL as C++: %d shaders" % len(chosen))
    return None


def main():
    _shader.need_command()
    files = wgsl_files()
    missing = [m for m in (check_glslang(), check_modules(), check_crossed(), check_functions(), check_naga(files),
                           check_tint(files), check_msl()) if m]
    for what in missing:
        print("not here: " + what)
    if PROBLEMS:
        return 1
    return 77 if len(missing) >= 6 else 0


sys.exit(main())
