# test_view.py: the page that `supple view` writes: as the sources are now, and in Chromium without server and network.
import glob
import hashlib
import os
import re
import sys

import _page
import _web

PAGE = os.path.join(_web.ROOT, "cli", "view_page.html")
# What the page is made of, as web/page/vite.config.mjs lists it.
INPUTS = [("src/*/*", r"src/(?!shader/)[^/]+/[^/]+\.(c|h|inl)"), ("include/supple/*", r".*\.h"),
          ("web/wasm/*", r".*\.(c|h|sh)"), ("web/src/*", r".*\.ts"), ("web/page/src/*", r".*\.(ts|css)"),
          ("web/page/index.html", ".*"), ("web/page/vite.config.mjs", ".*"), ("web/package-lock.json", ".*")]


def inputs():
    found = set()
    for pattern, wanted in INPUTS:
        for path in glob.glob(os.path.join(_web.ROOT, pattern)):
            relative = os.path.relpath(path, _web.ROOT).replace(os.sep, "/")
            if re.fullmatch(wanted, relative):
                found.add(relative)
    everything = hashlib.sha256()
    for path in sorted(found):
        with open(os.path.join(_web.ROOT, path), "rb") as file:
            everything.update(("%s\0%s\n" % (path, hashlib.sha256(file.read()).hexdigest())).encode())
    return everything.hexdigest()


def check_recorded(page):
    """Without any tool: the page says which sources it was made of."""
    recorded = re.search(rb'<meta name="supple-inputs" content="([0-9a-f]{64})">', page)
    if not recorded:
        sys.exit("cli/view_page.html does not say what it was made of")
    if recorded.group(1).decode() != inputs():
        sys.exit("cli/view_page.html was made of other sources than these: sh dev web --build makes it anew")
    if len(page) > 2 << 20:
        sys.exit("cli/view_page.html has %d bytes, more than 2 MB" % len(page))


def main():
    with open(PAGE, "rb") as file:
        page = file.read()
    check_recorded(page)
    _web.ready()
    if _page.single() != page:
        sys.exit("cli/view_page.html is not what its sources make (clang-16 of another version?): sh dev web --build")
    _page.need_command()
    _web.chromium()
    return _web.node_test("view.test.mjs")


sys.exit(main())
