/** A payment that an agent was refused as alike is paid by no run of its rows either; whom each payment paid is compared before anything is left out. */
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { payment, signIn, useAgents } from '../support/agents.ts';
import { bankDetails, useBench, words } from '../support/cli.ts';

const bench = useBench({ sender: true });
const open = useAgents(bench);
beforeEach(() => signIn(bench, 'local', { settings: ['agent=sandbox'] }));

/** Payments that the sandbox has, by its own ledger. */
async function paid(): Promise<string[]> {
  const list = await bench.run(['tx', 'list', '--all', '-o', 'json']);
  return list
    .data<{ external_id: string }[]>()
    .map(({ external_id }) => external_id)
    .sort();
}

/** Pays 25,000 NGN by hand. */
async function byHand(id: string, account: string, ...amount: string[]): Promise<void> {
  const flags = words('--input-currency EUR --type NGN::Bank --sender customer-1 --fund --max-input 20');
  const sum = amount.length > 0 ? amount : ['--amount', '25000'];
  const made = await bench.run([
    'tx',
    'create',
    ...flags,
    ...sum,
    ...bankDetails(account),
    '--external-id',
    id,
  ]);
  expect(made.code, made.stderr).toBe(0);
}

const HEADER = 'key,amount,first_name,last_name,bank_code,bank_account';
const run = (rows: readonly string[], more: object = {}) => ({
  ...{ name: 'one', csv: `${[HEADER, ...rows].join('\n')}\n`, most: { EUR: '900' } },
  ...{ type: 'NGN::Bank', pays_in: 'EUR', sender: 'customer-1' },
  ...more,
});
const ROW = 'row-1,25000,Ada,Obi,044,0123456700';
/** Rows of other amounts. */
const others = (count: number) =>
  Array.from({ length: count }, (_, n) => `other-${n},${3_000 + n},Ben,Ode,044,01234${10_000 + n}`);

describe('a run of one row', () => {
  it('that an agent was refused is not there for a person to run, and neither is one of thirty rows', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    const { transaction_id: id } = await agent.call('carry_out', { handle });
    expect(await agent.call('plan_payment', payment({ reference: 'Order 9' }))).toMatchObject({
      state: 'alike',
    });
    for (const rows of [[ROW], [...others(29), ROW]]) {
      expect(await agent.call('plan_run', run(rows))).toMatchObject({ state: 'alike', earlier: [{ id }] });
      expect((await bench.run(['batch', 'run', 'one', '--yes'])).code).toBe(6);
    }
    const meant = await agent.call('plan_run', run([ROW], { not_the_same_as: [id] }));
    expect(meant, JSON.stringify(meant)).toMatchObject({ state: 'planned' });
    expect(meant.lines[0]).toMatch(/^PAID AGAIN: 1 row /);
    expect(await paid()).toEqual(['inv-17']);
  });

  it('beside a plan of the same leaves no run behind', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    expect(await agent.call('plan_run', run([ROW]))).toMatchObject({
      state: 'alike',
      earlier: [{ id: handle }],
    });
    expect((await bench.run(['batch', 'status', 'one'])).code).toBe(6);
  });

  it('is not carried out where the payment came since, though it was planned again', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_run', run([...others(24), ROW]));
    await byHand('by-hand', '0123456700');
    const earlier = [expect.objectContaining({ reference: 'by-hand' })];
    expect(await agent.call('carry_out', { handle })).toMatchObject({ state: 'alike', earlier });
    expect(await agent.call('plan_run', run([...others(24), ROW]))).toMatchObject({
      state: 'alike',
      earlier,
    });
    expect(await paid()).toEqual(['by-hand']);
  });
});

it('a row that was handed on to a file may be paid from it', async () => {
  const agent = await open();
  const { handle } = await agent.call('plan_run', run([ROW]));
  expect(handle).not.toBeNull();
  const handed = await bench.run(['batch', 'remaining', 'one', '--hand-on', join(bench.dir, 'rest.csv')]);
  expect(handed.code, handed.stderr).toBe(0);
  const names = { not_the_same_as: [handle] };
  expect(await agent.call('plan_payment', payment(names))).toMatchObject({
    ...{ state: 'alike', earlier: [{ from: 'row', id: 'one:row-1', state: 'handed_on' }] },
  });
  expect(await paid()).toEqual([]);
});

it('is seen behind thirty newer payments of the same amount', async () => {
  await byHand('first', '0123456700');
  const rows = Array.from({ length: 30 }, (_, n) => `row-${n},25000,Ben,Ode,044,01234${10_000 + n}`);
  const agent = await open();
  const planned = await agent.call('plan_run', run(rows));
  expect(await agent.call('carry_out', { handle: planned.handle })).toMatchObject({ outcome: 'applied' });
  expect((await agent.call('plan_payment', payment())).earlier).toMatchObject([{ reference: 'first' }]);
});

it('an account in another form, and an amount in the other currency, are the same payment', async () => {
  await byHand('in-euros', '0123456700', '--amount', '14.95', '--currency', 'EUR');
  const agent = await open();
  const alike = { state: 'alike', earlier: [{ reference: 'in-euros' }] };
  expect(await agent.call('plan_payment', payment({}, '0123-4567 00'))).toMatchObject(alike);
  expect(await agent.call('plan_payment', payment({ amount: '26500' }))).toMatchObject({ state: 'planned' });
});

it('not_the_same_as names something that exists', async () => {
  const agent = await open();
  for (const name of ['made-up', '3f0c3f5e-0000-4000-8000-000000000000'])
    expect(await agent.call('plan_payment', payment({ not_the_same_as: [name] }))).toMatchObject({
      outcome: 'not_applied',
      problem: { code: 'names_nothing' },
    });
});

it('a list of more than fifty pages is read so far, and a plan says what was not looked through', async () => {
  await byHand('other', '0123456799');
  const agent = await open();
  let pages = 0;
  let first: object = {};
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    if (!new URL(request.url).pathname.endsWith('/recipients')) return answer;
    pages += 1;
    if (pages === 1) [first] = JSON.parse(answer.body).object;
    const object = [{ ...first, id: `r-${pages}`, transaction_id: `t-${pages}` }];
    return { ...answer, body: JSON.stringify({ object, meta: { pagination: { next_page: pages + 1 } } }) };
  });
  const planned = await agent.call('plan_payment', payment());
  expect([pages, planned.state]).toEqual([50, 'planned']);
  expect(planned.lines[0]).toMatch(/^NOT LOOKED THROUGH .*before the newest 50 /);
});
