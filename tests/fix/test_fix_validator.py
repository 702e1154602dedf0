# test_fix_validator.py: the Khronos glTF-Validator on fixed files: nothing that it did not say of the source.
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "validator"))
import _validator  # noqa: E402

COMMAND = os.environ.get("SUPPLE_COMMAND", "")
CORPUS = pathlib.Path(os.environ.get("SUPPLE_CORPUS", ""))
SCRATCH = pathlib.Path(os.environ.get("SUPPLE_SCRATCH", "."))
ERROR, WARNING = 0, 1
# What fix mends, by the validator's names.
MENDED = {"ACCESSOR_WEIGHTS_NON_NORMALIZED", "ACCESSOR_WEIGHTS_NEGATIVE", "ACCESSOR_JOINTS_INDEX_DUPLICATE",
          "ACCESSOR_JOINTS_USED_ZERO_WEIGHT", "ACCESSOR_MIN_MISMATCH", "ACCESSOR_MAX_MISMATCH",
          "ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND", "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND",
          "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
          "NODE_SKINNED_MESH_NON_ROOT", "ANIMATION_CHANNEL_TARGET_NODE_SKIN"}
WAYS = {"plain": [], "limited": ["--influences", "2", "--prune"], "split": ["--max-joints", "8", "--prune"]}


def fix(source, out, options):
    done = subprocess.run([COMMAND, "fix", str(source), "-o", str(out), "--json", *options], capture_output=True,
                          text=True, timeout=120)
    return json.loads(done.stdout) if done.stdout else None


def codes(report, severity):
    return [code for code, _ in _validator.messages(report, severity)]


def main():
    if not COMMAND or not os.path.isfile(COMMAND):
        _validator.skip("the command was not built")
    if not CORPUS.is_dir():
        _validator.skip("no corpus")
    _validator.modules()
    problems, pairs = [], []
    SCRATCH.mkdir(parents=True, exist_ok=True)
    assets = json.loads((CORPUS / "index.json").read_text())
    chosen = _validator.some(assets, 6, lambda asset: CORPUS / asset["file"])
    chosen += [asset for asset in assets if asset["id"] == "RobotExpressive" and asset not in chosen]
    for asset in chosen:
        for way, options in WAYS.items():
            out = SCRATCH / f"{asset['id']}-{way}.glb"
            report = fix(CORPUS / asset["file"], out, options)
            if report:
                pairs.append((asset["id"] + " " + way, CORPUS / asset["file"], out, report))
    if len(pairs) < (120 if _validator.THOROUGH else 15):
        problems.append(f"only {len(pairs)} files were fixed")
    reports = _validator.validate({str(p) for pair in pairs for p in pair[1:3]})
    for name, source, out, report in pairs:
        before, after = reports[str(source)], reports[str(out)]
        for severity in (ERROR, WARNING):
            new = set(codes(after, severity)) - set(codes(before, severity))
            if new:
                problems.append(f"{name}: new: {sorted(new)}")
            refused = {a["code"] for a in report["actions"] if not a["done"]}
            left = set(codes(after, severity)) & MENDED - refused
            if left:
                problems.append(f"{name}: not mended: {sorted(left)}")
    robot = [p for p in pairs if p[0] == "RobotExpressive plain"]
    if not robot or "ACCESSOR_WEIGHTS_NON_NORMALIZED" not in codes(reports[str(robot[0][1])], ERROR):
        problems.append("RobotExpressive's weights are no longer wrong")
    elif codes(reports[str(robot[0][2])], ERROR):
        problems.append("fixed RobotExpressive has errors")
    for problem in problems:
        print("FAIL " + problem)
    print(f"{len(pairs)} fixed files, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
