/**
 * Rows of an ISO 20022 credit transfer file, pain.001.001.03 or .09. `EndToEndId` is the key; the payout type is what the whole file is
 * given, or the only bank type that pays out the currency. Debtor, debtor account and execution date are not used: who sends is said
 * with the run, it is paid from the balance, and when somebody runs it. A DOCTYPE is refused. `NbOfTxs` and `CtrlSum` are counted again,
 * and a difference refuses the file.
 */
import type { SaxesParser } from 'saxes';
import { fileProblem, wordsOfFile } from './file-problem.ts';
import { type PainOptions, type Transfer, transferRow } from './pain-row.ts';
import { PainSums } from './pain-sums.ts';
import type { Batches } from './row.ts';

const NAMESPACES = ['03', '09'].map((version) => `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`);
const DEEPEST = 40;
const LONGEST_TEXT = 100_000;
/** Without the end of a tag or a text, the library keeps what it has read. */
const LONGEST_UNREAD = 2_000_000;
const MOST_MEMBERS = 200;

/** @throws Problem for what is wrong with the file as a whole */
export async function* readPain(pieces: AsyncIterable<Buffer>, options: PainOptions): Batches {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const reader = new PainReader(options.name, parser);
  let n = 0;
  const rows = async () => {
    const found = [];
    for (const transfer of reader.drain()) found.push(await transferRow(transfer, ++n, options));
    return found;
  };
  for await (const piece of pieces) {
    parser.write(piece.toString());
    reader.refuseEndless(piece.length);
    const batch = await rows();
    if (batch.length > 0) yield batch;
  }
  parser.close();
  reader.finish();
  const last = await rows();
  if (last.length > 0) yield last;
  if (n === 0) throw fileProblem('no_rows', `${wordsOfFile(options.name)} has no rows`);
}

/** Where the parts of a file are. */
const ROOT = 'Document/CstmrCdtTrfInitn';
const PAYMENT = `${ROOT}/PmtInf`;
const TRANSFER = `${PAYMENT}/CdtTrfTxInf`;

class PainReader {
  readonly #name: string;
  readonly #parser: SaxesParser<{ xmlns: true }>;
  readonly #path: string[] = [];
  readonly #sums: PainSums;
  #text = '';
  #transfer: Map<string, string> | undefined;
  #found: Transfer[] = [];
  #unread = 0;

  constructor(name: string, parser: SaxesParser<{ xmlns: true }>) {
    this.#name = name;
    this.#parser = parser;
    this.#sums = new PainSums(wordsOfFile(name));
    parser.on('error', () => {
      throw this.#broken('cannot be read');
    });
    parser.on('doctype', () => {
      throw this.#broken('has a DOCTYPE, which is not read', 'delete it');
    });
    parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (!/^(?:utf-8|us-ascii)$/i.test(encoding))
        throw this.#broken('names another encoding than UTF-8', 'save it again as UTF-8');
    });
    parser.on('opentag', ({ local, uri, attributes }) => this.#open(local, uri, attributes.Ccy?.value));
    parser.on('text', (text) => this.#take(text));
    parser.on('cdata', (text) => this.#take(text));
    parser.on('closetag', () => this.#close());
  }

  drain(): readonly Transfer[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  refuseEndless(bytes: number): void {
    this.#unread += bytes;
    if (this.#unread > LONGEST_UNREAD) throw this.#broken('has a text without an end');
  }

  finish(): void {
    this.#sums.finish();
  }

  #broken(words: string, hint?: string) {
    return fileProblem('not_xml', `${wordsOfFile(this.#name)}: line ${this.#parser.line} ${words}`, hint);
  }

  #open(local: string, uri: string, currency: string | undefined): void {
    this.#unread = 0;
    if (this.#path.length === 0 && (local !== 'Document' || !NAMESPACES.includes(uri)))
      throw fileProblem(
        'not_pain',
        `${wordsOfFile(this.#name)} is XML, but no pain.001.001.03 and no pain.001.001.09`,
      );
    if (this.#path.length >= DEEPEST) throw this.#broken('is nested too deep');
    this.#path.push(local);
    this.#text = '';
    const path = this.#path.join('/');
    if (path === TRANSFER) this.#transfer = new Map();
    if (path === PAYMENT) this.#sums.beginPayment();
    if (currency !== undefined) this.#keep(`${path.slice(TRANSFER.length + 1)}@Ccy`, currency);
  }

  #take(text: string): void {
    this.#unread = 0;
    this.#text += text;
    if (this.#text.length > LONGEST_TEXT) throw this.#broken('has a text that is too long');
  }

  /** The first of several of one name. */
  #keep(name: string, text: string): void {
    const members = this.#transfer;
    if (members !== undefined && !members.has(name) && members.size < MOST_MEMBERS) members.set(name, text);
  }

  #close(): void {
    this.#unread = 0;
    const path = this.#path.join('/');
    const text = this.#text.trim();
    this.#path.pop();
    this.#text = '';
    if (this.#transfer === undefined) {
      if (path === PAYMENT) this.#sums.endPayment();
      else this.#sums.said(path.slice(ROOT.length + 1), text);
      return;
    }
    if (path !== TRANSFER) {
      if (text !== '') this.#keep(path.slice(TRANSFER.length + 1), text);
      return;
    }
    this.#sums.add(this.#transfer.get('Amt/InstdAmt') ?? this.#transfer.get('Amt/EqvtAmt/Amt'));
    this.#found.push(this.#transfer);
    this.#transfer = undefined;
  }
}
