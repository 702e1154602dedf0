// page_webgpu.mjs: in the page: positions that the GPU skins under three's WebGPURenderer against those of WebAssembly.
import * as THREE from 'three/webgpu';
import { float, int, modelWorldMatrix, positionLocal, varying, vec2, vec4, vertexIndex } from 'three/tsl';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'meshoptimizer';
import { init } from 'supple-skin';
import { supple, SuppleInfluences } from 'supple-skin/three-webgpu';
import { difference, matched, sampleClip } from './page_compare.mjs';

const WIDTH = 256;

/** Draws every vertex of a skinned mesh to a texel of its own: its position in the scene as the shader has it. */
async function readBack(renderer, mesh) {
  const count = mesh.geometry.getAttribute('position').count, height = Math.ceil(count / WIDTH);
  const target = new THREE.RenderTarget(WIDTH, height, { type: THREE.FloatType, minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter, depthBuffer: false });
  const material = new THREE.MeshBasicNodeMaterial({ depthTest: false, blending: THREE.NoBlending });
  const i = int(vertexIndex);
  const texel = vec2(float(i.mod(WIDTH)).add(0.5), float(i.div(WIDTH)).add(0.5)).div(vec2(WIDTH, height));
  // Rows count from the top in WebGPU, from below in WebGL.
  const up = renderer.backend.isWebGPUBackend ? -1 : 1;
  material.vertexNode = vec4(texel.mul(2).sub(1).mul(vec2(1, up)), 0, 1);
  material.fragmentNode = vec4(varying(modelWorldMatrix.mul(vec4(positionLocal, 1)).xyz), 1);
  const points = new THREE.SkinnedMesh(mesh.geometry.clone().setIndex(null), material);
  points.isMesh = false;
  points.isPoints = true;
  points.frustumCulled = false;
  points.skeleton = mesh.skeleton;
  points.bindMatrix.copy(mesh.bindMatrix);
  points.bindMatrixInverse.copy(mesh.bindMatrixInverse);
  points.morphTargetInfluences = mesh.morphTargetInfluences;
  points.matrixAutoUpdate = points.matrixWorldAutoUpdate = false;
  points.matrixWorld.copy(mesh.matrixWorld);
  const scene = new THREE.Scene();
  scene.add(points);
  scene.matrixWorldAutoUpdate = false;
  renderer.setRenderTarget(target);
  // Skeletons are updated once a frame, which the browser's animation frames count.
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  renderer.render(scene, new THREE.OrthographicCamera());
  const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, WIDTH, height);
  renderer.setRenderTarget(null);
  target.dispose();
  material.dispose();
  const positions = new Float32Array(count * 3);
  for (let v = 0; v < count; v++) positions.set(pixels.subarray(v * 4, v * 4 + 3), v * 3);
  return positions;
}

export default async function ({ urls, times, forceWebGL }) {
  const native = await init();
  const renderer = new THREE.WebGPURenderer({ forceWebGL });
  await renderer.init();
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).register((parser) => new SuppleInfluences(parser));
  const rows = [];
  for (const url of urls) {
    const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
    const asset = await native.load(bytes), pose = asset.pose();
    const gltf = await loader.parseAsync(bytes.slice().buffer, '');
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const skinned = asset.description.instances.map((_, i) => asset.skinned(i, { rigidTolerance: -1 }));
    for (const method of ['dqs', 'lbs']) {
      const handle = supple(gltf.scene, { method });
      for (const time of times) {
        sampleClip(mixer, gltf, time);
        if (asset.description.clips.length) pose.sample(0, time);
        for (const { mesh, instance, primitive } of matched(gltf, asset)) {
          skinned[instance].pose(pose);
          const expected = skinned[instance].deform(method)[primitive].positions.slice();
          rows.push({ url, method, time, instance, primitive, gpu: difference(await readBack(renderer, mesh), expected),
            backend: renderer.backend.isWebGPUBackend ? 'webgpu' : 'webgl2' });
        }
      }
      handle.dispose();
    }
    asset.free();
  }
  return rows;
}
