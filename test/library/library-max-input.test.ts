/** `maxInput` of the library binds whatever the rate does, and wherever the process dies: the same call goes on, and pays once or not at all. */
import { describe, expect, it } from 'vitest';
import { memoryIntents } from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { useBothFaces } from '../support/both-faces.ts';
import {
  answering,
  type Intercept,
  isCreation,
  isWriteRequest,
  lost,
  lostAfter,
  only,
  paymentJson,
  senderFlags,
  unreachable,
} from '../support/cli.ts';
import { intentOf } from '../support/library-intent.ts';

const faces = useBothFaces();

const payment = { ...paymentJson(), external_id: 'wages-1' } as unknown as Public.NamedTransaction;
const pay = (maxInput = '20', options: Public.PaymentOptions = {}) =>
  faces.client.transactions.createAndFund(payment, { ...options, maxInput });
const all = async () => (await faces.client.transactions.list().page(1)).items;
const states = async () => (await all()).map((one) => `${one.external_id} ${one.state}`);
const balance = async () => (await faces.client.accounts.get('EUR')).amount;
const PAID_ONCE = '249985.01';
const isDebit = ({ url }: { url: string }) => url.endsWith('/accounts/debits');

/** 9.99 EUR when it is calculated, and 14.99 when it is created. */
const rateMoves: Intercept = async (request, next) => {
  const answer = await next(request);
  if (!request.url.endsWith('/transactions/calculate')) return answer;
  return { ...answer, body: answer.body.replaceAll('14.99', '9.99') };
};

/** The process that opened it runs no more. */
const leftBehind = (journal: Public.Intents): Public.Intents => ({
  ...journal,
  open: (intent, judge) => journal.open({ ...intent, pid: 2 ** 30 }, judge),
});

/** Dies at the n-th step that leaves the process, before it takes effect or after: nothing of it goes on. */
function dyingAt(turn: number, when: 'before' | 'after') {
  let turns = 0;
  let isDead = false;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isDead) return new Promise(() => {});
    const dies = turns++ === turn;
    if (!dies) return work();
    if (when === 'after') await work();
    isDead = true;
    reach();
    return new Promise(() => {});
  };
  let reach = () => {};
  const died = new Promise<'died'>((resolve) => {
    reach = () => resolve('died');
  });
  return { step, died };
}

/** @returns false where the call came to its end before that step */
async function killedAt(
  turn: number,
  when: 'before' | 'after',
  maxInput: string,
  under: Intercept,
): Promise<boolean> {
  const { step, died } = dyingAt(turn, when);
  const journal = leftBehind(faces.intents);
  const { intents } = faces;
  faces.intents = {
    ...journal,
    open: (intent, judge) => step(() => journal.open(intent, judge)),
    close: (id, closing) => step(() => journal.close(id, closing)),
  };
  faces.restart();
  faces.intercept((request, next) => step(() => Promise.resolve(under(request, next))));
  const ended = await Promise.race([died, pay(maxInput).catch((error: unknown) => error)]);
  faces.restore();
  faces.intents = leftBehind(intents);
  faces.restart();
  return ended === 'died';
}

describe('killed at each step', () => {
  const straight: Intercept = (request, next) => next(request);

  it.each(['before', 'after'] as const)('%s it takes effect, the same call pays once', async (when) => {
    let turn = 0;
    for (; ; turn++) {
      await faces.bench.run('sandbox reset --yes');
      await faces.bench.run(['sender', 'create', ...senderFlags('customer-1')]);
      faces.intents = memoryIntents();
      faces.restart();
      if (!(await killedAt(turn, when, '20', straight))) break;
      const again = await pay();
      expect([turn, again.outcome, await balance(), await states()]).toEqual([
        turn,
        'applied',
        PAID_ONCE,
        [expect.stringMatching(/^wages-1 /)],
      ]);
      expect([turn, (await faces.client.unsettled()).length]).toEqual([turn, 0]);
    }
    expect(turn).toBeGreaterThan(10);
  });

  it.each(['before', 'after'] as const)('%s it takes effect, what costs more is never paid', async (when) => {
    let turn = 0;
    for (; ; turn++) {
      await faces.bench.run('sandbox reset --yes');
      await faces.bench.run(['sender', 'create', ...senderFlags('customer-1')]);
      faces.intents = memoryIntents();
      faces.restart();
      if (!(await killedAt(turn, when, '10', rateMoves))) break;
      const again = await pay('10').catch((error: Error) => error);
      expect([turn, again]).toEqual([turn, expect.not.objectContaining({ outcome: 'applied' })]);
      expect([turn, await balance()]).toEqual([turn, '250000']);
    }
    expect(turn).toBeGreaterThan(10);
  });
});

describe('the same call goes on', () => {
  it('where the debit was refused', async () => {
    const body = '{"object":{"errors":{"amount":[{"error":"insufficient_balance"}]}}}';
    faces.intercept(only(isDebit, answering(422, body)));
    expect(await pay()).toMatchObject({
      outcome: 'not_applied',
      why: expect.stringMatching(/stands unpaid until \S+, and the same call goes on with it/),
    });
    faces.restore();
    expect([(await pay()).outcome, await balance(), (await all()).length]).toEqual(['applied', PAID_ONCE, 1]);
  });

  it('where the journal took no debit', async () => {
    const { intents } = faces;
    faces.intents = {
      ...intents,
      open: async (intent, judge) => {
        if (intent.operation === 'debits.create') throw new Error('the disk is full');
        return intents.open(intent, judge);
      },
    };
    faces.restart();
    expect(await pay()).toMatchObject({
      outcome: 'not_applied',
      why: expect.stringMatching(
        /^it was created, and its debit was not sent \(the disk is full\): the transaction stands unpaid/,
      ),
    });
    faces.intents = intents;
    faces.restart();
    expect([(await pay()).outcome, await balance(), (await all()).length]).toEqual(['applied', PAID_ONCE, 1]);
  });

  it.each([
    ['the creation', isCreation, lost],
    ['the creation, applied', isCreation, lostAfter],
    ['the debit', isDebit, lost],
    ['the debit, applied', isDebit, lostAfter],
  ] as const)('where the answer to %s was lost', async (_, fits, intercept) => {
    faces.intercept(only((request) => isWriteRequest(request) && fits(request), intercept));
    await pay();
    faces.restore();
    expect([(await pay()).outcome, await balance(), (await all()).length]).toEqual(['applied', PAID_ONCE, 1]);
  });

  it('at the amount that stands and not at a new rate', async () => {
    faces.intercept(only(isDebit, unreachable));
    await pay();
    faces.intercept(async (request, next) => {
      const answer = await next(request);
      return request.url.endsWith('/calculate')
        ? { ...answer, body: answer.body.replaceAll('14.99', '99.99') }
        : answer;
    });
    expect([(await pay('15')).outcome, await balance()]).toEqual(['applied', PAID_ONCE]);
  });

  it('is answered with what was paid, whatever its limit and the rate are then', async () => {
    await pay();
    faces.sent.length = 0;
    expect(await pay('1')).toMatchObject({ outcome: 'applied', how: 'earlier' });
    expect([faces.sent, await balance()]).toEqual([[], PAID_ONCE]);
  });

  it('never where somebody called it off: its external id is used up', async () => {
    faces.intercept(only(isDebit, unreachable));
    await pay();
    faces.restore();
    await faces.bench.run('tx cancel wages-1 --yes');
    expect(await pay()).toMatchObject({
      outcome: 'not_applied',
      conflict: { record: { state: 'canceled' } },
    });
    expect(await balance()).toBe('250000');
  });
});

describe('an earlier call without a limit', () => {
  /** It may have arrived, and did not. */
  const unbound = async () => {
    faces.intercept(only(isWriteRequest, lost));
    const first = await faces.client.transactions.createAndFund(payment, { retries: 0 });
    expect(first.outcome).toBe('unknown');
    faces.restore();
    faces.sent.length = 0;
    return intentOf(first).id;
  };

  it('is only looked for, and never sent again, since it would take any rate', async () => {
    const id = await unbound();
    expect(await pay('20')).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect([faces.sent, await balance()]).toEqual([[], '250000']);
  });

  it('leaves it unknown where the payment costs more than its limit now: nobody may take it for one that was not made', async () => {
    const id = await unbound();
    expect(await pay('10')).toMatchObject({ outcome: 'unknown', intent: { id } });
    expect([faces.sent, await balance()]).toEqual([[], '250000']);
  });
});

it('a debit of unknown outcome is no refusal, though the limit is lower now', async () => {
  faces.intercept(only(isDebit, lost));
  const first = await pay('20', { retries: 0 });
  expect(first.outcome).toBe('unknown');
  faces.restore();
  expect(await pay('10')).toMatchObject({ outcome: 'unknown', intent: { id: intentOf(first).id } });
  const { id = '' } = (await all())[0] ?? {};
  const debit = { to_id: id ?? '', to_type: 'Transaction' as const };
  expect(await faces.client.debits.create(debit, { maxInput: '10' })).toMatchObject({ outcome: 'unknown' });
  expect([(await pay('15')).outcome, await balance()]).toEqual(['applied', PAID_ONCE]);
});

it('what could not be called off says so, and ends by itself', async () => {
  faces.intercept((request, next) =>
    request.method === 'DELETE' ? unreachable(request, next) : rateMoves(request, next),
  );
  const made = await pay('10');
  expect(made).toMatchObject({
    outcome: 'not_applied',
    why: expect.stringContaining('ends by itself'),
    conflict: undefined,
  });
  expect([await states(), await balance()]).toEqual([['wages-1 approved'], '250000']);
});

it('what reads refuse is not applied, and nothing is sent', async () => {
  faces.intercept(
    only(
      ({ url }) => url.endsWith('/calculate'),
      answering(422, '{"object":{"errors":{"sender":[{"error":"blank"}]}}}'),
    ),
  );
  const refused = (error: object) => ({ outcome: 'not_applied', intent: undefined, error });
  expect(await pay()).toMatchObject(refused({ name: 'ApiError', kind: 'validation' }));
  faces.intercept(unreachable);
  expect(await pay()).toMatchObject(refused({ name: 'NetworkError' }));
  expect([faces.sent, await faces.intents.list()]).toEqual([[], []]);
});
