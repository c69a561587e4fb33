/** docs/audit.md, followed as it is printed: the client of twenty lines fails, and the mended one does not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { lossModeNames } from '../../src/audit/loss-modes.ts';
import { type Bench, createBench } from '../support/cli.ts';

const page = readFileSync('docs/audit.md', 'utf8');
const block = (first: string): string =>
  [...page.matchAll(/```(?:json|python)\n(.*?)```/gs)]
    .map(([, text = '']) => text)
    .find((text) => text.startsWith(first)) ?? '';

let folder = '';
let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
  folder = bench.dir;
  // No answer is held back here: where a client gives up on a slow machine alone, there is no run without a fault.
  const client = block('# pay.py').replace('timeout=2)', 'timeout=120)');
  expect(client).toContain('timeout=120)');
  writeFileSync(join(folder, 'payment.json'), block('// payment.json').replace(/^\/\/.*\n/, ''));
  writeFileSync(join(folder, 'pay.py'), client);
  const mended = block('# mended');
  writeFileSync(join(folder, 'mended.py'), client.replace(/def pay\(\):.*?\n\n(?=pay\(\))/s, `${mended}\n`));
});

const audit = (program: string) =>
  bench.run([
    'sandbox',
    'audit',
    '-o',
    'json',
    '--cases',
    '14',
    ...['late', 'hang', 'slow'].flatMap((way) => ['--skip', way]),
    '--',
    'python3',
    program,
  ]);

it('the page names every way', () => {
  for (const way of lossModeNames) expect(page).toContain(`\`${way}\``);
});

it('the client of the page pays twice', async () => {
  const run = await audit('pay.py');
  expect(run.code, run.stderr).toBe(10);
  expect(JSON.parse(run.stdout).data).toMatchObject({ verdict: '1 payment is paid more often than wished' });
});

it('mended as the page says, it does not', async () => {
  expect(readFileSync(join(folder, 'mended.py'), 'utf8')).toContain('invoice-7');
  const run = await audit('mended.py');
  expect(run.stderr).toBe('');
  expect(JSON.parse(run.stdout).data).toMatchObject({
    verdict: expect.stringContaining('no finding in'),
    findings: [],
  });
  expect(run.code).toBe(0);
});
