/** All temporary folders of a run stand in one, which is gone at its end. A process that is killed cannot take its own away. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = 'remit-tests-';

/** A global set-up of the tests, once for each project of Vitest: the first makes it. */
export default function oneFolder(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), NAME));
  // PostgreSQL and PgBouncer run as users of their own, and must pass.
  chmodSync(folder, 0o755);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  return () => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  };
}
