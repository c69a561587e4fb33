/** Filters that the service does not have: what fits them is decided here, record by record. */
import { fold } from '../../core/fold.ts';
import { gte } from '../../core/money.ts';
import type { Sift } from './list-reader.ts';

type Test<Row> = ((row: Row) => boolean) | undefined;

/** Undefined where no filter was asked for. `tests` has the name of each filter. */
export function siftBy<Row>(tests: Readonly<Record<string, Test<Row>>>): Sift<Row> | undefined {
  const asked = Object.entries(tests).filter(([, test]) => test !== undefined);
  if (asked.length === 0) return undefined;
  return { by: asked.map(([name]) => name), fits: (row) => asked.every(([, test]) => test?.(row)) };
}

type Text = string | null | undefined;

export function isAmong<Row>(values: readonly string[], get: (row: Row) => Text): Test<Row> {
  return values.length === 0 ? undefined : (row) => values.includes(get(row) ?? '');
}

/** Looks for a part anywhere in the text, in any case, with or without accents: zoe finds Zoë. */
export function holding<Row>(part: string | undefined, get: (row: Row) => Text): Test<Row> {
  if (part === undefined) return undefined;
  const wanted = fold(part);
  return (row) => fold(get(row) ?? '').includes(wanted);
}

/** Inclusive; a record without an amount fits no bound. */
export function atLeast<Row>(bound: string | undefined, get: (row: Row) => Text): Test<Row> {
  if (bound === undefined) return undefined;
  return (row) => gte(get(row) ?? '-1', bound);
}

export function atMost<Row>(bound: string | undefined, get: (row: Row) => Text): Test<Row> {
  if (bound === undefined) return undefined;
  return (row) => {
    const amount = get(row);
    return amount !== null && amount !== undefined && gte(bound, amount);
  };
}
