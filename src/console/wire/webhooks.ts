/** Questions and answers about deliveries: the inbox as it fills, one delivery whole, and what is done with it. */
import * as z from 'zod/mini';
import { number, text, textOrNull, yesNo } from '../../frame/shape.ts';
import { delivery, line } from '../../payments/shapes/told.ts';
import { arrayOf, shortText } from './parts.ts';

/** The newest that a page keeps. */
export const MOST_DELIVERIES = 20_000;

export const deliveriesAfter = z.object({ after: shortText });
/** Told again and again: what is new, and what changed of what was told. */
export const deliveriesTold = z.object({
  /** The command that makes an inbox, where no listener ran here yet. */
  begin: textOrNull,
  /** Newest first. */
  rows: arrayOf(delivery),
  /** Ask so the next time, after a break. */
  after: shortText,
  backlog: z.object({ waiting: number, deadLetters: number }),
});

export const deliveryWhole = z.object({
  row: delivery,
  lines: arrayOf(line),
  headers: arrayOf(line),
  body: text,
  command: text,
  canReplay: yesNo,
});

export const compared = z.object({ said: text, missed: arrayOf(line) });

export const testEvent = z.object({ to: shortText, event: shortText });
