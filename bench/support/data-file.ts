/** A data file of a sandbox in a temporary folder that goes away with its process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordDatabase } from '../../src/core/ports/record-database.ts';
import { sandboxData } from '../../src/sandbox/store/tables.ts';
import { openRecords } from '../../src/store/record-file.ts';

export function openData(): Promise<RecordDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return openRecords(join(folder, 'sandbox.db'), sandboxData);
}
