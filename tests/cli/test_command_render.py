# test_command_render.py: pictures of the fixtures and of real assets; usage; where something is missing.
import os
import sys

from _cli import CORPUS, check, expect, main, run, scratch, tube, write_gltf, write_plain
from _picture import Picture, is_covered, render, skip_without_gl

PLAIN = ("--background", "none", "--no-labels", "--turn", "0", "--tilt", "0")


def fixture(name):
    path = scratch(name + ".glb")
    expect(0, "", "fixture", name, "-o", path)
    return path


def test_arm_is_pinched_by_lbs_alone():
    picture, told = render(fixture("arm"), "--clip", "twist-180", "--time", "1", "--methods", "lbs,dqs",
                           "--size", "400x240", *PLAIN)
    check(told == "", told)
    check((picture.width, picture.height) == (400, 240), "size")
    middle, half = 120, picture.height // 4
    lbs, dqs = (0, 200), (200, 400)
    # At the joint (the middle of an arm that stands from -1.3 to 1.3) nothing is left of LBS; a quarter of the picture
    # away both are whole.
    whole = picture.across(*lbs, middle - half, is_covered)
    check(whole > 20, "the arm is %d pixels wide" % whole)
    check(min(picture.across(*lbs, middle + d, is_covered) for d in (-1, 0, 1)) <= 0.1 * whole, "LBS is not pinched")
    check(abs(picture.across(*dqs, middle, is_covered) - whole) <= 2, "DQS is pinched")
    check(abs(picture.across(*dqs, middle - half, is_covered) - whole) <= 1, "the halves differ away from the joint")
    # A cylinder of radius 0.3 and length 2.6, seen from far: so wide for its height.
    height = sum(picture.across(300, 301, y, is_covered) for y in range(picture.height))
    check(abs(whole / height - 0.6 / 2.6) < 0.04, "%d by %d pixels" % (whole, height))


def test_same_input_same_picture():
    path = fixture("tube")
    for name in ("a.png", "b.png"):
        render(path, "--methods", "dqs,lbs", "--clip", "#0", "--time", "0.7", "--size", "320x180", name=name)
    with open(scratch("a.png"), "rb") as a, open(scratch("b.png"), "rb") as b:
        check(a.read() == b.read(), "two runs, two pictures")
    done = run("render", path, "--methods", "dqs,lbs", "--clip", "#0", "--time", "0.7", "--size", "320x180", "-o", "-",
               "--threads", "3")
    with open(scratch("a.png"), "rb") as a:
        check(done.code == 0 and done.out == a.read(), "-o - is another picture: " + done.err)


def test_camera():
    path = fixture("arm")
    wide, _ = render(path, "--size", "160x160", *PLAIN)
    near, _ = render(path, "--size", "160x160", "--zoom", "2", *PLAIN)
    above, _ = render(path, "--size", "160x160", *PLAIN[:-1], "90")
    check(1.8 < near.across(0, 160, 80, is_covered) / wide.across(0, 160, 80, is_covered) < 2.2, "--zoom 2")
    across = above.across(0, 160, 80, is_covered)  # a disc
    along = sum(above.across(80, 81, y, is_covered) for y in range(160))
    check(across > 60 and abs(across - along) <= 3, "from above %d by %d pixels" % (across, along))
    joint, _ = render(path, "--joint", "lower", "--clip", "bend-129", "--time", "1", "--size", "160x160", *PLAIN)
    check(is_covered(*joint.at(80, 80)), "--joint does not look at the joint")


def test_everything_of_the_scene():
    plain, _ = render(write_plain("plain.gltf"), "--size", "64x64", *PLAIN)
    check(plain.count(is_covered) > 200, "a mesh without skin")
    copies = tube()
    copies["scenes"][0]["nodes"] = [1, 0]
    both = dict(copies, nodes=copies["nodes"] + [{"mesh": 0, "translation": [30, 0, 0]}])
    both["scenes"] = [{"nodes": [0, 1, 3]}]
    seen, _ = render(write_gltf("both.gltf", both), "--size", "256x64", *PLAIN)
    ends = seen.count(is_covered, 0, 60), seen.count(is_covered, 60, 196), seen.count(is_covered, 196, 256)
    check(ends[0] > 10 and ends[1] == 0 and ends[2] > 10, "skinned at the left, not skinned at the right: %r" % (ends,))
    hidden = dict(both, scenes=[{"nodes": [0, 1]}])
    seen, _ = render(write_gltf("hidden.gltf", hidden), "--size", "256x64", *PLAIN)
    check(is_covered(*seen.at(128, 32)), "what is outside the scene moves the camera")


def test_usage():
    arm, out = scratch("arm.glb"), scratch("never.png")
    for message, arguments in [
            ("say -o", []), ("ending must be", ["-o", scratch("x.jpg")]), ("--size", ["-o", out, "--size", "0x10"]),
            ("--size", ["-o", out, "--size", "20000x10"]), ("--size", ["-o", out, "--size", "10"]),
            ("--size", ["-o", out, "--size", "1x9", "--methods", "lbs,dqs"]), ("--zoom", ["-o", out, "--zoom", "0"]),
            ("--samples", ["-o", out, "--samples", "3"]), ("--frames", ["-o", out, "--frames", "0"]),
            ("--frames", ["-o", out, "--frames", "7"]), ("--time", ["-o", scratch("x.gif"), "--time", "1"]),
            ("no transparency", ["-o", scratch("x.mp4"), "--background", "none"]),
            ("even", ["-o", scratch("x.mp4"), "--size", "101x100"]), ("#rrggbb", ["-o", out, "--background", "puce"]),
            ("'lower'", ["-o", out, "--joint", "lowr"]), ("'lower'", ["-o", out, "--sections", "lowr"]),
            ("not a joint", ["-o", out, "--sections", "arm"]),
            ("'twist-180'", ["-o", out, "--clip", "twist180"]), ("from the first", ["-o", out, "--methods", "lbs",
                                                                                   "--heat", "deviation"])]:
        expect(2, message, "render", arm, *arguments)
        check(not os.path.exists(out), "a picture in spite of " + message)
    expect(1, "cannot write", "render", arm, "-o", os.path.join(scratch("absent"), "x.png"), "--size", "8x8")
    expect(1, "nothing to draw", "render", write_gltf("empty.gltf", {"asset": {"version": "2.0"}}), "-o", out)
    still = tube()  # with a clip of one key
    still["accessors"] += [dict(still["accessors"][5], count=1, max=[0]), dict(still["accessors"][6], count=1)]
    still["animations"][0]["samplers"][0] = {"input": len(still["accessors"]) - 2, "output": len(still["accessors"]) - 1}
    expect(1, "has no length", "render", write_gltf("still.gltf", still), "-o", scratch("x.gif"))
    expect(1, "no clips", "render", write_gltf("none.gltf", {k: v for k, v in tube().items() if k != "animations"}),
           "-o", scratch("x.gif"))
    expect(1, "nothing is skinned", "render", scratch("plain.gltf"), "--joint", "worst", "-o", out)


def test_without_what_it_needs():
    arm = scratch("arm.glb")
    blind = dict(os.environ, __EGL_VENDOR_LIBRARY_DIRS=scratch("absent"), __EGL_VENDOR_LIBRARY_FILENAMES="")
    done = run("render", arm, "--size", "8x8", "-o", scratch("never.png"), env=blind)
    if done.code:  # (an EGL without a dispatcher does not look there)
        check(done.code == 1 and "cannot draw" in done.err and "libgl1-mesa-dri" in done.err, done.err)
    done = run("compare", arm, "-o", scratch("blind.html"), env=blind)
    check(done.code == 0 and not done.err, "compare without OpenGL: " + done.err)
    done = run("render", arm, "--size", "8x8", "-o", scratch("never.gif"), env=dict(os.environ, PATH=scratch("absent")))
    check(done.code == 1 and "ffmpeg" in done.err and "apt-get install" in done.err, done.err)
    left = [name for name in os.listdir(scratch("")) if name.startswith("never")]
    check(not left, "left behind: %s" % left)


def test_real_assets():
    if not os.path.isdir(os.path.join(CORPUS, "assets")):
        print("no corpus: real assets are left out")
        return
    drawn = 0
    for folder, _, names in sorted(os.walk(os.path.join(CORPUS, "assets"))):
        for name in sorted(names):
            if not name.endswith((".gltf", ".glb", ".vrm")) or "validator" in folder:
                continue
            done = run("render", os.path.join(folder, name), "--size", "96x64", "--background", "none", "--no-labels",
                       "--methods", "lbs,dqs", "--samples", "1", "-o", scratch("real.png"))
            if done.code and "codec" in done.err:
                continue
            if done.code:
                check(False, "%s: exit %d: %s" % (name, done.code, done.err))
                continue
            with open(scratch("real.png"), "rb") as file:
                picture = Picture(file.read())
            for left in (0, 48):
                share = picture.count(is_covered, left, left + 48) / (48 * 64)
                check(0.002 < share < 0.98, "%s: %.1f %% are covered" % (name, 100 * share))
            drawn += 1
    check(drawn > 20, "only %d real assets" % drawn)


if __name__ == "__main__":
    if os.path.isfile(os.environ.get("SUPPLE_COMMAND", "")):
        os.makedirs(scratch(""), exist_ok=True)
        skip_without_gl()
    sys.dont_write_bytecode = True
    main([test_arm_is_pinched_by_lbs_alone, test_same_input_same_picture, test_camera, test_everything_of_the_scene,
          test_usage, test_without_what_it_needs, test_real_assets])
