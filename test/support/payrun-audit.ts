/**
 * Files of payments for tests, and an auditor of pay runs. The auditor reads the file and the sandbox alone: not the store, not
 * what remit says. It knows a row by its account and amount, never by an id that remit made.
 */
import { parse } from 'csv-parse/sync';
import type { Bench, Json } from './sandbox.ts';
import { shown, type Units, units } from './simulation/amounts.ts';

export interface FileRowOf {
  key: string;
  amount: string;
  account: string;
}

/** Rows of NGN::Bank that differ in amount and account. `ending` are the last two digits of the account: what the bank does. */
export function fileOfRows(
  count: number,
  { ending = () => '00' }: { ending?: (i: number) => string } = {},
): string {
  const header = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
  const rows = Array.from(
    { length: count },
    (_, i) =>
      `E-${i},NGN::Bank,${1000 + i},EUR,customer-1,Ada,Obi,044,${String(i).padStart(8, '0')}${ending(i)}`,
  );
  return `${[header, ...rows].join('\n')}\n`;
}

export async function everyTransaction(bench: Bench): Promise<Json[]> {
  const all: Json[] = [];
  for (let page = 1; ; page++) {
    const { body } = await bench.call('GET', `/transactions?per=100&page=${page}`);
    all.push(...body.object);
    if (body.meta.pagination.next_page === null) return all;
  }
}

export interface Audit {
  /** What is wrong, a sentence each; none where the file and the ledger agree. */
  wrong: string[];
  /** Rows of the file for which money was taken. */
  funded: number;
}

export interface Audited {
  bench: Bench;
  /** The file, as it was given to remit. */
  file: string;
  /** The balance of the sandbox before, in EUR. */
  opening: unknown;
  /** Keys of rows that may be missing: refused by the service, or cancelled. */
  mayMiss?: (row: FileRowOf) => boolean;
  /** Rows that remit says are paid out, where it says so. */
  saidPaid?: ReadonlySet<string>;
}

/** Each row at most once, none lost, no stranger, and the totals equal. */
export async function auditRun({
  bench,
  file,
  opening,
  mayMiss = () => false,
  saidPaid,
}: Audited): Promise<Audit> {
  const wrong: string[] = [];
  const rows = (parse(file, { columns: true }) as Record<string, string>[]).map(
    (row): FileRowOf => ({ key: row.key ?? '', amount: row.amount ?? '', account: row.bank_account ?? '' }),
  );
  const funded = (await everyTransaction(bench)).filter(({ paid_amount: paid }) => Number(paid ?? 0) > 0);
  const byPrint = new Map<string, Json[]>();
  for (const one of funded) {
    const print = printOf(one);
    byPrint.set(print, [...(byPrint.get(print) ?? []), one]);
  }
  let taken: Units = 0n;
  for (const row of rows) {
    const print = `${units(row.amount)} ${row.account}`;
    const made = byPrint.get(print) ?? [];
    byPrint.delete(print);
    if (made.length > 1) wrong.push(`row ${row.key} was paid ${made.length} times`);
    if (made.length === 0 && !mayMiss(row)) wrong.push(`row ${row.key} was lost`);
    const [recipient] = made[0]?.recipients ?? [];
    if (saidPaid?.has(row.key) && recipient?.state !== 'success')
      wrong.push(`row ${row.key} is said to be paid out, and is ${recipient?.state ?? 'not there'}`);
  }
  for (const [print, made] of byPrint) wrong.push(`${made.length} payments that no row asks for: ${print}`);
  for (const one of funded) if (one.recipients[0].state !== 'refunded') taken += units(one.input_amount);
  const balance = (bench.sandbox.control.state() as Json).balances.EUR;
  const gone = units(opening) - units(balance);
  if (gone !== taken) wrong.push(`${shown(gone)} EUR left the balance, and ${shown(taken)} EUR was paid in`);
  return { wrong, funded: funded.length };
}

function printOf(transaction: Json): string {
  const [recipient] = transaction.recipients;
  return `${units(recipient.requested_amount)} ${recipient.payout_method.details.bank_account}`;
}

export const balanceOf = (bench: Bench): unknown => (bench.sandbox.control.state() as Json).balances.EUR;
