# test_usd_targets.py: morph targets as blend shapes, with the names that the file gives them, also without a skin.
import base64
import copy
import struct

import _usd
from _cli import check, close, expect, main, run, scratch, tube, write_gltf


def with_targets(names=None, skin=True):
    """The tube with two targets; the clip moves their weights from (0, 0.5) to (1, 0.5)."""
    gltf = tube()
    offsets = [0.0] * 36
    offsets[3 * 8:] = [0, 0.25, 0] * 4
    other = [0.5 if i % 3 == 0 else 0 for i in range(36)]
    data = struct.pack("<78f", *offsets, *other, 0, 1, 0, 0.5, 1, 0.5)
    gltf["buffers"].append({"byteLength": len(data), "uri": "data:application/octet-stream;base64," +
                            base64.b64encode(data).decode()})
    view = len(gltf["bufferViews"])
    gltf["bufferViews"].append({"buffer": 1, "byteLength": len(data)})
    first = len(gltf["accessors"])
    for begin, count, kind in ((0, 12, "VEC3"), (144, 12, "VEC3"), (288, 2, "SCALAR"), (296, 4, "SCALAR")):
        gltf["accessors"].append({"bufferView": view, "byteOffset": begin, "componentType": 5126, "count": count,
                                  "type": kind})
    gltf["accessors"][first].update(min=[0, 0, 0], max=[0, 0.25, 0])
    gltf["accessors"][first + 1].update(min=[0, 0, 0], max=[0.5, 0, 0])
    gltf["accessors"][first + 2].update(min=[0], max=[1])
    for primitive in gltf["meshes"][0]["primitives"]:
        primitive["targets"] = [{"POSITION": first}, {"POSITION": first + 1}]
    gltf["meshes"][0]["weights"] = [0.25, 0]
    if names:
        gltf["meshes"][0]["extras"] = {"targetNames": names}
    clip = gltf["animations"][0]
    clip["samplers"].append({"input": first + 2, "output": first + 3})
    clip["channels"].append({"sampler": 1, "target": {"node": 0, "path": "weights"}})
    if not skin:
        del gltf["skins"], gltf["nodes"][0]["skin"]
        for primitive in gltf["meshes"][0]["primitives"]:
            del primitive["attributes"]["JOINTS_0"], primitive["attributes"]["WEIGHTS_0"]
    return gltf


def converted(name, gltf, *arguments):
    out = scratch(name + ".usda")
    expect(0, "", "convert", write_gltf(name + ".gltf", gltf), "-o", out, *arguments)
    return _usd.load(out)


def test_names():
    stage = converted("named", with_targets(["Smile", "\u3042 wide"]))
    mesh = stage.root.all("Mesh")[0]
    check(mesh.get("skel:blendShapes") == ["Smile", "wide"], "names: %s" % mesh.get("skel:blendShapes"))
    check([p.rpartition("/")[2] for p in mesh.get("skel:blendShapeTargets")] == ["Smile", "wide"], "targets")
    check(stage.find(mesh.get("skel:blendShapeTargets")[1]).meta["displayName"] == "\u3042 wide", "as the file has it")
    smile = stage.find(mesh.get("skel:blendShapeTargets")[0])
    check(smile.get("pointIndices") == [8, 9, 10, 11] and smile.get("offsets") == [[0, 0.25, 0]] * 4, "what moves alone")
    stage = converted("unnamed", with_targets())
    check(stage.root.all("Mesh")[1].get("skel:blendShapes") == ["target_0", "target_1"], "numbers where there are none")
    gltf = with_targets(["a", "b"])
    gltf["nodes"].append(copy.deepcopy(gltf["nodes"][0]))
    gltf["scenes"][0]["nodes"].append(3)
    animation = converted("twice", gltf).root.all("SkelAnimation")[0]
    check(animation.get("blendShapes") == ["a", "b", "a_2", "b_2"], "weights of each node: %s" % animation.get("blendShapes"))
    check(animation.get("blendShapeWeights") == [0.25, 0, 0.25, 0], "the second node's stay at rest")
    check(animation.properties["blendShapeWeights"].samples[-1] == (24, [1, 0.5, 0.25, 0]), "samples")


def test_skinned():
    gltf = with_targets()
    stage = converted("posed", gltf, "--method", "lbs")
    for code in (0, 6, 12, 24):
        done = run("skin", scratch("posed.gltf"), "--json", "--method", "lbs", "--clip", "#0", "--time", repr(code / 24))
        for mesh, primitive in zip(stage.root.all("Mesh"), done.json()["primitives"]):
            got = [c for point in _usd.skinned(stage, mesh, code) for c in point]
            check(close(got, primitive["positions"]), "morphed, then skinned, at %d" % code)
    stage = converted("posed", gltf, "--rest", "--method", "lbs")
    wanted = run("skin", scratch("posed.gltf"), "--json", "--method", "lbs").json()["primitives"]
    for mesh, primitive in zip(stage.root.all("Mesh"), wanted):
        check(close([c for p in _usd.skinned(stage, mesh, 0) for c in p], primitive["positions"]), "weights at rest")
    check(stage.root.all("Skeleton")[0].get("skel:animationSource") == "/posed/rig/Rest", "a still animation says them")


def test_without_skin():
    stage = converted("plain", with_targets(skin=False))
    mesh = stage.root.all("Mesh")[0]
    check(mesh.parent.kind == "Xform" and mesh.get("primvars:skel:jointIndices") == [0] * 12, "one joint")
    check(stage.at(mesh.parent, "xformOp:translate", 0) == [7, 7, 7], "the node's own transform")
    for code, weights in ((0, (0, 0.5)), (12, (0.5, 0.5)), (24, (1, 0.5))):
        got = _usd.skinned(stage, mesh, code)
        for v, point in enumerate(mesh.get("points")):
            wanted = [point[0] + 0.5 * weights[1], point[1] + (0.25 * weights[0] if v >= 8 else 0), point[2]]
            check(close(got[v], wanted), "vertex %d at %d" % (v, code))


if __name__ == "__main__":
    main([test_names, test_skinned, test_without_skin])
