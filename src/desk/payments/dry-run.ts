/** The request that would be sent, made by the same code as the real one; the nonce and the signature are withheld. */

import type { Signable } from '../../contract/signed-text.ts';
import { stringToSign } from '../../contract/signing.ts';
import { roundFor } from '../../core/currency.ts';
import type { Desk } from '../desk.ts';
import type { PaymentPlan } from './plan.ts';

export interface DryRun {
  method: string;
  url: string;
  /** The body as it will be serialised: the digest below is of exactly this. */
  body: unknown;
  /** A fresh signature is a bearer cheque: what is missing in it is the nonce. */
  string_to_sign: string;
  amounts: { requested: string; paid_as: string; currency: string }[];
}

const NONCE = '<nonce>';

/** The text that is signed for a request; `<nonce>` stands for its nonce. */
export const textToSign = (request: Omit<Signable, 'nonce'>): string =>
  stringToSign({ ...request, nonce: NONCE });

export async function dryRunOf(desk: Desk, { body, operation }: PaymentPlan): Promise<DryRun> {
  const client = await desk.client();
  const request = client.preview(operation, { body: { transaction: body } });
  return {
    method: request.method,
    url: request.url,
    body: JSON.parse(request.body ?? 'null'),
    string_to_sign: textToSign(request),
    amounts: body.recipients.map(({ requested_amount: requested, requested_currency: currency }) => ({
      requested,
      paid_as: roundFor(currency, requested),
      currency,
    })),
  };
}
