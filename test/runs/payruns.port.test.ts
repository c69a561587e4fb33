/** One suite over every store of pay runs: in memory, in a file that two processes have open, and in PostgreSQL. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Intents } from '../../src/client/store/port.ts';
import type { Lease, NewRow, PayRuns, RowState } from '../../src/runs/store/port.ts';
import {
  approved,
  BASE_URL,
  drafted,
  everyStore,
  type KeptRuns,
  newIntent,
  newRow,
  newRows,
  newRun,
  planned,
  printed,
} from '../support/payrun-stores.ts';

const LEASE = 30_000;
/** Rows that tell themselves apart by their accounts alone. */
const SAME = { type: 'NGN::Bank', currency: 'NGN', amount: '5000' };

describe.each(everyStore())('pay runs %s', (_name, make) => {
  let kept: KeptRuns;
  let runs: PayRuns;
  let other: PayRuns;
  let intents: Intents;
  beforeEach(async () => {
    kept = await make();
    ({ runs, other, intents } = kept);
  });
  afterEach(() => kept.close());

  const take = async (id: string, worker = 'w1', after = -1, by = runs): Promise<Lease> => {
    const lease = await by.take(id, worker, { after, leaseMs: LEASE });
    if (!lease) throw new Error('no window to take');
    return lease;
  };
  const open = async (lease: Lease, n: number, by = runs): Promise<string> => {
    const result = await by.open(lease, n, newIntent(n));
    if (result === 'lost') throw new Error('lost');
    return result.opened.id;
  };
  /** The only row, once planned, as it becomes this. */
  const bring = async (id: string, state: RowState): Promise<void> => {
    if (state === 'planned') return;
    if (state === 'cancelled') return void (await runs.cancelRows(id));
    if (state === 'handed_on') return void (await runs.handOn(id, [{ n: 1, as: 'x' }], '/file'));
    const lease = await take(id);
    const intent = await open(lease, 1);
    if (state === 'sending') return;
    const closed =
      state === 'refused' ? 'not_applied' : state === 'unknown' || state === 'conflict' ? state : 'applied';
    await runs.close(lease, 1, intent, { state: closed }, { state });
  };
  const stateOf = async (id: string, n: number) =>
    (await runs.rows(id, { after: n - 1, limit: 1 }))[0]?.state;

  describe('a plan', () => {
    it('names payees that are not as before, in runs of its account that were paid', async () => {
      const of = (n: number, key: string, payee: number, name: number | undefined, amount = '1000') =>
        newRow(n, {
          ...{ key, externalId: `${key}-${payee}-${amount}`, type: 'NGN::Bank', currency: 'NGN', amount },
          payee: printed(payee),
          person: name === undefined ? undefined : printed(name),
        });
      const paidRun = async (name: string, rows: NewRow[], baseUrl?: string) => {
        const run = await approved(runs, rows, {
          name,
          ...(baseUrl && { account: { ...newRun().account, baseUrl } }),
        });
        const seen = rows.map(({ externalId }) => ({ externalId, news: { state: 'paid' as const } }));
        await runs.observe(run.id, seen, () => true);
      };
      await paidRun('elsewhere', [of(1, 'X', 900, 900)], 'http://127.0.0.1:4999/v1');
      await paidRun('september', [of(1, 'A', 1, 11, '10'), of(2, 'B', 2, 22), of(3, 'C', 3, 33)]);
      await paidRun('october', [of(1, 'A', 1, 11, '10'), of(2, 'B', 4, 22), of(3, 'D', 5, 33)]);
      await approved(runs, [of(1, 'E', 6, 66)], { name: 'unpaid' });
      const draft = await drafted(
        runs,
        [
          of(1, 'A', 1, 11, '31'),
          of(2, 'B', 2, 22),
          of(3, 'N', 7, 11),
          of(4, 'M', 3, 88),
          of(5, 'X', 900, 900),
          of(6, 'E', 8, 66),
          of(7, 'O', 9, 33),
          of(8, 'D', 5, 77),
        ],
        { name: 'november' },
      );
      expect(await draft.payees()).toEqual({
        changed: [
          // Paid at account 4 since.
          { n: 2, key: 'B', by: 'key', was: { run: 'october', key: 'B' } },
          // The name of A, once in the draft apart from A's own row: so nobody can say who is meant.
          { n: 4, key: 'M', isOthers: true, other: { run: 'september', key: 'C' } },
        ],
        first: {
          rows: 4,
          named: [3, 5, 6, 7].map((n) => ({ n, key: ['N', 'X', 'E', 'O'][[3, 5, 6, 7].indexOf(n)] })),
        },
        above: { rows: 1, named: [{ n: 1, key: 'A' }] },
      });
      await draft.discard();
      const alone = await drafted(runs, [of(1, 'N', 7, 11)], { name: 'december' });
      expect((await alone.payees()).changed).toEqual([
        { n: 1, key: 'N', by: 'person', was: { run: 'october', key: 'A' } },
      ]);
      await alone.discard();
      // Behind the plan some rows of a run are compared by themselves.
      const kept = await drafted(runs, [of(1, 'A', 1, 11), of(2, 'B', 2, 22), of(3, 'M', 3, 88)]);
      const made = await kept.finish({ digest: 'd1', plan: '{}' });
      if (made.kind !== 'made') throw new Error('it is a run');
      const changed = async (from: number, to: number) =>
        (await other.payees(made.run, from, to)).changed.map(({ key }) => key);
      expect([await changed(1, 1), await changed(2, 2), await changed(3, 3), await changed(1, 3)]).toEqual([
        [],
        ['B'],
        ['M'],
        ['B', 'M'],
      ]);
    });

    it('is a run with every row, once it is finished', async () => {
      const draft = await drafted(runs, newRows(5));
      expect(await runs.list()).toEqual([]);
      expect(await other.find(BASE_URL, 'wages-2026-11')).toEqual([]);
      await draft.append([newRow(7), newRow(9)]);
      const made = await draft.finish({ digest: 'd1', plan: '{"a":1}' });
      expect(made).toMatchObject({
        kind: 'made',
        run: { ...newRun(), digest: 'd1', plan: '{"a":1}', rows: 7, state: 'planned', approval: undefined },
      });
      const rows = await other.rows(made.run.id);
      expect(rows.map(({ n, window }) => [n, window])).toEqual([
        [1, 0],
        [2, 0],
        [3, 0],
        [4, 0],
        [5, 1],
        [7, 1],
        [9, 1],
      ]);
      const { account: _, payee, person, ...kept } = newRow(2);
      expect(rows[1]).toMatchObject({ ...kept, state: 'planned', tries: 0, intentId: undefined });
      expect(await other.find(BASE_URL, 'wages-2026-11')).toEqual([made.run]);
    });

    it('of the same name and the same rows is the run that stands', async () => {
      const run = await planned(runs, newRows(5));
      const again = await drafted(other, newRows(5));
      expect(await again.finish({ digest: 'd2', plan: '{}' })).toEqual({ kind: 'stands', run, differs: [] });
      expect(await runs.list()).toEqual([run]);
    });

    it('of the same name and other rows names those that differ', async () => {
      await planned(runs, newRows(5));
      const rows = [...newRows(4, (n) => (n === 2 ? { content: 'other' } : {})), newRow(6)];
      const ended = await (await drafted(other, rows)).finish({ digest: 'd2', plan: '{}' });
      expect(ended.kind === 'stands' && [...ended.differs].sort()).toEqual(['key-2', 'key-5', 'key-6']);
      expect(await runs.list()).toHaveLength(1);
      expect(await runs.rows(ended.run.id)).toHaveLength(5);
    });

    it('names no more than a hundred that differ', async () => {
      await planned(runs, newRows(150));
      const rows = newRows(150, () => ({ content: 'other' }));
      const ended = await (await drafted(runs, rows)).finish({ digest: 'd2', plan: '{}' });
      expect(ended.kind === 'stands' && ended.differs).toHaveLength(100);
    });

    it('of the same name in another account is another run', async () => {
      await planned(runs, newRows(2));
      const account = { ...newRun().account, baseUrl: 'https://elsewhere.example/v1' };
      await planned(runs, newRows(2), { account });
      expect(await runs.list()).toHaveLength(2);
      expect(await runs.find(BASE_URL, 'wages-2026-11')).toHaveLength(1);
    });

    it('that an earlier process left half written is removed when the name is planned again', async () => {
      const left = await drafted(other, newRows(3));
      const run = await planned(runs, newRows(5));
      expect(run.rows).toBe(5);
      await expect(left.append([newRow(4)])).rejects.toMatchObject({ facts: { code: 'plan_overtaken' } });
      await expect(left.finish({ digest: 'd', plan: '' })).rejects.toThrow('nothing was sent');
      expect(await runs.list()).toEqual([run]);
    });

    it('that was left half written is removed after a day', async () => {
      const left = await drafted(other, newRows(3), { name: 'old' });
      await kept.pass(24 * 3_600_000 - 60_000);
      await planned(runs, newRows(2), { name: 'new' });
      await left.append([newRow(4)]);
      await kept.pass(120_000);
      await planned(runs, newRows(2), { name: 'newer' });
      await expect(left.append([newRow(5)])).rejects.toMatchObject({ facts: { code: 'plan_overtaken' } });
    });

    it('that is discarded leaves nothing', async () => {
      const draft = await drafted(runs, newRows(3));
      await draft.discard();
      expect(await runs.list()).toEqual([]);
      expect((await planned(runs, newRows(2))).rows).toBe(2);
    });

    it('of two that are written at once under one name, one is kept', async () => {
      const drafts = [await runs.draft(newRun()), await other.draft(newRun())];
      const ended = await Promise.allSettled(
        drafts.map(async (draft) => {
          await draft.append(newRows(3));
          return draft.finish({ digest: 'd', plan: '' });
        }),
      );
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await runs.list()).toHaveLength(1);
    });

    it('says which rows an earlier run had: the same account and amount, not refused, in this account', async () => {
      await planned(
        runs,
        newRows(4, (n) => ({ ...SAME, account: printed(100 + n) })),
        { name: 'october' },
      );
      await runs.cancelRows((await runs.list())[0]?.id ?? '', ['key-4']);
      const account = { ...newRun().account, baseUrl: 'https://elsewhere.example/v1' };
      await planned(
        runs,
        newRows(1, () => ({ ...SAME, account: printed(7) })),
        { account },
      );
      await planned(
        runs,
        newRows(1, () => ({ ...SAME, account: printed(101) })),
        { name: 'september' },
      );
      const accounts = [102, 7, 104, 101, 103, 102];
      // The last has the external id of the row that it repeats: the service pays it once.
      const draft = await drafted(
        other,
        newRows(6, (n) => ({
          ...SAME,
          account: printed(accounts[n - 1] ?? 0),
          externalId: n === 6 ? newRow(2).externalId : `new-${n}`,
          ...(n === 5 && { amount: '4' }),
        })),
      );
      expect(await draft.repeated(0)).toEqual({
        rows: 2,
        first: [
          { n: 1, run: 'october', key: 'key-2' },
          { n: 4, run: 'october', key: 'key-1' },
          { n: 4, run: 'september', key: 'key-1' },
        ],
        runs: expect.toSatisfy(
          (found: { run: string }[]) =>
            JSON.stringify([...found].sort((a, b) => (a.run < b.run ? -1 : 1))) ===
            '[{"run":"october","rows":2},{"run":"september","rows":1}]',
        ),
      });
      expect(await draft.repeated(8_000_000_000_000)).toEqual({ rows: 0, first: [], runs: [] });
    });

    it.each<[RowState, number]>([
      ['planned', 1],
      ['sending', 1],
      ['unknown', 1],
      ['created', 1],
      ['paid', 1],
      ['in_error', 1],
      ['refunded', 0],
      ['cancelled', 0],
      ['refused', 0],
      ['conflict', 0],
      ['handed_on', 1],
    ])('counts a row of an earlier run that is %s: %i', async (state, rows) => {
      const { id } = await approved(runs, newRows(1));
      await bring(id, state);
      expect(await stateOf(id, 1)).toBe(state);
      const again = newRows(1, () => ({ externalId: 'another' }));
      const draft = await drafted(other, again, { name: 'later' });
      expect(await draft.repeated(0)).toMatchObject({ rows, runs: rows > 0 ? [{ rows }] : [] });
    });

    it('counts a row that was handed on, but under no external id that it has: not in its run, nor in the file', async () => {
      const { id } = await planned(runs, newRows(3));
      await runs.handOn(
        id,
        [1, 2, 3].map((n) => ({ n, as: `there-${n}` })),
        '/rest.csv',
      );
      const ids = ['there-1', 'wages-2026-11-2', 'another'];
      const again = newRows(3, (n) => ({ externalId: ids[n - 1] ?? '' }));
      const draft = await drafted(other, again, { name: 'later' });
      expect(await draft.repeated(0)).toMatchObject({ rows: 1, first: [{ n: 3, key: 'key-3' }] });
    });
  });

  describe('a run', () => {
    it('is found by name, by id, and by the beginning of one', async () => {
      const { id } = await planned(runs, newRows(1));
      await planned(runs, newRows(1), { name: 'other' });
      const found = async (text: string) => (await other.find(BASE_URL, text)).map((run) => run.id);
      expect(await found('wages-2026-11')).toEqual([id]);
      expect(await found(id)).toEqual([id]);
      expect(await found(id.slice(0, 8).toUpperCase())).toEqual([id]);
      expect(await found(id.slice(0, 5))).toEqual([]);
      expect(await found('wages')).toEqual([]);
      expect(await runs.find('https://elsewhere.example/v1', id)).toEqual([]);
    });

    it('is listed, the newest first', async () => {
      for (const name of ['a', 'b', 'c']) await approvedUnless(name === 'b', name);
      const names = async (filter: Parameters<PayRuns['list']>[0]) =>
        (await runs.list(filter)).map(({ name }) => name);
      expect(await names({})).toEqual(['c', 'b', 'a']);
      expect(await names({ limit: 2 })).toEqual(['c', 'b']);
      expect(await names({ states: ['planned'] })).toEqual(['b']);
      expect(await names({ states: [] })).toEqual([]);
      expect(await names({ baseUrl: 'https://elsewhere.example/v1' })).toEqual([]);
    });
    const approvedUnless = (isPlanned: boolean, name: string) =>
      (isPlanned ? planned : approved)(runs, newRows(1), { name });

    it('is approved once, by its digest', async () => {
      const { id } = await planned(runs, newRows(1));
      const approval = { by: 'grace', profile: 'acme-2', keyLast4: '77aa', at: 5 };
      expect(await runs.approve(id, 'another', approval)).toBe('changed');
      expect(await other.approve(id, 'd1', approval)).toBe('approved');
      expect(await runs.approve(id, 'd1', approval)).toBe('not_planned');
      expect((await runs.find(BASE_URL, id))[0]).toMatchObject({ state: 'approved', approval });
    });

    it('moves from the states that are named', async () => {
      const { id } = await approved(runs, newRows(1));
      expect(await other.move(id, ['planned'], 'cancelled')).toBe(false);
      expect(await other.move(id, ['planned', 'approved'], 'paused', 'too little balance')).toBe(true);
      expect((await runs.find(BASE_URL, id))[0]).toMatchObject({
        state: 'paused',
        why: 'too little balance',
      });
      expect(await runs.move(id, ['paused'], 'approved')).toBe(true);
      const [run] = await runs.find(BASE_URL, id);
      expect(run).toMatchObject({ state: 'approved', why: undefined, approval: { by: 'grace' } });
    });

    it('keeps the rates that were read last, and the time by its own clock', async () => {
      const { id } = await approved(runs, newRows(1));
      await runs.keepRates(id, '{"EUR/NGN":"1780"}');
      const [run] = await other.find(BASE_URL, id);
      expect(run?.rates).toBe('{"EUR/NGN":"1780"}');
      const age = (await other.now()) - (run?.ratesAt ?? 0);
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(60_000);
    });

    it('reads rows by state, window and place', async () => {
      const { id } = await planned(runs, newRows(12));
      await runs.cancelRows(id, ['key-2', 'key-7', 'key-8']);
      const ns = async (filter: Parameters<PayRuns['rows']>[1]) =>
        (await other.rows(id, filter)).map(({ n }) => n);
      expect(await ns({ states: ['cancelled'] })).toEqual([2, 7, 8]);
      expect(await ns({ states: ['cancelled', 'planned'], after: 5, limit: 4 })).toEqual([6, 7, 8, 9]);
      expect(await ns({ states: ['cancelled'], window: 1 })).toEqual([7, 8]);
      expect(await ns({ window: 2 })).toEqual([9, 10, 11, 12]);
      expect(await ns({ window: 7 })).toEqual([]);
      expect(await ns({ states: [] })).toEqual([]);
      expect(await ns({ after: 10 })).toEqual([11, 12]);
      expect((await runs.row(id, 'key-3'))?.n).toBe(3);
      expect((await runs.row(id, 'wages-2026-11-4'))?.n).toBe(4);
      expect(await runs.row(id, 'nobody')).toBeUndefined();
    });

    it('cancels rows that are planned, by key or all of them', async () => {
      const { id } = await approved(runs, newRows(6));
      const lease = await take(id);
      await open(lease, 1);
      expect(await other.cancelRows(id, ['key-1', 'key-2', 'nobody'])).toBe(1);
      expect(await runs.open(lease, 2, newIntent(2))).toBe('lost');
      expect(await runs.cancelRows(id)).toBe(4);
      expect(await runs.cancelRows(id)).toBe(0);
      const states = (await runs.rows(id)).map(({ state }) => state);
      expect(states).toEqual(['sending', ...Array(5).fill('cancelled')]);
    });

    it('adds up amounts that a number cannot hold', async () => {
      const rows = [
        newRow(1, {
          type: 'NGN::Bank',
          currency: 'NGN',
          amount: '900000000000001',
          estimate: '999999999999.99',
        }),
        newRow(2, { type: 'NGN::Bank', currency: 'NGN', amount: '900000000000002', estimate: '0.02' }),
        newRow(3, {
          type: 'BTC::Address',
          currency: 'BTC',
          amount: '20999999.99999999',
          inputCurrency: 'BTC',
          estimate: '90071992547.40993001',
        }),
        newRow(4, {
          type: 'BTC::Address',
          currency: 'BTC',
          amount: '0.00000002',
          inputCurrency: 'BTC',
          estimate: '0.00000001',
        }),
        ...Array.from({ length: 16 }, (_, i) =>
          newRow(5 + i, { type: 'JPY::Bank', currency: 'JPY', amount: '999999999999999' }),
        ),
      ];
      const { id } = await planned(runs, rows);
      const sums = await other.sums(id);
      const of = (currency: string) => sums.find((one) => one.currency === currency);
      expect(of('NGN')).toMatchObject({ rows: 2, amount: '1800000000000003', estimate: '1000000000000.01' });
      expect(of('BTC')).toMatchObject({
        rows: 2,
        amount: '21000000.00000001',
        estimate: '90071992547.40993002',
      });
      expect(of('JPY')).toMatchObject({ rows: 16, amount: '15999999999999984', cost: '0.00', arrives: '0' });
      expect((await runs.row(id, 'key-3'))?.estimate).toBe('90071992547.40993001');
    });
  });

  describe('windows', () => {
    it('that are taken are nobody else’s until the lease is over; then they are, with a greater fence', async () => {
      const { id } = await approved(runs, newRows(6));
      const first = await take(id, 'w1');
      const second = await take(id, 'w2', -1, other);
      expect([first.window, second.window]).toEqual([0, 1]);
      expect(await runs.take(id, 'w3', { after: -1, leaseMs: LEASE })).toBeUndefined();
      expect(await runs.isTaken(id, 'w1')).toBe(true);
      await kept.pass(LEASE + 1);
      expect(await runs.isTaken(id, 'w1')).toBe(false);
      const third = await take(id, 'w3', -1, other);
      expect(third.window).toBe(0);
      expect(third.fence).toBeGreaterThan(Math.max(first.fence, second.fence));
      expect(await runs.renew(first, LEASE)).toBeUndefined();
      expect(await other.renew(third, LEASE)).toMatchObject({ window: 0, fence: third.fence });
    });

    it('are renewed before the lease is over, and after it where nobody came', async () => {
      const { id } = await approved(runs, newRows(2));
      const lease = await take(id);
      await kept.pass(LEASE - 1000);
      expect(await runs.renew(lease, LEASE)).toBeDefined();
      await kept.pass(LEASE - 1000);
      expect(await other.take(id, 'w2', { after: -1, leaseMs: LEASE })).toBeUndefined();
      await kept.pass(5000);
      expect(await runs.open(lease, 1, newIntent(1))).toBe('lost');
      expect(await runs.renew(lease, LEASE)).toBeDefined();
      await open(lease, 1);
    });

    it('that are given back are free at once, and open nothing more', async () => {
      const { id } = await approved(runs, newRows(2));
      const lease = await take(id);
      await runs.giveBack(lease);
      expect(await runs.open(lease, 1, newIntent(1))).toBe('lost');
      expect(await runs.renew(lease, LEASE)).toBeUndefined();
      expect(await runs.isTaken(id, 'w2')).toBe(false);
      const next = await take(id, 'w2', -1, other);
      await runs.giveBack(lease);
      expect(await other.open(next, 1, newIntent(1))).not.toBe('lost');
    });

    it('of a worker that is known to be dead are free at once', async () => {
      const { id } = await approved(runs, newRows(2));
      await take(id, 'dead');
      const isDead = (worker: string) => worker === 'dead';
      expect(await other.take(id, 'w2', { after: -1, leaseMs: LEASE, isDead })).toMatchObject({ window: 0 });
      expect(await other.take(id, 'w3', { after: -1, leaseMs: LEASE, isDead })).toBeUndefined();
    });

    it('with nothing to do are passed over', async () => {
      const { id } = await approved(runs, newRows(12));
      await runs.cancelRows(
        id,
        [1, 2, 3, 4].map((n) => `key-${n}`),
      );
      expect((await take(id)).window).toBe(1);
      expect((await take(id, 'w1', 1)).window).toBe(2);
      expect(await runs.take(id, 'w1', { after: 2, leaseMs: LEASE })).toBeUndefined();
      expect(await runs.take('no such run', 'w1', { after: -1, leaseMs: LEASE })).toBeUndefined();
    });

    it('are each taken once by eight who take all they can', async () => {
      const { id } = await approved(runs, newRows(200));
      const takers = Array.from({ length: 8 }, async (_, i) => {
        const mine: Lease[] = [];
        for (let after = -1; ; ) {
          const lease = await (i % 2 ? runs : other).take(id, `w${i}`, { after, leaseMs: LEASE });
          if (!lease) return mine;
          mine.push(lease);
          after = lease.window;
        }
      });
      let all = (await Promise.all(takers)).flat();
      /* Who was passed by while another looked at the same window left it to the next who asks. */
      for (;;) {
        const rest = await runs.take(id, 'last', { after: -1, leaseMs: LEASE });
        if (!rest) break;
        all = [...all, rest];
      }
      expect(all.map(({ window }) => window).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, i) => i),
      );
      expect(new Set(all.map(({ fence }) => fence)).size).toBe(50);
    });
  });

  describe('a row is opened', () => {
    it('with its intent, which is on disk before anything is sent', async () => {
      const { id } = await approved(runs, newRows(2));
      const lease = await take(id);
      const opened = await runs.open(lease, 1, newIntent(1));
      if (opened === 'lost') throw new Error('lost');
      expect(opened.opened).toMatchObject({ ...newIntent(1), state: 'open' });
      expect(await kept.otherIntents.get(opened.opened.id)).toEqual(opened.opened);
      expect(await other.row(id, 'key-1')).toMatchObject({
        state: 'sending',
        tries: 1,
        intentId: opened.opened.id,
      });
      expect(await runs.open(lease, 1, newIntent(1))).toBe('lost');
    });

    it('only by whoever has its window, while the run is approved, and once', async () => {
      const { id } = await approved(runs, newRows(6));
      const lease = await take(id);
      const lost = async (one: Lease, n: number) => {
        expect(await runs.open(one, n, newIntent(n))).toBe('lost');
      };
      await lost({ ...lease, fence: lease.fence + 1 }, 1);
      await lost({ ...lease, fence: lease.fence - 1 }, 1);
      await lost(lease, 5);
      await lost({ ...lease, window: 1 }, 5);
      await lost({ ...lease, runId: 'no such run' }, 1);
      await lost(lease, 99);
      await runs.move(id, ['approved'], 'paused');
      await lost(lease, 1);
      await runs.move(id, ['paused'], 'approved');
      await kept.pass(LEASE + 1);
      await lost(lease, 1);
      expect(await intents.count()).toBe(0);
      expect((await runs.sums(id)).every(({ state }) => state === 'planned')).toBe(true);
    });

    it('not by who slept, and was replaced', async () => {
      const { id } = await approved(runs, newRows(2));
      const slept = await take(id, 'w1');
      const first = await open(slept, 1);
      await kept.pass(LEASE + 1);
      const awake = await take(id, 'w2', -1, other);
      expect(await runs.open(slept, 2, newIntent(2))).toBe('lost');
      expect(await runs.resume(slept, 1)).toBe(false);
      expect(await other.resume(awake, 1)).toBe(true);
      expect(await other.resume(awake, 2)).toBe(false);
      const refused = await runs.close(slept, 1, first, { state: 'not_applied' }, { state: 'planned' });
      expect(refused).toBe('sending');
      expect(await intents.get(first)).toMatchObject({ state: 'open' });
      const applied = await runs.close(slept, 1, first, { state: 'applied' }, { transactionId: 't-1' });
      expect(applied).toBe('created');
      expect(await other.row(id, 'key-1')).toMatchObject({ state: 'created', transactionId: 't-1' });
      // The row tells it: the same payment by hand is a wish of its own.
      expect(await intents.get(first)).toMatchObject({ state: 'applied', toldAt: expect.any(Number) });
    });

    it('together with its intent or not at all', async () => {
      const { id } = await approved(runs, newRows(4));
      const lease = await take(id);
      const wrong = runs.open(lease, 1, newIntent(1, { externalId: 'another payment' }));
      const right = runs.open(lease, 2, newIntent(2));
      await expect(wrong).rejects.toThrow('external id');
      expect(await right).toHaveProperty('opened');
      expect(await intents.count()).toBe(1);
      expect([await stateOf(id, 1), await stateOf(id, 2)]).toEqual(['planned', 'sending']);
      if (!kept.breakIntents) return;
      await kept.breakIntents(true);
      await expect(runs.open(lease, 3, newIntent(3))).rejects.toThrow('broken on purpose');
      await kept.breakIntents(false);
      expect(await stateOf(id, 3)).toBe('planned');
      expect(await intents.count()).toBe(1);
      await open(lease, 3);
    });

    it('in one commit with sixty-three others of the same turn', async () => {
      const { id } = await approved(runs, newRows(64), { windowSize: 64 });
      const lease = await take(id);
      kept.commits?.();
      const opened = await Promise.all(newRows(64).map(({ n }) => runs.open(lease, n, newIntent(n))));
      expect(opened.every((one) => one !== 'lost')).toBe(true);
      if (kept.commits) expect(kept.commits()).toBe(1);
      const closed = opened.map((one, i) =>
        one === 'lost'
          ? one
          : runs.close(lease, i + 1, one.opened.id, { state: 'applied' }, { cost: '3.20' }),
      );
      expect(new Set(await Promise.all(closed))).toEqual(new Set(['created']));
      if (kept.commits) expect(kept.commits()).toBe(1);
      expect(await intents.count({ states: ['applied'] })).toBe(64);
      expect((await runs.sums(id)).reduce((sum, { rows }) => sum + rows, 0)).toBe(64);
    });

    it('again after it was not applied, with an intent of its own', async () => {
      const { id } = await approved(runs, newRows(1));
      const lease = await take(id);
      const first = await open(lease, 1);
      const news = { state: 'planned', code: '503', why: 'the service was busy' } as const;
      expect(await runs.close(lease, 1, first, { state: 'not_applied' }, news)).toBe('planned');
      expect(await runs.row(id, 'key-1')).toMatchObject({
        code: '503',
        why: 'the service was busy',
        tries: 1,
      });
      const second = await open(lease, 1);
      expect(await runs.row(id, 'key-1')).toMatchObject({ code: undefined, why: undefined, tries: 2 });
      expect(await runs.close(lease, 1, first, { state: 'not_applied' }, { state: 'refused' })).toBe(
        'sending',
      );
      expect(await runs.close(lease, 1, second, { state: 'applied' }, {})).toBe('created');
    });
  });

  describe('a row that was begun', () => {
    it('is read with its request, as long as nobody knows what became of it', async () => {
      const { id } = await approved(runs, newRows(2));
      const lease = await take(id);
      expect(await other.begun(id, 1)).toBeUndefined();
      const intentId = await open(lease, 1);
      const { request } = newIntent(1);
      expect(await other.begun(id, 1)).toMatchObject({ row: { n: 1, state: 'sending', intentId }, request });
      await runs.close(lease, 1, intentId, { state: 'unknown', emptySince: 9 }, {});
      expect(await intents.get(intentId)).toMatchObject({ state: 'unknown', emptySince: 9 });
      expect(await other.begun(id, 1)).toMatchObject({ row: { state: 'unknown' }, request });
      await runs.close(lease, 1, intentId, { state: 'applied' }, {});
      expect(await other.begun(id, 1)).toBeUndefined();
      expect(await other.begun('no such run', 1)).toBeUndefined();
    });

    it('is never read with a request that is wiped, also while somebody else closes it', async () => {
      const { id } = await approved(runs, newRows(24), { windowSize: 24 });
      const lease = await take(id);
      const rows = newRows(24).map(({ n }) => n);
      const opened = await Promise.all(rows.map((n) => open(lease, n)));
      const turn = () => new Promise((resolve) => setImmediate(resolve));
      const closing = rows.map(async (n, i) => {
        for (let turns = 0; turns < i; turns++) await turn();
        await runs.close(lease, n, opened[i] ?? '', { state: 'applied' }, {});
      });
      const requests = new Set<unknown>();
      const reading = rows.map(async (n) => {
        for (let begun = await other.begun(id, n); begun; begun = await other.begun(id, n)) {
          requests.add(begun.request);
          await turn();
        }
      });
      await Promise.all([...closing, ...reading]);
      expect(requests.size).toBeGreaterThan(1);
      expect([...requests]).not.toContain(undefined);
    });
  });

  describe('a row is closed', () => {
    const ways: [string, Parameters<PayRuns['close']>[3], Parameters<PayRuns['close']>[4], RowState][] = [
      ['applied', { state: 'applied', resultId: 't-1' }, { transactionId: 't-1', cost: '3.20' }, 'created'],
      ['applied and in error', { state: 'applied' }, { state: 'in_error', code: '305' }, 'in_error'],
      ['refused', { state: 'not_applied' }, { state: 'refused', code: 'x' }, 'refused'],
      ['not applied', { state: 'not_applied' }, { state: 'planned' }, 'planned'],
      ['unknown', { state: 'unknown', note: 'no answer' }, { why: 'no answer' }, 'unknown'],
      ['in conflict', { state: 'conflict' }, { code: 'external_id_taken' }, 'conflict'],
    ];
    it.each(ways)('as %s', async (_way, closing, news, state) => {
      const { id } = await approved(runs, newRows(1));
      const lease = await take(id);
      const intentId = await open(lease, 1);
      expect(await runs.close(lease, 1, intentId, closing, news)).toBe(state);
      expect(await other.row(id, 'key-1')).toMatchObject({ ...news, state, intentId });
      expect(await kept.otherIntents.get(intentId)).toMatchObject(closing);
      expect((await other.sums(id)).map((sum) => [sum.state, sum.rows, sum.cost])).toEqual([
        [state, 1, news.cost ?? '0.00'],
      ]);
    });

    it('as unknown, and later as what it was', async () => {
      const { id } = await approved(runs, newRows(2));
      const lease = await take(id);
      const [one, two] = [await open(lease, 1), await open(lease, 2)];
      for (const [n, intentId] of [one, two].entries())
        await runs.close(lease, n + 1, intentId, { state: 'unknown' }, { why: 'no answer' });
      expect(await runs.resume(lease, 1)).toBe(true);
      expect(await runs.close(lease, 1, one, { state: 'applied' }, { transactionId: 't-1' })).toBe('created');
      expect(await runs.close(lease, 2, two, { state: 'not_applied' }, { state: 'planned' })).toBe('planned');
      expect(await runs.row(id, 'key-1')).toMatchObject({ why: undefined });
    });

    it('as what its intent is known to be already', async () => {
      const { id } = await approved(runs, newRows(2));
      const lease = await take(id);
      const [one, two] = [await open(lease, 1), await open(lease, 2)];
      await intents.close(one, { state: 'applied' });
      await intents.close(two, { state: 'not_applied' });
      expect(await runs.close(lease, 1, one, { state: 'not_applied' }, { state: 'refused' })).toBe('created');
      expect(await runs.close(lease, 2, two, { state: 'unknown' }, {})).toBe('planned');
    });

    it.each(['planned', 'refused', 'unknown'] as const)('as applied also where it says %s', async (said) => {
      const { id } = await approved(runs, newRows(1));
      const slept = await take(id);
      const intentId = await open(slept, 1);
      await kept.pass(LEASE + 1);
      const awake = await take(id, 'w2', -1, other);
      const state = said === 'unknown' ? 'unknown' : 'not_applied';
      expect(await other.close(awake, 1, intentId, { state }, { state: said })).toBe(said);
      expect(await runs.close(slept, 1, intentId, { state: 'applied' }, { transactionId: 't-1' })).toBe(
        'created',
      );
      expect(await other.open(awake, 1, newIntent(1))).toBe('lost');
    });

    it('as applied also where it was cancelled before anybody knew of the transaction', async () => {
      const { id } = await approved(runs, newRows(1));
      const slept = await take(id);
      const intentId = await open(slept, 1);
      await runs.close(slept, 1, intentId, { state: 'not_applied' }, { state: 'planned' });
      await runs.cancelRows(id);
      expect(await runs.close(slept, 1, intentId, { state: 'applied' }, { transactionId: 't-1' })).toBe(
        'created',
      );
    });

    it.each(['paid', 'in_error', 'refunded', 'cancelled'] as const)('never back from %s', async (end) => {
      const { id } = await approved(runs, newRows(1));
      const lease = await take(id);
      const intentId = await open(lease, 1);
      const seen = [{ externalId: 'wages-2026-11-1', news: { state: end, transactionId: 't-1' } }];
      expect(await other.observe(id, seen, () => true)).toBe(1);
      expect(await runs.close(lease, 1, intentId, { state: 'applied' }, { cost: '3.21' })).toBe(end);
      expect(await runs.row(id, 'key-1')).toMatchObject({ state: end, transactionId: 't-1', cost: '3.21' });
      expect(await intents.get(intentId)).toMatchObject({ state: 'applied' });
    });

    it('whatever the service says of its cost', async () => {
      const { id } = await approved(runs, newRows(1));
      const lease = await take(id);
      const intentId = await open(lease, 1);
      await runs.close(lease, 1, intentId, { state: 'applied' }, { cost: '3.20499', arrives: '120.505' });
      expect(await runs.row(id, 'key-1')).toMatchObject({ cost: '3.20', arrives: '120.51' });
    });

    it('not as something that a row cannot be then', async () => {
      const { id } = await approved(runs, newRows(1));
      const lease = await take(id);
      const intentId = await open(lease, 1);
      const close = (closing: { state: 'applied' | 'not_applied' }, state?: RowState) =>
        runs.close(lease, 1, intentId, closing, state ? { state } : {});
      await expect(close({ state: 'not_applied' })).rejects.toThrow('its worker says which');
      await expect(close({ state: 'applied' }, 'planned')).rejects.toThrow('has its transaction');
      await expect(runs.close(lease, 1, 'no such intent', { state: 'applied' }, {})).rejects.toThrow(
        'no intent',
      );
      await expect(runs.close(lease, 9, intentId, { state: 'applied' }, {})).rejects.toThrow('no row');
      expect(await intents.get(intentId)).toMatchObject({ state: 'open' });
      expect(await stateOf(id, 1)).toBe('sending');
    });
  });

  it('hears of what the service says, as far as it may be', async () => {
    const { id } = await approved(runs, newRows(3));
    const lease = await take(id);
    for (const n of [1, 2]) {
      const intentId = await open(lease, n);
      await runs.close(lease, n, intentId, { state: 'applied' }, { transactionId: `t-${n}` });
    }
    const mayBecome = (from: RowState, to: RowState) => from === 'created' && to === 'paid';
    const seen = (n: number, state: RowState, arrives?: string) => ({
      externalId: `wages-2026-11-${n}`,
      news: { state, arrives },
    });
    const first = [seen(1, 'paid', '120.50'), seen(2, 'refunded'), seen(3, 'paid'), seen(9, 'paid')];
    expect(await other.observe(id, first, mayBecome)).toBe(1);
    expect(await other.observe(id, first, mayBecome)).toBe(0);
    expect((await runs.rows(id)).map(({ state }) => state)).toEqual(['paid', 'created', 'planned']);
    expect(await runs.observe(id, [seen(2, 'created', '900')], mayBecome)).toBe(1);
    expect(await runs.row(id, 'key-2')).toMatchObject({
      state: 'created',
      arrives: '900',
      transactionId: 't-2',
    });
    const paid = (await runs.sums(id)).find(({ state }) => state === 'paid');
    expect(paid).toMatchObject({ rows: 1, arrives: '120.50' });
  });
});
