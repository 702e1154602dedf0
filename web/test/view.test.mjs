// view.test.mjs: see tests/web/test_view.py: pages of `supple view`, from the disk, with no network at all.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { corpus, fixture, hasCorpus, real, scratch, supple } from './assets.mjs';
import { launch } from './browser.mjs';
import { colors, ktx2, quarters, wearing } from './ktx2.mjs';
import { cell, checkFact, colorsAt, drop, facts, halves, loaded, message, near, open, settled, violations } from './page_driver.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** Opens the page of an asset; any request but for itself is a fault, and so is a message other than `told`. */
async function view(path, run, { told = /^$/, ...options } = {}) {
  const page = join(scratch, 'view.html');
  supple('view', path, '-o', page);
  const tab = await open(browser, pathToFileURL(page).href, { offline: true, ...options });
  tab.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) tab.problems.push(`asks for ${request.url()}`);
  });
  try {
    await settled(tab);
    assert.match(await message(tab), told);
    await run(tab, page);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.context().close();
  }
}

/** At most 2 MB and 4/3 of the asset. */
const checkSize = (page, asset) => {
  const { size } = statSync(page);
  assert.ok(size <= 2e6 + Math.ceil(statSync(asset).size / 3) * 4, `${size} bytes`);
};
const carriesDecoder = (page) => /Binomial|function suppleBasis/.test(readFileSync(page, 'latin1'));

test('the arm, as the facts say', () =>
  view(fixture('arm'), async (tab, page) => {
    checkSize(page, fixture('arm'));
    assert.ok(!carriesDecoder(page), 'a decoder of textures that it has not');
    for (const fact of facts) await checkFact(tab, fact);
    assert.match(await tab.title(), /^arm\.glb/);
    assert.ok((await halves(tab)).differ > 0.002);
    await tab.locator('#check-summary').filter({ hasText: 'remark' }).waitFor();
  }));

/** The arm wearing a picture, as a file. */
function worn(name, picture) {
  const path = join(scratch, name);
  writeFileSync(path, wearing(readFileSync(fixture('arm')), picture));
  return path;
}

test('KTX2 textures are drawn, by a decoder that comes with them', () => {
  const path = worn('worn.glb', ktx2());
  return view(path, async (tab, page) => {
    checkSize(page, path);
    assert.ok(carriesDecoder(page));
    await tab.locator('#sections').uncheck();
    await tab.selectOption('#clip', { label: 'as stored' });
    const seen = await colorsAt(tab, quarters);
    assert.ok(near(seen, colors), JSON.stringify(seen));
    await checkFact(tab, facts[0]);
  });
});

test('a KTX2 texture that cannot be decoded is grey, and told of', () =>
  view(worn('broken.glb', Buffer.from('not KTX2')), async (tab) => {
    await checkFact(tab, facts[0]);
    tab.problems.length = 0; // three tells too
  }, { told: /^broken\.glb: \/textures\/0 grey: not a KTX2 picture that can be decoded/ }));

/** The arm as a file that needs an extension. */
function needing(extension) {
  const glb = readFileSync(fixture('arm')), length = glb.readUInt32LE(12), gltf = JSON.parse(glb.subarray(20, 20 + length));
  gltf.buffers[0].uri = `data:application/octet-stream;base64,${glb.subarray(28 + length).toString('base64')}`;
  gltf.extensionsUsed = gltf.extensionsRequired = [extension];
  return Buffer.from(JSON.stringify(gltf));
}

test('what the page has no decoders for is refused, or grey, saying what has them', () =>
  view(fixture('arm'), async (tab) => {
    for (const [extension, what] of [['KHR_draco_mesh_compression', 'Draco mesh'], ['EXT_meshopt_compression', 'meshopt'], ['KHR_meshopt_compression', 'meshopt']]) {
      await drop(tab, [['packed.gltf', needing(extension)]]);
      assert.equal(await loaded(tab), `packed.gltf: /extensionsRequired/0: needs ${what} decompression (${extension}), for which ` +
        'this page carries no decoder: the served page opens the file, and supple view writes a page of it');
      assert.equal(await cell(tab, 'file'), 'arm.glb');
    }
    await drop(tab, [['worn.glb', readFileSync(worn('worn.glb', ktx2()))]]);
    assert.equal(await loaded(tab), 'worn.glb: /textures/0 grey: KTX2, for which this page carries no decoder: the served page has one, ' +
      'and so has the page that supple view writes of this file');
    assert.equal(await cell(tab, 'file'), 'worn.glb');
    await tab.locator('#sections').uncheck();
    await tab.selectOption('#clip', { label: 'as stored' });
    const seen = await colorsAt(tab, quarters);
    assert.ok(near(seen, colors.map(() => [160, 160, 160])), JSON.stringify(seen));
    await drop(tab, [['tube.glb', readFileSync(fixture('tube'))]]);
    assert.equal(await loaded(tab), '');
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
