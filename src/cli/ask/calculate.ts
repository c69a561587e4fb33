/** The rate and the amounts, seen before anything is paid; on a terminal, details that the service refuses are asked again. */
import { ApiError } from '../../client/errors.ts';
import {
  type Transaction,
  type TransactionWrite,
  transaction as transactionSchema,
} from '../../contract/resources/transaction.ts';
import type { FieldProblem } from '../../core/problem.ts';
import { calculate } from '../../desk/payments/calculate.ts';
import type { Descriptors } from '../../desk/payments/offered.ts';
import type { Context } from '../context.ts';
import { fieldLine } from '../output/report.ts';

const ROUNDS = 3;

/** Changes `body` in place where a person corrected it. @throws ApiError when the service refuses it for good */
export async function calculateAsking(context: Context, body: TransactionWrite): Promise<Transaction> {
  for (let round = 1; ; round++) {
    try {
      return await calculate(context, body);
    } catch (error) {
      if (
        !context.interactive ||
        round >= ROUNDS ||
        !(error instanceof ApiError) ||
        error.kind !== 'validation'
      )
        throw error;
      if (!(await correct(context, body, error))) throw error;
    }
  }
}

/** Asks again for the payout details that the service refused, by the `fields` it returned with them. */
async function correct(context: Context, body: TransactionWrite, error: ApiError): Promise<boolean> {
  const { accountJudge, askDetails } = await import('./details.ts');
  const repeated = transactionSchema.safeParse(error.details.resource);
  let corrected = false;
  for (const [index, recipient] of body.recipients.entries()) {
    const problems = detailProblems(error.details.fields, index);
    const descriptors = (
      repeated.success ? repeated.data.recipients?.[index]?.payout_method?.fields : undefined
    ) as Descriptors | undefined;
    const only = Object.keys(problems).filter((name) => descriptors && Object.hasOwn(descriptors, name));
    if (!descriptors || only.length === 0) continue;
    const { type = '', details: current = {} } = recipient.payout_method;
    const judge = await accountJudge(type, recipient.type ?? 'person');
    recipient.payout_method.details = {
      ...current,
      ...(await askDetails(context, descriptors, { only, current, problems, judge })),
    };
    corrected = true;
  }
  return corrected;
}

function detailProblems(fields: readonly FieldProblem[], index: number): Record<string, string> {
  const found: Record<string, string> = {};
  for (const field of fields) {
    const match = new RegExp(`^recipients\\.(?:${index}\\.)?payout_method\\.(?:details\\.)?(\\w+)$`).exec(
      field.path,
    );
    if (match?.[1]) found[match[1]] = fieldLine({ path: '', words: field.words }).trim();
  }
  return found;
}
