/** An amount as a ledger has it: one column with a sign, or one for debits and one for credits. */
import type { Cells } from '../payruns/files/formats.ts';

export type Signed =
  /** Debits are above zero and credits below, until it is known which of them are payments. */
  { amount: string; sign: 'plus' | 'minus' | 'debit' | 'credit' } | { fault: string };

const PLAIN = /^([+-]?)(\d{1,12})(?:\.(\d{1,8}))?$/;
const COMMA = /^([+-]?)(\d{1,12})(?:,(\d{1,8}))?$/;

export function signedAmount(cells: Cells, decimalComma: boolean): Signed {
  const { amount, debit, credit } = cells;
  if (amount !== undefined) return read('amount', amount, decimalComma, 'plus', 'minus');
  if (debit !== undefined && credit !== undefined) {
    const [one, other] = [
      read('debit', debit, decimalComma, 'debit', 'credit'),
      read('credit', credit, decimalComma, 'credit', 'debit'),
    ];
    if ('fault' in one) return one;
    if ('fault' in other) return other;
    if (isNothing(other.amount)) return one;
    if (isNothing(one.amount)) return turned(other);
    return { fault: 'has a debit and a credit' };
  }
  if (debit !== undefined) return read('debit', debit, decimalComma, 'debit', 'credit');
  if (credit !== undefined) return turned(read('credit', credit, decimalComma, 'credit', 'debit'));
  return { fault: 'amount is missing' };
}

type Sign = Extract<Signed, { sign: string }>['sign'];

function read(column: string, text: string, decimalComma: boolean, plus: Sign, minus: Sign): Signed {
  const found = (decimalComma ? COMMA : PLAIN).exec(text.trim());
  if (found === null) return { fault: wrong(column, text.trim(), decimalComma) };
  const [, sign, whole = '', fraction] = found;
  const digits = `${whole.replace(/^0+(?=\d)/, '')}${fraction === undefined ? '' : `.${fraction}`}`;
  return sign === '-' && !isNothing(digits)
    ? { amount: `-${digits}`, sign: minus }
    : { amount: digits, sign: plus };
}

function turned(signed: Signed): Signed {
  if ('fault' in signed || isNothing(signed.amount)) return signed;
  const { amount, sign } = signed;
  return { amount: amount.startsWith('-') ? amount.slice(1) : `-${amount}`, sign };
}

const isNothing = (digits: string): boolean => !/[1-9]/.test(digits);

function wrong(column: string, text: string, decimalComma: boolean): string {
  if (!decimalComma && /^[+-]?\d+,\d{1,2}$/.test(text)) return `${column} has a comma for its decimals`;
  if (/^[+-]?\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/.test(text))
    return `${column} has thousands separators`;
  return `${column} is not an amount`;
}
