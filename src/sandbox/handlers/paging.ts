/** Windows, periods and list filters of a query. Pages are lenient; a filter that cannot be read is a bad request. */

import { isDate } from '../rules/reading.ts';
import type { Page, Period, Window } from '../store/port.ts';
import type { Plain } from '../store/records.ts';
import { type Answer, ok } from './handler.ts';

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
export function periodOf(query: URLSearchParams): Period | null {
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

/** `name[]=a&name[]=b`, `name=a&name=b`, `name[0]=a`, or one of them: all spellings that clients send. */
export function listOf(query: URLSearchParams, name: string): string[] | undefined {
  const values = [...query]
    .filter(([key]) => key === name || (key.startsWith(`${name}[`) && key.endsWith(']')))
    .map(([, value]) => value)
    .filter((value) => value !== '');
  return values.length > 0 ? values : undefined;
}

export function listAnswer<Row>(
  { rows, total }: Page<Row>,
  window: Window,
  view: (row: Row) => unknown,
): Answer {
  return ok(rows.map(view), { pagination: pagination(window, total) });
}

export function pagination({ page, per }: Window, total: number): Plain {
  const pages = Math.ceil(total / per);
  return {
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count: total,
  };
}
