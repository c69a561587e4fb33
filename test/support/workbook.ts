/** Reads workbooks with Debian's own openpyxl. Where it is missing tests are skipped; with REMIT_REQUIRE_SHEETS=1, as in CI, they fail. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The system's own: another Python does not have its packages. */
const PYTHON = '/usr/bin/python3';

export const hasReader =
  process.env.REMIT_REQUIRE_SHEETS === '1' || spawnSync(PYTHON, ['-c', 'import openpyxl']).status === 0;

export interface SheetCell {
  /** `n` a number or nothing, `d` a time, `s` a text, `f` a formula. */
  type: string;
  value: string | number | null;
  format: string;
  isQuoted: boolean;
}

export interface Sheet {
  name: string;
  /** The state of its panes, and the first cell that moves. */
  frozen: string;
  widths: number[];
  rows: SheetCell[][];
}

/** @param text its bytes, a character each, as they are printed */
export function readWorkbook(text: string): Sheet[] {
  const folder = mkdtempSync(join(tmpdir(), 'remit-workbook-'));
  const path = join(folder, 'book.xlsx');
  try {
    writeFileSync(path, text, 'latin1');
    const script = join(import.meta.dirname, 'read-workbook.py');
    return JSON.parse(execFileSync(PYTHON, [script, path], { encoding: 'utf8', maxBuffer: 1e9 }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of one part of a workbook, however long. */
export const partOf = (path: string, part: string): string =>
  execFileSync(
    PYTHON,
    [
      '-c',
      'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))',
      path,
      part,
    ],
    { encoding: 'utf8', maxBuffer: 1e9 },
  );

export const valuesOf = ({ rows }: Sheet): (string | number | null)[][] =>
  rows.map((row) => row.map(({ value }) => value));
