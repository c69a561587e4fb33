/** The handlers of `remit-cli/webhooks` on real servers, and their nonces: what comes over the wire, and what is answered. */
import { createServer, type RequestListener, request as send } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { describe, expect, it } from 'vitest';
import {
  expressWebhookHandler,
  fetchWebhookHandler,
  nodeWebhookHandler,
} from '../../src/library/webhooks.ts';
import type { WebhookEvent, WebhookHandlerOptions } from '../../src/library/webhooks-types.ts';
import { bodyOf, credentials, Heard, headersFor } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { closeAfterEach, gate, portOf, shut } from '../support/servers.ts';

/** As it is registered, behind a proxy: the server's own address does not matter. */
const url = 'https://partner.example/hooks';
const MB = 1024 * 1024;

const closing = closeAfterEach();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  closing.push(() => shut(server));
  return `http://127.0.0.1:${await portOf(server)}`;
}

function watched(over: Partial<WebhookHandlerOptions> = {}) {
  const events = new Heard<WebhookEvent>();
  const errors: unknown[] = [];
  const options: WebhookHandlerOptions = {
    url,
    ...credentials,
    onEvent: (event) => events.add(event),
    onError: (error) => errors.push(error),
    ...over,
  };
  return { events, errors, options, ids: () => events.all.map(({ object }) => object.id) };
}

interface Signed {
  nonce?: string;
  headers?: Record<string, string>;
}
const deliver = async (to: string, body: string, { nonce, headers }: Signed = {}) => {
  const signed = headersFor(url, body, nonce === undefined ? {} : { nonce });
  const answer = await fetch(to, { method: 'POST', body, headers: { ...signed, ...headers } });
  return [answer.status, await answer.text()] as const;
};

/** Connections that send the head and 60 kB of a body, and no more. */
function stallAll(to: string, connections: number): { begun: Promise<unknown>; first: Promise<string> } {
  const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 65536\r\n\r\n${'a'.repeat(60 * 1024)}`;
  const first = gate<string>();
  const one = (): Promise<void> => {
    const socket = connect(Number(new URL(to).port), '127.0.0.1').on('error', () => {});
    closing.push(() => socket.destroy());
    socket.setEncoding('latin1').once('data', first.open);
    return new Promise<void>((resolve) => socket.write(head, () => resolve()));
  };
  // No more at once than a listener lets wait: what is beyond is tried again by the system, after seconds.
  const all = async (): Promise<void> => {
    for (let done = 0; done < connections; done += 100) await Promise.all(Array.from({ length: 100 }, one));
  };
  return { begun: all(), first: first.passed };
}

describe('nodeWebhookHandler', () => {
  it('takes what is genuine, and answers for the rest', async () => {
    const { options, ids, errors } = watched({ secret: ['the-next-one', credentials.secret] });
    const to = await serve(nodeWebhookHandler(options));
    expect(await deliver(to, bodyOf('r-1'))).toEqual([200, 'taken\n']);
    expect(await deliver(to, bodyOf('r-2'), { headers: headersFor(url, bodyOf('r-3')) })).toEqual([
      401,
      'the signature does not verify\n',
    ]);
    for (const body of ['', '{', '[]', '{"webhook":"w"}', '[['.repeat(50_000)])
      expect(await deliver(to, body)).toEqual([400, 'signed, but not a delivery\n']);
    const get = await fetch(to);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect(ids()).toEqual(['r-1']);
    expect(errors).toEqual([]);
  });

  it('tells what did not verify, and why; what that throws changes nothing', async () => {
    const causes: (string | undefined)[] = [];
    const { options, errors } = watched({
      onInvalid({ diagnose }) {
        causes.push(diagnose()?.cause);
        throw new Error('my log is full');
      },
    });
    const to = await serve(nodeWebhookHandler(options));
    const headers = headersFor(`${url}/`, bodyOf('r-1'));
    expect((await deliver(to, bodyOf('r-1'), { headers }))[0]).toBe(401);
    expect(causes).toEqual([expect.stringContaining('slash')]);
    expect(errors).toEqual([new Error('my log is full')]);
  });

  it('is still there when what it tells its errors to throws', async () => {
    const fail = () => {
      throw new Error('no');
    };
    const to = await serve(nodeWebhookHandler(watched({ onEvent: fail, onError: fail }).options));
    expect((await deliver(to, bodyOf('r-1')))[0]).toBe(500);
    expect((await deliver(to, bodyOf('r-1')))[0]).toBe(500);
  });

  it('refuses what is too large, announced or not, and goes on', async () => {
    const { options, ids } = watched();
    const to = await serve(nodeWebhookHandler(options));
    const large = bodyOf('x'.repeat(2 * MB));
    expect(await deliver(to, large)).toEqual([413, `at most ${MB} bytes are taken\n`]);
    const status = await new Promise((resolve, reject) => {
      const chunked = send(to, { method: 'POST' }, (answer) => resolve(answer.resume().statusCode));
      chunked.on('error', reject);
      for (let i = 0; i < 40; i++) chunked.write(Buffer.alloc(64 * 1024));
      chunked.end();
    });
    expect(status).toBe(413);
    expect((await deliver(to, bodyOf('y'.repeat(MB / 2))))[0]).toBe(200);
    expect(ids()).toEqual(['y'.repeat(MB / 2)]);
  });

  it.runIf(isLong)('has no room for more than 64 MB at once, and gives it back', async () => {
    const held = gate();
    const { options } = watched({ onEvent: () => held.passed, maxBytes: 20 * MB });
    const handle = fetchWebhookHandler(options);
    const give = async (id: string) => {
      const body = bodyOf(id.repeat(18 * MB));
      return handle(new Request(url, { method: 'POST', body, headers: headersFor(url, body) }));
    };
    // Which of them gives way is the slowest: on a busy machine that may be any.
    const four = ['a', 'b', 'c', 'd'].map(give);
    const more = await Promise.race(four);
    expect([more.status, await more.text()]).toEqual([503, 'too much at once: send it again\n']);
    held.open();
    expect((await Promise.all(four)).map(({ status }) => status).sort()).toEqual([200, 200, 200, 503]);
    expect((await give('e')).status).toBe(200);
  });

  it('takes a body that comes byte by byte, and forgets one that breaks off', async () => {
    const { options, events, ids } = watched();
    const to = await serve(nodeWebhookHandler(options));
    const { port } = new URL(to);
    const write = (body: string, bytes: number) =>
      new Promise<string>((resolve) => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
        const headers = Object.entries({ ...headersFor(url, body), 'content-length': `${body.length}` });
        socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`);
        socket.write(`${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
        const next = (i: number) => {
          if (i < bytes) socket.write(body.slice(i, i + 1), () => setImmediate(next, i + 1));
          else if (bytes < body.length) socket.destroy();
        };
        next(0);
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk;
        });
        socket.on('close', () => resolve(text.slice(9, 12)));
      });
    const answers = await Promise.all([
      write(bodyOf('slow'), bodyOf('slow').length),
      write(bodyOf('cut'), 30),
    ]);
    expect(answers).toEqual(['200', '']);
    await events.count(1);
    expect(ids()).toEqual(['slow']);
  });

  it('takes what is genuine while 1,100 senders stall, each with most of a body', async () => {
    const { options, ids } = watched();
    const to = await serve(nodeWebhookHandler(options));
    const closed = stallAll(to, 1_100);
    await closed.begun;
    // They are slow after a moment.
    while ((await deliver(to, bodyOf('r-0')))[0] === 503);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => deliver(to, bodyOf(`r-${i}`, { padding: 'x'.repeat(60_000) }))),
    );
    expect(answers).toEqual(answers.map(() => [200, 'taken\n']));
    expect(new Set(ids()).size).toBe(20);
    expect(await closed.first).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('says so when somebody read the body before it', async () => {
    const { options, errors } = watched();
    const handler = nodeWebhookHandler(options);
    const to = await serve(async (request, response) => {
      for await (const _ of request);
      await handler(request, response);
    });
    expect((await deliver(to, bodyOf('r-1')))[0]).toBe(500);
    expect(String(errors[0])).toContain('the body was read before it could be verified');
  });

  it.each([{ url: 'hooks' }, { key: '' }, { secret: [] }])('is not made with %o', (over) => {
    expect(() => nodeWebhookHandler(watched(over).options)).toThrow(TypeError);
  });
});

describe('expressWebhookHandler', () => {
  const serveApp = (set: (app: express.Express) => void) => {
    const app = express();
    set(app);
    const failures = new Heard<Error>();
    const failed: express.ErrorRequestHandler = (error, _request, response, _next) => {
      failures.add(error);
      response.status(599).end();
    };
    app.use(failed);
    return serve(app).then((to) => ({ to, failures }));
  };

  it.each<[string, (app: express.Express, handler: express.RequestHandler) => unknown]>([
    ['on the raw stream', (app, handler) => app.post('/in/hooks', handler)],
    [
      'behind express.raw',
      (app, handler) => app.post('/in/hooks', express.raw({ type: () => true }), handler),
    ],
    [
      'in a router that is mounted',
      (app, handler) => app.use('/in', express.Router().post('/hooks', handler)),
    ],
    ['before express.json', (app, handler) => app.post('/in/hooks', handler).use(express.json())],
    [
      'behind express.json that keeps the raw body',
      (app, handler) =>
        app.use(
          express.json({ verify: (request, _, raw) => Object.assign(request, { rawBody: raw }) }),
          handler,
        ),
    ],
  ])('works %s', async (_, mount) => {
    const { options, ids, errors } = watched({ maxBytes: 2_000 });
    const { to, failures } = await serveApp((app) => mount(app, expressWebhookHandler(options)));
    expect(await deliver(`${to}/in/hooks`, bodyOf('r-1'))).toEqual([200, 'taken\n']);
    expect((await deliver(`${to}/in/hooks`, bodyOf('r'), { headers: headersFor(url, '') }))[0]).toBe(401);
    expect((await deliver(`${to}/in/hooks`, bodyOf('x'.repeat(3_000))))[0]).toBe(413);
    expect([ids(), errors, failures.all]).toEqual([['r-1'], [], []]);
  });

  it.each([
    ['express.json', express.json()],
    ['express.text', express.text({ type: () => true })],
    [
      'one that throws the body away',
      async (request, _response, next) => {
        for await (const _ of request);
        next();
      },
    ],
  ] as [string, express.RequestHandler][])('says what is wrong behind %s', async (_, parser) => {
    const { options, ids } = watched();
    const { to, failures } = await serveApp((app) => app.use(parser, expressWebhookHandler(options)));
    expect((await deliver(to, bodyOf('r-1')))[0]).toBe(599);
    expect(failures.all[0]?.message).toContain('mount this handler before express.json()');
    expect(ids()).toEqual([]);
  });
});

describe('fetchWebhookHandler', () => {
  it('ends a body that stalls when others need its room, and answers 503 for it', async () => {
    const { options } = watched({ maxBytes: 40 * MB });
    const handle = fetchWebhookHandler(options);
    const stalled = [1, 2].map((mb) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new Uint8Array((38 + mb) * MB)),
      });
      const init = { method: 'POST', body, headers: headersFor(url, ''), duplex: 'half' };
      return handle(new Request(url, init as RequestInit));
    });
    const body = bodyOf('x'.repeat(20 * MB));
    const headers = headersFor(url, body);
    // They are slow after a moment, and then the genuine one has the room of one of them.
    while ((await handle(new Request(url, { method: 'POST', body, headers }))).status !== 200);
    const first = await Promise.race(stalled);
    expect([first.status, await first.text()]).toEqual([503, 'too much at once: send it again\n']);
  });

  const asked = (body: string | ReadableStream<Uint8Array>, headers: Record<string, string>) =>
    new Request('http://127.0.0.1/anything', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
  const streamOf = (...chunks: (string | Error)[]) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = chunks.shift();
        if (next === undefined) controller.close();
        else if (next instanceof Error) controller.error(next);
        else controller.enqueue(Buffer.from(next));
      },
    });

  it('takes a Request and gives a Response', async () => {
    const { options, ids, errors } = watched({ maxBytes: 5_000 });
    const handle = fetchWebhookHandler(options);
    const body = bodyOf('r-1');
    const status = async (one: string | ReadableStream<Uint8Array>, headers = headersFor(url, body)) =>
      (await handle(asked(one, headers))).status;
    const whole = await handle(asked(body, headersFor(url, body)));
    expect([whole.status, await whole.text(), whole.headers.get('content-type')]).toEqual([
      200,
      'taken\n',
      'text/plain; charset=utf-8',
    ]);
    expect(await status(streamOf(body.slice(0, 5), body.slice(5)))).toBe(200);
    expect(await status(`${body} `)).toBe(401);
    expect(await status('{}', headersFor(url, '{}'))).toBe(400);
    expect(await status(streamOf(body.slice(0, 5), new Error('gone')))).toBe(400);
    expect(
      await status(streamOf('x'.repeat(3_000), 'x'.repeat(3_000), 'x', 'x', new Error('not read'))),
    ).toBe(413);
    expect(await status(body, { ...headersFor(url, body), 'content-length': '5001' })).toBe(413);
    expect((await handle(new Request('http://127.0.0.1/'))).status).toBe(405);
    expect(ids()).toEqual(['r-1', 'r-1']);
    expect(errors).toEqual([]);
    const read = asked(body, headersFor(url, body));
    await read.text();
    expect((await handle(read)).status).toBe(500);
    expect(String(errors[0])).toContain('the body was read before');
  });
});
