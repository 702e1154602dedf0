// page_plugin_webgl.mjs: in the page: what supple() does under three's WebGLRenderer, one check by name.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { init } from 'supple-skin';
import { arm, armBones, armGeometry, assert, assertLike, camera, differing, expected, same, SIZE, turn } from './page_arm.mjs';

const { Color, Scene } = THREE;
let library, supple, SuppleInfluences, renderer;

function makeRenderer() {
  const made = new THREE.WebGLRenderer({ antialias: false });
  made.setSize(SIZE, SIZE);
  made.shadowMap.enabled = true;
  return made;
}

/** Draws objects (and lights) by themselves; the pixels. */
function draw(objects, { view = camera(), by = renderer, override = null, background = 0x223344 } = {}) {
  const scene = new Scene(), target = new THREE.WebGLRenderTarget(SIZE, SIZE), pixels = new Uint8Array(SIZE * SIZE * 4);
  scene.background = new Color(background);
  scene.overrideMaterial = override;
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(1, 2, 3);
  scene.add(new THREE.AmbientLight(0xffffff, 0.3), sun, ...objects);
  by.setRenderTarget(target);
  by.render(scene, view);
  by.readRenderTargetPixels(target, 0, 0, SIZE, SIZE, pixels);
  by.setRenderTarget(null);
  target.dispose();
  scene.remove(...objects);
  return pixels;
}

const chunks = () => new THREE.ShaderMaterial({
  vertexShader: `
    out vec3 turned;
    #include <common>
    #include <skinning_pars_vertex>
    void main() {
      #include <beginnormal_vertex>
      #include <skinbase_vertex>
      #include <skinnormal_vertex>
      #include <begin_vertex>
      #include <skinning_vertex>
      #include <project_vertex>
      turned = normalize( normalMatrix * objectNormal );
    }`,
  fragmentShader: 'in vec3 turned; void main() { gl_FragColor = vec4( turned * 0.5 + 0.5, 1.0 ); }' });

const raw = () => new THREE.RawShaderMaterial({ glslVersion: THREE.GLSL3,
  vertexShader: `
    in vec3 position;
    in vec3 normal;
    uniform mat4 modelViewMatrix, projectionMatrix;
    uniform mat3 normalMatrix;
    out vec3 turned;
    void main() {
      turned = normalize( normalMatrix * normal );
      gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
    }`,
  fragmentShader: 'precision highp float; in vec3 turned; out vec4 color; void main() { color = vec4( turned * 0.5 + 0.5, 1.0 ); }' });

const kinds = {
  basic: () => new THREE.MeshBasicMaterial({ color: 0xcc8844 }),
  lambert: () => new THREE.MeshLambertMaterial({ color: 0xcc8844 }),
  phong: () => new THREE.MeshPhongMaterial({ color: 0xcc8844, shininess: 20 }),
  standard: () => new THREE.MeshStandardMaterial({ color: 0xcc8844, roughness: 0.6 }),
  physical: () => new THREE.MeshPhysicalMaterial({ color: 0xcc8844, clearcoat: 0.5, sheen: 0.5 }),
  toon: () => new THREE.MeshToonMaterial({ color: 0xcc8844 }),
  matcap: () => new THREE.MeshMatcapMaterial({ color: 0xcc8844 }),
  normal: () => new THREE.MeshNormalMaterial(),
  depth: () => new THREE.MeshDepthMaterial(),
  chunks,
};

/** Draws an arm by DQS, LBS and as WebAssembly says. */
function compare(material, name, { twist = 170, bend = 40, scale, ...options } = {}) {
  const group = arm(material), { mesh, bones } = group.userData;
  turn(bones, twist, bend, scale);
  const linear = draw([group], options), handle = supple(mesh);
  const result = assertLike(draw([group], options), draw([expected(library, mesh, 'dqs')], options), linear, name);
  handle.method = 'lbs';
  assert(same(draw([group], options), linear), `${name}: back to linear blending it is not what it was`);
  handle.method = 'dqs';
  assert(!same(draw([group], options), linear), `${name}: it does not switch back`);
  handle.dispose();
  assert(same(draw([group], options), linear), `${name}: dispose() does not give linear blending back`);
  return result;
}

/** The shadow of an arm that is itself out of sight. */
function shadows(light) {
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.MeshLambertMaterial({ side: THREE.DoubleSide }));
  floor.position.z = -1;
  floor.receiveShadow = true;
  const view = camera();
  view.near = 4.6; // behind the arm
  view.updateProjectionMatrix();
  const scene = (casters) => {
    light.castShadow = true;
    return draw([floor, light, light.target ?? new THREE.Object3D(), ...casters], { view });
  };
  const group = arm(new THREE.MeshStandardMaterial({ side: THREE.DoubleSide })), { mesh, bones } = group.userData;
  mesh.castShadow = true;
  turn(bones, 180);
  const none = scene([]), linear = scene([group]), handle = supple(mesh), drawn = scene([group]);
  assert(differing(none, linear) > 0.01, 'there is no shadow at all');
  const result = assertLike(drawn, scene([expected(library, mesh, 'dqs')]), none, light.type);
  const apart = differing(drawn, linear);
  assert(apart > 0.004, `${light.type}: the shadows of both methods differ in ${apart} of the pixels only`);
  handle.dispose();
  return { ...result, apart };
}

function placed(light, ...position) {
  light.position.set(...position);
  light.shadow.mapSize.set(512, 512);
  light.shadow.bias = -0.002;
  return light;
}

const checks = {
  ...Object.fromEntries(Object.keys(kinds).map((kind) => [`material ${kind}`, () => compare(kinds[kind](), kind)])),

  'override material': () => compare(new THREE.MeshBasicMaterial(), 'override', { override: new THREE.MeshNormalMaterial() }),
  'scaled joints': () => compare(new THREE.MeshNormalMaterial(), 'scaled', { scale: [1.6, 0.5, 1.2], twist: 120 }),
  'mirrored joints': () => compare(new THREE.MeshNormalMaterial({ side: THREE.DoubleSide }), 'mirrored', { scale: [-1, 1, 1], twist: 90, bend: 120 }),
  'normal map with tangents'() {
    const map = new THREE.DataTexture(new Uint8Array([160, 128, 240, 255]), 1, 1);
    map.needsUpdate = true;
    const geometry = armGeometry();
    geometry.computeTangents();
    const group = arm(new THREE.MeshStandardMaterial({ normalMap: map }), { geometry }), { mesh, bones } = group.userData;
    turn(bones, 150, 40);
    const linear = draw([group]);
    supple(mesh);
    assert(differing(draw([group]), linear) > 0.01, 'nothing changed');
  },

  'shadow of a directional light': () => shadows(placed(new THREE.DirectionalLight(0xffffff, 2), 0.5, 0, 4)),
  'shadow of a spot light': () => shadows(placed(new THREE.SpotLight(0xffffff, 60), 0.5, 0, 4)),
  'shadow of a point light': () => shadows(placed(new THREE.PointLight(0xffffff, 60), 0.5, 0, 4)),

  'RawShaderMaterial on the CPU'() {
    const group = arm(raw()), { mesh, bones } = group.userData, { geometry } = mesh;
    turn(bones, 150, 40);
    const rest = geometry.attributes.position.array.slice();
    let threw = '';
    try {
      supple(mesh, { on: 'cpu' });
    } catch (error) {
      threw = error.message;
    }
    assert(/library/.test(threw), 'a missing library is not named');
    const dqs = expected(library, mesh, 'dqs'), lbs = expected(library, mesh, 'lbs');
    const handle = supple(mesh, { on: 'cpu', library });
    assertLike(draw([group]), draw([dqs]), draw([lbs]), 'raw');
    handle.method = 'lbs';
    assertLike(draw([group]), draw([lbs]), draw([dqs]), 'raw, linear');
    turn(bones, 30, 100); // it follows
    const moved = draw([group]);
    const copy = clone(group), copied = copy.children.find((child) => child.isSkinnedMesh);
    assert(same(draw([copy]), moved), 'a clone is not like the original');
    const own = supple(copied, { on: 'cpu', library, method: 'lbs' });
    assert(same(draw([copy]), moved), 'a clone does not begin at rest');
    own.dispose();
    handle.dispose();
    assert(mesh.geometry === geometry && same(geometry.attributes.position.array, rest), 'the geometry is not as it was');
    assertLike(moved, draw([expected(library, mesh, 'lbs')]), draw([dqs]), 'raw, moved');
  },

  'on the CPU with a material that skins, morphs and shadows'() {
    const geometry = armGeometry(), { count } = geometry.attributes.position, push = new Float32Array(count * 3);
    for (let v = 0; v < count; v++) push[v * 3] = 0.4;
    geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(push, 3)];
    geometry.morphTargetsRelative = true;
    const group = arm(new THREE.MeshNormalMaterial(), { geometry }), { mesh, bones } = group.userData;
    mesh.morphTargetInfluences[0] = 0.5;
    turn(bones, 150, 40);
    const linear = draw([group]), onGpu = supple(mesh), drawn = draw([group]);
    onGpu.dispose();
    const handle = supple(mesh, { on: 'cpu', library });
    assertLike(draw([group]), drawn, linear, 'cpu');
    handle.dispose();
    assert(same(draw([group]), linear), 'not what it was');
  },

  'one material, two methods'() {
    const material = kinds.standard(), groups = [arm(material), arm(material)];
    groups.forEach((group, i) => {
      group.position.x = i ? 0.8 : -0.8;
      turn(group.userData.bones, 150, 40);
    });
    const linear = draw(groups);
    supple(groups[0].userData.mesh, { method: 'dqs' });
    supple(groups[1].userData.mesh, { method: 'lbs' });
    const wanted = groups.map((group, i) => expected(library, group.userData.mesh, i ? 'lbs' : 'dqs'));
    for (const order of [[0, 1], [1, 0]])
      assertLike(draw(order.map((i) => groups[i])), draw(wanted), linear, `order ${order}`);
    assert(material.onBeforeCompile === THREE.Material.prototype.onBeforeCompile && !Object.hasOwn(material, 'customProgramCacheKey'),
      'the material was touched');
  },

  'one skeleton, two methods'() {
    const group = arm(kinds.basic()), { mesh, bones } = group.userData;
    const other = arm(kinds.basic(), { geometry: armGeometry({ x: 0.9 }), skeleton: mesh.skeleton }).userData.mesh;
    group.add(other);
    turn(bones, 150, 40);
    const linear = draw([group]), shared = mesh.skeleton; // both linear
    const one = supple(mesh, { method: 'dqs' });
    assert(other.skeleton === shared, 'the other mesh changed');
    assertLike(draw([group]), draw([expected(library, mesh, 'dqs'), expected(library, other, 'lbs')]), linear, 'first');
    const two = supple(other, { method: 'dqs' });
    one.dispose(); // the stand-in is shared
    assertLike(draw([group]), draw([expected(library, mesh, 'lbs'), expected(library, other, 'dqs')]), linear, 'second');
    two.dispose();
    assert(same(draw([group]), linear), 'not what it was');
  },

  'a clone by SkeletonUtils'() {
    const group = arm(kinds.basic()), { mesh, bones } = group.userData;
    supple(mesh);
    const copy = clone(group), copied = copy.children.find((child) => child.isSkinnedMesh), own = copied.skeleton.bones;
    assert(own[0] !== bones[0] && copied.skeleton.source !== mesh.skeleton.source, 'the clone shares bones');
    turn(bones, 30);
    turn(own, 170, 40);
    const dqs = draw([expected(library, copied, 'dqs')]), lbs = draw([expected(library, copied, 'lbs')]);
    assertLike(draw([copy]), dqs, lbs, 'clone');
    const handle = supple(copied, { method: 'lbs' });
    assertLike(draw([copy]), lbs, dqs, 'clone, linear');
    handle.dispose();
    assertLike(draw([group]), draw([expected(library, mesh, 'dqs')]), dqs, 'original');
  },

  'over 1024 joints'() {
    const bones = armBones(1500);
    const group = arm(kinds.normal(), { geometry: armGeometry({ joints: [1100, 1499] }), bones }), { mesh } = group.userData;
    turn(bones, 150, 40);
    const linear = draw([group]);
    supple(mesh);
    return assertLike(draw([group]), draw([expected(library, mesh, 'dqs')]), linear, '1500 joints');
  },

  'morph targets'() {
    const geometry = armGeometry(), { position } = geometry.attributes, push = position.array.map((value, i) => (i % 3 === 0 ? 0.5 * Math.abs(value) + 0.2 : 0));
    geometry.morphAttributes.position = [new THREE.Float32BufferAttribute(push, 3)];
    geometry.morphTargetsRelative = true;
    const group = arm(kinds.basic(), { geometry }), { mesh, bones } = group.userData;
    turn(bones, 170, 40);
    mesh.morphTargetInfluences[0] = 0.7;
    const linear = draw([group]), morphed = position.array.map((value, i) => value + 0.7 * push[i]);
    supple(mesh);
    assertLike(draw([group]), draw([expected(library, mesh, 'dqs', { morphed })]), linear, 'morph');
    const v = mesh.getVertexPosition(800, new THREE.Vector3()), there = expected(library, mesh, 'dqs', { morphed }).geometry.attributes.position;
    assert(v.distanceTo(new THREE.Vector3().fromBufferAttribute(there, 800)) < 1e-5, 'getVertexPosition');
  },

  'a share of linear blending'() {
    const geometry = armGeometry(), { count } = geometry.attributes.position;
    const share = Float32Array.from({ length: count }, (_, v) => (v % 3) / 2);
    const group = arm(kinds.basic(), { geometry }), { mesh, bones } = group.userData;
    turn(bones, 180);
    const plain = draw([group]), full = supple(mesh), dqs = draw([group]);
    full.dispose();
    const handle = supple(mesh, { linearShare: share }), wanted = expected(library, mesh, 'dqs', { share });
    const drawn = draw([group]), off = differing(drawn, draw([wanted]));
    assert(off < 0.003, `${off} of the pixels differ`);
    assert(!same(drawn, dqs) && !same(drawn, plain), 'no share');
    const v = new THREE.Vector3();
    for (let i = 0; i < count; i += 7)
      assert(mesh.getVertexPosition(i, v).distanceTo(new THREE.Vector3().fromBufferAttribute(wanted.geometry.attributes.position, i)) < 1e-5, 'on the CPU');
    // A mesh without shares, drawn by the same program after it, takes none of them.
    const other = arm(mesh.material);
    turn(other.userData.bones, 180);
    supple(other.userData.mesh);
    draw([group]);
    assert(same(draw([other]), dqs), 'another mesh takes the share');
    handle.dispose();
    assert(!geometry.hasAttribute('suppleLinear') && same(draw([group]), plain), 'not what it was');
    let message = '';
    try {
      supple(mesh, { linearShare: [1, 2] });
    } catch (error) {
      message = error.message;
    }
    assert(message.includes(String(count)), 'a wrong length is not named');
  },

  'textures are freed'() {
    const group = arm(kinds.basic()), { mesh } = group.userData, { memory } = renderer.info;
    draw([group]);
    const before = memory.textures;
    for (let i = 0; i < 3; i++) {
      const handle = supple(mesh);
      draw([group]);
      assert(memory.textures === before + 1, `${memory.textures} textures`);
      handle.method = 'lbs';
      draw([group]);
      handle.dispose();
      draw([group]);
      assert(memory.textures === before, `${memory.textures} textures after dispose(), ${before} before`);
    }
  },

  "the user's onBeforeCompile"() {
    const material = kinds.basic(), calls = [], own = (shader) => {
      calls.push(shader);
      shader.fragmentShader = shader.fragmentShader.replace('#include <dithering_fragment>', 'gl_FragColor.rgb = vec3( 0.0, 1.0, 0.0 );');
    };
    material.onBeforeCompile = own;
    const group = arm(material), { mesh, bones } = group.userData;
    turn(bones, 150, 40);
    supple(mesh);
    const drawn = draw([group]);
    assert(material.onBeforeCompile === own && calls.length === 1, `called ${calls.length} times`);
    const middle = (SIZE / 2 * SIZE + SIZE / 2) * 4;
    assert(drawn[middle + 1] === 255 && drawn[middle] === 0, 'it has no effect');
  },

  'picking, boxes, spheres, culling'() {
    const group = arm(kinds.basic()), { mesh, bones } = group.userData;
    turn(bones, 180);
    const ray = new THREE.Raycaster(new THREE.Vector3(0.2, 0, 4), new THREE.Vector3(0, 0, -1));
    const hits = () => {
      group.updateMatrixWorld(true);
      return ray.intersectObject(group).length;
    };
    assert(hits() === 0, 'linear blending is not thin there');
    const handle = supple(mesh);
    assert(hits() === 2, `${hits()} hits`);
    turn(bones, 60, 130);
    group.updateMatrixWorld(true);
    const positions = (method) => expected(library, mesh, method).geometry.attributes.position;
    const box = (method) => new THREE.Box3().setFromBufferAttribute(positions(method)), found = new THREE.Box3();
    const apart = (a, b) => Math.max(a.min.distanceTo(b.min), a.max.distanceTo(b.max));
    found.setFromObject(mesh, true);
    assert(apart(found, box('dqs')) < 1e-5 && apart(found, box('lbs')) > 1e-3, 'Box3.setFromObject');
    mesh.computeBoundingBox();
    assert(apart(mesh.boundingBox, box('dqs')) < 1e-5, 'computeBoundingBox');
    mesh.computeBoundingSphere();
    const sphere = mesh.boundingSphere.clone();
    for (let v = 0, all = positions('dqs'); v < all.count; v++)
      assert(sphere.distanceToPoint(new THREE.Vector3().fromBufferAttribute(all, v)) < 1e-5, 'a vertex outside the sphere');
    handle.method = 'lbs';
    mesh.computeBoundingSphere();
    assert(sphere.center.distanceTo(mesh.boundingSphere.center) > 1e-3, 'the sphere stays');
    handle.method = 'dqs';
    const frustum = new THREE.Frustum().setFromProjectionMatrix(new THREE.Matrix4().multiplyMatrices(camera().projectionMatrix, camera().matrixWorldInverse));
    assert(frustum.intersectsObject(mesh) && mesh.boundingSphere.equals(sphere), 'culling uses another sphere');
  },

  async 'two renderers, further influences'() {
    const { readBack } = await import('./page_webgl.mjs');
    const loader = new GLTFLoader().register((parser) => new SuppleInfluences(parser));
    const gltf = await loader.loadAsync('/fixtures/tube.glb');
    let mesh;
    gltf.scene.traverse((object) => {
      if (object.isSkinnedMesh) mesh = object;
    });
    assert(mesh.geometry.hasAttribute('joints_1'), 'there are no further influences');
    supple(mesh);
    const second = makeRenderer(), frames = [];
    for (let i = 0; i < 3; i++) {
      mesh.skeleton.bones[5].rotation.y = i;
      gltf.scene.updateMatrixWorld(true);
      frames.push(readBack(renderer, mesh));
    }
    assert(!same(frames[1], frames[2]), 'it does not move');
    assert(same(readBack(second, mesh), frames[2]), 'the second renderer draws something else');
    mesh.skeleton.bones[5].rotation.y = 1;
    gltf.scene.updateMatrixWorld(true);
    assert(same(readBack(second, mesh), frames[1]) && same(readBack(renderer, mesh), frames[1]), 'a later pose');
    second.dispose();
  },

  async '100 loads'() {
    const loader = new GLTFLoader().register((parser) => new SuppleInfluences(parser));
    const bytes = await (await fetch('/fixtures/arm.glb')).arrayBuffer();
    const once = async (keepProgram) => {
      const gltf = await loader.parseAsync(bytes.slice(0), ''), handle = supple(gltf.scene);
      draw([gltf.scene]);
      handle.dispose();
      for (const { geometry, material, skeleton } of handle.meshes) {
        geometry.dispose();
        if (!keepProgram) material.dispose();
        skeleton.dispose();
      }
    };
    await once(true);
    const { textures, geometries } = renderer.info.memory, programs = renderer.info.programs.length;
    for (let i = 0; i < 100; i++) await once();
    const { memory } = renderer.info;
    assert(memory.textures === textures && memory.geometries === geometries && renderer.info.programs.length === programs,
      `${JSON.stringify(memory)}, ${textures} textures and ${geometries} geometries after the first`);
  },
};

/** Drawn by three alone, then with the plug-in there but not used, then used: in the same renderer, late as it is. */
async function late() {
  const group = arm(kinds.standard()), { mesh, bones } = group.userData, again = arm(kinds.standard());
  for (const each of [group, again]) turn(each.userData.bones, 150, 40);
  const untouched = draw([group]);
  ({ supple } = await import('supple-skin/three'));
  assert(same(draw([group]), untouched), 'importing changed what is drawn');
  const fresh = makeRenderer();
  assert(same(draw([again], { by: fresh }), untouched), 'linear blending is not what three alone draws');
  fresh.dispose();
  const handle = supple(mesh);
  assertLike(draw([group]), draw([expected(library, mesh, 'dqs')]), untouched, 'late');
  handle.method = 'lbs';
  assert(same(draw([group]), untouched), 'switched back');
  handle.dispose();
  assert(same(draw([group]), untouched), 'disposed');
}

export default async function (name) {
  library = await init();
  renderer = makeRenderer();
  if (name === 'imported late') return (await late()) ?? null;
  ({ supple, SuppleInfluences } = await import('supple-skin/three'));
  return (await checks[name]()) ?? null;
}
