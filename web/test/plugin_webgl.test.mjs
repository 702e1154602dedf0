// plugin_webgl.test.mjs: see tests/web/test_plugin_webgl.py.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, runModule, serve } from './browser.mjs';
import { fixture, scratch } from './assets.mjs';

let browser, server;
before(async () => {
  for (const name of ['arm', 'tube']) fixture(name);
  server = await serve({ '/fixtures': scratch });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server.close();
});

const kinds = ['basic', 'lambert', 'phong', 'standard', 'physical', 'toon', 'matcap', 'normal', 'depth', 'chunks'];
const names = [...kinds.map((kind) => `material ${kind}`), 'override material', 'scaled joints', 'mirrored joints',
  'normal map with tangents', 'shadow of a directional light', 'shadow of a spot light', 'shadow of a point light',
  'RawShaderMaterial on the CPU', 'on the CPU with a material that skins, morphs and shadows', 'one material, two methods',
  'one skeleton, two methods', 'a clone by SkeletonUtils', 'over 1024 joints', 'morph targets', 'a share of linear blending',
  'textures are freed', "the user's onBeforeCompile", 'picking, boxes, spheres, culling', 'two renderers, further influences',
  '100 loads', 'imported late'];
for (const name of names)
  test(name, async () => {
    const { problems } = await runModule(browser, server, '/test/page_plugin_webgl.mjs', name);
    // A shader that does not compile is an error on the console; reading pixels back stalls, which is meant here.
    assert.deepEqual(problems.filter((text) => !/ReadPixels|404|too many active WebGL contexts/i.test(text)), []);
  });

test('every check runs', () => {
  const page = readFileSync(new URL('page_plugin_webgl.mjs', import.meta.url), 'utf8');
  const written = [...page.matchAll(/^ {2}(?:async )?(?:'([^']+)'|"([^"]+)")(?:\(\) \{|: \(\) =>)/gm)].map(([, a, b]) => a ?? b);
  assert.deepEqual(written.filter((name) => !names.includes(name)), []);
  assert.ok(written.length > 15);
});
