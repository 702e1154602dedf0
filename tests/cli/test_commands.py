# test_commands.py: what all commands share: help, versions, exit codes, messages, stdout that fails, signals.
import os
import re
import signal
import subprocess
import time

from _cli import COMMAND, CORPUS, check, expect, main, run, scratch, tube, write_gltf


def commands():
    text = expect(0, "", "--help").out.decode()
    names = re.findall(r"(?m)^  (\w+) {2,}\S", text)
    check({"info", "joints", "skin", "compare", "fixture"} <= set(names), "the help lists the commands: %s" % names)
    return names


# Commands that write a file, and an ending that they take.
WRITERS = (("skin", ".obj"), ("fix", ".glb"), ("bake", ".pc2"), ("bake", ".glb"), ("convert", ".usda"))


def test_help():
    done = run()
    check(done.code == 2 and done.out == b"" and "usage: supple COMMAND" in done.err, "no arguments")
    check(expect(0, "", "--help").out == expect(0, "", "help").out == expect(0, "", "-h").out, "three ways")
    check(done.err.encode() == expect(0, "", "--help").out, "the same help on stderr")
    for name in commands():
        text = expect(0, "", name, "--help").out
        check(text == expect(0, "", "help", name).out, "help " + name)
        check(text == expect(0, "", name, "-h", "no such file").out, "help whatever else there is")
        for line in text.decode().split("\n"):
            check(len(line) <= 80, "%s: a line of %d columns: %s" % (name, len(line), line))
        for part in ("usage: supple %s " % name, "options:", "--help"):
            check(part in text.decode(), "%s --help has '%s'" % (name, part))
    expect(2, "did you mean 'skin'", "help", "skim")
    expect(2, "help takes one command", "help", "skin", "info")


def test_version():
    done = expect(0, "", "--version")
    check(re.fullmatch(rb"supple \d+\.\d+\.\d+\ncodecs: [\w .,()-]+\n", done.out), "version: %r" % done.out)


def test_usage():
    path = write_gltf("tube.gltf", tube())
    expect(2, "there is no command 'frobnicate'", "frobnicate")
    expect(2, "did you mean 'joints'", "joint")
    expect(2, "usage: supple COMMAND", "--json")
    for name in ("info", "joints", "skin"):
        expect(2, "usage: supple %s FILE" % name, name)
        expect(2, "too many arguments", name, path, path)
        expect(2, "did you mean '--json'", name, path, "--jsn")
        expect(2, "there is no option '-Z'", name, path, "-Z")
        expect(2, "--json takes no value", name, path, "--json=yes")
        expect(1, "absent.gltf: ", name, scratch("absent.gltf"), "--json")
        expect(1, "more than limits.nodes allows", name, path, "--json", "--limit-nodes", "2")
        expect(2, "whole number", name, path, "--json", "--limit-nodes", "two")
    for name, ending in WRITERS:
        out = ["-o", scratch("usage" + ending)]
        expect(2, "usage: supple %s FILE" % name, name, *out)
        expect(2, "too many arguments", name, path, path, *out)
        expect(2, "did you mean '--output'", name, path, "--outptu", "x")
        expect(2, "there is no option '-Z'", name, path, "-Z")
        expect(1, "absent.gltf: ", name, scratch("absent.gltf"), *out)
        expect(1, "more than limits.nodes allows", name, path, *out, "--limit-nodes", "2")
        expect(2, "whole number", name, path, *out, "--limit-nodes", "two")
        check(not os.path.exists(out[1]), "%s: nothing is written" % name)


def test_outputs_that_cannot_be():
    path = write_gltf("tube.gltf", tube())
    os.makedirs(scratch("a folder.d"), exist_ok=True)
    for name, ending in WRITERS:
        folder = scratch("folder" + ending)
        os.makedirs(folder, exist_ok=True)
        for out, message in ((scratch("no such folder/x" + ending), "cannot write"), (folder, "cannot write")):
            done = run(name, path, "-o", out)
            check(done.code == 1 and message in done.err and out in done.err,
                  "%s -o %s: exit %d: %s" % (name, out, done.code, done.err))
        done = run(name, path, "-o", scratch("x.doc"))
        check(done.code == 2 and "x.doc" in done.err, "%s: an ending that means nothing: %s" % (name, done.err))
        done = run(name, scratch("a folder.d"), "-o", scratch("x" + ending))
        check(done.code == 1 and "a folder.d" in done.err, "%s of a folder: exit %d: %s" % (name, done.code, done.err))
        check(os.listdir(folder) == [], "%s: left behind: %s" % (name, os.listdir(folder)))
        odd = scratch("odd \u00e9\u4e2d 'name\n%d" + ending)
        done = run(name, path, "-o", odd)
        check(done.code == 0 and os.path.getsize(odd) > 0, "%s to a name with everything in it: %s" % (name, done.err))
        check(done.err.count("\n") == len(done.err.splitlines()) and odd not in done.err, "%s: its name is told safely" % name)
        os.remove(odd)
        same = scratch("same.gltf" if ending in (".glb", ".gltf") else "same" + ending)
        if ending == ".glb":
            write_gltf("same.gltf", tube())
            done = run(name, same, "-o", same) if name == "fix" else run(name, same, "-o", scratch("same.glb"))
            check(done.code == 0, "%s over its own input: %s" % (name, done.err))
            expect(0, "", "info", same, "--json")


def test_messages_are_safe():
    done = run("info", "a\x1b[31m\nb.gltf")
    check(done.code == 1 and "\x1b" not in done.err and done.err.count("\n") == 1, "control characters: %r" % done.err)


def test_stdout_fails():
    path = write_gltf("tube.gltf", tube())
    lines = (["--help"], ["--version"], ["info", path], ["info", path, "--json"], ["joints", path],
             ["skin", path, "--json"], ["skin", "--help"])
    if os.path.exists("/dev/full"):
        for arguments in lines:
            with open("/dev/full", "wb") as full:
                done = run(*arguments, stdout=full)
            check(done.code == 1 and "cannot write to stdout" in done.err, "/dev/full: %s: %s" % (arguments, done.err))
    for arguments in lines:
        reader, writer = os.pipe()
        os.close(reader)
        done = run(*arguments, stdout=writer)
        os.close(writer)
        check(done.code == 1 and "cannot write to stdout" in done.err, "EPIPE: %s: exit %d" % (arguments, done.code))


def test_signals_end_it():
    # stdin stays open, so the program waits for it (test_output.c interrupts it while it writes)
    path = write_gltf("tube.gltf", tube())
    folder = scratch("signals")
    os.makedirs(folder, exist_ok=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([COMMAND, "skin", "-", "-o", os.path.join(folder, "out.obj")],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.2)
        process.send_signal(number)
        check(process.wait(30) == -number, "ended by the signal: %s" % process.returncode)
        process.stdin.close()
        process.stderr.close()
        check(os.listdir(folder) == [], "left behind: %s" % os.listdir(folder))
    expect(0, "", "skin", path, "-o", os.path.join(folder, "out.obj"))
    check(os.listdir(folder) == ["out.obj"], "only the result: %s" % os.listdir(folder))
    os.remove(os.path.join(folder, "out.obj"))


def test_uris():
    gltf = tube()
    gltf["buffers"][0]["uri"] = "../outside.bin"
    path = write_gltf("outside.gltf", gltf)
    for name in ("info", "joints", "skin"):
        done = run(name, path, "--json")
        check(done.code == 1 and "outside" in done.err, "%s refuses '..': %s" % (name, done.err))
        allowed = run(name, path, "--json", "--allow-outside-uris")
        check(allowed.code == 1 and allowed.err != done.err, "%s: another reason when allowed" % name)


def test_dry_runs_leave_nothing():
    """Commands that make files say what they would write; those files, and no other, are not there."""
    folder = scratch("dry")
    os.makedirs(folder, exist_ok=True)
    arm = os.path.join(folder, "arm.glb")
    check(run("fixture", "arm", "-o", arm).code == 0, "the fixture")
    for arguments, name in ((["fixture", "ring"], "r.glb"), (["skin", arm, "--clip", "#0", "--time", "1"], "s.npz"),
                            (["skin", arm], "s.obj"), (["bake", arm, "--clip", "#0"], "b.pc2"),
                            (["bake", arm, "--clip", "#0"], "b.npz"), (["bake", arm, "--clip", "#0"], "b.glb")):
        out = os.path.join(folder, name)
        done = run(*arguments, "-o", out, "--dry-run")
        real = run(*arguments, "-o", out + ".kept" + os.path.splitext(name)[1])
        check(done.code == 0 and real.code == 0, "%s: %s%s" % (name, done.err, real.err))
        size = os.path.getsize(out + ".kept" + os.path.splitext(name)[1])
        check("would write %s (%d bytes)" % (out, size) in done.err, "%s: %s" % (name, done.err))
        os.remove(out + ".kept" + os.path.splitext(name)[1])
    check(os.listdir(folder) == ["arm.glb"], "left: %s" % os.listdir(folder))
    check(run("fixture", "arm", "-o", os.path.join(folder, "no", "a.glb"), "--dry-run").code == 1, "a folder that is not there")


def test_broken_files_end():
    folder = os.path.join(CORPUS, "broken")
    if not os.path.isdir(folder):
        print("no corpus: skipped in part")
        return
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith((".json", ".md", ".bin")):
                continue
            for command in ("info", "skin", "joints"):
                done = run(command, os.path.join(path, name), "--json")
                check(done.code in (0, 1), "%s %s: exit %d: %s" % (command, name, done.code, done.err[:300]))
                check(done.code == 0 or name in done.err, "%s %s: the message names the file" % (command, name))
                if done.code == 0:
                    done.json()


if __name__ == "__main__":
    main([test_help, test_version, test_usage, test_messages_are_safe, test_stdout_fails,
          test_outputs_that_cannot_be, test_signals_end_it, test_uris,
          test_dry_runs_leave_nothing, test_broken_files_end])
