# make_base.py: writes base.gltf and base.bin, the file without a fault that cases.json puts its faults into.
#
#     python3 make_base.py
import json
import pathlib
import struct

HERE = pathlib.Path(__file__).resolve().parent
ARRAYS = {"B": 5121, "H": 5123, "f": 5126}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
VERTICES, INDICES = 34962, 34963

data, views, accessors = bytearray(), [], []


def view(kind, values, target=None):
    views.append({"buffer": 0, "byteOffset": len(data)})
    data.extend(struct.pack(f"<{len(values)}{kind}", *values))
    views[-1]["byteLength"] = len(data) - views[-1]["byteOffset"]
    if target:
        views[-1]["target"] = target
    return len(views) - 1


def accessor(kind, shape, values, target=None, bounds=False, sparse=None):
    width = WIDTHS[shape]
    made = {"componentType": ARRAYS[kind], "count": len(values) // width, "type": shape}
    if bounds:
        made["min"] = [min(values[i::width]) for i in range(width)]
        made["max"] = [max(values[i::width]) for i in range(width)]
    if sparse:
        made["sparse"] = sparse
    else:
        made["bufferView"] = view(kind, values, target)
    accessors.append(made)
    return len(accessors) - 1


attributes = {
    "POSITION": accessor("f", "VEC3", [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5], VERTICES, True),
    "NORMAL": accessor("f", "VEC3", [0, 0, 1] * 4, VERTICES),
    "TANGENT": accessor("f", "VEC4", [1, 0, 0, 1] * 4, VERTICES),
    "JOINTS_0": accessor("B", "VEC4", [0, 1, 2, 0] * 4, VERTICES),
    "WEIGHTS_0": accessor("f", "VEC4", [0.5, 0.25, 0.125, 0] * 4, VERTICES),
    "JOINTS_1": accessor("H", "VEC4", [3, 0, 0, 0] * 4, VERTICES),
    "WEIGHTS_1": accessor("f", "VEC4", [0.125, 0, 0, 0] * 4, VERTICES),
    "COLOR_0": accessor("f", "VEC4", [1, 0.5, 0.5, 1] * 4, VERTICES),
}
triangles = accessor("H", "SCALAR", [0, 1, 2, 2, 1, 3], INDICES)
target = accessor("f", "VEC3", [0, 0, 0.25] * 4, VERTICES, True)
binds = accessor("f", "MAT4", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] * 4)
times = accessor("f", "SCALAR", [0, 0.5, 1], None, True)
turns = accessor("f", "VEC4", [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0])
moves = accessor("f", "VEC3", [0, 1, 0] * 3)
cubic = accessor("f", "VEC4", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0] * 3)
weights = accessor("f", "SCALAR", [0, 0, 1, 0, 0, 1])
places, values = view("H", [1, 3]), view("f", [0, 0, 0.25, 0, 0, 0.5])
sparse = accessor("f", "VEC3", [0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0, 0.5], None, True,
                  {"count": 2, "indices": {"bufferView": places, "componentType": 5123},
                   "values": {"bufferView": values}})

asset = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0, 1, 6]}],
    "nodes": [
        {"name": "skinned", "mesh": 0, "skin": 0},
        {"name": "hip", "children": [2, 4]},
        {"name": "knee", "translation": [0, 1, 0], "children": [3]},
        {"name": "foot", "rotation": [0, 0, 0, 1], "scale": [1, 1, 1]},
        {"name": "arm", "children": [5]},
        {"name": "face", "mesh": 1},
        {"name": "plain", "mesh": 2},
    ],
    "meshes": [
        {"primitives": [{"attributes": attributes, "indices": triangles, "mode": 4}]},
        {"primitives": [{"attributes": {"POSITION": attributes["POSITION"]}, "indices": triangles,
                         "targets": [{"POSITION": target}, {"POSITION": sparse}]}], "weights": [0, 0.5]},
        {"primitives": [{"attributes": {"POSITION": attributes["POSITION"]}, "indices": triangles}]},
    ],
    "skins": [{"joints": [1, 2, 3, 4], "inverseBindMatrices": binds, "skeleton": 1}],
    "animations": [{
        "samplers": [{"input": times, "output": turns},
                     {"input": times, "output": moves, "interpolation": "STEP"},
                     {"input": times, "output": cubic, "interpolation": "CUBICSPLINE"},
                     {"input": times, "output": weights}],
        "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                     {"sampler": 1, "target": {"node": 2, "path": "translation"}},
                     {"sampler": 2, "target": {"node": 3, "path": "rotation"}},
                     {"sampler": 3, "target": {"node": 5, "path": "weights"}}],
    }],
    "accessors": accessors,
    "bufferViews": views,
    "buffers": [{"byteLength": len(data), "uri": "base.bin"}],
}
(HERE / "base.gltf").write_text(json.dumps(asset, indent=1) + "\n", encoding="utf-8")
(HERE / "base.bin").write_bytes(data)
