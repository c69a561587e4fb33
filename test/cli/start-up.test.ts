/** What the built program loads, counted in the process that runs it: help and version are to cost next to nothing. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/child-program.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/remit.js');

/** Packages within the chunks that were loaded, by the marks that the bundler leaves, and those loaded from outside. */
function loadedBy(...args: string[]): { packages: string[]; chunks: number; output: string } {
  const folder = temporaryFolder();
  const [spy, list] = [join(folder, 'spy.cjs'), join(folder, 'loaded.json')];
  writeFileSync(
    spy,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  const env = { PATH: process.env.PATH, HOME: folder, REMIT_CONFIG_DIR: folder };
  const run = spawnSync(process.execPath, ['--require', spy, PROGRAM, ...args], { env, encoding: 'utf8' });
  const files = (JSON.parse(readFileSync(list, 'utf8')) as string[]).filter(
    (path) => path !== spy && path !== PROGRAM,
  );
  const bundled = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/^\/\/ ?(?:#region )?node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(
      ([, name]) => name ?? '',
    ),
  );
  const outside = files.flatMap(
    (path) => /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1] ?? [],
  );
  return {
    packages: [...new Set([...bundled, ...outside])].sort(),
    chunks: files.length,
    output: run.stdout + run.stderr,
  };
}

it('--version loads no package at all', () => {
  const { packages, chunks, output } = loadedBy('--version');
  expect(output).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(packages).toEqual([]);
  expect(chunks).toBeLessThan(7);
});

it.each(['--help', '-h', 'help', ''])(
  '%j loads no package at all: root help was made by the build',
  (words) => {
    const { packages, chunks, output } = loadedBy(...words.split(' ').filter((word) => word !== ''));
    expect(output).toContain('Usage: remit');
    expect(packages).toEqual([]);
    expect(chunks).toBeLessThan(7);
  },
);

it.each(['tx --help', 'help tx', 'tx', 'tx crate'])('%s loads commander, and no other package', (words) => {
  const { packages, output } = loadedBy(...words.split(' '));
  expect(output).toMatch(/Usage: remit|unknown command/);
  expect(packages.filter((name) => name !== 'chalk')).toEqual(['commander']);
});

it('and the marks are there to be seen: a command that prints a table names what it loads', () => {
  const { packages } = loadedBy('history', '-o', 'table');
  expect(packages).toContain('commander');
  expect(packages.length).toBeGreaterThan(1);
});
