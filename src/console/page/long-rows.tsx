/** A list of any length: only the rows in sight, and some around them, are in the document. The window scrolls it. */
import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from '@tanstack/virtual-core';
import type { VNode } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { PayoutRow } from '../wire.ts';
import { Heads, type PageColumn, RowLine, useSteps } from './rows.tsx';

export type Virtual = Virtualizer<Window, HTMLTableRowElement>;

/** Rows that are kept ready above and below those in sight. */
const AROUND = 12;
/** The next piece is asked for so many rows before the end. */
const AHEAD = 250;
const UNMEASURED = 35.5;
/** The head of the table stays at the top, over the rows. */
const HEAD = 32;
const narrow = matchMedia('(max-width: 700px)');

interface Long<R extends PayoutRow> {
  rows: readonly R[];
  shown: readonly PageColumn<R>[];
  label: string;
  /** There are no rows behind the last one. */
  isWhole: boolean;
  /** Holds the heights of rows while another view is shown. */
  kept: { virtual: Virtual | undefined };
  onNearEnd: () => void;
}

export function LongRows<R extends PayoutRow>({ rows, shown, label, isWhole, kept, onNearEnd }: Long<R>) {
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | null>(null);
  /** The height of the rows above those that are drawn, in this drawing. */
  const above = useRef(0);
  const virtual = useVirtual(rows, { box, above }, kept);
  const drawn = useRef(new Map<PayoutRow, VNode>());
  const items = virtual.getVirtualItems();
  above.current = Math.max(0, (items[0]?.start ?? 0) - virtual.options.scrollMargin);
  const below = virtual.getTotalSize() + virtual.options.scrollMargin - (items.at(-1)?.end ?? 0);
  const last = items.at(-1)?.index ?? 0;
  useSteps((by) => {
    const focused = document.activeElement?.closest<HTMLElement>('tr[data-index]')?.dataset.index;
    // From the row that an earlier key asked for and that is not drawn yet, or the row with the focus; else from the first one in sight.
    const inSight = (virtual.range?.startIndex ?? 0) - 1;
    const from = wanted.current ?? (focused === undefined ? inSight : Number(focused));
    wanted.current = Math.min(virtual.options.count - 1, Math.max(0, from + by));
    virtual.scrollToIndex(wanted.current, { align: 'auto' });
    focusWanted();
  });
  const focusWanted = (): void => {
    const link = box.current?.querySelector<HTMLElement>(`tr[data-index="${wanted.current}"] a.name`);
    link?.focus({ preventScroll: true });
    if (link) wanted.current = null;
  };
  // A row that stays in sight is the same element: it is not drawn again in each frame.
  const lines = (): VNode[] => {
    const before = drawn.current;
    drawn.current = new Map();
    for (const { index } of items) {
      const row = rows[index];
      if (row !== undefined) drawn.current.set(row, before.get(row) ?? lineOf(row, index));
    }
    return [...drawn.current.values()];
  };
  const lineOf = (row: R, index: number): VNode => (
    <RowLine
      key={row.id}
      row={row}
      shown={shown}
      of={virtual.measureElement}
      data-index={index}
      aria-rowindex={index + 2}
    />
  );
  useLayoutEffect(() => {
    if (wanted.current !== null) focusWanted();
    if (!isWhole && last >= rows.length - AHEAD) onNearEnd();
  });
  return (
    <div
      ref={box}
      class="long"
      style={{ paddingTop: `${above.current}px`, paddingBottom: `${Math.max(0, below)}px` }}
    >
      <table aria-label={label} aria-rowcount={isWhole ? rows.length + 1 : -1}>
        <thead>
          <Heads shown={shown} aria-rowindex={1} />
        </thead>
        <tbody>{lines()}</tbody>
      </table>
    </div>
  );
}

function useVirtual(
  rows: readonly PayoutRow[],
  { box, above }: { box: { current: HTMLDivElement | null }; above: { current: number } },
  kept: { virtual: Virtual | undefined },
): Virtual {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  // Rows that nobody measured are taken to be as high as the first one.
  const height = useRef(kept.virtual?.options.estimateSize(0) ?? UNMEASURED);
  const margin = useRef(kept.virtual?.options.scrollMargin ?? 0);
  const options = {
    count: rows.length,
    getScrollElement: () => window,
    estimateSize: () => height.current,
    getItemKey: (index: number) => rows[index]?.id ?? index,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    overscan: AROUND,
    scrollMargin: margin.current,
    scrollPaddingStart: narrow.matches ? 0 : HEAD,
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
    onChange: () => draw(undefined),
  };
  const virtual = kept.virtual ?? new Virtualizer<Window, HTMLTableRowElement>(options);
  kept.virtual = virtual;
  virtual.setOptions(options);
  useLayoutEffect(() => {
    const forget = (): void => {
      height.current = UNMEASURED;
      virtual.measure();
    };
    narrow.addEventListener('change', forget);
    const unmount = virtual._didMount();
    return () => {
      narrow.removeEventListener('change', forget);
      unmount();
    };
  }, []);
  useLayoutEffect(() => {
    virtual._willUpdate();
    const body = box.current?.querySelector('tbody');
    if (!body || !box.current) return;
    // Where the first row of all would be: what stands above the list may have become higher. The padding is the one that was drawn, and is
    // not read back: a browser tells one above a million pixels in six digits, which is another one each time.
    const top = body.getBoundingClientRect().top + scrollY - above.current;
    const [first] = body.rows;
    const isMeasured = first === undefined || height.current !== UNMEASURED;
    if (isMeasured && Math.abs(top - margin.current) < 1) return;
    margin.current = top;
    if (!isMeasured) {
      height.current = first.offsetHeight;
      virtual.measure();
    }
    draw(undefined);
  });
  return virtual;
}
