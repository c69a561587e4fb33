/** What can be set on a profile by name: `max_amount.EUR=5000`, `read_only=true`; without a value it is taken away. */
import { decimalsOf } from '../core/currency.ts';
import { type Decimal, parseAmount } from '../core/money.ts';
import type { ProfileLimits } from './config/limits.ts';
import { usage } from './failure.ts';

export type Setting =
  | { name: 'read_only'; value: boolean }
  | { name: 'max_amount'; currency: string; value: Decimal | undefined }
  | { name: 'no max_amount' };

const HOW = 'read_only=true, max_amount.EUR=5000, or max_amount.EUR= to take it away';

/** @throws Failure (usage) */
export function readSetting(given: string): Setting {
  const [name = '', value] = splitAt(given, '=');
  if (value === undefined) throw usage(`"${given}" sets nothing`, HOW);
  if (name === 'read_only') {
    if (!['true', 'false', ''].includes(value))
      throw usage(`read_only is true or false, not "${value}"`, HOW);
    return { name, value: value === 'true' };
  }
  if (name === 'max_amount' && value === '') return { name: 'no max_amount' };
  const currency = /^max_amount\.([A-Za-z]{3})$/.exec(name)?.[1]?.toUpperCase();
  if (currency === undefined) throw usage(`a profile has no setting "${name}"`, HOW);
  return { name: 'max_amount', currency, value: value === '' ? undefined : amountIn(value, currency) };
}

/** `EUR=5000,GBP=4000`, as login takes it. @throws Failure (usage) */
export function readMaxAmounts(text: string): Record<string, Decimal> {
  const amounts: Record<string, Decimal> = {};
  for (const part of text.split(',')) {
    const [code = '', value = ''] = splitAt(part, '=');
    const currency = code.trim().toUpperCase();
    if (!/^[A-Z]{3}$/.test(currency) || value.trim() === '')
      throw usage(`"${part}" is not a currency with an amount`, 'such as EUR=5000,GBP=4000');
    if (Object.hasOwn(amounts, currency)) throw usage(`${currency} is given twice`);
    amounts[currency] = amountIn(value, currency);
  }
  return amounts;
}

const amountIn = (text: string, currency: string): Decimal =>
  parseAmount(text, decimalsOf(currency), currency);

function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

export function withSettings<P extends ProfileLimits>(profile: P, settings: readonly Setting[]): P {
  const { max_amount: most = {}, read_only: readOnly, ...rest } = profile;
  let limits: ProfileLimits = { max_amount: most, ...(readOnly ? { read_only: true } : {}) };
  for (const setting of settings) limits = applied(limits, setting);
  const { max_amount: left = {}, read_only: kept } = limits;
  return {
    ...rest,
    ...(Object.keys(left).length > 0 ? { max_amount: left } : {}),
    ...(kept ? { read_only: true } : {}),
  } as P;
}

function applied(limits: ProfileLimits, setting: Setting): ProfileLimits {
  if (setting.name === 'read_only') return { ...limits, read_only: setting.value };
  if (setting.name === 'no max_amount') return { ...limits, max_amount: {} };
  const { [setting.currency]: _, ...others } = limits.max_amount ?? {};
  const { value } = setting;
  return { ...limits, max_amount: value === undefined ? others : { ...others, [setting.currency]: value } };
}
