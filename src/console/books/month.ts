import { corridorsOf, flyingIn } from '../../books/month/counts.ts';
import { bookMonth } from '../../books/month/month.ts';
import type { Part } from '../../books/month/part.ts';
import { booksIfAny, booksThatAre } from '../../books/open-books.ts';
import { openDifferences } from '../../books/reconcile/open.ts';
import { type Call, sentBytes } from '../call.ts';
import type { AnswerOf, PagePart, QuestionOf } from '../wire.ts';

/** A month, from the books alone: the service is asked for nothing. */
export async function month(call: Call, asked: QuestionOf<'month'>): Promise<AnswerOf<'month'>> {
  const opened = await booksIfAny(call.desk);
  if (opened === undefined)
    return { made: null, notes: ['This machine has no books, so no month can be shown.'] };
  const made = await bookMonth(call.desk, opened.books, asked);
  return { notes: [], made: { ...made, parts: made.parts.map((part) => partIn(call, part)) } };
}

/** The parts of a month that read every payment. */
export async function counts(call: Call, asked: QuestionOf<'counts'>): Promise<AnswerOf<'counts'>> {
  const { books } = await booksThatAre(call.desk);
  const count = asked.of === 'corridors' ? corridorsOf : flyingIn;
  return partIn(call, await count(call.desk, books, asked.month));
}

/** A ledger that was handed over, against the books. Nothing of it is kept: decisions are a file that the page saves. */
export async function reconcile(call: Call, asked: QuestionOf<'reconcile'>): Promise<AnswerOf<'reconcile'>> {
  const { desk, heard, renderHint, text } = call;
  const { month, file } = asked;
  const open = await openDifferences(desk, { month, name: file.name, bytes: sentBytes(file) });
  const command = renderHint({ do: 'reconcile_month', month, decided: true });
  return { ...open, notes: heard.map(({ says }) => text(says)), command };
}

const partIn = ({ text, renderHint }: Call, { notes, command, ...part }: Part): PagePart => ({
  ...part,
  notes: notes.map(text),
  command: command === null ? null : renderHint(command),
});
