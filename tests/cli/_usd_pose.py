# _usd_pose.py: vertices of a .usda as UsdSkel moves them, beside those of `supple skin`.
import json
import math
import re
import struct

import _usd
from _cli import check, run


def asset_json(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"glTF":
        return json.loads(data)
    length, = struct.unpack_from("<I", data, 12)
    return json.loads(data[20:20 + length])


def in_order_of_usd(path, primitives):
    """The command's primitives, sorted as the file has them: by skin."""
    nodes = asset_json(path)["nodes"]
    return sorted(primitives, key=lambda p: nodes[p["node"]].get("skin", 0))


def times_of(stage, clip_meta):
    """Some keys of the bound animation, and times between."""
    codes = set()
    for animation in stage.root.all("SkelAnimation"):
        for found in animation.properties.values():
            codes |= {code for code, _ in found.samples or []}
    begin, end = stage.meta.get("startTimeCode", 0), stage.meta.get("endTimeCode", 0)
    codes = sorted(c for c in codes if begin <= c <= end) or [0]
    some = codes[1::max(1, len(codes) // 2)][:2]
    return sorted({begin} | {end} | set(some) | {(a + b) / 2 for a, b in zip(some, some[1:])}) if clip_meta else [0]


def size_of(points):
    spans = [max(p[c] for p in points) - min(p[c] for p in points) for c in range(3)]
    return math.sqrt(sum(s * s for s in spans))


def compare(path, stage, time, arguments):
    """The largest distance, and the size of all."""
    wanted = run("skin", path, "--json", *arguments)
    check(wanted.code == 0, "%s: skin: %s" % (path, wanted.err))
    wanted = in_order_of_usd(path, wanted.json()["primitives"])
    meshes = [m for m in stage.root.all("Mesh") if m.parent is stage.root]
    check(len(meshes) == len(wanted), "%s: %d meshes for %d primitives" % (path, len(meshes), len(wanted)))
    worst, size = 0.0, 0.0
    for mesh, primitive in zip(meshes, wanted):
        points = list(zip(*[iter(primitive["positions"])] * 3))
        check(len(mesh.get("points")) == len(points), "%s: points" % path)
        step = max(1, len(points) // 60)
        got = _usd.skinned(stage, mesh, time, step)
        size = max(size, size_of(points))
        for p, q in zip(points[::step], got):
            worst = max(worst, math.dist(p, q))
    return worst, size


def moment(stage, code):
    """Options for a time code: a little later than it, since a key is a float and may be, too."""
    seconds = code / stage.meta["timeCodesPerSecond"]
    return ["--clip", "#0", "--time", repr(seconds * (1 + 1.2e-7))]


def told_loss(told):
    """What the command says that USD cannot hold, in metres."""
    found = re.findall(r"vertices are up to (\S+) m off", told)
    return max(map(float, found)) if found else 0.0
