/** argv of one command, read by commander. Help and suggestions are ours: the same everywhere. */
import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Problem, usage } from '../core/problem.ts';
import type { Command } from './command.ts';
import type { Flag, Input } from './flags/flag.ts';
import { globalFlags } from './flags/globals.ts';
import type { Leaf } from './tree.ts';

/** @throws Problem (usage) */
export async function parseCommand(
  leaf: Leaf,
  command: Command<never>,
  tokens: readonly string[],
): Promise<Input | 'help'> {
  const program = programOf(command);
  try {
    program.parse([...tokens], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 'help';
    throw await asUsage(error, leaf, command);
  }
  for (const [index, { name, optional }] of (command.args ?? []).entries()) {
    if (!optional && (program.args[index] ?? '').trim() === '') throw usage(`${name} cannot be empty`);
  }
  return { args: program.args, flags: program.opts() };
}

function programOf({ args = [], flags = [] }: Command<never>): Commander {
  const program = new Commander('remit')
    .exitOverride()
    .helpOption('-h, --help')
    .helpCommand(false)
    .showHelpAfterError(false)
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const { name, optional, many } of args) {
    const shape = `${name}${many ? '...' : ''}`;
    program.argument(optional ? `[${shape}]` : `<${shape}>`);
  }
  for (const flag of [...flags, ...globalFlags]) program.addOption(optionOf(flag));
  // Without an action commander takes any number of arguments.
  return program.action(() => {});
}

function optionOf({ flags, summary, choices, many }: Flag): Option {
  const option = new Option(flags, summary);
  if (choices) option.choices([...choices]);
  if (many)
    option.argParser((value: string, before: string[] | undefined) => {
      if (choices && !choices.includes(value))
        throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
      return [...(before ?? []), value];
    });
  return option;
}

/** commander's words as ours, and the next step. */
async function asUsage(error: CommanderError, leaf: Leaf, command: Command<never>): Promise<Problem> {
  const message = error.message.replace(/^error: /, '').trim();
  const [{ flagHint }, { usageLine }] = await Promise.all([
    import('./help/unknown.ts'),
    import('./help/command-page.ts'),
  ]);
  const unknown = /^unknown option '([^']+)'/.exec(message)?.[1];
  if (unknown !== undefined) return usage(message, await flagHint(unknown, leaf, command));
  const lacks = error.code === 'commander.missingArgument' || error.code === 'commander.excessArguments';
  return usage(
    message,
    lacks ? usageLine(leaf.words, command) : `remit ${leaf.words} --help shows what it takes`,
  );
}
