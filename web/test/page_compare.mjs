// page_compare.mjs: in the page: what both renderers' comparisons share.
import * as THREE from 'three';

/** The largest distance of two arrays of points over the larger of the box's diagonal and the largest coordinate. */
export function difference(a, b) {
  const box = new THREE.Box3().setFromArray(b);
  let largest = box.getSize(new THREE.Vector3()).length(), far = 0;
  for (const x of b) largest = Math.max(largest, Math.abs(x));
  for (let i = 0; i < b.length; i += 3) far = Math.max(far, Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]));
  return far / largest;
}

/** Skinned meshes of a loaded file with the instance and primitive they are. */
export function matched(gltf, asset) {
  const found = [];
  gltf.scene.traverse((object) => {
    if (!object.isSkinnedMesh) return;
    const own = gltf.parser.associations.get(object), above = gltf.parser.associations.get(object.parent) ?? {};
    const node = own.nodes ?? above.nodes;
    const instance = asset.description.instances.findIndex((i) => i.node === node);
    if (instance >= 0) found.push({ mesh: object, instance, primitive: own.primitives ?? 0 });
  });
  return found;
}

/** Poses a loaded file by its first clip; before the first and after the last key the end value holds. */
export function sampleClip(mixer, gltf, time) {
  if (gltf.animations[0]) {
    mixer.stopAllAction();
    const action = mixer.clipAction(gltf.animations[0]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    mixer.setTime(time);
  }
  gltf.scene.updateMatrixWorld(true);
}
