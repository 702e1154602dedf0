// build.mjs: the package into dist/: WebAssembly by web/wasm/build.sh, JavaScript and types by tsc.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const run = (command, ...args) => execFileSync(command, args, { cwd: here, stdio: 'inherit' });

mkdirSync(join(here, 'dist'), { recursive: true });
if (!process.argv.includes('--no-wasm')) run('sh', 'wasm/build.sh', 'dist');
if (!existsSync(join(here, 'dist/supple.wasm'))) throw new Error('dist/supple.wasm is missing: build without --no-wasm');
run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.');
