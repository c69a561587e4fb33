/** A failure as people and scripts read it: one type, one shape on stderr, one exit code by its category. */

import { type Category, type ExitCode, exitCodeOf } from '../cli/exit-codes.ts';
import type { FieldProblem } from '../client/errors.ts';

export type OutcomeWord = 'not applied' | 'applied' | 'unknown';

export interface FailureFacts {
  category: Category;
  /** A machine word, stable across versions: `recipient_not_cancellable`. */
  code: string;
  message: string;
  /** What to type or do next. */
  hint?: string | undefined;
  outcome?: OutcomeWord | undefined;
  /** Said behind the outcome: `(nothing was sent)`. */
  outcomeNote?: string | undefined;
  status?: number | undefined;
  fields?: FieldProblem[] | undefined;
  requestId?: string | undefined;
  retryable?: boolean | undefined;
  /** What was applied all the same, where the result could not be shown. */
  applied?: readonly { intent: string; id: string | null; external_id: string | null }[] | undefined;
}

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly facts: FailureFacts;
  constructor(facts: FailureFacts, options?: ErrorOptions) {
    super(facts.message, options);
    // Words, outcome and exit code agree: whatever led to it, what is unknown ends as unknown.
    this.facts = facts.outcome === 'unknown' ? { ...facts, category: 'unknown' } : facts;
  }
  get exitCode(): ExitCode {
    return exitCodeOf[this.facts.category];
  }
}

export const usage = (message: string, hint?: string): Failure =>
  new Failure({
    category: 'usage',
    code: 'usage',
    message,
    hint,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });

export const configFailure = (code: string, message: string, hint?: string, cause?: unknown): Failure =>
  new Failure(
    { category: 'config', code, message, hint, outcome: 'not applied', outcomeNote: 'nothing was sent' },
    cause === undefined ? undefined : { cause },
  );

export const notFound = (message: string, hint?: string): Failure =>
  new Failure({ category: 'not_found', code: 'not_found', message, hint });

export const interrupted = (): Failure =>
  new Failure({ category: 'interrupted', code: 'interrupted', message: 'stopped before anything was done' });

/** A warning of the same look as an error, for endings that are reported by exit code and rows. */
export interface JsonError {
  error: {
    code: string;
    category: Category;
    message: string;
    hint: string | null;
    status: number | null;
    fields: FieldProblem[];
    request_id: string | null;
    retryable: boolean;
    outcome: string | null;
    applied?: FailureFacts['applied'];
  };
}

export function jsonError({ facts }: Failure): JsonError {
  return {
    error: {
      code: facts.code,
      category: facts.category,
      message: facts.message,
      hint: facts.hint ?? null,
      status: facts.status ?? null,
      fields: facts.fields ?? [],
      request_id: facts.requestId ?? null,
      retryable: facts.retryable ?? false,
      outcome: facts.outcome ?? null,
      ...(facts.applied === undefined ? {} : { applied: facts.applied }),
    },
  };
}
