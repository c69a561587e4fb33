/** Windows, periods and list filters of a query. Pages are lenient; a filter that cannot be read is a bad request. */

import { Problems } from '../rules/problems.ts';
import { isDate } from '../rules/reading.ts';
import type { Plain } from '../store/records.ts';
import type { TablePage, TimeRange, Window } from '../store/table-contract.ts';
import { type Answer, ok, refused } from './handler.ts';

const DEFAULT_PER = 10;
const MAX_PER = 100;
const MAX_PAGE = 1_000_000_000;
const DAY_MS = 86_400_000;

/** Anything that is no positive whole number reads as the default. @assumes pages */
export function windowOf(query: URLSearchParams): Window {
  return {
    page: Math.min(positive(query.get('page'), 1), MAX_PAGE),
    per: Math.min(positive(query.get('per'), DEFAULT_PER), MAX_PER),
  };
}

function positive(text: string | null, fallback: number): number {
  const number = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return number >= 1 ? number : fallback;
}

/** Days include both ends; a full time is that instant. Null when one of them is no date. */
export function queryPeriod(query: URLSearchParams): TimeRange | null {
  const from = instant(query.get('created_at_from'), 0);
  const to = instant(query.get('created_at_to'), DAY_MS - 1);
  return from === null || to === null ? null : { from, to };
}

function instant(text: string | null, wholeDayMs: number): number | undefined | null {
  if (text === null || text === '') return undefined;
  if (!isDate(text)) return null;
  if (text.length === 10) return Date.parse(text) + wholeDayMs;
  /* A time without a zone is in UTC, whatever the machine's zone. */
  return Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`);
}

/** The spelling of a state, a currency or a payout type. */
const WORD = /^[A-Za-z_]+(?:::[A-Za-z]+)?$/;

/**
 * `name[]=a&name[]=b`, `name=a&name=b`, `name[0]=a`, or one of them: all spellings that clients send. Null where it is no list
 * of words: an empty list would say that there is nothing. @assumes array-filters
 */
function listOf(query: URLSearchParams, name: string): string[] | undefined | null {
  const values = [...query]
    .filter(([key]) => key === name || (key.startsWith(`${name}[`) && key.endsWith(']')))
    .map(([, value]) => value)
    .filter((value) => value !== '');
  if (!values.every((value) => WORD.test(value))) return null;
  return values.length > 0 ? values : undefined;
}

/** The filters by name, or the refusal of the first that is no list. */
export function listsOf<Name extends string>(
  query: URLSearchParams,
  names: readonly Name[],
): { lists: Record<Name, string[] | undefined> } | { answer: Answer } {
  const read = names.map((name) => [name, listOf(query, name)] as const);
  const bad = read.find(([, values]) => values === null)?.[0];
  if (bad === undefined) return { lists: Object.fromEntries(read) as Record<Name, string[] | undefined> };
  const errors = new Problems().add(bad, 'invalid').say(`${bad} is a list of words: ${bad}[]=one`).wire;
  return { answer: refused({ errors }) };
}

export function listAnswer<Row>(
  { rows, total }: TablePage<Row>,
  window: Window,
  view: (row: Row) => unknown,
): Answer {
  return ok(rows.map(view), { pagination: pagination(window, total) });
}

export function pagination({ page, per }: Window, total: number): Plain {
  const pages = Math.ceil(total / per);
  const before = Math.min(page - 1, pages);
  return {
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: before > 0 ? before : null,
    total_pages: pages,
    total_count: total,
  };
}
