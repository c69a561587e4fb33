/** Faults of deliveries: made twice, later, after the next one, or with a signature that is wrong. */
import { OVERTAKEN_AT_LAST_MS } from '../../contract/timing.ts';
import type { SandboxState } from '../sandbox-state.ts';

interface Birth {
  copies: 1 | 2;
  delayMs: number;
  /** True where the delivery waits for the next one to its endpoint. */
  overtaken: boolean;
}

const PLAIN: Birth = { copies: 1, delayMs: 0, overtaken: false };

export class WebhookFaults {
  readonly #sandbox: SandboxState;
  /** Deliveries that wait to be overtaken, by endpoint. After a restart they go at last. */
  readonly #held = new Map<string, string[]>();

  constructor(sandbox: SandboxState) {
    this.#sandbox = sandbox;
  }

  /** @assumes overtaken-at-last */
  atBirth(webhook: string, event: string, instanceId: string): Birth {
    const { faults, clock } = this.#sandbox;
    if (!faults.any) return PLAIN;
    const occasion = { webhook, event };
    const what = `${event} ${instanceId}`;
    const at = clock.now();
    const twice = faults.take('webhook-duplicate', occasion, at, what) !== undefined;
    const delayMs = faults.take('webhook-delayed', occasion, at, what)?.delayMs ?? 0;
    const overtaken = faults.take('webhook-reordered', occasion, at, what) !== undefined;
    return { copies: twice ? 2 : 1, delayMs: overtaken ? OVERTAKEN_AT_LAST_MS : delayMs, overtaken };
  }

  hold(webhook: string, deliveryId: string): void {
    this.#held.set(webhook, [...(this.#held.get(webhook) ?? []), deliveryId]);
  }

  /** One has just been put before those that wait. */
  release(webhook: string): void {
    const { schedule, clock } = this.#sandbox;
    for (const deliveryId of this.#held.get(webhook) ?? []) {
      schedule.add(clock.now(), { kind: 'deliver', deliveryId });
    }
    this.#held.delete(webhook);
  }

  /** The signature as it is to be sent. */
  signature(webhook: string, event: string, instanceId: string, signature: string): string {
    const { faults, clock } = this.#sandbox;
    const occasion = { webhook, event };
    if (!faults.take('webhook-missigned', occasion, clock.now(), `${event} ${instanceId}`)) return signature;
    return signature.replace(/./g, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16));
  }
}
