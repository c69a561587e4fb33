/** The result of a command: rows with the view of their kind. */
import type { Hint } from '../../core/next.ts';
import type { ExitCode } from '../../frame/exit-codes.ts';
import type { TotalRows } from '../../frame/terminal/rendering.ts';
import type { ListMeta, View } from '../../frame/terminal/view.ts';

/** Any row with the view of its own kind. */
export interface ResultRow {
  // biome-ignore lint/suspicious/noExplicitAny: a result pairs any row with the view of its own kind
  view: View<any>;
  data: unknown;
  exit?: ExitCode;
  notes?: readonly Hint[];
  meta?: ListMeta | undefined;
  totals?: TotalRows | undefined;
  /** Goes on with a person at a terminal from the records that were shown. Its own result is shown behind it. */
  goOn?: GoOn;
}

/** The result that a command hands to the renderer. Nothing is printed before it but progress, on stderr. */
export type Result =
  | ResultRow
  /** Already written by the command itself, line by line. */
  | { done: true; exit?: ExitCode };

type GoOn = (() => Promise<Result>) | undefined;

export function result<Row>(
  view: View<Row>,
  data: Row | readonly Row[],
  rest: Omit<ResultRow, 'view' | 'data'> = {},
): Result {
  return { view, data, ...rest };
}

/** A list that is shown to its end. */
export const wholeList = <Row>(
  view: View<Row>,
  rows: readonly Row[],
  rest: { exit?: ExitCode; notes?: readonly Hint[] } = {},
): Result => result(view, rows, { ...rest, meta: metaOfWhole(rows) });

const metaOfWhole = ({ length }: readonly unknown[]): ListMeta => ({
  complete: true,
  looked_at: length,
  total: length,
});
