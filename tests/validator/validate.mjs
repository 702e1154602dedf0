// validate.mjs: prints the Khronos glTF-Validator's report of each file, one JSON object a line.
//
//     node validate.mjs MODULES FILE…
//
// MODULES is the folder node_modules that holds gltf-validator (`npm ci` may have put it elsewhere). Files
// that an asset names are read beside it. A file that cannot be validated gives {"file", "failure"}.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

const [modules, ...files] = process.argv.slice(2);
const validator = createRequire(join(resolve(modules), 'from.js'))('gltf-validator');

for (const file of files) {
  let line;
  try {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
      uri: basename(file),
      maxIssues: 0,
      externalResourceFunction: async (uri) =>
        new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))),
    });
    line = { ...report, file, validatedAt: undefined };
  } catch (failure) {
    line = { file, failure: String(failure) };
  }
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
