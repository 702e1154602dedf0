# test_command_convert.py: `supple convert`: usage, --dry-run, files that are whole or absent.
import json
import os
import stat

import _usd
from _cli import check, expect, main, run, scratch, tube, write_gltf, write_plain
from test_usd_material import inside, textured

TEXTURED = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}


def folder(name):
    path = scratch(name)
    os.makedirs(path, exist_ok=True)
    for entry in os.listdir(path):
        os.remove(os.path.join(path, entry))
    return path


def test_usage():
    path = write_gltf("tube.gltf", tube())
    expect(2, "say -o OUT.usda", "convert", path)
    expect(2, "the ending must be .usda", "convert", path, "-o", scratch("out.fbx"))
    expect(2, "--rest does not go with --clip", "convert", path, "-o", scratch("usage.usda"), "--rest", "--clip", "turn")
    expect(2, "did you mean 'turn'", "convert", path, "-o", scratch("usage.usda"), "--clip", "tunr")
    expect(2, "--fps", "convert", path, "-o", scratch("usage.usda"), "--fps", "0")
    expect(2, "one of lbs|dqs", "convert", path, "-o", scratch("usage.usda"), "--method", "cor")
    expect(1, "cannot", "convert", scratch("absent.glb"), "-o", scratch("usage.usda"))
    expect(1, "cannot write", "convert", path, "-o", scratch("no/such/folder/usage.usda"))
    check(not os.path.exists(scratch("usage.usda")), "nothing was written")


def test_same_output():
    path = write_gltf("tube.gltf", tube())
    expect(0, "", "convert", path, "-o", scratch("tube.usda"))
    with open(scratch("tube.usda"), "rb") as file:
        data = file.read()
    check(expect(0, "", "convert", path, "-o", "-").out == data, "on stdout the same")
    with open(path, "rb") as file:
        again = expect(0, "", "convert", "-", "-o", scratch("tube.usda"), stdin=file.read())
    with open(scratch("tube.usda"), "rb") as file:
        check(file.read() == data and again.code == 0, "from stdin the same")
    expect(0, "", "convert", write_plain("plain.gltf"), "-o", scratch("plain.usda"))
    check(len(_usd.load(scratch("plain.usda")).root.all("Mesh")) == 2, "a file without skins")
    expect(0, "", "convert", path, "-o", scratch("TUBE.USDA"))


def test_dry_run():
    out = folder("dry")
    path = write_gltf("dry.gltf", textured(TEXTURED, [inside(5)]))
    done = expect(0, "", "convert", path, "-o", os.path.join(out, "a.usda"), "--dry-run")
    check(os.listdir(out) == [], "nothing is written")
    lines = done.out.decode().splitlines()
    check(len(lines) == 2 and lines[0].endswith(" bytes") and "a-image_0.png" in lines[0] and
          lines[1].endswith("a.usda"), "what would be: %s" % lines)


def test_all_or_none():
    """Where one file cannot take its place, no other does."""
    out = folder("whole")
    path = write_gltf("whole.gltf", textured(TEXTURED, [inside(5)]))
    expect(0, "", "convert", path, "-o", os.path.join(out, "a.usda"))
    before = {}
    for name in os.listdir(out):
        with open(os.path.join(out, name), "rb") as file:
            before[name] = file.read()
    check(sorted(before) == ["a-image_0.png", "a.usda"], "both files: %s" % sorted(before))
    if os.geteuid() == 0 or os.name != "posix":
        import resource
        limits = (4096, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
        done = run("convert", path, "-o", os.path.join(out, "b.usda"),
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits))
        check(done.code == 1 and "cannot write" in done.err, "a full disk: %d %s" % (done.code, done.err))
    else:
        os.chmod(out, stat.S_IRUSR | stat.S_IXUSR)
        expect(1, "cannot write", "convert", path, "-o", os.path.join(out, "b.usda"))
        os.chmod(out, stat.S_IRWXU)
    check(sorted(os.listdir(out)) == sorted(before), "nothing new, nothing left behind: %s" % sorted(os.listdir(out)))


def test_notes():
    gltf = tube(lambda streams: streams["weights"].__setitem__(slice(0, 4), [2, 0, 0, 0]))
    expect(0, "do not sum to 1", "convert", write_gltf("sums.gltf", gltf), "-o", scratch("sums.usda"))
    done = expect(0, "vertices are up to", "convert", write_gltf("tube.gltf", tube()), "-o", scratch("tube.usda"), "-v")
    check("of the size" in done.err, "with -v also what is lost by rounding: " + done.err)


def test_locale():
    path = write_gltf("tube.gltf", tube())
    plain = expect(0, "", "convert", path, "-o", "-").out
    environment = dict(os.environ, LC_ALL="de_DE.UTF-8")
    check(expect(0, "", "convert", path, "-o", "-", env=environment).out == plain, "whatever the locale")


if __name__ == "__main__":
    main([test_usage, test_same_output, test_dry_run, test_all_or_none, test_notes, test_locale])
