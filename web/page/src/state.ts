// state.ts: what the page shows, kept in the URL's hash so that a link shows the same.
import type { Turn } from './handpose.js';
import type { Heat } from './stage.js';

export interface State {
  sample: string;
  clip: number;
  time: number;
  speed: number;
  /** "instance.joint", or "" */
  joint: string;
  heat: Heat;
  sections: boolean;
  /** By node. */
  turns: [number, Turn][];
  /** Camera position and target, six numbers, or none. */
  camera: number[];
}

export const initial: State = { sample: '', clip: 0, time: 0, speed: 1, joint: '', heat: 'none', sections: true, turns: [], camera: [] };

const short = (x: number): string => String(Number(x.toPrecision(6)));

export function toHash(state: State): string {
  const parts = new URLSearchParams();
  if (state.sample) parts.set('sample', state.sample);
  if (state.clip !== initial.clip) parts.set('clip', String(state.clip));
  if (state.time) parts.set('t', short(state.time));
  if (state.speed !== 1) parts.set('speed', short(state.speed));
  if (state.joint) parts.set('joint', state.joint);
  if (state.heat !== 'none') parts.set('heat', state.heat);
  if (!state.sections) parts.set('sections', '0');
  for (const [node, { twist, bend, side, free }] of state.turns)
    parts.append('turn', [node, twist, bend, side, ...(free ?? [])].map(short).join(','));
  if (state.camera.length === 6) parts.set('camera', state.camera.map(short).join(','));
  return parts.toString().replaceAll('%2C', ',');
}

const finite = (text: string | null, otherwise: number, least = -1e9, most = 1e9): number => {
  const value = text === null || text === '' ? NaN : Number(text);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
};

/** Anything that makes no sense is left at its default. */
export function fromHash(hash: string): State {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const turns: [number, Turn][] = parts.getAll('turn').slice(0, 1000).flatMap((text): [number, Turn][] => {
    const n = text.split(',').map(Number);
    if (n.length !== 4 && n.length !== 8) return [];
    if (!n.every(Number.isFinite)) return [];
    return [[n[0]!, { twist: n[1]!, bend: n[2]!, side: n[3]!, free: n.length === 8 ? (n.slice(4) as [number, number, number, number]) : null }]];
  });
  const camera = (parts.get('camera') ?? '').split(',').map(Number);
  const heat = parts.get('heat');
  return {
    sample: parts.get('sample') ?? '',
    clip: Math.round(finite(parts.get('clip'), 0, -1, 1e6)),
    time: finite(parts.get('t'), 0),
    speed: finite(parts.get('speed'), 1, 0.01, 10),
    joint: /^\d+\.\d+$/.test(parts.get('joint') ?? '') ? parts.get('joint')! : '',
    heat: heat === 'deviation' || heat === 'kept' ? heat : 'none',
    sections: parts.get('sections') !== '0',
    turns,
    camera: camera.length === 6 && camera.every(Number.isFinite) ? camera : [],
  };
}
