/** Transaction states, and all that each says by itself (docs/wire.md 14). */
import type { StateInfo } from './state.ts';

interface TransactionStateInfo extends StateInfo {
  /** Says if money came in for it: `perhaps` where only the amount that was paid can tell. */
  funds: 'yes' | 'no' | 'perhaps';
  /** How far it is. `clearing`: money came in, and is not there for good. `running`: payouts are made, or held back. */
  stage: 'awaits funds' | 'clearing' | 'running' | 'called off' | 'over';
}

export const transactionStates = {
  initial: {
    look: 'waiting',
    meaning: 'created, but the sender is not approved yet: it cannot be funded',
    terminal: false,
    can: ['wait', 'cancel', 'edit'],
    funds: 'no',
    stage: 'awaits funds',
  },
  approved: {
    look: 'good',
    meaning: 'created and ready: it can be funded, within one hour of creation',
    terminal: false,
    can: ['fund', 'cancel', 'edit'],
    funds: 'no',
    stage: 'awaits funds',
  },
  pending: {
    look: 'waiting',
    meaning: 'a payin was received and its funds wait to clear',
    terminal: false,
    can: ['wait', 'cancel'],
    funds: 'perhaps',
    stage: 'clearing',
  },
  processing: {
    look: 'waiting',
    meaning: 'under compliance review; an answer is expected within 24 hours',
    terminal: false,
    can: ['wait', 'cancel'],
    funds: 'perhaps',
    stage: 'running',
  },
  received: {
    look: 'waiting',
    meaning: 'funded; payouts run, and failed ones are tried again',
    terminal: false,
    can: ['wait', 'edit', 'cancel'],
    funds: 'yes',
    stage: 'running',
  },
  mispaid: {
    look: 'waiting',
    meaning: 'another amount than asked was received; the transaction was resized and pays out what came in',
    terminal: false,
    can: ['wait', 'edit', 'cancel'],
    funds: 'yes',
    stage: 'running',
  },
  manual: {
    look: 'bad',
    meaning: 'some payouts need a person to act: look at the recipients',
    terminal: false,
    can: ['edit', 'cancel', 'contact_operator'],
    funds: 'yes',
    stage: 'running',
  },
  paid: {
    look: 'good',
    meaning: 'every recipient was paid; nothing more to do',
    terminal: true,
    can: ['nothing'],
    funds: 'yes',
    stage: 'over',
  },
  canceled: {
    look: 'over',
    meaning: 'cancelled; if it was funded, the refund follows',
    terminal: false,
    finalWhen: 'it was never funded',
    can: ['wait'],
    funds: 'no',
    stage: 'called off',
  },
  refunded: {
    look: 'good',
    meaning: 'cancelled after funding, and the money was returned, partly or fully',
    terminal: true,
    can: ['nothing'],
    funds: 'yes',
    stage: 'over',
  },
  exception: {
    look: 'bad',
    meaning: 'something unexpected happened in processing',
    terminal: false,
    can: ['contact_operator'],
    funds: 'perhaps',
    stage: 'running',
  },
} as const satisfies Record<string, TransactionStateInfo>;

export type TransactionState = keyof typeof transactionStates;

/** Returns the table's row of a state; undefined for a state that it does not know. */
export const transactionStateInfo = (state: string | null | undefined): TransactionStateInfo | undefined =>
  (transactionStates as Readonly<Record<string, TransactionStateInfo>>)[state ?? ''];
