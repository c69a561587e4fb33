/** The one file and its Debian package, built as a release builds them: once for all test files of a run that come one after another. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildBinary } from '../../src/build/binary.js';
import { buildDeb } from '../../src/build/deb.js';
import { temporaryFolder } from './child-program.ts';

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
    renameSync(draft, folder);
  }
  const deb = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
  return { file: join(folder, 'remit'), deb: join(folder, deb) };
}
