// The main script of the one file (decision 0048). It finds the pieces of the program within the file, as Node would find them in a folder.
// The version is asked for often: it is answered at once, with the bytes that the program would print. The only modules that it can
// require are those of Node, and so can the program: the native ones of others are not there.
const { writeSync } = require('node:fs');
const { getAsset, getAssetKeys, getRawAsset } = require('node:sea');

if (!answeredVersion()) {
  const { posix } = require('node:path');
  const { compileFunction } = require('node:vm');
  const folder = posix.dirname(process.execPath);
  const loaded = new Map();
  const load = (path) => {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    // What V8 made of the text when the file was built: compiling it again would take as long as running it.
    const run = compileFunction(
      getAsset(path, 'utf8'),
      ['exports', 'require', 'module', '__filename', '__dirname'],
      { filename: `remit/${path}`, cachedData: new Uint8Array(getRawAsset(`${path}.cache`)) },
    );
    const wanted = (id) => (id.startsWith('.') ? load(posix.join(posix.dirname(path), id)) : require(id));
    run(module.exports, wanted, module, process.execPath, folder);
    return module.exports;
  };
  load('dist/start.cjs').start({
    from: 'binary',
    self: [process.execPath],
    packaged: (path) => (getAssetKeys().includes(path) ? getAsset(path, 'utf8') : undefined),
  });
}

function answeredVersion() {
  const [word, ...more] = process.argv.slice(2);
  if (more.length > 0 || (word !== '--version' && word !== '-V')) return false;
  try {
    writeSync(1, `${getAsset('version', 'utf8')}\n`);
    return true;
  } catch {
    // The program says what is wrong.
    return false;
  }
}
