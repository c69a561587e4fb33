/** A service that does not answer: it is said after a while, `--request-timeout` gives up, and a write is settled as ever. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Transport, TransportError } from '../../src/core/transport.ts';
import { withNotice } from '../../src/program/slow-notice.ts';
import { type Intercept, only, paymentFlags, useBench } from '../support/cli.ts';
import { portOf, shut } from '../support/servers.ts';

const bench = useBench({ sender: true });
const silent = createServer(() => {});
let silentUrl = '';
beforeAll(async () => {
  silentUrl = `http://127.0.0.1:${await portOf(silent)}/v1`;
});
afterAll(() => shut(silent));

const ended = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener(
      'abort',
      () => reject(new TransportError('may_have_arrived', 'AbortError', 'interrupted')),
      {
        once: true,
      },
    );
  });

/** The service does what it is asked, and its answer never comes. */
const unanswered: Intercept = async (request, next) => {
  await next(request);
  return ended(request.signal);
};
/** What is sent is lost. */
const lost: Intercept = (request) => ended(request.signal);
const isCreate = ({ method, url }: { method: string; url: string }): boolean =>
  method === 'POST' && /\/transactions(?:\/create_and_fund)?$/.test(url);
const soon = ['--request-timeout', '200ms'];
const pay = ['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'wages-1', ...soon];

describe('--request-timeout', () => {
  it('gives a read up, which may be repeated', async () => {
    const run = await bench.run(['balance', ...soon], { env: { REMIT_BASE_URL: silentUrl }, network: true });
    expect(run.code).toBe(75);
    expect(run.stderr).toContain('no answer within 200 ms');
  });

  it('by its variable too', async () => {
    const env = { REMIT_BASE_URL: silentUrl, REMIT_REQUEST_TIMEOUT: '200ms' };
    expect((await bench.run('balance', { env, network: true })).stderr).toContain('no answer within 200 ms');
  });

  it('a write whose answer does not come is looked for, found, and not sent again', async () => {
    bench.intercept(only(isCreate, unanswered));
    const run = await bench.run([...pay, '-o', 'json']);
    expect(run.code, run.stderr).toBe(0);
    expect(run.data<{ external_id: string }>().external_id).toBe('wages-1');
    expect(
      run.requests
        .filter(({ method }) => method === 'POST')
        .filter(({ path }) => path.endsWith('/transactions')),
    ).toHaveLength(1);
  });

  it('a write that is lost each time stays unknown, and is never called failed', async () => {
    bench.intercept(only(isCreate, lost));
    const run = await bench.run(pay);
    expect(run.code, run.stderr).toBe(9);
    expect(run.stderr).toMatch(/outcome +unknown/);
    expect(run.stderr).toContain('remit history settle');
    bench.intercept((request, next) => next(request));
    const settled = await bench.run(['history', 'settle', '--all', '--yes']);
    expect(settled.code, settled.stderr).toBe(0);
    expect((await bench.run(['tx', 'list', '-o', 'json'])).data<unknown[]>()).toHaveLength(1);
  });

  it.each(['0', 'x', '-1s', '30d'])('refuses "%s"', async (given) => {
    const run = await bench.run(['balance', '--request-timeout', given]);
    expect([run.code, run.requests]).toEqual([2, []]);
  });
});

describe('a request that takes long', () => {
  const request = {
    method: 'POST',
    url: 'https://api.example.com/v1/transactions?x=1',
  } as Parameters<Transport>[0];

  it('is told, with what it may have done, and without its query', async () => {
    let told = (_: string): void => {};
    const said = new Promise<string>((resolve) => {
      told = resolve;
    });
    let answer = (_: unknown): void => {};
    const send = withNotice(
      () =>
        new Promise((resolve) => {
          answer = resolve as (_: unknown) => void;
        }),
      { say: told, afterMs: 5 },
    );
    const sent = send(request);
    expect(await said).toMatch(
      /^remit: api\.example\.com has not answered POST \/v1\/transactions within 0\.005 s: it may have been applied/,
    );
    answer({ status: 200 });
    expect(await sent).toEqual({ status: 200 });
  });

  it('one that is answered is not', async () => {
    const lines: string[] = [];
    const send = withNotice(async () => ({ status: 200, headers: {}, body: '' }), {
      say: (line) => lines.push(line),
      afterMs: 1,
    });
    await send(request);
    await send(request);
    expect(lines).toEqual([]);
  });
});
