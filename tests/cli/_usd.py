# _usd.py: a strict reader of the .usda that the command writes, and UsdSkel evaluated from it alone.
#
# The reader knows the prims, properties and types that the files may have, as USD's schemas declare them, and
# fails on anything else. The evaluation follows the definition of UsdSkel: joints' transforms are scale, rotation,
# translation, relative to the parent joint; scales are 16-bit floats; a point is moved by the inverse of its
# joints' bind transforms, then by their transforms.
import json
import math
import re
import struct


class Wrong(Exception):
    pass


TYPES = {"int": 1, "float": 1, "double3": 3, "float2": 2, "float3": 3, "float4": 4, "half3": 3, "quatf": 4,
         "color3f": 3, "normal3f": 3, "point3f": 3, "vector3f": 3, "texCoord2f": 2, "matrix4d": 16,
         "token": 0, "string": 0, "asset": 0, "bool": 0}
BINDING = {"primvars:skel:geomBindTransform": "matrix4d", "primvars:skel:jointIndices": "int[]",
           "primvars:skel:jointWeights": "float[]", "primvars:skel:skinningMethod": "uniform token",
           "skel:skeleton": "rel", "skel:animationSource": "rel", "skel:blendShapes": "uniform token[]",
           "skel:blendShapeTargets": "rel"}
XFORM = {"xformOp:orient": "quatf", "xformOp:scale": "float3", "xformOp:translate": "double3",
         "xformOp:transform": "matrix4d", "xformOpOrder": "uniform token[]"}
SCHEMAS = {
    "SkelRoot": {"extent": "float3[]"}, "Scope": {}, "Xform": XFORM,
    "Skeleton": dict(XFORM, **{"bindTransforms": "uniform matrix4d[]", "jointNames": "uniform token[]",
                               "joints": "uniform token[]", "restTransforms": "uniform matrix4d[]",
                               "skel:animationSource": "rel"}),
    "SkelAnimation": {"blendShapes": "uniform token[]", "blendShapeWeights": "float[]", "joints": "uniform token[]",
                      "rotations": "quatf[]", "scales": "half3[]", "translations": "float3[]"},
    "BlendShape": {"normalOffsets": "uniform vector3f[]", "offsets": "uniform vector3f[]",
                   "pointIndices": "uniform int[]"},
    "Mesh": dict(BINDING, **{"doubleSided": "uniform bool", "material:binding": "rel", "extent": "float3[]",
                             "faceVertexCounts": "int[]", "faceVertexIndices": "int[]", "normals": "normal3f[]",
                             "orientation": "uniform token", "points": "point3f[]",
                             "primvars:displayColor": "color3f[]", "primvars:displayOpacity": "float[]",
                             "primvars:st": "texCoord2f[]", "subdivisionScheme": "uniform token"}),
    "Material": {"outputs:surface": "token"},
    "Shader": {"info:id": "uniform token", "inputs:diffuseColor": "color3f", "inputs:emissiveColor": "color3f",
               "inputs:metallic": "float", "inputs:roughness": "float", "inputs:opacity": "float",
               "inputs:opacityThreshold": "float", "inputs:useSpecularWorkflow": "int", "outputs:surface": "token",
               "inputs:varname": "string", "inputs:fallback": "float3", "inputs:in": "float2",
               "inputs:rotation": "float", "inputs:scale": ("float2", "float4"), "inputs:translation": "float2",
               "outputs:result": ("float2", "float3"), "inputs:file": "asset", "inputs:sourceColorSpace": "token",
               "inputs:st": "float2", "inputs:wrapS": "token", "inputs:wrapT": "token", "outputs:a": "float",
               "outputs:rgb": "float3"}}
API_SCHEMAS = {"Mesh": {"MaterialBindingAPI", "SkelBindingAPI"}, "Skeleton": {"SkelBindingAPI"}}
CHILDREN = {"": {"SkelRoot"}, "SkelRoot": {"Scope", "Skeleton", "Mesh", "Xform"}, "Scope": {"Material"},
            "Xform": {"Xform", "Mesh", "Skeleton"}, "Skeleton": {"SkelAnimation"}, "Mesh": {"BlendShape"},
            "Material": {"Shader"}}
LAYER = {"defaultPrim": str, "doc": str, "endTimeCode": float, "startTimeCode": float, "framesPerSecond": float,
         "timeCodesPerSecond": float, "metersPerUnit": float, "upAxis": str, "customLayerData": dict}


class Property:
    def __init__(self, kind, uniform):
        self.kind, self.uniform = kind, uniform
        self.value, self.samples, self.connection, self.meta = None, None, None, {}


class Prim:
    def __init__(self, kind, path, parent):
        self.kind, self.path, self.parent = kind, path, parent
        self.meta, self.properties, self.children = {}, {}, {}

    def get(self, name):
        found = self.properties.get(name)
        return found.value if found else None

    def all(self, kind):
        found = [self] if self.kind == kind else []
        for child in self.children.values():
            found += child.all(kind)
        return found


STRING = re.compile(r'"((?:[^"\\\n]|\\["\\])*)"')
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?::[A-Za-z_][A-Za-z0-9_]*)*")
PATH = re.compile(r"<((?:/[A-Za-z_][A-Za-z0-9_]*)+)(?:\.([A-Za-z:]+))?>")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
KIND = re.compile(r"[a-z]+(?:Coord)?[0-9]?[a-z]?(?:\[\])?", re.A)


class Reader:
    """loose: for what another program wrote of the same file: other spaces, and outputs may be left out."""
    def __init__(self, text, loose=False):
        self.text, self.at, self.loose = text, 0, loose

    def fail(self, what):
        line = self.text.count("\n", 0, self.at) + 1
        raise Wrong("line %d: %s: %r" % (line, what, self.text[self.at:self.at + 40]))

    def space(self):
        while self.text.startswith((" ", "\n"), self.at):
            self.at += 1

    def peek(self, text):
        self.space()
        return self.text.startswith(text, self.at)

    def take(self, text):
        if not self.peek(text):
            return False
        self.at += len(text)
        return True

    def need(self, text):
        if not self.take(text):
            self.fail("%s expected" % text)

    def match(self, pattern, what):
        self.space()
        found = pattern.match(self.text, self.at)
        if not found:
            self.fail(what + " expected")
        self.at = found.end()
        return found

    def string(self):
        return re.sub(r"\\(.)", r"\1", self.match(STRING, "a string").group(1))

    def number(self):
        return float(self.match(NUMBER, "a number").group())

    def list_of(self, item):
        self.need("[")
        result = []
        while not self.take("]"):
            if result:
                self.need(",")
            result.append(item())
        return result

    def numbers(self, kind, array):
        """By json, which is as strict: a matching bracket, and no letters but an exponent's."""
        self.space()
        if not array and TYPES[kind] == 1:
            value = self.number()
            return int(value) if kind == "int" else value
        if not self.text.startswith("[" if array else "(", self.at):
            self.fail("a list expected" if array else "a tuple expected")
        end = self.at
        depth = 0
        for found in re.compile(r"[][()\n\"<{=]").finditer(self.text, self.at):
            if found.group() in "[(":
                depth += 1
            elif found.group() in "])":
                depth -= 1
            else:
                self.fail("a number expected")
            if depth == 0:
                end = found.end()
                break
        if depth or end == self.at:
            self.fail("no end of the list")
        words = self.text[self.at:end]
        if not self.loose and ", " in words and re.search(r",[^ ]|  | \)", words):
            self.fail("spaces")
        try:
            value = json.loads(words.replace("(", "[").replace(")", "]"), parse_constant=self.fail)
        except ValueError:
            self.fail("numbers expected")
        for element in value if array else [value]:
            self.check(kind, element)
        if kind == "matrix4d":
            flat = [[c for row in m for c in row] for m in (value if array else [value])]
            value = flat if array else flat[0]
        self.at = end
        return value

    def check(self, kind, element):
        width = TYPES[kind]
        if width == 16:
            fine = isinstance(element, list) and len(element) == 4 and all(
                isinstance(row, list) and len(row) == 4 and all(type(c) in (int, float) for c in row)
                for row in element)
        elif width == 1:
            fine = type(element) is int if kind == "int" else type(element) in (int, float)
        else:
            fine = isinstance(element, list) and len(element) == width and all(
                type(c) in (int, float) for c in element)
        if not fine:
            self.fail("not a %s: %r" % (kind, element))

    def value(self, kind):
        base, array = kind.replace("[]", ""), kind.endswith("[]")
        if base in ("token", "string"):
            return self.list_of(self.string) if array else self.string()
        if base == "asset":
            return self.match(re.compile(r"@([^@\n]+)@"), "an asset").group(1)
        if base == "bool":
            return self.match(re.compile("[01]"), "0 or 1").group() == "1"
        return self.numbers(base, array)

    def target(self):
        return self.match(PATH, "a path").group(1)

    # ---- prims ----

    def layer(self):
        if not self.text.startswith("#usda 1.0\n") or not self.text.endswith("}\n"):
            self.fail("a USD text file expected")
        self.at = 10
        meta = {}
        self.need("(")
        while not self.take(")"):
            key = self.match(WORD, "a key").group()
            if key not in LAYER or key in meta:
                self.fail("layer metadata " + key)
            self.need("=")
            if LAYER[key] is dict:
                self.need("{"), self.need("string copyright ="), self.string(), self.need("}")
                meta[key] = {}
            else:
                meta[key] = self.string() if LAYER[key] is str else self.number()
        root = Prim("", "", None)
        while self.peek("def"):
            self.prim(root)
        self.space()
        if self.at != len(self.text):
            self.fail("more than prims")
        if set(root.children) != {meta["defaultPrim"]}:
            self.fail("default prim")
        return meta, root

    def prim(self, parent):
        self.need("def ")
        kind = self.match(WORD, "a type").group()
        name = self.string()
        if kind not in SCHEMAS or kind not in CHILDREN.get(parent.kind, ()):
            self.fail("a %s in a %s" % (kind, parent.kind))
        if not WORD.fullmatch(name) or name in parent.children:
            self.fail("name " + name)
        prim = Prim(kind, parent.path + "/" + name, parent)
        parent.children[name] = prim
        if self.take("("):
            while not self.take(")"):
                if self.take("displayName ="):
                    prim.meta["displayName"] = self.string()
                else:
                    self.need("prepend apiSchemas =")
                    prim.meta["apiSchemas"] = self.list_of(self.string)
                    if not set(prim.meta["apiSchemas"]) <= API_SCHEMAS.get(kind, set()):
                        self.fail("schemas")
        self.need("{")
        while not self.take("}"):
            if self.peek("def "):
                self.prim(prim)
            else:
                self.property(prim)

    def property(self, prim):
        uniform = self.take("uniform ")
        kind = self.match(KIND, "a type").group()
        name = self.match(NAME, "a name").group()
        declared = SCHEMAS[prim.kind].get(name)
        said = ("uniform " if uniform else "") + kind
        if said != declared and said not in (declared if isinstance(declared, tuple) else ()):
            self.fail("%s is no %s of a %s" % (name, said, prim.kind))
        found = prim.properties.setdefault(name, Property(kind, uniform))
        if found.samples or found.connection or (found.value is not None and not self.peek(".timeSamples")):
            self.fail(name + " is there twice")
        if kind == "rel":
            self.need("=")
            found.value = self.list_of(self.target) if self.peek("[") else self.target()
        elif self.take(".timeSamples = {"):
            if uniform:
                self.fail("a uniform property has no samples")
            found.samples = []
            while not self.take("}"):
                code = self.number()
                if found.samples and code <= found.samples[-1][0]:
                    self.fail("time codes ascend")
                self.need(":")
                found.samples.append((code, self.value(kind)))
                self.need(",")
            if not found.samples:
                self.fail("samples")
        elif self.take(".connect = "):
            found.connection = self.match(PATH, "a path").groups()
        elif self.take("="):
            found.value = self.value(kind)
            if self.take("("):
                while not self.take(")"):
                    if self.take("elementSize ="):
                        found.meta["elementSize"] = int(self.number())
                    else:
                        self.need("interpolation =")
                        found.meta["interpolation"] = self.string()
        elif not name.startswith("outputs:"):
            self.fail("a value")


class Stage:
    def __init__(self, text, loose=False):
        self.meta, self.top = Reader(text, loose).layer()
        self.root = next(iter(self.top.children.values()))
        self.loose = loose
        self.check_references()

    def find(self, path):
        prim = self.top
        for name in path.split("/")[1:]:
            if name not in prim.children:
                raise Wrong("there is no " + path)
            prim = prim.children[name]
        return prim

    def check_references(self):
        for kind in SCHEMAS:
            for prim in self.root.all(kind):
                for name, found in prim.properties.items():
                    if found.kind == "rel":
                        for target in found.value if isinstance(found.value, list) else [found.value]:
                            self.find(target)
                    if not found.connection:
                        continue
                    output = self.find(found.connection[0]).properties.get(found.connection[1])
                    if not output and not self.loose:
                        raise Wrong("%s is connected to nothing" % name)

    def at(self, prim, name, code):
        """A property at a time code: linear between samples, quaternions the short way on the sphere."""
        found = prim.properties[name]
        if found.samples is None:
            return found.value
        samples = found.samples
        after = 0
        while after < len(samples) and samples[after][0] <= code:
            after += 1
        if after == 0:
            return samples[0][1]
        before, a = samples[after - 1]
        if after == len(samples) or before == code:
            return a
        t = (code - before) / (samples[after][0] - before)
        b = samples[after][1]
        if found.kind == "quatf":
            return slerp(a, b, t)
        if found.kind == "quatf[]":
            return [slerp(p, q, t) for p, q in zip(a, b)]
        return mix(a, b, t)


def mix(a, b, t):
    if isinstance(a, list):
        return [mix(x, y, t) for x, y in zip(a, b)]
    return a + (b - a) * t


def slerp(a, b, t):
    dot = sum(x * y for x, y in zip(a, b))
    sign = -1 if dot < 0 else 1
    angle = math.acos(min(1.0, abs(dot)))
    if angle < 1e-5:
        p, q = 1 - t, t
    else:
        p, q = math.sin((1 - t) * angle) / math.sin(angle), math.sin(t * angle) / math.sin(angle)
    return [p * x + sign * q * y for x, y in zip(a, b)]


# ---- matrices: three rows of four, for column vectors ----

IDENTITY = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


def from_usd(numbers):
    """USD's sixteen are for row vectors."""
    if [numbers[3], numbers[7], numbers[11], numbers[15]] != [0, 0, 0, 1]:
        raise Wrong("not affine")
    return [[numbers[4 * c + r] for c in range(4)] for r in range(3)]


def multiply(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)]
            for r in range(3)]


def apply(m, p):
    return [m[r][0] * p[0] + m[r][1] * p[1] + m[r][2] * p[2] + m[r][3] for r in range(3)]


def determinant(m):
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))


def cofactors(m):
    return [[m[(r + 1) % 3][(c + 1) % 3] * m[(r + 2) % 3][(c + 2) % 3] -
             m[(r + 1) % 3][(c + 2) % 3] * m[(r + 2) % 3][(c + 1) % 3] for c in range(3)] for r in range(3)]


def inverse(m):
    d, cof = determinant(m), cofactors(m)
    linear = [[cof[c][r] / d for c in range(3)] for r in range(3)]
    return [linear[r] + [-sum(linear[r][k] * m[k][3] for k in range(3))] for r in range(3)]


def half(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def rotation(q):
    w, x, y, z = q
    n = math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / n, x / n, y / n, z / n
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def compose(t, q, s):
    r = rotation(q)
    return [[r[i][0] * s[0], r[i][1] * s[1], r[i][2] * s[2], t[i]] for i in range(3)]


def polar(m):
    """The rotation closest to the linear part (of its negative where it mirrors), by Newton's iteration."""
    a = [row[:3] for row in m]
    sign = -1 if determinant(a) < 0 else 1
    for _ in range(60):
        d, cof = determinant(a), cofactors(a)
        norm = math.sqrt(sum(c * c for row in a for c in row))
        scale = math.sqrt(math.sqrt(sum(c * c for row in cof for c in row)) / abs(d) / norm)
        a = [[0.5 * (scale * a[r][c] + cof[r][c] / d / scale) for c in range(3)] for r in range(3)]
    return [[sign * c for c in row] for row in a]


def quaternion(r):
    """(w, x, y, z) of a rotation matrix."""
    squares = [1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2],
               1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]]
    i = max(range(4), key=lambda k: squares[k])
    s = 2 * math.sqrt(squares[i])
    parts = [[squares[0] / 2, (r[2][1] - r[1][2]), (r[0][2] - r[2][0]), (r[1][0] - r[0][1])],
             [r[2][1] - r[1][2], squares[1] / 2, r[1][0] + r[0][1], r[0][2] + r[2][0]],
             [r[0][2] - r[2][0], r[1][0] + r[0][1], squares[2] / 2, r[2][1] + r[1][2]],
             [r[1][0] - r[0][1], r[0][2] + r[2][0], r[2][1] + r[1][2], squares[3] / 2]][i]
    return [2 * p / s if k == i else p / s for k, p in enumerate(parts)]


def hamilton(a, b):
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


# ---- UsdSkel ----

class Skeleton:
    def __init__(self, stage, prim):
        self.stage, self.prim = stage, prim
        self.joints = prim.get("joints")
        self.binds = [from_usd(m) for m in prim.get("bindTransforms")]
        self.rests = [from_usd(m) for m in prim.get("restTransforms")]
        if not len(self.joints) == len(self.binds) == len(self.rests) == len(set(self.joints)):
            raise Wrong("joints")
        self.parents = []
        for i, path in enumerate(self.joints):
            if not all(WORD.fullmatch(name) for name in path.split("/")):
                raise Wrong("joint " + path)
            above = path.rpartition("/")[0]
            self.parents.append(self.joints.index(above) if above else None)
            if above and self.parents[-1] >= i:
                raise Wrong("parents first")
        source = prim.get("skel:animationSource")
        self.animation = stage.find(source) if source else None

    def locals(self, code):
        if self.animation is None:
            return self.rests
        if self.animation.get("joints") != self.joints:
            raise Wrong("joints of the animation")
        parts = [self.stage.at(self.animation, name, code) for name in ("translations", "rotations", "scales")]
        if any(len(part) != len(self.joints) for part in parts):
            raise Wrong("as many values as joints")
        return [compose(t, q, [half(c) for c in s]) for t, q, s in zip(*parts)]

    def matrices(self, code):
        """bind^-1, then where the joint is, then where the skeleton is."""
        moved = from_usd(self.prim.get("xformOp:transform")) if self.prim.get("xformOp:transform") else None
        worlds, result = [], []
        for i, local in enumerate(self.locals(code)):
            parent = self.parents[i]
            worlds.append(local if parent is None else multiply(worlds[parent], local))
            matrix = multiply(worlds[i], inverse(self.binds[i]))
            result.append(multiply(moved, matrix) if moved else matrix)
        return result


def weights_at(stage, mesh, skeleton, code):
    """(target prim, weight) of each blend shape."""
    shapes = mesh.get("skel:blendShapes")
    if not shapes or skeleton.animation is None or "blendShapes" not in skeleton.animation.properties:
        return []
    names = skeleton.animation.get("blendShapes")
    values = stage.at(skeleton.animation, "blendShapeWeights", code)
    targets = mesh.get("skel:blendShapeTargets")
    if len(names) != len(values) or len(set(names)) != len(names) or len(targets) != len(shapes):
        raise Wrong("blend shapes")
    return [(stage.find(target), values[names.index(shape)]) for shape, target in zip(shapes, targets)]


def morphed(stage, mesh, skeleton, code):
    points = [list(p) for p in mesh.get("points")]
    for shape, weight in weights_at(stage, mesh, skeleton, code):
        offsets, indices = shape.get("offsets"), shape.get("pointIndices")
        if len(offsets) != len(indices):
            raise Wrong("offsets")
        for i, offset in zip(indices, offsets):
            points[i] = [p + weight * o for p, o in zip(points[i], offset)]
    return points


def linear(matrices, influences, point):
    result = [0.0, 0.0, 0.0]
    for joint, weight in influences:
        moved = apply(matrices[joint], point)
        result = [r + weight * m for r, m in zip(result, moved)]
    return result


class Rigid:
    """A matrix as rotation, translation, and the stretch before them."""
    def __init__(self, m):
        r = polar(m)
        self.q = quaternion(r)
        self.t = [row[3] for row in m]
        self.stretch = [[sum(r[k][i] * m[k][c] for k in range(3)) for c in range(3)] for i in range(3)]


def dual(rigid, influences, point):
    """The stretches blended first, then unit dual quaternions, those against the heaviest one turned round."""
    stretched = [sum(w * sum(rigid[j].stretch[i][c] * point[c] for c in range(3)) for j, w in influences)
                 for i in range(3)]
    pivot = rigid[max(influences, key=lambda pair: pair[1])[0]].q
    real, moved = [0.0] * 4, [0.0] * 4
    for joint, weight in influences:
        q = rigid[joint].q
        w = -weight if sum(a * b for a, b in zip(pivot, q)) < -1e-6 else weight
        d = hamilton([0] + rigid[joint].t, q)
        real = [r + w * c for r, c in zip(real, q)]
        moved = [m + 0.5 * w * c for m, c in zip(moved, d)]
    norm = math.sqrt(sum(c * c for c in real))
    real, moved = [c / norm for c in real], [c / norm for c in moved]
    conjugate = [real[0], -real[1], -real[2], -real[3]]
    turned = hamilton(hamilton(real, [0] + stretched), conjugate)
    shift = hamilton(moved, conjugate)
    return [turned[i] + 2 * shift[i] for i in (1, 2, 3)]


def skinned(stage, mesh, code, step=1):
    """Every step-th point, where UsdSkel puts it."""
    skeleton = Skeleton(stage, stage.find(mesh.get("skel:skeleton")))
    if mesh.get("skel:animationSource") != skeleton.prim.get("skel:animationSource"):
        raise Wrong("one animation")
    joints, weights = mesh.properties["primvars:skel:jointIndices"], mesh.properties["primvars:skel:jointWeights"]
    if joints.meta != weights.meta or len(joints.value) != len(weights.value):
        raise Wrong("influences")
    size = joints.meta["elementSize"]
    points = morphed(stage, mesh, skeleton, code)
    if stage.loose:  # tinyusdz 0.9 keeps one digit of it
        size = len(joints.value) // len(points)
    if joints.meta["interpolation"] != "vertex" or len(joints.value) != size * len(points):
        raise Wrong("influences of all points")
    matrices = skeleton.matrices(code)
    bind = from_usd(mesh.get("primvars:skel:geomBindTransform"))
    by_dual = mesh.get("primvars:skel:skinningMethod") == "dualQuaternion"
    used = set(joints.value)
    rigid = {j: Rigid(matrices[j]) for j in used} if by_dual else None
    result = []
    for v in range(0, len(points), step):
        first = size * v
        influences = [(joints.value[i], weights.value[i]) for i in range(first, first + size) if weights.value[i]]
        point = apply(bind, points[v])
        result.append(dual(rigid, influences, point) if by_dual else linear(matrices, influences, point))
    return result


def load(path, loose=False):
    with open(path, encoding="utf-8") as file:
        return Stage(file.read(), loose)
