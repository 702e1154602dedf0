# test_command_joints.py: `supple joints`: matrices and dual quaternions worked out here.
import math
import os

from _cli import CORPUS, check, close, expect, main, run, tube, write_gltf, write_plain


def test_matrices():
    path = write_gltf("tube.gltf", tube())
    identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    skin = expect(0, "", "joints", path, "--json").json()["skins"][0]
    check((skin["skin"], skin["name"], skin["node"]) == (0, "rig", None), "skin")
    root, tip = skin["joints"]
    check((tip["joint"], tip["node"], tip["name"], tip["parent"]) == (1, 2, "tip", 0), "joint")
    check(close(root["matrix"], identity) and close(tip["matrix"], identity), "matrices at rest")
    check(close(tip["inverse_bind"], identity[:13] + [-1, 0, 1]), "inverse bind, by columns")
    check(close(tip["bind_pose"], identity[:13] + [1, 0, 1]), "bind pose")
    check("dual_quaternion" not in tip, "only when asked")
    # half way: 90 degrees about Y: x' = z, z' = -x
    tip = expect(0, "", "joints", path, "--json", "--time", "0.5").json()["skins"][0]["joints"][1]
    check(close(tip["matrix"], [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]), "turned")


def test_spaces():
    gltf = tube()
    gltf["nodes"].append({"name": "other", "mesh": 0, "skin": 0, "scale": [2, 2, 2]})
    gltf["scenes"][0]["nodes"].append(3)
    path = write_gltf("two.gltf", gltf)
    check(len(expect(0, "", "joints", path, "--json").json()["skins"]) == 1, "scene space: a skin once")
    skins = expect(0, "", "joints", path, "--json", "--space", "mesh").json()["skins"]
    check([s["node"] for s in skins] == [0, 3], "mesh space: each node")
    check(close(skins[0]["joints"][0]["matrix"][12:], [-7, -7, -7, 1]), "relative to the first")
    check(close(skins[1]["joints"][0]["matrix"][:1], [0.5]), "relative to the second")


def test_dual_quaternions():
    # turned by 90 degrees about Y at (0, 1, 0) after moving by (2, 0, 0), scaled by 3
    gltf = tube(second_scale=[3, 3, 3])
    gltf["nodes"][2]["translation"] = [2, 1, 0]
    path = write_gltf("moved.gltf", gltf)
    tip = expect(0, "", "joints", path, "--json", "--dual-quaternions", "--time", "0.5").json()["skins"][0]["joints"][1]
    half = math.sqrt(0.5)
    real, dual = tip["dual_quaternion"]["real"], tip["dual_quaternion"]["dual"]
    check(close(real, [0, half, 0, half]) or close(real, [0, -half, 0, -half]), "real part")
    # M = T(2,1,0) R 3 T(0,-1,0), so the translation is (2, 1 - 3, 0); dual = half of (t, 0) · real
    t = (2, -2, 0)
    x, y, z, w = real
    wanted = [0.5 * (t[0] * w + t[1] * z - t[2] * y), 0.5 * (t[1] * w + t[2] * x - t[0] * z),
              0.5 * (t[2] * w + t[0] * y - t[1] * x), -0.5 * (t[0] * x + t[1] * y + t[2] * z)]
    check(close(dual, wanted), "dual part")
    check(close([tip["scale"]], [3]) and abs(tip["residual"]) < 1e-5, "scale")
    text = expect(0, "", "joints", path, "--dual-quaternions").out.decode()
    check("real (x y z w)" in text and "joint 1 tip (node 2, below joint 0)" in text, "text")


def test_singular_and_plain():
    def flatten(streams):
        streams["binds"][16] = 0
    path = write_gltf("flat.gltf", tube(flatten))
    tip = expect(0, "", "joints", path, "--json", "--dual-quaternions").json()["skins"][0]["joints"][1]
    check(tip["bind_pose"] is None and len(tip["dual_quaternion"]["real"]) == 4, "a singular inverse bind matrix")
    check(b"none: the inverse bind matrix is singular" in run("joints", path).out, "said in the text")
    done = expect(0, "there is no skin", "joints", write_plain("plain.gltf"), "--json")
    check(done.json()["skins"] == [], "no skins")
    gltf = tube()
    gltf["nodes"][2]["translation"] = [1e300, 0, 0]
    done = expect(0, "", "joints", write_gltf("huge.gltf", gltf), "--json", "--dual-quaternions")
    tip = done.json()["skins"][0]["joints"][1]
    check(tip["matrix"][12] is None and tip["dual_quaternion"] is None, "what is not finite is null")
    expect(2, "did you mean 'turn'", "joints", write_gltf("tube.gltf", tube()), "--clip", "trun")


def golden_matrices(path):
    cases, skin = [], None
    with open(path) as file:
        for line in file:
            word = line.split()
            if word[:1] == ["case"]:
                cases.append((int(word[2]), float(word[4]), {}))
            elif word[:1] == ["skin"]:
                skin = int(word[1])
            elif word[:1] == ["m"]:
                cases[-1][2][(skin, int(word[1]))] = [float(x) for x in word[2:]]
    return cases


def test_corpus_matrices():
    """Joint matrices that three.js computed."""
    golden = os.path.join(CORPUS, "goldens/three/Fox-Binary.gold")
    if not os.path.isfile(golden):
        print("no corpus: skipped in part")
        return
    path = os.path.join(CORPUS, "assets/khronos/Fox/glTF-Binary/Fox.glb")
    compared = 0
    for clip, time, wanted in golden_matrices(golden):
        when = ["--clip", "#%d" % clip, "--time", repr(time)] if clip >= 0 else []
        found = expect(0, "", "joints", path, "--json", *when).json()["skins"]
        size = max(abs(c) for matrix in wanted.values() for c in matrix)
        for (skin, joint), matrix in wanted.items():
            got = found[skin]["joints"][joint]["matrix"]
            check(close(got, matrix, 3e-6 * size), "case %d %g joint %d" % (clip, time, joint))
            compared += 1
    check(compared > 50, "%d matrices" % compared)


if __name__ == "__main__":
    main([test_matrices, test_spaces, test_dual_quaternions, test_singular_and_plain, test_corpus_matrices])
