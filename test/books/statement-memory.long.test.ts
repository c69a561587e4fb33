/** A statement of 100,000 lines is written as it is read: in less than 150 MB, and in a time that grows with its lines. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fillBooks, MONTH } from '../../bench/support/fill-books.ts';
import { credentials } from '../../bench/support/signed.ts';
import { ROLES } from '../../src/books/journal/entries.ts';
import { hasReader, partOf } from '../support/workbook.ts';

const ROWS = 100_000;
const MOST_MB = 150;
const home = mkdtempSync(join(tmpdir(), 'remit-statement-'));
/** Nobody answers there: a statement is made from the books alone. */
const baseUrl = 'http://127.0.0.1:9/v1';
const env = {
  REMIT_CONFIG_DIR: home,
  REMIT_BASE_URL: baseUrl,
  REMIT_API_KEY: credentials.key,
  REMIT_API_SECRET: credentials.secret,
};

beforeAll(() => fillBooks(env, baseUrl, { rows: ROWS, aMonth: ROWS }), 120_000);

/** Runs the statement of the month with these words. Processor time in seconds, the greatest memory in MB. */
function measured(...words: string[]): { seconds: number; peak: number; text: string } {
  const measure = join(home, 'measure.cjs');
  const told = join(home, 'told');
  // Not its largest resident size by getrusage: there a child begins with that of the process that started it.
  writeFileSync(
    measure,
    `process.on('exit', () => {
      const { readFileSync, writeFileSync } = require('node:fs');
      const peak = /^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
      const { user, system } = process.cpuUsage();
      writeFileSync(${JSON.stringify(told)}, peak + ' ' + (user + system));
    });`,
  );
  const out = join(home, 'statement.out');
  const args = ['--require', measure, 'bin/remit.js', 'statement', '--month', MONTH, ...words];
  try {
    execFileSync(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', openSync(out, 'w'), 'ignore'],
    });
  } catch (error) {
    // Nobody saw the opening balance of these books.
    expect((error as { status: number }).status).toBe(10);
  }
  const [peak = 0, microseconds = 0] = readFileSync(told, 'utf8').split(' ').map(Number);
  // A spreadsheet is packed: its first sheet is read.
  const text = words.includes('xlsx') ? partOf(out, 'xl/worksheets/sheet1.xml') : readFileSync(out, 'utf8');
  return { seconds: microseconds / 1e6, peak: peak / 1024, text };
}

const payments = (text: string): number => text.match(/wages-\d+/g)?.length ?? 0;

it.each(['csv', 'json', 'ndjson'])('as %s', (format) => {
  const { text, peak } = measured('-o', format);
  expect(payments(text)).toBeGreaterThan(ROWS);
  expect(peak).toBeLessThan(MOST_MB);
});

/** In at most so many times the processor time of our CSV, and in 200 MB. What is over it once is measured twice more: the median counts. */
function besideCsv(what: string, words: readonly string[], most: number): void {
  const round = () => [measured(...words), measured('-o', 'csv')] as const;
  const ratioOf = ([ours, csv]: ReturnType<typeof round>): number => ours.seconds / csv.seconds;
  const first = round();
  const rounds = ratioOf(first) < most ? [first] : [first, round(), round()];
  const ratios = rounds.map(ratioOf).sort((a, b) => a - b);
  const said = rounds.map(([ours, csv]) => `${ours.seconds} s against ${csv.seconds}, ${ours.peak} MB`);
  console.log(`${what} of ${ROWS} payments: ${said.join('; ')}`);
  for (const [{ text, peak }] of rounds) {
    expect(payments(text)).toBeGreaterThan(ROWS);
    expect(peak).toBeLessThan(200);
  }
  expect(ratios[ratios.length >> 1]).toBeLessThan(most);
}

it('as a journal, in at most one and a half times the processor time of our CSV, and in 200 MB', () => {
  const accounts = join(home, 'accounts.yaml');
  writeFileSync(accounts, ROLES.map((role) => `${role}: Assets:${role}:{currency}\n`).join(''));
  besideCsv('a journal', ['--journal', 'hledger', '--accounts', accounts, '--unproved'], 1.5);
});

it.skipIf(!hasReader)(
  'as a spreadsheet, in at most twice the processor time of our CSV, and in 200 MB',
  () => {
    besideCsv('a spreadsheet', ['-o', 'xlsx'], 2);
  },
);
