import type { DetailLine, View } from '../../frame/terminal/view.ts';
import type { ShownPrepared } from '../prepared/plan-output.ts';
import { preparedShape } from '../shapes.ts';

const WORDS = {
  planned: 'planned: nothing was sent',
  expired: 'its three days are over: nothing was sent',
  under_way: 'under way',
  applied: 'done',
  not_applied: 'not done, and it cannot be done any more',
  unknown: 'unknown: it may have been done (remit history settle --all finds out)',
  taken: 'not done: its reference belongs to another payment',
} as const;

const stateWords = ({ state, now }: ShownPrepared): string | null =>
  state === null ? null : now === null ? WORDS[state] : `${WORDS[state]} (${now})`;

export const preparedView: View<ShownPrepared> = {
  shape: preparedShape,
  empty: 'No agent has prepared anything in the last three days.',
  columns: [
    { name: 'handle', get: (row) => row.handle },
    { name: 'kind', priority: 2, get: (row) => row.kind },
    { name: 'summary', wrap: true, get: (row) => row.summary },
    { name: 'by', priority: 2, get: (row) => row.by },
    { name: 'until', time: true, priority: 1, get: (row) => row.until },
  ],
  details: (row) => [
    ['plan', row.handle],
    ['state', stateWords(row)],
    ['what', row.summary],
    ['prepared by', row.by],
    ['payment', row.transaction_id],
    ...row.lines.map((line): DetailLine => ['', line]),
  ],
  flat: [
    { name: 'handle', get: (row) => row.handle },
    { name: 'kind', get: (row) => row.kind },
    { name: 'state', get: (row) => row.state },
    { name: 'summary', get: (row) => row.summary },
    { name: 'by', get: (row) => row.by },
    { name: 'created_at', time: true, get: (row) => row.created_at },
    { name: 'until', time: true, get: (row) => row.until },
    { name: 'not_the_same_as', get: (row) => row.not_the_same_as.join(', ') },
    { name: 'now', get: (row) => row.now },
    { name: 'transaction_id', get: (row) => row.transaction_id },
    { name: 'lines', get: (row) => row.lines.join('\n') },
  ],
};
