/**
 * Problems tell the caller why something was not done: one type, one shape, one category. A face adds its own words.
 */
import type { Hint } from './next.ts';

export type Category =
  | 'usage'
  | 'auth'
  | 'validation'
  | 'not_found'
  | 'conflict'
  | 'network'
  | 'server'
  | 'unknown'
  | 'pending'
  | 'signature'
  | 'check'
  | 'config'
  | 'internal'
  | 'interrupted';

export interface FieldProblem {
  /** Dotted from the resource down: `recipients.0.payout_method.bank_code`; `base` for the whole. */
  path: string;
  words: string[];
}

export type OutcomeWord = 'not applied' | 'applied' | 'unknown';

export interface ProblemFacts {
  category: Category;
  /** A machine word, stable across versions: `recipient_not_cancellable`. */
  code: string;
  message: string;
  /** The next step for the user. */
  hint?: Hint | undefined;
  outcome?: OutcomeWord | undefined;
  /** Said behind the outcome: `(nothing was sent)`. */
  outcomeNote?: string | undefined;
  status?: number | undefined;
  fields?: FieldProblem[] | undefined;
  requestId?: string | undefined;
  retryable?: boolean | undefined;
  /** The file that a problem of settings or secrets is about. */
  file?: string | undefined;
  /** The writes that were applied all the same, where the result could not be shown. */
  applied?: readonly { intent: string; id: string | null; external_id: string | null }[] | undefined;
}

export class Problem extends Error {
  override readonly name: string = 'Problem';
  readonly facts: ProblemFacts;
  constructor(facts: ProblemFacts, options?: ErrorOptions) {
    super(facts.message, options);
    // Words, outcome and category agree: whatever led to it, what is unknown ends as unknown.
    this.facts = facts.outcome === 'unknown' ? { ...facts, category: 'unknown' } : facts;
  }
}

interface More extends Omit<ProblemFacts, 'category' | 'code' | 'message' | 'outcomeNote'> {
  /** Said behind the outcome, which is `not applied` unless another is given. */
  note?: string | undefined;
  /** Refused by the compiler in what is spread too: it is `note` here. */
  outcomeNote?: never;
  cause?: unknown;
}

/** Makes a problem: `throw refuse('usage', 'no_rows', 'the file has no rows', { note: 'nothing was sent' })`. */
export const refuse = (
  category: Category,
  code: string,
  message: string,
  { note, cause, ...more }: More = {},
): Problem => {
  // An outcome that is given as undefined stays so: a read has none.
  const outcome = note === undefined ? {} : { outcome: 'not applied' as const, outcomeNote: note };
  const facts = { category, code, message, ...outcome, ...more };
  return new Problem(facts, cause === undefined ? undefined : { cause });
};

/** A refusal of ours, before anything is sent. */
export const unsent = (category: Category, code: string, message: string, hint?: Hint): Problem =>
  refuse(category, code, message, { hint, note: 'nothing was sent' });

export const usage = (message: string, hint?: Hint): Problem => unsent('usage', 'usage', message, hint);

export const configProblem = (
  code: string,
  message: string,
  hint?: Hint,
  { cause, file }: { cause?: unknown; file?: string } = {},
): Problem => refuse('config', code, message, { hint, note: 'nothing was sent', file, cause });

export const notFound = (message: string, hint?: Hint): Problem =>
  refuse('not_found', 'not_found', message, { hint });

export const interrupted = (): Problem =>
  refuse('interrupted', 'interrupted', 'stopped before anything was done');

/** One of several that fit what was given: the user may choose, and goes on with that one. */
export interface Candidate<T> {
  id: string;
  /** A line that tells it from the others. */
  line: string;
  /** Goes on with this one. */
  take(): Promise<T>;
}

export class Ambiguous<T = unknown> extends Problem {
  override readonly name = 'Ambiguous';
  constructor(
    message: string,
    readonly question: string,
    readonly candidates: readonly Candidate<T>[],
  ) {
    super({
      category: 'usage',
      code: 'ambiguous_id',
      message,
      fields: candidates.map(({ id, line }) => ({ path: id, words: [line] })),
      hint: 'take one of these ids',
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    });
  }
}

/** Goes on with what `find` finds; where that is one of several, the choice goes on in the same way. */
export async function findThen<A, B>(find: () => Promise<A>, goOn: (found: A) => Promise<B>): Promise<B> {
  let found: A;
  try {
    found = await find();
  } catch (error) {
    if (!(error instanceof Ambiguous)) throw error;
    const candidates = (error as Ambiguous<A>).candidates.map(({ take, ...one }) => ({
      ...one,
      take: async () => goOn(await take()),
    }));
    throw new Ambiguous(error.message, error.question, candidates);
  }
  return goOn(found);
}
