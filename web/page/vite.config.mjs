// vite.config.mjs: the page, as a folder to be served (default), or with --mode view as one file that carries an asset;
// with --mode basis what that file carries besides where the asset has KTX2 textures.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '../dist');
/** Files that are served as they are: samples. */
const publicFolder = process.env.SUPPLE_PAGE_PUBLIC ?? join(here, 'public');
const sampleFolder = join(publicFolder, 'samples');
const sampleFiles = existsSync(sampleFolder) ? readdirSync(sampleFolder).filter((name) => name.endsWith('.glb')).sort() : [];
const titles = { arm: 'Arm: twist and bend', figure: 'Figure', ring: 'Ring', shear: 'Shear and mirrors', tube: 'Tube of 12 joints' };

const transcoder = 'three/examples/jsm/libs/basis/basis_transcoder';
/** What three's KTX2Loader has of three that is more than a number: the page that carries it hands this to it. */
const given = ['ColorManagement', 'CompressedArrayTexture', 'CompressedCubeTexture', 'CompressedTexture', 'Data3DTexture', 'DataTexture',
  'FileLoader', 'Loader', 'Matrix3'].join(', ');

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
    import script from '${transcoder}.js?url';
    import module from '${transcoder}.wasm?url';
    export const loadBasis = async () => ({ ...(await import('three/addons/loaders/KTX2Loader.js')), script, module });
    export const complete = true;
    const titles = ${JSON.stringify(titles)};
    export const samples = ${JSON.stringify(sampleFiles.map((name) => basename(name, '.glb')))}.map((name) => ({ name, title: titles[name] ?? name, url: import.meta.env.BASE_URL + 'samples/' + name + '.glb' }));
    export const worker = import.meta.env.PROD ? './offline.js' : null;`;
  // All modules, compressed: this page may be all there is.
  const carried = () => `
    import { hasSimd } from '${join(here, '../src/native.ts')}';
    const modules = { scalar: '${base64Of('supple.wasm')}', simd: '${base64Of('supple-simd.wasm')}',
      tools: '${base64Of('supple-tools.wasm')}' };
    function unpacked(text) {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
    }
    const compile = async (name) => WebAssembly.compile(await unpacked(modules[name]).arrayBuffer());
    export const loadModule = () => compile(hasSimd() ? 'simd' : 'scalar');
    export const loadTools = () => compile('tools');
    import { ${given} } from 'three';
    async function basis() {
      if (!globalThis.suppleBasis) return null;
      const { KTX2Loader, script, module } = globalThis.suppleBasis({ ${given} });
      const url = async (text) => URL.createObjectURL(await unpacked(text).blob());
      return { KTX2Loader, script: await url(script), module: await url(module) };
    }
    let found;
    export const loadBasis = () => (found ??= basis());
    export const complete = false;
    export const samples = [];
    export const worker = null;`;
  return {
    name: 'supple-setting',
    resolveId: (name) => (name === id ? '\0' + id : null),
    load: (name) => (name === '\0' + id ? (single ? carried() : served) : null),
  };
}

function base64Of(name) {
  // Without a time, so that the same module gives the same bytes.
  return gzipSync(readFileSync(resolve(dist, name)), { level: 9 }).toString('base64');
}

/** KTX2Loader is told where the transcoder is: the place that it knows itself is not to be built. */
const withoutOwnPlace = {
  name: 'supple-without-own-place',
  enforce: 'pre',
  transform: (code, id) => (id.includes('/loaders/KTX2Loader.js') ? code.replace(/new URL\([^)]*import\.meta\.url \)\.toString\(\)/g, "''") : null),
};

/** The file view.html carries its asset plain: it needs no decoders. */
const withoutCodecs = {
  name: 'supple-without-codecs',
  enforce: 'pre',
  resolveId: (name) => (name === 'meshoptimizer' || name === 'draco3dgltf' ? '\0none' : null),
  load: (name) => (name === '\0none' ? 'export default null; export const MeshoptDecoder = undefined;' : null),
};

/** notices.txt: whose work is in the page. */
const served = {
  name: 'supple-notices',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'notices.txt',
      source: ['notices.txt', 'notices_basis.txt'].map((name) => readFileSync(join(here, name), 'utf8')).join('\n') });
  },
};

/** offline.js: a service worker that keeps the page's files: asked of the network first, else as they were last seen. */
const offline = {
  name: 'supple-offline',
  enforce: 'post',
  generateBundle(_, bundle) {
    const files = [...Object.keys(bundle).map((name) => './' + name), ...sampleFiles.map((name) => './samples/' + name)];
    this.emitFile({ type: 'asset', fileName: 'offline.js', source: `// offline.js: the page without a network.
const files = ${JSON.stringify(files)};
addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open('supple').then(async (kept) => {
    await Promise.all((await kept.keys()).map((old) => kept.delete(old)));
    await kept.addAll(files);
  }));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(fetch(event.request).catch(async (error) => {
    const kept = await caches.match(event.request.mode === 'navigate' ? './index.html' : event.request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }));
});
` });
  },
};

/** What is said of whose work is in a file, as a comment of HTML. */
const notices = (name) => `<!--\n${readFileSync(join(here, name), 'utf8').replaceAll('--', '- -')}-->\n`;

/** Files as one hash: "PATH\0HASH\n" of each file in the order of the paths. */
function hashOf(paths) {
  const all = createHash('sha256');
  for (const path of paths.sort())
    all.update(`${path}\0${createHash('sha256').update(readFileSync(join(here, '../..', path))).digest('hex')}\n`);
  return all.digest('hex');
}

/** All that the page is made of. */
function inputs() {
  const root = join(here, '../..'), found = [];
  const walk = (folder, wanted) => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder + '/' + name;
      if (statSync(join(root, path)).isDirectory()) walk(path, wanted);
      else if (wanted.test(path)) found.push(path);
    }
  };
  walk('src', /^src\/(?!shader\/).*\.(c|h|inl)$/);
  walk('include/supple', /\.h$/);
  walk('web/wasm', /\.(c|h|sh)$/);
  walk('web/src', /\.ts$/);
  walk('web/page/src', /\.(ts|css)$/);
  found.push('web/page/index.html', 'web/page/notices.txt', 'web/page/vite.config.mjs', 'web/package-lock.json');
  return hashOf(found);
}

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
    page.source = html.replace('</title>', () => `</title>\n<meta name="supple-inputs" content="${inputs()}">\n${notices('notices.txt').trim()}`);
    page.fileName = 'view.html';
  },
};

/** In basis.html: three's constants are built in, the rest of three is the page's. */
const threeOfThePage = {
  name: 'supple-three-of-the-page',
  enforce: 'pre',
  resolveId: (name) => (name === 'three' ? '\0three' : null),
  load: (name) => (name === '\0three' ? `export * from 'three/src/constants.js'; export { ${given} } from 'supple-given';` : null),
};

/** basis.html: a function of the page that gives three's KTX2Loader and the transcoder, packed. */
const basisFile = {
  name: 'supple-basis',
  enforce: 'post',
  generateBundle(_, bundle) {
    const [loader] = Object.values(bundle), files = join(here, '../node_modules', transcoder);
    delete bundle[loader.fileName];
    const body = `function suppleBasis(given) {
${loader.code.trim().replaceAll('</script', '<\\/script')}
return { KTX2Loader: loader.KTX2Loader,
script: '${base64Of(files + '.js')}',
module: '${base64Of(files + '.wasm')}' };
}`;
    this.emitFile({ type: 'asset', fileName: 'basis.html', source: `${notices('notices_basis.txt')}<script data-inputs="${
      hashOf(['web/page/notices_basis.txt', 'web/page/vite.config.mjs', 'web/package-lock.json'])}">\n${body}\n</script>\n` });
  },
};

/** As little as is built: basis.html. */
const basis = {
  root: here,
  publicDir: false,
  plugins: [threeOfThePage, withoutOwnPlace, basisFile],
  build: {
    outDir: join(here, 'view/basis'),
    emptyOutDir: true,
    target: 'es2022',
    lib: { entry: join(here, '../node_modules/three/examples/jsm/loaders/KTX2Loader.js'), formats: ['iife'], name: 'loader', fileName: () => 'loader.js' },
    rollupOptions: { external: ['supple-given'], output: { globals: { 'supple-given': 'given' } } },
  },
};

export default defineConfig(({ mode }) => {
  if (mode === 'basis') return basis;
  const single = mode === 'view';
  return {
    root: here,
    base: './',
    publicDir: single ? false : publicFolder,
    plugins: single ? [withoutCodecs, setting(true), oneFile] : [withoutOwnPlace, setting(false), served, offline],
    build: {
      outDir: single ? join(here, 'view/view') : join(dist, 'page'),
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
