import { ageNote, foundRow } from '../../desk/books/found.ts';
import { newestOf } from '../../desk/books/newest.ts';
import { booksIfAny } from '../../desk/books/open-books.ts';
import { searchBooks } from '../../desk/books/search.ts';
import { searchListed } from '../../desk/books/search-listed.ts';
import { spanOf } from '../../desk/lists/period.ts';
import { seenIn } from '../../desk/lookup/transaction.ts';
import { counted } from '../../desk/words/amount.ts';
import type { Call } from '../call.ts';
import { rowOf } from '../rows.ts';
import type { Found, Listed, QuestionOf } from '../wire.ts';

const MOST = 100;

/** Looks in the books; without books, through the newest payments that the service lists. */
export async function search(call: Call, { words: given, ...period }: QuestionOf<'search'>): Promise<Found> {
  const { desk, text, showing } = call;
  const words = given.split(/\s+/).filter((word) => word !== '');
  const span = await spanOf(desk, period);
  const opened = await booksIfAny(desk);
  if (opened === undefined) {
    const { hits, looked, isWhole } = await searchListed(desk, {
      words,
      limit: MOST,
      zone: desk.zone,
      ...span,
    });
    return {
      rows: hits.map((hit) => rowOf(foundRow(hit), showing, hit.why.join(', '))),
      hasBooks: false,
      notes: [
        isWhole
          ? `This machine has no books, so the service was asked: ${counted(looked, 'payment')}, and those are all.`
          : `This machine has no books, so the service was asked: its newest ${counted(looked, 'payment')}, and there are older ones.`,
      ],
    };
  }
  const { books } = opened;
  const looking = { words, limit: MOST + 1, zone: desk.zone, hider: opened.hider?.(), ...span };
  const { hits, isCut } = await searchBooks(books, looking);
  const listed = hits.slice(0, MOST);
  await desk.remember(listed.flatMap(({ transaction }) => seenIn(transaction)));
  const isWhole = hits.length <= MOST && !isCut;
  return {
    rows: listed.map((hit) => rowOf(foundRow(hit), showing, hit.why.join(', '))),
    hasBooks: true,
    notes: [text(await ageNote(books)), ...(isWhole ? [] : ['More fit: add another word.'])],
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
