// page.test.mjs: see tests/web/test_page.py.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { corpus, fixture, hasCorpus, scratch, supple } from './assets.mjs';
import { launch, serve } from './browser.mjs';
import { colors, ktx2, quarters, wearing } from './ktx2.mjs';
import { cell, checkFact, colorsAt, drop, facts, frames, halves, loaded, message, near, open, row, settled, violations } from './page_driver.mjs';

let browser, server, base;
before(async () => {
  server = await serve({ '/page': join(scratch, 'page') });
  base = `${server.url}/page/index.html`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server.close();
});

/** Runs with a tab, which must have had no complaint. */
async function withTab(hash, run, options) {
  const tab = await open(browser, base + hash, options);
  try {
    await run(tab);
    assert.deepEqual(tab.problems, []);
  } finally {
    await tab.context().close();
  }
}

const hashOf = async (tab) => {
  await tab.waitForTimeout(700); // it is written twice a second
  return tab.evaluate(() => location.hash);
};

test('the read-outs are those of the facts', () =>
  withTab('#sample=arm', async (tab) => {
    for (const fact of facts) await checkFact(tab, fact);
    await tab.selectOption('#clip', { label: 'twist-180' });
    await settled(tab);
    assert.deepEqual(await row(tab, 'section'), ['100.00 %', '100.00 %']);
    assert.match(await cell(tab, 'deviation-both'), /^0\.00 mm \(0\.0 %\)$/);
  }));

test('both halves differ where they should', () =>
  withTab('#sample=arm&sections=0', async (tab) => {
    const rest = await halves(tab);
    assert.ok(rest.drawn > 0.02, `something is drawn: ${rest.drawn}`);
    assert.ok(rest.differ < 1e-3, `at rest both are the same: ${rest.differ}`);
    await tab.evaluate(() => {
      const time = document.getElementById('time');
      time.value = 1;
      time.dispatchEvent(new Event('input'));
    });
    const { differ, tenths, drawn } = await halves(tab);
    assert.ok(differ > 0.005 && differ < drawn, `twisted they differ: ${differ} of ${drawn}`);
    assert.ok(Math.max(tenths[4], tenths[5]) === Math.max(...tenths), `most in the middle: ${tenths}`);
    await tab.selectOption('#heat', 'kept');
    const { red } = await halves(tab);
    assert.ok(red[0] > 10 * red[1] && red[0] > 1e-4, `what is lost is red on the left alone: ${red}`);
    await tab.selectOption('#heat', 'deviation');
    const both = (await halves(tab)).red;
    assert.ok(both[0] > 1e-4 && both[1] > 1e-4, `what deviates is red on both: ${both}`);
    await tab.selectOption('#heat', 'none');
    const again = await halves(tab);
    assert.ok(Math.abs(again.differ - differ) < 1e-3, `with its own colours as before: ${again.differ}, ${differ}`);
  }));

test('files are dropped: .glb, .gltf with its files', () =>
  withTab('#sample=ring', async (tab) => {
    await drop(tab, [['tube.glb', readFileSync(fixture('tube'))]]);
    assert.equal(await loaded(tab), '');
    assert.equal(await cell(tab, 'file'), 'tube.glb');
    assert.equal(await tab.locator('#joints li').count(), 12);
    assert.equal(await tab.locator('#sample').inputValue(), '');
    const glb = readFileSync(fixture('arm')), length = glb.readUInt32LE(12);
    const gltf = JSON.parse(glb.subarray(20, 20 + length).toString()), binary = glb.subarray(28 + length);
    gltf.buffers[0].uri = 'arm%20data.bin';
    await drop(tab, [['arm data.bin', binary], ['notes.txt', Buffer.from('x')], ['arm.gltf', Buffer.from(JSON.stringify(gltf))]]);
    assert.equal(await loaded(tab), '');
    assert.equal(await cell(tab, 'file'), 'arm.gltf');
    await checkFact(tab, facts[1]);
    await drop(tab, [['arm.gltf', Buffer.from(JSON.stringify(gltf))]]);
    assert.match(await loaded(tab), /arm\.gltf: .*arm data\.bin|arm%20data\.bin/);
    await drop(tab, [['notes.txt', Buffer.from('x')]]);
    await frames(tab, 2);
    assert.match(await message(tab), /no \.glb, \.gltf or \.vrm/);
  }));

/** Drops the arm wearing a picture; the message, and how it looks. */
async function worn(tab, picture, other) {
  await drop(tab, [['worn.glb', wearing(readFileSync(fixture('arm')), picture, { other, still: true })]]);
  const told = await loaded(tab);
  assert.equal(await cell(tab, 'file'), 'worn.glb');
  return { told, seen: await colorsAt(tab, quarters) };
}

/** Few pixels, which are drawn in software. */
const small = { viewport: { width: 720, height: 360 } };
const grey = colors.map(() => [160, 160, 160]);
/** A picture of one green pixel. */
const green = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNg+M8AAAICAQBF9FLUAAAAAElFTkSuQmCC', 'base64');

test('KTX2 textures are drawn, by a decoder that is fetched for them', () =>
  withTab('#sample=arm&sections=0', async (tab) => {
    const asked = [];
    tab.on('request', (request) => asked.push(request.url()));
    await drop(tab, [['tube.glb', readFileSync(fixture('tube'))]]);
    await loaded(tab);
    assert.ok(!asked.some((url) => /basis|KTX2/.test(url)), `no decoder for nothing: ${asked}`);
    for (let round = 0; round < 2; round++) {
      const { told, seen } = await worn(tab, ktx2());
      assert.equal(told, '');
      assert.ok(near(seen, colors), JSON.stringify(seen));
    }
    assert.equal(tab.workers().length, 0, 'and the decoder ends');
    for (const name of ['basis_transcoder', 'wasm', 'KTX2Loader'])
      assert.ok(asked.some((url) => url.startsWith(server.url) && url.includes(name)), `${name} in ${asked}`);
    await tab.selectOption('#heat', 'kept');
    assert.ok(!near(await colorsAt(tab, quarters), colors), 'colours of measures hide it');
    await tab.selectOption('#heat', 'none');
    const again = await colorsAt(tab, quarters);
    assert.ok(near(again, colors), JSON.stringify(again));
  }, small));

test('KTX2 textures in files of their own', () =>
  withTab('#sample=ring&sections=0', async (tab) => {
    const glb = wearing(readFileSync(fixture('arm')), ktx2(), { still: true }), length = glb.readUInt32LE(12), gltf = JSON.parse(glb.subarray(20, 20 + length));
    gltf.buffers[0].uri = 'worn.bin';
    gltf.images = [{ uri: 'a%20b.ktx2' }];
    await drop(tab, [['worn.gltf', JSON.stringify(gltf)], ['worn.bin', glb.subarray(28 + length)], ['a b.ktx2', ktx2()]]);
    assert.equal(await loaded(tab), '');
    const seen = await colorsAt(tab, quarters);
    assert.ok(near(seen, colors), JSON.stringify(seen));
  }, small));

for (const file of ['basis_transcoder', 'KTX2Loader'])
  test(`KTX2 textures are grey, and told of, without ${file}`, () =>
    withTab('#sample=ring&sections=0', async (tab) => {
      await tab.route(new RegExp(file), (route) => route.abort());
      const { told, seen } = await worn(tab, ktx2());
      assert.match(told, /^worn\.glb: \/textures\/0 grey: KTX2, whose decoder cannot be had: /);
      assert.ok(near(seen, grey), JSON.stringify(seen));
      tab.problems.length = 0; // the browser tells too
    }, { ...small, serviceWorkers: 'block' }));

test('KTX2 textures that cannot be decoded are grey, or what is in their place, and told of', () =>
  withTab('#sample=ring&sections=0', async (tab) => {
    const whole = ktx2(), other = Buffer.from(whole), unknown = Buffer.from(whole);
    other[0] = 0; // a file of another kind
    for (let i = 160; i < unknown.length; i += 16) unknown[i] = 69; // blocks of the mode that is reserved
    const cases = [[other, 'identifier'], [whole.subarray(0, whole.length - 100), ''], [unknown, '']]
      .map(([picture, why]) => [picture, `not a KTX2 picture that can be decoded(: .*${why}.*)?$`]);
    for (const [picture, why] of [...cases, [ktx2({ faces: 6 }), 'a picture of several layers or sides$']]) {
      const { told, seen } = await worn(tab, picture);
      assert.match(told, new RegExp(`^worn\\.glb: /textures/0 grey: ${why}`));
      assert.ok(near(seen, grey), `${told}: ${JSON.stringify(seen)}`);
    }
    const instead = await worn(tab, other, green);
    assert.equal(instead.told, '');
    assert.ok(near(instead.seen, colors.map(() => [0, 255, 0])), JSON.stringify(instead.seen));
    const { told, seen } = await worn(tab, whole);
    assert.equal(told, '');
    assert.ok(near(seen, colors), JSON.stringify(seen));
    tab.problems.length = 0; // the decoder complains itself
  }, small));

test('sliders turn the joint, by mouse and keys, and the gizmo', () =>
  withTab('#sample=arm&clip=-1&joint=0.1', async (tab) => {
    assert.deepEqual(await row(tab, 'section'), ['100.00 %', '100.00 %']);
    await tab.locator('#twist').focus();
    await tab.keyboard.press('End');
    await settled(tab);
    assert.deepEqual(await row(tab, 'section'), facts[0].section);
    assert.deepEqual(await row(tab, 'volume'), facts[0].volume);
    assert.equal(await cell(tab, 'twist-value'), '180°');
    assert.equal(await tab.locator('#joints li').first().textContent(), 'lower0 %100 %');
    await tab.locator('#reset').click();
    await settled(tab);
    assert.deepEqual(await row(tab, 'section'), ['100.00 %', '100.00 %']);
    await tab.locator('#bend').focus();
    for (let i = 0; i < 3; i++) await tab.keyboard.press('PageUp');
    await settled(tab);
    const [lbs, dqs] = (await row(tab, 'section')).map(parseFloat);
    assert.ok(lbs < 95 && dqs > 99.9, `bent: ${lbs} ${dqs}`);
    await tab.locator('#reset').click();
    await tab.locator('#gizmo').check();
    await frames(tab, 3);
    // From the middle of the right half outwards, until a ring is under the pointer.
    const box = await tab.locator('#overlay').boundingBox();
    const at = await tab.evaluate(() => {
      const p = window.supplePage, point = p.stage.handle.position.clone().project(p.stage.camera);
      return [point.x, point.y];
    });
    const x = box.x + ((at[0] + 1) / 2) * box.width, y = box.y + ((1 - at[1]) / 2) * box.height;
    let hit = 0;
    for (let r = 10; r < 200 && !hit; r += 3) {
      await tab.mouse.move(x + r, y);
      if (await tab.evaluate(() => window.supplePage.stage.gizmo.axis)) hit = r;
    }
    assert.ok(hit > 0, 'the gizmo is where it is drawn');
    await tab.mouse.down();
    for (let i = 1; i <= 6; i++) await tab.mouse.move(x + hit + 4 * i, y + 15 * i);
    await tab.mouse.up();
    await settled(tab);
    assert.match(await hashOf(tab), /turn=\d+,0,0,0,/);
  }));

test('keys play, step, choose joints and turn the camera', () =>
  withTab('#sample=arm&joint=0.0', async (tab) => {
    await tab.locator('#canvas').focus();
    await tab.keyboard.press(' ');
    assert.equal(await tab.locator('#play').getAttribute('aria-pressed'), 'true');
    await tab.waitForFunction(() => window.supplePage.state().time > 0);
    await tab.keyboard.press(' ');
    assert.equal(await tab.locator('#play').getAttribute('aria-pressed'), 'false');
    const time = await tab.evaluate(() => window.supplePage.state().time);
    await tab.keyboard.press(',');
    assert.ok((await tab.evaluate(() => window.supplePage.state().time)) < time);
    const where = () => tab.evaluate(() => window.supplePage.stage.camera.position.toArray().map((c) => c.toFixed(3)).join());
    for (const key of ['ArrowLeft', 'ArrowUp', 'Shift+ArrowDown', '+', '-', 'f']) {
      const before = await where();
      await tab.keyboard.press(key);
      await frames(tab, 2);
      assert.notEqual(await where(), before, key);
    }
    await tab.locator('#joints').focus();
    await tab.keyboard.press('Home');
    assert.equal(await cell(tab, 'turned'), 'lower');
    await tab.keyboard.press('ArrowDown');
    assert.equal(await cell(tab, 'turned'), 'upper');
    assert.equal(await tab.locator('#joints').getAttribute('aria-activedescendant'), 'joint-0-0');
  }));

test('the worst joint of all clips is found and flown to', () =>
  withTab('#sample=arm&clip=1', async (tab) => {
    const before = await tab.evaluate(() => window.supplePage.stage.camera.position.toArray());
    await tab.locator('#worst').click();
    await tab.waitForFunction(() => /LBS/.test(document.getElementById('scan').textContent), null, { timeout: 120000 });
    await settled(tab);
    assert.equal(await cell(tab, 'scan'), 'lower keeps 0.0 % under LBS at 1.00 s of twist-180, at least 100.0 % under DQS');
    assert.equal(await tab.locator('#clip').inputValue(), '0');
    assert.deepEqual(await row(tab, 'section'), facts[0].section);
    assert.notDeepEqual(await tab.evaluate(() => window.supplePage.stage.camera.position.toArray()), before);
    assert.match(await tab.locator('#plot').getAttribute('aria-label'), /What lower keeps over the clip: at least/);
  }));

test('what is read after a pause is of the moment shown', () =>
  withTab('#sample=arm', async (tab) => {
    await tab.locator('#play').click();
    await tab.waitForFunction(() => window.supplePage.state().time > 0.2);
    await tab.locator('#play').click();
    await settled(tab);
    const { time, cursor } = await tab.evaluate(() => ({ time: window.supplePage.state().time,
      cursor: document.getElementById('cursor').getBoundingClientRect().x - document.getElementById('plot').getBoundingClientRect().x }));
    const read = [await row(tab, 'section'), await row(tab, 'volume')];
    assert.equal(await cell(tab, 'time-value'), `${time.toFixed(2)} s`);
    assert.equal(Number(await tab.locator('#time').inputValue()).toFixed(3), time.toFixed(3));
    const width = await tab.evaluate(() => document.getElementById('plot').getBoundingClientRect().width);
    assert.ok(Math.abs(cursor + 1 - time * width) < 1.5, `the cursor is at ${cursor} of ${width} at ${time} s`);
    await withTab(`#sample=arm&t=${time}&joint=0.1`, async (other) => {
      await settled(other);
      assert.deepEqual([await row(other, 'section'), await row(other, 'volume')], read);
    });
  }));

test('a link shows the same again', async () => {
  let hash, rows;
  await withTab('#sample=arm', async (tab) => {
    await tab.selectOption('#clip', { label: 'bend-129' });
    await tab.evaluate(() => {
      const time = document.getElementById('time');
      time.value = 0.75;
      time.dispatchEvent(new Event('input'));
    });
    await tab.locator('#joint-0-1').click();
    await tab.locator('#twist').focus();
    await tab.keyboard.press('PageUp');
    await tab.selectOption('#heat', 'deviation');
    await tab.locator('#sections').uncheck();
    await tab.locator('#canvas').focus();
    await tab.keyboard.press('ArrowLeft');
    await settled(tab);
    hash = await hashOf(tab);
    rows = [await row(tab, 'section'), await row(tab, 'volume')];
  });
  for (const part of ['sample=arm', 'clip=1', 't=0.75', 'joint=0.1', 'heat=deviation', 'sections=0', 'turn=', 'camera='])
    assert.ok(hash.includes(part), `${part} in ${hash}`);
  await withTab(hash, async (tab) => {
    await settled(tab);
    assert.deepEqual([await row(tab, 'section'), await row(tab, 'volume')], rows);
    assert.equal(await hashOf(tab), hash);
    await tab.evaluate(() => (location.hash = '#sample=arm&t=1&joint=0.1'));
    await settled(tab);
    assert.deepEqual(await row(tab, 'section'), facts[0].section);
  });
  await withTab('#sample=arm&clip=99&t=1e99&joint=7.7&turn=1,2&camera=1,2,x&heat=no&speed=-3', async (tab) => {
    await settled(tab);
    assert.equal(await message(tab), '');
  });
});

test('what is broken is refused with a message, and the page lives on', { skip: hasCorpus ? false : 'no corpus' }, () =>
  withTab('#sample=ring', async (tab) => {
    const folder = join(corpus, '../broken'), names = readdirSync(folder).filter((name) => /\.(glb|gltf)$/.test(name));
    let refused = 0;
    for (const name of names) {
      await drop(tab, [[name, readFileSync(join(folder, name))]]);
      const told = await loaded(tab);
      if (told) assert.ok(told.startsWith(`${name}: `) && told.length > name.length + 8, told), refused++;
      else assert.equal(await cell(tab, 'file'), name);
    }
    assert.ok(refused > 30 && refused < names.length, `${refused} of ${names.length} are refused`);
    await drop(tab, [['arm.glb', readFileSync(fixture('arm'))]]);
    assert.equal(await loaded(tab), '');
    await checkFact(tab, facts[0]);
    tab.problems.length = 0; // three warns of what it does not know
  }));

test('a hundred files later the memory is as before', () =>
  withTab('#sample=arm', async (tab) => {
    const files = ['arm', 'tube', 'ring'].map((name) => [`${name}.glb`, readFileSync(fixture(name)).toString('base64')]);
    const sizes = [];
    for (let round = 0; round < 10; round++)
      sizes.push(await tab.evaluate(async ([given, n]) => {
        const page = window.supplePage;
        for (let i = 0; i < 10; i++) {
          const [name, text] = given[(n * 10 + i) % 3 === 2 ? 2 : i % 2];
          await page.show({ name, bytes: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)), files: new Map() });
          if (i % 5 === 0) document.getElementById('heat').value = 'kept', document.getElementById('heat').dispatchEvent(new Event('change'));
          await new Promise(requestAnimationFrame);
        }
        await page.show({ name: 'a', bytes: Uint8Array.from(atob(given[2][1]), (c) => c.charCodeAt(0)), files: new Map() });
        for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        const { memory, programs } = page.stage.renderer.info;
        return [page.library().native.exports.memory.buffer.byteLength, memory.geometries, memory.textures, programs.length];
      }, [files, round]));
    const told = `bytes, geometries, textures, programs: ${JSON.stringify(sizes)}`;
    assert.deepEqual(sizes[9].slice(1), sizes[1].slice(1), told);
    // Free memory may lie in other pieces than before: eight pages of 64 kB, where one file takes megabytes. (Over 300 files
    // it grows by two or three pages in the beginning, and then no more.)
    assert.ok(sizes[9][0] - sizes[1][0] <= 8 << 16, told);
  }));

test('what the check finds is listed, and the fixed file downloaded', { skip: hasCorpus ? false : 'no corpus' }, () =>
  withTab('#sample=ring', async (tab) => {
    await drop(tab, [['double.glb', readFileSync(join(corpus, '../broken/weights-sum-2.glb'))]]);
    assert.equal(await loaded(tab), '');
    await tab.locator('#fix').waitFor();
    assert.ok((await tab.locator('#findings li').count()) > 0);
    const waiting = tab.waitForEvent('download');
    await tab.locator('#fix').click();
    const download = await waiting;
    assert.equal(download.suggestedFilename(), 'double-fixed.glb');
    const path = join(scratch, 'double-fixed.glb');
    writeFileSync(path, readFileSync(await download.path()));
    const codes = JSON.stringify(JSON.parse(supple('check', '--json', path).toString()));
    assert.ok(!/WEIGHTS_NON_NORMALIZED/.test(codes), codes);
  }));

test('nothing moves by itself where motion is not wanted', async () => {
  await withTab('#sample=arm', async (tab) => {
    assert.equal(await tab.locator('#play').getAttribute('aria-pressed'), 'false');
    await settled(tab);
    const drawn = await tab.evaluate(() => window.supplePage.stage.drawn);
    await frames(tab, 10);
    assert.equal(await tab.evaluate(() => window.supplePage.stage.drawn), drawn, 'and nothing is drawn in vain');
  });
  await withTab('', async (tab) => {
    assert.equal(await tab.locator('#play').getAttribute('aria-pressed'), 'true');
  }, { reducedMotion: 'no-preference' });
});

for (const colorScheme of ['light', 'dark'])
  for (const width of [1280, 360])
    test(`axe-core finds nothing: ${colorScheme}, ${width} pixels wide`, () =>
      withTab('#sample=arm&heat=kept&t=1&joint=0.1', async (tab) => {
        await settled(tab);
        await tab.locator('#check-summary').filter({ hasText: /remark|nothing/ }).waitFor();
        assert.deepEqual(await violations(tab), []);
        if (width > 400) return;
        assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
      }, { colorScheme, viewport: { width, height: 740 } }));

test('without a network it works from what it has seen', { timeout: 180000 }, () =>
  withTab('#sample=arm&t=1&joint=0.1', async (tab) => {
    await tab.evaluate(async () => {
      await navigator.serviceWorker.ready;
      while (!(await caches.match('./samples/tube.glb'))) await new Promise((resolve) => setTimeout(resolve, 50));
    });
    await tab.context().setOffline(true);
    await tab.reload();
    await tab.waitForFunction(() => document.documentElement.dataset.ready === 'true');
    await settled(tab);
    assert.deepEqual(await row(tab, 'section'), facts[0].section);
    await tab.selectOption('#sample', 'tube');
    assert.equal(await loaded(tab), '');
    const { told, seen } = await worn(tab, ktx2());
    assert.equal(told, '');
    assert.ok(near(seen, colors), JSON.stringify(seen));
    tab.problems.length = 0; // the browser tells of each request that fails first
  }));
