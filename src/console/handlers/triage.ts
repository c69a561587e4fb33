import { isoTime } from '../../core/clock.ts';
import {
  countActs,
  inTurn,
  type Troubled,
  triageNotes,
  triageSource,
  triageStates,
} from '../../desk/cases/triage.ts';
import { spanOf } from '../../desk/lists/period.ts';
import type { Call } from '../call.ts';
import { troubledRow } from '../rows.ts';
import type { AnswerOf, QuestionOf } from '../wire.ts';

/** Rows that one screen can hold, and a person look through. */
const MOST = 1_000;
const PENDING_AFTER_MS = 3_600_000;

/** Recipients that need somebody: by who must act, the nearest deadline first. */
export async function triage(call: Call, period: QuestionOf<'triage'>): Promise<AnswerOf<'triage'>> {
  const { desk, text, clock } = call;
  const { since, until } = period;
  await spanOf(desk, period);
  const readAt = isoTime(clock.now());
  const source = triageSource(desk, {
    states: triageStates,
    currency: [],
    dates: { ...(since && { created_at_from: since }), ...(until && { created_at_to: until }) },
    limit: MOST,
    pendingAfterMs: PENDING_AFTER_MS,
  });
  const stories: Troubled[] = [];
  for await (const page of source.pages()) stories.push(...page);
  return {
    rows: inTurn(stories).flatMap((story) => troubledRow(story, call.showing) ?? []),
    notes: triageNotes(countActs(new Map(), stories), source.progressed).map(text),
    readAt,
  };
}
