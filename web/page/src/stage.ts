// stage.ts: the picture: one camera, the left half drawn linearly by three, the right half by us.
import { AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, DynamicDrawUsage, HemisphereLight,
  MeshLambertMaterial, Object3D, PerspectiveCamera, Raycaster, Scene, SkinnedMesh, Vector2, Vector3, WebGLRenderer,
  type Intersection, type Material, type MeshStandardMaterial } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { Lines } from './lines.js';
import type { Drawn, Model } from './model.js';

export type Heat = 'none' | 'deviation' | 'kept';

interface Side {
  scene: Scene;
  lines: Lines;
}

/** A section to be drawn: its points around on either side. */
export interface Loop {
  left: Float64Array;
  right: Float64Array;
  worst: boolean;
}

const WORST: readonly number[] = [1, 0.35, 0], OTHER: readonly number[] = [0.03, 0.2, 0.75];

/** Blue over white to red, for 0 … 1, four bytes each; told apart in grey too. */
const heatColors = ((): Uint8Array => {
  const colors = new Uint8Array(256 * 4), color = new Color();
  for (let i = 0; i < 256; i++) {
    const t = i / 255;
    if (t < 0.5) color.setRGB(0.13 + 1.6 * t, 0.4 + 1.1 * t, 0.85 + 0.2 * t);
    else color.setRGB(0.93, 0.95 - 1.6 * (t - 0.5), 0.95 - 1.7 * (t - 0.5));
    colors.set([color.r, color.g, color.b, 1].map((c) => Math.round(255 * Math.min(1, Math.max(0, c)))), i * 4);
  }
  return colors;
})();

/** The same as a CSS gradient. */
export function heatGradient(): string {
  const stops = Array.from({ length: 9 }, (_, i) => {
    const at = Math.round((i / 8) * 255) * 4;
    return new Color(heatColors[at]! / 255, heatColors[at + 1]! / 255, heatColors[at + 2]! / 255).getStyle();
  });
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}

function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return false; // which three reports
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly gizmo: TransformControls;
  readonly renderer: WebGLRenderer;
  /** Pictures drawn so far. */
  drawn = 0;
  #stale = true;
  readonly #overlay: HTMLElement;
  readonly #left: Side;
  readonly #right: Side;
  readonly #handle = new Object3D();
  /** The processor draws. */
  readonly #software: boolean;
  /** Something plays, and the processor that draws does not keep up: milliseconds between pictures, smoothed. */
  #moving = false;
  #pace = 0;
  #drawnAt = 0;
  #model: Model | null = null;
  #kept = new Map<SkinnedMesh, Material | Material[]>();
  #heat = new Map<SkinnedMesh, BufferAttribute>();
  #flight: { from: Vector3; to: Vector3; cameraFrom: Vector3; cameraTo: Vector3; start: number } | null = null;

  /** `place` holds the canvas and, over its right half, `overlay`, where the gizmo is turned. */
  constructor(place: HTMLElement, canvas: HTMLCanvasElement, overlay: HTMLElement, reducedMotion: boolean) {
    this.canvas = canvas;
    this.#overlay = overlay;
    // Where the processor draws, smooth edges and fine pixels are not worth what they cost.
    const software = (this.#software = drawsInSoftware());
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, alpha: true });
    this.renderer.setPixelRatio(software ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.autoClear = false;
    this.#left = this.#side();
    this.#right = this.#side();
    this.controls = new OrbitControls(this.camera, place);
    this.controls.enableDamping = !reducedMotion;
    this.controls.dampingFactor = 0.15;
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => (this.#flight = null));
    // The gizmo counts from the middle of its own element: the right half.
    this.gizmo = new TransformControls(this.camera, overlay);
    this.gizmo.setMode('rotate');
    this.gizmo.setSpace('local');
    this.gizmo.enabled = false;
    this.gizmo.addEventListener('dragging-changed', ({ value }) => (this.controls.enabled = !value));
    this.gizmo.addEventListener('change', () => this.invalidate());
    this.#right.scene.add(this.#handle, this.gizmo.getHelper());
    this.gizmo.attach(this.#handle);
    this.gizmo.getHelper().visible = false;
  }

  #side(): Side {
    const scene = new Scene(), sun = new DirectionalLight(0xffffff, 2.2), lines = new Lines(2.5);
    sun.position.set(0.6, 1, 1.2);
    scene.add(new AmbientLight(0xffffff, 0.5), new HemisphereLight(0xffffff, 0x7a7f88, 1.1), sun, lines);
    return { scene, lines };
  }

  /** A clip plays: where the processor draws and falls behind, as coarse as it must be. */
  set moving(moving: boolean) {
    if (!this.#software || this.#moving === moving) return;
    this.#moving = moving;
    this.#pace = this.#drawnAt = 0;
    if (!moving) this.#fineness(1);
  }

  #fineness(ratio: number): void {
    if (this.renderer.getPixelRatio() === ratio) return;
    this.renderer.setPixelRatio(ratio);
    this.invalidate();
  }

  /** Draws half as fine once pictures come slower than 40 a second. */
  #keepUp(): void {
    if (!this.#moving) return;
    const now = performance.now(), passed = this.#drawnAt ? now - this.#drawnAt : 16;
    this.#drawnAt = now;
    this.#pace += (Math.min(100, passed) - this.#pace) * (this.#pace ? 0.05 : 1);
    if (this.#pace > 25) this.#fineness(0.5);
  }

  /** The picture is no longer right. */
  invalidate(): void {
    this.#stale = true;
  }

  set model(model: Model | null) {
    if (this.#model) {
      this.heat('none');
      this.#left.scene.remove(this.#model.left.root);
      this.#right.scene.remove(this.#model.right.root);
      this.sections([]);
    }
    this.#model = model;
    this.invalidate();
    if (!model) return;
    this.#left.scene.add(model.left.root);
    this.#right.scene.add(model.right.root);
  }

  /** Looks at a box from the front, a little above. */
  frame(box: Box3): void {
    const center = box.getCenter(new Vector3()), size = box.getSize(new Vector3()), radius = size.length() / 2 || 1;
    const half = Math.tan((this.camera.fov * Math.PI) / 360), aspect = this.#aspect();
    const direction = new Vector3(0.35, 0.2, 1).normalize();
    // As wide and high as the box looks from there, roughly; never nearer than its front.
    const width = size.x * direction.z + size.z * direction.x, height = size.y + (size.x + size.z) * 0.1;
    const distance = Math.max(height / 2, width / 2 / aspect) / half * 1.08 + Math.min(radius, size.z / 2 + size.x * 0.2);
    this.#flight = null;
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, distance || 1);
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.controls.update();
    this.invalidate();
  }

  /** From where a sphere fills a half. */
  #distance(radius: number): number {
    return radius / (Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.#aspect()));
  }

  /** Turns the camera by angles around what it looks at, moves it by shares of the view, or nearer by a factor. */
  move({ turn = [0, 0], pan = [0, 0], nearer = 1 }: { turn?: [number, number]; pan?: [number, number]; nearer?: number }): void {
    const { camera, controls } = this, offset = camera.position.clone().sub(controls.target), length = offset.length();
    const around = Math.atan2(offset.x, offset.z) + turn[0];
    const above = Math.min(1.55, Math.max(-1.55, Math.asin(Math.min(1, Math.max(-1, offset.y / length))) + turn[1]));
    offset.set(Math.sin(around) * Math.cos(above), Math.sin(above), Math.cos(around) * Math.cos(above)).multiplyScalar(length / nearer);
    const across = new Vector3().setFromMatrixColumn(camera.matrix, 0), up = new Vector3().setFromMatrixColumn(camera.matrix, 1);
    controls.target.addScaledVector(across, pan[0] * length).addScaledVector(up, pan[1] * length);
    camera.position.copy(controls.target).add(offset);
    this.#flight = null;
    this.invalidate();
  }

  /** Moves the camera so that a sphere fills a half; at once where motion is not wanted. */
  fly(point: Vector3, radius: number, atOnce: boolean): void {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const cameraTo = point.clone().addScaledVector(direction, this.#distance(radius));
    this.invalidate();
    if (atOnce) {
      this.controls.target.copy(point);
      this.camera.position.copy(cameraTo);
      return;
    }
    this.#flight = { from: this.controls.target.clone(), to: point.clone(), cameraFrom: this.camera.position.clone(), cameraTo,
      start: performance.now() };
  }

  #aspect(): number {
    const { clientWidth, clientHeight } = this.canvas;
    return clientWidth / 2 / Math.max(1, clientHeight);
  }

  /** Draws both halves, where something changed. */
  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas, { renderer } = this;
    const ratio = renderer.getPixelRatio();
    if (this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio)) {
      renderer.setSize(width, height, false);
      this.invalidate();
    }
    if (this.#flight) {
      const t = Math.min(1, (performance.now() - this.#flight.start) / 500), s = t * t * (3 - 2 * t);
      this.controls.target.lerpVectors(this.#flight.from, this.#flight.to, s);
      this.camera.position.lerpVectors(this.#flight.cameraFrom, this.#flight.cameraTo, s);
      if (t === 1) this.#flight = null;
      this.invalidate();
    }
    this.controls.update();
    if (!this.#stale || !width || !height) return;
    this.#stale = false;
    this.drawn++;
    this.#keepUp();
    this.camera.aspect = this.#aspect();
    this.camera.updateProjectionMatrix();
    renderer.setScissorTest(true);
    const half = Math.floor(width / 2);
    for (const [x, w, side] of [[0, half, this.#left], [half, width - half, this.#right]] as const) {
      renderer.setViewport(x, 0, w, height);
      renderer.setScissor(x, 0, w, height);
      renderer.clear();
      renderer.render(side.scene, this.camera);
    }
  }

  // ---- sections ----

  /** Draws sections around a joint. */
  sections(loops: Loop[]): void {
    for (const [side, key] of [[this.#left, 'left'], [this.#right, 'right']] as const)
      side.lines.show(loops.map((loop) => ({ points: loop[key], color: loop.worst ? WORST : OTHER })));
    this.invalidate();
  }

  // ---- heat ----

  /** Switches between the asset's own colours and vertex colours. */
  heat(mode: Heat): void {
    for (const [mesh, material] of this.#kept) {
      (mesh.material as Material).dispose();
      mesh.material = material;
      mesh.geometry.dispose();
      const own = mesh.userData.supplePlainGeometry as BufferGeometry;
      mesh.geometry = own;
    }
    this.#kept.clear();
    this.#heat.clear();
    this.invalidate();
    if (mode === 'none' || !this.#model) return;
    for (const { left, right } of this.#model.drawn)
      for (const mesh of [left, right]) {
        this.#kept.set(mesh, mesh.material);
        mesh.userData.supplePlainGeometry = mesh.geometry;
        // A geometry that shares all buffers, with colours of its own: both halves differ.
        const geometry = new BufferGeometry();
        geometry.index = mesh.geometry.index;
        geometry.attributes = { ...mesh.geometry.attributes };
        geometry.morphAttributes = mesh.geometry.morphAttributes;
        geometry.morphTargetsRelative = mesh.geometry.morphTargetsRelative;
        geometry.userData = mesh.geometry.userData;
        const colors = new BufferAttribute(new Uint8Array(geometry.getAttribute('position').count * 4).fill(255), 4, true);
        geometry.setAttribute('color', colors.setUsage(DynamicDrawUsage));
        const own = [mesh.material].flat()[0] as MeshStandardMaterial;
        mesh.geometry = geometry;
        mesh.material = new MeshLambertMaterial({ vertexColors: true, side: own.side, flatShading: own.flatShading ?? false });
        this.#heat.set(mesh, colors);
      }
  }

  /** Colours the vertices of a mesh: one share, 0 … 1, each. */
  paint(mesh: SkinnedMesh, shares: ArrayLike<number>): void {
    const colors = this.#heat.get(mesh);
    if (!colors) return;
    const to = new Uint32Array(colors.array.buffer), from = new Uint32Array(heatColors.buffer);
    // What is not a number counts as 0.
    for (let i = 0; i < to.length; i++) to[i] = from[Math.min(255, Math.max(0, Math.round(shares[i]! * 255))) | 0]!;
    colors.needsUpdate = true;
    this.invalidate();
  }

  // ---- gizmo, picking ----

  /** Puts the gizmo to a joint, or away. */
  hold(object: Object3D | null): void {
    if (this.gizmo.enabled !== !!object) this.invalidate();
    this.gizmo.enabled = this.gizmo.getHelper().visible = !!object;
    this.#overlay.hidden = !object;
    if (!object || this.gizmo.dragging) return;
    object.matrixWorld.decompose(this.#handle.position, this.#handle.quaternion, new Vector3());
    this.#handle.updateMatrixWorld(true);
  }

  get handle(): Object3D {
    return this.#handle;
  }

  /** What is drawn under a point of the canvas (both halves follow their own shape). */
  pick(x: number, y: number): { drawn: Drawn; hit: Intersection } | null {
    const model = this.#model;
    if (!model) return null;
    const { clientWidth: width, clientHeight: height } = this.canvas, onRight = x >= width / 2;
    const at = new Vector2((((onRight ? x - width / 2 : x) / (width / 2)) * 2) - 1, 1 - (y / height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const meshes = model.drawn.map(({ left, right }) => (onRight ? right : left));
    for (const mesh of meshes) mesh.computeBoundingSphere();
    const hit = ray.intersectObjects(meshes, false)[0];
    const drawn = hit && model.drawn.find(({ left, right }) => hit.object === left || hit.object === right);
    return drawn ? { drawn, hit } : null;
  }
}
