/**
 * SWIFT MT940, by its public description: `:20:`, `:25:`, `:28C:`, `:60F:` (opening), `:61:` and `:86:` for each movement, `:62F:` (closing).
 * Opening and movements must come to the closing balance. A file may have several statements.
 */
import { add, eq, isDecimal, sub } from '../../core/money.ts';
import { isDay } from '../../core/zone.ts';
import { fileProblem, wordsOfFile } from '../payruns/files/file-problem.ts';
import { type StatementEntry, statementProblem } from './statement.ts';

const MOST_ENTRIES_HELD = 1_000;
const LONGEST_LINE = 10_000;
const TAG = /^:(\d{2}[A-Z]?):(.*)$/;

/** @throws Problem that names the line */
export async function* readMt940(
  pieces: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<StatementEntry[]> {
  const reader = new Mt940Reader(name);
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece.toString()).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) reader.fail('is too long for MT940');
    for (const line of lines) reader.line(line);
    if (reader.found.length >= MOST_ENTRIES_HELD) yield reader.drain();
  }
  if (rest.trim() !== '') reader.line(rest.replace(/\r$/, ''));
  reader.end();
  yield reader.drain();
}

interface Balance {
  line: number;
  /** A decimal: below zero where the account is overdrawn. */
  amount: string;
  currency: string;
}

class Mt940Reader {
  readonly #name: string;
  found: StatementEntry[] = [];
  #line = 0;
  #field: { tag: string; text: string; line: number } | undefined;
  #entry: StatementEntry | undefined;
  /** Of the statement that is read; undefined between two. */
  #begun: number | undefined;
  #seen = new Set<string>();
  #opening: Balance | undefined;
  #closing: Balance | undefined;
  #sum = '0';
  #statements = 0;

  constructor(name: string) {
    this.#name = name;
  }

  drain(): StatementEntry[] {
    const found = this.found;
    this.found = [];
    return found;
  }

  fail(words: string, line = this.#line + 1): never {
    throw statementProblem(this.#name, line, words);
  }

  line(text: string): void {
    this.#line++;
    // The blocks of the network stand around the text.
    const bare = text.replace(/^(?:\{[123]:[^}]*\})*\{4:/, '');
    if (bare.trim() === '' || bare.trim() === '-' || /^-\}/.test(bare) || /^\{[1235]:/.test(bare)) return;
    const [, tag, rest = ''] = TAG.exec(bare) ?? [];
    if (tag !== undefined) {
      this.#endField();
      this.#field = { tag, text: rest, line: this.#line };
    } else if (this.#field === undefined) this.fail('does not begin with a tag such as :20:', this.#line);
    else this.#field.text += `\n${bare}`;
  }

  end(): void {
    this.#endField();
    this.#endStatement();
    if (this.#statements === 0)
      throw fileProblem('empty_file', `${wordsOfFile(this.#name)} has no statement`);
  }

  #endField(): void {
    const field = this.#field;
    this.#field = undefined;
    if (field === undefined) return;
    const { tag, text, line } = field;
    if (tag === '20') {
      this.#endStatement();
      this.#begun = line;
      this.#statements++;
    } else if (this.#begun === undefined) this.fail(`has :${tag}: and no :20: before it`, line);
    this.#seen.add(tag);
    if (tag === '60F' || tag === '60M') this.#opening = this.#balance(tag, text, line);
    else if (tag === '61') this.#movement(text, line);
    else if (tag === '86') this.#details(text);
    else if (tag === '62F' || tag === '62M') {
      this.#push();
      this.#closing = this.#balance(tag, text, line);
    }
  }

  #endStatement(): void {
    if (this.#begun === undefined) return;
    this.#push();
    const begun = this.#begun;
    const [opening, closing] = [this.#opening, this.#closing];
    if (!this.#seen.has('25')) this.fail('begins a statement without an account (:25:)', begun);
    if (opening === undefined) this.fail('begins a statement without an opening balance (:60F:)', begun);
    if (closing === undefined) this.fail('begins a statement without a closing balance (:62F:)', begun);
    if (opening.currency !== closing.currency)
      this.fail('has a closing balance in another currency than the opening one', closing.line);
    const sum = add(opening.amount, this.#sum);
    if (!eq(sum, closing.amount))
      this.fail(
        `has the closing balance ${closing.amount}, and the opening balance with all movements comes to ${sum}`,
        closing.line,
      );
    this.#begun = undefined;
    this.#seen = new Set();
    this.#opening = undefined;
    this.#closing = undefined;
    this.#sum = '0';
  }

  #push(): void {
    if (this.#entry !== undefined) this.found.push(this.#entry);
    this.#entry = undefined;
  }

  #balance(tag: string, text: string, line: number): Balance {
    const [, sign, , currency = '', digits = ''] =
      /^([CD])(\d{6})([A-Z]{3})(\d{1,12},\d{0,8})\s*$/.exec(text) ?? [];
    const amount = decimalOf(digits);
    if (amount === undefined) this.fail(`has a balance (:${tag}:) that cannot be read`, line);
    return { line, amount: sign === 'D' ? sub('0', amount) : amount, currency };
  }

  #movement(text: string, line: number): void {
    this.#push();
    if (this.#opening === undefined) this.fail('has a movement (:61:) before the opening balance', line);
    if (this.#closing !== undefined) this.fail('has a movement (:61:) behind the closing balance', line);
    const found = MOVEMENT.exec(text.split('\n')[0] ?? '');
    const amount = decimalOf(found?.[4] ?? '');
    const day = found && bookedOn(found[1] ?? '', found[2]);
    if (found === null || amount === undefined || day === undefined || day === null)
      this.fail('has a movement (:61:) that cannot be read', line);
    const [, , , mark = '', , , order, bank] = found;
    // RC takes a credit back, and RD a debit.
    const isOut = mark === 'D' || mark === 'RC' || mark === 'ED';
    this.#sum = isOut ? sub(this.#sum, amount) : add(this.#sum, amount);
    this.#entry = {
      line,
      endToEnd: undefined,
      bankReference: bank,
      orderReference: order,
      text: undefined,
      amount: isOut ? amount : sub('0', amount),
      currency: this.#opening.currency,
      day,
    };
  }

  /** What belongs to the movement before it; of the statement as a whole nothing is needed. */
  #details(text: string): void {
    if (this.#entry === undefined) return;
    const joined = text.replace(/\n/g, '').replace(/\?\d{2}/g, '?');
    const plain = joined.replaceAll('?', '').trim();
    this.#entry.endToEnd = partOf(joined, 'EREF') ?? this.#entry.endToEnd;
    this.#entry.text = partOf(joined, 'SVWZ') ?? partOf(joined, 'REMI') ?? (plain === '' ? undefined : plain);
  }
}

/** Value date, booking day, mark, funds code, amount, kind of movement, reference of the order, and of the bank. */
const MOVEMENT =
  /^(\d{6})(\d{4})?(RC|RD|EC|ED|C|D)[A-Z]?(\d{1,12},\d{0,8})([A-Z][A-Z0-9]{3})((?:(?!\/\/).){0,34})(?:\/\/(.{0,34}))?$/;

function decimalOf(text: string): string | undefined {
  if (!/^\d{1,12},\d{0,8}$/.test(text)) return undefined;
  const [whole = '', fraction = ''] = text.split(',');
  const plain = `${whole.replace(/^0+(?=\d)/, '')}${fraction === '' ? '' : `.${fraction}`}`;
  return isDecimal(plain) ? plain : undefined;
}

/** The value date has a year; the booking day has none, and is the one that is nearest to it. */
function bookedOn(value: string, booked: string | undefined): string | undefined {
  const year = 2000 + Number(value.slice(0, 2));
  const valueDay = `${year}-${value.slice(2, 4)}-${value.slice(4, 6)}`;
  if (!isDay(valueDay)) return undefined;
  if (booked === undefined) return valueDay;
  const month = Number(booked.slice(0, 2));
  const apart = month - Number(value.slice(2, 4));
  const ofYear = apart > 6 ? year - 1 : apart < -6 ? year + 1 : year;
  const day = `${ofYear}-${booked.slice(0, 2)}-${booked.slice(2, 4)}`;
  return isDay(day) ? day : undefined;
}

/** `EREF+wages-1` or `/EREF/wages-1/`. */
function partOf(text: string, name: string): string | undefined {
  const plus = new RegExp(`${name}\\+\\s*([^?]*?)(?=[A-Z]{4}\\+|\\?|$)`).exec(text)?.[1];
  const found = plus ?? new RegExp(`/${name}/([^/]*)`).exec(text)?.[1];
  return found === undefined || found.trim() === '' ? undefined : found.trim();
}
