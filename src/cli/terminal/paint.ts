import { Chalk, type ChalkInstance } from 'chalk';
import { payinMethodStates } from '../../contract/states/payin-method.ts';
import { recipientStates } from '../../contract/states/recipient.ts';
import { senderStates } from '../../contract/states/sender.ts';
import { transactionStates } from '../../contract/states/transaction.ts';
import { byWord } from '../../core/by-word.ts';
import type { Look } from '../../core/look.ts';

export type Paint = ChalkInstance;

export function paintFor(colour: boolean): Paint {
  return new Chalk({ level: colour ? 1 : 0 });
}

/** Words that are shown as states, and are none of the service's. */
const OWN: Readonly<Record<string, Look>> = byWord({
  enabled: 'good',
  active: 'good',
  applied: 'good',
  open: 'waiting',
  unknown: 'bad',
  conflict: 'bad',
});

const LOOKS: Readonly<Record<string, Look>> = byWord({
  ...OWN,
  ...Object.fromEntries(
    [senderStates, payinMethodStates, transactionStates, recipientStates].flatMap((states) =>
      Object.entries(states).map(([state, { look }]) => [state, look]),
    ),
  ),
});

/** How a state looks, of whatever it is one; undefined for a word that is no state. */
export const lookOf = (state: string): Look | undefined => LOOKS[state];

const COLOURS = { good: 'green', waiting: 'yellow', bad: 'red', over: 'dim' } as const;

/** States keep their words; colour only helps the eye. */
export const paintState = (paint: Paint, state: string, look: Look = lookOf(state) ?? 'over'): string =>
  paint[COLOURS[look]](state);
