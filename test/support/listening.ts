/** A listener of ours on loopback, with an inbox in memory, a handler behind it and a signing sender before it. */

import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { createNetworkTransport } from '../../src/client/network-transport.ts';
import { diagnose } from '../../src/contract/signatures/diagnose.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import { seededRandom } from '../../src/core/random.ts';
import { type ForwardOptions, forwardTo } from '../../src/webhooks/intake/forward.ts';
import { createListener, type Listener, type ListenerOptions } from '../../src/webhooks/listener.ts';
import type { Inbox } from '../../src/webhooks/store/port.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import type { ListenEvent } from '../../src/webhooks/told.ts';
import { portOf, shut } from './servers.ts';
import { type StandingClock, standingClock } from './stores.ts';

export const credentials = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };

/** Things that are told, and a way to wait for so many of them: nobody sleeps. */
export class Heard<T> {
  readonly all: T[] = [];
  #waiting: (() => void)[] = [];

  add(one: T): void {
    this.all.push(one);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async until(fits: (all: readonly T[]) => boolean): Promise<readonly T[]> {
    while (!fits(this.all)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.all;
  }

  count = (count: number): Promise<readonly T[]> => this.until((all) => all.length >= count);
}

export interface Listening {
  inbox: Inbox;
  clock: StandingClock;
  listener: Listener;
  base: string;
  told: Heard<ListenEvent>;
  errors: unknown[];
  close(): Promise<void>;
}

export async function startListening(
  over: Partial<ListenerOptions> & { inbox?: Inbox } = {},
): Promise<Listening> {
  const clock = standingClock();
  const inbox =
    over.inbox ?? (await openSqliteInbox(':memory:', { account: 'a', clock, random: seededRandom(1) }));
  const told = new Heard<ListenEvent>();
  const errors: unknown[] = [];
  const listener = createListener({
    clock,
    random: seededRandom(2),
    owner: 'test 1',
    inbox,
    secrets: [credentials],
    wanted: () => true,
    trustProxy: false,
    examine: (request) => diagnose(request, { credentials }),
    onTold: (one) => told.add(one),
    onEnded: (one) => told.add(one),
    onError: (error) => errors.push(error),
    ...over,
  });
  const { url } = await listener.listen(0);
  listener.start();
  return {
    inbox,
    clock,
    listener,
    base: url,
    told,
    errors,
    async close() {
      await listener.close(5_000);
      await inbox.close();
    },
  };
}

let nonces = 0;
export const bodyOf = (id: string, over: Record<string, unknown> = {}): string =>
  JSON.stringify({ webhook: 'w-1', event: 'recipient.error', object: { id, state: 'error' }, ...over });

export function headersFor(
  url: string,
  body: string | Uint8Array,
  { nonce = `nonce-${nonces++}`, by = credentials } = {},
): Record<string, string> {
  return {
    ...signedHeaders(by, { nonce, method: 'POST', url, body }),
    'content-type': 'application/json',
  };
}

export interface Sent {
  url?: string;
  signedUrl?: string;
  nonce?: string;
  by?: typeof credentials;
}

/** As the service sends it. */
export function deliverTo(
  base: string,
  body: string | Uint8Array<ArrayBuffer>,
  sent: Sent = {},
): Promise<Response> {
  const url = sent.url ?? `${base}/hooks?team=a%20b`;
  const given = { ...(sent.nonce ? { nonce: sent.nonce } : {}), ...(sent.by ? { by: sent.by } : {}) };
  return fetch(url, { method: 'POST', body, headers: headersFor(sent.signedUrl ?? url, body, given) });
}

export interface Handled {
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: string;
}

/** The partner's own handler: answers as it is told to. */
export async function startHandler() {
  const got = new Heard<Handled>();
  const answers = { status: (_: Handled): number => 204, held: undefined as Promise<void> | undefined };
  const server: Server = createServer(async (request, response) => {
    const { headers, rawHeaders } = request;
    const handled = { headers, rawHeaders, body: await text(request) };
    got.add(handled);
    await answers.held;
    response.writeHead(answers.status(handled)).end();
  });
  const to = `http://127.0.0.1:${await portOf(server)}/handle`;
  const network = await createNetworkTransport();
  return {
    got,
    answers,
    to,
    network,
    /** What a listener needs to hand on to it. */
    target: (clock: ForwardOptions['clock'], rest: Partial<ForwardOptions> = {}) => ({
      hand: forwardTo({ to, transport: network.send, clock, ...rest }),
      attemptMs: 15_000,
      concurrency: 8,
      attempts: 8,
    }),
    async close() {
      await network.close();
      await shut(server);
    },
  };
}
