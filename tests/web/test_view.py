# test_view.py: the page that `supple view` writes: as the sources are now, and in Chromium without server and network.
import glob
import hashlib
import os
import re
import sys

import _page
import _web

PAGE = os.path.join(_web.ROOT, "cli", "view_page.html")
BASIS = os.path.join(_web.ROOT, "cli", "view_basis.html")
# What both are made of, as web/page/vite.config.mjs lists it.
INPUTS = [("src/*/*", r"src/(?!shader/)[^/]+/[^/]+\.(c|h|inl)"), ("include/supple/*", r".*\.h"),
          ("web/wasm/*", r".*\.(c|h|sh)"), ("web/src/*", r".*\.ts"), ("web/page/src/*", r".*\.(ts|css)"),
          ("web/page/index.html", ".*"), ("web/page/notices.txt", ".*"), ("web/page/vite.config.mjs", ".*"),
          ("web/package-lock.json", ".*")]
BASIS_INPUTS = [("web/page/notices_basis.txt", ".*"), ("web/page/vite.config.mjs", ".*"), ("web/package-lock.json", ".*")]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def inputs(patterns):
    found = set()
    for pattern, wanted in patterns:
        for path in glob.glob(os.path.join(_web.ROOT, pattern)):
            relative = os.path.relpath(path, _web.ROOT).replace(os.sep, "/")
            if re.fullmatch(wanted, relative):
                found.add(relative)
    everything = hashlib.sha256()
    for path in sorted(found):
        everything.update(("%s\0%s\n" % (path, hashlib.sha256(read(os.path.join(_web.ROOT, path))).hexdigest())).encode())
    return everything.hexdigest()


def check_recorded(name, text, mark, patterns):
    """Without any tool: the file says which sources it was made of."""
    recorded = re.search(mark + rb'="([0-9a-f]{64})">', text)
    if not recorded:
        sys.exit("%s does not say what it was made of" % name)
    if recorded.group(1).decode() != inputs(patterns):
        sys.exit("%s was made of other sources than these: sh dev web --build makes it anew" % name)


def main():
    page, basis = read(PAGE), read(BASIS)
    check_recorded("cli/view_page.html", page, rb'<meta name="supple-inputs" content', INPUTS)
    check_recorded("cli/view_basis.html", basis, rb'<script data-inputs', BASIS_INPUTS)
    if len(page) + len(basis) > 2000000:
        sys.exit("cli/view_page.html and view_basis.html have %d and %d bytes, more than 2 MB" % (len(page), len(basis)))
    _web.ready()
    for name, text, made in (("page", page, _page.single()), ("basis", basis, _page.basis())):
        if made != text:
            sys.exit("cli/view_%s.html is not what its sources make (clang-16 of another version?): sh dev web --build" % name)
    _page.need_command()
    _web.chromium()
    return _web.node_test("view.test.mjs")


sys.exit(main())
