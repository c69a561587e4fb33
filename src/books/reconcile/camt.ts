/**
 * ISO 20022 camt.052 (report of a day), camt.053 (statement) and camt.054 (notification). Booked entries count. An entry of several transactions gives a row for each
 * where their amounts come to its own; opening balance and entries must come to the closing one, and the sums that a file says of itself must
 * be right. What could be read in two ways is refused, as in a pain.001.
 */
import { add, eq, sub } from '../../core/money.ts';
import { isDay } from '../../core/zone.ts';
import { Balances, isProof, xmlAmount } from '../../tables/camt-balances.ts';
import {
  DETAIL,
  isEnvelope,
  isMisplaced,
  isRead,
  type Message,
  messageAt,
  messageOf,
  STATEMENTS,
  slotOf,
} from '../../tables/camt-places.ts';
import { fileProblem, wordsOfFile } from '../../tables/row.ts';
import { readXml, type XmlElement, type XmlListener } from '../../tables/xml.ts';
import { type StatementEntry, type StatementWords, statementProblem, WARN } from './statement-entry.ts';

/** @throws Problem that names the line */
export async function* readCamt(
  pieces: AsyncIterable<Buffer>,
  name: string,
  words: StatementWords,
): AsyncGenerator<StatementEntry[]> {
  const reader = new CamtReader(name, words);
  for await (const _ of readXml(pieces, name, reader)) yield reader.drain();
  if (reader.statements === 0) throw fileProblem('empty_file', `${wordsOfFile(name)} has no statement`);
}

/** Texts by their paths within an element; of references that may stand several times, the first. */
interface Part {
  line: number;
  members: Map<string, string>;
}

const part = (line: number): Part => ({ line, members: new Map() });

class CamtReader implements XmlListener {
  readonly slotOf = slotOf;
  readonly isEnvelope = isEnvelope;
  readonly #name: string;
  readonly #words: StatementWords;
  /** The one that a document of its namespace has. */
  #message: Message | undefined;
  #found: StatementEntry[] = [];
  statements = 0;
  /** The path of the statement that is read. */
  #root = '';
  #account: string | undefined;
  #balance: Part | undefined;
  #entry: Part | undefined;
  #detail: Part | undefined;
  #details: Part[] = [];
  #balances = new Balances();
  /**
   * The sums of all booked entries: the money that came in less the money that went out, how many they are,
   * and all amounts whatever their sign.
   */
  #sums = { net: '0', count: 0, gross: '0' };
  /** It is one page of several. */
  #isPart = false;
  /** The charges that the entry that is read tells of. */
  #charges: string[] = [];
  readonly #currencies = new Set<string>();
  readonly #said = new Map<string, { text: string; line: number }>();

  constructor(name: string, words: StatementWords) {
    this.#name = name;
    this.#words = words;
  }

  drain(): StatementEntry[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  root(local: string, uri: string): void {
    const message = messageOf(uri);
    if (local !== 'Document' || (message === undefined && uri !== ''))
      throw fileProblem(
        'not_camt',
        `${wordsOfFile(this.#name)} is XML, but no camt.052, no camt.053 and no camt.054`,
        'ask the bank for camt.053.001, camt.054.001 or MT940',
      );
    this.#message = message;
  }

  open({ path, currency, at }: XmlElement): void {
    const { line } = at;
    if (this.#message !== undefined && path === STATEMENTS[this.#message]) this.#begin(path);
    if (this.#root === '') return;
    if (path === `${this.#root}/Bal`) this.#balance = part(line);
    if (path === `${this.#root}/Ntry`) {
      this.#entry = part(line);
      this.#details = [];
      this.#charges = [];
    }
    if (path === `${this.#root}/${DETAIL}`) this.#detail = part(line);
    if (currency !== undefined) this.#keep(path, currency, '@Ccy');
  }

  close({ path }: XmlElement, text: string, line: number): void {
    if (this.#root === '') return;
    if (text !== '') this.#keep(path, text);
    if (this.#entry !== undefined && /\/Chrgs\/(?:(?:Rcrd\/)?Amt|TtlChrgsAndTaxAmt)$/.test(path))
      this.#charges.push(text);
    if (path === `${this.#root}/Acct/Id/IBAN` || path === `${this.#root}/Acct/Id/Othr/Id`)
      this.#account ??= text || undefined;
    if (path === `${this.#root}/StmtPgntn/PgNb` && Number(text) > 1) this.#isPart = true;
    if (path === `${this.#root}/StmtPgntn/LastPgInd` && /^(?:false|0)$/.test(text)) this.#isPart = true;
    if (path.startsWith(`${this.#root}/TxsSummry/`) && text !== '')
      this.#said.set(path.slice(this.#root.length + 11), { text, line });
    if (path === `${this.#root}/Bal`) this.#endBalance();
    if (path === `${this.#root}/${DETAIL}` && this.#detail !== undefined) {
      this.#details.push(this.#detail);
      this.#detail = undefined;
    }
    if (path === `${this.#root}/Ntry`) this.#endEntry();
    if (path === this.#root) this.#end(line);
  }

  isMisplaced(path: string): boolean {
    this.#message ??= messageAt(path);
    return path !== 'Document' && (this.#message === undefined || isMisplaced(path, this.#message));
  }

  #fail(words: string, line: number): never {
    throw statementProblem(this.#name, line, words);
  }

  #doubt(words: string, line: number): void {
    this.#words.doubt(statementProblem(this.#name, line, words, WARN));
  }

  #begin(path: string): void {
    this.#root = path;
    this.statements++;
    this.#balances = new Balances();
    this.#sums = { net: '0', count: 0, gross: '0' };
    this.#said.clear();
    this.#isPart = false;
    this.#account = undefined;
    this.#charges = [];
    this.#currencies.clear();
  }

  #keep(path: string, text: string, end = ''): void {
    const within = path.slice(this.#root.length + 1);
    if (!isRead(within)) return;
    const name = within + end;
    if (this.#detail !== undefined) keepIn(this.#detail, name.slice(DETAIL.length + 1), text);
    else if (this.#entry !== undefined) keepIn(this.#entry, name.slice('Ntry/'.length), text);
    else if (this.#balance !== undefined) keepIn(this.#balance, name.slice('Bal/'.length), text);
  }

  #endBalance(): void {
    const { line, members } = this.#balance ?? part(0);
    this.#balance = undefined;
    const code = members.get('Tp/CdOrPrtry/Cd');
    if (code === undefined || !isProof(code)) return;
    const amount = this.#signed({ line, members });
    const currency = members.get('Amt@Ccy') ?? '';
    const fault = this.#balances.keep({ amount, line, code, currency });
    if (fault !== undefined) this.#doubt(fault, line);
  }

  /** Above zero what came in. */
  #signed({ line, members }: Part): string {
    const [text, mark] = [xmlAmount(members.get('Amt')), members.get('CdtDbtInd')];
    if (text === undefined) this.#fail('begins a part without an amount that can be read (Amt)', line);
    if (!members.get('Amt@Ccy')) this.#fail('begins a part without a currency (Ccy)', line);
    if (mark !== 'CRDT' && mark !== 'DBIT')
      this.#fail('begins a part that is neither CRDT nor DBIT (CdtDbtInd)', line);
    return mark === 'CRDT' ? text : sub('0', text);
  }

  #endEntry(): void {
    const entry = this.#entry ?? part(0);
    this.#entry = undefined;
    const status = ['Sts/Cd', 'Sts/Prtry', 'Sts'].find((one) => entry.members.has(one)) ?? '';
    if (!this.#words.isBooked('status', entry.members.get(status) ?? 'BOOK', entry.line)) return;
    const amount = this.#signed(entry);
    this.#sums = {
      net: add(this.#sums.net, amount),
      count: this.#sums.count + 1,
      gross: add(this.#sums.gross, xmlAmount(entry.members.get('Amt')) ?? '0'),
    };
    this.#currencies.add(entry.members.get('Amt@Ccy') ?? '');
    const parts = this.#partsOf(entry);
    if (parts === undefined) this.#found.push(this.#rowOf(entry, this.#details[0], amount));
    else for (const { detail, amount: of } of parts) this.#found.push(this.#rowOf(entry, detail, of));
  }

  /** Undefined where the entry is one row. @throws Problem where the parts come to something else */
  #partsOf(entry: Part): { detail: Part | undefined; amount: string }[] | undefined {
    if (this.#details.length < 2) return undefined;
    const mark = entry.members.get('CdtDbtInd') ?? '';
    const currency = entry.members.get('Amt@Ccy');
    const parts = this.#details.flatMap((detail) => {
      const name = ['Amt', 'AmtDtls/TxAmt/Amt'].find((one) => detail.members.has(one));
      if (name === undefined) return [];
      const own = new Map([
        ...detail.members,
        ['Amt', detail.members.get(name) ?? ''],
        ['Amt@Ccy', detail.members.get(`${name}@Ccy`) ?? ''],
      ]);
      if (own.get('Amt@Ccy') !== '' && own.get('Amt@Ccy') !== currency) return [];
      if (!own.has('CdtDbtInd')) own.set('CdtDbtInd', mark);
      return [{ detail, amount: this.#signed({ line: detail.line, members: own }) }];
    });
    if (parts.length < this.#details.length) return undefined;
    const sum = parts.reduce((all, { amount }) => add(all, amount), '0');
    const whole = this.#signed(entry);
    if (eq(sum, whole)) return parts;
    const rest = sub(whole, sum);
    // Transactions before charges, and an entry behind them: what was charged is a row of its own.
    if (this.#isCharged(rest)) return [...parts, { detail: undefined, amount: rest }];
    this.#doubt(`begins an entry of ${whole}, and its transactions come to ${sum}`, entry.line);
    return undefined;
  }

  #isCharged(rest: string): boolean {
    const size = rest.startsWith('-') ? sub('0', rest) : rest;
    const charges = this.#charges.flatMap((text) => xmlAmount(text) ?? []);
    const all = charges.reduce((sum, one) => add(sum, one), '0');
    // A total may stand beside the records that come to it.
    return eq(size, all) || eq(add(size, size), all) || charges.some((one) => eq(one, size));
  }

  #rowOf({ line, members }: Part, detail: Part | undefined, amount: string): StatementEntry {
    const of = (name: string): string | undefined => detail?.members.get(name) ?? members.get(name);
    const currency = members.get('Amt@Ccy');
    if (currency === undefined) this.#fail('begins an entry without a currency (Ccy)', line);
    const moment = members.get('BookgDt/DtTm');
    const [booked, value] = [
      members.get('BookgDt/Dt') ?? moment,
      members.get('ValDt/Dt') ?? members.get('ValDt/DtTm'),
    ];
    // A day may have the offset of its zone behind it.
    const day = (booked ?? value)?.slice(0, 10);
    if (day !== undefined && !isDay(day))
      this.#fail('begins an entry with a date that is none (BookgDt)', line);
    const hasZone = moment !== undefined && /(?:Z|[+-]\d{2}:\d{2})$/.test(moment);
    return {
      line: detail?.line ?? line,
      endToEnd: of('Refs/EndToEndId'),
      bankReference: of('Refs/AcctSvcrRef') ?? members.get('AcctSvcrRef') ?? members.get('NtryRef'),
      orderReference: of('Refs/InstrId') ?? of('Refs/TxId'),
      text: of('RmtInf/Ustrd') ?? of('RmtInf/Strd/CdtrRefInf/Ref') ?? of('AddtlNtryInf'),
      amount: sub('0', amount),
      currency,
      day,
      at: hasZone ? Date.parse(moment) : undefined,
      account: this.#account,
    };
  }

  #end(line: number): void {
    const { net, count, gross } = this.#sums;
    const isStatement = this.#root === STATEMENTS['Document/BkToCstmrStmt'];
    this.#root = '';
    const saidCount = this.#said.get('TtlNtries/NbOfNtries');
    const isPart = this.#isPart;
    // The summary of a page may be that of all pages.
    if (
      !isPart &&
      saidCount !== undefined &&
      !(/^\d{1,15}$/.test(saidCount.text) && Number(saidCount.text) === count)
    )
      this.#doubt(
        `says another number of entries (NbOfNtries) than the ${count} that are there`,
        saidCount.line,
      );
    const saidSum = this.#said.get('TtlNtries/Sum');
    if (!isPart && saidSum !== undefined && !eq(xmlAmount(saidSum.text) ?? '-1', gross))
      this.#doubt(`says another sum (Sum) than its entries come to, which is ${gross}`, saidSum.line);
    const mustHave = isStatement && !isPart;
    const fault = this.#balances.fault({ net, currencies: this.#currencies, mustHave, line });
    if (fault !== undefined) this.#doubt(fault.words, fault.line);
    const { opening, closing } = this.#balances.ends();
    const currency = closing?.currency ?? opening?.currency ?? [...this.#currencies][0];
    if (currency === undefined) return;
    this.#words.balance({
      ...{ account: this.#account, currency },
      ...{ opening: opening?.amount, closing: closing?.amount },
    });
  }
}

function keepIn({ members }: Part, name: string, text: string): void {
  if (!members.has(name)) members.set(name, text);
}
