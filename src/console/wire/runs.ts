/** Questions and answers about pay runs. */
import * as z from 'zod/mini';
import { line, list, text, textOrNull, yesNo } from './parts.ts';

/** The decisions about a run. What they do at the service is `settle_run` alone. */
export const RUN_ACTS = ['approve', 'reject', 'hold', 'release', 'settle_run'] as const;
export type RunAct = (typeof RUN_ACTS)[number];

/** A pay run in a list. */
export const listedRun = z.object({
  name: text,
  id: text,
  status: text,
  rows: text,
  at: text,
  approved: textOrNull,
  held: textOrNull,
});

/** A row of a run that needs somebody. */
const runRow = z.object({
  n: text,
  key: text,
  name: textOrNull,
  account: textOrNull,
  amount: text,
  state: text,
  why: textOrNull,
  who: textOrNull,
  recipient: textOrNull,
});
export type RunRow = z.output<typeof runRow>;

export const run = z.object({
  name: text,
  digest: text,
  /** The acts that may come next here; a signature is given in the terminal. */
  can: list(z.enum(RUN_ACTS)),
  /** Why it cannot be approved here; null where it can, or needs no approval. */
  whyNotHere: textOrNull,
  status: text,
  look: z.enum(['good', 'waiting', 'bad']),
  /** The page looks again by itself. */
  isUnderWay: yesNo,
  /** Rows that were sent, of all. */
  done: z.number(),
  of: z.number(),
  lines: list(line),
  notes: list(text),
  rows: list(runRow),
  more: textOrNull,
  /** The steps that may come next, as commands. */
  commands: list(line),
});
export type Run = z.output<typeof run>;
