/** What one command file declares: words for help, flags, a pure step from argv to options, and the work. */
import type { Effect } from '../contract/operations/operation.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';
import type { View } from './terminal/view.ts';

export interface Argument {
  name: string;
  summary: string;
  optional?: boolean;
  many?: boolean;
}

export interface Flag {
  /** As commander writes it: `-f, --file <path>`, `--fund`, `--no-browser`. */
  flags: string;
  summary: string;
  choices?: readonly string[];
  /** May be given several times, collected in order. */
  many?: boolean;
}

export interface Input {
  args: string[];
  flags: Record<string, unknown>;
}

export interface Command<Options = unknown> {
  description?: string;
  args?: readonly Argument[];
  flags?: readonly Flag[];
  examples?: readonly string[];
  /** The views that it prints: help lists what `--fields` can name. */
  // biome-ignore lint/suspicious/noExplicitAny: views of any rows
  shows?: readonly View<any>[];
  /** The most that it may do at the service; absent where it never calls the service. */
  effect?: Effect;
  /** Exit codes beside those that follow from its effect. */
  exits?: readonly ExitCode[];
  /** Pure: argv in, typed options out. @throws Failure (usage) */
  read(input: Input): Options;
  run(context: Context, options: Options): Promise<Result>;
}

/** What a command hands to the renderer. Nothing is printed before it but progress, on stderr. */
export type Result =
  // biome-ignore lint/suspicious/noExplicitAny: a result pairs any row with the view of its own kind
  | { view: View<any>; data: unknown; exit?: ExitCode; notes?: readonly string[] }
  /** Already written by the command itself, line by line. */
  | { done: true; exit?: ExitCode };

export function command<Options>(declared: Command<Options>): Command<Options> {
  return declared;
}

export function result<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rest: { exit?: ExitCode; notes?: readonly string[] } = {},
): Result {
  return { view, data, ...rest };
}

export const flagText = (input: Input, name: string): string | undefined => {
  const value = input.flags[name];
  return typeof value === 'string' ? value : undefined;
};
export const flagOn = (input: Input, name: string): boolean => input.flags[name] === true;
export const flagMany = (input: Input, name: string): string[] => {
  const value = input.flags[name];
  return Array.isArray(value) ? value.map(String) : [];
};
