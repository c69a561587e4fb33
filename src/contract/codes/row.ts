/** A row of the table of reason codes. */
import type { RecipientCategory } from '../categories.ts';

/**
 * The consequence of a reason for the customer: the details are put right (`corrected`), the service tries again by
 * itself (`again`), only a cancel is left (`ended`), a person acts while the payout waits (`waits`), or signs before
 * it starts (`signed`).
 */
export type CodeGroup = 'corrected' | 'again' | 'ended' | 'waits' | 'signed';

/** Whole sentences that are true to tell the partner's customer; the group and the state say what follows. */
export interface CodeTell {
  says: string;
  group: CodeGroup;
}

export interface CodeInfo {
  code: string;
  category: RecipientCategory;
  /** Three tiers, each adding detail, as the wire has them. */
  messages: readonly [string, string, string];
  description: string;
  /** Null where there is no more to say than the state says. */
  tell: CodeTell | null;
}

/**
 * Tiers of the messages are parted by `|`; those left out repeat the one before. A suspicion of money laundering (16, 51) is never told
 * to the customer, whom it may be about.
 */
export type CodeRow = readonly [
  code: string,
  category: RecipientCategory,
  messages: string,
  description: string,
  tell: CodeTell | null,
];

export const corrected = (says: string): CodeTell => ({ says, group: 'corrected' });
export const again = (says: string): CodeTell => ({ says, group: 'again' });
export const ended = (says: string): CodeTell => ({ says, group: 'ended' });
export const waits = (says: string): CodeTell => ({ says, group: 'waits' });
