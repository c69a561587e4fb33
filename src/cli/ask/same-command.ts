/** After questions, the command line that does the same without them. It never has a secret. */
import type { Context } from '../context.ts';
import { commandLine, flagWords } from '../output/command-line.ts';

/** `argv` follows the words of the command; `switches` are those that were given. */
export function sameCommand(
  { words, globals }: Pick<Context, 'words' | 'globals'>,
  argv: readonly string[],
  switches: Readonly<Record<string, boolean>> = {},
): string[] {
  const on = Object.entries(switches).flatMap(([name, isOn]) => (isOn ? [`--${name}`] : []));
  const all = [...words.split(' '), ...argv, ...on, ...flagWords({ profile: globals.profile })];
  return ['the same as a command:', `  ${commandLine(all)}`];
}
