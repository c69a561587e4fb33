/**
 * A list page by page (decision 0018): repeats dropped, sifted by what the service has no filter for, and the next page asked
 * for while this one is printed. It holds two pages at a time, however long the list.
 */

import { firstSight, type ListAnswer, pages } from '../../client/pages.ts';
import type { Query } from '../../client/url.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import type { Desk } from '../desk.ts';
import { type Between, between, type Dates } from './period.ts';

/** The filters that the service does not have: which flags, and which rows fit them. */
export interface Sift<Row> {
  by: readonly string[];
  fits(row: Row): boolean;
}

export interface Limits {
  /** Records at most. */
  limit: number;
  /** Records looked at, at most, where some are left out by a filter of ours. */
  bound?: number;
}

export interface ListRequest<Row> {
  operation: Operation<never, ListAnswer<Row>>;
  query: Query;
  limits: Limits;
  /** The days are filtered here, where the service does not filter the list by day. */
  dates?: Dates;
  sift?: Sift<Row> | undefined;
  /** A record as it may be printed. */
  shown?(row: Row): Row;
}

export interface ListProgress {
  rows: number;
  found: number;
  /** How many there are, as the service says it. */
  total: number | undefined;
  ended: 'end' | 'limit' | 'bound';
}

const PER = 100;

export interface ListReader<Row> {
  looked: ListProgress;
  /** The filters that are decided here, since the service has none for them, days and moments too. */
  sift: Sift<Row> | undefined;
  pages(): AsyncGenerator<Row[], void, undefined>;
}

export async function readList<Row>(
  desk: Desk,
  { operation, query, limits, dates, sift: asked, shown = (row) => row }: ListRequest<Row>,
): Promise<ListReader<Row>> {
  const { days, by, fits } = await between(desk, dates ?? query, dates !== undefined);
  const sift = by.length === 0 ? asked : both({ by, fits: (row: Row) => fits(row as Dated) }, asked);
  const client = await desk.client();
  const { limit } = limits;
  const bound = sift ? (limits.bound ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const per = sift ? PER : Math.min(limit, PER);
  const looked: ListProgress = { rows: 0, found: 0, total: undefined, ended: 'end' };
  const isNew = firstSight<Row>();

  function take(page: readonly Row[]): Row[] {
    const rows: Row[] = [];
    for (const row of page) {
      if (looked.found >= limit || looked.rows >= bound) break;
      if (!isNew(row)) continue;
      looked.rows += 1;
      if (sift && !sift.fits(row)) continue;
      looked.found += 1;
      rows.push(shown(row));
    }
    if (looked.found >= limit) looked.ended = 'limit';
    else if (looked.rows >= bound) looked.ended = 'bound';
    return rows;
  }

  async function* read(): AsyncGenerator<Row[], void, undefined> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, desk.signal]);
    const told = (total: number): void => {
      looked.total = total;
    };
    const source = pages(client, operation, { query: { ...query, ...days, per }, signal }, told);
    let coming = source.next();
    try {
      for (;;) {
        const { value, done } = await coming;
        if (done) return;
        const rows = take(value);
        if (looked.ended === 'end') {
          coming = source.next();
          // It is awaited after this page is printed; until then nothing catches it.
          coming.catch(() => {});
        }
        yield rows;
        if (looked.ended !== 'end') return;
      }
    } finally {
      stop.abort();
    }
  }

  return { looked, sift, pages: read };
}

type Dated = Parameters<Between['fits']>[0];

const both = <Row>(one: Sift<Row>, other: Sift<Row> | undefined): Sift<Row> => ({
  by: [...(other?.by ?? []), ...one.by],
  fits: (row) => one.fits(row) && (other?.fits(row) ?? true),
});

/** True where nothing was left unread: only then does a list say that it is complete. */
export const isComplete = ({ ended, rows, total }: ListProgress): boolean =>
  ended === 'end' || (ended === 'limit' && total !== undefined && rows >= total);
