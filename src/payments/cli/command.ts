/** A command file declares words for help, flags, a pure step from argv to options, and the work. */
import type { Effect } from '../../core/effect.ts';
import type { Said } from '../../core/next.ts';
import type { ExitCode } from '../../frame/exit-codes.ts';
import type { Argument, Flags, Input } from '../../frame/flags/flag.ts';
import type { globalFlags } from '../../frame/flags/globals.ts';
import type { Shape } from '../../frame/shape.ts';
import type { TotalRows } from '../../frame/terminal/rendering.ts';
import type { ListMeta, View } from '../../frame/terminal/view.ts';
import type { Context } from './context.ts';

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

/** Any row with the view of its own kind. */
export interface Shown {
  // biome-ignore lint/suspicious/noExplicitAny: a result pairs any row with the view of its own kind
  view: View<any>;
  data: unknown;
  exit?: ExitCode;
  notes?: readonly Said[];
  meta?: ListMeta | undefined;
  totals?: TotalRows | undefined;
  /** Goes on with a person at a terminal from the records that were shown. Its own result is shown behind it. */
  goOn?: GoOn;
}

/** The result that a command hands to the renderer. Nothing is printed before it but progress, on stderr. */
export type Result =
  | Shown
  /** Already written by the command itself, line by line. */
  | { done: true; exit?: ExitCode };

type GoOn = (() => Promise<Result>) | undefined;

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

export function result<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rest: Omit<Shown, 'view' | 'data'> = {},
): Result {
  return { view, data, ...rest };
}

/** A list that is shown to its end. */
export const wholeList = <Row>(
  view: View<Row>,
  rows: readonly Row[],
  rest: { exit?: ExitCode; notes?: readonly Said[] } = {},
): Result => result(view, rows, { ...rest, meta: metaOfWhole(rows) });

const metaOfWhole = ({ length }: readonly unknown[]): ListMeta => ({
  complete: true,
  looked_at: length,
  total: length,
});
