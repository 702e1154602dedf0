// main.ts: the page: files in, both halves, joints, measures, check.
import { Box3, Quaternion, Vector3 } from 'three';
import { init, type Finding, type Measure, type Measures, type Supple } from '../../src/index.js';
import { assetOf, chosen, dropped, embedded, type Given } from './files.js';
import { still, type Turn } from './handpose.js';
import { Model, type JointId } from './model.js';
import { percent, Plot } from './plot.js';
import { keptOf, Scan, Search } from './scan.js';
import { heatGradient, Stage, type Heat, type Loop } from './stage.js';
import { fromHash, initial, toHash, type State } from './state.js';
import { complete, loadModule, loadTools, samples, worker } from 'virtual:supple-setting';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const motion = matchMedia('(prefers-reduced-motion: reduce)');

const THRESHOLD = 0.75;
/** Milliseconds a frame may spend on measures while something moves. */
const MEASURE_BUDGET = 6;
/** Milliseconds that a read-out stays while a clip plays: no eye reads faster, and text is dear to draw. */
const READ_EVERY = 100;

let library: Supple;
let stage: Stage;
try {
  stage = new Stage(document.querySelector<HTMLElement>('.stage')!, element<HTMLCanvasElement>('canvas'), element('overlay'), motion.matches);
} catch (error) {
  tell(`this page needs WebGL 2: ${String(error)}`);
  throw error;
}
const plot = new Plot(document.getElementById('plot') as unknown as SVGSVGElement, element('cursor'));
let state: State = fromHash(location.hash);
let model: Model | null = null;
let given: Given | null = null;
let scan: Scan | null = null;
let playing = false;
let dirty = true;
let measured = 0;
let measureCost = 0;
let loads = 0;
/** The worst joint is wanted: found in what is measured of the shown clip, then of the others. */
let wantsWorst = false;
let search: Search | null = null;
/** Nobody has chosen a joint: the worst is shown once it is known. */
let unchosen = true;

// ---- messages ----

function tell(message: string): void {
  const place = element('message');
  place.hidden = !message;
  place.textContent = message;
}

// ---- joints ----

const selected = (): JointId | null => {
  const [instance, joint] = state.joint.split('.').map(Number);
  if (!model || instance === undefined || joint === undefined) return null;
  return model.measures[instance]?.joints[joint] ? { instance, joint } : null;
};

const nameOf = (id: JointId): string =>
  model!.asset.description.nodes[model!.nodeOf(id)]!.name || `node ${model!.nodeOf(id)}`;

function turnOf(id: JointId): Turn {
  const node = model!.nodeOf(id);
  let turn = model!.turns.get(node);
  if (!turn) model!.turns.set(node, (turn = { twist: 0, bend: 0, side: 0, free: null }));
  return turn;
}

function select(id: JointId | null): void {
  state.joint = id ? `${id.instance}.${id.joint}` : '';
  const turn = id ? model!.turns.get(model!.nodeOf(id)) : undefined;
  for (const key of ['twist', 'bend', 'side'] as const) {
    element<HTMLInputElement>(key).value = String(turn?.[key] ?? 0);
    element<HTMLInputElement>(key).disabled = !id;
    element(`${key}-value`).textContent = `${Math.round(turn?.[key] ?? 0)}°`;
  }
  element('turned').textContent = id ? nameOf(id) : 'a joint';
  const list = element('joints');
  for (const item of list.children) {
    const mine = (item as HTMLElement).dataset.joint === state.joint;
    item.setAttribute('aria-selected', String(mine));
    if (mine) {
      list.setAttribute('aria-activedescendant', item.id);
      if ((item as HTMLElement).offsetTop < list.scrollTop || (item as HTMLElement).offsetTop > list.scrollTop + list.clientHeight - 24)
        list.scrollTop = (item as HTMLElement).offsetTop - list.clientHeight / 2;
    }
  }
  if (scan) plot.draw(scan, id, id ? nameOf(id) : '');
  changed();
}

/** The list, worst first by what LBS keeps over the moments measured. */
function listJoints(): void {
  const list = element('joints');
  if (!model) return void list.replaceChildren();
  const rows = model.joints().map((id) => {
    const status = model!.measures[id.instance]!.joints[id.joint]!.status;
    const lbs = scan ? scan.least('lbs', id).kept : NaN, dqs = scan ? scan.least('dqs', id).kept : NaN;
    return { id, name: id.name, status, lbs, dqs };
  });
  const order = (kept: number): number => (Number.isNaN(kept) ? 9 : kept);
  rows.sort((a, b) => order(a.lbs) - order(b.lbs));
  list.replaceChildren(...rows.map(({ id, name, status, lbs, dqs }) => {
    const item = document.createElement('li'), key = `${id.instance}.${id.joint}`;
    item.id = `joint-${id.instance}-${id.joint}`;
    item.role = 'option';
    item.dataset.joint = key;
    item.setAttribute('aria-selected', String(key === state.joint));
    item.title = `${name}: ${status}`;
    const cell = (text: string, kind: string): void => {
      const span = document.createElement('span');
      span.textContent = text;
      span.className = kind;
      item.append(span);
    };
    cell(name, 'name');
    if (Number.isNaN(lbs) && scan?.done) cell(status, 'status');
    else {
      cell(percent(lbs, 0), lbs < THRESHOLD ? 'bad' : '');
      cell(percent(dqs, 0), dqs < THRESHOLD ? 'bad' : '');
    }
    return item;
  }));
}

// ---- pose and measures ----

/** Something to be drawn or measured has changed. */
function changed(): void {
  dirty = true;
  measured = 0;
}

const numbers = { section: 'Section at joint', worst: 'Worst section', kept: 'Kept', bulge: 'Bulge', volume: 'Volume',
  deviation: 'Largest deviation' } as const;
const cells = new Map<string, HTMLElement[]>();

function makeTable(): void {
  const body = element('measures').querySelector('tbody')!;
  for (const [key, label] of Object.entries(numbers)) {
    const row = document.createElement('tr'), head = document.createElement('th');
    head.scope = 'row';
    head.textContent = label;
    const made = (key === 'deviation' ? ['both'] : ['lbs', 'dqs']).map((method) => {
      const cell = document.createElement('td');
      cell.className = method;
      cell.id = `${key}-${method}`;
      cell.textContent = '–';
      if (method === 'both') cell.colSpan = 2;
      return cell;
    });
    row.append(head, ...made);
    body.append(row);
    cells.set(key, made);
  }
}

function put(key: keyof typeof numbers, ...texts: string[]): void {
  cells.get(key)!.forEach((cell, i) => {
    if (cell.textContent !== texts[i]) cell.textContent = texts[i]!;
  });
}

/** Whether a read-out is due: always, but while a clip plays. */
function readings(): () => boolean {
  let last = -Infinity;
  return () => {
    const now = performance.now(), due = !playing || now - last >= READ_EVERY;
    if (due) last = now;
    return due;
  };
}
const timeIsDue = readings(), measuresAreDue = readings();

/** Writes what was measured into the table. */
function readOut(found: { lbs: Measures; dqs: Measures }, measures: Measure, joint: number): void {
  const of = (m: Measures) => m.joints[joint];
  const both = (text: (m: Measures) => string): [string, string] => [text(found.lbs), text(found.dqs)];
  put('section', ...both((m) => percent(of(m)?.sections[4] ?? NaN, 2)));
  put('worst', ...both((m) => percent(of(m)?.worst ?? NaN)));
  put('kept', ...both((m) => percent(of(m)?.ownKept ?? NaN)));
  put('bulge', ...both((m) => percent(of(m)?.bulge ?? NaN)));
  put('volume', ...both((m) => percent(m.volume, 3)));
  const { largest } = measures.deviation();
  put('deviation', `${largest < 0.1 ? `${(largest * 1000).toPrecision(3)} mm` : `${largest.toPrecision(3)} m`} (${percent(largest / measures.diagonal)})`);
}

/** Deforms by both methods, measures, paints: what the read-outs, sections and colours need. */
function measure(): void {
  if (!model) return;
  const begin = performance.now(), id = selected(), instance = id?.instance ?? 0;
  const skinned = model.skinned[instance]!, measures = model.measures[instance]!;
  skinned.pose(model.pose);
  skinned.deform('lbs', { normals: false });
  skinned.deform('dqs', { normals: false });
  const found = { lbs: measures.evaluate('lbs'), dqs: measures.evaluate('dqs') };
  if (measuresAreDue()) readOut(found, measures, id?.joint ?? -1);
  stage.sections(id && state.sections ? loopsOf(id, found.lbs) : []);
  if (state.heat !== 'none') paint(instance);
  measureCost = performance.now() - begin;
}

/** The sections of a joint as they are posed; orange where it keeps least, and too little, under LBS. */
function loopsOf({ instance, joint }: JointId, lbs: Measures): Loop[] {
  const measures = model!.measures[instance]!, { worst, worstOffset } = lbs.joints[joint]!;
  return measures.joints[joint]!.sections.flatMap((size, k): Loop[] => !size ? [] : [{
    left: measures.section(joint, k, 'lbs'), right: measures.section(joint, k, 'dqs'), worst: worstOffset === k && worst < THRESHOLD }]);
}

/** Colours all vertices; instance `done` is deformed as it is shown. */
function paint(done: number): void {
  for (const instance of new Set(model!.drawn.map((drawn) => drawn.instance))) {
    const skinned = model!.skinned[instance]!, measures = model!.measures[instance]!;
    const mine = model!.drawn.filter((drawn) => drawn.instance === instance);
    if (instance !== done) {
      skinned.pose(model!.pose);
      for (const method of ['lbs', 'dqs'] as const) skinned.deform(method, { normals: false });
    }
    if (state.heat === 'kept') {
      // Red where nothing is left, blue where all is.
      for (const { left, right, primitive } of mine)
        for (const [mesh, method] of [[left, 'lbs'], [right, 'dqs']] as const)
          stage.paint(mesh, measures.kept(method, primitive).map((kept) => 1 - Math.min(1, kept)));
      continue;
    }
    // Copied, since the second deformation may move the module's memory.
    const a = skinned.deform('lbs', { normals: false }).map((each) => each?.positions.slice());
    const b = skinned.deform('dqs', { normals: false }), scale = 1 / (0.05 * measures.diagonal);
    for (const { left, right, primitive } of mine) {
      const p = a[primitive], q = b[primitive]?.positions;
      if (!p || !q) continue;
      const share = new Float32Array(p.length / 3);
      for (let i = 0; i < share.length; i++) {
        const x = p[3 * i]! - q[3 * i]!, y = p[3 * i + 1]! - q[3 * i + 1]!, z = p[3 * i + 2]! - q[3 * i + 2]!;
        share[i] = Math.sqrt(x * x + y * y + z * z) * scale;
      }
      stage.paint(left, share);
      stage.paint(right, share);
    }
  }
}

function setHeat(heat: Heat): void {
  state.heat = heat;
  element<HTMLSelectElement>('heat').value = heat;
  stage.heat(heat);
  const scale = element('scale');
  scale.hidden = heat === 'none';
  element('scale-low').textContent = heat === 'kept' ? '100 %' : '0';
  element('scale-high').textContent = heat === 'kept' ? '0 %' : '5 % of the size';
  scale.querySelector<HTMLElement>('.gradient')!.style.background = heatGradient();
  changed();
}

// ---- clips and time ----

const clipNow = () => model?.asset.description.clips[state.clip];

function setTime(time: number): void {
  const clip = clipNow(), begin = clip?.begin ?? 0, end = clip?.end ?? 0;
  state.time = Math.min(end, Math.max(begin, time));
  if (timeIsDue()) {
    element<HTMLInputElement>('time').value = String(state.time);
    element('time-value').textContent = `${state.time.toFixed(2)} s`;
  }
  plot.cursor(state.time);
  dirty = true;
  if (!playing) measured = 0;
}

function setPlaying(play: boolean): void {
  playing = play && !!clipNow() && clipNow()!.end > clipNow()!.begin;
  stage.moving = playing;
  element('play').textContent = playing ? 'Pause' : 'Play';
  element('play').setAttribute('aria-pressed', String(playing));
  if (!playing) setTime(state.time); // all read-outs are of this moment
}

function rescan(): void {
  scan?.free();
  search?.free();
  search = null;
  scan = model ? new Scan(model, state.clip) : null;
  listed = 0;
  wantsWorst = false;
  element('scan').textContent = '';
}

function setClip(clip: number, time?: number): void {
  state.clip = clip;
  const found = clipNow();
  element<HTMLSelectElement>('clip').value = String(clip);
  const slider = element<HTMLInputElement>('time');
  slider.min = String(found?.begin ?? 0);
  slider.max = String(found?.end ?? 0);
  slider.disabled = !found || found.end <= found.begin;
  rescan();
  if (scan) plot.draw(scan, selected(), '');
  setTime(time ?? found?.begin ?? 0);
}

// ---- loading ----

/** Why a file is not shown. Of missing decoders the library tells those who build it. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error), needs = /^(.*needs (?:Draco|meshopt) .*?\)), which /.exec(message);
  return !needs || complete ? message
    : `${needs[1]}, for which this page carries no decoder: the served page opens the file, and supple view writes a page of it`;
}

/** Loads and shows; `keep`: as this state says, else from the beginning. */
async function show(next: Given, keep?: State, sample = ''): Promise<void> {
  const mine = ++loads;
  tell('');
  element('file').textContent = `${next.name}: loading…`;
  document.querySelector('main')!.setAttribute('aria-busy', 'true');
  await new Promise((resolve) => setTimeout(resolve)); // so that it is seen
  try {
    const loaded = await Model.load(library, stage.renderer, next.name, next.bytes, next.files);
    if (mine !== loads) return loaded.free();
    scan?.free();
    search?.free();
    scan = search = null;
    stage.model = null;
    model?.free();
    model = loaded;
    given = next;
    stage.model = model;
    element('hint').hidden = true;
    if (model.note) tell(`${next.name}: ${model.note}`);
    element('file').textContent = next.name;
    document.title = `${next.name}, by Supple`;
    const { clips } = model.asset.description;
    element('clip').replaceChildren(...[{ name: 'as stored', value: -1 }, ...clips.map(({ name }, i) => ({ name: name || `#${i}`, value: i }))]
      .map(({ name, value }) => new Option(name, String(value))));
    apply({ ...(keep ?? { ...initial, speed: state.speed, sections: state.sections }), sample });
    element<HTMLSelectElement>('sample').value = sample;
    setPlaying(!motion.matches && !keep);
    void check(next, mine);
  } catch (error) {
    if (mine !== loads) return;
    tell(`${next.name}: ${reasonOf(error)}`);
    element('file').textContent = given?.name ?? '';
    // A module that trapped is not to be trusted any more; what is shown keeps its own.
    if (error instanceof WebAssembly.RuntimeError) library = await init({ wasm: await loadModule(), tools: loadTools });
  } finally {
    if (mine === loads) document.querySelector('main')!.removeAttribute('aria-busy');
  }
}

/** Shows the model as a state says. */
function apply(wanted: State): void {
  const { clips, nodes } = model!.asset.description;
  state = { ...wanted, clip: clips.length ? Math.min(wanted.clip, clips.length - 1) : -1 };
  model!.turns.clear();
  for (const [node, turn] of wanted.turns) if (node < nodes.length) model!.turns.set(node, { ...turn });
  element<HTMLSelectElement>('speed').value = String(state.speed);
  element<HTMLInputElement>('sections').checked = state.sections;
  setClip(state.clip, wanted.time);
  setHeat(state.heat);
  listJoints();
  poseNow();
  stage.frame(bounds());
  if (state.camera.length === 6) {
    stage.camera.position.fromArray(state.camera);
    stage.controls.target.fromArray(state.camera, 3);
  }
  unchosen = !selected();
  select(selected() ?? firstShared());
}

/** A joint that can bend, so that something is shown before the worst is known. */
function firstShared(): JointId | null {
  return model!.joints().find(({ instance, joint }) => model!.measures[instance]!.joints[joint]!.status === 'ok') ?? model!.joints()[0] ?? null;
}

function poseNow(): void {
  model!.sample(model!.pose, state.clip, state.time);
  model!.show();
}

/** The box of what is skinned, over some moments of the clip. */
function bounds(): Box3 {
  const box = new Box3(), clip = clipNow(), point = new Vector3(), pose = model!.asset.pose();
  for (let i = 0; i < 5; i++) {
    model!.sample(pose, state.clip, clip ? clip.begin + ((clip.end - clip.begin) * i) / 4 : 0);
    for (const skinned of model!.skinned) {
      skinned.pose(pose);
      for (const primitive of skinned.deform('dqs', { normals: false }))
        if (primitive) for (let v = 0; v < primitive.positions.length; v += 3) box.expandByPoint(point.fromArray(primitive.positions, v));
    }
  }
  pose.free();
  return box;
}

// ---- check and fix ----

async function check(of: Given, mine: number): Promise<void> {
  const summary = element('check-summary'), list = element('findings');
  summary.textContent = 'checking…';
  list.replaceChildren();
  list.hidden = true;
  element('fix').hidden = true;
  try {
    const { findings } = await library.check(of.bytes, { files: of.files });
    if (mine !== loads) return;
    const count = (severity: Finding['severity']): number => findings.filter((f) => f.severity === severity).length;
    summary.textContent = findings.length
      ? [[count('error'), 'error'], [count('warning'), 'warning'], [count('information') + count('hint'), 'remark']]
        .filter(([n]) => n).map(([n, what]) => `${n} ${what}${n === 1 ? '' : 's'}`).join(', ')
      : 'nothing found';
    list.replaceChildren(...findings.slice(0, 200).map((finding) => {
      const item = document.createElement('li'), code = document.createElement('b');
      code.textContent = `${finding.severity}: ${finding.code}`;
      item.append(code, ` ${finding.pointer} ${finding.text}`);
      item.title = finding.consequence;
      return item;
    }));
    list.hidden = !findings.length;
    element('fix').hidden = !findings.some((finding) => finding.fix === 'default');
  } catch (error) {
    if (mine === loads) summary.textContent = error instanceof Error ? error.message : String(error);
  }
}

async function downloadFixed(): Promise<void> {
  if (!given) return;
  try {
    const { data } = await library.fix(given.bytes, { files: given.files });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([data as BlobPart], { type: 'model/gltf-binary' }));
    link.download = `${given.name.replace(/\.[^.]*$/, '')}-fixed.glb`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  } catch (error) {
    tell(`${given.name} cannot be fixed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

// ---- the worst joint ----

/** Flies to a joint, as near as its sections allow. */
function flyTo(id: JointId): void {
  const measures = model!.measures[id.instance]!, object = model!.right.nodes[model!.nodeOf(id)];
  if (!object) return;
  model!.right.root.updateMatrixWorld(true);
  measure();
  const center = object.getWorldPosition(new Vector3()), point = new Vector3();
  let radius = 0;
  measures.joints[id.joint]!.sections.forEach((size, k) => {
    if (!size) return;
    const points = measures.section(id.joint, k, 'dqs');
    for (let i = 0; i < points.length; i += 3) radius = Math.max(radius, point.fromArray(points, i).distanceTo(center));
  });
  stage.fly(center, Math.min(0.5, Math.max(0.04, (1.5 * radius || 0.22 * measures.diagonal) / measures.diagonal)) * measures.diagonal, motion.matches);
}

/** Shows the joint that keeps least in any clip, at its worst moment; waits until they are measured. */
function worst(): void {
  if (!model || !scan) return;
  wantsWorst = true;
  if (scan.finished) search ??= new Search(model, scan);
  if (!search?.finished) {
    const { clips } = model.asset.description;
    const what = clips.length > 1 ? `clip ${(search?.done ?? 0) + 1} of ${clips.length}` : 'the clip';
    return void (element('scan').textContent = `measuring ${what}…`);
  }
  const found = search.worst;
  wantsWorst = false;
  search = null;
  if (!found) return void (element('scan').textContent = 'no joint of this file bends anything');
  setPlaying(false);
  if (found.clip !== state.clip) setClip(found.clip, found.time);
  else setTime(found.time);
  poseNow();
  select(found.id);
  flyTo(found.id);
  const clip = clipNow(), where = clip && model.asset.description.clips.length > 1 ? ` of ${clip.name || `clip #${found.clip}`}` : '';
  element('scan').textContent = `${nameOf(found.id)} keeps ${percent(found.lbs)} under LBS at ${found.time.toFixed(2)} s${where}, at least ${percent(found.dqs)} under DQS`;
}

// ---- the loop ----

let last = performance.now();
let listed = 0;

let frames = 0;

function frame(now: number): void {
  requestAnimationFrame(frame);
  frames++;
  const passed = Math.min(0.1, (now - last) / 1000);
  last = now;
  if (!model) return stage.draw();
  const clip = clipNow();
  if (playing && clip) {
    let time = state.time + passed * state.speed;
    if (time > clip.end) time = clip.begin + ((time - clip.begin) % (clip.end - clip.begin));
    setTime(time);
  }
  if (dirty) {
    poseNow();
    stage.invalidate();
    dirty = false;
  }
  // Measures keep to their budget while something moves: a heavy mesh is measured less often.
  if (measured <= 0) {
    measure();
    measured = playing ? Math.max(1, Math.ceil(measureCost / MEASURE_BUDGET)) : Infinity;
  } else if (measured !== Infinity) measured--;
  const gizmo = element<HTMLInputElement>('gizmo').checked ? selected() : null;
  stage.hold(gizmo ? (model.right.nodes[model.nodeOf(gizmo)] ?? null) : null);
  stage.draw();
  if (scan && !scan.finished) advance(scan);
  else if (search) seek(search);
}

/** Measures more of the clip, within the budget of a frame unless somebody waits for it. */
function advance(scan: Scan): void {
  const begin = performance.now(), budget = wantsWorst || !playing ? 4 * MEASURE_BUDGET : MEASURE_BUDGET;
  do scan.step();
  while (!scan.finished && performance.now() - begin < budget);
  if (scan.finished || scan.done - listed > 12 || scan.done < listed) {
    listed = scan.done;
    listJoints();
    plot.draw(scan, selected(), selected() ? nameOf(selected()!) : '');
    plot.cursor(state.time);
  }
  if (!scan.finished) return;
  if (wantsWorst) worst();
  else if (unchosen) select(scan.worst()?.id ?? selected());
  unchosen = false;
}

/** Looks through more of the other clips, for whoever waits. */
function seek(search: Search): void {
  const begin = performance.now();
  do search.step();
  while (!search.finished && performance.now() - begin < 4 * MEASURE_BUDGET);
  worst();
}

// ---- wiring ----

function wire(): void {
  const stageElement = document.querySelector<HTMLElement>('.stage')!;
  for (const kind of ['dragenter', 'dragover'] as const)
    addEventListener(kind, (event) => {
      event.preventDefault();
      stageElement.classList.add('over');
    });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) stageElement.classList.remove('over');
  });
  const open = async (entries: Promise<Parameters<typeof assetOf>[0]>): Promise<void> => {
    try {
      await show(await assetOf(await entries));
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    }
  };
  addEventListener('drop', (event) => {
    event.preventDefault();
    stageElement.classList.remove('over');
    if (event.dataTransfer) void open(dropped(event.dataTransfer.items, event.dataTransfer.files));
  });
  for (const id of ['open', 'folder'])
    element<HTMLInputElement>(id).addEventListener('change', ({ target }) => {
      const input = target as HTMLInputElement;
      if (input.files?.length) void open(Promise.resolve(chosen(input.files)));
      input.value = '';
    });
  element('sample').append(...samples.map(({ name, title }) => new Option(title, name)));
  element('sample').addEventListener('change', ({ target }) => void pickSample((target as HTMLSelectElement).value));
  element('play').addEventListener('click', () => setPlaying(!playing));
  element('clip').addEventListener('change', ({ target }) => setClip(Number((target as HTMLSelectElement).value)));
  element('speed').addEventListener('change', ({ target }) => (state.speed = Number((target as HTMLSelectElement).value)));
  element('time').addEventListener('input', ({ target }) => {
    const time = Number((target as HTMLInputElement).value);
    setPlaying(false);
    setTime(time);
  });
  for (const key of ['twist', 'bend', 'side'] as const)
    element<HTMLInputElement>(key).addEventListener('input', ({ target }) => {
      const id = selected();
      if (!id) return;
      turnOf(id)[key] = Number((target as HTMLInputElement).value);
      element(`${key}-value`).textContent = `${(target as HTMLInputElement).value}°`;
      turned();
    });
  element('reset').addEventListener('click', () => {
    model?.turns.clear();
    select(selected());
    turned();
  });
  element('gizmo').addEventListener('change', changed);
  stage.gizmo.addEventListener('objectChange', turnByGizmo);
  element('worst').addEventListener('click', worst);
  element('whole').addEventListener('click', () => model && stage.frame(bounds()));
  element('fix').addEventListener('click', () => void downloadFixed());
  element('heat').addEventListener('change', ({ target }) => setHeat((target as HTMLSelectElement).value as Heat));
  element('sections').addEventListener('change', ({ target }) => {
    state.sections = (target as HTMLInputElement).checked;
    changed();
  });
  wireList();
  wirePlotAndKeys();
}

/** A joint was turned by hand: what was measured over the clip is another now. */
function turned(): void {
  unchosen = false;
  rescan();
  changed();
}

function turnByGizmo(): void {
  const id = selected(), object = id && model?.right.nodes[model.nodeOf(id)];
  if (!id || !object) return;
  const turn = turnOf(id), before = object.getWorldQuaternion(new Quaternion()).invert();
  const delta = before.multiply(stage.handle.quaternion);
  turn.free = new Quaternion(...(turn.free ?? [0, 0, 0, 1])).multiply(delta).normalize().toArray();
  turned();
  poseNow();
  model!.right.root.updateMatrixWorld(true);
}

function wireList(): void {
  const list = element('joints');
  const of = (item: Element | null | undefined): JointId | null => {
    const [instance, joint] = ((item as HTMLElement | null)?.dataset.joint ?? '').split('.').map(Number);
    return instance === undefined || joint === undefined || Number.isNaN(instance) ? null : { instance, joint };
  };
  list.addEventListener('click', ({ target }) => {
    const id = of((target as Element).closest('li'));
    unchosen = false;
    if (id) select(id);
  });
  list.addEventListener('dblclick', ({ target }) => {
    const id = of((target as Element).closest('li'));
    if (id) flyTo(id);
  });
  list.addEventListener('keydown', (event) => {
    const now = list.querySelector('[aria-selected=true]');
    const next = { ArrowDown: now?.nextElementSibling ?? list.firstElementChild, ArrowUp: now?.previousElementSibling, Home: list.firstElementChild, End: list.lastElementChild }[event.key];
    if (event.key === 'Enter' && of(now)) flyTo(of(now)!);
    if (!next) return;
    event.preventDefault();
    unchosen = false;
    select(of(next));
  });
}

/** Clicks and keys on the picture. */
function wirePicture(): void {
  const place = document.querySelector<HTMLElement>('.stage')!;
  const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const box = place.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  };
  // A click, not a drag, chooses the joint that rules the vertex under it.
  let down: [number, number] = [0, 0];
  place.addEventListener('pointerdown', (event) => (down = at(event)));
  place.addEventListener('pointerup', (event) => {
    const [x, y] = at(event);
    if (!model || event.button || Math.hypot(x - down[0], y - down[1]) > 4 || stage.gizmo.axis) return;
    const found = stage.pick(x, y);
    if (!found?.hit.face) return;
    const { skinIndex, skinWeight } = found.drawn.right.geometry.attributes;
    let joint = 0, most = -1;
    for (let k = 0; k < 4; k++)
      if (skinWeight!.getComponent(found.hit.face.a, k) > most) {
        most = skinWeight!.getComponent(found.hit.face.a, k);
        joint = skinIndex!.getComponent(found.hit.face.a, k);
      }
    unchosen = false;
    select({ instance: found.drawn.instance, joint });
  });
  stage.canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const arrow = arrows[event.key];
    if (arrow) stage.move(event.shiftKey ? { pan: [arrow[0] * 0.04, arrow[1] * 0.04] } : { turn: [arrow[0] * 0.1, arrow[1] * 0.1] });
    else if (event.key === '+' || event.key === '=') stage.move({ nearer: 1.15 });
    else if (event.key === '-') stage.move({ nearer: 1 / 1.15 });
    else return;
    event.preventDefault();
  });
}

function wirePlotAndKeys(): void {
  const svg = document.getElementById('plot')!;
  const seek = (event: PointerEvent): void => {
    const box = svg.getBoundingClientRect();
    setPlaying(false);
    setTime(plot.timeAt((event.clientX - box.left) / box.width));
  };
  svg.addEventListener('pointerdown', (event) => {
    svg.setPointerCapture(event.pointerId);
    seek(event);
  });
  svg.addEventListener('pointermove', (event) => event.buttons && seek(event));
  addEventListener('keydown', (event) => {
    const typing = (event.target as HTMLElement).closest('input, select, button, ul, textarea, summary');
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (event.key === ' ') setPlaying(!playing);
    else if (event.key === ',' || event.key === '.') setTime(state.time + (event.key === '.' ? 1 : -1) / 30);
    else if (event.key === 'w') worst();
    else if (event.key === 'f' && model) stage.frame(bounds());
    else return;
    event.preventDefault();
  });
  wirePicture();
  setInterval(() => {
    if (!model) return;
    state.turns = [...model.turns].filter(([, turn]) => !still(turn));
    state.camera = [...stage.camera.position.toArray(), ...stage.controls.target.toArray()];
    const hash = toHash(playing ? { ...state, time: 0 } : state);
    if (hash !== location.hash.slice(1)) history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
  }, 500);
  addEventListener('hashchange', () => {
    const wanted = fromHash(location.hash);
    if (wanted.sample && wanted.sample !== state.sample) void pickSample(wanted.sample, wanted);
    else if (model) {
      setPlaying(false);
      apply({ ...wanted, sample: state.sample });
    }
  });
}

async function pickSample(name: string, keep?: State): Promise<void> {
  const sample = samples.find((each) => each.name === name);
  if (!sample) return name ? tell(`there is no sample '${name}'`) : undefined;
  try {
    const response = await fetch(sample.url);
    if (!response.ok) throw new Error(`could not be fetched (${response.status})`);
    await show({ name: `${name}.glb`, bytes: new Uint8Array(await response.arrayBuffer()), files: new Map() }, keep, name);
  } catch (error) {
    tell(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function start(): Promise<void> {
  makeTable();
  wire();
  element<HTMLInputElement>('sections').checked = state.sections;
  element<HTMLSelectElement>('speed').value = String(state.speed);
  try {
    library = await init({ wasm: await loadModule(), tools: loadTools });
  } catch (error) {
    return tell(`this browser cannot run the page's WebAssembly: ${String(error)}`);
  }
  requestAnimationFrame(frame);
  const own = embedded();
  if (own) {
    element('sources').hidden = !samples.length && !!own;
    await show(own, location.hash.length > 1 ? state : undefined);
  } else if (samples.length) {
    const known = samples.some(({ name }) => name === state.sample);
    if (state.sample && !known) tell(`there is no sample '${state.sample}'`);
    else await pickSample(known ? state.sample : samples[0]!.name, location.hash.length > 1 ? state : undefined);
  }
  if (worker && 'serviceWorker' in navigator && location.protocol.startsWith('http')) void navigator.serviceWorker.register(worker).catch(() => {});
  document.documentElement.dataset.ready = 'true';
}

/** For tests: what is shown now. */
Object.assign(window, { supplePage: { state: () => state, model: () => model, scan: () => scan, keptOf, library: () => library,
  show, stage, frames: () => frames, cost: () => measureCost, ready: () => document.documentElement.dataset.ready === 'true' } });

void start();
