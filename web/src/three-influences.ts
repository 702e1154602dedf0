// three-influences.ts: a plug-in for GLTFLoader that keeps the weights of files with more than four influences.
//
//   new GLTFLoader().register((parser) => new SuppleInfluences(parser))
//
// GLTFLoader hands JOINTS_1, WEIGHTS_1, … over as attributes (joints_1, weights_1) but normalises WEIGHTS_0 as if there
// were nothing else. This puts the weights back as the file has them, divided by the sum of all sets.
import { SkinnedMesh, type BufferAttribute, type Group, type InterleavedBufferAttribute, type Mesh } from 'three';
import { furtherSets } from './three-skeleton.js';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** What is used of GLTFLoader's parser. */
interface Parser {
  json: { meshes?: { primitives: { attributes: Record<string, number> }[] }[] };
  loadMesh(index: number): Promise<Group | Mesh>;
  getDependency(type: string, index: number): Promise<any>;
}

export class SuppleInfluences {
  readonly name = 'SUPPLE_influences';
  readonly #parser: Parser;

  constructor(parser: unknown) {
    this.#parser = parser as Parser;
  }

  loadMesh(index: number): Promise<Group | Mesh> | null {
    const primitives = this.#parser.json.meshes?.[index]?.primitives ?? [];
    if (!primitives.some(({ attributes }) => attributes.WEIGHTS_1 !== undefined)) return null;
    return this.#load(index, primitives);
  }

  async #load(index: number, primitives: { attributes: Record<string, number> }[]): Promise<Group | Mesh> {
    // As stored, before GLTFLoader normalises them in place.
    const stored = await Promise.all(primitives.map(async ({ attributes }) => {
      if (attributes.WEIGHTS_0 === undefined) return null;
      const weights = (await this.#parser.getDependency('accessor', attributes.WEIGHTS_0)) as Attribute;
      return Float32Array.from({ length: weights.count * 4 }, (_, i) => weights.getComponent(i >> 2, i & 3));
    }));
    const loaded = await this.#parser.loadMesh(index);
    const meshes = (loaded as Group).isGroup ? loaded.children : [loaded];
    meshes.forEach((mesh, i) => {
      if ((mesh as SkinnedMesh).isSkinnedMesh && stored[i]) restore(mesh as SkinnedMesh, stored[i]);
    });
    return loaded;
  }
}

function restore(mesh: SkinnedMesh, stored: Float32Array): void {
  const first = mesh.geometry.getAttribute('skinWeight') as Attribute;
  const sets = furtherSets(mesh.geometry).map(([, weights]) => weights);
  for (let v = 0; v < first.count; v++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      sum += stored[v * 4 + k]!;
      for (const weights of sets) sum += weights.getComponent(v, k);
    }
    const factor = sum > 0 ? 1 / sum : 1;
    for (let k = 0; k < 4; k++) first.setComponent(v, k, stored[v * 4 + k]! * factor);
    // Sums within rounding of integer weights are left alone in the further sets, which hold few bits.
    if (Math.abs(sum - 1) > 1e-3)
      for (const weights of sets) for (let k = 0; k < 4; k++) weights.setComponent(v, k, weights.getComponent(v, k) * factor);
  }
  first.needsUpdate = true;
}
