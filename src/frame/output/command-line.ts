/** A command as a shell takes it: `remit tx create --amount 25 --detail 'street=Main 1'`. */

import { escapeLine } from '../../core/escape.ts';
import type { FrameContext } from '../context.ts';

export const commandLine = (argv: readonly string[]): string => ['remit', ...argv].map(quoted).join(' ');

/** One word for a shell. What cannot be printed as it is, is quoted in the way of bash and zsh. */
function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (escapeLine(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte > 0x1f && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `$'${bytes.join('')}'`;
}

/** `--name value` for each that is there. */
export function flagWords(flags: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value],
  );
}

/** `--detail name=value` for each. */
export function pairWords(flag: string, pairs: Readonly<Record<string, unknown>>): string[] {
  // A one-time code is for one use, and as good as a signature.
  const kept = Object.entries(pairs).filter(([name]) => name !== 'otp');
  return kept.flatMap(([name, value]) => [`--${flag}`, `${name}=${String(value)}`]);
}

/**
 * After questions, the command line that does the same without them. It never has a secret. `argv` follows
 * the words of the command; `switches` are those that were given.
 */
export function sameCommand(
  { words, globals }: Pick<FrameContext, 'words' | 'globals'>,
  argv: readonly string[],
  switches: Readonly<Record<string, boolean>> = {},
): string[] {
  const on = Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [`--${name}`] : []));
  const all = [...words.split(' '), ...argv, ...on, ...flagWords({ profile: globals.profile })];
  return ['the same as a command:', `  ${commandLine(all)}`];
}
