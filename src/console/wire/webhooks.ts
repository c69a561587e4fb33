/** Questions and answers about deliveries: the inbox as it fills, one delivery whole, and what is done with it. */
import * as z from 'zod/mini';
import { number, text, textOrNull, yesNo } from '../../frame/shape.ts';
import { delivery, line } from '../../payments/shapes/told.ts';
import { list, short } from './parts.ts';

/** The newest that a page keeps. */
export const MOST_DELIVERIES = 20_000;

export const deliveriesAfter = z.object({ after: short });
/** Told again and again: what is new, and what changed of what was told. */
export const deliveriesTold = z.object({
  /** The command that makes an inbox, where no listener ran here yet. */
  begin: textOrNull,
  /** Newest first. */
  rows: list(delivery),
  /** Ask so the next time, after a break. */
  after: short,
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
