/** By what a delivery is known again: 32 hex digits each. */
import { hash } from 'node:crypto';

const DIGITS = 32;

/** The same nonce and the same body: the same delivery. `bodyDigest` is SHA-512 in hex. */
export const deliveryFingerprint = (nonce: string, bodyDigest: string): string =>
  hash('sha256', `${nonce}\n${bodyDigest}`, 'hex').slice(0, DIGITS);

/** The same event of the same object with the same body, whatever its nonce: all three are in the body. */
export const eventPrint = (bodyDigest: string): string => bodyDigest.slice(0, DIGITS);
