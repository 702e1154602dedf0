# test_webgpu.py: three's WebGPURenderer in Chromium, on WebGPU and on WebGL 2: what the GPU skins is what WebAssembly computes.
import sys

import _web

_web.ready()
_web.chromium()
sys.exit(_web.node_test("webgpu.test.mjs"))
