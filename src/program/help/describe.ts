/** Every command as plain data, from the whole tree, for programs and for completion. */
import type { Argument } from 'commander';
import * as z from 'zod/mini';
import type { Flag } from '../../frame/flags/flag.ts';
import { globalFlags } from '../../frame/flags/globals.ts';
import { FlagOption } from '../../frame/flags/option.ts';
import type { DescribedCommand, DescribedFlag, DescribedShape } from '../../frame/help/described.ts';
import type { Shape } from '../../frame/shape.ts';
import type { Command } from '../../payments/cli/command.ts';
import { type Grown, wholeTree } from '../program.ts';
import { exitsOf, outputFields } from './sections.ts';

export const describeCommands = async (): Promise<DescribedCommand[]> =>
  (await wholeTree()).commands.map(describe);

/** Each shape once, by its kind, with the commands that print it. */
export async function describeShapes(): Promise<DescribedShape[]> {
  const all = new Map<Shape, string[]>();
  for (const { command, leaf } of (await wholeTree()).commands)
    for (const shape of shapesOf(command)) all.set(shape, [...(all.get(shape) ?? []), leaf.words]);
  return [...all]
    .map(([{ kind, version, schema }, commands]) => ({
      kind,
      version,
      commands,
      schema: jsonSchemaOf(schema),
    }))
    .sort((one, other) => (one.kind < other.kind ? -1 : 1));
}

const shapesOf = ({ shows = [], tells = [] }: Command<never>): Shape[] => [
  ...new Set([...shows.map(({ shape }) => shape), ...tells]),
];

/** Describes the record that is printed, where amounts of the service are decimal texts. */
const jsonSchemaOf = (schema: z.core.$ZodType): Record<string, unknown> =>
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'transform') jsonSchema.type = 'string';
    },
  });

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
    json_fields: outputFields(command),
    results: shapesOf(command).map(({ kind, version }) => ({ kind, version })),
    effect: command.effect ?? null,
    local: command.local ?? 'read',
    exit_codes: exitsOf(command).map(([code]) => code),
  };
}

const describeArgument = (argument: Argument): DescribedCommand['args'][number] => ({
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
