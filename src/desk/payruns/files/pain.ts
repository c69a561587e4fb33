/**
 * Rows of an ISO 20022 credit transfer file, pain.001.001.03 or .09. `EndToEndId` is the key; the payout type is what the whole file is
 * given, or the only bank type that pays out the currency. Debtor, debtor account and execution date are not used: who sends is said
 * with the run, it is paid from the balance, and when somebody runs it. A DOCTYPE is refused. `NbOfTxs` and `CtrlSum` are counted again,
 * and a difference refuses the file.
 */
import { fileProblem, wordsOfFile } from './file-problem.ts';
import { type PainOptions, type Transfer, transferRow } from './pain-row.ts';
import { PainSums } from './pain-sums.ts';
import type { Batches } from './row.ts';
import { readXml } from './xml.ts';

const NAMESPACES = ['03', '09'].map((version) => `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`);
const MOST_MEMBERS = 200;

/** @throws Problem for what is wrong with the file as a whole */
export async function* readPain(pieces: AsyncIterable<Buffer>, options: PainOptions): Batches {
  const reader = new PainReader(options.name);
  let n = 0;
  const rows = async () => {
    const found = [];
    for (const transfer of reader.drain()) found.push(await transferRow(transfer, ++n, options));
    return found;
  };
  for await (const _ of readXml(pieces, options.name, reader)) {
    const batch = await rows();
    if (batch.length > 0) yield batch;
  }
  reader.finish();
  if (n === 0) throw fileProblem('no_rows', `${wordsOfFile(options.name)} has no rows`);
}

/** Where the parts of a file are. */
const ROOT = 'Document/CstmrCdtTrfInitn';
const PAYMENT = `${ROOT}/PmtInf`;
const TRANSFER = `${PAYMENT}/CdtTrfTxInf`;

class PainReader {
  readonly #name: string;
  readonly #sums: PainSums;
  #transfer: Map<string, string> | undefined;
  #found: Transfer[] = [];

  constructor(name: string) {
    this.#name = name;
    this.#sums = new PainSums(wordsOfFile(name));
  }

  drain(): readonly Transfer[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  finish(): void {
    this.#sums.finish();
  }

  root(local: string, uri: string): void {
    if (local !== 'Document' || !NAMESPACES.includes(uri))
      throw fileProblem(
        'not_pain',
        `${wordsOfFile(this.#name)} is XML, but no pain.001.001.03 and no pain.001.001.09`,
      );
  }

  open(path: string, currency: string | undefined): void {
    if (path === TRANSFER) this.#transfer = new Map();
    if (path === PAYMENT) this.#sums.beginPayment();
    if (currency !== undefined) this.#keep(`${path.slice(TRANSFER.length + 1)}@Ccy`, currency);
  }

  /** The first of several of one name. */
  #keep(name: string, text: string): void {
    const members = this.#transfer;
    if (members !== undefined && !members.has(name) && members.size < MOST_MEMBERS) members.set(name, text);
  }

  close(path: string, text: string): void {
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
