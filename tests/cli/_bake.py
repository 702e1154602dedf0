# _bake.py: reading what `supple bake` writes, without any of its code: .pc2, .npz and morphing .glb files.
import json
import os
import struct
import zipfile

from _cli import check, run


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def posed(path, *arguments):
    """The primitives that `supple skin` prints for the same arguments."""
    done = run("skin", path, "--json", *arguments)
    check(done.code == 0, "skin %s: %s" % (arguments, done.err))
    return done.json()["primitives"]




def positions_of(primitives):
    return [c for p in primitives for c in p["positions"]]


def as_floats(values):
    """Numbers rounded to floats, as files have them."""
    return list(struct.unpack("<%df" % len(values), struct.pack("<%df" % len(values), *values)))


def read_pc2(path):
    """(start frame, frames a sample, [positions of each frame])"""
    data = read_bytes(path)
    magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data, 0)
    check(magic == b"POINTCACHE2\0" and version == 1, "%s: the head of a PointCache2" % path)
    check(len(data) == 32 + 12 * points * samples, "%s: %d bytes" % (path, len(data)))
    frames = [list(struct.unpack_from("<%df" % (3 * points), data, 32 + 12 * points * f)) for f in range(samples)]
    return start, rate, frames


def read_npy(data):
    """(numbers, shape) of a version 1.0 .npy in little endian."""
    check(data[:8] == b"\x93NUMPY\x01\x00", "npy magic")
    length, = struct.unpack_from("<H", data, 8)
    header = eval(data[10:10 + length], {"__builtins__": {}}, {})  # a literal, as NumPy reads it
    check(data[9 + length:10 + length] == b"\n" and header["fortran_order"] is False, "npy header")
    count = 1
    for n in header["shape"]:
        count *= n
    letter = {"<f4": "f", "<f8": "d", "<u4": "I", "<u8": "Q"}[header["descr"]]
    body = data[10 + length:]
    check(len(body) == count * struct.calcsize(letter), "npy size")
    return list(struct.unpack("<%d%s" % (count, letter), body)), header["shape"]


def read_npz(path):
    """{name: (numbers, shape)}; every array must begin at a multiple of 64 bytes, so that it can be mapped."""
    arrays = {}
    with zipfile.ZipFile(path) as file, open(path, "rb") as raw:
        check(file.testzip() is None, "%s: checksums" % path)
        for info in file.infolist():
            check(info.compress_type == zipfile.ZIP_STORED and info.filename.endswith(".npy"), "%s: stored" % info.filename)
            arrays[info.filename[:-4]] = read_npy(file.read(info))
            raw.seek(info.header_offset)
            local = raw.read(30)
            name, extra = struct.unpack_from("<HH", local, 26)
            start = info.header_offset + 30 + name + extra
            raw.seek(start + 8)
            header, = struct.unpack("<H", raw.read(2))
            check((start + 10 + header) % 64 == 0, "%s: data at %d" % (info.filename, start + 10 + header))
    return arrays


class Glb:
    """A .glb whose accessors can be read."""
    SIZES = {5121: ("B", 1), 5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}
    WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def __init__(self, path):
        data = read_bytes(path)
        magic, version, length = struct.unpack_from("<4sII", data, 0)
        check(magic == b"glTF" and version == 2 and length == len(data), "%s: the head of a .glb" % path)
        json_length, = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20:20 + json_length])
        self.binary = data[28 + json_length:]

    def view(self, number, offset, count, width, component):
        letter, size = self.SIZES[component]
        view = self.json["bufferViews"][number]
        stride = view.get("byteStride", width * size)
        start = view.get("byteOffset", 0) + offset
        check(start % size == 0 and offset + stride * (count - 1) + width * size <= view["byteLength"], "view %d" % number)
        return [struct.unpack_from("<%d%s" % (width, letter), self.binary, start + stride * i) for i in range(count)]

    def accessor(self, number):
        a = self.json["accessors"][number]
        width = self.WIDTHS[a["type"]]
        if "bufferView" in a:
            values = self.view(a["bufferView"], a.get("byteOffset", 0), a["count"], width, a["componentType"])
        else:
            values = [(0.0,) * width] * a["count"]
        if "sparse" in a:
            s, values = a["sparse"], list(values)
            at = self.view(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["count"], 1,
                           s["indices"]["componentType"])
            new = self.view(s["values"]["bufferView"], s["values"].get("byteOffset", 0), s["count"], width,
                            a["componentType"])
            check(all(x[0] < y[0] for x, y in zip(at, at[1:])), "sparse indices ascend")
            for (i,), v in zip(at, new):
                values[i] = v
        if "min" in a:
            for c in range(width):
                column = [v[c] for v in values]
                check(as_floats(a["min"])[c] == min(column) and as_floats(a["max"])[c] == max(column), "min and max of accessor %d" % number)
        return values

    def morphing(self):
        """(times, weights of each key, nodes) of the sampler that moves the baked meshes, the last one."""
        animation, = self.json["animations"]
        last = len(animation["samplers"]) - 1
        channels = [c for c in animation["channels"] if c["sampler"] == last]
        check(channels and all(c["target"]["path"] == "weights" for c in channels), "channels of weights")
        sampler = animation["samplers"][last]
        times = [t for t, in self.accessor(sampler["input"])]
        flat = [w for w, in self.accessor(sampler["output"])]
        width = len(flat) // len(times)
        return times, [flat[i * width:(i + 1) * width] for i in range(len(times))], [c["target"]["node"] for c in channels]

    def morphed(self, primitive, name, weights):
        """An attribute with these weights, as one flat list."""
        values = [list(v) for v in self.accessor(primitive["attributes"][name])]
        for weight, target in zip(weights, primitive.get("targets", [])):
            if weight and name in target:
                for v, d in zip(values, self.accessor(target[name])):
                    for c in range(len(d)):
                        v[c] += weight * d[c]
        return [c for v in values for c in v]


def remove_parts(output):
    folder, name = os.path.split(output)
    for other in os.listdir(folder):
        if other.startswith(name + ".part-"):
            os.remove(os.path.join(folder, other))


def parts_of(output):
    folder, name = os.path.split(output)
    return sorted(other[len(name):] for other in os.listdir(folder) if other.startswith(name + ".part-"))
