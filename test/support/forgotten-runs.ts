/** Runs of people who must leave the store, and what is looked for afterwards. */
import type { NewRow, PayRun, PayRuns, RowState } from '../../src/runs/store/port.ts';
import { approved, BASE_URL, newIntent, newRows, printed } from './payrun-stores.ts';

export const LEASE = 30_000;
export const UNENDED: readonly RowState[] = ['planned', 'sending', 'unknown', 'in_error'];
export const TERMS = { unless: UNENDED, plan: '{"version":1}' };
const ACCOUNT = 4_477_000_000_000_000;
/** Whoever is paid: texts that are nowhere else. */
export const PERSONS = [
  'Adaobi Nwosu',
  '0123984755',
  'wrong holder',
  'content-of-',
  'digest-of-',
  'A. N. ••••',
];
export const about = (n: number): Partial<NewRow> => ({
  body: `{"name":"Adaobi Nwosu ${n}","bank_account":"0123984755${n}"}`,
  content: `content-of-${n}`,
  account: printed(ACCOUNT + n),
});
export const wishOf = (n: number, over = {}) =>
  newIntent(n, {
    digest: `digest-of-${n}`,
    payer: 'new:0123984755',
    summary: `5000 NGN to A. N. ••••${n}`,
    request: JSON.stringify(about(n).body),
    ...over,
  });
export const anything = (): boolean => true;

/** Every row of it was paid for, and the first failed: the service's words name somebody. */
export async function paidRun(runs: PayRuns, rows = 3, name = 'wages'): Promise<PayRun> {
  const run = await approved(runs, newRows(rows, about), { name, windowSize: 100_000 });
  const lease = await runs.take(run.id, 'w1', { after: -1, leaseMs: LEASE });
  if (!lease) throw new Error('no window to take');
  const first = await runs.open(lease, 1, wishOf(1));
  if (first === 'lost') throw new Error('lost');
  // A first try that never left, then one that was paid.
  await runs.close(
    lease,
    1,
    first.opened.id,
    { state: 'not_applied', note: 'wrong holder' },
    { state: 'planned' },
  );
  for (let n = 1; n <= Math.min(rows, 3); n++) {
    const one = await runs.open(lease, n, wishOf(n));
    if (one === 'lost') throw new Error('lost');
    const news = { transactionId: `t-${n}`, recipientId: `r-${n}`, cost: '3.20', arrives: '5000' };
    await runs.close(
      lease,
      n,
      one.opened.id,
      { state: 'applied', resultId: `t-${n}`, note: 'wrong holder' },
      news,
    );
  }
  const why = { code: '416', why: 'wrong holder: Adaobi Nwosu' };
  const seen = newRows(rows).map(({ externalId }) => ({
    externalId,
    news: { state: 'paid', ...why } as const,
  }));
  await runs.observe(run.id, seen, anything);
  await runs.giveBack(lease);
  await runs.move(run.id, ['approved'], 'paused', 'wrong holder');
  return run;
}

export const found = async (runs: PayRuns, { id }: PayRun): Promise<PayRun> => {
  const [run] = await runs.find(BASE_URL, id);
  if (!run) throw new Error('the run is there');
  return run;
};

/** More rows than are emptied in one transaction. */
export const MANY = 1200;
export const WORDS = ['Adaobi Nwosu', '0123984755', 'wrong holder', 'content-of-', 'digest-of-'];
