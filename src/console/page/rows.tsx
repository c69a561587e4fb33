/** A list of recipients as a table; on a narrow screen each row is a small block. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Row } from '../wire.ts';
import { go } from './address.ts';
import { bind } from './keys.ts';
import { State, Their, Time, To } from './parts.tsx';

export interface Column<R extends Row> {
  head: string;
  cell(row: R): ComponentChildren;
  /** Amounts stand at the right. */
  isRight?: boolean;
  /** Left out where no row has anything in it. */
  isOptional?: boolean;
}

export const columns = {
  to: {
    head: 'To',
    cell: (row: Row) => (
      <To to={{ view: 'payout', id: row.id }} class="name">
        <Their text={row.to || row.reference || row.id} />
      </To>
    ),
  },
  from: {
    head: 'From',
    isOptional: true,
    cell: (row: Row) => (row.from === null ? null : <Their text={row.from} />),
  },
  account: { head: 'Account', cell: (row: Row) => <Their text={row.account} /> },
  amount: { head: 'Amount', isRight: true, cell: (row: Row) => <span class="amount">{row.amount}</span> },
  state: { head: 'State', cell: (row: Row) => <State state={row.state} /> },
  at: { head: 'Created', cell: (row: Row) => <Time at={row.at} /> },
  reference: {
    head: 'Reference',
    cell: (row: Row) => (row.reference === null ? null : <Their text={row.reference} />),
  },
  by: { head: 'Found by', cell: (row: Row) => row.by },
} as const satisfies Readonly<Record<string, Column<Row>>>;

/** `j` and `k`, or the arrows on a row, move; Enter opens. */
export function Rows<R extends Row>({
  rows,
  shown: columns,
  label,
}: {
  rows: readonly R[];
  shown: readonly Column<R>[];
  label: string;
}) {
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
        {rows.map((row) => (
          <Line key={row.id} row={row} shown={shown} />
        ))}
      </tbody>
    </table>
  );
}

/** `j` and `k`, or the arrows, while the list is on the page. */
export function useSteps(step: (by: number) => void): void {
  useEffect(() => {
    const unbind = (['j', 'ArrowDown', 'k', 'ArrowUp'] as const).map((key, index) =>
      bind(key, () => step(index < 2 ? 1 : -1)),
    );
    return () => {
      for (const one of unbind) one();
    };
  }, []);
}

/** Where a row stands in a list of which only some are in the document. */
interface Attributes {
  'data-index'?: number;
  'aria-rowindex'?: number;
}

export const Heads = <R extends Row>({ shown, ...rest }: { shown: readonly Column<R>[] } & Attributes) => (
  <tr {...rest}>
    {shown.map(({ head, isRight }) => (
      <th key={head} scope="col" class={isRight ? 'right' : undefined}>
        {head}
      </th>
    ))}
  </tr>
);

export function Line<R extends Row>({
  row,
  shown,
  of,
  ...rest
}: {
  row: R;
  shown: readonly Column<R>[];
  /** Called with the element while it is on the page. */
  of?: (element: HTMLTableRowElement | null) => void;
} & Attributes) {
  return (
    <tr
      {...rest}
      {...(of === undefined ? {} : { ref: of })}
      onClick={(event) => {
        const { target } = event;
        // A text that was marked is meant to be copied, and a link goes by itself.
        if (target instanceof Element && target.closest('a, button, input, label') !== null) return;
        if ((getSelection()?.toString() ?? '') === '') go({ view: 'payout', id: row.id });
      }}
    >
      {shown.map(({ head, cell, isRight }) => (
        <td key={head} data-head={head} class={isRight ? 'right' : undefined}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}
