/** The sections of a page of help beside usage, arguments, flags and commands, which commander lists. */

import { type ExitCode, exitCodeMeanings, exitCodes } from '../../frame/exit-codes.ts';
import type { Section } from '../../frame/help/look.ts';
import { type TopicRow, topicRows } from '../../frame/help/topics.ts';
import type { Command } from '../../payments/cli/command.ts';

export const rootSections = (): Section[] => [
  { head: 'Help topics', rows: topicRows('remit help ') },
  { head: 'Examples', typed: ['remit demo', 'remit sandbox start', 'remit balance', 'remit tx create'] },
  {
    head: 'Learn more',
    rows: [
      ['remit COMMAND --help', 'what a command takes, with examples'],
      ['remit commands -o json', 'every command and flag, for programs'],
    ],
  },
];

const FLAGS: TopicRow = ['remit help flags', 'flags and variables that every command takes'];

export const groupSections = (group: string): Section[] => [
  {
    head: 'Learn more',
    rows: [
      [`remit ${group} COMMAND --help`, 'what a command takes, with examples'],
      FLAGS,
      ['remit help', 'all commands, and topics'],
    ],
  },
];

export function leafSections(words: string, command: Command<never>): Section[] {
  return [
    { head: 'JSON fields', text: outputFields(command).join(', ') },
    { head: 'Examples', typed: command.examples ?? [] },
    { head: 'Learn more', rows: learnMore(words, command) },
  ];
}

function learnMore(words: string, command: Command<never>): TopicRow[] {
  const [group, name] = words.split(' ');
  const codes = exitsOf(command).map(([code]) => code);
  return [
    FLAGS,
    ['remit help output', 'formats, --fields and --query'],
    ['remit help exit-codes', `what the exit codes mean: ${codes.join(', ')}`],
    ...(name === undefined ? [] : [[`remit ${group} --help`, 'the other commands of this group'] as const]),
  ];
}

/** Returns the names that `--fields` takes: columns, then the other members of the record. */
export function outputFields({ shows = [] }: Command<never>): string[] {
  const columns = shows.flatMap(({ columns, flat = [] }) => [...columns, ...flat].map(({ name }) => name));
  return [...new Set([...columns, ...shows.flatMap(({ shape, also = [] }) => [...shape.members, ...also])])];
}

const ANY: readonly ExitCode[] = [exitCodes.ok, exitCodes.failed, exitCodes.usage, exitCodes.config];
const CALLS: readonly ExitCode[] = [
  exitCodes.auth,
  exitCodes.notFound,
  exitCodes.temporary,
  exitCodes.interrupted,
];
const WRITES: readonly ExitCode[] = [exitCodes.validation, exitCodes.unknown];

/** Returns the exit codes that a command can end with, with what they mean. */
export function exitsOf({ effect, exits = [] }: Command<never>): (readonly [ExitCode, string])[] {
  const can = new Set([
    ...ANY,
    ...(effect === undefined ? [] : CALLS),
    ...(effect === undefined || effect === 'read' ? [] : WRITES),
    ...exits,
  ]);
  return exitCodeMeanings.filter(([code]) => can.has(code));
}
