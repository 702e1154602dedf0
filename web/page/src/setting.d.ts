// setting.d.ts: what the build decides: vite.config.mjs has both settings.
declare module 'virtual:supple-setting' {
  /** The WebAssembly module that fits this browser. */
  export function loadModule(): Promise<WebAssembly.Module>;
  /** The module that checks and fixes. */
  export function loadTools(): Promise<WebAssembly.Module>;
  /** Files to pick from. */
  export const samples: { name: string; title: string; url: string }[];
  /** Keeps the page for times without a network; null where it needs no server. */
  export const worker: string | null;
}
