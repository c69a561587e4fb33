/** Handing on: to a real handler on loopback, to a real program, with an inbox in memory and a clock of ours. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { groupCommit } from '../../src/core/group-commit.ts';
import { runProgram } from '../../src/webhooks/intake/run-program.ts';
import { verifySignature } from '../../src/webhooks/intake/verify.ts';
import {
  bodyOf,
  credentials,
  deliverTo,
  Heard,
  headersFor,
  type Listening,
  startHandler,
  startListening,
} from '../support/listening.ts';
import { gate } from '../support/servers.ts';
import { standingClock } from '../support/stores.ts';

let at: Listening;
let handler: Awaited<ReturnType<typeof startHandler>>;
beforeEach(async () => {
  handler = await startHandler();
});
afterEach(async () => {
  await at?.close();
  at = undefined as unknown as Listening;
  await handler.close();
});

const deliver = (body: string, sent: Parameters<typeof deliverTo>[2] = {}) => deliverTo(at.base, body, sent);
const states = async () => (await at.inbox.list({}, { limit: 100 })).map(({ state }) => state);
/** Resolves when so many attempts with the oldest delivery are recorded. */
async function attempts(count: number): Promise<void> {
  while (((await at.inbox.list({}, { limit: 100 })).at(-1)?.attempts ?? 0) < count)
    await new Promise((resolve) => setImmediate(resolve));
}
/** Time passes until the next attempt is due. */
function pass(ms: number): void {
  at.clock.advance(ms);
  at.listener.wake();
}

describe('handing on over HTTP', () => {
  const clock = standingClock();

  it('passes body and headers on as they came, with a stable id, and duplicates not', async () => {
    at = await startListening({ target: handler.target(clock) });
    const url = `${at.base}/in`;
    const body = bodyOf('naïve');
    const headers = { ...headersFor(url, body, { nonce: 'one' }), 'X-Team': 'a', 'Remit-Late': 'true' };
    for (const _ of [1, 2]) await fetch(url, { method: 'POST', body, headers });
    await at.told.count(1);
    expect(handler.got.all).toHaveLength(1);
    const [got] = handler.got.all;
    expect(got?.body).toBe(body);
    expect(got?.rawHeaders).toEqual(
      expect.arrayContaining(['Authorization-Signature', 'X-Team', 'Authorization-Key']),
    );
    expect(got?.headers['remit-late']).toBeUndefined();
    const [row] = await at.inbox.list({}, { limit: 1 });
    expect(got?.headers['remit-delivery-id']).toBe(row?.id);
    expect(row).toMatchObject({ state: 'handed_on', answer: '204', attempts: 1 });
    const told = (await at.told.count(2)).find(({ duplicate }) => !duplicate);
    expect(told).toMatchObject({ forward_status: 204, state: 'handed_on', latency_ms: 0 });
    const received = { rawBody: Buffer.from(got?.body ?? ''), url, headers: got?.headers ?? {} };
    expect(verifySignature(received, [credentials])).not.toBeNull();
  });

  it('signs again for the hop, under a nonce of its own each time', async () => {
    let count = 0;
    const resign = { credentials, nonce: () => `hop-${count++}` };
    at = await startListening({ target: handler.target(clock, { resign }) });
    await deliver(bodyOf('a'));
    await deliver(bodyOf('b'));
    await at.told.count(2);
    for (const { body, headers } of handler.got.all) {
      expect(headers['authorization-nonce']).toMatch(/^hop-\d$/);
      const request = { rawBody: Buffer.from(body), url: handler.to, headers };
      expect(verifySignature(request, [credentials])).not.toBeNull();
    }
  });

  it('does not pass on what does not verify, unless asked, and then marked', async () => {
    at = await startListening({ target: handler.target(clock) });
    await deliver(bodyOf('a'), { signedUrl: 'https://else.example/' });
    await at.told.count(1);
    expect(handler.got.all).toEqual([]);
    await at.close();
    at = await startListening({
      target: handler.target(clock),
      invalidTo: { to: handler.to, transport: handler.network.send, clock },
    });
    expect((await deliver(bodyOf('a'), { signedUrl: 'https://else.example/' })).status).toBe(401);
    const [told] = await at.told.count(1);
    expect(told).toMatchObject({ signature: 'invalid', forward_status: 204 });
    expect(handler.got.all[0]?.headers['remit-verified']).toBe('false');
  });

  it('acknowledges before the handler answers; a slow one holds up its own object only', async () => {
    const held = gate();
    handler.answers.held = held.passed;
    at = await startListening({ target: handler.target(clock) });
    for (const id of ['a', 'a', 'b']) expect((await deliver(bodyOf(id))).status).toBe(200);
    const got = await handler.got.count(2);
    expect(got.map(({ body }) => JSON.parse(body).object.id).sort()).toEqual(['a', 'b']);
    held.open();
    await at.told.count(3);
    expect(await states()).toEqual(['handed_on', 'handed_on', 'handed_on']);
  });

  it('tries again, later and later, in order; gives up at last, and then the next passes', async () => {
    let status = 503;
    handler.answers.status = () => status;
    at = await startListening({ target: { ...handler.target(clock), attempts: 3 } });
    await deliver(bodyOf('a', { n: 1 }));
    await at.told.count(1);
    await deliver(bodyOf('a', { n: 2 }));
    for (const [wait, count] of [
      [1_000, 2],
      [5_000, 3],
    ] as const) {
      pass(wait - 1);
      expect(handler.got.all).toHaveLength(count - 1);
      pass(1);
      await attempts(count);
    }
    // Told when it began to wait, and when it was given up; nothing between.
    expect(at.told.all.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 1],
      ['dead_letter', 3],
    ]);
    status = 200;
    pass(1_000);
    const told = await at.told.until((all) => all.some(({ state }) => state === 'handed_on'));
    const second = told.find(({ state }) => state === 'handed_on');
    expect(JSON.parse(Buffer.from(second?.body ?? []).toString('utf8')).n).toBe(2);
    expect(handler.got.all.map(({ headers }) => headers['remit-attempt']).slice(0, 3)).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('hands a dead letter on when asked again, marked late where a later one has passed', async () => {
    let status = 500;
    handler.answers.status = () => status;
    at = await startListening({ target: { ...handler.target(clock), attempts: 1 } });
    await deliver(bodyOf('a', { n: 1 }));
    const [dead] = await at.told.count(1);
    expect(dead).toMatchObject({ state: 'dead_letter', late: false });
    status = 200;
    await deliver(bodyOf('a', { n: 2 }));
    await at.told.count(2);
    await at.inbox.requeue([dead?.id ?? '']);
    at.listener.wake();
    const told = await at.told.count(3);
    expect(told[2]).toMatchObject({ id: dead?.id, state: 'handed_on', late: true });
    expect(handler.got.all[2]?.headers['remit-late']).toBe('true');
    expect(handler.got.all[1]?.headers['remit-late']).toBeUndefined();
  });

  it('knows when there is no handler', async () => {
    const target = handler.target(clock, { to: 'http://127.0.0.1:1/' });
    at = await startListening({ target });
    expect((await deliver(bodyOf('a'))).status).toBe(200);
    const [told] = await at.told.count(1);
    expect(told).toMatchObject({ state: 'waiting', forward_status: null });
    expect(told?.forward_error).toBe('connection refused');
  });

  it('keeps the order of each object, whatever the handler does', async () => {
    let calls = 0;
    handler.answers.status = () => (calls++ % 3 === 0 ? 500 : 200);
    at = await startListening({ target: { ...handler.target(clock), attempts: 50 } });
    const sent = Array.from({ length: 60 }, (_, i) => [`r-${i % 6}`, Math.floor(i / 6)] as const);
    for (const [id, n] of sent) await deliver(bodyOf(id, { n }));
    const taken = () => at.told.all.filter(({ state }) => state === 'handed_on');
    while (taken().length < 60) {
      pass(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const order = new Map<string, number[]>();
    for (const { object_id: id, body } of taken()) {
      const { n } = JSON.parse(Buffer.from(body).toString('utf8'));
      order.set(id ?? '', [...(order.get(id ?? '') ?? []), n]);
    }
    for (const seen of order.values()) expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('records what was begun before it ends, and leaves the rest for the next run', async () => {
    const held = gate();
    handler.answers.held = held.passed;
    at = await startListening({ target: { ...handler.target(clock), concurrency: 1 } });
    await deliver(bodyOf('a'));
    await deliver(bodyOf('b'));
    await handler.got.count(1);
    const closing = at.listener.close(5_000);
    held.open();
    await closing;
    expect(handler.got.all).toHaveLength(1);
    expect((await states()).sort()).toEqual(['handed_on', 'waiting']);
  });
});

describe('handing on to a program', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'remit-exec-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const program = (source: string, output = new Heard<string>()) => {
    const file = join(dir, 'handler.mjs');
    writeFileSync(file, source);
    const clock = standingClock();
    return {
      output,
      target: {
        hand: runProgram({
          command: [process.execPath, file, 'a b', '$HOME'],
          cwd: dir,
          env: { ...process.env, REMIT_API_SECRET: 'made-up', remit_api_key: 'k', PARTNER: 'yes' },
          clock,
          timeoutMs: 10_000,
          onOutput: (text: string) => output.add(text),
        }),
        attemptMs: 10_000,
        concurrency: 2,
        attempts: 2,
      },
    };
  };

  it('gives it the body on standard input, its own words, and none of our variables', async () => {
    const { target } = program(`
      import { writeFileSync } from 'node:fs';
      const chunks = [];
      for await (const chunk of process.stdin) chunks.push(chunk);
      const { env, argv } = process;
      writeFileSync('seen.json', JSON.stringify({ env, argv, body: Buffer.concat(chunks).toString('utf8') }));
    `);
    at = await startListening({ target });
    await deliver(bodyOf('naïve'));
    const [told] = await at.told.count(1);
    expect(told).toMatchObject({ state: 'handed_on', forward_status: null });
    const seen = JSON.parse(readFileSync(join(dir, 'seen.json'), 'utf8'));
    expect(seen.body).toBe(bodyOf('naïve'));
    expect(seen.argv.slice(2)).toEqual(['a b', '$HOME']);
    expect(Object.keys(seen.env).filter((name) => /^remit/i.test(name))).toEqual([]);
    expect(seen.env).toMatchObject({
      PARTNER: 'yes',
      WEBHOOK_EVENT: 'recipient.error',
      WEBHOOK_ATTEMPT: '1',
    });
    expect(seen.env.WEBHOOK_DELIVERY_ID).toBe(told?.id);
  });

  it('is a failure when it does not end with 0, and its output is shown', async () => {
    const { target, output } = program("console.log('out'); console.error('err'); process.exitCode = 3;");
    at = await startListening({ target });
    await deliver(bodyOf('a'));
    const [told] = await at.told.count(1);
    expect(told).toMatchObject({ state: 'waiting', forward_error: 'exit 3' });
    expect(output.all.join('')).toContain('out\n');
    expect(output.all.join('')).toContain('err\n');
  });

  it('counts as ended when it has ended, whatever it left running', async () => {
    const { target } = program(`
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' });
      child.unref();
      await new Promise((resolve) => child.once('spawn', resolve));
      process.exit(0);
    `);
    at = await startListening({ target });
    await deliver(bodyOf('a'));
    const [told] = await at.told.count(1);
    expect(told).toMatchObject({ state: 'handed_on' });
  });

  it('is stopped with all that it started when its time is over, and given back when the listener cannot wait', async () => {
    const slow = `
      import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' });
      console.log('begun');
      setTimeout(() => {}, 60000);`;
    const { target, output } = program(slow);
    at = await startListening({ target });
    await deliver(bodyOf('a'));
    await output.until((all) => all.join('').includes('begun'));
    const closing = at.listener.close(1);
    await closing;
    expect(await states()).toEqual(['waiting']);
    expect((await at.inbox.list({}, { limit: 1 }))[0]).toMatchObject({ attempts: 0, answer: null });
  });

  it('says when it cannot be started', async () => {
    const { target } = program('');
    const clock = standingClock();
    const missing = {
      command: [join(dir, 'nowhere')],
      cwd: dir,
      env: {},
      clock,
      timeoutMs: 1,
      onOutput() {},
    };
    at = await startListening({ target: { ...target, hand: runProgram(missing) } });
    await deliver(bodyOf('a'));
    const [told] = await at.told.count(1);
    expect(told?.forward_error).toContain('ENOENT');
  });
});

describe('a group commit', () => {
  it('takes what comes in one turn together, and gathers the next while one is on its way', async () => {
    const groups: number[][] = [];
    const held = gate();
    const add = groupCommit<number, number>(async (items) => {
      groups.push([...items]);
      if (groups.length === 1) await held.passed;
      return items.map((item) => item * 2);
    });
    const first = [1, 2, 3].map(add);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const second = [4, 5].map(add);
    await new Promise((resolve) => setImmediate(resolve));
    expect(groups).toEqual([[1, 2, 3]]);
    held.open();
    expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
    expect(groups).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('tells everybody in it when it fails, and nobody else', async () => {
    let fails = true;
    const add = groupCommit<number, number>(async (items) => {
      if (fails) throw new Error('full');
      return items;
    });
    const lost = await Promise.allSettled([1, 2].map(add));
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await add(3)).toBe(3);
  });
});
