/** A problem as scripts read it: one shape on stderr, and as the last line of a stream. */
import type { Category, FieldProblem, Problem, ProblemFacts } from '../../core/problem.ts';
import { spelt } from './spell.ts';

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
    applied?: ProblemFacts['applied'];
  };
}

export function jsonError({ facts }: Problem): JsonError {
  return {
    error: {
      code: facts.code,
      category: facts.category,
      message: facts.message,
      hint: facts.hint === undefined ? null : spelt(facts.hint),
      status: facts.status ?? null,
      fields: facts.fields ?? [],
      request_id: facts.requestId ?? null,
      retryable: facts.retryable ?? false,
      outcome: facts.outcome ?? null,
      ...(facts.applied === undefined ? {} : { applied: facts.applied }),
    },
  };
}
