/** The ceiling of a profile by day, over a real sandbox: every way to pay is counted, once, and given back where it was not applied. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  answering,
  credentials,
  type Intercept,
  loginArgv,
  lost,
  noAccount,
  only,
  paymentFlags,
  paymentJson,
  type Run,
  type RunOptions,
  unreachable,
  useBench,
  writesOf,
} from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const run = (argv: string | readonly string[], options: RunOptions = {}): Promise<Run> =>
  bench.run(argv, { ...options, env: { ...noAccount, ...options.env } });
const DAY_MS = 24 * 3_600_000;

/** One payment costs 14.99 EUR. */
const ceiling = async (amount: string): Promise<void> => {
  const set = await run(`profiles set shop max_per_day.EUR=${amount}`);
  expect(set.code, set.stderr).toBe(0);
};
beforeEach(async () => {
  const made = await run(loginArgv('--profile', 'shop', '--secret-stdin', '--no-keychain', '--no-check'), {
    stdin: credentials.secret,
  });
  expect(made.code, made.stderr).toBe(0);
});

const writes = (made: Run) =>
  writesOf(made)
    .map(({ path }) => path)
    .filter((path) => path !== '/transactions/calculate');
const create = ['tx', 'create', ...paymentFlags('customer-1'), '-o', 'json'];
/** A payment of its own each time, or that of an id. */
const pay = (id: string | undefined, ...more: string[]) =>
  run([
    ...[...create, '--fund', '--max-input', '20', '--new-payment'],
    ...(id === undefined ? [] : ['--external-id', id]),
    ...more,
  ]);
const made = async (id: string): Promise<string> =>
  (await run([...create, '--external-id', id])).data<{ id: string }>().id;
const balance = async (): Promise<string> =>
  (await run('balance EUR -o json')).data<{ amount: string }>().amount;
const refused = (one: Run, left: string, what = '14.99'): void => {
  expect([one.code, writes(one)]).toEqual([2, []]);
  expect(one.stderr).toContain(`${what} EUR is refused: profile \\"shop\\" allows at most`);
  expect(one.stderr).toContain(`${left} EUR of it is left (max_per_day)`);
};
const isDebit = ({ url }: { url: string }) => url.endsWith('/accounts/debits');
/** The rate is better when it is calculated than when it is paid: 9.99 EUR, and then 14.99. */
const rateMoves: Intercept = async (request, next) => {
  const answer = await next(request);
  if (!request.url.endsWith('/transactions/calculate')) return answer;
  return { ...answer, body: answer.body.replaceAll('14.99', '9.99') };
};

describe('tx create --fund', () => {
  it('pays up to the ceiling, then says when there is room, and has room a day later', async () => {
    await ceiling('29.98');
    for (const id of ['wages-1', 'wages-2']) expect((await pay(id)).code).toBe(0);
    const over = await pay('wages-3');
    refused(over, '0.00');
    expect(over.error()).toMatchObject({
      code: 'max_per_day',
      outcome: 'not applied',
      hint: expect.stringMatching(
        /^there is room for it from \d{4}-\d\d-\d\d \d\d:\d\d UTC; if it is meant: remit profiles set shop max_per_day.CURRENCY=AMOUNT$/,
      ),
    });
    machine.ms += DAY_MS;
    expect((await pay('wages-3')).code).toBe(0);
    expect(await balance()).toBe('249955.03');
  });

  it('is paid by a debit of a known amount, with no other limit', async () => {
    await ceiling('20');
    const paid = await run([...create, '--fund'], { tty: true, stdin: 'y\r' });
    expect(paid.code, paid.stderr).toBe(0);
    expect(writes(paid)).toEqual(['/transactions', '/accounts/debits']);
    const shown = await run([...create, '--fund', '--dry-run']);
    expect(shown.stderr).toContain('a debit of exactly that, at most 20.00 EUR');
  });

  it('counts one external id once, also when it was paid and is asked for again', async () => {
    await ceiling('14.99');
    expect((await pay('wages-1')).code).toBe(0);
    const again = await run([...create, '--fund', '--max-input', '20', '--external-id', 'wages-1']);
    expect([again.code, writes(again)]).toEqual([0, ['/transactions']]);
    refused(await pay('wages-2'), '0.00');
    expect(await balance()).toBe('249985.01');
    // A day later it is asked for again, and paid by nobody: the day is free for another.
    machine.ms += DAY_MS;
    expect((await pay('wages-1')).code).toBe(0);
    expect((await pay('wages-2')).code).toBe(0);
  });

  it('is refused before the debit where the rate moved beyond what is left; the same command goes on', async () => {
    await ceiling('26');
    expect((await pay('wages-1')).code).toBe(0);
    bench.intercept(rateMoves);
    const moved = await pay('wages-2');
    expect([moved.code, writes(moved)]).toEqual([2, ['/transactions']]);
    expect(moved.error()).toMatchObject({
      code: 'max_per_day',
      message: expect.stringContaining('14.99 EUR is refused'),
      outcome: 'not applied',
      hint: expect.stringContaining('the same command goes on with it'),
    });
    bench.restore();
    expect(await balance()).toBe('249985.01');
    await ceiling('29.98');
    const paid = await pay('wages-2');
    expect([paid.code, writes(paid)]).toEqual([0, ['/transactions', '/accounts/debits']]);
    refused(await pay('wages-3'), '0.00');
  });

  it('gives back what was not applied, and nothing of what is unknown', async () => {
    await ceiling('14.99');
    for (const intercept of [
      only(isDebit, unreachable),
      only(({ url }) => url.endsWith('/v1/transactions'), unreachable),
    ]) {
      bench.intercept(intercept);
      const away = await pay('wages-1');
      expect([away.code, away.error()]).toEqual([75, expect.objectContaining({ outcome: 'not applied' })]);
      bench.restore();
    }
    expect((await run('profiles')).stdout).toContain('at most 14.99 EUR a day');
    bench.intercept(only(isDebit, lost));
    expect((await pay('wages-2')).code).toBe(9);
    bench.restore();
    refused(await pay('wages-3'), '0.00');
  });

  it('refuses a currency that has no ceiling; without --fund nothing counts, and tx fund does', async () => {
    await run('profiles set shop max_per_day.GBP=1000');
    const other = await pay('wages-1');
    expect([other.code, writes(other)]).toEqual([2, []]);
    expect(other.stderr).toContain('allows GBP only (max_per_day)');
    await ceiling('14.99');
    const [first, second] = [await made('wages-1'), await made('wages-2')];
    expect((await run(['tx', 'fund', first])).code).toBe(0);
    const over = await run(['tx', 'fund', second, '-o', 'json']);
    refused(over, '0.00');
  });
});

describe('tx fund', () => {
  it('of several is let through together, or not at all; one that did not leave is given back', async () => {
    await ceiling('29.98');
    for (const id of ['wages-1', 'wages-2', 'wages-3']) await made(id);
    const all = await run('tx fund wages-1 wages-2 wages-3 --max-input 50 -o json');
    expect([all.code, writes(all)]).toEqual([2, []]);
    expect(all.error().message).toBe(
      '44.97 EUR is refused: profile "shop" allows at most 29.98 EUR in 24 hours (max_per_day)',
    );
    let debits = 0;
    bench.intercept((request, next) => {
      if (isDebit(request)) debits += 1;
      return debits === 2 && isDebit(request) ? unreachable(request, next) : next(request);
    });
    const two = await run('tx fund wages-1 wages-2 --max-input 50 -o json');
    expect(two.data<{ ending: string }[]>().map(({ ending }) => ending)).toEqual(['funded', 'not funded']);
    bench.restore();
    expect((await run('tx fund wages-3')).code).toBe(0);
    refused(await run('tx fund wages-2 -o json'), '0.00');
  });

  it('that was stopped before all were sent gives back those that were not', async () => {
    await ceiling('29.98');
    for (const id of ['wages-1', 'wages-2', 'wages-3']) await made(id);
    const stop = new AbortController();
    bench.intercept((request, next) => {
      if (isDebit(request)) stop.abort();
      return next(request);
    });
    const two = await run('tx fund wages-1 wages-2 --max-input 50 -o json', { interrupt: stop.signal });
    expect(two.data<{ ending: string }[]>().map(({ ending }) => ending)).toEqual(['funded', 'not funded']);
    bench.restore();
    expect((await run('tx fund wages-3')).code).toBe(0);
    refused(await run('tx fund wages-2 -o json'), '0.00');
  });

  it('goes on with what tx create counted', async () => {
    await ceiling('14.99');
    bench.intercept(only(isDebit, lost));
    expect((await pay('wages-1')).code).toBe(9);
    bench.restore();
    const [{ id = '' } = {}] = (await run('history -o json')).data<{ id?: string }[]>();
    expect((await run(['history', 'settle', id])).code).toBe(0);
    expect(await balance()).toBe('249985.01');
    refused(await pay('wages-2'), '0.00');
  });
});

it('raw calls count by their transaction; a creation alone does not, and what nobody can read is refused', async () => {
  await ceiling('29.98');
  const debit = async (id: string, amount = '14.99') =>
    run([
      ...['api', 'POST', '/accounts/debits', '--data'],
      JSON.stringify({ debit: { to_id: id, to_type: 'Transaction', amount, currency: 'EUR' } }),
    ]);
  const raw = (name: string, external_id: string) =>
    run([
      'api',
      name,
      '--data',
      JSON.stringify({ transaction: { external_id, metadata: {}, ...paymentJson() } }),
    ]);
  const [first, second] = [await made('wages-1'), await made('wages-2')];
  bench.intercept(only(isDebit, unreachable));
  expect((await debit(second)).code).toBe(75);
  bench.restore();
  // What the service refuses is given back too.
  const wrong = await debit(second, '14.98');
  expect([wrong.code, writes(wrong)]).toEqual([5, ['/accounts/debits']]);
  expect((await debit(first)).code).toBe(0);
  // It stands, and is counted once.
  expect((await debit(first)).code).toBe(0);
  expect((await raw('transactions.create_and_fund', 'raw-1')).code).toBe(0);
  for (const over of [await debit(second), await raw('transactions.create_and_fund', 'raw-2')]) {
    expect([over.code, writes(over)]).toEqual([2, []]);
    expect(over.stderr).toContain('0.00 EUR of it is left (max_per_day)');
  }
  expect((await raw('transactions.create', 'raw-3')).code).toBe(0);
  const unknown = await run(['api', 'POST', '/transfers', '--data', '{}']);
  expect([unknown.code, writes(unknown)]).toEqual([2, []]);
  expect(unknown.stderr).toContain('(max_per_day)');
});

it('settling counts what it may send again, and looking is free', async () => {
  bench.intercept(only(isDebit, lost));
  expect((await pay('wages-1')).code).toBe(9);
  bench.restore();
  await ceiling('14.98');
  const [{ id = '' } = {}] = (await run('history -o json')).data<{ id?: string }[]>();
  const over = await run(['history', 'settle', id]);
  expect([over.code, writes(over)]).toEqual([2, []]);
  expect(over.stderr).toContain('allows at most 14.98 EUR in 24 hours (max_per_day)');
  expect((await run(['history', 'settle', id, '--look'])).code).toBe(9);
  await ceiling('14.99');
  expect((await run(['history', 'settle', id])).code).toBe(0);
  refused(await pay('wages-2'), '0.00');
});

describe('a pay run', () => {
  async function plan(name: string, from = 0): Promise<void> {
    const path = join(bench.dir, `${name}.csv`);
    writeFileSync(path, fileOfRows(6, { from }));
    const planned = await run(`batch plan ${path} --name ${name} --max-input EUR=1000 -o json`);
    expect(planned.code, planned.stderr).toBe(0);
  }
  /** The cost of all of its rows, by the refusal. */
  async function costOf(name: string): Promise<string> {
    await ceiling('0.01');
    const { message } = (await run(['batch', 'run', name, '-o', 'json'])).error();
    return /^(\d\.\d\d) EUR is refused/.exec(message)?.[1] ?? '';
  }

  it('that goes on after a pause is counted once; another one is refused, though it may be approved', async () => {
    await plan('wages');
    await plan('bonus', 6);
    // Enough for either of the two, and not for one and two thirds of it.
    const cost = await costOf('bonus');
    expect(cost).toMatch(/^3\.6/);
    await ceiling(cost);
    let rows = 0;
    bench.intercept(async (request, next) => {
      if (request.url.endsWith('/create_and_fund')) rows += 1;
      if (request.url.endsWith('/create_and_fund') && rows === 3)
        await run('sandbox fail corridor-inactive --corridor NGN::Bank --always');
      return next(request);
    });
    const first = await run('batch run wages --in-flight 1 -o json');
    expect(first.code, first.stderr).toBe(8);
    const status = async () =>
      (await run('batch status wages -o json')).data<{ states: Record<string, number>; state: string }>();
    expect((await status()).states).toMatchObject({ planned: 4 });
    bench.restore();
    await run('sandbox faults --clear');
    const bonus = await run('batch run bonus -o json');
    expect([bonus.code, writes(bonus)]).toEqual([2, []]);
    expect(bonus.stderr).toContain('(max_per_day)');
    const went = await run('batch run wages -o json');
    expect(went.code, went.stderr).toBe(0);
    // Approving pays nothing, so the day is not asked; whoever pays it is.
    const digest = (await run('batch status bonus -o json')).data<{ digest: string }>().digest;
    const approved = await run(['batch', 'approve', 'bonus', '--digest', digest, '-o', 'json']);
    expect(approved.code, approved.stderr).toBe(0);
    machine.ms += DAY_MS;
    const later = await run('batch run bonus -o json');
    expect([later.code, writes(later).length], later.stderr).toEqual([0, 6]);
  });

  it('whose rows are settled takes nothing more of the day', async () => {
    await plan('wages');
    await ceiling(await costOf('wages'));
    // Nothing arrives, and nobody can look.
    bench.intercept((request, next) => {
      if (request.url.endsWith('/create_and_fund')) return answering(503)(request, next);
      return request.url.includes('/transactions?') ? answering(503)(request, next) : next(request);
    });
    expect((await run('batch run wages -o json')).code).toBe(9);
    bench.restore();
    const settled = await run('batch settle wages -o json');
    // The last row waited for what became of the others, and was never sent.
    expect([settled.code, writes(settled).length], settled.stderr).toEqual([8, 5]);
  });
});
