/** What a sandbox was, it is again: after the end of its process, and from a snapshot. */
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { TransportError } from '../../src/core/transport.ts';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import {
  type Bench,
  credentials,
  HOOK,
  HOST,
  type Json,
  payoutDetails,
  person,
  startBench,
} from '../support/sandbox.ts';
import { gate } from '../support/servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5, 9);

/** A machine whose time the test sets. */
const machineAt = (at = START) => {
  const machine = { at, now: () => machine.at };
  return machine;
};

interface Home {
  open(options?: Partial<SandboxOptions>): Promise<Bench>;
  /** The process ends: nothing is closed but the file. */
  end(): void;
}

function home(): Home {
  const path = join(temporaryFolder(), 'sandbox.db');
  let data: RecordDatabase | undefined;
  return {
    async open(options = {}) {
      data = await openRecords(path);
      return startBench({ data, seed: 7, ...options });
    },
    end() {
      data?.rollback();
      data?.close();
    },
  };
}

const payment = (externalId: string, number = '0123456700', amount = '100'): Json => ({
  transaction: {
    external_id: externalId,
    input_currency: 'EUR',
    sender: { external_id: 'sender-1', ...person },
    recipients: [
      {
        type: 'person',
        requested_amount: amount,
        requested_currency: 'EUR',
        payout_method: { type: 'NGN::Bank', details: payoutDetails('NGN::Bank', number) },
      },
    ],
  },
});
const create = (bench: Bench, name: string, number?: string) =>
  bench.call('POST', '/transactions', payment(name, number));
const pay = (bench: Bench, name: string, number?: string) =>
  bench.call('POST', '/transactions/create_and_fund', payment(name, number));
const stateOf = async (bench: Bench, name: string): Promise<string> => {
  const { object } = (await bench.call('GET', `/transactions?external_id=${name}`)).body;
  return `${object[0].state} ${object[0].recipients[0].state}`;
};
const balance = async (bench: Bench) => (await bench.call('GET', '/accounts/EUR')).body.object.amount;
const scheduled = ({ control }: Sandbox) => (control.state() as Json).counts.scheduled;

describe('opened again', () => {
  it('has every record, balance and log entry', async () => {
    const place = home();
    const before = await place.open();
    await create(before, 'a');
    await pay(before, 'b', '0123456719');
    await before.sandbox.drain();
    const answers = await Promise.all(
      ['/transactions', '/recipients?state[]=error', '/senders', '/accounts'].map((path) =>
        before.call('GET', path),
      ),
    );
    const logs = (await before.call('GET', '/api_logs?per=100')).body.meta.pagination.total_count;
    place.end();
    const after = await place.open({ seed: 8, balances: {} });
    for (const [i, path] of [
      '/transactions',
      '/recipients?state[]=error',
      '/senders',
      '/accounts',
    ].entries()) {
      expect((await after.call('GET', path)).text).toBe(answers[i]?.text);
    }
    const later = (await after.call('GET', '/api_logs?per=100')).body.meta.pagination.total_count;
    expect(later).toBe(logs + 5);
    after.sandbox.audit();
    place.end();
  });

  it('gives the ids that it would have given, and takes no external id twice', async () => {
    const whole = await startBench({ seed: 7 });
    const place = home();
    const ids: string[] = [];
    let bench = await place.open();
    for (const name of ['a', 'b', 'c']) {
      ids.push((await create(bench, name)).body.object.id);
      place.end();
      bench = await place.open({ seed: 99 });
    }
    for (const [i, name] of ['a', 'b', 'c'].entries()) {
      expect((await create(whole, name)).body.object.id).toBe(ids[i]);
    }
    expect((await create(bench, 'a')).body.object.errors).toEqual({ external_id: [{ error: 'taken' }] });
    place.end();
  });

  it('refuses a nonce that was used before', async () => {
    const place = home();
    const request = { nonce: 'used-once', method: 'GET', url: `http://${HOST}/v1/accounts` };
    const headers = { host: HOST, ...signedHeaders(credentials, request) };
    const signed = { method: 'GET', url: '/v1/accounts', headers };
    expect((await (await place.open()).sandbox.handle(signed)).status).toBe(200);
    place.end();
    expect((await (await place.open()).sandbox.handle(signed)).status).toBe(401);
    place.end();
  });

  it('keeps its key and secret, and settings', async () => {
    const place = home();
    const before = await place.open();
    before.sandbox.control.set({ holder_name: 'SOMEBODY ELSE' });
    await create(before, 'a');
    place.end();
    const after = await place.open({ credentials: { key: 'another', secret: 'one' } });
    expect(after.sandbox.credentials).toEqual(before.sandbox.credentials);
    expect((after.sandbox.control.state() as Json).settings.holder_name).toBe('SOMEBODY ELSE');
    place.end();
  });

  it('keeps counting the deliveries in a row that timed out, and the endpoint off afterwards', async () => {
    const place = home();
    const timeOut = () => {
      throw new TransportError('may_have_arrived', 'UND_ERR_HEADERS_TIMEOUT', 'no answer');
    };
    const before = await place.open();
    await before.call('POST', '/webhooks', { webhook: { url: HOOK, events: ['transaction.created'] } });
    before.receiver.answer = timeOut;
    await create(before, 'a');
    await create(before, 'b');
    await before.sandbox.drain();
    place.end();
    const after = await place.open();
    after.receiver.answer = timeOut;
    await create(after, 'c');
    await after.sandbox.drain();
    place.end();
    const last = await place.open();
    expect((await last.call('GET', '/webhooks')).body.object).toMatchObject([{ state: 'disabled' }]);
    place.end();
  });

  it('does what is on the schedule once, each at its own time', async () => {
    const place = home();
    const before = await place.open();
    await create(before, 'a');
    await pay(before, 'b', '0123456701');
    await before.sandbox.drain();
    const waiting = scheduled(before.sandbox);
    place.end();
    const after = await place.open();
    expect(scheduled(after.sandbox)).toBe(waiting);
    await after.sandbox.advance(3 * HOUR);
    expect([await stateOf(after, 'a'), await stateOf(after, 'b')]).toEqual([
      'canceled canceled',
      'paid success',
    ]);
    const left = scheduled(after.sandbox);
    place.end();
    const last = await place.open();
    expect(scheduled(last.sandbox)).toBe(left);
    expect(last.sandbox.clock.now()).toBe(START + 3 * HOUR);
    last.sandbox.audit();
    place.end();
  });

  it('on a running clock does at once what fell due meanwhile, at the instants when it did', async () => {
    const place = home();
    const machine = machineAt();
    const clock = { mode: 'running', machine } as const;
    const before = await place.open({ clock });
    await create(before, 'a');
    await pay(before, 'b', '0123456719');
    place.end();
    machine.at += 30 * HOUR;
    const after = await place.open({ clock });
    await after.sandbox.drain();
    const { object } = (await after.call('GET', '/transactions?external_id=a')).body;
    expect([object[0].state, object[0].updated_at]).toEqual(['canceled', '2026-01-05T10:00:00.000Z']);
    const other = (await after.call('GET', '/transactions?external_id=b')).body.object[0];
    expect([other.state, other.updated_at]).toEqual(['refunded', '2026-01-06T09:00:00.000Z']);
    expect(await balance(after)).toBe(250_000);
    expect(after.sandbox.clock.now()).toBe(START + 30 * HOUR);
    place.end();
  });

  it('never shows an earlier time, though the machine was set back or the clock had been moved', async () => {
    const place = home();
    const machine = machineAt();
    const clock = { mode: 'running', machine } as const;
    const before = await place.open({ clock });
    await before.sandbox.advance(5 * HOUR);
    place.end();
    machine.at -= HOUR;
    const after = await place.open({ clock });
    expect(after.sandbox.clock.now()).toBeGreaterThanOrEqual(START + 5 * HOUR);
    place.end();
    const standing = await place.open({ clock: { mode: 'standing', start: START } });
    expect(standing.sandbox.clock.now()).toBeGreaterThanOrEqual(START + 5 * HOUR);
    place.end();
  });

  it('sends again what was on its way, and goes on with the tries that were left', async () => {
    const place = home();
    const before = await place.open();
    await before.call('POST', '/webhooks', { webhook: { url: HOOK, events: ['transaction.created'] } });
    const sent = gate();
    before.receiver.answer = () => {
      sent.open();
      return new Promise(() => {});
    };
    await create(before, 'a');
    before.sandbox.runDue();
    await sent.passed;
    place.end();
    const after = await place.open();
    after.receiver.answer = () => 500;
    await after.sandbox.drain();
    expect(after.received).toHaveLength(1);
    place.end();
    const last = await place.open();
    await last.sandbox.advance(HOUR);
    expect(last.received.map(({ event }) => event)).toEqual(['transaction.created']);
    place.end();
  });
});

describe('one commit for a turn', () => {
  it('answers many at once only when all of it is on disk', async () => {
    const place = home();
    const bench = await place.open({ balances: { EUR: '1000000' } });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => pay(bench, `t${i}`)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    place.end();
    const after = await place.open();
    expect((await after.call('GET', '/transactions')).body.meta.pagination.total_count).toBe(40);
    await after.sandbox.drain();
    after.sandbox.audit();
    place.end();
  });

  it('forgets the whole turn when its commit fails, says so, and goes on', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    const data = await openRecords(path);
    let full = false;
    const commit = () => {
      if (full) throw new Error('the disk is full');
      data.commit();
    };
    const bench = await startBench({ data: { ...data, commit } });
    await create(bench, 'a');
    full = true;
    await expect(pay(bench, 'b')).rejects.toThrow('the disk is full');
    full = false;
    expect((await bench.call('GET', '/transactions')).body.meta.pagination.total_count).toBe(1);
    expect(await balance(bench)).toBe(250_000);
    expect((await pay(bench, 'b')).status).toBe(201);
    await bench.sandbox.drain();
    expect(await stateOf(bench, 'b')).toBe('paid success');
    bench.sandbox.audit();
    await bench.sandbox.close();
    data.close();
  });
});

describe.each(['in memory', 'on disk'])('a snapshot of a sandbox %s', (kind) => {
  const start = (options: Partial<SandboxOptions> = {}): Promise<Bench> =>
    kind === 'in memory' ? startBench({ seed: 7, ...options }) : home().open(options);

  const firstHalf = async (bench: Bench): Promise<void> => {
    await bench.call('POST', '/webhooks', { webhook: { url: HOOK, events: ['transaction.created'] } });
    await create(bench, 'a');
    await pay(bench, 'b', '0123456719');
    await bench.sandbox.drain();
  };
  const secondHalf = async (bench: Bench): Promise<string> => {
    const texts: string[] = [];
    const note = async (reply: Promise<{ text: string }>) => texts.push((await reply).text);
    await note(pay(bench, 'c', '0123456701'));
    await bench.sandbox.advance(2 * HOUR);
    await note(create(bench, 'd'));
    await bench.sandbox.advance(HOUR);
    for (const path of ['/transactions', '/recipients', '/accounts', '/logs/webhooks?per=100']) {
      await note(bench.call('GET', path));
    }
    bench.sandbox.audit();
    return texts.join('\n');
  };

  it('changes nothing of what comes after, in another sandbox too', async () => {
    const bench = await start();
    await firstHalf(bench);
    const image = bench.sandbox.snapshot();
    const straight = await secondHalf(bench);
    bench.sandbox.restore(image);
    expect(await secondHalf(bench)).toBe(straight);
    const other = await start({ seed: 'another' });
    await pay(other, 'z');
    other.sandbox.restore(image);
    expect(await secondHalf(other)).toBe(straight);
  });

  it('goes from memory to disk and back', async () => {
    const here = await start();
    await firstHalf(here);
    const there = kind === 'in memory' ? await home().open() : await startBench();
    there.sandbox.restore(here.sandbox.snapshot());
    expect(await secondHalf(there)).toBe(await secondHalf(here));
  });

  it('holds no secret', async () => {
    const bench = await start();
    await firstHalf(bench);
    const text = gunzipSync(bench.sandbox.snapshot()).toString('utf8');
    expect(text).toContain('Chidi');
    expect(text).not.toContain(bench.sandbox.credentials.secret);
  });

  it.each<[string, (image: Uint8Array) => Uint8Array, string]>([
    ['is something else', () => Buffer.from('a shopping list'), 'no snapshot'],
    ['is other JSON', () => gzipSync('{"a":1}\n{"b":2}\n'), 'no snapshot'],
    ['is cut short', (image) => image.subarray(0, image.length - 20), 'cut short'],
    [
      'lost a line',
      (image) =>
        gzipSync(
          gunzipSync(image)
            .toString()
            .replace(/\n\["row".*?\n/, '\n'),
        ),
      'damaged',
    ],
    [
      'has another amount',
      (image) => gzipSync(gunzipSync(image).toString().replace('250000', '950000')),
      'damaged',
    ],
    [
      'has another version',
      (image) => gzipSync(gunzipSync(image).toString().replace('snapshot":1', 'snapshot":2')),
      'version 2',
    ],
    ['is empty', () => new Uint8Array(), 'no snapshot'],
  ])('that %s is refused, and nothing is changed', async (_, spoil, why) => {
    const bench = await start();
    await firstHalf(bench);
    const before = gunzipSync(bench.sandbox.snapshot()).toString();
    expect(() => bench.sandbox.restore(spoil(bench.sandbox.snapshot()))).toThrow(why);
    expect(gunzipSync(bench.sandbox.snapshot()).toString()).toBe(before);
  });

  it('is what a reset goes behind: opening balances and the ids of the seed, at a later time', async () => {
    const bench = await start();
    const first = (await pay(bench, 'a')).body.object.id;
    bench.sandbox.control.set({ holder_name: 'SOMEBODY ELSE' });
    await bench.sandbox.advance(HOUR);
    bench.sandbox.reset();
    expect(bench.sandbox.clock.now()).toBe(START + HOUR);
    expect(bench.sandbox.control.state()).toMatchObject({
      counts: { transactions: 0, senders: 0, scheduled: 0 },
      settings: { holder_name: 'SOMEBODY ELSE' },
    });
    expect((await pay(bench, 'a')).body.object.id).toBe(first);
    expect(await balance(bench)).toBe(249_900);
    bench.sandbox.audit();
  });
});
