/** Pay runs: a run in a list. */

import type { Fault } from '../../desk/payruns/files/row.ts';
import type { ShownForgetting, ShownRun } from '../../desk/payruns/shown.ts';
import { faultShape, forgettingShape, runShape } from '../../desk/shapes/payruns.ts';
import { thousands } from '../../desk/words/amount.ts';
import { type DetailLine, text, type View } from '../terminal/view.ts';

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

/** Runs that are forgotten, or would be, or are not over. */
export const forgettingView: View<ShownForgetting> = {
  shape: forgettingShape,
  empty: 'No run of this account was changed last before then.',
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'outcome', state: true, get: ({ outcome }) => outcome },
    { name: 'rows', right: true, priority: 1, get: ({ rows }) => String(rows) },
    { name: 'why', priority: 1, wrap: true, get: ({ why }) => why },
    {
      name: 'last_change_at',
      head: 'LAST CHANGE',
      time: true,
      priority: 2,
      get: (row) => row.last_change_at,
    },
    { name: 'forgotten_at', head: 'FORGOTTEN', time: true, priority: 3, get: (row) => row.forgotten_at },
    { name: 'id', id: true, priority: 4, get: ({ id }) => id },
  ],
};

export const faultView: View<Fault> = {
  shape: faultShape,
  empty: 'nothing is wrong',
  columns: [
    { name: 'row', right: true, get: (one) => text(one.row) },
    { name: 'at', priority: 1, get: (one) => one.at },
    { name: 'column', get: (one) => one.column },
    { name: 'code', priority: 3, get: (one) => one.code },
    { name: 'words', head: 'WHAT IS WRONG', wrap: true, get: (one) => one.words },
    { name: 'right', head: 'WHAT IS RIGHT', priority: 2, wrap: true, get: (one) => one.right },
  ],
};
