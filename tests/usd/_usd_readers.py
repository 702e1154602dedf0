# _usd_readers.py: three's USDLoader and tinyusdz for tests written in Python, installed in a scratch folder once.
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def modules():
    """The folder node_modules; ends the test as skipped where it cannot be had."""
    given = os.environ.get("SUPPLE_USD_MODULES")
    if given:
        return given
    npm = shutil.which("npm")
    if not shutil.which("node") or not npm:
        skip("no node or npm (Debian: apt-get install nodejs npm)")
    shared = pathlib.Path(os.environ["SUPPLE_BINARY_DIR"]) / "scratch" / "usd-readers"
    if not (shared / "node_modules" / "tinyusdz").is_dir():
        mine = pathlib.Path("%s.%d" % (shared, os.getpid()))
        mine.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, mine / name)
        done = subprocess.run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=mine,
                              capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(mine, ignore_errors=True)
            skip("npm ci failed: " + done.stderr.strip()[-300:])
        try:  # several tests may install at once: the first wins
            mine.rename(shared)
        except OSError:
            shutil.rmtree(mine, ignore_errors=True)
    return str(shared / "node_modules")


def read(requests, folder):
    """What both readers say, one dictionary a request."""
    path = os.path.join(folder, "requests.json")
    with open(path, "w") as file:
        json.dump(requests, file)
    done = subprocess.run(["node", str(HERE / "read_usd.mjs"), modules(), path], capture_output=True, text=True,
                          timeout=240)
    if done.returncode:
        raise SystemExit("read_usd.mjs failed: " + done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]
