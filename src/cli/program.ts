/** commander over the tree: stubs for every command, flags only for the one that runs. */
import { Command as Commander, CommanderError, Option } from 'commander';
import type { Command, Flag } from './command.ts';
import { globalFlags } from './globals.ts';
import type { Streams } from './terminal/streams.ts';
import { groups, type Leaf, leaves } from './tree.ts';

export { CommanderError };

export interface Words {
  leaf: Leaf | undefined;
  /** Words that were recognised, also where they name a group only. */
  path: string[];
  rest: string[];
}

const TAKES_VALUE = new Set(
  globalFlags
    .filter(({ flags }) => flags.includes('<'))
    .flatMap(({ flags }) => flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))),
);

/** Finds the command's words wherever global flags stand before or between them. */
export function findWords(argv: readonly string[]): Words {
  const path: string[] = [];
  const rest: string[] = [];
  let open = true;
  for (let i = 0; i < argv.length; i++) {
    const token = argv[i] ?? '';
    if (open && token.startsWith('-') && token !== '-') {
      rest.push(token);
      if (TAKES_VALUE.has(token) && i + 1 < argv.length) rest.push(argv[++i] ?? '');
    } else if (open && continues([...path, token])) {
      path.push(token);
      open = leaves.every(({ words }) => words !== path.join(' '));
    } else {
      open = false;
      rest.push(token);
    }
  }
  return { leaf: leaves.find(({ words }) => words === path.join(' ')), path, rest };
}

function continues(path: string[]): boolean {
  const words = path.join(' ');
  return leaves.some((leaf) => leaf.words === words || leaf.words.startsWith(`${words} `));
}

const DESCRIPTION = `The partner's terminal for a cross-border money transfer service.
New here? remit demo shows the main job end to end on a sandbox of its own.`;

export function buildProgram(streams: Streams, version: string): Commander {
  const program = new Commander('remit')
    .description(DESCRIPTION)
    .version(version, '-V, --version', 'print the version');
  decorate(program, streams);
  const parents = new Map<string, Commander>();
  for (const { words, summary } of leaves) {
    const [first = '', second] = words.split(' ');
    const parent = second === undefined ? program : groupOf(program, parents, first, streams);
    decorate(
      parent
        .command(second ?? first)
        .summary(summary)
        .description(summary),
      streams,
    );
  }
  program.addHelpText(
    'after',
    '\nEvery command: remit COMMAND --help. Exit codes and environment: README.md',
  );
  return program;
}

function groupOf(
  program: Commander,
  parents: Map<string, Commander>,
  name: string,
  streams: Streams,
): Commander {
  const known = parents.get(name);
  if (known) return known;
  const made = decorate(
    program
      .command(name)
      .summary(groups[name] ?? '')
      .description(groups[name] ?? ''),
    streams,
  );
  parents.set(name, made);
  return made;
}

function decorate(command: Commander, streams: Streams): Commander {
  return command
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .showHelpAfterError(false)
    .configureOutput({
      writeOut: (text) => streams.out(text),
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(streams.columns, 110),
      getErrHelpWidth: () => Math.min(streams.columns, 110),
      getOutHasColors: () => streams.colour.stdout,
    });
}

/** Gives the one command that runs its arguments, flags and examples. */
export function equip(program: Commander, leaf: Leaf, command: Command<never>): Commander {
  const target = leaf.words
    .split(' ')
    .reduce<Commander>((at, word) => at.commands.find((c) => c.name() === word) ?? at, program);
  if (command.description !== undefined) target.description(`${leaf.summary}.\n\n${command.description}`);
  for (const { name, summary, optional, many } of command.args ?? []) {
    const shape = `${name}${many ? '...' : ''}`;
    target.argument(optional ? `[${shape}]` : `<${shape}>`, summary);
  }
  for (const flag of command.flags ?? []) target.addOption(optionOf(flag));
  for (const flag of globalFlags) target.addOption(optionOf(flag).helpGroup('Everywhere:'));
  if (command.examples && command.examples.length > 0) {
    target.addHelpText('after', `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`);
  }
  return target;
}

function optionOf({ flags, summary, choices, many }: Flag): Option {
  const option = new Option(flags, summary);
  if (choices) option.choices([...choices]);
  if (many) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}
