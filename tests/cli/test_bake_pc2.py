# test_bake_pc2.py: a .pc2 has the positions that `supple skin` prints at the same times, for every option.
import os

from _bake import as_floats, posed, positions_of, read_pc2
from _cli import CORPUS, check, expect, main, scratch, tube, write_gltf


def compare(path, times, *arguments):
    """Bakes to .pc2 and compares every frame; times: what the frames should be at."""
    out = scratch("out.pc2")
    expect(0, "", "bake", path, "-o", out, *arguments)
    shared, skip = [], False
    for a in arguments:  # what `skin` takes too
        if skip or a.startswith("--frames") or a.startswith("--fps"):
            skip = not skip and "=" not in a
            continue
        shared.append(a)
    start, rate, frames = read_pc2(out)
    check((start, rate, len(frames)) == (0, 1, len(times)), "%s: %d frames" % (arguments, len(frames)))
    for time, frame in zip(times, frames):
        wanted = positions_of(posed(path, "--time", repr(time), *shared))
        check(frame == as_floats(wanted), "%s: the frame at %s s" % (arguments, time))


def test_times():
    path = write_gltf("tube.gltf", tube())
    compare(path, [0, 0.25, 0.5, 0.75, 1], "--frames", "5")
    compare(path, [0], "--frames", "1")
    compare(path, [0, 1], "--frames=2", "--clip", "turn")
    compare(path, [0, 0.25, 0.5, 0.75, 1], "--fps", "4", "--clip", "#0")
    compare(path, [0, 1 / 1.5], "--fps", "1.5")
    compare(path, [i / 30 for i in range(31)])


def test_options():
    path = write_gltf("tube.gltf", tube(second_scale=[2, 1, 0.5]))
    for arguments in (["--method", "lbs"], ["--method=dqs", "--scale", "first"], ["--space", "mesh"], ["--scale=none"],
                      ["--signs", "pose"], ["--split=gram-schmidt"], ["--unweighted=rest"], ["--threads", "1"]):
        compare(path, [0, 0.5, 1], "--frames=3", *arguments)


def test_one_pose():
    path, out = write_gltf("tube.gltf", tube()), scratch("out.pc2")
    expect(0, "", "bake", path, "-o", out, "--rest")
    check(read_pc2(out)[2] == [as_floats(positions_of(posed(path, "--rest")))], "--rest")
    expect(0, "", "bake", path, "-o", out, "--time", "0.3")
    check(read_pc2(out)[2] == [as_floats(positions_of(posed(path, "--time", "0.3")))], "--time")


def test_head():
    path, out = write_gltf("tube.gltf", tube()), scratch("out.pc2")
    expect(0, "", "bake", path, "-o", out, "--frames", "4", "--start-frame", "101")
    start, rate, frames = read_pc2(out)
    check((start, rate, len(frames), len(frames[0])) == (101, 1, 4, 3 * 24), "--start-frame")


def test_clip_that_begins_late():
    def later(streams):
        streams["times"] = [2, 2.5, 4]
    path = write_gltf("later.gltf", tube(later))
    compare(path, [2, 3, 4], "--frames", "3")
    compare(path, [2, 2.5, 3, 3.5, 4], "--fps", "2")


def test_clip_of_no_length():
    def still(streams):
        streams["times"], streams["turns"] = [0.5], streams["turns"][4:8]
    path = write_gltf("still.gltf", tube(still))
    compare(path, [0.5])
    compare(path, [0.5], "--frames", "7")


def test_corpus():
    """Files with several meshes, instances and materials, and joints of all kinds."""
    for name in ("RecursiveSkeletons.glb", "RiggedFigure.glb", "RiggedSimple.glb"):
        path = os.path.join(CORPUS, "assets", "khronos", name[:-4], "glTF-Binary", name)
        if not os.path.isfile(path):
            print("no %s: skipped in part" % name)
            continue
        out = scratch("corpus.pc2")
        expect(0, "", "bake", path, "-o", out, "--frames", "2", "--clip", "#0")
        first = as_floats(positions_of(posed(path, "--clip", "#0")))
        check(read_pc2(out)[2][0] == first, "%s: the first frame" % name)


if __name__ == "__main__":
    main([test_times, test_options, test_one_pose, test_head, test_clip_that_begins_late, test_clip_of_no_length,
          test_corpus])
