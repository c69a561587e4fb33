/** What the built program loads, counted in the process that runs it: help and version are to cost next to nothing. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { portOf, shut } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/remit.js');

/** Packages within the chunks that were loaded, by the marks that the bundler leaves, and those loaded from outside. */
async function loadedBy(
  args: string[],
  given: Record<string, string> = {},
): Promise<{ packages: string[]; modules: string[]; chunks: number; output: string }> {
  const folder = temporaryFolder();
  const [spy, list] = [join(folder, 'spy.cjs'), join(folder, 'loaded.json')];
  writeFileSync(
    spy,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  const env = { PATH: process.env.PATH, HOME: folder, REMIT_CONFIG_DIR: folder, ...given };
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--require', spy, PROGRAM, ...args], { env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  const files = (JSON.parse(readFileSync(list, 'utf8')) as string[]).filter(
    (path) => path !== spy && path !== PROGRAM,
  );
  const modules = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^\/\/ ?(?:#region )?node_modules\/(\S+)/gm)].map(
      ([, name]) => name ?? '',
    ),
  );
  const bundled = modules.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '');
  const outside = files.flatMap(
    (path) => /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1] ?? [],
  );
  return {
    packages: [...new Set([...bundled, ...outside])].sort(),
    modules,
    chunks: files.length,
    output,
  };
}

/** Asked for in colour or none, help is the program's own. */
const byProgram = { REMIT_COLOR: 'never' };

it('--version loads nothing, and is the version of the package', async () => {
  const { packages, chunks, output } = await loadedBy(['--version']);
  expect([packages, chunks, output]).toEqual([[], 0, `${packageJson.version}\n`]);
  expect((await loadedBy(['-V'])).output).toBe(output);
});

it.each(['--help', '-h', 'help', ''])('%j loads nothing, and is what the program prints', async (words) => {
  const argv = words.split(' ').filter((word) => word !== '');
  const { packages, chunks, output } = await loadedBy(argv);
  expect(output).toContain('Usage: remit');
  expect([packages, chunks]).toEqual([[], 0]);
  const program = await loadedBy(argv, byProgram);
  expect(program.output).toBe(output);
  // Root help was made by the build: no package is loaded even so.
  expect(program.packages).toEqual([]);
  expect(program.chunks).toBeGreaterThan(0);
  expect(program.chunks).toBeLessThan(7);
});

describe.skipIf(process.platform !== 'linux')('what is answered from a file', () => {
  const inShell = (line: string) => {
    const env = { PATH: process.env.PATH, NODE: process.execPath, REMIT: PROGRAM };
    return spawnSync('sh', ['-c', line], { env, encoding: 'utf8' });
  };

  it('says that it could not be written', () => {
    const full = inShell('"$NODE" "$REMIT" --version > /dev/full');
    expect([full.status, full.stderr]).toEqual([1, expect.stringContaining('it could not be written')]);
  });

  it('ends well where nobody reads', () => {
    const gone = inShell('(sleep 0.2; "$NODE" "$REMIT" --help; echo "code $?" >&2) | true');
    expect(gone.stderr).toBe('code 0\n');
  });

  it('comes whole through a pipe that is full for the moment', async () => {
    // The first program fills the pipe, and is killed before it puts back the mode in which a write waits.
    const fill = `process.stdout.write('x'.repeat(63000), () => process.kill(process.pid, 'SIGKILL'))`;
    const { stdout } = inShell(`("$NODE" -e "${fill}"; "$NODE" "$REMIT" --help) | (sleep 0.6; cat)`);
    expect(stdout.replace(/^x+/, '')).toBe((await loadedBy(['--help'])).output);
  });
});

it.each(['tx --help', 'help tx', 'tx', 'tx crate'])(
  '%s loads commander, and no other package',
  async (words) => {
    const { packages, output } = await loadedBy(words.split(' '));
    expect(output).toMatch(/Usage: remit|unknown command/);
    expect(packages.filter((name) => name !== 'chalk')).toEqual(['commander']);
  },
);

it.each(['tx c', 'tx create --', 'tx create --type NG', 'explain '])(
  'a key at "%s" is answered from the index: no package is loaded, and no command',
  async (line) => {
    const { packages, chunks, output } = await loadedBy(['__complete', '--', ...line.split(' ')]);
    expect(output).toMatch(/^(?:fund|--type|NGN::Bank|stuck)\t/m);
    expect(packages).toEqual([]);
    expect(chunks).toBeLessThan(9);
  },
);

it('and the marks are there to be seen: a command that prints a table names what it loads', async () => {
  const { packages } = await loadedBy(['history', '-o', 'table']);
  expect(packages).toContain('commander');
  expect(packages.length).toBeGreaterThan(1);
});

it('a read loads no undici, and a write what it needs of it', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":[]}');
  });
  const url = `http://127.0.0.1:${await portOf(server)}/v1`;
  const account = { REMIT_BASE_URL: url, REMIT_API_KEY: 'key', REMIT_API_SECRET: 'secret' };
  const read = await loadedBy(['balance', '-o', 'json'], account);
  expect(read.output).toContain('"kind":"balance"');
  expect(read.packages).not.toContain('undici');
  const write = await loadedBy(['api', 'POST', '/transactions/calculate', '-f', 'a=b'], account);
  expect(write.packages).toContain('undici');
  expect(write.modules).toContain('undici/lib/dispatcher/client-h1.js');
  expect(write.modules.filter((name) => /undici\/lib\/(?:cache|interceptor|mock|web)\//.test(name))).toEqual(
    [],
  );
  await shut(server);
});
