/** When to colour: a flag over REMIT_COLOR over the variables that terminals agree on. No information is in colour alone. */
import type { Env } from '../../core/env.ts';

export const colourChoices = ['auto', 'always', 'never'] as const;
type ColourChoice = (typeof colourChoices)[number];

/** Before anything is parsed: errors in the flags, and help, are coloured or not too. */
export function colourChoice(argv: readonly string[], env: Env): ColourChoice {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const at = own.lastIndexOf('--color');
  const joined = own.findLast((token) => token.startsWith('--color='))?.slice('--color='.length);
  const given = own.includes('--no-color') ? 'never' : (joined ?? (at < 0 ? env.REMIT_COLOR : own[at + 1]));
  return colourChoices.find((choice) => choice === given) ?? 'auto';
}

/** False for a terminal that cannot go back to what it shows: nothing is drawn over there, and nothing is asked. */
export const canGoBack = (env: Env): boolean => env.TERM !== 'dumb';

/** NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM=dumb, in that order; else colour on a terminal. */
export function wantsColour(env: Env, isTerminal: boolean, choice: ColourChoice = 'auto'): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.CLICOLOR_FORCE !== undefined && env.CLICOLOR_FORCE !== '0') return true;
  if (env.CLICOLOR === '0' || !canGoBack(env)) return false;
  return isTerminal;
}
