/** A list as a table; on a narrow screen each row is a small block. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { TextCell as CellOf, TextTable as Told } from '../../payments/shapes/told.ts';
import type { PayoutRow } from '../wire.ts';
import type { PageAddress } from './address.ts';
import { bind } from './keys.ts';
import { State, Their, Time, To, WithTimes } from './parts.tsx';

export interface PageColumn<R> {
  head: string;
  cell(row: R): ComponentChildren;
  isRight?: boolean;
  /** Left out where no row has anything in it. */
  isOptional?: boolean;
}

/** The link by which a row is opened. */
export const Name = ({ to, text }: { to: PageAddress; text: string }) => (
  <To to={to} class="name">
    <Their text={text} />
  </To>
);

export const columns = {
  to: {
    head: 'To',
    cell: ({ id, to, reference }: PayoutRow) => (
      <Name to={{ view: 'payout', id }} text={to || reference || id} />
    ),
  },
  from: { head: 'From', isOptional: true, cell: (row: PayoutRow) => theirCell(row.from) },
  account: { head: 'Account', cell: (row: PayoutRow) => <Their text={row.account} /> },
  amount: {
    head: 'Amount',
    isRight: true,
    cell: (row: PayoutRow) => <span class="amount">{row.amount}</span>,
  },
  state: { head: 'State', cell: (row: PayoutRow) => <State state={row.state} /> },
  at: { head: 'Created', cell: (row: PayoutRow) => <Time at={row.at} /> },
  reference: { head: 'Reference', cell: (row: PayoutRow) => theirCell(row.reference) },
  by: { head: 'Found by', cell: (row: PayoutRow) => row.by },
} as const satisfies Readonly<Record<string, PageColumn<PayoutRow>>>;

export const OF_PAYMENT = [
  columns.to,
  columns.amount,
  columns.state,
  columns.from,
  columns.account,
  columns.at,
  columns.reference,
];

interface OfTable {
  label: string;
  of: Told;
  /** The month that a balance is read of. */
  month?: string | undefined;
}

type Cells = readonly CellOf[];
const columnsOf = (heads: readonly string[], month?: string, from = 0): PageColumn<Cells>[] =>
  heads.map((head, at) => ({
    head: head.replace(/^>/, ''),
    isRight: head.startsWith('>'),
    cell: (cells) => cells[from + at] && <Cell cell={cells[from + at] ?? ''} month={month} />,
  }));

/** A table in the words of the desk. */
export const Table = ({ label, of: { heads, rows }, month }: OfTable) => (
  <RowsTable label={label} rows={rows} shown={columnsOf(heads, month)} keyOf={(_, index) => String(index)} />
);

interface OfTicks extends OfTable {
  /** The fields of a form are named `NAME ID`. */
  name: string;
  isRequired?: boolean;
  /** Stands behind the others. */
  more?: PageColumn<Cells>;
}

/** A table whose rows are ticked. The first cell of each is its id. */
export const Ticks = ({ label, of, name, isRequired, more }: OfTicks) => {
  const [head = '', ...heads] = of.heads;
  const cell = ([id, ...words]: Cells) => (
    <input
      type="checkbox"
      name={`${name} ${id}`}
      required={isRequired}
      aria-label={`${head}: ${words.map(wordsOf).join(', ')}`}
    />
  );
  const shown = [{ head, cell }, ...columnsOf(heads, undefined, 1), ...(more ? [more] : [])];
  return <RowsTable label={label} rows={of.rows} shown={shown} keyOf={([id]) => String(id)} />;
};

const wordsOf = (cell: CellOf): string => (typeof cell === 'string' ? cell : cell.text);

const Cell = ({ cell, month }: { cell: CellOf; month: string | undefined }) =>
  typeof cell === 'string' ? (
    <span>
      <WithTimes text={cell} />
    </span>
  ) : (
    <To to={placeOf(cell, month)} class="name">
      <WithTimes text={cell.text} />
    </To>
  );

function placeOf({ to, of }: Exclude<CellOf, string>, month: string | undefined): PageAddress {
  if (to === 'currency') return { view: 'month', month, currency: of };
  return to === 'search' ? { view: to, words: of } : { view: to, id: of };
}

/** Null where there is nothing, so that the cell is empty. */
export const theirCell = (text: string | null): ComponentChildren => text && <Their text={text} />;

interface Listed<R> {
  rows: readonly R[];
  shown: readonly PageColumn<R>[];
  label: string;
}

/** `j` and `k`, or the arrows on a row, move; Enter opens. */
export function RowsTable<R>({
  rows,
  shown: columns,
  label,
  keyOf,
}: Listed<R> & { keyOf: (row: R, index: number) => string }) {
  const shown = columns.filter(
    ({ isOptional, cell }) => isOptional !== true || rows.some((row) => cell(row) !== null),
  );
  useSteps((by) => {
    // A view may have several lists: they are gone through as one.
    const links = [...document.querySelectorAll<HTMLElement>('main a.name')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  });
  return (
    <table aria-label={label}>
      <thead>
        <Heads shown={shown} />
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <RowLine key={keyOf(row, index)} row={row} shown={shown} />
        ))}
      </tbody>
    </table>
  );
}

export const Payouts = <R extends PayoutRow>(of: Listed<R>) => <RowsTable {...of} keyOf={({ id }) => id} />;

/** `j` and `k`, or the arrows, while the list is on the page. */
export function useSteps(step: (by: number) => void): void {
  const [down, up] = [() => step(1), () => step(-1)];
  useLayoutEffect(() => bind({ j: down, ArrowDown: down, k: up, ArrowUp: up }), []);
}

/** Where a row stands in a list of which only some are in the document. */
interface Attributes {
  'data-index'?: number;
  'aria-rowindex'?: number;
}

export const Heads = <R,>({ shown, ...rest }: { shown: readonly PageColumn<R>[] } & Attributes) => (
  <tr {...rest}>
    {shown.map(({ head, isRight }) => (
      <th key={head} scope="col" class={isRight ? 'right' : undefined}>
        {head}
      </th>
    ))}
  </tr>
);

/** @param of called with the element while it is on the page */
export const RowLine = <R,>({
  row,
  shown,
  of,
  ...rest
}: {
  row: R;
  shown: readonly PageColumn<R>[];
  of?: (element: HTMLTableRowElement | null) => void;
} & Attributes) => (
  <tr {...rest} {...(of === undefined ? {} : { ref: of })} onClick={open}>
    {shown.map(({ head, cell, isRight }) => (
      <td key={head} data-head={head} class={isRight ? 'right' : undefined}>
        {cell(row)}
      </td>
    ))}
  </tr>
);

/** A click on a row opens the thing that it names. */
function open({ target, currentTarget }: MouseEvent): void {
  // A text that was marked is meant to be copied, and a link goes by itself.
  if (target instanceof Element && target.closest('a, button, input, label') !== null) return;
  if ((getSelection()?.toString() ?? '') !== '') return;
  (currentTarget as Element).querySelector<HTMLElement>('a.name')?.click();
}
