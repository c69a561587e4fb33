/** commander over the tree: stubs for every command, flags only for the one that runs. */
import { Command as Commander, CommanderError, Option } from 'commander';
import type { Command, Flag } from './command.ts';
import { type Failure, usage } from './failure.ts';
import { globalFlags } from './globals.ts';
import type { Streams } from './terminal/streams.ts';
import { groups, headingOf, type Leaf, leaves } from './tree.ts';

export { CommanderError };

const DESCRIPTION = `The partner's terminal for a cross-border money transfer service.
New here? remit demo shows the main job end to end on a sandbox of its own.`;

/** The program as far as `path` needs it: help of one group shows no other group's commands. */
export function buildProgram(streams: Streams, version: string, path: readonly string[] = []): Commander {
  const program = decorate(new Commander('remit').description(DESCRIPTION), streams).version(
    version,
    '-V, --version',
    'print the version',
  );
  const parents = new Map<string, Commander>();
  const add = (parent: Commander, name: string, summary: string): Commander => {
    const made = new Commander(name).summary(summary).helpCommand(false);
    parent.addCommand(path.includes(name) ? decorate(made.description(summary), streams) : made);
    return made;
  };
  for (const { words, summary } of leaves) {
    const [first = '', second] = words.split(' ');
    const parent =
      second === undefined ? program : (parents.get(first) ?? add(program, first, groups[first] ?? ''));
    if (second !== undefined) parents.set(first, parent);
    if (second !== undefined && path[0] !== first) continue;
    const made = add(parent, second ?? first, summary);
    const heading = headingOf(words);
    if (heading !== undefined) made.helpGroup(heading);
  }
  program.addHelpText(
    'after',
    '\nEvery command: remit COMMAND --help. Exit codes and environment: README.md',
  );
  return program;
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

/** commander's words as ours, its suggestion as the next step. */
export function fromCommander(error: CommanderError, otherwise = 'remit --help lists the commands'): Failure {
  const message = error.message.replace(/^error: /, '').trim();
  return usage(
    message.replace(/\s*\(Did you mean (?:one of )?(.+?)\?\)$/s, ''),
    suggestion(message) ?? otherwise,
  );
}

function suggestion(message: string): string | undefined {
  const found = /\(Did you mean (?:one of )?(.+?)\?\)/s.exec(message)?.[1];
  return found === undefined ? undefined : `did you mean ${found}?`;
}
