/** Words and flags that remit does not know: told with the nearest that it does. */

import { type Problem, usage } from '../../core/problem.ts';
import type { Command } from '../command.ts';
import type { Flag } from '../flags/flag.ts';
import { globalFlags } from '../flags/globals.ts';
import { type Leaf, leaves } from '../tree.ts';
import { nearest, suggestCommands } from './suggest.ts';
import { topics } from './topics.ts';

const longs = (flags: readonly Flag[]): string[] =>
  flags.flatMap(({ flags: text }) => text.match(/--[a-z-]+/g) ?? []);
const nameOf = (token: string): string => token.split('=')[0] ?? token;
const didYouMean = (names: readonly string[]): string => `did you mean ${names.join(' or ')}?`;

export function unknownCommand(path: readonly string[], words: readonly string[]): Problem {
  const near = suggestCommands(path, words).map((found) => `remit ${found}`);
  const place = ['remit', ...path].join(' ');
  return usage(
    `there is no command "${[...path, words[0]].join(' ')}"`,
    near.length > 0 ? didYouMean(near) : `${place} --help lists the commands`,
  );
}

/** A flag where no command is named yet: one of a command is told to go behind its words. */
export function misplacedFlag(path: readonly string[], token: string): Problem {
  const place = ['remit', ...path].join(' ');
  const near = nearest(nameOf(token), [...longs(globalFlags), '--help', '--version']);
  return usage(
    `unknown option '${nameOf(token)}' where no command is named`,
    near.length > 0 ? didYouMean(near) : `flags of a command go behind its words: ${place} COMMAND [FLAGS]`,
  );
}

/** What was probably meant: a flag of this command, or the same flag of a command beside it. */
export async function flagHint(token: string, leaf: Leaf, command: Command<never>): Promise<string> {
  const name = nameOf(token);
  const beside = await takenBeside(name, leaf);
  if (beside.length > 0) return `${beside.join(' and ')} ${beside.length > 1 ? 'take' : 'takes'} ${name}`;
  const near = nearest(name, [...longs(command.flags ?? []), ...longs(globalFlags)]);
  return near.length > 0 ? didYouMean(near) : `remit ${leaf.words} --help lists its flags`;
}

/** Only when something is wrong: it loads the commands of the group. */
async function takenBeside(name: string, { words }: Leaf): Promise<string[]> {
  const [group, sub] = words.split(' ');
  if (sub === undefined || !name.startsWith('--')) return [];
  const others = leaves.filter((other) => other.words.startsWith(`${group} `) && other.words !== words);
  const loaded = await Promise.all(others.map(async (one) => ({ one, command: await one.load() })));
  return loaded
    .filter(({ command }) => longs(command.flags ?? []).includes(name))
    .map(({ one }) => `remit ${one.words}`);
}

export function unknownTopic(topic: string): Problem {
  const names = Object.keys(topics);
  const near = nearest(topic.toLowerCase(), names).map((name) => `remit help ${name}`);
  const [first = '', ...more] = topic.split(' ');
  const commands = suggestCommands([], [first, ...more]).map((words) => `remit help ${words}`);
  const meant = [...near, ...commands].slice(0, 3);
  return usage(
    `there is no topic "${topic}"`,
    meant.length > 0 ? didYouMean(meant) : `topics: ${names.join(', ')}; for a command: remit help COMMAND`,
  );
}
