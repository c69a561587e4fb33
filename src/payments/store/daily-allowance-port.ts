/**
 * The payments that the gate let through, for profiles with a ceiling by day (decision 0003). A row says that one may be made; it never says
 * that it was paid: that stands in the journal and at the service.
 */

/** A ceiling by day holds in any 24 hours: an amount is free again 24 hours after it was let through. */
export const CEILING_MS = 24 * 3_600_000;

export interface CountedPayment {
  /**
   * The same payment let through again is counted once, at the larger amount. The first name is the one that it is kept under; a row under
   * one of the others gets the first. Made by the functions below, since two payments that have one name count as one.
   */
  names: readonly [string, ...string[]];
  amount: string;
  currency: string;
}

export interface AllowanceUse {
  id: string;
  profile: string;
  payments: readonly CountedPayment[];
}

/** One payment in one currency, as the last 24 hours have it. */
export interface DayAmount {
  name: string;
  currency: string;
  /** The largest amount that was let through for it. */
  amount: string;
  /** When it was let through last. */
  at: number;
}

export interface DailyAllowance {
  /** The last 24 hours of the profile, oldest first, as they would be with this use; writes nothing. */
  usesWith(use: Pick<AllowanceUse, 'profile' | 'payments'>): Promise<DayAmount[]>;
  /**
   * Durable when it resolves, and atomic: asks `judge` about the last 24 hours with this use; where it returns something, nothing is
   * kept. An id that was kept before gets more payments.
   */
  add<Refusal>(
    use: AllowanceUse,
    judge: (lately: readonly DayAmount[]) => Refusal | undefined,
  ): Promise<Refusal | undefined>;
  /** Frees what provably was not applied: this use counts no more, or those of its payments that have these names. */
  release(countId: string, names?: readonly string[]): Promise<void>;
}

/** An external id names one transaction for ever, and a transaction is paid once. The kind keeps one from passing for another. */
export const transactionName = (id: string): string => `transaction ${id}`;
export const externalName = (externalId: string): string => `external_id ${externalId}`;
export const runName = (id: string): string => `run ${id}`;
