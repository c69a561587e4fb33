/** A service, or what stands in its place, whose answers do not end: memory stays small, and nothing false is claimed. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createNetworkTransport, type NetworkTransport } from '../../src/client/network-transport.ts';
import { createReadTransport } from '../../src/client/read-transport.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { credentials, paymentFlags, senderFlags } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { runRemit, startRemit, temporaryHome } from '../support/program.ts';
import { portOf, shut } from '../support/servers.ts';

const MB = 1024 * 1024;
const servers: Server[] = [];
const transports: NetworkTransport[] = [];
afterEach(async () => {
  for (const one of transports.splice(0)) await one.close();
  for (const one of servers.splice(0)) await shut(one);
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  return portOf(server);
}

/** As fast as it is taken, for ever. */
function endless(status: number, response: ServerResponse): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  const piece = Buffer.alloc(MB, ' ');
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  response.on('error', () => undefined);
  more();
}

type Create = () => Promise<NetworkTransport>;
const each: [string, Create][] = [
  ['undici', createNetworkTransport],
  ['node:http', async () => createReadTransport()],
];

async function send(
  create: Create,
  port: number,
  responseTimeoutMs: number,
): Promise<{ reach: string; code: string }> {
  const made = await create();
  transports.push(made);
  const wire = {
    method: 'POST',
    url: `http://127.0.0.1:${port}/v1`,
    headers: {},
    connectTimeoutMs: 5_000,
    responseTimeoutMs,
  };
  return made.send(wire).then(
    () => expect.fail('it was answered'),
    ({ reach, code }) => ({ reach, code }),
  );
}

describe.each(each)('the transport over %s', (_, create) => {
  it.each([200, 404])('gives up a body without end (%i), and holds little of it', async (status) => {
    const port = await serve((_, response) => endless(status, response));
    const before = process.memoryUsage().rss;
    expect(await send(create, port, 60_000)).toEqual({ reach: 'may_have_arrived', code: 'ANSWER_TOO_LARGE' });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
  });

  // It takes four seconds of the machine's time.
  it.runIf(isLong)('gives up a body that drips, each piece in time', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    });
    const from = performance.now();
    expect(await send(create, port, 1_000)).toEqual({ reach: 'may_have_arrived', code: 'ANSWER_TOO_SLOW' });
    expect(performance.now() - from).toBeLessThan(8_000);
  });

  it('takes one of thirty megabytes', async () => {
    const port = await serve((_, response) => void response.end(Buffer.alloc(30 * MB, ' ')));
    const made = await create();
    transports.push(made);
    const answer = await made.send({
      method: 'GET',
      url: `http://127.0.0.1:${port}/v1`,
      headers: {},
      connectTimeoutMs: 5_000,
      responseTimeoutMs: 5_000,
    });
    expect(answer.body.length).toBe(30 * MB);
  });
});

describe('the program', () => {
  let sandbox: Sandbox;
  let service: Listening;
  let home: ReturnType<typeof temporaryHome>;
  const env = (url: string): Record<string, string> => ({
    REMIT_BASE_URL: url,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: home.dir,
  });
  beforeAll(async () => {
    sandbox = await createSandbox({ credentials, seed: 3 });
    service = await listen(sandbox, { port: 0 });
    home = temporaryHome();
    await runRemit(['sender', 'create', ...senderFlags('customer-1')], env(service.url));
  });
  afterAll(async () => {
    await service.close();
    await sandbox.close();
    home.remove();
  });

  /** Reads go to the sandbox; a write reaches it too, and its answer does not end. */
  async function relay(status: number): Promise<string> {
    const port = await serve(async (request, response) => {
      const { method = 'GET', headers: given, url = '/' } = request;
      const headers = new Headers(Object.entries(given).map(([name, value]) => [name, String(value)]));
      const body = method === 'GET' ? null : await buffer(request);
      // With the address that was signed.
      const answer = await sandbox.fetch(
        new Request(`http://${given.host}${url}`, { method, headers, body }),
      );
      if (request.method !== 'GET') return endless(status, response);
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    return `http://127.0.0.1:${port}/v1`;
  }

  it.each(some([200, 404, 422], 1))(
    'a write whose answer (%i) does not end is unknown, never "not applied"',
    async (status) => {
      const url = await relay(status);
      const flags = [...paymentFlags('customer-1'), '--external-id', `endless-${status}`];
      const program = startRemit(['tx', 'create', ...flags], env(url));
      const { code } = await program.ended;
      // What looking finds is the truth; what is left is unknown. Nothing else may be claimed.
      expect([0, 9], program.stderr()).toContain(code);
      expect(program.stderr()).not.toContain('not applied');
    },
  );

  it('a read ends with 75, in words', async () => {
    const port = await serve((_, response) => endless(200, response));
    const run = await runRemit(['tx', 'list'], env(`http://127.0.0.1:${port}/v1`));
    expect([run.code, run.stdout]).toEqual([75, '']);
    expect(run.stderr).toContain('it is larger than any answer of the service');
    expect(run.stderr).toContain('remit doctor');
  });
});
