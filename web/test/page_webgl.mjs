// page_webgl.mjs: in the page: positions that the GPU skins under three's WebGLRenderer against those of WebAssembly.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'meshoptimizer';
import { init } from 'supple-skin';
import { supple, SuppleInfluences } from 'supple-skin/three';
import { difference, matched, sampleClip } from './page_compare.mjs';

const WIDTH = 256;

/** Draws every vertex of a skinned mesh to a texel of its own: its position in the scene as the shader has it. */
export function readBack(renderer, mesh) {
  const count = mesh.geometry.getAttribute('position').count, height = Math.ceil(count / WIDTH);
  const target = new THREE.WebGLRenderTarget(WIDTH, height, { type: THREE.FloatType, minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter, depthBuffer: false });
  const material = new THREE.ShaderMaterial({
    vertexShader: `
      #include <common>
      #include <morphtarget_pars_vertex>
      #include <skinning_pars_vertex>
      out vec3 where;
      void main() {
        #include <begin_vertex>
        #include <morphtarget_vertex>
        #include <skinbase_vertex>
        #include <skinning_vertex>
        where = ( modelMatrix * vec4( transformed, 1.0 ) ).xyz;
        vec2 texel = vec2( float( gl_VertexID % ${WIDTH} ) + 0.5, float( gl_VertexID / ${WIDTH} ) + 0.5 );
        gl_Position = vec4( texel / vec2( ${WIDTH}.0, ${height}.0 ) * 2.0 - 1.0, 0.0, 1.0 );
        gl_PointSize = 1.0;
      }`,
    fragmentShader: 'in vec3 where; void main() { gl_FragColor = vec4( where, 1.0 ); }',
    depthTest: false,
    blending: THREE.NoBlending,
  });
  const scene = new THREE.Scene(), kept = mesh.material, geometry = mesh.geometry;
  // Points without indices: one fragment a vertex.
  const points = new THREE.SkinnedMesh(geometry.clone().setIndex(null), material);
  points.isMesh = false;
  points.isPoints = true;
  points.frustumCulled = false;
  points.skeleton = mesh.skeleton;
  points.bindMatrix.copy(mesh.bindMatrix);
  points.bindMatrixInverse.copy(mesh.bindMatrixInverse);
  points.morphTargetInfluences = mesh.morphTargetInfluences;
  points.matrixAutoUpdate = points.matrixWorldAutoUpdate = false;
  points.matrixWorld.copy(mesh.matrixWorld);
  scene.add(points);
  scene.matrixWorldAutoUpdate = false;
  renderer.setRenderTarget(target);
  renderer.setClearColor(0, 0);
  renderer.clear();
  renderer.render(scene, new THREE.OrthographicCamera());
  const pixels = new Float32Array(WIDTH * height * 4);
  renderer.readRenderTargetPixels(target, 0, 0, WIDTH, height, pixels);
  renderer.setRenderTarget(null);
  target.dispose();
  material.dispose();
  mesh.material = kept;
  const positions = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) positions.set(pixels.subarray(i * 4, i * 4 + 3), i * 3);
  return positions;
}

export default async function ({ urls, times }) {
  const native = await init();
  const renderer = new THREE.WebGLRenderer();
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
          const onGpu = readBack(renderer, mesh), onCpu = new Float32Array(expected.length), v = new THREE.Vector3();
          mesh.skeleton.update();
          for (let i = 0; i < expected.length / 3; i++) mesh.getVertexPosition(i, v).applyMatrix4(mesh.matrixWorld).toArray(onCpu, i * 3);
          rows.push({ url, method, time, instance, primitive, gpu: difference(onGpu, expected), cpu: difference(onCpu, expected),
            against: difference(expected, skinned[instance].deform(method === 'lbs' ? 'dqs' : 'lbs')[primitive].positions) });
        }
      }
      handle.dispose();
    }
    asset.free();
  }
  return rows;
}
