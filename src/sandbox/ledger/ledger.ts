/**
 * Double entry in minor units. Every posting sums to zero in each currency, a balance is the sum of its entries, and one
 * cause posts once: what is asked for twice is a defect, not a second movement.
 */
import { decimalsOf } from '../../core/currency.ts';
import { invariant } from '../../core/invariants.ts';
import { type Decimal, fromMinorUnits, minorUnits } from '../../core/money.ts';
import { inOneGo, type Steps } from '../slices.ts';
import type { Piece, SandboxStore } from '../store/port.ts';
import type { PostingRecord } from '../store/records.ts';
import { RecordMap } from '../store/rows.ts';

/** `wallet` is the partner's balance; the others are the service's own sides of a movement. */
export type LedgerBook = 'wallet' | 'held' | 'exchange' | 'delivered' | 'collected' | 'opening';

export interface LedgerEntry {
  book: LedgerBook;
  currency: string;
  minor: bigint;
}

export class Ledger {
  /** A restore puts another table in its place. */
  readonly #store: Pick<SandboxStore, 'postings'>;
  readonly #balances = new Map<string, bigint>();

  constructor(store: Pick<SandboxStore, 'postings'> = { postings: new RecordMap<PostingRecord>() }) {
    this.#store = store;
  }

  /** `cause` is what made it, such as `debit:<id>`, and posts once. */
  post(cause: string, at: number, entries: readonly LedgerEntry[]): void {
    invariant(!this.has(cause), `${cause} is posted once`);
    assertBalanced(cause, entries);
    for (const { book, currency, minor } of entries) {
      const account = `${book}:${currency}`;
      const next = (this.#balances.get(account) ?? 0n) + minor;
      invariant(next >= 0n || (book !== 'wallet' && book !== 'held'), `${account} does not go below zero`);
      this.#balances.set(account, next);
    }
    this.#store.postings.insert({ id: cause, at, entries: entries.map(written).join(';') });
  }

  has(cause: string): boolean {
    return this.#store.postings.get(cause) !== undefined;
  }

  /** The balances, kept beside the postings, so that a start need not add them up. */
  readonly piece: Piece = {
    name: 'balances',
    read: () => this.#written(),
    write: (value) => {
      this.#balances.clear();
      for (const [account, minor] of Object.entries(value as Record<string, string>)) {
        this.#balances.set(account, BigInt(minor));
      }
    },
  };

  /** True where the partner has a balance in this currency, be it nothing. */
  hasWallet(currency: string): boolean {
    return this.#balances.has(`wallet:${currency}`);
  }

  balance(book: LedgerBook, currency: string): Decimal {
    return fromMinorUnits(this.#balances.get(`${book}:${currency}`) ?? 0n, decimalsOf(currency));
  }

  /** Currencies of the partner's balances, in alphabetical order. */
  walletCurrencies(): string[] {
    const names = [...this.#balances.keys()].filter((account) => account.startsWith('wallet:'));
    return names.map((account) => account.slice('wallet:'.length)).sort();
  }

  /** The amounts that every book holds, by currency; books that hold nothing are left out. */
  totals(): Record<string, Record<string, Decimal>> {
    const totals: Record<string, Record<string, Decimal>> = {};
    for (const [account, minor] of this.#balances) {
      const [book = '', currency = ''] = account.split(':');
      if (minor === 0n && book !== 'wallet') continue;
      totals[book] = { ...totals[book], [currency]: fromMinorUnits(minor, decimalsOf(currency)) };
    }
    return totals;
  }

  /** Everything that moved a balance of the partner, oldest first. */
  *walletMovements(): Generator<{ cause: string; at: number; currency: string; minor: bigint }> {
    for (const { id: cause, at, entries } of this.#store.postings.all())
      for (const { book, currency, minor } of entriesOf(entries))
        if (book === 'wallet') yield { cause, at, currency, minor };
  }

  /** Adds all entries up again and compares: throws when a balance is not the sum of its entries. */
  audit(): void {
    inOneGo(auditing(this.#store.postings.all(), this.#written()));
  }

  #written(): Record<string, string> {
    return Object.fromEntries([...this.#balances].map(([account, minor]) => [account, String(minor)]));
  }
}

/** The audit, a posting a step; balances in whole minor units, by book and currency. */
export function* auditing(
  postings: Iterable<PostingRecord>,
  balances: Readonly<Record<string, string>>,
): Steps {
  const sums = new Map<string, bigint>();
  for (const { id, entries: kept } of postings) {
    const entries = entriesOf(kept);
    assertBalanced(id, entries);
    for (const { book, currency, minor } of entries) {
      const account = `${book}:${currency}`;
      sums.set(account, (sums.get(account) ?? 0n) + minor);
    }
    yield 1;
  }
  for (const [account, balance] of Object.entries(balances)) {
    invariant(sums.get(account) === BigInt(balance), `${account} is the sum of its entries`);
  }
}

/** Moves an amount from one book to another in one currency. */
export function move(from: LedgerBook, to: LedgerBook, currency: string, amount: Decimal): LedgerEntry[] {
  const minor = minorUnits(amount, decimalsOf(currency));
  return [
    { book: from, currency, minor: -minor },
    { book: to, currency, minor },
  ];
}

const written = ({ book, currency, minor }: LedgerEntry): string => `${book} ${currency} ${minor}`;

function entriesOf(kept: PostingRecord['entries']): { book: string; currency: string; minor: bigint }[] {
  if (typeof kept !== 'string') return kept.map((entry) => ({ ...entry, minor: BigInt(entry.minor) }));
  return kept.split(';').map((text) => {
    const [book = '', currency = '', minor = ''] = text.split(' ');
    return { book, currency, minor: BigInt(minor) };
  });
}

function assertBalanced(cause: string, entries: readonly Omit<LedgerEntry, 'book'>[]): void {
  const [first, second] = entries;
  if (entries.length === 2 && first && second && first.currency === second.currency) {
    invariant(first.minor + second.minor === 0n, `${cause} balances`);
    return;
  }
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of entries) sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  for (const total of sums.values()) invariant(total === 0n, `${cause} balances`);
}
