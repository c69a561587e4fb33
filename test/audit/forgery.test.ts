/** Webhooks with a wrong signature: what counts is what the program does because of them, not that it answers 200. */
import { describe, expect, it } from 'vitest';
import type { Audited } from '../../src/audit/asked.ts';
import { wayNames } from '../../src/audit/loss-modes.ts';
import type { RelayedRequest } from '../../src/audit/relay.ts';
import type { CaseRun } from '../../src/audit/run-case.ts';
import { beliefOf, tookForged } from '../../src/audit/tally.ts';
import { auditOf, node } from '../support/audits.ts';
import { isLong } from '../support/long.ts';

const replay = [{ way: 'webhook-missigned', nth: 1 }] as const;
const auditIn = (style: string): Promise<Audited> => auditOf([...node('hooked'), style], { replay });
const kindsOf = ({ found }: Audited) => found.map(({ kind, payment }) => [kind, payment]);
const habitOf = ({ habits }: Audited, name: string) => habits.find((one) => one.name === name);

describe('a program that waits for webhooks and', () => {
  it('believes each: a finding, shown with the webhooks and their answers', async () => {
    const audited = await auditIn('believes');
    expect(kindsOf(audited)).toEqual([['believed_forgery', 'ended with 0']]);
    expect(audited.counts).toMatchObject({ finding: 1 });
    expect(audited.found[0]?.requests).toContainEqual(
      expect.objectContaining({ request: 'webhook recipient.paid_out', told: '200' }),
    );
  });

  it.runIf(isLong)('funds what a webhook says was made: the write is what shows it', async () => {
    expect(kindsOf(await auditIn('funds'))).toEqual([['believed_forgery', 'debits.create']]);
  });

  it('looks at the service itself: no finding, and it is said', async () => {
    const audited = await auditIn('looks');
    expect(audited.found).toEqual([]);
    expect(habitOf(audited, 'checks_forged')).toMatchObject({ did: 1, of: 1 });
  });

  it('answers 200 and drops what does not verify: no finding', async () => {
    const audited = await auditIn('drops');
    expect(audited.found).toEqual([]);
    expect(habitOf(audited, 'verifies')).toMatchObject({ did: 0 });
    expect(habitOf(audited, 'checks_forged')).toBeUndefined();
  });

  it.runIf(isLong)('refuses it: no finding', async () => {
    const audited = await auditIn('refuses');
    expect(audited.found).toEqual([]);
    const { did = 0, of } = habitOf(audited, 'verifies') ?? {};
    expect(did).toBeGreaterThan(0);
    expect(of).toBe(did);
  });
});

it('nothing is compared where a case without webhooks was left out, and that is said', async () => {
  const skip = [...wayNames.filter((way) => way !== 'webhook-missigned')];
  const audited = await auditOf([...node('hooked'), 'believes'], { skip });
  expect(audited.found).toEqual([]);
  expect(audited.notTried).toContainEqual(expect.stringContaining('nobody signed'));
});

it('a webhook is taken where it was forged and answered with 2xx', () => {
  const heard = { at: 0, start: 1, event: 'recipient.paid_out', isForged: true, body: '{}' };
  const took = (more: object): boolean =>
    tookForged({
      ...{ case: [], payments: [], exchanges: [], endings: [], isMet: true, printed: '' },
      deliveries: [{ ...heard, ...more }],
    });
  expect([took({ status: 200 }), took({ status: 299 })]).toEqual([true, true]);
  expect([took({ status: 401 }), took({ status: 302 }), took({})]).toEqual([false, false, false]);
  expect(took({ status: 200, isForged: false })).toBe(false);
});

it('beside another fault a forged webhook is not judged: the other one may be the reason', async () => {
  const replay = [
    { way: 'webhook-missigned', nth: 1 },
    { way: 'webhook-first', nth: 1 },
  ] as const;
  expect((await auditOf([...node('hooked'), 'believes'], { replay })).found).toEqual([]);
});

describe('an act is', () => {
  const exchange = (more: Partial<RelayedRequest>): RelayedRequest => ({
    ...{ at: 0, start: 1, method: 'POST', path: '/v1/accounts/debits', operation: 'debits.create' },
    ...{ effect: 'money', body: '{}', done: 201, told: '201' },
    ...more,
  });
  const look = exchange({ method: 'GET', operation: 'transactions.get', effect: 'read', done: 200 });
  const runOf = (isOk: boolean, ...exchanges: RelayedRequest[]): CaseRun => ({
    ...{ case: [], payments: [], deliveries: [], isMet: true, printed: '', exchanges },
    endings: [{ ok: isOk, answer: '', ms: 1 }],
  });
  const belief = (signed: CaseRun, forged: CaseRun, ...without: CaseRun[]) =>
    beliefOf({ signed, forged, without, unstable: new Map() });
  const [ends, fails] = [runOf(true), runOf(false)];

  it('done with true webhooks and with forged ones, and never without', () => {
    expect(belief(ends, ends, fails, fails).acts).toEqual(['ended with 0']);
    expect(belief(ends, fails, fails, fails).acts).toEqual([]);
    // By chance once without a webhook: it proves nothing.
    expect(belief(ends, ends, fails, ends).acts).toEqual([]);
    // Done with forged ones alone: it is not because they were believed.
    expect(belief(runOf(false), ends, fails, fails).acts).toEqual([]);
  });

  it('a write that was done, once more than without webhooks', () => {
    const [once, twice] = [runOf(true, exchange({})), runOf(true, exchange({}), exchange({}))];
    expect(belief(twice, twice, once, once).acts).toEqual(['debits.create']);
    expect(belief(twice, once, once, once).acts).toEqual([]);
    const refused = runOf(true, exchange({ done: 422 }));
    expect(belief(once, refused, ends, ends).acts).toEqual([]);
  });

  it('none of a later start, which looks at what the first one left', () => {
    const later = runOf(true, exchange({ start: 2 }));
    expect(belief(runOf(true, exchange({})), later, ends, ends).acts).toEqual([]);
  });

  it('one that a look may explain, where it read more than without webhooks', () => {
    expect(belief(ends, runOf(true, look), fails, fails).looked).toBe(true);
    expect(belief(ends, runOf(true, look), runOf(false, look, look), runOf(false, look)).looked).toBe(false);
  });
});
