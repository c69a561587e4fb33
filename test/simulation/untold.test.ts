/**
 * A result that nobody was told is not over. The built program is killed at any instant between the request and the end of its
 * output, is started twice and ten times at once, and is run again: the ledger of the service shows one payment, and every
 * process that ends by itself says what is so.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { useKillStage } from '../support/kill-stage.ts';
import { isLong } from '../support/long.ts';
import type { Program } from '../support/program.ts';
import { type Hold, type Relay, startRelay } from '../support/relay.ts';
import { type Json, payoutDetails, person } from '../support/sandbox.ts';

/** Longer than it takes from the answer to the end of the process. */
const LONGEST_LIFE_MS = 40;

const stage = useKillStage();
const wallet = () => stage.wallet();
const count = () => stage.count();
let relay: Relay;
afterEach(() => relay?.close());

const transactions = async (): Promise<Json[]> =>
  (await stage.bench.call('GET', '/transactions?per=100')).body.object;

const never: Hold = { request: 'nothing starts like this', at: 'request' };

function start(...argv: string[]): Program {
  return stage.start(argv, stage.env(relay.port));
}

let payments = 0;
/** A payment of its own, without an id: how the next run is known by its body alone. */
function payment(change: (body: Json) => unknown = () => undefined): string {
  payments += 1;
  const body: Json = {
    input_currency: 'EUR',
    sender: { external_id: 'customer-1', ...person },
    recipients: [
      {
        type: 'person',
        requested_amount: String(10 + payments),
        requested_currency: 'EUR',
        payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', '0123456700') },
      },
    ],
  };
  change(body);
  const file = join(stage.dir, `payment-${payments}.json`);
  writeFileSync(file, JSON.stringify(body));
  return file;
}
const pay = (file: string) => [
  ...['tx', 'create', '--fund', '--file', file, '--max-input', '1000', '-o', 'json'],
];

/** Run again until it ends by itself; what it then says must be so. */
async function endedWell(argv: readonly string[]): Promise<Json> {
  const again = start(...argv);
  const { code } = await again.ended;
  expect([0, 9], again.stderr()).toContain(code);
  if (code === 0) return JSON.parse(again.stdout()).data;
  const id = /history settle ([0-9a-f]{8})/.exec(again.stderr())?.[1] ?? 'not named';
  const settled = start('history', 'settle', id, '-o', 'json');
  expect((await settled.ended).code, settled.stderr()).toBe(0);
  const said = JSON.parse(settled.stdout()).data;
  expect(said.state).toBe('applied');
  return { id: said.result_id };
}

const MANY: [words: string, many: number][] = isLong
  ? [
      ['ten', 10],
      ['two', 2],
    ]
  : [['four', 4]];

it('killed at any instant after the request arrived, the same command again pays nobody twice', async () => {
  relay = await startRelay(stage.port, never);
  const random = seededRandom(20_26);
  const kills = Number(process.env.REMIT_KILLS ?? (isLong ? 120 : 2));
  let killed = 0;
  /* How long a process lives on is the machine's affair: it goes on until a part of them was killed. */
  for (let round = 0; round < kills || killed <= kills / 4; round++) {
    const file = payment();
    const price = 10 + payments;
    const [before, made] = [wallet(), count()];
    const first = start(...pay(file));
    // The money leaves the wallet, and then the process lives for up to another forty milliseconds.
    const isKilled = await stage.killAfter(first, () => wallet() !== before, random.next() * LONGEST_LIFE_MS);
    const wasTold = first.stdout().includes('\n');
    if (isKilled) killed += 1;
    if (!wasTold || isKilled) {
      const record = await endedWell(pay(file)).catch((error: Error) => {
        // Told in full, noted as told, and killed on its last steps: then a second one is asked about, and not made.
        if (wasTold && error.message.includes('made already at')) return undefined;
        throw error;
      });
      const [newest] = await transactions();
      if (record !== undefined) expect(record.id).toBe(newest?.id);
    }
    expect(count(), `round ${round}`).toBe(made + 1);
    expect(before - wallet(), `round ${round}`).toBeCloseTo(price, 5);
  }
});

it('told neither on stdout nor on stderr, since both are full: the same command again is answered with it', async () => {
  relay = await startRelay(stage.port, never);
  const file = payment();
  const made = count();
  const toFull = ['sh', '-c', 'exec "$@" > /dev/full 2> /dev/full', 'sh'];
  await stage.start(pay(file), stage.env(relay.port), toFull).ended;
  const record = await endedWell(pay(file));
  const [newest] = await transactions();
  expect(record.id).toBe(newest?.id);
  expect(count()).toBe(made + 1);
});

it.each(MANY)(
  '%s identical commands at once, without ids: one payment, and each says the same',
  async (_, many) => {
    relay = await startRelay(stage.port, never);
    for (let round = 0; round < (isLong ? 5 : 1); round++) {
      const file = payment();
      const [before, made] = [wallet(), count()];
      const programs = Array.from({ length: many }, () => start(...pay(file)));
      const codes = await Promise.all(programs.map(async ({ ended }) => (await ended).code));
      expect(codes, programs.map((one) => one.stderr()).join('\n')).toEqual(codes.map(() => 0));
      const ids = new Set(programs.map((one) => JSON.parse(one.stdout()).data.id));
      expect(ids.size).toBe(1);
      expect(count()).toBe(made + 1);
      expect(before - wallet()).toBeCloseTo(10 + payments, 5);
    }
  },
);

it.each(MANY)('%s at once with an id: one payment, each answered with it', async (words, many) => {
  relay = await startRelay(stage.port, never);
  const file = payment((body) => {
    body.external_id = `wages-${words}`;
  });
  const before = wallet();
  const programs = Array.from({ length: many }, () => start(...pay(file)));
  const codes = await Promise.all(programs.map(async ({ ended }) => (await ended).code));
  expect(codes, programs.map((one) => one.stderr()).join('\n')).toEqual(codes.map(() => 0));
  expect(new Set(programs.map((one) => JSON.parse(one.stdout()).data.id)).size).toBe(1);
  expect(before - wallet()).toBeCloseTo(10 + payments, 5);
});

it('killed during the look that follows a collection, the same command again starts no second one', async () => {
  relay = await startRelay(stage.port, { request: 'GET /v1/payin_methods/', at: 'answer' });
  const argv = [
    ...['tx', 'create', '--payin', 'GHS::Mobile', '--payin-flow', 'ussd_popup', '--amount', '50'],
    ...['--payin-detail', 'phone_number=+233302123400', '--payin-detail', 'mobile_provider=mtn'],
    ...['--type', 'GHS::Balance', '--detail', 'reference=order-17', '--sender', 'customer-9', '-o', 'json'],
  ];
  await stage.bench.call('POST', '/senders', { sender: { ...person, external_id: 'customer-9' } });
  const first = start(...argv);
  await Promise.race([relay.held, first.ended]);
  first.process.kill('SIGKILL');
  expect((await first.ended).signal).toBe('SIGKILL');
  relay.open();
  const record = await endedWell(argv);
  const all = await transactions();
  expect(all).toHaveLength(1);
  expect(record.id).toBe(all[0]?.id);
});
