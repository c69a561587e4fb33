/** A script for each shell, made from one description; what it bakes in only a new version changes (decision 0037). */
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import type { Shell } from './shells.ts';
import { buildSpec, type Spec } from './spec.ts';
import { zshScript } from './zsh.ts';

const MAKE: Readonly<Record<Shell, (spec: Spec) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

export const completionScript = async (shell: Shell): Promise<string> => MAKE[shell](await buildSpec());

/** As the shells look for them, and as they are in `completions/`. */
export const scriptNames: Readonly<Record<Shell, string>> = {
  bash: 'remit.bash',
  zsh: '_remit',
  fish: 'remit.fish',
  powershell: 'remit.ps1',
};
