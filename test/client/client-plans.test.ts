/** Whether a record is ours, what a look proves, and what the journal does when it cannot be written. */
import { describe, expect, it } from 'vitest';
import { detailDifferences, editDifferences, transactionDifferences } from '../../src/client/compare.ts';
import { RequestError } from '../../src/client/errors.ts';
import { record } from '../../src/client/intents.ts';
import { settleIntent } from '../../src/client/settle-intent.ts';
import { intentsInMemory } from '../../src/client/store/memory-intents.ts';
import { type AskedWrite, writePlanOf } from '../../src/client/writes.ts';
import { seededRandom } from '../../src/core/random.ts';
import type { Json } from '../support/sandbox.ts';
import { clientFor, json, lost } from '../support/scripted.ts';
import { standingClock } from '../support/stores.ts';

const transaction = {
  input_currency: 'EUR',
  external_id: 'T-1',
  sender: { id: 's' },
  recipients: [
    {
      requested_amount: '10.5',
      requested_currency: 'NGN',
      payout_method: { type: 'NGN::Bank', details: { bank_account: '1', note: '' } },
    },
    {
      requested_amount: '20',
      requested_currency: 'EUR',
      payout_method: { type: 'NGN::Bank', details: { bank_account: '2' } },
    },
  ],
};
const asked: Json = structuredClone(transaction);
/** The record as the service has it, changed. */
const found = (change: (record: Json) => unknown = () => undefined): Json => {
  const record = structuredClone(transaction);
  change(record);
  return record;
};

describe('is it ours', () => {
  it('in any order, with members that the service added, and amounts as it rounds them', () => {
    expect(transactionDifferences(asked, found())).toEqual([]);
    expect(
      transactionDifferences(
        asked,
        found(({ recipients }) => recipients.reverse()),
      ),
    ).toEqual([]);
    expect(
      transactionDifferences(
        asked,
        found((record) => Object.assign(record.recipients[0], { requested_amount: '11', id: 'r' })),
      ),
    ).toEqual([]);
  });

  it.each([
    ['recipients.1.requested_amount', { requested_amount: '20.01' }],
    ['recipients.1.requested_currency', { requested_currency: 'USD' }],
    [
      'recipients.1.payout_method.type',
      { payout_method: { type: 'GHS::Bank', details: { bank_account: '2' } } },
    ],
    [
      'recipients.1.payout_method.details.bank_account',
      { payout_method: { type: 'NGN::Bank', details: { bank_account: '3' } } },
    ],
  ])('not when %s differs', (name, change) => {
    expect(
      transactionDifferences(
        asked,
        found((record) => Object.assign(record.recipients[1], change)),
      ),
    ).toEqual([name]);
  });

  it('not with other recipients, another currency or another external id', () => {
    const other = found((record) =>
      Object.assign(record, { input_currency: 'USD', external_id: 'T-2', recipients: [] }),
    );
    expect(transactionDifferences(asked, other)).toEqual(['external_id', 'input_currency', 'recipients']);
  });

  it('numbers and texts of the same digits are one detail; absent, null and empty are one', () => {
    expect(detailDifferences({ a: '44', b: '', c: null }, { a: 44, b: null })).toEqual([]);
    expect(detailDifferences({ a: '044' }, { a: 44 })).toEqual(['a']);
  });

  it('an edit of metadata alone is not applied because its details, which are none, agree', () => {
    expect(editDifferences({ metadata: { note: 'x' } }, { metadata: {} })).toEqual(['metadata.note']);
    expect(editDifferences({ payout_method: { details: { a: '1' }, metadata: { b: '2' } } }, {})).toEqual([
      'a',
      'payout_method.metadata.b',
    ]);
  });
});

describe('a duplicate that shows less than there is to compare', () => {
  const create: AskedWrite = { plan: 'create', transaction: asked, fund: false };
  const taken = json(422, {
    object: {},
    meta: { existing: { transaction: { id: 't1', external_id: 'T-1', state: 'received' } } },
  });

  it('is looked up whole before anybody says that it is another', async () => {
    const { client } = clientFor([
      taken,
      json(200, { object: [{ id: 't1', external_id: 'T-1' }] }),
      json(200, { object: { ...found(), id: 't1' } }),
    ]);
    const intents = intentsInMemory({ clock: standingClock(), random: seededRandom(1) });
    const recorded = await record(client, { intents, about, asked: create, meeting });
    expect(recorded).toMatchObject({ kind: 'carried_out', outcome: { kind: 'applied', how: 'found' } });
  });
});

const meeting = {
  lastTold: 0,
  now: () => Number.MAX_SAFE_INTEGER,
  isRunning: () => false,
  pause: async () => {},
};
const about = {
  command: 'tx create',
  profile: 'p',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010/v1',
  keyLast4: '51ab',
  summary: 's',
};

describe('the journal', () => {
  const cancel: AskedWrite = { plan: 'cancel', recipientId: 'r1', transactionId: 't1' };
  const intents = () => intentsInMemory({ clock: standingClock(), random: seededRandom(1) });
  const full = new Error('the disk is full');

  it('that cannot be written: nothing is sent', async () => {
    const { client, requests } = clientFor([json(200, {})]);
    const broken = {
      ...intents(),
      open: async () => {
        throw full;
      },
    };
    await expect(record(client, { intents: broken, about, asked: cancel, meeting })).rejects.toThrow(full);
    expect(requests).toHaveLength(0);
  });

  it('that cannot be written afterwards: what happened is said all the same, and the intent stands open', async () => {
    const { client } = clientFor([json(200, { object: { id: 'r1', state: 'canceled' } })]);
    const journal = intents();
    const broken = {
      ...journal,
      close: async () => {
        throw full;
      },
    };
    const recorded = await record(client, { intents: broken, about, asked: cancel, meeting });
    expect(recorded).toMatchObject({ kind: 'carried_out', outcome: { kind: 'applied' }, unrecorded: full });
    const [intent] = await journal.list();
    expect(intent?.state).toBe('open');
    const again = await record(client, { intents: journal, about, asked: cancel, meeting });
    expect(again).toMatchObject({
      kind: 'refused',
      earlier: { kind: 'unsettled', intent: { id: intent?.id } },
    });
  });

  it('holds nothing open for a body that never fitted', async () => {
    const { client, requests } = clientFor([json(200, {})]);
    const journal = intents();
    const odd = { plan: 'debit', debit: { to_id: 'not an id', to_type: 'Transaction' } } as AskedWrite;
    await expect(record(client, { intents: journal, about, asked: odd, meeting })).rejects.toBeInstanceOf(
      RequestError,
    );
    expect(requests).toHaveLength(0);
    expect((await journal.list()).map(({ state }) => state)).toEqual(['not_applied']);
  });

  it('settles with the look alone, sending nothing', async () => {
    const { client, requests } = clientFor([
      lost,
      lost,
      lost,
      lost,
      lost,
      json(200, { object: { id: 't1', recipients: [{ id: 'r1', state: 'pending' }] } }),
    ]);
    const journal = intents();
    await record(client, { intents: journal, about, asked: cancel, meeting });
    const [intent] = await journal.list();
    const kept = { ...intent, request: intent?.request ?? '' } as never;
    const outcome = await settleIntent(client, journal, { intent: kept, account: about, mode: 'look' });
    expect(outcome.kind).toBe('unknown');
    expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('tells apart accounts and what is asked of them, not profiles', async () => {
    const { client } = clientFor([lost]);
    const journal = intents();
    const open = (keyLast4: string, recipientId: string, profile = 'p') =>
      record(client, {
        intents: journal,
        about: { ...about, keyLast4, profile },
        asked: { ...cancel, recipientId } as AskedWrite,
        meeting,
      });
    await open('p', 'r1');
    expect((await open('p', 'r1')).kind).toBe('refused');
    expect((await open('p', 'r2')).kind).toBe('carried_out');
    expect((await open('p', 'r1', 'another profile')).kind).toBe('refused');
    expect((await open('q', 'r1')).kind).toBe('carried_out');
  });
});

it.each([
  ['success', 'never'],
  ['overpaid', 'never'],
  ['canceled', 'applied'],
  ['refunded', 'applied'],
  ['pending', 'absent'],
  ['error', 'absent'],
])('a cancel looked up on a recipient that is %s: %s', async (state, kind) => {
  const { client } = clientFor([json(200, { object: { id: 't1', recipients: [{ id: 'r1', state }] } })]);
  const looked = await writePlanOf(client, { plan: 'cancel', recipientId: 'r1', transactionId: 't1' }).look();
  expect(looked.kind).toBe(kind);
});
