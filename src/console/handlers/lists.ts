/** Lists of payments and of requests, and the file that their rows are saved in. */

import { ageNote, foundRow } from '../../books/found.ts';
import { lookFor } from '../../books/look-for.ts';
import { newestOf } from '../../books/newest.ts';
import { booksIfAny } from '../../books/open-books.ts';
import { isoTime } from '../../core/clock.ts';
import { troubledNow } from '../../payments/cases/troubled.ts';
import { spanOf } from '../../payments/lists/period.ts';
import { workbookOf } from '../../tables/workbook.ts';
import type { Call } from '../call.ts';
import { openRequests } from '../open-requests.ts';
import { rowOf, troubledRow } from '../rows.ts';
import type { AnswerOf, Listed, QuestionOf } from '../wire.ts';

const MOST = 100;

export async function search(
  call: Call,
  { words, ...period }: QuestionOf<'search'>,
): Promise<AnswerOf<'search'>> {
  const { rows, notes, ...found } = await lookFor(call.desk, { words, limit: MOST, ...period });
  return {
    ...found,
    rows: rows.map(({ row, why }) => rowOf(row, call.showing, why)),
    notes: notes.map(call.text),
  };
}

/** Payments in one piece of a list. */
const PIECE = 500;

/** A piece of all payments in the books, the newest first. Without books it asks the service for nothing, and is empty. */
export async function list(call: Call, { behind: given, ...period }: QuestionOf<'list'>): Promise<Listed> {
  const opened = await booksIfAny(call.desk);
  if (opened === undefined)
    return {
      rows: [],
      behind: null,
      notes: ['This machine has no books: with them, all payments stand here.'],
      hasBooks: false,
    };
  const { from, to } =
    given === null ? await spanOf(call.desk, period) : { from: given.from ?? undefined, to: undefined };
  const within = { limit: PIECE, from, to, behind: given ?? undefined };
  const { hits, behind } = await newestOf(opened.books, within);
  return {
    rows: hits.map((hit) => rowOf(foundRow(hit), call.showing)),
    behind: behind === undefined ? null : { from: from ?? null, ...behind },
    notes: given === null ? [call.text(await ageNote(opened.books))] : [],
    hasBooks: true,
  };
}

/** Rows that one screen can hold, and a person look through. */
const MOST_TROUBLED = 1_000;

/** Recipients that need somebody: by who must act, the nearest deadline first. */
export async function triage(call: Call, period: QuestionOf<'triage'>): Promise<AnswerOf<'triage'>> {
  const { desk, text, clock, showing } = call;
  const readAt = isoTime(clock.now());
  const { rows, notes } = await troubledNow(desk, { limit: MOST_TROUBLED, ...period });
  return { rows: rows.flatMap((one) => troubledRow(one, showing) ?? []), notes: notes.map(text), readAt };
}

export async function requests({ desk, spell, text }: Call): Promise<AnswerOf<'requests'>> {
  const { rows, notes } = await openRequests(desk);
  return {
    rows: rows.map(({ next, ...row }) => ({ ...row, command: spell(next) })),
    notes: notes.map(text),
  };
}

/** Rows as the page has them, masked as they are there. */
export async function workbook(_: Call, asked: QuestionOf<'workbook'>): Promise<AnswerOf<'workbook'>> {
  const { columns, rows } = asked;
  return { base64: Buffer.from(workbookOf('payouts', columns, rows)).toString('base64') };
}
