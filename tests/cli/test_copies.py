# test_copies.py: EXT_mesh_gpu_instancing on a skinned node: copy times skinned vertex, worked out here, in every
# place that shows it.
import base64
import math
import struct
import zipfile

from _cli import check, close, expect, main, scratch, tube, turned, write_gltf

HALF = math.sqrt(0.5)
MOVES = [(0, 0, 0), (10, 0, -1), (0, 5, 0)]
TURNS = [(0, 0, 0, 1), (0, 0, HALF, HALF), (0, 0, 0, 1)]  # the second by 90 degrees about +Z
SCALES = [(1, 1, 1), (2, 1, 1), (-1, 3, 1)]


def add(gltf, values, width, component=5126, code="f", **more):
    uri = gltf["buffers"][0]["uri"]
    head, data = uri.split(",")[0] + ",", base64.b64decode(uri.split(",")[1])
    data += b"\0" * (-len(data) % 4)
    flat = [v for value in values for v in value]
    gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]), "componentType": component,
                              "count": len(values), "type": {3: "VEC3", 4: "VEC4", 1: "SCALAR"}[width], **more})
    gltf["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(flat) * struct.calcsize(code)})
    data += struct.pack("<%d%s" % (len(flat), code), *flat)
    gltf["buffers"][0] = {"byteLength": len(data), "uri": head + base64.b64encode(data).decode()}
    return len(gltf["accessors"]) - 1


def instanced(name, moves=MOVES, turns=TURNS, scales=SCALES, own=None):
    gltf = tube()
    attributes = {}
    if moves:
        attributes["TRANSLATION"] = add(gltf, moves, 3)
    if turns:
        attributes["ROTATION"] = add(gltf, turns, 4)
    if scales:
        attributes["SCALE"] = add(gltf, scales, 3)
    if own:
        attributes["_OWN"] = add(gltf, own, 1)
    gltf["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
    gltf["extensionsUsed"] = gltf["extensionsRequired"] = ["EXT_mesh_gpu_instancing"]
    return write_gltf(name, gltf)


def linear(copy, v):
    x, y, z = (c * s for c, s in zip(v, SCALES[copy]))
    return (-y, x, z) if copy == 1 else (x, y, z)


def triples(values):
    return [tuple(values[i:i + 3]) for i in range(0, len(values), 3)]


def moved(copy, points):
    return [c + m for p in triples(points) for c, m in zip(linear(copy, p), MOVES[copy])]


def test_json():
    found = expect(0, "", "skin", instanced("copies.gltf"), "--json", "--time", "0.5").json()["primitives"]
    check([(p["primitive"], p["copy"]) for p in found] == [(p, c) for c in range(3) for p in range(2)], "every copy")
    plain = expect(0, "", "skin", write_gltf("plain.gltf", tube()), "--json", "--time", "0.5").json()["primitives"]
    check("copy" not in plain[0], "files without it stay as they were")
    for primitive in found:
        copy = primitive["copy"]
        check(close(primitive["positions"], moved(copy, plain[0]["positions"]), 1e-5), "positions of copy %d" % copy)
        for n, was in zip(triples(primitive["normals"]), triples(plain[0]["normals"])):
            # by the inverse transpose: divided by the scale, then turned
            x, y, z = (c / s for c, s in zip(was, SCALES[copy]))
            wanted = (-y, x, z) if copy == 1 else (x, y, z)
            length = math.sqrt(sum(c * c for c in wanted))
            check(close(n, [c / length for c in wanted], 1e-5), "normals of copy %d" % copy)
    for copy in range(3):
        for k in range(12):
            t = found[2 * copy]["tangents"][4 * k:4 * k + 4]
            was = plain[0]["tangents"][4 * k:4 * k + 4]
            n = found[2 * copy]["normals"][3 * k:3 * k + 3]
            check(abs(sum(a * b for a, b in zip(t, n))) < 1e-5, "tangents lie in the surface")
            check(abs(sum(c * c for c in t[:3]) - 1) < 1e-5, "unit tangents")
            check(t[3] == (-was[3] if copy == 2 else was[3]), "a mirror turns w")
            check(sum(a * b for a, b in zip(t, linear(copy, was))) > 0, "the tangents' side")


def test_mesh_space():
    # in the space of the node at (7, 7, 7): its translation away, and back
    found = expect(0, "", "skin", instanced("copies.gltf"), "--json", "--space", "mesh").json()["primitives"]
    for primitive in found:
        scene = moved(primitive["copy"], turned(0, 0))
        check(close(primitive["positions"], [c - 7 for c in scene], 1e-5), "mesh space")


def test_parts():
    rest = triples(turned(0, 0))
    only = instanced("moves.gltf", turns=None, scales=None, own=[(0,), (1,), (2,)])
    for p in expect(0, "", "skin", only, "--json").json()["primitives"]:
        wanted = [c + m for v in rest for c, m in zip(v, MOVES[p["copy"]])]
        check(close(p["positions"], wanted, 1e-5), "translations alone")
    bytes_only = tube()
    index = add(bytes_only, [(0, 0, 90, 90)], 4, 5120, "b", normalized=True)
    bytes_only["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"ROTATION": index}}}
    done = expect(0, "", "skin", write_gltf("bytes.gltf", bytes_only), "--json").json()["primitives"]
    check(close(done[0]["positions"], [c for x, y, z in rest for c in (-y, x, z)], 1e-5), "normalised bytes")
    none = tube()
    none["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {}}}
    done = expect(0, "the node is drawn once", "skin", write_gltf("none.gltf", none), "--json", "--verbose")
    check(len(done.json()["primitives"]) == 2, "no attribute")


def test_formats():
    path = instanced("copies.gltf")
    expect(0, "", "skin", path, "-o", scratch("c.obj"))
    with open(scratch("c.obj")) as file:
        text = file.read()
    check(text.count("\nv ") == 72 and "o tube_primitive1_copy2\n" in text, "OBJ")
    expect(0, "", "skin", path, "-o", scratch("c.npz"))
    with zipfile.ZipFile(scratch("c.npz")) as file:
        check("node0_primitive1_copy2_positions.npy" in file.namelist() and len(file.namelist()) == 21, "NPZ")
    expect(0, "", "skin", path, "-o", scratch("c.ply"))
    with open(scratch("c.ply"), "rb") as file:
        check(b"element vertex 72\n" in file.read(400), "PLY")
    expect(0, "", "skin", path, "-o", scratch("c.glb"))
    info = expect(0, "", "info", scratch("c.glb"), "--json").json()
    check(len(info["meshes"]) == 3, "GLB: %s" % info["meshes"])


def test_info_and_compare():
    path = instanced("copies.gltf")
    info = expect(0, "", "info", path, "--json").json()
    check(info["instances"][0]["copies"] == 3, "info --json")
    check(b"node 0 is drawn 3 times (EXT_mesh_gpu_instancing)" in expect(0, "", "info", path).out, "info")
    # copies 0, 1 and 2 of the box (-0.5, 0, -0.5) to (0.5, 2, 0.5)
    points = [p for c in range(3) for p in triples(moved(c, turned(0, 0)))]
    box = info["bounds"]["rest"]
    check(close(box["min"], [min(p[i] for p in points) for i in range(3)], 1e-5) and
          close(box["max"], [max(p[i] for p in points) for i in range(3)], 1e-5), "the box: %s" % box)
    expect(0, "node 0 is drawn 3 times", "compare", path, "--json")


def test_refusals():
    place = "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes"
    gltf = tube()
    attributes = {"_OWN": add(gltf, [(0, 0, 0)] * 2, 3), "TRANSLATION": add(gltf, MOVES, 3)}
    gltf["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": attributes}}
    expect(1, place + "/TRANSLATION: accessor 10 has 3 elements, but others here have 2", "skin",
           write_gltf("few.gltf", gltf), "--json")
    gltf = tube()
    gltf["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"ROTATION": 0}}}
    expect(1, place + "/ROTATION: accessor 0 is VEC3; it must be VEC4", "skin", write_gltf("wrong.gltf", gltf), "--json")
    gltf["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {"SCALE": 99}
    expect(1, place + "/SCALE: index 99", "skin", write_gltf("wrong.gltf", gltf), "--json")
    gltf["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"] = {}
    expect(1, "attributes: is missing", "skin", write_gltf("wrong.gltf", gltf), "--json")
    endless = instanced("nan.gltf", moves=[(0, 0, 0), (0, math.inf, 0), (0, 0, 0)])
    expect(1, place + "/TRANSLATION: copy 1 is not finite", "skin", endless, "--json")
    # a file of a few bytes may ask for very many: without a view all are zero
    gltf = tube()
    gltf["accessors"].append({"componentType": 5126, "type": "VEC3", "count": 4000000})
    gltf["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 9}}}
    expect(1, "--limit-memory-bytes", "skin", write_gltf("many.gltf", gltf), "--json")


if __name__ == "__main__":
    main([test_json, test_mesh_space, test_parts, test_formats, test_info_and_compare, test_refusals])
