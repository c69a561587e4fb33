/** Questions and answers about deliveries: the inbox as it fills, one delivery whole, and what is done with it. */
import * as z from 'zod/mini';
import { number, text, textOrNull, yesNo } from '../../desk/shapes/shape.ts';
import { line, state } from '../../desk/shapes/told.ts';
import { list, short } from './parts.ts';

const delivery = z.object({
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
export type Delivery = z.output<typeof delivery>;

/** The newest that a page keeps. */
export const MOST_DELIVERIES = 20_000;

export const deliveriesAfter = z.object({ after: short });
/** Told again and again: what is new, and what changed of what was told. */
export const deliveriesTold = z.object({
  /** The command that makes an inbox, where no listener ran here yet. */
  begin: textOrNull,
  /** Newest first. */
  rows: list(delivery),
  backlog: z.object({ waiting: number, deadLetters: number }),
});

export const deliveryWhole = z.object({
  row: delivery,
  lines: list(line),
  headers: list(line),
  body: text,
  command: text,
  canReplay: yesNo,
});

export const compared = z.object({ said: text, missed: list(line) });

export const testEvent = z.object({ to: short, event: short });
