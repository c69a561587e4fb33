/** Every command as plain data, from the whole tree, for programs and for completion. */
import type { Argument } from 'commander';
import type { Flag } from '../flags/flag.ts';
import { globalFlags } from '../flags/globals.ts';
import { FlagOption } from '../flags/option.ts';
import { type Grown, wholeTree } from '../program.ts';
import type { DescribedArgument, DescribedCommand, DescribedFlag } from './described.ts';
import { exitsOf, fieldsOf } from './sections.ts';

export const describeCommands = async (): Promise<DescribedCommand[]> =>
  (await wholeTree()).commands.map(describe);

const isGlobal = (flag: Flag): boolean => Object.values<Flag>(globalFlags).includes(flag);

function describe({ leaf: { words, summary }, command, node }: Grown): DescribedCommand {
  const flags = node.options.filter((option) => option instanceof FlagOption);
  return {
    words,
    summary,
    description: command.description ?? null,
    args: node.registeredArguments.map(describeArgument),
    flags: flags.filter(({ flag }) => !isGlobal(flag)).map(describeFlag),
    global_flags: flags.filter(({ flag }) => isGlobal(flag)).map(describeFlag),
    examples: [...(command.examples ?? [])],
    json_fields: fieldsOf(command),
    effect: command.effect ?? null,
    local: command.local ?? 'read',
    exit_codes: exitsOf(command).map(([code]) => code),
  };
}

const describeArgument = (argument: Argument): DescribedArgument => ({
  name: argument.name(),
  summary: argument.description,
  optional: !argument.required,
  many: argument.variadic,
});

const describeFlag = ({ long, short, flags, description, argChoices, flag }: FlagOption): DescribedFlag => ({
  long: long ?? flags,
  short: short ?? null,
  value: /<([^<>]+)>/.exec(flags)?.[1] ?? null,
  summary: description,
  choices: argChoices ?? [],
  many: flag.many ?? false,
  env: flag.env ?? null,
});
