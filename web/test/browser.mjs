// browser.mjs: a real browser for the tests: a small server of this folder, and pages in Chromium.
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const web = fileURLToPath(new URL('..', import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm',
  '.css': 'text/css', '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png' };

/** Chromium's place, or undefined. */
export function findChromium() {
  const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return places.find((place) => place && existsSync(place));
}

const page = (body) => `<!doctype html><meta charset="utf-8"><title>test</title>
<script type="importmap">{"imports": {
  "three": "/node_modules/three/build/three.module.js",
  "three/webgpu": "/node_modules/three/build/three.webgpu.js",
  "three/tsl": "/node_modules/three/build/three.tsl.js",
  "three/addons/": "/node_modules/three/examples/jsm/",
  "meshoptimizer": "/node_modules/meshoptimizer/index.js",
  "supple-skin": "/dist/index.js",
  "supple-skin/three": "/dist/three.js",
  "supple-skin/three-webgpu": "/dist/three-webgpu.js"
}}</script><body>${body}`;

/** Serves web/ at /, `mounts` ({"/corpus": folder}) beside it, and "/blank" as an empty page with an import map. */
export async function serve(mounts = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    if (path === '/blank') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page(''));
      return;
    }
    const mount = Object.keys(mounts).find((prefix) => path.startsWith(prefix + '/'));
    const root = mount ? mounts[mount] : web;
    const file = normalize(join(root, mount ? path.slice(mount.length) : path));
    if (!file.startsWith(normalize(root)) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const quiet = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

/** A browser that draws in software; with `webgpu` also WebGPU. */
export async function launch({ webgpu = false, args = [] } = {}) {
  const executablePath = findChromium();
  if (!executablePath) return undefined;
  const graphics = webgpu
    ? ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader',
      '--use-angle=swiftshader', '--ignore-gpu-blocklist']
    : ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
  return chromium.launch({ executablePath, headless: true, args: [...quiet, ...graphics, ...args] });
}

/** Runs a module's `default` function in an empty page: module is a URL path, argument is JSON. Errors are thrown. */
export async function runModule(browser, server, module, argument) {
  const tab = await browser.newPage();
  const problems = [];
  tab.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  tab.on('pageerror', (error) => problems.push(String(error)));
  try {
    await tab.goto(server.url + '/blank');
    const result = await tab.evaluate(async ([from, given]) => (await import(from)).default(given), [module, argument]);
    return { result, problems };
  } finally {
    await tab.close();
  }
}
