/** Help on what holds for all commands. Help on a command by its words never comes here. */

import { nearest } from '../../core/distance.ts';
import { type Problem, usage } from '../../core/problem.ts';
import { helpShape } from '../../desk/shapes/machine.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { command, result } from '../command.ts';
import { exitCodeMeanings } from '../exit-codes.ts';
import { environmentRows } from '../help/environment.ts';
import { globalFlagRows } from '../help/look.ts';
import { isTopic, type Row as Pair, type Topic, topics } from '../help/topics.ts';
import { formatRows } from '../terminal/format.ts';
import type { View } from '../terminal/view.ts';

export { help as command };

type Row = DataOf<typeof helpShape>;

const view: View<Row> = {
  shape: helpShape,
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'meaning', get: (row) => row.meaning, wrap: true },
  ],
};

const output: readonly Pair[] = [
  ...formatRows,
  ['--fields a,b.c', 'only these members; the help of a command lists them under JSON fields'],
  [
    '--query EXPRESSION',
    "a JMESPath expression over `data`. One that takes each record alone ([*].id, [?state=='paid'].id) reads a list of any length; any other (length, sort_by, [0]) reads 25,000 records at most",
  ],
  [
    '--query and amounts',
    "amounts are decimal strings. They are added and compared exactly: sum([].input_amount), [?input_amount > '100'], sort_by([], &input_amount); avg is rounded to 10 decimals; to_number makes a number of an amount",
  ],
];

const rowsOf: Readonly<Record<Topic, () => readonly Pair[]>> = {
  'exit-codes': () => exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
  flags: () => [
    ...globalFlagRows(),
    ['-h, --help', 'show the help of a command'],
    ['-V, --version', 'print the version'],
    ['remit help environment', 'all variables, those of the connection too'],
  ],
  environment: environmentRows,
  output: () => output,
};

const names = Object.keys(topics).join(', ');

const help = command({
  description: `Topics: ${names}. For a command: remit help COMMAND, or remit COMMAND --help.`,
  args: [{ name: 'TOPIC', summary: `${names}, or a command's words`, optional: true, many: true }],
  examples: ['remit help exit-codes', 'remit help tx create'],
  shows: [view],
  read: (input): { topic: string } => ({ topic: input.args.join(' ') }),
  async run({ world }, { topic }) {
    if (!isTopic(topic)) throw unknownTopic(topic, (await world.tree?.names()) ?? []);
    return result(
      view,
      rowsOf[topic]().map(([name, meaning]) => ({ name, meaning })),
    );
  },
});

function unknownTopic(topic: string, commands: readonly string[]): Problem {
  const near = nearest(topic, [...Object.keys(topics), ...commands]);
  const hint = `topics: ${names}; for a command: remit help COMMAND`;
  return usage(`there is no topic "${topic}"`, near[0] ? `did you mean remit help ${near[0]}?` : hint);
}
