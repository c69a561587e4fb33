/** Rows of a pay run: each pays another account, and nothing is wrong. */
import { closeSync, openSync, writeSync } from 'node:fs';

export const RATE = 2_000;
export const SENDER = 'customer-1';
export const IN_FLIGHT = 64;

export const HEADER =
  'key,type,recipient_type,amount,currency,input_currency,sender,first_name,last_name,bank_code,bank_account,metadata.team\n';

/** A whole number of cents by the rate, so that what was planned is what it costs. */
const amountOf = (i: number): string => `${20_000 + (i % 250) * 20}.00`;
const lastName = (i: number): string => `Okonkwo ${String.fromCharCode(65 + (i % 26))}`;
const account = (i: number): string => String(1_000_000_000 + i);

export const rowOf = (i: number): string =>
  `emp-${i},NGN::Bank,person,${amountOf(i)},NGN,EUR,${SENDER},Adaeze,${lastName(i)},044,${account(i)},team-${i % 20}\n`;

/** Row `i` as it is sent. */
export const paymentOf = (run: string, i: number) => ({
  input_currency: 'EUR',
  sender: { external_id: SENDER },
  recipients: [
    {
      type: 'person' as const,
      requested_amount: amountOf(i),
      requested_currency: 'NGN',
      payout_method: {
        type: 'NGN::Bank',
        details: {
          bank_code: '044',
          bank_account: account(i),
          first_name: 'Adaeze',
          last_name: lastName(i),
        },
      },
    },
  ],
  metadata: { team: `team-${i % 20}` },
  external_id: `${run}:emp-${i}`,
});

export function writeRows(path: string, rows: number): void {
  const file = openSync(path, 'w');
  writeSync(file, HEADER);
  for (let from = 0; from < rows; from += 1_000)
    writeSync(file, Array.from({ length: Math.min(1_000, rows - from) }, (_, i) => rowOf(from + i)).join(''));
  closeSync(file);
}
