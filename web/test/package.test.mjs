// package.test.mjs: see tests/web/test_npm_package.py.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fixture, scratch } from './assets.mjs';
import { web } from './browser.mjs';

const folder = join(scratch, 'consumer'), modules = join(folder, 'node_modules');
let packed;

/** Packs the package, and puts it where a project of its own finds it. */
before(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(modules, 'supple-skin'), { recursive: true });
  const text = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: web, encoding: 'utf8' });
  const found = JSON.parse(text);
  packed = Array.isArray(found) ? found[0] : Object.values(found)[0];
  execFileSync('tar', ['xzf', join(folder, packed.filename), '-C', join(modules, 'supple-skin'), '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{"name": "consumer", "private": true, "type": "module"}');
});

test('what is packed', () => {
  const paths = packed.files.map(({ path }) => path);
  const modulesOf = ['codecs', 'index', 'native', 'polar', 'three', 'three-handle', 'three-influences', 'three-skeleton', 'three-webgpu'];
  const wanted = ['LICENSE', 'README.md', 'package.json', ...['supple', 'supple-simd', 'supple-tools'].map((name) => `dist/${name}.wasm`),
    ...modulesOf.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`])];
  assert.deepEqual(paths.sort(), wanted.sort());
  assert.ok(packed.size < 600e3, `${packed.size} bytes`);
  const { scripts = {}, dependencies, exports } = JSON.parse(readFileSync(join(web, 'package.json')));
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.ok(!(name in scripts), `there is a script ${name}`);
  assert.equal(dependencies, undefined);
  for (const entry of Object.values(exports))
    for (const path of typeof entry === 'string' ? [entry] : Object.values(entry)) assert.ok(paths.includes(path.slice(2)), path);
});

test('the modules are small', () => {
  const of = (name) => readFileSync(join(web, 'dist', `${name}.wasm`));
  const packed = { supple: gzipSync(of('supple'), { level: 9 }), 'supple-simd': gzipSync(of('supple-simd'), { level: 9 }),
    'supple-tools': brotliCompressSync(of('supple-tools')) };
  for (const [name, { length }] of Object.entries(packed)) {
    assert.ok(length < 150e3, `${name}: ${length} bytes`);
    for (const { module } of WebAssembly.Module.imports(new WebAssembly.Module(of(name)))) assert.equal(module, 'supple');
  }
});

const typescript = join(web, 'node_modules/typescript/bin/tsc');
const compile = (files, ...more) => spawnSync(process.execPath, [typescript, '--noEmit', '--strict', '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess', '--target', 'ES2022', '--module', 'NodeNext', '--moduleResolution', 'NodeNext', ...more, ...files],
{ cwd: folder, encoding: 'utf8' });

test('without three: the library runs and its types compile', () => {
  writeFileSync(join(folder, 'alone.ts'), `import { init, type Supple } from 'supple-skin';
export const positions = async (bytes: Uint8Array): Promise<Float32Array | undefined> => {
  const library: Supple = await init();
  return (await library.load(bytes)).skinned(0).deform('dqs')[0]?.positions;
};\n`);
  const { status, stdout } = compile(['alone.ts'], '--lib', 'ES2022,DOM', '--types', '');
  assert.equal(status, 0, stdout);
  writeFileSync(join(folder, 'alone.mjs'), `import { readFileSync } from 'node:fs';
import { init } from 'supple-skin';
const library = await init(), asset = await library.load(readFileSync(process.argv[2])), pose = asset.pose(), skinned = asset.skinned(0);
skinned.pose(pose);
process.stdout.write(library.isa + ' ' + skinned.deform('dqs')[0].positions.length);
await import('supple-skin/three').then(() => process.exit(3), (error) => process.exit(/three/.test(error.message) ? 0 : 4));\n`);
  const run = spawnSync(process.execPath, ['alone.mjs', fixture('ring')], { cwd: folder, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.equal(run.stdout, 'wasm 180');
});

test('with three: the types of all entries compile', () => {
  for (const name of ['three', '@types', '@webgpu']) symlinkSync(join(web, 'node_modules', name), join(modules, name));
  copyFileSync(join(web, 'test/consumer.ts'), join(folder, 'consumer.ts'));
  // Types of three's own are not looked into.
  const { status, stdout } = compile(['consumer.ts'], '--lib', 'ES2022,DOM,DOM.Iterable', '--types', '', '--skipLibCheck');
  assert.equal(status, 0, stdout);
});
