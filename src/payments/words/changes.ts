/** A change before it is sent: what it was, masked, and what it becomes. */
import type { Desk } from '../desk.ts';
import { maskValue } from './mask.ts';

/** `  bank_account: ••••6719 -> 0123456700`. */
export function changeLines(
  desk: Pick<Desk, 'mask' | 'masksGiven'>,
  current: Record<string, unknown>,
  changes: Record<string, unknown>,
): string[] {
  return Object.entries(changes).map(([name, value]) => {
    const before = isNothing(current[name]) ? '(none)' : shownValue(desk, name, wordOf(current[name]));
    const after = wordOf(value);
    // A value typed just now is shown whole: a wrong digit must be seen. CI and agents keep what they read, and no user looks.
    const isMasked = desk.mask === 'all' || desk.masksGiven === true;
    return `  ${name}: ${before} -> ${isMasked ? shownValue(desk, name, after) : after}`;
  });
}

/** Returns a value that stands already, for the user to see. */
export const shownValue = ({ mask }: Pick<Desk, 'mask'>, name: string, value: string): string =>
  maskValue(name, value, mask);

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';
const wordOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');

/** Takes these members alone; one that is missing is null, so that its change shows. */
export function pick(from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}
