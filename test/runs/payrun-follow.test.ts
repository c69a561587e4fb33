/** What became of rows, from the webhooks that a listener kept and from the list; and that an older record changes nothing. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { Transport } from '../../src/core/transport.ts';
import { noConfirmer } from '../../src/payments/gate.ts';
import { authorizeRun } from '../../src/runs/approve.ts';
import { checkRows } from '../../src/runs/files/check.ts';
import { readRows } from '../../src/runs/files/read.ts';
import { inboxFeed, observeByList } from '../../src/runs/observe.ts';
import { payRun } from '../../src/runs/pay.ts';
import { planRun } from '../../src/runs/plan.ts';
import { mayBecome } from '../../src/runs/states.ts';
import { ROW_STATES } from '../../src/runs/store/port.ts';
import { openInbox } from '../../src/webhooks/open-inbox.ts';
import type { NewDelivery } from '../../src/webhooks/store/port.ts';
import { deskOver } from '../support/desk.ts';
import { memoryTransport } from '../support/memory-transport.ts';
import { openStore } from '../support/open-store.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { HOOK, person, startBench } from '../support/sandbox.ts';
import { standingClock, temporaryStorePath } from '../support/stores.ts';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

it('is read from the inbox, without a call to the service, and from the list alike', async () => {
  const bench = await startBench();
  await bench.call('POST', '/senders', { sender: { ...person, external_id: 'customer-1' } });
  const webhook = { url: HOOK, events: ['recipient.paid_out', 'recipient.error'], metadata: {} };
  expect((await bench.call('POST', '/webhooks', { webhook })).status).toBe(201);
  const clock = standingClock(Date.UTC(2026, 0, 5, 9));
  const kept = await openStore(temporaryStorePath(), { clock, random: seededRandom(5) });
  const payruns = await kept.payruns();
  let lists = 0;
  const served = memoryTransport((request) => bench.sandbox.fetch(request));
  const transport: Transport = (request) => {
    if (request.url.includes('/recipients')) lists += 1;
    return served(request);
  };
  const env = { REMIT_CONFIG_DIR: mkdtempSync(join(tmpdir(), 'remit-follow-')) };
  const closers: (() => unknown)[] = [];
  const desk = {
    ...deskOver({ transport, clock, store: kept }),
    machine: { env, cwd: '.', pid: process.pid },
    closing: (close: () => unknown) => closers.push(close),
  };
  const { inbox } = await openInbox(desk, { store: undefined, passwordFile: undefined });
  const rows = readRows(bytesOf(fileOfRows(4, { ending: (i) => (i === 2 ? '19' : '00') })), {
    name: 'wages.csv',
    clock: { now: 0, zone: 'UTC' },
  });
  const ended = await planRun(
    desk,
    { payruns, intents: kept.intents },
    {
      name: 'wages',
      rows: checkRows(rows, { allowDuplicates: false, accounts: 'refuse' }),
      maxInput: { EUR: '100' },
      tolerance: '0.005',
      repeats: [],
      askCeiling: async () => ({}),
    },
  );
  if (ended.kind !== 'planned') throw new Error('the file has faults');
  const { permit, run } = await authorizeRun(
    desk,
    { payruns, intents: kept.intents },
    { run: ended.planned.run, confirmer: noConfirmer },
  );
  await payRun(
    desk,
    { payruns, intents: kept.intents },
    { run, permit: permit, inFlight: 4, perSecond: undefined },
  );
  await bench.sandbox.drain();
  await inbox.keep(
    bench.received.map(
      ({ event, object, request }, i): NewDelivery => ({
        webhook: 'w',
        event,
        objectId: object.id,
        transactionId: object.transaction_id ?? null,
        deliveryPrint: String(i).padStart(32, '0'),
        eventPrint: String(i).padStart(32, 'e'),
        body: Buffer.from(request.body ?? ''),
        url: HOOK,
        headers: [],
        receivedAt: clock.now(),
        recovered: false,
        late: false,
        handOn: false,
      }),
    ),
  );
  // What is like the run was asked of the service before it was planned.
  lists = 0;
  const feed = await inboxFeed(desk, payruns, run);
  expect(await feed?.read()).toBeGreaterThanOrEqual(4);
  expect(await feed?.read()).toBe(0);
  expect(lists).toBe(0);
  const stand = async () => (await payruns.rows(run.id)).map(({ key, state, code }) => [key, state, code]);
  const after = await stand();
  expect(after).toEqual([
    ['E-0', 'paid', undefined],
    ['E-1', 'paid', undefined],
    ['E-2', 'in_error', '416'],
    ['E-3', 'paid', undefined],
  ]);
  await observeByList(desk, payruns, run);
  expect([lists, await stand()]).toEqual([1, after]);
  for (const close of closers) await close();
  kept.close();
});

it('an end stays, whatever older record comes', () => {
  for (const to of ROW_STATES) {
    expect(mayBecome('paid', to)).toBe(false);
    expect(mayBecome('refunded', to)).toBe(false);
    expect(mayBecome('cancelled', to)).toBe(to === 'refunded');
  }
  for (const from of ['planned', 'sending', 'refused', 'unknown'] as const)
    expect(ROW_STATES.filter((to) => mayBecome(from, to))).toEqual([
      'created',
      'paid',
      'in_error',
      'refunded',
      'cancelled',
    ]);
});
