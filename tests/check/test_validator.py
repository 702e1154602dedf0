# test_validator.py: `supple check` against the Khronos glTF-Validator: same codes, severities and places, on the
# faults of cases/, on the corpus, and on files made wrong at random. Skipped without node and npm.
import base64
import copy
import json
import os
import pathlib
import random
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "validator"))
import _validator  # noqa: E402

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
CORPUS = pathlib.Path(os.environ.get("SUPPLE_CORPUS", ""))
SCRATCH = pathlib.Path(os.environ.get("SUPPLE_SCRATCH", "."))
SEVERITIES = {"error": 0, "warning": 1, "information": 2, "hint": 3}

# Looks and pictures have nothing to do with skins: of these objects only references are looked at.
OUT_OF_SIGHT = ("/materials", "/textures", "/images", "/samplers", "/cameras")

# What the validator tells of code, or where, and `supple check` does not, and why.
UNTOLD = [
    # Whether a material takes a texture from a set of coordinates is a question of looks.
    lambda code, place, _: code == "UNUSED_OBJECT" and "/attributes/TEXCOORD_" in place,
    # A draco or meshopt extension, which the validator does not know, refers to it.
    lambda code, place, used: code == "UNUSED_OBJECT" and place.startswith(("/bufferViews/", "/buffers/")) and
    any("compression" in name for name in used),
]
# The same for files made wrong, where one fault brings others with it.
UNTOLD_OF_WRONG = UNTOLD + [
    # The validator takes the length of a view that does not say it for −1, …
    lambda code, place, _: code == "ACCESSOR_TOO_LONG" and place.endswith("/byteOffset"),
    # … the vertices of a primitive without attributes for 0, …
    lambda code, place, _: code == "ACCESSOR_INDEX_OOB",
    # … and loses its way in an animation whose channel has no sampler: all later places are wrong.
    lambda code, place, _: code in ("UNUSED_OBJECT", "UNUSED_MESH_WEIGHTS") and place.startswith("/animations"),
    # Sparse indices past the end of their view are not looked at here.
    lambda code, place, _: code.startswith("ACCESSOR_SPARSE_IND"),
    # Weights of a type that is not allowed; where the validator counts them in another width.
    lambda code, place, _: code in ("ACCESSOR_WEIGHTS_NEGATIVE", "ACCESSOR_WEIGHTS_NON_NORMALIZED",
                                    "ACCESSOR_JOINTS_INDEX_DUPLICATE", "ACCESSOR_JOINTS_USED_ZERO_WEIGHT"),
    # Joints in a loop: NODE_LOOP says it all.
    lambda code, place, _: code in ("SKIN_NO_COMMON_ROOT", "SKIN_SKELETON_INVALID"),
]
problems = []


def complain(text):
    problems.append(text)
    print("FAIL " + text)


def check(files):
    """Our findings of files, by path: {(code, pointer, severity)}, or None where there is no report."""
    found = {}
    for begin in range(0, len(files), 100):
        part = [str(file) for file in files[begin:begin + 100]]
        done = subprocess.run([COMMAND, "check", "--json", *part], capture_output=True, timeout=600)
        if done.returncode not in (0, 1):
            raise SystemExit(f"supple check ended with {done.returncode}: {done.stderr[-2000:]!r}")
        for file in json.loads(done.stdout)["files"]:
            found[file["file"]] = {(f["code"], f["pointer"], SEVERITIES[f["severity"]]) for f in file["findings"]}
    return found


def known_codes():
    done = subprocess.run([COMMAND, "check", "--codes", "--json"], capture_output=True, check=True)
    return {code["code"] for code in json.loads(done.stdout)["codes"]}


def of_validator(report):
    """The validator points at the whole file by "/"."""
    return {(m["code"], "" if m.get("pointer", "/") == "/" else m["pointer"], m["severity"])
            for m in report["issues"]["messages"]}


def compare(files, codes, untold, more_is_fine, names=None):
    """Compares both reports of files; of names[i] where files are made up. Returns how many had a fault."""
    ours, theirs, faulty = check(files), _validator.validate(files), 0
    for i, file in enumerate(map(str, files)):
        if "issues" not in theirs[file]:
            continue  # the validator itself broke down; we must only not
        used = theirs[file].get("info", {}).get("extensionsUsed", [])
        wanted = {m for m in of_validator(theirs[file])
                  if m[0] in codes and not m[1].startswith(OUT_OF_SIGHT)}
        told = {m for m in ours[file] if not m[0].startswith("SKINNING_")}
        faulty += bool(wanted)
        for code, place, severity in sorted(wanted - told):
            if not any(reason(code, place, used) for reason in untold):
                complain(f"{names[i] if names else file}: {code} at {place} ({severity}) is missing")
        if not more_is_fine:
            for code, place, severity in sorted(told - wanted):
                complain(f"{names[i] if names else file}: {code} at {place} ({severity}), not for the validator")
    return faulty


# ---- the cases ----

def find(value, pointer):
    for key in pointer.split("/")[1:]:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def apply(asset, edit):
    value = json.loads(edit[-1].replace("'", '"')) if edit[-1] is not None else None
    if len(edit) == 2:
        above, _, key = edit[0].rpartition("/")
        above = find(asset, above)
        above[int(key) if isinstance(above, list) else key] = value
        return
    target = find(asset, edit[0])
    if edit[1] == "+":
        target.append(value)
    elif value is None and edit[2] is None:
        del target[edit[1]]
    else:
        target[edit[1]] = value


def write(asset, data, path):
    asset = copy.deepcopy(asset)
    buffers = asset.get("buffers")
    if isinstance(buffers, list) and buffers and isinstance(buffers[0], dict) and buffers[0].get("uri") == "base.bin":
        buffers[0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    path.write_text(json.dumps(asset), encoding="utf-8")


def base():
    folder = HERE / "cases"
    return json.loads((folder / "base.gltf").read_text(encoding="utf-8")), (folder / "base.bin").read_bytes()


def test_cases(codes):
    asset, data = base()
    cases = json.loads((HERE / "cases" / "cases.json").read_text(encoding="utf-8"))["cases"]
    files, names = [], []
    for number, case in enumerate(cases):
        wrong, some = copy.deepcopy(asset), bytearray(data)
        for edit in case.get("edits", []):
            apply(wrong, edit)
        if "bytes" in case:
            new = bytes.fromhex(case["bytes"][1])
            some[case["bytes"][0]:case["bytes"][0] + len(new)] = new
        files.append(SCRATCH / f"case{number:03}.gltf")
        names.append(f"case {number} ({case['code']} at {case['pointer']})")
        write(wrong, some, files[-1])
    theirs, ours = _validator.validate(files), check(files)
    for file, name, case in zip(map(str, files), names, cases):
        wanted = (case["code"], case["pointer"])
        if wanted not in {m[:2] for m in of_validator(theirs[file])}:
            complain(f"{name}: the validator does not find it")
        if wanted not in {m[:2] for m in ours[file]}:
            complain(f"{name}: not found")
    compare(files, codes, UNTOLD_OF_WRONG, True, names)
    print(f"{len(cases)} cases of {len({case['code'] for case in cases})} codes")


# ---- the corpus ----

def test_corpus(codes):
    if not (CORPUS / "assets").is_dir():
        print(f"no corpus at {CORPUS}: left out")
        return
    validator_files = sorted((CORPUS / "assets" / "validator-tests").rglob("*.gltf"))
    faulty = compare(validator_files, codes, [], False)
    if len(validator_files) < 10 or faulty < 8:
        complain("the corpus has too few validator files")
    # What a damaged container holds is read by us alone; URIs out of the folder are refused by us alone.
    assets = [file for file in sorted((CORPUS / "assets").rglob("*"))
              if file.suffix in (".gltf", ".glb", ".vrm") and file not in validator_files]
    assets = _validator.some(assets, 4)
    compare(assets, codes, UNTOLD, False)
    broken = [file for file in sorted((CORPUS / "broken").glob("*.gl*"))
              if "json-deep" not in file.name]  # the validator exhausts its stack
    compare(broken, codes, UNTOLD, True)
    print(f"{len(validator_files)} validator files, {len(assets)} assets, {len(broken)} broken files")


# ---- files made wrong at random ----

VALUES = [None, 0, 1, -1, 2, 3, 5, 7, 100, 1.5, 2.0, 1e9, -0.5, "", "x", "VEC3", "VEC4", "SCALAR", "MAT4", "LINEAR",
          "STEP", "CUBICSPLINE", "rotation", "scale", "weights", [], {}, [0], [0, 1], [1, 1], [0, 0, 0], [0, 0, 0, 1],
          [0, 0, 0, 2], True, False, {"a": 1}, 5121, 5123, 5125, 5126, 5120, 5122, 34962, 34963, 16, 252, 4]
KEYS = ["skin", "mesh", "children", "matrix", "translation", "rotation", "scale", "weights", "extras", "extensions",
        "name", "byteStride", "target", "byteOffset", "normalized", "min", "max", "sparse", "indices", "mode",
        "targets", "skeleton", "joints", "inverseBindMatrices", "foo", "interpolation", "JOINTS_0", "JOINTS_2",
        "WEIGHTS_1", "_X", "COLOR_0", "NORMAL", "material", "node", "scene", "nodes", "bufferView"]


def pointers(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from pointers(item, path + (key,))


def mutate(asset, data, chance):
    asset, data = copy.deepcopy(asset), bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2))):
        path = chance.choice([p for p in pointers(asset) if p and p[0] not in ("buffers", "asset")])
        above = asset
        for key in path[:-1]:
            above = above[key]
        kind, value = chance.random(), above[path[-1]]
        if kind < 0.25:
            del above[path[-1]]
        elif kind < 0.6:
            above[path[-1]] = copy.deepcopy(chance.choice(VALUES))
        elif kind < 0.8 and isinstance(value, dict):
            value[chance.choice(KEYS)] = copy.deepcopy(chance.choice(VALUES))
        elif kind < 0.8 and isinstance(value, list):
            value.append(copy.deepcopy(chance.choice(VALUES + value)))
        elif kind < 0.8 and isinstance(value, (int, float)):
            above[path[-1]] = value + chance.choice((-1, 1, 2))
        else:
            at = chance.randrange(0, len(data) - 4) // 4 * 4
            data[at:at + 4] = struct.pack("<f", chance.choice((0, 1, -1, 0.5, 1e9, 2, 0.999)))
    return asset, data


def test_random(codes):
    asset, data = base()
    files = []
    count = 250 if _validator.THOROUGH else 50
    for number in range(count):
        files.append(SCRATCH / f"random{number:03}.gltf")
        write(*mutate(asset, data, random.Random(1000 + number)), files[-1])
    faulty = compare(files, codes, UNTOLD_OF_WRONG, True)
    if faulty < 0.6 * count:
        complain(f"only {faulty} of the random files have a fault")
    print(f"{len(files)} random files, {faulty} with a fault")


def main():
    if not COMMAND or not os.path.isfile(COMMAND):
        _validator.skip("the command is not built")
    _validator.modules()
    codes = known_codes()
    for test in (test_cases, test_corpus, test_random):
        test(codes)
    if problems:
        raise SystemExit(f"{len(problems)} differences")


main()
