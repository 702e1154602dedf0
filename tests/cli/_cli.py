# _cli.py: what the script tests of the command share: running it, checking, and a small asset.
import base64
import json
import math
import os
import struct
import subprocess
import sys

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
CORPUS = os.environ.get("SUPPLE_CORPUS", "")
SCRATCH = os.environ.get("SUPPLE_SCRATCH", "")
PROBLEMS = []


class Done:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        def refuse(word):
            raise ValueError("%s is not JSON" % word)
        return json.loads(self.out, parse_constant=refuse)


def run(*arguments, stdin=b"", stdout=subprocess.PIPE, **more):
    done = subprocess.run([COMMAND] + list(arguments), input=stdin, stdout=stdout, stderr=subprocess.PIPE,
                          timeout=120, **more)
    return Done(done.returncode, done.stdout or b"", done.stderr.decode("utf-8"))


def check(fine, what):
    if not fine:
        caller = sys._getframe(1)
        while caller.f_code.co_filename == __file__:
            caller = caller.f_back
        PROBLEMS.append("line %d: %s" % (caller.f_lineno, what))
        print("FAIL " + PROBLEMS[-1])


def expect(code, message, *arguments, **more):
    """Runs; the exit code and a part of stderr must be as said ("" for silence). Returns what came."""
    done = run(*arguments, **more)
    told = done.err if done.err else "(silence)"
    check(done.code == code, "%s: exit %d, not %d: %s" % (" ".join(arguments), done.code, code, told))
    check(message in done.err if message else not done.err,
          "%s: stderr should have '%s': %s" % (" ".join(arguments), message, told))
    return done


def scratch(name):
    return os.path.join(SCRATCH, name)


def close(a, b, tolerance=2e-6):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


def main(tests):
    if not COMMAND or not os.path.isfile(COMMAND):
        print("skipped: the command was not built")
        sys.exit(77)
    os.makedirs(SCRATCH, exist_ok=True)
    for test in tests:
        test()
    print("%d problems in %d tests" % (len(PROBLEMS), len(tests)))
    sys.exit(1 if PROBLEMS else 0)


# ---- a square tube on two joints ----

CORNERS = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)]


def tube(change=None, second_scale=None):
    """A .gltf as a dictionary: rings of four at y = 0, 1, 2; "tip" (node 2, at y = 1) below "root" (node 1)
    turns about Y from 0 to 180 degrees in clip "turn" of one second, keys at 0, ½, 1; ring 1 belongs to both joints
    by halves. Node 0, "tube", at (7, 7, 7), has the mesh, twice: two primitives. change(floats) may alter the
    streams, which are lists of floats by name."""
    half = math.sqrt(0.5)
    streams = {
        "positions": [c for y in range(3) for x, z in CORNERS for c in (x, y, z)],
        "normals": [c for y in range(3) for x, z in CORNERS for c in (2 * half * x, 0, 2 * half * z)],
        "tangents": [c for y in range(3) for x, z in CORNERS for c in (2 * half * z, 0, -2 * half * x, 1)],
        "weights": [c for y in range(3) for _ in CORNERS for c in (1 - y / 2, y / 2, 0, 0)],
        "binds": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1],
        "times": [0, 0.5, 1],
        "turns": [0, 0, 0, 1, 0, half, 0, half, 0, 1, 0, 0],
    }
    if change:
        change(streams)
    widths = {"positions": 3, "normals": 3, "tangents": 4, "weights": 4, "binds": 16, "times": 1, "turns": 4}
    types = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
    data, accessors = b"", []
    for name, values in streams.items():
        accessor = {"bufferView": 0, "byteOffset": len(data), "componentType": 5126,
                    "count": len(values) // widths[name], "type": types[widths[name]]}
        if name in ("positions", "times"):
            w = widths[name]
            accessor["min"] = [min(values[i::w]) for i in range(w)]
            accessor["max"] = [max(values[i::w]) for i in range(w)]
        accessors.append(accessor)
        data += struct.pack("<%df" % len(values), *values)
    sides = [i for r in (0, 4) for k in range(4)
             for i in (r + k, r + k + 4, r + (k + 1) % 4, r + (k + 1) % 4, r + k + 4, r + (k + 1) % 4 + 4)]
    triangles = sides + [0, 1, 2, 0, 2, 3, 8, 10, 9, 8, 11, 10]
    accessors.append({"bufferView": 0, "byteOffset": len(data), "componentType": 5123, "count": 48, "type": "VEC4"})
    accessors[-1]["count"] = 12
    data += struct.pack("<48H", *([0, 1, 0, 0] * 12))
    accessors.append({"bufferView": 0, "byteOffset": len(data), "componentType": 5123, "count": len(triangles),
                      "type": "SCALAR"})
    data += struct.pack("<%dH" % len(triangles), *triangles)
    attributes = {"POSITION": 0, "NORMAL": 1, "TANGENT": 2, "WEIGHTS_0": 3, "JOINTS_0": 7}
    tip = {"name": "tip", "translation": [0, 1, 0]}
    if second_scale:
        tip["scale"] = second_scale
    return {
        "asset": {"version": "2.0", "generator": "a test"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "tube", "mesh": 0, "skin": 0, "translation": [7, 7, 7]},
                  {"name": "root", "children": [2]}, tip],
        "meshes": [{"name": "square", "primitives": [{"attributes": attributes, "indices": 8},
                                                     {"attributes": {k: v for k, v in attributes.items()
                                                                     if k != "TANGENT"}, "indices": 8}]}],
        "skins": [{"name": "rig", "joints": [1, 2], "inverseBindMatrices": 4}],
        "animations": [{"name": "turn", "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
                        "samplers": [{"input": 5, "output": 6}]}],
        "accessors": accessors, "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "buffers": [{"byteLength": len(data),
                     "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
    }


def write_gltf(name, gltf):
    path = scratch(name)
    with open(path, "w") as file:
        json.dump(gltf, file)
    return path


def write_plain(name):
    """A file with a mesh and no skin."""
    gltf = tube()
    del gltf["skins"], gltf["nodes"][0]["skin"]
    return write_gltf(name, gltf)


def turned(middle, top, shrink=1.0):
    """The tube's positions with the second and third ring turned about Y by radians, the second shrunk."""
    result = []
    for y, angle, scale in ((0, 0.0, 1.0), (1, middle, shrink), (2, top, 1.0)):
        c, s = math.cos(angle) * scale, math.sin(angle) * scale
        for x, z in CORNERS:
            result += [c * x + s * z, y, -s * x + c * z]
    return result
