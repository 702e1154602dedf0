// textures.ts: KTX2 textures (KHR_texture_basisu): decoded by three's loader, which is had when a file asks for it.
import { DataTexture, LoadingManager, type Texture, type WebGLRenderer } from 'three';
import type { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import { loadBasis } from 'virtual:supple-setting';

/** Milliseconds without any texture after which the decoder is given up: a worker that ended says nothing. */
const PATIENCE = 30000;
/** How many textures a note names. */
const NAMED = 4;

const NO_DECODER = 'KTX2, for which this page carries no decoder: the served page has one, and so has the page that supple view writes of this file';

/** What is used of three's GLTFParser, whose types leave some of it out. */
interface Parser {
  json: { textures?: { source?: number; extensions?: { KHR_texture_basisu?: { source?: number } } }[] };
  loadTexture(index: number): Promise<Texture | null>;
  loadTextureImage(index: number, image: number, loader: object): Promise<Texture | null>;
}

/** Instead of three's own plug-in: what cannot be decoded is what the file has in its place, or grey, and is told of. */
export class BasisTextures {
  readonly name = 'KHR_texture_basisu';
  readonly #renderer: WebGLRenderer;
  readonly #faults = new Map<string, number[]>();
  #parser: Parser | null = null;
  #loader: Promise<KTX2Loader | null> | null = null;
  #heard = 0;

  constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer;
  }

  /** For `GLTFLoader.register`. */
  of(parser: unknown): this {
    this.#parser = parser as Parser;
    return this;
  }

  loadTexture(index: number): Promise<Texture> | null {
    const texture = this.#parser!.json.textures?.[index], source = texture?.extensions?.[this.name]?.source;
    return source === undefined ? null : this.#load(index, source, texture!.source !== undefined);
  }

  /** What is grey and why, or "". */
  note(): string {
    return [...this.#faults].map(([why, textures]) => {
      const named = textures.slice(0, NAMED).map((index) => `/textures/${index}`).join(', ');
      return `${named}${textures.length > NAMED ? ` and ${textures.length - NAMED} more` : ''} grey: ${why}`;
    }).join('; ');
  }

  /** Ends the workers; what they have not decoded by now never comes. */
  dispose(): void {
    void this.#loader?.then((loader) => loader?.dispose(), () => {});
    this.#loader = null;
  }

  async #load(index: number, source: number, hasOther: boolean): Promise<Texture> {
    const found = await this.#decode(index, source);
    if (typeof found !== 'string') return found;
    const other = hasOther ? await this.#parser!.loadTexture(index) : null;
    if (other) return other;
    this.#faults.set(found, [...(this.#faults.get(found) ?? []), index].sort((a, b) => a - b));
    const grey = new DataTexture(Uint8Array.of(160, 160, 160, 255), 1, 1);
    grey.needsUpdate = true;
    return grey;
  }

  /** The texture, or why there is none. */
  async #decode(index: number, source: number): Promise<Texture | string> {
    let loader: KTX2Loader | null, told: unknown;
    try {
      loader = await (this.#loader ??= this.#start());
    } catch (error) {
      return `KTX2, whose decoder cannot be had: ${error instanceof Error ? error.message : String(error)}`;
    }
    if (!loader) return NO_DECODER;
    try {
      // parser.loadTextureImage() keeps errors for itself.
      const heard = (error: unknown) => (told = error);
      const listening = {
        isKTX2Loader: true,
        parse: (bytes: ArrayBuffer, done: (texture: Texture) => void, fail: (error: unknown) => void) =>
          loader.parse(bytes, done as never, (error) => fail(heard(error))),
        load: (url: string, done: (texture: Texture) => void, progress: undefined, fail: (error: unknown) => void) =>
          loader.load(url, done as never, progress, (error) => fail(heard(error))),
      };
      const texture = await this.#inTime(this.#parser!.loadTextureImage(index, source, listening));
      if (texture) return flat(texture) ? texture : 'a picture of several layers or sides';
    } catch (error) {
      told = error;
    }
    // The container's parser tells why. The worker's words do not come through: three reads its answer as if all were well.
    const why = told instanceof Error && told.name === 'Error' ? `: ${told.message.replace(/^THREE\.KTX2Loader:\s*/, '')}` : '';
    return `not a KTX2 picture that can be decoded${why}`;
  }

  /** What comes while textures come at all. */
  #inTime<T>(promise: Promise<T>): Promise<T> {
    this.#heard = performance.now();
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (performance.now() - this.#heard > PATIENCE) reject(new Error('the decoder does not answer'));
        else timer = setTimeout(look, 1000);
      };
      let timer = setTimeout(look, 1000);
      promise.then(resolve, reject).finally(() => {
        clearTimeout(timer);
        this.#heard = performance.now();
      });
    });
  }

  async #start(): Promise<KTX2Loader | null> {
    const basis = await loadBasis();
    if (!basis) return null;
    const manager = new LoadingManager().setURLModifier((url) =>
      url === 'basis/basis_transcoder.js' ? basis.script : url === 'basis/basis_transcoder.wasm' ? basis.module : url);
    const loader = new basis.KTX2Loader(manager).setTranscoderPath('basis/').setWorkerLimit(2).detectSupport(this.#renderer);
    await loader.init();
    return loader;
  }
}

/** Whether shaders can read a texture as a picture: no cube, no array, no volume. */
const flat = (texture: Texture): boolean =>
  !['isCompressedCubeTexture', 'isCompressedArrayTexture', 'isData3DTexture'].some((kind) => (texture as unknown as Record<string, unknown>)[kind]);
