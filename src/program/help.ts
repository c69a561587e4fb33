/** Help on what holds for all commands. Help on a command by its words never comes here. */

import { nearest } from '../core/distance.ts';
import { type Problem, usage } from '../core/problem.ts';
import { exitCodeMeanings } from '../frame/exit-codes.ts';
import { longName } from '../frame/flags/flag.ts';
import { type GlobalFlag, globalFlags } from '../frame/flags/globals.ts';
import { globalFlagRows } from '../frame/help/look.ts';
import { helpShape } from '../frame/help/shapes.ts';
import { isTopic, type Topic, type TopicRow, topics } from '../frame/help/topics.ts';
import type { DataOf } from '../frame/shape.ts';
import { formatRows } from '../frame/terminal/format.ts';
import type { View } from '../frame/terminal/view.ts';
import { defineCommand } from '../payments/cli/command.ts';
import { result } from '../payments/cli/result.ts';

type Line = DataOf<typeof helpShape>;

const view: View<Line> = {
  shape: helpShape,
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'meaning', get: (row) => row.meaning, wrap: true },
  ],
};

const output: readonly TopicRow[] = [
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

const rowsOf: Readonly<Record<Topic, () => readonly TopicRow[]>> = {
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

export const command = defineCommand({
  description: `Topics: ${names}. For a command: remit help COMMAND, or remit COMMAND --help.`,
  args: [{ name: 'TOPIC', summary: `${names}, or a command's words`, optional: true, many: true }],
  examples: ['remit help exit-codes', 'remit help tx create'],
  shows: [view],
  read: (input) => ({ topic: input.args.join(' ') }),
  async run({ process }, { topic }) {
    if (!isTopic(topic)) throw unknownTopic(topic, (await process.tree?.names()) ?? []);
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

const CONNECTION: readonly TopicRow[] = [
  ['REMIT_BASE_URL', 'the URL of the service; with the next two it is enough for any command'],
  ['REMIT_API_KEY', 'the API key'],
  ['REMIT_API_SECRET', 'the API secret'],
  ['REMIT_REPORTS_URL', 'where the service keeps its own reports; goes with the three'],
  ['REMIT_PARTNER_PATH', 'the segment before /balance for balance --partner; goes with the three'],
  ['REMIT_PROFILE', 'which profile to use, where none of the three is set'],
];

const OWN: readonly TopicRow[] = [
  ['REMIT_PUBLIC_URL', 'the registered URL, for webhooks listen and verify'],
  ['REMIT_CONFIG_DIR', 'the folder of settings, secrets and journal'],
  ['REMIT_APPROVER_PASSPHRASE_FILE', 'a file with the passphrase of an approver’s key'],
  [
    'REMIT_STORE',
    'the file of the journal and of ids seen before; or postgres://… for pay runs and webhooks received',
  ],
];

const SHARED: readonly TopicRow[] = [
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'honoured; this machine is never reached through a proxy'],
  ['NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE', 'honoured; REMIT_COLOR and --color win over them'],
  ['CI', 'where it is set, names are masked too, unless --reveal is given'],
  ['XDG_CONFIG_HOME', 'settings are in its folder remit, unless REMIT_CONFIG_DIR is set'],
];

/** Every variable that remit reads. Those that stand for a flag are told by the flag (globals.ts). */
function environmentRows(): TopicRow[] {
  const told = new Set(CONNECTION.map(([name]) => name));
  const flags = Object.entries<GlobalFlag>(globalFlags).flatMap(([key, { env }]): TopicRow[] =>
    env === undefined || told.has(env) ? [] : [[env, `the same as ${longName(key)}`]],
  );
  return [...CONNECTION, ...flags, ...OWN, ...SHARED];
}
