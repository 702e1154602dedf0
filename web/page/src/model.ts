// model.ts: a loaded file: the library's asset, and three's scene twice, linear on the left and ours on the right.
import { Group, Object3D, SkinnedMesh } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import type { Asset, Measure, Pose, Skinned, Supple } from '../../src/index.js';
import { supple as byDualQuaternions, SuppleInfluences, type SuppleHandle } from '../../src/three.js';
import { applyTurn, axesOf, type Turn } from './handpose.js';

/** A joint of an instance, as the lists name it. */
export interface JointId {
  instance: number;
  joint: number;
}

/** Where a primitive of an instance is drawn, in both halves. */
export interface Drawn {
  instance: number;
  primitive: number;
  left: SkinnedMesh;
  right: SkinnedMesh;
}

interface Half {
  root: Object3D;
  nodes: (Object3D | undefined)[];
}

/** The objects of a scene by the number of their node. */
function nodesOf(root: Object3D, count: number, numberOf: (object: Object3D) => number | undefined): Half {
  const nodes: (Object3D | undefined)[] = Array.from({ length: count });
  root.traverse((object) => {
    const node = numberOf(object);
    if (node !== undefined) nodes[node] ??= object;
  });
  return { root, nodes };
}

export class Model {
  readonly name: string;
  readonly asset: Asset;
  readonly pose: Pose;
  readonly skinned: Skinned[];
  readonly measures: Measure[];
  readonly left: Half;
  readonly right: Half;
  readonly drawn: Drawn[];
  readonly turns = new Map<number, Turn>();
  readonly #handle: SuppleHandle | null;
  readonly #axes = new Map<number, ReturnType<typeof axesOf>>();

  private constructor(name: string, asset: Asset, left: Half, right: Half, drawn: Drawn[]) {
    this.name = name;
    this.asset = asset;
    this.pose = asset.pose();
    this.skinned = asset.description.instances.map((_, i) => asset.skinned(i));
    this.measures = this.skinned.map((skinned) => skinned.measure());
    this.left = left;
    this.right = right;
    this.drawn = drawn;
    this.#handle = drawn.length ? byDualQuaternions(right.root) : null;
    for (const { left: mesh, right: twin } of drawn) mesh.frustumCulled = twin.frustumCulled = false;
    for (const { instance, joint, node } of this.joints())
      if (!this.#axes.has(node)) this.#axes.set(node, axesOf(asset, this.measures[instance]!, this.skinOf(instance), joint));
  }

  /** Loads a file; `plain` is the same as a .glb without compression and without files of its own. */
  static async load(library: Supple, name: string, bytes: Uint8Array, files: Map<string, Uint8Array>): Promise<Model> {
    const asset = await library.load(bytes, { files });
    if (!asset.description.instances.length) {
      asset.free();
      throw new Error('there is no skinned mesh in this file');
    }
    const plain = await library.plain(bytes, { files });
    const loader = new GLTFLoader().register((parser) => new SuppleInfluences(parser));
    const gltf = await loader.parseAsync(plain.slice().buffer, '');
    const count = asset.description.nodes.length;
    const all = new Group();
    for (const scene of gltf.scenes) if (scene === gltf.scene || !gltf.scene) all.add(scene);
    const numbers = new Map<Object3D, number>();
    const meshes = new Map<Object3D, { node: number; primitive: number }>();
    all.traverse((object) => {
      const own = gltf.parser.associations.get(object as never) as { nodes?: number; primitives?: number } | undefined;
      if (own?.nodes !== undefined) numbers.set(object, own.nodes);
      if ((object as SkinnedMesh).isSkinnedMesh) {
        const node = own?.nodes ?? numbers.get(object.parent!);
        if (node !== undefined) meshes.set(object, { node, primitive: own?.primitives ?? 0 });
      }
    });
    const twin = SkeletonUtils.clone(all), originals: Object3D[] = [], twins: Object3D[] = [];
    all.traverse((object) => originals.push(object));
    twin.traverse((object) => twins.push(object));
    const drawn: Drawn[] = [];
    originals.forEach((object, i) => {
      const found = meshes.get(object);
      if (!found) return;
      const instance = asset.description.instances.findIndex(({ node }) => node === found.node);
      if (instance >= 0)
        drawn.push({ instance, primitive: found.primitive, left: object as SkinnedMesh, right: twins[i] as SkinnedMesh });
    });
    const byTwin = new Map(originals.map((object, i) => [twins[i]!, object]));
    return new Model(name, asset, nodesOf(all, count, (o) => numbers.get(o)),
      nodesOf(twin, count, (o) => numbers.get(byTwin.get(o)!)), drawn);
  }

  skinOf(instance: number): number {
    return this.asset.description.instances[instance]!.skin;
  }

  /** All joints of all instances. */
  joints(): (JointId & { node: number; name: string })[] {
    const { instances, skins, nodes } = this.asset.description;
    return instances.flatMap(({ skin }, instance) => skins[skin]!.joints.map((node, joint) =>
      ({ instance, joint, node, name: nodes[node]!.name || `node ${node}` })));
  }

  nodeOf({ instance, joint }: JointId): number {
    return this.asset.description.skins[this.skinOf(instance)]!.joints[joint]!;
  }

  /** Poses all nodes: a clip at a time (-1: as stored), then what was turned by hand. */
  sample(pose: Pose, clip: number, seconds: number): void {
    if (clip < 0) pose.rest();
    else pose.sample(clip, seconds);
    let turned = false;
    for (const [node, turn] of this.turns) {
      const axes = this.#axes.get(node);
      if (!axes) continue;
      applyTurn(pose, node, axes, turn);
      turned = true;
    }
    if (turned) pose.update();
  }

  /** Hands the pose to three's nodes, on both sides. */
  show(): void {
    const { locals, weights } = this.pose, { nodes } = this.asset.description;
    for (const half of [this.left, this.right]) {
      half.nodes.forEach((object, node) => {
        if (!object) return;
        const at = node * 10;
        object.position.fromArray(locals, at);
        object.quaternion.fromArray(locals, at + 3);
        object.scale.fromArray(locals, at + 7);
        const { weightBegin, weightCount } = nodes[node]!;
        if (weightCount)
          object.traverse((mesh) => {
            const influences = (mesh as SkinnedMesh).morphTargetInfluences;
            if (influences && (mesh === object || mesh.parent === object))
              for (let k = 0; k < weightCount; k++) influences[k] = weights[weightBegin + k]!;
          });
      });
    }
  }

  free(): void {
    this.#handle?.dispose();
    const geometries = new Set<{ dispose(): void }>();
    this.left.root.traverse((object) => {
      const mesh = object as SkinnedMesh;
      if (!mesh.geometry) return;
      geometries.add(mesh.geometry);
      for (const material of [mesh.material].flat()) {
        geometries.add(material);
        for (const value of Object.values(material)) if ((value as { isTexture?: boolean } | null)?.isTexture) geometries.add(value as never);
      }
      mesh.skeleton?.dispose();
    });
    for (const each of geometries) each.dispose();
    for (const each of [...this.measures, ...this.skinned, this.pose, this.asset]) each.free();
  }
}
