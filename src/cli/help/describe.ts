/** Every command as plain data, for programs and for completion. Loads all of them. */
import type { Command } from '../command.ts';
import type { Argument, Flag } from '../flags/flag.ts';
import { globalFlags } from '../flags/globals.ts';
import { type Leaf, leaves } from '../tree.ts';
import { exitsOf, fieldsOf } from './command-page.ts';

export interface DescribedFlag {
  long: string;
  short: string | null;
  /** What its value is called; null where it takes none. */
  value: string | null;
  summary: string;
  choices: string[];
  many: boolean;
  /** The variable that says the same. */
  env: string | null;
}

export interface DescribedCommand {
  words: string;
  summary: string;
  description: string | null;
  args: { name: string; summary: string; optional: boolean; many: boolean }[];
  flags: DescribedFlag[];
  /** The same for every command. */
  global_flags: DescribedFlag[];
  examples: string[];
  json_fields: string[];
  /** The most that it may do at the service; null where it never calls the service. */
  effect: string | null;
  exit_codes: number[];
}

export const describeCommands = (): Promise<DescribedCommand[]> =>
  Promise.all(leaves.map(async (leaf) => describe(leaf, await leaf.load())));

function describe({ words, summary }: Leaf, command: Command<never>): DescribedCommand {
  return {
    words,
    summary,
    description: command.description ?? null,
    args: (command.args ?? []).map(describeArgument),
    flags: (command.flags ?? []).map(describeFlag),
    global_flags: globalFlags.map(describeFlag),
    examples: [...(command.examples ?? [])],
    json_fields: fieldsOf(command),
    effect: command.effect ?? null,
    exit_codes: exitsOf(command).map(([code]) => code),
  };
}

const describeArgument = ({ name, summary, optional, many }: Argument) => ({
  name,
  summary,
  optional: optional ?? false,
  many: many ?? false,
});

function describeFlag(flag: Flag & { env?: string }): DescribedFlag {
  return {
    long: /--[a-z-]+/.exec(flag.flags)?.[0] ?? flag.flags,
    short: /^-[a-zA-Z]/.exec(flag.flags)?.[0] ?? null,
    value: /<([^>]+)>/.exec(flag.flags)?.[1] ?? null,
    summary: flag.summary,
    choices: [...(flag.choices ?? [])],
    many: flag.many ?? false,
    env: flag.env ?? null,
  };
}
