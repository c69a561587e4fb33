/** Webhooks on their way from the sandbox of a case to the program, noted one by one, and spoilt where the case says so. */
import { type Transport, TransportError } from '../core/ports/transport.ts';
import type { Case } from './case.ts';
import type { Exchange } from './relay.ts';

export interface Delivered extends Pick<Exchange, 'at' | 'start'> {
  event: string;
  /** The status of the program's answer; absent where there was none. */
  status?: number;
  isForged: boolean;
  body: string;
}

export interface Delivering {
  case: Case;
  deliveries: Delivered[];
  send: Transport;
  moment: () => Pick<Exchange, 'at' | 'start'>;
}

/** `webhook-never` lets none through, `webhook-missigned` spoils each signature. */
export function deliveringTo({ case: faults, deliveries, send, moment }: Delivering): Transport {
  const has = (way: string): boolean => faults.some((one) => one.way === way);
  const isForged = has('webhook-missigned');
  return async (request) => {
    if (has('webhook-never'))
      throw new TransportError('not_sent', 'ECONNREFUSED', 'no webhook comes in this case');
    const { body = '' } = request;
    const { event = '' } = JSON.parse(body) as { event?: string };
    const noted: Delivered = { ...moment(), event, isForged, body };
    deliveries.push(noted);
    const answer = await send(isForged ? { ...request, headers: forged(request.headers) } : request);
    noted.status = answer.status;
    return answer;
  };
}

const forged = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /signature$/i.test(name) ? value.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : value,
    ]),
  );
