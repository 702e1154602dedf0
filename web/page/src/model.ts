// model.ts: a loaded file: the library's asset, and three's scene twice, linear on the left and ours on the right.
import { Group, Object3D, SkinnedMesh, type Texture, type WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import * as SkeletonUtils from 'three/addons/utils/SkeletonUtils.js';
import type { Asset, Measure, Pose, Skinned, Supple } from '../../src/index.js';
import { supple as byDualQuaternions, SuppleInfluences, type SuppleHandle } from '../../src/three.js';
import { applyTurn, axesOf, type Turn } from './handpose.js';
import { BasisTextures } from './textures.js';

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

/** Three's scenes for a file, `plain`: without compression and without files of its own. */
async function drawnOf(asset: Asset, plain: Uint8Array, textures: BasisTextures): Promise<{ left: Half; right: Half; drawn: Drawn[] }> {
  const loader = new GLTFLoader().register((parser) => new SuppleInfluences(parser))
    .register((parser) => textures.of(parser) as never);
  const gltf = await loader.parseAsync(plain.buffer as ArrayBuffer, '');
  const { instances, nodes } = asset.description, numbers = new Map<Object3D, number>();
  const meshes = new Map<Object3D, { node: number; primitive: number }>();
  const read = (root: Object3D): void => root.traverse((object) => {
    const own = gltf.parser.associations.get(object as never) as { nodes?: number; primitives?: number } | undefined;
    if (own?.nodes !== undefined) numbers.set(object, own.nodes);
    if (!(object as SkinnedMesh).isSkinnedMesh) return;
    const node = own?.nodes ?? numbers.get(object.parent!);
    if (node !== undefined) meshes.set(object, { node, primitive: own?.primitives ?? 0 });
  });
  // The file's scene; where that has nothing skinned, all of them.
  const all = new Group(), first = gltf.scene ?? gltf.scenes[0];
  if (first) all.add(first);
  read(all);
  if (!meshes.size) for (const scene of gltf.scenes) if (scene !== first) all.add(scene), read(scene);
  const twin = SkeletonUtils.clone(all), originals: Object3D[] = [], twins: Object3D[] = [];
  all.traverse((object) => originals.push(object));
  twin.traverse((object) => twins.push(object));
  const drawn = originals.flatMap((object, i): Drawn[] => {
    const found = meshes.get(object), instance = found ? instances.findIndex(({ node }) => node === found.node) : -1;
    return instance < 0 ? [] : [{ instance, primitive: found!.primitive, left: object as SkinnedMesh, right: twins[i] as SkinnedMesh }];
  });
  const byTwin = new Map(originals.map((object, i) => [twins[i]!, object]));
  return { left: nodesOf(all, nodes.length, (o) => numbers.get(o)),
    right: nodesOf(twin, nodes.length, (o) => numbers.get(byTwin.get(o)!)), drawn };
}

/** Gives back what three holds on the GPU, and the images. */
function disposeOf(...roots: Object3D[]): void {
  const held = new Set<{ dispose(): void }>();
  for (const root of roots)
    root.traverse((object) => {
      const mesh = object as SkinnedMesh;
      mesh.skeleton?.dispose();
      if (!mesh.geometry) return;
      held.add(mesh.geometry);
      for (const material of [mesh.material].flat()) {
        held.add(material);
        for (const value of Object.values(material)) if ((value as { isTexture?: boolean } | null)?.isTexture) held.add(value as Texture);
      }
    });
  for (const each of held) {
    (each as { source?: { data?: { close?(): void } } }).source?.data?.close?.();
    each.dispose();
  }
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
  /** What is not shown as it is, or "". */
  readonly note: string;
  readonly turns = new Map<number, Turn>();
  readonly #handle: SuppleHandle | null;
  readonly #axes = new Map<number, ReturnType<typeof axesOf>>();

  private constructor(name: string, asset: Asset, left: Half, right: Half, drawn: Drawn[], note: string) {
    this.name = name;
    this.note = note;
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

  /** Loads a file, for a renderer to draw. */
  static async load(library: Supple, renderer: WebGLRenderer, name: string, bytes: Uint8Array,
    files: Map<string, Uint8Array>): Promise<Model> {
    const asset = await library.load(bytes, { files }), textures = new BasisTextures(renderer);
    let halves: Awaited<ReturnType<typeof drawnOf>> | undefined;
    try {
      if (!asset.description.instances.length) throw new Error('there is no skinned mesh in this file');
      halves = await drawnOf(asset, await library.plain(bytes, { files }), textures);
      return new Model(name, asset, halves.left, halves.right, halves.drawn, textures.note());
    } catch (error) {
      if (halves) disposeOf(halves.left.root, halves.right.root);
      asset.free();
      throw error;
    } finally {
      textures.dispose();
    }
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
    disposeOf(this.left.root, this.right.root);
    for (const each of [...this.measures, ...this.skinned, this.pose, this.asset]) each.free();
  }
}
