/** A file to fill in: the columns of some payout types, one made-up row for each, and all choices of their fields. */
import { fieldsFor, optionsOf } from '../../contract/corridors/check.ts';
import type { CorridorField } from '../../contract/corridors/corridor.ts';
import { sampleDetails } from '../../contract/corridors/sample.ts';
import { decimalsOf } from '../../core/currency.ts';
import { notFound } from '../../core/problem.ts';
import type { Mapping } from '../../profiles/schema.ts';
import type { Cells } from '../../tables/row.ts';
import { type KnownCorridor, knownCorridor, nearTypes } from './corridors.ts';
import type { FileFormat } from './formats.ts';

export interface Template {
  columns: string[];
  rows: Cells[];
  /** `bank_code`, `044`, `Access Bank`, `NGN::Bank`. */
  choices: { column: string; code: string; label: string; type: string }[];
}

/** Said about every payment, in the order of the header. */
const FIRST = ['key', 'type', 'amount', 'input_currency', 'sender'];

/** @throws Problem (not found) */
export async function templateFor(types: readonly string[]): Promise<Template> {
  const known = await Promise.all(types.map(corridorOf));
  const rows = known.map(sampleRow);
  const fields = known.flatMap(({ corridor }) => [
    ...fieldsFor(corridor, 'person'),
    ...fieldsFor(corridor, 'business'),
  ]);
  const needed = new Set(rows.flatMap((row) => Object.keys(row)));
  const names = [...new Set(fields.map(({ name }) => name))];
  const paysBusinesses = known.some(({ corridor }) => fieldsFor(corridor, 'business').length > 0);
  return {
    columns: [
      ...FIRST,
      ...names.filter((name) => needed.has(name)),
      ...(paysBusinesses ? ['recipient_type'] : []),
      ...names.filter((name) => !needed.has(name)),
    ],
    rows,
    choices: known.flatMap(choicesOf),
  };
}

/** The same file as a program writes it whose files are read with the mapping. A comma for decimals is of CSV alone. */
export function underMapping(template: Template, mapping: Mapping, format: FileFormat): Template {
  const { map, split_name: way, decimal_comma: comma, defaults = {} } = mapping;
  const isDivided = way !== undefined;
  const halves = ['first_name', 'last_name'];
  const own = isDivided
    ? template.columns.flatMap((column) =>
        column === 'first_name' ? 'name' : column === 'last_name' ? [] : column,
      )
    : template.columns;
  const columns = [...new Set([...own, ...Object.keys(map)])].filter(
    (column) => Object.hasOwn(map, column) || !Object.hasOwn(defaults, column),
  );
  const headed = (cells: Cells): Cells =>
    Object.fromEntries(
      Object.entries(cells).map(([column, text]) => [
        map[column] ?? column,
        column === 'amount' && comma && format === 'csv' ? text.replace('.', ',') : text,
      ]),
    );
  const whole = (cells: Cells): Cells => {
    const { first_name: first, last_name: last } = cells;
    if (!isDivided || first === undefined || last === undefined) return cells;
    const rest = Object.entries(cells).filter(([column]) => !halves.includes(column));
    return {
      ...Object.fromEntries(rest),
      name: way === 'last-first' ? `${last}, ${first}` : `${first} ${last}`,
    };
  };
  return {
    ...template,
    columns: [...new Set(columns)].map((column) => map[column] ?? column),
    rows: template.rows.map((row) => headed(whole(row))),
  };
}

async function corridorOf(type: string): Promise<KnownCorridor> {
  const found = await knownCorridor(type);
  if (found === undefined) throw notFound(`there is no payout type "${type}"`, nearTypes(type));
  return found;
}

/** No such person exists, and nothing is paid. */
function sampleRow({ corridor, options }: KnownCorridor, index: number): Cells {
  const decimals = decimalsOf(corridor.currency);
  return {
    key: `payment-${index + 1}`,
    type: corridor.type,
    amount: decimals === 0 ? '25000' : decimals > 2 ? '0.001' : '25.00',
    input_currency: 'EUR',
    sender: 'customer-17',
    ...sampleDetails(corridor, 'person', options),
  };
}

function choicesOf({ corridor, options }: KnownCorridor): Template['choices'] {
  const all = new Map<string, CorridorField>();
  for (const kind of ['person', 'business'] as const)
    for (const field of fieldsFor(corridor, kind)) if (field.control === 'select') all.set(field.name, field);
  return [...all.values()].flatMap((field) =>
    Object.entries(optionsOf(field, options)).map(([code, label]) => ({
      column: field.name,
      code,
      label,
      type: corridor.type,
    })),
  );
}
