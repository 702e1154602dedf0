// skinners.mjs: the contestants: three.js, Babylon.js, a loop over typed arrays, and the WebAssembly of web/, on the tube
// of `supple bench`; their results are compared with the definition in double precision, then they are timed.
import { Bone, BufferGeometry, Float32BufferAttribute, Matrix4, Quaternion, REVISION, Skeleton, SkinnedMesh,
  Uint16BufferAttribute, Vector3, Vector4 } from 'three';
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

// ---- the definitions, in double precision ----

const turned = (m, [x, y, z], last) => [0, 1, 2].map(r => m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r] * last);

function linear(tube, matrices, v, vector, last) {
  const out = [0, 0, 0];
  for (let i = 0; i < SLOTS; i++) {
    const moved = turned(matrices[tube.joints[SLOTS * v + i]].elements, vector, last), w = tube.weights[SLOTS * v + i];
    for (let r = 0; r < 3; r++) out[r] += w * moved[r];
  }
  return out;
}

// vec( (sum of w p q) r* ) / |r|^2, with r = the sum of w q, p what a joint makes of the vector: all joints are rigid.
function dual(tube, matrices, v, vector, last) {
  const r = new Quaternion(0, 0, 0, 0), sum = new Quaternion(0, 0, 0, 0), one = new Quaternion(), pivot = new Quaternion();
  for (let i = 0; i < SLOTS; i++) {
    const m = matrices[tube.joints[SLOTS * v + i]], [x, y, z] = turned(m.elements, vector, last);
    one.setFromRotationMatrix(m);
    if (i === 0) pivot.copy(one);
    const w = tube.weights[SLOTS * v + i] * (one.dot(pivot) < 0 ? -1 : 1);
    const image = new Quaternion(x, y, z, 0).multiply(one);
    for (const k of ['x', 'y', 'z', 'w']) {
      r[k] += w * one[k];
      sum[k] += w * image[k];
    }
  }
  const squared = r.dot(r);
  sum.multiply(new Quaternion(-r.x, -r.y, -r.z, r.w));
  return [sum.x / squared, sum.y / squared, sum.z / squared];
}

// A normal by the cofactors of the map's linear part.
function byCofactors(define, tube, matrices, v, n) {
  const [x, y, z] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(axis => new Vector3(...define(tube, matrices, v, axis, 0)));
  return new Vector3().crossVectors(y, z).multiplyScalar(n[0]).addScaledVector(new Vector3().crossVectors(z, x), n[1])
    .addScaledVector(new Vector3().crossVectors(x, y), n[2]).normalize().toArray();
}

function verify({ name, method, kind, positions, normals }, tube, matrices) {
  const define = method === 'dqs' ? dual : linear, outPositions = positions(), outNormals = normals();
  for (let v = 0; v < tube.count; v += 7) {
    const rest = tube.positions.subarray(3 * v, 3 * v + 3), normal = tube.normals.subarray(3 * v, 3 * v + 3);
    const position = define(tube, matrices, v, rest, 1);
    const along = kind === 'cofactor' ? byCofactors(define, tube, matrices, v, normal) : define(tube, matrices, v, normal, 0);
    for (let r = 0; r < 3; r++) {
      const off = Math.abs(outPositions[3 * v + r] - position[r]) / 64;
      const offNormal = outNormals ? Math.abs(outNormals[3 * v + r] - along[r]) : 0;
      if (!(off < 1e-5 && offNormal < 1e-4)) throw new Error(`${name}: vertex ${v} is off by ${off}, ${offNormal}`);
    }
  }
}

// ---- the contestants ----

// Positions by getVertexPosition; normals, if asked for, by the same way with a fourth component of 0.
function threeSkinner(tube, matrices, withNormals) {
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
  const out = new Float32Array(3 * tube.count), outNormals = withNormals ? new Float32Array(3 * tube.count) : null;
  const vertex = new Vector3(), normal = new Vector4();
  return { name: 'three.js', method: 'lbs', streams: withNormals ? 'pn' : 'p', kind: withNormals ? 'linear' : null,
    positions: () => out, normals: () => outNormals, run() {
      for (let v = 0; v < tube.count; v++) {
        mesh.getVertexPosition(v, vertex);
        out[3 * v] = vertex.x;
        out[3 * v + 1] = vertex.y;
        out[3 * v + 2] = vertex.z;
        if (!withNormals) continue;
        normal.set(tube.normals[3 * v], tube.normals[3 * v + 1], tube.normals[3 * v + 2], 0);
        mesh.applyBoneTransform(v, normal);
        outNormals[3 * v] = normal.x;
        outNormals[3 * v + 1] = normal.y;
        outNormals[3 * v + 2] = normal.z;
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
  return { name: 'Babylon.js', method: 'lbs', streams: 'pn', kind: 'linear', run() {
    mesh.geometry._softwareSkinningFrameId = -1; // it skins once a frame
    mesh.applySkeleton(skeleton);
  }, positions: () => mesh.getVerticesData(VertexBuffer.PositionKind),
  normals: () => mesh.getVerticesData(VertexBuffer.NormalKind) };
}

// What one writes by hand: a matrix blended for each vertex, numbers in typed arrays, nothing allocated.
function typedLoop({ count, positions, normals, weights, joints }, numbers, outPositions, outNormals) {
  for (let v = 0; v < count; v++) {
    let a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0;
    for (let slot = v * SLOTS, end = slot + SLOTS; slot < end; slot++) {
      const w = weights[slot];
      if (w === 0) continue;
      const m = joints[slot] * 12;
      a += w * numbers[m];
      b += w * numbers[m + 1];
      c += w * numbers[m + 2];
      d += w * numbers[m + 3];
      e += w * numbers[m + 4];
      f += w * numbers[m + 5];
      g += w * numbers[m + 6];
      h += w * numbers[m + 7];
      i += w * numbers[m + 8];
      j += w * numbers[m + 9];
      k += w * numbers[m + 10];
      l += w * numbers[m + 11];
    }
    const at = v * 3, x = positions[at], y = positions[at + 1], z = positions[at + 2];
    const nx = normals[at], ny = normals[at + 1], nz = normals[at + 2];
    outPositions[at] = a * x + b * y + c * z + d;
    outPositions[at + 1] = e * x + f * y + g * z + h;
    outPositions[at + 2] = i * x + j * y + k * z + l;
    outNormals[at] = a * nx + b * ny + c * nz;
    outNormals[at + 1] = e * nx + f * ny + g * nz;
    outNormals[at + 2] = i * nx + j * ny + k * nz;
  }
}

// Three rows of four a joint.
function rowsOf(matrices, out) {
  matrices.forEach(({ elements }, joint) => {
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++) out[12 * joint + 4 * row + column] = elements[4 * column + row];
  });
}

function typedSkinner(tube, matrices) {
  const numbers = new Float32Array(12 * JOINTS), positions = new Float32Array(3 * tube.count), normals = new Float32Array(3 * tube.count);
  rowsOf(matrices, numbers);
  return { name: 'typed arrays', method: 'lbs', streams: 'pn', kind: 'linear', positions: () => positions, normals: () => normals,
    run: () => typedLoop(tube, numbers, positions, normals) };
}

// The matrices are taken and the joints prepared in every run, as in every frame.
function wasmSkinner(library, tube, matrices, method, kind) {
  const mesh = library.mesh({ ...tube, influenceCount: SLOTS, jointCount: JOINTS });
  let out;
  return { name: `supple (${library.isa === 'wasm' ? 'WebAssembly, SIMD' : 'WebAssembly, scalar'})`, method, streams: kind ? 'pn' : 'p', kind: kind || null,
    positions: () => out.positions, normals: () => out.normals, free: () => mesh.free(), run() {
      rowsOf(matrices, mesh.matrices);
      out = mesh.deform(method, { normals: kind });
    } };
}

function timeAll(skinners, count, rounds, clock, choose) {
  const times = skinners.map(() => []), runs = Math.max(1, Math.ceil(40000 / count));
  for (let round = 0; round <= rounds; round++)
    skinners.forEach((skinner, i) => {
      // Fast ones run longer, so that the clock's steps do not matter.
      const more = runs * (skinner.name.startsWith('supple') ? 8 : skinner.name === 'typed arrays' ? 2 : 1);
      const begin = clock();
      for (let run = 0; run < more; run++) skinner.run();
      if (round > 0) times[i].push((clock() - begin) / more / count);
    });
  return times.map(list => choose(list.sort((a, b) => a - b)));
}

/** Rows as `supple bench --json` has them. `libraries`: of web/, one for each module; `clock` gives nanoseconds, `choose` one
 * of the times in ascending order. */
export function measure({ libraries, counts, rounds, clock, choose }) {
  Logger.LogLevels = Logger.NoneLogLevel; // it tells its version on stdout, where the rows go
  const engine = new NullEngine(), scene = new Scene(engine), matrices = poseMatrices(), rows = [];
  for (const count of counts) {
    const tube = makeTube(count);
    const skinners = [threeSkinner(tube, matrices, false), threeSkinner(tube, matrices, true),
      babylonSkinner(tube, matrices, scene), typedSkinner(tube, matrices)];
    for (const library of libraries) {
      const kinds = [['lbs', false], ['lbs', 'linear'], ['lbs', 'cofactor'], ['dqs', 'linear'], ['dqs', 'cofactor']];
      skinners.push(...kinds.map(([method, kind]) => wasmSkinner(library, tube, matrices, method, kind)));
    }
    for (const skinner of skinners) {
      skinner.run();
      verify(skinner, tube, matrices);
    }
    timeAll(skinners, count, rounds, clock, choose).forEach((ns, i) => rows.push({
      contestant: skinners[i].name, method: skinners[i].method, isa: /SIMD/.test(skinners[i].name) ? 'wasm' : 'scalar',
      mesh: 'coherent', vertices: count, influences: SLOTS, streams: skinners[i].streams, normals: skinners[i].kind,
      scale: 'rigid', pose: 'small', input: 'user', threads: 1, ns: Number(ns.toFixed(3)), copy_share: null }));
    for (const skinner of skinners) skinner.free?.();
  }
  engine.dispose();
  return { versions: `three.js ${REVISION}, Babylon.js ${Engine.Version}`, rows };
}

/** How often faster: goals of docs/performance.md. */
export function ratios(rows) {
  const find = (vertices, test) => rows.find(row => row.vertices === vertices && test(row))?.ns;
  const most = Math.max(...rows.map(row => row.vertices)), supple = (method, normals) =>
    find(most, row => row.isa === 'wasm' && row.method === method && row.normals === normals);
  const by = (name, streams) => find(most, row => row.contestant === name && row.streams === streams);
  const lbs = supple('lbs', 'linear'), loop = by('typed arrays', 'pn');
  return [['LBS with normals against three.js, positions alone', by('three.js', 'p') / lbs, 30],
    ['LBS against three.js, positions alone', by('three.js', 'p') / supple('lbs', null), 30],
    ['LBS against three.js', by('three.js', 'pn') / lbs, 30], ['LBS against Babylon.js', by('Babylon.js', 'pn') / lbs, 25],
    ['LBS against typed arrays', loop / lbs, 5], ['DQS against LBS by typed arrays', loop / supple('dqs', 'linear'), 4]];
}
