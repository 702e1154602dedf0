// native.ts: the WebAssembly module: choosing, instantiating, its memory, its imports.

/** What web/wasm exports: the core has all but check, fix and plain; the tools have these alone, beside memory and errors.
 * Addresses and sizes are numbers. */
export interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  web_allocate(size: number): number;
  web_free(memory: number): void;
  web_error_message(): number;
  web_error_pointer(): number;
  web_version(): number;
  web_isa(): number;
  web_asset_load(data: number, size: number, flags: number): number;
  web_asset_free(asset: number): void;
  web_asset_describe(asset: number): number;
  web_pose_create(asset: number): number;
  web_pose_free(pose: number): void;
  web_pose_rest(pose: number): void;
  web_pose_sample(pose: number, asset: number, clip: number, seconds: number): void;
  web_pose_locals(pose: number): number;
  web_pose_use_local(pose: number, node: number): void;
  web_pose_weights(pose: number): number;
  web_pose_update(pose: number): void;
  web_pose_worlds(pose: number): number;
  web_skinned_create(asset: number, instance: number, space: number, weights: number, unweighted: number,
    maxInfluences: number, scale: number, rigidTolerance: number): number;
  web_skinned_free(skinned: number): void;
  web_skinned_pose(skinned: number, pose: number): void;
  web_skinned_deform(skinned: number, method: number, normals: number): number;
  web_skinned_positions(skinned: number, method: number, primitive: number): number;
  web_skinned_normals(skinned: number, method: number, primitive: number): number;
  web_skinned_tangents(skinned: number, method: number, primitive: number): number;
  web_skinned_matrices(skinned: number): number;
  web_skinned_counts(skinned: number, method: number, counts: number): void;
  web_measure_create(skinned: number): number;
  web_measure_free(measure: number): void;
  web_measure_diagonal(measure: number): number;
  web_measure_joints(measure: number): number;
  web_measure_evaluate(measure: number, skinned: number, method: number, numbers: number): number;
  web_measure_deviation(measure: number, skinned: number, numbers: number): void;
  web_measure_section(measure: number, skinned: number, joint: number, section: number, method: number,
    xyz: number): number;
  web_measure_kept(measure: number, skinned: number, method: number, primitive: number, kept: number): number;
  web_mesh_create(vertices: number, influences: number, joints: number, weights: number, jointCount: number,
    normals: number, tangents: number, keep: number, scale: number): number;
  web_mesh_free(mesh: number): void;
  web_mesh_stream(mesh: number, stream: number): number;
  web_mesh_update(mesh: number, method: number): number;
  web_mesh_deform(mesh: number, begin: number, end: number, normals: number): number;
  web_check(data: number, size: number, flags: number, strict: number): number;
  web_fix(data: number, size: number, flags: number, repairs: number, influences: number, maxJoints: number): number;
  web_plain(data: number, size: number, flags: number): number;
  web_fixed_report(fixed: number): number;
  web_fixed_data(fixed: number): number;
  web_fixed_size(fixed: number): number;
  web_fixed_free(fixed: number): void;
}

/** What the library asks of JavaScript while it loads a file; set by the one call that is running. */
export interface Host {
  /** The bytes of an external file, or undefined. */
  file(path: string): Uint8Array | undefined;
  meshopt?: {
    decodeGltfBuffer(target: Uint8Array, count: number, size: number, source: Uint8Array, mode: string,
      filter?: string): void;
  } | undefined;
  draco?: DracoModule | undefined;
}

/** The module of npm's draco3dgltf, as far as it is used. */
export interface DracoModule {
  Decoder: new () => any;
  Mesh: new () => any;
  DecoderBuffer: new () => any;
  destroy(object: any): void;
  HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(memory: number): void;
  DT_INT8: number; DT_UINT8: number; DT_INT16: number; DT_UINT16: number; DT_UINT32: number; DT_FLOAT32: number;
}

/** A failure of the library: a message that says where, what and what to do. */
export class SuppleError extends Error {
  /** JSON pointer of the place in the file, or "". */
  readonly pointer: string;
  constructor(message: string, pointer = '') {
    super(message);
    this.name = 'SuppleError';
    this.pointer = pointer;
  }
}

/** Whether this engine runs WebAssembly with SIMD128: asked by a module of one such function. */
export function hasSimd(): boolean {
  return WebAssembly.validate(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]));
}

interface OpenDraco {
  module: DracoModule;
  decoder: any;
  mesh: any;
}

/** One instance of the module with its memory. */
export class Native {
  readonly exports: Exports;
  host: Host = { file: () => undefined };
  readonly #draco = new Map<number, OpenDraco>();
  #handles = 0;

  constructor(module: WebAssembly.Module) {
    const instance = new WebAssembly.Instance(module, this.#imports());
    this.exports = instance.exports as unknown as Exports;
    this.exports._initialize();
  }

  #imports(): WebAssembly.Imports {
    return {
      supple: {
        read_file: (path: number, length: number, size: number) => this.#readFile(path, length, size),
        decode_meshopt: (data: number, size: number, mode: number, filter: number, count: number, stride: number,
          out: number) => this.#meshopt(data, size, mode, filter, count, stride, out),
        draco_open: (data: number, size: number, points: number, indices: number) =>
          this.#dracoOpen(data, size, points, indices),
        draco_read: (mesh: number, attribute: number, type: number, components: number, out: number, bytes: number) =>
          this.#dracoRead(mesh, attribute, type, components, out, bytes),
        draco_close: (mesh: number) => this.#dracoClose(mesh),
      },
    };
  }

  // ---- memory: views are made anew, since memory may have grown ----

  bytes(address: number, size: number): Uint8Array {
    return new Uint8Array(this.exports.memory.buffer, address, size);
  }
  floats(address: number, count: number): Float32Array {
    return new Float32Array(this.exports.memory.buffer, address, count);
  }
  doubles(address: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, address, count);
  }
  integers(address: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, address, count);
  }
  shorts(address: number, count: number): Uint16Array {
    return new Uint16Array(this.exports.memory.buffer, address, count);
  }

  /** The NUL-terminated UTF-8 at an address. */
  text(address: number): string {
    const memory = new Uint8Array(this.exports.memory.buffer);
    const end = memory.indexOf(0, address);
    return new TextDecoder().decode(memory.slice(address, end));
  }

  allocate(size: number): number {
    const address = this.exports.web_allocate(size);
    if (!address) throw new SuppleError(`out of memory (${size} bytes)`);
    return address;
  }

  /** Runs `use` with a copy of the data in this memory. */
  with<T>(data: Uint8Array, use: (address: number, size: number) => T): T {
    const address = this.allocate(data.byteLength);
    try {
      this.bytes(address, data.byteLength).set(data);
      return use(address, data.byteLength);
    } finally {
      this.exports.web_free(address);
    }
  }

  /** The JSON at an address, which is freed. */
  json<T>(address: number): T {
    if (!address) throw this.failure();
    const text = this.text(address);
    this.exports.web_free(address);
    return JSON.parse(text) as T;
  }

  failure(): SuppleError {
    return new SuppleError(this.text(this.exports.web_error_message()), this.text(this.exports.web_error_pointer()));
  }

  // ---- what the library asks for ----

  #readFile(path: number, length: number, size: number): number {
    const data = this.host.file(new TextDecoder().decode(this.bytes(path, length).slice()));
    if (!data) return 0;
    const address = this.exports.web_allocate(data.byteLength);
    if (!address) return 0;
    this.bytes(address, data.byteLength).set(data);
    this.integers(size, 1)[0] = data.byteLength;
    return address;
  }

  #meshopt(data: number, size: number, mode: number, filter: number, count: number, stride: number, out: number): number {
    try {
      const decoded = new Uint8Array(count * stride);
      this.host.meshopt!.decodeGltfBuffer(decoded, count, stride, this.bytes(data, size).slice(), this.text(mode),
        this.text(filter));
      this.bytes(out, decoded.byteLength).set(decoded);
      return 0;
    } catch {
      return 1;
    }
  }

  #dracoOpen(data: number, size: number, points: number, indices: number): number {
    const module = this.host.draco!;
    const buffer = new module.DecoderBuffer(), decoder = new module.Decoder(), mesh = new module.Mesh();
    try {
      buffer.Init(new Int8Array(this.bytes(data, size).slice().buffer), size);
      if (!decoder.DecodeBufferToMesh(buffer, mesh).ok()) throw new Error('damaged');
    } catch {
      module.destroy(mesh);
      module.destroy(decoder);
      return 0;
    } finally {
      module.destroy(buffer);
    }
    this.integers(points, 1)[0] = mesh.num_points();
    this.integers(indices, 1)[0] = mesh.num_faces() * 3;
    this.#draco.set(++this.#handles, { module, decoder, mesh });
    return this.#handles;
  }

  #dracoRead(handle: number, attribute: number, type: number, components: number, out: number, bytes: number): number {
    const open = this.#draco.get(handle);
    if (!open) return 1;
    const { module, decoder, mesh } = open;
    const count = attribute === 0xffffffff || attribute === -1 ? mesh.num_faces() * 3 : mesh.num_points() * components;
    const size = count * bytes;
    const at = module._malloc(size);
    try {
      if (attribute === 0xffffffff || attribute === -1) {
        if (type !== 5125 || !decoder.GetTrianglesUInt32Array(mesh, size, at)) return 1;
      } else {
        const types: Record<number, number> = { 5120: module.DT_INT8, 5121: module.DT_UINT8, 5122: module.DT_INT16,
          5123: module.DT_UINT16, 5125: module.DT_UINT32, 5126: module.DT_FLOAT32 };
        const found = decoder.GetAttributeByUniqueId(mesh, attribute);
        if (!found || found.ptr === 0 || found.num_components() !== components) return 1;
        if (!decoder.GetAttributeDataArrayForAllPoints(mesh, found, types[type], size, at)) return 1;
      }
      this.bytes(out, size).set(module.HEAPU8.subarray(at, at + size));
      return 0;
    } catch {
      return 1;
    } finally {
      module._free(at);
    }
  }

  #dracoClose(handle: number): void {
    const open = this.#draco.get(handle);
    if (!open) return;
    this.#draco.delete(handle);
    open.module.destroy(open.mesh);
    open.module.destroy(open.decoder);
  }
}
