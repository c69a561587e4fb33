/** A COMMIT whose answer is lost, as whoever pays with the desk meets it: nothing is paid twice, and nothing unsure is sent. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { Transport } from '../../src/core/transport.ts';
import { authorizeWrite, noConfirmer } from '../../src/payments/gate.ts';
import { createPayment, paymentStep, planPayment } from '../../src/payments/plan.ts';
import { authorizeRun } from '../../src/runs/approve.ts';
import { checkRows } from '../../src/runs/files/check.ts';
import { readRows } from '../../src/runs/files/read.ts';
import { planRun } from '../../src/runs/plan.ts';
import { openPostgresStore } from '../../src/runs/store/postgres.ts';
import { workOn } from '../../src/runs/work.ts';
import { deskOver } from '../support/desk.ts';
import { memoryTransport } from '../support/memory-transport.ts';
import { ownDatabase } from '../support/one-postgres.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { clock as day, pieces } from '../support/payrun-files.ts';
import type { PostgresDatabase } from '../support/postgres.ts';
import { type Loss, type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { person, startBench } from '../support/sandbox.ts';
import { standingClock } from '../support/stores.ts';

let server: PostgresDatabase;
let proxy: PostgresProxy;
let seeds = 0;
beforeAll(async () => {
  server = await ownDatabase();
  proxy = await startPostgresProxy(server.url);
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

async function stage() {
  const bench = await startBench();
  await bench.call('POST', '/senders', { sender: { ...person, external_id: 'customer-1' } });
  const sent: string[] = [];
  const served = memoryTransport((request) => bench.sandbox.fetch(request));
  const transport: Transport = async (request) => {
    if (request.method !== 'GET' && !request.url.endsWith('/calculate'))
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return served(request);
  };
  const clock = standingClock(Date.UTC(2026, 0, 5, 9));
  const store = await openPostgresStore({ url: proxy.url }, { clock, random: seededRandom(`d${seeds++}`) });
  const kept = { intents: store.intents, payruns: async () => store.payruns, close() {} };
  const heard: string[] = [];
  const desk = {
    ...deskOver({
      transport,
      clock,
      store: kept as unknown as NonNullable<Parameters<typeof deskOver>[0]['store']>,
      // Whoever waits finds the store there again.
      sleep: async () => void proxy.calm(),
    }),
    hear: (event: unknown) => void heard.push(JSON.stringify(event)),
  };
  return { desk, store, sent, heard };
}

it.each<[string, Loss]>([
  ['stands', 'answer'],
  ['does not stand', 'statement'],
])(
  'rows of which nobody can say that they begin are not sent; the worker stays, and pays them once: it %s',
  async (_how, loss) => {
    const { desk, store, sent, heard } = await stage();
    const file = checkRows(readRows(pieces(fileOfRows(3)), { name: 'wages.csv', clock: day }), {
      allowDuplicates: false,
      accounts: 'refuse',
    });
    const name = `wages-${loss}`;
    const terms = { tolerance: '0.005', repeats: ['wages-answer'], askCeiling: async () => ({}) };
    const ended = await planRun(desk, store, {
      name,
      rows: file,
      maxInput: { EUR: '100' },
      ...terms,
    });
    if (ended.kind !== 'planned') throw new Error('the file has faults');
    const { run } = ended.planned;
    await authorizeRun(desk, store, { run, confirmer: noConfirmer });
    proxy.lose(loss, { after: /SET state = 'sending'/, away: true });
    let sentBefore: number | undefined;
    const sleep = async () => {
      if (proxy.calm()) sentBefore = sent.length;
    };
    await workOn({ ...desk, sleep }, store, {
      once: true,
      confirmer: noConfirmer,
      inFlight: 3,
      perSecond: undefined,
      leaseMs: 400,
      onEnd: async () => undefined,
    });
    expect(sentBefore).toBe(0);
    expect(heard.join('\n')).toContain('tried again in 2 s');
    expect(sent).toHaveLength(3);
    expect((await store.payruns.rows(run.id)).map(({ state }) => state)).toEqual(Array(3).fill('created'));
    expect(await store.intents.count({ states: ['applied'] })).toBe(await store.intents.count());
    await store.close();
  },
);

it('a payment of which nobody can say that its intent stands is unknown, and names how it is settled', async () => {
  const { desk, store, sent } = await stage();
  const payment = planPayment({
    body: {
      input_currency: 'EUR',
      metadata: {},
      sender: { external_id: 'customer-1' },
      recipients: [
        {
          type: 'person',
          requested_amount: '5000',
          requested_currency: 'NGN',
          payout_method: {
            type: 'NGN::Bank',
            details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456789' },
          },
        },
      ],
    },
    fund: false,
    maxInput: undefined,
  });
  const permit = await authorizeWrite(desk, paymentStep(desk, payment, undefined), noConfirmer);
  proxy.lose('answer', { after: /^INSERT INTO remit_intents/, away: true });
  const unsure = await createPayment(desk, permit, payment, { newPayment: false }).catch(
    (error: unknown) => error,
  );
  expect(proxy.calm()).toBe(true);
  const [intent] = await store.intents.list({ states: ['open'] });
  expect(unsure).toMatchObject({ facts: { category: 'unknown', code: 'intent_unsure', outcome: 'unknown' } });
  expect(JSON.stringify((unsure as { facts: unknown }).facts)).toContain(
    `"do":"settle","id":"${intent?.id}"`,
  );
  expect(sent).toEqual([]);
  await store.close();
});
