// handpose.ts: turning joints by hand, on top of what the pose holds; the axes and the order of `supple --pose`.
import type { Asset, Measure, Pose } from '../../src/index.js';
import { Quaternion, Vector3 } from 'three';

/** Degrees. */
export interface Turn {
  twist: number;
  bend: number;
  side: number;
  /** By the gizmo, in the joint's own space: x, y, z, w. */
  free: [number, number, number, number] | null;
}

export const still = (turn: Turn | undefined): boolean =>
  !turn || (!turn.twist && !turn.bend && !turn.side && !turn.free);

interface Axes {
  twist: Vector3;
  bend: Vector3;
}

const X = new Vector3(1, 0, 0), Y = new Vector3(0, 1, 0), Z = new Vector3(0, 0, 1);
const COSINE_OF_25 = 0.90630778703665;

const perpendicular = (a: Vector3, to: Vector3, otherwise: Vector3): Vector3 => {
  const left = a.clone().addScaledVector(to, -a.dot(to));
  return left.lengthSq() > 0 ? left.normalize() : otherwise.clone();
};

/** A joint's axes: twist along its bone, bend across it. */
export function axesOf(asset: Asset, measure: Measure, skin: number, joint: number): Axes {
  const known = measure.joints[joint]!, inverse = asset.inverseBinds(skin).subarray(joint * 12, joint * 12 + 12);
  const bone = new Vector3(...known.outgoing);
  if (bone.lengthSq() === 0) bone.set(...known.incoming);
  const twist = new Vector3(0, 1, 2).set(
    inverse[0]! * bone.x + inverse[1]! * bone.y + inverse[2]! * bone.z,
    inverse[4]! * bone.x + inverse[5]! * bone.y + inverse[6]! * bone.z,
    inverse[8]! * bone.x + inverse[9]! * bone.y + inverse[10]! * bone.z);
  if (twist.lengthSq() > 0) twist.normalize();
  else twist.copy(Y);
  return { twist, bend: perpendicular(Math.abs(twist.z) > COSINE_OF_25 ? X : Z, twist, X) };
}

/** Turns a node on top of what the pose holds; update() comes after. */
export function applyTurn(pose: Pose, node: number, axes: Axes, turn: Turn): void {
  if (still(turn)) return;
  const locals = pose.locals, at = node * 10;
  const scale = new Vector3(locals[at + 7], locals[at + 8], locals[at + 9]);
  // The turn belongs between the node's rotation and its scale, so the axes go through the scale.
  const twist = axes.twist.clone().multiply(scale);
  if (twist.lengthSq() > 0) twist.normalize();
  else twist.copy(axes.twist);
  const bend = perpendicular(axes.bend.clone().multiply(scale), twist, axes.bend);
  const side = new Vector3().crossVectors(twist, bend);
  const sign = scale.x * scale.y * scale.z < 0 ? -1 : 1, radians = Math.PI / 180;
  const rotation = new Quaternion(locals[at + 3], locals[at + 4], locals[at + 5], locals[at + 6]).normalize()
    .multiply(new Quaternion().setFromAxisAngle(bend, sign * turn.bend * radians))
    .multiply(new Quaternion().setFromAxisAngle(side, turn.side * radians))
    .multiply(new Quaternion().setFromAxisAngle(twist, sign * turn.twist * radians));
  if (turn.free) rotation.multiply(new Quaternion(...turn.free));
  rotation.normalize().toArray(locals, at + 3);
  pose.useLocal(node);
}
