/** Webhooks on their way from the sandbox of a case to the program, noted one by one, and spoilt where the case says so. */
import { isLoopback } from '../core/hosts.ts';
import { type Transport, TransportError, type WireRequest } from '../core/transport.ts';
import type { AuditCase } from './case.ts';
import type { RelayedRequest } from './relay.ts';

export interface Delivered extends Pick<RelayedRequest, 'at' | 'start'> {
  event: string;
  /** The status of the program's answer; absent where there was none. */
  status?: number;
  isForged: boolean;
  body: string;
}

export interface Delivering {
  case: AuditCase;
  deliveries: Delivered[];
  send: Transport;
  /** The address that programs and signatures know, and the one on this machine that it leads to. */
  through?: { publicUrl: string; webhook: string } | undefined;
  moment: () => Pick<RelayedRequest, 'at' | 'start'>;
}

/** `webhook-never` lets none through, `webhook-missigned` spoils each signature. */
export function deliveringTo({ case: faults, deliveries, send, through, moment }: Delivering): Transport {
  const has = (way: string): boolean => faults.some((one) => one.way === way);
  const isForged = has('webhook-missigned');
  return async (request) => {
    if (has('webhook-never'))
      throw new TransportError('not_sent', 'ECONNREFUSED', 'no webhook comes in this case');
    const { body = '' } = request;
    const { event = '' } = JSON.parse(body) as { event?: string };
    const noted: Delivered = { ...moment(), event, isForged, body };
    deliveries.push(noted);
    const led = through === undefined ? request : leadBy(through, request);
    const answer = await send(isForged ? { ...led, headers: forged(led.headers) } : led);
    noted.status = answer.status;
    return answer;
  };
}

/**
 * Takes the place of the proxy before the program: the signature is for the public address, and the bytes go to this machine alone. Another path of that
 * address is taken for the same path here.
 */
function leadBy(
  { publicUrl, webhook }: NonNullable<Delivering['through']>,
  request: WireRequest,
): WireRequest {
  const [at, known] = [new URL(request.url), new URL(publicUrl)];
  if (at.host !== known.host) {
    if (isLoopback(at.hostname)) return request;
    throw new TransportError('not_sent', 'ECONNREFUSED', `${at.host} is not this machine`);
  }
  const url = at.href === known.href ? webhook : new URL(`${at.pathname}${at.search}`, webhook).href;
  return { ...request, url, headers: { ...request.headers, Host: known.host } };
}

const forged = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /signature$/i.test(name) ? value.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : value,
    ]),
  );
