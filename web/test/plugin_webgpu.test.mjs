// plugin_webgpu.test.mjs: see tests/web/test_plugin_webgpu.py.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, runModule, serve } from './browser.mjs';

let browser, server;
before(async () => {
  server = await serve();
  browser = await launch({ webgpu: true });
});
after(async () => {
  await browser?.close();
  server.close();
});

const kinds = ['basic', 'lambert', 'phong', 'standard', 'physical', 'toon', 'matcap', 'normal', 'of nodes'];
const shared = ['shadow of a directional light', 'one material, two methods', 'one skeleton and one geometry, two methods', 'velocity',
  'over 1024 joints', 'morph targets', 'a share of linear blending', 'many instances', 'textures are freed', 'imported late'];
const names = [...kinds.map((kind) => `material ${kind}`), ...shared, 'override material', 'scaled joints', 'shadow of a spot light',
  'shadow of a point light', 'a clone by SkeletonUtils', 'the geometry stays in use', 'on the CPU'];
// WebGL 2 draws what WebGPU draws, by the same nodes: what differs is how textures and programs get there.
for (const [forceWebGL, wanted] of [[false, names], [true, ['material standard', 'material of nodes', ...shared]]])
  for (const name of wanted)
    test(`${name}, ${forceWebGL ? 'WebGL 2' : 'WebGPU'}`, async (t) => {
      const { result, problems } = await runModule(browser, server, '/test/page_plugin_webgpu.mjs', { name, forceWebGL });
      if (result === 'no WebGPU') return t.skip('this Chromium has no WebGPU');
      // Errors of shaders are on the console.
      assert.deepEqual(problems.filter((text) => !/ReadPixels|404|GroupMarker|CONTEXT_LOST|powerPreference/i.test(text)), []);
    });
