// three-handle.ts: what supple() does to meshes, and the handle that it gives back; the same for both renderers.
import { BufferAttribute, Matrix4, Object3D, SkinnedMesh, Vector3, type BufferGeometry, type Skeleton } from 'three';
import type { Mesh, Supple } from './index.js';
import { isSupple, LINEAR_SHARE, furtherSets, skinnedMeshes, standIn, SuppleSkeleton } from './three-skeleton.js';

export type Method = 'lbs' | 'dqs';

export interface SuppleOptions {
  /** How vertices follow their joints; 'dqs' unless told. */
  method?: Method | undefined;
  /** A share of linear blending for each vertex, 0 … 1. */
  linearShare?: ArrayLike<number> | undefined;
  /** Who moves the vertices: the material's shader, or WebAssembly (for RawShaderMaterial, which has no skinning). */
  on?: 'gpu' | 'cpu' | undefined;
  /** The library, as init() gave it: needed for `on: 'cpu'`. */
  library?: Supple | undefined;
}

/** What supple() hands back: the method can be changed at any time. */
export interface SuppleHandle {
  method: Method;
  readonly meshes: readonly SkinnedMesh[];
  /** Back to three's own linear blending; frees the textures and the memory. */
  dispose(): void;
}

const original = (skeleton: Skeleton): Skeleton => (isSupple(skeleton) ? skeleton.source : skeleton);

/** Bounds that were computed are those of the other method. */
function forgetBounds(mesh: SkinnedMesh): void {
  const bounds = mesh as { boundingBox: unknown; boundingSphere: unknown };
  bounds.boundingBox = null;
  bounds.boundingSphere = null;
}

function setShare(geometry: BufferGeometry, share: Float32Array): void {
  const { count } = geometry.getAttribute('position');
  if (share.length !== count)
    throw new RangeError(`supple: linearShare has ${share.length} values for ${count} vertices`);
  geometry.setAttribute(LINEAR_SHARE, new BufferAttribute(share, 1));
}

// ---- moved by WebAssembly ----

const matrix = new Matrix4(), toMesh = new Matrix4(), vector = new Vector3();

/** By geometries that WebAssembly writes: those at rest. A clone shares the former, and may be given a writer of its own. */
const atRest = new WeakMap<BufferGeometry, BufferGeometry>();

/** Writes a mesh's vertices every time its world matrix is updated, before anything is drawn. */
class Writer {
  readonly mesh: SkinnedMesh;
  method: Method;
  readonly #arrays: Mesh;
  readonly #source: Skeleton;
  readonly #rest: BufferGeometry;
  readonly #update: SkinnedMesh['updateMatrixWorld'];
  readonly #posed: BufferGeometry;

  constructor(mesh: SkinnedMesh, geometry: BufferGeometry, library: Supple, method: Method) {
    this.mesh = mesh;
    this.method = method;
    this.#source = original(mesh.skeleton);
    this.#rest = atRest.get(geometry) ?? geometry;
    this.#update = mesh.updateMatrixWorld;
    this.#arrays = library.mesh(arraysOf(this.#rest, this.#source));
    this.#posed = this.#rest.clone();
    this.#posed.morphAttributes = {};
    atRest.set(this.#posed, this.#rest);
    mesh.geometry = this.#posed;
    const still = new SuppleSkeleton(this.#source, null);
    still.still = true;
    mesh.skeleton = still;
    mesh.updateMatrixWorld = (force?: boolean) => {
      this.#update.call(mesh, force);
      this.write();
    };
    this.write();
  }

  /** Poses the vertices as the bones stand. */
  write(): void {
    const { mesh } = this, { bones, boneInverses } = this.#source, matrices = this.#arrays.matrices;
    toMesh.copy(mesh.bindMatrixInverse);
    bones.forEach((bone, i) => {
      bone?.updateWorldMatrix(true, false);
      matrix.multiplyMatrices(bone ? bone.matrixWorld : matrix.identity(), boneInverses[i]!);
      matrix.premultiply(toMesh).multiply(mesh.bindMatrix);
      const e = matrix.elements;
      for (let row = 0; row < 3; row++)
        for (let column = 0; column < 4; column++) matrices[i * 12 + row * 4 + column] = e[column * 4 + row]!;
    });
    this.#morph();
    const { positions, normals, tangents } = this.#arrays.deform(this.method);
    put(this.#posed, 'position', positions, 3);
    if (normals) put(this.#posed, 'normal', normals, 3);
    if (tangents) put(this.#posed, 'tangent', tangents, 4);
    forgetBounds(mesh);
  }

  /** Morph targets come before skinning. */
  #morph(): void {
    const influences = this.mesh.morphTargetInfluences, { morphAttributes, morphTargetsRelative } = this.#rest;
    if (!influences?.length) return;
    const each = (name: 'position' | 'normal', out: Float32Array | null): void => {
      const targets = morphAttributes[name], base = this.#rest.getAttribute(name);
      if (!targets || !base || !out) return;
      for (let v = 0; v < base.count; v++) {
        vector.fromBufferAttribute(base, v);
        const { x, y, z } = vector;
        influences.forEach((influence, t) => {
          const target = targets[t];
          if (!influence || !target) return;
          const relative = morphTargetsRelative ? 0 : 1;
          vector.x += influence * (target.getX(v) - relative * x);
          vector.y += influence * (target.getY(v) - relative * y);
          vector.z += influence * (target.getZ(v) - relative * z);
        });
        vector.toArray(out, v * 3);
      }
    };
    each('position', this.#arrays.positions);
    each('normal', this.#arrays.normals);
  }

  dispose(): void {
    this.mesh.skeleton.dispose();
    this.mesh.geometry = this.#rest;
    this.mesh.skeleton = this.#source;
    this.mesh.updateMatrixWorld = this.#update;
    this.#posed.dispose();
    this.#arrays.free();
    forgetBounds(this.mesh);
  }
}

function put(geometry: BufferGeometry, name: string, values: Float32Array, width: number): void {
  let found = geometry.getAttribute(name) as BufferAttribute;
  const interleaved = (found as { isInterleavedBufferAttribute?: boolean }).isInterleavedBufferAttribute;
  if (!(found.array instanceof Float32Array) || interleaved || found.itemSize !== width) {
    found = new BufferAttribute(new Float32Array(values.length), width);
    geometry.setAttribute(name, found);
  }
  found.array.set(values);
  found.needsUpdate = true;
}

/** A geometry's streams and influences as plain arrays. */
function arraysOf(geometry: BufferGeometry, skeleton: Skeleton) {
  const { count } = geometry.getAttribute('position');
  const stream = (name: string, width: number): Float32Array | undefined => {
    const found = geometry.getAttribute(name);
    if (!found) return undefined;
    return Float32Array.from({ length: count * width }, (_, i) => found.getComponent(Math.floor(i / width), i % width));
  };
  const first = geometry.userData.suppleFirstSums as Float32Array | undefined;
  const sets = [[geometry.getAttribute('skinIndex'), geometry.getAttribute('skinWeight')], ...furtherSets(geometry)] as const;
  const influenceCount = sets.length * 4;
  const joints = new Uint16Array(count * influenceCount), weights = new Float32Array(count * influenceCount);
  sets.forEach(([from, by], set) => {
    for (let v = 0; v < count; v++)
      for (let k = 0; k < 4; k++) {
        const at = v * influenceCount + set * 4 + k;
        joints[at] = from!.getComponent(v, k);
        weights[at] = by!.getComponent(v, k) * (set === 0 && sets.length > 1 ? (first?.[v] ?? 1) : 1);
      }
  });
  const normals = stream('normal', 3);
  return { positions: stream('position', 3)!, normals, tangents: normals ? stream('tangent', 4) : undefined, joints, weights,
    influenceCount, jointCount: skeleton.bones.length };
}

// ---- the handle ----

/** `adapt` runs after a mesh's skeleton was set; `plain` gives the geometry that a skeleton's stand-in is made for. */
export function handleOf(object: Object3D, options: SuppleOptions, adapt: (mesh: SkinnedMesh) => void = () => {},
  plain: (geometry: BufferGeometry) => BufferGeometry = (geometry) => geometry): SuppleHandle {
  const meshes = skinnedMeshes(object);
  if (!meshes.length) throw new TypeError('supple: the object is no SkinnedMesh and has none below it');
  if (options.on === 'cpu' && !options.library)
    throw new TypeError("supple: on: 'cpu' needs the library: { on: 'cpu', library: await init() }");
  const geometries = new Set(options.linearShare ? meshes.map((mesh) => plain(mesh.geometry)) : []);
  for (const geometry of geometries) setShare(geometry, Float32Array.from(options.linearShare!));
  let method: Method = options.method ?? 'dqs';
  const writers = options.on === 'cpu'
    ? meshes.map((mesh) => new Writer(mesh, plain(mesh.geometry), options.library!, method)) : null;
  const used = new Set<SuppleSkeleton>();
  const apply = (): void => {
    for (const writer of writers ?? []) {
      writer.method = method;
      writer.write();
      adapt(writer.mesh);
    }
    for (const mesh of writers ? [] : meshes) {
      mesh.skeleton = standIn(original(mesh.skeleton), plain(mesh.geometry), method);
      if (isSupple(mesh.skeleton)) used.add(mesh.skeleton);
      adapt(mesh);
      forgetBounds(mesh);
    }
  };
  apply();
  return {
    meshes,
    get method(): Method {
      return method;
    },
    set method(wanted: Method) {
      method = wanted;
      apply();
    },
    dispose(): void {
      for (const writer of writers ?? []) writer.dispose();
      for (const mesh of meshes) {
        mesh.skeleton = original(mesh.skeleton);
        adapt(mesh);
        forgetBounds(mesh);
      }
      // Whoever shares one of these makes its texture anew.
      for (const skeleton of used) skeleton.dispose();
      used.clear();
      for (const geometry of geometries) geometry.deleteAttribute(LINEAR_SHARE);
      geometries.clear();
    },
  };
}
