/** Plans of agents: the same wish is one plan and one payment, and the same payment by another name is asked about. */
import { beforeEach, describe, expect, it } from 'vitest';
import { asProfile, held, openAgent, payment, revisions, signIn, useAgents } from '../support/agents.ts';
import {
  answering,
  isWriteRequest,
  lost,
  lostAfter,
  only,
  unreachable,
  useBench,
  words,
  writesLost,
} from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench({ sender: true });
const open = useAgents(bench);
beforeEach(() => signIn(bench, 'local', { settings: ['agent=sandbox'] }));

/** Payments that the sandbox has, by its own ledger. */
async function paid(): Promise<string[]> {
  const list = await bench.run(['tx', 'list', '--all', '-o', 'json']);
  const rows = list.data<{ external_id: string; state: string; refunded_amount: string }[]>();
  return rows.map(({ external_id, state }) => `${external_id} ${state}`).sort();
}

const DAY_MS = 24 * 3_600_000;
const days = (by: number) => bench.run(['sandbox', 'clock', 'advance', `${by}d`]);

describe.each(revisions)('revision %s', (revision) => {
  it('plans, carries out once, and says what stands', async () => {
    const agent = await open({ revision });
    const planned = await agent.call('plan_payment', payment());
    expect(planned).toMatchObject({ outcome: 'not_applied', state: 'planned', costs_currency: 'EUR' });
    expect(planned.says).toMatch(/^NOT APPLIED\. It is planned, and nothing was sent\. It would cost \d/);
    expect(planned.next).toEqual({ tool: 'carry_out', handle: planned.handle });
    expect(await paid()).toEqual([]);
    const [first, again] = [
      await agent.call('carry_out', { handle: planned.handle }),
      await agent.call('carry_out', { handle: planned.handle }),
    ];
    expect([first.outcome, again.outcome, again.transaction_id]).toEqual([
      'applied',
      'applied',
      first.transaction_id,
    ]);
    expect(await agent.call('status', { handle: planned.handle })).toMatchObject({ outcome: 'applied' });
    expect(await paid()).toEqual(['inv-17 paid']);
  });
});

describe('the same wish', () => {
  it('has one handle, however it is spelt', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    const details = { bank_account: '0123-4567 00', last_name: ' OBI', first_name: 'ada', bank_code: '044' };
    for (const other of [
      payment({ reference: 'inv 17' }),
      payment({ amount: '25000.0' }),
      payment({ amount: '24999.2' }),
      payment({ pays_in: 'eur', details }),
    ])
      expect((await agent.call('plan_payment', other)).handle).toBe(handle);
  });

  it('by two agents is one plan and one payment, carried out at once', async () => {
    const [one, two] = [await open({ name: 'one' }), await open({ name: 'two' })];
    const plans = await Promise.all([
      one.call('plan_payment', payment()),
      two.call('plan_payment', payment()),
    ]);
    const [handle] = plans.map((plan) => plan.handle);
    expect(new Set(plans.map((plan) => plan.handle)).size).toBe(1);
    const ended = await Promise.all([one.call('carry_out', { handle }), two.call('carry_out', { handle })]);
    expect(ended.map(({ outcome }) => outcome).sort()).not.toContain('not_applied');
    expect(await paid()).toEqual(['inv-17 paid']);
    expect(await two.call('status', { handle })).toMatchObject({ outcome: 'applied' });
  });

  it('under a reference that names another payment is refused, and so is one whose payment came back', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    await agent.call('carry_out', { handle });
    const other = await agent.call('plan_payment', payment({ amount: '30000' }));
    expect(other).toMatchObject({ outcome: 'not_applied', state: 'taken', handle: null, now: 'paid' });
    const failing = await agent.call('plan_payment', payment({ reference: 'INV-18' }, '0123456719'));
    const { transaction_id: id } = await agent.call('carry_out', { handle: failing.handle });
    const cancelled = await bench.run(['tx', 'cancel', id, '--yes', '--wait']);
    expect(cancelled.code, cancelled.stderr).toBe(0);
    const used = await agent.call('plan_payment', payment({ reference: 'INV-18' }, '0123456719'));
    expect(used).toMatchObject({ outcome: 'not_applied', state: 'not_applied', handle: null });
    expect(used.says).toContain('This reference was used');
  });

  it('lives for three days of the service’s time; then it is planned again, under the same name', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    // What this machine says of the time decides nothing.
    machine.ms += 4 * DAY_MS;
    await days(2);
    expect(await agent.call('status', { handle })).toMatchObject({ state: 'planned' });
    await days(1);
    expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'not_applied' });
    expect(await paid()).toEqual([]);
    expect((await agent.call('plan_payment', payment())).handle).toBe(handle);
    expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'applied' });
  });
});

describe('the same payment by another name', () => {
  it('is not planned beside a plan, a payment of an agent, and one of a person', async () => {
    const [one, two] = [await open({ name: 'one' }), await open({ name: 'two' })];
    const { handle } = await one.call('plan_payment', payment());
    const beside = await two.call('plan_payment', payment({ reference: 'Order 9' }));
    expect(beside).toMatchObject({ outcome: 'not_applied', state: 'alike', handle: null });
    expect(beside.earlier).toEqual([expect.objectContaining({ id: handle, from: 'plan', state: 'planned' })]);
    const { transaction_id: id } = await one.call('carry_out', { handle });
    const after = await two.call('plan_payment', payment({ reference: 'Order 9' }));
    expect(after.earlier).toEqual([
      expect.objectContaining({ id, from: 'payment', state: 'paid', reference: 'inv-17' }),
    ]);
    const flags = words('--input-currency EUR --amount 7000 --type NGN::Bank --sender customer-1');
    const details = { first_name: 'Ben', last_name: 'Ode', bank_code: '044', bank_account: '0123456700' };
    const named = Object.entries(details).flatMap(([name, value]) => ['--detail', `${name}=${value}`]);
    const byHand = [
      'tx',
      'create',
      ...flags,
      ...named,
      '--external-id',
      'by-hand',
      '--fund',
      '--max-input',
      '20',
    ];
    expect((await bench.run(byHand)).code).toBe(0);
    const alike = await one.call('plan_payment', payment({ reference: 'Order 10', amount: '7000' }));
    expect(alike.earlier).toEqual([expect.objectContaining({ reference: 'by-hand', state: 'paid' })]);
    expect(await paid()).toEqual(['by-hand paid', 'inv-17 paid']);
  });

  it('goes on where somebody named all that it is not, by a plan or by its payment', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    const { transaction_id: id } = await agent.call('carry_out', { handle });
    for (const [reference, name] of [
      ['Order 9', handle],
      ['Order 10', id],
    ] as const) {
      const before = await agent.call('plan_payment', payment({ reference }));
      const names = [name, ...before.earlier.map((one: { id: string }) => one.id)];
      const planned = await agent.call('plan_payment', payment({ reference, not_the_same_as: names }));
      expect(planned.state).toBe('planned');
      expect(await agent.call('carry_out', { handle: planned.handle })).toMatchObject({ outcome: 'applied' });
    }
    expect(await paid()).toEqual(['inv-17 paid', 'order-10 paid', 'order-9 paid']);
  });

  it('that came after the plan stops it', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    const [command] = [
      ['tx', 'create', '--input-currency', 'EUR', '--amount', '25000', '--type', 'NGN::Bank'],
    ];
    const who = ['--sender', 'customer-1', '--detail', 'first_name=Ada', '--detail', 'last_name=Obi'];
    const where = ['--detail', 'bank_code=044', '--detail', 'bank_account=0123456700'];
    const made = await bench.run([
      ...command,
      ...who,
      ...where,
      '--external-id',
      'by-hand',
      '--fund',
      '--max-input',
      '20',
    ]);
    expect(made.code, made.stderr).toBe(0);
    expect(await agent.call('carry_out', { handle })).toMatchObject({
      outcome: 'not_applied',
      state: 'alike',
    });
    expect(await paid()).toEqual(['by-hand paid']);
  });

  it('does not count where its money came back', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment({}, '0123456719'));
    const { transaction_id: id } = await agent.call('carry_out', { handle });
    const again = payment({ reference: 'INV-17 again' }, '0123456719');
    expect(await agent.call('plan_payment', again)).toMatchObject({ state: 'alike' });
    expect((await bench.run(['tx', 'cancel', id, '--yes', '--wait'])).code).toBe(0);
    // Its plan stands for three days; behind that nothing is left that pays.
    await days(3);
    expect(await agent.call('plan_payment', again)).toMatchObject({ state: 'planned' });
  });

  it('is no refusal of what was paid: planned again, it is told, though no price can be had', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    await agent.call('carry_out', { handle });
    bench.intercept(only(({ url }) => url.endsWith('/calculate'), answering(503, '<html>')));
    expect(await agent.call('plan_payment', payment())).toMatchObject({ outcome: 'applied', handle });
  });

  it('stops counting after a week', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    await agent.call('carry_out', { handle });
    machine.ms += 8 * DAY_MS;
    await bench.run(['sandbox', 'clock', 'advance', '8d']);
    expect(await agent.call('plan_payment', payment({ reference: 'Order 9' }))).toMatchObject({
      state: 'planned',
    });
  });
});

/** The transaction is found or made; its debit is sent by carrying the plan out again, once. */
async function madeThenPaid(agent: Awaited<ReturnType<typeof open>>, handle: string): Promise<void> {
  const found = await agent.call('status', { handle });
  expect(found).toMatchObject({ outcome: 'not_applied', state: 'planned', next: { tool: 'carry_out' } });
  expect(found.says).toContain('created and is not paid');
  expect(await paid()).toEqual(['inv-17 approved']);
  for (let times = 0; times < 2; times += 1)
    expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'applied', state: 'applied' });
  expect(await paid()).toEqual(['inv-17 paid']);
}

describe('an answer that is lost', () => {
  it('is unknown, says which tool settles it, and is settled to one payment', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    // Writes arrive, and neither their answers nor any look does.
    bench.intercept(async (request, next) => {
      if (!isWriteRequest(request) || request.url.endsWith('/calculate')) return next(request);
      bench.intercept(lostAfter);
      return lostAfter(request, next);
    });
    const told = await agent.call('carry_out', { handle });
    expect(told).toMatchObject({ outcome: 'unknown', next: { tool: 'status', handle } });
    expect(told.says).toMatch(/^UNKNOWN\./);
    bench.restore();
    await madeThenPaid(agent, handle);
  });

  it('before it arrived is not planned anew under another name, and status sends it once', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    bench.intercept(writesLost);
    expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'unknown' });
    bench.restore();
    // However the amount is written: the service rounds it up.
    const beside = await agent.call('plan_payment', payment({ reference: 'Again 1', amount: '24999.5' }));
    expect(beside).toMatchObject({ state: 'alike', earlier: [{ from: 'request', state: 'unknown' }] });
    await madeThenPaid(agent, handle);
  });
});

it('a payment that the service makes for another payee is unknown to an agent, and never another; a person pays it', async () => {
  const agent = await open();
  const { handle } = await agent.call('plan_payment', payment());
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    if (!/\/transactions(?:$|[/?](?!calculate))/.test(request.url)) return answer;
    return { ...answer, body: answer.body.replaceAll('0123456700', '0123456799') };
  });
  for (const tool of ['carry_out', 'status', 'carry_out', 'plan_payment'])
    expect(await agent.call(tool, tool === 'plan_payment' ? payment() : { handle }), tool).toMatchObject({
      outcome: 'unknown',
      state: 'unknown',
    });
  expect(await paid()).toEqual(['inv-17 approved']);
  expect((await bench.run('tx fund inv-17 --yes')).code).toBe(0);
  bench.restore();
  expect(await agent.call('status', { handle })).toMatchObject({ outcome: 'applied' });
});

it('a payment that the service writes in another way is carried out', async () => {
  const agent = await open();
  const { handle } = await agent.call('plan_payment', payment());
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    return { ...answer, body: answer.body.replaceAll('"EUR"', '"eur"') };
  });
  expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'applied' });
  expect(await agent.call('status', { handle })).toMatchObject({ outcome: 'applied' });
});

describe('a service that is slower than an agent waits', () => {
  it('a payment goes on: it is under way, is not sent again, and is paid once', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    const { answers, hold } = held();
    let sent = 0;
    bench.intercept(
      only(
        (request) => isWriteRequest(request) && !request.url.endsWith('/calculate'),
        (request, next) => {
          sent += 1;
          return hold(request, next);
        },
      ),
    );
    for (const tool of ['carry_out', 'status', 'carry_out'])
      expect(await agent.call(tool, { handle }), tool).toMatchObject({
        outcome: 'unknown',
        state: 'under_way',
        next: { tool: 'status', handle },
      });
    expect([sent, await paid()]).toEqual([1, []]);
    answers();
    expect(await agent.call('status', { handle })).toMatchObject({ outcome: 'applied' });
    // The transaction, and its debit.
    expect([sent, await paid()]).toEqual([2, ['inv-17 paid']]);
  });

  it('a read is given up, in words', async () => {
    const agent = await open();
    const { answers, hold } = held();
    bench.intercept(hold);
    expect((await agent.call('balance')).error).toMatch(/longer than 20 seconds, and was given up/);
    answers();
    bench.restore();
    expect((await agent.call('balance')).error).toBeUndefined();
  });

  it('a look that is not over leaves the outcome unknown', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    bench.intercept(writesLost);
    await agent.call('carry_out', { handle });
    const { answers, hold } = held();
    bench.intercept(hold);
    expect(await agent.call('status', { handle })).toMatchObject({
      outcome: 'unknown',
      next: { tool: 'status' },
    });
    answers();
    bench.restore();
    await madeThenPaid(agent, handle);
  });
});

describe('what cannot be read', () => {
  it('is unknown, and never said to be not applied', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'applied' });
    for (const away of [unreachable, lost, answering(503, '<html>'), answering(401, '{}')]) {
      bench.intercept(away);
      for (const tool of ['status', 'carry_out'])
        expect(await agent.call(tool, { handle }), tool).toMatchObject({
          outcome: 'unknown',
          next: { tool: 'status', handle },
        });
    }
    bench.restore();
    expect(await agent.call('status', { handle })).toMatchObject({ outcome: 'applied' });
  });

  it('and a plan whose day is over is told by what became of it', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    await agent.call('carry_out', { handle });
    machine.ms += 2 * DAY_MS;
    await agent.call('plan_payment', payment({ reference: 'Order 2', amount: '900' }));
    for (const tool of ['status', 'carry_out'])
      expect(await agent.call(tool, { handle })).toMatchObject({ outcome: 'applied' });
    expect(await paid()).toEqual(['inv-17 paid']);
  });
});

it('a run is planned from rows, carried out, and not twice', async () => {
  const agent = await open();
  const csv = [
    'key,amount,first_name,last_name,bank_code,bank_account',
    ...[1, 2, 3].map((row) =>
      `row-${row},${2_000 + row},Ada,Obi,044,01234567${row}00`.replace(/(\d)00$/, '00'),
    ),
  ].join('\n');
  const asked = {
    name: 'wages',
    csv,
    type: 'NGN::Bank',
    pays_in: 'EUR',
    sender: 'customer-1',
    most: { EUR: '100' },
  };
  const planned = await agent.call('plan_run', asked);
  expect(planned, JSON.stringify(planned)).toMatchObject({ outcome: 'not_applied', state: 'planned' });
  const ended = await agent.call('carry_out', { handle: planned.handle });
  expect(ended, JSON.stringify(ended)).toMatchObject({ outcome: 'applied' });
  expect(await agent.call('carry_out', { handle: planned.handle })).toMatchObject({ outcome: 'applied' });
  expect(await paid()).toHaveLength(3);
});

describe('a run of a row that pays what another payment pays', () => {
  const csv = 'key,amount,first_name,last_name,bank_code,bank_account\nrow-1,25000,Ada,Obi,044,0123456700\n';
  const flags = { type: 'NGN::Bank', pays_in: 'EUR', sender: 'customer-1', most: { EUR: '100' } };
  const rows = (more: object = {}) => ({ name: 'one', csv, ...flags, ...more });

  it('is asked about beside a plan and beside its payment, and goes on where each was named', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    const beside = await agent.call('plan_run', rows());
    expect(beside).toMatchObject({ outcome: 'not_applied', state: 'alike', handle: null });
    expect(beside.earlier).toEqual([expect.objectContaining({ id: handle, from: 'plan' })]);
    const { transaction_id: id } = await agent.call('carry_out', { handle });
    const after = await agent.call('plan_run', rows());
    expect(after.earlier).toEqual([expect.objectContaining({ id, from: 'payment', reference: 'inv-17' })]);
    expect(await paid()).toEqual(['inv-17 paid']);
    const meant = await agent.call('plan_run', rows({ not_the_same_as: [id] }));
    expect(meant).toMatchObject({ state: 'planned' });
    expect(await agent.call('carry_out', { handle: meant.handle })).toMatchObject({ outcome: 'applied' });
    expect(await agent.call('plan_run', rows({ not_the_same_as: [id] }))).toMatchObject({ state: 'applied' });
    expect(await paid()).toEqual(['inv-17 paid', 'one:row-1 paid']);
  });

  it('is not paid where such a payment came after its plan, and a payment is asked about beside the plan of a run', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_run', rows());
    expect(await agent.call('plan_payment', payment())).toMatchObject({
      state: 'alike',
      earlier: [{ id: handle }],
    });
    const planned = await agent.call('plan_payment', payment({ not_the_same_as: [handle] }));
    expect(await agent.call('carry_out', { handle: planned.handle })).toMatchObject({ outcome: 'applied' });
    expect(await agent.call('carry_out', { handle })).toMatchObject({
      outcome: 'not_applied',
      state: 'alike',
    });
    expect(await paid()).toEqual(['inv-17 paid']);
  });
});

it('a correction and a cancel are planned and carried out, and a correction is not laid over a newer one', async () => {
  const agent = await open();
  const { handle } = await agent.call('plan_payment', payment({}, '0123456719'));
  await agent.call('carry_out', { handle });
  const { payouts } = await agent.call('triage');
  const id = payouts[0].recipient_id;
  // Of its holder, as the bank of the sandbox knows it.
  const corrects = { bank_account: '0123456701', first_name: 'Test', last_name: 'User' };
  const corrected = await agent.call('plan_correction', { id, details: corrects });
  expect(corrected).toMatchObject({ outcome: 'not_applied', state: 'planned' });
  const edit = await bench.run(`recipient edit ${id} --detail bank_account=0123450719 --name-as-given --yes`);
  expect(edit.code, edit.stderr).toBe(0);
  expect(await agent.call('carry_out', { handle: corrected.handle })).toMatchObject({
    outcome: 'not_applied',
    problem: { code: 'changed_since' },
  });
  // Planned again it is of the record as it stands now, under the same name.
  const anew = await agent.call('plan_correction', { id, details: corrects });
  expect(anew.handle).toBe(corrected.handle);
  const redone = await agent.call('carry_out', { handle: anew.handle });
  expect(redone, JSON.stringify(redone)).toMatchObject({ outcome: 'applied' });
  const cancel = await agent.call('plan_cancel', { ids: [id], request: true });
  const ended = await agent.call('carry_out', { handle: cancel.handle });
  expect(['applied', 'unknown']).toContain(ended.outcome);
});

it('a correction that was carried out is over: a newer one of a person stays, and the plan tells what became of it', async () => {
  const agent = await open();
  const { handle: paidBy } = await agent.call('plan_payment', payment({}, '0123456719'));
  await agent.call('carry_out', { handle: paidBy });
  const { payouts } = await agent.call('triage');
  const id = payouts[0].recipient_id;
  const accountNow = async () =>
    /"bank_account": ?"(\d+)"/.exec(
      (await bench.run(['recipient', 'show', id, '--reveal', '-o', 'json'])).stdout,
    )?.[1];
  const details = { bank_account: '0123456701', first_name: 'Test', last_name: 'User' };
  const { handle } = await agent.call('plan_correction', { id, details });
  expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'applied' });
  expect(await accountNow()).toBe('0123456701');
  // The person puts back what stood before the plan.
  const before = ['bank_account=0123456719', 'first_name=Ada', 'last_name=Obi'];
  const flags = before.flatMap((pair) => ['--detail', pair]);
  const back = await bench.run(['recipient', 'edit', id, ...flags, '--name-as-given', '--yes']);
  expect(back.code, back.stderr).toBe(0);
  for (const tool of ['carry_out', 'status'])
    expect(await agent.call(tool, { handle })).toMatchObject({
      outcome: 'applied',
      state: 'applied',
      lines: [expect.anything(), expect.stringContaining('other details stand since then')],
    });
  expect(await accountNow()).toBe('0123456719');
  // Planned anew, it is a new wish.
  expect(await agent.call('plan_correction', { id, details })).toMatchObject({ state: 'planned', handle });
  expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'applied' });
  expect(await accountNow()).toBe('0123456701');
});

it('what it wrote is the protocol alone', async () => {
  const agent = await openAgent(bench);
  await agent.call('plan_payment', payment());
  const ended = await agent.end();
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  for (const line of agent.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

it('a plan says what is left of the day; it is carried out while there is room', async () => {
  const env = asProfile('local');
  expect((await bench.run(['profiles', 'set', 'local', 'max_per_day.EUR=20'], { env })).code).toBe(0);
  const agent = await open();
  const sent: string[] = [];
  bench.intercept((request, next) => {
    if (isWriteRequest(request)) sent.push(request.url.replace(/^.*\/v1/, ''));
    return next(request);
  });
  const first = await agent.call('plan_payment', payment());
  const second = await agent.call('plan_payment', payment({ reference: 'inv-18', amount: '26000' }));
  expect(first.lines).toContain('20.00 EUR of 20.00 EUR are left for these 24 hours (max_per_day)');
  expect(await agent.call('carry_out', { handle: first.handle })).toMatchObject({ outcome: 'applied' });
  // Not in one call, which would take the rate of its moment.
  expect(sent.filter((path) => path !== '/transactions/calculate')).toEqual([
    '/transactions',
    '/accounts/debits',
  ]);
  const again = await agent.call('plan_payment', payment({ reference: 'inv-18', amount: '26000' }));
  expect(again.lines).toContain('5.01 EUR of 20.00 EUR are left for these 24 hours (max_per_day)');
  expect(await agent.call('carry_out', { handle: second.handle })).toMatchObject({ outcome: 'not_applied' });
  expect(await paid()).toEqual(['inv-17 paid']);
  // What stands stands: to carry it out again counts nothing.
  expect(await agent.call('carry_out', { handle: first.handle })).toMatchObject({ outcome: 'applied' });
});
