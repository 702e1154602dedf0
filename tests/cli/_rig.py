# _rig.py: glTF files read, posed, deformed and partly measured in double precision: what test_collapse.py holds
# the command's figures against. It shares nothing with the library.
import base64
import json
import math
import os
import struct
import urllib.parse

THRESHOLD = 0.75


# ---- vectors; matrices are three rows of four ----

def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def size(a):
    return math.sqrt(dot(a, a))


def unit(a):
    return times(a, 1 / size(a))


def apply(m, p):
    return tuple(r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3] for r in m)


def turn(m, d):
    return tuple(r[0] * d[0] + r[1] * d[1] + r[2] * d[2] for r in m)


def product(a, b):
    return [[sum(r[i] * b[i][c] for i in range(3)) + (r[3] if c == 3 else 0) for c in range(4)] for r in a]


def determinant(m):
    return dot(m[0][:3], cross(m[1][:3], m[2][:3]))


def cofactors(m):
    return [cross(m[1][:3], m[2][:3]), cross(m[2][:3], m[0][:3]), cross(m[0][:3], m[1][:3])]


def inverse(m):
    d, c = determinant(m), cofactors(m)
    rows = [[c[k][r] / d for k in range(3)] for r in range(3)]
    return [row + [-dot(row, (m[0][3], m[1][3], m[2][3]))] for row in rows]


def from_columns(n):
    return [[n[c * 4 + r] for c in range(4)] for r in range(3)]


def compose(t, q, s):
    x, y, z, w = q
    turned = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
              [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
              [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[turned[r][c] * s[c] for c in range(3)] + [t[r]] for r in range(3)]


def least_singular(columns):
    """The smallest singular value of three vectors, by Jacobi's rotations of the vectors themselves."""
    v = [list(c) for c in columns]
    for _ in range(30):
        off = 0
        for i, k in ((0, 1), (0, 2), (1, 2)):
            a, b, g = dot(v[i], v[i]), dot(v[k], v[k]), dot(v[i], v[k])
            off = max(off, abs(g) - 1e-15 * math.sqrt(a * b))
            if g == 0:
                continue
            zeta = (b - a) / (2 * g)
            t = math.copysign(1, zeta) / (abs(zeta) + math.hypot(1, zeta))
            c = 1 / math.hypot(1, t)
            v[i], v[k] = ([c * x - c * t * y for x, y in zip(v[i], v[k])],
                          [c * t * x + c * y for x, y in zip(v[i], v[k])])
        if off <= 0:
            break
    return min(size(x) for x in v)


# ---- quaternions (x, y, z, w) ----

def hamilton(a, b):
    v = add(add(times(b[:3], a[3]), times(a[:3], b[3])), cross(a[:3], b[:3]))
    return v + (a[3] * b[3] - dot(a[:3], b[:3]),)


def rotation_of(m):
    """The orthogonal polar factor (of -M where M mirrors) as a quaternion, by Newton's iteration."""
    sign = math.copysign(1, determinant(m))
    r = [[sign * x for x in row[:3]] for row in m]
    for _ in range(60):
        c, d = cofactors(r), determinant(r)
        grown = [[(r[i][k] + c[i][k] / d) / 2 for k in range(3)] for i in range(3)]
        moved = max(abs(grown[i][k] - r[i][k]) for i in range(3) for k in range(3))
        r = grown
        if moved < 1e-15:
            break
    squares = [1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2],
               1 - r[0][0] - r[1][1] + r[2][2], 1 + r[0][0] + r[1][1] + r[2][2]]
    k = squares.index(max(squares))
    x, y, z = r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]
    xy, xz, yz = r[0][1] + r[1][0], r[0][2] + r[2][0], r[1][2] + r[2][1]
    q = [(squares[0], xy, xz, x), (xy, squares[1], yz, y), (xz, yz, squares[2], z), (x, y, z, squares[3])][k]
    length = math.sqrt(sum(c * c for c in q))
    return tuple(c / length for c in q)


# ---- the file ----

FORMATS = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", 1), 5126: ("f", 1)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class File:
    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        chunks = {}
        if data[:4] == b"glTF":
            at = 12
            while at < len(data):
                length, kind = struct.unpack_from("<I4s", data, at)
                chunks[kind] = data[at + 8:at + 8 + length]
                at += 8 + length
            data = chunks[b"JSON"]
        self.gltf = json.loads(data)
        self.buffers = [self.buffer(b, path, chunks) for b in self.gltf["buffers"]]
        self.nodes = self.gltf["nodes"]
        self.parents = {c: i for i, n in enumerate(self.nodes) for c in n.get("children", [])}

    def buffer(self, buffer, path, chunks):
        uri = buffer.get("uri")
        if uri is None:
            return chunks[b"BIN\0"]
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        with open(os.path.join(os.path.dirname(path), urllib.parse.unquote(uri)), "rb") as file:
            return file.read()

    def read(self, index):
        a = self.gltf["accessors"][index]
        letter, most = FORMATS[a["componentType"]]
        width = WIDTHS[a["type"]]
        rows = self.rows(a, letter, width, a["count"])
        if "sparse" in a:
            s = a["sparse"]
            places = self.rows(s["indices"], FORMATS[s["indices"]["componentType"]][0], 1, s["count"])
            for (place,), row in zip(places, self.rows(s["values"], letter, width, s["count"])):
                rows[place] = row
        if a.get("normalized"):
            rows = [tuple(max(x / most, -1) for x in r) for r in rows]
        return rows

    def rows(self, a, letter, width, count):
        if "bufferView" not in a:
            return [(0,) * width] * count
        view = self.gltf["bufferViews"][a["bufferView"]]
        item = struct.Struct("<%d%s" % (width, letter))
        begin, stride = view.get("byteOffset", 0) + a.get("byteOffset", 0), view.get("byteStride", item.size)
        return [item.unpack_from(self.buffers[view["buffer"]], begin + i * stride) for i in range(count)]

    def sample(self, clip, time):
        """What the clip gives each (node, path); clip None: nothing."""
        found = {}
        for channel in self.gltf["animations"][clip]["channels"] if clip is not None else []:
            sampler = self.gltf["animations"][clip]["samplers"][channel["sampler"]]
            if "node" not in channel["target"]:
                continue
            path = channel["target"]["path"]
            keys, values = [k for k, in self.read(sampler["input"])], self.read(sampler["output"])
            if path == "weights":
                n = len(values) // len(keys)
                values = [tuple(v for v, in values[i * n:i * n + n]) for i in range(len(keys))]
            assert sampler.get("interpolation", "LINEAR") in ("LINEAR", "STEP")
            i = max([k for k in range(len(keys)) if keys[k] <= time], default=0)
            value = values[i]
            if time > keys[0] and i + 1 < len(keys) and sampler.get("interpolation") != "STEP":
                u, b = (time - keys[i]) / (keys[i + 1] - keys[i]), values[i + 1]
                value = slerp(value, b, u) if path == "rotation" else tuple(
                    x + u * (y - x) for x, y in zip(value, b))
            found[channel["target"]["node"], path] = value
        return found

    def worlds(self, moved):
        made = {}

        def world(i):
            if i not in made:
                n = self.nodes[i]
                local = from_columns(n["matrix"]) if "matrix" in n else compose(
                    moved.get((i, "translation"), n.get("translation", (0, 0, 0))),
                    moved.get((i, "rotation"), n.get("rotation", (0, 0, 0, 1))),
                    moved.get((i, "scale"), n.get("scale", (1, 1, 1))))
                made[i] = product(world(self.parents[i]), local) if i in self.parents else local
            return made[i]
        return [world(i) for i in range(len(self.nodes))]


def slerp(a, b, u):
    cosine = sum(x * y for x, y in zip(a, b))
    if cosine < 0:
        b, cosine = [-x for x in b], -cosine
    angle = math.acos(min(1, cosine))
    s, t = (1 - u, u) if angle < 1e-6 else (math.sin((1 - u) * angle) / math.sin(angle),
                                            math.sin(u * angle) / math.sin(angle))
    q = [s * x + t * y for x, y in zip(a, b)]
    length = math.sqrt(sum(x * x for x in q))
    return tuple(x / length for x in q)


# ---- an instance: its skin, its welded triangles, its bones ----

def clean(joints, weights):
    summed = {}
    for j, w in zip(joints, weights):
        if w > 0:
            summed[j] = summed.get(j, 0) + w
    if not summed:
        return [(joints[0], 1.0)]
    total = sum(summed.values())
    return sorted((j, w / total) for j, w in summed.items())


class Instance:
    def __init__(self, file, node):
        self.file, self.node = file, node
        gltf, self.points, self.influences, self.triangles, self.targets = file.gltf, [], [], [], []
        skin = gltf["skins"][file.nodes[node]["skin"]]
        self.joints = skin["joints"]
        self.binds = [from_columns(m) for m in file.read(skin["inverseBindMatrices"])]
        self.mesh = gltf["meshes"][file.nodes[node]["mesh"]]
        for p in self.mesh["primitives"]:
            self.read_primitive(p)
        low, high = ([f(p[c] for p in self.points) for c in range(3)] for f in (min, max))
        self.diagonal = size(sub(high, low))
        self.weld()
        slot = {n: j for j, n in enumerate(self.joints)}
        self.parents = []
        for n in self.joints: # the nearest joint above
            while n in file.parents and file.parents[n] not in slot:
                n = file.parents[n]
            self.parents.append(slot.get(file.parents.get(n)))
        self.find_bones()
        stored = self.palette(file.worlds({}))
        self.scales = [sum(w * abs(determinant(stored[j])) ** (1 / 3) for j, w in v) for v in self.influences]
        self.find_shells()

    def read_primitive(self, p):
        file, begin = self.file, len(self.points)
        points = file.read(p["attributes"]["POSITION"])
        self.points += points
        sets = [(file.read(p["attributes"]["JOINTS_%d" % k]), file.read(p["attributes"]["WEIGHTS_%d" % k]))
                for k in range(8) if "JOINTS_%d" % k in p["attributes"]]
        for v in range(len(points)):
            self.influences.append(clean(sum((s[0][v] for s in sets), ()), sum((s[1][v] for s in sets), ())))
        for k, target in enumerate(p.get("targets", [])):
            if len(self.targets) <= k:
                self.targets.append({})
            moves = enumerate(file.read(target["POSITION"])) if "POSITION" in target else ()
            self.targets[k].update((begin + v, d) for v, d in moves if any(d))
        order = [i for i, in file.read(p["indices"])] if "indices" in p else list(range(len(points)))
        self.triangles += [tuple(begin + i for i in order[k:k + 3]) for k in range(0, len(order) - 2, 3)]

    def weld(self):
        tolerance, grid, self.welded, self.first = 1e-5 * self.diagonal, {}, [], []
        for p in self.points:
            cell = [math.floor(x / (4 * tolerance)) for x in p]
            near_by = (-1, 0, 1)
            around = [(cell[0] + x, cell[1] + y, cell[2] + z) for x in near_by for y in near_by for z in near_by]
            same = min((w for c in around for w in grid.get(c, ())
                        if size(sub(p, self.points[self.first[w]])) <= tolerance), default=None)
            if same is None:
                same = len(self.first)
                self.first.append(len(self.welded))
                grid.setdefault(tuple(cell), []).append(same)
            self.welded.append(same)
        self.triangles = [t for t in self.triangles if len({self.welded[v] for v in t}) == 3]

    def find_bones(self):
        n, shared = range(len(self.joints)), [0.0] * len(self.joints)
        for v in self.influences:
            weight = dict(v)
            for j, w in v:
                shared[j] += min(w, weight.get(self.parents[j], 0))
        self.heads = []
        for m in self.binds:
            bind = inverse(m)
            self.heads.append(tuple(r[3] for r in bind))
        best = [max((k for k in n if self.parents[k] == j), key=lambda k: (shared[k], -k), default=None) for j in n]
        far = lambda a, b: size(sub(self.heads[a], self.heads[b])) > 1e-6 * self.diagonal
        self.above, self.below, self.incoming, self.outgoing = [], [], [], []
        for j in n:
            child, up = best[j], self.parents[j]
            while child is not None and not far(j, child):
                child = best[child]
            others = [k for k in n if self.parents[k] == j and far(j, k)]
            if others and (child is None or child != best[j]):
                other = max(others, key=lambda k: (shared[k], -k))
                if child is None or self.parents[child] == j and shared[other] > shared[child]:
                    child = other
            while up is not None and not far(j, up):
                up = self.parents[up]
            self.above.append(up)
            self.below.append(child)
            self.incoming.append(None if up is None else sub(self.heads[j], self.heads[up]))
            self.outgoing.append(None if child is None else sub(self.heads[child], self.heads[j]))
        for j in n:
            self.outgoing[j], self.incoming[j] = (self.outgoing[j] or self.incoming[j],
                                                  self.incoming[j] or self.outgoing[j])

    def find_shells(self):
        root = list(range(len(self.first)))

        def find(w):
            while root[w] != w:
                root[w] = root[root[w]]
                w = root[w]
            return w
        balance, ways = {}, {}
        for t, triangle in enumerate(self.triangles):
            a, b, c = (self.welded[v] for v in triangle)
            for x, y in ((a, b), (b, c), (c, a)):
                key = (min(x, y), max(x, y))
                balance[key] = balance.get(key, 0) + (1 if x < y else -1)
                ways.setdefault(key, []).append(t)
        group = list(range(len(self.triangles)))

        def top(t):
            while group[t] != t:
                group[t] = group[group[t]]
                t = group[t]
            return t
        for together in ways.values():
            for t in together[1:]:
                group[top(t)] = top(together[0])
        is_open = {top(ways[key][0]) for key, b in balance.items() if b}
        volumes = {}
        for t, triangle in enumerate(self.triangles):
            volumes[top(t)] = volumes.get(top(t), 0) + self.six(triangle, self.points)
        self.shells = [0 if top(t) in is_open else math.copysign(1, volumes[top(t)])
                       for t in range(len(self.triangles))]

    def six(self, triangle, points):
        stand = self.points if points is None else points
        a, b, c = (stand[self.first[self.welded[v]]] for v in triangle)
        origin = stand[0]
        return dot(sub(a, origin), cross(sub(b, origin), sub(c, origin)))

    def volume(self, points):
        return sum(s * self.six(t, points) for s, t in zip(self.shells, self.triangles) if s)

    def palette(self, worlds):
        return [product(worlds[n], b) for n, b in zip(self.joints, self.binds)]

    def morphed(self, moved):
        stored = self.file.nodes[self.node].get("weights", self.mesh.get("weights", ()))
        weights = moved.get((self.node, "weights"), stored)
        points = list(self.points)
        for target, w in zip(self.targets, weights):
            for v, d in target.items():
                points[v] = add(points[v], times(d, w))
        return points


# ---- one posed moment ----

class Moment:
    """An instance under one palette: both deformations, and what can be measured of them."""

    def __init__(self, instance, palette, rest):
        self.instance, self.palette, self.rest = instance, palette, rest
        self.turns = [rotation_of(m) for m in palette]
        # The smallest singular value of the cofactors is the product of the two smaller ones of the matrix.
        self.breadths = [math.sqrt(least_singular(cofactors(m))) for m in palette]

    def place(self, method, influences, p):
        images = [(w, apply(self.palette[j], p), self.turns[j]) for j, w in influences]
        if method == "lbs" or len(images) == 1:
            return tuple(sum(w * x[c] for w, x, _ in images) for c in range(3))
        pivot = images[max(range(len(images)), key=lambda i: (images[i][0], -i))][2]
        real, moved = [0.0] * 4, [0.0] * 4
        for w, x, q in images:
            if sum(a * b for a, b in zip(q, pivot)) < -1e-6:
                q = tuple(-c for c in q)
            pq = hamilton(x + (0.0,), q)
            for c in range(4):
                real[c] += w * q[c]
                moved[c] += w * pq[c]
        back = (-real[0], -real[1], -real[2], real[3])
        return times(hamilton(tuple(moved), back)[:3], 1 / sum(c * c for c in real))

    def kept_at(self, method, v):
        """The deformation is affine for given weights, so differences over any step give its linear part."""
        p, influences, step = self.instance.points[v], self.instance.influences[v], self.instance.diagonal
        columns = []
        for axis in ((step, 0, 0), (0, step, 0), (0, 0, step)):
            columns.append(times(sub(self.place(method, influences, add(p, axis)),
                                     self.place(method, influences, sub(p, axis))), 0.5 / step))
        breadth = sum(w * self.breadths[j] for j, w in influences)
        return least_singular(cofactors(columns)) / breadth ** 2

    def kept(self, method, joint):
        """The smallest over the vertices that the joint shares."""
        i, least, seen = self.instance, None, set()
        for v, influences in enumerate(i.influences):
            if len(influences) < 2 or all(j != joint for j, _ in influences) or tuple(influences) in seen:
                continue
            seen.add(tuple(influences))
            kept = self.kept_at(method, v)
            least = kept if least is None or kept < least else least
        return least

    def own_kept(self, method, joint):
        """(least, most) that it may be: the smallest over the shared vertices whose joint it is that turns most
        against its parent. Where two turn alike, rounding decides, and either may have the vertex."""
        i, sure, possible, seen = self.instance, None, None, set()
        for v, influences in enumerate(i.influences):
            if len(influences) < 2 or all(j != joint for j, _ in influences) or tuple(influences) in seen:
                continue
            seen.add(tuple(influences))
            mine, most = self.turned(joint), max(self.turned(j) for j, _ in influences if j != joint)
            if mine < most - 1e-6:
                continue
            kept = self.kept_at(method, v)
            possible = kept if possible is None else min(possible, kept)
            if mine > most + 1e-6:
                sure = kept if sure is None else min(sure, kept)
        return possible, sure

    def turned(self, joint):
        """How far a joint is turned against its parent: 1 less the cosine of half the angle."""
        parent = self.instance.parents[joint]
        if parent is None:
            return 0
        return 1 - abs(sum(a * b for a, b in zip(self.turns[joint], self.turns[parent])))

    def kept_below(self, method):
        """The share of the skin's area at vertices that keep less than the threshold."""
        i, areas, known = self.instance, [0.0] * len(self.instance.points), {}
        for t in i.triangles:
            a, b, c = (i.points[v] for v in t)
            for v in t:
                areas[v] += size(cross(sub(b, a), sub(c, a))) / 6
        below = 0
        for v, influences in enumerate(i.influences):
            key = tuple(influences)
            if key not in known:
                known[key] = 1 if len(influences) < 2 else self.kept_at(method, v)
            below += areas[v] if known[key] < THRESHOLD else 0
        return below / sum(areas)

    def edges(self, points):
        i, ratios = self.instance, []
        for t in i.triangles:
            for a, b in ((t[0], t[1]), (t[1], t[2]), (t[2], t[0])):
                rest = size(sub(self.rest[a], self.rest[b])) * (i.scales[a] + i.scales[b]) / 2
                if rest > 0:
                    ratios.append(size(sub(points[a], points[b])) / rest)
        return {"mean": sum(ratios) / len(ratios), "min": min(ratios), "max": max(ratios)}

    def volume(self, points):
        i = self.instance
        return i.volume(points) / (i.volume(self.rest) * i.scales[0] ** 3)
