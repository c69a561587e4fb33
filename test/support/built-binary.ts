/** The one file, built as a release builds it: once for all test files of a run. NOTICES.txt lies beside it. */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBinary } from '../../src/build/binary.js';
import { temporaryFolder } from './temporary-folder.ts';

/** Where bwrap is missing, or on another system, it is not built; with REMIT_REQUIRE_BINARY=1, as in CI, it must be. */
export const canBuild =
  process.env.REMIT_REQUIRE_BINARY === '1' ||
  (`${process.platform} ${process.arch}` === 'linux x64' &&
    spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0);

/** @returns the path of the file */
export function builtBinary(): string {
  // The temporary folder of the run goes away with it.
  const folder = join(tmpdir(), 'remit-built-binary');
  if (!existsSync(folder)) {
    const draft = temporaryFolder();
    buildBinary(draft);
    keep(draft, folder);
  }
  return join(folder, 'remit');
}

/** Another file may have built the same meanwhile. */
function keep(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
