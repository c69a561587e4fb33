import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder that goes away with its process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
