// plot.ts: what a joint keeps over the clip, by both methods, with the cursor of the time.
import type { JointId } from './model.js';
import type { Scan } from './scan.js';

const SVG = 'http://www.w3.org/2000/svg';

export class Plot {
  readonly #svg: SVGSVGElement;
  readonly #lines: Record<'lbs' | 'dqs' | 'limit', SVGElement>;
  readonly #cursor: HTMLElement;
  #begin = 0;
  #end = 0;

  /** `cursor` lies over the plot; moved as a layer, it costs no drawing. */
  constructor(svg: SVGSVGElement, cursor: HTMLElement) {
    this.#svg = svg;
    this.#cursor = cursor;
    const make = (name: string, kind: string): SVGElement => {
      const element = document.createElementNS(SVG, kind);
      element.setAttribute('class', name);
      svg.append(element);
      return element;
    };
    this.#lines = { limit: make('limit', 'path'), lbs: make('lbs', 'path'), dqs: make('dqs', 'path') };
  }

  /** One side of a plot reaches from 0 to 110 %. */
  #y(kept: number): number {
    return 96 - Math.min(1.1, Math.max(0, kept)) * (92 / 1.1);
  }

  draw(scan: Scan, joint: JointId | null, name: string): void {
    this.#begin = scan.times[0]!;
    this.#end = scan.times[scan.times.length - 1]!;
    const span = this.#end - this.#begin || 1;
    this.#lines.limit.setAttribute('d', `M0 ${this.#y(0.75)}H1000`);
    for (const method of ['lbs', 'dqs'] as const) {
      let path = '', pen = 'M';
      if (joint)
        scan.course(method, joint).forEach((kept, i) => {
          if (Number.isNaN(kept)) pen = 'M';
          else {
            path += `${pen}${(((scan.times[i]! - this.#begin) / span) * 1000).toFixed(1)} ${this.#y(kept).toFixed(1)}`;
            pen = 'L';
          }
        });
      this.#lines[method].setAttribute('d', path || 'M0 0');
    }
    this.#svg.setAttribute('aria-label', joint
      ? `What ${name} keeps over the clip: at least ${percent(scan.least('lbs', joint).kept)} under LBS, ${percent(scan.least('dqs', joint).kept)} under DQS`
      : 'What the chosen joint keeps over the clip');
    document.getElementById('plot-name')!.textContent = joint ? `Kept of ${name} over the clip` : 'Kept over the clip';
  }

  cursor(time: number): void {
    const share = (time - this.#begin) / (this.#end - this.#begin || 1);
    this.#cursor.style.transform = `translateX(${(Math.min(1, Math.max(0, share)) * 100).toFixed(3)}cqw)`;
  }

  /** The time at a place, 0 … 1 from the left. */
  timeAt(share: number): number {
    return this.#begin + (this.#end - this.#begin) * Math.min(1, Math.max(0, share));
  }
}

export const percent = (ratio: number, digits = 1): string => (Number.isFinite(ratio) ? `${(ratio * 100).toFixed(digits)} %` : '–');
