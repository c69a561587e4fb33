/**
 * ISO 20022 camt.053 (statement) and camt.054 (notification). Booked entries count. An entry of several transactions gives a row for each
 * where their amounts come to its own; opening balance and entries must come to the closing one, and the sums that a file says of itself must
 * be right. What could be read in two ways is refused, as in a pain.001.
 */
import { add, eq, isDecimal, sub } from '../../core/money.ts';
import { isDay } from '../../core/zone.ts';
import { fileProblem, wordsOfFile } from '../payruns/files/file-problem.ts';
import { readXml, type XmlElement, type XmlListener } from '../payruns/files/xml.ts';
import {
  DETAIL,
  isEnvelope,
  isMisplaced,
  isRead,
  type Message,
  messageOf,
  STATEMENTS,
  slotOf,
} from './camt-places.ts';
import { type StatementEntry, statementProblem } from './statement.ts';

/** @throws Problem that names the line */
export async function* readCamt(
  pieces: AsyncIterable<Buffer>,
  name: string,
): AsyncGenerator<StatementEntry[]> {
  const reader = new CamtReader(name);
  for await (const _ of readXml(pieces, name, reader)) yield reader.drain();
  if (reader.statements === 0) throw fileProblem('empty_file', `${wordsOfFile(name)} has no statement`);
}

/** Texts by their paths within an element; of references that may stand several times, the first. */
interface Part {
  line: number;
  members: Map<string, string>;
}

interface Balance {
  amount: string;
  line: number;
  code: string;
}

const part = (line: number): Part => ({ line, members: new Map() });

class CamtReader implements XmlListener {
  readonly slotOf = slotOf;
  readonly isEnvelope = isEnvelope;
  readonly #name: string;
  /** The one that a document of its namespace has. */
  #message: Message = 'Document/BkToCstmrStmt';
  #found: StatementEntry[] = [];
  statements = 0;
  /** The path of the statement that is read. */
  #root = '';
  #balance: Part | undefined;
  #entry: Part | undefined;
  #detail: Part | undefined;
  #details: Part[] = [];
  #opening: Balance | undefined;
  #closing: Balance | undefined;
  /** Of all booked entries: what came in less what went out, how many they are, and all amounts whatever their sign. */
  #sums = { net: '0', count: 0, gross: '0' };
  readonly #said = new Map<string, { text: string; line: number }>();

  constructor(name: string) {
    this.#name = name;
  }

  drain(): StatementEntry[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  root(local: string, uri: string): void {
    const message = messageOf(uri);
    if (local !== 'Document' || message === undefined)
      throw fileProblem(
        'not_camt',
        `${wordsOfFile(this.#name)} is XML, but no camt.053 and no camt.054`,
        'ask the bank for camt.053.001, camt.054.001 or MT940',
      );
    this.#message = message;
  }

  open({ path, currency, at }: XmlElement): void {
    const { line } = at;
    if (path === STATEMENTS[this.#message]) this.#begin(path);
    if (this.#root === '') return;
    if (path === `${this.#root}/Bal`) this.#balance = part(line);
    if (path === `${this.#root}/Ntry`) {
      this.#entry = part(line);
      this.#details = [];
    }
    if (path === `${this.#root}/${DETAIL}`) this.#detail = part(line);
    if (currency !== undefined) this.#keep(path, currency, '@Ccy');
  }

  close({ path }: XmlElement, text: string, line: number): void {
    if (this.#root === '') return;
    if (text !== '') this.#keep(path, text);
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
    return isMisplaced(path, this.#message);
  }

  #fail(words: string, line: number): never {
    throw statementProblem(this.#name, line, words);
  }

  #begin(path: string): void {
    this.#root = path;
    this.statements++;
    this.#opening = undefined;
    this.#closing = undefined;
    this.#sums = { net: '0', count: 0, gross: '0' };
    this.#said.clear();
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
    const isOpening = code === 'OPBD' || (code === 'PRCD' && this.#opening === undefined);
    if (!isOpening && code !== 'CLBD') return;
    const amount = this.#signed({ line, members });
    const before = isOpening ? this.#opening : this.#closing;
    // The closing balance of the time before is the opening one, where a file says both.
    if (before !== undefined && before.code === code && !eq(before.amount, amount))
      this.#fail(`has a second balance ${code}, and it differs from the first`, line);
    if (isOpening) this.#opening = { amount, line, code };
    else this.#closing = { amount, line, code };
  }

  /** Above zero what came in. */
  #signed({ line, members }: Part): string {
    const [text = '', mark] = [members.get('Amt'), members.get('CdtDbtInd')];
    if (!isAmount(text)) this.#fail('begins a part without an amount that can be read (Amt)', line);
    if (!members.get('Amt@Ccy')) this.#fail('begins a part without a currency (Ccy)', line);
    if (mark !== 'CRDT' && mark !== 'DBIT')
      this.#fail('begins a part that is neither CRDT nor DBIT (CdtDbtInd)', line);
    return mark === 'CRDT' ? text : sub('0', text);
  }

  #endEntry(): void {
    const entry = this.#entry ?? part(0);
    this.#entry = undefined;
    const status = entry.members.get('Sts/Cd') ?? entry.members.get('Sts') ?? 'BOOK';
    if (status !== 'BOOK') return;
    const amount = this.#signed(entry);
    this.#sums = {
      net: add(this.#sums.net, amount),
      count: this.#sums.count + 1,
      gross: add(this.#sums.gross, entry.members.get('Amt') ?? '0'),
    };
    const parts = this.#partsOf(entry);
    if (parts === undefined) this.#found.push(this.#rowOf(entry, this.#details[0], amount));
    else for (const { detail, amount: of } of parts) this.#found.push(this.#rowOf(entry, detail, of));
  }

  /** Undefined where the entry is one row. @throws Problem where the parts come to something else */
  #partsOf(entry: Part): { detail: Part; amount: string }[] | undefined {
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
    if (!eq(sum, whole))
      this.#fail(`begins an entry of ${whole}, and its transactions come to ${sum}`, entry.line);
    return parts;
  }

  #rowOf({ line, members }: Part, detail: Part | undefined, amount: string): StatementEntry {
    const of = (name: string): string | undefined => detail?.members.get(name) ?? members.get(name);
    const currency = members.get('Amt@Ccy');
    if (currency === undefined) this.#fail('begins an entry without a currency (Ccy)', line);
    const moment = members.get('BookgDt/DtTm');
    const day = members.get('BookgDt/Dt') ?? moment?.slice(0, 10) ?? members.get('ValDt/Dt');
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
    };
  }

  #end(line: number): void {
    const { net, count, gross } = this.#sums;
    const isStatement = this.#root === STATEMENTS['Document/BkToCstmrStmt'];
    this.#root = '';
    const saidCount = this.#said.get('TtlNtries/NbOfNtries');
    if (saidCount !== undefined && !(/^\d{1,15}$/.test(saidCount.text) && Number(saidCount.text) === count))
      this.#fail(
        `says another number of entries (NbOfNtries) than the ${count} that are there`,
        saidCount.line,
      );
    const saidSum = this.#said.get('TtlNtries/Sum');
    if (saidSum !== undefined && !(isAmount(saidSum.text) && eq(saidSum.text, gross)))
      this.#fail(`says another sum (Sum) than its entries come to, which is ${gross}`, saidSum.line);
    if (!isStatement) return;
    if (this.#opening === undefined) this.#fail('ends a statement without an opening balance (OPBD)', line);
    if (this.#closing === undefined) this.#fail('ends a statement without a closing balance (CLBD)', line);
    const sum = add(this.#opening.amount, net);
    if (!eq(sum, this.#closing.amount))
      this.#fail(
        `has the closing balance ${this.#closing.amount}, and the opening balance with all entries comes to ${sum}`,
        this.#closing.line,
      );
  }
}

function keepIn({ members }: Part, name: string, text: string): void {
  if (!members.has(name)) members.set(name, text);
}

const isAmount = (text: string): boolean => /^\d{1,12}(?:\.\d{1,8})?$/.test(text) && isDecimal(text);
