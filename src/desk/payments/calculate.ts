/** The rate and the amounts, seen before anything is paid; on a terminal, refused details are asked again. */

import type { Context } from '../../cli/context.ts';
import { fieldLine } from '../../cli/output/report.ts';
import type { Client } from '../../client/client.ts';
import { ApiError, type FieldProblem } from '../../client/errors.ts';
import { calculateTransaction } from '../../contract/operations/transactions.ts';
import {
  type Transaction,
  type TransactionWrite,
  transaction as transactionSchema,
} from '../../contract/resources/transaction.ts';
import type { Descriptors } from './offered.ts';

const ROUNDS = 3;

/** Changes `body` in place where a person corrected it. @throws ApiError when the service refuses it for good */
export async function calculate(context: Context, body: TransactionWrite): Promise<Transaction> {
  const client = await context.client();
  for (let round = 1; ; round++) {
    try {
      return (await send(client, body)).object;
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

function send(client: Client, body: TransactionWrite) {
  // A calculation stores nothing: our id of the payment stays unused.
  const { external_id: _, ...transaction } = body;
  return client.call(calculateTransaction, { body: { transaction } });
}

/** Asks again for the payout details that the service refused, by the `fields` it returned with them. */
async function correct(context: Context, body: TransactionWrite, error: ApiError): Promise<boolean> {
  const { accountJudge, askDetails } = await import('../../cli/ask/details.ts');
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
