/** Pieces that a page or an agent shows as they are: in the desk's words, with nothing left to work out. */
import * as z from 'zod/mini';
import { number, text, textOrNull, yesNo } from '../../frame/shape.ts';

/** A state in words, and how it looks: the colour says nothing that the word does not. */
export const state = z.object({ word: text, look: z.enum(['waiting', 'good', 'bad', 'over', 'plain']) });
export const line = z.object({ label: text, text });
export type Labelled = z.output<typeof line>;

/** Something that happened. An empty `at` is now. */
export const moment = z.object({ at: text, by: z.enum(['service', 'you']), text, note: textOrNull });
export type ToldMoment = z.output<typeof moment>;

/** A request of this machine that is not over. */
export const openRequest = z.object({
  /** The id of the intent, or of the run. */
  id: text,
  at: text,
  state,
  summary: text,
  note: textOrNull,
  who: textOrNull,
  recipient: textOrNull,
  /** The name of a pay run that waits for its approval. */
  run: textOrNull,
  /** Its outcome is unknown: it can be found out. */
  canSettle: yesNo,
});

/** A delivery of the inbox. */
export const delivery = z.object({
  /** Later ones are greater: a page that reads on names the last one that it has. */
  id: text,
  at: text,
  event: textOrNull,
  object: textOrNull,
  state,
  /** `again`, `late`, `from the log`; empty for most. */
  marks: text,
  tries: number,
  /** The handler's last answer, or the cause why it does not verify. */
  answer: textOrNull,
});
export type ToldDelivery = z.output<typeof delivery>;

/** A detail of the payout method that a correction may change; a masked one is never sent back. */
export const correctable = z.object({
  name: text,
  label: text,
  /** The value that stands, masked. */
  shown: text,
  /** The reason of the failure is about it. */
  isNamed: yesNo,
  options: z.nullable(z.array(z.object({ code: text, label: text }))),
});
export type Correctable = z.output<typeof correctable>;

/** A figure in a plot: the place is for its pixels alone. */
const point = z.object({ label: text, place: z.nullable(z.number()), text });
export type Point = z.output<typeof point>;

/** A text that may lead to another balance, to a payout, to a pay run, or to all that a search finds. */
const cell = z.union([
  text,
  z.object({ text, to: z.enum(['currency', 'payout', 'run', 'search']), of: text }),
]);
export type TextCell = z.output<typeof cell>;
/** A head that begins with `>` stands at the right. */
export const table = z.object({ heads: z.array(text), rows: z.array(z.array(cell)) });
export type TextTable = z.output<typeof table>;

/** A part of a month: a table of figures in words, with what proves and explains it. */
export const monthPart = z.extend(table, {
  title: text,
  proved: z.nullable(state),
  proof: z.array(line),
  plot: z.nullable(z.object({ as: z.enum(['steps', 'bars']), label: text, points: z.array(point) })),
  /** Says so where there is no row. */
  none: text,
  /** The words behind which the table is folded. */
  folded: textOrNull,
  /** Until when the books are complete, by the clock of this machine, as ISO 8601. */
  syncedAt: textOrNull,
});
export type MonthPart = z.output<typeof monthPart>;
