/** The shapes of the view Month. */
import * as z from 'zod/mini';
import { line, list, state, text, textOrNull } from './parts.ts';

/** A figure in a plot: the place is for its pixels alone. */
const point = z.object({ label: text, place: z.nullable(z.number()), text });
export type Point = z.output<typeof point>;

/** A part of a month: a table of figures in words, with what proves and explains it. */
export const monthPart = z.object({
  title: text,
  proved: z.nullable(state),
  proof: list(line),
  plot: z.nullable(z.object({ as: z.enum(['steps', 'bars']), label: text, points: list(point) })),
  /** One that begins with `>` stands at the right. */
  heads: list(text),
  /** A cell may lead to another balance, to a payout, or to all that a search finds. */
  rows: list(
    list(z.union([text, z.object({ text, to: z.enum(['currency', 'payout', 'search']), of: text })])),
  ),
  /** Says so where there is no row. */
  none: text,
  /** The words behind which the table is folded. */
  folded: textOrNull,
  notes: list(text),
  command: textOrNull,
  /** Until when the books are complete, by the clock of this machine. */
  syncedAt: textOrNull,
});
export type MonthPart = z.output<typeof monthPart>;
