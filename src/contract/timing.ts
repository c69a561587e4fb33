/** The times that the service keeps to, as far as they are known: the sandbox keeps to them. */

const MINUTE_MS = 60_000;

/** A transaction can be funded for so long after its creation. */
export const FUNDABLE_MS = 60 * MINUTE_MS;
/** A transaction with `auto_refund` that is not paid is cancelled and refunded so long after its funding. */
export const AUTO_REFUND_AFTER_MS = 24 * 60 * MINUTE_MS;
/** A delivery that waits to be overtaken by the next one goes anyway after this long. */
export const OVERTAKEN_AT_LAST_MS = 5 * MINUTE_MS;
/** The waits before the second and each later try of a delivery that was not accepted. */
export const RETRY_DELAYS_MS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS);
