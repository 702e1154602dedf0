// api.test.mjs: see tests/web/test_api.py.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { init, SuppleError } from 'supple-skin';
import { corpus, fixture, hasCorpus, real, supple as native } from './assets.mjs';

const engines = await Promise.all([true, false].map((simd) => init({ simd })));

test('the module says what it is', () => {
  assert.deepEqual(engines.map((engine) => engine.isa), ['wasm', 'scalar']);
  assert.equal(engines[0].version, JSON.parse(readFileSync(new URL('../package.json', import.meta.url))).version);
});

/** What the native command computes, as float bits by primitive. */
function nativePositions(path, method, time) {
  const { primitives } = JSON.parse(native('skin', path, '--json', '--method', method, ...(time === null ? ['--rest'] : ['--clip', '#0', '--time', String(time)])));
  return primitives.map(({ positions }) => Float32Array.from(positions));
}

const files = [...['arm', 'ring', 'shear', 'tube'].map(fixture), ...real.map((path) => join(corpus, path))];
for (const path of files)
  test(`the bits of ${path.split('/').pop()} are the native command's`, async (t) => {
    try {
      nativePositions(path, 'lbs', null);
    } catch (error) {
      if (/which this build has not/.test(error.stderr)) return t.skip('the command was built without that decoder');
    }
    for (const engine of engines) {
      const asset = await engine.load(readFileSync(path)), pose = asset.pose();
      for (const time of asset.description.clips.length ? [null, 0.31, 1] : [null]) {
        if (time === null) pose.rest();
        else pose.sample(0, time);
        for (const method of ['lbs', 'dqs']) {
          const found = asset.description.instances.flatMap((_, i) => {
            const skinned = asset.skinned(i);
            skinned.pose(pose);
            const result = skinned.deform(method).filter((primitive) => primitive).map(({ positions }) => positions.slice());
            skinned.free();
            return result;
          });
          assert.deepEqual(found, nativePositions(path, method, time), `${method} at ${time}`);
        }
      }
      pose.free();
      asset.free();
    }
  });

test('the arm measures as the design says', async () => {
  const asset = await engines[0].load(readFileSync(fixture('arm'))), pose = asset.pose(), skinned = asset.skinned(0);
  const measure = skinned.measure();
  const facts = { 'twist-180': [0, 0.84948, 1, 0.99904], 'bend-129': [0.4305, 0.93853, 1, 0.99962],
    'twist-90-bend-100': [0.4049, 0.92457, 1, 0.99952] };
  for (const [name, [lbsSection, lbsVolume, dqsSection, dqsVolume]] of Object.entries(facts)) {
    const clip = asset.description.clips.findIndex((c) => c.name === name);
    pose.sample(clip, asset.description.clips[clip].end);
    skinned.pose(pose);
    skinned.deform('lbs');
    skinned.deform('dqs');
    const joint = measure.joints.findIndex((j) => j.sections[4] > 0);
    const lbs = measure.evaluate('lbs'), dqs = measure.evaluate('dqs');
    assert.ok(Math.abs(lbs.joints[joint].sections[4] - lbsSection) < 6e-5, name);
    assert.ok(Math.abs(dqs.joints[joint].sections[4] - dqsSection) < 6e-5, name);
    assert.ok(Math.abs(lbs.volume - lbsVolume) < 6e-6 && Math.abs(dqs.volume - dqsVolume) < 6e-6, name);
  }
  assert.ok(measure.deviation().largest > 0.01);
  assert.equal(measure.section(1, 4, 'bind').length, measure.joints[1].sections[4] * 3);
});

test('arrays of your own deform as the asset does', async () => {
  const asset = await engines[0].load(readFileSync(fixture('arm'))), pose = asset.pose(), skinned = asset.skinned(0);
  const source = asset.primitive(asset.description.instances[0].mesh, 0);
  const mesh = engines[0].mesh({ positions: source.positions.slice(), normals: source.normals.slice(),
    joints: source.joints.slice(), weights: source.weights.slice(), influenceCount: source.influenceCount, jointCount: 2 });
  pose.sample(0, 0.7);
  skinned.pose(pose);
  mesh.matrices.set(skinned.matrices);
  const expected = skinned.deform('dqs')[0], found = mesh.deform('dqs');
  assert.deepEqual(found.positions, expected.positions);
  assert.deepEqual(found.normals, expected.normals);
  mesh.matrices[5] = NaN;
  assert.throws(() => mesh.deform('dqs'), SuppleError);
});

test('arrays: normals by each way, or none', () => {
  const [engine] = engines, twist = (degrees) => {
    const c = Math.cos(degrees * Math.PI / 180), s = Math.sin(degrees * Math.PI / 180);
    return [2 * c, 0, s, 0, 0, 1, 0, 0, -2 * s, 0, c, 0]; // x is stretched first
  };
  const mesh = engine.mesh({ positions: [1, 0, 0, 0, 0, 1], normals: [0.6, 0, 0.8, 0, 0, 1], joints: [0, 0, 0, 0], weights: [1, 0, 1, 0],
    influenceCount: 2, jointCount: 1 });
  mesh.matrices.set(twist(90));
  const near = (found, wanted) => found.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-6, `${found}, not ${wanted}`));
  const normals = (mode) => mesh.deform('dqs', { normals: mode }).normals.slice(0, 3);
  near(mesh.deform('lbs').positions, [0, 0, -2, 1, 0, 0]);
  near(normals('linear'), [0.8, 0, -1.2]);
  near(normals('unit'), [0.8 / Math.hypot(0.8, 1.2), 0, -1.2 / Math.hypot(0.8, 1.2)]);
  near(normals('cofactor'), [0.8 / Math.hypot(0.8, 0.3), 0, -0.3 / Math.hypot(0.8, 0.3)]);
  assert.equal(mesh.deform('dqs', { normals: false }).normals, null);
  mesh.free();
});

test('SIMD and scalar give the same bits, however many joints are near', () => {
  let state = 1;
  const draw = (low, high) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + (high - low) * state / 2 ** 32;
  };
  const jointCount = 24, vertices = 16 * 12 + 5, some = (count, low, high) => Float32Array.from({ length: count }, () => draw(low, high));
  for (const [influenceCount, near] of [[1, 1], [1, 4], [2, 2], [3, 3], [4, 4], [4, 5], [4, 6], [4, 7], [5, 9], [13, 12], [4, 24]]) {
    const joints = Uint16Array.from({ length: vertices * influenceCount },
      (_, i) => (Math.floor(i / influenceCount / 40) + Math.floor(draw(0, near))) % jointCount);
    const source = { positions: some(3 * vertices, -1, 1), normals: some(3 * vertices, -1, 1), tangents: some(4 * vertices, -1, 1),
      joints, weights: some(joints.length, 0, 1), influenceCount, jointCount };
    // Some are zeros of the other sign.
    const matrices = some(12 * jointCount, -1, 1).map((number, i) => (i % 12 > 6 && i % 5 === 0 ? -0 : number));
    for (const [method, normals, tangents] of ['lbs', 'dqs'].flatMap((m) => [[m, false], [m, 'cofactor'], [m, 'unit'], [m, 'linear'], [m, 'cofactor', true]])) {
      const found = engines.map((engine) => {
        const mesh = engine.mesh({ ...source, tangents: tangents ? source.tangents : undefined });
        mesh.matrices.set(matrices);
        const all = Object.values(mesh.deform(method, { normals })).map((numbers) => numbers && new Uint32Array(numbers.slice().buffer));
        mesh.free();
        return all;
      });
      assert.deepEqual(found[0], found[1], `${influenceCount} of ${near}, ${method}, ${normals}`);
    }
  }
});

test('wrong use is an error that says what is wrong', async () => {
  const [engine] = engines, asset = await engine.load(readFileSync(fixture('ring'))), pose = asset.pose(), skinned = asset.skinned(0);
  const other = await engine.load(readFileSync(fixture('ring'))), measure = skinned.measure(), ok = { positions: [0, 0, 0], joints: [0], weights: [1], influenceCount: 1, jointCount: 1 };
  const cases = [[() => asset.skinned(7), /no instance 7: the asset has 1/], [() => pose.sample(3, 0), /no clip 3: the asset has 1/],
    [() => pose.sample(0, NaN), /NaN seconds/], [() => pose.useLocal(99), /no node 99/], [() => skinned.pose(other.pose()), /another asset/],
    [() => skinned.deform('cubic'), /'cubic': one of lbs, dqs/], [() => measure.evaluate('cubic'), /cubic/], [() => measure.kept('lbs', 9), /no primitive 9/],
    [() => asset.primitive(0, 9), /no primitive 9/], [() => asset.skinned(0, { scale: 'half' }), /half/],
    [() => engine.mesh({ ...ok, normals: [0, 1] }), /normals has 2 elements, not 3/], [() => engine.mesh({ ...ok, positions: [0, 0] }), /positions has 2/],
    [() => engine.mesh({ ...ok, weights: [1, 1] }), /weights has 2/], [() => engine.mesh({ ...ok, weights: [NaN] }), SuppleError],
    [() => engine.mesh({ ...ok, joints: [5] }).deform(), SuppleError], [() => engine.mesh(ok).deform('dqs', { normals: 'odd' }), /odd/]];
  for (const [run, message] of cases)
    assert.throws(run, (error) => error instanceof SuppleError && (message === SuppleError || message.test(error.message)), String(run));
  assert.equal(measure.section(99, 4, 'lbs').length, 0);
});

test('broken files give a message with a place', async () => {
  await assert.rejects(engines[0].load(new TextEncoder().encode('{"asset":{"version":"2.0"},"skins":[{}]}')),
    (error) => error instanceof SuppleError && error.pointer.startsWith('/skins/0') && error.message.length > 10);
  await assert.rejects(engines[0].load(new Uint8Array(0)), SuppleError);
  await assert.rejects(engines[0].load(new TextEncoder().encode('{"asset":')), /byte|end/);
});

test('files of their own are given by name', { skip: !hasCorpus }, async () => {
  const path = join(corpus, 'khronos/SimpleSkin/glTF/SimpleSkin.gltf'), data = readFileSync(path);
  await assert.rejects(engines[0].load(data), /was not given/);
  const files = Object.fromEntries(JSON.parse(data).buffers.map(({ uri }) => [uri, readFileSync(join(dirname(path), uri))]));
  const asset = await engines[0].load(data, { files });
  assert.equal(asset.description.instances.length, 1);
});

test('Draco is decoded', { skip: !hasCorpus }, async () => {
  const path = join(corpus, 'khronos/RiggedSimple/glTF-Draco/RiggedSimple.gltf'), data = readFileSync(path);
  const files = Object.fromEntries(JSON.parse(data).buffers.map(({ uri }) => [uri, readFileSync(join(dirname(path), uri))]));
  const asset = await engines[0].load(data, { files });
  assert.equal(asset.primitive(0, 0).vertexCount, 160);
});

test('check and fix', { skip: !hasCorpus }, async () => {
  const data = readFileSync(join(corpus, 'threejs-models/RobotExpressive.glb'));
  const before = await engines[0].check(data);
  const wrong = (report) => report.findings.filter((f) => f.code === 'ACCESSOR_WEIGHTS_NON_NORMALIZED');
  assert.ok(before.loads && wrong(before).length > 0);
  const { data: fixed, report } = await engines[0].fix(data);
  assert.ok(report.actions.length > 0 && report.largestShare < 1e-6);
  assert.ok(report.moments > 0 && report.comparedMoments === report.moments && !report.incomplete);
  assert.equal(wrong(await engines[0].check(fixed)).length, 0);
});

test('memory comes back', async () => {
  const data = readFileSync(fixture('tube')), [, engine] = engines;
  const once = async () => {
    const asset = await engine.load(data), pose = asset.pose(), skinned = asset.skinned(0), measure = skinned.measure();
    skinned.pose(pose);
    skinned.deform('dqs');
    measure.evaluate('dqs');
    asset.free(); // what was made of it lives on
    measure.free();
    skinned.free();
    pose.free();
    assert.throws(() => skinned.deform(), /after free/);
  };
  await once();
  const size = engine.native.exports.memory.buffer.byteLength;
  for (let i = 0; i < 100; i++) await once();
  assert.equal(engine.native.exports.memory.buffer.byteLength, size);
});
