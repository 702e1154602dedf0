# test_failing_output.py: a full disk, a limit on file sizes, folders that cannot be written, closed pipes: exit 1, a
# message that names the output, no file left behind, an existing one as it was.
import os
import resource
import signal
import stat
import subprocess

from _cli import COMMAND, SCRATCH, check, main, run, scratch, tube, write_gltf

OLD = b"what was there before"
SANITIZED = bool(os.environ.get("SUPPLE_SANITIZE"))
FOLDER = "failing"

# Arguments with OUT in the output's place, and the output's name.
WRITERS = [
    (["skin", "IN", "-o", "OUT"], "posed.json"), (["skin", "IN", "-o", "OUT"], "posed.npz"),
    (["skin", "IN", "-o", "OUT"], "posed.obj"), (["skin", "IN", "-o", "OUT"], "posed.ply"),
    (["skin", "IN", "-o", "OUT"], "posed.glb"), (["skin", "IN", "-o", "OUT"], "posed.gltf"),
    (["fixture", "ring", "-o", "OUT"], "ring.glb"), (["fixture", "ring", "-o", "OUT"], "ring.gltf"),
    (["compare", "IN", "--frames", "2", "-o", "OUT"], "report.html"),
    (["bake", "IN", "--frames", "9", "-o", "OUT"], "baked.pc2"), (["bake", "IN", "--frames", "9", "-o", "OUT"], "baked.npz"),
    (["bake", "IN", "--frames", "9", "-o", "OUT"], "baked.glb"), (["bake", "IN", "--rest", "-o", "OUT"], "baked.ply"),
]
PRINTERS = [["skin", "IN", "--json"], ["compare", "IN", "--json"], ["compare", "IN"], ["info", "IN"], ["info", "IN", "--json"],
            ["joints", "IN"], ["joints", "IN", "--json"], ["check", "--codes"], ["check", "--codes", "--json"],
            ["bake", "IN", "--bounds"], ["fixture", "ring", "-o", "-"], ["fixture", "--list"],
            ["compare", "IN", "-o", "-"], ["--version"], ["--help"], ["skin", "--help"]]


def fill(arguments, output=""):
    return [scratch("failing.gltf") if a == "IN" else output if a == "OUT" else a for a in arguments]


def write_old(path):
    with open(path, "wb") as file:
        file.write(OLD)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def expect_failure(done, arguments, output):
    check(done.code == 1, "%s: exit %d: %s" % (arguments, done.code, done.err))
    check(done.err.startswith("supple") and output in done.err, "%s: a message that names the output: %s" % (arguments, done.err))


def prepare():
    write_gltf("failing.gltf", tube())
    folder = scratch(FOLDER)
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    return folder


def test_full_disk():
    """/dev/full takes everything and says at the end that there is no room."""
    prepare()
    if not os.path.exists("/dev/full"):
        return
    for arguments in PRINTERS:
        with open("/dev/full", "wb") as full:
            done = run(*fill(arguments), stdout=full)
        expect_failure(done, arguments, "stdout")
        check("No space left" in done.err, "%s: the reason: %s" % (arguments, done.err))
    for arguments, name in WRITERS:
        if arguments[0] == "skin" and not name.endswith(".json"):
            continue
        # a name that ends as the format wants, and leads to the device
        link = os.path.join(scratch(FOLDER), name)
        os.symlink("/dev/full", link)
        done = run(*fill(arguments, link))
        expect_failure(done, arguments, link)
        check(stat.S_ISCHR(os.stat("/dev/full").st_mode) and os.path.islink(link), "the device is still there")
        os.remove(link)


def test_file_size_limit():
    """With and without SIGXFSZ ignored, a file that may not grow is a write that fails."""
    folder = prepare()
    for ignored in (False, True):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN if ignored else signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        for arguments, name in WRITERS:
            path = os.path.join(folder, name)
            done = run(*fill(arguments, path), preexec_fn=limit, restore_signals=False)
            expect_failure(done, arguments, path)
            check("too large" in done.err, "%s: the reason: %s" % (arguments, done.err))
            check(os.listdir(folder) == [], "%s: leaves %s" % (arguments, os.listdir(folder)))
            write_old(path)
            done = run(*fill(arguments, path), preexec_fn=limit, restore_signals=False)
            expect_failure(done, arguments, path)
            check(read(path) == OLD and os.listdir(folder) == [name], "%s: the old file stays" % arguments)
            os.remove(path)


def test_places_that_cannot_be():
    folder = prepare()
    plain = os.path.join(folder, "plain")
    write_old(plain)
    for arguments, name in WRITERS:
        for place in (os.path.join(folder, "no", "such"), plain, ):
            path = os.path.join(place, name)
            done = run(*fill(arguments, path))
            expect_failure(done, arguments, path)
        long = os.path.join(folder, "a" * 300 + name)
        done = run(*fill(arguments, long))
        expect_failure(done, arguments, name)
    for suffix in (".json", ".glb"):  # a folder in the output's place
        os.makedirs(os.path.join(folder, "folder" + suffix), exist_ok=True)
        path = os.path.join(folder, "folder" + suffix)
        done = run("skin", scratch("failing.gltf"), "-o", path)
        expect_failure(done, ["skin -o folder"], path)
        os.rmdir(path)
    check(os.listdir(folder) == ["plain"] and read(plain) == OLD, "nothing else: %s" % os.listdir(folder))
    os.remove(plain)


def test_unwritable_folder():
    """As someone who may not write there, which root must become first."""
    folder = prepare()
    path = os.path.join(folder, "posed.json")
    write_old(path)
    become = None
    if os.name == "posix" and os.geteuid() == 0:
        def become():
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        try:
            reachable = subprocess.run([COMMAND, "--version"], preexec_fn=become, capture_output=True).returncode == 0
            reachable &= subprocess.run(["test", "-r", scratch("failing.gltf")], preexec_fn=become).returncode == 0
        except (OSError, subprocess.SubprocessError):
            reachable = False
        if not reachable:
            print("not tried: an unwritable folder, since nobody else may run the command here")
            return
    os.chmod(folder, 0o555)
    try:
        for arguments, name in WRITERS:
            out = os.path.join(folder, name)
            done = run(*fill(arguments, out), preexec_fn=become)
            expect_failure(done, arguments, out)
            check("ermission" in done.err, "%s: the reason: %s" % (arguments, done.err))
            check(os.listdir(folder) == ["posed.json"] and read(path) == OLD, "%s: nothing changes" % arguments)
    finally:
        os.chmod(folder, 0o755)


def test_closed_pipe():
    """A reader that goes away: exit 1 with a message, no signal."""
    prepare()
    for arguments in (["skin", "IN", "--json"], ["compare", "IN", "--json"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = run(*fill(arguments), stdout=writing, restore_signals=True)
        os.close(writing)
        check(done.code == 1 and "stdout" in done.err, "%s: exit %d: %s" % (arguments, done.code, done.err))


def test_success_replaces():
    """What is replaced keeps its mode, links stay links, and nothing else appears."""
    folder = prepare()
    for arguments, name in WRITERS:
        path, link = os.path.join(folder, name), os.path.join(folder, "link-" + name)
        write_old(path)
        os.chmod(path, 0o640)
        os.symlink(path, link)
        done = run(*fill(arguments, link))
        check(done.code == 0, "%s: %s" % (arguments, done.err))
        check(os.path.islink(link) and read(path) != OLD, "%s: behind the link it is new" % arguments)
        check(stat.S_IMODE(os.stat(path).st_mode) == 0o640, "%s: the mode stays" % arguments)
        check(sorted(os.listdir(folder)) == sorted([name, "link-" + name]), "%s: %s" % (arguments, os.listdir(folder)))
        os.remove(link)
        os.remove(path)


def test_failures_keep_outputs():
    """Whatever fails on the way, the output is not touched."""
    folder = prepare()
    broken = tube()
    broken["nodes"][2]["scale"] = [1e38, 1e38, 1e38]
    broken["nodes"][1]["scale"] = [1e38, 1e38, 1e38]
    files = [write_gltf("overflow.gltf", broken), scratch("missing.gltf")]
    for file in files:
        for arguments, name in WRITERS:
            if arguments[0] == "fixture":
                continue
            path = os.path.join(folder, name)
            write_old(path)
            done = run(*[file if a == "IN" else path if a == "OUT" else a for a in arguments])
            check(done.code == 1, "%s: exit %d: %s" % (arguments, done.code, done.err))
            check(file in done.err, "%s: the file is named: %s" % (arguments, done.err))
            check(read(path) == OLD and os.listdir(folder) == [name], "%s: nothing changes" % arguments)
            os.remove(path)


main([test_full_disk, test_file_size_limit, test_places_that_cannot_be, test_unwritable_folder, test_closed_pipe,
      test_success_replaces, test_failures_keep_outputs])
