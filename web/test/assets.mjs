// assets.mjs: the files that the tests load: fixtures made by the command, and real assets where the corpus is.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export const corpus = join(process.env.SUPPLE_CORPUS ?? '', 'assets');
export const hasCorpus = !!process.env.SUPPLE_CORPUS && existsSync(corpus);
export const scratch = process.env.SUPPLE_SCRATCH;
export const command = process.env.SUPPLE_COMMAND;

/** Runs the native command; its stdout. */
export const supple = (...args) => execFileSync(command, args, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });

/** A fixture as a .glb in the scratch folder. */
export function fixture(name) {
  mkdirSync(scratch, { recursive: true });
  const path = join(scratch, `${name}.glb`);
  if (!existsSync(path)) supple('fixture', name, '-o', path);
  return path;
}

/** Real assets of each kind: influences, quantisation, scale, mirrors, morphs, several primitives, compression. */
export const real = hasCorpus
  ? ['khronos/Fox/glTF-Binary/Fox.glb', 'khronos/RiggedFigure/glTF-Binary/RiggedFigure.glb', 'derived/TwistTube.glb',
    'derived/RiggedFigure-blender-8infl.glb', 'derived/RiggedFigure-quantized.glb', 'derived/RiggedFigure-mirrored.glb',
    'derived/Fox-rootscale.glb', 'derived/Fox-meshopt.glb', 'quaternius/Character.glb', 'threejs-models/RobotExpressive.glb']
  : [];
