/** `sandbox audit` at the terminal: files of the report, a signature, what is refused before anything runs, and the exit codes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditReport } from '../../src/audit/report/record.ts';
import { passphraseFile } from '../support/approvers.ts';
import { useBench } from '../support/cli.ts';

const bench = useBench();
const program = (name: string): string[] => [
  '--',
  process.execPath,
  resolve(`test/fixtures/audit/${name}.mjs`),
];
const audit = (...argv: string[]) =>
  bench.run(['sandbox', 'audit', ...argv], {
    env: { REMIT_APPROVER_PASSPHRASE_FILE: passphraseFile(bench.dir) },
  });
const inFolder = (name: string): string => join(bench.dir, name);
const reportIn = (name: string): AuditReport => JSON.parse(readFileSync(inFolder(name), 'utf8'));

it('ends with 10 on a finding; writes JSON, a page and JUnit; its JSON is signed, and verify says by whom', async () => {
  expect(
    (
      await bench.run('approver create grace', {
        env: { REMIT_APPROVER_PASSPHRASE_FILE: passphraseFile(bench.dir) },
      })
    ).code,
  ).toBe(0);
  const files = ['audit.json', 'audit.html', 'audit.xml'].flatMap((name) => ['--report', name]);
  const run = await audit('--cases', '2', '--as', 'grace', ...files, '-o', 'json', ...program('naive'));
  expect(run.code, run.stderr).toBe(10);
  const report = reportIn('audit.json');
  expect(report).toEqual(run.data());
  expect(Object.keys(report).slice(0, 2)).toEqual(['verdict', 'not_tried']);
  expect(report.not_tried).toContain('webhooks: no endpoint of the program was known');
  expect(report.findings).toHaveLength(2);
  const [finding] = report.findings;
  expect(finding?.replay).toContain(`--case ${finding?.case} -- `);
  expect(JSON.stringify(report)).not.toContain('0123456700');

  const page = readFileSync(inFolder('audit.html'), 'utf8');
  expect(page.indexOf('Not tried')).toBeLessThan(page.indexOf('Verdict'));
  expect(page).not.toMatch(/<script|https?:/);
  const junit = readFileSync(inFolder('audit.xml'), 'utf8');
  expect(junit).toContain('failures="2"');
  expect(junit.match(/<failure /g)).toHaveLength(2);
  expect(junit).toContain('<skipped/>');

  const verified = await audit('verify', 'audit.json');
  expect([verified.code, verified.stderr]).toEqual([
    0,
    expect.stringMatching(/Unchanged since grace signed it, with the key [0-9a-f]{64}/),
  ]);
  // The same, formatted anew, is the same; a verdict that was made better is not.
  writeFileSync(inFolder('again.json'), JSON.stringify(Object.fromEntries(Object.entries(report).reverse())));
  expect((await audit('verify', 'again.json')).code).toBe(0);
  writeFileSync(
    inFolder('better.json'),
    JSON.stringify({ ...report, findings: [], verdict: 'no finding in 2 cases' }),
  );
  const better = await audit('verify', 'better.json');
  expect([better.code, better.stderr]).toEqual([10, expect.stringContaining('is not as it was signed')]);
  writeFileSync(inFolder('unsigned.json'), JSON.stringify({ ...report, signature: null }));
  expect((await audit('verify', 'unsigned.json')).stderr).toContain('is not signed');
});

it('ends with 0 where nothing is found, and a case that a report prints plays again', async () => {
  const clean = await audit('--cases', '1', '-o', 'json', ...program('same-id'));
  expect([clean.code, clean.data<AuditReport>().verdict]).toEqual([0, 'no finding in 1 case']);
  const found = await audit('--cases', '1', '-o', 'json', ...program('naive'));
  const shown = found.data<AuditReport>().findings[0]?.case ?? '';
  const again = await audit('--case', shown, '-o', 'json', ...program('naive'));
  expect(again.data<AuditReport>()).toMatchObject({
    cases: 1,
    findings: [{ case: shown, kind: 'paid_twice' }],
  });
  expect(again.code).toBe(10);
});

it('a case that meets nothing is no audit, whatever it does not find', async () => {
  const run = await audit('--case', 'ffffff:cut', ...program('same-id'));
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('never sent what the cases wait for')]);
});

describe('nothing is audited, and that is said', () => {
  it.each([
    ['a program that sends nothing', ['--', process.execPath, '-e', '0'], 'sent no write to the sandbox'],
    [
      'a program that fails by itself',
      ['--', process.execPath, '-e', 'console.log("why"); process.exit(3)'],
      'did not end with 0: exit 3',
    ],
    ['a program that is not there', ['--', './nowhere'], 'could not be started'],
    [
      'a command before it that fails',
      ['--before', 'false', '--', process.execPath, '-e', '0'],
      'false ended with exit 1',
    ],
  ])('%s', async (_, argv, says) => {
    const run = await audit('--report', 'none.json', ...argv);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('nothing was audited')]);
    expect(run.stderr).toContain(says);
    if (says.includes('exit 3')) expect(run.stderr).toMatch(/it printed +why/);
    expect(existsSync(inFolder('none.json'))).toBe(false);
  });
});

it.each([
  ['--env API_URL=secrets', 'is not NAME=url'],
  ['--tries 0', 'is no count from 1 to 9'],
  ['--for soon', 'is not a duration'],
  ['--wish more', 'is no wish'],
  ['--case a55ae8:frob', 'is no case'],
  ['--case webhook-twice#2', 'is no case'],
  ['--webhook https://example.com/hooks', 'on this machine'],
  ['--ready https://example.com/', 'on this machine'],
  ['--public-url https://example.com/hooks', 'needs --webhook'],
  ['--webhook 4011 --public-url hooks', 'is not a URL'],
  ['--report audit.txt', 'ends with none of'],
])('%s is refused before anything runs', async (flags, says) => {
  const run = await audit(
    ...flags.split(' '),
    '--',
    process.execPath,
    '-e',
    'require("node:fs").writeFileSync("ran","")',
  );
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(says)]);
  expect(existsSync(inFolder('ran'))).toBe(false);
});

it('writes over no file, and says so before anything runs', async () => {
  writeFileSync(inFolder('mine.json'), 'mine');
  const run = await audit(
    '--report',
    'mine.json',
    '--',
    process.execPath,
    '-e',
    'require("node:fs").writeFileSync("ran","")',
  );
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('mine.json exists')]);
  expect(readFileSync(inFolder('mine.json'), 'utf8')).toBe('mine');
  expect(existsSync(inFolder('ran'))).toBe(false);
});

it('gives the account under names of its own, and a folder that stays from one start to the next', async () => {
  const text = `
    const { existsSync, writeFileSync } = require('node:fs');
    const mark = process.env.REMIT_AUDIT_DIR + '/started';
    if (existsSync(mark)) process.exit(0);
    writeFileSync(mark, '');
    console.log([process.env.A === process.env.REMIT_BASE_URL, process.env.B === process.env.REMIT_API_KEY,
      process.env.C === process.env.REMIT_API_SECRET, process.env.A.includes(process.env.D)].join());
    process.exit(1);`;
  const named = ['A=url', 'B=key', 'C=secret', 'D=host'].flatMap((one) => ['--env', one]);
  const once = await audit(...named, '--', process.execPath, '-e', text);
  expect(once.stderr).toContain('true,true,true,true');
  // Started again it ends with 0, so that only its writes are missing.
  const twice = await audit(...named, '--tries', '2', '--', process.execPath, '-e', text);
  expect(twice.stderr).toContain('sent no write');
});
