/** A worker stays: neither a service nor a store that cannot be reached for a while ends it. */
import { expect, it } from 'vitest';
import { abortReason, transportError } from '../../src/client/read-response.ts';
import { seededRandom } from '../../src/core/random.ts';
import { type Transport, TransportError } from '../../src/core/transport.ts';
import type { Desk } from '../../src/payments/desk.ts';
import { noConfirmer } from '../../src/payments/gate.ts';
import { approveRun, authorizeRun } from '../../src/runs/approve.ts';
import { checkRows } from '../../src/runs/files/check.ts';
import { readRows } from '../../src/runs/files/read.ts';
import { planRun } from '../../src/runs/plan.ts';
import { workOn } from '../../src/runs/work.ts';
import { deskOver } from '../support/desk.ts';
import { memoryTransport } from '../support/memory-transport.ts';
import { openStore } from '../support/open-store.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { clock as day, pieces } from '../support/payrun-files.ts';
import { person, startBench } from '../support/sandbox.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';

it.each([
  [
    'refuses connections',
    new TransportError('not_sent', 'ECONNREFUSED', 'connection refused'),
    'the service cannot be reached (',
  ],
  ['answers 503', { status: 503, headers: {}, body: '{"status":503}' }, 'the service failed'],
])(
  'a service that %s when the balance is read is asked again, and the run is paid',
  async (_, trouble, words) => {
    const bench = await startBench();
    await bench.call('POST', '/senders', { sender: { ...person, external_id: 'customer-1' } });
    let failures = 0;
    const served = memoryTransport((request) => bench.sandbox.fetch(request));
    const transport: Transport = async (request) => {
      if (failures === 0 || !request.url.endsWith('/accounts')) return served(request);
      failures -= 1;
      if (trouble instanceof Error) throw trouble;
      return trouble;
    };
    const clock = standingClock(Date.UTC(2026, 0, 5, 9));
    const kept = await openStore(temporaryStorePath(), { clock, random: seededRandom(6) });
    const payruns = await kept.payruns();
    const heard: string[] = [];
    const desk = {
      ...deskOver({ transport, clock, store: kept }),
      hear: (event: unknown) => void heard.push(JSON.stringify(event)),
    };
    const ended = await planRun(
      desk,
      { payruns, intents: kept.intents },
      {
        name: 'wages',
        rows: checkRows(readRows(pieces(fileOfRows(4)), { name: 'wages.csv', clock: day }), {
          allowDuplicates: false,
          accounts: 'refuse',
        }),
        maxInput: { EUR: '100' },
        tolerance: '0.005',
        repeats: [],
        askCeiling: async () => ({}),
      },
    );
    if (ended.kind !== 'planned') throw new Error('the file has faults');
    await authorizeRun(
      desk,
      { payruns, intents: kept.intents },
      { run: ended.planned.run, confirmer: noConfirmer },
    );
    // A read is tried four times: this is more than one look.
    failures = 6;
    await workOn(
      desk,
      { payruns, intents: kept.intents },
      { once: true, confirmer: noConfirmer, inFlight: 4, perSecond: undefined, onEnd: async () => undefined },
    );
    expect(failures).toBe(0);
    expect(heard.join('\n')).toContain(words);
    expect(heard.join('\n')).toContain('tried again in 2 s');
    expect((await payruns.rows(ended.planned.run.id)).map(({ state }) => state)).toEqual(
      Array.from({ length: 4 }, () => 'created'),
    );
    kept.close();
  },
);

it('leaves a run alone that the day has no room for, says it once, and pays it when there is room', async () => {
  const bench = await startBench();
  await bench.call('POST', '/senders', { sender: { ...person, external_id: 'customer-1' } });
  const clock = standingClock(Date.UTC(2026, 0, 5, 9));
  const kept = await openStore(temporaryStorePath(), { clock, random: seededRandom(6) });
  const store = { payruns: await kept.payruns(), intents: kept.intents };
  const heard: string[] = [];
  let looks = 0;
  const desk: Desk = {
    ...deskOver({
      transport: memoryTransport((request) => bench.sandbox.fetch(request)),
      ...{ clock, store: kept, limits: { max_per_day: { EUR: '3' } } },
      // The third look comes a day later.
      sleep: async () => {
        looks += 1;
        if (looks === 3) clock.advance(24 * 3_600_000);
        if (looks === 4) done.abort();
      },
    }),
    hear: ({ says }) => void heard.push(String(says)),
  };
  const done = new AbortController();
  const ended = await planRun(desk, store, {
    name: 'wages',
    rows: checkRows(readRows(pieces(fileOfRows(4)), { name: 'wages.csv', clock: day }), {
      allowDuplicates: false,
      accounts: 'refuse',
    }),
    ...{ maxInput: { EUR: '100' }, tolerance: '0.005', repeats: [], askCeiling: async () => ({}) },
  });
  if (ended.kind !== 'planned') throw new Error('the file has faults');
  const { run } = ended.planned;
  await approveRun(desk, store, { run, digest: run.digest, confirmer: noConfirmer });
  const payments = [{ names: ['transaction t'] as const, amount: '2', currency: 'EUR' }];
  await kept.letThrough.add({ id: 'other', profile: 'own', payments }, () => undefined);
  const states = async () => (await store.payruns.rows(run.id)).map(({ state }) => state);
  const how = { confirmer: noConfirmer, inFlight: 4, perSecond: undefined, onEnd: async () => undefined };
  const { left } = await workOn(desk, store, { ...how, once: true });
  expect(left.map(({ facts }) => facts.code)).toEqual(['max_per_day']);
  expect(new Set(await states())).toEqual(new Set(['planned']));
  heard.length = 0;
  await workOn({ ...desk, signal: done.signal }, store, { ...how, once: false });
  expect(heard.filter((one) => one.startsWith('left alone: '))).toHaveLength(1);
  expect(new Set(await states())).toEqual(new Set(['created']));
  kept.close();
});

it('a worker that is asked to end while it reads ends as if it had not, and the run is left to others', async () => {
  const bench = await startBench();
  await bench.call('POST', '/senders', { sender: { ...person, external_id: 'customer-1' } });
  const clock = standingClock(Date.UTC(2026, 0, 5, 9));
  const kept = await openStore(temporaryStorePath(), { clock, random: seededRandom(6) });
  const store = { payruns: await kept.payruns(), intents: kept.intents };
  const done = new AbortController();
  let isAsked = false;
  const served = memoryTransport((request) => bench.sandbox.fetch(request));
  const transport: Transport = async (request) => {
    if (!isAsked || !request.url.endsWith('/accounts')) return served(request);
    done.abort();
    throw transportError(abortReason(), false);
  };
  const desk: Desk = deskOver({ transport, clock, store: kept });
  const ended = await planRun(desk, store, {
    name: 'wages',
    rows: checkRows(readRows(pieces(fileOfRows(4)), { name: 'wages.csv', clock: day }), {
      allowDuplicates: false,
      accounts: 'refuse',
    }),
    ...{ maxInput: { EUR: '100' }, tolerance: '0.005', repeats: [], askCeiling: async () => ({}) },
  });
  if (ended.kind !== 'planned') throw new Error('the file has faults');
  const { run } = ended.planned;
  await approveRun(desk, store, { run, digest: run.digest, confirmer: noConfirmer });
  isAsked = true;
  const how = { confirmer: noConfirmer, inFlight: 4, perSecond: undefined, onEnd: async () => undefined };
  const worked = await workOn({ ...desk, signal: done.signal }, store, { ...how, once: false });
  expect(worked).toEqual({ runs: [], left: [] });
  expect(done.signal.aborted).toBe(true);
  expect((await store.payruns.rows(run.id)).map(({ state }) => state)).toEqual(Array(4).fill('planned'));
  kept.close();
});
