#!/usr/bin/env node
// CommonJS (bin/package.json): starting the ESM loader would cost a quarter of the whole start.
const { existsSync, fstatSync, readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '..', 'dist');

// The version and root help are asked for often and change with a build alone: they are answered from a file, and the program,
// whose own answer has the same bytes, is not loaded (decision 0001).
if (!answeredFromFile()) {
  const entry = join(dist, 'start.cjs');
  if (existsSync(entry)) {
    require(entry).start();
  } else {
    process.stderr.write(
      'remit: it is not built yet: run `npm ci` (or `npm run build`) in its folder first\n',
    );
    process.exitCode = 78;
  }
}

function answeredFromFile() {
  const [word, ...more] = process.argv.slice(2);
  if (more.length > 0) return false;
  try {
    if (word === '--version' || word === '-V') {
      const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
      return wrote(`${version}\n`);
    }
    const isHelp = word === undefined || word === '--help' || word === '-h' || word === 'help';
    return isHelp && isPlain() && wrote(readFileSync(join(dist, 'root-help.txt'), 'utf8'));
  } catch {
    // The program says what is wrong.
    return false;
  }
}

/** Help follows the width of a terminal, and its colour is a terminal's or asked for. /dev/null is taken for a terminal: no harm. */
function isPlain() {
  const { REMIT_COLOR, FORCE_COLOR, CLICOLOR_FORCE } = process.env;
  if ((REMIT_COLOR ?? FORCE_COLOR ?? CLICOLOR_FORCE) !== undefined) return false;
  return !fstatSync(1).isCharacterDevice() && !fstatSync(2).isCharacterDevice();
}

/** By hand: making process.stdout costs 3 ms. False when nothing was taken. */
function wrote(text) {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch {
    if (rest.length === Buffer.byteLength(text)) return false;
    // A pipe that is full for the moment takes the rest later.
    process.stdout.on('error', ({ code }) => {
      if (code !== 'EPIPE') process.exitCode = 1;
    });
    process.stdout.write(rest);
  }
  return true;
}
