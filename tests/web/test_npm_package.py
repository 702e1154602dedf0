# test_npm_package.py: the npm package: what is packed, how large it is, its types in a strict project, node without three.
import sys

import _web

_web.ready()
sys.exit(_web.node_test("package.test.mjs"))
