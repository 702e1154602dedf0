// vite.config.mjs: the page, as a folder to be served (default), or with --mode view as one file that carries an asset.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '../dist');
const titles = { arm: 'Arm: twist and bend', figure: 'Figure', ring: 'Ring', shear: 'Shear and mirrors', tube: 'Tube of 12 joints' };

/** virtual:supple-setting, see src/setting.d.ts. */
function setting(single) {
  const id = 'virtual:supple-setting';
  const served = `
    import { hasSimd } from '${join(here, '../src/native.ts')}';
    import scalar from '${join(dist, 'supple.wasm')}?url';
    import simd from '${join(dist, 'supple-simd.wasm')}?url';
    import tools from '${join(dist, 'supple-tools.wasm')}?url';
    const compile = async (url) => WebAssembly.compile(await (await fetch(url)).arrayBuffer());
    export const loadModule = () => compile(hasSimd() ? simd : scalar);
    export const loadTools = () => compile(tools);
    const titles = ${JSON.stringify(titles)};
    export const samples = ${JSON.stringify(existsSync(join(here, 'public/samples'))
      ? readdirSync(join(here, 'public/samples')).filter((name) => name.endsWith('.glb')).map((name) => basename(name, '.glb'))
      : [])}.map((name) => ({ name, title: titles[name] ?? name, url: import.meta.env.BASE_URL + 'samples/' + name + '.glb' }));`;
  // All modules, compressed: this page may be all there is.
  const carried = () => `
    import { hasSimd } from '${join(here, '../src/native.ts')}';
    const modules = { scalar: '${base64Of('supple.wasm')}', simd: '${base64Of('supple-simd.wasm')}',
      tools: '${base64Of('supple-tools.wasm')}' };
    async function compile(name) {
      const bytes = Uint8Array.from(atob(modules[name]), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
      return WebAssembly.compile(await new Response(stream).arrayBuffer());
    }
    export const loadModule = () => compile(hasSimd() ? 'simd' : 'scalar');
    export const loadTools = () => compile('tools');
    export const samples = [];`;
  return {
    name: 'supple-setting',
    resolveId: (name) => (name === id ? '\0' + id : null),
    load: (name) => (name === '\0' + id ? (single ? carried() : served) : null),
  };
}

function base64Of(name) {
  // Without a time, so that the same module gives the same bytes.
  return gzipSync(readFileSync(join(dist, name)), { level: 9 }).toString('base64');
}

/** The file view.html carries its asset plain: it needs no decoders. */
const withoutCodecs = {
  name: 'supple-without-codecs',
  enforce: 'pre',
  resolveId: (name) => (name === 'meshoptimizer' || name === 'draco3dgltf' ? '\0none' : null),
  load: (name) => (name === '\0none' ? 'export default null; export const MeshoptDecoder = undefined;' : null),
};

/** Puts script and style into the page. */
const oneFile = {
  name: 'supple-one-file',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = Object.values(bundle).find((file) => file.fileName.endsWith('.html'));
    let html = page.source;
    for (const file of Object.values(bundle)) {
      if (file === page) continue;
      const text = (file.code ?? file.source).toString();
      if (file.fileName.endsWith('.js'))
        html = html.replace(/<script type="module"[^>]*><\/script>/, '').replace('</body>', () =>
          `<script type="application/octet-stream" id="supple-asset"></script>\n<script type="module">${text.replaceAll('</script', '<\\/script')}</script>\n</body>`);
      else if (file.fileName.endsWith('.css'))
        html = html.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${text}</style>`);
      delete bundle[file.fileName];
    }
    page.source = html;
    page.fileName = 'view.html';
  },
};


export default defineConfig(({ mode }) => {
  const single = mode === 'view';
  return {
    root: here,
    base: './',
    publicDir: single ? false : 'public',
    plugins: single ? [withoutCodecs, setting(true), oneFile] : [setting(false)],
    build: {
      outDir: single ? join(here, 'view') : join(dist, 'page'),
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: 4000,
      modulePreload: single ? false : undefined,
      assetsInlineLimit: single ? 1e8 : 4096,
      cssCodeSplit: !single,
      ...(single ? { rollupOptions: { output: { inlineDynamicImports: true } } } : {}),
    },
    server: { host: '127.0.0.1' },
    preview: { host: '127.0.0.1' },
  };
});
