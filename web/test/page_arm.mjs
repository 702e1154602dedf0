// page_arm.mjs: in the page: a small arm, what it must look like by WebAssembly, and comparing pictures.
import * as THREE from 'three';

export const SIZE = 128;

/** A capped tube along Y from -1.3 to 1.3, radius 0.3, of vertices that bend at 0. */
export function armGeometry({ joints = [0, 1], x = 0 } = {}) {
  const geometry = new THREE.CylinderGeometry(0.3, 0.3, 2.6, 32, 40);
  geometry.translate(x, 0, 0);
  const { count } = geometry.attributes.position, indices = new Uint16Array(count * 4), weights = new Float32Array(count * 4);
  for (let v = 0; v < count; v++) {
    const upper = THREE.MathUtils.smoothstep(geometry.attributes.position.getY(v), -0.38, 0.38);
    indices.set([joints[0], joints[1], 0, 0], v * 4);
    weights.set([1 - upper, upper, 0, 0], v * 4);
  }
  geometry.setAttribute('skinIndex', new THREE.Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new THREE.Float32BufferAttribute(weights, 4));
  return geometry;
}

/** Bones 0 … count - 1, all but the last below the first; the last but one and the last meet at 0. */
export function armBones(count = 2) {
  const bones = Array.from({ length: count }, () => new THREE.Bone());
  for (const bone of bones.slice(1)) bones[0].add(bone);
  return bones;
}

/** A skinned arm in a group with its bones. */
export function arm(material, { geometry = armGeometry(), bones = armBones(), skeleton } = {}) {
  const group = new THREE.Group(), mesh = new THREE.SkinnedMesh(geometry, material);
  if (!skeleton) group.add(bones[0]);
  group.add(mesh);
  group.updateMatrixWorld(true);
  mesh.bind(skeleton ?? new THREE.Skeleton(bones));
  group.userData = { mesh, bones };
  return group;
}

/** Turns the last bone: degrees about Y, then about Z, and a scale. */
export function turn(bones, twist, bend = 0, scale = [1, 1, 1]) {
  const last = bones[bones.length - 1], radians = Math.PI / 180;
  last.quaternion.setFromAxisAngle(new THREE.Vector3(0, 0, 1), bend * radians)
    .multiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), twist * radians));
  last.scale.fromArray(scale);
}

/** A mesh that does not follow anything: the vertices as WebAssembly puts them, `share` of linear blending mixed in. */
export function expected(library, mesh, method, { material = mesh.material, share, morphed } = {}) {
  const { geometry, skeleton } = mesh, source = skeleton.source ?? skeleton, count = geometry.attributes.position.count;
  mesh.updateWorldMatrix(true, true);
  for (const bone of source.bones) bone.updateWorldMatrix(true, false);
  const arrays = library.mesh({ positions: morphed ?? geometry.attributes.position.array, normals: geometry.attributes.normal.array,
    joints: geometry.attributes.skinIndex.array, weights: geometry.attributes.skinWeight.array, jointCount: source.bones.length });
  const { matrices } = arrays, map = new THREE.Matrix4();
  source.bones.forEach((bone, i) => {
    map.multiplyMatrices(bone.matrixWorld, source.boneInverses[i]);
    const e = map.elements;
    for (let row = 0; row < 3; row++) for (let column = 0; column < 4; column++) matrices[i * 12 + row * 4 + column] = e[column * 4 + row];
  });
  const run = (by) => {
    const { positions, normals } = arrays.deform(by);
    return { positions: positions.slice(), normals: normals.slice() };
  };
  const result = run(method);
  if (share) {
    const linear = run('lbs');
    for (let i = 0; i < count * 3; i++) result.positions[i] += share[Math.floor(i / 3)] * (linear.positions[i] - result.positions[i]);
  }
  arrays.free();
  const still = new THREE.BufferGeometry();
  still.setIndex(geometry.index);
  still.setAttribute('position', new THREE.BufferAttribute(result.positions, 3));
  still.setAttribute('normal', new THREE.BufferAttribute(result.normals, 3));
  if (geometry.attributes.uv) still.setAttribute('uv', geometry.attributes.uv);
  const found = new THREE.Mesh(still, material);
  found.castShadow = mesh.castShadow;
  found.receiveShadow = mesh.receiveShadow;
  return found;
}

/** Looks at the arm from the front, 3.2 units high. */
export function camera() {
  const found = new THREE.OrthographicCamera(-1.6, 1.6, 1.6, -1.6, 0.1, 10);
  found.position.z = 4;
  found.updateMatrixWorld();
  return found;
}

/** The share of pixels that differ by more than a little. */
export function differing(a, b, more = 12) {
  let far = 0;
  for (let i = 0; i < a.length; i += 4)
    if (Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2])) > more) far++;
  return far / (a.length / 4);
}

/** Whether all bytes are equal. */
export const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

export function assert(fine, message) {
  if (!fine) throw new Error(message);
}

/** `drawn` is what must be there, and far from `other`; edges may differ by rounding. */
export function assertLike(drawn, wanted, other, name) {
  const off = differing(drawn, wanted), apart = differing(drawn, other);
  assert(off < 0.003, `${name}: ${(off * 100).toFixed(2)} % of the pixels are not as WebAssembly says`);
  assert(apart > 0.01, `${name}: the methods differ in ${(apart * 100).toFixed(2)} % of the pixels only`);
  return { off, apart };
}
