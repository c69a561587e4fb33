/**
 * Decimals and rounding per currency (docs/wire.md 8):
 * KES, TZS, UGX and NGN pay whole units and always round up; JPY, KRW, XOF, XAF, GNF and VND have whole units, half up;
 * the others two places, half up; BTC eight.
 */
import { byWord } from './by-word.ts';
import { type Decimal, divRounded, type Rounding, round } from './money.ts';

export interface CurrencyRule {
  decimals: number;
  rounding: Rounding;
  name: string;
  symbol: string;
}

const rule = (name: string, symbol: string, decimals = 2, rounding: Rounding = 'half_up'): CurrencyRule => ({
  decimals,
  rounding,
  name,
  symbol,
});

export const currencies: Readonly<Record<string, CurrencyRule>> = byWord({
  AED: rule('United Arab Emirates dirham', 'AED'),
  BRL: rule('Brazilian real', 'R$'),
  BTC: rule('Bitcoin', '₿', 8),
  BWP: rule('Botswana pula', 'P'),
  CAD: rule('Canadian dollar', 'CA$'),
  CHF: rule('Swiss franc', 'CHF'),
  CNY: rule('Chinese yuan', 'CN¥'),
  CRC: rule('Costa Rican colón', '₡'),
  EGP: rule('Egyptian pound', 'E£'),
  EUR: rule('Euro', '€'),
  GBP: rule('Pound sterling', '£'),
  GHS: rule('Ghanaian cedi', 'GH₵'),
  GNF: rule('Guinean franc', 'FG', 0),
  GTQ: rule('Guatemalan quetzal', 'Q'),
  INR: rule('Indian rupee', '₹'),
  JPY: rule('Japanese yen', '¥', 0),
  KES: rule('Kenyan shilling', 'KSh', 0, 'up'),
  KRW: rule('South Korean won', '₩', 0),
  MAD: rule('Moroccan dirham', 'DH'),
  NGN: rule('Nigerian naira', '₦', 0, 'up'),
  NZD: rule('New Zealand dollar', 'NZ$'),
  PEN: rule('Peruvian sol', 'S/'),
  TZS: rule('Tanzanian shilling', 'TSh', 0, 'up'),
  UGX: rule('Ugandan shilling', 'USh', 0, 'up'),
  USD: rule('US dollar', '$'),
  VND: rule('Vietnamese đồng', '₫', 0),
  XAF: rule('Central African CFA franc', 'FCFA', 0),
  XOF: rule('West African CFA franc', 'CFA', 0),
  ZAR: rule('South African rand', 'R'),
  ZMW: rule('Zambian kwacha', 'K'),
});

/** Currencies that a transaction may be paid in. */
export const inputCurrencies: readonly string[] =
  'AED BTC CAD CHF EUR GBP GHS KES MAD NGN UGX USD XAF XOF ZAR'.split(' ');

export function currencyRule(code: string): CurrencyRule | undefined {
  return currencies[code];
}

/** Decimal places of a currency; two for one that is not in the table. */
export function decimalsOf(code: string): number {
  return (currencyRule(code) ?? currencyRule(code.split('::')[0] ?? code))?.decimals ?? 2;
}

/**
 * Decimals that an amount may be asked in. One that is always rounded up may be asked in two: the service rounds, and the caller is informed.
 * What we do not know is the service's to judge.
 */
export function askedDecimals(code: string): number {
  if (roundsUp(code)) return 2;
  return currencyRule(code) ? decimalsOf(code) : 8;
}

/** True where an amount has no more decimals than it may be asked in; zeros at the end do not count. */
export const fitsDecimals = (amount: Decimal, code: string): boolean =>
  (amount.split('.')[1] ?? '').replace(/(?<!0)0+$/, '').length <= askedDecimals(code);

/** True for currencies that cannot be paid in subunits and are always rounded up to whole units. */
export function roundsUp(code: string): boolean {
  return currencyRule(code)?.rounding === 'up';
}

/** `a / b` as an amount of this currency, rounded once. Neither is negative. */
export function quotientFor(code: string, a: Decimal, b: Decimal): Decimal {
  const found = currencyRule(code);
  return divRounded(a, b, found?.decimals ?? 2, found?.rounding ?? 'half_up');
}

export function roundFor(code: string, amount: Decimal): Decimal {
  const found = currencyRule(code);
  return round(amount, found?.decimals ?? 2, found?.rounding ?? 'half_up');
}
