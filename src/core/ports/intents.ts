/**
 * The journal of intents: what we were about to do with money, on disk before the first byte leaves (PRODUCT rule 2).
 * An intent that was opened and never closed is unknown: the process may have died at any point after it.
 */
export type IntentState = 'open' | 'applied' | 'not_applied' | 'unknown' | 'conflict';

export interface NewIntent {
  /** Which command, for people: `tx create --fund`. */
  command: string;
  operation: string;
  /** Who was signed in on this machine, as far as it says. */
  user?: string | undefined;
  profile: string;
  environment: string;
  baseUrl: string;
  keyLast4: string;
  /** SHA-256 of account, operation and canonical body without the id that we made ourselves. */
  digest: string;
  externalId?: string | undefined;
  /** Ids in the path: the transaction a debit funds, the recipient an edit or a cancel concerns. */
  subject?: string | undefined;
  transactionId?: string | undefined;
  /** One line of amounts with personal data masked, for `remit history`. */
  summary: string;
  /** The request as it will be sent, kept only until the outcome is known: settling needs the same bytes. */
  request: string;
}

export interface Intent extends Omit<NewIntent, 'request'> {
  id: string;
  state: IntentState;
  createdAt: number;
  updatedAt: number;
  request?: string | undefined;
  /** Ids that the answer gave, and how we know. */
  resultId?: string | undefined;
  note?: string | undefined;
}

export interface IntentClosing {
  state: Exclude<IntentState, 'open'>;
  resultId?: string | undefined;
  note?: string | undefined;
}

export interface Intents {
  /**
   * Durable when it returns. In one atomic step refuses (returns the earlier one) while an intent of the same digest is open
   * or unknown, unless `anyway`. The digest names the account: by whatever profile it was reached.
   */
  open(intent: NewIntent, options?: { anyway?: boolean }): { opened: Intent } | { unsettled: Intent };
  close(id: string, closing: IntentClosing): void;
  get(id: string): Intent | undefined;
  list(filter?: { state?: IntentState; limit?: number }): Intent[];
}
