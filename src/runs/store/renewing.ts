/**
 * Prints of rows that an earlier version planned. It did not count each member that routes money (the provider of a wallet, the country of a
 * number): such rows are marked when their store is brought on, and their prints are made again when it is opened.
 */
import { STALE_PRINT } from '../../client/store/payrun-tables.ts';
import type { TransactionWrite } from '../../contract/resources/transaction.ts';
import type { Database } from '../../disk/driver.ts';
import type { PostgresPool } from '../../disk/postgres-queries.ts';
import { knownCorridor } from '../files/corridors.ts';
import { payeePrints } from '../files/payment.ts';
import { type PayrunRecord, printOf } from './records.ts';

const PRINTS = ['payee', 'account', 'person'] as const;
const AT_ONCE = 1000;
const stale = (prefix: '' | 'remit_'): string =>
  `SELECT run, n, type, body FROM ${prefix}payrun_rows WHERE payee = ${STALE_PRINT} LIMIT ${AT_ONCE}`;

/** The place of a row, then its prints; none for one whose body says no payee. */
async function renewed({ run, n, type, body }: PayrunRecord): Promise<(string | number | null)[]> {
  const place = [String(run), Number(n)];
  const [asked] = (JSON.parse(String(body)) as Partial<TransactionWrite>).recipients ?? [];
  const known = await knownCorridor(String(type));
  if (asked === undefined || known === undefined) return [...place, null, null, null];
  const details = asked.payout_method.details ?? {};
  const money = [asked.requested_amount, asked.requested_currency] as const;
  const prints = payeePrints(known.corridor.type, known.account, details, money);
  return [...place, ...PRINTS.map((name) => (prints[name] === undefined ? null : printOf(prints[name])))];
}

async function each(
  some: () => Promise<PayrunRecord[]>,
  keep: (rows: (string | number | null)[][]) => Promise<unknown>,
): Promise<void> {
  for (let rows = await some(); rows.length > 0; rows = await some())
    await keep(await Promise.all(rows.map(renewed)));
}

const SET = 'payee = ?3, account = COALESCE(?4, account), person = ?5';

export const renewInFile = (
  database: Database,
  write: (work: () => void) => Promise<unknown>,
): Promise<void> =>
  each(
    async () => database.all(stale('')),
    (rows) =>
      write(() => {
        for (const row of rows)
          database.run(`UPDATE payrun_rows SET ${SET} WHERE run = ?1 AND n = ?2`, ...row);
      }),
  );

/** Several machines may do it at once: the prints of a row are the same ones. */
export const renewInPostgres = (pool: PostgresPool): Promise<void> =>
  each(
    async () => (await pool.query(stale('remit_'))).rows,
    (rows) =>
      pool.query(
        `UPDATE remit_payrun_rows r SET payee = given.payee, account = COALESCE(given.account, r.account), person = given.person
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) AS given (run, n, payee, account, person)
        WHERE r.run = given.run AND r.n = given.n AND r.payee = ${STALE_PRINT}`,
        [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column])),
      ),
  );
