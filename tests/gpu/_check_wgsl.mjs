// _check_wgsl.mjs: WGSL files through Tint, as Dawn (npm: webgpu) has it.
//
//   node _check_wgsl.mjs FILE…    prints "FILE: message" for each that is wrong; 77: nothing here to check with
import fs from 'node:fs';

let adapter = null;
try {
  const webgpu = await import('webgpu');
  Object.assign(globalThis, webgpu.globals);
  globalThis.gpu = webgpu.create([]); // it must stay reachable as long as the device is used
  adapter = await globalThis.gpu.requestAdapter();
} catch (error) { /* not installed, or no driver */ }
if (!adapter) {
  console.log('Tint (in tests/gpu: npm ci --ignore-scripts; and a Vulkan driver that Dawn takes)');
  process.exit(77);
}
const device = await adapter.requestDevice();
let wrong = 0;
for (const file of process.argv.slice(2)) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code: fs.readFileSync(file, 'utf8') });
  const info = await module.getCompilationInfo();
  const error = await device.popErrorScope();
  if (!error) continue;
  wrong++;
  const [first] = info.messages;
  console.log(`${file}: ${first ? `line ${first.lineNum}: ${first.message}` : error.message}`.split('\n').join(' '));
}
process.exit(wrong ? 1 : 0);
