# test_document_io.py: where documents are written: all files or none, beside and elsewhere; and the Khronos validator
# finds nothing wrong in what was written that was not wrong before.
import json
import os
import pathlib
import sys

from _cli import CORPUS, check, expect, main, run, scratch, tube, write_gltf

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "validator"))
import _validator


def moved(path, name):
    """A text that moves the last joint, so that new data is written."""
    text = run("joints", path, "--export", "-").out.decode().splitlines()
    rows = [i for i, line in enumerate(text) if line.strip() == "inverse-bind"]
    if not rows:
        return None
    last = rows[-1] + 1
    numbers = text[last].split()
    numbers[3] = repr(float(numbers[3]) + 0.5)
    text[last] = "      " + " ".join(numbers)
    with open(scratch(name), "w") as file:
        file.write("\n".join(text) + "\n")
    return scratch(name)


def external():
    """A .gltf with its buffer, and an image, in files of their own."""
    gltf = tube()
    path = write_gltf("external.gltf", gltf)
    with open(path) as file:
        gltf = json.load(file)
    import base64
    data = base64.b64decode(gltf["buffers"][0]["uri"].split(",")[1])
    os.makedirs(scratch("from/tex"), exist_ok=True)
    with open(scratch("from/hero data.bin"), "wb") as file:
        file.write(data)
    with open(scratch("from/tex/a.png"), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
    gltf["buffers"][0]["uri"] = "hero%20data.bin"
    gltf["images"] = [{"uri": "tex/a.png"}]
    with open(scratch("from/hero.gltf"), "w") as file:
        json.dump(gltf, file)
    return scratch("from/hero.gltf")


def test_elsewhere():
    path = external()
    text = moved(path, "moved.txt")
    os.makedirs(scratch("to"), exist_ok=True)
    out = scratch("to/hero.gltf")
    expect(0, "1 joints change", "joints", path, "--import", text, "-o", out)
    names = sorted(os.path.relpath(os.path.join(f, n), scratch("to")) for f, _, ns in os.walk(scratch("to")) for n in ns)
    check(names == ["hero data.bin", "hero.bin", "hero.gltf", "tex/a.png"], "files: %s" % names)
    expect(0, "", "joints", out)
    expect(0, "1 joints change", "joints", path, "--import", text, "-o", scratch("from/new.gltf"))
    names = sorted(os.listdir(scratch("from")))
    check(names == ["hero data.bin", "hero.gltf", "new.bin", "new.gltf", "tex"], "beside: %s" % names)
    expect(0, "1 joints change", "joints", path, "--import", text, "-o", scratch("to/all.glb"))
    with open(scratch("to/all.glb"), "rb") as file:
        check(b"tex/a.png" not in file.read(), "the image is inside")
    done = expect(0, "would write", "joints", path, "--import", text, "-o", scratch("dry/hero.gltf"), "--dry-run")
    check(done.err.count("would write") == 4 and not os.path.exists(scratch("dry/hero.gltf")), done.err)


def test_all_or_nothing():
    path = external()
    os.makedirs(scratch("half"), exist_ok=True)
    os.makedirs(scratch("half/hero.bin"), exist_ok=True)  # a folder where a file must go
    expect(1, "cannot write", "joints", path, "--import", moved(path, "moved.txt"), "-o", scratch("half/hero.gltf"))
    left = sorted(n for _, _, ns in os.walk(scratch("half")) for n in ns)
    check("hero.gltf" not in left and not any(n.endswith(".tmp") for n in left), "left: %s" % left)


def test_stdout():
    path = write_gltf("inside.gltf", tube())
    done = expect(0, "1 joints change", "joints", path, "--import", moved(path, "moved.txt"), "-o", "-")
    check(len(json.loads(done.out)["buffers"]) == 2, "a second data URI")
    path = external()
    expect(1, "would be a file of its own", "joints", path, "--import", moved(path, "moved.txt"), "-o", "-")


def test_valid():
    sources, written = [], []
    for folder, _, names in sorted(os.walk(os.path.join(CORPUS, "assets"))):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.endswith((".glb", ".gltf")):
                continue
            place = scratch("valid/%d" % len(sources))
            os.makedirs(place, exist_ok=True)
            text = moved(path, "moved.txt")
            if not text:
                continue
            stem, ending = name.rsplit(".", 1)
            for out in (name, stem + (".gltf" if ending == "glb" else ".glb")):
                done = run("joints", path, "--import", text, "-o", os.path.join(place, out))
                if done.code == 0:
                    sources.append(path)
                    written.append(os.path.join(place, out))
                else:
                    check("singular" in done.err or "compress" in done.err, done.err)
    if not sources:
        print("no corpus: skipped in part")
        return
    before, after = _validator.validate(sorted(set(sources))), _validator.validate(written)
    for source, out in zip(sources, written):
        known = [code for code, _ in _validator.messages(before[source])]
        found = [code for code, _ in _validator.messages(after[out])]
        for code in set(found):
            check(found.count(code) <= known.count(code), "%s: %s" % (out, code))
    check(len(written) > 60, "%d files" % len(written))


if __name__ == "__main__":
    main([test_elsewhere, test_all_or_nothing, test_stdout, test_valid])
