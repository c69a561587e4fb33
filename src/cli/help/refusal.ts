/** What commander refuses, in the one shape of our errors, with what was probably meant. */
import type { Command as Commander, CommanderError } from 'commander';
import { type Problem, usage } from '../../core/problem.ts';
import { leaves } from '../tree.ts';

/** What others call our commands. It is told, and never run as an alias would be: `rm` would move money on a guess. */
const OTHERS: Readonly<Record<string, string>> = {
  tx: 'transaction transactions transfer transfers payment payments pay',
  recipient: 'payout payouts beneficiary',
  sender: 'customer customers payer',
  balance: 'account accounts',
  rates: 'fx',
  webhooks: 'hooks',
  completion: 'autocomplete',
  history: 'journal intents',
  login: 'signin',
  logout: 'signout',
  profiles: 'config',
  doctor: 'check',
  api: 'call request',
  sandbox: 'server',
  show: 'get view info',
  list: 'ls all',
  create: 'new make add',
  add: 'new make create',
  edit: 'update change set correct',
  cancel: 'delete rm remove stop',
  remove: 'delete rm',
  disable: 'delete rm remove stop',
  calculate: 'quote',
  watch: 'follow',
  tail: 'follow',
};

function otherWord({ args: [word = ''], commands }: Commander): string | undefined {
  const names = commands.map((command) => command.name());
  return names.find((name) => OTHERS[name]?.split(' ').includes(word));
}

/** `at` is the command that refused, `words` how it was reached from the root. */
export async function refusal(error: CommanderError, at: Commander, words: string): Promise<Problem> {
  // commander puts what is near into the same text, on a line of its own and in brackets.
  const [, said = '', near] = /^(?:error: )?([\s\S]*?)(?:\n\(Did (.*)\))?$/.exec(error.message) ?? [];
  const isCommand = error.code === 'commander.unknownCommand';
  const whole = near?.replace(/^you mean (?!one of )/, isCommand ? `you mean ${lineOf(words)} ` : '$&');
  const hint = (await hintOf(error.code, at, words)) ?? (whole && `did ${whole}`);
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

/** What commander does not say. */
async function hintOf(code: string, at: Commander, words: string): Promise<string | undefined> {
  switch (code) {
    case 'commander.unknownCommand': {
      const other = otherWord(at);
      return other && `did you mean ${lineOf(words)} ${other}?`;
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
    others.map(async (one) => ({ one, flags: (await one.load()).flags ?? [] })),
  );
  const takers = loaded.filter(({ flags }) => flags.some((flag) => flag.flags.split(/[ ,]+/).includes(name)));
  if (takers.length === 0) return undefined;
  const names = takers.map(({ one }) => `remit ${one.words}`).join(' and ');
  return `${names} ${takers.length > 1 ? 'take' : 'takes'} ${name}`;
}
