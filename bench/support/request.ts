/** The create_and_fund requests of the bench: every one another transaction, signed with nothing but `node:crypto`. */
import { bareSignature, credentials } from './signed.ts';

export const PATH = '/v1/transactions/create_and_fund';

const sender = {
  type: 'person',
  external_id: 'sender-bench',
  first_name: 'Ada',
  last_name: 'Okafor',
  country: 'DE',
  phone_country: 'DE',
  phone_number: '+4915112345678',
  email: 'ada@example.com',
  street: 'Hauptstrasse 1',
  city: 'Berlin',
  postal_code: '10115',
  birth_date: '1990-05-17',
  ip: '192.0.2.10',
  identification_type: 'PP',
  identification_number: 'C01X00T47',
  documents: [],
  metadata: {},
};

export interface Prepared {
  headers: Record<string, string>;
  body: string;
}

/** `mark` keeps the nonces and external ids of one run apart from those of another. */
export function prepare(host: string, mark: string, number: number, account = '0123456789'): Prepared {
  const externalId = `${mark}-${number}`;
  const body = JSON.stringify({
    transaction: {
      external_id: externalId,
      input_currency: 'EUR',
      sender: { ...sender, external_id: `sender-${number % 50}-${mark}` },
      recipients: [
        {
          type: 'person',
          requested_amount: '10.00',
          requested_currency: 'EUR',
          payout_method: {
            type: 'NGN::Bank',
            details: {
              first_name: 'Ngozi',
              last_name: 'Eze',
              bank_code: '058',
              bank_account: account,
              bank_account_type: '10',
              phone_number: '+2348012345678',
            },
          },
        },
      ],
      metadata: { note: 'bench' },
    },
  });
  const nonce = `nonce-${externalId}`;
  const headers = {
    host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    accept: 'application/json',
    'authorization-key': credentials.key,
    'authorization-nonce': nonce,
    'authorization-signature': bareSignature(nonce, 'POST', `http://${host}${PATH}`, body),
  };
  return { headers, body };
}

export function asBytes({ headers, body }: Prepared): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}
