/** Reads a ledger: a CSV file of payments as they were booked, in any order and with any other columns. */

import { thousands } from '../../core/amount-words.ts';
import { currencyRule } from '../../core/currency.ts';
import { AmountError, isZero } from '../../core/money.ts';
import { hint } from '../../core/next.ts';
import { refuse } from '../../core/problem.ts';
import { readCsv } from '../../tables/csv.ts';
import { type Cells, type FileRow, fileProblem, isFault, wordsOfFile } from '../../tables/row.ts';
import { type DayOrder, readDay } from './dates.ts';
import { asBuffers, type DatevSpan, datevDay, ledgerPieces } from './datev.ts';
import {
  checkMap,
  type LedgerHeader,
  ledgerHeader,
  type PaymentSign,
  type ReadHeader,
} from './ledger-columns.ts';
import { type Side, sideRowOf } from './side.ts';

export interface LedgerOptions {
  name: string;
  map?: Readonly<Record<string, string>> | undefined;
  decimalComma?: boolean | undefined;
  currency?: string | undefined;
  payments?: PaymentSign | undefined;
  dayOrder?: DayOrder | undefined;
  /** Maps of columns that the rules have, and the name of the one that was asked for. */
  columns?: LedgerHeader['columns'];
  use?: string | undefined;
  dayOf(at: number): number;
  /** Hears words about how the file was read. */
  note?(words: string): void;
}

const MOST_FAULTS = 20;
/** All rows of both sides are in memory: so many with as many take 1.5 GB at most. */
const MOST_ROWS = 500_000;

/** @throws Problem where any row cannot be read: a ledger that is read in part agrees with nothing */
export async function readLedger(bytes: AsyncIterable<Uint8Array>, options: LedgerOptions): Promise<Side> {
  const { name, map = {}, note = () => {} } = options;
  checkMap(map);
  const source = asBuffers(bytes);
  try {
    const { pieces, span } = await ledgerPieces(source, name, note);
    const reader = new LedgerReader(options, span);
    const header = (record: readonly string[]) => {
      const { places, cells, by } = ledgerHeader(record, { ...options, map });
      if (by !== undefined) note(`The columns of ${wordsOfFile(name)} were read as those of ${by}.`);
      reader.cells = cells;
      return places;
    };
    const batches = readCsv(pieces, { name, header });
    for await (const batch of batches)
      for (const one of batch) {
        if (isFault(one)) reader.fault(one.at ?? '', one.words);
        else reader.take(one);
      }
    return reader.finish();
  } finally {
    // A reader that refuses the heading never asks for the rest, and only this closes the file.
    source.return(undefined).catch(() => {});
  }
}

class LedgerReader {
  readonly #options: LedgerOptions;
  readonly #side: Side;
  readonly #faults: { path: string; words: string[] }[] = [];
  #faultCount = 0;
  /** How many rows have which sign. */
  readonly #signs = { plus: 0, minus: 0, debit: 0, credit: 0 };
  /** The days of a DATEV file, which has a line more above its heading. */
  readonly #span: DatevSpan | undefined;
  /** How the cells of this file are written, where its headings say that. */
  cells: ReadHeader['cells'] = {};

  constructor(options: LedgerOptions, span: DatevSpan | undefined) {
    this.#options = options;
    this.#span = span;
    this.#side = { kind: 'ledger', name: wordsOfFile(options.name), rows: [] };
  }

  fault(at: string, words: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push({ path: this.#lineOf(at), words: [words] });
    this.#faultCount++;
  }

  take(row: FileRow): void {
    if (row.n > MOST_ROWS)
      throw fileProblem(
        'too_many_rows',
        `${this.#side.name} has more than ${thousands(MOST_ROWS)} rows`,
        'close one month at a time',
      );
    const words = this.#add(row);
    if (words !== undefined) this.fault(row.at, words);
  }

  #lineOf(at: string): string {
    return this.#span === undefined ? at : at.replace(/\d+/, (line) => String(Number(line) + 1));
  }

  #dayOf(text: string): ReturnType<typeof readDay> {
    const { dayOrder, dayOf } = this.#options;
    const { dates } = this.cells;
    if (dates !== 'ddmm') return readDay(text, dayOrder ?? dates, dayOf);
    const day = this.#span === undefined ? undefined : datevDay(text, this.#span);
    return day === undefined ? { fault: 'date is not a day and a month' } : readDay(day, undefined, dayOf);
  }

  /** Adds a row. Returns the fault of the row, or undefined. */
  #add({ at, cells: given }: FileRow): string | undefined {
    const decimalComma = this.#options.decimalComma || this.cells.decimal_comma === true;
    const cells = this.cells.currency_in_amount ? apart(given) : given;
    const currency = (cells.currency ?? this.#options.currency ?? '').trim().toUpperCase();
    if (currency === '') return 'currency is missing';
    if (currencyRule(currency) === undefined) return 'currency is not a known currency';
    const amount = signedAmount(cells, decimalComma);
    if ('fault' in amount) return amount.fault;
    const date = cells.date === undefined ? undefined : this.#dayOf(cells.date.trim());
    if (date !== undefined && 'fault' in date) return date.fault;
    const keys = [cells.id?.trim(), cells.external_id?.trim(), cells.reference?.trim()];
    if (keys.every((key) => key === undefined)) return 'has no id, no external_id and no reference';
    try {
      this.#side.rows.push(
        sideRowOf({
          keys,
          reference: keys[2] ?? keys[1] ?? keys[0],
          amount: amount.amount,
          currency,
          day: date?.day,
          at: date?.at,
          kind: 'paid',
          line: Number(this.#lineOf(at).slice('line '.length)),
          account: cells.account?.trim(),
          balance: balanceIn(cells.balance, decimalComma),
        }),
      );
    } catch (error) {
      if (!(error instanceof AmountError)) throw error;
      return 'amount has too many digits';
    }
    if (!isZero(amount.amount)) this.#signs[amount.sign]++;
    return undefined;
  }

  /** @throws Problem */
  finish(): Side {
    if (this.#faultCount > 0)
      throw refuse(
        'usage',
        'ledger_rows',
        `${thousands(this.#faultCount)} ${this.#faultCount === 1 ? 'row' : 'rows'} of ${this.#side.name} cannot be read, so nothing was compared`,
        { fields: this.#faults, hint: HINT },
      );
    if (this.#isTurned()) for (const row of this.#side.rows) row.amount = -row.amount;
    return this.#side;
  }

  /** True where payments are the amounts with a minus. @throws Problem where it cannot tell */
  #isTurned(): boolean {
    const { plus, minus, debit, credit } = this.#signs;
    const payments = this.#options.payments ?? this.cells.payments;
    if (payments !== undefined) return payments === 'minus' || payments === 'credit';
    if (plus > 0 && minus > 0)
      throw fileProblem(
        'signs',
        `${this.#side.name} has ${thousands(plus)} amounts with a plus and ${thousands(minus)} with a minus`,
        hint`say which are the payments: ${{ give: 'payments', value: 'plus' }} or ${{ give: 'payments', value: 'minus' }}`,
      );
    if (debit > 0 && credit > 0)
      throw fileProblem(
        'signs',
        `${this.#side.name} has ${thousands(debit)} debits and ${thousands(credit)} credits`,
        hint`say which are the payments: ${{ give: 'payments', value: 'debit' }} or ${{ give: 'payments', value: 'credit' }}`,
      );
    return minus > 0 || credit > 0;
  }
}

const HINT = hint`amounts have a point, such as 1250.50, or a comma with ${{ give: 'decimal_comma' }}; dates are 2026-10-31, or are read with ${{ give: 'dates', value: 'dmy' }}`;

/** An amount as a ledger has it: one column with a sign, or one for debits and one for credits. */
type Signed =
  /** Debits are above zero and credits below, until it is known which of them are payments. */
  { amount: string; sign: 'plus' | 'minus' | 'debit' | 'credit' } | { fault: string };

const PLAIN = /^([+-]?)(\d{1,12})(?:\.(\d{1,8}))?$/;
const COMMA = /^([+-]?)(\d{1,12})(?:,(\d{1,8}))?$/;

function signedAmount(cells: Cells, decimalComma: boolean): Signed {
  const { amount, debit, credit } = cells;
  if (amount !== undefined && cells.side !== undefined) return sided(amount, cells.side, decimalComma);
  if (amount !== undefined) return read('amount', amount, decimalComma, 'plus', 'minus');
  if (debit !== undefined && credit !== undefined) {
    const [one, other] = [
      read('debit', debit, decimalComma, 'debit', 'credit'),
      read('credit', credit, decimalComma, 'credit', 'debit'),
    ];
    if ('fault' in one) return one;
    if ('fault' in other) return other;
    if (isNothing(other.amount)) return one;
    if (isNothing(one.amount)) return turned(other);
    return { fault: 'has a debit and a credit' };
  }
  if (debit !== undefined) return read('debit', debit, decimalComma, 'debit', 'credit');
  if (credit !== undefined) return turned(read('credit', credit, decimalComma, 'credit', 'debit'));
  return { fault: 'amount is missing' };
}

type Sign = Extract<Signed, { sign: string }>['sign'];

function read(column: string, text: string, decimalComma: boolean, plus: Sign, minus: Sign): Signed {
  const found = (decimalComma ? COMMA : PLAIN).exec(text.trim());
  if (found === null) return { fault: wrong(column, text.trim(), decimalComma) };
  const [, sign, whole = '', fraction] = found;
  const digits = `${whole.replace(/^0+(?=\d)/, '')}${fraction === undefined ? '' : `.${fraction}`}`;
  return sign === '-' && !isNothing(digits)
    ? { amount: `-${digits}`, sign: minus }
    : { amount: digits, sign: plus };
}

const DEBIT = /^(?:s|soll|d|dr|debit|débit)$/i;
const CREDIT = /^(?:h|haben|c|cr|credit|crédit)$/i;

/** An amount with its side in another column. */
function sided(amount: string, side: string, decimalComma: boolean): Signed {
  const isDebit = DEBIT.test(side.trim());
  if (!isDebit && !CREDIT.test(side.trim())) return { fault: 'is neither a debit nor a credit' };
  if (amount.trim().startsWith('-')) return { fault: 'has a minus beside its debit or credit' };
  return isDebit
    ? read('amount', amount, decimalComma, 'debit', 'credit')
    : turned(read('amount', amount, decimalComma, 'credit', 'debit'));
}

const BESIDE = /^(?:([A-Z]{3})\s?([+-]?[\d.,]+)|([+-]?[\d.,]+)\s?([A-Z]{3}))$/;

/** `EUR 10.00` and `10.00 EUR`, as hledger writes an amount: the currency is a cell of its own. */
function apart(cells: Cells): Cells {
  const split = (text = '') => BESIDE.exec(text.trim()) ?? [];
  const [, code, digits, plain, behind] = split(cells.amount);
  const [, , total, plainTotal] = split(cells.balance);
  return {
    ...cells,
    ...(digits || plain ? { amount: digits ?? plain ?? '' } : {}),
    ...(total || plainTotal ? { balance: total ?? plainTotal ?? '' } : {}),
    ...(code || behind ? { currency: code ?? behind ?? '' } : {}),
  };
}

function turned(signed: Signed): Signed {
  if ('fault' in signed || isNothing(signed.amount)) return signed;
  const { amount, sign } = signed;
  return { amount: amount.startsWith('-') ? amount.slice(1) : `-${amount}`, sign };
}

/** Undefined where it cannot be read: nothing is matched by it. */
function balanceIn(text: string | undefined, decimalComma: boolean): string | undefined {
  const signed = text === undefined ? { fault: '' } : read('balance', text, decimalComma, 'plus', 'minus');
  return 'fault' in signed ? undefined : signed.amount;
}

const isNothing = (digits: string): boolean => !/[1-9]/.test(digits);

function wrong(column: string, text: string, decimalComma: boolean): string {
  if (!decimalComma && /^[+-]?\d+,\d{1,2}$/.test(text)) return `${column} has a comma for its decimals`;
  if (/^[+-]?\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/.test(text))
    return `${column} has thousands separators`;
  return `${column} is not an amount`;
}
