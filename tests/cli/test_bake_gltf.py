# test_bake_gltf.py: the morph targets of a baked .glb show, at each key, the positions and normals that `skin` prints.
import math
import os

from _bake import Glb, as_floats, posed
from _cli import CORPUS, check, close, expect, main, run, scratch, tube, write_gltf


def baked(path, out, times, *arguments):
    """Bakes, and compares every frame with `skin`; the nodes that show the meshes are at the identity."""
    check(run("bake", path, "-o", out, *arguments).code == 0, "%s: baked" % out)
    shared = [a for a in arguments if not a.startswith(("--frames", "--fps", "--interpolation"))]
    glb = Glb(out)
    keys, weights, nodes = glb.morphing()
    check(keys == as_floats(times), "%s: keys at %s" % (out, keys))
    check(len(weights) == len(times) and all(len(w) == len(times) - 1 for w in weights), "a weight for each target")
    for k, time in enumerate(times):
        check([i for i, w in enumerate(weights[k]) if w] == ([k - 1] if k else []) and sum(weights[k]) in (0, 1),
              "key %d has one target" % k)
        wanted = posed(path, "--time", repr(time), *shared)
        at = 0
        for node in nodes:
            for primitive in glb.json["meshes"][glb.json["nodes"][node]["mesh"]]["primitives"]:
                for name, key in (("POSITION", "positions"), ("NORMAL", "normals")):
                    check((name in primitive["attributes"]) == (key in wanted[at]), "%s: %s" % (out, name))
                    if key not in wanted[at]:
                        continue
                    got = glb.morphed(primitive, name, weights[k])
                    numbers = as_floats(wanted[at][key])
                    size = max(1, max(abs(x) for x in numbers))  # differences are rounded twice, to floats
                    check(close(got, numbers, 3e-7 * size), "%s: %s of primitive %d at key %d" % (out, key, at, k))
                at += 1
        check(at == len(wanted), "%s: every primitive" % out)
    return glb


def sampler_of(glb):
    animation, = glb.json["animations"]
    channel = next(c for c in animation["channels"] if c["target"]["path"] == "weights")
    return animation["samplers"][channel["sampler"]]


def test_frames():
    path = write_gltf("tube.gltf", tube())
    glb = baked(path, scratch("five.glb"), [0, 0.25, 0.5, 0.75, 1], "--frames=5")
    check(sampler_of(glb)["interpolation"] == "LINEAR", "linear")
    check("skins" not in glb.json and all("skin" not in n for n in glb.json["nodes"]), "no skin is left")
    primitive = glb.json["meshes"][0]["primitives"][0]
    check(set(primitive["attributes"]) == {"POSITION", "NORMAL"}, "attributes: %s" % primitive["attributes"])
    glb = baked(path, scratch("step.glb"), [0, 1], "--frames=2", "--interpolation=step")
    check(sampler_of(glb)["interpolation"] == "STEP", "step")
    baked(path, scratch("lbs.glb"), [0, 0.5, 1], "--frames=3", "--method=lbs")


def test_sparse_where_most_stands_still():
    """The lowest ring of the tube never moves, the others do: dense. With all but one vertex on "root": sparse."""
    def all_but_one(streams):
        streams["weights"] = [1, 0, 0, 0] * 11 + [0, 1, 0, 0]
    path = write_gltf("tube.gltf", tube())
    glb = baked(path, scratch("dense.glb"), [0, 0.5, 1], "--frames=3")
    target = glb.json["meshes"][0]["primitives"][0]["targets"][0]
    check("sparse" not in glb.json["accessors"][target["POSITION"]], "dense where most moves")
    path = write_gltf("one.gltf", tube(all_but_one))
    glb = baked(path, scratch("sparse.glb"), [0, 0.5, 1], "--frames=3")
    for target in glb.json["meshes"][0]["primitives"][0]["targets"]:
        for name in ("POSITION", "NORMAL"):
            accessor = glb.json["accessors"][target[name]]
            check(accessor.get("sparse", {}).get("count") == 1 and "bufferView" not in accessor, "%s of one vertex" % name)


def test_frames_alike():
    """A clip that moves nothing: targets of zeros, which need no bytes."""
    def still(streams):
        streams["turns"] = [0, 0, 0, 1] * 3
    glb = baked(write_gltf("still.gltf", tube(still)), scratch("still.glb"), [0, 0.5, 1], "--frames=3")
    target = glb.json["meshes"][0]["primitives"][0]["targets"][0]
    accessor = glb.json["accessors"][target["POSITION"]]
    check("bufferView" not in accessor and "sparse" not in accessor and accessor["min"] == [0, 0, 0], "zeros")


def test_spaces():
    path = write_gltf("tube.gltf", tube())
    glb = baked(path, scratch("scene.glb"), [0, 1], "--frames=2")
    node = glb.json["nodes"][glb.morphing()[2][0]]
    check("translation" not in node and node["name"] == "tube_baked", "scene space: a node that moves nothing: %s" % node)
    check("mesh" not in glb.json["nodes"][0], "the old node shows it no longer")
    glb = baked(path, scratch("mesh.glb"), [0, 1], "--frames=2", "--space=mesh")
    node = glb.json["nodes"][glb.morphing()[2][0]]
    check(node["translation"] == [7, 7, 7] and node["name"] == "tube", "mesh space: its own node: %s" % node)


def test_one_pose():
    path = write_gltf("tube.gltf", tube())
    for arguments in (["--rest"], ["--time", "0.5"]):
        out = scratch("pose.glb")
        expect(0, "", "bake", path, "-o", out, *arguments)
        glb = Glb(out)
        check("animations" not in glb.json and "skins" not in glb.json, "a static mesh")
        wanted = posed(path, *arguments)
        mesh, = glb.json["meshes"]
        for primitive, p in zip(mesh["primitives"], wanted):
            check("targets" not in primitive, "no morph targets")
            for name, key in (("POSITION", "positions"), ("NORMAL", "normals"), ("TANGENT", "tangents")):
                check((name in primitive["attributes"]) == (key in p), "%s: %s" % (arguments, name))
                if key in p:
                    check(glb.morphed(primitive, name, []) == as_floats(p[key]), "%s: %s" % (arguments, key))
        angle = math.pi / 4 if "--time" in arguments else 0
        check(close(glb.json["nodes"][2].get("rotation", [0, 0, 0, 1]), [0, math.sin(angle), 0, math.cos(angle)]),
              "joints stand as the clip has them, for what is attached to them")


def test_corpus():
    for folder, name, clip in (("khronos/RiggedSimple", "RiggedSimple.glb", "#0"),
                               ("khronos/RecursiveSkeletons", "RecursiveSkeletons.glb", "#0")):
        path = os.path.join(CORPUS, "assets", folder, "glTF-Binary", name)
        if not os.path.isfile(path):
            print("no %s: skipped in part" % name)
            continue
        begin, end = (expect(0, "", "info", path, "--json").json()["clips"][0][k] for k in ("begin", "end"))
        baked(path, scratch(name), [begin, end], "--frames=2", "--clip=" + clip)


main([test_frames, test_sparse_where_most_stands_still, test_frames_alike, test_spaces, test_one_pose, test_corpus])
