/** What becomes of one request: refused, kept, or dropped, and what of it is kept. */
import { describe, expect, it } from 'vitest';
import { bodyDigest, signedHeaders } from '../../../src/contract/signing.ts';
import { InvariantError } from '../../../src/core/invariants.ts';
import { deliveryFingerprint, eventPrint } from '../../../src/webhooks/intake/fingerprints.ts';
import { createReceive, type ReceiveOptions, receivedFrom } from '../../../src/webhooks/intake/receive.ts';
import type { NewDelivery, StoreResult } from '../../../src/webhooks/store/port.ts';

const ours = { key: 'key_demo_7f3c', secret: 'demo-secret-9c1e4b' };
const url = 'https://partner.example/hooks';
const delivery = (over: object = {}) => ({
  webhook: 'w-1',
  event: 'recipient.error',
  object: { id: 'r-1', transaction_id: 't-1' },
  ...over,
});
const rawHeaders = [['Authorization-Nonce', 'nonce-1']] as const;

function arrived(body: string, secret = ours.secret) {
  const by = { ...ours, secret };
  const headers = signedHeaders(by, { nonce: 'nonce-1', method: 'POST', url, body });
  return {
    rawBody: Buffer.from(body),
    url,
    headers,
    target: '/hooks',
    from: '127.0.0.1',
    rawHeaders: () => rawHeaders,
  };
}

function intake(over: Partial<ReceiveOptions> = {}, keeping: Partial<StoreResult> = {}) {
  const kept: NewDelivery[] = [];
  const takeIn = createReceive({
    secrets: [ours],
    inbox: {
      keep: async (deliveries) => {
        kept.push(...deliveries);
        return deliveries.map(
          () => ({ outcome: 'new', id: 'd-1', repeat: false, ...keeping }) as StoreResult,
        );
      },
    },
    clock: { now: () => 77 },
    wanted: () => true,
    handsOn: true,
    ...over,
  });
  return { takeIn, kept };
}

it.each([
  ['invalid', arrived(JSON.stringify(delivery()), 'another')],
  ['malformed', arrived('{"event":"recipient.error"}')],
  ['malformed', arrived('no JSON')],
])('what is %s is told with its time, and not kept', async (outcome, request) => {
  const { takeIn, kept } = intake();
  expect(await takeIn(request)).toStrictEqual({ outcome, receivedAt: 77 });
  expect(kept).toEqual([]);
});

it.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
  [false, false, false],
])('wanted %j, with somewhere to hand on %j: handed on %j, and kept', async (wanted, handsOn, handOn) => {
  const asked: unknown[] = [];
  const { takeIn, kept } = intake({
    handsOn,
    wanted: (one) => {
      asked.push(one);
      return wanted;
    },
  });
  const taken = await takeIn(arrived(JSON.stringify(delivery())));
  expect(kept).toMatchObject([{ objectId: 'r-1', handOn, recovered: false, late: false, receivedAt: 77 }]);
  expect(taken).toMatchObject({ outcome: 'new', id: 'd-1', repeat: false, wanted });
  expect(asked).toEqual([delivery()]);
});

it('is dropped where it was here before, as the inbox says', async () => {
  const { takeIn } = intake({}, { outcome: 'duplicate', repeat: true, id: 'd-9' });
  const taken = await takeIn(arrived(JSON.stringify(delivery())));
  expect(taken).toMatchObject({ outcome: 'duplicate', repeat: true, id: 'd-9' });
});

it('is not acknowledged without a place in the inbox', async () => {
  const { takeIn } = intake({}, { id: '' });
  await expect(takeIn(arrived(JSON.stringify(delivery())))).rejects.toBeInstanceOf(InvariantError);
});

it('is not acknowledged where it could not be kept', async () => {
  const full = new Error('the disk is full');
  const { takeIn } = intake({ inbox: { keep: async () => Promise.reject(full) } });
  await expect(takeIn(arrived(JSON.stringify(delivery())))).rejects.toBe(full);
});

describe('what is kept', () => {
  it('is how it came, and by what it is known again', async () => {
    const { takeIn, kept } = intake();
    const request = arrived(JSON.stringify(delivery()));
    const taken = await takeIn(request);
    const digest = bodyDigest(request.rawBody);
    const received = {
      webhook: 'w-1',
      event: 'recipient.error',
      objectId: 'r-1',
      transactionId: 't-1',
      deliveryPrint: deliveryFingerprint('nonce-1', digest),
      eventPrint: eventPrint(digest),
      body: request.rawBody,
      url,
      headers: rawHeaders,
      receivedAt: 77,
      recovered: false,
      late: false,
    };
    expect(taken).toStrictEqual({ outcome: 'new', id: 'd-1', repeat: false, wanted: true, received });
    expect(kept).toStrictEqual([{ ...received, handOn: true }]);
  });

  const arrival = { body: Buffer.from(''), url, headers: [], receivedAt: 1, recovered: true, late: true };
  it.each<[string, object, string, string | null]>([
    ['transaction.paid', { id: 't-7', transaction_id: 't-8' }, 't-7', 't-7'],
    ['transaction.paid', {}, '', null],
    ['recipient.paid', { id: 'r-1', transaction_id: 't-8' }, 'r-1', 't-8'],
    ['recipient.paid', { id: 'r-1', transaction_id: '' }, 'r-1', null],
    ['recipient.paid', { id: 'r-1', transaction_id: 8 }, 'r-1', null],
    ['recipient.paid', { id: 'r-1' }, 'r-1', null],
    ['sender.approved', { id: 's-1' }, 's-1', null],
    ['pre_transaction.x', { id: 'x-1' }, 'x-1', null],
  ])('%s of %j concerns the object %j and the transaction %j', (event, object, objectId, transactionId) => {
    const received = receivedFrom(
      delivery({ event, object }) as never,
      { nonce: 'n', bodyDigest: 'd' },
      arrival,
    );
    expect(received).toMatchObject({ objectId, transactionId, recovered: true, late: true, receivedAt: 1 });
  });
});
