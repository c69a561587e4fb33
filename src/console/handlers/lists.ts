/** Lists of payments and of requests, and the file that their rows are saved in. */

import { isoTime } from '../../core/clock.ts';
import { troubledNow } from '../../payments/cases/troubled.ts';
import { workbookOf } from '../../tables/workbook.ts';
import type { Call } from '../call.ts';
import { openRequests } from '../open-requests.ts';
import { troubledRow } from '../rows.ts';
import type { AnswerOf, QuestionOf } from '../wire.ts';

/** Rows that one screen can hold, and a person look through. */
const MOST_TROUBLED = 1_000;

/** Recipients that need action: by who must act, the nearest deadline first. */
export async function triage(call: Call, period: QuestionOf<'triage'>): Promise<AnswerOf<'triage'>> {
  const { desk, text, clock, showing } = call;
  const readAt = isoTime(clock.now());
  const { rows, notes } = await troubledNow(desk, { limit: MOST_TROUBLED, ...period });
  return { rows: rows.flatMap((one) => troubledRow(one, showing) ?? []), notes: notes.map(text), readAt };
}

export async function requests({ desk, renderHint, text }: Call): Promise<AnswerOf<'requests'>> {
  const { rows, notes } = await openRequests(desk);
  return {
    rows: rows.map(({ next, ...row }) => ({ ...row, command: renderHint(next) })),
    notes: notes.map(text),
  };
}

/** Rows as the page has them, masked as they are there. */
export async function workbook(_: Call, asked: QuestionOf<'workbook'>): Promise<AnswerOf<'workbook'>> {
  const { columns, rows } = asked;
  return { base64: Buffer.from(workbookOf('payouts', columns, rows)).toString('base64') };
}
