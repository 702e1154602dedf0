# test_command_info.py: `supple info`: what it counts, in text and JSON, and the boxes.
import math
import os

from _cli import CORPUS, check, close, expect, main, run, scratch, tube, write_gltf, write_plain


def test_counts():
    def spoil(streams):
        streams["weights"][16:20] = [0.5, 0.25, 0, 0.75]  # joints 0, 1, 0, 0: joint 0 twice, sum 1.5
    path = write_gltf("tube.gltf", tube(spoil))
    info = expect(0, "", "info", path, "--json").json()
    check(info["file"] == path and info["version"] == "2.0" and info["generator"] == "a test", "asset")
    check(info["nodes"] == 3 and info["scene"] == 0 and info["scenes"][0]["nodes"] == [0, 1], "scenes")
    check([i["node"] for i in info["instances"]] == [0] and info["instances"][0]["name"] == "tube", "instances")
    primitives = info["meshes"][0]["primitives"]
    check([p["vertices"] for p in primitives] == [12, 12] and primitives[0]["triangles"] == 20, "primitives")
    check(primitives[0]["attributes"] == ["POSITION", "NORMAL", "TANGENT", "JOINTS", "WEIGHTS"], "attributes")
    influences = primitives[0]["influences"]
    # 8 vertices with one, 3 with two, one with three; cleaned: two
    check(influences["stored"] == 17 and influences["stored_most"] == 3, "stored influences")
    check(influences["cleaned"] == 16 and influences["cleaned_most"] == 2, "cleaned influences")
    check(influences["repairs"]["duplicates"] == 1 and influences["repairs"]["renormalised"] == 1, "repairs")
    check(close([influences["repairs"]["largest_sum"]], [1.5]), "sums")
    joints = info["skins"][0]["joints"]
    check([(j["node"], j["name"], j["parent"]) for j in joints] == [(1, "root", None), (2, "tip", 0)], "joints")
    clip = info["clips"][0]
    check((clip["name"], clip["begin"], clip["end"], clip["keys"]) == ("turn", 0, 1, 3), "clips")


def test_bounds():
    path = write_gltf("tube.gltf", tube())
    reach = math.sqrt(0.5)
    for method in ("lbs", "dqs"):
        # nine times: 22.5 degrees apart, among them 45, where corners reach farthest
        bounds = expect(0, "", "info", path, "--json", "--method", method, "--frames", "9").json()["bounds"]
        check(bounds["method"] == method and bounds["clips"][0]["times"] == 9, "method and times")
        check(close(bounds["rest"]["min"] + bounds["rest"]["max"], [-0.5, 0, -0.5, 0.5, 2, 0.5]), "rest")
        check(close(bounds["posed"]["min"] + bounds["posed"]["max"], [-reach, 0, -reach, reach, 2, reach]), "posed")
    bounds = expect(0, "", "info", path, "--json").json()["bounds"]
    check(bounds["method"] == "lbs" and bounds["clips"][0]["times"] == 3, "every key")
    check(expect(0, "", "info", path, "--json", "--no-bounds").json()["bounds"] is None, "--no-bounds")
    for threads in ("1", "3"):
        check(expect(0, "", "info", path, "--json", "--frames", "50", "--threads", threads).out ==
              expect(0, "", "info", path, "--json", "--frames", "50").out, "threads")


def test_text():
    gltf = tube()
    gltf["nodes"][2]["name"] = "tip\x1b[31m\u624b"
    gltf["extensionsUsed"] = ["EXT_of_the_test"]
    text = expect(0, "", "info", write_gltf("text.gltf", gltf)).out.decode("utf-8")
    for part in ("glTF 2.0 by a test", "EXT_of_the_test", "2 joints", "  root\n", "    tip?[31m\u624b\n", "turn",
                 "bounds by lbs", "0.5000", "20 triangles", "1.33, at most 2"):
        check(part in text, "the text has '%s'" % part)
    check("\x1b" not in text, "no escape sequences")
    out = scratch("info.txt")
    expect(0, "", "info", write_gltf("text.gltf", gltf), "-o", out)
    with open(out, encoding="utf-8") as file:
        check(file.read() == text, "-o OUT")


def test_method_of_a_skin():
    gltf = tube()
    path = write_gltf("silent.gltf", gltf)
    check(expect(0, "", "info", path, "--json").json()["skins"][0]["skinning_method"] == "", "none named")
    check(b"asks for" not in expect(0, "", "info", path).out, "none named, in text")
    gltf["skins"][0]["extras"] = {"skinningMethod": "dualQuaternion"}
    path = write_gltf("named.gltf", gltf)
    check(expect(0, "", "info", path, "--json").json()["skins"][0]["skinning_method"] == "dualQuaternion", "JSON")
    check(b"skin 0 rig: 2 joints, 2 levels, asks for dualQuaternion\n" in expect(0, "", "info", path).out, "text")


def test_plain_and_failing_files():
    path = write_plain("plain.gltf")
    info = expect(0, "", "info", path, "--json").json()
    check(info["skins"] == [] and info["instances"] == [] and info["bounds"]["posed"] is None, "nothing skinned")
    expect(0, "", "info", path)
    gltf = tube()
    gltf["nodes"][2]["translation"] = [1e300, 0, 0]
    done = run("info", write_gltf("huge.gltf", gltf), "--json")
    check(done.code == 1 and "joint 'tip'" in done.err and done.json()["bounds"] is None, "what is not finite")
    check(done.json()["clips"][0]["name"] == "turn", "the rest is printed all the same")
    expect(1, "cannot open", "info", scratch("absent.gltf"))
    expect(1, "more than", "info", path, "--limit-nodes", "1")


def test_long_chains():
    gltf = tube()
    count = 3000
    start = len(gltf["nodes"])
    gltf["nodes"] += [{"name": "link%d" % i, "children": [start + i + 1]} for i in range(count)] + [{"name": "last"}]
    gltf["scenes"][0]["nodes"].append(start)
    gltf["skins"].append({"joints": list(range(start, start + count + 1))})
    done = expect(0, "", "info", write_gltf("chain.gltf", gltf), "--no-bounds")
    check(b"3001 joints, 3001 levels" in done.out and b"link2999\n" in done.out and b"last\n" in done.out, "a long chain")


def test_whole_corpus():
    folder = os.path.join(CORPUS, "assets")
    if not os.path.isdir(folder):
        print("no corpus: skipped in part")
        return
    count = 0
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if not name.endswith((".glb", ".gltf", ".vrm")):
                continue
            done = run("info", os.path.join(path, name), "--json", "--frames", "2")
            check(done.code == 0 or (done.code == 1 and ("needs" in done.err or "validator-tests" in path)),
                  "%s: exit %d: %s" % (name, done.code, done.err[:200]))
            if done.code == 0:
                count += 1
                check(done.json()["version"] == "2.0", name)
    check(count > 30, "%d files" % count)


if __name__ == "__main__":
    main([test_counts, test_bounds, test_text, test_method_of_a_skin, test_plain_and_failing_files, test_long_chains, test_whole_corpus])
