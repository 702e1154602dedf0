// ktx2.mjs: KTX2 textures made by hand, of known colours, and fixtures that wear them.

/** The colours of a 2 × 2 picture's quarters, from the top left on. Each number is 2 more than one of five bits made eight, so
 * that ETC1, to which a block may be transcoded, has them exactly. */
export const colors = [[28, 4, 4], [3, 24, 5], [5, 6, 29], [27, 25, 2]].map((color) => color.map((five) => ((five << 3) | (five >> 2)) + 2));

/** A block of UASTC of one colour: mode 8 (five bits, 23), R, G, B, A, then what ETC1 makes of it: differential (1), the table
 * of intensities (3: the one of ±2 and ±8), which of its four (2: +2), and the base colour in five bits each. */
function solid([red, green, blue]) {
  const fields = [[23, 5], [red, 8], [green, 8], [blue, 8], [255, 8], [1, 1], [0, 3], [2, 2], ...[red, green, blue].map((c) => [(c - 2) >> 3, 5])];
  const block = Buffer.alloc(16);
  let at = 0;
  for (const [value, bits] of fields)
    for (let i = 0; i < bits; i++, at++) block[at >> 3] |= ((value >> i) & 1) << (at & 7);
  return block;
}

/** The four colours as a KTX2 file, `side` blocks of 4 × 4 along each quarter: UASTC (colour model 166), sRGB, one level; `faces`
 * 6 makes a cube of it. */
export function ktx2({ side = 4, faces = 1 } = {}) {
  const blocks = Array.from({ length: 4 * side * side }, (_, i) =>
    solid(colors[(i >= 2 * side * side ? 2 : 0) + (i % (2 * side) >= side ? 1 : 0)]));
  const level = Buffer.concat(Array.from({ length: faces }, () => Buffer.concat(blocks)));
  const head = Buffer.alloc(160), size = 8 * side, DFD = 104;
  head.write('\xABKTX 20\xBB\r\n\x1A\n', 0, 'latin1');
  // vkFormat, typeSize, width, height, depth, layers, faces, levels, supercompression; DFD; nothing else.
  [0, 1, size, size, 0, 0, faces, 1, 0, DFD, 44].forEach((value, i) => head.writeUInt32LE(value, 12 + 4 * i));
  [head.length, level.length, level.length].forEach((value, i) => head.writeBigUInt64LE(BigInt(value), 80 + 8 * i));
  // The descriptor: its size, version 2 and the size of its only block; model, primaries, transfer, 4 × 4 texels of 16 bytes.
  [44, 0, 2 | (40 << 16), 166 | (1 << 8) | (2 << 16), 3 | (3 << 8), 16, 0, 127 << 16, 0, 0, 0xffffffff]
    .forEach((value, i) => head.writeUInt32LE(value, DFD + 4 * i));
  return Buffer.concat([head, level]);
}

/** A .glb of a mesh without textures, wearing a picture as it looks from the front: KTX2, and `other` where that is not known
 * (a PNG). Unlit, so that its colours are what is seen; `still`: without clips, which take time to be measured. */
export function wearing(glb, picture, { other, still = false } = {}) {
  const length = glb.readUInt32LE(12), gltf = JSON.parse(glb.subarray(20, 20 + length)), binary = glb.subarray(28 + length);
  if (still) delete gltf.animations;
  const { bufferView, count, min, max } = gltf.accessors[gltf.meshes[0].primitives[0].attributes.POSITION];
  const at = gltf.bufferViews[bufferView].byteOffset ?? 0, uv = Buffer.alloc(count * 8);
  for (let v = 0; v < count; v++) {
    uv.writeFloatLE((binary.readFloatLE(at + 12 * v) - min[0]) / (max[0] - min[0]), 8 * v);
    uv.writeFloatLE((max[1] - binary.readFloatLE(at + 12 * v + 4)) / (max[1] - min[1]), 8 * v + 4);
  }
  const parts = [binary];
  let end = binary.length;
  const put = (bytes) => {
    const gap = -end & 15;
    parts.push(Buffer.alloc(gap), bytes);
    end += gap + bytes.length;
    return gltf.bufferViews.push({ buffer: 0, byteOffset: end - bytes.length, byteLength: bytes.length }) - 1;
  };
  gltf.meshes[0].primitives[0].attributes.TEXCOORD_0 = gltf.accessors.push({ bufferView: put(uv), componentType: 5126, count, type: 'VEC2' }) - 1;
  gltf.images = [{ bufferView: put(picture), mimeType: 'image/ktx2' }];
  gltf.textures = [{ extensions: { KHR_texture_basisu: { source: 0 } } }];
  if (other) gltf.textures[0].source = gltf.images.push({ bufferView: put(other), mimeType: 'image/png' }) - 1;
  gltf.materials[0] = { pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extensions: { KHR_materials_unlit: {} } };
  gltf.extensionsUsed = ['KHR_texture_basisu', 'KHR_materials_unlit'];
  if (!other) gltf.extensionsRequired = ['KHR_texture_basisu'];
  gltf.buffers[0].byteLength = end;
  const json = Buffer.from(JSON.stringify(gltf)), text = Buffer.concat([json, Buffer.alloc(-json.length & 3, ' ')]);
  const data = Buffer.concat([...parts, Buffer.alloc(-end & 3)]), head = Buffer.alloc(20), chunk = Buffer.alloc(8);
  head.write('glTF');
  [2, 28 + text.length + data.length, text.length].forEach((value, i) => head.writeUInt32LE(value, 4 + 4 * i));
  head.write('JSON', 16);
  chunk.writeUInt32LE(data.length);
  chunk.write('BIN\0', 4);
  return Buffer.concat([head, text, chunk, data]);
}

/** Points of the arm's front, one in the middle of each of the picture's quarters. */
export const quarters = [[-0.15, 0.65], [0.15, 0.65], [-0.15, -0.65], [0.15, -0.65]].map(([x, y]) => [x, y, Math.sqrt(0.09 - x * x)]);
