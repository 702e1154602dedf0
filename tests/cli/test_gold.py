# test_gold.py: `supple skin` against the positions that other programs computed for real assets.
#
# Every asset and case of the corpus' goldens must be met within 1e-5 of its largest coordinate. Assets that
# need a codec are skipped only where `supple --version` says that this build has not got it. What cannot be met is listed in EXCEPTIONS, with its cause, and proven right by
# arithmetic below: the golden is what the cause says, and ours is what the rule says.
import base64
import concurrent.futures
import functools
import json
import math
import os
import struct
import subprocess
import sys

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
CORPUS = os.environ.get("SUPPLE_CORPUS", "")
TOLERANCE = 1e-5

SOURCES = {  # folder of the goldens: what to ask for
    "numpy_lbs": ["--method", "lbs"],
    "three": ["--method", "lbs"],
    "numpy_lbs_raw": ["--method", "lbs", "--weights", "keep"],
    "affine_dqs": ["--method", "dqs"],
    "blender_dqs": ["--method", "dqs"],
    "usd_dqs": ["--method", "dqs", "--scale", "first"],
}

# SimpleSkin's rotation keys have three digits, so their length is off by up to 2.4e-4. three.js composes
# matrices of the keys as they are, which scales the joint by their squared length, and its matrices are
# what the three DQS goldens start from. Supple normalises after interpolation, as numpy_lbs does.
KEYS_NOT_UNIT = {"three": "matrix", "affine_dqs": "affine", "usd_dqs": "first", "blender_dqs": "pivot"}
EXCEPTIONS = {(source, asset): kind for source, kind in KEYS_NOT_UNIT.items()
              for asset in ("SimpleSkin", "SimpleSkin-Embedded")}
CODECS = {"KHR_draco_mesh_compression": "Draco", "EXT_meshopt_compression": "meshoptimizer"}


def read_golden(path):
    cases = []
    with open(path) as file:
        for line in file:
            word = line.split()
            if not word or word[0].startswith("#"):
                continue
            if word[0] == "case":
                cases.append({"clip": int(word[2]), "time": float(word[4]), "instances": []})
            elif word[0] == "inst":
                fields = dict(zip(word[1::2], word[2::2]))
                cases[-1]["instances"].append({"key": (int(fields["node"]), int(fields["prim"])), "vertices": []})
            elif word[0] == "v":
                cases[-1]["instances"][-1]["vertices"].append((int(word[1]), [float(x) for x in word[2:5]]))
    return cases


def skin(path, arguments, clip, time):
    when = ["--clip", "#%d" % clip, "--time", repr(time)] if clip >= 0 else ["--rest"]
    done = subprocess.run([COMMAND, "skin", path, "--json"] + arguments + when, capture_output=True, timeout=120)
    if done.returncode:
        return None, "exit %d: %s" % (done.returncode, done.stderr.decode(errors="replace").strip())
    found = json.loads(done.stdout)["primitives"]
    return {(p["node"], p["primitive"]): p["positions"] for p in found}, ""


@functools.lru_cache
def built_in():
    """The codecs of this build: "codecs: meshoptimizer 0.18, no Draco (libdraco-dev)"."""
    text = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout
    words = text.split("codecs: ")[1].strip().split(", ")
    return frozenset(word.split()[0] for word in words if not word.startswith("no"))


def check(source, entry):
    """(largest distance over the largest coordinate, what went wrong, whether it was refused for a codec)"""
    path = os.path.join(CORPUS, entry["file"])
    worst = 0.0
    for case in read_golden(os.path.join(CORPUS, "goldens", source, entry["id"] + ".gold")):
        got, problem = skin(path, SOURCES[source], case["clip"], case["time"])
        if got is None:
            coded = {CODECS[name] for name in entry.get("extensionsRequired", []) if name in CODECS}
            return worst, problem, bool(coded - built_in()) and problem.startswith("exit 1") and "needs" in problem
        size = max([1e-30] + [abs(c) for i in case["instances"] for _, v in i["vertices"] for c in v])
        for instance in case["instances"]:
            positions = got.get(instance["key"])
            if positions is None:
                return worst, "node %d, primitive %d is missing" % instance["key"], False
            for index, vertex in instance["vertices"]:
                for axis in range(3):
                    distance = abs(positions[3 * index + axis] - vertex[axis]) / size
                    worst = distance if distance > worst or distance != distance else worst
    return worst, "", False


# ---- SimpleSkin by hand. All of it lies in the plane z = 0, so points and rotations are complex numbers. ----

def load_buffers(path):
    with open(path) as file:
        gltf = json.load(file)
    buffers = []
    for buffer in gltf["buffers"]:
        if buffer["uri"].startswith("data:"):
            buffers.append(base64.b64decode(buffer["uri"].split(",", 1)[1]))
        else:
            with open(os.path.join(os.path.dirname(path), buffer["uri"]), "rb") as file:
                buffers.append(file.read())
    return gltf, buffers


class SimpleSkin:
    """Ten vertices on two joints; the second, at (0, 1), turns about z."""

    def __init__(self, path):
        gltf, buffers = load_buffers(path)

        def read(accessor, count, letter, width):
            accessor = gltf["accessors"][accessor]
            view = gltf["bufferViews"][accessor["bufferView"]]
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            size = struct.calcsize("<%d%s" % (width, letter))
            step = view.get("byteStride", size)
            return [struct.unpack_from("<%d%s" % (width, letter), buffers[view["buffer"]], start + i * step)
                    for i in range(count)]
        attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
        sampler = gltf["animations"][0]["samplers"][0]
        self.points = [complex(x, y) for x, y, _ in read(attributes["POSITION"], 10, "f", 3)]
        joints, weights = read(attributes["JOINTS_0"], 10, "H", 4), read(attributes["WEIGHTS_0"], 10, "f", 4)
        self.second = [sum(w for j, w in zip(*pair) if j == 1) for pair in zip(joints, weights)]
        self.times = [t for t, in read(sampler["input"], 12, "f", 1)]
        self.keys = [(z, w) for _, _, z, w in read(sampler["output"], 12, "f", 4)]

    def key_error(self):
        return max(abs(math.hypot(*key) - 1) for key in self.keys)

    def quaternion(self, time, normalise):
        """(z, w): slerp of the keys as stored (equal keys stay), then made unit length or not."""
        time = min(max(time, self.times[0]), self.times[-1])
        k = max(i for i, t in enumerate(self.times) if t <= time)
        z, w = self.keys[k]
        if k + 1 < len(self.keys) and self.keys[k] != self.keys[k + 1]:
            a, b = self.keys[k], self.keys[k + 1]
            share = (time - self.times[k]) / (self.times[k + 1] - self.times[k])
            angle = math.acos(min(a[0] * b[0] + a[1] * b[1], 1.0))
            z, w = ((math.sin((1 - share) * angle) * x + math.sin(share * angle) * y) / math.sin(angle)
                    for x, y in zip(a, b))
        length = math.hypot(z, w) if normalise else 1.0
        return z / length, w / length

    def deform(self, clip, time, kind, normalise):
        z, w = self.quaternion(time, normalise) if clip >= 0 else (0.0, 1.0)
        turn = complex(1 - 2 * z * z, 2 * z * w)  # the matrix of a quaternion, unit or not
        scale, unit, pivot = abs(turn), turn / abs(turn), 1j
        half = complex(math.cos(math.atan2(turn.imag, turn.real) / 2), math.sin(math.atan2(turn.imag, turn.real) / 2))
        result = []
        for v, b in zip(self.points, self.second):
            a = 1 - b
            image = pivot + turn * (v - pivot)
            if kind == "matrix":  # linear blending
                result.append(a * v + b * image)
                continue
            first = v
            if kind == "first":  # T R S: blended scale about the mesh origin, then the rigid motion
                first = (a + b * scale) * v
                image = unit * first + pivot - turn * pivot
            elif kind == "pivot":  # Blender scales about the bone's head
                first = a * v + b * (pivot + scale * (v - pivot))
                image = pivot + unit * (first - pivot)
            # (sum w p q) r* / |r|^2; for p in the plane, p q is p times the conjugate of q as a number
            r = a + b * half
            result.append((a * first + b * image * half.conjugate()) * r / abs(r) ** 2)
        return result


def prove(source, asset, entry):
    """Problems with the claim that the golden took the keys as stored, and ours are normalised."""
    model = SimpleSkin(os.path.join(CORPUS, entry["file"]))
    kind, problems = EXCEPTIONS[(source, asset)], []
    if not 2e-4 < model.key_error() < 3e-4:
        problems.append("the keys' length is off by %.1e, not by 2.4e-4" % model.key_error())
    for case in read_golden(os.path.join(CORPUS, "goldens", source, asset + ".gold")):
        got, problem = skin(os.path.join(CORPUS, entry["file"]), SOURCES[source], case["clip"], case["time"])
        if got is None:
            return problems + [problem]
        stored = model.deform(case["clip"], case["time"], kind, normalise=False)
        unit = model.deform(case["clip"], case["time"], kind, normalise=True)
        instance = case["instances"][0]
        for index, vertex in instance["vertices"]:
            ours = complex(*got[instance["key"]][3 * index:3 * index + 2])
            if abs(complex(*vertex[:2]) - stored[index]) > 2e-6:
                problems.append("time %g, vertex %d: the golden does not come from the keys as stored"
                                % (case["time"], index))
            if abs(ours - unit[index]) > 2e-6:
                problems.append("time %g, vertex %d: ours does not come from normalised keys" % (case["time"], index))
    return problems


def main():
    if not COMMAND or not os.path.isfile(COMMAND):
        print("skipped: the command was not built")
        return 77
    if not os.path.isdir(os.path.join(CORPUS, "goldens")):
        print("skipped: no corpus at '%s'" % CORPUS)
        return 77
    with open(os.path.join(CORPUS, "index.json")) as file:
        index = {entry["id"]: entry for entry in json.load(file)}
    jobs = [(source, name[:-5]) for source in SOURCES
            for name in sorted(os.listdir(os.path.join(CORPUS, "goldens", source))) if name.endswith(".gold")]
    failures, skipped = 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        results = pool.map(lambda job: check(job[0], index[job[1]]), jobs)
        for (source, asset), (worst, problem, refused) in zip(jobs, results):
            if refused:
                skipped.add(asset)
                continue
            problems = [problem] if problem else []
            excepted = (source, asset) in EXCEPTIONS
            if not problem and excepted:
                problems = prove(source, asset, index[asset])
                if worst <= TOLERANCE:
                    problems.append("it needs no exception any more")
            elif not worst <= TOLERANCE:
                problems.append("off by %.1e of its size" % worst)
            failures += bool(problems)
            for text in problems[:5]:
                print("FAIL %s %s: %s" % (source, asset, text))
            if excepted and not problems:
                print("%s %s: off by %.1e, as proven" % (source, asset, worst))
    for asset in sorted(skipped):
        print("needs a codec: %s" % asset)
    print("%d of %d comparisons failed" % (failures, len(jobs)))
    return 1 if failures or len(jobs) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
