/** Questions and answers about pay runs. */
import * as z from 'zod/mini';
import { number, text, textOrNull, yesNo } from '../../frame/shape.ts';
import { line, table } from '../../payments/shapes/told.ts';
import { arrayOf, file, shortText } from './parts.ts';

/** The decisions about a run. What they do at the service is `settle_run` alone. */
export const RUN_ACTS = ['approve', 'reject', 'hold', 'release', 'settle_run'] as const;
export type RunAct = (typeof RUN_ACTS)[number];

const some = z.optional(shortText);

export const runFile = z.object({
  /** The name of the run. */
  name: shortText,
  file,
  /** The most that the run may cost, by currency; empty where it is not said yet. */
  maxInput: z.record(shortText, shortText),
  /** Taken by rows that leave them empty. */
  type: some,
  inputCurrency: some,
  sender: some,
  /** Changed payees that the user asked, each by its id. */
  asked: z.optional(z.array(z.string().check(z.maxLength(1_000))).check(z.maxLength(200))),
  /** An earlier run whose rows are paid again, though it is soon. */
  repeats: some,
});
export type RunFile = z.output<typeof runFile>;

export const filePlanned = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('faults'), faults: arrayOf(line), notes: arrayOf(text) }),
  z.object({ kind: z.literal('limit'), costs: arrayOf(line) }),
  /** Payees who are paid at another account than before, or at one of another payee: to be ticked. */
  z.object({ kind: z.literal('changed'), payees: table }),
  z.object({ kind: z.literal('planned'), name: text, lines: arrayOf(text), notes: arrayOf(text) }),
]);

export const runDetail = z.object({
  name: text,
  digest: text,
  /** The acts that may come next here; a signature is given in the terminal. */
  can: arrayOf(z.enum(RUN_ACTS)),
  /** Why it cannot be approved here; null where it can, or needs no approval. */
  whyNotHere: textOrNull,
  status: text,
  look: z.enum(['good', 'waiting', 'bad']),
  /** The page looks again by itself. */
  isUnderWay: yesNo,
  /** Rows that were sent, of all. */
  done: number,
  of: number,
  lines: arrayOf(line),
  notes: arrayOf(text),
  /** The rows that need action. */
  needing: table,
  more: textOrNull,
  /** The steps that may come next, as commands. */
  commands: arrayOf(line),
});
export type Run = z.output<typeof runDetail>;
