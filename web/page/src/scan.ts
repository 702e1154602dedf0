// scan.ts: measures over a whole clip, a few moments at a time, so that the page stays alive.
import type { Measures } from '../../src/index.js';
import type { JointId, Model } from './model.js';

/** What a joint keeps: the smaller of its worst section and of its vertices' own kept; NaN where neither exists. */
export function keptOf(measures: Measures, joint: number): number {
  const { worst, ownKept } = measures.joints[joint]!;
  if (Number.isNaN(worst)) return ownKept;
  return Number.isNaN(ownKept) ? worst : Math.min(worst, ownKept);
}

const TIMES = 48;

export class Scan {
  readonly times: number[];
  /** By instance, then [time][joint]. */
  readonly lbs: Float32Array[];
  readonly dqs: Float32Array[];
  done = 0;
  readonly #model: Model;
  readonly #clip: number;
  readonly #pose;

  constructor(model: Model, clip: number) {
    const found = model.asset.description.clips[clip], begin = found?.begin ?? 0, end = found?.end ?? 0;
    this.times = end > begin ? Array.from({ length: TIMES }, (_, i) => begin + ((end - begin) * i) / (TIMES - 1)) : [begin];
    const room = () => model.measures.map(({ joints }) => new Float32Array(this.times.length * joints.length).fill(NaN));
    this.lbs = room();
    this.dqs = room();
    this.#model = model;
    this.#clip = clip;
    this.#pose = model.asset.pose();
  }

  get finished(): boolean {
    return this.done >= this.times.length;
  }

  /** Measures one moment more. */
  step(): void {
    if (this.finished) return;
    const model = this.#model, at = this.done++;
    model.sample(this.#pose, this.#clip, this.times[at]!);
    model.skinned.forEach((skinned, i) => {
      const measure = model.measures[i]!;
      skinned.pose(this.#pose);
      for (const method of ['lbs', 'dqs'] as const) {
        skinned.deform(method, { normals: false });
        const measures = measure.evaluate(method), count = measure.joints.length;
        for (let joint = 0; joint < count; joint++) this[method][i]![at * count + joint] = keptOf(measures, joint);
      }
    });
    if (this.finished) this.#pose.free();
  }

  /** The smallest that a joint keeps over the moments measured, and when. */
  least(method: 'lbs' | 'dqs', { instance, joint }: JointId): { kept: number; time: number } {
    const values = this[method][instance]!, count = this.#model.measures[instance]!.joints.length;
    let least = { kept: NaN, time: this.times[0]! };
    for (let i = 0; i < this.done; i++) {
      const kept = values[i * count + joint]!;
      if (!(kept >= least.kept) && !Number.isNaN(kept)) least = { kept, time: this.times[i]! };
    }
    return least;
  }

  /** What a joint keeps at each moment measured. */
  course(method: 'lbs' | 'dqs', { instance, joint }: JointId): number[] {
    const count = this.#model.measures[instance]!.joints.length;
    return Array.from({ length: this.done }, (_, i) => this[method][instance]![i * count + joint]!);
  }

  free(): void {
    if (!this.finished) this.#pose.free();
    this.done = this.times.length;
  }
}
