/** Which external id a payment takes that ended unpaid, and what ended by itself. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { byExternalId } from '../../../src/client/find-payment.ts';
import type { Transaction } from '../../../src/contract/resources/transaction.ts';
import { freeId, hasExpired, idAfter } from '../../../src/payments/next-id.ts';

describe('the id after', () => {
  it.each([
    ['wages-1', 'wages-1~2'],
    ['wages-1~2', 'wages-1~3'],
    ['wages-1~9', 'wages-1~10'],
    ['wages-1~19', 'wages-1~20'],
    ['wages~1', 'wages~1~2'],
    ['wages~0', 'wages~0~2'],
    ['wages~x', 'wages~x~2'],
    ['~2', '~2~2'],
    ['a~2~2', 'a~2~3'],
  ])('%s is %s', (id, next) => expect(idAfter(id)).toBe(next));
});

const dead = (over: object = {}): Transaction =>
  ({
    state: 'canceled',
    paid_amount: '0',
    expires_at: '2026-01-05T10:00:00.000Z',
    updated_at: '2026-01-05T10:00:00.000Z',
    ...over,
  }) as unknown as Transaction;

describe('it has expired', () => {
  it.each([
    ['after its hour', {}, true],
    ['long after it', { updated_at: '2026-01-06T10:00:00.000Z' }, true],
    ['not if somebody cancelled it before', { updated_at: '2026-01-05T09:59:59.999Z' }, false],
    ['not if it was paid', { paid_amount: '14.99' }, false],
    ['not if nobody says what was paid', { paid_amount: null }, false],
    ['not if it still stands', { state: 'approved' }, false],
    ['not if it was refunded', { state: 'refunded' }, false],
    ['not if nobody says when it ended', { updated_at: null }, false],
    ['not if nobody says until when it stood', { expires_at: undefined }, false],
  ])('%s', (_, over, expired) => expect(hasExpired(dead(over))).toBe(expired));
});

describe('the id that is free', () => {
  const recipients = [{ id: 'r1' }];
  const client = (taken: Record<string, object>) =>
    ({
      async call(
        _: unknown,
        { query, path }: { query?: { external_id: string }; path?: { transaction_id: string } },
      ) {
        if (path) return { object: { id: path.transaction_id, read: true, recipients } };
        const found = taken[query?.external_id ?? ''];
        return {
          object: found === undefined ? [{ external_id: 'another' }] : [{ external_id: 'another' }, found],
        };
      },
    }) as unknown as Client;
  const one = (external_id: string, over: object = {}) => ({
    id: external_id,
    external_id,
    recipients,
    ...over,
  });
  const isUsedUp = (found: Transaction) => found.state === 'canceled';

  it('is the first that nobody has', async () => {
    expect(await freeId(byExternalId(client({})), 'a', isUsedUp)).toEqual({
      externalId: 'a',
      standing: undefined,
    });
  });

  it('or the first whose transaction is not used up', async () => {
    const taken = {
      a: one('a', { state: 'canceled' }),
      'a~2': one('a~2', { state: 'canceled' }),
      'a~3': one('a~3', { state: 'approved' }),
    };
    expect(await freeId(byExternalId(client(taken)), 'a', isUsedUp)).toEqual({
      externalId: 'a~3',
      standing: taken['a~3'],
    });
  });

  it('is judged by the whole record, where a list shows less', async () => {
    const found = await freeId(byExternalId(client({ a: one('a', { recipients: null }) })), 'a', isUsedUp);
    expect(found.standing).toEqual({ id: 'a', read: true, recipients });
  });
});
