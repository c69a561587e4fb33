/** The refusals of commander, in the one shape of our errors, with what was probably meant. */
import type { Command as Commander, CommanderError } from 'commander';
import { type Problem, usage } from '../../core/problem.ts';
import { longName } from '../flags/flag.ts';
import { leaves } from '../tree.ts';
import { linesMeant } from './meant.ts';

interface Refused {
  /** The command that refused. */
  at: Commander;
  /** How it was reached from the root. */
  words: string;
  /** The whole line, without `remit`. */
  typed: readonly string[];
}

export async function refusal(error: CommanderError, { at, words, typed }: Refused): Promise<Problem> {
  // commander puts what is near into the same text, on a line of its own and in brackets.
  const [, said = '', near] = /^(?:error: )?([\s\S]*?)(?:\n\(Did (.*)\))?$/.exec(error.message) ?? [];
  const isCommand = error.code === 'commander.unknownCommand';
  const hint =
    (await hintOf(error.code, { at, words, typed })) ?? (near && !isCommand ? `did ${near}` : undefined);
  return usage(said, hint ?? whereToLook(error.code, at, lineOf(words)));
}

const lineOf = (words: string): string => `remit ${words}`.trim();

function whereToLook(code: string, at: Commander, place: string): string {
  if (code === 'commander.unknownCommand') return `${place} --help lists the commands`;
  const isMisplaced = code === 'commander.unknownOption' && at.commands.length > 0;
  return isMisplaced
    ? `flags of a command go behind its words: ${place} ${at.usage()}`
    : `${place} --help shows what it takes`;
}

/** The unknown word and all that was typed beside the words before it; commander has taken the flags out of what it leaves. */
function argumentsTyped(words: string, word: string, typed: readonly string[]): string[] {
  const place = typed.indexOf(word);
  const before = typed.slice(0, Math.max(0, place)).filter((one) => !words.split(' ').includes(one));
  return [word, ...typed.slice(place + 1), ...before];
}

/** Returns the hint that commander does not give. */
async function hintOf(code: string, { at, words, typed }: Refused): Promise<string | undefined> {
  switch (code) {
    case 'commander.unknownCommand': {
      const lines = linesMeant(words, argumentsTyped(words, at.args[0] ?? '', typed));
      return lines.length === 0 ? undefined : `did you mean ${lines.join(', or ')}?`;
    }
    case 'commander.unknownOption':
      return takenBeside(at, words);
    case 'commander.missingArgument':
    case 'commander.excessArguments':
      return `remit ${words} ${at.usage()}`;
    default:
      return undefined;
  }
}

/** The same flag of a command beside it. Only when something is wrong: it loads the commands of the group. */
async function takenBeside({ args }: Commander, words: string): Promise<string | undefined> {
  const [group, sub] = words.split(' ');
  const name = args.find((arg) => arg.startsWith('--'))?.split('=')[0];
  if (sub === undefined || name === undefined) return undefined;
  const others = leaves.filter((other) => other.words.startsWith(`${group} `) && other.words !== words);
  const loaded = await Promise.all(
    others.map(async (one) => ({ one, flags: (await one.load()).flags ?? {} })),
  );
  const takers = loaded.filter(({ flags }) =>
    Object.entries(flags).some(([key, { short }]) => longName(key) === name || short === name),
  );
  if (takers.length === 0) return undefined;
  const names = takers.map(({ one }) => `remit ${one.words}`).join(' and ');
  return `${names} ${takers.length > 1 ? 'take' : 'takes'} ${name}`;
}
