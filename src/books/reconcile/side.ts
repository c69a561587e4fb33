/** The rows of one side: a ledger, the service, or a bank's statement. */
import { decimalsOf } from '../../core/currency.ts';
import { fromMinorUnits, minorUnits } from '../../core/money.ts';

export type SideKind = 'ledger' | 'service' | 'statement';

/** The kinds of a row, by its money: it went out, it is on its way, it came back, or it never moved. */
export type RowKind = 'paid' | 'in_flight' | 'back' | 'not_funded';

export interface SideEntry {
  /** The keys that name this row for ever, the most exact first; as many as the side has. */
  keys: readonly (string | undefined)[];
  reference: string | undefined;
  /** A decimal: what was paid, with a minus where money came in. */
  amount: string;
  /** The part of it that came back, or never left. */
  back?: string | undefined;
  currency: string;
  /** Days since 1970 in the zone that was asked for; undefined where nothing says it. */
  day: number | undefined;
  /** The moment, where one is known: milliseconds since 1970. */
  at?: number | undefined;
  kind: RowKind;
  state?: string | undefined;
  /** When something happens by itself to what is in flight: milliseconds since 1970. */
  deadline?: number | undefined;
  /** In which line of the file. */
  line?: number | undefined;
  /** The file of a movement. */
  file?: string | undefined;
  /** The account of the bank: its number in a statement, any name of it in a ledger. */
  account?: string | undefined;
  /** The balance of the account behind this row, as the ledger has it: a decimal. */
  balance?: string | undefined;
}

/** The balances of one statement of an account; absent where it does not say them. */
export interface StatementBalance {
  /** Its number; the name of the file where the statement names none. */
  account: string;
  file: string;
  currency: string;
  opening: string | undefined;
  closing: string | undefined;
}

/** Amounts are whole numbers of the smallest part that any service names: a millionth, of Bitcoin the eighth place. */
export const placesOf = (currency: string): number => Math.max(6, decimalsOf(currency));

/** @throws AmountError where it has more digits than are kept */
export const unitsOf = (amount: string, currency: string): bigint => minorUnits(amount, placesOf(currency));

export const unitsText = (units: bigint, currency: string): string => {
  const text = fromMinorUnits(units, placesOf(currency));
  return text.replace(/(?:\.0+|(?<!0)0+)$/, '');
};

/** A row as it is compared: the texts are cut, and the amounts are units. */
export interface SideRow extends Omit<SideEntry, 'reference' | 'amount' | 'back' | 'balance'> {
  /** Empty where nothing names the row. */
  reference: string;
  amount: bigint;
  back: bigint;
  balance?: bigint | undefined;
}

export interface Side {
  readonly kind: SideKind;
  /** The name as people gave it: a file, or `the service`. */
  readonly name: string;
  readonly rows: SideRow[];
}

/** The places of keys: no side has more. */
export const KEY_PLACES = [0, 1, 2, 3] as const;

/** @throws AmountError where an amount has too many digits */
export function sideRowOf(entry: SideEntry): SideRow {
  const { keys, currency, day, at, kind, state, deadline, line, file, account } = entry;
  const amount = unitsOf(entry.amount, currency);
  const back = entry.back === undefined ? 0n : unitsOf(entry.back, currency);
  const reference = referenceOf(entry);
  const balance = entry.balance === undefined ? undefined : unitsOf(entry.balance, currency);
  const names = { keys: keys.map(cut), reference };
  return { ...names, amount, back, currency, day, at, kind, state, deadline, line, file, account, balance };
}

/** A row without a reference may be named by one of its ids in the reference of the other side. */
function referenceOf({ keys, reference }: SideEntry): string {
  const same = keys.find((key) => key !== undefined && (reference === undefined || key === reference));
  return cut(same ?? reference?.replace(/\s+/g, ' ')) ?? '';
}

/** An id or a reference; nothing that a person wrote is longer. */
const LONGEST_TEXT = 1_000;

/** Undefined for an empty text: it names nothing. */
const cut = (text: string | undefined): string | undefined => text?.slice(0, LONGEST_TEXT) || undefined;
