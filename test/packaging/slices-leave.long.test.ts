/** A slice leaves with its folder and its lines in program: what is left builds and runs. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ROOT } from '../support/source-tree.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Front ends that have a folder for each slice that they show. */
const FACES = ['agents', 'console'];
/** The files whose lines name slices: a slice leaves with its line in each. */
const NAMING = [
  'program/tree.ts',
  'program/ports.ts',
  'agents/serve.ts',
  'agents/prepared/plan-status.ts',
  'agents/prepared/carry-out.ts',
  'agents/prepared/alike.ts',
  'console/answer.ts',
  'console/handlers/act.ts',
];

/** The project without a slice, and without the lines that name it. */
function without(slice: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'remit-without-'));
  folders.push(folder);
  const taken = ['src', 'bin', 'docs', 'completions', 'package.json', 'rolldown.config.js', 'tsconfig.json'];
  for (const name of [...taken, 'README.md', 'LICENSE', 'CHANGELOG.md'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const path of [slice, ...FACES.map((face) => `${face}/${slice}`)])
    rmSync(join(folder, 'src', path), { recursive: true, force: true });
  for (const file of NAMING) {
    const path = join(folder, 'src', file);
    if (!existsSync(path)) continue;
    const kept = readFileSync(path, 'utf8')
      .split('\n')
      .filter(
        (line) =>
          !line.includes(`./${slice}/`) && !new RegExp(`^ *(?:\\.{3})?${slice}(?:,|\\.\\w+,)$`).test(line),
      );
    writeFileSync(path, kept.join('\n'));
  }
  return folder;
}

it.each([
  ['audit', 'sandbox audit'],
  ['agents', 'mcp'],
  ['console', 'console'],
  ['books', 'statement'],
  ['runs', 'batch run'],
])('%s', (slice, command) => {
  const folder = without(slice);
  const run = (...argv: string[]): string =>
    execFileSync(process.execPath, argv, { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } });
  run(join(ROOT, 'node_modules/rolldown/bin/cli.mjs'), '-c', 'rolldown.config.js');
  const commands = JSON.parse(run('bin/remit.js', 'commands', '-o', 'json')) as { data: { words: string }[] };
  const words = commands.data.map((one) => one.words);
  expect(words).not.toContain(command);
  expect(words).toContain('tx fund');
  expect(run('bin/remit.js', 'demo')).toContain('paid');
});
