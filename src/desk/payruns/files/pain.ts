/**
 * Rows of an ISO 20022 credit transfer file, pain.001.001.03, or .09 to .12. `EndToEndId` is the key; the payout type is what the whole
 * file is given, or the only bank type that pays out the currency. Debtor and debtor account are not used: who sends is said with the run,
 * and it is paid from the balance, when somebody runs it. `NbOfTxs` and `CtrlSum` are counted again, and a difference refuses the file.
 */

import { said } from '../../../core/next.ts';
import { isDay, wallTime } from '../../../core/zone.ts';
import type { ReadOptions } from './formats.ts';
import {
  EXECUTION,
  isEnvelope,
  isMisplaced,
  PAYMENT,
  ROOT,
  slotOf,
  TRANSFER,
  withinTransfer,
} from './pain-places.ts';
import { type PainOptions, type Transfer, transferRow } from './pain-row.ts';
import { PainSums } from './pain-sums.ts';
import { type Batches, fileProblem, wordsOfFile } from './row.ts';
import { readXml, type XmlElement, type XmlListener, xmlProblem } from './xml.ts';
import type { Spot } from './xml-words.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:pain\.001\.001\.(?:03|09|10|11|12)$/;
/** The limits of one transfer: the standard has far less in the elements that are read. */
const MOST_MEMBERS = 200;
const LONGEST_MEMBER = 100_000;

/** @throws Problem for what is wrong with the file as a whole */
export async function* readPain(pieces: AsyncIterable<Buffer>, options: PainOptions): Batches {
  const reader = new PainReader(options);
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

class PainReader implements XmlListener {
  readonly slotOf = slotOf;
  readonly isEnvelope = isEnvelope;
  readonly isMisplaced = isMisplaced;
  readonly #options: PainOptions;
  readonly #sums: PainSums;
  #transfer: Map<string, string> | undefined;
  /** When the payment that is read asks to be paid. */
  #day = '';
  #found: Transfer[] = [];

  constructor(options: PainOptions) {
    this.#options = options;
    this.#sums = new PainSums(wordsOfFile(options.name));
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
    if (local !== 'Document' || !NAMESPACE.test(uri))
      throw fileProblem(
        'not_pain',
        `${wordsOfFile(this.#options.name)} is XML, but no pain.001.001.03 and none of .09 to .12`,
      );
  }

  open(element: XmlElement): void {
    const { path, currency } = element;
    if (path === TRANSFER) this.#transfer = new Map();
    if (path === PAYMENT) this.#sums.beginPayment();
    if (path === EXECUTION) this.#day = '';
    if (currency !== undefined) this.#keep(element, '@Ccy', currency);
  }

  /** Several of one name, which only texts such as Ustrd may be, are one text. @throws Problem where there are too many */
  #keep(element: XmlElement, end: string, text: string): void {
    const within = withinTransfer(element.path);
    const members = this.#transfer;
    if (within === undefined || members === undefined) return;
    const before = members.get(within + end);
    const whole = before === undefined ? text : `${before} ${text}`;
    if (members.size >= MOST_MEMBERS || whole.length > LONGEST_MEMBER)
      throw xmlProblem(
        'too_long',
        this.#options.name,
        element.at,
        'has more in one CdtTrfTxInf than remit reads',
      );
    members.set(within + end, whole);
  }

  close(element: XmlElement, text: string): void {
    const { path } = element;
    if (this.#transfer === undefined) this.#closeOutside(element, text);
    else if (path !== TRANSFER) {
      if (text !== '') this.#keep(element, '', text);
    } else {
      this.#sums.add(this.#transfer.get('Amt/InstdAmt') ?? this.#transfer.get('Amt/EqvtAmt/Amt'));
      this.#found.push(this.#transfer);
      this.#transfer = undefined;
    }
  }

  #closeOutside({ path, at }: XmlElement, text: string): void {
    if (path === PAYMENT) this.#sums.endPayment();
    else if (path === `${EXECUTION}/Dt` || path === `${EXECUTION}/DtTm`) this.#day = text;
    else if (path === EXECUTION) checkDay(text || this.#day, at, this.#options);
    else this.#sums.said(path.slice(ROOT.length + 1), text);
  }
}

/** A date of XML may name a zone. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * The day on which a pain.001 asks to be paid. A run pays when somebody runs it, so a later day is refused
 * unless that is meant. A moment with an offset is a day of the zone; undefined for what is neither day nor
 * moment.
 */
export function dayAsked(text: string, zone: string): string | undefined {
  const [, day = MOMENT.exec(text)?.[1]] = DATE.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  if (!text.includes('T')) return day;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  return MOMENT.exec(text)?.[2] === undefined ? day : wallTime(at, zone).day;
}

/** @throws Problem where the day is none, or later than today */
function checkDay(
  text: string,
  at: Spot,
  { name, clock, payNow, note }: Pick<ReadOptions, 'name' | 'clock' | 'payNow' | 'note'>,
): void {
  const day = dayAsked(text, clock.zone);
  if (day === undefined)
    throw xmlProblem('execution_day', name, at, 'has a day that is none (ReqdExctnDt)', 'such as 2026-10-31');
  const today = wallTime(clock.now, clock.zone).day;
  if (day <= today) return;
  if (!payNow)
    throw xmlProblem(
      'later_day',
      name,
      at,
      `asks to be paid on ${day} (ReqdExctnDt), and today is ${today}`,
      said`a run pays when it is run: plan it on that day, or pay it before with ${{ give: 'pay_now' }}`,
    );
  note?.('the file asks for a later day (ReqdExctnDt), and will be paid when its run is run');
}
