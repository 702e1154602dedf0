# test_examples.py: each example runs on the fixture arm and prints what is known of it.
#
# The figures of the arm (sections, volumes) are facts of its shape that were computed before Supple was written;
# positions are compared with those of the command.
import json
import os
import re
import subprocess
import sys

ROOT, SCRATCH = os.environ["SUPPLE_SOURCE_DIR"], os.environ["SUPPLE_SCRATCH"]
EXAMPLES = os.path.join(os.environ["SUPPLE_BINARY_DIR"], "examples")
COMMAND = os.environ.get("SUPPLE_COMMAND", "")
# Those that need a window system or a graphics device of their own: longer, and skipped where they were not built.
DEVICES = ("06_window.c", "07_vulkan_compute.c")
problems = []


def run(*arguments, status=0):
    done = subprocess.run(arguments, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
                          timeout=200)
    if done.returncode != status:
        problems.append("%s: status %d\n%s" % (" ".join(arguments), done.returncode, done.stderr))
    return done.stdout


def example(name, *arguments, status=0):
    return run(os.path.join(EXAMPLES, name), *arguments, status=status)


def expect(name, text, wanted):
    if text != wanted:
        problems.append("%s prints:\n%sinstead of:\n%s" % (name, text, wanted))


def check_load_and_skin(arm):
    text = example("01_load_and_skin", arm, "0.5")
    found = [tuple(map(float, line.split()[1:])) for line in text.split("\n") if line.startswith("v ")]
    faces = [tuple(map(int, line.split()[1:])) for line in text.split("\n") if line.startswith("f ")]
    told = json.loads(run(COMMAND, "skin", arm, "--clip", "twist-180", "--time", "0.5", "--json"))
    flat = told["primitives"][0]["positions"]
    wanted = list(zip(flat[0::3], flat[1::3], flat[2::3]))
    if len(found) != len(wanted) or any(abs(a - b) > 1e-6 for p, q in zip(found, wanted) for a, b in zip(p, q)):
        problems.append("01_load_and_skin and supple skin differ: %s, %s" % (found[:3], wanted[:3]))
    if len(faces) != 15488 or min(map(min, faces)) != 1 or max(map(max, faces)) != len(found):
        problems.append("01_load_and_skin: %d faces" % len(faces))
    example("01_load_and_skin", status=2)
    example("01_load_and_skin", arm + ".absent", status=1)


def check_many_threads(arm):
    for threads in ("1", "3", "8"):
        text = example("02_many_threads", arm, threads)
        if not re.fullmatch(r"\d+ vertices, %s threads: the same bits\n" % threads, text):
            problems.append("02_many_threads: %s" % text)


def built(name):
    if os.path.exists(os.path.join(EXAMPLES, name)) or os.path.exists(os.path.join(EXAMPLES, name + ".exe")):
        return True
    print("%s is not part of this build" % name)
    return False


def check_window(arm):
    """Drawn off screen; twisted by 180 degrees the arm has a waist of nothing under LBS."""
    if not built("06_window"):
        return
    done = subprocess.run([os.path.join(EXAMPLES, "06_window"), arm, "3"], capture_output=True, text=True, timeout=200,
                          env=dict(os.environ, SDL_VIDEODRIVER="offscreen"))
    if done.returncode and re.match(r"SDL: ", done.stderr):
        print("06_window: no OpenGL off screen here: %s" % done.stderr.strip())
        return
    found = re.fullmatch(r"lbs covers ([0-9.]+) %\ndqs covers ([0-9.]+) %\n", done.stdout)
    if done.returncode or not found:
        problems.append("06_window: status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
    elif not 3 < float(found.group(1)) < 0.97 * float(found.group(2)) < 60:
        problems.append("06_window: %s" % done.stdout)


def check_vulkan(arm):
    if not built("07_vulkan_compute"):
        return
    done = subprocess.run([os.path.join(EXAMPLES, "07_vulkan_compute"), arm, "1"], capture_output=True, text=True,
                          timeout=200)
    if done.returncode == 1 and re.fullmatch(r"(Vulkan|finding a device) failed\n", done.stderr):
        print("07_vulkan_compute: no device here")
        return
    found = re.fullmatch(r"on .+\nlbs: largest difference (\S+)\ndqs: largest difference (\S+)\n", done.stdout)
    if done.returncode or not found:
        problems.append("07_vulkan_compute: status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
    elif not all(0 <= float(one) <= 2e-6 * 2.6 for one in found.groups()):  # of the arm's length
        problems.append("07_vulkan_compute: %s" % done.stdout)


def main():
    if not os.path.isdir(EXAMPLES) or not COMMAND:
        print("the examples or the command are not part of this build: skipped")
        return 77
    sources = sorted(name for name in os.listdir(os.path.join(ROOT, "examples")) if name.endswith(".c"))
    for name in sources:
        with open(os.path.join(ROOT, "examples", name), encoding="utf-8") as file:
            text = file.read()
        most = 300 if name in DEVICES else 100
        if text.count("\n") >= most:
            problems.append("%s: %d lines; this example has less than %d" % (name, text.count("\n"), most))
        for part in ("Concept.", "Usage.", "Implementation."):
            if part not in text.split("*/")[0]:
                problems.append("%s: its first comment lacks '%s'" % (name, part))
    arm = os.path.join(SCRATCH, "arm.glb")
    run(COMMAND, "fixture", "arm", "-o", arm)
    checked = ["01_load_and_skin.c", "03_own_mesh.c", "04_measure.c", "05_sample_clip.c"]
    check_load_and_skin(arm)
    checked.append("02_many_threads.c")
    if sys.platform != "win32" or os.path.exists(os.path.join(EXAMPLES, "02_many_threads.exe")):
        check_many_threads(arm)
    expect("03_own_mesh", example("03_own_mesh") + example("03_own_mesh", "90"), """\
twisted by 180 degrees, lbs keeps 0.0 % of the radius
twisted by 180 degrees, dqs keeps 100.0 % of the radius
twisted by 90 degrees, lbs keeps 70.7 % of the radius
twisted by 90 degrees, dqs keeps 100.0 % of the radius
""")
    expect("04_measure", example("04_measure", arm), """\
twist-180: volume lbs 84.948 %, dqs 99.904 %
  lower: section lbs 0.00 %, dqs 100.00 %, collapses under lbs
bend-129: volume lbs 93.853 %, dqs 99.962 %
  lower: section lbs 43.05 %, dqs 100.00 %, collapses under lbs
twist-90-bend-100: volume lbs 92.457 %, dqs 99.952 %
  lower: section lbs 40.49 %, dqs 100.00 %, collapses under lbs
""")
    still = "  %s: turned by 0.00 degrees, moved by 0.0000 m\n"
    frame = "%.3f s\n" + still % "upper" + "  lower: turned by %.2f degrees, moved by 0.0000 m\n" + still % "arm"
    expect("05_sample_clip", example("05_sample_clip", arm, "bend-129", "2"), frame % (0, 0) + frame % (1, 129))
    expect("05_sample_clip", example("05_sample_clip", arm), frame % (0, 0) + frame % (0.5, 90) + frame % (1, 180))
    example("05_sample_clip", arm, "no-such-clip", status=1)
    check_window(arm)
    check_vulkan(arm)
    checked += DEVICES
    if sorted(checked) != sources:
        problems.append("checked here: %s, in examples: %s" % (sorted(checked), sources))
    for problem in problems:
        print(problem)
    print("%d examples, %d problems" % (len(sources), len(problems)))
    return 1 if problems else 0


sys.exit(main())
