// three-skeleton.ts: what both three.js plug-ins share: a Skeleton that also knows its joints' turns, the deformation of
// one vertex on the CPU (picking, bounds), and more than four influences.
import { Bone, DataTexture, FloatType, Matrix4, Object3D, Quaternion, RGBAFormat, SkinnedMesh, Skeleton, Vector3, Vector4,
  type BufferAttribute, type BufferGeometry, type InterleavedBufferAttribute } from 'three';
import { polarQuaternion, type Hint } from './polar.js';

type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** How far two quaternions may point apart before one is negated: exactly 180° stays a defined turn. */
export const FLIP_BELOW = -1e-6;
/** Below this |r|² there is no blended turn: linear blending steps in. */
export const VANISHES_BELOW = 1e-12;

/** The name of the attribute that mixes: 0 (or absent) dual quaternions, 1 linear blending. */
export const LINEAR_SHARE = 'suppleLinear';

/** In a geometry's userData: what the weights of its first set sum to, beside the further sets (SuppleInfluences). */
export const FIRST_SUMS = 'suppleFirstSums';

const firstSum = (geometry: BufferGeometry, vertex: number): number =>
  (geometry.userData[FIRST_SUMS] as Float32Array | undefined)?.[vertex] ?? 1;

/** Further sets of influences as GLTFLoader names them. */
export function furtherSets(geometry: BufferGeometry): [Attribute, Attribute][] {
  const sets: [Attribute, Attribute][] = [];
  for (let n = 1; ; n++) {
    const joints = geometry.getAttribute(`joints_${n}`), weights = geometry.getAttribute(`weights_${n}`);
    if (!joints || !weights) return sets;
    sets.push([joints as Attribute, weights as Attribute]);
  }
}

const quaternion = new Quaternion(), scale = new Vector3(), position = new Vector3();
const identity = new Matrix4(), offset = new Matrix4();

/** A joint's matrix and its orthogonal polar factor as a quaternion. */
export class Motion {
  readonly matrix = new Matrix4().multiplyScalar(NaN);
  readonly turn = new Float64Array(4);
}

/** Texels of a row, more only where there would be too many rows for a texture; never square, which tells the shader that
 * it is one of these. */
const LEAST_ROW = 256, MOST_ROWS = 4096;

/**
 * Stands in for another Skeleton, whose bones and inverses it shares. Its texture holds, in texels of four floats: the
 * matrices (four a joint, by columns, as three's own), the turns (a quaternion a joint), further influences (of each
 * vertex one texel with the sum of its first set's weights, then two influences a texel: joint, weight), and in the last
 * texel where the turns and the influences begin, how many texels of influences a vertex has, and flags (1: vertices
 * stay, 2: there is a share of linear blending, 4: linear blending).
 */
export class SuppleSkeleton extends Skeleton {
  readonly isSuppleSkeleton = true;
  /** What it stands in for. */
  readonly source: Skeleton;
  /** Whose further influences or share of linear blending it serves, or null: any. */
  readonly geometry: BufferGeometry | null;
  /** A quaternion a joint: four numbers. */
  turns: Float32Array;
  /** Linear blending, of all influences. */
  readonly linear: boolean;
  /** Vertices stay at rest: something else has moved them. */
  still = false;
  readonly #motions: Motion[] = [];
  #turnsBase = 0;
  #dynamicRows = 0;
  #row = LEAST_ROW;

  constructor(source: Skeleton, geometry: BufferGeometry | null, linear = false) {
    super(source.bones, source.boneInverses);
    this.source = source;
    this.geometry = geometry;
    this.linear = linear;
    this.turns = new Float32Array(this.bones.length * 4);
  }

  override update(): void {
    super.update();
    for (let i = 0; i < this.bones.length; i++)
      polarQuaternion(this.boneMatrices!, i * 16, this.turns, i * 4, () => this.#hint(i));
    const texture = this.boneTexture;
    if (!texture) return;
    (texture.image.data as Float32Array).set(this.turns, this.#turnsBase * 4);
    texture.clearUpdateRanges();
    // Further influences do not change: only the rows before them go to the GPU again.
    const row = this.#row * 4;
    if (this.geometry) for (let i = 0; i < this.#dynamicRows; i++) texture.addUpdateRange(i * row, row);
  }

  override computeBoneTexture(): this {
    const count = this.bones.length, sets = this.geometry ? furtherSets(this.geometry) : [];
    const vertices = sets.length ? this.geometry!.getAttribute('position').count : 0;
    const width = sets.length ? 1 + sets.length * 2 : 0;
    let row = LEAST_ROW;
    while (count * 5 + vertices * width > row * (MOST_ROWS - 2)) row *= 2;
    this.#row = row;
    this.#turnsBase = count * 4;
    this.#dynamicRows = Math.ceil((count * 5) / row);
    const base = this.#dynamicRows * row, texels = base + vertices * width + 1;
    let rows = Math.ceil(texels / row);
    if (rows === row) rows++;
    const data = new Float32Array(rows * row * 4);
    data.set(this.boneMatrices!.subarray(0, count * 16));
    data.set(this.turns, this.#turnsBase * 4);
    for (let v = 0; width && v < vertices; v++) {
      let at = (base + v * width) * 4;
      data[at] = firstSum(this.geometry!, v);
      at += 4;
      for (const [joints, weights] of sets)
        for (let k = 0; k < 4; k++) {
          data[at++] = joints.getComponent(v, k);
          data[at++] = weights.getComponent(v, k);
        }
    }
    const flags = (this.still ? 1 : 0) | (this.geometry?.hasAttribute(LINEAR_SHARE) ? 2 : 0) | (this.linear ? 4 : 0);
    data.set([this.#turnsBase, base, width, flags], data.length - 4);
    const texture = new DataTexture(data, row, rows, RGBAFormat, FloatType);
    texture.needsUpdate = true;
    // A renderer that meets the texture for the first time listens to it: it needs all of it.
    const { addEventListener } = texture;
    texture.addEventListener = (type, listener) => {
      texture.clearUpdateRanges();
      addEventListener.call(texture, type, listener as never);
    };
    this.boneMatrices = data;
    this.boneTexture = texture;
    return this;
  }

  override clone(): Skeleton {
    // Bones are exchanged by whoever clones (SkeletonUtils): in the clone's source too.
    const clone = new SuppleSkeletonClone(this.source.clone(), this.geometry, this.linear);
    clone.still = this.still;
    return clone;
  }

  override dispose(): void {
    super.dispose();
    this.boneTexture = null;
    this.previousBoneMatrices = null;
  }

  /** A joint's matrix and turn as its bone stands now, whether or not update() has run. */
  motion(joint: number): Motion {
    const bone = this.bones[joint], motion = (this.#motions[joint] ??= new Motion());
    offset.multiplyMatrices(bone ? bone.matrixWorld : identity, this.boneInverses[joint] ?? identity);
    if (!motion.matrix.equals(offset)) {
      motion.matrix.copy(offset);
      polarQuaternion(offset.elements, 0, motion.turn, 0, () => this.#hint(joint));
    }
    return motion;
  }

  /** What completes a singular matrix: the rotations of the hierarchy alone, and that of the inverse bind matrix. */
  #hint(joint: number): Hint {
    const turn = new Quaternion();
    let mirrored = false;
    for (let node: Object3D | null = this.bones[joint] ?? null; node; node = node.parent) {
      const own = turnOf(node);
      turn.premultiply(own.turn);
      mirrored = mirrored !== own.mirrored;
    }
    const bind = new Float64Array(4), inverse = this.boneInverses[joint];
    if (inverse) {
      polarQuaternion(inverse.elements, 0, bind, 0);
      turn.multiply(quaternion.set(bind[0]!, bind[1]!, bind[2]!, bind[3]!));
      mirrored = mirrored !== inverse.determinant() < 0;
    }
    return { rotation: [turn.x, turn.y, turn.z, turn.w], mirrored };
  }
}

/** The orthogonal polar factor of a node's rotation and scale, of its negative where it mirrors. */
function turnOf(node: Object3D): { turn: Quaternion; mirrored: boolean } {
  if (node.matrixAutoUpdate) {
    quaternion.copy(node.quaternion).normalize();
    scale.copy(node.scale);
  } else {
    node.matrix.decompose(position, quaternion, scale);
  }
  const x = scale.x < 0, y = scale.y < 0, z = scale.z < 0, mirrored = (x !== y) !== z;
  // The axes that are turned around once the mirror is taken out: none, or two, which is half a turn about the third.
  const half = [x !== mirrored, y !== mirrored, z !== mirrored], third = half.indexOf(false);
  if (half.some((around) => around))
    quaternion.multiply(new Quaternion(third === 0 ? 1 : 0, third === 1 ? 1 : 0, third === 2 ? 1 : 0, 0));
  return { turn: quaternion.clone(), mirrored };
}

/** A clone, whose bones are replaced after it was made: its source follows. */
class SuppleSkeletonClone extends SuppleSkeleton {
  constructor(source: Skeleton, geometry: BufferGeometry | null, linear: boolean) {
    super(source, geometry, linear);
    let bones = this.bones;
    Object.defineProperty(this, 'bones', {
      get: () => bones,
      set: (replaced: Bone[]) => {
        bones = replaced;
        this.source.bones = replaced;
      },
      enumerable: true,
      configurable: true,
    });
  }
}

export const isSupple = (skeleton: Skeleton | undefined): skeleton is SuppleSkeleton =>
  (skeleton as SuppleSkeleton | undefined)?.isSuppleSkeleton === true;

// ---- one vertex on the CPU ----

interface Influence {
  joint: number;
  weight: number;
  motion: Motion;
}

const influences: Influence[] = [];
const corner = new Vector4(), linear = new Matrix4(), map = new Matrix4();
const turn = new Float64Array(4), signed = new Float64Array(4), blocks = new Float64Array(16);

function collect(mesh: SkinnedMesh, skeleton: SuppleSkeleton, index: number): void {
  influences.length = 0;
  const add = (joints: Attribute, weights: Attribute, factor: number): void => {
    for (let k = 0; k < 4; k++) {
      const weight = weights.getComponent(index, k) * factor, joint = joints.getComponent(index, k);
      if (weight !== 0) influences.push({ joint, weight, motion: skeleton.motion(joint) });
    }
  };
  const { geometry } = mesh;
  const sets = furtherSets(geometry);
  add(geometry.getAttribute('skinIndex') as Attribute, geometry.getAttribute('skinWeight') as Attribute,
    sets.length ? firstSum(geometry, index) : 1);
  for (const [joints, weights] of sets) add(joints, weights, 1);
}

/** Adds w · (c as a pure quaternion) · q to a[at …]. */
function addTimes(a: Float64Array, at: number, w: number, c: ArrayLike<number>, from: number, q: ArrayLike<number>): void {
  const x = c[from]!, y = c[from + 1]!, z = c[from + 2]!;
  a[at]! += w * (x * q[3]! + y * q[2]! - z * q[1]!);
  a[at + 1]! += w * (y * q[3]! + z * q[0]! - x * q[2]!);
  a[at + 2]! += w * (z * q[3]! + x * q[1]! - y * q[0]!);
  a[at + 3]! -= w * (x * q[0]! + y * q[1]! + z * q[2]!);
}

const dot4 = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]! + a[3]! * b[3]!;

/** The affine map of the influences collected: by dual quaternions, mixed with linear blending by `share`. */
function blend(share: number, byLinear: boolean): Matrix4 {
  let pivot = influences[0];
  for (const other of influences)
    if (other.weight > pivot!.weight || (other.weight === pivot!.weight && other.joint < pivot!.joint)) pivot = other;
  linear.elements.fill(0);
  blocks.fill(0);
  turn.fill(0);
  for (const { weight, motion } of influences) {
    const flip = dot4(motion.turn, pivot!.motion.turn) < FLIP_BELOW ? -1 : 1, e = motion.matrix.elements;
    for (let k = 0; k < 4; k++) turn[k]! += weight * (signed[k] = flip * motion.turn[k]!);
    for (let c = 0; c < 4; c++) addTimes(blocks, c * 4, weight, e, c * 4, signed);
    for (let k = 0; k < 16; k++) linear.elements[k]! += weight * e[k]!;
  }
  const squared = dot4(turn, turn), r = turn;
  if (byLinear || !(squared >= VANISHES_BELOW)) return linear;
  const out = map.elements;
  for (let c = 0; c < 4; c++) {
    const x = blocks[c * 4]!, y = blocks[c * 4 + 1]!, z = blocks[c * 4 + 2]!, w = blocks[c * 4 + 3]!;
    out[c * 4] = (x * r[3]! - r[0]! * w - (y * r[2]! - z * r[1]!)) / squared;
    out[c * 4 + 1] = (y * r[3]! - r[1]! * w - (z * r[0]! - x * r[2]!)) / squared;
    out[c * 4 + 2] = (z * r[3]! - r[2]! * w - (x * r[1]! - y * r[0]!)) / squared;
    out[c * 4 + 3] = c === 3 ? 1 : 0;
  }
  if (share) for (let k = 0; k < 16; k++) out[k] = out[k]! + (linear.elements[k]! - out[k]!) * share;
  return map;
}

const linearTransform = SkinnedMesh.prototype.applyBoneTransform;

/** As SkinnedMesh.applyBoneTransform, by the method of the mesh's skeleton. */
function applyBoneTransform<T extends Vector3 | Vector4>(this: SkinnedMesh, index: number, target: T): T {
  const { skeleton } = this;
  if (!isSupple(skeleton)) return linearTransform.call(this, index, target as never) as unknown as T;
  if (skeleton.still) return target;
  const w = (target as Vector4).isVector4 ? (target as Vector4).w : 1;
  collect(this, skeleton, index);
  if (!influences.length) return target.set(0, 0, 0, w) as T;
  const share = (this.geometry.getAttribute(LINEAR_SHARE) as Attribute | undefined)?.getX(index) ?? 0;
  corner.set(target.x, target.y, target.z, w).applyMatrix4(this.bindMatrix).applyMatrix4(blend(share, skeleton.linear));
  corner.w = w;
  corner.applyMatrix4(this.bindMatrixInverse);
  target.x = corner.x;
  target.y = corner.y;
  target.z = corner.z;
  return target;
}

/** Lets every SkinnedMesh, clones included, follow the method of its skeleton on the CPU. */
export function patchSkinnedMesh(): void {
  SkinnedMesh.prototype.applyBoneTransform = applyBoneTransform as typeof SkinnedMesh.prototype.applyBoneTransform;
}

// ---- one stand-in a skeleton ----

interface StandIns {
  dqs: Map<BufferGeometry | null, SuppleSkeleton>;
  lbs: Map<BufferGeometry | null, SuppleSkeleton>;
}
const standIns = new WeakMap<Skeleton, StandIns>();

/**
 * The skeleton by which a geometry follows `source`, made once: for linear blending `source` itself, unless the
 * geometry has further influences. One of its own for a geometry with further influences or shares.
 */
export function standIn(source: Skeleton, geometry: BufferGeometry, method: 'lbs' | 'dqs'): Skeleton {
  const further = furtherSets(geometry).length > 0;
  if (method === 'lbs' && !further) return source;
  const key = further || geometry.hasAttribute(LINEAR_SHARE) ? geometry : null;
  let all = standIns.get(source);
  if (!all) standIns.set(source, (all = { dqs: new Map(), lbs: new Map() }));
  let found = all[method].get(key);
  if (!found) all[method].set(key, (found = new SuppleSkeleton(source, key, method === 'lbs')));
  return found;
}

/** All skinned meshes of an object and below it. */
export function skinnedMeshes(object: Object3D): SkinnedMesh[] {
  const found: SkinnedMesh[] = [];
  object.traverse((node) => {
    if ((node as SkinnedMesh).isSkinnedMesh) found.push(node as SkinnedMesh);
  });
  return found;
}
