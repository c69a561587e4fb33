/** A command file declares words for help, flags, a pure step from argv to options, and the work. */
import type { Effect } from '../../core/effect.ts';
import type { ExitCode } from '../../frame/exit-codes.ts';
import type { Argument, Flags, Input } from '../../frame/flags/flag.ts';
import type { globalFlags } from '../../frame/flags/globals.ts';
import type { Shape } from '../../frame/shape.ts';
import type { View } from '../../frame/terminal/view.ts';
import type { Context } from './context.ts';
import type { Result } from './result.ts';

export interface Command<Options = unknown> {
  description?: string;
  args?: readonly Argument[];
  flags?: Flags;
  examples?: readonly string[];
  /** The views that it prints: help lists what `--fields` can name. */
  // biome-ignore lint/suspicious/noExplicitAny: views of any rows
  shows?: readonly View<any>[];
  /** It prints rows, so that -o can make a file of them. */
  isTabular?: true;
  /** The lines of a stream that have no columns: JSON for a program, sentences for a person. */
  tells?: readonly Shape[];
  /** The most that it may do at the service; absent where it never calls the service. A write above it does not begin (`checkPass`). */
  effect?: Effect;
  /**
   * The most that it does to what remit keeps: settings, keys, pay runs, books, inbox. Absent where it does nothing to them. The journal of its own
   * writes does not count, nor what is kept for speed, nor a file that the caller names.
   */
  local?: 'write' | 'destructive';
  /** Exit codes beside those that follow from its effect. */
  exits?: readonly ExitCode[];
  /** Pure: argv in, typed options out. @throws Problem (usage) */
  // biome-ignore lint/suspicious/noExplicitAny: the input of its own flags (`defineCommand`)
  read(input: Input<any>): Options;
  run(context: Context, options: Options): Promise<Result>;
}

/** Types what `read` gets by the flags that are declared. */
export function defineCommand<Options, const F extends Flags = Record<never, never>>(
  declared: Omit<Command<Options>, 'flags' | 'read'> & {
    flags?: F;
    read(input: Input<F & typeof globalFlags>): Options;
  },
): Command<Options> {
  return declared;
}

/** The options that the `read` of a command returns. Its `run` writes down its own result where a function that it calls takes this type. */
export type OptionsOf<C> = C extends Command<infer Options> ? Options : never;
