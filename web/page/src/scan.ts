// scan.ts: measures over a whole clip, a few moments at a time, so that the page stays alive.
import type { Measures } from '../../src/index.js';
import type { JointId, Model } from './model.js';

/** What a joint keeps: the smaller of its worst section and of its vertices' own kept; NaN where neither exists. */
export function keptOf(measures: Measures, joint: number): number {
  const { worst, ownKept } = measures.joints[joint]!;
  if (Number.isNaN(worst)) return ownKept;
  return Number.isNaN(ownKept) ? worst : Math.min(worst, ownKept);
}

/** The joint that keeps least under LBS, where that is, and the least that it keeps by either method in that clip. */
export interface Worst {
  id: JointId;
  clip: number;
  time: number;
  lbs: number;
  dqs: number;
}

/** Moments of a clip: where it is shown, and where only its worst is looked for. */
const SHOWN = 48, SOUGHT = 16;

export class Scan {
  readonly clip: number;
  readonly times: number[];
  /** By instance, then [time][joint]. */
  readonly lbs: Float32Array[];
  readonly dqs: Float32Array[];
  done = 0;
  readonly #model: Model;
  readonly #pose;

  constructor(model: Model, clip: number, moments = SHOWN) {
    const found = model.asset.description.clips[clip], begin = found?.begin ?? 0, end = found?.end ?? 0;
    this.times = end > begin ? Array.from({ length: moments }, (_, i) => begin + ((end - begin) * i) / (moments - 1)) : [begin];
    const room = () => model.measures.map(({ joints }) => new Float32Array(this.times.length * joints.length).fill(NaN));
    this.lbs = room();
    this.dqs = room();
    this.#model = model;
    this.clip = clip;
    this.#pose = model.asset.pose();
  }

  get finished(): boolean {
    return this.done >= this.times.length;
  }

  /** Measures one moment more. */
  step(): void {
    if (this.finished) return;
    const model = this.#model, at = this.done++;
    model.sample(this.#pose, this.clip, this.times[at]!);
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

  /** The joint that keeps least under LBS over the moments measured; null where nothing bends. */
  worst(): Worst | null {
    let found: Worst | null = null;
    for (const id of this.#model.joints()) {
      const { kept, time } = this.least('lbs', id);
      if (kept < (found?.lbs ?? Infinity)) found = { id, clip: this.clip, time, lbs: kept, dqs: NaN };
    }
    return found && { ...found, dqs: this.least('dqs', found.id).kept };
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

/** Looks through all clips for the joint that keeps least; a little at a time. */
export class Search {
  worst: Worst | null;
  /** Clips looked through, the shown one included. */
  done = 1;
  readonly clips: number;
  readonly #model: Model;
  readonly #others: number[];
  #scan: Scan | null = null;

  /** `shown`: the finished scan of the clip that is shown, which is stayed with where no other is clearly worse. */
  constructor(model: Model, shown: Scan) {
    this.#model = model;
    this.worst = shown.worst();
    this.#others = model.asset.description.clips.map((_, clip) => clip).filter((clip) => clip !== shown.clip);
    this.clips = this.#others.length + 1;
  }

  get finished(): boolean {
    return this.done === this.clips;
  }

  step(): void {
    if (this.finished) return;
    this.#scan ??= new Scan(this.#model, this.#others[this.done - 1]!, SOUGHT);
    this.#scan.step();
    if (!this.#scan.finished) return;
    const found = this.#scan.worst();
    if (found && found.lbs < (this.worst ? this.worst.lbs - 0.005 : Infinity)) this.worst = found;
    this.#scan = null;
    this.done++;
  }

  free(): void {
    this.#scan?.free();
    this.#scan = null;
    this.done = this.clips;
  }
}
