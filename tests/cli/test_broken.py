# test_broken.py: hostile and odd files: what the corpus of broken inputs expects, quickly, in little memory, with
# messages that say where; and every limit, named in the message and raised by its option.
import base64
import json
import os
import resource
import shutil
import struct
import subprocess
import time

from _cli import COMMAND, CORPUS, SCRATCH, check, expect, main, run, scratch, tube, write_gltf

SANITIZED = bool(os.environ.get("SUPPLE_SANITIZE"))  # slower, and its shadow memory takes all addresses
SECONDS = 20 if SANITIZED else 2
BYTES = 1 << 30


def limited():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_limited(*arguments):
    """Exit code, stdout, stderr; checks time and memory."""
    begin = time.monotonic()
    process = subprocess.Popen([COMMAND] + list(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, preexec_fn=limited)
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        check(False, "%s: no end after 60 s" % (arguments,))
        return -1, b"", ""
    taken = time.monotonic() - begin
    if taken >= SECONDS:  # someone else may have had the machine: what the program itself used counts
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        again = subprocess.run([COMMAND] + list(arguments), stdin=subprocess.DEVNULL, capture_output=True)
        later = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken = later.ru_utime + later.ru_stime - used.ru_utime - used.ru_stime
        check(again.returncode == process.returncode, "%s: the same exit code twice" % (arguments,))
    check(taken < SECONDS, "%s: took %.1f s" % (arguments, taken))
    return process.returncode, out, err.decode("utf-8")


# ---- the corpus ----

def bin_chunk(path):
    with open(path, "rb") as file:
        data = file.read()
    length, = struct.unpack_from("<I", data, 12)
    size, = struct.unpack_from("<I", data, 20 + length)
    return data[28 + length:28 + length + size]


def copy_of_corpus():
    """The broken files in a folder of ours, with the buffers that two of them name, and a secret outside."""
    folder = scratch("broken")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.join(CORPUS, "broken"), folder, copy_function=shutil.copyfile)
    os.chmod(folder, 0o755)
    buffer = bin_chunk(os.path.join(folder, "00-valid.glb"))
    for name in ("broken/ok.bin", "broken/with space.bin", "secret.bin"):
        with open(scratch(name), "wb") as file:
            file.write(buffer)
    return folder


def names_a_place(message):
    """A JSON pointer, a byte, or plainly the whole file."""
    return ": /" in message or ": byte " in message


COMMANDS = (("info", []), ("skin", ["--json"]), ("compare", ["--json"]))


def check_error(name, path, code, out, err):
    check(code == 1, "%s: exit %d, not 1: %s" % (name, code, err))
    check(out == b"", "%s: nothing on stdout" % name)
    lines = err.splitlines()
    check(len(lines) == 1 and lines[0].startswith("supple ") and path + ": " in lines[0], "%s: the file is named: %s" % (name, err))
    check(names_a_place(err), "%s: no place in: %s" % (name, err))


def check_loaded(name, command, code, out, err):
    check(code == 0, "%s: %s: exit %d: %s" % (name, command, code, err))
    if command != "info" and code == 0:
        json.loads(out, parse_constant=lambda word: check(False, "%s: %s in JSON" % (name, word)))


def test_corpus():
    listing = os.path.join(CORPUS, "broken", "broken.json")
    if not os.path.isfile(listing):
        print("no corpus of broken inputs at '%s'" % CORPUS)
        return
    folder = copy_of_corpus()
    with open(listing) as file:
        cases = json.load(file)
    counts, refused = {}, []
    for case in cases:
        path = scratch(case["file"])
        counts[case["expect"]] = counts.get(case["expect"], 0) + 1
        for command, more in COMMANDS:
            name = "%s (%s)" % (case["file"], case["why"])
            code, out, err = run_limited(command, path, *more)
            check(code in (0, 1), "%s: %s: exit %d: %s" % (name, command, code, err))
            if case["expect"] == "error":
                check_error(name, path, code, out, err)
            elif case["expect"] == "accept":
                check_loaded(name, command, code, out, err)
            elif case["expect"] == "refuse-uri":
                check_error(name, path, code, out, err)
                check("/buffers/0/uri" in err and "refused" in err, "%s: the URI is named: %s" % (name, err))
            elif code:  # a policy may be to refuse, with as good a message
                check_error(name, path, code, out, err)
                if command == "info":
                    refused.append(os.path.basename(path))
    print("%d broken inputs: %s" % (len(cases), counts))
    print("refused by policy: %s" % refused)
    check(refused == ["json-deep-array.gltf"], "refused by policy: %s" % refused)
    shutil.rmtree(folder)
    os.remove(scratch("secret.bin"))


def test_policies_are_told():
    """What loads although it is odd says on stderr, with --verbose, what was done about it."""
    if not os.path.isdir(os.path.join(CORPUS, "broken")):
        return
    told = {
        "node-rotation-nonunit.glb": "normalised", "weights-negative.glb": "negative", "weights-sum-2.glb": "sum",
        "joints-duplicate-in-vertex.glb": "merged", "anim-quat-zero.glb": "zero quaternion",
        "glb-trailing-garbage.glb": "after the end",
    }
    for name, word in told.items():
        path = os.path.join(CORPUS, "broken", name)
        done = run("skin", path, "--json", "--verbose")
        check(done.code == 0, "%s: exit %d: %s" % (name, done.code, done.err))
        check(word in done.err, "%s: '%s' should be in: %s" % (name, word, done.err))
    folder = copy_of_corpus()
    done = run("skin", os.path.join(folder, "gltf-uri-raw-space.gltf"), "--json", "--verbose")
    check(done.code == 0 and "must escape" in done.err, "a raw space is told: %s" % done.err)
    shutil.rmtree(folder)


# ---- URIs ----

def test_uris():
    gltf = tube()
    data = gltf["buffers"][0]["uri"]
    buffer = base64.b64decode(data.split(",")[1])
    os.makedirs(scratch("inside/deeper"), exist_ok=True)
    for place in ("outside.bin", "inside/beside.bin", "inside/deeper/below.bin"):
        with open(scratch(place), "wb") as file:
            file.write(buffer)

    def load(uri, *more):
        gltf["buffers"][0]["uri"] = uri
        return run("skin", write_gltf("inside/uri.gltf", gltf), "--json", *more)
    for uri in ("beside.bin", "./beside.bin", "deeper/below.bin", "besid%65.bin"):
        done = load(uri)
        check(done.code == 0, "%s is read: %s" % (uri, done.err))
    absolute = os.path.abspath(scratch("outside.bin"))
    for uri in ("../outside.bin", "%2e%2e/outside.bin", "deeper/../../outside.bin", "deeper/../beside.bin", "..%2foutside.bin", "..%5coutside.bin",
                "..\\outside.bin", absolute, "//host/share", "C:/x.bin", "c%3a/x.bin", "file://" + absolute,
                "http://127.0.0.1:9/x", "https://x/y", "\\\\host\\share", "ftp:x", "beside.bin%00.png", "a\nb", "",
                "/dev/zero", "/dev/stdin", "con", "NUL.bin", "deeper/aux.bin"):
        done = load(uri)
        check(done.code == 1 and "/buffers/0/uri" in done.err, "%s is refused: %s" % (uri, done.err))
    for uri in ("../outside.bin", "%2e%2e/outside.bin", absolute):
        refused, allowed = load(uri), load(uri, "--allow-outside-uris")
        check("--allow-outside-uris" in refused.err, "the option is named: %s" % refused.err)
        check(allowed.code == 0, "%s is read when that is allowed: %s" % (uri, allowed.err))
    for uri in ("http://127.0.0.1:9/x", "beside.bin%00.png", "/dev/zero", "/dev/stdin"):
        done = load(uri, "--allow-outside-uris")
        check(done.code == 1, "%s is never read: %s" % (uri, done.err))
    gone = load("gone.bin")
    check(gone.code == 1 and "gone.bin" in gone.err and "/buffers/0/uri" in gone.err, "what is missing is named: %s" % gone.err)


# ---- limits ----

def test_limits():
    gltf = tube()
    extra = "x" * 3000
    gltf["extras"] = {"a": [[[[[[extra]]]]]]}
    gltf["nodes"][1]["children"] = [2]
    gltf["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": 0}] * 2
    gltf["meshes"][0]["primitives"][1]["targets"] = [{"POSITION": 0}] * 2
    attributes = gltf["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_1"], attributes["WEIGHTS_1"] = attributes["JOINTS_0"], attributes["WEIGHTS_0"]
    path = write_gltf("limits.gltf", gltf)
    size = os.path.getsize(path)
    expect(0, "", "info", path)
    for field, least, enough, argument in (
            ("file_bytes", "1000", "%d" % (2 * size), "BYTES"), ("memory_bytes", "1000", "1M", "BYTES"),
            ("json_values", "20", "2000", "N"), ("json_depth", "4", "12", "N"), ("nodes", "2", "3", "N"),
            ("node_depth", "1", "2", "N"), ("vertices", "11", "12", "N"), ("joints", "1", "2", "N"),
            ("influence_sets", "1", "2", "N"), ("morph_targets", "1", "2", "N")):
        option = "--limit-" + field.replace("_", "-")
        done = expect(1, "limits." + field, "info", path, option, least)
        check("see %s %s" % (option, argument) in done.err, "%s is named: %s" % (option, done.err))
        check(path + ": " in done.err, "the file is named: %s" % done.err)
        check(least in done.err, "the limit's value is told: %s" % done.err)
        expect(0, "", "info", path, option, enough)
        expect(1, "limits." + field, "skin", path, "--json", option, least)
    with open(path, "rb") as file:
        data = file.read()
    done = run("info", "-", "--limit-file-bytes", "1000", stdin=data)
    check(done.code == 1 and "--limit-file-bytes" in done.err, "of stdin too: %s" % done.err)


def test_big_claims():
    """Counts that would need terabytes are refused before anything is allocated."""
    for count in (2 ** 32 - 1, 2 ** 31, 99999999):
        gltf = tube()
        gltf["accessors"][0] = {"componentType": 5126, "count": count, "type": "VEC3"}
        code, out, err = run_limited("info", write_gltf("claims.gltf", gltf))
        check(code == 1 and out == b"" and names_a_place(err), "count %d: %s" % (count, err))
    deep = "[" * 100000 + "]" * 100000
    for text in (deep, '{"asset":' + "{\"a\":" * 100000 + "0" + "}" * 100000 + "}", '["' + "a" * (8 << 20)):
        with open(scratch("text.gltf"), "w") as file:
            file.write(text)
        code, out, err = run_limited("info", scratch("text.gltf"))
        check(code == 1 and ": byte " in err, "deep or long JSON: %s" % err)
    chain = tube()
    first = len(chain["nodes"])
    chain["nodes"] += [{"children": [first + i + 1]} for i in range(90000)] + [{}]
    chain["nodes"][1]["children"].append(first)
    code, out, err = run_limited("skin", write_gltf("chain.gltf", chain), "--json")
    check(code == 0, "a chain of 90,000 nodes: %s" % err)


main([test_corpus, test_policies_are_told, test_uris, test_limits, test_big_claims])
