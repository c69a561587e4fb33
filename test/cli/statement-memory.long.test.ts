/** A statement of 100,000 lines is written as it is read: in less than 150 MB, and in a time that grows with its lines. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fillBooks, MONTH } from '../../bench/support/fill-books.ts';
import { credentials } from '../../bench/support/signed.ts';

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

it.each(['csv', 'json', 'ndjson'])(
  'as %s',
  (format) => {
    const measure = join(home, 'measure.cjs');
    const peak = join(home, 'peak');
    // Not its largest resident size by getrusage: there a child begins with that of the process that started it.
    writeFileSync(
      measure,
      `process.on('exit', () => {
        const { readFileSync, writeFileSync } = require('node:fs');
        writeFileSync(${JSON.stringify(peak)}, /^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
      });`,
    );
    const out = join(home, `statement.${format}`);
    const args = ['--require', measure, 'bin/remit.js', 'statement', '--month', MONTH, '-o', format];
    try {
      execFileSync(process.execPath, args, {
        env: { ...process.env, ...env },
        stdio: ['ignore', openSync(out, 'w'), 'ignore'],
      });
    } catch (error) {
      // Nobody saw the opening balance of these books.
      expect((error as { status: number }).status).toBe(10);
    }
    expect(readFileSync(out, 'utf8').match(/wages-\d+/g)?.length).toBeGreaterThan(ROWS);
    expect(Number(readFileSync(peak, 'utf8')) / 1024).toBeLessThan(MOST_MB);
  },
  120_000,
);
