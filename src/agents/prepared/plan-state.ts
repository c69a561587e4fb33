/** How a plan stands, and what it takes to carry it out, whatever kind it is. */
import type { Confirmer, WriteStep } from '../../payments/gate.ts';

export type PlanState =
  /** The write is not sent yet. */
  | 'planned'
  /** The write is not sent, and its time is over. */
  | 'expired'
  | 'under_way'
  | 'applied'
  /** It cannot be carried out any more: its payment came back, or what it is about has changed. */
  | 'not_applied'
  | 'unknown'
  /** The reference names another payment. */
  | 'taken';

export interface PlanStatus {
  state: PlanState;
  /** The state of the payment, the payout or the run, as the service or the run names it. */
  now: string | undefined;
  transactionId: string | undefined;
  /** The request whose outcome is not known. */
  intentId: string | undefined;
  /** One line a payout, masked. */
  lines: string[];
  /** Why it is not known what became of it; there for `unknown` alone. */
  why: string | undefined;
}

const UNPROVEN = 'nothing that was read proves what became of it';

type Known = Partial<PlanStatus> & { state: PlanState };
export const planStatus = (known: Known): PlanStatus => ({
  ...{ now: undefined, transactionId: undefined, intentId: undefined },
  ...{ lines: [], why: known.state === 'unknown' ? UNPROVEN : undefined },
  ...known,
});

export interface Doing {
  confirmer: Confirmer;
  frame: readonly string[];
  framed(step: WriteStep): WriteStep;
  /** Asked again behind the answer. @throws Problem, and nothing is sent */
  again(): Promise<void>;
}
