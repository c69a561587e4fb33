/** A client over a transport that answers as it is told; what was sent, and how long it waited, is kept. */
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';
import type { Exchange } from '../../src/client/exchange.ts';
import { seededRandom } from '../../src/core/random.ts';
import {
  type Transport,
  TransportError,
  type WireRequest,
  type WireResponse,
} from '../../src/core/transport.ts';
import { credentials } from './sandbox.ts';
import { standingClock } from './stores.ts';

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): WireResponse => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

interface Script {
  client: Client;
  requests: WireRequest[];
  slept: number[];
  exchanges: Exchange[];
}

/**
 * The last answer stands for all that follow. The read by which a client learns that its key is accepted is answered beside
 * the script, unless the client is `fresh`.
 */
export function clientFor(
  answers: (WireResponse | Error | ((request: WireRequest) => WireResponse))[],
  { fresh = false, ...options }: Partial<ClientOptions> & { fresh?: boolean } = {},
): Script {
  const script: Omit<Script, 'client'> = { requests: [], slept: [], exchanges: [] };
  let nonces = 0;
  const transport: Transport = async (request) => {
    if (!fresh && isProof(request)) return json(200, { object: [] });
    script.requests.push(request);
    const answer = answers[Math.min(script.requests.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    if (answer === undefined) throw new Error('no answer was written for this request');
    return typeof answer === 'function' ? answer(request) : answer;
  };
  const client = createClient({
    baseUrl: 'http://127.0.0.1:4010/v1',
    credentials,
    transport,
    clock: standingClock(),
    random: seededRandom(5),
    nonce: () => `nonce-${nonces++}`,
    sleep: async (ms) => {
      script.slept.push(ms);
    },
    onExchange: (exchange) => script.exchanges.push(exchange),
    ...options,
  });
  return { client, ...script };
}

export const lost = new TransportError('may_have_arrived', 'ECONNRESET', 'cut');

const isProof = ({ method, url }: WireRequest): boolean =>
  method === 'GET' && url.endsWith('/webhooks/events');
