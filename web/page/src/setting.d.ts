// setting.d.ts: what the build decides: vite.config.mjs has both settings.
declare module 'virtual:supple-setting' {
  /** The WebAssembly module that fits this browser. */
  export function loadModule(): Promise<WebAssembly.Module>;
  /** The module that checks and fixes. */
  export function loadTools(): Promise<WebAssembly.Module>;
  /** three's loader of KTX2 textures, and where the transcoder's two files are; null where the page carries none. */
  export function loadBasis(): Promise<{
    KTX2Loader: typeof import('three/addons/loaders/KTX2Loader.js').KTX2Loader;
    script: string;
    module: string;
  } | null>;
  /** Whether every decoder can be had: not in a page that carries its asset. */
  export const complete: boolean;
  /** Files to pick from. */
  export const samples: { name: string; title: string; url: string }[];
  /** Keeps the page for times without a network; null where it needs no server. */
  export const worker: string | null;
}
