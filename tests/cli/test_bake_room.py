# test_bake_room.py: a .glb too large to wait in memory, whose frames are written before its JSON: every byte is where it
# belongs, for primitives that are dense, sparse and still; whatever threads and shards, and nothing is left where writing fails.
import array
import os
import resource
import struct
import subprocess
import sys

from _bake import Glb, parts_of, read_bytes, read_npz
from _cli import COMMAND, check, expect, main, run, scratch, tube, write_gltf

FRAMES, COUNT = 14, 24000  # two primitives of so many vertices: 16 MB of differences at most, above the 8 MB that wait


def large(first, second):
    """The tube's file with two primitives of COUNT points, of which so many follow the joint that turns."""
    document = tube()
    points = [c for i in range(COUNT) for c in (i % 97 + 1, 1 + i % 13, -(i % 31) - 1)]
    data, views, accessors = b"", [], []

    def add(values, letter, component, kind, width):
        nonlocal data
        views.append({"buffer": 1, "byteOffset": len(data), "byteLength": struct.calcsize(letter) * len(values)})
        accessors.append({"bufferView": len(document["bufferViews"]) + len(views) - 1, "componentType": component,
                          "count": len(values) // width, "type": kind})
        if kind == "VEC3":
            accessors[-1].update(min=[min(values[i::3]) for i in range(3)], max=[max(values[i::3]) for i in range(3)])
        data += array.array(letter, values).tobytes()
        return len(document["accessors"]) + len(accessors) - 1

    positions = add(points, "f", 5126, "VEC3", 3)
    joints = add([0, 1, 0, 0] * COUNT, "H", 5123, "VEC4", 4)
    weights = [add([c for i in range(COUNT) for c in ((0, 1, 0, 0) if i * 7 % COUNT < moving else (1, 0, 0, 0))], "f", 5126,
                   "VEC4", 4) for moving in (first, second)]  # 7 and COUNT have no common factor
    name = "large-%d-%d" % (first, second)
    document["meshes"][0]["primitives"] = [
        {"mode": 0, "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": w}} for w in weights]
    document["bufferViews"] += views
    document["accessors"] += accessors
    document["buffers"].append({"byteLength": len(data), "uri": name + ".bin"})
    with open(scratch(name + ".bin"), "wb") as file:
        file.write(data)
    return write_gltf(name + ".gltf", document)


def floats(data):
    values = array.array("f", data)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def dense(glb, number):
    """The floats of an accessor, sparse ones spread out."""
    a = glb.json["accessors"][number]
    views = glb.json["bufferViews"]

    def read(place, size):
        view = views[place["bufferView"]]
        at = place.get("byteOffset", 0)
        check(at + size <= view["byteLength"], "accessor %d is inside its view" % number)
        at += view.get("byteOffset", 0)
        return glb.binary[at:at + size]

    if "sparse" not in a:
        if "bufferView" not in a:
            return array.array("f", bytes(12 * a["count"]))
        check(views[a["bufferView"]].get("byteStride") == 12 and views[a["bufferView"]]["target"] == 34962, "a dense view")
        return floats(read(a, 12 * a["count"]))
    s = a["sparse"]
    check("bufferView" not in a and not set(views[s["values"]["bufferView"]]) & {"byteStride", "target"}, "a sparse view")
    numbers = struct.unpack("<%dH" % s["count"], read(s["indices"], 2 * s["count"]))
    values = floats(read(s["values"], 12 * s["count"]))
    out = array.array("f", bytes(12 * a["count"]))
    for k, number in enumerate(numbers):
        check(k == 0 or number > numbers[k - 1], "ascending")
        out[3 * number:3 * number + 3] = values[3 * k:3 * k + 3]
    return out


def compare(path, out, *arguments):
    """Bakes to .glb and .npz, and holds every frame of one against the other."""
    expect(0, "", "bake", path, "-o", out, "--frames=%d" % FRAMES, *arguments)
    expect(0, "", "bake", path, "-o", scratch("same.npz"), "--frames=%d" % FRAMES, *arguments)
    glb, arrays = Glb(out), read_npz(scratch("same.npz"))
    kinds = []
    for stream, name in (("positions", "POSITION"), ("normals", "NORMAL")):
        if stream not in arrays:
            continue
        numbers, (frames, vertices, _) = arrays[stream]
        check(frames == FRAMES, "frames")
        whole = array.array("f", numbers)
        at = 0
        node = glb.morphing()[2][0]
        for primitive in glb.json["meshes"][glb.json["nodes"][node]["mesh"]]["primitives"]:
            base = dense(glb, primitive["attributes"][name])
            size = len(base)
            check(base == whole[at:at + size], "%s: %s of the first frame" % (out, name))
            for k, target in enumerate(primitive["targets"]):
                begin = 3 * vertices * (k + 1) + at
                wanted = array.array("f", [a - b for a, b in zip(whole[begin:begin + size], base)])
                accessor = glb.json["accessors"][target[name]]
                check(dense(glb, target[name]) == wanted, "%s: %s of frame %d" % (out, name, k + 1))
                if name == "POSITION":
                    check(array.array("f", accessor["min"]) == array.array("f", [min(wanted[i::3]) for i in range(3)]) and
                          array.array("f", accessor["max"]) == array.array("f", [max(wanted[i::3]) for i in range(3)]), "extents")
                kinds.append("sparse" if "sparse" in accessor else "dense" if "bufferView" in accessor else "zeros")
            at += size
        check(at == 3 * vertices, "every primitive")
    return glb, kinds


def room_of(path):
    """(the JSON chunk without the spaces behind it, how many there are)"""
    data = read_bytes(path)
    length, = struct.unpack_from("<I", data, 12)
    text = data[20:20 + length]
    check(len(data) % 4 == 0 and length % 4 == 0, "multiples of four")
    return text.rstrip(b" "), len(text) - len(text.rstrip(b" "))


def test_dense():
    path, out = scratch("figure.glb"), scratch("dense.glb")
    expect(0, "", "fixture", "figure", "-o", path)
    glb, kinds = compare(path, out)
    check(set(kinds) == {"dense"} and len(kinds) == 2 * (FRAMES - 1), "all dense")
    check(os.path.getsize(out) > 14 * 29000 * 24, "above what waits in memory")
    text, spaces = room_of(out)
    check(64 <= spaces < 0.01 * os.path.getsize(out), "%d bytes are left of the room" % spaces)
    strided = [v for v in glb.json["bufferViews"] if v.get("byteStride") == 12]
    check(len(strided) == 1, "frames alike share a view")


def test_dense_and_sparse():
    glb, kinds = compare(large(COUNT // 2 + 1, COUNT // 2), scratch("mixed.glb"))
    check(kinds == ["dense"] * (FRAMES - 1) + ["sparse"] * (FRAMES - 1), "the first dense, the second sparse: %s" % kinds)
    sizes = [v["byteLength"] for v in glb.json["bufferViews"]]
    check(len(sizes) < FRAMES + 8, "a view more for each frame at most: %d" % len(sizes))
    glb, kinds = compare(large(0, 4000), scratch("zeros.glb"))
    check(kinds == ["zeros"] * (FRAMES - 1) + ["sparse"] * (FRAMES - 1), "zeros and sparse: %s" % kinds)
    check(len(glb.json["bufferViews"]) < 8, "one view for all that is sparse: %d" % len(glb.json["bufferViews"]))


def test_same_however_it_is_made():
    path = large(COUNT // 2, 5000)
    out, other = scratch("at-once.glb"), scratch("otherwise.glb")
    options = ("--frames=%d" % FRAMES,)
    expect(0, "", "bake", path, "-o", out, "--threads=1", *options)
    whole = read_bytes(out)
    expect(0, "", "bake", path, "-o", other, "--threads=5", *options)
    check(read_bytes(other) == whole, "five threads")
    os.remove(other)
    for i in (3, 1, 2):
        expect(0, "", "bake", path, "-o", other, "--shard=%d/3" % i, *options)
    expect(0, "", "bake", path, "-o", other, "--join", *options)
    check(read_bytes(other) == whole and not parts_of(other), "joined")


def test_rehearsal_and_failure():
    path = large(COUNT // 2, 5000)
    out = scratch("at-once.glb")
    folder = os.path.dirname(out)
    before = sorted(os.listdir(folder))
    done = run("bake", path, "-o", out, "--frames=%d" % FRAMES, "--dry-run")
    check(done.code == 0 and "would write %s (%d bytes)" % (out, os.path.getsize(out)) in done.err, "said: %s" % done.err)
    check(sorted(os.listdir(folder)) == before, "nothing is left")
    done = run("bake", path, "-o", os.path.join(folder, "no", "x.glb"), "--frames=%d" % FRAMES)
    check(done.code == 1 and "cannot write" in done.err, "no folder: %s" % done.err)
    check(sorted(os.listdir(folder)) == before, "nothing is left")
    old = read_bytes(out)
    for size in (1 << 20, len(old) - 1000):  # while frames are written; what comes last
        done = subprocess.run([COMMAND, "bake", path, "-o", out, "--frames=%d" % FRAMES], capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        check(done.returncode == 1 and out in done.stderr and "too large" in done.stderr, "a limit of %d: %s" % (size, done.stderr))
        check(sorted(os.listdir(folder)) == before and read_bytes(out) == old, "the old one stays")


main([test_dense, test_dense_and_sparse, test_same_however_it_is_made, test_rehearsal_and_failure])
