// three-influences.ts: a plug-in for GLTFLoader that keeps the weights of files with more than four influences.
//
//   new GLTFLoader().register((parser) => new SuppleInfluences(parser))
//
// GLTFLoader hands JOINTS_1, WEIGHTS_1, … over as attributes (joints_1, weights_1) but normalises WEIGHTS_0 as if there
// were nothing else. This keeps what the first set summed to (geometry.userData), and divides it and the further sets by
// the sum of all, so that supple() knows every influence; three's own linear blending sees what it always saw.
import { SkinnedMesh, type BufferAttribute, type Group, type InterleavedBufferAttribute, type Mesh } from 'three';
import { FIRST_SUMS, furtherSets } from './three-skeleton.js';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** What is used of GLTFLoader's parser. */
interface Parser {
  json: { meshes?: { primitives: { attributes: Record<string, number> }[] }[] };
  loadMesh(index: number): Promise<Group | Mesh>;
  getDependency(type: string, index: number): Promise<any>;
}

/** By accessor: what WEIGHTS_0 summed to before GLTFLoader normalised it in place. */
type Sums = Map<number, Promise<Float32Array>>;

export class SuppleInfluences {
  readonly name = 'SUPPLE_influences';
  readonly #parser: Parser;
  readonly #sums: Sums = new Map();

  constructor(parser: unknown) {
    this.#parser = parser as Parser;
  }

  loadMesh(index: number): Promise<Group | Mesh> | null {
    const primitives = this.#parser.json.meshes?.[index]?.primitives ?? [];
    if (!primitives.some(({ attributes }) => attributes.WEIGHTS_1 !== undefined)) return null;
    return this.#load(index, primitives);
  }

  #sumsOf(accessor: number): Promise<Float32Array> {
    let sums = this.#sums.get(accessor);
    if (!sums) {
      sums = this.#parser.getDependency('accessor', accessor).then((weights: Attribute) =>
        Float32Array.from({ length: weights.count }, (_, v) =>
          weights.getX(v) + weights.getY(v) + weights.getZ(v) + weights.getW(v)));
      this.#sums.set(accessor, sums);
    }
    return sums;
  }

  async #load(index: number, primitives: { attributes: Record<string, number> }[]): Promise<Group | Mesh> {
    const sums = await Promise.all(primitives.map(({ attributes }) =>
      attributes.WEIGHTS_1 !== undefined && attributes.WEIGHTS_0 !== undefined ? this.#sumsOf(attributes.WEIGHTS_0) : null));
    const loaded = await this.#parser.loadMesh(index);
    const meshes = (loaded as Group).isGroup ? loaded.children : [loaded];
    meshes.forEach((mesh, i) => {
      if ((mesh as SkinnedMesh).isSkinnedMesh && sums[i]) keep(mesh as SkinnedMesh, sums[i]);
    });
    return loaded;
  }
}

function keep({ geometry }: SkinnedMesh, sums: Float32Array): void {
  const sets = furtherSets(geometry).map(([, weights]) => weights);
  const kept = sums.slice();
  for (let v = 0; v < kept.length; v++) {
    let sum = kept[v]!;
    for (const weights of sets) for (let k = 0; k < 4; k++) sum += weights.getComponent(v, k);
    if (!(sum > 0)) kept[v] = 1;
    else kept[v] = kept[v]! / sum;
    // What is off by no more than rounding stays: integer weights hold few bits.
    if (sum > 0 && Math.abs(sum - 1) > 1e-3)
      for (const weights of sets)
        for (let k = 0; k < 4; k++) weights.setComponent(v, k, weights.getComponent(v, k) / sum);
  }
  geometry.userData[FIRST_SUMS] = kept;
}
