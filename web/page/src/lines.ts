// lines.ts: lines some pixels wide, as quads of one draw: instances, as three's own wide lines are, cost far more where the
// processor draws.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, ShaderMaterial, Vector2, Vector4, type WebGLRenderer } from 'three';

const vertexShader = /* glsl */ `
  attribute vec3 other;
  attribute float side;
  attribute vec3 tint;
  uniform vec2 size;
  uniform float width;
  varying vec3 shown;

  // What is behind the eye has no place on the picture: as far towards the other end as there is one.
  vec4 before(vec4 here, vec4 there) {
    const float nearest = 1e-4;
    return here.w < nearest && there.w > nearest ? mix(here, there, (nearest - here.w) / (there.w - here.w)) : here;
  }

  void main() {
    mat4 toClip = projectionMatrix * modelViewMatrix;
    vec4 a = toClip * vec4(position, 1.0), b = toClip * vec4(other, 1.0);
    vec4 here = before(a, b), there = before(b, a);
    vec2 along = (there.xy / there.w - here.xy / here.w) * size;
    float length2 = dot(along, along);
    along = length2 > 0.0 ? along * inversesqrt(length2) : vec2(1.0, 0.0);
    here.xy += side * width * vec2(-along.y, along.x) / size * here.w;
    shown = tint;
    gl_Position = here;
  }
`;
const fragmentShader = /* glsl */ `
  varying vec3 shown;
  void main() {
    gl_FragColor = vec4(shown, 1.0);
    #include <colorspace_fragment>
  }
`;

export class Lines extends Mesh<BufferGeometry, ShaderMaterial> {
  /** The lines' width, in pixels of the picture. */
  constructor(width: number) {
    super(new BufferGeometry(), new ShaderMaterial({ vertexShader, fragmentShader, depthTest: false, depthWrite: false,
      transparent: true, side: 2, uniforms: { size: { value: new Vector2(1, 1) }, width: { value: width } } }));
    this.frustumCulled = false;
    this.visible = false;
    this.renderOrder = 10;
    const viewport = new Vector4();
    this.onBeforeRender = (renderer: WebGLRenderer) => {
      renderer.getCurrentViewport(viewport);
      (this.material.uniforms.size!.value as Vector2).set(viewport.z, viewport.w);
      this.material.uniforms.width!.value = width * renderer.getPixelRatio();
    };
  }

  /** Draws closed loops: points x y z, and a linear colour each. */
  show(loops: { points: ArrayLike<number>; color: readonly number[] }[]): void {
    const count = loops.reduce((sum, { points }) => sum + points.length / 3, 0);
    this.visible = count > 0;
    if (!count) return;
    if (this.geometry.getAttribute('side')?.count !== count * 4) this.#room(count);
    const [from, to, tint] = ['position', 'other', 'tint'].map((name) => this.geometry.getAttribute(name) as BufferAttribute);
    let at = 0;
    for (const { points, color } of loops)
      for (let i = 0; i < points.length; i += 3, at += 12) {
        const next = i + 3 < points.length ? i + 3 : 0;
        for (let k = 0; k < 3; k++)
          for (let corner = 0; corner < 4; corner++) {
            from!.array[at + 3 * corner + k] = points[(corner < 2 ? i : next) + k]!;
            to!.array[at + 3 * corner + k] = points[(corner < 2 ? next : i) + k]!;
            tint!.array[at + 3 * corner + k] = color[k]!;
          }
      }
    for (const attribute of [from, to, tint]) attribute!.needsUpdate = true;
  }

  /** A geometry for so many segments, four corners each. */
  #room(count: number): void {
    this.geometry.dispose();
    this.geometry = new BufferGeometry();
    for (const name of ['position', 'other', 'tint'])
      this.geometry.setAttribute(name, new BufferAttribute(new Float32Array(count * 12), 3).setUsage(DynamicDrawUsage));
    // Seen from its own end, each corner's side is another: the quad is 0 1 2, 2 1 3.
    this.geometry.setAttribute('side', new BufferAttribute(Float32Array.from({ length: count * 4 }, (_, i) => [1, -1, -1, 1][i & 3]!), 1));
    const index = new Uint32Array(count * 6);
    for (let i = 0; i < count; i++) index.set([0, 1, 2, 2, 1, 3].map((corner) => 4 * i + corner), 6 * i);
    this.geometry.setIndex(new BufferAttribute(index, 1));
  }
}
