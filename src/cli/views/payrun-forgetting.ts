/** Runs that are forgotten, or would be, or are not over. */

import type { ShownForgetting } from '../../desk/payruns/shown.ts';
import { forgettingShape } from '../../desk/shapes/payruns.ts';
import type { View } from '../terminal/view.ts';

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
