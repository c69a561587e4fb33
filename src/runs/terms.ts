/** Types for paying a run: the stores that it is paid with, the terms, and the ways in which it may end. */

import type { Intents } from '../client/store/port.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import type { Problem } from '../core/problem.ts';
import type { PayRow, PayRun, PayRuns, RowNews } from './store/port.ts';
import type { Pause } from './verdict.ts';

export interface PayStore {
  payruns: PayRuns;
  intents: Intents;
}

export interface PayTerms {
  inFlight: number;
  perSecond: number | undefined;
  /** A share, such as `0.005`; that of the plan by default. */
  tolerance?: string | undefined;
  leaseMs?: number | undefined;
  /** Only rows of unknown outcome: nothing that was not sent before is sent. */
  only?: 'settle';
  /** Goes with `settle`: these rows alone. What is not found of them is planned again, by a person's word. */
  notPaid?: NotPaid;
  /** Hears why rows are only looked for from now on, where a person stopped the run while it is settled. */
  onStop?: (why: Problem) => void;
  /** Hears of every row that became something. */
  onRow?: (row: PayRow, news: RowNews) => void;
  /** Hears of every transaction that an answer had, once its row is closed. It must not fail, and not take long. */
  onTransaction?: ((answer: { transaction: Transaction; heardAt: number }) => void) | undefined;
}

/** Rows by their place in the file, and what the journal records: who says it, and why. */
export interface NotPaid {
  rows: ReadonlySet<number>;
  note: string;
}

export type PayEnd =
  /** Every row that could be paid was tried. */
  | { kind: 'through' }
  | { kind: 'paused'; pause: Pause }
  /** The user asked for it to stop: what was on its way has its answer. */
  | { kind: 'stopped' }
  /** Another process paused or cancelled the run. */
  | { kind: 'ended_elsewhere'; run: PayRun };
