/** The one file and its Debian package, built as a release builds them: once for all test files of a run. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBinary } from '../../src/build/binary.js';
import { buildDeb } from '../../src/build/deb.js';
import { temporaryFolder } from './child-program.ts';

/** Where bwrap, dpkg-deb or lintian is missing, or on another system, it is not built; with REMIT_REQUIRE_BINARY=1, as in CI, it must be. */
export const canBuild =
  process.env.REMIT_REQUIRE_BINARY === '1' ||
  (`${process.platform} ${process.arch}` === 'linux x64' &&
    [
      ['bwrap', '--ro-bind', '/', '/', '--unshare-all', 'true'],
      ['dpkg-deb', '--version'],
      ['lintian', '--version'],
    ].every(([file = '', ...words]) => spawnSync(file, words).status === 0));

/** What a release fills in. */
export const release = {
  author: 'The remit authors <remit@code.example>',
  homepage: 'https://code.example/remit',
};

export function builtBinary(): { file: string; deb: string } {
  // The temporary folder of the run goes away with it.
  const folder = join(tmpdir(), 'remit-built-binary');
  if (!existsSync(folder)) {
    const draft = temporaryFolder();
    buildBinary(draft);
    buildDeb(draft, { release });
    keep(draft, folder);
  }
  const deb = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
  return { file: join(folder, 'remit'), deb: join(folder, deb) };
}

/** Another file may have built the same meanwhile. */
function keep(draft: string, folder: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
