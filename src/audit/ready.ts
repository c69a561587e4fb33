/** Waits for a service that is started beside an audit: nothing of a case may count before it can be reached. */
import { sleep } from '../core/clock.ts';
import { type Transport, TransportError } from '../core/transport.ts';

export interface ReadyWait {
  url: string;
  send: Transport;
  signal: AbortSignal;
  limitMs: number;
}

const LOOK_MS = 100;
const ANSWER_MS = 2_000;

/** Absent as soon as it answers 2xx or 3xx; else why it is not ready. A gateway before a service that starts answers 404 and 502. */
export async function untilReady({ url, send, signal, limitMs }: ReadyWait): Promise<string | undefined> {
  const over = new AbortController();
  let isLate = false;
  void sleep(limitMs, over.signal).then(() => {
    isLate = true;
  });
  for (;;) {
    const told = await look(url, send, signal);
    if (told === undefined || isLate || signal.aborted) {
      over.abort();
      return told === undefined ? undefined : `${url} was not ready within ${limitMs / 1000} s: ${told}`;
    }
    await sleep(LOOK_MS, signal);
  }
}

function look(url: string, send: Transport, signal: AbortSignal): Promise<string | undefined> {
  return send({
    ...{ method: 'GET', url, headers: {}, signal },
    ...{ connectTimeoutMs: ANSWER_MS, responseTimeoutMs: ANSWER_MS },
  }).then(
    ({ status }) => (status >= 200 && status < 400 ? undefined : `it answered ${status}`),
    (error: unknown) => `no answer came (${error instanceof TransportError ? error.code : String(error)})`,
  );
}
