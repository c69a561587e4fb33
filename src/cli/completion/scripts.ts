/** The script of each shell, as it is in `completions/`: short, written by hand, and the same for every version (decision 0083). */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The names under which the shells look for the scripts. */
export const scriptNames: Readonly<Record<Shell, string>> = {
  bash: 'remit.bash',
  zsh: '_remit',
  fish: 'remit.fish',
  powershell: 'remit.ps1',
};

/** Found by the package's own name: the source and what is built of it lie at different depths. */
export function completionScript(shell: Shell): string {
  const root = dirname(createRequire(import.meta.url).resolve('remit-cli/package.json'));
  return readFileSync(join(root, 'completions', scriptNames[shell]), 'utf8');
}

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];
export const isShell = (name: string): name is Shell => (shells as readonly string[]).includes(name);
