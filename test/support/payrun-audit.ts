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
  { ending = () => '00', from = 0 }: { ending?: (i: number) => string; from?: number } = {},
): string {
  const header = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
  const rows = Array.from({ length: count }, (_, at) => from + at).map(
    (i) =>
      `E-${i},NGN::Bank,${1000 + i},EUR,customer-1,Ada,Obi,044,${String(i).padStart(8, '0')}${ending(i)}`,
  );
  return `${[header, ...rows].join('\n')}\n`;
}

/** A sandbox, in this process or in another. */
export interface AuditedService {
  call: Bench['call'];
  sandbox: { control: { state(): unknown } };
}

export async function everyTransaction(bench: Pick<AuditedService, 'call'>): Promise<Json[]> {
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
  /** Where the money of the rows is by the ledger, in the currency that was asked for; `spent` in EUR. */
  sums: RunSums;
}

export interface RunSums {
  /** The recipients have it. */
  paid: string;
  /** On the way to the recipients. */
  open: string;
  /** The service has it until somebody acts. */
  held: string;
  /** Left the balance and did not come back. */
  spent: string;
}

export interface Audited {
  bench: AuditedService;
  /** The file, as it was given to remit. */
  file: string;
  /** The balance of the sandbox before, in EUR. */
  opening: unknown;
  /** Rows that may be missing: refused by the service, or cancelled. */
  mayMiss?: (row: FileRowOf) => boolean;
  /** What remit says of rows by key, where it says something. */
  said?: ReadonlyMap<string, string>;
  /** Whether every row was looked at after the last that happened: then each must be said to be just what it is. */
  isUpToDate?: boolean;
}

/** Each row at most once, none lost, no stranger, and the totals equal. */
export async function auditRun({
  bench,
  file,
  opening,
  mayMiss = () => false,
  said = new Map(),
  isUpToDate = false,
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
  for (const row of rows) {
    const print = `${units(row.amount)} ${row.account}`;
    const made = byPrint.get(print) ?? [];
    byPrint.delete(print);
    if (made.length > 1) wrong.push(`row ${row.key} was paid ${made.length} times`);
    if (made.length === 0 && !mayMiss(row)) wrong.push(`row ${row.key} was lost`);
    const words = said.get(row.key);
    const stands = made[0]?.recipients[0].state;
    if (words !== undefined && !agrees(words, whereIs(stands), isUpToDate))
      wrong.push(`row ${row.key} is said to be ${words}, and is ${stands ?? 'not there'}`);
  }
  for (const [print, made] of byPrint) wrong.push(`${made.length} payments that no row asks for: ${print}`);
  const { sums, taken } = sumsOf(funded);
  const balance = (bench.sandbox.control.state() as Json).balances.EUR;
  const gone = units(opening) - units(balance);
  if (gone !== taken) wrong.push(`${shown(gone)} EUR left the balance, and ${shown(taken)} EUR was paid in`);
  return { wrong, funded: funded.length, sums };
}

type Whereabouts = 'paid' | 'open' | 'held' | 'coming back' | 'back' | 'never taken';

/** By the words of the service's description, and by no table of the program. */
function whereIs(state: string | undefined): Whereabouts {
  switch (state) {
    case undefined:
      return 'never taken';
    case 'success':
    case 'overpaid':
      return 'paid';
    case 'initial':
    case 'pending':
      return 'open';
    case 'canceled':
      return 'coming back';
    case 'refunded':
      return 'back';
    default:
      return 'held';
  }
}

/** What a row that is said to be so can be. */
const MEANS: Readonly<Record<string, readonly Whereabouts[]>> = {
  planned: ['never taken'],
  refused: ['never taken'],
  conflict: ['never taken'],
  cancelled: ['never taken', 'coming back'],
  created: ['open'],
  paid: ['paid'],
  in_error: ['held'],
  refunded: ['back'],
};
/** Where the money can be later: a row that was not looked at since may be there by now. */
const LATER: Readonly<Record<string, readonly Whereabouts[]>> = {
  cancelled: ['back'],
  created: ['paid', 'held', 'coming back', 'back'],
  in_error: ['open', 'paid', 'coming back', 'back'],
};

/** Of what is said to be unknown, or on its way, nothing is claimed. */
const agrees = (words: string, is: Whereabouts, isUpToDate: boolean): boolean =>
  MEANS[words] === undefined
    ? !isUpToDate
    : MEANS[words].includes(is) || (!isUpToDate && (LATER[words] ?? []).includes(is));

/** `taken` is what must be missing in the balance. */
function sumsOf(funded: readonly Json[]): { sums: RunSums; taken: Units } {
  const sums = { paid: 0n, open: 0n, held: 0n, spent: 0n };
  let taken: Units = 0n;
  for (const { recipients, input_amount: cost } of funded) {
    const [{ state, requested_amount: amount }] = recipients;
    const is = whereIs(state);
    if (is !== 'back') taken += units(cost);
    if (is !== 'paid' && is !== 'open' && is !== 'held') continue;
    sums[is] += units(amount);
    sums.spent += units(cost);
  }
  const { paid, open, held, spent } = sums;
  return { sums: { paid: shown(paid), open: shown(open), held: shown(held), spent: shown(spent) }, taken };
}

function printOf(transaction: Json): string {
  const [recipient] = transaction.recipients;
  return `${units(recipient.requested_amount)} ${recipient.payout_method.details.bank_account}`;
}

export const balanceOf = (bench: AuditedService): unknown =>
  (bench.sandbox.control.state() as Json).balances.EUR;
