# _web.py: what the tests of web/ share: its dependencies and its build, made once, and running node there.
import fcntl
import glob
import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.environ["SUPPLE_SOURCE_DIR"]
WEB = os.path.join(ROOT, "web")
ENVIRONMENT = dict(os.environ)


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def call(*arguments, timeout=600):
    done = subprocess.run(arguments, cwd=WEB, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=timeout, env=ENVIRONMENT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def state_of(patterns):
    """A hash of the contents of files."""
    state = hashlib.sha256()
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            if os.path.isfile(path) and "/node_modules/" not in path:
                state.update(path.encode() + b"\0")
                with open(path, "rb") as file:
                    state.update(hashlib.sha256(file.read()).digest())
    return state.hexdigest()


def made(name, patterns, make):
    """Runs `make` where what it depends on is not what it was made of."""
    stamp = os.path.join(WEB, "node_modules", ".supple-" + name)
    state = state_of(patterns)
    if os.path.exists(stamp) and open(stamp, encoding="utf-8").read() == state:
        return
    make()
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(state)


def install():
    code, output = call("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
    if code:
        print(output)
        skip("npm cannot install what web/package-lock.json names")


def build():
    code, output = call("node", "build.mjs")
    if code:
        print(output)
        sys.exit("web/build.mjs failed")


def ready(wasm=True):
    """web/ with its dependencies and dist/; skips where the tools are missing."""
    for tool in ["node", "npm"] + (["clang-16", "wasm-ld-16"] if wasm else []):
        if not shutil.which(tool):
            skip(tool + " is not here")
    version = subprocess.run(["node", "--version"], stdout=subprocess.PIPE).stdout.decode().strip()
    if tuple(int(part) for part in version.lstrip("v").split(".")[:2]) < (20, 19):
        skip("node is %s; what builds the page needs 20.19 or newer" % version)
    if wasm and not os.path.isdir("/usr/include/wasm32-wasi"):
        skip("wasi-libc is not here")
    os.makedirs(os.path.join(ROOT, "build"), exist_ok=True)
    with open(os.path.join(ROOT, "build", "web.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.isdir(os.path.join(WEB, "node_modules", "three")):
            install()
        made("installed", ["web/package-lock.json"], install)
        if wasm:
            made("built", ["src/*/*", "include/supple/*.h", "web/wasm/*", "web/src/*", "web/build.mjs", "web/tsconfig.json"],
                 build)


def chromium():
    for place in (os.environ.get("CHROMIUM"), "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"):
        if place and os.path.exists(place):
            return place
    return skip("Chromium is not here")


def node_test(*files, timeout=900):
    """Runs node's test runner on files of web/test; the exit code of it."""
    code, output = call("node", "--test", *["test/" + name for name in files], timeout=timeout)
    print(output)
    return 1 if code else 0
