/** The command tree: that of each slice, in the order in which help lists the words. */

import * as agents from '../agents/cli/tree.ts';
import * as audit from '../audit/cli/tree.ts';
import * as books from '../books/cli/tree.ts';
import * as console from '../console/cli/tree.ts';
import { byWord } from '../core/by-word.ts';
import type { Group, Tree, TreeEntry } from '../frame/command-tree.ts';
import * as integration from '../integration/cli/tree.ts';
import type { Command } from '../payments/cli/command.ts';
import * as payments from '../payments/cli/tree.ts';
import * as profiles from '../profiles/cli/tree.ts';
import * as runs from '../runs/cli/tree.ts';
import * as sandbox from '../sandbox/cli/tree.ts';
import * as webhooks from '../webhooks/cli/tree.ts';

export interface Leaf {
  words: string;
  summary: string;
  load: () => Promise<Command<never>>;
}

const own: Tree = {
  commands: ['List every command and flag, for programs', () => import('./commands.ts')],
  completion: ['Print or install completion for your shell', () => import('./completion.ts')],
  help: ['Show help on a command or a topic', () => import('./help.ts')],
};

const slices: readonly { tree: Tree; groups?: Readonly<Record<string, string>> }[] = [
  { tree: own },
  agents,
  books,
  console,
  integration,
  payments,
  profiles,
  runs,
  sandbox,
  webhooks,
  // Its command stands in the group of another slice: after those of that slice.
  audit,
];

const ORDER = `
  demo login logout whoami profiles tx recipient batch approver books statement summary search sender reconcile balance
  validate-account rates currencies methods payout-method payin-method document mandate reports logs webhooks check sandbox
  api corridors mcp approve console doctor explain commands schema sign completion help history
`;
const words = ORDER.trim().split(/\s+/);

export const groups: Readonly<Record<string, string>> = byWord(
  Object.assign({}, ...slices.map((slice) => slice.groups)),
);

const isLeaf = (one: TreeEntry | Group): one is TreeEntry => Array.isArray(one);

/** Returns what the slices have under a word: a command, or the commands of a group. */
function under(word: string): TreeEntry | Group | undefined {
  const found = slices.map(({ tree }) => tree[word]).filter((one) => one !== undefined);
  return found.find(isLeaf) ?? (found.length > 0 ? byWord(Object.assign({}, ...found)) : undefined);
}

const tree = byWord(
  Object.fromEntries(words.map((word) => [word, under(word)]).filter(([, one]) => one)) as Tree,
);

const leaf = (words: string, [summary, load]: TreeEntry): Leaf => ({
  words,
  summary,
  load: async () => (await load()).command as Command<never>,
});

export const leaves: readonly Leaf[] = Object.entries(tree).flatMap(([first, one]) =>
  isLeaf(one)
    ? leaf(first, one)
    : Object.entries(one).map(([name, entry]) => leaf(`${first} ${name}`, entry)),
);

/** The words that may come next, with what they are; those of the root for ''. */
export const children = (group: string): [name: string, summary: string][] =>
  Object.entries(tree[group] ?? tree).map(([name, one]) => [
    name,
    isLeaf(one) ? one[0] : (groups[name] ?? ''),
  ]);
