/** The parts under the service: ledger, schedule, clock, rows, JSON, the pure machines. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sandboxClock } from '../../src/sandbox/clock.ts';
import { Ledger, move } from '../../src/sandbox/ledger/ledger.ts';
import { afterFailure, permissions } from '../../src/sandbox/machines/recipient.ts';
import { follows } from '../../src/sandbox/machines/transaction.ts';
import { payoutCode, payoutOutcomes } from '../../src/sandbox/outcomes.ts';
import { Schedule } from '../../src/sandbox/schedule.ts';
import { Recent } from '../../src/sandbox/store/recent.ts';
import { pageOf, Rows } from '../../src/sandbox/store/rows.ts';
import { Digits, toJson } from '../../src/sandbox/views/json.ts';

describe('ledger', () => {
  test('one cause posts once', () => {
    const ledger = new Ledger();
    ledger.post('opening:EUR', 0, move('opening', 'wallet', 'EUR', '10.00'));
    expect(() => ledger.post('opening:EUR', 0, move('opening', 'wallet', 'EUR', '10.00'))).toThrow(
      'posted once',
    );
    expect(ledger.balance('wallet', 'EUR')).toBe('10.00');
  });

  test('a posting that does not balance in every currency is refused', () => {
    const ledger = new Ledger();
    const [out] = move('opening', 'wallet', 'EUR', '1.00');
    expect(() => ledger.post('x', 0, out ? [out] : [])).toThrow('balances');
  });

  test('nobody spends what is not there', () => {
    const ledger = new Ledger();
    expect(() => ledger.post('x', 0, move('wallet', 'held', 'EUR', '0.01'))).toThrow('below zero');
  });

  test('balances are the sum of entries, whatever is posted', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 50 });
    fc.assert(
      fc.property(amounts, (cents) => {
        const ledger = new Ledger();
        cents.forEach((each, i) => {
          ledger.post(`in:${i}`, i, move('opening', 'wallet', 'USD', (each / 100).toFixed(2)));
        });
        ledger.audit();
        const total = cents.reduce((sum, each) => sum + each, 0);
        return ledger.balance('wallet', 'USD') === (total / 100).toFixed(2);
      }),
    );
  });
});

test('tasks come in order of due time, and of their adding within it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (dues) => {
      const schedule = new Schedule();
      for (const due of dues) schedule.add(due, { kind: 'expire', transactionId: String(due) });
      const taken = dues.map(() => schedule.take(100));
      const order = taken.map((task) => [task?.due ?? -1, task?.sequence ?? -1] as const);
      const sorted = [...order].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      expect(order).toEqual(sorted);
      expect(schedule.take(100)).toBeUndefined();
    }),
  );
});

describe('clock', () => {
  test('a standing one moves only when told to, and never back', () => {
    const clock = sandboxClock({ mode: 'standing', start: 1000 });
    clock.moveTo(5000);
    clock.moveTo(2000);
    expect(clock.now()).toBe(5000);
  });

  test('a running one follows the machine, ahead by what it was moved, and never back', () => {
    let machine = 1000;
    const clock = sandboxClock({ mode: 'running', machine: { now: () => machine } });
    clock.moveTo(61_000);
    machine = 3000;
    expect(clock.now()).toBe(63_000);
    machine = 0;
    expect(clock.now()).toBe(63_000);
  });
});

describe('store', () => {
  const row = (i: number) => ({ id: `id-${i}`, createdAt: i * 10, key: `k-${i}` });

  test('rows are paged newest first within a period', () => {
    const rows = Array.from({ length: 25 }, (_, i) => row(i));
    expect(pageOf(rows, { from: 50, to: 149 }, { page: 1, per: 4 })).toMatchObject({
      total: 10,
      rows: [{ id: 'id-14' }, { id: 'id-13' }, { id: 'id-12' }, { id: 'id-11' }],
    });
    expect(pageOf(rows, {}, { page: 9, per: 3 }).rows).toEqual([row(0)]);
    expect(pageOf(rows, {}, { page: 10, per: 3 })).toEqual({ rows: [], total: 25 });
    expect(pageOf(rows, { from: 100, to: 50 }, { page: 1, per: 4 })).toEqual({ rows: [], total: 0 });
  });

  test('a key names one row, and follows a change', () => {
    const rows = new Rows<ReturnType<typeof row>>((each) => each.key);
    rows.insert(row(1));
    expect(() => rows.insert({ ...row(2), key: 'k-1' })).toThrow('names one row');
    const first = rows.get('id-1');
    if (first) rows.update(first, { key: 'new' });
    expect(rows.byKey('k-1')).toBeUndefined();
    expect(rows.byKey('new')?.id).toBe('id-1');
  });

  test('a log keeps the newest entries', () => {
    const log = new Recent<{ id: string; createdAt: number }>(3);
    for (let i = 0; i < 10; i++) log.insert({ id: `e-${i}`, createdAt: i });
    expect(log.size).toBe(3);
    expect(log.page({}, { page: 1, per: 10 })).toMatchObject({
      total: 3,
      rows: [{ id: 'e-9' }, { id: 'e-8' }, { id: 'e-7' }],
    });
    expect(log.get('e-6')).toBeUndefined();
    expect(log.get('e-7')).toBeDefined();
  });
});

test('JSON is written as JSON.stringify writes it, amounts with their digits', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(toJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(toJson({ a: new Digits('123456789012345678.90'), b: undefined, c: [undefined] })).toBe(
    '{"a":123456789012345678.90,"c":[null]}',
  );
});

test('a text that looks like the digits of an amount stays a text, beside amounts too', () => {
  const texts = fc.string({ unit: fc.constantFrom('\x91', '1', '2', '.', '"', 'a') });
  fc.assert(
    fc.property(fc.array(texts), fc.boolean(), (all, amount) => {
      const value = { all, sum: amount ? new Digits('10.00') : null };
      expect(JSON.parse(toJson(value))).toEqual({ all, sum: amount ? 10 : null });
    }),
  );
});

describe('what a recipient permits', () => {
  test.each([
    ['initial', null, false, true, false, true],
    ['pending', '14', false, true, false, false],
    ['pending', '21', true, true, false, true],
    ['error', '3', false, true, true, true],
    ['error', '416', false, true, false, true],
    ['error', '511', false, false, false, true],
    ['error', '541', false, true, false, true],
    ['manual', '416', false, true, false, true],
    ['success', '0', true, false, false, false],
    ['refunded', '416', false, false, false, false],
    ['stuck', '12', false, false, false, false],
  ] as const)('%s with code %s, cash %s', (state, reasonCode, cash, editable, retriable, mayCancel) => {
    expect(permissions({ state, reasonCode, cash })).toEqual({ editable, retriable, mayCancel });
  });

  test('a failed try comes again later and later, then hourly, then people look', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((tries) => {
      const next = afterFailure({ tries, cancelWaiting: false, givesUp: true }, 0);
      return next.on ?? next.retryAt / 60_000;
    });
    expect(minutes).toEqual([0, 1, 5, 15, 60, 60, 60, 60, 60, 'too_many_tries']);
    expect(afterFailure({ tries: 1, cancelWaiting: true, givesUp: true }, 0)).toEqual({
      on: 'cancel_confirmed',
    });
  });

  test('where nothing gives up, a failed try comes again every hour', () => {
    for (const tries of [10, 11, 500]) {
      const next = afterFailure({ tries, cancelWaiting: false, givesUp: false }, 0);
      expect(next).toEqual({ on: null, retryAt: 3_600_000 });
    }
  });
});

describe('what follows for a transaction', () => {
  const standing = { state: 'received', funded: true, refundByHand: false } as const;
  test.each([
    [{ recipients: ['success', 'success'] }, 'all_paid'],
    [{ recipients: ['success', 'pending'] }, null],
    [{ recipients: ['success', 'refunded'] }, 'partly_refunded'],
    [{ recipients: ['success', 'canceled'] }, null],
    [{ recipients: ['canceled', 'canceled'] }, 'cancel'],
    [{ recipients: ['manual', 'error'] }, 'too_many_tries'],
    [{ state: 'manual', recipients: ['error', 'success'] }, 'retry'],
    [{ state: 'canceled', recipients: ['refunded', 'refunded'] }, 'refund'],
    [{ state: 'canceled', recipients: ['refunded', 'canceled'] }, null],
    [{ state: 'canceled', refundByHand: true, recipients: ['canceled'] }, 'refund_by_hand'],
    [{ state: 'manual', refundByHand: true, recipients: ['canceled'] }, null],
    [{ state: 'approved', funded: false, recipients: ['canceled', 'initial'] }, null],
    [{ state: 'approved', funded: false, recipients: ['canceled'] }, 'cancel'],
    [{ state: 'paid', recipients: ['success'] }, null],
    [{ state: 'refunded', recipients: ['refunded'] }, null],
  ] as const)('%j: %s', (change, trigger) => {
    expect(follows({ ...standing, ...change }, 'cancel')).toBe(trigger);
  });
});

describe('outcomes by number', () => {
  test('the longest ending wins', () => {
    const mtn = { mobile_provider: 'mtn' };
    expect(payoutCode('UGX::Mobile', { ...mtn, phone_number: '+256772123418' })).toBe('331');
    expect(payoutCode('UGX::Mobile', { ...mtn, phone_number: '+256772123400' })).toBe('0');
    expect(payoutCode('XAF::Mobile', { country: 'GA', phone_number: '+24174709408' })).toBe('3');
    expect(payoutCode('XAF::Mobile', { country: 'GA', phone_number: '+24174709401' })).toBe('14');
    expect(payoutCode('NGN::Bank', { bank_account: '0123456755' })).toBe('0');
    expect(payoutCode('EUR::Bank', { iban: 'DE00' })).toBe('0');
  });

  test('there are eight tables with 38 endings', () => {
    expect(payoutOutcomes).toHaveLength(8);
    expect(payoutOutcomes.flatMap(({ endings }) => Object.keys(endings))).toHaveLength(38);
  });
});
