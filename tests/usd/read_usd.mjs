// read_usd.mjs: .usda and .usdz files by tinyusdz and by three's USDLoader.
//
//   node read_usd.mjs NODE_MODULES REQUESTS.json
//
// A request is {file, tinyusdz: OUT.usda, seconds: [...]}. tinyusdz writes what it read to OUT.usda; three poses each
// skinned mesh by the first clip. Prints one JSON line a request.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, requests] = process.argv.slice(2);
const from = (...names) => import(pathToFileURL(path.resolve(modules, ...names)).href);

// tinyusdz's glue code is made for browsers
globalThis.window = globalThis.self = globalThis;
Object.defineProperty(process, 'type', { value: 'renderer' });
const wasmBinary = readFileSync(path.resolve(modules, 'tinyusdz', 'tinyusdz.wasm'));
const tiny = await (await from('tinyusdz', 'tinyusdz.js')).default({ wasmBinary, print() {}, printErr() {} });

// three's loader would fetch images
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {} }) };
const THREE = await from('three', 'build', 'three.module.js');

function byTinyusdz(request, data) {
  const scene = new tiny.TinyUSDZLoaderNative();
  const layer = new tiny.TinyUSDZLoaderNative();
  if (!scene.loadFromBinary(data, request.file)) return { error: scene.error() };
  if (!layer.loadAsLayerFromBinary(data, request.file)) return { error: layer.error() };
  writeFileSync(request.tinyusdz, layer.layerToString());
  const meshes = [];
  for (let i = 0; i < scene.numMeshes(); i++) {
    const mesh = scene.getMesh(i);
    meshes.push({ path: mesh.absPath, points: mesh.points.length / 3, faces: mesh.faceVertexCounts.length,
      texcoords: mesh.texcoords ? mesh.texcoords.length / 2 : 0 });
  }
  return { meshes };
}

function posed(mesh) {
  const positions = [];
  const point = new THREE.Vector3();
  for (let v = 0; v < mesh.geometry.attributes.position.count; v++) {
    mesh.getVertexPosition(v, point);
    mesh.localToWorld(point);
    positions.push(point.x, point.y, point.z);
  }
  return positions;
}

async function byThree(request, data) {
  const { USDLoader } = await from('three', 'examples', 'jsm', 'loaders', 'USDLoader.js');
  const packed = request.file.endsWith('.usdz');
  const group = new USDLoader().parse(packed ? data.buffer.slice(data.byteOffset, data.byteOffset + data.length) : data.toString('utf8'));
  const skinned = [], plain = [], materials = [];
  group.traverse((object) => {
    if (object.isSkinnedMesh) skinned.push(object);
    else if (object.isMesh) plain.push(object);
  });
  for (const mesh of [...skinned, ...plain]) {
    const material = [mesh.material].flat()[0];
    materials.push({ color: material.color.toArray(), roughness: material.roughness, metalness: material.metalness,
      map: Boolean(material.map) });
  }
  const result = { skinned: [], plain: plain.map((mesh) => mesh.geometry.attributes.position.count), materials,
    clips: group.animations.length, duration: group.animations[0]?.duration };
  for (const mesh of skinned)
    result.skinned.push({ name: mesh.name, bones: mesh.skeleton.bones.length,
      rest: Array.from(mesh.geometry.attributes.position.array), poses: [] });
  const mixer = new THREE.AnimationMixer(group);
  if (group.animations.length) {
    const action = mixer.clipAction(group.animations[0]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
  }
  for (const seconds of request.seconds) {
    mixer.setTime(seconds);
    group.updateMatrixWorld(true);
    skinned.forEach((mesh, i) => {
      mesh.skeleton.update();
      result.skinned[i].poses.push(posed(mesh));
    });
  }
  return result;
}

for (const request of JSON.parse(readFileSync(requests, 'utf8'))) {
  const data = readFileSync(request.file);
  const result = { tinyusdz: byTinyusdz(request, data) };
  try {
    result.three = await byThree(request, data);
  } catch (error) {
    result.three = { error: String(error.stack ?? error) };
  }
  console.log(JSON.stringify(result));
}
