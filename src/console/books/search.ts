/** Payments out of the books: those that fit some words, and all of them. */
import { ageNote, foundRow } from '../../books/found.ts';
import { lookFor } from '../../books/look-for.ts';
import { newestOf } from '../../books/newest.ts';
import { booksIfAny } from '../../books/open-books.ts';
import { spanOf } from '../../payments/lists/period.ts';
import type { PageCall } from '../call.ts';
import { payoutRowOf } from '../rows.ts';
import type { AnswerOf, Listed, QuestionOf } from '../wire.ts';

const MOST = 100;

export async function search(
  call: PageCall,
  { words, ...period }: QuestionOf<'search'>,
): Promise<AnswerOf<'search'>> {
  const { rows, notes, ...found } = await lookFor(call.desk, { words, limit: MOST, ...period });
  return {
    ...found,
    rows: rows.map(({ row, why }) => payoutRowOf(row, call.showing, why)),
    notes: notes.map(call.text),
  };
}

/** Payments in one piece of a list. */
const PIECE = 500;

/** A piece of all payments in the books, the newest first. Without books it asks the service for nothing, and is empty. */
export async function list(
  call: PageCall,
  { behind: given, ...period }: QuestionOf<'list'>,
): Promise<Listed> {
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
    rows: hits.map((hit) => payoutRowOf(foundRow(hit), call.showing)),
    behind: behind === undefined ? null : { from: from ?? null, ...behind },
    notes: given === null ? [call.text(await ageNote(opened.books))] : [],
    hasBooks: true,
  };
}
