/** The script of each shell, as it is in `completions/`: short, written by hand, and the same for every version (decision 0083). */

import { invariant } from '../../core/invariants.ts';
import type { Installation } from '../process.ts';

/** The names under which the shells look for the scripts. */
export const scriptNames: Readonly<Record<Shell, string>> = {
  bash: 'remit.bash',
  zsh: '_remit',
  fish: 'remit.fish',
  powershell: 'remit.ps1',
};

export function completionScript(shell: Shell, { packaged }: Pick<Installation, 'packaged'>): string {
  const text = packaged(`completions/${scriptNames[shell]}`);
  invariant(text !== undefined, 'the scripts of the shells come with the program');
  return text;
}

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];
export const isShell = (name: string): name is Shell => (shells as readonly string[]).includes(name);
