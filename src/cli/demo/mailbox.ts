/** Webhooks as they come in, and a way to wait for one: events are awaited, never slept for. */
import type { Told } from '../../desk/webhooks/told.ts';

const PATIENCE_MS = 10_000;

interface Waiting {
  fits: (told: Told) => boolean;
  found: (told: Told) => void;
  failed: (error: unknown) => void;
}

export class Mailbox {
  readonly received: Told[] = [];
  private waiting: Waiting[] = [];

  take(told: Told): void {
    this.received.push(told);
    this.waiting = this.waiting.filter((one) => {
      if (!one.fits(told)) return true;
      one.found(told);
      return false;
    });
  }

  fail(error: unknown): void {
    for (const one of this.waiting.splice(0)) one.failed(error);
  }

  /** The delivery of this event about this transaction, come or to come. */
  until(event: string, transactionId: string): Promise<Told> {
    const fits = (told: Told): boolean => told.event === event && concerns(told.object ?? {}, transactionId);
    const come = this.received.find(fits);
    if (come) return Promise.resolve(come);
    return new Promise((found, failed) => {
      const limit = setTimeout(
        () => failed(new Error(`no webhook ${event} came within ${PATIENCE_MS / 1000} s`)),
        PATIENCE_MS,
      );
      const done = (told: Told): void => {
        clearTimeout(limit);
        found(told);
      };
      this.waiting.push({ fits, found: done, failed });
    });
  }
}

function concerns(object: Record<string, unknown>, transactionId: string): boolean {
  return object.id === transactionId || object.transaction_id === transactionId;
}
