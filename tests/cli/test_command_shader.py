# test_command_shader.py: `supple shader`: what it prints, where to, and what it refuses. (tests/shader/ compiles it.)
import os
import struct

from _cli import check, expect, main, run, scratch


def test_prints():
    done = expect(0, "", "shader", "--lang", "glsl-330")
    text = done.out.decode()
    check(text.startswith("#version 330 core\n"), "no version")
    check("dual quaternion" in text and "supple_palette" in text, "not the dual quaternion shader")
    check("// How to use it" in text.split("void main")[0], "no usage note")
    lbs = expect(0, "", "shader", "--lang", "glsl-330", "--method", "lbs").out.decode()
    check("linear blend" in lbs and "-1e-6" not in lbs, "not the linear shader")
    check(expect(0, "", "shader", "--lang=glsl-330", "--stage=vertex", "--method=dqs", "--scale=affine",
                 "--signs=vertex", "--influences=4", "--normals=cofactor", "--palette=texture").out == done.out,
          "the defaults are others")


def test_output():
    path = scratch("shader.wgsl")
    done = expect(0, "", "shader", "--lang", "wgsl", "--stage", "compute", "-o", path)
    check(done.out == b"", "printed, though -o was given")
    with open(path, "rb") as file:
        check(file.read() == run("shader", "--lang", "wgsl", "--stage", "compute").out, "-o differs")
    expect(1, "no/such/folder", "shader", "--lang", "wgsl", "-o", scratch("no/such/folder/shader.wgsl"))
    check(not os.path.exists(scratch("no")), "made a folder")


def test_spirv():
    done = expect(0, "", "shader", "--lang", "spirv", "--stage", "compute")
    check(len(done.out) % 4 == 0 and struct.unpack("=I", done.out[:4])[0] == 0x07230203, "not a module")
    expect(0, "morph_count 0", "shader", "--lang", "spirv", "--morph")


def test_list():
    text = expect(0, "", "shader", "--list").out.decode()
    rows = dict(line.split(None, 1) for line in text.strip().split("\n"))
    check(sorted(rows) == sorted("glsl-330 glsl-430 glsl-450 glsl-es-300 hlsl msl wgsl spirv".split()), text)
    for name, stages in rows.items():
        expect(0, "", "shader", "--lang", name, "-o", scratch("listed"))
        done = run("shader", "--lang", name, "--stage", "compute", "-o", scratch("listed"))
        check((done.code == 0) == ("compute" in stages), "%s: compute" % name)


def test_refused():
    expect(2, "name a language", "shader")
    expect(2, "glsl-120", "shader", "--lang", "glsl-120")
    expect(2, "no compute stage", "shader", "--lang", "glsl-330", "--stage", "compute")
    expect(2, "'first'", "shader", "--lang", "wgsl", "--scale", "first")
    expect(2, "normals too", "shader", "--lang", "wgsl", "--normals", "none", "--tangents")
    expect(2, "no storage buffers", "shader", "--lang", "glsl-es-300", "--palette", "storage")
    expect(2, "texture", "shader", "--lang", "msl", "--palette", "texture")
    expect(2, "--method dqs", "shader", "--lang", "msl", "--method", "lbs", "--scale", "none")
    expect(2, "signs by pose", "shader", "--lang", "spirv", "--signs", "pose")
    expect(2, "glsl-450", "shader", "--lang", "spirv", "--functions")
    expect(2, "4|8|n", "shader", "--lang", "glsl-330", "--influences", "5")
    expect(2, "too many", "shader", "--lang", "glsl-330", "asset.glb")


main([test_prints, test_output, test_spirv, test_list, test_refused])
