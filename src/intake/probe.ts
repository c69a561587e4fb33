/**
 * Does the public URL lead here? A request of our own goes out to it and must come in again: a listener behind a tunnel that
 * fell asleep looks alive and hears nothing.
 */
import { randomBytes } from 'node:crypto';
import { equalInConstantTime } from '../contract/signing.ts';
import { type Transport, TransportError } from '../core/ports/transport.ts';
import { PROBE_HEADER } from './receiver.ts';

export type Probed = { reached: true } | { reached: false; why: string };

export interface Probe {
  /** For the receiver: what it answers to our token, null to any other. */
  answer(token: string): string | null;
  ask(url: string): Promise<Probed>;
}

const LIMIT_MS = 10_000;

export function createProbe(transport: Transport): Probe {
  const token = randomBytes(24).toString('hex');
  const proof = randomBytes(24).toString('hex');
  return {
    answer: (asked) => (equalInConstantTime(asked, token) ? proof : null),
    async ask(url) {
      try {
        const { status, body } = await transport({
          method: 'GET',
          url,
          headers: { [PROBE_HEADER]: token, accept: 'text/plain' },
          connectTimeoutMs: LIMIT_MS,
          responseTimeoutMs: LIMIT_MS,
          signal: AbortSignal.timeout(LIMIT_MS),
        });
        if (body.trim() === proof) return { reached: true };
        return { reached: false, why: `another program answered ${status}` };
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        return { reached: false, why: error.message };
      }
    },
  };
}
