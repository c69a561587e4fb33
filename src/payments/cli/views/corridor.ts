import { currencyRule } from '../../../core/currency.ts';
import type { DataOf } from '../../../frame/shape.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import { corridorFieldShape, corridorOptionShape, corridorShape } from '../../shapes/reference.ts';

export type CorridorRow = DataOf<typeof corridorShape>;

export const corridorView: View<CorridorRow> = {
  shape: corridorShape,
  empty: 'no payout type matches',
  columns: [
    { name: 'type', get: (row) => row.type },
    { name: 'summary', head: 'PAYS TO', priority: 1, get: (row) => row.summary },
    { name: 'status', priority: 2, get: (row) => row.status },
    { name: 'decimals', right: true, priority: 1, get: (row) => toCell(row.decimals) },
    { name: 'recipient_kinds', head: 'RECIPIENTS', priority: 4, get: (row) => row.recipient_kinds.join(' ') },
    { name: 'account_check', head: 'CHECKS', priority: 5, get: (row) => row.account_check },
    { name: 'countries', priority: 6, get: (row) => row.countries.join(' ') },
  ],
};

export type FieldRow = DataOf<typeof corridorFieldShape>;

const FEW = 6;

export const corridorFieldView: View<FieldRow> = {
  shape: corridorFieldShape,
  columns: [
    { name: 'field', get: (row) => row.field },
    { name: 'required', get: (row) => (row.required ? 'yes' : 'no') },
    { name: 'label', priority: 1, get: (row) => row.label },
    { name: 'options', priority: 1, get: ({ options }) => optionsText(options) },
    { name: 'default', priority: 3, get: (row) => row.default },
    { name: 'format', priority: 4, get: (row) => row.format },
    { name: 'note', priority: 3, wrap: true, get: (row) => row.note },
  ],
};

function optionsText(options: Readonly<Record<string, string>>): string {
  const codes = Object.keys(options);
  return codes.length > FEW ? `${codes.length} to choose from` : codes.join(' ');
}

export type OptionRow = DataOf<typeof corridorOptionShape>;

export const optionView: View<OptionRow> = {
  shape: corridorOptionShape,
  empty: 'no choice matches',
  columns: [
    { name: 'code', get: (row) => row.code },
    { name: 'label', get: (row) => row.label },
  ],
};

/** `NGN has no decimals: amounts are rounded up to whole NGN`. */
export function roundingWords(currency: string): string {
  const rule = currencyRule(currency);
  if (rule === undefined) return `${currency}: two decimals`;
  if (rule.decimals > 0) return `${currency} has ${rule.decimals} decimals`;
  return `${currency} has no decimals: amounts are rounded ${rule.rounding === 'up' ? 'up' : 'half up'} to whole ${currency}`;
}
