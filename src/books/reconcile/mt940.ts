/**
 * SWIFT MT940 and MT942, by their public descriptions and as banks write them: `:60F:` (opening), `:61:` and `:86:` for each movement,
 * `:62F:` (closing). Opening and movements must come to the closing balance. A file may have several statements, and pages of one.
 */
import { add, eq, sub } from '../../core/money.ts';
import type { Hint } from '../../core/next.ts';
import { balanceField, detailsField, movementField } from '../../tables/mt940-fields.ts';
import { fileProblem, wordsOfFile } from '../../tables/row.ts';
import {
  NAME_CURRENCY,
  type StatementEntry,
  type StatementWords,
  statementProblem,
  WARN,
} from './statement-entry.ts';

const MOST_ENTRIES_HELD = 1_000;
const LONGEST_LINE = 10_000;
const LONGEST_FIELD = 100_000;
/** Others that look like a tag are words of a bank, such as `:12:30 o'clock` within `:86:`. */
const TAG = /^:(2[01]|12|13[CD]?|25P?|28C?|34F|60[FM]|61|62[FM]|64|65|86|90[CD]|N[SE]):(.*)$/i;
/** Blocks of the network, and what banks put in their place: `{1:…}`, `:940:`, `-}`. */
const ENVELOPE = /^(?:\{[1-5]:|-\}|:\d{3}:|:[1-4]:)/;
/** Fields that an MT942 alone has: it tells what moved within a day, and has no balances. */
const INTRADAY = ['13', '13D', '34F', '90C', '90D'];

/** @throws Problem that names the line */
export async function* readMt940(
  pieces: AsyncIterable<Buffer>,
  name: string,
  words: StatementWords,
): AsyncGenerator<StatementEntry[]> {
  const reader = new Mt940Reader(name, words);
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
  readonly #words: StatementWords;
  found: StatementEntry[] = [];
  /** Movements that came before any field that names their currency. */
  #waiting: StatementEntry[] = [];
  #line = 0;
  #field: { tag: string; text: string; line: number } | undefined;
  #entry: StatementEntry | undefined;
  /** The line where the statement that is read began; undefined between two. */
  #begun: number | undefined;
  #seen = new Set<string>();
  #opening: Balance | undefined;
  #closing: Balance | undefined;
  #currency = '';
  #account: string | undefined;
  #sum = '0';
  #statements = 0;

  constructor(name: string, words: StatementWords) {
    this.#name = name;
    this.#words = words;
  }

  drain(): StatementEntry[] {
    const found = this.found;
    this.found = [];
    return found;
  }

  fail(words: string, line = this.#line + 1, hint?: Hint): never {
    throw statementProblem(this.#name, line, words, hint);
  }

  line(text: string): void {
    this.#line++;
    const bare = text.replace(/^[\u0001-\u0008\u001a\s]*(?:\{[123]:(?:[^{}]|\{[^}]*\})*\})*(?:\{4:)?/, '');
    if (bare.trim() === '' || bare.trim() === '-') return;
    const [, tag, rest = ''] = TAG.exec(bare) ?? [];
    if (tag !== undefined) {
      this.#endField();
      this.#field = { tag: tag.toUpperCase(), text: rest, line: this.#line };
    } else if (ENVELOPE.test(bare)) this.#endField();
    // Lines before the first tag, and between two messages, are the bank's own heading.
    else if (this.#field !== undefined) this.#goOn(this.#field, bare);
  }

  /** Each field ends with the next tag: a file in which none comes is none of a bank. */
  #goOn(field: { text: string; line: number }, line: string): void {
    field.text += `\n${line}`;
    if (field.text.length > LONGEST_FIELD)
      this.fail(
        `begins a field of more than ${LONGEST_FIELD / 1_000} kB, which is too long for MT940`,
        field.line,
      );
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
    const { tag, line } = field;
    const text = field.text.trimEnd();
    const isNext = this.#closing !== undefined && /^(?:25|28|60)/.test(tag);
    if (tag === '20' || isNext) this.#endStatement();
    if (this.#begun === undefined) {
      this.#begun = line;
      this.#statements++;
    }
    this.#seen.add(tag);
    if (tag === '61') this.#movement(text, line);
    else if (tag === '86') this.#details(text);
    else if (tag === '25' || tag === '25P') this.#keepAccount(text);
    else if (tag === '34F') this.#keepCurrency(/^[A-Z]{3}/.exec(text)?.[0] ?? '');
    else if (/^90/.test(tag)) this.#keepCurrency(/^\d+([A-Z]{3})/.exec(text)?.[1] ?? '');
    else if (/^6/.test(tag)) this.#balance(tag, text, line);
  }

  #endStatement(): void {
    if (this.#begun === undefined) return;
    this.#push();
    this.#release(this.#begun);
    if (
      this.#opening !== undefined ||
      this.#closing !== undefined ||
      !INTRADAY.some((tag) => this.#seen.has(tag))
    )
      this.#prove(this.#begun);
    const [opening, closing] = [this.#opening?.amount, this.#closing?.amount];
    const currency = this.#currency || this.#words.currency;
    if (currency !== undefined) this.#words.balance({ account: this.#account, currency, opening, closing });
    this.#begun = undefined;
    this.#account = undefined;
    this.#seen = new Set();
    this.#opening = undefined;
    this.#closing = undefined;
    this.#currency = '';
    this.#sum = '0';
  }

  #prove(begun: number): void {
    const [opening, closing] = [this.#opening, this.#closing];
    if (opening === undefined) this.#doubt('begins a statement without an opening balance (:60F:)', begun);
    else if (closing === undefined)
      this.#doubt('begins a statement without a closing balance (:62F:)', begun);
    else if (opening.currency !== closing.currency)
      this.#doubt('has a closing balance in another currency than the opening one', closing.line);
    else if (!eq(add(opening.amount, this.#sum), closing.amount))
      this.#doubt(
        `has the closing balance ${closing.amount}, and the opening balance with all movements comes to ${add(opening.amount, this.#sum)}`,
        closing.line,
      );
  }

  #doubt(words: string, line: number): void {
    this.#words.doubt(statementProblem(this.#name, line, words, WARN));
  }

  #push(): void {
    if (this.#entry !== undefined) (this.#currency === '' ? this.#waiting : this.found).push(this.#entry);
    this.#entry = undefined;
  }

  /** A currency may stand behind the number. */
  #keepAccount(text: string): void {
    const line = (text.split('\n')[0] ?? '').trimEnd();
    const currency = /^[A-Z]{3}$/.test(line.slice(-3)) ? line.slice(-3) : '';
    const number = line.slice(0, line.length - currency.length).trimEnd();
    this.#account ??= number === '' ? undefined : number;
    this.#keepCurrency(currency);
  }

  #keepCurrency(currency: string): void {
    if (this.#currency === '') this.#currency = currency;
  }

  /** A currency that is named behind the movements is that of all of them. */
  #release(line: number): void {
    if (this.#waiting.length === 0) return;
    const currency = this.#currency || this.#words.currency;
    if (!currency) this.fail('begins a statement that names no currency', line, NAME_CURRENCY);
    for (const entry of this.#waiting) this.found.push({ ...entry, currency });
    this.#waiting = [];
  }

  #balance(tag: string, text: string, line: number): void {
    const isClosing = tag.startsWith('62');
    if (isClosing) this.#push();
    const read = balanceField(text);
    // A balance that is available, or that will be, proves nothing, and so may be written as the bank likes.
    if (read === undefined && !tag.startsWith('60') && !isClosing) return;
    if (read === undefined) this.fail(`has a balance (:${tag}:) that cannot be read`, line);
    if (tag.startsWith('60')) this.#currency = read.currency;
    this.#keepCurrency(read.currency);
    const balance = {
      line,
      amount: read.isOut ? sub('0', read.amount) : read.amount,
      currency: read.currency,
    };
    if (tag.startsWith('60')) this.#opening = balance;
    else if (isClosing) this.#closing = balance;
  }

  #movement(text: string, line: number): void {
    this.#push();
    const [first = '', ...more] = text.split('\n');
    const read = movementField(first);
    if (read === undefined) this.fail('has a movement (:61:) that cannot be read', line);
    const { mark, isOut, amount, day, order, bank } = read;
    if (!this.#words.isBooked('mark', mark, line)) return;
    this.#sum = isOut ? sub(this.#sum, amount) : add(this.#sum, amount);
    this.#entry = {
      line,
      endToEnd: undefined,
      bankReference: bank,
      orderReference: order,
      text: more.join(' ').trim() || undefined,
      amount: isOut ? amount : sub('0', amount),
      currency: this.#currency,
      day,
      account: this.#account,
    };
  }

  /** Takes details of the movement before it; those of the statement as a whole are not needed. */
  #details(text: string): void {
    if (this.#entry === undefined) return;
    const { endToEnd, text: words } = detailsField(text);
    this.#entry.endToEnd = endToEnd ?? this.#entry.endToEnd;
    this.#entry.text = words ?? this.#entry.text;
  }
}
