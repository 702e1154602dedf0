# test_joints_text.py: `supple joints --export` and `--import`: what is written, what comes back, what is refused.
import json
import os

from _cli import CORPUS, check, expect, main, run, scratch, tube, write_gltf


def read(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def save(name, text):
    path = scratch(name)
    with open(path, "w") as file:
        file.write(text)
    return path


def exported(path):
    return expect(0, "", "joints", path, "--export", "-").out.decode()


def test_text():
    path = write_gltf("text.gltf", tube())
    text = exported(path)
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    check(lines[0] == 'skin 0 "rig"' and lines[1] == '  joint 0 "root" node 1', "heads: %s" % lines[:2])
    check(lines[2:6] == ["    inverse-bind", "      1 0 0 0", "      0 1 0 0", "      0 0 1 0"], "rows")
    check('  joint 1 "tip" node 2' in lines and "      0 1 0 -1" in lines, "the translation is the fourth column")
    check("    translation 0 1 0" in lines, "rest transform")


def test_unchanged():
    path = write_gltf("same.gltf", tube())
    text = save("same.txt", exported(path))
    out = scratch("same-out.gltf")
    expect(0, "0 joints change", "joints", path, "--import", text, "-o", out)
    check(read(path, "rb") == read(out, "rb"), "the file is the same")


def test_without_a_skin():
    # Not even the comments of an export: an empty file, or one whose lines end as on old machines, says nothing.
    path = write_gltf("none.gltf", tube())
    text = exported(path)
    for name, content in (("empty.txt", ""), ("comments.txt", "# nothing\n\n"), ("old.txt", text.replace("\n", "\r"))):
        save(name, content)
        expect(1, "%s: there is no skin in it" % scratch(name), "joints", path, "--import", scratch(name), "-o", scratch("none.glb"))
        check(not os.path.exists(scratch("none.glb")), "nothing is written")
    gltf = tube()
    del gltf["skins"], gltf["nodes"][0]["skin"]
    path = write_gltf("bare.gltf", gltf)
    expect(0, "0 joints change", "joints", path, "--import", save("bare.txt", exported(path)), "-o", scratch("bare.glb"))


def test_messages_name_the_file():
    gltf = tube()
    gltf["skins"][0]["joints"] = [1, 99]
    expect(1, "supple joints: %s: /skins/0/joints/1: is not a node" % scratch("wrong.gltf"), "joints",
           write_gltf("wrong.gltf", gltf), "--export", scratch("wrong.txt"))
    check(not os.path.exists(scratch("wrong.txt")), "nothing is written")
    gltf = tube()
    gltf["buffers"][0]["uri"] = "/absent.bin"
    expect(1, "%s: /buffers/0/uri: " % scratch("wrong.gltf"), "joints", write_gltf("wrong.gltf", gltf), "--export", "-")


def test_changed():
    path = write_gltf("changed.gltf", tube())
    text = exported(path).replace("    translation 0 1 0", "    translation 0 1.25 0.1 # moved")
    text = text.replace("      0 1 0 -1\n", "      0 1 0 -1.25\n", 1)
    out = scratch("changed-out.gltf")
    expect(0, "1 joints change", "joints", path, "--import", save("changed.txt", text), "-o", out)
    before, after = json.loads(read(path)), json.loads(read(out))
    check(after["nodes"][2]["translation"] == [0, 1.25, 0.1], "node")
    before["nodes"][2]["translation"] = [0, 1.25, 0.1]
    accessor = after["skins"][0]["inverseBindMatrices"]
    check(accessor == before["skins"][0]["inverseBindMatrices"], "the same accessor")
    for table in ("bufferViews", "buffers"):
        del after[table][-1]
    after["accessors"][accessor] = before["accessors"][accessor]
    check(before == after, "nothing else")
    again = exported(out)
    check("      0 1 0 -1.25\n" in again and "translation 0 1.25 0.1\n" in again, "read again")
    expect(0, "would write", "joints", path, "--import", scratch("changed.txt"), "-o", scratch("dry.glb"), "--dry-run")
    check(not os.path.exists(scratch("dry.glb")), "nothing written")


def test_refused():
    path = write_gltf("refused.gltf", tube())
    good = exported(path)
    number = good[:good.index('  joint 1 "tip"')].count("\n") + 1
    cases = [
        ('joint 1 "tip"', 'joint 1 "tap"', ":%d:11: skin 0 has no joint 'tap'; did you mean 'tip'?" % number),
        ('joint 1 "tip"', 'joint 0 "tip"', "joint 0 of skin 0 is not 'tip', which is joint 1"),
        ('joint 1 "tip"', 'joint 7', "has 2 joints, and no number 7"),
        ('joint 1 "tip" node 2', 'joint 1 "tip" node 5', "is not node 5"),
        ('  joint 1 "tip"', '  joint 0 "root" node 1\n  joint 1 "tip"', "stands on line"),
        (good[good.index('  joint 1 "tip"'):], "", "joint 1 'tip' of skin 0 is missing"),
        ('skin 0 "rig"', 'skin 3', "there are 1 skins, and no number 3"),
        ("      0 1 0 -1\n", "      0 1 0\n", "a number is missing"),
        ("      0 1 0 -1\n", "      0 1 0 -1 5\n", "more than is expected"),
        ("      0 1 0 -1\n", "      0 one 0 -1\n", "'one' is not a number"),
        ("      0 1 0 -1\n", "      0 0 0 -1\n", "is singular"),
        ("      0 1 0 -1\n      0 0 1 0\n", "      0 1 0 -1\n      0 0 1 0\n      0 0 1 1\n", "not affine"),
        ("    translation 0 1 0", "    translaton 0 1 0", "'translaton' begins no line; did you mean 'translation'?"),
        ("    translation 0 1 0", "    rotation 0 0 0 2", "no unit quaternion"),
        ("    translation 0 1 0", "    translation 0 1 0\n    translation 0 1 0", "stands twice"),
        ("    translation 0 1 0", "    translation 0 1e999 0", "is not a number"),
        ('skin 0 "rig"', 'skin 0 "rig', "never ends"),
        ('skin 0 "rig"', "", "where a skin is expected"),
    ]
    for old, new, message in cases:
        check(old in good, "'%s' is in the text" % old)
        text = save("refused.txt", good.replace(old, new, 1))
        out = scratch("refused-out.glb")
        expect(1, message, "joints", path, "--import", text, "-o", out)
        check(not os.path.exists(out), "nothing written")
    text = save("good.txt", good)
    expect(2, "needs -o", "joints", path, "--import", text)
    expect(2, "must end in .glb or .gltf", "joints", path, "--import", text, "-o", scratch("x.txt"))
    expect(2, "cannot both", "joints", path, "--import", text, "--export", "-", "-o", scratch("x.glb"))
    expect(2, "leave -o out", "joints", path, "--export", "-", "-o", scratch("x.txt"))
    expect(2, "goes with --import", "joints", path, "--dry-run")
    expect(1, "cannot read", "joints", path, "--import", scratch("none"), "-o", scratch("x.glb"))


def test_by_name_alone():
    path = write_gltf("names.gltf", tube())
    text = 'skin 0\njoint "tip"\ntranslation 5 5 5\njoint 0\n'
    out = scratch("names-out.gltf")
    expect(0, "1 joints change", "joints", path, "--import", save("names.txt", text), "-o", out)
    check(json.loads(read(out))["nodes"][2]["translation"] == [5, 5, 5], "moved")


def test_corpus():
    """Every file comes back byte by byte."""
    if not os.path.isdir(os.path.join(CORPUS, "assets")):
        print("no corpus: skipped in part")
        return
    compared = 0
    for folder, _, names in sorted(os.walk(os.path.join(CORPUS, "assets"))):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith((".glb", ".gltf")):
                continue
            done = run("joints", path, "--export", scratch("corpus.txt"))
            if done.code:
                continue
            out = scratch(name)
            expect(0, ": 0 joints change", "joints", path, "--import", scratch("corpus.txt"), "-o", out)
            check(read(path, "rb") == read(out, "rb"), "%s is the same" % path)
            compared += 1
            for left in os.listdir(scratch("")):
                if os.path.isfile(scratch(left)):
                    os.remove(scratch(left))
    check(compared > 30, "%d files" % compared)


if __name__ == "__main__":
    main([test_text, test_unchanged, test_without_a_skin, test_messages_name_the_file, test_changed, test_refused, test_by_name_alone, test_corpus])
