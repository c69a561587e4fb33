/** Pay runs: a run in a list. */

import { isoTime } from '../../core/clock.ts';
import type { PayRun } from '../../core/ports/payruns.ts';
import { shownDigest } from '../../desk/payruns/digest.ts';
import { whoApproved, whoPlanned, whoRejected } from '../../desk/payruns/persons.ts';
import { planOf } from '../../desk/payruns/plan-text.ts';
import type { RunStanding } from '../../desk/payruns/standing.ts';
import { runShape } from '../../desk/shapes/payruns.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { counted, thousands } from '../../desk/words/amount.ts';
import type { DetailLine, View } from '../terminal/view.ts';

export type ShownRun = DataOf<typeof runShape>;

const timeOrNull = (at: number | undefined): string | null => (at === undefined ? null : isoTime(at));

/** @param standing where its rows were looked at */
export const shownRun = (run: PayRun, standing?: RunStanding): ShownRun => ({
  name: run.name,
  id: run.id,
  state: run.state,
  status: standing === undefined ? run.state : statusWords(standing),
  rows: run.rows,
  why: run.why ?? null,
  environment: run.account.environment,
  profile: run.account.profile,
  planned_by: whoPlanned(run),
  approved_by: whoApproved(run) ?? null,
  rejected_by: run.rejection === undefined ? null : `${whoRejected(run.rejection)}: ${run.rejection.because}`,
  digest: run.forgotten === undefined ? shownDigest(run.digest) : null,
  checked_at: timeOrNull(run.checkedAt),
  forgotten_at: timeOrNull(run.forgotten?.at),
  compared_from: timeOrNull(planOf(run).repeated.from),
  created_at: isoTime(run.createdAt),
});

export const digestLines = ({ digest, forgotten_at: forgotten }: ShownRun): DetailLine[] => [
  ...(digest === null ? [] : [['digest', digest] as DetailLine]),
  ...(forgotten === null ? [] : [['forgotten', forgotten] as DetailLine]),
];

export const runView: View<ShownRun> = {
  shape: runShape,
  empty: 'No pay run yet: remit batch plan FILE --name NAME',
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'status', head: 'STATE', state: true, get: ({ status }) => status },
    { name: 'rows', right: true, priority: 1, get: ({ rows }) => String(rows) },
    { name: 'created_at', head: 'CREATED', time: true, priority: 1, get: (row) => row.created_at },
    { name: 'profile', priority: 3, get: ({ profile }) => profile },
    { name: 'why', priority: 2, wrap: true, get: ({ why }) => why },
    { name: 'id', id: true, priority: 4, get: ({ id }) => id },
  ],
  details: (row) => [
    ['run', row.name],
    ['state', row.status, { state: true }],
    ...(row.why === null ? [] : [['why', row.why, { wrap: true }] as DetailLine]),
    ['rows', thousands(row.rows)],
    ['planned by', row.planned_by],
    ['approved by', row.approved_by ?? 'nobody yet'],
    ...(row.rejected_by === null ? [] : [['rejected by', row.rejected_by, { wrap: true }] as DetailLine]),
    ...digestLines(row),
    ['created', row.created_at],
  ],
};

/** A word for a state, as people say it. */
export const stateWords = (state: string): string => state.replace('_', ' ');

const statusWords = (standing: RunStanding): string =>
  `${endingWords(standing)}${standing.run.forgotten === undefined ? '' : ', forgotten'}`;

/** Returns the ending of the rows, in words: `approved` says nothing of that once all were sent. */
function endingWords({ run: { state }, counts, before, ending }: RunStanding): string {
  if (state !== 'approved') return state;
  if (ending === 'some' && before.rows > before.accepted) return 'paid, and not by this run alone';
  const others = before.rows > 0 ? `, ${counted(before.rows, 'row')} not by this run` : '';
  const isOnTheWay = counts.created > 0;
  switch (ending) {
    case 'done':
      return `${isOnTheWay ? 'paid for, on the way to the recipients' : 'paid out'}${others}`;
    case 'some':
      return isOnTheWay ? 'paid in part, on the way to the recipients' : 'paid in part';
    case 'none':
      return 'nobody is paid';
    case 'unknown':
      return 'not known for every row';
    default:
      return counts.planned > 0 ? 'approved, not all sent' : 'on the way to the recipients';
  }
}
