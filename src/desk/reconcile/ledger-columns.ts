/** Which columns of a ledger mean what: by the names that are usual, or as they are mapped. Any other column is not read. */
import { said } from '../../core/next.ts';
import { fileProblem, short, wordsOfFile } from '../payruns/files/row.ts';

/** The names that are looked for, the best first: letters and digits, in lower case. */
const NAMES = {
  id: ['id', 'recipientid', 'transactionid', 'paymentid', 'remitid'],
  external_id: ['externalid', 'key', 'orderid', 'invoice', 'invoiceid', 'invoicenumber', 'endtoendid'],
  reference: ['reference', 'ref', 'paymentreference', 'description', 'text', 'memo', 'details'],
  date: [
    'date',
    'day',
    'bookingdate',
    'booked',
    'bookedat',
    'posted',
    'postingdate',
    'createdat',
    'created',
    'valuedate',
  ],
  amount: ['amount', 'inputamount', 'value', 'sum', 'total'],
  debit: ['debit', 'moneyout', 'paidout'],
  credit: ['credit', 'moneyin', 'paidin'],
  currency: ['currency', 'inputcurrency', 'ccy', 'cur'],
} as const;

export type LedgerColumn = keyof typeof NAMES;
export const LEDGER_COLUMNS = Object.keys(NAMES) as LedgerColumn[];

/** Which of the amounts are payments, where both kinds are there. */
export const PAYMENT_SIGNS = ['plus', 'minus', 'debit', 'credit'] as const;
export type PaymentSign = (typeof PAYMENT_SIGNS)[number];

export interface LedgerHeader {
  name: string;
  map: Readonly<Record<string, string>>;
  /** The currency of rows that name none, where it was said. */
  currency: string | undefined;
}

/** Returns the meaning of each place of the header. @throws Problem */
export function ledgerHeader(header: readonly string[], given: LedgerHeader): (LedgerColumn | null)[] {
  const found = new Map<number, LedgerColumn>();
  const names = header.map(plain);
  for (const column of LEDGER_COLUMNS) {
    const mapped = given.map[column];
    const at = mapped === undefined ? byName(column, names, found) : byMap(header, mapped, column, given);
    if (at >= 0) found.set(at, column);
  }
  const has = new Set(found.values());
  if (has.has('amount') && !Object.hasOwn(given.map, 'debit') && !Object.hasOwn(given.map, 'credit')) {
    for (const [at, column] of found) if (column === 'debit' || column === 'credit') found.delete(at);
  }
  refuseLacking(has, given);
  return header.map((_, at) => found.get(at) ?? null);
}

/** @throws Problem where a column is mapped that a ledger does not have */
export function checkMap(map: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(map).find((one) => !LEDGER_COLUMNS.includes(one as LedgerColumn));
  if (unknown !== undefined)
    throw fileProblem(
      'unknown_column',
      `a ledger has no column "${short(unknown)}"`,
      `its columns are ${LEDGER_COLUMNS.join(', ')}`,
    );
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function byName(
  column: LedgerColumn,
  names: readonly string[],
  taken: ReadonlyMap<number, LedgerColumn>,
): number {
  for (const wanted of NAMES[column]) {
    const at = names.findIndex((name, place) => name === wanted && !taken.has(place));
    if (at >= 0) return at;
  }
  return -1;
}

function byMap(header: readonly string[], wanted: string, column: string, { name }: LedgerHeader): number {
  const at = header.findIndex((each) => each === wanted || each.trim() === wanted);
  if (at >= 0) return at;
  throw fileProblem(
    'unknown_column',
    `${wordsOfFile(name)} has no column "${short(wanted)}", which ${column} is to be read from`,
  );
}

function refuseLacking(has: ReadonlySet<LedgerColumn>, { name, currency }: LedgerHeader): void {
  const file = wordsOfFile(name);
  const map = (column: string) => said`${{ give: 'map', value: `${column}=NAME` }} says which column it is`;
  if (!has.has('amount') && !has.has('debit') && !has.has('credit'))
    throw fileProblem(
      'missing_column',
      `${file} has no column amount, and neither debit nor credit`,
      map('amount'),
    );
  if (!has.has('id') && !has.has('external_id') && !has.has('reference'))
    throw fileProblem(
      'missing_column',
      `${file} has no column id, external_id or reference: an amount alone matches nothing`,
      map('external_id'),
    );
  if (!has.has('currency') && currency === undefined)
    throw fileProblem(
      'missing_column',
      `${file} has no column currency`,
      said`${map('currency')}; for the whole file: ${{ give: 'currency', value: 'EUR' }}`,
    );
}
