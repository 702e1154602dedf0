// draco3dgltf.d.ts: what npm's draco3dgltf exports; it has no types of its own.
declare module 'draco3dgltf' {
  const draco: { createDecoderModule(options: object): Promise<any> };
  export default draco;
}
