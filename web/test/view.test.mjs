// view.test.mjs: see tests/web/test_view.py: pages of `supple view`, from the disk, with no network at all.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { corpus, fixture, hasCorpus, real, scratch, supple } from './assets.mjs';
import { launch } from './browser.mjs';
import { checkFact, facts, halves, message, open, settled, violations } from './page_driver.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens the page of an asset; any request but for itself is a fault. */
async function view(path, run, options) {
  const page = join(scratch, 'view.html');
  supple('view', path, '-o', page);
  const tab = await open(browser, pathToFileURL(page).href, { offline: true, ...options });
  tab.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) tab.problems.push(`asks for ${request.url()}`);
  });
  try {
    await settled(tab);
    assert.equal(await message(tab), '');
    await run(tab, page);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.context().close();
  }
}

test('the arm, as the facts say', () =>
  view(fixture('arm'), async (tab, page) => {
    assert.ok(statSync(page).size <= (2 << 20) + Math.ceil((statSync(fixture('arm')).size * 4) / 3) + 4, 'size');
    for (const fact of facts) await checkFact(tab, fact);
    assert.match(await tab.title(), /^arm\.glb/);
    assert.ok((await halves(tab)).differ > 0.002);
    await tab.locator('#check-summary').filter({ hasText: 'remark' }).waitFor();
  }));

for (const colorScheme of ['light', 'dark'])
  test(`axe-core finds nothing: ${colorScheme}`, () =>
    view(fixture('ring'), async (tab) => assert.deepEqual(await violations(tab), []), { colorScheme }));

const more = ['khronos/SimpleSkin/glTF/SimpleSkin.gltf', 'khronos/RiggedSimple/glTF-Draco/RiggedSimple.gltf', 'vrm/cryptovoxels.vrm'];
for (const name of hasCorpus ? [...real, ...more] : [])
  test(name, { skip: existsSync(join(corpus, name)) ? false : 'not here' }, () =>
    view(join(corpus, name), async (tab) => {
      const { drawn } = await halves(tab);
      assert.ok(drawn > 0.003, `something is drawn: ${drawn}`);
      const kept = await tab.evaluate(() => [...document.querySelectorAll('#joints li')].length);
      assert.ok(kept > 1, `${kept} joints are listed`);
    }));
