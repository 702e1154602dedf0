# _page.py: what the tests of the page share: the page, built into the scratch folder.
import os
import subprocess

import _web

SCRATCH = os.environ["SUPPLE_SCRATCH"]
COMMAND = os.environ.get("SUPPLE_COMMAND", "")
SAMPLES = ("arm", "figure", "ring", "shear", "tube")


def vite(*arguments):
    code, output = _web.call("node", "node_modules/vite/bin/vite.js", "build", "--config", "page/vite.config.mjs",
                             "--logLevel", "warn", "--emptyOutDir", *arguments)
    if code:
        raise SystemExit(output)


def served():
    """The page as it is served, in SCRATCH/page."""
    public = os.path.join(SCRATCH, "public")
    os.makedirs(os.path.join(public, "samples"), exist_ok=True)
    for name in SAMPLES:
        subprocess.run([COMMAND, "fixture", name, "-o", os.path.join(public, "samples", name + ".glb")], check=True)
    _web.ENVIRONMENT["SUPPLE_PAGE_PUBLIC"] = public
    vite("--outDir", os.path.join(SCRATCH, "page"))


def built(mode, name):
    folder = os.path.join(SCRATCH, mode)
    vite("--mode", mode, "--outDir", folder)
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def single():
    """The page of supple view, built anew: its bytes."""
    return built("view", "view.html")


def basis():
    """What that page carries besides for KTX2 textures: its bytes."""
    return built("basis", "basis.html")


def need_command():
    if not os.path.isfile(COMMAND):
        _web.skip("the command was not built")
