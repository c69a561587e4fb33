/**
 * Rows of an ISO 20022 credit transfer file, pain.001.001.03, or .09 to .12. `EndToEndId` is the key; the payout type is what the whole
 * file is given, or the only bank type that pays out the currency. Debtor and debtor account are not used: who sends is said with the run,
 * and it is paid from the balance, no earlier than the file asks. `NbOfTxs` and `CtrlSum` are counted again, and a difference refuses the file.
 */

import { add, eq, isDecimal } from '../../core/money.ts';
import { hint } from '../../core/next.ts';
import { isDay, momentOf, startOfDay, wallTime } from '../../core/zone.ts';
import { type Batches, fileProblem, wordsOfFile } from '../../tables/row.ts';
import { readXml, type XmlElement, type XmlListener, xmlProblem } from '../../tables/xml.ts';
import type { Spot } from '../../tables/xml-words.ts';
import {
  EXECUTION,
  isPainEnvelope,
  isPainMisplaced,
  PAYMENT,
  painSlot,
  ROOT,
  TRANSFER,
  withinTransfer,
} from './pain-places.ts';
import { type PainOptions, type Transfer, transferRow } from './pain-row.ts';

/** The sums that a pain.001 states of itself, counted again: how many transfers, and what their amounts come to. */
interface Sum {
  count: number;
  /** Undefined where an amount in it is none. */
  amount: string | undefined;
  said: { count?: string; amount?: string };
}

const none = (): Sum => ({ count: 0, amount: '0', said: {} });
const XML_DECIMAL = /^\+?0*((?:0|[1-9]\d*)(?:\.\d+)?)$/;

class PainSums {
  readonly #file: string;
  readonly #whole = none();
  #payment = none();
  #payments = 0;

  constructor(file: string) {
    this.#file = file;
  }

  beginPayment(): void {
    this.#payment = none();
    this.#payments++;
  }

  /** @throws Problem where the sums of this PmtInf differ */
  endPayment(): void {
    this.#compare(this.#payment, `PmtInf ${this.#payments}`);
  }

  /** @throws Problem where the sums of the header differ */
  finish(): void {
    this.#compare(this.#whole, 'GrpHdr');
  }

  add(text: string | undefined): void {
    const amount = plain(text ?? '');
    for (const sum of [this.#whole, this.#payment]) {
      sum.count++;
      sum.amount = amount === undefined || sum.amount === undefined ? undefined : add(sum.amount, amount);
    }
  }

  /** A member outside of the transfers, by its path. @throws Problem where payments are not transfers */
  said(path: string, text: string): void {
    if (path === 'GrpHdr/NbOfTxs') this.#whole.said.count = text;
    else if (path === 'GrpHdr/CtrlSum') this.#whole.said.amount = text;
    else if (path === 'PmtInf/NbOfTxs') this.#payment.said.count = text;
    else if (path === 'PmtInf/CtrlSum') this.#payment.said.amount = text;
    else if (path === 'PmtInf/PmtMtd' && text !== 'TRF')
      throw fileProblem(
        'not_transfers',
        `${this.#file}: PmtInf ${this.#payments} has no transfers (PmtMtd is not TRF)`,
      );
  }

  #compare({ count, amount, said }: Sum, where: string): void {
    const { count: saidCount, amount: saidAmount } = said;
    if (saidCount !== undefined && !(/^\d{1,15}$/.test(saidCount) && Number(saidCount) === count))
      throw fileProblem(
        'sums_differ',
        `${this.#file}: ${where} says another number of transfers (NbOfTxs) than the ${count} that are there`,
        'part of the file is missing, or it was changed: make it again',
      );
    if (saidAmount === undefined) return;
    const wanted = plain(saidAmount);
    if (wanted === undefined || amount === undefined || !eq(wanted, amount))
      throw fileProblem(
        'sums_differ',
        `${this.#file}: ${where} says another sum (CtrlSum) than its amounts come to${amount === undefined ? '' : `, which is ${amount}`}`,
        'part of the file is missing, or it was changed: make it again',
      );
  }
}

/** XML allows a plus and zeros in front. */
function plain(text: string): string | undefined {
  const [, digits] = XML_DECIMAL.exec(text) ?? [];
  return digits !== undefined && digits.length < 40 && isDecimal(digits) ? digits : undefined;
}

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
  readonly slotOf = painSlot;
  readonly isEnvelope = isPainEnvelope;
  readonly isMisplaced = isPainMisplaced;
  readonly #options: PainOptions;
  readonly #sums: PainSums;
  #transfer: Map<string, string> | undefined;
  /** When the payment that is read asks to be paid. */
  #day = '';
  /** The moment that the payments before it asked for; now, where that is over. */
  #asked: number | undefined;
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
    else if (path === EXECUTION) this.#ask(text || this.#day, at);
    else this.#sums.said(path.slice(ROOT.length + 1), text);
  }

  /** A run is paid at one time. @throws Problem where the day is none, or another than before */
  #ask(text: string, spot: Spot): void {
    const { name, clock, payNow, note, onLater } = this.#options;
    const at = momentAsked(text, clock.zone);
    if (at === undefined)
      throw xmlProblem(
        'execution_day',
        name,
        spot,
        'has a day that is none (ReqdExctnDt)',
        'such as 2026-10-31',
      );
    const asked = Math.max(at, clock.now);
    const before = this.#asked;
    this.#asked = asked;
    if (payNow) {
      if (asked > clock.now)
        note?.('the file asks for a later day (ReqdExctnDt), and will be paid when its run is run');
      return;
    }
    const days = [before ?? asked, asked].map((one) => wallTime(one, clock.zone).day);
    if (before !== undefined && before !== asked)
      throw xmlProblem(
        'two_days',
        name,
        spot,
        `asks to be paid on ${days[1]} (ReqdExctnDt), and another part of it on ${days[0]}`,
        hint`a run is paid at one time: divide the file, or pay all of it at once with ${{ give: 'pay_now' }}`,
      );
    if (asked === clock.now || before !== undefined) return;
    onLater?.(asked);
    note?.(`the file asks to be paid on ${days[1]} (ReqdExctnDt): nothing of it is sent before`);
  }
}

/** A date of XML may name a zone. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

/** Returns the moment that a pain.001 asks for; a day begins in the zone. Undefined for what is neither day nor moment. */
export function momentAsked(text: string, zone: string): number | undefined {
  const [, day = MOMENT.exec(text)?.[1]] = DATE.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  if (!text.includes('T')) return startOfDay(day, zone);
  const isLocal = MOMENT.exec(text)?.[2] === undefined;
  const at = Date.parse(isLocal ? `${text}Z` : text);
  if (Number.isNaN(at)) return undefined;
  return isLocal ? momentOf(text, zone) : at;
}
