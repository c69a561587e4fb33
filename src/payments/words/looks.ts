/** How the words look that are shown as states: the service's own, and ours. */
import { payinMethodStates } from '../../contract/states/payin-method.ts';
import { recipientStates } from '../../contract/states/recipient.ts';
import { senderStates } from '../../contract/states/sender.ts';
import { transactionStates } from '../../contract/states/transaction.ts';
import { byWord } from '../../core/by-word.ts';
import type { Look } from '../../core/look.ts';

const LOOKS: Readonly<Record<string, Look>> = byWord({
  enabled: 'good',
  active: 'good',
  applied: 'good',
  open: 'waiting',
  unknown: 'bad',
  conflict: 'bad',
  ...Object.fromEntries(
    [senderStates, payinMethodStates, transactionStates, recipientStates].flatMap((states) =>
      Object.entries(states).map(([state, { look }]) => [state, look]),
    ),
  ),
});

/** How a state looks, of whatever it is one; undefined for a word that is no state. */
export const lookOf = (state: string): Look | undefined => LOOKS[state];

/** A word for a state, as people say it. */
export const stateWords = (state: string): string => state.replace('_', ' ');
