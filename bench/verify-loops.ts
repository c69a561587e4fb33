/** Verifies the same deliveries with the built library, or with nothing but `node:crypto`, and says how long one takes. */
import { timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Webhooks from '../src/library/webhooks-types.ts';
import { serveParent } from './support/children.ts';
import { deliveryBody } from './support/delivery.ts';
import { spent } from './support/processor.ts';
import { bareSignature, credentials } from './support/signed.ts';

const URL_SIGNED = 'https://partner.example/webhooks/remit';
const DELIVERIES = 1_000;

interface Given {
  headers: Record<string, string>;
  body: Buffer;
}

/** As `node:http` gives them to a handler. */
function given(number: number): Given {
  const body = Buffer.from(deliveryBody('verify', number));
  const nonce = `verify-nonce-${number}`;
  const headers = {
    host: 'partner.example',
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': String(body.length),
    'authorization-key': credentials.key,
    'authorization-nonce': nonce,
    'authorization-signature': bareSignature(nonce, 'POST', URL_SIGNED, body),
  };
  return { headers, body };
}

function bare({ headers, body }: Given): boolean {
  const wanted = bareSignature(String(headers['authorization-nonce']), 'POST', URL_SIGNED, body);
  return timingSafeEqual(Buffer.from(wanted), Buffer.from(String(headers['authorization-signature'])));
}

serveParent<{ library: string }, { side: 'ours' | 'bare'; rounds: number }>(async ({ library }) => {
  const { verifyWebhook } = createRequire(import.meta.url)(library) as typeof Webhooks;
  const deliveries = Array.from({ length: DELIVERIES }, (_, i) => given(i));
  const ours = (one: Given): boolean => verifyWebhook({ url: URL_SIGNED, ...one, ...credentials }).valid;
  return async ({ side, rounds }) => {
    const verify = side === 'ours' ? ours : bare;
    let valid = 0;
    const { micros } = await spent(() => {
      for (let round = 0; round < rounds; round++) for (const one of deliveries) if (verify(one)) valid += 1;
    });
    if (valid !== rounds * DELIVERIES) throw new Error(`${valid} of them were valid`);
    return { micros: micros / valid };
  };
});
