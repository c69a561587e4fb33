/** The package as it is published: packed once from what was built, and installed as a stranger installs it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stage } from '../../src/build/packages.js';
import { PATIENCE_MS } from './patience.ts';

/** The packed file, in a folder of its own: the clone is not touched. Whoever calls removes the folder. */
export async function packPackage(
  name: 'remit-cli' | '@remit/client' = 'remit-cli',
): Promise<{ folder: string; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'remit-packed-'));
  const staging = join(folder, 'staging');
  mkdirSync(staging);
  await stage(name, staging);
  npm(staging, 'pack', '--ignore-scripts', '--pack-destination', folder);
  const file = readdirSync(folder).find((one) => one.endsWith('.tgz'));
  if (file === undefined) throw new Error('nothing was packed');
  return { folder, file: join(folder, file) };
}

/** What npm said, errors and warnings included. @throws where it fails */
export function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: PATIENCE_MS,
    env: { ...process.env, npm_config_loglevel: 'warn' },
  });
}
