/** A folder as a partner has it, in which the built package is installed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');

/** Whoever makes it removes it. */
export function partnerFolder(...packages: string[]): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'remit-cli'));
  for (const name of packages)
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

/** What the compiler says of these programs of its, read as one. */
export function compiled(folder: string, options: object, names: readonly string[] = ['main']): string {
  const strict = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022' };
  const config = { compilerOptions: { ...strict, ...options }, files: names.map((name) => `${name}.mts`) };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}
