// _naga.mjs: WGSL files through naga (npm: wgsl-wasm-transpiler-bundler), FILE.spv beside each: what naga itself does
// not check, spirv-val does.
//
//   node _naga.mjs FILE…          prints "FILE: message" for each that is wrong; 77: naga is not installed
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.join(here, '../gpu/node_modules/wgsl-wasm-transpiler-bundler');
if (!fs.existsSync(folder)) {
  console.log('naga (in tests/gpu: npm ci --ignore-scripts)');
  process.exit(77);
}
const glue = await import(path.join(folder, 'wgsl_wasm_transpiler_bg.js'));
const bytes = fs.readFileSync(path.join(folder, 'wgsl_wasm_transpiler_bg.wasm'));
const { instance } = await WebAssembly.instantiate(bytes, { './wgsl_wasm_transpiler_bg.js': glue });
glue.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start?.();

let wrong = 0;
for (const file of process.argv.slice(2)) {
  try {
    const words = glue.compileShader(fs.readFileSync(file, 'utf8'), 'spirv');
    fs.writeFileSync(`${file}.spv`, Buffer.from(words, 'base64'));
  } catch (error) {
    wrong++;
    console.log(`${file}: ${String(error.message ?? error).split('\n').join(' ')}`);
  }
}
process.exit(wrong ? 1 : 0);
