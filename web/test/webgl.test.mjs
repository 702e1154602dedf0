// webgl.test.mjs: see tests/web/test_webgl.py.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, runModule, serve } from './browser.mjs';
import { corpus, fixture, real, scratch } from './assets.mjs';

let browser, server;
before(async () => {
  server = await serve({ '/corpus': corpus, '/fixtures': scratch });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server.close();
});

const fixtures = ['arm', 'ring', 'shear', 'tube'];
for (const url of [...fixtures.map((name) => `/fixtures/${name}.glb`), ...real.map((path) => `/corpus/${path}`)])
  test(`positions of ${url}`, async () => {
    const name = /fixtures\/(.*)\.glb/.exec(url)?.[1];
    if (name) fixture(name);
    const { result, problems } = await runModule(browser, server, '/test/page_webgl.mjs', { urls: [url], times: [0, 0.31, 0.7, 1] });
    assert.ok(result.length >= 8, 'something was compared');
    assert.deepEqual(problems.filter((text) => !/ReadPixels|404/.test(text)), []);
    for (const row of result) {
      assert.ok(row.gpu <= 2e-6, `${row.method} at ${row.time}: GPU ${row.gpu}`);
      assert.ok(row.cpu <= 2e-6, `${row.method} at ${row.time}: getVertexPosition ${row.cpu}`);
    }
    // The two methods must differ somewhere, or nothing was tested.
    assert.ok(Math.max(...result.map((row) => row.against)) > 1e-5, 'the methods differ');
  });
