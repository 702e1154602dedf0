// skin.mjs: the CPU skinning of three.js, Babylon.js, a typed-array loop and web/'s WebAssembly, verified, then timed.
//
//   npm ci --ignore-scripts && node skin.mjs [--quick] [--chromium] [--goals]
//
// Prints rows as `supple bench --json` does, or with --goals how often faster. In node ns are medians of the process's CPU
// time; in Chromium (with web/'s node_modules) the best round on the wall clock. web/dist is built by `node web/build.mjs`;
// without it the rows are those of the others.
import { existsSync } from 'node:fs';
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const dist = new URL('../../web/dist/index.js', import.meta.url), built = existsSync(fileURLToPath(dist));
const quick = process.argv.includes('--quick'), started = performance.now();
const plan = { counts: quick ? [10000] : [10000, 100000], rounds: quick ? 5 : 15 };
if (!built) console.error('web/dist is missing (node web/build.mjs): WebAssembly is left out');

async function inNode() {
  const { measure } = await import('./skinners.mjs');
  const libraries = [];
  if (built) {
    const { init } = await import(dist);
    libraries.push(await init({ simd: true }), await init({ simd: false }));
  }
  const clock = () => {
    const used = process.cpuUsage();
    return 1000 * (used.user + used.system);
  };
  return { ...measure({ ...plan, libraries, clock, choose: list => list[list.length >> 1] }), engine: `node ${process.version}` };
}

async function inChromium() {
  const { launch, serve } = await import('../../web/test/browser.mjs');
  const server = await serve({ '/bench': fileURLToPath(new URL('.', import.meta.url)) }), browser = await launch();
  try {
    const tab = await browser.newPage();
    await tab.route('**/blank', route => route.fulfill({ contentType: 'text/html', body: `<script type="importmap">{"imports": {
      "three": "/bench/node_modules/three/build/three.module.js",
      "@babylonjs/core/": "/bench/node_modules/@babylonjs/core/"}}</script>` }));
    await tab.goto(server.url + '/blank');
    const result = await tab.evaluate(async ([given, withLibrary]) => {
      const { measure } = await import('/bench/skinners.mjs'), libraries = [];
      if (withLibrary) {
        const { init } = await import('/dist/index.js');
        libraries.push(await init({ simd: true }), await init({ simd: false }));
      }
      return measure({ ...given, libraries, clock: () => performance.now() * 1e6, choose: list => list[0] });
    }, [plan, built]);
    return { ...result, engine: `Chromium ${browser.version()}` };
  } finally {
    await browser.close();
    server.close();
  }
}

const { rows, versions, engine } = await (process.argv.includes('--chromium') ? inChromium() : inNode());
if (process.argv.includes('--goals')) {
  const { ratios } = await import('./skinners.mjs');
  console.log(`${os.cpus()[0].model}, ${engine}, ${versions}`);
  for (const row of rows)
    console.log(`${row.ns.toFixed(2).padStart(9)} ns  ${row.vertices} vertices  ${row.contestant}  ${row.method}  ${row.normals ?? 'positions alone'}`);
  for (const [name, factor, goal] of ratios(rows))
    console.log(`${factor.toFixed(1).padStart(6)} ×  ${name}, goal ${goal}: ${factor >= goal ? 'met' : 'MISSED'}`);
} else {
  process.stdout.write(JSON.stringify({ machine: os.cpus()[0].model, compiler: `${engine}, ${versions}`, rows }, null, 2) + '\n');
}
console.error(`${((performance.now() - started) / 1000).toFixed(1)} s`);
