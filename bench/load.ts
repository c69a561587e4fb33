/** Sends create_and_fund requests that were signed before the time is taken, and counts the answers that are 201. */
import { serveParent } from './support/children.ts';
import { linesTo, sendAll } from './support/lines.ts';
import { asBytes, prepare } from './support/request.ts';

interface Question {
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
}

async function run({ host, mark, count, connections }: Question): Promise<Load> {
  const requests = Array.from({ length: count }, (_, i) => asBytes(prepare(host, mark, i)));
  const { rate, failed, bytes } = await sendAll(await linesTo(host, connections), requests, {
    expected: 201,
  });
  return { rate, failed, bytes };
}

serveParent<object, Question>(async () => run);
