/**
 * A workbook: the rows as CSV has them, with numbers and times as such, and a sheet of totals. It is written as the rows come, in constant
 * memory (decision 0022). Its bytes are a text with a character for each.
 */

import { counted } from '../../core/amount-words.ts';
import { add } from '../../core/money.ts';
import type { Hint } from '../../core/next.ts';
import { openBook, sheetRow, type Workbook } from '../../tables/workbook.ts';
import {
  type Changed,
  isNumberCell,
  MOST_DIGITS,
  rowXml,
  type SheetColumn,
  sheetColumns,
  textXml,
} from '../../tables/xlsx-parts.ts';
import { renderHint } from '../output/spell.ts';
import { apartIn } from './csv.ts';
import type { PageWriter, Rendering } from './rendering.ts';
import type { Cell, Column, ListMeta, View } from './view.ts';

/** Rows are packed so many at a time, however the list is divided. */
const AT_ONCE = 250;
/** A sheet has 1,048,576 rows, the heading with them. */
const MOST_ROWS = 1_048_575;
const NAME_LENGTH = 25;

export function xlsxPages<Row>(view: View<Row>, rendering: Rendering, most = MOST_ROWS): PageWriter<Row> {
  const columns = sheetColumns(view, apartIn(view, rendering.fields));
  const changed: Changed = { longNumbers: 0, cutTexts: 0 };
  const book = openBook(rendering.hear);
  const totals = rendering.totals === undefined ? createTotals(view, columns) : undefined;
  const name = view.shape.kind.replaceAll('_', ' ').slice(0, NAME_LENGTH);
  let waiting: Row[] = [];
  let inSheet = 0;
  let records = 0;
  const pack = (rows: readonly Row[]): string => {
    let bytes = '';
    if (records === 0 || inSheet + rows.length > most) {
      if (records > 0) bytes += book.finish();
      bytes += book.begin(name, columns, rows, changed);
      inSheet = 0;
    }
    const xml = rows.map((row, index) => sheetRow(columns, row, { at: inSheet + index + 2, changed }));
    inSheet += rows.length;
    records += rows.length;
    for (const row of rows) totals?.add(row);
    return bytes + book.add(xml.join(''));
  };
  return {
    page(rows) {
      let bytes = '';
      for (const row of rows) {
        if (waiting.push(row) < AT_ONCE) continue;
        bytes += pack(waiting);
        waiting = [];
      }
      return bytes;
    },
    end(meta, notes = []) {
      // A list without a row has a heading too.
      const rest = waiting.length > 0 || records === 0 ? pack(waiting) : '';
      const own = rendering.totals ?? totals?.table();
      const facts = factsOf({ records, meta, notes });
      return rest + book.finish() + totalsSheet(book, own, { facts, changed }) + book.end();
    },
    below: () => [
      ...(changed.longNumbers === 0
        ? []
        : [
            `${counted(changed.longNumbers, 'number')} with more than ${MOST_DIGITS} digits ${changed.longNumbers === 1 ? 'is' : 'are'} text: a spreadsheet would change the digits.`,
          ]),
      ...(changed.cutTexts === 0
        ? []
        : [
            `${counted(changed.cutTexts, 'text')} longer than a cell of a spreadsheet can be: cut, with … at the end.`,
          ]),
    ],
  };
}

const TOTALS = 'Totals';
type Facts = readonly (readonly [string, string | number])[];

/** The facts stand below the totals, after an empty row. */
function totalsSheet(
  book: Workbook,
  { view, rows }: NonNullable<Rendering['totals']> = { view: { columns: [] }, rows: [] },
  { facts, changed }: { facts: Facts; changed: Changed },
): string {
  const columns = sheetColumns(view, apartIn(view, undefined));
  const begun = book.begin(TOTALS, columns, rows, changed);
  const lines = rows.map((row, index) => sheetRow(columns, row, { at: index + 2, changed }));
  const below = facts.map(([label, value], index) => {
    const at = rows.length + index + 3;
    const cell =
      typeof value === 'number' ? `<c r="B${at}"><v>${value}</v></c>` : textXml(`B${at}`, value, changed);
    return rowXml([textXml(`A${at}`, label, changed), cell], at);
  });
  return begun + book.add([...lines, ...below].join('')) + book.finish();
}

function factsOf({
  records,
  meta,
  notes,
}: {
  records: number;
  meta: ListMeta | undefined;
  notes: readonly Hint[];
}): Facts {
  return [
    ['records', records],
    ...(meta === undefined ? [] : [['complete', meta.complete ? 'yes' : 'no'] as const]),
    ['times', 'UTC'],
    ...notes.map((note) => ['note', renderHint(note)] as const),
  ];
}

interface Total {
  groups: readonly Cell[];
  currency: Cell;
  column: string;
  rows: number;
  sum: string;
}

/** Adds up the amounts of each currency, apart by what the view says. Undefined where the view has no amount with a currency. */
function createTotals<Row>(view: View<Row>, columns: readonly SheetColumn<Row>[]) {
  const amounts = columns.filter(({ currencyOf }) => currencyOf !== undefined);
  if (amounts.length === 0) return undefined;
  const all = [...(view.flat ?? []), ...view.columns];
  const groups = (view.totalsBy ?? []).flatMap((name) => all.find((one) => one.name === name) ?? []);
  const totals = new Map<string, Total>();
  return {
    add(row: Row): void {
      const of = groups.map(({ get }) => get(row));
      for (const { column, currencyOf } of amounts) {
        const value = column.get(row) ?? '';
        if (!isNumberCell(column, value)) continue;
        const currency = currencyOf?.(row);
        const key = JSON.stringify([column.name, currency, of]);
        const total = totals.get(key);
        if (total === undefined)
          totals.set(key, { groups: of, currency, column: column.name, rows: 1, sum: value });
        else {
          total.rows++;
          total.sum = add(total.sum, value);
        }
      }
    },
    table: (): NonNullable<Rendering['totals']> => ({
      view: { columns: totalColumns(groups.map(({ name }) => name)) },
      rows: [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total),
    }),
  };
}

const totalColumns = (groups: readonly string[]): Column<Total>[] => [
  { name: 'amount', get: ({ column }) => column },
  { name: 'currency', get: ({ currency }) => currency },
  ...groups.map((name, index) => ({ name, get: (total: Total) => total.groups[index] })),
  { name: 'rows', right: true, get: ({ rows }) => String(rows) },
  { name: 'sum', amount: true, currency: 'currency', get: ({ sum }) => sum },
];
