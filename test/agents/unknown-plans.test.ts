/** What an agent is told of a plan whose outcome is not known here: that it is unknown, and why. A correction says what it changes, masked. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { asProfile, held, payment, signIn, type Told, useAgents } from '../support/agents.ts';
import { answering, only, type RunOptions, useBench, writesLost } from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench({ sender: true });
const open = useAgents(bench);
beforeEach(() => signIn(bench, 'local', { settings: ['agent=sandbox'] }));

const DAY_MS = 24 * 3_600_000;
const elsewhere = (argv: string | readonly string[], given: RunOptions = {}, env: RunOptions['env']) =>
  bench.run(argv, { ...given, env: { ...given.env, ...env } });
type Agent = Awaited<ReturnType<typeof open>>;

/** A payment that was planned and paid. Its handle. */
async function carriedOut(agent: Agent): Promise<string> {
  const { handle } = await agent.call('plan_payment', payment());
  expect(await agent.call('carry_out', { handle })).toMatchObject({ outcome: 'applied' });
  return handle;
}

function expectUnknown(told: Told, handle: string, why: string): void {
  expect(told).toMatchObject({ outcome: 'unknown', state: 'unknown', handle });
  expect(told.says).toMatch(/^UNKNOWN\./);
  expect(told.problem?.says).toContain(why);
}

describe('a plan that this machine does not know', () => {
  const NOT_HERE =
    'this machine has no such plan: it is of another machine, or over a week old and forgotten';

  it('since another machine made it, is unknown, and it is said where to ask', async () => {
    const handle = await carriedOut(await open());
    const dir = join(bench.dir, 'elsewhere');
    mkdirSync(dir, { mode: 0o700 });
    const env = { REMIT_CONFIG_DIR: dir };
    await signIn({ ...bench, run: (argv, given) => elsewhere(argv, given, env) }, 'local', {
      settings: ['agent=sandbox'],
    });
    const agent = await open({ options: { env } });
    for (const tool of ['status', 'carry_out']) {
      const told = await agent.call(tool, { handle });
      expectUnknown(told, handle, NOT_HERE);
      expect(told.problem.says.split(/\s/).slice(-3)).toEqual(['remit', 'approve', handle]);
      expect([told.next, told.approve]).toEqual([null, null]);
    }
  });

  it('since it was forgotten, is unknown, although it was paid', async () => {
    const agent = await open();
    const handle = await carriedOut(agent);
    machine.ms += 8 * DAY_MS;
    await agent.call('plan_payment', payment({ reference: 'Order 2', amount: '900' }));
    for (const tool of ['status', 'carry_out'])
      expectUnknown(await agent.call(tool, { handle }), handle, NOT_HERE);
    const approved = await bench.run(['approve', handle], { env: asProfile('local'), tty: true });
    expect([approved.code, approved.stderr]).toEqual([6, expect.stringContaining(NOT_HERE)]);
    expect(approved.stderr).not.toMatch(/not applied/);
  });
});

describe('a status that is unknown says why', () => {
  it('where no answer came, and a look found nothing', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    bench.intercept(writesLost);
    await agent.call('carry_out', { handle });
    const again = await agent.call('plan_payment', payment());
    expectUnknown(again, handle, 'has no answer that proves what became of it');
    expectUnknown(
      await agent.call('status', { handle }),
      handle,
      'it is not known yet whether it was applied',
    );
  });

  it('where the service cannot be read', async () => {
    const agent = await open();
    const handle = await carriedOut(agent);
    bench.intercept(answering(503));
    expectUnknown(await agent.call('status', { handle }), handle, 'the service failed');
  });

  it('where the look took too long', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    bench.intercept(writesLost);
    await agent.call('carry_out', { handle });
    const { answers, hold } = held();
    bench.intercept(hold);
    expectUnknown(await agent.call('status', { handle }), handle, 'the look took longer than a call may');
    answers();
  });

  it('where the service made another payment of it', async () => {
    const agent = await open();
    const { handle } = await agent.call('plan_payment', payment());
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      if (!/\/transactions(?:$|[/?](?!calculate))/.test(request.url)) return answer;
      return { ...answer, body: answer.body.replaceAll('25000', '26000') };
    });
    await agent.call('carry_out', { handle });
    expectUnknown(
      await agent.call('status', { handle }),
      handle,
      'it was made with other money or another payee',
    );
  });

  it('where rows of a run are unknown, and a person who approves it is told too', async () => {
    const agent = await open();
    const csv = 'key,amount,first_name,last_name,bank_code,bank_account\nrow-1,2001,Ada,Obi,044,0123456700\n';
    const flags = { type: 'NGN::Bank', pays_in: 'EUR', sender: 'customer-1', most: { EUR: '100' } };
    const { handle } = await agent.call('plan_run', { name: 'wages', csv, ...flags });
    bench.intercept(only(({ url }) => /create_and_fund$|transactions\?/.test(url), answering(503)));
    expect((await bench.run('batch run wages --yes', { env: asProfile('local') })).code).toBe(9);
    bench.restore();
    const why = 'it is not known of 1 row whether it was paid';
    expectUnknown(await agent.call('status', { handle }), handle, why);
    const approved = await bench.run(['approve', handle], { env: asProfile('local'), tty: true });
    expect([approved.code, approved.stderr]).toEqual([9, expect.stringContaining(why)]);
  });

  it('and one that is known gives no reason', async () => {
    const agent = await open();
    const handle = await carriedOut(agent);
    expect(await agent.call('status', { handle })).toMatchObject({ outcome: 'applied', problem: null });
  });
});

describe('a correction', () => {
  async function payout(agent: Agent): Promise<string> {
    const { handle } = await agent.call('plan_payment', payment({}, '0123456719'));
    await agent.call('carry_out', { handle });
    return (await agent.call('triage')).payouts[0].recipient_id;
  }

  it.each([[{}], [{ bank_account: '' }], [{ bank_account: ' - ', first_name: ' ' }]])(
    'of nothing is refused, and not said to be done: %j',
    async (details) => {
      const agent = await open();
      const refused = await agent.call('plan_correction', { id: await payout(agent), details });
      expect(refused).toMatchObject({
        ...{ outcome: 'not_applied', state: 'refused', handle: null },
        problem: { category: 'usage', code: 'empty_correction' },
      });
    },
  );

  it('shows no account whole, neither what stands nor what is given, when it is planned and carried out', async () => {
    const agent = await open();
    const id = await payout(agent);
    const details = { bank_account: '0123456701', first_name: 'Test', last_name: 'User' };
    const planned = await agent.call('plan_correction', { id, details });
    expect(planned.lines).toContain('bank_account: ••••6719 -> ••••6701');
    expect(planned.lines).toContain('first_name: Ada -> Test');
    const done = await agent.call('carry_out', { handle: planned.handle });
    expect(done).toMatchObject({ outcome: 'applied' });
    expect(done.notes.join()).toContain('••••6701');
    for (const told of [planned, done]) expect(JSON.stringify(told)).not.toMatch(/01234567(?:01|19)/);
  });
});
