/** Who approved a run and who rejected it, in every store: in one step with the look at its digest, and each by itself. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval, PayRuns, Rejection, SignedVerdict } from '../../src/runs/store/port.ts';
import {
  approved,
  BASE_URL,
  everyStore,
  type KeptRuns,
  newIntent,
  newRows,
  planned,
} from '../support/payrun-stores.ts';

const statement = (n: number, over: Partial<SignedVerdict> = {}): SignedVerdict => ({
  approver: `approver-${n}`,
  key: `key-${n}=`,
  verdict: 'approve',
  until: '2026-12-01T00:00:00.000Z',
  at: '2026-11-24T00:00:00.000Z',
  replaces: [],
  signature: `"signature" ${n}, ü ]`,
  ...over,
});
const approval: Approval = { by: 'ada', profile: 'acme', keyLast4: '1234', keyPrint: 'p', at: 7 };
const rejection: Rejection = { ...approval, because: 'no', at: 8 };
const rejecting = { statement: undefined, rejection, why: 'rejected by ada: no' };
const signing = (n: number, over?: number) => ({ statement: statement(n), approval, over });

describe.each(everyStore())('approvals, %s', (_name, make) => {
  let kept: KeptRuns;
  let runs: PayRuns;
  beforeEach(async () => {
    kept = await make();
    runs = kept.runs;
  });
  afterEach(() => kept.close());
  const now = async (id: string) => {
    const [run] = await kept.other.find(BASE_URL, id);
    if (run === undefined) throw new Error('no run');
    return run;
  };

  it('a run that is planned has none; signed it is approved in the same step, and keeps the words as they are', async () => {
    const { id } = await planned(runs, newRows(2));
    expect(await now(id)).toMatchObject({ statements: [], rejection: undefined });
    expect(await runs.sign(id, 'd1', signing(1))).toBe('signed');
    expect(await now(id)).toMatchObject({ state: 'approved', approval, statements: [statement(1)] });
  });

  it('many at once are all kept, in one order', async () => {
    const { id } = await planned(runs, newRows(2));
    const numbers = [1, 2, 3, 4, 5, 6];
    await Promise.all(numbers.map((n) => (n % 2 ? runs : kept.other).sign(id, 'd1', signing(n))));
    const { statements } = await now(id);
    expect(statements).toHaveLength(6);
    expect([...statements].sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual(
      numbers.map((n) => statement(n)),
    );
  });

  it('a signature on a run that is approved, or paused, leaves its state and its approval', async () => {
    const { id } = await approved(runs, newRows(2));
    const before = await now(id);
    expect(await runs.sign(id, 'd1', signing(1))).toBe('signed');
    expect(await now(id)).toMatchObject({ state: 'approved', approval: before.approval });
    await runs.move(id, ['approved'], 'paused', 'the rate moved');
    expect(await runs.sign(id, 'd1', signing(2))).toBe('signed');
    expect(await now(id)).toMatchObject({
      state: 'paused',
      why: 'the rate moved',
      approval: before.approval,
      statements: [statement(1), statement(2)],
    });
  });

  it.each(['sign', 'reject'] as const)(
    '%s is refused for another digest, and for a run that is over',
    async (what) => {
      const { id } = await planned(runs, newRows(2));
      const say = (digest: string) =>
        what === 'sign' ? runs.sign(id, digest, signing(1)) : runs.reject(id, digest, rejecting);
      expect(await say('d2')).toBe('changed');
      await runs.move(id, ['planned'], 'cancelled');
      expect(await say('d1')).toBe('not_open');
      expect(await now(id)).toMatchObject({ state: 'cancelled', statements: [], rejection: undefined });
      const none = '00000000-0000-4000-8000-000000000000';
      expect(await runs.sign(none, 'd1', signing(1))).toBe('not_open');
      expect(await runs.reject(none, 'd1', rejecting)).toBe('not_open');
    },
  );

  it('a row that was begun is stopped with its run, and with no other', async () => {
    const { id } = await approved(runs, newRows(2));
    const other = await approved(runs, newRows(2), { name: 'another' });
    const lease = await runs.take(id, 'w1', { after: -1, leaseMs: 30_000 });
    if (!lease) throw new Error('no window');
    const opened = await runs.open(lease, 1, newIntent(1));
    if (opened === 'lost') throw new Error('not opened');
    const isStopped = () => kept.otherIntents.isStopped?.(opened.opened.id);
    await runs.hold(other.id, { ...approval, because: 'a question' });
    expect(await isStopped()).toBe(false);
    await runs.hold(id, { ...approval, because: 'a question' });
    expect(await isStopped()).toBe(true);
    await runs.hold(id, undefined);
    expect(await isStopped()).toBe(false);
    await runs.reject(id, 'd1', rejecting);
    expect(await isStopped()).toBe(true);
    await runs.approve(id, 'd1', { ...approval, at: 9 }, rejection.at);
    expect(await isStopped()).toBe(false);
    await runs.move(id, ['approved'], 'cancelled');
    expect(await isStopped()).toBe(true);
    const alone = await kept.intents.open(newIntent(2));
    expect('opened' in alone && (await kept.otherIntents.isStopped?.(alone.opened.id))).toBe(false);
  });

  it('a run that was rejected is paused, begins no row, and goes on once it is approved again', async () => {
    const { id } = await approved(runs, newRows(2));
    const lease = await runs.take(id, 'w1', { after: -1, leaseMs: 30_000 });
    if (!lease) throw new Error('no window');
    const no = statement(1, { verdict: 'reject', because: 'no' });
    expect(await runs.reject(id, 'd1', { ...rejecting, statement: no })).toBe('rejected');
    expect(await now(id)).toMatchObject({
      state: 'paused',
      why: 'rejected by ada: no',
      rejection,
      statements: [no],
    });
    expect(await runs.open(lease, 1, newIntent(1))).toBe('lost');
    expect(await runs.move(id, ['paused'], 'approved')).toBe(false);
    expect(await runs.approve(id, 'd1', { ...approval, at: 9 }, rejection.at)).toBe('approved');
    expect(await now(id)).toMatchObject({
      state: 'approved',
      why: undefined,
      rejection: undefined,
      approval: { ...approval, at: 9 },
      statements: [no],
    });
    expect(await runs.open(lease, 1, newIntent(1))).not.toBe('lost');
  });

  it('a run that was rejected before it was approved stays planned, and a signature approves it', async () => {
    const { id } = await planned(runs, newRows(2));
    await runs.reject(id, 'd1', rejecting);
    expect(await now(id)).toMatchObject({ state: 'planned', rejection });
    expect(await runs.sign(id, 'd1', signing(1, rejection.at))).toBe('signed');
    expect(await now(id)).toMatchObject({ state: 'approved', rejection: undefined, why: undefined });
  });

  it('whoever approves without knowing of a rejection changes nothing', async () => {
    const { id } = await planned(runs, newRows(2));
    await runs.reject(id, 'd1', rejecting);
    expect(await runs.approve(id, 'd1', approval)).toBe('not_planned');
    expect(await runs.approve(id, 'd1', approval, 3)).toBe('not_planned');
    expect(await runs.sign(id, 'd1', signing(1))).toBe('not_open');
    expect(await now(id)).toMatchObject({ state: 'planned', rejection, statements: [] });
  });

  it('a run that is forgotten keeps who signed, as it is told, and takes no more', async () => {
    const { id } = await planned(runs, newRows(2));
    await runs.sign(id, 'd1', signing(1));
    await runs.reject(id, 'd1', rejecting);
    const bare = statement(1, { signature: '' });
    expect(await runs.forget(id, { unless: [], plan: '{}', statements: [bare] })).toBe(true);
    expect(await now(id)).toMatchObject({ statements: [bare], rejection: undefined });
    expect(await runs.sign(id, '', signing(2))).toBe('not_open');
  });
});
