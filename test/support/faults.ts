/**
 * What a network can do to a request, at every point of its way: before the connection stands, half way, after the service
 * did the work, and half way back. Each fault tells the client no more than a real network would.
 */
import { type Transport, TransportError, type WireResponse } from '../../src/core/transport.ts';

export const faults = [
  /** The connection is refused: nothing left the socket. */
  'refused',
  /** Cut while the request was on its way; it never arrived. */
  'cut on the way',
  /** Nobody answers in time; it never arrived. */
  'silence',
  /** The service did it; the connection broke before the first byte of the answer. */
  'answer lost',
  /** The service did it; the answer broke off. */
  'answer cut',
  /** It arrives after the next request has been answered. */
  'late, after the next',
  /** It arrives after the command has ended. */
  'late, after the run',
  /** It arrives after somebody has tried to settle it. */
  'late, after settling',
  'a gateway says 503 and passes nothing on',
  'the service does it and says 500',
  'a gateway gives up with 504 and the service does it',
  'slow down, says 429',
  'sent elsewhere with 302',
  'a success without a body',
  'a success cut to half a body',
  'a success that is no JSON',
  /** A relay sends the same bytes twice, nonce and all, and gives back one of the two answers. */
  'sent twice, the first answered',
  'sent twice, the second answered',
  /** The copy comes when the first was answered long ago. */
  'sent twice, the copy after the run',
  'a success with an empty record',
  'a success that is an empty list',
  'a success without a record',
  'a success with the record of another',
  'a success that names another external id',
  'the service does it and says 400',
  'the service does it and says 401',
  'the service does it and says 403',
  'the service does it and says 404',
  'the service does it and says 422',
  'a gateway says 401 and passes nothing on',
  'a gateway says 403 and passes nothing on',
  'a gateway says 403 and passes it on later',
  'a page says 400 and passes it on later',
  'a page says 404 and passes it on later',
  'an empty object says 422 and passes it on later',
  /** It passes everything on, and answers everything itself until the run is over: reads too. */
  'a filter says 401 from now on',
  'a filter says 403 from now on',
  'a filter says 404 from now on',
  /** More than we are willing to read, and less than one byte in our patience. */
  'an answer without end',
  'an answer that drips',
] as const;

export type Fault = (typeof faults)[number];

/** Which request (from 1) meets which fault. */
export type FaultPlan = ReadonlyMap<number, Fault>;

export interface FaultyTransport {
  send: Transport;
  /** Requests that the client made. */
  readonly requests: number;
  /** Lets everything that is late up to this stage arrive. */
  release(stage: 'run' | 'settling'): Promise<void>;
}

const page = (status: number, body: string): WireResponse => ({ status, headers: {}, body });

export function faultyTransport(inner: Transport, plan: FaultPlan): FaultyTransport {
  let requests = 0;
  let filter: Fault | undefined;
  const late: Record<'next' | 'run' | 'settling', (() => Promise<unknown>)[]> = {
    next: [],
    run: [],
    settling: [],
  };
  const releaseAll = async (stage: keyof typeof late) => {
    for (const deliver of late[stage].splice(0)) await deliver();
  };
  return {
    get requests() {
      return requests;
    },
    async send(request) {
      requests += 1;
      const waiting = late.next.splice(0);
      const fault = plan.get(requests);
      const deliver = () => inner({ ...request, signal: undefined });
      try {
        if (fault?.startsWith('a filter')) filter ??= fault;
        return await meet(filter ?? fault, deliver, late);
      } finally {
        for (const earlier of waiting) await earlier();
      }
    },
    async release(stage) {
      filter = undefined;
      await releaseAll('next');
      await releaseAll('run');
      if (stage === 'settling') await releaseAll('settling');
    },
  };
}

const lost = (code: string): TransportError =>
  new TransportError('may_have_arrived', code, 'the connection was cut');

async function meet(
  fault: Fault | undefined,
  deliver: () => Promise<WireResponse>,
  late: Record<'next' | 'run' | 'settling', (() => Promise<unknown>)[]>,
): Promise<WireResponse> {
  switch (fault) {
    case undefined:
      return deliver();
    case 'refused':
      throw new TransportError('not_sent', 'ECONNREFUSED', 'connection refused');
    case 'cut on the way':
      throw lost('ECONNRESET');
    case 'silence':
      throw lost('UND_ERR_HEADERS_TIMEOUT');
    case 'answer lost':
      await deliver();
      throw lost('UND_ERR_SOCKET');
    case 'answer cut':
      await deliver();
      throw lost('UND_ERR_BODY_TIMEOUT');
    case 'late, after the next':
      late.next.push(deliver);
      throw lost('UND_ERR_HEADERS_TIMEOUT');
    case 'late, after the run':
      late.run.push(deliver);
      throw lost('UND_ERR_HEADERS_TIMEOUT');
    case 'late, after settling':
      late.settling.push(deliver);
      throw lost('UND_ERR_HEADERS_TIMEOUT');
    case 'a gateway says 503 and passes nothing on':
      return page(503, 'upstream unavailable');
    case 'the service does it and says 500':
      await deliver();
      return page(500, '{"status":500,"error":"Internal Server Error"}');
    case 'a gateway gives up with 504 and the service does it':
      await deliver();
      return page(504, '<html>gateway time-out</html>');
    case 'slow down, says 429':
      return page(429, '');
    case 'sent twice, the first answered': {
      const first = await deliver();
      await deliver();
      return first;
    }
    case 'sent twice, the second answered':
      await deliver();
      return deliver();
    case 'sent twice, the copy after the run':
      late.run.push(deliver);
      return deliver();
    case 'the service does it and says 400':
    case 'the service does it and says 401':
    case 'the service does it and says 403':
    case 'the service does it and says 404':
    case 'the service does it and says 422': {
      await deliver();
      return page(Number(fault.slice(-3)), '{"error":"made up by the network"}');
    }
    case 'a gateway says 401 and passes nothing on':
      return page(401, '{"status":401}');
    case 'a gateway says 403 and passes nothing on':
      return page(403, 'forbidden');
    case 'a gateway says 403 and passes it on later':
      late.run.push(deliver);
      return page(403, 'forbidden');
    case 'a page says 400 and passes it on later':
    case 'a page says 404 and passes it on later':
      late.run.push(deliver);
      return page(Number(/\d+/.exec(fault)?.[0]), '<html>not here</html>');
    case 'an empty object says 422 and passes it on later':
      late.run.push(deliver);
      return page(422, '{}');
    case 'a filter says 401 from now on':
    case 'a filter says 403 from now on':
    case 'a filter says 404 from now on':
      await deliver();
      return page(Number(/\d+/.exec(fault)?.[0]), '{"error":"blocked"}');
    case 'an answer without end':
      await deliver();
      throw lost('ANSWER_TOO_LARGE');
    case 'an answer that drips':
      await deliver();
      throw lost('ANSWER_TOO_SLOW');
    case 'sent elsewhere with 302':
      return { status: 302, headers: { location: 'http://127.0.0.1:1/v1' }, body: '' };
    default:
      return spoilt(fault, await deliver());
  }
}

/** Only a success is spoilt: what refuses stays readable, or the fault would hide a truth that the service told. */
function spoilt(fault: Fault, answer: WireResponse): WireResponse {
  if (answer.status > 299) return answer;
  if (fault === 'a success without a body') return { ...answer, body: '' };
  if (fault === 'a success that is no JSON') return { ...answer, body: '<html>maintenance</html>' };
  if (fault === 'a success with an empty record') return { ...answer, body: '{"object":{}}' };
  // That nothing was found is an answer to a search like any other: nobody could tell that it is a lie.
  if (fault === 'a success that is an empty list')
    return answer.body.startsWith('{"object":[') && !/"(?:to_id|payin)"/.test(answer.body)
      ? answer
      : { ...answer, body: '{"object":[]}' };
  if (fault === 'a success without a record') return { ...answer, body: '{}' };
  if (fault === 'a success with the record of another') return { ...answer, body: ofAnother(answer.body) };
  if (fault === 'a success that names another external id')
    return { ...answer, body: answer.body.replace(/"external_id":"[^"]*"/, '"external_id":"of-another"') };
  return { ...answer, body: answer.body.slice(0, answer.body.length / 2) };
}

/** The same in shape, with ids and amounts that belong to somebody else. */
const ofAnother = (body: string): string =>
  body
    .replace(
      /"((?:to_)?id|external_id)":"[^"]*"/g,
      (_, name) =>
        `"${name}":"${name === 'external_id' ? 'of-another' : '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a'}"`,
    )
    .replace(/"(requested_amount|bank_account)":"?[\d.]+"?/g, '"$1":"777"');
