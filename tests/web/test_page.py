# test_page.py: the served page in Chromium: read-outs, files, sliders, keys, links, broken files, memory, accessibility.
import sys

import _page
import _web

_page.need_command()
_web.ready()
_web.chromium()
_page.served()
code, output = _web.call("node", "node_modules/typescript/bin/tsc", "-p", "page")
if code:
    print(output)
    sys.exit(1)
sys.exit(_web.node_test("page.test.mjs"))
