# test_usd_rig.py: skeletons in USD: names, folded and moving nodes above joints, scales, clips, copies.
import base64
import copy
import math
import struct

import _usd
from _cli import check, close, expect, main, run, scratch, tube, write_gltf
from _usd_pose import compare, moment, told_loss


def converted(name, gltf, *arguments):
    out = scratch(name + ".usda")
    done = run("convert", write_gltf(name + ".gltf", gltf), "-o", out, *arguments)
    check(done.code == 0, "%s: %s" % (name, done.err))
    return _usd.load(out), done.err


def same_poses(name, gltf, tolerance=1e-6, told=""):
    """Linear blending at keys and between, and dual quaternions."""
    stage, said = converted(name, gltf, "--method", "lbs")
    check(told in said if told else said == "", "%s: said %s" % (name, said))
    for code in (0, 5, 12, 17.5, 24):
        where = moment(stage, code) if gltf.get("animations") else []
        off, size = compare(scratch(name + ".gltf"), stage, code, ["--method", "lbs"] + where)
        check(off <= tolerance * size + told_loss(said), "%s at %g: off by %g" % (name, code, off))
    return stage


def test_names():
    gltf = tube()
    gltf["nodes"][1]["name"], gltf["nodes"][2]["name"] = "a:b [c]", "a:b.c"
    stage = same_poses("names", gltf)
    skeleton = stage.root.all("Skeleton")[0]
    check(skeleton.get("joints") == ["a_b_c", "a_b_c/a_b_c_2"], "identifiers: %s" % skeleton.get("joints"))
    check(skeleton.get("jointNames") == ["a:b [c]", "a:b.c"], "names of the file")
    check(skeleton.path == "/names/rig" and stage.meta["defaultPrim"] == "names", "paths")
    check((stage.meta["upAxis"], stage.meta["metersPerUnit"]) == ("Y", 1), "Y is up, in metres")


def test_bind_and_rest():
    gltf = tube()
    gltf["nodes"][2]["translation"] = [0.5, 1, 0]  # the rest is not the bind pose
    skeleton = same_poses("rest", gltf).root.all("Skeleton")[0]
    check(skeleton.get("bindTransforms")[1][12:] == [0, 1, 0, 1], "bind: the inverse of the inverse bind matrix")
    check(skeleton.get("restTransforms")[1][12:] == [0.5, 1, 0, 1], "rest: as stored, below the parent")


def chain(above, between):
    """The tube with one more node above its root, and one between its joints."""
    gltf = tube()
    nodes = gltf["nodes"]
    nodes.append(dict(above, name="above", children=[1]))
    nodes.append(dict(between, name="between", children=[2]))
    nodes[1]["children"] = [4]
    gltf["scenes"][0]["nodes"] = [0, 3]
    return gltf


TURN = [0, 0, math.sin(0.4), math.cos(0.4)]


def test_folding():
    stage = same_poses("folded", chain({"translation": [1, 2, 3], "rotation": TURN, "scale": [2, 2, 2]},
                                       {"translation": [0, 0.5, 0], "rotation": TURN, "scale": [-1, -1, -1]}))
    check(stage.root.all("Skeleton")[0].get("joints") == ["root", "root/tip"], "still similarities are folded")
    stage = same_poses("uneven", chain({"scale": [1, 2, 1]}, {"scale": [1, 1, 0.5], "rotation": TURN}))
    check(stage.root.all("Skeleton")[0].get("joints") == ["above", "above/root", "above/root/between",
                                                           "above/root/between/tip"], "others become joints")
    gltf = chain({"translation": [1, 0, 0]}, {"translation": [0, 0.5, 0]})
    for node in (3, 4):
        gltf["animations"][0]["channels"].append({"sampler": 0, "target": {"node": node, "path": "rotation"}})
    stage = same_poses("moving", gltf)
    check(len(stage.root.all("Skeleton")[0].get("joints")) == 4, "what moves is a joint, so that between keys it fits too")


def test_scales():
    gltf = tube()
    gltf["nodes"][1]["scale"] = [0.01, 0.01, 0.01]
    stage = same_poses("hundredth", gltf)
    scales = stage.root.all("SkelAnimation")[0].properties["scales"].samples
    check(scales == [(0, [[1, 1, 1], [1, 1, 1]])], "what 16 bits cannot hold is taken out: %s" % scales)
    gltf["nodes"][1]["scale"] = [0.5, 0.5, 0.5]
    stage = same_poses("halved", gltf)
    check(stage.root.all("SkelAnimation")[0].properties["scales"].samples[0][1][0] == [0.5] * 3, "what it can, stays")
    gltf["nodes"][1]["scale"] = [1, -1, 1]
    same_poses("mirrored", gltf)
    gltf["nodes"][1]["scale"] = [1, 0, 1]
    same_poses("flat", gltf)
    gltf["nodes"][1]["scale"] = [1, 1.1, 1.3]  # above a joint that turns: rounded, and told
    same_poses("rounded", gltf, told="rounded to 16 bits")
    gltf = tube(second_scale=[1.1, 0.7, 1.3])
    gltf["animations"][0]["channels"][0]["target"]["node"] = 1
    same_poses("leaf", gltf)  # all below is constant: taken out


def test_shear():
    def sheared(animated):
        gltf = tube()
        gltf["nodes"][1] = {"name": "root", "children": [2], "matrix": [1, 0.2, 0, 0, 0.4, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}
        if not animated:
            del gltf["animations"]
        return gltf
    same_poses("still-shear", sheared(False))
    same_poses("lost-shear", sheared(True), told="sheared, which USD's skeletal animation cannot hold")


def test_clips():
    gltf = tube()
    gltf["animations"].append(copy.deepcopy(gltf["animations"][0]))
    gltf["animations"][1].update(name="turn", samplers=[{"input": 5, "output": 6, "interpolation": "STEP"}])
    gltf["animations"].append({"name": "elsewhere", "samplers": gltf["animations"][0]["samplers"],
                               "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]})
    stage, _ = converted("clips", gltf)
    skeleton = stage.root.all("Skeleton")[0]
    check(list(skeleton.children) == ["turn", "turn_2"], "a SkelAnimation for each clip that moves it")
    check(skeleton.get("skel:animationSource") == "/clips/rig/turn", "the first is bound")
    check((stage.meta["startTimeCode"], stage.meta["endTimeCode"], stage.meta["framesPerSecond"]) == (0, 24, 24), "times")
    codes = [code for code, _ in skeleton.children["turn_2"].properties["rotations"].samples]
    check(close(codes, [0, 11.999, 12, 23.999, 24]), "what holds, holds: %s" % codes)
    stage, _ = converted("clips", gltf, "--clip", "#1", "--fps", "100", "--method", "lbs")
    check(stage.root.all("Mesh")[0].get("skel:animationSource") == "/clips/rig/turn_2", "--clip is bound")
    check(stage.meta["timeCodesPerSecond"] == 100, "--fps")
    for code, wanted in ((49.9, 0), (50, math.pi / 2), (99.9, math.pi / 2)):
        local = _usd.Skeleton(stage, stage.root.all("Skeleton")[0]).locals(code)[1]
        check(abs(local[0][0] - math.cos(wanted)) < 1e-6, "at %g" % code)
    stage, _ = converted("clips", gltf, "--clip", "elsewhere")
    check(stage.root.all("Skeleton")[0].get("skel:animationSource") is None, "one that does not move it is not bound")
    stage, _ = converted("clips", gltf, "--rest")
    check("startTimeCode" not in stage.meta and len(stage.root.all("SkelAnimation")) == 2, "--rest binds none")


def test_instances():
    gltf = tube()
    gltf["nodes"].append(dict(gltf["nodes"][0], name="again"))
    gltf["nodes"].append(dict(gltf["nodes"][0], name="other", skin=1))
    gltf["skins"].append({"joints": [2, 1]})
    gltf["scenes"][0]["nodes"] += [3, 4]
    stage = same_poses("instances", gltf)
    check([m.path.rpartition("/")[2] for m in stage.root.all("Mesh")] ==
          ["tube", "tube_2", "again", "again_2", "other", "other_2"], "meshes")
    check([m.get("skel:skeleton") for m in stage.root.all("Mesh")] == ["/instances/rig"] * 4 + ["/instances/Skeleton_1"] * 2,
          "skeletons")
    check(stage.find("/instances/Skeleton_1").get("joints") == ["root", "root/tip"], "parents first, whatever the skin's order")


def test_copies():
    """EXT_mesh_gpu_instancing: skinned once, drawn at several places."""
    gltf = tube()
    data = struct.pack("<6f", 1, 2, 3, -4, 5, 6)
    gltf["buffers"].append({"byteLength": 24, "uri": "data:application/octet-stream;base64," +
                            base64.b64encode(data).decode()})
    gltf["bufferViews"].append({"buffer": 1, "byteLength": 24})
    gltf["accessors"].append({"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"})
    gltf["nodes"][0]["extensions"] = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": len(gltf["accessors"]) - 1}}}
    gltf["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    plain, _ = converted("once", tube(), "--method", "lbs")
    stage, _ = converted("copies", gltf, "--method", "lbs")
    meshes = stage.root.all("Mesh")
    check(len(meshes) == 4 and len({m.get("skel:skeleton") for m in meshes}) == 2, "two of each primitive")
    source = plain.root.all("Mesh")[0]
    for mesh, move in zip(meshes[::2], ((1, 2, 3), (-4, 5, 6))):
        off = [[a - b for a, b in zip(p, q)] for p, q in zip(_usd.skinned(stage, mesh, 12), _usd.skinned(plain, source, 12))]
        check(all(close(d, move) for d in off), "moved after skinning: %s" % off[0])


def test_method_of_the_file():
    gltf = tube()
    stage, _ = converted("method", gltf)
    check(stage.root.all("Mesh")[0].get("primvars:skel:skinningMethod") == "dualQuaternion", "the default")
    gltf["skins"][0]["extras"] = {"skinningMethod": "classicLinear"}
    stage, _ = converted("method", gltf)
    check(stage.root.all("Mesh")[0].get("primvars:skel:skinningMethod") == "classicLinear", "as the file says")


if __name__ == "__main__":
    main([test_names, test_bind_and_rest, test_folding, test_scales, test_shear, test_clips, test_instances,
          test_copies, test_method_of_the_file])
