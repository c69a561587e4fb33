/** The sums that a pain.001 states of itself, counted again: how many transfers, and what their amounts come to. */
import { add, eq, isDecimal } from '../../../core/money.ts';
import { fileProblem } from './row.ts';

interface Sum {
  count: number;
  /** Undefined where an amount in it is none. */
  amount: string | undefined;
  said: { count?: string; amount?: string };
}

const none = (): Sum => ({ count: 0, amount: '0', said: {} });
const XML_DECIMAL = /^\+?0*((?:0|[1-9]\d*)(?:\.\d+)?)$/;

export class PainSums {
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
