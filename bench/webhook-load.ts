/** Sends webhook deliveries that were signed before the time is taken, and times each answer. */
import { serveParent } from './support/children.ts';
import { deliveryBytes } from './support/delivery.ts';
import { linesTo, sendAll } from './support/lines.ts';

interface Question {
  host: string;
  mark: string;
  count: number;
  connections: number;
}

export interface WebhookLoad {
  /** Answers a second. */
  rate: number;
  failed: number;
  /** 99 of 100 answers came within so many milliseconds. */
  p99: number;
}

serveParent<object, Question>(async () => async ({ host, mark, count, connections }) => {
  const requests = Array.from({ length: count }, (_, i) => deliveryBytes(host, mark, i));
  const sent = await sendAll(await linesTo(host, connections), requests, { expected: 200, timed: true });
  const sorted = sent.latencies.sort((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  return { rate: sent.rate, failed: sent.failed, p99 } satisfies WebhookLoad;
});
