/**
 * Guesses at words that are no command: whole lines that were probably meant, to be typed as they stand. They
 * are told, and never run.
 */
import { nearest } from '../../core/distance.ts';
import { commandLine } from '../output/command-line.ts';
import { children, groups, leaves } from '../tree.ts';

/** The names that others have for our commands. An alias would run on a guess: `rm` would move money. */
const OTHERS: Readonly<Record<string, string>> = {
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
};

const MOST = 3;
const isOther = (name: string, word: string): boolean => OTHERS[name]?.split(' ').includes(word) ?? false;
const lastOf = (words: string): string => words.split(' ').at(-1) ?? '';

/**
 * Lines such as `remit tx cancel wages-1`, the likeliest first; none where nothing is near.
 * @param group the words before, '' at the root @param args what was typed behind them, the unknown word first
 */
export function linesMeant(group: string, args: readonly string[]): string[] {
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
