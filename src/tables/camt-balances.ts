/** The balances of one camt statement, and whether they and its entries agree. */
import { add, eq, isDecimal } from '../core/money.ts';

export interface Balance {
  amount: string;
  line: number;
  code: string;
  currency: string;
}

/** Booked balances prove the entries; what is available, or will be, does not. */
export const isProof = (code: string): boolean => ['OPBD', 'PRCD', 'CLBD', 'ITBD'].includes(code);

export class Balances {
  #opening: Balance | undefined;
  #closing: Balance | undefined;
  /** Balances within a day or between pages (ITBD), in their order. */
  readonly #interim: Balance[] = [];

  /** @returns what is wrong with it beside those that came before */
  keep(balance: Balance): string | undefined {
    const { code, amount } = balance;
    if (code === 'ITBD') {
      this.#interim.push(balance);
      return undefined;
    }
    const isOpening = code !== 'CLBD';
    if (code === 'PRCD' && this.#opening !== undefined && this.#opening.code !== 'PRCD') return undefined;
    const before = isOpening ? this.#opening : this.#closing;
    // The closing balance of the time before is the opening one, where a file says both.
    const differs = before !== undefined && before.code === code && !eq(before.amount, amount);
    if (isOpening) this.#opening = balance;
    else this.#closing = balance;
    return differs ? `has a second balance ${code}, and it differs from the first` : undefined;
  }

  /** The opening and the closing balance. */
  ends(): { opening: Balance | undefined; closing: Balance | undefined } {
    const interim = [...this.#interim];
    let [opening, closing] = [this.#opening, this.#closing];
    // For a single balance between pages the page's other end tells which end it is; two are a beginning and an end.
    if (opening === undefined && (closing !== undefined || interim.length > 1)) opening = interim.shift();
    if (closing === undefined && opening !== undefined) closing = interim.at(-1);
    return { opening, closing };
  }

  /** A page, a report of a day and a notification may have no balances; those that they have must agree. */
  fault(of: {
    net: string;
    currencies: Iterable<string>;
    mustHave: boolean;
    line: number;
  }): { words: string; line: number } | undefined {
    const { opening, closing } = this.ends();
    if (opening === undefined || closing === undefined) {
      const missing = opening === undefined ? 'an opening balance (OPBD)' : 'a closing balance (CLBD)';
      return of.mustHave ? { words: `ends a statement without ${missing}`, line: of.line } : undefined;
    }
    const { line, amount } = closing;
    const currencies = new Set([opening.currency, closing.currency, ...of.currencies]);
    if (currencies.size > 1)
      return {
        words: `has balances and entries in several currencies (${[...currencies].join(', ')})`,
        line,
      };
    const sum = add(opening.amount, of.net);
    if (eq(sum, amount)) return undefined;
    const words = `has the closing balance ${amount}, and the opening balance with all entries comes to ${sum}`;
    return { words, line };
  }
}

/** An amount as `xs:decimal` writes it: `+1.50`, `.5`, `1.`, `001`. Below zero it could be read in two ways. */
export function xmlAmount(text: string | undefined): string | undefined {
  const [, whole = '', fraction = ''] = /^[+]?(\d{0,18})(?:\.(\d*))?$/.exec(text ?? '') ?? [];
  if (whole + fraction === '') return undefined;
  const decimals = fraction.replace(/(?<!0)0+$/, '');
  const plain = `${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`;
  return isDecimal(plain) ? plain : undefined;
}
