/** The command, flag or topic that was probably meant: by distance, and by what people call things elsewhere. */
import { distance } from '../../core/distance.ts';
import { leaves } from '../tree.ts';
import { children } from './overview.ts';

/** What others call it; several where a group has only one of them. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  transaction: 'tx',
  transactions: 'tx',
  transfer: 'tx',
  transfers: 'tx',
  payment: 'tx',
  payments: 'tx',
  pay: 'tx',
  recipients: 'recipient',
  payout: 'recipient',
  payouts: 'recipient',
  beneficiary: 'recipient',
  customer: 'sender',
  customers: 'sender',
  payer: 'sender',
  account: 'balance',
  accounts: 'balance',
  fx: 'rates',
  currency: 'currencies',
  webhook: 'webhooks',
  hooks: 'webhooks',
  completions: 'completion',
  autocomplete: 'completion',
  journal: 'history',
  intents: 'history',
  signin: 'login',
  signout: 'logout',
  config: 'profiles',
  check: 'doctor',
  call: 'api',
  request: 'api',
  server: 'sandbox',
  get: 'show',
  view: 'show',
  info: 'show',
  ls: 'list',
  all: 'list',
  new: 'create add',
  make: 'create add',
  create: 'add',
  add: 'create',
  update: 'edit',
  change: 'edit',
  set: 'edit',
  correct: 'edit',
  delete: 'cancel remove disable',
  rm: 'cancel remove disable',
  remove: 'cancel disable',
  stop: 'cancel disable',
  quote: 'calculate',
  follow: 'watch tail',
};

/** Full words of commands, best first; none where nothing is near. `path` was understood, `wrong` was not. */
export function suggestCommands(
  path: readonly string[],
  [wrong = '', ...after]: readonly string[],
): string[] {
  const near = nearest(wrong.toLowerCase(), names(path));
  return near.flatMap((word) => {
    const words = [...path, word].join(' ');
    if (leaves.some((leaf) => leaf.words === words)) return [words];
    const [next] = after;
    if (next === undefined || next.startsWith('-')) return [words];
    const below = children(words).map(([name]) => name);
    const found = below.includes(next) ? [next] : nearest(next.toLowerCase(), below);
    return found.length === 0 ? [words] : found.map((name) => `${words} ${name}`);
  });
}

const names = (path: readonly string[]): string[] => children(path.join(' ')).map(([name]) => name);

const AT_MOST = 3;

/** Those that are as near as the nearest, at most three. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const other = (Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : undefined)?.split(' ') ?? [];
  const meant = other.filter((name) => candidates.includes(name));
  if (meant.length > 0) return meant.slice(0, 1);
  const reach = Math.max(1, Math.floor(word.length / 3));
  const near = candidates
    .map((name) => ({ name, far: distance(word, name) }))
    .filter(({ name, far }) => far <= reach && far < name.length - 1)
    .sort((a, b) => a.far - b.far);
  const best = near.filter(({ far }) => far === near[0]?.far);
  const begun = best.length > 0 || word.length < 2 ? [] : candidates.filter((name) => name.startsWith(word));
  return [...best.map(({ name }) => name), ...begun].slice(0, AT_MOST);
}
