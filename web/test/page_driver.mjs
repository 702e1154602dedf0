// page_driver.mjs: what the tests of the page share: a tab with the page, its read-outs, pictures, files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { web } from './browser.mjs';

/** design.md's figures of the arm: clip, then [LBS, DQS] of each. */
export const facts = [
  { clip: 'twist-180', section: ['0.00 %', '100.00 %'], volume: ['84.948 %', '99.904 %'] },
  { clip: 'bend-129', section: ['43.05 %', '100.00 %'], volume: ['93.853 %', '99.962 %'] },
  { clip: 'twist-90-bend-100', section: ['40.49 %', '100.00 %'], volume: ['92.457 %', '99.952 %'] },
];

/** A tab with the page, when it is ready; what it complains of is collected in tab.problems. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 960, height: 640 }, reducedMotion: 'reduce', ...options });
  const tab = await context.newPage();
  tab.problems = [];
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/ReadPixels/.test(message.text())) tab.problems.push(message.text());
  });
  tab.on('pageerror', (error) => tab.problems.push(String(error)));
  tab.on('requestfailed', (request) => tab.problems.push(`${request.url()} failed`));
  await tab.goto(url);
  await tab.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 120000 });
  return tab;
}

/** When the clip is measured and the picture drawn. */
export async function settled(tab) {
  await tab.waitForFunction(() => window.supplePage.scan()?.finished, null, { timeout: 120000 });
  await frames(tab, 3);
}

export const frames = (tab, count) => tab.evaluate(async (n) => {
  for (let i = 0; i < n; i++) await new Promise(requestAnimationFrame);
}, count);

export const cell = async (tab, id) => (await tab.locator(`#${id}`).textContent()) ?? '';
export const row = (tab, key) => Promise.all([cell(tab, `${key}-lbs`), cell(tab, `${key}-dqs`)]);
export const message = async (tab) => ((await tab.locator('#message').isHidden()) ? '' : cell(tab, 'message'));

/** Checks one of the facts: the clip's end, at the arm's second joint. */
export async function checkFact(tab, fact) {
  await tab.selectOption('#clip', { label: fact.clip });
  await tab.evaluate(() => {
    const time = document.getElementById('time');
    time.value = time.max;
    time.dispatchEvent(new Event('input'));
  });
  await tab.locator('#joint-0-1').click();
  await settled(tab);
  assert.deepEqual(await row(tab, 'section'), fact.section, `section of ${fact.clip}`);
  assert.deepEqual(await row(tab, 'volume'), fact.volume, `volume of ${fact.clip}`);
}

/** The picture as pixels, and how both halves differ: share of pixels, by rows from top to bottom in tenths. */
export async function halves(tab) {
  await frames(tab, 3);
  const png = (await tab.locator('#canvas').screenshot()).toString('base64');
  return tab.evaluate(async (text) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const { width, height } = image, half = Math.floor(width / 2), canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, width, height), tenths = new Array(10).fill(0);
    let differ = 0, red = [0, 0], drawn = 0;
    // From the labels down, and without the line between the halves.
    for (let y = 50; y < height; y++)
      for (let x = 4; x < half - 4; x++) {
        const a = (y * width + x) * 4, b = a + half * 4, background = (50 * width + 4) * 4;
        const far = (p, q) => Math.abs(data[p] - data[q]) + Math.abs(data[p + 1] - data[q + 1]) + Math.abs(data[p + 2] - data[q + 2]);
        if (far(a, b) > 40) differ++, tenths[Math.floor((y / height) * 10)]++;
        if (far(a, background) > 40) drawn++;
        [a, b].forEach((at, side) => (red[side] += data[at] > data[at + 2] + 60 && data[at] > data[at + 1] + 60 ? 1 : 0));
      }
    const all = (height - 50) * (half - 8);
    return { differ: differ / all, tenths: tenths.map((n) => n / all), red: red.map((n) => n / all), drawn: drawn / all };
  }, png);
}

/** The colours that points of the scene have in both halves: [left, right], [red, green, blue] a point. */
export async function colorsAt(tab, points) {
  await frames(tab, 3);
  const png = (await tab.locator('#canvas').screenshot({ style: '#message { visibility: hidden }' })).toString('base64');
  return tab.evaluate(async ([text, wanted]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${text}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true }), { camera } = window.supplePage.stage;
    context.drawImage(image, 0, 0);
    return [0, 1].map((half) => wanted.map((at) => {
      const { x, y } = camera.position.clone().set(...at).project(camera);
      return [...context.getImageData(Math.round(((x + 1) / 2 + half) * image.width / 2), Math.round(((1 - y) / 2) * image.height), 1, 1).data].slice(0, 3);
    }));
  }, [png, points]);
}

/** Whether colours are about those wanted, each half's. */
export const near = (found, wanted, far = 6) =>
  found.every((half) => half.every((color, i) => color.every((value, k) => Math.abs(value - wanted[i][k]) <= far)));

/** Drops files, [name, bytes] each, on the picture. */
export async function drop(tab, files) {
  await tab.evaluate((given) => {
    const transfer = new DataTransfer();
    for (const [name, text] of given) transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    for (const kind of ['dragenter', 'dragover', 'drop'])
      document.getElementById('canvas').dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
  }, files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));
}

/** Until the file is shown or refused; the message. */
export async function loaded(tab) {
  await frames(tab, 2);
  await tab.waitForFunction(() => !document.querySelector('main').hasAttribute('aria-busy'), null, { timeout: 60000 });
  return message(tab);
}

/** What axe-core has to say, as lines. */
export async function violations(tab) {
  await tab.evaluate(readFileSync(join(web, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  const { violations: found } = await tab.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
