/** The README's five minutes, pasted into a shell as they are. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runRemit, temporaryHome } from '../support/program.ts';
import { openProgram } from '../support/terminal.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The blocks of the section, in their order. */
function blocks(): string[] {
  const [, section = ''] =
    /^## Five minutes\n(.*?)^## /ms.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

it('end as the README says, whether typed or pasted', async () => {
  const home = temporaryHome();
  onTestFinished(() => home.remove());
  const bin = join(home.dir, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'remit');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/remit.js')}" "$@"\n`);
  chmodSync(program, 0o755);
  const env = { HOME: home.dir, REMIT_CONFIG_DIR: home.dir, PATH: `${bin}:${process.env.PATH}`, PS1: '> ' };
  const [start = '', rest = ''] = blocks();
  // Another may use the usual port on this machine.
  const service = openProgram('/bin/bash', ['--norc', '-c', `${start.trim()} --port 0`], env);
  await service.sees('local');
  await service.sees('Ctrl-C ends it');
  const shell = openProgram('/bin/bash', ['--norc', '-i'], env, { cols: 100, rows: 60 });
  await shell.sees('> ');
  shell.types(`${rest}exit $?\n`.replaceAll('\n', '\r'));
  expect(await shell.exit, shell.screen()).toBe(1);
  const shown = await runRemit(['tx', 'show', 'wages-1', '-o', 'json', '--query', 'state'], env);
  expect([shown.stdout.trim(), shown.stderr]).toEqual(['"paid"', '']);
  expect(shell.screen()).toContain('Invalid account number');
  expect(shell.screen()).toMatch(/you must act|you: edit/i);
  expect(shell.screen()).not.toContain('command not found');
  service.types('\u0003');
  await service.exit;
});
