# test_plugin_webgpu.py: the same under three's WebGPURenderer, on WebGPU and on WebGL 2, and velocity.
import sys

import _web

_web.ready()
_web.chromium()
sys.exit(_web.node_test("plugin_webgpu.test.mjs"))
