# test_command_skin.py: `supple skin`: positions worked out here, and the same numbers in every format.
import json
import math
import os
import struct
import zipfile

from _cli import CORPUS, check, close, expect, main, run, scratch, tube, turned, write_gltf, write_plain


def test_positions():
    path = write_gltf("tube.gltf", tube())
    quarter = math.pi / 2
    for arguments, wanted in (
            ([], turned(0, 0)), (["--rest"], turned(0, 0)),
            (["--clip", "turn", "--time", "0.5"], turned(quarter / 2, quarter)),
            (["--time=0.5"], turned(quarter / 2, quarter)),
            (["--clip=#0"], turned(0, 0)),
            (["--clip", "#0", "--time", "1"], turned(quarter, 2 * quarter)),
            (["--method", "lbs", "--clip", "#0", "--time", "0.5"],
             turned(quarter / 2, quarter, math.cos(quarter / 2))),
            (["--pose", "tip:twist=90"], turned(quarter / 2, quarter)),
            (["--pose", "tip:twist=30", "--pose=#2:twist=60"], turned(quarter / 2, quarter)),
            (["--time", "0.5", "--pose", "tip:twist=90"], turned(quarter, 2 * quarter)),
            (["--space", "mesh"], [c - 7 for c in turned(0, 0)])):
        done = expect(0, "", "skin", path, "--json", *arguments)
        found = done.json()["primitives"]
        check([(p["node"], p["mesh"], p["primitive"]) for p in found] == [(0, 0, 0), (0, 0, 1)], "order")
        for primitive in found:
            check(close(primitive["positions"], wanted), "%s: positions" % arguments)
        check("tangents" in found[0] and "tangents" not in found[1], "tangents where there are any")


def test_bend():
    # tip bent by 90 degrees about +Z at (0, 1, 0): (x, y, z) goes to (-(y - 1), 1 + x, z)
    path = write_gltf("tube.gltf", tube())
    done = expect(0, "", "skin", path, "--json", "--method", "lbs", "--pose", "tip:bend=90")
    got, rest = done.json()["primitives"][0]["positions"], turned(0, 0)
    top = [c for v in range(8, 12) for c in (1 - rest[3 * v + 1], 1 + rest[3 * v], rest[3 * v + 2])]
    check(close(got[24:], top), "bend turns about the joint's Z")
    done = expect(0, "", "skin", path, "--json", "--method", "lbs", "--pose", "tip:side=90")
    got = done.json()["primitives"][0]["positions"]  # about +X: (x, y, z) goes to (x, 1 - z, y - 1)
    top = [c for v in range(8, 12) for c in (rest[3 * v], 1 - rest[3 * v + 2], rest[3 * v + 1] - 1)]
    check(close(got[24:], top), "side turns about the third axis")


def read_npy(data):
    check(data[:8] == b"\x93NUMPY\x01\x00", "npy magic")
    length, = struct.unpack_from("<H", data, 8)
    check((10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n", "npy header")
    header = eval(data[10:10 + length], {"__builtins__": {}}, {})  # a literal, as NumPy reads it
    rows, columns = header["shape"]
    letter = {"<f4": "f", "<u4": "I"}[header["descr"]]
    check(header["fortran_order"] is False, "npy order")
    return list(struct.unpack("<%d%s" % (rows * columns, letter), data[10 + length:])), (rows, columns)


def as_float(values):
    return [struct.unpack("<f", struct.pack("<f", v))[0] for v in values]


def test_npz(path, wanted):
    out = scratch("out.npz")
    expect(0, "", "skin", path, "-o", out, "--time", "0.3")
    with zipfile.ZipFile(out) as file:
        check(file.testzip() is None, "npz checksums")
        names = file.namelist()
        check(names[:4] == ["node0_primitive0_%s.npy" % k for k in ("positions", "normals", "tangents", "triangles")],
              "npz names: %s" % names)
        for p in wanted:
            stem = "node%d_primitive%d_" % (p["node"], p["primitive"])
            for kind, width in (("positions", 3), ("normals", 3), ("tangents", 4)):
                if kind not in p:
                    check(stem + kind + ".npy" not in names, "npz has no " + kind)
                    continue
                values, shape = read_npy(file.read(stem + kind + ".npy"))
                check(values == as_float(p[kind]) and shape == (12, width), "npz " + kind)
            triangles, shape = read_npy(file.read(stem + "triangles.npy"))
            check(shape == (20, 3) and max(triangles) == 11, "npz triangles")


def test_ply(path, wanted):
    out = scratch("out.ply")
    expect(0, "", "skin", path, "-o", out, "--time", "0.3")
    with open(out, "rb") as file:
        head, data = file.read().split(b"end_header\n", 1)
    check(b"format binary_little_endian 1.0" in head and b"element vertex 24\n" in head, "ply header")
    values = struct.unpack("<144f", data[:24 * 24])
    expected = []
    for p in wanted:
        for v in range(12):
            expected += p["positions"][3 * v:3 * v + 3] + p["normals"][3 * v:3 * v + 3]
    check(list(values) == as_float(expected), "ply vertices")
    faces = [struct.unpack_from("<BIII", data, 576 + 13 * i) for i in range(40)]
    check(all(f[0] == 3 for f in faces) and len(data) == 576 + 13 * 40, "ply faces")
    check(faces[0][1:] == (0, 4, 1) and faces[20][1:] == (12, 16, 13), "ply indices")


def test_obj(path, wanted):
    out = scratch("out.obj")
    expect(0, "", "skin", path, "-o", out, "--time", "0.3")
    with open(out) as file:
        lines = [line.split() for line in file]
    vertices = [float(x) for line in lines if line[0] == "v" for x in line[1:]]
    normals = [float(x) for line in lines if line[0] == "vn" for x in line[1:]]
    faces = [line[1:] for line in lines if line[0] == "f"]
    check(vertices == sum((p["positions"] for p in wanted), []), "obj positions")
    check(normals == sum((p["normals"] for p in wanted), []), "obj normals")
    check(len(faces) == 40 and faces[20] == ["13//13", "17//17", "14//14"], "obj faces")


def test_glb(path, wanted):
    for name in ("out.glb", "out.gltf"):
        out = scratch(name)
        expect(0, "", "skin", path, "-o", out, "--time", "0.3")
        info = expect(0, "", "info", out, "--json").json()
        check(info["skins"] == [] and info["meshes"][0]["primitives"][0]["vertices"] == 12, name)
    with open(scratch("out.glb"), "rb") as file:
        data = file.read()
    length, = struct.unpack_from("<I", data, 12)
    gltf, binary = json.loads(data[20:20 + length]), data[28 + length:]
    for p, primitive in zip(wanted, gltf["meshes"][0]["primitives"]):
        accessor = gltf["accessors"][primitive["attributes"]["POSITION"]]
        view = gltf["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", 12)
        got = [c for v in range(12) for c in struct.unpack_from("<3f", binary, start + step * v)]
        check(got == as_float(p["positions"]), "glb positions")


def test_formats():
    path = write_gltf("tube.gltf", tube())
    done = expect(0, "", "skin", path, "--json", "--time", "0.3")
    wanted = done.json()["primitives"]
    check(expect(0, "", "skin", path, "-o", "-", "--time", "0.3").out == done.out, "-o - is JSON")
    out = scratch("out.json")
    expect(0, "", "skin", path, "--json", "-o", out, "--time", "0.3")
    with open(out, "rb") as file:
        check(file.read() == done.out, "out.json")
    for test in (test_npz, test_ply, test_obj, test_glb):
        test(path, wanted)


def test_stdin():
    path = write_gltf("tube.gltf", tube())
    with open(path, "rb") as file:
        data = file.read()
    check(expect(0, "", "skin", "-", "--json", stdin=data).out == expect(0, "", "skin", path, "--json").out, "stdin")
    expect(1, "-:", "skin", "-", "--json", stdin=b"not glTF")
    expect(1, "more than 10 bytes", "skin", "-", "--json", "--limit-file-bytes", "10", stdin=data)


def test_usage():
    path = write_gltf("tube.gltf", tube())
    expect(2, "say -o OUT", "skin", path)
    expect(2, "the ending must be one of", "skin", path, "-o", scratch("out.fbx"))
    expect(2, "do not agree", "skin", path, "--json", "-o", scratch("out.obj"))
    expect(2, "did you mean 'turn'", "skin", path, "--json", "--clip", "tunr")
    expect(2, "did you mean 'tip'", "skin", path, "--json", "--pose", "tipp:twist=5")
    expect(2, "none of twist=D", "skin", path, "--json", "--pose", "tip:roll=5")
    expect(2, "--rest does not go", "skin", path, "--json", "--rest", "--time", "1")
    expect(2, "one of lbs|dqs", "skin", path, "--json", "--method", "cor")
    expect(2, "there is no option '--frames'", "skin", path, "--json", "--frames", "3")
    two = tube()
    two["animations"].append(dict(two["animations"][0], name="again"))
    expect(2, "the file has 2 clips", "skin", write_gltf("two.gltf", two), "--json", "--time", "0")


def test_failures_leave_nothing():
    path = write_gltf("tube.gltf", tube())
    before = sorted(os.listdir(scratch(".")))
    expect(1, "cannot write", "skin", path, "-o", scratch("no/folder/out.obj"))
    done = run("skin", scratch("absent.gltf"), "-o", scratch("never.obj"))
    check(done.code == 1 and "absent.gltf" in done.err, "a missing file is named")
    check(sorted(os.listdir(scratch("."))) == before, "nothing is left behind")


def test_not_skinned():
    path = write_plain("plain.gltf")
    done = expect(0, "nothing is skinned", "skin", path, "--json")
    check(done.json() == {"primitives": []}, "no primitives")
    expect(1, "nothing is skinned", "skin", path, "-o", scratch("plain.obj"))


def test_matrices_that_are_not_finite():
    gltf = tube()
    gltf["nodes"][2]["translation"] = [1e300, 0, 0]
    path = write_gltf("huge.gltf", gltf)
    for method in ("lbs", "dqs"):
        expect(1, "joint 'tip' (joint 1 of skin 0, node 2) is not finite", "skin", path, "--json", "--method", method)


def test_repairs_are_told():
    def spoil(streams):
        streams["weights"][0:4] = [0.5, 0, 0, 0]
        streams["weights"][4:8] = [0, 0, 0, 0]
    path = write_gltf("spoilt.gltf", tube(spoil))
    done = run("skin", path, "--json")
    check(done.code == 0 and "do not sum to 1" in done.err and "no weight" in done.err, "repairs: " + done.err)
    check(close(done.json()["primitives"][0]["positions"], turned(0, 0)), "repaired positions")
    kept = run("skin", path, "--json", "--method", "lbs", "--weights", "keep")
    check(close(kept.json()["primitives"][0]["positions"][:3], [0.25, 0, 0.25]), "kept sums")
    rest = run("skin", path, "--json", "--time", "1", "--unweighted", "rest")
    check("stay at rest" in rest.err, "unweighted rest")


def test_threads_change_nothing():
    gltf = tube()
    for i in range(9):  # many instances of one mesh
        gltf["nodes"].append({"mesh": 0, "skin": 0})
        gltf["scenes"][0]["nodes"].append(3 + i)
    path = write_gltf("many.gltf", gltf)
    one = expect(0, "", "skin", path, "--json", "--time", "0.3", "--threads", "1")
    check([p["node"] for p in one.json()["primitives"][::2]] == [0] + list(range(3, 12)), "instances in order")
    for threads in ("2", "7"):
        check(expect(0, "", "skin", path, "--json", "--time", "0.3", "--threads", threads).out == one.out,
              "%s threads" % threads)


def test_scaled_joint():
    # scaled by 2 about (0, 1, 0): exact under lbs and dqs, since the turns are equal
    path = write_gltf("scaled.gltf", tube(second_scale=[2, 2, 2]))
    wanted = []
    for y, factor in ((0, 1.0), (1, 1.5), (2, 2.0)):
        for x, z in ((0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)):
            wanted += [factor * x, 1 + (y - 1) * factor, factor * z]
    for method in ("lbs", "dqs"):
        got = expect(0, "", "skin", path, "--json", "--method", method).json()["primitives"][0]["positions"]
        check(close(got, wanted), "scaled joint by " + method)
    got = expect(0, "", "skin", path, "--json", "--scale", "none").json()["primitives"][0]["positions"]
    # its matrix is v -> 2 v - (0, 1, 0); without the scale only the translation is left
    rigid = [c - (y / 2 if axis == 1 else 0) for i, (c, y) in enumerate(zip(turned(0, 0), [0] * 12 + [1] * 12 + [2] * 12))
             for axis in [i % 3]]
    check(close(got, rigid), "--scale none")


def test_method_of_the_file():
    def write(name, *methods):
        gltf = tube()
        gltf["skins"] = [dict(gltf["skins"][0]) for _ in methods]
        for skin, method in zip(gltf["skins"], methods):
            if method:
                skin["extras"] = {"skinningMethod": method}
        return write_gltf(name, gltf)
    quarter = math.pi / 2
    by = {"lbs": turned(quarter / 2, quarter, math.cos(quarter / 2)), "dqs": turned(quarter / 2, quarter)}
    for methods, wanted in ((["classicLinear"], "lbs"), (["dualQuaternion"], "dqs"), ([None], "dqs"),
                            ([None, "classicLinear"], "lbs"), (["classicLinear", "classicLinear"], "lbs")):
        path = write("named.gltf", *methods)
        done = expect(0, "", "skin", path, "--json", "--time", "0.5")
        check(close(done.json()["primitives"][0]["positions"], by[wanted]), "%s: %s" % (methods, wanted))
        for method in by:
            done = expect(0, "", "skin", path, "--json", "--time", "0.5", "--method", method)
            check(close(done.json()["primitives"][0]["positions"], by[method]), "--method rules")
    told = run("skin", write("second.gltf", None, "classicLinear"), "--json", "--verbose").err
    check("skin 1 asks for classicLinear (lbs)" in told, "--verbose: " + told)
    told = run("skin", write("named.gltf", "classicLinear"), "--json", "--verbose", "--method", "dqs").err
    check("asks for" not in told, "--method needs no reason: " + told)
    two = write("two-methods.gltf", "dualQuaternion", None, "classicLinear")
    done = expect(0, "skins 0 and 2 name different methods; dqs is used", "skin", two, "--json", "--time", "0.5")
    check(close(done.json()["primitives"][0]["positions"], by["dqs"]), "the first one decides")
    expect(0, "", "skin", two, "--json", "--method", "lbs")
    odd = write("odd.gltf", "rubber")
    check(expect(0, "", "skin", odd, "--json", "--time", "0.5").json()["primitives"][0]["positions"][12:15] ==
          expect(0, "", "skin", odd, "--json", "--time", "0.5", "--method", "dqs")
          .json()["primitives"][0]["positions"][12:15], "an unknown name")
    check("/skins/0/extras/skinningMethod" in run("skin", odd, "--json", "--verbose").err, "the note")
    kept = write("kept.gltf", "classicLinear")
    expect(0, "", "skin", kept, "--json", "--weights", "keep")
    expect(0, "changes nothing under dqs", "skin", kept, "--json", "--weights", "keep", "--method", "dqs")


def test_corpus_file():
    path = os.path.join(CORPUS, "assets/khronos/SimpleSkin/glTF/SimpleSkin.gltf")
    if not os.path.isfile(path):
        print("no corpus: skipped in part")
        return
    found = expect(0, "", "skin", path, "--json").json()["primitives"]
    check(len(found) == 1 and len(found[0]["positions"]) == 30 and "normals" not in found[0], "SimpleSkin")


if __name__ == "__main__":
    main([test_positions, test_bend, test_formats, test_stdin, test_usage, test_failures_leave_nothing,
          test_not_skinned, test_matrices_that_are_not_finite, test_repairs_are_told, test_threads_change_nothing,
          test_scaled_joint, test_method_of_the_file, test_corpus_file])
