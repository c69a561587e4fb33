import { payinMethodStates } from '../../../contract/states/payin-method.ts';
import { recipientStates } from '../../../contract/states/recipient.ts';
import type { StateInfo } from '../../../contract/states/state.ts';
import { transactionStates } from '../../../contract/states/transaction.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { changeShape } from '../../shapes/payments.ts';
import type { SeenChange, WatchedKind } from '../../watch.ts';

const STATES: Record<WatchedKind, Record<string, StateInfo>> = {
  transaction: transactionStates,
  recipient: recipientStates,
  payin_method: payinMethodStates,
};

/** The state speaks; a reason stands after it, since it may be of an earlier one. */
function meaningOf({ what, to, reason }: SeenChange): string | null {
  const meaning = STATES[what][to]?.meaning;
  return [meaning, reason].filter(Boolean).join('; ') || null;
}

export const changeView: View<SeenChange> = {
  shape: changeShape,
  columns: [
    { name: 'seen_at', get: (row) => row.seen_at },
    { name: 'what', get: (row) => row.what },
    { name: 'id', get: (row) => row.id },
    { name: 'change', get: (row) => (row.from === null ? row.to : `${row.from} -> ${row.to}`) },
    { name: 'meaning', get: meaningOf },
  ],
  flat: [
    { name: 'seen_at', get: (row) => row.seen_at },
    { name: 'what', get: (row) => row.what },
    { name: 'id', get: (row) => row.id },
    { name: 'from', get: (row) => row.from },
    { name: 'to', get: (row) => row.to },
    { name: 'reason', get: (row) => row.reason },
  ],
};
