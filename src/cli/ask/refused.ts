/** The fields that the service refused, by the names that the questions have. */
import { ApiError } from '../../client/errors.ts';
import type { FieldProblem } from '../../core/problem.ts';
import { Problem } from '../../core/problem.ts';

export interface Refused {
  fields: readonly FieldProblem[];
  /** The resource as the service repeats it. */
  resource: unknown;
}

/** Undefined where it is no refusal of answers, or where it may have been applied. */
export function refusedIn(error: unknown): Refused | undefined {
  if (
    error instanceof Problem &&
    (error.facts.category !== 'validation' || error.facts.outcome === 'applied')
  )
    return undefined;
  const answer = causeOf(error);
  if (answer === undefined || answer.kind !== 'validation') return undefined;
  const said = error instanceof Problem ? error.facts.fields : undefined;
  const fields = said && said.length > 0 ? said : answer.details.fields;
  return {
    fields: merged(fields.map((one) => ({ ...one, path: asked(one.path) }))),
    resource: answer.details.resource,
  };
}

function causeOf(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  return error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : undefined;
}

/** `recipients.0.payout_method.bank_code` is asked as `recipients.0.payout_method.details.bank_code`. */
function asked(path: string): string {
  if (/^sender(?:\.|$)/.test(path)) return 'sender';
  if (path === 'input_amount') return 'recipients.0.requested_amount';
  return path
    .replace(/^(recipients|payin_methods)\.(?!\d)/, '$1.0.')
    .replace(/^((?:recipients\.\d+\.)?payout_method)\.(?!details\.|type$)/, '$1.details.')
    .replace(/^(payin_methods\.\d+)\.(?!in_details\.|type$|ux_flow$)/, '$1.in_details.');
}

function merged(fields: readonly FieldProblem[]): FieldProblem[] {
  const byPath = new Map<string, FieldProblem>();
  for (const { path, words } of fields)
    byPath.set(path, { path, words: [...new Set([...(byPath.get(path)?.words ?? []), ...words])] });
  return [...byPath.values()];
}
