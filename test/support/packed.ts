/** The package as it is published: packed once from what was built, and installed as a stranger installs it. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const CONTENT = [
  'bin',
  'dist',
  'completions',
  'LICENSE',
  'THIRD-PARTY.md',
  'docs',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'CHANGELOG.md',
  'README.md',
  'package.json',
  'src/build/pack.js',
];

/** The packed file, in a folder of its own: the clone is not touched. Whoever calls removes the folder. */
export function packPackage(): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'remit-packed-'));
  const staging = join(folder, 'staging');
  mkdirSync(staging);
  for (const name of CONTENT) cpSync(join(root, name), join(staging, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(staging, 'node_modules'));
  execFileSync(process.execPath, ['src/build/pack.js', 'before'], { cwd: staging });
  npm(staging, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const name = readdirSync(folder).find((one) => one.endsWith('.tgz'));
  if (name === undefined) throw new Error('nothing was packed');
  return { folder, file: join(folder, name) };
}

/** What npm said, errors and warnings included. @throws where it fails */
export function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: 120_000,
    env: { ...process.env, npm_config_loglevel: 'warn' },
  });
}
