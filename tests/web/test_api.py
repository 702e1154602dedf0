# test_api.py: the npm package's library in node: same bits as the native one, errors, memory, check and fix.
import sys

import _web

_web.ready()
sys.exit(_web.node_test("api.test.mjs"))
