// three-webgpu.ts: dual quaternion skinning for three.js's WebGPURenderer (WebGPU, or WebGL 2 by forceWebGL), in TSL.
//
//   import { supple } from 'supple-skin/three-webgpu';
//   supple(mesh, { method: 'dqs' });            // any node material, shadows, velocity, picking, bounds
//
// Importing this module replaces NodeMaterial's set-up of positions for meshes whose skeleton is a SuppleSkeleton. The
// renderer tells programs apart by the attributes of a geometry, among others, so such a mesh gets a view of its geometry
// that has one attribute more.
import { BufferGeometry, DataTexture, FloatType, Object3D, RGBAFormat, SkinnedMesh } from 'three';
import * as tsl from 'three/tsl';
import { NodeMaterial } from 'three/webgpu';
import { isSupple, LINEAR_SHARE, furtherSets, patchSkinnedMesh, SuppleSkeleton } from './three-skeleton.js';
import { handleOf, type SuppleHandle, type SuppleOptions } from './three-handle.js';

export { LINEAR_SHARE, SuppleSkeleton };
export { SuppleInfluences } from './three-influences.js';
export type { Method, SuppleHandle, SuppleOptions } from './three-handle.js';

// The types of TSL do not follow its proxies.
type N = any;
const { attribute, cross, dot, Fn, If, int, ivec2, ivec4, Loop, mat3, mat4, materialReference, normalLocal,
  OnObjectUpdate, positionLocal, positionPrevious, reference, select, subBuild, tangentLocal, texture, textureSize,
  vec4, vertexIndex, morphReference, batch, instancedMesh } = tsl as unknown as Record<string, N>;

const MARKER = 'suppleMarker';

// ---- the shader ----

const texel = (bones: N, i: N): N => {
  const size = int(textureSize(bones, int(0)).x);
  return bones.load(ivec2(i.mod(size), i.div(size)));
};

/** c as a pure quaternion, times q. */
const times = (c: N, q: N): N => vec4(c.mul(q.w).add(cross(c, q.xyz)), dot(c, q.xyz).negate());

/** vec(a r*) / |r|², with a fourth component. */
const divide = (a: N, r: N, squared: N, w: number): N =>
  vec4(a.xyz.mul(r.w).sub(r.xyz.mul(a.w)).sub(cross(a.xyz, r.xyz)).div(squared), w);

/** The affine map of this vertex, by the influences that geometry and texture hold. */
function vertexMap(bones: N, geometry: BufferGeometry): N {
  const further = furtherSets(geometry).length > 0, shared = geometry.hasAttribute(LINEAR_SHARE);
  return Fn(() => {
    const joints = ivec4(attribute('skinIndex', 'uvec4')).toVar();
    const size = ivec2(textureSize(bones, int(0)));
    const where = ivec4(bones.load(size.sub(ivec2(1, 1)))).toVar();
    const at = where.y.add(int(vertexIndex).mul(where.z)).toVar();
    const weights = attribute('skinWeight', 'vec4').mul(further ? texel(bones, at).x : 1).toVar();

    // The pivot: the largest weight, of equal ones the lowest joint.
    const pivot = joints.x.toVar(), largest = weights.x.toVar();
    const offer = (joint: N, weight: N): void => {
      If(weight.greaterThan(largest).or(weight.equal(largest).and(joint.lessThan(pivot))), () => {
        pivot.assign(joint);
        largest.assign(weight);
      });
    };
    for (const k of ['y', 'z', 'w']) offer(joints[k], weights[k]);
    const eachFurther = (use: (joint: N, weight: N) => void): void => {
      if (!further) return;
      Loop({ start: int(1), end: where.z, type: 'int', condition: '<' }, ({ i }: N) => {
        const two = texel(bones, at.add(i)).toVar();
        use(int(two.x), two.y);
        use(int(two.z), two.w);
      });
    };
    eachFurther(offer);

    const axis = texel(bones, where.x.add(pivot)).toVar();
    const linear = [0, 1, 2, 3].map(() => vec4(0).toVar()), blocks = [0, 1, 2, 3].map(() => vec4(0).toVar());
    const turn = vec4(0).toVar();
    const add = (joint: N, weight: N): void => {
      const q = texel(bones, where.x.add(joint)).toVar();
      // Exactly half a turn apart stays as it is: never sign(), which is 0 there.
      q.mulAssign(select(dot(q, axis).lessThan(-1e-6), weight.negate(), weight));
      turn.addAssign(q);
      for (let c = 0; c < 4; c++) {
        const column = texel(bones, joint.mul(4).add(c)).toVar();
        linear[c].addAssign(column.mul(weight));
        blocks[c].addAssign(times(column.xyz, q));
      }
    };
    for (const k of ['x', 'y', 'z', 'w']) add(joints[k], weights[k]);
    eachFurther((joint, weight) => If(weight.notEqual(0), () => add(joint, weight)));

    const result = mat4(linear[0], linear[1], linear[2], linear[3]).toVar();
    const squared = dot(turn, turn).toVar();
    If(squared.greaterThanEqual(1e-12).and(where.w.bitAnd(4).equal(0)), () => {
      const turned = [0, 1, 2, 3].map((c) => divide(blocks[c], turn, squared, c === 3 ? 1 : 0).toVar());
      if (shared) {
        const share = attribute(LINEAR_SHARE, 'float');
        turned.forEach((column, c) => column.addAssign(linear[c].sub(column).mul(share)));
      }
      result.assign(mat4(turned[0], turned[1], turned[2], turned[3]));
    });
    If(where.w.bitAnd(1).notEqual(0), () => {
      result.assign(mat4(vec4(1, 0, 0, 0), vec4(0, 1, 0, 0), vec4(0, 0, 1, 0), vec4(0, 0, 0, 1)));
    });
    return result;
  })();
}

/** A texture of the mesh that is drawn, whichever of those that share the program. */
function skeletonTexture(first: SuppleSkeleton, of: (skeleton: SuppleSkeleton) => DataTexture | null): N {
  const node = texture(of(first));
  OnObjectUpdate(({ object }: { object: SkinnedMesh }) => {
    node.value = of(object.skeleton as SuppleSkeleton);
  });
  return node;
}

const current = (skeleton: SuppleSkeleton): DataTexture => {
  if (!skeleton.boneTexture) skeleton.computeBoneTexture();
  return skeleton.boneTexture!;
};

/** The texture of the frame before, made when first asked for. */
function previous(skeleton: SuppleSkeleton): DataTexture {
  if (!skeleton.previousBoneTexture) {
    current(skeleton);
    skeleton.update();
    const { width, height } = skeleton.boneTexture!.image;
    skeleton.previousBoneMatrices = (skeleton.boneMatrices as Float32Array).slice();
    skeleton.previousBoneTexture = new DataTexture(skeleton.previousBoneMatrices as Float32Array<ArrayBuffer>, width, height,
      RGBAFormat, FloatType);
    skeleton.previousBoneTexture.needsUpdate = true;
  }
  return skeleton.previousBoneTexture;
}

/** By renderer, since each counts frames of its own: the frame in which a skeleton was last updated. */
const updated = new WeakMap<object, WeakMap<SuppleSkeleton, number>>();

/** Once a frame: what is now becomes what was before. */
function advance({ object, frameId, renderer }: { object: SkinnedMesh; frameId: number; renderer: object }): void {
  const skeleton = object.skeleton as SuppleSkeleton;
  let frames = updated.get(renderer);
  if (!frames) updated.set(renderer, (frames = new WeakMap()));
  if (frames.get(skeleton) === frameId) return;
  frames.set(skeleton, frameId);
  current(skeleton);
  if (skeleton.previousBoneTexture) {
    (skeleton.previousBoneMatrices as Float32Array).set(skeleton.boneMatrices as Float32Array);
    skeleton.previousBoneTexture.needsUpdate = true;
  }
  skeleton.update();
}

/** Normal by the cofactors of the frame's columns and the determinant's sign; where these vanish, by the frame. */
function turnedNormal(x: N, y: N, z: N, n: N): N {
  const yz = cross(y, z).toVar();
  const byCofactor = yz.mul(n.x).add(cross(z, x).mul(n.y)).add(cross(x, y).mul(n.z))
    .mul(select(dot(x, yz).lessThan(0), -1, 1)).toVar();
  const size = dot(x, x).add(dot(y, y)).add(dot(z, z));
  const plain = x.mul(n.x).add(y.mul(n.y)).add(z.mul(n.z));
  return select(dot(byCofactor, byCofactor).greaterThan(size.mul(size).mul(dot(n, n)).mul(1e-12)), byCofactor.normalize(),
    plain);
}

/** As TSL's `skinning`: positions, normals and tangents in place. */
const suppleSkinning = Fn(([mesh]: [SkinnedMesh], builder: N) => {
  const bind = reference('bindMatrix', 'mat4'), inverse = reference('bindMatrixInverse', 'mat4');
  const skeleton = mesh.skeleton as SuppleSkeleton, { geometry } = builder;
  OnObjectUpdate(advance);
  const bones = skeletonTexture(skeleton, current);
  if (builder.needsPreviousData()) {
    const before = skeletonTexture(skeleton, previous);
    positionPrevious.assign(inverse.mul(vertexMap(before, geometry).mul(bind.mul(positionPrevious))).xyz);
  }
  const map = vertexMap(bones, geometry).toVar();
  positionLocal.assign(inverse.mul(map.mul(bind.mul(positionLocal))).xyz);
  if (!builder.hasGeometryAttribute('normal')) return;
  const frame = mat3(inverse.mul(map).mul(bind)).toVar();
  const x = frame.element(int(0)), y = frame.element(int(1)), z = frame.element(int(2));
  normalLocal.assign(turnedNormal(x, y, z, normalLocal));
  if (builder.hasGeometryAttribute('tangent')) tangentLocal.assign(frame.mul(tangentLocal));
}, 'void');

const plainSetup = (NodeMaterial.prototype as N).setupPosition as (this: NodeMaterial, builder: N) => N;

/** As NodeMaterial.setupPosition, but for the skinning. */
function setupPosition(this: N, builder: N): N {
  const { object, geometry } = builder;
  if (!object.isSkinnedMesh || !isSupple(object.skeleton)) return plainSetup.call(this, builder);
  if (geometry.morphAttributes.position || geometry.morphAttributes.normal || geometry.morphAttributes.color)
    morphReference(object);
  suppleSkinning(object);
  if (this.displacementMap) {
    const height = materialReference('displacementMap', 'texture').x
      .mul(materialReference('displacementScale', 'float')).add(materialReference('displacementBias', 'float'));
    positionLocal.addAssign(normalLocal.normalize().mul(height));
  }
  if (object.isBatchedMesh) batch(object);
  if (object.isInstancedMesh && object.instanceMatrix?.isInstancedBufferAttribute) instancedMesh(object);
  if (this.positionNode !== null) positionLocal.assign(subBuild(this.positionNode, 'POSITION', 'vec3'));
  return positionLocal;
}

(NodeMaterial.prototype as N).setupPosition = setupPosition;
patchSkinnedMesh();

// ---- the geometry that tells programs apart ----

const marked = new WeakMap<BufferGeometry, BufferGeometry>();
const originals = new WeakMap<BufferGeometry, BufferGeometry>();

/** A view of attributes that has one more, under a name of its own: the weights once again, which nothing reads. */
function markAttributes(attributes: BufferGeometry['attributes']): BufferGeometry['attributes'] {
  return new Proxy(attributes, {
    get: (own, name) => (name === MARKER ? own.skinWeight : Reflect.get(own, name)),
    has: (own, name) => name === MARKER || Reflect.has(own, name),
    ownKeys: (own) => [...Reflect.ownKeys(own), MARKER],
    getOwnPropertyDescriptor: (own, name) => (name === MARKER
      ? { value: own.skinWeight, enumerable: true, configurable: true, writable: true }
      : Reflect.getOwnPropertyDescriptor(own, name)),
  });
}

/**
 * A view of a geometry: whatever is read or written is the geometry's own, but for the marker and the number by which
 * the renderer knows it. So whoever kept the geometry can go on using it.
 */
function mark(geometry: BufferGeometry): BufferGeometry {
  if (originals.has(geometry)) return geometry;
  let found = marked.get(geometry);
  if (!found) {
    const { id } = new BufferGeometry();
    let attributes: BufferGeometry['attributes'] | null = null, view = markAttributes({});
    found = new Proxy(geometry, {
      get(own, name) {
        if (name === 'id') return id;
        if (name === 'clone') return () => own.clone();
        if (name === 'toJSON') return () => own.toJSON();
        if (name !== 'attributes') return Reflect.get(own, name);
        if (attributes !== own.attributes) view = markAttributes((attributes = own.attributes));
        return view;
      },
    });
    marked.set(geometry, found);
    originals.set(found, geometry);
  }
  return found;
}

/**
 * Lets a skinned mesh (or all skinned meshes in an object) follow its joints by dual quaternions. Materials are not
 * touched; meshes that share a skeleton or a material may differ.
 */
export function supple(object: Object3D, options: SuppleOptions = {}): SuppleHandle {
  return handleOf(object, options, (mesh) => {
    mesh.geometry = isSupple(mesh.skeleton) ? mark(mesh.geometry) : (originals.get(mesh.geometry) ?? mesh.geometry);
  }, (geometry) => originals.get(geometry) ?? geometry);
}
