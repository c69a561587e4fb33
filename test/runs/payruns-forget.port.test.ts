/** A run that is forgotten, in every store of pay runs: what leaves, what stays, and what is refused. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PayRuns, ROW_STATES } from '../../src/runs/store/port.ts';
import {
  about,
  anything,
  found,
  LEASE,
  PERSONS,
  paidRun,
  TERMS,
  UNENDED,
  wishOf,
} from '../support/forgotten-runs.ts';
import { approved, drafted, everyStore, type KeptRuns, newRow, newRows } from '../support/payrun-stores.ts';

describe.each(everyStore())('a run that is forgotten, %s', (_, make) => {
  let kept: KeptRuns;
  let runs: PayRuns;
  beforeEach(async () => {
    kept = await make();
    ({ runs } = kept);
  });
  afterEach(() => kept.close());

  it('has states, amounts, ids and sums, and nothing that says who was paid', async () => {
    const run = await paidRun(runs);
    const before = {
      rows: await runs.rows(run.id),
      sums: await runs.sums(run.id),
      of: await found(runs, run),
    };
    expect(JSON.stringify(before)).toContain('Adaobi Nwosu 1');
    await kept.pass(5000);
    expect(await runs.forget(run.id, TERMS)).toBe(true);
    const after = { rows: await kept.other.rows(run.id), sums: await kept.other.sums(run.id) };
    const emptied = { body: '', content: '', why: undefined };
    expect(after).toEqual({ rows: before.rows.map((row) => ({ ...row, ...emptied })), sums: before.sums });
    const forgotten = { at: expect.any(Number), isOwed: true };
    expect(await found(kept.other, run)).toEqual({
      ...before.of,
      createdAt: expect.any(Number),
      digest: '',
      plan: TERMS.plan,
      why: undefined,
      forgotten,
    });
    const intents = await kept.otherIntents.list();
    expect(intents).toHaveLength(4);
    for (const person of PERSONS) expect(JSON.stringify([after, intents])).not.toContain(person);
    expect(intents[0]).toMatchObject({ state: 'applied', externalId: 'wages-2026-11-3', resultId: 't-3' });
    await runs.clearForgotten();
    expect((await found(runs, run)).forgotten).toEqual({ at: expect.any(Number), isOwed: false });
  });

  it('is none while a row is in one of the states that are named: nothing is changed', async () => {
    for (const state of ROW_STATES) {
      const run = await paidRun(runs, 3, state);
      await runs.observe(run.id, [{ externalId: 'wages-2026-11-2', news: { state } }], anything);
      const look = async () => [await found(runs, run), await runs.rows(run.id), await kept.intents.list()];
      const before = await look();
      expect(await runs.forget(run.id, TERMS), state).toBe(!UNENDED.includes(state));
      if (UNENDED.includes(state)) expect(await look()).toEqual(before);
    }
  });

  it('gives no row back, hands none on, and keeps no reason that is heard of later', async () => {
    const run = await paidRun(runs, 4);
    await runs.observe(run.id, [{ externalId: 'wages-2026-11-4', news: { state: 'refused' } }], anything);
    await runs.handOn(run.id, [{ n: 4, as: 'other-4' }], '/rest.csv');
    await runs.observe(run.id, [{ externalId: 'wages-2026-11-3', news: { state: 'refunded' } }], anything);
    expect(await runs.forget(run.id, TERMS)).toBe(true);
    expect(await runs.takeBack(run.id, [4])).toBe(0);
    expect(await runs.handOn(run.id, [{ n: 3, as: 'other-3' }], '/rest.csv')).toBe(0);
    const late = { state: 'in_error', code: '416', why: 'Adaobi Nwosu' } as const;
    expect(await runs.observe(run.id, [{ externalId: 'wages-2026-11-1', news: late }], anything)).toBe(1);
    expect(await runs.row(run.id, 'key-1')).toMatchObject({ state: 'in_error', code: '416', why: undefined });
    expect(await runs.row(run.id, 'key-4')).toMatchObject({
      state: 'handed_on',
      handed: { file: '/rest.csv' },
    });
  });

  it('is compared with no later one, which knows from when on it compares', async () => {
    const repeated = async (name: string) => {
      const draft = await drafted(runs, [newRow(1, { ...about(1), externalId: `${name}-1` })], { name });
      const all = await draft.repeated(0);
      await draft.discard();
      return all;
    };
    const run = await paidRun(runs);
    expect(await repeated('before')).toEqual({
      rows: 1,
      first: [{ n: 1, run: 'wages', key: 'key-1' }],
      runs: [{ run: 'wages', rows: 1 }],
    });
    await runs.forget(run.id, TERMS);
    const { createdAt } = await found(runs, run);
    expect(await repeated('after')).toEqual({ rows: 0, first: [], runs: [], from: createdAt });
    const later = await (await runs.draft({ ...run, name: 'later' })).repeated(createdAt + 1);
    expect(later).toEqual({ rows: 0, first: [], runs: [] });
  });

  it('keeps what an intent needs that is not settled, and what other runs say', async () => {
    const other = await approved(runs, newRows(2, about), { name: 'other' });
    const lease = await runs.take(other.id, 'w1', { after: -1, leaseMs: LEASE });
    if (!lease) throw new Error('no window to take');
    // The same payment under the same id, handed on to another run, and on its way there.
    const open = await runs.open(lease, 2, wishOf(2));
    if (open === 'lost') throw new Error('lost');
    const run = await paidRun(runs);
    await runs.forget(run.id, TERMS);
    await runs.clearForgotten();
    expect((await runs.begun(other.id, 2))?.request).toBe(wishOf(2).request);
    expect((await runs.rows(other.id)).map(({ body }) => body)).toEqual([about(1).body, about(2).body]);
    expect((await found(runs, other)).forgotten).toBeUndefined();
  });

  it('was changed last when a row of it was; to forget it is no change', async () => {
    const run = await paidRun(runs);
    const first = await runs.lastChange(run.id);
    await kept.pass(60_000);
    await runs.forget(run.id, TERMS);
    expect(await runs.lastChange(run.id)).toBe(first);
    await runs.observe(run.id, [{ externalId: 'wages-2026-11-2', news: { state: 'refunded' } }], anything);
    expect(await runs.lastChange(run.id)).toBeGreaterThan(first - 1);
    expect(await runs.forget('nobody', TERMS)).toBe(false);
  });
});
