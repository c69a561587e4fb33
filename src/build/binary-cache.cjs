// What V8 makes of each piece of the program, as PIECE.cache in a folder (decision 0048): node binary-cache.cjs write|check FOLDER ROOT PIECE...
// The very Node that goes into the one file must write it: another one refuses what it did not make itself, and so does one that was started with
// flags that count. Nobody would notice but by the clock, so it is checked.
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { compileFunction } = require('node:vm');

const [what, folder, root, ...pieces] = process.argv.slice(2);
for (const piece of pieces) {
  const file = join(folder, `${piece}.cache`);
  const isCheck = what === 'check';
  const { cachedData, cachedDataRejected } = compileFunction(
    readFileSync(join(root, piece), 'utf8'),
    ['exports', 'require', 'module', '__filename', '__dirname'],
    {
      filename: `remit/${piece}`,
      ...(isCheck ? { cachedData: readFileSync(file) } : { produceCachedData: true }),
    },
  );
  if (isCheck && cachedDataRejected) throw new Error(`V8 refuses what it made of ${piece}`);
  if (isCheck) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, cachedData);
}
