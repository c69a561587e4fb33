/** A run is planned and approved in a store in a file, and paid: only the paying is timed. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '../src/client/client.ts';
import { createNetworkTransport } from '../src/client/network-transport.ts';
import { seededRandom } from '../src/core/random.ts';
import type { Desk } from '../src/payments/desk.ts';
import { noConfirmer } from '../src/payments/gate.ts';
import { authorizeRun } from '../src/runs/approve.ts';
import { checkRows } from '../src/runs/files/check.ts';
import { readRows } from '../src/runs/files/read.ts';
import { withSenders } from '../src/runs/files/senders.ts';
import { runsOfFile } from '../src/runs/open-store.ts';
import { payRun } from '../src/runs/pay.ts';
import { planRun } from '../src/runs/plan.ts';
import { openStore } from '../test/support/open-store.ts';
import { serveParent } from './support/children.ts';
import { temporaryFolder } from './support/folder.ts';
import type { LoopQuestion } from './support/loop.ts';
import { HEADER, IN_FLIGHT, rowOf } from './support/payrun.ts';
import { pause, spent } from './support/processor.ts';
import { credentials } from './support/signed.ts';

const clock = { now: () => Date.now() };
const random = seededRandom(1);

async function deskOver(url: string): Promise<Desk> {
  const folder = temporaryFolder();
  const { send } = await createNetworkTransport({ connections: IN_FLIGHT });
  const client = createClient({
    baseUrl: url,
    credentials,
    transport: send,
    clock,
    random,
    nonce: randomUUID,
    sleep: pause,
  });
  const store = await openStore(join(folder, 'journal.db'), { clock, random });
  return {
    by: { words: 'batch run', user: 'bench' },
    clock,
    random,
    ports: {},
    newId: randomUUID,
    sleep: pause,
    signal: new AbortController().signal,
    machine: { env: { REMIT_CONFIG_DIR: folder }, cwd: folder, pid: process.pid },
    mask: 'none',
    zone: 'UTC',
    fresh: false,
    connection: async () => ({
      name: 'bench',
      source: 'profile',
      environment: 'sandbox',
      baseUrl: url,
      credentials,
      scheme: 'signature',
      secretIn: 'environment',
      limits: {},
    }),
    client: async () => client,
    writingClient: async () => client,
    clientAt: async () => client,
    transport: async () => send,
    store: async () => store,
    hear: () => {},
    working: (_, work) => work({ tell() {}, say() {}, stop() {} }),
    willTell: () => {},
    remember: async () => {},
    closing: () => {},
  };
}

async function* fileOf(rows: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(HEADER);
  for (let i = 0; i < rows; i++) yield Buffer.from(rowOf(i));
}

serveParent<{ url: string }, LoopQuestion>(async ({ url }) => {
  const desk = await deskOver(url);
  const store = await desk.store();
  const payruns = await store.part(runsOfFile);
  let runs = 0;
  const planned = async (count: number) => {
    const rows = checkRows(readRows(fileOf(count), { name: 'wages.csv', clock: { now: 0, zone: 'UTC' } }), {
      allowDuplicates: false,
      accounts: 'refuse',
    });
    const ended = await planRun(
      desk,
      { payruns, intents: store.intents },
      {
        name: `wages-${runs++}`,
        rows: withSenders(desk, rows),
        maxInput: { EUR: '9000000000' },
        tolerance: '0.005',
        repeats: [],
        askCeiling: async () => ({}),
      },
    );
    if (ended.kind !== 'planned') throw new Error(`the plan has faults: ${JSON.stringify(ended.faults[0])}`);
    return ended.planned.run;
  };
  const answer = async ({ count, concurrency }: LoopQuestion) => {
    const admitted = await authorizeRun(
      desk,
      { payruns, intents: store.intents },
      { run: await planned(count), confirmer: noConfirmer },
    );
    const terms = { inFlight: concurrency, perSecond: undefined };
    const { micros, ms } = await spent(async () => {
      const end = await payRun(desk, { payruns, intents: store.intents }, { ...admitted, ...terms });
      if (end.kind !== 'through') throw new Error(`the run ended otherwise: ${JSON.stringify(end)}`);
    });
    const sums = await payruns.sums(admitted.run.id);
    if (sums.length !== 1 || sums[0]?.state !== 'created') throw new Error(JSON.stringify(sums));
    return { micros: micros / count, rate: (count / ms) * 1000 };
  };
  return Object.assign(answer, { close: async () => store.close() });
});
