// polar.ts: the orthogonal polar factor of a joint's matrix as a quaternion, in doubles: what src/math/split.c does.
//
// Nine numbers row by row stand for a 3 × 3 matrix.

/** Completes what a singular matrix does not say: the turn the joint has by the rotations of the hierarchy. */
export interface Hint {
  /** x, y, z, w; need not be unit length. */
  rotation: [number, number, number, number];
  mirrored: boolean;
}

const IDENTITY: Hint = { rotation: [0, 0, 0, 1], mirrored: false };
type Nine = Float64Array;

const determinant = (m: Nine): number =>
  m[0]! * (m[4]! * m[8]! - m[5]! * m[7]!) - m[1]! * (m[3]! * m[8]! - m[5]! * m[6]!) +
  m[2]! * (m[3]! * m[7]! - m[4]! * m[6]!);

function cofactor(m: Nine, out: Nine): void {
  out[0] = m[4]! * m[8]! - m[5]! * m[7]!;
  out[1] = m[5]! * m[6]! - m[3]! * m[8]!;
  out[2] = m[3]! * m[7]! - m[4]! * m[6]!;
  out[3] = m[2]! * m[7]! - m[1]! * m[8]!;
  out[4] = m[0]! * m[8]! - m[2]! * m[6]!;
  out[5] = m[1]! * m[6]! - m[0]! * m[7]!;
  out[6] = m[1]! * m[5]! - m[2]! * m[4]!;
  out[7] = m[2]! * m[3]! - m[0]! * m[5]!;
  out[8] = m[0]! * m[4]! - m[1]! * m[3]!;
}

function norm(m: Nine): number {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += m[i]! * m[i]!;
  return Math.sqrt(sum);
}

const work = new Float64Array(9), cofactors = new Float64Array(9);

/** X <- (g X + X^-T / g) / 2 (Higham 1986), in place; the matrix is well-conditioned. */
function newton(x: Nine): void {
  for (let round = 0; round < 20; round++) {
    cofactor(x, cofactors);
    const det = determinant(x);
    const g = Math.sqrt(norm(cofactors) / (norm(x) * Math.abs(det)));
    const a = 0.5 * g, b = 0.5 / (g * det);
    let change = 0;
    for (let i = 0; i < 9; i++) {
      const next = a * x[i]! + b * cofactors[i]!;
      change += (next - x[i]!) ** 2;
      x[i] = next;
    }
    if (change < 1e-18) break;
  }
}

// ---- by singular values, for what is nearly or wholly singular ----

type Vector = [number, number, number];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const less = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const unit = (a: Vector, otherwise: Vector): Vector => {
  const length = Math.sqrt(dot(a, a));
  return length > 0 ? scaled(a, 1 / length) : otherwise;
};
const column = (m: Nine, j: number): Vector => [m[j]!, m[j + 3]!, m[j + 6]!];

/** One-sided Jacobi: columns of w become orthogonal, v is turned with them. */
function jacobi(w: Vector[], v: Vector[]): void {
  for (let sweep = 0, moved = true; moved && sweep < 20; sweep++) {
    moved = false;
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      const alpha = dot(w[p]!, w[p]!), beta = dot(w[q]!, w[q]!), gamma = dot(w[p]!, w[q]!);
      if (alpha < 1e-290 || beta < 1e-290) continue;
      const angle = Math.abs(gamma) / (Math.sqrt(alpha) * Math.sqrt(beta));
      const zeta = (beta - alpha) / (2 * gamma);
      if (angle <= 2 ** -52 || !Number.isFinite(zeta)) continue;
      const root = Math.abs(zeta) < 1e150 ? Math.sqrt(1 + zeta * zeta) : Math.abs(zeta);
      const tangent = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + root);
      const cosine = 1 / Math.sqrt(1 + tangent * tangent), sine = cosine * tangent;
      for (const side of [w, v]) {
        const x = side[p]!, y = side[q]!;
        side[p] = [x[0] * cosine - y[0] * sine, x[1] * cosine - y[1] * sine, x[2] * cosine - y[2] * sine];
        side[q] = [x[0] * sine + y[0] * cosine, x[1] * sine + y[1] * cosine, x[2] * sine + y[2] * cosine];
      }
      moved ||= angle > 2 ** -49;
    }
  }
}

function anyOrthogonal(a: Vector): Vector {
  const [x, y, z] = a.map(Math.abs) as Vector;
  const axis: Vector = x <= y && x <= z ? [1, 0, 0] : y <= z ? [0, 1, 0] : [0, 0, 1];
  return unit(cross(a, axis), axis);
}

/** Orthonormal along orthogonal vectors, longest first. */
function triad(w: Vector[]): Vector[] {
  const first = unit(w[0]!, [1, 0, 0]);
  let second = unit(w[1]!, [0, 0, 0]);
  for (let i = 0; i < 2; i++) second = less(second, scaled(first, dot(second, first)));
  second = Math.sqrt(dot(second, second)) > 0.5 ? unit(second, [0, 0, 0]) : anyOrthogonal(first);
  const third = cross(first, second);
  return [first, second, dot(third, w[2]!) < 0 ? scaled(third, -1) : third];
}

const det3 = (c: Vector[]): number => dot(c[0]!, cross(c[1]!, c[2]!));

function fromQuaternion(q: ArrayLike<number>, out: Nine): void {
  const length = Math.hypot(q[0]!, q[1]!, q[2]!, q[3]!);
  const [x, y, z, w] = length > 0 ? [q[0]! / length, q[1]! / length, q[2]! / length, q[3]! / length] : [0, 0, 0, 1];
  out.set([1 - 2 * (y! * y! + z! * z!), 2 * (x! * y! - w! * z!), 2 * (x! * z! + w! * y!),
    2 * (x! * y! + w! * z!), 1 - 2 * (x! * x! + z! * z!), 2 * (y! * z! - w! * x!),
    2 * (x! * z! - w! * y!), 2 * (y! * z! + w! * x!), 1 - 2 * (x! * x! + y! * y!)]);
}

/** The polar factor of m by singular values into m; false where m is zero: the hint's. */
function bySingularValues(m: Nine, hint: Hint): void {
  const w = [column(m, 0), column(m, 1), column(m, 2)];
  const v: Vector[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  jacobi(w, v);
  const order = [0, 1, 2].sort((a, b) => dot(w[b]!, w[b]!) - dot(w[a]!, w[a]!));
  const sorted = order.map((i) => w[i]!), turned = order.map((i) => v[i]!);
  const u = triad(sorted), right = triad(turned);
  const sizes = sorted.map((c) => Math.sqrt(dot(c, c)));
  let rank = 0;
  while (rank < 3 && sizes[rank]! > 1e-6 * sizes[0]!) rank++;
  const h = new Float64Array(9);
  fromQuaternion(hint.rotation, h);
  if (hint.mirrored) for (let i = 0; i < 9; i++) h[i] = -h[i]!;
  if (rank === 0) return m.set(h);
  const element = (a: number, b: number): number => {
    let sum = 0;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum += u[a]![i]! * h[3 * i + j]! * right[b]![j]!;
    return sum;
  };
  m.fill(0);
  const add = (a: number, b: number, factor: number): void => {
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) m[3 * i + j]! += factor * u[a]![i]! * right[b]![j]!;
  };
  for (let k = 0; k < rank; k++) add(k, k, 1);
  const keeps = det3(u) * det3(right) * determinant(h) > 0;
  if (rank === 2) {
    const k = element(2, 2);
    add(2, 2, Math.abs(k) <= 1e-12 ? (keeps ? 1 : -1) : k < 0 ? -1 : 1);
  } else if (rank === 1) {
    const k11 = element(1, 1), k12 = element(1, 2), k21 = element(2, 1), k22 = element(2, 2);
    const turn = Math.hypot(k11 + k22, k21 - k12), flip = Math.hypot(k11 - k22, k21 + k12);
    const turns = Math.abs(turn - flip) <= 1e-12 ? keeps : turn > flip;
    const c = turns ? (k11 + k22) / turn : (k11 - k22) / flip, s = turns ? (k21 - k12) / turn : (k21 + k12) / flip;
    add(1, 1, c);
    add(1, 2, turns ? -s : s);
    add(2, 1, s);
    add(2, 2, turns ? c : -c);
  }
}

/** A quaternion of a rotation matrix, unit length, by Shepperd's method, into out[at …]. */
function toQuaternion(m: Nine, out: Float32Array | Float64Array, at: number): void {
  const trace = m[0]! + m[4]! + m[8]!;
  let x: number, y: number, z: number, w: number;
  if (trace >= m[0]! && trace >= m[4]! && trace >= m[8]!)
    [x, y, z, w] = [m[7]! - m[5]!, m[2]! - m[6]!, m[3]! - m[1]!, 1 + trace];
  else if (m[0]! >= m[4]! && m[0]! >= m[8]!)
    [x, y, z, w] = [1 + 2 * m[0]! - trace, m[1]! + m[3]!, m[2]! + m[6]!, m[7]! - m[5]!];
  else if (m[4]! >= m[8]!)
    [x, y, z, w] = [m[1]! + m[3]!, 1 + 2 * m[4]! - trace, m[5]! + m[7]!, m[2]! - m[6]!];
  else
    [x, y, z, w] = [m[2]! + m[6]!, m[5]! + m[7]!, 1 + 2 * m[8]! - trace, m[3]! - m[1]!];
  // The stored sign: the largest component positive, w before x, y, z where equal.
  let largest = w;
  if (Math.abs(x) > Math.abs(largest)) largest = x;
  if (Math.abs(y) > Math.abs(largest)) largest = y;
  if (Math.abs(z) > Math.abs(largest)) largest = z;
  const factor = (largest < 0 ? -1 : 1) / Math.hypot(x, y, z, w);
  out[at] = x * factor;
  out[at + 1] = y * factor;
  out[at + 2] = z * factor;
  out[at + 3] = w * factor;
}

/**
 * The orthogonal polar factor of the linear part of a 4 × 4 matrix (column by column, as three.js keeps it), of its
 * negative where it mirrors, as a quaternion with its largest component positive, into out[at … at + 3]. `hint` is
 * only called where the matrix is singular. A matrix that is not finite gives NaN.
 */
export function polarQuaternion(matrix: ArrayLike<number>, from: number, out: Float32Array | Float64Array, at: number,
  hint?: () => Hint): void {
  let largest = 0, finite = true;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const value = matrix[from + 4 * j + i]!;
      work[3 * i + j] = value;
      finite &&= Number.isFinite(value);
      largest = Math.max(largest, Math.abs(value));
    }
  if (!finite) {
    out.fill(NaN, at, at + 4);
    return;
  }
  if (largest > 0) for (let i = 0; i < 9; i++) work[i]! /= largest;
  cofactor(work, cofactors);
  const det = determinant(work);
  // The condition number in Frobenius norms; up to 16 Newton's iteration is as good as singular values.
  if (Math.abs(det) > 0 && norm(work) * norm(cofactors) < 16 * Math.abs(det)) newton(work);
  else {
    const kept = work.slice(); // the hint may ask for another polar factor
    const complete = hint ? hint() : IDENTITY;
    work.set(kept);
    bySingularValues(work, complete);
  }
  if (determinant(work) < 0) for (let i = 0; i < 9; i++) work[i] = -work[i]!;
  toQuaternion(work, out, at);
}
