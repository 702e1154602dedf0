// consumer.ts: what a strict TypeScript project writes against the package; compiled by package.test.mjs, never run.
import { init, SuppleError, type Asset, type Deformed, type Measures, type Method } from 'supple-skin';
import { supple, SuppleInfluences, SuppleSkeleton, type SuppleHandle, type SuppleOptions } from 'supple-skin/three';
import * as webgpu from 'supple-skin/three-webgpu';
import { SkinnedMesh, type Group } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

export async function withThree(scene: Group): Promise<SuppleHandle> {
  new GLTFLoader().register((parser) => new SuppleInfluences(parser));
  const options: SuppleOptions = { method: 'dqs', on: 'cpu', library: await init() };
  const handle = supple(scene, options);
  handle.method = 'lbs';
  for (const mesh of handle.meshes) if (mesh.skeleton instanceof SuppleSkeleton) mesh.skeleton.source.update();
  handle.dispose();
  const other: SuppleHandle = webgpu.supple(new SkinnedMesh(), { linearShare: [0, 1] });
  // @ts-expect-error: there is no such method
  other.method = 'cubic';
  return other;
}

export async function alone(bytes: Uint8Array, method: Method): Promise<number> {
  try {
    const library = await init({ simd: false }), asset: Asset = await library.load(bytes, { files: { 'a.bin': bytes } });
    const skinned = asset.skinned(0, { space: 'mesh', scale: 'affine' }), measure = skinned.measure();
    const deformed: (Deformed | null)[] = skinned.deform(method, { normals: false }), measures: Measures = measure.evaluate('lbs');
    const report = await library.check(bytes, { strict: true });
    const fixed: Uint8Array = (await library.fix(bytes)).data;
    return (deformed[0]?.positions.length ?? 0) + measures.volume + report.findings.length + fixed.length;
  } catch (error) {
    if (error instanceof SuppleError) return error.pointer.length;
    throw error;
  }
}
