/** Tells which columns of a ledger mean what: by the names that are usual, or as they are mapped. Any other column is not read. */
import { fold } from '../../core/fold.ts';
import { hint } from '../../core/next.ts';
import { fileProblem, shortName, wordsOfFile } from '../../tables/row.ts';
import type { DayOrder } from './dates.ts';
import data from './ledger-columns.json' with { type: 'json' };

/**
 * The names of columns that are looked for, the best first: letters and digits, in lower case, in English, German and French. Exports that need
 * more than names are known by their headings.
 */
const NAMES = data.names;

export type LedgerColumn = keyof typeof NAMES;
export const LEDGER_COLUMNS = Object.keys(NAMES) as LedgerColumn[];

/** Tells which of the amounts are payments, where both kinds are there. */
export const PAYMENT_SIGNS = ['plus', 'minus', 'debit', 'credit'] as const;
export type PaymentSign = (typeof PAYMENT_SIGNS)[number];

/** The headings of a file that comes each month, and how its cells are written. */
export type ColumnMap = Partial<Record<LedgerColumn, string | undefined>> & CellRules;

interface CellRules {
  decimal_comma?: boolean | undefined;
  dates?: DayOrder | 'ddmm' | undefined;
  payments?: PaymentSign | undefined;
  /** Amounts have their currency beside them: `EUR 10.00`. */
  currency_in_amount?: boolean | undefined;
}

interface KnownExport extends CellRules {
  columns: Partial<Record<LedgerColumn, string>>;
  /** Headings that it has beside its columns. */
  has?: readonly string[];
}

const EXPORTS = data.exports as Readonly<Record<string, KnownExport>>;

export interface LedgerHeader {
  name: string;
  map: Readonly<Record<string, string>>;
  /** Maps of the rules by their names, and the one that was asked for. */
  columns?: Readonly<Record<string, ColumnMap>> | undefined;
  use?: string | undefined;
  /** The currency of rows that name none, where it was said. */
  currency?: string | undefined;
}

export interface ReadHeader {
  /** The meaning of each place. */
  places: (LedgerColumn | null)[];
  cells: CellRules;
  /** The map or the export that was used. */
  by: string | undefined;
}

/** @throws Problem */
export function ledgerHeader(header: readonly string[], given: LedgerHeader): ReadHeader {
  const { by, map: chosen, cells } = mapFor(header, given);
  const all = { ...given, map: { ...chosen, ...given.map } };
  const found = new Map<number, LedgerColumn>();
  const names = header.map(plain);
  for (const column of LEDGER_COLUMNS) {
    const mapped = all.map[column];
    // A known export has other columns under usual names, which mean something else there.
    const isNamed = mapped === undefined && (by === undefined || !(by in EXPORTS));
    const at =
      mapped !== undefined ? byMap(header, mapped, column, all) : isNamed ? byName(column, names, found) : -1;
    if (at >= 0) found.set(at, column);
  }
  const has = new Set(found.values());
  if (has.has('amount') && !Object.hasOwn(all.map, 'debit') && !Object.hasOwn(all.map, 'credit')) {
    for (const [at, column] of found) if (column === 'debit' || column === 'credit') found.delete(at);
  }
  refuseLacking(cells.currency_in_amount ? new Set([...has, 'currency']) : has, all);
  return { places: header.map((_, at) => found.get(at) ?? null), cells, by };
}

/** The map of the rules that was asked for or fits, else the export that has these headings. @throws Problem where two fit */
function mapFor(
  header: readonly string[],
  { name, columns = {}, use }: LedgerHeader,
): { by: string | undefined; map: Record<string, string>; cells: CellRules } {
  const headings = new Set(header.map((one) => one.trim()));
  const maps = Object.entries(columns).map(([by, { decimal_comma, dates, payments, ...map }]) => ({
    ...{ by: `${by} of the rules`, own: by, map: map as Record<string, string> },
    cells: { decimal_comma, dates, payments },
  }));
  if (use !== undefined) {
    const asked = maps.find(({ own }) => own === use);
    if (asked !== undefined) return asked;
    throw fileProblem(
      'unknown_map',
      `the rules have no columns "${shortName(use)}"`,
      `they have ${Object.keys(columns).join(', ') || 'none'}`,
    );
  }
  const fitting = maps.filter(({ map }) => {
    const named = Object.values(map);
    return named.length > 0 && named.every((one) => headings.has(one));
  });
  const [first, second] = fitting;
  if (first !== undefined && second !== undefined)
    throw fileProblem(
      'several_maps',
      `${wordsOfFile(name)} has the headings of several columns of the rules: ${fitting.map(({ own }) => own).join(', ')}`,
      hint`${{ give: 'columns', value: first.own }} says which`,
    );
  if (first !== undefined) return first;
  for (const [by, { columns: map, has = [], ...cells }] of Object.entries(EXPORTS))
    if ([...Object.values(map), ...has].every((one) => headings.has(one))) return { by, map, cells };
  return { by: undefined, map: {}, cells: {} };
}

/** @throws Problem where a column is mapped that a ledger does not have */
export function checkMap(map: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(map).find((one) => !LEDGER_COLUMNS.includes(one as LedgerColumn));
  if (unknown !== undefined)
    throw fileProblem(
      'unknown_column',
      `a ledger has no column "${shortName(unknown)}"`,
      `its columns are ${LEDGER_COLUMNS.join(', ')}`,
    );
}

const plain = (name: string): string => fold(name).replace(/[^a-z0-9]/g, '');

function byName(
  column: LedgerColumn,
  names: readonly string[],
  taken: ReadonlyMap<number, LedgerColumn>,
): number {
  for (const wanted of NAMES[column]) {
    const at = names.findIndex((name, place) => name === wanted && !taken.has(place));
    if (at >= 0) return at;
  }
  return -1;
}

function byMap(header: readonly string[], wanted: string, column: string, { name }: LedgerHeader): number {
  const at = header.findIndex((each) => each === wanted || each.trim() === wanted);
  if (at >= 0) return at;
  throw fileProblem(
    'unknown_column',
    `${wordsOfFile(name)} has no column "${shortName(wanted)}", which ${column} is to be read from`,
  );
}

function refuseLacking(has: ReadonlySet<LedgerColumn>, { name, currency }: LedgerHeader): void {
  const file = wordsOfFile(name);
  const map = (column: string) => hint`${{ give: 'map', value: `${column}=NAME` }} says which column it is`;
  if (!has.has('amount') && !has.has('debit') && !has.has('credit'))
    throw fileProblem(
      'missing_column',
      `${file} has no column amount, and neither debit nor credit`,
      map('amount'),
    );
  if (!has.has('id') && !has.has('external_id') && !has.has('reference'))
    throw fileProblem(
      'missing_column',
      `${file} has no column id, external_id or reference: an amount alone matches nothing`,
      map('external_id'),
    );
  if (!has.has('currency') && currency === undefined)
    throw fileProblem(
      'missing_column',
      `${file} has no column currency`,
      hint`${map('currency')}; for the whole file: ${{ give: 'currency', value: 'EUR' }}`,
    );
}
