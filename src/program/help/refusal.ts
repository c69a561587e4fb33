/** The refusals of commander, in the one shape of our errors, with what was probably meant. */

import type { Command as Commander, CommanderError } from 'commander';
import { byWord } from '../../core/by-word.ts';
import { nearest } from '../../core/distance.ts';
import { type Problem, usage } from '../../core/problem.ts';
import { longName } from '../../frame/flags/flag.ts';
import { commandLine } from '../../frame/output/command-line.ts';
import { children, groups, leaves } from '../tree.ts';

interface Refused {
  /** The command that refused. */
  at: Commander;
  /** How it was reached from the root. */
  words: string;
  /** The whole line, without `remit`. */
  typed: readonly string[];
}

export async function parseRefusal(error: CommanderError, { at, words, typed }: Refused): Promise<Problem> {
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
      return keptHere(at, words) ?? takenBeside(at, words);
    case 'commander.missingArgument':
    case 'commander.excessArguments':
      return `remit ${words} ${at.usage()}`;
    default:
      return undefined;
  }
}

const OF_BOOKS = /^(?:books .*|search|statement|summary|reconcile)$/;

/** Books are not shared, though pay runs and the inbox may be. */
function keptHere({ args }: Commander, words: string): string | undefined {
  if (!OF_BOOKS.test(words) || !args.some((arg) => /^--store(?:=|$)/.test(arg))) return undefined;
  return 'the books are on this machine: leave --store out, and make them here with remit books sync';
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

/** The names that others have for our commands. An alias would run on a guess: `rm` would move money. */
const OTHERS: Readonly<Record<string, string>> = byWord({
  tx: 'transaction transactions transfer transfers payment payments pay',
  recipient: 'payout payouts beneficiary',
  sender: 'customer customers payer',
  search: 'find lookup grep',
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
  cancel: 'delete rm remove stop refund',
  remove: 'delete rm',
  disable: 'delete rm remove stop',
  calculate: 'quote',
  watch: 'follow',
  tail: 'follow',
});

const MOST = 3;
const isOther = (name: string, word: string): boolean => OTHERS[name]?.split(' ').includes(word) ?? false;
const lastOf = (words: string): string => words.split(' ').at(-1) ?? '';

/**
 * Guesses at words that are no command: whole lines that were probably meant, to be typed as they stand. They
 * are told, and never run. Lines such as `remit tx cancel wages-1`, the likeliest first; none where nothing
 * is near.
 * @param group the words before, '' at the root @param args what was typed behind them, the unknown word first
 */
function linesMeant(group: string, args: readonly string[]): string[] {
  const [word = '', ...rest] = args.filter((arg) => arg !== '--help' && arg !== '-h');
  const found = [...new Set(group === '' ? atRoot(word) : within(group, word))].slice(0, MOST);
  return [...new Set(found.map((words) => commandLine([...words.split(' '), ...restOf(words, rest)])))];
}

/** Behind a group goes one of its commands, or nothing: what is no command of it would be refused again. */
function restOf(words: string, [word, ...rest]: readonly string[]): string[] {
  if (word === undefined) return [];
  if (groups[words] === undefined) return [word, ...rest];
  const names = children(words).map(([name]) => name);
  const [sub] = names.includes(word) ? [word] : within(words, word).map(lastOf);
  return sub === undefined ? [] : [sub, ...rest];
}

function within(group: string, word: string): string[] {
  const names = children(group).map(([name]) => name);
  const other = names.find((name) => isOther(name, word));
  return (other === undefined ? nearest(word, names) : [other]).map((name) => `${group} ${name}`);
}

/** First what is called so, then a command of any group by its last word, then what is near. */
function atRoot(word: string): string[] {
  const names = children('').map(([name]) => name);
  const called = names.filter((name) => isOther(name, word));
  const deeper = leaves.map(({ words }) => words).filter((words) => words.includes(' '));
  const exact = [...called, ...deeper.filter((words) => lastOf(words) === word)];
  const real = exact.filter((words) => !words.startsWith('sandbox '));
  if (exact.length > 0) return real.length > 0 ? real : exact;
  const near = nearest(word, names);
  if (near.length > 0) return near;
  const last = nearest(word, [...new Set(deeper.map(lastOf))]);
  const byOther = deeper.filter((words) => isOther(lastOf(words), word));
  return byOther.length > 0 ? byOther : deeper.filter((words) => last.includes(lastOf(words)));
}
