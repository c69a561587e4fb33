/** Currencies, rates and payment methods. */

import type { Currency, CurrencyExchange, PaymentMethod } from '../../../contract/resources/info.ts';
import { amountText, money, percent } from '../../../core/amount-words.ts';
import type { DataOf } from '../../../frame/shape.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import { currencyShape, methodFieldShape, methodShape, rateShape } from '../../shapes/service.ts';

export const currencyView: View<Currency | CurrencyExchange> = {
  shape: currencyShape,
  empty: 'no currencies',
  columns: [
    { name: 'code', get: (row) => row.code },
    { name: 'name', get: (row) => row.name },
    { name: 'decimals', right: true, get: (row) => toCell(row.decimals) },
    { name: 'min', right: true, priority: 3, get: (row) => amountText(row.min, row.code) },
    { name: 'max', right: true, priority: 3, get: (row) => amountText(row.max, row.code) },
    { name: 'opposites', head: 'AGAINST', priority: 2, get: opposites },
  ],
};

function opposites(row: Currency | CurrencyExchange): string | null {
  const found = (row as CurrencyExchange).opposites;
  return found ? found.map(({ code }) => code).join(' ') : null;
}

export type Rate = DataOf<typeof rateShape>;

export const rateView: View<Rate> = {
  shape: rateShape,
  columns: [
    { name: 'from', get: (row) => row.from },
    { name: 'to', get: (row) => row.to },
    { name: 'rate', right: true, get: (row) => row.rate },
    { name: 'mid_rate', right: true, get: (row) => row.mid_rate },
    { name: 'margin', right: true, get: (row) => row.margin },
    { name: 'decimals', right: true, get: (row) => toCell(row.decimals) },
    { name: 'input_amount', right: true, get: (row) => amountText(row.input_amount, row.from) },
    { name: 'output_amount', right: true, get: (row) => amountText(row.output_amount, row.to) },
  ],
  details: (row) => [
    ['goes in', money(row.input_amount, row.from)],
    ['comes out', money(row.output_amount, row.to)],
    ['rate', row.rate === null ? null : `1 ${row.from} = ${row.rate} ${row.to}`],
    ['mid rate', row.mid_rate === null ? null : `1 ${row.from} = ${row.mid_rate} ${row.to}`],
    ['margin', percent(row.margin)],
    ['decimals', row.decimals === null ? null : `${row.decimals} in ${row.to}`],
  ],
};

export type ListedMethod = PaymentMethod & { direction: 'in' | 'out' };

export const methodView: View<ListedMethod> = {
  shape: methodShape,
  empty: 'no payment methods',
  columns: [
    { name: 'type', get: (row) => row.type },
    { name: 'direction', get: (row) => row.direction },
    { name: 'field_count', head: 'FIELDS', right: true, get: (row) => String(methodFields(row).length) },
    { name: 'details', head: 'NAMES', priority: 3, get: (row) => row.details?.join(' ') },
    { name: 'provider', priority: 2, get: (row) => row.provider },
  ],
};

export type MethodField = DataOf<typeof methodFieldShape>;

const FEW = 8;

export const methodFieldView: View<MethodField> = {
  shape: methodFieldShape,
  empty: 'it takes no fields',
  columns: [
    { name: 'field', get: (row) => row.field },
    { name: 'required', get: (row) => (row.required ? 'yes' : 'no') },
    { name: 'control', priority: 1, get: (row) => row.control },
    { name: 'options', priority: 1, get: (row) => optionsText(Object.keys(row.options)) },
    { name: 'format', priority: 3, get: (row) => row.format },
  ],
};

const optionsText = (codes: string[]): string =>
  codes.length > FEW ? `${codes.length} codes` : codes.join(' ');

/** Fields have descriptors; where the service describes none, their names alone are shown. */
export function methodFields({ fields, details }: PaymentMethod): MethodField[] {
  const names = [...new Set([...Object.keys(fields ?? {}), ...(details ?? [])])];
  return names.map((field) => {
    const described = fields?.[field];
    const format = described?.validations?.format;
    return {
      field,
      required: described?.validations?.presence === true,
      control: described?.type ?? 'input',
      options: described?.options ?? described?.validations?.inclusion?.in ?? {},
      format: (typeof format === 'string' ? format : format?.with) ?? null,
    };
  });
}
