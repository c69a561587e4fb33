/**
 * Lines of a CSV file that are no rows, for the files that programs and people make: comments, blank lines and totals (decision 0095). Each is said with
 * its number. No wage may vanish and no total may be paid: a line that could be either is a fault.
 */

import { counted } from '../../core/amount-words.ts';
import { fromMinorUnits, isDecimal, minorUnits } from '../../core/money.ts';
import type { Header, OtherLines, Wrong } from '../../tables/csv.ts';
import { findHeading, type Heading } from '../../tables/heading.ts';
import type { Columns } from './columns.ts';

export type LineClass = ReturnType<OtherLines['judge']>;

const TOTAL =
  'totals?|sub-?totals?|sum|totaux|summe|gesamt|gesamtsumme|gesamtbetrag|zwischensumme|endsumme|suma|soma|somme|totale|totali|totaal|totalt|łącznie|razem|toplam|итого|всего|合计|总计|合計';
/** `Total`, `Grand total:`, `Summe EUR`, `Total wages November 2026`. */
const BEGINS = new RegExp(`^(?:(?:grand|sub|net|overall)[ -])?(?:${TOTAL})(?![\\p{L}\\p{N}_-])`, 'iu');
const WHOLE = new RegExp(`^(?:(?:grand|sub|net|overall)[ -])?(?:${TOTAL})(?:\\s+[A-Z]{3})?\\s*[:.=]?$`, 'iu');

/** Keys that would make another line of their row, and those that look guarded against it. */
const ODD_KEY = new RegExp(`^'*\\s*(?:#|${BEGINS.source.slice(1)})`, 'iu');
const GUARDED_KEY = new RegExp(`^'+\\s*(?:#|${BEGINS.source.slice(1)})`, 'iu');

/** A `'` in front of a key such as `#7` or `Total` says that it is one: files that are written have it, and it is taken off again. */
export const guardKey = (key: string): string => (ODD_KEY.test(key) ? `'${key}` : key);
export const unguardKey = (key: string): string => (GUARDED_KEY.test(key) ? key.slice(1) : key);
export const isKeyAt = (column: string | undefined | null, at: number): boolean =>
  at === 0 || KEYS.includes(column ?? '');

const KEYS: readonly string[] = ['key', 'external_id'];
const LABELS: readonly string[] = [...KEYS, 'name', 'first_name', 'middle_name', 'last_name'];
/** A total may have these as well: a spreadsheet fills them down. */
const ASIDE = /^(?:type|currency|input_currency|sender|recipient_type|metadata\..*)$/;
/** Digits behind the point that are added up; a currency has fewer. */
const PLACES = 18;
const MOST_NAMED = 20;

export class OddLines implements OtherLines {
  readonly #isColumn: (name: string) => boolean;
  readonly #decimalComma: boolean;
  readonly #asides = {
    titles: new Lines('above the heading, and no row', 'above the heading, and no rows'),
    comments: new Lines('a comment (#)', 'comments (#)'),
    blanks: new Lines('blank', 'blank'),
  };
  #hasSeparator = false;
  readonly #totals: string[] = [];
  #moreTotals = 0;
  /** Places of the heading that are looked at in every row. */
  #places: { header: Header; amount: number; labels: number[]; keys: number } | undefined;
  #rows = 0;
  #rowsBefore = 0;
  /** The sum of all rows so far; undefined where an amount of theirs cannot be read. */
  #sum: bigint | undefined = 0n;
  /** The same, when the last total was met. */
  #sumBefore = 0n;

  constructor(columns: Columns, decimalComma: boolean) {
    this.#isColumn = (name) => columns.of(name) !== undefined;
    this.#decimalComma = decimalComma;
  }

  heading(text: string, isWhole: boolean): Heading | undefined {
    return findHeading(text, this.#isColumn, isWhole);
  }

  above({ above }: Heading): void {
    this.#hasSeparator = above.separator.length > 0;
    for (const kind of ['titles', 'comments', 'blanks'] as const)
      for (const line of above[kind]) this.#asides[kind].add(line);
  }

  blank(line: number): void {
    this.#asides.blanks.add(line);
  }

  unguarded(cell: string, column: string, at: number): string {
    return isKeyAt(column, at) ? unguardKey(cell) : cell;
  }

  /** A row that could not be read: no sum is known from here on. */
  unread(): void {
    this.#sum = undefined;
  }

  judge(record: readonly string[], header: Header, line: number): LineClass {
    const places = this.#placesOf(header);
    const text = record[places.amount]?.trim() ?? '';
    if (record[0]?.trimStart().startsWith('#')) return this.#comment(record, { header, line, text });
    const label = labelIn(record, places);
    if (label === undefined) return this.#row(text);
    const isBare = record.every((cell, at) => at === label.at || isAside(cell, header[at]));
    if (!isBare) return this.#payeeOrTotal(text, label);
    if (text === '') return this.#leaveOut(line, 'it is a line of totals, without an amount');
    return this.#total(text, line);
  }

  #placesOf(header: Header) {
    if (this.#places?.header === header) return this.#places;
    const labels = header.flatMap((column, at) => (LABELS.includes(column ?? '') ? [at] : []));
    const isKey = (at: number): boolean => KEYS.includes(header[at] ?? '');
    labels.sort((a, b) => Number(isKey(b)) - Number(isKey(a)));
    this.#places = { header, amount: header.indexOf('amount'), labels, keys: labels.filter(isKey).length };
    return this.#places;
  }

  /** A row that a user took out with # looks like one, and may be a wage. */
  #comment(
    record: readonly string[],
    { header, line, text }: { header: Header; line: number; text: string },
  ): LineClass {
    const others = record.slice(1).filter((cell) => cell.trim() !== '');
    const isWords = !others.some((cell) => /\p{N}/u.test(cell)) || (others.length === 1 && text === '');
    if (others.length > 0 && !(isWords && record.length < header.length)) return this.#fault(COMMENT);
    this.#asides.comments.add(line);
    return 'left out';
  }

  /** A line that begins like a total and has more than a total has. */
  #payeeOrTotal(text: string, { isKey, words }: Label): LineClass {
    const isSum = this.#rows > 1 && this.#readings(text).some((one) => this.#isSum(one));
    if (isSum || (isKey && WHOLE.test(words))) return this.#fault(EITHER);
    return this.#row(text);
  }

  #total(text: string, line: number): LineClass {
    const readings = this.#readings(text);
    const [reading] = readings;
    if (reading === undefined) return this.#fault(UNREAD);
    // The rows above have faults, so the file is refused without this one.
    if (this.#sum === undefined)
      return this.#leaveOut(
        line,
        'it is a total; it was not compared, since an amount above it cannot be read',
      );
    const found = readings.find((one) => this.#isSum(one));
    if (found === undefined) {
      const words = `is a total of ${shown(reading)}, and the ${counted(this.#rows, 'row')} above come to ${shown(this.#sum)}`;
      return this.#fault({ column: 'amount', code: 'total_differs', words, right: DIFFERS });
    }
    const rows = found === this.#sum ? this.#rows : this.#rows - this.#rowsBefore;
    [this.#sumBefore, this.#rowsBefore] = [this.#sum, this.#rows];
    return this.#leaveOut(line, `it is the total of the ${counted(rows, 'row')} above it, ${shown(found)}`);
  }

  /** True for the sum of all rows above, or of those behind the last total. */
  #isSum(one: bigint): boolean {
    if (this.#sum === undefined || this.#rows === 0) return false;
    return one === this.#sum || (this.#rows > this.#rowsBefore && one === this.#sum - this.#sumBefore);
  }

  #row(text: string): 'row' {
    this.#rows++;
    if (this.#sum === undefined) return 'row';
    const minor = minorOf(this.#decimalComma ? withPoint(text) : text);
    this.#sum = minor === undefined ? undefined : this.#sum + minor;
    return 'row';
  }

  #fault(wrong: Wrong): Wrong {
    this.#sum = undefined;
    return wrong;
  }

  #leaveOut(line: number, words: string): 'left out' {
    if (this.#totals.length < MOST_NAMED) this.#totals.push(`line ${line} is left out: ${words}`);
    else this.#moreTotals++;
    return 'left out';
  }

  /** A total as a person or a spreadsheet writes it: `1,250,000.00`, `1.250.000,00`, `NGN 1 250 000`. */
  #readings(given: string): bigint[] {
    const text = given.replace(/[\s'’\p{Sc}]/gu, '').replace(/^[A-Z]{3}|[A-Z]{3}$/g, '');
    const ways = [
      withPoint(text),
      /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(',', '') : '',
      /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : '',
    ];
    return ways.flatMap((one) => minorOf(one) ?? []);
  }

  /** The sentences about all that was left out. */
  notes(): string[] {
    return [
      ...(this.#hasSeparator ? ['line 1 (sep=) says what divides the cells; it is no row'] : []),
      ...Object.values(this.#asides).flatMap((lines) => lines.words),
      ...this.#totals,
      ...(this.#moreTotals > 0 ? [`${this.#moreTotals} more lines of totals are left out`] : []),
    ];
  }
}

const EITHER: Wrong = {
  column: 'key',
  code: 'total_or_payment',
  words: 'is called a total and has a key or a payee of its own: nobody can say which it is',
  right: "delete the line if it is a total; put ' in front of its key if it is a payment",
};
const COMMENT: Wrong = {
  column: 'key',
  code: 'comment_or_payment',
  words: 'begins with # and has the cells of a row: nobody can say whether it is to be paid',
  right: "delete the line; if it is a payment, take the # away or put ' in front of it",
};
const UNREAD: Wrong = {
  column: 'amount',
  code: 'total_unread',
  words: 'is that of a total, and cannot be read',
  right: 'write the sum of the rows above it, or delete the line',
};
const DIFFERS = 'is a row missing, or is it a payment? Correct it, or delete the line';

interface Label {
  at: number;
  words: string;
  /** It stands where the key does, or there is no key. */
  isKey: boolean;
}

/** Where a line says that it is a total: in its key, in its first cell, or in a name. @param places those of keys first */
function labelIn(
  record: readonly string[],
  { labels, keys }: { labels: readonly number[]; keys: number },
): Label | undefined {
  let hasKey = false;
  for (const [index, at] of labels.entries()) {
    const words = record[at]?.trim() ?? '';
    if (words === '') continue;
    const isKey = index < keys;
    if (BEGINS.test(words)) return { at, words, isKey: isKey || !hasKey };
    hasKey ||= isKey;
  }
  const first = record.findIndex((cell) => cell.trim() !== '');
  const words = record[first]?.trim() ?? '';
  return BEGINS.test(words) ? { at: first, words, isKey: !hasKey } : undefined;
}

/** True for a cell that a total may have as well. */
const isAside = (cell: string, column: string | undefined | null): boolean =>
  cell.trim() === '' || column === undefined || column === 'amount' || ASIDE.test(column ?? '');

function minorOf(amount: string): bigint | undefined {
  const [, fraction = ''] = amount.split('.');
  return isDecimal(amount) && !/[1-9]/.test(fraction.slice(PLACES)) ? minorUnits(amount, PLACES) : undefined;
}

const withPoint = (text: string): string => text.replace(/^(\d+),(\d+)$/, '$1.$2');

function shown(minor: bigint): string {
  const text = fromMinorUnits(minor, PLACES);
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** Numbers of lines of one kind, in the order of the file. */
class Lines {
  readonly #ranges: [from: number, to: number][] = [];
  readonly #one: string;
  readonly #several: string;
  #last = 0;

  constructor(one: string, several: string) {
    this.#one = one;
    this.#several = several;
  }

  add(line: number): void {
    const range = this.#ranges.at(-1);
    if (range !== undefined && line === this.#last + 1 && range[1] === this.#last) range[1] = line;
    else if (this.#ranges.length < MOST_NAMED) this.#ranges.push([line, line]);
    this.#last = line;
  }

  /** `lines 2 to 4, 9 are left out: they are blank`; none where there is no line. */
  get words(): string[] {
    const [first] = this.#ranges;
    if (first === undefined) return [];
    if (first[0] === this.#last) return [`line ${this.#last} is left out: it is ${this.#one}`];
    const named = this.#ranges.map(([from, to]) =>
      from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`,
    );
    const more = this.#ranges.at(-1)?.[1] === this.#last ? '' : ` and more up to line ${this.#last}`;
    return [`lines ${named.join(', ')}${more} are left out: they are ${this.#several}`];
  }
}
