// stage.ts: the picture: one camera, the left half drawn linearly by three, the right half by us.
import { AmbientLight, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, HemisphereLight, LineBasicMaterial,
  LineLoop, MeshBasicMaterial, Object3D, PerspectiveCamera, Raycaster, Scene, Sphere, SkinnedMesh, Vector2, Vector3,
  WebGLRenderer, type Intersection, type Material } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import type { Drawn, JointId, Model } from './model.js';

export type Heat = 'none' | 'deviation' | 'kept';

interface Side {
  scene: Scene;
  lines: Object3D;
}

/** Blue over white to red, for 0 … 1; told apart in grey too. */
export function heatColor(share: number, into: Color): Color {
  const t = Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share));
  return t < 0.5 ? into.setRGB(0.13 + 1.6 * t, 0.4 + 1.1 * t, 0.85 + 0.2 * t) : into.setRGB(0.93, 0.95 - 1.6 * (t - 0.5), 0.95 - 1.7 * (t - 0.5));
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly gizmo: TransformControls;
  readonly #renderer: WebGLRenderer;
  readonly #left: Side;
  readonly #right: Side;
  readonly #handle = new Object3D();
  #model: Model | null = null;
  #kept = new Map<SkinnedMesh, Material | Material[]>();
  #heat = new Map<SkinnedMesh, BufferAttribute>();
  #flight: { from: Vector3; to: Vector3; cameraFrom: Vector3; cameraTo: Vector3; start: number } | null = null;

  constructor(canvas: HTMLCanvasElement, reducedMotion: boolean) {
    this.canvas = canvas;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.autoClear = false;
    this.#left = this.#side();
    this.#right = this.#side();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !reducedMotion;
    this.controls.dampingFactor = 0.15;
    this.controls.listenToKeyEvents(canvas);
    this.gizmo = new TransformControls(this.camera, canvas);
    this.gizmo.setMode('rotate');
    this.gizmo.setSpace('local');
    this.gizmo.enabled = false;
    this.gizmo.addEventListener('dragging-changed', ({ value }) => (this.controls.enabled = !value));
    this.#right.scene.add(this.#handle, this.gizmo.getHelper());
    this.gizmo.attach(this.#handle);
    this.gizmo.getHelper().visible = false;
  }

  #side(): Side {
    const scene = new Scene(), sun = new DirectionalLight(0xffffff, 2.2), lines = new Object3D();
    sun.position.set(0.6, 1, 1.2);
    scene.add(new AmbientLight(0xffffff, 0.5), new HemisphereLight(0xffffff, 0x7a7f88, 1.1), sun, lines);
    return { scene, lines };
  }

  set model(model: Model | null) {
    if (this.#model) {
      this.heat('none');
      this.#left.scene.remove(this.#model.left.root);
      this.#right.scene.remove(this.#model.right.root);
      this.sections(null, []);
    }
    this.#model = model;
    if (!model) return;
    this.#left.scene.add(model.left.root);
    this.#right.scene.add(model.right.root);
  }

  /** Looks at a box from the front, a little above. */
  frame(box: Box3): void {
    const sphere = box.getBoundingSphere(new Sphere()), radius = sphere.radius || 1;
    const half = Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, this.#aspect());
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).add(new Vector3(0.35, 0.2, 1).normalize().multiplyScalar((radius * 1.1) / half));
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.controls.update();
  }

  /** Moves the camera to look at a point from a distance; at once where motion is not wanted. */
  fly(point: Vector3, distance: number, atOnce: boolean): void {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const cameraTo = point.clone().addScaledVector(direction, distance);
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

  /** Draws both halves. */
  draw(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas, renderer = this.#renderer;
    const ratio = renderer.getPixelRatio();
    if (this.canvas.width !== Math.floor(width * ratio) || this.canvas.height !== Math.floor(height * ratio))
      renderer.setSize(width, height, false);
    if (this.#flight) {
      const t = Math.min(1, (performance.now() - this.#flight.start) / 500), s = t * t * (3 - 2 * t);
      this.controls.target.lerpVectors(this.#flight.from, this.#flight.to, s);
      this.camera.position.lerpVectors(this.#flight.cameraFrom, this.#flight.cameraTo, s);
      if (t === 1) this.#flight = null;
    }
    this.camera.aspect = this.#aspect();
    this.camera.updateProjectionMatrix();
    this.controls.update();
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

  /** Draws sections around a joint: point lists of the left and of the right. */
  sections(_joint: JointId | null, loops: { left: Float64Array; right: Float64Array; worst: boolean }[]): void {
    for (const [side, key] of [[this.#left, 'left'], [this.#right, 'right']] as const) {
      const { lines } = side;
      while (lines.children.length > loops.length) {
        const last = lines.children[lines.children.length - 1] as LineLoop;
        lines.remove(last);
        last.geometry.dispose();
        (last.material as Material).dispose();
      }
      loops.forEach((loop, i) => {
        let line = lines.children[i] as LineLoop | undefined;
        const points = loop[key];
        if (!line) {
          line = new LineLoop(new BufferGeometry(), new LineBasicMaterial({ depthTest: false, transparent: true }));
          line.renderOrder = 10;
          line.frustumCulled = false;
          lines.add(line);
        }
        const found = line.geometry.getAttribute('position') as BufferAttribute | undefined;
        if (found && found.count * 3 === points.length) {
          (found.array as Float32Array).set(points);
          found.needsUpdate = true;
        } else {
          line.geometry.dispose();
          line.geometry = new BufferGeometry();
          line.geometry.setAttribute('position', new BufferAttribute(Float32Array.from(points), 3));
        }
        (line.material as LineBasicMaterial).color.set(loop.worst ? 0xffa000 : 0x2f7fe0);
      });
    }
  }

  // ---- heat ----

  /** Switches between the asset's own colours and vertex colours. */
  heat(mode: Heat): void {
    for (const [mesh, material] of this.#kept) {
      (mesh.material as MeshBasicMaterial).dispose();
      mesh.material = material;
      mesh.geometry.dispose();
      const own = mesh.userData.supplePlainGeometry as BufferGeometry;
      mesh.geometry = own;
    }
    this.#kept.clear();
    this.#heat.clear();
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
        const colors = new BufferAttribute(new Float32Array(geometry.getAttribute('position').count * 3).fill(1), 3);
        geometry.setAttribute('color', colors);
        mesh.geometry = geometry;
        mesh.material = new MeshBasicMaterial({ vertexColors: true });
        this.#heat.set(mesh, colors);
      }
  }

  /** Colours the vertices of a mesh: one share, 0 … 1, each. */
  paint(mesh: SkinnedMesh, shares: ArrayLike<number>): void {
    const colors = this.#heat.get(mesh);
    if (!colors) return;
    const color = new Color();
    for (let i = 0; i < colors.count; i++) heatColor(shares[i]!, color).toArray(colors.array, i * 3);
    colors.needsUpdate = true;
  }

  // ---- gizmo, picking ----

  /** Puts the gizmo to a joint, or away. */
  hold(object: Object3D | null): void {
    this.gizmo.enabled = this.gizmo.getHelper().visible = !!object;
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
