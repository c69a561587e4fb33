// Writes what V8 makes of each piece of the program, as PIECE.cache into a folder (decision 0104): node binary-cache.cjs FOLDER ROOT PIECE...
// The very Node that goes into the one file must run it, since another one refuses what it did not make itself.
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { compileFunction } = require('node:vm');

const [folder, root, ...pieces] = process.argv.slice(2);
for (const piece of pieces) {
  const made = compileFunction(
    readFileSync(join(root, piece), 'utf8'),
    ['exports', 'require', 'module', '__filename', '__dirname'],
    { filename: `remit/${piece}`, produceCachedData: true },
  );
  const file = join(folder, `${piece}.cache`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, made.cachedData);
}
