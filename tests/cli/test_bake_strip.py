# test_bake_strip.py: what a baked .glb keeps of its source, and what it leaves out: materials, extras, copies, attached
# nodes, other animations, scenes, and meshes that several nodes use.
import base64

from _bake import Glb, as_floats, posed, positions_of, read_pc2
from _cli import check, close, expect, main, run, scratch, tube, write_gltf


def bake(name, gltf, *arguments):
    path, out = write_gltf(name + ".gltf", gltf), scratch(name + ".glb")
    done = run("bake", path, "-o", out, "--clip", "#0", "--frames", "2", *arguments)
    check(done.code == 0, "%s: %s" % (name, done.err))
    return Glb(out).json, done.err


def test_primitives_keep_what_does_not_move():
    gltf = tube()
    count = len(gltf["accessors"])
    for name, kind, width in (("TEXCOORD_0", "VEC2", 8), ("TEXCOORD_1", "VEC2", 8), ("COLOR_0", "VEC3", 12), ("_AGE", "SCALAR", 4)):
        gltf["bufferViews"].append({"buffer": 1, "byteOffset": 0, "byteLength": 12 * width})
        gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]) - 1, "componentType": 5126, "count": 12, "type": kind})
        gltf["meshes"][0]["primitives"][0]["attributes"][name] = len(gltf["accessors"]) - 1
    data = bytes(144)
    gltf["buffers"].append({"byteLength": 144, "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()})
    gltf["materials"] = [{"name": "unused"}, {"name": "skin", "pbrMetallicRoughness": {"baseColorFactor": [1, 0.5, 0.25, 1]},
                                              "extras": {"kept": [1, 2, {"deep": "ö<"}]}}]
    primitive = gltf["meshes"][0]["primitives"][0]
    primitive["material"], primitive["extras"] = 1, {"tag": "a"}
    gltf["meshes"][0]["extras"] = {"targetNames": ["x"], "other": True}
    gltf["extras"] = {"file": "kept"}
    found, _ = bake("keeps", gltf)
    mesh = found["meshes"][0]
    got = mesh["primitives"][0]
    check(set(got["attributes"]) == {"POSITION", "NORMAL", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0", "_AGE"}, "%s" % got["attributes"])
    check(got["extras"] == {"tag": "a"} and mesh["extras"] == {"other": True}, "extras: %s" % mesh.get("extras"))
    check(len(found["materials"]) == 1 and found["materials"][got["material"]] == gltf["materials"][1], "the material it uses")
    check(found["extras"] == {"file": "kept"} and mesh["name"] == "square", "names and extras of the file")
    check(all(a.get("type") != "MAT4" for a in found["accessors"]) and len(found["accessors"]) != count, "no inverse bind matrices")


def test_meshes_used_twice():
    """Each skinned node gets a mesh of its own; a node without a skin keeps the one there was."""
    gltf = tube()
    gltf["nodes"] += [{"name": "again", "mesh": 0, "skin": 0}, {"name": "plain", "mesh": 0, "translation": [0, 0, 9]}]
    gltf["scenes"][0]["nodes"] += [3, 4]
    found, _ = bake("twice", gltf)
    by_name = {n.get("name"): n for n in found["nodes"]}
    meshes = [by_name[name]["mesh"] for name in ("tube_baked", "again", "plain")]
    check(len(set(meshes)) == 3 and len(found["meshes"]) == 3, "three meshes: %s" % meshes)
    check("JOINTS_0" in found["meshes"][by_name["plain"]["mesh"]]["primitives"][0]["attributes"], "the plain one as it was")
    check("mesh" not in by_name["tube"] and "skin" not in by_name["again"], "the skinned ones without")
    weights = [c["target"]["node"] for c in found["animations"][0]["channels"] if c["target"]["path"] == "weights"]
    check(sorted(found["nodes"][n]["name"] for n in weights) == ["again", "tube_baked"], "both move")


def test_attached_nodes_and_animations():
    """What hangs on a joint keeps its node, and the clip keeps moving it; other animations go."""
    gltf = tube()
    gltf["nodes"][2]["children"] = [3]
    gltf["nodes"].append({"name": "sword", "mesh": 1})
    gltf["meshes"].append({"name": "blade", "primitives": [{"attributes": {"POSITION": 0}}]})
    gltf["nodes"][0]["children"] = [4]
    gltf["nodes"].append({"name": "child"})
    turn = gltf["animations"][0]
    gltf["animations"] = [dict(turn, extras={"a": 1}), dict(turn, name="other")]
    found, _ = bake("attached", gltf)
    names = [n.get("name") for n in found["nodes"]]
    check(names[:5] == ["tube", "root", "tip", "sword", "child"], "nodes stay: %s" % names)
    check(found["nodes"][0]["children"] == [4] and found["nodes"][0]["translation"] == [7, 7, 7], "so do children")
    check(found["meshes"][found["nodes"][3]["mesh"]]["name"] == "blade", "and what they show")
    animation, = found["animations"]
    check(animation["name"] == "turn" and animation["extras"] == {"a": 1}, "one animation: the clip")
    check([(c["target"]["path"], c["target"]["node"]) for c in animation["channels"]] == [("rotation", 2), ("weights", 5)],
          "its channels: %s" % animation["channels"])
    check([c["sampler"] for c in animation["channels"]] == [0, 1] and len(animation["samplers"]) == 2, "its samplers")


def test_morph_targets_are_baked_in():
    gltf = tube()
    for primitive in gltf["meshes"][0]["primitives"]:
        primitive["targets"] = [{"POSITION": 0}, {"POSITION": 1}]
    gltf["meshes"][0]["weights"] = [0.5, 0]
    gltf["nodes"][0]["weights"] = [0.25, 0]
    animation = gltf["animations"][0]
    gltf["accessors"].append({"bufferView": 0, "byteOffset": 0, "componentType": 5126, "count": 6, "type": "SCALAR"})
    animation["samplers"].append({"input": 5, "output": len(gltf["accessors"]) - 1})
    animation["channels"].append({"sampler": 1, "target": {"node": 0, "path": "weights"}})
    found, _ = bake("morphs", gltf)
    check(all(len(p["targets"]) == 1 for p in found["meshes"][0]["primitives"]), "the frames' targets alone")
    check("weights" not in found["meshes"][0] and all("weights" not in n for n in found["nodes"]), "no weights of the old ones")
    channels = found["animations"][0]["channels"]
    check([c["target"]["path"] for c in channels] == ["rotation", "weights"], "the old channel of weights is gone")
    glb = Glb(scratch("morphs.glb"))
    wanted = posed(scratch("morphs.gltf"), "--time", "1")[0]["positions"]
    check(close(glb.morphed(found["meshes"][0]["primitives"][0], "POSITION", [1]), wanted), "they are in the positions")


def test_copies():
    """EXT_mesh_gpu_instancing goes with the mesh; .pc2 has every copy."""
    gltf = tube()
    data = base64.b64encode(bytes(12) + b"\0\0\x80\x3f" + bytes(8)).decode()  # (0, 0, 0), (1, 0, 0)
    gltf["buffers"].append({"byteLength": 24, "uri": "data:application/octet-stream;base64," + data})
    gltf["bufferViews"].append({"buffer": 1, "byteLength": 24})
    gltf["accessors"].append({"bufferView": len(gltf["bufferViews"]) - 1, "componentType": 5126, "count": 2, "type": "VEC3"})
    extension = {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": len(gltf["accessors"]) - 1}}}
    gltf["nodes"][0]["extensions"] = extension
    gltf["extensionsUsed"] = ["EXT_mesh_gpu_instancing"]
    found, _ = bake("copies", gltf)
    shown = [n for n in found["nodes"] if "mesh" in n]
    check(len(shown) == 1 and "EXT_mesh_gpu_instancing" in shown[0].get("extensions", {}), "copies stay copies: %s" % shown)
    check("extensions" not in found["nodes"][0], "the old node has none")
    expect(0, "", "bake", scratch("copies.gltf"), "-o", scratch("copies.pc2"), "--rest")
    check(len(posed(scratch("copies.gltf"))) == 4, "skin has every copy")
    check(read_pc2(scratch("copies.pc2"))[2] == [as_floats(positions_of(posed(scratch("copies.gltf"))))], "so has the .pc2")


def test_scenes():
    gltf = tube()
    gltf["nodes"].append({"name": "second", "mesh": 0, "skin": 0, "translation": [1, 0, 0]})
    gltf["scenes"].append({"nodes": [1, 3]})
    found, _ = bake("scenes", gltf)
    names = [[found["nodes"][n]["name"] for n in s["nodes"]] for s in found["scenes"]]
    check(names == [["tube", "root", "tube_baked"], ["root", "second", "second_baked"]], "each in its scene: %s" % names)
    gltf["scenes"].pop()
    found, told = bake("hidden", gltf)
    check("node 3 is in no scene: left out" in told and len(found["meshes"]) == 1, "what no scene shows: %s" % told)
    del gltf["scenes"], gltf["scene"]
    found, told = bake("unseen", gltf)
    check(not told and len(found["meshes"]) == 2, "a file without scenes shows everything")


def test_nodes_that_stand_still_are_used():
    gltf = tube()
    del gltf["nodes"][0]["translation"]
    found, _ = bake("still", gltf)
    check(len(found["nodes"]) == 3 and "mesh" in found["nodes"][0], "no second node")
    turn = gltf["animations"][0]
    turn["channels"].append({"sampler": 0, "target": {"node": 0, "path": "rotation"}})
    found, _ = bake("turning", gltf)
    check(len(found["nodes"]) == 4 and "mesh" not in found["nodes"][0], "one that the clip moves is not used")


main([test_primitives_keep_what_does_not_move, test_meshes_used_twice, test_attached_nodes_and_animations,
      test_morph_targets_are_baked_in, test_copies, test_scenes, test_nodes_that_stand_still_are_used])
