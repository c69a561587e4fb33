/**
 * The temporary folders of most files stand in one, which is gone at its end: a process that is killed cannot take its own away. It is on the
 * machine's memory disk where there is room: thousands of journals are made, and none must outlive a loss of power.
 */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const NAME = 'remit-tests-';
const MEMORY_DISK = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

function whereItStands(): string {
  try {
    accessSync(MEMORY_DISK, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= ROOM_BYTES ? MEMORY_DISK : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** A global set-up of the tests, once for each project of Vitest: the first makes it. */
export default function oneFolder(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(NAME)) return undefined;
  const folder = mkdtempSync(join(whereItStands(), NAME));
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
