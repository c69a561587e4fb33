/** Rows that this run did not pay from here, in every store: found by the plan, at the send, and in a list. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease, PayRuns, RowNews } from '../../src/runs/store/port.ts';
import {
  approved,
  BASE_URL,
  drafted,
  everyStore,
  type KeptRuns,
  newIntent,
  newRows,
  planned,
} from '../support/payrun-stores.ts';

const mayBecome = (): boolean => true;
const APPLIED = { state: 'applied', resultId: 't-1' } as const;

describe.each(everyStore())('rows that were found, %s', (_name, make) => {
  let kept: KeptRuns;
  let runs: PayRuns;
  beforeEach(async () => {
    kept = await make();
    runs = kept.runs;
  });
  afterEach(() => kept.close());

  const seen = (n: number, over: RowNews = {}) => ({
    externalId: `wages-2026-11-${n}`,
    news: { state: 'paid', transactionId: `t-${n}`, cost: '3.10', arrives: '5000', ...over } as RowNews,
  });
  const states = async (id: string) =>
    (await runs.rows(id)).map(({ state, found, transactionId }) => [state, found, transactionId]);
  const begun = async (id: string, n: number): Promise<{ lease: Lease; intent: string }> => {
    const lease = await runs.take(id, 'w1', { after: -1, leaseMs: 30_000 });
    if (!lease) throw new Error('no window');
    const opened = await runs.open(lease, n, newIntent(n));
    if (opened === 'lost') throw new Error('lost');
    return { lease: lease, intent: opened.opened.id };
  };

  it('the rows of a draft are read and heard of before it is a run, and keep what was heard', async () => {
    const draft = await drafted(runs, newRows(6));
    const id = await draft.keep();
    expect((await runs.rows(id)).map(({ n, body }) => [n, body])).toEqual(
      newRows(6).map(({ n, body }) => [n, body]),
    );
    await runs.observe(id, [seen(1, { found: 'before' }), seen(4, { found: 'elsewhere' })], mayBecome);
    const made = await draft.finish({ digest: 'd', plan: '{}' });
    expect(made).toMatchObject({ kind: 'made', run: { id, rows: 6, acceptedBefore: undefined } });
    expect((await states(id)).slice(0, 4)).toEqual([
      ['paid', 'before', 't-1'],
      ['planned', undefined, undefined],
      ['planned', undefined, undefined],
      ['paid', 'elsewhere', 't-4'],
    ]);
    expect(await runs.found(id)).toEqual([
      { found: 'before', state: 'paid', inputCurrency: 'EUR', rows: 1, cost: '3.10', estimate: '3.17' },
      { found: 'elsewhere', state: 'paid', inputCurrency: 'EUR', rows: 1, cost: '3.10', estimate: '3.17' },
    ]);
    expect((await runs.sums(id)).reduce((all, { rows }) => all + rows, 0)).toBe(6);
  });

  it('sums are those of one run alone, by whose they are, state and currency', async () => {
    const run = await planned(
      runs,
      newRows(4, (n) => ({ inputCurrency: n === 4 ? 'GBP' : 'EUR' })),
    );
    const other = await planned(runs, newRows(2), { name: 'other' });
    const all = [1, 2, 3, 4].map((n) => seen(n, { found: 'before', ...(n === 3 && { state: 'refunded' }) }));
    await runs.observe(run.id, all, mayBecome);
    const sums = await runs.found(run.id);
    expect(sums.map(({ state, inputCurrency, rows, cost }) => [state, inputCurrency, rows, cost])).toEqual([
      ['paid', 'EUR', 2, '6.20'],
      ['paid', 'GBP', 1, '3.10'],
      ['refunded', 'EUR', 1, '3.10'],
    ]);
    expect(await runs.found(other.id)).toEqual([]);
  });

  it('what is heard of a row that was ever sent is ours', async () => {
    const run = await approved(runs, newRows(2));
    const { lease, intent } = await begun(run.id, 1);
    await runs.close(lease, 1, intent, { state: 'not_applied' }, { state: 'planned' });
    await runs.observe(run.id, [seen(1, { found: 'before' }), seen(2, { found: 'before' })], mayBecome);
    expect(await states(run.id)).toEqual([
      ['paid', undefined, 't-1'],
      ['paid', 'before', 't-2'],
    ]);
  });

  it('what was found stays so, whatever is heard of it later', async () => {
    const run = await planned(runs, newRows(1));
    await runs.observe(run.id, [seen(1, { state: 'created', found: 'before' })], mayBecome);
    await runs.observe(run.id, [seen(1, { state: 'paid', found: 'elsewhere' })], mayBecome);
    await runs.observe(run.id, [seen(1, { state: 'refunded' })], mayBecome);
    expect(await states(run.id)).toEqual([['refunded', 'before', 't-1']]);
  });

  it('is kept with the end of the only send; the end of any other says nothing of it', async () => {
    const run = await approved(runs, newRows(2));
    const first = await begun(run.id, 1);
    await runs.close(first.lease, 1, first.intent, APPLIED, {
      state: 'created',
      transactionId: 't-1',
      found: 'before',
    });
    const opened = await runs.open(first.lease, 2, newIntent(2));
    if (opened === 'lost') throw new Error('lost');
    await runs.close(
      first.lease,
      2,
      opened.opened.id,
      { ...APPLIED, resultId: 't-2' },
      {
        state: 'created',
        transactionId: 't-2',
      },
    );
    expect(await states(run.id)).toEqual([
      ['created', 'before', 't-1'],
      ['created', undefined, 't-2'],
    ]);
  });

  it('how many were accepted is kept with the run, for every process', async () => {
    const run = await planned(runs, newRows(1));
    const other = await planned(runs, newRows(1), { name: 'other' });
    await runs.acceptBefore(run.id, 3);
    expect(await kept.other.find(BASE_URL, run.id)).toMatchObject([{ acceptedBefore: 3 }]);
    expect(await kept.other.find(BASE_URL, other.id)).toMatchObject([{ acceptedBefore: undefined }]);
  });
});
