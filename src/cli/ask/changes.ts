/** A change before it is sent: what it was, masked, and what it becomes. */

import { interrupted } from '../../core/problem.ts';
import { maskValue } from '../../desk/words/mask.ts';
import type { Context } from '../context.ts';

/** `  bank_account: ••••6719 -> 0123456700`. */
export function changeLines(
  context: Context,
  current: Record<string, unknown>,
  changes: Record<string, unknown>,
): string[] {
  return Object.entries(changes).map(([name, value]) => {
    const before = isNothing(current[name]) ? '(none)' : shownValue(context, name, wordOf(current[name]));
    const after = wordOf(value);
    // What was typed just now is shown whole: a wrong digit must be seen. CI keeps what it prints, and nobody looks.
    return `  ${name}: ${before} -> ${context.mask === 'all' ? maskValue(name, after, 'all') : after}`;
  });
}

/** What stands already, for whoever sits before stderr, also where stdout is a pipe of their own. */
export function shownValue({ globals, mask, streams }: Context, name: string, value: string): string {
  const level = mask === 'none' && streams.stderrIsTerminal && !globals.reveal ? 'accounts' : mask;
  return maskValue(name, value, level);
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';
const wordOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');

/** After questions the answers are confirmed once; flags were meant as they were typed. In production the guard has asked. */
export async function confirmChange(context: Context, wasAsked: boolean): Promise<void> {
  const { environment } = await context.connection();
  if (!wasAsked || context.globals.yes || environment === 'production') return;
  const { askConfirm } = await import('../terminal/prompt.ts');
  if (!(await askConfirm(context, 'Send this change?', true))) throw interrupted();
}

/** Only the members that read otherwise. */
export function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}
