# test_usd_readers.py: other programs read the .usda and the .usdz: tinyusdz (whose reading is posed by UsdSkel's definition) and
# three's USDLoader (which poses by itself): the vertices stand where `supple skin` puts them.
import json
import math
import os
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

import _usd
import _usd_readers
from _cli import CORPUS, SCRATCH, check, expect, main, run, scratch
from _usd_pose import asset_json, compare, in_order_of_usd, moment, told_loss

FIXTURES = ["arm", "tube", "shear"]
ASSETS = ["SimpleSkin", "RiggedFigure-Binary", "Fox-Binary", "Fox-rootscale", "Fox-step", "magnum-skin", "greenman", "RobotExpressive",
          "Q-Manta_ray", "Q-Character", "vrm-armature_transform", "vrm-modifier_shapekey_vrm1", "vrm-cryptovoxels",
          "RiggedFigure-quantized", "RiggedFigure-mirrored", "RiggedFigure-blender-8infl", "TwistTube"]


def sources():
    found = {}
    for name in FIXTURES:
        found[name] = scratch(name + ".glb")
        expect(0, "", "fixture", name, "-o", found[name])
    index = os.path.join(CORPUS, "index.json")
    if CORPUS and os.path.exists(index):
        with open(index) as file:
            known = {asset["id"]: os.path.join(CORPUS, asset["file"]) for asset in json.load(file)}
        found.update((name, known[name]) for name in ASSETS)
    return found


def check_tinyusdz(name, source, request, read, stage, told):
    found = read["tinyusdz"]
    if "error" in found:
        check(False, "%s: tinyusdz: %s" % (name, found["error"]))
        return
    meshes = stage.root.all("Mesh")
    check(sorted((m["path"], m["points"], m["faces"]) for m in found["meshes"]) ==
          sorted((m.path, len(m.get("points")), len(m.get("faceVertexCounts"))) for m in meshes),
          "%s: tinyusdz: meshes" % name)
    again = _usd.load(request["tinyusdz"], loose=True)
    worst = 0.0
    for seconds, code in zip(request["seconds"], request["codes"]):
        where = moment(stage, code) if asset_json(source).get("animations") else []
        off, size = compare(source, again, code, ["--method", "lbs"] + where)
        check(off <= 1e-5 * size + told_loss(told), "%s at %g s: tinyusdz is off by %g" % (name, seconds, off))
        worst = max(worst, off / (size or 1))
    return worst


def matched(rest, wanted_rest):
    """For each of three's vertices one of the file's: three may give each corner a vertex of its own."""
    if len(rest) == len(wanted_rest):
        return range(len(rest))
    places = {}
    for v, point in enumerate(wanted_rest):
        places.setdefault(tuple(point), []).append(v)
    return [places.get(tuple(point), [None])[0] for point in rest]


def triples(numbers):
    return list(zip(*[iter(numbers)] * 3))


def check_three(name, source, request, read, stage, told):
    found = read["three"]
    if "error" in found:
        check(False, "%s: three: %s" % (name, found["error"]))
        return None
    meshes = [m for m in stage.root.all("Mesh") if m.parent is stage.root]
    few = all(m.properties["primvars:skel:jointIndices"].meta["elementSize"] <= 4 for m in meshes)
    bound = [m for m in stage.root.all("Mesh") if m.get("skel:skeleton")]
    check(len(found["skinned"]) == len(bound), "%s: three: %d skinned meshes" % (name, len(found["skinned"])))
    if not few or len({m.get("skel:skeleton") for m in meshes}) != 1 or any(m.get("skel:blendShapes") for m in meshes):
        return None  # three keeps four influences, plays by joints' names, and knows no blend shapes here
    worst, by_name = 0.0, {mesh["name"]: mesh for mesh in found["skinned"]}
    tolerance = 1e-3 if "step" in name else 2e-5  # three's times are floats: near a step a share of it shows
    for i, (seconds, code) in enumerate(zip(request["seconds"], request["codes"])):
        where = moment(stage, code) if asset_json(source).get("animations") else []
        wanted = in_order_of_usd(source, run("skin", source, "--json", "--method", "lbs", *where).json()["primitives"])
        for mesh, primitive in zip(meshes, wanted):
            other = by_name[mesh.path.rpartition("/")[2]]
            numbers = matched(triples(other["rest"]), [tuple(p) for p in as_floats(mesh.get("points"))])
            goal, got = triples(primitive["positions"]), triples(other["poses"][i])
            size = math.dist([min(p[c] for p in goal) for c in range(3)], [max(p[c] for p in goal) for c in range(3)])
            off = max(math.dist(goal[v], p) for v, p in zip(numbers, got))
            check(off <= tolerance * size + told_loss(told), "%s at %g s: three is off by %g of %g" % (name, seconds, off, size))
            worst = max(worst, off / size)
    return worst


def as_floats(points):
    return [struct.unpack("<3f", struct.pack("<3f", *p)) for p in points]


def check_package(name, plain, packed):
    """The .usdz gives both readers what the .usda gave them, and three the textures."""
    check("error" not in packed["tinyusdz"] and packed["tinyusdz"] == plain["tinyusdz"],
          "%s: tinyusdz reads the .usdz: %s" % (name, packed["tinyusdz"].get("error")))
    check("error" not in packed["three"], "%s: three reads the .usdz: %s" % (name, packed["three"].get("error")))
    for key in ("skinned", "plain", "clips", "duration"):
        check(packed["three"].get(key) == plain["three"].get(key), "%s: three's %s of the .usdz" % (name, key))


def test_readers():
    requests, stages, packages = [], [], []
    for name, source in sources().items():
        out = scratch(name + ".usda")
        done = run("convert", source, "-o", out, "--method", "lbs")
        check(done.code == 0, "%s: %s" % (name, done.err))
        stage = _usd.load(out)
        begin, end = stage.meta.get("startTimeCode", 0), stage.meta.get("endTimeCode", 0)
        codes = [begin + round((end - begin) * 0.37), end] if end > begin else [0]
        requests.append({"file": out, "tinyusdz": scratch(name + "-again.usda"), "codes": codes,
                         "seconds": [code / stage.meta["timeCodesPerSecond"] for code in codes]})
        stages.append((name, source, stage, done.err))
        package = scratch(name + ".usdz")
        check(run("convert", source, "-o", package, "--method", "lbs").code == 0, "%s: a .usdz" % name)
        packages.append(dict(requests[-1], file=package, tinyusdz=scratch(name + "-unpacked.usda")))
    compared = 0
    found = _usd_readers.read(requests + packages, SCRATCH)
    textured = 0
    for request, read, packed, (name, source, stage, told) in zip(requests, found, found[len(requests):], stages):
        check_package(name, read, packed)
        textured += any(m["map"] for m in packed.get("three", {}).get("materials", []))
        a = check_tinyusdz(name, source, request, read, stage, told)
        b = check_three(name, source, request, read, stage, told)
        compared += b is not None
        if "-v" in sys.argv:
            print(name, a, b)
    check(textured >= (2 if len(stages) > 3 else 0), "textures of %d packages" % textured)
    check(compared >= (10 if len(stages) > 3 else 2), "three posed %d" % compared)


if __name__ == "__main__":
    _usd_readers.modules()
    os.makedirs(SCRATCH, exist_ok=True)
    main([test_readers])
