/**
 * Does the public URL lead here? A request of our own goes out to it and must come in again: a listener behind a tunnel that
 * fell asleep looks alive and hears nothing. Several listeners of one inbox stand behind one URL, so each answers for all of them:
 * a right answer proves the key of the inbox (decision 0101).
 */
import { createHmac, randomBytes } from 'node:crypto';
import { equalInConstantTime } from '../../contract/signing.ts';
import { type Transport, TransportError } from '../../core/transport.ts';
import { PROBE_HEADER } from './receiver.ts';

export type Probed = { reached: true } | { reached: false; why: string };

export interface Probe {
  /** For the receiver: the answer to a token of this inbox, null to any other. */
  answer(token: string): string | null;
  ask(url: string): Promise<Probed>;
}

const LIMIT_MS = 10_000;

/** @param key that only the listeners of the inbox have */
export function createProbe(transport: Transport, key: string): Probe {
  const proof = (of: string, nonce: string): string =>
    createHmac('sha256', key).update(`${of} ${nonce}`).digest('hex');
  const tokenOf = (nonce: string): string => `${nonce}.${proof('token', nonce)}`;
  const own = randomBytes(24).toString('hex');
  return {
    /* A stranger who asks gets the answers that any request gets. */
    answer(token) {
      const [nonce = ''] = token.split('.', 1);
      return equalInConstantTime(token, tokenOf(nonce)) ? proof('answer', nonce) : null;
    },
    async ask(url) {
      try {
        const { status, body } = await transport({
          method: 'GET',
          url,
          headers: { [PROBE_HEADER]: tokenOf(own), accept: 'text/plain' },
          connectTimeoutMs: LIMIT_MS,
          responseTimeoutMs: LIMIT_MS,
          signal: AbortSignal.timeout(LIMIT_MS),
        });
        if (equalInConstantTime(body.trim(), proof('answer', own))) return { reached: true };
        return { reached: false, why: `another program answered ${status}` };
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        return { reached: false, why: error.message };
      }
    },
  };
}
