# test_usd_scene.py: meshes without skin: nodes as Xforms, at rest and moved by the bound clip.
import math

import _usd
from _cli import check, close, expect, main, scratch, tube, write_gltf


def scene():
    """The tube's mesh without a skin on node 0, once more below "tip", which clip "turn" turns."""
    gltf = tube()
    plain = gltf["meshes"][0]
    for primitive in plain["primitives"]:
        for name in ("JOINTS_0", "WEIGHTS_0"):
            primitive["attributes"] = {k: v for k, v in primitive["attributes"].items() if k != name}
    del gltf["skins"], gltf["nodes"][0]["skin"]
    gltf["nodes"][2]["mesh"] = 0
    gltf["nodes"][1]["matrix"] = [2, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]
    gltf["nodes"].append({"name": "empty", "children": [4]})
    gltf["nodes"].append({"name": "nothing"})
    gltf["scenes"][0]["nodes"].append(3)
    return gltf


def world(stage, prim, code):
    """By the xformOps, in their order."""
    result = _usd.IDENTITY
    while prim.kind:
        for op in reversed(prim.get("xformOpOrder") or []):
            value = stage.at(prim, op, code)
            if op == "xformOp:transform":
                matrix = _usd.from_usd(value)
            elif op == "xformOp:translate":
                matrix = _usd.compose(value, [1, 0, 0, 0], [1, 1, 1])
            elif op == "xformOp:orient":
                matrix = _usd.compose([0, 0, 0], value, [1, 1, 1])
            else:
                matrix = _usd.compose([0, 0, 0], [1, 0, 0, 0], value)
            result = _usd.multiply(matrix, result)
        prim = prim.parent
    return result


def test_tree():
    out = scratch("tree.usda")
    expect(0, "", "convert", write_gltf("tree.gltf", scene()), "-o", out)
    stage = _usd.load(out)
    check([p.path for p in stage.root.all("Xform")] == ["/tree/tube", "/tree/root", "/tree/root/tip"],
          "nodes that carry meshes, and those above: %s" % [p.path for p in stage.root.all("Xform")])
    check([m.path for m in stage.root.all("Mesh")] ==
          ["/tree/tube/square", "/tree/tube/square_2", "/tree/root/tip/square_3", "/tree/root/tip/square_4"], "meshes")
    check(not stage.root.all("Skeleton") and not any(m.get("skel:skeleton") for m in stage.root.all("Mesh")), "no skeleton")
    check(_usd.apply(world(stage, stage.find("/tree/tube"), 0), [1, 0, 0]) == [8, 7, 7], "a translation")
    for code, angle in ((0, 0), (6, 45), (12, 90), (18, 135), (24, 180)):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        x, y, z = c * 0.5 + s * 0.25, 1 + 1, -s * 0.5 + c * 0.25  # (0.5, 1, 0.25) turned, on (0, 1, 0)
        wanted = [2 * x + y + 5, y + 6, z + 7]
        got = _usd.apply(world(stage, stage.find("/tree/root/tip"), code), [0.5, 1, 0.25])
        check(close(got, wanted), "at %g: %s" % (code, got))
    expect(0, "", "convert", write_gltf("tree.gltf", scene()), "-o", out, "--rest")
    tip = _usd.load(out).find("/tree/root/tip")
    check(tip.get("xformOp:translate") == [0, 1, 0] and tip.properties["xformOp:orient"].samples is None, "--rest")


def test_deep():
    gltf = scene()
    gltf["nodes"] = [{"children": [i + 1], "translation": [1, 0, 0]} for i in range(3000)] + [{"mesh": 0}]
    gltf["scenes"][0]["nodes"] = [0]
    del gltf["animations"]
    out = scratch("deep.usda")
    expect(0, "", "convert", write_gltf("deep.gltf", gltf), "-o", out)
    with open(out) as file:
        text = file.read()
    check(text.count("def Xform") == 3001 and len(text) < 4000000, "3000 nested nodes")


if __name__ == "__main__":
    main([test_tree, test_deep])
