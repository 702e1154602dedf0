// webgpu.test.mjs: see tests/web/test_webgpu.py.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, runModule, serve } from './browser.mjs';
import { corpus, fixture, real, scratch } from './assets.mjs';

let browser, server;
before(async () => {
  server = await serve({ '/corpus': corpus, '/fixtures': scratch });
  browser = await launch({ webgpu: true });
});
after(async () => {
  await browser?.close();
  server.close();
});

const urls = [...['arm', 'shear', 'tube'].map((name) => `/fixtures/${name}.glb`), ...real.map((path) => `/corpus/${path}`)];
for (const forceWebGL of [false, true])
  test(`positions, ${forceWebGL ? 'WebGL 2' : 'WebGPU'}`, async (t) => {
    for (const name of ['arm', 'shear', 'tube']) fixture(name);
    const { result } = await runModule(browser, server, '/test/page_webgpu.mjs', { urls, times: [0.31, 1], forceWebGL });
    if (!forceWebGL && result.some((row) => row.backend !== 'webgpu')) return t.skip('this Chromium has no WebGPU');
    assert.ok(result.length >= urls.length * 4);
    for (const row of result) assert.ok(row.gpu <= 2e-6, `${row.url} ${row.method} at ${row.time}: ${row.gpu}`);
  });
