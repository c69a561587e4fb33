/** Commands as plain data: for programs, for completion, and for the commands that print the tree. */
import type { Effect } from '../../contract/operations/operation.ts';
import type { ExitCode } from '../exit-codes.ts';

export interface DescribedCommand {
  words: string;
  summary: string;
  description: string | null;
  args: DescribedArgument[];
  flags: DescribedFlag[];
  /** The same for every command. */
  global_flags: DescribedFlag[];
  examples: string[];
  json_fields: string[];
  /** The most that it may do at the service; null where it never calls the service. */
  effect: Effect | null;
  /** The most that it does to what remit keeps. */
  local: 'read' | 'write' | 'destructive';
  exit_codes: ExitCode[];
}

export interface DescribedArgument {
  name: string;
  summary: string;
  optional: boolean;
  many: boolean;
}

export interface DescribedFlag {
  long: string;
  short: string | null;
  /** The word for its value; null where it takes none. */
  value: string | null;
  summary: string;
  choices: readonly string[];
  many: boolean;
  /** The variable that says the same. */
  env: string | null;
}

/** The tree itself, handed to the commands that print it: they cannot import what loads them. */
export interface CommandTree {
  /** The first words: commands and groups. */
  names(): Promise<readonly string[]>;
  describe(): Promise<DescribedCommand[]>;
}
