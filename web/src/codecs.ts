// codecs.ts: finding out which decoders a file needs, and getting them before it is loaded.
import type { DracoModule, Host } from './native.js';

/** Decoders of compressed meshes; what is missing is imported from npm's `meshoptimizer` and `draco3dgltf`. */
export interface Codecs {
  meshopt?: Host['meshopt'] & { ready?: Promise<void> };
  draco?: DracoModule;
}

/** The JSON text of a .gltf or .glb, "" where there is none. */
export function jsonOf(data: Uint8Array): string {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.byteLength >= 20 && view.getUint32(0, true) === 0x46546c67)
    return new TextDecoder().decode(data.subarray(20, 20 + Math.min(view.getUint32(12, true), data.byteLength - 20)));
  return new TextDecoder().decode(data);
}

/** Makes the decoders ready that the file asks for. Those that cannot be had are left out: loading then says so. */
export async function prepareCodecs(data: Uint8Array, given: Codecs = {}): Promise<Codecs> {
  const text = jsonOf(data), codecs: Codecs = { ...given };
  if (text.includes('_meshopt_compression')) {
    try {
      codecs.meshopt ??= (await import('meshoptimizer')).MeshoptDecoder as NonNullable<Codecs['meshopt']>;
      await codecs.meshopt.ready;
    } catch {
      delete codecs.meshopt;
    }
  }
  if (text.includes('KHR_draco_mesh_compression') && !codecs.draco) {
    try {
      const draco = await import('draco3dgltf');
      codecs.draco = await draco.default.createDecoderModule({});
    } catch {
      delete codecs.draco;
    }
  }
  return codecs;
}

/** The flags of web_asset_load for what is ready. */
export function codecFlags(codecs: Codecs): number {
  return (codecs.meshopt ? 1 : 0) | (codecs.draco ? 2 : 0);
}
