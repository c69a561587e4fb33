/** Webhooks as they come in, and a way to wait for one: events are awaited, never slept for. */
import type { DeliveryRecord } from '../../intake/take-in.ts';

const PATIENCE_MS = 10_000;

interface Waiting {
  fits: (record: DeliveryRecord) => boolean;
  found: (record: DeliveryRecord) => void;
  failed: (error: unknown) => void;
}

export class Mailbox {
  readonly received: DeliveryRecord[] = [];
  private waiting: Waiting[] = [];

  take(record: DeliveryRecord): void {
    this.received.push(record);
    this.waiting = this.waiting.filter((one) => {
      if (!one.fits(record)) return true;
      one.found(record);
      return false;
    });
  }

  fail(error: unknown): void {
    for (const one of this.waiting.splice(0)) one.failed(error);
  }

  /** The delivery of this event about this transaction, come or to come. */
  until(event: string, transactionId: string): Promise<DeliveryRecord> {
    const fits = (record: DeliveryRecord): boolean =>
      record.delivery?.event === event && concerns(record.delivery.object, transactionId);
    const come = this.received.find(fits);
    if (come) return Promise.resolve(come);
    return new Promise((found, failed) => {
      const limit = setTimeout(
        () => failed(new Error(`no webhook ${event} came within ${PATIENCE_MS / 1000} s`)),
        PATIENCE_MS,
      );
      const done = (record: DeliveryRecord): void => {
        clearTimeout(limit);
        found(record);
      };
      this.waiting.push({ fits, found: done, failed });
    });
  }
}

function concerns(object: Record<string, unknown>, transactionId: string): boolean {
  return object.id === transactionId || object.transaction_id === transactionId;
}
