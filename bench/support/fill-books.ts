/** Books of made-up payments, as a sync would have kept them. */

import { bookEntryOf } from '../../src/books/entry.ts';
import { openSqliteBooks } from '../../src/books/store/sqlite.ts';
import type { Transaction } from '../../src/contract/resources/transaction.ts';
import { uuid } from '../../src/core/ids.ts';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { storeAccountOf } from '../../src/payments/shared-store.ts';
import { booksPath } from '../../src/profiles/paths.ts';
import { credentials } from './signed.ts';

/** The last month of the books. */
export const MONTH = '2026-10';
const END = Date.parse('2026-11-01T00:00:00Z');
const MONTH_MS = 31 * 86_400_000;
const AT_ONCE = 1_000;

export async function fillBooks(
  env: Record<string, string>,
  baseUrl: string,
  { rows, aMonth }: { rows: number; aMonth: number },
): Promise<void> {
  const books = await openSqliteBooks(booksPath(env, storeAccountOf({ baseUrl, credentials }).short));
  const random = seededRandom('books');
  const everyMs = MONTH_MS / aMonth;
  for (let from = 0; from < rows; from += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, i) => {
      const number = from + i;
      return bookEntryOf(payment(random, number, END - Math.round((rows - number) * everyMs)), END);
    });
    await books.keep(some.flatMap((entry) => entry ?? []));
  }
  await books.setProgress({ completeAt: END, knownUntil: END });
  await books.seeBalances(END, [{ currency: 'EUR', amount: '1000000' }]);
  books.close();
}

const NAMES = [
  'Adaeze',
  'Chinonso',
  'Zoë',
  'Bola',
  'Ngozi',
  'Femi',
  'Inês',
  'Marta',
  'João',
  'Kofi',
  'Amina',
  'Tunde',
];
const up = (random: Random, to: number): number => Math.floor(random.next() * to);
const nameOf = (random: Random): string => NAMES[up(random, NAMES.length)] ?? '';

/** One in twenty comes back. */
function payment(random: Random, number: number, createdAt: number): Transaction {
  const isBack = number % 20 === 7;
  const amount = `${10 + up(random, 90_000) / 100}`;
  const at = new Date(createdAt).toISOString();
  return {
    id: uuid(random),
    external_id: `wages-${number}`,
    state: isBack ? 'refunded' : 'paid',
    input_currency: 'EUR',
    input_amount: amount,
    paid_amount: amount,
    sender: {
      id: uuid(random),
      external_id: `customer-${number % 5_000}`,
      first_name: nameOf(random),
      last_name: `Marques${number % 5_000}`,
      email: `c${number % 5_000}@example.com`,
      phone_number: `+3519${10_000_000 + up(random, 90_000_000)}`,
    },
    recipients: [
      {
        id: uuid(random),
        state: isBack ? 'refunded' : 'success',
        requested_amount: `${1_000 + up(random, 50_000)}`,
        requested_currency: 'NGN',
        input_amount: amount,
        input_currency: 'EUR',
        output_amount: `${1_000 + up(random, 50_000)}`,
        output_currency: 'NGN',
        exchange_rate: '1667.93',
        payout_method: {
          type: 'NGN::Bank',
          details: {
            first_name: nameOf(random),
            last_name: `Okonkwo${up(random, 9_000)}`,
            bank_code: '044',
            bank_account: String(1_000_000_000 + up(random, 9_000_000_000)),
          },
        },
      },
    ],
    payin_methods: [],
    created_at: at,
    updated_at: new Date(createdAt + (isBack ? 86_400_000 : 60_000)).toISOString(),
  };
}
