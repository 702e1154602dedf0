# make_seeds.py: writes the corpora of the fuzz targets that are made by arithmetic: python3 make_seeds.py
# [SUPPLE], with the command for a fixture. Inputs that fuzzing found stay beside them.
import base64
import copy
import json
import math
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
FORMATS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
F32, U8, U16, U32, I8, I16 = 5126, 5121, 5123, 5125, 5120, 5122


def write(target, name, data):
    folder = os.path.join(HERE, target, "corpus")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


class Asset:
    """A glTF under construction: every accessor gets a view of its own."""

    def __init__(self):
        self.data = b""
        self.json = {"asset": {"version": "2.0", "generator": "make_seeds"}, "accessors": [], "bufferViews": []}

    def view(self, data, **more):
        self.data += b"\0" * (-len(self.data) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data), **more})
        self.data += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, kind, component, values, **more):
        stride = WIDTHS[kind] * struct.calcsize(FORMATS[component])
        data = b""
        padding = -stride % 4 if kind != "SCALAR" else 0
        for i in range(0, len(values), WIDTHS[kind]):
            data += struct.pack("<%d%s" % (WIDTHS[kind], FORMATS[component]), *values[i:i + WIDTHS[kind]])
            data += b"\0" * padding
        extra = {"byteStride": stride + padding} if padding else {}
        item = {"bufferView": self.view(data, **extra), "componentType": component,
                "count": len(values) // WIDTHS[kind], "type": kind, **more}
        self.json["accessors"].append(item)
        return len(self.json["accessors"]) - 1

    def glb(self, options=b""):
        data = self.data + b"\0" * (-len(self.data) % 4)
        whole = {**self.json, "buffers": [{"byteLength": len(data)}]}
        text = json.dumps(whole, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(data)
        return (b"glTF" + struct.pack("<III", 2, size, len(text)) + b"JSON" + text +
                struct.pack("<I", len(data)) + b"BIN\0" + data + options)

    def gltf(self, uri):
        whole = {**self.json, "buffers": [{"byteLength": len(self.data), "uri": uri}]}
        return json.dumps(whole, separators=(",", ":")).encode()

    def data_uri(self):
        return "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()


CORNERS = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)]
RINGS = range(3)
SIDES = [i for r in (0, 4) for k in range(4)
         for i in (r + k, r + k + 4, r + (k + 1) % 4, r + (k + 1) % 4, r + k + 4, r + (k + 1) % 4 + 4)]
TRIANGLES = SIDES + [0, 1, 2, 0, 2, 3, 8, 10, 9, 8, 11, 10]
BINDS = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1]
HALF = math.sqrt(0.5)


def tube(weights=F32, joints=U16, sets=1, indices=U16, positions=F32, morph=True, clips=("LINEAR",), streams=True):
    """Three square rings along Y on two joints; the upper one turns about Y."""
    a = Asset()
    points = [c for y in RINGS for x, z in CORNERS for c in (x, y, z)]
    attributes = {}
    if positions == F32:
        attributes["POSITION"] = a.accessor("VEC3", F32, points, min=[-0.5, 0, -0.5], max=[0.5, 2, 0.5])
    else:
        a.json["extensionsUsed"] = a.json["extensionsRequired"] = ["KHR_mesh_quantization"]
        attributes["POSITION"] = a.accessor("VEC3", I16, [int(2 * c) for c in points], min=[-1, 0, -1], max=[1, 4, 1])
    if streams:
        normals = [c for _ in RINGS for x, z in CORNERS for c in (2 * HALF * x, 0, 2 * HALF * z)]
        tangents = [c for _ in RINGS for x, z in CORNERS for c in (2 * HALF * z, 0, -2 * HALF * x, 1)]
        attributes["NORMAL"] = a.accessor("VEC3", F32, normals)
        attributes["TANGENT"] = a.accessor("VEC4", F32, tangents)
    whole = {F32: 1, U8: 255, U16: 65535}[weights]
    for s in range(sets):
        share = [(1 - y / 2, y / 2) if s == 0 else (0, 0) for y in RINGS]
        values = [v for first, second in share for _ in CORNERS
                  for v in ((first, second, 0, 0) if weights == F32 else
                            (whole - int(second * whole), int(second * whole), 0, 0) if s == 0 else (0, 0, 0, 0))]
        more = {} if weights == F32 else {"normalized": True}
        attributes["WEIGHTS_%d" % s] = a.accessor("VEC4", weights, values, **more)
        attributes["JOINTS_%d" % s] = a.accessor("VEC4", joints, [0, 1, 0, 0] * 12)
    primitive = {"attributes": attributes}
    if indices:
        primitive["indices"] = a.accessor("SCALAR", indices, TRIANGLES)
    if morph:
        primitive["targets"] = [{"POSITION": a.accessor("VEC3", F32, [0.25, 0, 0] * 12, min=[0.25, 0, 0], max=[0.25, 0, 0])}]
    binds = a.accessor("MAT4", F32, BINDS)
    times = a.accessor("SCALAR", F32, [0, 0.5, 1], min=[0], max=[1])
    turn = a.accessor("VEC4", F32, [0, 0, 0, 1, 0, HALF, 0, HALF, 0, 1, 0, 0])
    spline = a.accessor("VEC4", F32, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1] * 3)
    move = a.accessor("VEC3", F32, [0, 1, 0, 0, 1.5, 0, 0, 1, 0])
    a.json.update({
        "scene": 0, "scenes": [{"name": "s", "nodes": [0, 1]}],
        "nodes": [{"name": "tube", "mesh": 0, "skin": 0, "translation": [7, 7, 7]},
                  {"name": "root", "children": [2]}, {"name": "tip", "translation": [0, 1, 0]}],
        "meshes": [{"name": "square", "primitives": [primitive]}],
        "skins": [{"name": "rig", "joints": [1, 2], "inverseBindMatrices": binds, "skeleton": 1}],
        "animations": []})
    for clip in clips:
        samplers = [{"input": times, "output": spline if clip == "CUBICSPLINE" else turn, "interpolation": clip},
                    {"input": times, "output": move}]
        channels = [{"sampler": 0, "target": {"node": 2, "path": "rotation"}},
                    {"sampler": 1, "target": {"node": 2, "path": "translation"}}]
        if morph:
            samplers.append({"input": times, "output": a.accessor("SCALAR", F32, [0, 1, 0])})
            channels.append({"sampler": 2, "target": {"node": 0, "path": "weights"}})
        a.json["animations"].append({"name": clip, "samplers": samplers, "channels": channels})
    return a


def assets():
    yield "tube.glb", tube()
    yield "plain.glb", tube(morph=False, clips=(), streams=False)
    yield "clips.glb", tube(clips=("LINEAR", "STEP", "CUBICSPLINE"), streams=False)
    yield "bytes.glb", tube(weights=U8, joints=U8, sets=2, indices=U8, morph=False)
    yield "shorts.glb", tube(weights=U16, joints=U8, indices=U32, positions=I16, clips=("STEP",), streams=False)
    for mode, indices in (("points", list(range(12))), ("lines", [0, 1, 1, 2]), ("loop", [0, 1, 2, 3]),
                          ("strip", [0, 4, 1, 5, 2, 6, 3, 7]), ("fan", [0, 1, 2, 3])):
        a = tube(indices=None, morph=False, clips=(), streams=False)
        primitive = a.json["meshes"][0]["primitives"][0]
        primitive["mode"] = {"points": 0, "lines": 1, "loop": 2, "strip": 5, "fan": 6}[mode]
        primitive["indices"] = a.accessor("SCALAR", U16, indices)
        yield mode + ".glb", a
    a = tube(morph=False, clips=(), streams=False)
    a.json["nodes"][2] = {"matrix": [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, -1, 0, 0, 1, 0, 1]}
    a.json["nodes"][1]["scale"] = [2, 2, 2]
    a.json["nodes"].append({"mesh": 0, "skin": 0, "rotation": [0, 1, 0, 0]})
    a.json["scenes"][0]["nodes"].append(3)
    yield "sheared.glb", a
    a = tube(morph=False, streams=False)
    position = a.json["accessors"][0]
    position["sparse"] = {"count": 2, "indices": {"bufferView": a.view(struct.pack("<2H", 1, 3)), "componentType": U16},
                          "values": {"bufferView": a.view(struct.pack("<6f", 9, 9, 9, 8, 8, 8))}}
    position["max"] = [9, 9, 9]
    yield "sparse.glb", a
    a = tube(clips=())
    a.json["materials"] = [{"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}]
    a.json["meshes"][0]["primitives"].append(copy.deepcopy(a.json["meshes"][0]["primitives"][0]))
    a.json["meshes"][0]["primitives"][1]["material"] = 0
    a.json["meshes"][0]["weights"] = [0.5]
    a.json["extras"] = {"é\n": [1.5e2, {"x": None}]}
    a.json["nodes"][0]["extensions"] = {"EXT_unknown": {"a": 1}}
    yield "twice.glb", a
    a = tube(morph=False, streams=False)
    times = next(i for i in a.json["accessors"] if i["type"] == "SCALAR" and i["componentType"] == F32)
    at = a.json["bufferViews"][times["bufferView"]]["byteOffset"]
    a.data = a.data[:at + 4] + struct.pack("<2f", 1, 1) + a.data[at + 12:]
    yield "equal-key-times.glb", a
    a = tube(morph=False, clips=())
    weights = a.json["accessors"][a.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]]
    at = a.json["bufferViews"][weights["bufferView"]]["byteOffset"]
    odd = struct.pack("<16f", 0, 0, 0, 0, 1.5, -0.5, 0, 0, 1, 1, 0, 0, 1e-30, 0, 0, 0)
    a.data = a.data[:at] + odd + a.data[at + len(odd):]
    yield "weights.glb", a


def json_seeds():
    texts = ["[]", "{}", "0", "-1.5e+3", '"a\\u0041\\ud83d\\ude00\\n"', "[1,[2,[3,{}]],true,false,null]",
             '{"a":{"b":[1,2,{"c":"d"}]},"e":1e400,"\\u0061b":-0}', '{"a":1,"\\u0061":2}', '[1,]', '"\\ud800"',
             "[" * 70 + "]" * 70, "{" + ",".join('"k%d":%d' % (i, i) for i in range(30)) + "}", '"é€𝄞"',
             '[0.1,1e-320,123456789012345678901234567890,1E5,9007199254740993]', '\t{ "x" : [ ] }\r\n']
    for i, text in enumerate(texts):
        write("json", "text-%02d.json" % i, text.encode())
    write("json", "utf8-cut.json", b'["\xc3"]')
    write("json", "bom.json", b"\xef\xbb\xbf[]")
    write("json", "nul.json", b'["a\0b"]')


def chunk(kind, data):
    return struct.pack("<I", len(data)) + kind + data


def glb_seeds():
    def container(*chunks, length=None, after=b""):
        body = b"".join(chunks)
        return b"glTF" + struct.pack("<II", 2, 12 + len(body) if length is None else length) + body + after
    text, bin_ = chunk(b"JSON", b"{}  "), chunk(b"BIN\0", b"\1\2\3\4")
    for name, data in (("two", container(text, bin_)), ("text", container(text)), ("odd", container(chunk(b"JSON", b"{}"))),
                       ("nul", container(chunk(b"JSON", b"{}\0\0"))), ("late", container(text, chunk(b"XYZ\0", b""), bin_)),
                       ("twice", container(text, bin_, bin_)), ("after", container(text, after=b"abc")),
                       ("stub", container(text, b"\0\0\0")), ("long", container(text, length=1 << 31)),
                       ("huge-chunk", b"glTF" + struct.pack("<III", 2, 24, 0xFFFFFFFC) + b"JSON{}  "),
                       ("empty", container(chunk(b"JSON", b"\0\0\0\0")))):
        write("glb", name + ".glb", data)


def documents():
    """Options after a small document: edits of every kind."""
    asset = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "children": [1]}, {}, {}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 1}]}], "materials": [{}, {}],
             "accessors": [{"bufferView": 0, "componentType": U8, "count": 2, "type": "VEC3"},
                           {"componentType": F32, "count": 2, "type": "SCALAR",
                            "sparse": {"count": 1, "indices": {"bufferView": 1, "componentType": U8},
                                       "values": {"bufferView": 2}}}],
             "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 1},
                             {"buffer": 0, "byteOffset": 12, "byteLength": 4}, {"buffer": 1, "byteLength": 3}],
             "images": [{"bufferView": 3}, {"uri": "data:;base64,AQID"}],
             "buffers": [{"byteLength": 24}, {"byteLength": 3, "uri": "data:;base64,CgsM"}]}
    text = json.dumps(asset, indent=2).encode()
    text += b" " * (-len(text) % 4)
    data = bytes(range(24))
    glb = struct.pack("<4sIIII", b"glTF", 2, 28 + len(text) + len(data), len(text), 0x4E4F534A) + text
    glb += struct.pack("<II", len(data), 0x004E4942) + data
    for what in range(8):
        edits = b"".join(bytes([what, 3 * k, k, 255, k]) for k in range(6))
        write("document", "edits-%d.glb" % what, glb + bytes([0, 6]) + edits)
    write("document", "mixed.glb", glb + bytes([0, 11]) + bytes((7 * k * k + k // 3) % 256 for k in range(80)))
    write("document", "little-memory.glb", glb + bytes([200, 6]) + bytes((5 * k) % 256 for k in range(60)))
    write("document", "plain.gltf", text)


def skins():
    """Options of the checker and of the repairs, behind assets that have something to find."""
    for name, asset in assets():
        if name in ("weights.glb", "sheared.glb", "twice.glb", "bytes.glb"):
            for i, options in enumerate(([0], [1], [2], [3], [0, 40])):
                write("check", "options-%d-%s" % (i, name), asset.glb(bytes(options)))
            for i, options in enumerate(([0], [63], [32, 3], [15, 4, 3], [32, 0, 4], [16], [0, 0, 0, 60])):
                write("fix", "options-%d-%s" % (i, name), asset.glb(bytes(options)))
    a = tube(morph=False, clips=(), streams=False)
    a.json["nodes"].append({"mesh": 0, "skin": 0, "translation": [0, 5, 0], "children": [4], "camera": 0})
    a.json["nodes"].append({"mesh": 0, "skin": 0, "matrix": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]})
    a.json["cameras"] = [{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]
    a.json["nodes"][1]["name"] = a.json["nodes"][2]["name"] = "a.b"
    a.json["scenes"][0]["nodes"].append(3)
    write("check", "nodes.glb", a.glb(bytes([1])))
    write("fix", "nodes.glb", a.glb())


def main():
    json_seeds()
    glb_seeds()
    for name, asset in assets():
        write("reader", name, asset.glb())
    write("reader", "data-uri.gltf", tube(morph=False, streams=False).gltf(tube(morph=False, streams=False).data_uri()))
    a = tube(morph=False, clips=(), streams=False)
    for name, uri in (("outside", "../x.bin"), ("missing", "gone!.bin"), ("space", "a b%20c.bin"), ("remote", "http://x/y")):
        write("reader", name + ".gltf", a.gltf(uri))
    # Streams of two triangles small enough for a made-up external file.
    for i in range(6):
        write("reader", "external-%d.gltf" % i, a.gltf("file%d.bin" % i))
    write("reader", "outside-allowed.glb", tube(morph=False, clips=()).glb(bytes([1])))
    write("reader", "structure.glb", tube().glb(bytes([6])))
    write("reader", "little-memory.glb", tube().glb(bytes([16, 40])))
    write("reader", "allocation-9.glb", tube().glb(bytes([0, 9])))
    full = tube(clips=("LINEAR", "CUBICSPLINE"))
    for i, options in enumerate(([0, 0, 1, 128, 1], [0, 0, 1, 90, 0, 0, 1, 2], [0, 0, 2, 64, 1, 1, 4, 3], [0, 0, 0, 0, 1, 5, 2, 6],
                                 [0, 0, 1, 255, 1, 40, 0, 1], [0, 0, 1, 100, 1, 75, 3, 9], [0, 0, 1, 128, 1, 0, 0, 0, 30])):
        write("deform", "options-%d.glb" % i, full.glb(bytes(options)))
    for i, options in enumerate(([0, 0, 0], [0, 0, 3])):
        write("sample", "options-%d.glb" % i, full.glb(bytes(options)))
    documents()
    skins()
    if len(sys.argv) > 1:
        for name in ("ring",):
            path = os.path.join(HERE, "reader", "corpus", "fixture-%s.glb" % name)
            subprocess.run([sys.argv[1], "fixture", name, "-o", path], check=True)


main()
