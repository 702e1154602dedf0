// skin.mjs: the CPU skinning of three.js and Babylon.js on the tube of `supple bench`, verified, then timed.
//
//   npm ci --ignore-scripts && node skin.mjs [--quick]
//
// Prints rows as `supple bench --json` does; ns are medians of the process's CPU time.
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { Bone, BufferGeometry, Float32BufferAttribute, Matrix4, Quaternion, REVISION, Skeleton, SkinnedMesh,
  Uint16BufferAttribute, Vector3 } from 'three';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Engine } from '@babylonjs/core/Engines/engine.js';
import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { Scene } from '@babylonjs/core/scene.js';

const JOINTS = 64, SLOTS = 4, AROUND = 32;

// Knuth's 64-bit generator, so that every run has the same pose.
function generator(seed) {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 33n) / 2147483647 * 2 - 1;
  };
}

// A chain along Y, each joint turned by up to 0.3 rad against the one before it.
function poseMatrices() {
  const draw = generator(2), world = new Matrix4(), matrices = [];
  for (let j = 0; j < JOINTS; j++) {
    const axis = new Vector3(draw(), draw(), draw()).normalize();
    const local = new Matrix4().compose(new Vector3(0, j > 0 ? 1 : 0, 0),
      new Quaternion().setFromAxisAngle(axis, 0.3 * draw()), new Vector3(1, 1, 1));
    world.multiply(local);
    matrices.push(world.clone().multiply(new Matrix4().makeTranslation(0, -j, 0)));
  }
  return matrices;
}

function makeTube(count) {
  const positions = new Float32Array(3 * count), normals = new Float32Array(3 * count);
  const weights = new Float32Array(SLOTS * count), joints = new Uint16Array(SLOTS * count);
  const rings = Math.floor((count - 1) / AROUND) + 1;
  for (let v = 0; v < count; v++) {
    const along = Math.floor(v / AROUND) / rings * (JOINTS - SLOTS + 1), first = Math.floor(along);
    const angle = 2 * Math.PI * (v % AROUND) / AROUND, middle = along - first + 1;
    normals.set([Math.cos(angle), 0, Math.sin(angle)], 3 * v);
    positions.set([0.8 * Math.cos(angle), along + 1, 0.8 * Math.sin(angle)], 3 * v);
    const exact = [0, 1, 2, 3].map(i => Math.max(1 - ((i - middle) / 2) ** 2, 0) ** 2 + 0.001);
    const sum = exact.reduce((a, b) => a + b);
    for (let i = 0; i < SLOTS; i++) {
      weights[SLOTS * v + i] = exact[i] / sum;
      joints[SLOTS * v + i] = first + i;
    }
  }
  return { count, positions, normals, weights, joints };
}

// The definition, in double precision.
function reference(tube, matrices, v, vector, last) {
  const out = [0, 0, 0];
  for (let i = 0; i < SLOTS; i++) {
    const m = matrices[tube.joints[SLOTS * v + i]].elements, w = tube.weights[SLOTS * v + i];
    for (let r = 0; r < 3; r++)
      out[r] += w * (m[r] * vector[0] + m[4 + r] * vector[1] + m[8 + r] * vector[2] + m[12 + r] * last);
  }
  return out;
}

function verify(name, tube, matrices, outPositions, outNormals) {
  for (let v = 0; v < tube.count; v += 7) {
    const rest = tube.positions.subarray(3 * v, 3 * v + 3), normal = tube.normals.subarray(3 * v, 3 * v + 3);
    const position = reference(tube, matrices, v, rest, 1), turned = reference(tube, matrices, v, normal, 0);
    const length = Math.hypot(...turned);
    for (let r = 0; r < 3; r++) {
      const off = Math.abs(outPositions[3 * v + r] - position[r]) / 64;
      const offNormal = outNormals ? Math.min(Math.abs(outNormals[3 * v + r] - turned[r]),
        Math.abs(outNormals[3 * v + r] - turned[r] / length)) : 0;
      if (!(off < 1e-5 && offNormal < 1e-4)) throw new Error(`${name}: vertex ${v} is off by ${off}, ${offNormal}`);
    }
  }
}

function threeSkinner(tube, matrices) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(tube.positions, 3));
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute(tube.joints, SLOTS));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(tube.weights, SLOTS));
  const mesh = new SkinnedMesh(geometry), bones = matrices.map(m => {
    const bone = new Bone();
    bone.matrixWorld.copy(m);
    return bone;
  });
  mesh.bind(new Skeleton(bones, matrices.map(() => new Matrix4())), new Matrix4());
  const out = new Float32Array(3 * tube.count), vertex = new Vector3();
  return { name: 'three.js', streams: 'p', positions: () => out, normals: () => null, run() {
    for (let v = 0; v < tube.count; v++) {
      mesh.getVertexPosition(v, vertex);
      out[3 * v] = vertex.x;
      out[3 * v + 1] = vertex.y;
      out[3 * v + 2] = vertex.z;
    }
  } };
}

function babylonSkinner(tube, matrices, scene) {
  const mesh = new Mesh('tube', scene);
  mesh.setVerticesData(VertexBuffer.PositionKind, tube.positions.slice(), true);
  mesh.setVerticesData(VertexBuffer.NormalKind, tube.normals.slice(), true);
  mesh.setVerticesData(VertexBuffer.MatricesIndicesKind, new Float32Array(tube.joints), false);
  mesh.setVerticesData(VertexBuffer.MatricesWeightsKind, tube.weights, false);
  const packed = new Float32Array(16 * JOINTS);
  matrices.forEach((m, j) => packed.set(m.elements, 16 * j));
  const skeleton = { getTransformMatrices: () => packed };
  return { name: 'Babylon.js', streams: 'pn', run() {
    mesh.geometry._softwareSkinningFrameId = -1; // it skins once a frame
    mesh.applySkeleton(skeleton);
  }, positions: () => mesh.getVerticesData(VertexBuffer.PositionKind),
  normals: () => mesh.getVerticesData(VertexBuffer.NormalKind) };
}

function cpuNanoseconds() {
  const used = process.cpuUsage();
  return 1000 * (used.user + used.system);
}

function timeAll(skinners, count, rounds) {
  const times = skinners.map(() => []);
  const runs = Math.max(1, Math.ceil(40000 / count));
  for (let round = 0; round <= rounds; round++)
    skinners.forEach((skinner, i) => {
      const begin = cpuNanoseconds();
      for (let run = 0; run < runs; run++) skinner.run();
      if (round > 0) times[i].push((cpuNanoseconds() - begin) / runs / count);
    });
  return times.map(list => list.sort((a, b) => a - b)[list.length >> 1]);
}

const quick = process.argv.includes('--quick');
Logger.LogLevels = Logger.NoneLogLevel; // it tells its version on stdout, where the rows go
const started = performance.now(), engine = new NullEngine(), scene = new Scene(engine), rows = [];
const matrices = poseMatrices();
for (const count of quick ? [10000] : [10000, 100000]) {
  const tube = makeTube(count);
  const skinners = [threeSkinner(tube, matrices), babylonSkinner(tube, matrices, scene)];
  for (const skinner of skinners) {
    skinner.run();
    verify(skinner.name, tube, matrices, skinner.positions(), skinner.normals());
  }
  timeAll(skinners, count, quick ? 5 : 15).forEach((ns, i) => rows.push({
    contestant: skinners[i].name, method: 'lbs', isa: 'scalar', mesh: 'coherent', vertices: count, influences: SLOTS,
    streams: skinners[i].streams, normals: i ? 'unit' : null, scale: 'rigid', pose: 'small', input: 'user',
    threads: 1, ns: Number(ns.toFixed(3)), copy_share: null }));
}
const compiler = `node ${process.version}, three.js ${REVISION}, Babylon.js ${Engine.Version}`;
process.stdout.write(JSON.stringify({ machine: os.cpus()[0].model, compiler, rows }, null, 2) + '\n');
console.error(`${((performance.now() - started) / 1000).toFixed(1)} s`);
engine.dispose();
