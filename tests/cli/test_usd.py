# test_usd.py: every asset of the corpus and every fixture as .usda: read by a strict reader, posed by UsdSkel's own
# definition, its vertices stand where `supple skin` puts them.
import json
import os
import sys

import _usd
from _cli import CORPUS, check, expect, main, run, scratch
from _usd_pose import asset_json, compare, moment, times_of, told_loss


def convert(path, *arguments):
    out = scratch("out.usda")
    if os.path.exists(out):
        os.remove(out)
    done = run("convert", path, "-o", out, *arguments)
    check(done.code == 0, "%s: exit %d: %s" % (path, done.code, done.err))
    return (_usd.load(out) if done.code == 0 else None), done.err


def compare_file(path, tolerance=1e-5):
    stage, told = convert(path, "--method", "lbs")
    if not stage:
        return
    clips = asset_json(path).get("animations", [])
    worst = 0.0
    for time in times_of(stage, clips):
        where = moment(stage, time) if clips else []
        off, size = compare(path, stage, time, ["--method", "lbs"] + where)
        check(off <= tolerance * size + told_loss(told), "%s at %g: off by %.2g of %g" % (path, time, off, size))
        worst = max(worst, off / (size or 1))
    for mesh in stage.root.all("Mesh"):  # the same numbers under the other method
        if mesh.get("skel:skeleton"):
            mesh.properties["primvars:skel:skinningMethod"].value = "dualQuaternion"
    codes = times_of(stage, clips)
    for time in codes[len(codes) // 2:len(codes) // 2 + 1]:
        where = moment(stage, time) if clips else []
        try:
            off, size = compare(path, stage, time, ["--method", "dqs", "--scale", "first"] + where)
        except ZeroDivisionError:  # a joint that scales to nothing has no rotation of its own
            continue
        check(off <= 2 * (tolerance * size + told_loss(told)), "%s at %g, dual: off by %.2g" % (path, time, off))
        worst = max(worst, off / (size or 1))
    if "-v" in sys.argv:
        print("%-60s %.2g %s" % (os.path.basename(path), worst, told.replace("\n", " | ")[:150]))


def test_fixtures():
    for name in ("arm", "ring", "shear", "tube", "figure"):
        path = scratch(name + ".glb")
        expect(0, "", "fixture", name, "-o", path)
        compare_file(path)


def test_corpus():
    index = os.path.join(CORPUS, "index.json")
    if not CORPUS or not os.path.exists(index):
        print("no corpus: fixtures alone")
        return
    with open(index) as file:
        assets = json.load(file)
    compared = 0
    for asset in assets:
        path = os.path.join(CORPUS, asset["file"])
        if run("info", path).code != 0:
            continue  # a build without the codec, or one that the reader refuses
        compare_file(path, tolerance=2e-3 if "cubic" in asset["id"] else 1e-5)
        compared += 1
    check(compared >= 40, "%d assets were compared" % compared)


if __name__ == "__main__":
    main([test_fixtures, test_corpus])
