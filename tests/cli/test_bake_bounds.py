# test_bake_bounds.py: the boxes of `bake --bounds` are those of the positions that `skin` prints.
import os

from _bake import posed, positions_of
from _cli import check, expect, main, tube, write_gltf



def box_of(positions):
    columns = [positions[c::3] for c in range(3)]
    return [min(c) for c in columns], [max(c) for c in columns]


def test_json():
    path = write_gltf("tube.gltf", tube())
    for arguments, times in ((["--frames", "3"], [0, 0.5, 1]), (["--fps", "2", "--method=lbs"], [0, 0.5, 1]),
                             (["--time", "0.25"], [0.25]), (["--frames=2", "--space", "mesh"], [0, 1])):
        found = expect(0, "", "bake", path, "--bounds", "--json", *arguments).json()
        check((found["file"], found["clip"]) == (path, "turn"), "what it is of")
        check(found["method"] == ("lbs" if "--method=lbs" in arguments else "dqs"), "the method")
        check([(f["frame"], f["time"]) for f in found["frames"]] == list(enumerate(times)), "%s: the frames" % arguments)
        shared = [a for a in arguments if a in ("--method=lbs", "--space", "mesh")]
        boxes = [box_of(positions_of(posed(path, "--time", repr(t), *shared))) for t in times]
        check([(f["min"], f["max"]) for f in found["frames"]] == boxes, "%s: the boxes" % arguments)
        whole = ([min(b[0][c] for b in boxes) for c in range(3)], [max(b[1][c] for b in boxes) for c in range(3)])
        check((found["min"], found["max"]) == whole, "%s: all of them" % arguments)


def test_rest():
    path = write_gltf("tube.gltf", tube())
    found = expect(0, "", "bake", path, "--bounds", "--json", "--rest").json()
    check(found["clip"] is None and len(found["frames"]) == 1 and "time" not in found["frames"][0], "at rest")
    check((found["min"], found["max"]) == box_of(positions_of(posed(path))), "the box at rest")


def test_table():
    path = write_gltf("tube.gltf", tube())
    lines = expect(0, "", "bake", path, "--bounds", "--frames", "2").out.decode().splitlines()
    check(len(lines) == 4 and len({len(line) for line in lines}) == 1, "a head, two frames, all: %s" % lines)
    check(lines[0].split() == "frame time (s) min x min y min z max x max y max z".split(), "the head")
    check(lines[1].split() == "0 0.000 -0.5000 0.0000 -0.5000 0.5000 2.0000 0.5000".split(), lines[1])
    check(lines[3].split()[0] == "all" and len(lines[3].split()) == 7, lines[3])
    check(len(expect(0, "", "bake", path, "--bounds", "--rest").out.splitlines()) == 2, "one frame needs no line for all")


def test_threads_change_nothing():
    path = write_gltf("tube.gltf", tube())
    outputs = {expect(0, "", "bake", path, "--bounds", "--frames", "200", "--threads", n).out for n in ("1", "2", "7")}
    check(len(outputs) == 1, "the same text from any number of threads")


def test_nothing_is_written():
    path = write_gltf("tube.gltf", tube())
    before = sorted(os.listdir(os.path.dirname(path)))
    expect(0, "", "bake", path, "--bounds")
    check(sorted(os.listdir(os.path.dirname(path))) == before, "no file appears")


main([test_json, test_rest, test_table, test_threads_change_nothing, test_nothing_is_written])
