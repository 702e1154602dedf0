// page_plugin_webgpu.mjs: in the page: what supple() does under three's WebGPURenderer, one check by name.
import * as THREE from 'three/webgpu';
import { attribute, cameraProjectionMatrix, cameraViewMatrix, mrt, output, positionLocal, varying, vec4, velocity } from 'three/tsl';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { init } from 'supple-skin';
import { arm, armBones, armGeometry, assert, assertLike, camera, differing, expected, same, SIZE, turn } from './page_arm.mjs';

let library, supple, renderer;

// Skeletons are updated once a frame, which the browser's animation frames count.
const frame = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));

async function makeRenderer(forceWebGL) {
  const made = new THREE.WebGPURenderer({ antialias: false, forceWebGL });
  made.setSize(SIZE, SIZE);
  made.shadowMap.enabled = true;
  await made.init();
  return made;
}

/** Draws objects (and lights) by themselves; the pixels. */
async function draw(objects, { view = camera(), override = null } = {}) {
  const scene = new THREE.Scene(), target = new THREE.RenderTarget(SIZE, SIZE);
  scene.background = new THREE.Color(0x223344);
  scene.overrideMaterial = override;
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(1, 2, 3);
  scene.add(new THREE.AmbientLight(0xffffff, 0.3), sun, ...objects);
  await frame();
  renderer.setRenderTarget(target);
  renderer.render(scene, view);
  const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE);
  renderer.setRenderTarget(null);
  target.dispose();
  scene.remove(...objects);
  return pixels;
}

const kinds = {
  basic: () => new THREE.MeshBasicMaterial({ color: 0xcc8844 }),
  lambert: () => new THREE.MeshLambertMaterial({ color: 0xcc8844 }),
  phong: () => new THREE.MeshPhongMaterial({ color: 0xcc8844, shininess: 20 }),
  standard: () => new THREE.MeshStandardMaterial({ color: 0xcc8844, roughness: 0.6 }),
  physical: () => new THREE.MeshPhysicalMaterial({ color: 0xcc8844, clearcoat: 0.5, sheen: 0.5 }),
  toon: () => new THREE.MeshToonMaterial({ color: 0xcc8844 }),
  matcap: () => new THREE.MeshMatcapMaterial({ color: 0xcc8844 }),
  normal: () => new THREE.MeshNormalMaterial(),
  'of nodes': () => {
    const material = new THREE.MeshStandardNodeMaterial();
    material.colorNode = vec4(0.8, 0.5, 0.3, 1);
    material.positionNode = positionLocal.add(positionLocal.mul(0.1)); // after skinning
    return material;
  },
};

/** Draws an arm by DQS, LBS and as WebAssembly says. */
async function compare(material, name, { twist = 170, bend = 40, scale, ...options } = {}) {
  const group = arm(material), { mesh, bones } = group.userData;
  turn(bones, twist, bend, scale);
  const linear = await draw([group], options), handle = supple(mesh);
  const result = assertLike(await draw([group], options), await draw([expected(library, mesh, 'dqs')], options), linear, name);
  handle.method = 'lbs';
  assert(same(await draw([group], options), linear), `${name}: back to linear blending it is not what it was`);
  handle.method = 'dqs';
  assert(!same(await draw([group], options), linear), `${name}: it does not switch back`);
  handle.dispose();
  assert(same(await draw([group], options), linear), `${name}: dispose() does not give linear blending back`);
  return result;
}

/** The shadow of an arm that is itself out of sight. */
async function shadows(light) {
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }));
  floor.position.z = -1;
  floor.receiveShadow = true;
  const view = camera();
  view.near = 4.6; // behind the arm
  view.updateProjectionMatrix();
  light.castShadow = true;
  light.shadow.mapSize.set(512, 512);
  light.shadow.bias = -0.002;
  light.position.set(0.5, 0, 4);
  const scene = (casters) => draw([floor, light, light.target ?? new THREE.Object3D(), ...casters], { view });
  const group = arm(new THREE.MeshStandardMaterial({ side: THREE.DoubleSide })), { mesh, bones } = group.userData;
  mesh.castShadow = true;
  turn(bones, 180);
  const none = await scene([]), linear = await scene([group]), handle = supple(mesh), drawn = await scene([group]);
  assert(differing(none, linear) > 0.01, 'there is no shadow at all');
  assertLike(drawn, await scene([expected(library, mesh, 'dqs')]), none, light.type);
  const apart = differing(drawn, linear);
  assert(apart > 0.004, `${light.type}: the shadows of both methods differ in ${apart} of the pixels only`);
  handle.dispose();
  return apart;
}

/** What the velocity node gives, in two numbers a pixel. */
async function velocities(scene) {
  const target = new THREE.RenderTarget(SIZE, SIZE, { count: 2, type: THREE.FloatType, minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter });
  target.textures[0].name = 'output';
  target.textures[1].name = 'velocity';
  renderer.setMRT(mrt({ output, velocity }));
  renderer.setRenderTarget(target);
  renderer.render(scene, camera());
  const read = await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE, 1);
  renderer.setRenderTarget(null);
  renderer.setMRT(null);
  target.dispose();
  return read;
}

/** The difference of two poses on the screen, drawn where the second one is. */
async function trueDifference(before, after) {
  const target = new THREE.RenderTarget(SIZE, SIZE, { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
  const material = new THREE.MeshBasicNodeMaterial(), project = (p) => cameraProjectionMatrix.mul(cameraViewMatrix).mul(vec4(p, 1)).xy;
  after.geometry.setAttribute('before', before.geometry.attributes.position);
  material.fragmentNode = vec4(varying(project(positionLocal).sub(project(attribute('before', 'vec3')))), 0, 1);
  after.material = material;
  const scene = new THREE.Scene();
  scene.add(after);
  renderer.setClearColor(0, 0);
  renderer.setRenderTarget(target);
  renderer.render(scene, camera());
  const read = await renderer.readRenderTargetPixelsAsync(target, 0, 0, SIZE, SIZE);
  renderer.setRenderTarget(null);
  return read;
}

const checks = {
  ...Object.fromEntries(Object.keys(kinds).map((kind) => [`material ${kind}`, () => compare(kinds[kind](), kind)])),
  'override material': () => compare(new THREE.MeshBasicMaterial(), 'override', { override: new THREE.MeshNormalNodeMaterial() }),
  'scaled joints': () => compare(new THREE.MeshNormalMaterial(), 'scaled', { scale: [1.6, 0.5, 1.2], twist: 120 }),
  'shadow of a directional light': () => shadows(new THREE.DirectionalLight(0xffffff, 2)),
  'shadow of a spot light': () => shadows(new THREE.SpotLight(0xffffff, 60)),
  'shadow of a point light': () => shadows(new THREE.PointLight(0xffffff, 60)),

  async 'one material, two methods'() {
    const material = kinds.standard(), groups = [arm(material), arm(material)];
    groups.forEach((group, i) => {
      group.position.x = i ? 0.8 : -0.8;
      turn(group.userData.bones, 150, 40);
    });
    const linear = await draw(groups);
    supple(groups[0].userData.mesh, { method: 'dqs' });
    supple(groups[1].userData.mesh, { method: 'lbs' });
    const wanted = await draw(groups.map((group, i) => expected(library, group.userData.mesh, i ? 'lbs' : 'dqs')));
    for (const order of [[0, 1], [1, 0]]) assertLike(await draw(order.map((i) => groups[i])), wanted, linear, `order ${order}`);
  },

  async 'one skeleton and one geometry, two methods'() {
    const group = arm(kinds.basic()), { mesh, bones } = group.userData;
    const other = arm(kinds.basic(), { geometry: mesh.geometry, skeleton: mesh.skeleton }).userData.mesh;
    turn(bones, 170, 40);
    const linear = await draw([group]);
    const handle = supple(mesh, { method: 'dqs' });
    const dqs = await draw([expected(library, mesh, 'dqs')]);
    assertLike(await draw([group]), dqs, linear, 'first');
    group.remove(mesh);
    group.add(other);
    assert(same(await draw([group]), linear), 'the other mesh changed');
    group.add(mesh);
    assertLike(await draw([group]), await draw([expected(library, mesh, 'dqs'), expected(library, other, 'lbs')]), linear, 'both');
    group.remove(mesh);
    supple(other, { method: 'dqs' });
    handle.dispose(); // the stand-in is shared
    assertLike(await draw([group]), dqs, linear, 'second');
  },

  async 'a clone by SkeletonUtils'() {
    const group = arm(kinds.basic()), { mesh, bones } = group.userData;
    supple(mesh);
    const copy = clone(group), copied = copy.children.find((child) => child.isSkinnedMesh), own = copied.skeleton.bones;
    turn(bones, 30);
    turn(own, 170, 40);
    const dqs = await draw([expected(library, copied, 'dqs')]), lbs = await draw([expected(library, copied, 'lbs')]);
    assertLike(await draw([copy]), dqs, lbs, 'clone');
    supple(copied, { method: 'lbs' });
    assertLike(await draw([copy]), lbs, dqs, 'clone, linear');
    assertLike(await draw([group]), await draw([expected(library, mesh, 'dqs')]), dqs, 'original');
  },

  async velocity() {
    const group = arm(kinds.standard()), { mesh, bones } = group.userData, scene = new THREE.Scene();
    scene.add(group);
    supple(mesh);
    turn(bones, 150, 20);
    for (let i = 0; i < 3; i++) {
      await frame();
      await velocities(scene);
    }
    await frame();
    const still = await velocities(scene);
    assert(still.every((value, i) => i % 4 > 1 || Math.abs(value) < 1e-5), 'a still pose has a velocity');
    const before = expected(library, mesh, 'dqs');
    turn(bones, 165, 35);
    const after = expected(library, mesh, 'dqs');
    await frame();
    const moved = await velocities(scene), wanted = await trueDifference(before, after);
    let compared = 0, far = 0, largest = 0;
    for (let i = 0; i < wanted.length; i += 4) {
      if (wanted[i + 3] !== 1) continue;
      compared++;
      largest = Math.max(largest, Math.hypot(wanted[i], wanted[i + 1]));
      // Where two surfaces meet, either may be in front.
      if (Math.hypot(moved[i] - wanted[i], moved[i + 1] - wanted[i + 1]) > 1e-3) far++;
    }
    assert(compared > 500 && largest > 0.05, `${compared} pixels, at most ${largest}`);
    assert(far < compared * 0.02, `${far} of ${compared} pixels have another velocity`);
    await frame();
    const later = await velocities(scene);
    assert(later.every((value, i) => i % 4 > 1 || Math.abs(value) < 1e-5), 'a pose that stays has a velocity');
  },

  async 'over 1024 joints'() {
    const bones = armBones(1500);
    const group = arm(kinds.normal(), { geometry: armGeometry({ joints: [1100, 1499] }), bones }), { mesh } = group.userData;
    turn(bones, 150, 40);
    const linear = await draw([group]);
    supple(mesh);
    return assertLike(await draw([group]), await draw([expected(library, mesh, 'dqs')]), linear, '1500 joints');
  },

  async 'morph targets'() {
    const geometry = armGeometry(), { position } = geometry.attributes, push = position.array.map((value, i) => (i % 3 === 0 ? 0.5 * Math.abs(value) + 0.2 : 0));
    geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(push, 3)];
    geometry.morphTargetsRelative = true;
    const group = arm(kinds.basic(), { geometry }), { mesh, bones } = group.userData;
    turn(bones, 170, 40);
    mesh.morphTargetInfluences[0] = 0.7;
    const linear = await draw([group]), morphed = position.array.map((value, i) => value + 0.7 * push[i]);
    supple(mesh);
    return assertLike(await draw([group]), await draw([expected(library, mesh, 'dqs', { morphed })]), linear, 'morph');
  },

  async 'a share of linear blending'() {
    const geometry = armGeometry(), { count } = geometry.attributes.position;
    const share = Float32Array.from({ length: count }, (_, v) => (v % 3) / 2);
    const group = arm(kinds.basic(), { geometry }), { mesh, bones } = group.userData;
    turn(bones, 180);
    const plain = await draw([group]);
    supple(mesh); // a second call changes what the first did
    const dqs = await draw([group]), handle = supple(mesh, { linearShare: share }), drawn = await draw([group]);
    const off = differing(drawn, await draw([expected(library, mesh, 'dqs', { share })]));
    assert(off < 0.003, `${off} of the pixels differ`);
    assert(!same(drawn, dqs) && !same(drawn, plain), 'no share');
    handle.dispose();
    assert(!geometry.hasAttribute('suppleLinear') && same(await draw([group]), plain), 'not what it was');
  },

  async 'many instances'() {
    const group = arm(kinds.normal()), { mesh, bones } = group.userData, matrices = [-0.9, 0.7].map((x) => new THREE.Matrix4().makeTranslation(x, 0, 0));
    turn(bones, 150, 40);
    const wanted = () => ['dqs', 'lbs'].map((method) => matrices.map((matrix) => {
      const one = expected(library, mesh, method);
      one.geometry.applyMatrix4(matrix);
      return one;
    }));
    const [dqs, lbs] = wanted();
    mesh.isInstancedMesh = true;
    mesh.instanceMatrix = new THREE.InstancedBufferAttribute(new Float32Array(matrices.flatMap(({ elements }) => elements)), 16);
    mesh.instanceColor = mesh.morphTexture = null;
    mesh.count = 2;
    mesh.frustumCulled = false;
    supple(mesh);
    return assertLike(await draw([group]), await draw(dqs), await draw(lbs), 'instances');
  },

  async 'the geometry stays in use'() {
    const group = arm(kinds.basic()), { mesh, bones } = group.userData, { geometry } = mesh, { memory } = renderer.info;
    turn(bones, 150, 40);
    await draw([]);
    const geometries = memory.geometries, handle = supple(mesh);
    const first = await draw([group]);
    for (let v = 0; v < geometry.attributes.position.count; v++) geometry.attributes.position.setX(v, geometry.attributes.position.getX(v) + 0.4);
    geometry.attributes.position.needsUpdate = true;
    const second = await draw([group]), wanted = expected(library, mesh, 'dqs');
    assertLike(second, await draw([wanted]), first, 'positions written');
    wanted.geometry.dispose();
    geometry.setDrawRange(0, 600);
    const third = await draw([group]);
    assert(differing(third, second) > 0.02, 'a draw range has no effect');
    geometry.setDrawRange(0, Infinity);
    geometry.dispose();
    assert(same(await draw([group]), second), 'after dispose() of the geometry it is not drawn as before');
    mesh.geometry.setAttribute('mine', geometry.attributes.position);
    assert(geometry.hasAttribute('mine') && !geometry.hasAttribute('suppleMarker'), 'what is written to the view is lost');
    assert(!mesh.geometry.clone().hasAttribute('suppleMarker'), 'a clone has the marker');
    handle.dispose();
    assert(mesh.geometry === geometry, 'the geometry is not given back');
    await draw([group]);
    geometry.dispose();
    assert(memory.geometries === geometries, `${memory.geometries} geometries, ${geometries} before`);
  },

  async 'on the CPU'() {
    const group = arm(kinds.basic()), { mesh, bones } = group.userData, { geometry } = mesh;
    turn(bones, 150, 40);
    const linear = await draw([group]);
    const dqs = expected(library, mesh, 'dqs'), handle = supple(mesh, { on: 'cpu', library });
    assertLike(await draw([group]), await draw([dqs]), linear, 'cpu');
    handle.method = 'lbs';
    assertLike(await draw([group]), linear, await draw([dqs]), 'cpu, linear');
    handle.dispose();
    assert(mesh.geometry === geometry && same(await draw([group]), linear), 'not what it was');
  },

  async 'textures are freed'() {
    const group = arm(kinds.basic()), { mesh } = group.userData, { memory } = renderer.info;
    await draw([group]);
    await draw([group]);
    const before = memory.textures;
    for (let i = 0; i < 3; i++) {
      const handle = supple(mesh);
      await draw([group]);
      assert(memory.textures === before + 1, `${memory.textures} textures, ${before} before`);
      handle.dispose();
      await draw([group]);
      assert(memory.textures === before, `${memory.textures} textures after dispose(), ${before} before`);
    }
  },
};

/** Drawn by three alone, then with the plug-in there but not used, then used: in the same renderer, late as it is. */
async function late() {
  const group = arm(kinds.standard()), { mesh, bones } = group.userData;
  turn(bones, 150, 40);
  const untouched = await draw([group]);
  ({ supple } = await import('supple-skin/three-webgpu'));
  assert(same(await draw([group]), untouched), 'importing changed what is drawn');
  const again = arm(kinds.standard());
  turn(again.userData.bones, 150, 40);
  assert(same(await draw([again]), untouched), 'linear blending is not what three alone draws');
  const handle = supple(mesh);
  assertLike(await draw([group]), await draw([expected(library, mesh, 'dqs')]), untouched, 'late');
  handle.dispose();
  assert(same(await draw([group]), untouched), 'disposed');
}

export default async function ({ name, forceWebGL }) {
  library = await init();
  renderer = await makeRenderer(forceWebGL);
  if (!forceWebGL && !renderer.backend.isWebGPUBackend) return 'no WebGPU';
  if (name === 'imported late') await late();
  else {
    ({ supple } = await import('supple-skin/three-webgpu'));
    await checks[name]();
  }
  return 'fine';
}
