/** Pay runs: a run in a list. */

import type { ShownRun } from '../../desk/payruns/shown.ts';
import { runShape } from '../../desk/shapes/payruns.ts';
import { thousands } from '../../desk/words/amount.ts';
import type { DetailLine, View } from '../terminal/view.ts';

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
