// _run_wgsl.mjs: runs shaders case_N.wgsl on case_N.bin (gpu_files.h) by WebGPU (npm: webgpu), into out_N.bin. Vertex
// shaders of up to two streams draw each vertex as a point into a pixel of its own.
//
//   node _run_wgsl.mjs FOLDER COUNT          exit 0: ran; 77: nothing here to run it; 1: failed
import fs from 'node:fs';

const [folder, count] = [process.argv[2], Number(process.argv[3])];

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

let webgpu;
try {
  webgpu = await import('webgpu');
} catch (error) {
  skip('the npm package webgpu is not installed (in tests/gpu: npm ci --ignore-scripts)');
}
Object.assign(globalThis, webgpu.globals);
// It must stay reachable as long as the device is used.
globalThis.gpu = webgpu.create([]);
let adapter = null, why = 'no adapter';
try {
  adapter = await globalThis.gpu.requestAdapter();
} catch (error) {
  why = String(error);
}
if (!adapter) skip(`WebGPU finds no device (${why}); VK_ICD_FILENAMES may name that of SwiftShader`);
const device = await adapter.requestDevice({
  requiredLimits: { maxStorageBuffersPerShaderStage: adapter.limits.maxStorageBuffersPerShaderStage },
});
console.log(`WGSL on ${adapter.info.description || adapter.info.device}`);

// The parts of a case, each as bytes.
function parts(path) {
  const data = fs.readFileSync(path);
  const head = new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + 64));
  const [vertices, , morphs, , influences, , pairs, palette, targets] = head;
  let at = 64;
  const take = (bytes) => {
    const part = data.subarray(at, at + bytes);
    at += bytes;
    return part;
  };
  return { head, vertices, morphs, influences, rest: take(vertices * 40), ranges: take(vertices * 8),
           pairs: take(pairs * 8), palette: take(palette * 16), targets: take(targets * 16),
           weights: take(morphs * 4), joints: take(vertices * 32), jointWeights: take(vertices * 32) };
}

function buffer(bytes, usage, least = 16) {
  const made = device.createBuffer({ size: Math.max(least, Math.ceil(bytes.length / 4) * 4), usage: usage | GPUBufferUsage.COPY_DST });
  if (bytes.length) device.queue.writeBuffer(made, 0, bytes);
  return made;
}

async function moduleOf(code, name) {
  const module = device.createShaderModule({ code });
  const info = await module.getCompilationInfo();
  for (const message of info.messages) console.log(`${name}:${message.lineNum}: ${message.message}`);
  return module;
}

// The buffers that the shader declares, by binding.
function group(pipeline, code, c, parameters, more) {
  const storage = GPUBufferUsage.STORAGE;
  const uniform = /var<uniform> supple_palette/.test(code);
  const entries = [
    [0, buffer(new Uint8Array(parameters.buffer), GPUBufferUsage.UNIFORM)],
    [1, buffer(c.palette, uniform ? GPUBufferUsage.UNIFORM : storage, uniform ? 16384 : 16)],
    [2, buffer(c.pairs, storage)], [6, buffer(c.targets, storage)], [7, buffer(c.weights, storage)], ...more,
  ].filter(([binding, made]) => code.includes(`@binding(${binding})`) || made.destroy());
  return device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: entries.map(([binding, made]) => ({ binding, resource: { buffer: made } })),
  });
}

async function read(from, size) {
  const back = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  from(encoder, back);
  device.queue.submit([encoder.finish()]);
  await back.mapAsync(GPUMapMode.READ);
  const bytes = new Uint8Array(back.getMappedRange().slice(0));
  back.destroy();
  return bytes;
}

async function runCompute(code, c, name) {
  const module = await moduleOf(code, name);
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'supple_compute' } });
  const storage = GPUBufferUsage.STORAGE, columns = 2;
  const parameters = new Uint32Array([c.vertices, 10, 10, c.morphs, c.head[9], 0, 64 * columns, 0]);
  const posed = device.createBuffer({ size: Math.max(16, c.vertices * 40), usage: storage | GPUBufferUsage.COPY_SRC });
  const bound = group(pipeline, code, c, parameters,
                      [[3, buffer(c.ranges, storage)], [4, buffer(c.rest, storage)], [5, posed]]);
  return read((encoder, back) => {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bound);
    pass.dispatchWorkgroups(columns, Math.ceil(c.vertices / (64 * columns)));
    pass.end();
    encoder.copyBufferToBuffer(posed, 0, back, 0, posed.size);
  }, posed.size);
}

// What the vertex shader hands on, as a fragment shader writes it down.
const fragment = (normals) => `
struct made { @location(0) position: vec4f, ${normals ? '@location(1) normal: vec4f' : ''} }
@fragment fn write(@location(0) position: vec3f, ${normals ? '@location(1) normal: vec3f' : ''}) -> made {
  return made(vec4f(position, 1.0), ${normals ? 'vec4f(normal, 1.0)' : ''});
}`;

function attributes(c, normals) {
  const float = (width) => `float32x${width}`;
  const made = [
    { arrayStride: 40, attributes: [{ shaderLocation: 0, offset: 0, format: float(3) },
                                    ...(normals ? [{ shaderLocation: 1, offset: 12, format: float(3) }] : [])] },
  ];
  const data = [c.rest];
  if (c.influences === 0) {
    made.push({ arrayStride: 8, attributes: [{ shaderLocation: 3, offset: 0, format: 'uint32x2' }] });
    data.push(c.ranges);
  } else {
    const sets = [...Array(c.influences / 4).keys()];
    made.push({ arrayStride: c.influences * 4, attributes: sets.map((s) => ({ shaderLocation: 3 + 2 * s, offset: 16 * s, format: 'uint32x4' })) });
    made.push({ arrayStride: c.influences * 4, attributes: sets.map((s) => ({ shaderLocation: 4 + 2 * s, offset: 16 * s, format: float(4) })) });
    data.push(c.joints, c.jointWeights);
  }
  return { layout: made, buffers: data.map((bytes) => buffer(bytes, GPUBufferUsage.VERTEX)) };
}

async function runVertex(code, c, name) {
  const WIDTH = 64, normals = c.head[3] > 1, count = normals ? 2 : 1, height = Math.ceil(c.vertices / WIDTH);
  const { layout, buffers } = attributes(c, normals);
  const targets = Array(count).fill({ format: 'rgba32float' });
  const pipeline = await device.createRenderPipelineAsync({
    layout: 'auto', primitive: { topology: 'point-list' },
    vertex: { module: await moduleOf(code, name), entryPoint: 'supple_vertex', buffers: layout },
    fragment: { module: await moduleOf(fragment(normals), 'fragment'), entryPoint: 'write', targets },
  });
  const parameters = new Float32Array(20); // a matrix that leads everything to the middle of the viewport
  parameters[15] = 1;
  new Uint32Array(parameters.buffer).set([c.head[9], 0, c.vertices, c.morphs], 16);
  const bound = group(pipeline, code, c, parameters, []);
  const textures = targets.map(({ format }) => device.createTexture({
    format, size: [WIDTH, height], usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC }));
  const picture = WIDTH * 16 * height;
  const bytes = await read((encoder, back) => {
    const pass = encoder.beginRenderPass({ colorAttachments: textures.map((texture) => ({
      view: texture.createView(), loadOp: 'clear', storeOp: 'store' })) });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bound);
    buffers.forEach((made, slot) => pass.setVertexBuffer(slot, made));
    for (let v = 0; v < c.vertices; v++) {
      pass.setViewport(v % WIDTH, Math.floor(v / WIDTH), 1, 1, 0, 1);
      pass.draw(1, 1, v);
    }
    pass.end();
    textures.forEach((texture, k) => encoder.copyTextureToBuffer(
      { texture }, { buffer: back, offset: k * picture, bytesPerRow: WIDTH * 16 }, [WIDTH, height]));
  }, picture * count);
  const pixels = new Float32Array(bytes.buffer), posed = new Float32Array(c.vertices * 10);
  for (let v = 0; v < c.vertices; v++)
    for (let k = 0; k < count; k++)
      posed.set(pixels.subarray(k * picture / 4 + 4 * v, k * picture / 4 + 4 * v + 3), 10 * v + 3 * k);
  return new Uint8Array(posed.buffer);
}

async function run(number) {
  const name = `case_${number}.wgsl`, code = fs.readFileSync(`${folder}/${name}`, 'utf8');
  const c = parts(`${folder}/case_${number}.bin`);
  const posed = await (code.includes('@vertex') ? runVertex : runCompute)(code, c, name);
  fs.writeFileSync(`${folder}/out_${number}.bin`, posed);
}

device.addEventListener?.('uncapturederror', (event) => {
  console.log(String(event.error.message));
  process.exit(1);
});
try {
  for (let number = 0; number < count; number++) await run(number);
} catch (error) {
  console.log(String(error));
  process.exit(1);
}
process.exit(0);
