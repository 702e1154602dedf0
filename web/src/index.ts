// index.ts: the library in JavaScript: load, pose, skin, measure, check, fix.
//
//   import { init } from 'supple-skin';
//   const supple = await init();
//   const asset = await supple.load(bytes);
//   const pose = asset.pose(), skinned = asset.skinned(0);
//   pose.sample(0, 0.5);
//   skinned.pose(pose);
//   const { positions } = skinned.deform('dqs')[0];
//
// Objects hold memory of the WebAssembly module: free() gives it back. Typed arrays that are handed out are views on
// that memory: copy what has to outlive the next call.
import { codecFlags, prepareCodecs, type Codecs } from './codecs.js';
import { hasSimd, Native, SuppleError } from './native.js';

export { SuppleError, type Codecs };

/** How vertices follow their joints: linear blend skinning, or dual quaternion skinning. */
export type Method = 'lbs' | 'dqs';
/** How dual quaternion skinning treats joint matrices that are not rigid. */
export type Scale = 'affine' | 'first' | 'none';

/** How normals follow the linear part L of a vertex's map: by its cofactors, unit length; by L, unit length; by L as it comes. */
export type Normals = 'cofactor' | 'unit' | 'linear';

const METHODS: readonly Method[] = ['lbs', 'dqs'];
const NORMALS: readonly Normals[] = ['cofactor', 'unit', 'linear'];
const SCALES: readonly Scale[] = ['affine', 'first', 'none'];

export interface InitOptions {
  /** The module, compiled or as bytes or as a response; without it the one beside this file. */
  wasm?: WebAssembly.Module | BufferSource | Response | Promise<Response> | undefined;
  /** The module of check, fix and plain, likewise; fetched when one of them is first called. */
  tools?: (() => Promise<WebAssembly.Module>) | undefined;
  /** Use SIMD128; without it: where the engine has it. */
  simd?: boolean | undefined;
}

export interface NodeInfo {
  name: string;
  parent: number | null;
  mesh: number | null;
  skin: number | null;
  weightBegin: number;
  weightCount: number;
}

interface PrimitiveDescription {
  topology: number;
  vertexCount: number;
  indexCount: number;
  influenceCount: number;
  targetCount: number;
  material: number | null;
  positions: number;
  normals: number;
  tangents: number;
  texcoords: number;
  colors: number;
  indices: number;
  joints: number;
  weights: number;
}

export interface SkinInfo {
  name: string;
  /** What the file asks for: "classicLinear", "dualQuaternion", or "". */
  method: string;
  /** @internal */
  inverseBinds: number;
  /** Node of each joint. */
  joints: number[];
  /** Joint above each joint, or null. */
  parents: (number | null)[];
}

export interface ClipInfo {
  name: string;
  begin: number;
  end: number;
}

export interface Note {
  pointer: string;
  text: string;
}

/** Everything in a file but its vertices. */
export interface Description {
  generator: string;
  scene: number | null;
  memoryBytes: number;
  nodes: NodeInfo[];
  meshes: { name: string; primitives: PrimitiveDescription[] }[];
  skins: SkinInfo[];
  /** What gets deformed: node, mesh and skin. */
  instances: { node: number; mesh: number; skin: number }[];
  clips: ClipInfo[];
  extensions: string[];
  notes: Note[];
}

/** The streams of a primitive as the file has them; null where it has none. */
export interface Primitive {
  vertexCount: number;
  influenceCount: number;
  positions: Float32Array;
  normals: Float32Array | null;
  tangents: Float32Array | null;
  texcoords: Float32Array | null;
  colors: Float32Array | null;
  indices: Uint32Array | null;
  joints: Uint16Array | null;
  weights: Float32Array | null;
}

/** What a deformation gives for one primitive; null where the primitive has no influences. */
export interface Deformed {
  positions: Float32Array;
  normals: Float32Array | null;
  tangents: Float32Array | null;
}

export interface LoadOptions {
  /** External files by their path as the asset names them (percent-decoded). */
  files?: Map<string, Uint8Array> | Record<string, Uint8Array> | undefined;
  codecs?: Codecs | undefined;
}

export interface SkinnedOptions {
  space?: 'scene' | 'mesh' | undefined;
  /** What becomes of weights that do not sum to 1. */
  weights?: 'normalise' | 'keep' | undefined;
  /** What a vertex without weight does. */
  unweighted?: 'first-joint' | 'rest' | undefined;
  /** Keep the largest so many influences; without it all. */
  maxInfluences?: number | undefined;
  scale?: Scale | undefined;
  /** Joints within this share of the common scale count as rigid: 2e-5 unless told; negative: none does. */
  rigidTolerance?: number | undefined;
}

/** Ratios to rest of one joint; NaN where there is none. */
export interface JointMeasure {
  /** By offset along the bone, -0.6 … 0.6; number 4 is at the joint. */
  sections: Float64Array;
  projected: number;
  radius: number;
  bulge: number;
  worst: number;
  worstOffset: number;
  kept: number;
  ownKept: number;
}

export interface Measures {
  volume: number;
  edges: { mean: number; least: number; most: number };
  flipped: number;
  keptBelow: number;
  joints: JointMeasure[];
}

export interface MeasuredJoint {
  status: 'ok' | 'rigid' | 'unweighted' | 'open' | 'outside' | 'ambiguous' | 'skipped';
  parent: number | null;
  child: number | null;
  shared: boolean;
  /** Direction of the bone that goes out, in the mesh's space at bind time; zeros where there is none. */
  outgoing: [number, number, number];
  /** The same of the bone that comes in. */
  incoming: [number, number, number];
  /** Points of each of the nine sections; 0: there is none. */
  sections: number[];
}

export interface Finding {
  code: string;
  severity: 'error' | 'warning' | 'information' | 'hint';
  pointer: string;
  text: string;
  meaning: string;
  consequence: string;
  /** What of `fix` mends it: "" nothing. */
  fix: string;
  count: number;
  metres: number | null;
}

export interface CheckReport {
  loads: boolean;
  refused: string;
  findings: Finding[];
}

export interface FixOptions extends LoadOptions {
  /** Bits of supple_repair; without it the default ones. */
  repairs?: number | undefined;
  influences?: number | undefined;
  maxJoints?: number | undefined;
}

export interface FixReport {
  largestMetres: number;
  largestShare: number;
  truncatedMetres: number;
  worstClip: number | null;
  worstSeconds: number;
  /** At which there was something to compare; of these only so many were, where all would take too long. */
  moments: number;
  comparedMoments: number;
  /** Not even one moment was compared whole. */
  incomplete: boolean;
  actions: { code: string; pointer: string; text: string; count: number; done: boolean }[];
}

/** The number of one of `names`; what is no such name is an error that says which there are. */
function numberOf(names: readonly string[], name: string, what: string): number {
  const number = names.indexOf(name);
  if (number < 0) throw new SuppleError(`there is no ${what} '${name}': one of ${names.join(', ')}`);
  return number;
}
const methodNumber = (method: Method): number => numberOf(METHODS, method, 'method');

/** Memory of the module that is given back once: after all that depends on it. */
class Resource {
  #users = 1;
  readonly #release: () => void;
  readonly #owner: Resource | null;

  constructor(release: () => void, owner: Resource | null) {
    this.#release = release;
    this.#owner = owner;
    if (owner) owner.#users++;
  }

  drop(): void {
    if (--this.#users) return;
    this.#release();
    this.#owner?.drop();
  }
}

/** Frees what was forgotten. */
const forgotten = new FinalizationRegistry<Resource>((resource) => resource.drop());

/** Something that holds memory of the module. */
abstract class Held {
  readonly native: Native;
  protected address: number;
  /** @internal */
  readonly resource: Resource;

  constructor(native: Native, address: number, release: (address: number) => void, owner: Held | null) {
    if (!address) throw native.failure();
    this.native = native;
    this.address = address;
    this.resource = new Resource(() => release(address), owner?.resource ?? null);
    forgotten.register(this, this.resource, this);
  }

  /** Gives its memory back; it may not be used any more (what was made of it may). */
  free(): void {
    if (!this.address) return;
    forgotten.unregister(this);
    this.address = 0;
    this.resource.drop();
  }

  /** @internal */
  get use(): number {
    if (!this.address) throw new SuppleError('used after free()');
    return this.address;
  }
}

/** An asset: everything of a file. */
export class Asset extends Held {
  readonly description: Description;

  constructor(native: Native, address: number) {
    super(native, address, (asset) => native.exports.web_asset_free(asset), null);
    this.description = native.json<Description>(native.exports.web_asset_describe(address));
  }

  /** The streams of a primitive, as views on the module's memory. */
  primitive(mesh: number, index: number): Primitive {
    const found = this.description.meshes[mesh]?.primitives[index];
    if (!found) throw new SuppleError(`there is no primitive ${index} of mesh ${mesh}`);
    const { native } = this, count = found.vertexCount;
    this.use;
    return {
      vertexCount: count,
      influenceCount: found.influenceCount,
      positions: native.floats(found.positions, count * 3),
      normals: found.normals ? native.floats(found.normals, count * 3) : null,
      tangents: found.tangents ? native.floats(found.tangents, count * 4) : null,
      texcoords: found.texcoords ? native.floats(found.texcoords, count * 2) : null,
      colors: found.colors ? native.floats(found.colors, count * 4) : null,
      indices: found.indices ? native.integers(found.indices, found.indexCount) : null,
      joints: found.joints ? native.shorts(found.joints, count * found.influenceCount) : null,
      weights: found.weights ? native.floats(found.weights, count * found.influenceCount) : null,
    };
  }

  /** Twelve numbers a joint of a skin, three rows of four: from mesh space to the joint's at bind time. */
  inverseBinds(skin: number): Float64Array {
    const found = this.description.skins[skin]!;
    this.use;
    return this.native.doubles(found.inverseBinds, found.joints.length * 12);
  }

  /** A pose of all nodes, at rest. */
  pose(): Pose {
    return new Pose(this);
  }

  /** Instance number `instance`, ready to be deformed. */
  skinned(instance: number, options: SkinnedOptions = {}): Skinned {
    return new Skinned(this, instance, options);
  }
}

/** Transforms of all nodes and morph weights of one moment. */
export class Pose extends Held {
  readonly asset: Asset;

  constructor(asset: Asset) {
    const { native } = asset;
    super(native, native.exports.web_pose_create(asset.use), (pose) => native.exports.web_pose_free(pose), asset);
    this.asset = asset;
  }

  /** The nodes as stored. */
  rest(): void {
    this.native.exports.web_pose_rest(this.use);
  }

  /** What a clip says at a time in seconds, the rest as stored. */
  sample(clip: number, seconds: number): void {
    const { clips } = this.asset.description;
    if (!(clip in clips)) throw new SuppleError(`there is no clip ${clip}: the asset has ${clips.length}`);
    if (!Number.isFinite(seconds)) throw new SuppleError(`a time of ${seconds} seconds`);
    this.native.exports.web_pose_sample(this.use, this.asset.use, clip, seconds);
  }

  /** Ten numbers a node (translation, rotation x y z w, scale); after writing: useLocal(node), then update(). */
  get locals(): Float64Array {
    return this.native.doubles(this.native.exports.web_pose_locals(this.use), this.asset.description.nodes.length * 10);
  }

  /** Lets a node that had a matrix follow `locals`. */
  useLocal(node: number): void {
    const { nodes } = this.asset.description;
    if (!(node in nodes)) throw new SuppleError(`there is no node ${node}: the asset has ${nodes.length}`);
    this.native.exports.web_pose_use_local(this.use, node);
  }

  /** Morph weights of all nodes: NodeInfo.weightBegin and weightCount say which are whose. */
  get weights(): Float32Array {
    const count = this.asset.description.nodes.reduce((most, n) => Math.max(most, n.weightBegin + n.weightCount), 0);
    return this.native.floats(this.native.exports.web_pose_weights(this.use), count);
  }

  update(): void {
    this.native.exports.web_pose_update(this.use);
  }

  /** Twelve numbers a node: three rows of four. */
  get worlds(): Float64Array {
    return this.native.doubles(this.native.exports.web_pose_worlds(this.use), this.asset.description.nodes.length * 12);
  }
}

/** Repairs of influences, and vertices for which DQS fell back to LBS. */
export type Counts = Record<'duplicates' | 'negatives' | 'renormalised' | 'unweighted' | 'limited' | 'fallbacks', number>;

/** An instance of a skinned mesh, to be posed and deformed. */
export class Skinned extends Held {
  readonly asset: Asset;
  readonly instance: number;

  constructor(asset: Asset, instance: number, options: SkinnedOptions) {
    const { native } = asset, { length } = asset.description.instances;
    if (!(instance in asset.description.instances))
      throw new SuppleError(`there is no instance ${instance}: the asset has ${length}`);
    super(native,
      native.exports.web_skinned_create(asset.use, instance, options.space === 'mesh' ? 1 : 0,
        options.weights === 'keep' ? 1 : 0, options.unweighted === 'rest' ? 1 : 0, options.maxInfluences ?? 0,
        numberOf(SCALES, options.scale ?? 'affine', 'scale'), options.rigidTolerance ?? 0),
      (skinned) => native.exports.web_skinned_free(skinned), asset);
    this.asset = asset;
    this.instance = instance;
  }

  get #primitives(): PrimitiveDescription[] {
    const { instances, meshes } = this.asset.description;
    return meshes[instances[this.instance]!.mesh]!.primitives;
  }

  /** Takes a pose: joint matrices and morph targets. */
  pose(pose: Pose): void {
    if (pose.asset !== this.asset) throw new SuppleError('the pose is that of another asset');
    this.native.exports.web_skinned_pose(this.use, pose.use);
  }

  /** Deforms all primitives as the pose taken last says. */
  deform(method: Method = 'dqs', options: { normals?: boolean } = {}): (Deformed | null)[] {
    const { native } = this, { exports } = native, number = methodNumber(method), normals = options.normals ?? true;
    if (exports.web_skinned_deform(this.use, number, normals ? 1 : 0)) throw native.failure();
    return this.#primitives.map((primitive, i) => {
      const positions = exports.web_skinned_positions(this.use, number, i);
      if (!positions) return null;
      const count = primitive.vertexCount;
      const normalsAt = normals ? exports.web_skinned_normals(this.use, number, i) : 0;
      const tangentsAt = normals ? exports.web_skinned_tangents(this.use, number, i) : 0;
      return {
        positions: native.floats(positions, count * 3),
        normals: normalsAt ? native.floats(normalsAt, count * 3) : null,
        tangents: tangentsAt ? native.floats(tangentsAt, count * 4) : null,
      };
    });
  }

  /** The joint matrices of the pose taken last: twelve numbers a joint, three rows of four. */
  get matrices(): Float32Array {
    const { instances, skins } = this.asset.description;
    return this.native.floats(this.native.exports.web_skinned_matrices(this.use),
      skins[instances[this.instance]!.skin]!.joints.length * 12);
  }

  /** What cleaning the influences did, and how often DQS fell back to LBS in the last deformation. */
  counts(method: Method = 'dqs'): Counts {
    const at = this.native.allocate(24);
    this.native.exports.web_skinned_counts(this.use, methodNumber(method), at);
    const [duplicates, negatives, renormalised, unweighted, limited, fallbacks] =
      Array.from(this.native.integers(at, 6)) as [number, number, number, number, number, number];
    this.native.exports.web_free(at);
    return { duplicates, negatives, renormalised, unweighted, limited, fallbacks };
  }

  /** What measures this instance. */
  measure(): Measure {
    return new Measure(this);
  }
}

/** Cross-sections, kept, volume of an instance, whichever pose it is in. */
export class Measure extends Held {
  readonly skinned: Skinned;
  /** What is known of each joint before any pose. */
  readonly joints: MeasuredJoint[];
  /** Of the rest bounds, in metres. */
  readonly diagonal: number;

  constructor(skinned: Skinned) {
    const { native } = skinned;
    super(native, native.exports.web_measure_create(skinned.use), (m) => native.exports.web_measure_free(m), skinned);
    this.skinned = skinned;
    this.joints = native.json<MeasuredJoint[]>(native.exports.web_measure_joints(this.use));
    this.diagonal = native.exports.web_measure_diagonal(this.use);
  }

  /** Measures what `method` deformed last. */
  evaluate(method: Method): Measures {
    const { native } = this, count = 6 + this.joints.length * 16, at = native.allocate(count * 8);
    try {
      if (native.exports.web_measure_evaluate(this.use, this.skinned.use, methodNumber(method), at))
        throw new SuppleError('out of memory');
      const all = native.doubles(at, count).slice();
      const at_ = (i: number) => all[i] as number;
      return {
        volume: at_(0),
        edges: { mean: at_(1), least: at_(2), most: at_(3) },
        flipped: at_(4),
        keptBelow: at_(5),
        joints: this.joints.map((_, joint) => {
          const i = 6 + joint * 16;
          return { sections: all.subarray(i, i + 9), projected: at_(i + 9), radius: at_(i + 10), bulge: at_(i + 11),
            worst: at_(i + 12), worstOffset: at_(i + 13), kept: at_(i + 14), ownKept: at_(i + 15) };
        }),
      };
    } finally {
      native.exports.web_free(at);
    }
  }

  /** Kept of every vertex of a primitive, by the last deformation of a method; 1 where one joint rules. */
  kept(method: Method, primitive: number): Float32Array {
    const { asset, instance } = this.skinned, { native } = this;
    const mesh = asset.description.instances[instance]!.mesh;
    const found = asset.description.meshes[mesh]!.primitives[primitive], number = methodNumber(method);
    if (!found) throw new SuppleError(`there is no primitive ${primitive} of mesh ${mesh}`);
    const count = found.vertexCount, at = native.allocate(count * 4);
    try {
      if (native.exports.web_measure_kept(this.use, this.skinned.use, number, primitive, at))
        throw new SuppleError('out of memory');
      return native.floats(at, count).slice();
    } finally {
      native.exports.web_free(at);
    }
  }

  /** Distance of DQS from LBS, as both deformed last, in metres. */
  deviation(): { largest: number; rms: number } {
    const at = this.native.allocate(16);
    this.native.exports.web_measure_deviation(this.use, this.skinned.use, at);
    const [largest, rms] = this.native.doubles(at, 2).slice() as unknown as [number, number];
    this.native.exports.web_free(at);
    return { largest, rms };
  }

  /** The points around a section (0 … 8) of a joint as a method posed them, or in the bind pose. */
  section(joint: number, section: number, method: Method | 'bind'): Float64Array {
    const size = this.joints[joint]?.sections[section] ?? 0;
    if (!size) return new Float64Array(0);
    const at = this.native.allocate(size * 24);
    this.native.exports.web_measure_section(this.use, this.skinned.use, joint, section,
      method === 'bind' ? 2 : methodNumber(method), at);
    const points = this.native.doubles(at, size * 3).slice();
    this.native.exports.web_free(at);
    return points;
  }
}

/** Arrays of your own, deformed by WebAssembly: for meshes that do not come from an Asset. */
export class Mesh extends Held {
  readonly vertexCount: number;
  readonly jointCount: number;

  constructor(native: Native, source: MeshSource) {
    const { exports } = native, influences = source.influenceCount ?? 4;
    const vertices = source.positions.length / 3;
    const lengths: [string, ArrayLike<number> | undefined, number][] = [
      ['positions', source.positions, Math.ceil(vertices) * 3],
      ['normals', source.normals, vertices * 3], ['tangents', source.tangents, vertices * 4],
      ['joints', source.joints, vertices * influences], ['weights', source.weights, vertices * influences]];
    for (const [name, array, length] of lengths)
      if (array && array.length !== length)
        throw new SuppleError(
          `${name} has ${array.length} elements, not ${length}: ${vertices} vertices, ${influences} influences`);
    const scale = numberOf(SCALES, source.scale ?? 'affine', 'scale');
    const joints = native.allocate(source.joints.length * 2), weights = native.allocate(source.weights.length * 4);
    native.shorts(joints, source.joints.length).set(source.joints);
    native.floats(weights, source.weights.length).set(source.weights);
    const address = exports.web_mesh_create(vertices, influences, joints, weights, source.jointCount,
      source.normals ? 1 : 0, source.tangents ? 1 : 0, source.keepWeights ? 1 : 0, scale);
    exports.web_free(joints);
    exports.web_free(weights);
    super(native, address, (mesh) => exports.web_mesh_free(mesh), null);
    this.vertexCount = vertices;
    this.jointCount = source.jointCount;
    this.#stream(0, 3)!.set(source.positions);
    if (source.normals) this.#stream(1, 3)!.set(source.normals);
    if (source.tangents) this.#stream(2, 4)!.set(source.tangents);
  }

  #stream(stream: number, width: number): Float32Array | null {
    const at = this.native.exports.web_mesh_stream(this.use, stream);
    return at ? this.native.floats(at, this.vertexCount * width) : null;
  }

  /** At rest, to be written where the mesh morphs. */
  get positions(): Float32Array { return this.#stream(0, 3)!; }
  get normals(): Float32Array | null { return this.#stream(1, 3); }
  get tangents(): Float32Array | null { return this.#stream(2, 4); }
  /** Twelve numbers a joint, three rows of four: write them, then deform. */
  get matrices(): Float32Array {
    return this.native.floats(this.native.exports.web_mesh_stream(this.use, 6), this.jointCount * 12);
  }

  /** Deforms all vertices by the matrices as they are now. */
  deform(method: Method = 'dqs', options: { normals?: Normals | false } = {}): Deformed {
    const { exports } = this.native, { normals = 'cofactor' } = options;
    const mode = normals ? numberOf(NORMALS, normals, 'way of normals') : NORMALS.length;
    if (exports.web_mesh_update(this.use, methodNumber(method)))
      throw new SuppleError('a joint matrix is not finite, or there are fewer matrices than joints in use');
    exports.web_mesh_deform(this.use, 0, this.vertexCount, mode);
    return { positions: this.#stream(3, 3)!, normals: normals ? this.#stream(4, 3) : null,
      tangents: normals ? this.#stream(5, 4) : null };
  }
}

export interface MeshSource {
  positions: ArrayLike<number>;
  normals?: ArrayLike<number> | undefined;
  /** Four numbers a vertex. */
  tangents?: ArrayLike<number> | undefined;
  joints: ArrayLike<number>;
  weights: ArrayLike<number>;
  /** A vertex; 4 unless told. */
  influenceCount?: number | undefined;
  jointCount: number;
  keepWeights?: boolean | undefined;
  scale?: Scale | undefined;
}

/** The library, with a memory of its own. */
export class Supple {
  readonly native: Native;
  readonly #fetchTools: () => Promise<WebAssembly.Module>;
  #tools: Promise<Native> | null = null;

  constructor(module: WebAssembly.Module, tools = (): Promise<WebAssembly.Module> => fetchModule('supple-tools.wasm')) {
    this.native = new Native(module);
    this.#fetchTools = tools;
  }

  get version(): string {
    return this.native.text(this.native.exports.web_version());
  }
  /** "wasm" (SIMD128) or "scalar". */
  get isa(): string {
    return this.native.text(this.native.exports.web_isa());
  }

  #prepare(native: Native, codecs: Codecs, files: LoadOptions['files']): number {
    native.host = {
      file: (path) => (files instanceof Map ? files.get(path) : files?.[path]),
      meshopt: codecs.meshopt,
      draco: codecs.draco,
    };
    return codecFlags(codecs);
  }

  /** Loads a .glb or .gltf; decoders that it needs are made ready first. */
  async load(data: ArrayBuffer | Uint8Array, options: LoadOptions = {}): Promise<Asset> {
    const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
    return this.loadSync(bytes, { ...options, codecs: await prepareCodecs(bytes, options.codecs) });
  }

  /** The same at once, with the decoders of the options alone. */
  loadSync(data: Uint8Array, options: LoadOptions = {}): Asset {
    const { native } = this, flags = this.#prepare(native, options.codecs ?? {}, options.files);
    return new Asset(native, native.with(data, (at, size) => native.exports.web_asset_load(at, size, flags)));
  }

  /** The tools and their flags, ready for a file. */
  async #ready(data: Uint8Array, options: LoadOptions): Promise<{ native: Native; flags: number }> {
    const codecs = await prepareCodecs(data, options.codecs);
    const native = await (this.#tools ??= this.#fetchTools().then((module) => new Native(module)));
    return { native, flags: this.#prepare(native, codecs, options.files) };
  }

  /** What is wrong with the skins of a file. */
  async check(data: Uint8Array, options: LoadOptions & { strict?: boolean } = {}): Promise<CheckReport> {
    const { native, flags } = await this.#ready(data, options);
    return native.json<CheckReport>(native.with(data, (at, size) =>
      native.exports.web_check(at, size, flags, options.strict ? 1 : 0)));
  }

  /** Repairs a file: the fixed .glb, and what was done. */
  async fix(data: Uint8Array, options: FixOptions = {}): Promise<{ data: Uint8Array; report: FixReport }> {
    const { native, flags } = await this.#ready(data, options);
    const fixed = native.with(data, (at, size) => native.exports.web_fix(at, size, flags, options.repairs ?? 0,
      options.influences ?? 0, options.maxJoints ?? 0));
    if (!fixed) throw native.failure();
    const report = JSON.parse(native.text(native.exports.web_fixed_report(fixed))) as FixReport;
    return { data: takeFixed(native, fixed), report };
  }

  /** The same file as a .glb that needs no decoder and no other file, for readers that have none. */
  async plain(data: Uint8Array, options: LoadOptions = {}): Promise<Uint8Array> {
    const { native, flags } = await this.#ready(data, options);
    const plain = native.with(data, (at, size) => native.exports.web_plain(at, size, flags));
    if (!plain) throw native.failure();
    return takeFixed(native, plain);
  }

  /** Arrays of your own, to be deformed. */
  mesh(source: MeshSource): Mesh {
    return new Mesh(this.native, source);
  }
}

/** A copy of the file that was written, whose memory is given back. */
function takeFixed(native: Native, fixed: number): Uint8Array {
  const bytes = native.bytes(native.exports.web_fixed_data(fixed), native.exports.web_fixed_size(fixed)).slice();
  native.exports.web_fixed_free(fixed);
  return bytes;
}

async function fetchModule(name: 'supple.wasm' | 'supple-simd.wasm' | 'supple-tools.wasm'): Promise<WebAssembly.Module> {
  // Whole literals, so that bundlers find the files.
  const url = name === 'supple.wasm' ? new URL('./supple.wasm', import.meta.url)
    : name === 'supple-simd.wasm' ? new URL('./supple-simd.wasm', import.meta.url)
    : new URL('./supple-tools.wasm', import.meta.url);
  if (url.protocol === 'file:') {
    // Node does not fetch files; the name is hidden from bundlers for the browser.
    const files = await import(/* @vite-ignore */ ['node', 'fs/promises'].join(':'));
    return WebAssembly.compile(await files.readFile(url));
  }
  return compile(fetch(url));
}

async function compile(source: Response | Promise<Response>): Promise<WebAssembly.Module> {
  const response = await source;
  if (!response.ok) throw new SuppleError(`could not fetch ${response.url}: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Makes the library ready. */
export async function init(options: InitOptions = {}): Promise<Supple> {
  const { wasm } = options;
  const module = wasm instanceof WebAssembly.Module ? wasm
    : wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm) ? await WebAssembly.compile(wasm as BufferSource)
    : wasm ? await compile(wasm as Response | Promise<Response>)
    : await fetchModule((options.simd ?? hasSimd()) ? 'supple-simd.wasm' : 'supple.wasm');
  return new Supple(module, options.tools);
}
