/** Help of one command, from what its file declares. */
import type { Command } from '../command.ts';
import { type ExitCode, exitCodeMeanings, exitCodes } from '../exit-codes.ts';
import type { Argument } from '../flags/flag.ts';
import type { Leaf } from '../tree.ts';
import { environmentOf } from './environment.ts';
import { flagRow, globalRows, helpRow } from './flag-rows.ts';
import type { Page, Row } from './layout.ts';

export function commandPage({ words, summary }: Leaf, command: Command<never>): Page {
  const { description, args = [], flags = [], examples = [] } = command;
  const own = [description ?? '', ...flags.map((flag) => flag.summary)].join(' ');
  return {
    intro: description === undefined ? `${summary}.` : `${summary}.\n\n${description}`,
    sections: [
      { head: 'Usage', text: usageLine(words, command) },
      { head: 'Arguments', rows: args.map((arg): Row => [shapeOf(arg), arg.summary]) },
      { head: 'Flags', rows: [...flags.map(flagRow), helpRow] },
      { head: 'Global flags', rows: globalRows() },
      { head: 'JSON fields', text: fieldsOf(command).join(', ') },
      { head: 'Examples', typed: examples },
      { head: 'Environment', rows: environmentOf(command.effect !== undefined, own) },
      { head: 'Exit codes', rows: exitsOf(command).map(([code, said]): Row => [String(code), said]) },
      { head: 'Learn more', rows: learnMore(words) },
    ],
  };
}

const shapeOf = ({ name, optional, many }: Argument): string => {
  const shape = `${name}${many ? '...' : ''}`;
  return optional ? `[${shape}]` : `<${shape}>`;
};

export const usageLine = (words: string, { args = [] }: Command<never>): string =>
  ['remit', words, ...args.map(shapeOf), '[FLAGS]'].join(' ');

/** What `--fields` can name: columns, then the other members of the record. */
export function fieldsOf({ shows = [] }: Command<never>): string[] {
  const columns = shows.flatMap(({ columns, flat = [] }) => [...columns, ...flat].map(({ name }) => name));
  return [...new Set([...columns, ...shows.flatMap((view) => view.members?.() ?? [])])];
}

const ANY: readonly ExitCode[] = [exitCodes.ok, exitCodes.failed, exitCodes.usage, exitCodes.config];
const CALLS: readonly ExitCode[] = [
  exitCodes.auth,
  exitCodes.notFound,
  exitCodes.temporary,
  exitCodes.interrupted,
];
const WRITES: readonly ExitCode[] = [exitCodes.validation, exitCodes.unknown];

/** Those that it can end with, with what they mean. */
export function exitsOf({ effect, exits = [] }: Command<never>): (readonly [ExitCode, string])[] {
  const can = new Set([
    ...ANY,
    ...(effect === undefined ? [] : CALLS),
    ...(effect === undefined || effect === 'read' ? [] : WRITES),
    ...exits,
  ]);
  return exitCodeMeanings.filter(([code]) => can.has(code));
}

function learnMore(words: string): Row[] {
  const [group, name] = words.split(' ');
  return [
    ...(name === undefined ? [] : [[`remit ${group} --help`, 'the commands beside it'] as const]),
    ['remit help output', 'formats, --fields and --query'],
    ['remit help exit-codes', 'what scripts can rely on'],
  ];
}
