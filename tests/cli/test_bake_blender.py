# test_bake_blender.py: Blender's Mesh Cache modifier reads a baked .pc2 and shows the positions that `supple skin` prints:
# on the mesh as glTF has it, and on one turned to Blender's z up by the modifier's axes. Skipped without Blender.
import json
import os
import shutil
import subprocess
import sys

from _bake import posed
from _cli import SCRATCH, check, expect, main, scratch, tube, write_gltf

BLENDER = shutil.which("blender")
MARK = "positions: "

# Runs in Blender: builds the mesh at rest, plays the cache, prints what each frame looks like.
SCRIPT = """
import bpy, json, sys
job = json.load(open(sys.argv[sys.argv.index("--") + 1]))

def build(name, vertices):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], job["triangles"])
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    modifier = thing.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = job["cache"]
    modifier.interpolation = "LINEAR"
    modifier.frame_start = 0
    return thing, modifier

rest = [tuple(job["rest"][i:i + 3]) for i in range(0, len(job["rest"]), 3)]
plain, modifier = build("plain", rest)
turned, modifier = build("turned", [(x, -z, y) for x, y, z in rest])
modifier.forward_axis, modifier.up_axis = "POS_Z", "NEG_Y"
result = {}
for frame, part in job["frames"]:
    bpy.context.scene.frame_set(frame, subframe=part)
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in (plain, turned):
        mesh = thing.evaluated_get(graph).to_mesh()
        result.setdefault(thing.name, []).append([c for v in mesh.vertices for c in v.co])
print("MARK" + json.dumps(result))
""".replace("MARK", MARK)


def play(path, frames, wanted, fps_arguments):
    cache = scratch("blender.pc2")
    expect(0, "", "bake", path, "-o", cache, *fps_arguments)
    rest = posed(path, "--rest")
    vertices = [c for p in rest for c in p["positions"]]
    # triangles only make it a mesh: the order of vertices is what counts
    triangles = [[i, i + 1, i + 2] for i in range(0, len(vertices) // 3 - 2, 3)]
    job = {"cache": cache, "rest": vertices, "triangles": triangles, "frames": frames}
    with open(scratch("job.json"), "w") as file:
        json.dump(job, file)
    with open(scratch("script.py"), "w") as file:
        file.write(SCRIPT)
    home = scratch("home")
    os.makedirs(home, exist_ok=True)
    done = subprocess.run([BLENDER, "--background", "--factory-startup", "-noaudio", "--python-exit-code", "3", "--python",
                           scratch("script.py"), "--", scratch("job.json")], capture_output=True, text=True, timeout=200,
                          cwd=SCRATCH, env=dict(os.environ, HOME=home))
    lines = [line for line in done.stdout.splitlines() if line.startswith(MARK)]
    check(done.returncode == 0 and len(lines) == 1, "Blender: exit %d: %s %s" % (done.returncode, done.stdout[-600:], done.stderr[-600:]))
    if not lines:
        return
    result = json.loads(lines[0][len(MARK):])
    for i, positions in enumerate(wanted):
        size = max(1, max(abs(c) for c in positions))
        for name, turn in (("plain", lambda x, y, z: (x, y, z)), ("turned", lambda x, y, z: (x, -z, y))):
            got = result[name][i]
            check(len(got) == len(positions), "%s: %d coordinates" % (name, len(got)))
            worst = max(abs(a - b) for v in range(0, len(got), 3) for a, b in zip(got[v:v + 3], turn(*positions[v:v + 3])))
            check(worst <= 1e-6 * size, "%s, frame %s: %g off" % (name, frames[i], worst))


def flat(primitives):
    return [c for p in primitives for c in p["positions"]]


def test_tube():
    path = write_gltf("tube.gltf", tube())
    times = [0, 0.25, 1]
    wanted = [flat(posed(path, "--time", repr(t))) for t in times]
    between = [(a + b) / 2 for a, b in zip(flat(posed(path, "--time", "0.5")), flat(posed(path, "--time", "0.75")))]
    play(path, [[0, 0.0], [1, 0.0], [4, 0.0], [2, 0.5]], wanted + [between], ["--frames", "5"])


def test_figure():
    path = scratch("figure.glb")
    expect(0, "", "fixture", "figure", "-o", path)
    play(path, [[0, 0.0], [7, 0.0], [12, 0.0]], [flat(posed(path, "--time", repr(t / 12))) for t in (0, 7, 12)], ["--fps", "12"])


if __name__ == "__main__":
    if not BLENDER:
        print("skipped: there is no Blender (Debian: blender)")
        sys.exit(77)
    main([test_tube, test_figure])
