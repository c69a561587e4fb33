/**
 * Plans of writes that an agent prepared (decision 0105). A row holds what is wished and by whom; it never says what became of it: that stands
 * in the journal, in the run, and at the service.
 */
import type { AccountKey } from '../../core/account.ts';

export const WISH_KINDS = ['payment', 'correction', 'cancel', 'run'] as const;
export type WishKind = (typeof WISH_KINDS)[number];

export interface NewPrepared {
  /** The beginning of `digest`, in letters and digits that a person can read out: ten of them. */
  handle: string;
  /** SHA-256 of the account and the canonical wish. */
  digest: string;
  account: AccountKey;
  kind: WishKind;
  /** The wish as JSON: accounts in full. */
  wish: string;
  /** One line with personal data masked. */
  summary: string;
  /** Hashes of what makes another plan look like this one: the same payee and amount, the same reference. */
  alike: readonly string[];
  /** Handles and ids of payments that an agent declared this one not to be. */
  notTheSameAs: readonly string[];
  /** The program that asked, as it named itself: third-party text. */
  by: string;
  /** When it was planned, as the service had it, in milliseconds since 1970; not there where it did not say. */
  plannedAt?: number | undefined;
}

export interface Prepared extends NewPrepared {
  createdAt: number;
}

/** A plan can be carried out for three days of the service's time: whatever else it depends on is asked anew. */
export const PLAN_LIVES_MS = 3 * 24 * 3_600_000;

export interface PreparedPlans {
  /**
   * Durable when it resolves. In one atomic step asks `judge` about the plans of the last week that are alike, newest first; where it returns
   * something, nothing is kept. A plan of the same digest begins its time anew, and what it was declared not to be stays declared.
   */
  keep<Refusal>(
    plan: NewPrepared,
    judge: (alike: readonly Prepared[]) => Refusal | undefined,
  ): Promise<{ kept: Prepared } | { refused: Refusal }>;
  get(handle: string): Promise<Prepared | undefined>;
  /** Plans of the last week that have one of these texts, newest first. */
  like(texts: readonly string[]): Promise<Prepared[]>;
  /** Plans whose time is not over, newest first. */
  list(baseUrl: string): Promise<Prepared[]>;
}
