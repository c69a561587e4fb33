/** A month has several reports: a terminal is asked which one, and the screen has room for the list. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { useService } from '../support/service.ts';
import { keys, openTerminal, wholeOutput } from '../support/terminal.ts';

const { env } = useService();

it('asks which report is meant, and downloads that one', async () => {
  const folder = join(env.REMIT_CONFIG_DIR ?? '', 'reports');
  const terminal = openTerminal(['reports', 'download', '--to', `${folder}/`], env);
  await terminal.sees('Which report?');
  await terminal.sees('2026-01 · account · test');
  terminal.types(`${keys.down}${keys.down}`);
  await terminal.chooses('account_report_2026-01.csv');
  expect(await terminal.exit).toBe(0);
  expect(readdirSync(folder)).toEqual(['account_report_2026-01.csv']);
});

it.each([
  [80, /MONTH +TYPE +ENVIRONMENT\s/, /2026-01 +account +test\s/],
  [
    120,
    /MONTH +TYPE +ENVIRONMENT +PATH\s/,
    /2026-01 +account +test +test\/\S+\/account_report_2026-01\.csv\s/,
  ],
])('lists them in one line each at %i columns', async (cols, head, row) => {
  const output = stripVTControlCharacters(await wholeOutput(['reports', 'list'], env, { cols, rows: 24 }));
  expect(output).toMatch(head);
  expect(output).toMatch(row);
});
