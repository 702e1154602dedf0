# test_plugin_webgl.py: what supple() does under three's WebGLRenderer: materials, shadows, sharing, clones, picking, freeing.
import sys

import _web

_web.ready()
_web.chromium()
sys.exit(_web.node_test("plugin_webgl.test.mjs"))
