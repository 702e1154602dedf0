# test_command_check.py: `supple check`: files and folders, text and JSON, what makes it fail.
import json
import os
import shutil

from _cli import CORPUS, check, expect, main, run, scratch, tube, write_gltf


def in_views(document):
    """The tube, which has all data in one view, with a view for each accessor, as the specification asks."""
    sizes = {5123: 2, 5126: 4}
    widths = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
    views = []
    for accessor in document["accessors"]:
        views.append({"buffer": 0, "byteOffset": accessor.pop("byteOffset"), "byteLength": accessor["count"] *
                      sizes[accessor["componentType"]] * widths[accessor["type"]]})
        accessor["bufferView"] = len(views) - 1
    for primitive in document["meshes"][0]["primitives"]:
        for accessor in primitive["attributes"].values():
            views[accessor]["target"] = 34962
        views[primitive["indices"]]["target"] = 34963
    document["bufferViews"] = views
    return document


def spoiled():
    """Weights of one vertex sum to 1.5."""
    def spoil(streams):
        streams["weights"][16:20] = [0.75, 0.75, 0, 0]
    return write_gltf("spoiled.gltf", in_views(tube(spoil)))


def codes_of(file):
    return [finding["code"] for finding in file["findings"]]


def test_text():
    done = run("check", spoiled())
    text = done.out.decode("utf-8")
    check(done.code == 1 and not done.err, "exit %d, %s" % (done.code, done.err))
    check(text.startswith(scratch("spoiled.gltf") + ": "), text)
    check("  error        ACCESSOR_WEIGHTS_NON_NORMALIZED  /meshes/0/primitives/0/attributes/WEIGHTS_0\n" in text, text)
    check("  warning      SKINNING_WEIGHT_SUMS  /meshes/0/primitives/0\n" in text, text)
    check("viewers:" not in text and "fix: supple fix\n" not in text, "not verbose")
    text = run("check", "--verbose", spoiled()).out.decode("utf-8")
    check("    viewers: " in text and "    rule: " in text and "    fix: supple fix\n" in text, text)


def test_json():
    path = spoiled()
    result = expect(1, "", "check", "--json", path).json()
    check(list(result) == ["files"] and len(result["files"]) == 1, "one file")
    file = result["files"][0]
    check(list(file) == ["file", "loads", "refused", "counts", "findings"], list(file))
    check(file["file"] == path and file["loads"] is True and file["refused"] is None, "the file")
    for severity in ("error", "warning", "information", "hint"):
        check(file["counts"][severity] == sum(f["severity"] == severity for f in file["findings"]), severity)
    finding = [f for f in file["findings"] if f["code"] == "SKINNING_WEIGHT_SUMS"][0]
    check(list(finding) == ["code", "severity", "pointer", "text", "count", "metres", "meaning", "consequence", "fix"],
          list(finding))
    # vertex 4 is at (0.5, 1, 0.5) whatever the root does; both joints turn about Y, and its weights, normalised, are
    # halves: at 180° the middle is (0, 1, 0), at rest it is √1.5 from the origin, and half of that is added
    check(finding["count"] == 1 and abs(finding["metres"] - 0.5 * 1.5 ** 0.5) < 1e-5, finding["metres"])
    check(finding["fix"] == "default", finding["fix"])
    order = ["error", "warning", "information", "hint"]
    ranks = [order.index(f["severity"]) for f in file["findings"]]
    check(ranks == sorted(ranks), "the worst first")
    nulls = [f for f in file["findings"] if f["metres"] is None]
    check(nulls, "what does not move anything has no metres")


def test_what_is_shown_and_what_fails():
    path = spoiled()
    shown = expect(1, "", "check", "--json", "--errors-only", path).json()["files"][0]
    check(set(codes_of(shown)) == {"ACCESSOR_WEIGHTS_NON_NORMALIZED"} and shown["counts"]["warning"] > 0, "errors only")
    shown = expect(1, "", "check", "--json", "--severity", "warning", path).json()["files"][0]
    check({f["severity"] for f in shown["findings"]} == {"error", "warning"}, "from warnings on")
    ignore = ["--ignore", "ACCESSOR_WEIGHTS_NON_NORMALIZED,SKINNING_WEIGHT_SUMS"]
    shown = expect(0, "", "check", "--json", *ignore, path).json()["files"][0]
    check(shown["counts"]["error"] == 0 and "SKINNING_WEIGHT_SUMS" not in codes_of(shown), "ignored")
    sound = write_gltf("sound.gltf", in_views(tube()))
    shown = expect(0, "", "check", "--json", sound).json()["files"][0]
    check(shown["counts"]["error"] == 0 and shown["counts"]["information"] > 0, "sound, with something to know")
    expect(1, "", "check", "--fail-on", "information", sound)
    everything = ",".join(codes_of(shown))
    expect(0, "", "check", "--fail-on", "hint", "--ignore", everything, sound)
    strict = expect(0, "", "check", "--json", "--strict", sound).json()["files"][0]
    check("SKINNING_STRICT_SKELETON_MISSING" in codes_of(strict), "strict")
    check(not [c for c in codes_of(shown) if "_STRICT_" in c], "not strict")
    structure = expect(0, "", "check", "--json", "--structure-only", path).json()["files"][0]
    check("SKINNING_WEIGHT_SUMS" not in codes_of(structure), "structure only")


def test_many_of_a_code():
    document = in_views(tube())
    document["nodes"] += [{"mesh": 0, "skin": 0, "translation": [1, 0, 0]} for _ in range(1000)]
    path = write_gltf("many.gltf", document)
    counts = run("check", "--json", path).json()["files"][0]
    codes = codes_of(counts)
    most = max(set(codes), key=codes.count)
    check(codes.count(most) >= 1000, "%s: %d" % (most, codes.count(most)))
    few, every = run("check", path), run("check", "--all", path)
    text, whole = few.out.decode("utf-8"), every.out.decode("utf-8")
    check(text.count("  %s  " % most) == 10 and whole.count("  %s  " % most) == codes.count(most), text)
    check("    … and %d more like it (--all shows them)\n" % (codes.count(most) - 10) in text, text)
    check("more like it" not in whole, "all")
    check(text.split("\n")[0] == whole.split("\n")[0] and few.code == every.code, "counts and exit status stay")


def test_files_and_folders():
    folder = scratch("folder")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "below"))
    document = in_views(tube())
    names = ["below/b.gltf", "c.gltf", "d.vrm"]
    for name in names:
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            json.dump(document, file)
    with open(os.path.join(folder, "a.txt"), "w", encoding="utf-8") as file:
        file.write("no asset")
    path = spoiled()
    for threads in ("1", "4"):
        result = expect(1, "", "check", "--json", "--threads", threads, path, folder, path).json()
        wanted = [path] + [os.path.join(folder, *name.split("/")) for name in names] + [path]
        check([f["file"] for f in result["files"]] == wanted, [f["file"] for f in result["files"]])
    text = run("check", path, folder).out.decode("utf-8")
    check(text.rstrip("\n").split("\n")[-1].startswith("4 files: 2 errors, "), text[-200:])
    one = run("check", "--threads", "1", path, folder, path).out
    check(one == run("check", "--threads", "7", path, folder, path).out, "the same whatever the threads")
    with open(path, "rb") as file:
        piped = expect(1, "", "check", "--json", "-", stdin=file.read()).json()["files"][0]
    check(piped["file"] == "-" and "SKINNING_WEIGHT_SUMS" in codes_of(piped), "stdin")
    out = scratch("report.json")
    done = expect(1, "", "check", "--json", "-o", out, path)
    with open(out, encoding="utf-8") as file:
        check(not done.out and len(json.load(file)["files"]) == 1, "-o")


def test_what_cannot_be_read():
    path = spoiled()
    missing = scratch("missing.glb")
    done = expect(1, "missing.glb: cannot open the file", "check", "--json", "--errors-only", missing, path)
    files = done.json()["files"]
    check(len(files) == 2 and not files[0]["loads"] and "cannot open" in files[0]["refused"], files[0])
    broken = scratch("broken.gltf")
    with open(broken, "w", encoding="utf-8") as file:
        file.write('{"asset":{"version":"2.0"},')
    file = expect(1, "", "check", "--json", broken).json()["files"][0]
    check(not file["loads"] and file["refused"] and codes_of(file) == ["INVALID_JSON"], file)
    empty = scratch("empty")
    os.makedirs(empty, exist_ok=True)
    expect(1, "no .glb, .gltf or .vrm file", "check", empty)
    expect(1, "see --limit-file-bytes BYTES", "check", "--limit-file-bytes", "100", path)
    expect(1, "see --limit-file-bytes", "check", "--limit-file-bytes", "100", "-", stdin=b" " * 200)


def test_usage():
    expect(2, "an argument is missing", "check")
    expect(2, "named more than once", "check", "-", "-")
    expect(2, "--codes takes no file", "check", "--codes", "x.glb")
    expect(2, "did you mean 'SKINNING_WEIGHT_SUMS'", "check", "--ignore", "SKINNING_WEIGHT_SUM", "x.glb")
    expect(2, "there is no code ''", "check", "--ignore", "SKINNING_WEIGHT_SUMS,", "x.glb")


def test_codes():
    codes = expect(0, "", "check", "--codes", "--json").json()["codes"]
    names = [code["code"] for code in codes]
    check(len(set(names)) == len(names) and "SKINNING_WEIGHT_SUMS" in names, "codes")
    for code in codes:
        check(code["meaning"].endswith(".") and code["consequence"].endswith("."), code["code"])
        check(code["fix"] is None or code["fix"] == "default" or code["fix"].startswith("--"), code["code"])
        check(code["strict"] == ("_STRICT_" in code["code"]), code["code"])
    text = expect(0, "", "check", "--codes", "--verbose").out.decode("utf-8")
    check("warning      SKINNING_WEIGHT_SUMS\n" in text and "fix: supple fix --influences 4\n" in text, "as text")


def test_corpus():
    assets = os.path.join(CORPUS, "assets")
    if not os.path.isdir(assets):
        print("the corpus is not there: %s" % assets)
        return
    def file(name):
        return run("check", "--json", os.path.join(assets, name)).json()["files"][0]
    robot = file("threejs-models/RobotExpressive.glb")
    sums = [f for f in robot["findings"] if f["code"] == "SKINNING_WEIGHT_SUMS"]
    check(sum(f["count"] for f in sums) == 752, "RobotExpressive")
    mirrored = file("derived/RiggedFigure-mirrored.glb")
    check([f["count"] for f in mirrored["findings"] if f["code"] == "SKINNING_JOINTS_MIRRORED"] == [19], "mirrored")
    scaled = file("derived/Fox-rootscale.glb")
    check([f["count"] for f in scaled["findings"] if f["code"] == "SKINNING_JOINTS_SCALED"] == [22], "root scale")


main([test_text, test_json, test_what_is_shown_and_what_fails, test_many_of_a_code, test_files_and_folders,
      test_what_cannot_be_read, test_usage, test_codes, test_corpus])
