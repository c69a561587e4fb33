/** One sandbox, and both faces of the client over it: the command line in process, and the library. What bends one bends the other. */
import { afterEach, beforeEach } from 'vitest';
import { createPartnerClient, memoryIntents } from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { type Bench, baseUrl, credentials, type Intercept, type UseBench, useBench } from './cli.ts';

export interface BothFaces {
  bench: Bench;
  client: Public.PartnerClient;
  intents: Public.Intents;
  /** What the library sent that is no read, as `POST /transactions`. */
  sent: string[];
  intercept(intercept: Intercept): void;
  restore(): void;
  /** Another process of the same service: what the first has in memory is gone, and its journal is not. */
  restart(): void;
  /** From here on both speak to the same sandbox under an address of production; commands with `env`. */
  goLive(): void;
  env: Record<string, string>;
}

export function useBothFaces(options: UseBench = {}): BothFaces {
  const bench = useBench({ sender: true, ...options });
  const faces = { bench, sent: [] } as unknown as BothFaces;
  let intercepted: Intercept = (request, next) => next(request);
  faces.intercept = (intercept) => {
    intercepted = intercept;
    bench.intercept(intercept);
  };
  faces.restore = () => faces.intercept((request, next) => next(request));
  const fetch = async (request: Request): Promise<Response> => {
    const { method, url } = request;
    const path = new URL(url).pathname.replace(/^\/v1/, '');
    if (method !== 'GET' && path !== '/transactions/calculate') faces.sent.push(`${method} ${path}`);
    const body = await request.text();
    const headers = Object.fromEntries(request.headers);
    const wire = { method, url, headers, ...(body === '' ? {} : { body }) };
    const answer = await intercepted(wire as never, bench.direct);
    await bench.sandbox.drain();
    return new Response(answer.body === '' ? null : answer.body, {
      status: answer.status,
      headers: answer.headers as Record<string, string>,
    });
  };
  faces.goLive = () => {
    faces.env = { REMIT_BASE_URL: 'https://api.example.com/v1' };
    faces.restart();
  };
  faces.restart = () => {
    faces.client = createPartnerClient({
      baseUrl: faces.env.REMIT_BASE_URL ?? baseUrl,
      ...credentials,
      intents: faces.intents,
      fetch: fetch as never,
      logger: { debug() {}, warn() {} },
    });
  };
  beforeEach(() => {
    faces.restore();
    faces.sent.length = 0;
    faces.env = {};
    faces.intents = memoryIntents();
    faces.restart();
  });
  afterEach(() => faces.client.close());
  return faces;
}
