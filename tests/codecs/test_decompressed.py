# test_decompressed.py: the Khronos glTF-Validator on files that were compressed: what `supple bake` writes of them,
# all of it decompressed, and what `supple fix` writes where it has to decompress, has no new error.
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
WAYS = {"baked": ("bake", "--rest"), "limited": ("fix", "--influences", "1", "--prune")}
problems = []


def compression(path):
    """The compressing extensions that a file says it uses."""
    data = path.read_bytes()
    if data[:4] == b"glTF":
        data = data[20:20 + int.from_bytes(data[12:16], "little")]
    return [name for name in json.loads(data).get("extensionsUsed", []) if "compression" in name]


def run(*arguments):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr.strip()


def main():
    if not COMMAND or not os.path.isfile(COMMAND):
        _validator.skip("the command was not built")
    version = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout
    if " no " in version or not (CORPUS / "index.json").is_file():
        _validator.skip("no codecs, or no corpus")
    _validator.modules()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    files = sorted({CORPUS / asset["file"] for asset in json.loads((CORPUS / "index.json").read_text())})
    files = [path for path in files if compression(path)]
    if len(files) < 3:
        problems.append(f"only {len(files)} compressed files in the corpus")
    pairs = []
    for number, path in enumerate(_validator.some(files, 2)):
        for way, (command, *options) in WAYS.items():
            out = SCRATCH / f"{number}-{way}.glb"
            out.unlink(missing_ok=True)
            code, said = run(command, str(path), "-o", str(out), *options)
            if code == 0:
                pairs.append((f"{path.parent.name}/{path.name} {way}", path, out, way))
            else:
                problems.append(f"{command} {path}: exit {code}: {said}")
    reports = _validator.validate({str(path) for pair in pairs for path in pair[1:3]})
    for name, source, out, way in pairs:
        new = set(code for code, _ in _validator.messages(reports[str(out)]))
        new -= set(code for code, _ in _validator.messages(reports[str(source)]))
        if new:
            problems.append(f"{name}: new: {sorted(new)}")
        if way == "baked" and compression(out):
            problems.append(f"{name}: still says {compression(out)}")
    for problem in problems:
        print("FAIL " + problem)
    print(f"{len(pairs)} files, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
