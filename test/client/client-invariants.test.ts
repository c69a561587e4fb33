/** What must hold before and after money moves stops the work where it does not: here each is broken on purpose. */
import { describe, expect, it } from 'vitest';
import { earlierOf } from '../../src/client/duplicate-check.ts';
import { record, underIntent } from '../../src/client/intents.ts';
import { carryOut, settle, type WritePlan } from '../../src/client/outcome.ts';
import { verifyEdit } from '../../src/client/resource-plans.ts';
import { intentsInMemory } from '../../src/client/store/memory-intents.ts';
import type { Intents } from '../../src/client/store/port.ts';
import { type Asked, mustBeAskedFor, writePlanOf } from '../../src/client/writes.ts';
import { InvariantError } from '../../src/core/invariants.ts';
import { seededRandom } from '../../src/core/random.ts';
import { clientFor, json, lost } from '../support/scripted.ts';
import { standingClock } from '../support/stores.ts';

const id = '7f9a4c1e-5b0d-4f43-9f0e-3c1d7a90b612';
const debit: Asked = { plan: 'debit', debit: { to_id: id, to_type: 'Transaction' } };
const meeting = {
  lastTold: 0,
  now: () => Number.MAX_SAFE_INTEGER,
  isRunning: () => false,
  pause: async () => {},
};
const about = {
  command: 'tx fund',
  profile: 'p',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010/v1',
  keyLast4: '51ab',
  summary: 's',
};
const intents = () => intentsInMemory({ clock: standingClock(), random: seededRandom(1) });

describe('a write', () => {
  it('whose bytes changed between two tries is not sent again', async () => {
    const { client, requests } = clientFor([
      lost,
      json(200, { object: { id, state: 'approved', paid_amount: '0', input_amount: '9' } }),
    ]);
    const changing = structuredClone(debit);
    const plan = writePlanOf(client, changing) as WritePlan<unknown>;
    const look = plan.look.bind(plan);
    plan.look = () => {
      Object.assign(changing.debit, { amount: '5' });
      return look();
    };
    await expect(carryOut(plan)).rejects.toBeInstanceOf(InvariantError);
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('that was sent before is looked for first; a debit is not sent again by itself', async () => {
    const { client, requests } = clientFor([lost]);
    const plan = writePlanOf(client, debit) as WritePlan<unknown>;
    await plan.send(false);
    await expect(plan.send(true)).rejects.toBeInstanceOf(InvariantError);
    expect(requests).toHaveLength(1);
    expect((await settle(plan)).kind).toBe('unknown');
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is not called applied with another record', () => {
    expect(() => mustBeAskedFor(debit, { id: 'another' })).toThrow(InvariantError);
    expect(() => mustBeAskedFor(debit, undefined)).toThrow(InvariantError);
    expect(() => mustBeAskedFor(debit, { id: id.toUpperCase() })).not.toThrow();
  });

  it('that edits nothing is not called applied', () => {
    expect(() => verifyEdit({}, { a: '1' }, {}, {})).toThrow(InvariantError);
  });
});

describe('an intent', () => {
  it('is not opened for a read', async () => {
    const { client } = clientFor([json(200, {})]);
    const asked = { plan: 'raw', method: 'GET', path: '/accounts' } as const;
    const journal = intents();
    const work = {
      carry: async () => 1,
      closing: () => ({ state: 'applied' as const, note: '' }),
      broken: () => undefined,
    } as const;
    const beginning = { intents: journal, about, asked, operation: 'x', meeting };
    await expect(underIntent(client, beginning, work)).rejects.toBeInstanceOf(InvariantError);
    expect(await journal.list()).toEqual([]);
  });

  it('is on disk before the request leaves', async () => {
    const { client, requests } = clientFor([json(200, {})]);
    const forgetful: Intents = {
      ...intents(),
      open: async (asked) => ({
        opened: { ...asked, id: 'i', state: 'unknown', createdAt: 0, updatedAt: 0 },
      }),
    };
    await expect(record(client, { intents: forgetful, about, asked: debit, meeting })).rejects.toBeInstanceOf(
      InvariantError,
    );
    expect(requests).toEqual([]);
  });

  it('names its payer by a kind that can be compared', () => {
    const intent = {
      digest: 'd',
      payer: 'nobody',
      state: 'applied',
      toldAt: undefined,
      createdAt: 0,
      id: 'i',
    } as never;
    const wish = {
      ...meeting,
      digest: 'd',
      givenId: undefined,
      payers: ['id:a'],
      paysAgain: true,
      isAskedAbout: true,
    };
    expect(() => earlierOf([intent], { ...wish, account: about, joins: [], isPassed: () => false })).toThrow(
      InvariantError,
    );
  });
});

it('a nonce that comes twice is not sent twice', async () => {
  const { client, requests } = clientFor([json(200, {})], { nonce: () => 'the same' });
  const read = () => client.raw({ method: 'GET', path: '/accounts', effect: 'read' });
  await read();
  await expect(read()).rejects.toBeInstanceOf(InvariantError);
  expect(requests).toHaveLength(1);
});
