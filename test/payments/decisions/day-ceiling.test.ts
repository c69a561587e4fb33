/** The ceiling of a profile by day at the gate: what is counted, when, and what is refused. No transport is ever called. */
import { describe, expect, it } from 'vitest';
import { interrupted, Problem } from '../../../src/core/problem.ts';
import { seededRandom } from '../../../src/core/random.ts';
import { byName } from '../../../src/payments/confirmation.ts';
import { countAgain, dayLines, releaseForDay, releaseOnFailure } from '../../../src/payments/day-ceiling.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { authorizeWrite, type Confirmable, type Confirmer, noConfirmer } from '../../../src/payments/gate.ts';
import { type Amount, mostOfOne } from '../../../src/payments/limits.ts';
import { CEILING_MS } from '../../../src/payments/store/daily-allowance-port.ts';
import type { Connection } from '../../../src/profiles/connection.ts';
import { deskOver } from '../../support/desk.ts';
import { openStore } from '../../support/open-store.ts';
import { standingClock, temporaryStorePath } from '../../support/stores.ts';

const transport = async () => {
  throw new Error('the gate sends nothing');
};
const NOON = Date.UTC(2026, 10, 27, 12);

function stage(limits: Connection['limits'] = { max_per_day: { EUR: '100' } }, zone = 'UTC') {
  const clock = standingClock(NOON);
  const desk: Desk = { ...deskOver({ transport, clock, limits }), zone };
  const pay = (amounts: Amount[] | undefined, confirmer: Confirmer = noConfirmer) =>
    authorizeWrite(desk, { effect: 'money', what: ['pay'], confirm: byName('it'), amounts }, confirmer);
  const left = async () => (await dayLines(desk))[0]?.replace(/ of .*/, '');
  return { desk, clock, pay, left };
}
const eur = (amount: string | null, ...names: string[]): Amount => ({ amount, currency: 'EUR', names });
const refusal = (message: RegExp) => ({
  message: expect.stringMatching(message),
  facts: { category: 'usage', code: 'max_per_day', outcome: 'not applied' },
});

describe('by day, a profile', () => {
  it('lets through up to its ceiling, and then says what is left and when there is room', async () => {
    const { clock, pay, left } = stage();
    await pay([eur('60', 'a')]);
    clock.advance(3_600_000);
    await pay([eur('30', 'b')]);
    expect(await left()).toBe('10.00 EUR');
    await expect(pay([eur('10.01', 'c')])).rejects.toMatchObject(
      refusal(
        /^10\.01 EUR is refused: profile "own" allows at most 100\.00 EUR in 24 hours, and 10\.00 EUR of it is left \(max_per_day\)$/,
      ),
    );
    await pay([eur('10', 'c')]);
    expect(await left()).toBe('0.00 EUR');
  });

  it.each([
    ['60', '2026-11-28 12:00 UTC'],
    ['61', '2026-11-28 13:00 UTC'],
  ])('says that there is room for %s from %s', async (amount, at) => {
    const { clock, pay } = stage();
    await pay([eur('60', 'a')]);
    clock.advance(3_600_000);
    await pay([eur('40', 'b')]);
    const refused = await pay([eur(amount, 'c')]).catch((error: unknown) => error);
    const parts = (refused as Problem & { facts: { hint: { parts: unknown[] } } }).facts.hint.parts;
    expect(parts.filter((one) => typeof one === 'string').join('')).toBe(
      `there is room for it from ${at}; if it is meant: `,
    );
    expect(parts).toContainEqual({
      do: 'change_profile',
      profile: 'own',
      setting: 'max_per_day.CURRENCY',
      value: 'AMOUNT',
    });
  });

  it('names the moment in the zone of whoever asks, and never too early', async () => {
    const { clock, pay } = stage(undefined, 'Europe/Berlin');
    clock.advance(1);
    await pay([eur('100', 'a')]);
    await expect(pay([eur('1', 'b')])).rejects.toMatchObject({
      facts: {
        hint: {
          parts: expect.arrayContaining([expect.stringContaining('2026-11-28 13:01 Europe/Berlin (UTC+1)')]),
        },
      },
    });
  });

  it('has room again 24 hours after, to the millisecond', async () => {
    const { clock, pay } = stage();
    await pay([eur('100', 'a')]);
    clock.advance(CEILING_MS - 1);
    await expect(pay([eur('0.01', 'b')])).rejects.toThrow(/0\.00 EUR of it is left/);
    clock.advance(1);
    await pay([eur('100', 'b')]);
  });

  it.each<[string, Amount[], RegExp]>([
    [
      'a currency that it does not name',
      [{ amount: '1', currency: 'USD' }],
      /allows EUR only \(max_per_day\)/,
    ],
    [
      'an amount that is not known',
      [eur(null)],
      /cannot be read before it is sent is refused.*\(max_per_day\)/,
    ],
    [
      'more than a whole day',
      [eur('60', 'a'), eur('40.01', 'b')],
      /^100\.01 EUR .* at most 100\.00 EUR in 24 hours/,
    ],
    ['a word that every object has', [{ amount: '1', currency: 'constructor' }], /allows EUR only/],
  ])('refuses %s, and counts nothing', async (_, amounts, words) => {
    const { pay, left } = stage();
    await expect(pay(amounts)).rejects.toMatchObject({
      message: expect.stringMatching(words),
      facts: { category: 'usage' },
    });
    expect(await left()).toBe('100.00 EUR');
  });

  it('counts the same payment once, and amounts without a name each time', async () => {
    const { pay, left } = stage();
    await pay([eur('30', 'a')]);
    await pay([eur('20', 'a')]);
    await pay([eur('40', 'a')]);
    expect(await left()).toBe('60.00 EUR');
    for (const amounts of [[eur('10')], [eur('10'), eur('5')]]) await pay(amounts);
    expect(await left()).toBe('35.00 EUR');
  });

  it('adds up what one step pays under one name', async () => {
    const { pay, left } = stage();
    await pay([eur('30', 'a'), eur('30', 'a')]);
    expect(await left()).toBe('40.00 EUR');
  });

  it('counts nothing that is paid later, nor steps without amounts, nor where there is no ceiling', async () => {
    const { pay, left } = stage();
    await pay([{ ...eur('90'), isLater: true }]);
    await pay([{ amount: null, currency: 'USD', isLater: true }]);
    await pay(undefined);
    expect(await left()).toBe('100.00 EUR');
    const free = stage({ max_amount: { EUR: '100' } });
    expect((await free.pay([eur('90')])).countId).toBeUndefined();
    expect(await dayLines(free.desk)).toEqual([]);
  });

  it('holds beside max_amount, which is for one', async () => {
    const { pay } = stage({ max_amount: { EUR: '50' }, max_per_day: { EUR: '80' } });
    await expect(pay([eur('51', 'a')])).rejects.toThrow(/\(max_amount\)/);
    await pay([eur('50', 'a')]);
    await expect(pay([eur('50', 'b')])).rejects.toThrow(/\(max_per_day\)/);
  });

  it('keeps each currency for itself', async () => {
    const { desk, pay } = stage({ max_per_day: { EUR: '10', GBP: '20' } });
    await pay([eur('10', 'a'), { amount: '5', currency: 'GBP', names: ['a'] }]);
    expect(await dayLines(desk)).toEqual([
      '0.00 EUR of 10.00 EUR are left for these 24 hours (max_per_day)',
      '15.00 GBP of 20.00 GBP are left for these 24 hours (max_per_day)',
    ]);
    expect(await dayLines(desk, 'GBP')).toHaveLength(1);
    await pay([{ amount: '15', currency: 'GBP', names: ['b'] }]);
  });

  it('refuses what goes on after its ceiling was lowered', async () => {
    const { desk, pay, left } = stage();
    await pay([eur('80', 'run 1')]);
    const lowered = {
      ...desk,
      connection: async () => ({ ...(await desk.connection()), limits: { max_per_day: { EUR: '50' } } }),
    };
    const step = {
      effect: 'money' as const,
      what: ['pay'],
      confirm: byName('it'),
      amounts: [eur('40', 'run 1')],
    };
    await expect(authorizeWrite(lowered, step, noConfirmer)).rejects.toThrow(
      /80\.00 EUR is refused.*50\.00 EUR of it is left/,
    );
    expect(await left()).toBe('20.00 EUR');
  });
});

describe('a person', () => {
  const asked: Confirmable[] = [];
  const person = (yes: boolean, meanwhile: () => Promise<unknown> = async () => {}): Confirmer => ({
    isAttended: true,
    stance: () => ({ kind: 'asks' }),
    confirm: async (question) => {
      asked.push(question);
      await meanwhile();
      return yes;
    },
  });

  it('is not asked about what the day has no room for', async () => {
    const { pay } = stage();
    asked.length = 0;
    await pay([eur('95', 'a')]);
    await expect(pay([eur('6', 'b')], person(true))).rejects.toMatchObject(
      refusal(/5\.00 EUR of it is left/),
    );
    expect(asked).toEqual([]);
  });

  it('who says no, or asks for something else meanwhile, lets nothing through', async () => {
    const { pay, left } = stage();
    await expect(pay([eur('60', 'a')], person(false))).rejects.toMatchObject(interrupted());
    expect(await left()).toBe('100.00 EUR');
    // Between the look and the yes another took the room: the yes alone is not enough.
    const meanwhile = () => pay([eur('60', 'b')]);
    await expect(pay([eur('60', 'c')], person(true, meanwhile))).rejects.toMatchObject(
      refusal(/40\.00 EUR of it is left/),
    );
    expect(await left()).toBe('40.00 EUR');
  });
});

describe('before a debit', () => {
  it('the real amount counts, where it is larger; its name is that of the transaction from then on', async () => {
    const { desk, pay, left } = stage();
    const permit = await pay([eur('30', 'external_id e')]);
    await countAgain(desk, permit, eur('35', 'transaction t', 'external_id e'));
    expect(await left()).toBe('65.00 EUR');
    await countAgain(desk, permit, eur('20', 'transaction t', 'external_id e'));
    await pay([eur('35', 'transaction t')]);
    expect(await left()).toBe('65.00 EUR');
  });

  it('one without a name gets that of its transaction', async () => {
    const { desk, pay, left } = stage();
    const permit = await pay([eur('30')]);
    await countAgain(desk, permit, eur('30', 'transaction t'));
    await pay([eur('30', 'transaction t')]);
    expect(await left()).toBe('70.00 EUR');
  });

  it.each<[string, Amount]>([
    ['the rate moved above what is left', eur('41', 'transaction t')],
    ['the rate moved above a whole day', eur('101', 'transaction t')],
    ['it cannot be read', eur(null, 'transaction t')],
  ])('it is refused where %s', async (_, amount) => {
    const { desk, pay, left } = stage();
    await pay([eur('60', 'b')]);
    const permit = await pay([eur('40')]);
    await expect(countAgain(desk, permit, amount)).rejects.toMatchObject({
      message: expect.stringContaining('max_per_day'),
      facts: { category: 'usage', outcome: 'not applied' },
    });
    expect(await left()).toBe('0.00 EUR');
  });

  it('nothing is looked at for a pass that counted nothing', async () => {
    const { desk } = stage();
    await countAgain(desk, {}, eur('1000'));
    await releaseForDay(desk, {});
  });
});

describe('what was not applied', () => {
  const failing = (outcome: 'not applied' | 'unknown' | undefined) => async () => {
    throw new Problem({ category: 'server', message: 'no', code: 'no', outcome });
  };

  it.each([
    ['not applied', '100.00 EUR'],
    ['unknown', '70.00 EUR'],
    [undefined, '70.00 EUR'],
  ] as const)('is given back; of an outcome %s %s are left', async (outcome, expected) => {
    const { desk, pay, left } = stage();
    const permit = await pay([eur('30', 'a')]);
    await expect(releaseOnFailure(desk, permit, { work: failing(outcome) })).rejects.toThrow('no');
    expect(await left()).toBe(expected);
  });

  it('is given back by its name, and the others of the step are not', async () => {
    const { desk, pay, left } = stage();
    const permit = await pay([eur('30', 'a'), eur('20', 'b')]);
    await expect(
      releaseOnFailure(desk, permit, { names: ['a'], work: failing('not applied') }),
    ).rejects.toThrow();
    expect(await left()).toBe('80.00 EUR');
    expect(await releaseOnFailure(desk, permit, { names: ['b'], work: async () => 'made' })).toBe('made');
    expect(await left()).toBe('80.00 EUR');
  });
});

it('many desks over one file let through no more than the ceiling together', async () => {
  const path = temporaryStorePath();
  const clock = standingClock(NOON);
  const limits = { max_per_day: { EUR: '100' } };
  const desks = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const store = await openStore(path, { clock, random: seededRandom(2) });
      return deskOver({ transport, clock, limits, store });
    }),
  );
  const step = { effect: 'money' as const, what: ['pay'], confirm: byName('it') };
  const ended = await Promise.allSettled(
    desks.flatMap((desk) =>
      ['30', '20', '7'].map((amount) =>
        authorizeWrite(desk, { ...step, amounts: [eur(amount)] }, noConfirmer),
      ),
    ),
  );
  expect(ended.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(10);
  const [first] = desks as [Desk];
  const [line = ''] = await dayLines(first);
  // No more of the smallest would fit, and what is left is not below nothing: all that was let through is within the ceiling.
  expect(Number(line.split(' ')[0])).toBeGreaterThanOrEqual(0);
  const amounts = ['30', '20', '7'];
  const through = ended.reduce(
    (all, one, at) => all + (one.status === 'fulfilled' ? Number(amounts[at % 3]) : 0),
    0,
  );
  expect(through + Number(line.split(' ')[0])).toBe(100);
});

describe('the most that one payment may cost', () => {
  it.each([
    [{}, undefined],
    [{ max_amount: { EUR: '5' } }, { EUR: '5' }],
    [{ max_per_day: { EUR: '5' } }, { EUR: '5' }],
    [
      { max_amount: { EUR: '5', GBP: '1' }, max_per_day: { EUR: '4', USD: '2' } },
      { EUR: '4', GBP: '1', USD: '2' },
    ],
    [{ max_amount: { EUR: '4' }, max_per_day: { EUR: '5' } }, { EUR: '4' }],
  ])('of %j is %j', (limits, most) => {
    expect(mostOfOne(limits)).toEqual(most);
  });
});
