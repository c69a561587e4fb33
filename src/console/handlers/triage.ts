import { isoTime } from '../../core/clock.ts';
import { acts, actWords } from '../../desk/cases/standing.ts';
import { byDeadline, type Troubled, triageSource, triageStates } from '../../desk/cases/triage.ts';
import { countWords } from '../../desk/lists/count-words.ts';
import type { Call } from '../call.ts';
import { troubledRow } from '../rows.ts';
import type { AnswerOf } from '../wire.ts';

/** Rows that one screen can hold, and a person look through. */
const MOST = 1_000;
const PENDING_AFTER_MS = 3_600_000;

/** Recipients that need somebody: by who must act, the nearest deadline first. */
export async function triage(call: Call): Promise<AnswerOf<'triage'>> {
  const { desk, text, clock } = call;
  const readAt = isoTime(clock.now());
  const source = triageSource(desk, {
    states: triageStates,
    currency: [],
    dates: {},
    limit: MOST,
    pendingAfterMs: PENDING_AFTER_MS,
  });
  const stories: Troubled[] = [];
  for await (const page of source.pages()) stories.push(...page);
  const ordered = acts.flatMap((act) =>
    stories.filter(({ standing }) => standing.act === act).sort(byDeadline),
  );
  const { progressed } = source;
  const counts = acts.flatMap((act) => {
    const count = ordered.filter(({ standing }) => standing.act === act).length;
    return count === 0 ? [] : [`${actWords[act]} ${count}`];
  });
  const cut = progressed.cut
    ? countWords(
        { total: undefined, ended: 'limit', rows: progressed.looked, found: progressed.found },
        'recipients',
        false,
      )
    : undefined;
  return {
    rows: ordered.flatMap((story) => troubledRow(story, call.showing) ?? []),
    notes: [...(counts.length > 0 ? [counts.join(' · ')] : []), ...(cut === undefined ? [] : [text(cut)])],
    readAt,
  };
}
