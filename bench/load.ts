/** Sends payments or deliveries that were signed before the time is taken, and times each answer. */
import { serveParent } from './support/children.ts';
import { deliveryBytes } from './support/delivery.ts';
import { linesTo, sendAll } from './support/lines.ts';
import { asBytes, prepare } from './support/request.ts';

interface Question {
  what: 'payment' | 'delivery';
  host: string;
  mark: string;
  count: number;
  connections: number;
}

export interface Load {
  /** Answers a second. */
  rate: number;
  failed: number;
  /** Of the last answer's body. */
  bytes: number;
  /** 99 of 100 answers came within so many milliseconds. */
  p99: number;
}

serveParent<object, Question>(async () => async ({ what, host, mark, count, connections }) => {
  const make = (number: number): Buffer =>
    what === 'payment' ? asBytes(prepare(host, mark, number)) : deliveryBytes(host, mark, number);
  const requests = Array.from({ length: count }, (_, i) => make(i));
  const expected = what === 'payment' ? 201 : 200;
  const { latencies, ...sent } = await sendAll(await linesTo(host, connections), requests, expected);
  const sorted = latencies.sort((a, b) => a - b);
  return { ...sent, p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN } satisfies Load;
});
