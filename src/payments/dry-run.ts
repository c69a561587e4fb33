/** The request that would be sent, made by the same code as the real one; the nonce and the signature are withheld. */

import { readJson } from '../client/json.ts';
import { createTransaction } from '../contract/operations/transactions.ts';
import type { Signable } from '../contract/signed-text.ts';
import { stringToSign } from '../contract/signing.ts';
import { roundFor } from '../core/currency.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from './desk.ts';
import type { PaymentPlan } from './plan.ts';
import type { dryRunShape } from './shapes/payments.ts';

export type DryRun = DataOf<typeof dryRunShape>;

/** Stands for a nonce that is made when the request is sent. */
export const NONCE = '<nonce>';

/** The text that is signed for a request; `<nonce>` stands for its nonce. */
export const textToSign = (request: Omit<Signable, 'nonce'>): string =>
  stringToSign({ ...request, nonce: NONCE });

export async function dryRunOf(desk: Desk, { body }: PaymentPlan): Promise<DryRun> {
  const client = await desk.client();
  const request = client.preview(createTransaction, { body: { transaction: body } });
  return {
    method: request.method,
    url: request.url,
    body: await readJson(request.body ?? 'null'),
    string_to_sign: textToSign(request),
    amounts: body.recipients.map(({ requested_amount: requested, requested_currency: currency }) => ({
      requested,
      paid_as: roundFor(currency, requested),
      currency,
    })),
  };
}
