# test_webgl.py: three's WebGLRenderer in Chromium, software GL: what the GPU skins is what WebAssembly computes.
import sys

import _web

_web.ready()
_web.chromium()
sys.exit(_web.node_test("webgl.test.mjs"))
