# _validator.py: the Khronos glTF-Validator for tests written in Python, installed in a scratch folder once.
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def modules():
    """The folder node_modules with gltf-validator; ends the test as skipped where it cannot be had."""
    given = os.environ.get("SUPPLE_VALIDATOR_MODULES")
    if given:
        return given
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        skip("no node or npm (Debian: apt-get install nodejs npm)")
    shared = pathlib.Path(os.environ["SUPPLE_BINARY_DIR"]) / "scratch" / "validator"
    folder = shared / "node_modules"
    if not (folder / "gltf-validator").is_dir():
        mine = pathlib.Path(f"{shared}.{os.getpid()}")
        mine.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, mine / name)
        done = subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=mine,
                              capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(mine, ignore_errors=True)
            skip(f"npm ci of gltf-validator failed: {done.stderr.strip()[-300:]}")
        try:  # several tests may install at once: the first wins
            mine.rename(shared)
        except OSError:
            shutil.rmtree(mine, ignore_errors=True)
    return str(folder)


def validate(files):
    """The validator's reports of the files, by path."""
    files = [str(file) for file in files]
    reports = {}
    found = modules()
    for begin in range(0, len(files), 50):
        done = subprocess.run(["node", str(HERE / "validate.mjs"), found, *files[begin:begin + 50]],
                              capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"validate.mjs failed: {done.stderr[-2000:]}")
        for line in done.stdout.splitlines():
            report = json.loads(line)
            reports[report["file"]] = report
    return reports


# What is judged is what the command says, the same in every build: under sanitizers, which are slow, some files do.
THOROUGH = not os.environ.get("SUPPLE_SANITIZE") or bool(os.environ.get("SUPPLE_ALL"))


def some(items, every, file_of=lambda item: item):
    """All of them; where sanitizers make them slow, every n-th of those below a megabyte."""
    if THOROUGH:
        return items
    return [item for item in items if os.path.getsize(file_of(item)) < 1 << 20][::every]


def messages(report, severity=0):
    """(code, pointer) of every message of a severity (0: errors), in order, repetitions kept."""
    return sorted((m["code"], m.get("pointer", "")) for m in report.get("issues", {}).get("messages", [])
                  if m["severity"] == severity)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)
