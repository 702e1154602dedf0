# test_usd_mesh.py: streams of a primitive in USD: faces, normals, coordinates, colours, influences.
import base64
import struct

import _usd
from _cli import check, close, expect, main, run, scratch, tube, write_gltf


def add_floats(gltf, name, values, width):
    data = struct.pack("<%df" % len(values), *values)
    gltf["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," +
                            base64.b64encode(data).decode()})
    gltf["bufferViews"].append({"buffer": len(gltf["buffers"]) - 1, "byteLength": len(data)})
    gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]) - 1, "componentType": 5126,
                              "count": len(values) // width, "type": "VEC%d" % width})
    gltf["meshes"][0]["primitives"][0]["attributes"][name] = len(gltf["accessors"]) - 1


def converted(name, gltf, *arguments):
    out = scratch(name + ".usda")
    done = expect(0, "", "convert", write_gltf(name + ".gltf", gltf), "-o", out, *arguments)
    return _usd.load(out), done.err


def test_streams():
    gltf = tube()
    st = [c / 32 for v in range(12) for c in (v, 40 - 2 * v)]
    colors = [c / 16 for v in range(12) for c in (v, 1, 16 - v, 12)]
    add_floats(gltf, "TEXCOORD_0", st, 2)
    add_floats(gltf, "COLOR_0", colors, 4)
    gltf["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [0.5, 1, 0.25, 0.5]}, "doubleSided": True}]
    gltf["meshes"][0]["primitives"][0]["material"] = 0
    stage, _ = converted("streams", gltf)
    mesh, second = stage.root.all("Mesh")
    check(mesh.get("faceVertexCounts") == [3] * 20 and mesh.get("faceVertexIndices")[:6] == [0, 4, 1, 1, 4, 5], "faces")
    check(mesh.get("subdivisionScheme") == "none" and mesh.get("orientation") == "rightHanded", "no subdivision")
    check(mesh.get("extent") == [[-0.5, 0, -0.5], [0.5, 2, 0.5]], "extent")
    check(mesh.get("points")[4] == [0.5, 1, 0.5] and len(mesh.get("points")) == 12, "points")
    check(close(mesh.get("normals")[0], [0.5 ** 0.5, 0, 0.5 ** 0.5]), "normals")
    check(mesh.properties["normals"].meta == {"interpolation": "vertex"}, "a normal a vertex")
    flat = [c for pair in mesh.get("primvars:st") for c in pair]
    check(close(flat, [1 - c if i % 2 else c for i, c in enumerate(st)]), "v is turned over")
    check(close(mesh.get("primvars:displayColor")[3], [0.5 * 3 / 16, 1 / 16, 0.25 * 13 / 16]), "colours times base colour")
    check(mesh.get("primvars:displayOpacity") == [0.375] * 12, "opacity")
    check(mesh.get("doubleSided") is True and second.get("doubleSided") is None, "double-sided")
    check(second.get("primvars:st") is None and second.get("material:binding") is None, "nothing that is not there")
    check(mesh.meta["apiSchemas"] == ["MaterialBindingAPI", "SkelBindingAPI"], "schemas")
    check([m.path for m in (mesh, second)] == ["/streams/tube", "/streams/tube_2"], "names")
    check(second.meta["displayName"] == "tube", "the file's name stays")


def box_of(path, *arguments):
    """The box of the vertices that `skin` prints."""
    points = [c for p in run("skin", path, "--json", *arguments).json()["primitives"] for c in p["positions"]]
    return [min(points[i::3]) for i in range(3)], [max(points[i::3]) for i in range(3)]


def test_extent_of_all():
    """The SkelRoot's extent holds the skinned vertices at rest and at the keys of the clip that is bound, as they are
    deformed by the method that meshes ask for."""
    gltf = tube(second_scale=[1, 1.5, 2])
    path = write_gltf("extent.gltf", gltf)
    for method in ("lbs", "dqs"):
        for clip, times in (("#0", (0, 0.5, 1)), (None, ())):
            stage, _ = converted("extent", gltf, "--method", method, *(["--clip", clip] if clip else ["--rest"]))
            boxes = [box_of(path, "--method", method)] + [box_of(path, "--method", method, "--time", str(t)) for t in times]
            low = [min(box[0][c] for box in boxes) for c in range(3)]
            high = [max(box[1][c] for box in boxes) for c in range(3)]
            got = stage.root.get("extent")
            check(close(got[0] + got[1], low + high, 1e-6), "%s, %s: %s, not %s" % (method, clip, got, [low, high]))
    del gltf["skins"], gltf["nodes"][0]["skin"]
    for primitive in gltf["meshes"][0]["primitives"]:
        for name in ("JOINTS_0", "WEIGHTS_0"):
            del primitive["attributes"][name]
    stage, _ = converted("plain-extent", gltf)
    check(stage.root.get("extent") is None and len(stage.root.all("Mesh")) == 2, "nothing is skinned")


def test_influences():
    def uneven(streams):
        for v in range(12):
            streams["weights"][4 * v:4 * v + 4] = [2, 1, 1, 0] if v < 4 else [0, 0, 0, 0] if v < 8 else [0, 3, 0, 0]
    stage, told = converted_loose("uneven", tube(uneven), "--method", "lbs")
    mesh = stage.root.all("Mesh")[0]
    joints, weights = mesh.properties["primvars:skel:jointIndices"], mesh.properties["primvars:skel:jointWeights"]
    check(joints.meta == weights.meta == {"elementSize": 2, "interpolation": "vertex"}, "padded to the most")
    check(joints.value == [0, 1] * 4 + [0, 0] * 4 + [1, 0] * 4, "joints: %s" % joints.value)
    check(weights.value == [0.75, 0.25] * 4 + [1, 0] * 8, "weights: merged, normalised, the first joint where none")
    check(mesh.get("primvars:skel:skinningMethod") == "classicLinear", "method")
    stage, _ = converted_loose("uneven", tube(uneven), "--method", "lbs", "--weights", "keep", "--unweighted", "rest")
    mesh = stage.root.all("Mesh")[0]
    check(mesh.get("primvars:skel:jointWeights") == [3, 1] * 4 + [1, 0] * 4 + [3, 0] * 4, "sums as stored")
    check(mesh.get("primvars:skel:jointIndices") == [1, 2] * 4 + [0, 0] * 4 + [2, 0] * 4, "a joint that rests")
    skeleton = stage.root.all("Skeleton")[0]
    check(skeleton.get("joints")[0] == "skeleton_root", "above all others")
    got = _usd.skinned(stage, mesh, stage.meta["endTimeCode"])
    rest = mesh.get("points")
    check(all(close(got[v], rest[v]) for v in range(4, 8)), "vertices without weight stay where they are")
    check(all(close(got[v], [3 * c for c in (-rest[v][0], rest[v][1], -rest[v][2])], 1e-5) for v in range(8, 12)),
          "kept sums multiply")


def converted_loose(name, gltf, *arguments):
    """With notes on stderr."""
    out = scratch(name + ".usda")
    done = expect(0, "note", "convert", write_gltf(name + ".gltf", gltf), "-o", out, *arguments)
    return _usd.load(out), done.err


def test_left_out():
    gltf = tube()
    gltf["meshes"][0]["primitives"][1]["mode"] = 0
    stage, told = converted_loose("points", gltf)
    check(len(stage.root.all("Mesh")) == 1 and "1 primitives are lines or points" in told, "points are told: " + told)


if __name__ == "__main__":
    main([test_streams, test_extent_of_all, test_influences, test_left_out])
