/** The rows of one side (a ledger, the service, a bank's statement) in columns: a million of them take about 150 MB. */
import { decimalsOf } from '../../core/currency.ts';
import { AmountError, fromMinorUnits, minorUnits } from '../../core/money.ts';
import { Arena, grown, LONGEST_TEXT, TextColumn } from './texts.ts';

export type SideKind = 'ledger' | 'service' | 'statement';

/** The kinds of a row, by its money: it went out, it is on its way, it came back, or it never moved. */
export const KINDS = ['paid', 'in_flight', 'back', 'not_funded'] as const;
export type Kind = (typeof KINDS)[number];

export interface Entry {
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
  kind: Kind;
  state?: string | undefined;
  /** When something happens by itself to what is in flight: milliseconds since 1970. */
  deadline?: number | undefined;
  /** In which line of the file. */
  line?: number | undefined;
}

/** Below every day. */
export const NO_DAY = -(2 ** 31);

/** Amounts are whole numbers of the smallest part that any service names: a millionth, of Bitcoin the eighth place. */
export const placesOf = (currency: string): number => Math.max(6, decimalsOf(currency));

/** The most units that fit into 64 bits. */
const MOST_UNITS = 2n ** 63n - 1n;

/** @throws AmountError where it has more digits than are kept */
export function unitsOf(amount: string, currency: string): bigint {
  const units = minorUnits(amount, placesOf(currency));
  if (units > MOST_UNITS || units < -MOST_UNITS) throw new AmountError(`amount ${amount} is too large`);
  return units;
}

export const amountOf = (units: bigint, currency: string): string => {
  const text = fromMinorUnits(units, placesOf(currency));
  return text.replace(/(?:\.0+|(?<!0)0+)$/, '');
};

export class Side {
  readonly kind: SideKind;
  readonly name: string;
  readonly keys: readonly TextColumn[];
  readonly reference: TextColumn;
  readonly #arena = new Arena();
  readonly #words = new Words();
  count = 0;
  currency = new Uint16Array(SIZE);
  amount = new BigInt64Array(SIZE);
  back = new BigInt64Array(SIZE);
  day = new Int32Array(SIZE);
  at = new Float64Array(SIZE);
  deadline = new Float64Array(SIZE);
  kinds = new Uint8Array(SIZE);
  state = new Uint16Array(SIZE);
  line = new Int32Array(SIZE);

  /** @param name as people gave it: a file, or `the service` */
  constructor(kind: SideKind, name: string, keys: number) {
    this.kind = kind;
    this.name = name;
    this.keys = Array.from({ length: keys }, () => new TextColumn(this.#arena));
    this.reference = new TextColumn(this.#arena, { anyCase: true });
  }

  /** @throws AmountError where an amount has too many digits */
  add(entry: Entry): void {
    if (this.count === this.day.length) this.#grow();
    const row = this.count;
    this.currency[row] = this.#words.numberOf(entry.currency);
    this.amount[row] = unitsOf(entry.amount, entry.currency);
    this.back[row] = entry.back === undefined ? 0n : unitsOf(entry.back, entry.currency);
    this.day[row] = entry.day ?? NO_DAY;
    this.at[row] = entry.at ?? Number.NaN;
    this.deadline[row] = entry.deadline ?? Number.NaN;
    this.kinds[row] = KINDS.indexOf(entry.kind);
    this.state[row] = this.#words.numberOf(entry.state ?? '');
    this.line[row] = entry.line ?? 0;
    this.keys.forEach((column, slot) => {
      column.push(cut(entry.keys[slot]));
    });
    this.#addReference(entry);
    this.count++;
  }

  /** A row without a reference may be named by one of its ids in the reference of the other side. */
  #addReference({ keys, reference }: Entry): void {
    const slot = keys.findIndex((key) => key !== undefined && (reference === undefined || key === reference));
    const same = this.keys[slot];
    if (same !== undefined) this.reference.pushSame(same);
    else this.reference.push(cut(reference?.replace(/\s+/g, ' ')));
  }

  currencyOf(row: number): string {
    return this.#words.word(this.currency[row] ?? 0);
  }

  stateOf(row: number): string {
    return this.#words.word(this.state[row] ?? 0);
  }

  kindOf(row: number): Kind {
    return KINDS[this.kinds[row] ?? 0] ?? 'paid';
  }

  #grow(): void {
    const size = this.day.length * 2;
    this.currency = grown(this.currency, new Uint16Array(size));
    this.amount = grown(this.amount, new BigInt64Array(size));
    this.back = grown(this.back, new BigInt64Array(size));
    this.day = grown(this.day, new Int32Array(size));
    this.at = grown(this.at, new Float64Array(size));
    this.deadline = grown(this.deadline, new Float64Array(size));
    this.kinds = grown(this.kinds, new Uint8Array(size));
    this.state = grown(this.state, new Uint16Array(size));
    this.line = grown(this.line, new Int32Array(size));
  }
}

const SIZE = 1_024;

const cut = (text: string | undefined): string => (text ?? '').slice(0, LONGEST_TEXT);

/** Few words that many rows share. */
class Words {
  readonly #numbers = new Map<string, number>();
  readonly #words: string[] = [];

  numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#numbers.set(word, this.#words.length);
    return this.#words.push(word) - 1;
  }

  word(number: number): string {
    return this.#words[number] ?? '';
  }
}
