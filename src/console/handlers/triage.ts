import { isoTime } from '../../core/clock.ts';
import { troubledNow } from '../../desk/cases/troubled.ts';
import type { Call } from '../call.ts';
import { troubledRow } from '../rows.ts';
import type { AnswerOf, QuestionOf } from '../wire.ts';

/** Rows that one screen can hold, and a person look through. */
const MOST = 1_000;

/** Recipients that need somebody: by who must act, the nearest deadline first. */
export async function triage(call: Call, period: QuestionOf<'triage'>): Promise<AnswerOf<'triage'>> {
  const { desk, text, clock } = call;
  const readAt = isoTime(clock.now());
  const { rows, notes } = await troubledNow(desk, { limit: MOST, ...period });
  return {
    rows: rows.flatMap((story) => troubledRow(story, call.showing) ?? []),
    notes: notes.map(text),
    readAt,
  };
}
