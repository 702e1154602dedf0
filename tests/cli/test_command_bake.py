# test_command_bake.py: `supple bake`: formats agree, shards join to the same bytes, parts are checked, wrong use.
import os
import shutil
import subprocess

from _bake import as_floats, parts_of, posed, positions_of, read_bytes, read_npz, read_pc2, remove_parts
from _cli import COMMAND, check, expect, main, run, scratch, tube, write_gltf, write_plain

SANITIZED = bool(os.environ.get("SUPPLE_SANITIZE"))
FORMATS = ("pc2", "npz", "glb")


def fresh(name):
    out = scratch(name)
    remove_parts(out)
    if os.path.exists(out):
        os.remove(out)
    return out


# ---- formats ----

def test_npz():
    path, out = write_gltf("tube.gltf", tube()), scratch("out.npz")
    expect(0, "", "bake", path, "-o", out, "--frames", "5")
    arrays = read_npz(out)
    times = [0, 0.25, 0.5, 0.75, 1]
    check(arrays["times"] == (times, (5,)), "times")
    check(arrays["primitives"] == ([0, 0, 0, 0, 0, 1], (2, 3)), "node, mesh and primitive")
    check(arrays["vertex_offsets"] == ([0, 12, 24], (3,)) and arrays["triangle_offsets"] == ([0, 20, 40], (3,)), "offsets")
    triangles, shape = arrays["triangles"]
    check(shape == (40, 3) and triangles[:3] == [0, 4, 1] and triangles[60:63] == [12, 16, 13], "triangles")
    for name in ("positions", "normals"):
        values, shape = arrays[name]
        check(shape == (5, 24, 3), "%s: shape %s" % (name, shape))
        wanted = [c for t in times for p in posed(path, "--time", repr(t)) for c in p[name]]
        check(values == as_floats(wanted), name)


def test_npz_without_normals():
    def bare(gltf):
        for primitive in gltf["meshes"][0]["primitives"]:
            for name in ("NORMAL", "TANGENT"):
                primitive["attributes"].pop(name, None)
        return gltf
    path, out = write_gltf("bare.gltf", bare(tube())), scratch("bare.npz")
    expect(0, "", "bake", path, "-o", out, "--frames", "2")
    check("normals" not in read_npz(out), "no normals where none has them")
    half = tube()
    del half["meshes"][0]["primitives"][1]["attributes"]["NORMAL"]
    path = write_gltf("half.gltf", half)
    expect(0, "", "bake", path, "-o", out, "--frames", "2")
    normals = read_npz(out)["normals"][0]
    check(any(normals[:36]) and not any(normals[36:72]) and any(normals[72:108]), "zeros where one primitive has none")


def numpy_python():
    """A Python that has NumPy, or None."""
    for python in (shutil.which("python3"), "/usr/bin/python3"):
        if python and os.path.exists(python):
            done = subprocess.run([python, "-c", "import numpy"], capture_output=True)
            if done.returncode == 0:
                return python
    return None


MAPPED = """
import numpy, sys, zipfile
path = sys.argv[1]
with numpy.load(path) as arrays:
    positions, times = arrays["positions"], arrays["times"]
    triangles, offsets = arrays["triangles"], arrays["vertex_offsets"]
with zipfile.ZipFile(path) as file:
    info = file.getinfo("positions.npy")
with open(path, "rb") as raw:
    raw.seek(info.header_offset + 26)
    name, extra = numpy.frombuffer(raw.read(4), "<u2")
    raw.seek(info.header_offset + 30 + int(name) + int(extra))
    assert numpy.lib.format.read_magic(raw) == (1, 0)
    shape, order, dtype = numpy.lib.format.read_array_header_1_0(raw)
    mapped = numpy.memmap(path, dtype, "r", raw.tell(), shape)
assert raw is not None and mapped.offset % 64 == 0
assert positions.dtype == numpy.float32 and (mapped == positions).all()
assert times.dtype == numpy.float64 and triangles.dtype == numpy.uint32 and offsets.dtype == numpy.uint64
print(repr([float(x) for x in positions.ravel()]))
"""


def test_numpy():
    python = numpy_python()
    if not python:
        print("NumPy is not there: skipped in part")
        return
    path, out = write_gltf("tube.gltf", tube()), scratch("out.npz")
    expect(0, "", "bake", path, "-o", out, "--frames", "3")
    done = subprocess.run([python, "-c", MAPPED, out], capture_output=True, text=True)
    check(done.returncode == 0, "NumPy: %s" % done.stderr)
    wanted = [c for t in (0, 0.5, 1) for c in positions_of(posed(path, "--time", repr(t)))]
    check(done.returncode == 0 and eval(done.stdout) == as_floats(wanted), "what NumPy reads and maps")


def test_static_formats():
    path = write_gltf("tube.gltf", tube())
    for arguments in (["--rest"], ["--time", "0.5"]):
        for ending in ("obj", "ply", "json"):
            baked, skinned = scratch("baked." + ending), scratch("skinned." + ending)
            expect(0, "", "bake", path, "-o", baked, *arguments)
            expect(0, "", "skin", path, "-o", skinned, *arguments)
            check(read_bytes(baked) == read_bytes(skinned), "%s %s as `skin` writes it" % (ending, arguments))


def test_stdin():
    path = write_gltf("tube.gltf", tube())
    named, piped = scratch("named.pc2"), scratch("piped.pc2")
    expect(0, "", "bake", path, "-o", named)
    expect(0, "", "bake", "-", "-o", piped, stdin=read_bytes(path))
    check(read_bytes(named) == read_bytes(piped), "the same from stdin")
    expect(2, "name a file", "bake", "-", "-o", scratch("piped.glb"), stdin=read_bytes(path))


# ---- threads and shards ----

def test_threads_change_nothing():
    path = write_gltf("tube.gltf", tube())
    for ending in FORMATS:
        outputs = set()
        for threads in ("1", "2", "3", "16"):
            out = scratch("threads." + ending)
            expect(0, "", "bake", path, "-o", out, "--frames", "150", "--threads", threads)
            outputs.add(read_bytes(out))
        check(len(outputs) == 1, "%s: the same bytes from any number of threads" % ending)


def test_shards_join():
    path = write_gltf("tube.gltf", tube())
    for ending in FORMATS:
        whole = scratch("whole." + ending)
        expect(0, "", "bake", path, "-o", whole, "--frames", "11")
        for count in (1, 2, 3, 11, 17):
            out = fresh("shards." + ending)
            for shard in reversed(range(1, count + 1)):
                expect(0, "", "bake", path, "-o", out, "--frames", "11", "--shard", "%d/%d" % (shard, count), "--threads", "2")
            check(not os.path.exists(out), "shards write parts alone")
            check(len(parts_of(out)) == count, "%d parts: %s" % (count, parts_of(out)))
            expect(0, "", "bake", path, "-o", out, "--frames", "11", "--join")
            check(read_bytes(out) == read_bytes(whole), "%s: %d shards joined are the same bytes" % (ending, count))
            check(parts_of(out) == [], "parts are removed: %s" % parts_of(out))


def bake_parts(out, path, *arguments, count=3):
    for shard in range(1, count + 1):
        expect(0, "", "bake", path, "-o", out, "--frames", "9", "--shard", "%d/%d" % (shard, count), *arguments)


def test_complete_parts_are_skipped():
    path, out = write_gltf("tube.gltf", tube()), fresh("skipped.pc2")
    bake_parts(out, path)
    part = out + ".part-2-of-3"
    before = os.stat(part)
    expect(0, "is complete: nothing to do", "bake", path, "-o", out, "--frames", "9", "--shard", "2/3")
    check(os.stat(part).st_ino == before.st_ino, "a complete part stays")
    good = read_bytes(part)
    for what, data in (("cut", good[:-1]), ("cut", good[:100]), ("empty", b""), ("longer inside", good[:200] + b"x" + good[201:]),
                       ("without an end", good[:-24])):
        with open(part, "wb") as file:
            file.write(data)
        expect(0, "is damaged: it is baked again", "bake", path, "-o", out, "--frames", "9", "--shard", "2/3")
        check(read_bytes(part) == good, "%s: baked again" % what)
    expect(0, "of other inputs: it is baked again", "bake", path, "-o", out, "--frames", "10", "--shard", "2/3")
    check(read_bytes(part) != good, "other frames are another part")


def test_same_inputs_of_another_name():
    """What counts is what is in the file, not its name, nor how it is stored."""
    path, out = write_gltf("tube.gltf", tube()), fresh("names.pc2")
    other = write_gltf("tube2.gltf", dict(tube(), extras={"a": 1}))
    bake_parts(out, path)
    expect(0, "is complete", "bake", other, "-o", out, "--frames", "9", "--shard", "1/3")
    moved = tube()
    moved["nodes"][2]["translation"] = [0, 1.0001, 0]
    expect(0, "of other inputs", "bake", write_gltf("moved.gltf", moved), "-o", out, "--frames", "9", "--shard", "1/3")


def test_join_refuses():
    path = write_gltf("tube.gltf", tube())
    for ending in FORMATS:
        out = fresh("refused." + ending)
        join = ["bake", path, "-o", out, "--frames", "9", "--join"]
        done = expect(1, "there is no part of " + out, *join)
        check("--shard I/N" in done.err, "how to make parts: " + done.err)
        bake_parts(out, path)
        with open(out, "wb") as file:
            file.write(b"old")
        part = out + ".part-2-of-3"
        good = read_bytes(part)
        os.remove(part)
        done = expect(1, "part-2-of-3 is missing", *join)
        check("--shard 2/3 instead of --join" in done.err, "how to make it: " + done.err)
        for place in (0, 10, 90, len(good) // 2, len(good) - 30, len(good) - 1):
            with open(part, "wb") as file:
                file.write(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
            done = expect(1, "part-2-of-3 ", *join)
            check("damaged" in done.err or "other inputs" in done.err, "byte %d: %s" % (place, done.err))
        with open(part, "wb") as file:
            file.write(good[:-5])
        expect(1, "part-2-of-3 is damaged or cut short", *join)
        with open(part, "wb") as file:
            file.write(good)
        for change in (["--method", "lbs"], ["--frames", "8"], ["--scale", "none"], ["--space", "mesh"]):
            done = expect(1, "was baked from other inputs", *join, *change)
            check(done.err.count("part-") == 3, "every part is named: " + done.err)
        with open(out + ".part-1-of-4", "wb") as file:
            file.write(b"")
        expect(1, "of 3 shards and of 4", *join)
        os.remove(out + ".part-1-of-4")
        check(read_bytes(out) == b"old" and len(parts_of(out)) == 3, "nothing was touched")
        expect(0, "", *join, "--keep-parts")
        check(read_bytes(out) != b"old" and len(parts_of(out)) == 3, "--keep-parts")
        remove_parts(out)


def test_leftovers():
    """What killed shards left goes with the parts; other files stay."""
    path, out = write_gltf("tube.gltf", tube()), fresh("left.pc2")
    bake_parts(out, path)
    left = [".part-2-of-3.4711-0.tmp", ".part-3-of-3.12-3.tmp"]
    others = [".part-2-of-3.mine", ".part-2-of-9.4711-0.tmp", ".part-x-of-3"]
    for name in left + others:
        open(out + name, "wb").close()
    expect(0, "", "bake", path, "-o", out, "--frames", "9", "--join")
    check(parts_of(out) == sorted(others), "what is left: %s" % parts_of(out))
    remove_parts(out)


def test_shards_by_environment():
    path = write_gltf("tube.gltf", tube())
    base = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "OMPI_", "JOB_"))}

    def shard(text, wanted, **variables):
        out = fresh("auto.pc2")
        code, message = (0, "") if isinstance(wanted, str) else wanted
        expect(code, message, "bake", path, "-o", out, "--frames", "9", "--shard", text, env=dict(base, **variables))
        check(parts_of(out) == ([".part-" + wanted] if code == 0 else []), "%s: %s" % (variables, parts_of(out)))
        remove_parts(out)
    slurm = {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "5"}
    shard("auto", "3-of-5", **slurm)
    shard("auto", "2-of-5", SLURM_ARRAY_TASK_MIN="1", **slurm)
    shard("auto", "1-of-5", SLURM_ARRAY_TASK_MIN="2", SLURM_ARRAY_TASK_STEP="3", **slurm)
    shard("auto", "4-of-4", SLURM_ARRAY_TASK_ID="17", SLURM_ARRAY_TASK_COUNT="4", SLURM_ARRAY_TASK_MIN="2",
          SLURM_ARRAY_TASK_STEP="5")
    shard("auto", (2, "evenly spaced"), SLURM_ARRAY_TASK_ID="7", SLURM_ARRAY_TASK_COUNT="2", SLURM_ARRAY_TASK_MIN="3")
    shard("auto", (2, "evenly spaced"), SLURM_ARRAY_TASK_ID="4", SLURM_ARRAY_TASK_COUNT="4", SLURM_ARRAY_TASK_STEP="3")
    shard("auto/9", "8-of-9", SLURM_ARRAY_TASK_ID="7", SLURM_ARRAY_TASK_COUNT="2", SLURM_ARRAY_TASK_MIN="3")
    shard("auto", "2-of-2", OMPI_COMM_WORLD_RANK="1", OMPI_COMM_WORLD_SIZE="2")
    shard("auto/4", "4-of-4", JOB_COMPLETION_INDEX="3")
    shard("auto", "4-of-8", JOB_COMPLETION_INDEX="3", JOB_COMPLETIONS="8")
    shard("auto", (2, "say --shard auto/N"), JOB_COMPLETION_INDEX="3")
    shard("auto/3", (2, "number 4 of 3"), JOB_COMPLETION_INDEX="3")
    shard("auto", (2, "is 'x'"), OMPI_COMM_WORLD_RANK="x", OMPI_COMM_WORLD_SIZE="2")
    shard("auto", (2, "none of SLURM_ARRAY_TASK_ID"))


# ---- wrong use ----

def test_usage():
    path, plain = write_gltf("tube.gltf", tube()), write_plain("plain.gltf")
    out = scratch("usage.pc2")
    bake = ["bake", path, "-o", out]
    expect(2, "say -o OUT", "bake", path)
    expect(2, "say -o OUT", "bake", path, "-o", "-")
    expect(2, "the ending must be .pc2, .npz or .glb", "bake", path, "-o", scratch("out.abc"))
    expect(2, "holds no frames", "bake", path, "-o", scratch("out.obj"))
    expect(2, "holds no frames", "bake", path, "-o", scratch("out.gltf"), "--rest")
    expect(2, "--frames needs", *bake, "--frames", "0")
    expect(2, "--frames needs", *bake, "--frames", "1000001")
    expect(2, "--fps needs", *bake, "--fps", "0")
    expect(2, "give one", *bake, "--fps", "10", "--frames", "4")
    expect(2, "is one pose", *bake, "--rest", "--frames", "4")
    expect(2, "is one pose", *bake, "--time", "0", "--fps", "4")
    expect(2, "--rest does not go", *bake, "--rest", "--clip", "#0")
    expect(2, "did you mean 'turn'", *bake, "--clip", "tunr")
    expect(2, "leave out -o", *bake, "--bounds")
    expect(2, "--json goes with --bounds", *bake, "--json")
    expect(2, "leave out --shard", "bake", path, "--bounds", "--shard", "1/2")
    expect(2, "needs no shards", *bake, "--rest", "--shard", "1/2")
    expect(2, "comes after all shards", *bake, "--join", "--shard", "1/2")
    expect(2, "goes with --join", *bake, "--keep-parts")
    for shard, message in (("0/4", "count from 1"), ("5/4", "number 5 of 4"), ("1/0", "1 to 100000"), ("1", "say I/N"),
                           ("1/2/3", "say I/N"), ("-1/2", "say I/N"), ("a/2", "say I/N"), ("1/100001", "1 to 100000"),
                           ("auto/x", "auto/N"), ("4294967296/4294967297", "say I/N")):
        expect(2, message, *bake, "--shard", shard)
    expect(2, "at most here", "bake", path, "-o", scratch("out.glb"), "--frames", "40000")
    still = tube()
    del still["animations"]
    still = write_gltf("still.gltf", still)
    expect(2, "has no clip: --rest", "bake", still, "-o", out)
    expect(0, "", "bake", still, "-o", out, "--rest")
    two = tube()
    two["animations"] *= 2
    expect(2, "has 2 clips", "bake", write_gltf("two.gltf", two), "-o", out)
    expect(1, "nothing is skinned", "bake", plain, "-o", out, "--rest")
    expect(1, "missing.gltf", "bake", scratch("missing.gltf"), "-o", out)
    check(os.path.exists(out), "what was there stays")


def test_positions_that_are_not_finite():
    """Finite matrices, whose positions overflow: .npz can hold that, the others say where."""
    def far(streams):
        streams["positions"] = [c * 1.5e38 for c in streams["positions"]]
    wide = tube(far, second_scale=[4, 4, 4])
    path = write_gltf("wide.gltf", wide)
    for ending in ("pc2", "glb"):
        out = fresh("wide." + ending)
        done = run("bake", path, "-o", out, "--frames", "2", "--method", "lbs")
        check(done.code == 1 and "is not finite" in done.err, "%s: %s" % (ending, done.err))
        check(not os.path.exists(out), "nothing is written")


# ---- memory ----

def peak_megabytes(*arguments):
    """The most memory that one run of the command had."""
    code = "import resource, subprocess, sys\n" \
           "done = subprocess.run(sys.argv[1:])\n" \
           "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    python = shutil.which("python3") or "python3"
    done = subprocess.run([python, "-c", code, COMMAND] + list(arguments), capture_output=True, text=True)
    status, kilobytes = done.stdout.split()
    check(status == "0", "%s: %s" % (arguments, done.stderr))
    return int(kilobytes) / 1024


def test_memory():
    """The same for many frames as for few: below 200 MB for a mesh of 30,000 vertices. (SUPPLE_ALL: 1,000 frames.)"""
    if SANITIZED:
        print("sanitizers take memory of their own: skipped in part")
        return
    path = scratch("figure.glb")
    expect(0, "", "fixture", "figure", "-o", path)
    frames = 1000 if os.environ.get("SUPPLE_ALL") else 150
    for ending in FORMATS:
        out = fresh("baked-figure." + ending)
        few = peak_megabytes("bake", path, "-o", out, "--frames", "20", "--threads", "2")
        many = peak_megabytes("bake", path, "-o", out, "--frames", str(frames), "--threads", "2")
        print("%s: %.1f MB for 20 frames, %.1f MB for %d" % (ending, few, many, frames))
        check(many < 200, "%s: %d frames take %.1f MB" % (ending, frames, many))
        check(many < few + (20 if ending == "glb" else 4), "%s: %.1f MB for 20 frames, %.1f for %d" % (ending, few, many, frames))
        os.remove(out)


if __name__ == "__main__":
    main([test_npz, test_npz_without_normals, test_numpy, test_static_formats, test_stdin, test_threads_change_nothing,
          test_shards_join, test_complete_parts_are_skipped, test_same_inputs_of_another_name, test_join_refuses,
          test_leftovers, test_shards_by_environment, test_usage, test_positions_that_are_not_finite, test_memory])
