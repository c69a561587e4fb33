/** Webhook deliveries of the bench, 1.5 kB each: every one another event, signed with nothing but `node:crypto`. */
import { bareSignature, credentials } from './signed.ts';

const BODY_BYTES = 1_500;

export function deliveryBody(mark: string, number: number): string {
  const id = `${mark}-${String(number).padStart(8, '0')}`;
  const delivery = {
    webhook: '7f9a4c1e-5b0d-4f43-9f0e-3c1d7a90b612',
    event: 'recipient.error',
    object: {
      id,
      transaction_id: `t-${id}`,
      state: 'error',
      requested_amount: '10.00',
      requested_currency: 'EUR',
      payout_method: { type: 'NGN::Bank', details: { bank_code: '058', bank_account: '0123456789' } },
      state_reason_details: {
        code: '416',
        category: 'recipient_error',
        description: 'the account is closed',
      },
      metadata: { note: '' },
    },
  };
  const short = JSON.stringify(delivery);
  delivery.object.metadata.note = 'x'.repeat(Math.max(0, BODY_BYTES - short.length));
  return JSON.stringify(delivery);
}

/** A whole request, as the service would send it to `http://host/`. */
export function deliveryBytes(host: string, mark: string, number: number): Buffer {
  const body = deliveryBody(mark, number);
  const nonce = `${mark}-nonce-${number}`;
  const signature = bareSignature(nonce, 'POST', `http://${host}/`, body);
  const head = [
    'POST / HTTP/1.1',
    `host: ${host}`,
    'accept: application/json',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `Authorization-Key: ${credentials.key}`,
    `Authorization-Nonce: ${nonce}`,
    `Authorization-Signature: ${signature}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
