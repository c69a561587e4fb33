/** A service that does not answer looks like a program that hangs: after ten seconds stderr says what is waited for. */
import type { Transport } from '../payments/desk.ts';

const NOTICE_MS = 10_000;

export interface NoticeOptions {
  say: (line: string) => void;
  /** Ten seconds, if you do not say. */
  afterMs?: number;
}

/** Says it once for each request that takes so long. */
export function withNotice(send: Transport, { say, afterMs = NOTICE_MS }: NoticeOptions): Transport {
  return async (request) => {
    const { method, url } = request;
    const timer = setTimeout(() => {
      const { host, pathname } = new URL(url);
      const what =
        method === 'GET' ? 'it is still waited for' : 'it may have been applied; it is still waited for';
      say(
        `remit: ${host} has not answered ${method} ${pathname} within ${afterMs / 1_000} s: ${what}. --request-timeout 30s gives up sooner`,
      );
    }, afterMs);
    timer.unref();
    try {
      return await send(request);
    } finally {
      clearTimeout(timer);
    }
  };
}
