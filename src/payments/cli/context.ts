/**
 * A context is given to each command: cheap values, and lazy functions for what costs. `open-context.ts`
 * makes one.
 */

import type { Exchange } from '../../client/exchange.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import type { FrameContext } from '../../frame/context.ts';
import type { Globals } from '../../frame/flags/globals.ts';
import type { Connection } from '../../profiles/connection.ts';
import type { Desk, Transport } from '../desk.ts';
import type { Confirmer } from '../gate.ts';
import type { Result } from './result.ts';

export interface ToTell {
  intentId: string;
  id: string | null;
  externalId: string | null;
}

/** A payout that a search found. */
export interface FoundPayout {
  transaction: Transaction;
  /** Undefined for a payment that has none. */
  recipient: Recipient | undefined;
}

export interface Context extends FrameContext, Desk {
  /** Answers the gate: by flags, by asking, or not at all. */
  confirmer: Confirmer;
  readonly toTell: readonly ToTell[];
  /** Every call of a client that is made from now on is told here, with its outcome. */
  hearExchanges(hear: (exchange: Exchange) => void): void;
  /** Makes one for another account, or with other flags. A `transport` that is given is counted and closed by its owner. */
  another(account: Connection, other?: { words?: string; globals?: Globals; transport?: Transport }): Context;
  /** Goes on with a person at the terminal: one of these payouts is chosen, and attended to. */
  attend(found: readonly FoundPayout[]): Promise<Result>;
  close(): Promise<void>;
}
