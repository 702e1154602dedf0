# test_render_film.py: GIF and MP4 as ffprobe sees them: frames, size, speed; and a film whose encoder fails.
import json
import os
import shutil
import subprocess
import sys

from _cli import check, expect, main, run, scratch
from _picture import skip_without_gl


def probe(path):
    done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-of", "json", "-show_entries",
                           "stream=width,height,nb_read_frames,avg_frame_rate,codec_name,pix_fmt,color_space:format=duration",
                           path], capture_output=True, text=True, timeout=60)
    found = json.loads(done.stdout or "{}")
    check(len(found.get("streams", [])) == 1, "%s: %s" % (path, done.stderr))
    stream = found["streams"][0]
    above, below = map(int, stream["avg_frame_rate"].split("/"))
    return stream, int(stream["nb_read_frames"]), above / below, float(found["format"]["duration"])


def test_mp4():
    out = scratch("arm.mp4")
    expect(0, "", "render", scratch("arm.glb"), "--clip", "twist-180", "--methods", "lbs,dqs", "--size", "160x90",
           "--frames", "7", "--fps", "10", "-o", out)
    stream, frames, rate, length = probe(out)
    check((stream["width"], stream["height"], frames) == (160, 90, 7), stream)
    check(abs(rate - 10) < 0.01 and abs(length - 0.7) < 0.01, (rate, length))
    check(stream["codec_name"] == "h264" and stream["pix_fmt"] == "yuv420p" and stream["color_space"] == "bt709", stream)


def test_at_its_own_speed():
    out = scratch("arm.gif")  # a clip of one second, 25 frames a second and the last one
    expect(0, "", "render", scratch("arm.glb"), "--clip", "twist-180", "--size", "81x61", "-o", out)
    stream, frames, rate, length = probe(out)
    check((stream["width"], stream["height"], frames) == (81, 61, 26), stream)
    check(abs(length - 1.04) < 0.02, length)
    expect(0, "", "render", scratch("arm.glb"), "--clip", "twist-180", "--size", "80x60", "--frames", "11", "-o", out)
    stream, frames, rate, length = probe(out)
    check(frames == 11 and abs(rate - 10) < 0.3, (frames, rate))


def test_same_film():
    for name in ("a.gif", "b.gif"):
        expect(0, "", "render", scratch("arm.glb"), "--clip", "twist-180", "--size", "64x48", "--frames", "4", "-o",
               scratch(name))
    with open(scratch("a.gif"), "rb") as a, open(scratch("b.gif"), "rb") as b:
        check(a.read() == b.read(), "two runs, two films")


def test_first_of_several_clips():
    expect(0, "the first of 3 clips is drawn, 'twist-180'", "render", scratch("arm.glb"), "--size", "16x16", "--frames",
           "2", "-o", scratch("first.gif"))


def test_encoder_that_fails():
    folder = scratch("bin")
    os.makedirs(folder, exist_ok=True)
    for text, name in (("exit 3", "at once"), ("cat >/dev/null; exit 3", "at the end")):
        with open(os.path.join(folder, "ffmpeg"), "w") as file:
            file.write("#!/bin/sh\n%s\n" % text)
        os.chmod(os.path.join(folder, "ffmpeg"), 0o755)
        out = scratch("failed.mp4")
        done = run("render", scratch("arm.glb"), "--clip", "#0", "--size", "640x480", "--frames", "3", "-o", out,
                   env=dict(os.environ, PATH=folder + os.pathsep + os.environ.get("PATH", "")))
        check(done.code == 1 and "ffmpeg" in done.err, "%s: exit %d: %s" % (name, done.code, done.err))
        left = [one for one in os.listdir(scratch("")) if one.startswith("failed")]
        check(not left, "left behind: %s" % left)
    expect(1, "a film needs a file", "render", scratch("arm.glb"), "--clip", "#0", "--size", "8x8", "-o",
           os.path.join(scratch(""), "null.gif"))


if __name__ == "__main__":
    if os.path.isfile(os.environ.get("SUPPLE_COMMAND", "")):
        os.makedirs(scratch(""), exist_ok=True)
        skip_without_gl()
        if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
            print("skipped: ffmpeg is not installed (Debian: ffmpeg)")
            sys.exit(77)
        run("fixture", "arm", "-o", scratch("arm.glb"))
        link = os.path.join(scratch(""), "null.gif")
        if not os.path.islink(link):
            os.symlink("/dev/null", link)
    main([test_mp4, test_at_its_own_speed, test_same_film, test_first_of_several_clips, test_encoder_that_fails])
