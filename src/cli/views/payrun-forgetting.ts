/** Runs that are forgotten, or would be, or are not over. */

import { isoTime } from '../../core/clock.ts';
import { type Candidate, unendedWords } from '../../desk/payruns/forget.ts';
import { forgettingShape } from '../../desk/shapes/payruns.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import type { View } from '../terminal/view.ts';

type Outcome = 'forgotten' | 'would be forgotten' | 'not over';

export type ShownForgetting = DataOf<typeof forgettingShape>;

export const shownForgetting = (candidate: Candidate, outcome: Outcome): ShownForgetting => ({
  name: candidate.run.name,
  id: candidate.run.id,
  rows: candidate.run.rows,
  outcome: candidate.run.forgotten?.isOwed === false ? 'forgotten' : outcome,
  why: unendedWords(candidate) || null,
  last_change_at: isoTime(candidate.lastChange),
  forgotten_at: candidate.run.forgotten === undefined ? null : isoTime(candidate.run.forgotten.at),
});

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
