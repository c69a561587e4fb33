/** By what a delivery is known again: 32 hex digits each. */
import { hash } from 'node:crypto';

const print = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

/** The same nonce and the same body: the same delivery. `bodyDigest` is SHA-512 in hex. */
export const deliveryPrint = (nonce: string, bodyDigest: string): string => print(`${nonce}\n${bodyDigest}`);

/** The same event of the same object with the same body, whatever its nonce. */
export const eventPrint = (event: string, objectId: string, bodyDigest: string): string =>
  print(`${event}\n${objectId}\n${bodyDigest}`);
