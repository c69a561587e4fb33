/** What keeps a pay run from going wrong: two persons, other accounts, rates, corridors, limits, rows that are cancelled meanwhile. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { keyFingerprint } from '../../src/contract/account-key.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { baseUrl, credentials, only, type Run, senderFlags, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const run: typeof bench.run = (...given) => bench.run(...given);
const batch = (...argv: string[]): Promise<Run> => run(['batch', ...argv]);
const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');
const paid = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

async function plan(rows: number, name = 'wages', env?: Record<string, string | undefined>): Promise<Run> {
  const path = join(bench.dir, `${name}.csv`);
  writeFileSync(path, fileOfRows(rows));
  return run(
    ['batch', 'plan', path, '--name', name, '--max-input', 'EUR=1000', '--repeat', 'wages', '-o', 'json'],
    env ? { env } : {},
  );
}
const states = async (name = 'wages') =>
  (await batch('status', name, '-o', 'json')).data<{
    states: Record<string, number>;
    state: string;
    why: string;
  }>();

/** As somebody does who can write to the file. */
async function alterStore(sql: string): Promise<void> {
  const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  store.exec(sql);
  store.close();
}

/** Variables of the environment are no profile: these say which one it is. */
const asProfile = (name: string) => ({
  REMIT_BASE_URL: undefined,
  REMIT_API_KEY: undefined,
  REMIT_API_SECRET: undefined,
  REMIT_PROFILE: name,
});

async function signIn(name: string, key: string): Promise<void> {
  const { code, stderr } = await run(
    `login --profile ${name} --base-url ${baseUrl} --environment sandbox --key ${key} --secret-stdin --no-check`,
    { stdin: credentials.secret, env: asProfile(name) },
  );
  expect(code, stderr).toBe(0);
}

it('two persons: whoever planned it cannot approve it, nor pay it before somebody else did', async () => {
  await signIn('maker', credentials.key);
  await run(['profiles', 'set', 'maker', 'two_person=true']);
  const { digest } = (await plan(3, 'wages', asProfile('maker'))).data<{ digest: string }>();
  const early = await run(['batch', 'run', 'wages'], { env: asProfile('maker') });
  expect([early.code, paid(early), early.stderr]).toEqual([2, 0, expect.stringContaining('is not approved')]);
  const own = await run(['batch', 'approve', 'wages', '--digest', digest], { env: asProfile('maker') });
  expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('two_person wants another')]);
  await signIn('checker', 'key_test_9c9c');
  const other = await run(['batch', 'approve', 'wages', '--digest', digest.replaceAll('-', '')], {
    env: asProfile('checker'),
  });
  expect(other.code, other.stderr).toBe(0);
  const status = (await run(['batch', 'status', 'wages', '-o', 'json'], { env: asProfile('maker') })).data();
  expect(status).toMatchObject({
    planned_by: expect.stringContaining('maker'),
    approved_by: expect.stringContaining('checker, key …9c9c'),
  });
  expect(paid(await run(['batch', 'run', 'wages'], { env: asProfile('maker') }))).toBe(3);
});

it('two persons: whoever planned it corrects it, and the other one approves it again', async () => {
  await signIn('maker', credentials.key);
  await run(['profiles', 'set', 'maker', 'two_person=true']);
  const { digest } = (await plan(3, 'wages', asProfile('maker'))).data<{ digest: string }>();
  await signIn('checker', 'key_test_9c9c');
  const approve = (of: string) =>
    run(['batch', 'approve', 'wages', '--digest', of], { env: asProfile('checker') });
  expect((await approve(digest)).code).toBe(0);
  const fix = ['batch', 'fix', 'wages', 'E-1', '--set', 'last_name=Obi-Nwosu', '-o', 'json'];
  const others = await run(fix, { env: asProfile('checker') });
  expect([others.code, others.stderr]).toEqual([2, expect.stringContaining('whoever planned it')]);
  await signIn('stranger', 'key_test_1d1d');
  expect((await run(fix, { env: asProfile('stranger') })).code).toBe(78);
  const fixed = await run(fix, { env: asProfile('maker') });
  expect(fixed.code, fixed.stderr).toBe(0);
  expect(fixed.stderr).toContain('remit batch approve wages --digest ');
  const early = await run(['batch', 'run', 'wages'], { env: asProfile('maker') });
  expect([early.code, paid(early), early.stderr]).toEqual([2, 0, expect.stringContaining('is not approved')]);
  expect((await approve(digest)).stderr).toContain('has another digest');
  const again = await approve(fixed.data<{ digest: string }>().digest);
  expect([again.code, again.stderr]).toEqual([
    0,
    expect.stringMatching(/corrected: row 2 \(E-1\), last_name, by maker, key …7f3c/),
  ]);
  expect(paid(await run(['batch', 'run', 'wages'], { env: asProfile('maker') }))).toBe(3);
});

describe('two persons are a rule of the run, whichever way its planner comes', () => {
  const loose = asProfile('loose');
  beforeEach(async () => {
    await signIn('maker', credentials.key);
    await run(['profiles', 'set', 'maker', 'two_person=true']);
    // The same key, without the rule.
    await signIn('loose', credentials.key);
  });

  it.each<[string, () => Record<string, string | undefined>]>([
    ['another profile of the same key', () => loose],
    ['the three variables', () => ({})],
    ['its own profile, loosened', () => asProfile('maker')],
  ])('%s neither approves nor pays it', async (_, env) => {
    const { digest } = (await plan(2, 'wages', asProfile('maker'))).data<{ digest: string }>();
    await run(['profiles', 'set', 'maker', 'two_person=false']);
    const own = await run(['batch', 'approve', 'wages', '--digest', digest], { env: env() });
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('two_person wants another')]);
    const early = await run(['batch', 'run', 'wages', '--yes'], { env: env() });
    expect([early.code, paid(early)]).toEqual([2, 0]);
  });

  it('an approval that the planner wrote into the store pays nothing', async () => {
    const { digest } = (await plan(2, 'wages', asProfile('maker'))).data<{ digest: string }>();
    await signIn('checker', 'key_test_9c9c');
    await run(['batch', 'approve', 'wages', '--digest', digest], { env: asProfile('checker') });
    const forged = JSON.stringify({
      by: 'ada',
      profile: 'checker',
      keyLast4: '7f3c',
      keyPrint: keyFingerprint(credentials.key),
      at: 1,
    });
    await alterStore(`UPDATE payruns SET approval = '${forged}'`);
    const refused = await run(['batch', 'run', 'wages'], { env: loose });
    expect([refused.code, paid(refused), refused.stderr]).toEqual([
      1,
      0,
      expect.stringContaining('was planned and approved with one key'),
    ]);
  });

  it('a profile that has the rule pays no run that was planned without it', async () => {
    await plan(2, 'wages', loose);
    const refused = await run(['batch', 'run', 'wages'], { env: asProfile('maker') });
    expect([refused.code, paid(refused), refused.stderr]).toEqual([
      1,
      0,
      expect.stringContaining('was planned without the rule of two persons'),
    ]);
    expect(paid(await run(['batch', 'run', 'wages'], { env: loose }))).toBe(2);
  });
});

it('a run that is approved already is not asked about again; one that is cancelled is not approved', async () => {
  const { digest } = (await plan(2)).data<{ digest: string }>();
  const approve = (name: string, of: string) => batch('approve', name, '--digest', of);
  expect((await approve('wages', digest)).stderr).toContain('Approved; nothing was sent.');
  const again = await run(['batch', 'approve', 'wages', '--digest', digest], { tty: true });
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('It was approved before')]);
  const other = (await plan(2, 'other')).data<{ digest: string }>();
  await batch('cancel', 'other', '--yes');
  const cancelled = await approve('other', other.digest);
  expect([cancelled.code, cancelled.stderr]).toEqual([
    2,
    expect.stringContaining('the run "other" is cancelled'),
  ]);
});

it('a run of another key is refused with its profile named, and nothing is sent', async () => {
  await plan(2);
  const other = await run(['batch', 'run', 'wages'], { env: { REMIT_API_KEY: 'key_test_0e0e' } });
  expect([other.code, paid(other)]).toEqual([78, 0]);
  expect(other.stderr).toContain('this is another account');
});

it('a rate that moved too far pauses before anything is sent, and a payer widens no tolerance; a better rate pauses nothing', async () => {
  await plan(2);
  const listed = (rate: string): void =>
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      return request.url.includes('/info/currencies/in')
        ? { ...answer, body: answer.body.replaceAll('1667.9347826087', rate) }
        : answer;
    });
  listed('1650.0');
  const ran = await batch('run', 'wages');
  expect([ran.code, paid(ran)]).toEqual([8, 0]);
  expect(ran.stderr).toContain(
    'Paused: the rate from EUR to NGN is 1650.0 now, and 1667.9347826087 when it was planned: 1.08 % away, more than 0.5 %',
  );
  expect(ran.stderr).toContain('remit batch remaining wages');
  const wider = await batch('run', 'wages', '--rate-tolerance', '2');
  expect([wider.code, paid(wider), wider.stderr]).toEqual([
    2,
    0,
    expect.stringContaining(
      'was planned with a rate tolerance of 0.5 %: whoever pays it may lower that, and not raise it',
    ),
  ]);
  listed('1690.0');
  // Rates that were read are the same for five minutes.
  machine.ms += 301_000;
  expect(paid(await batch('run', 'wages'))).toBe(2);
});

it('the rate and the cost that were planned stand beside those that it was paid for', async () => {
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    return { ...answer, body: answer.body.replaceAll('1667.9347826087', '1650.5') };
  });
  await plan(2);
  bench.restore();
  const planned = { planned_rate: '1650.5', planned_cost: expect.any(String) };
  const none = { paid_rate: null, cost: null, cost_difference: null };
  expect((await batch('rows', 'wages', '-o', 'json')).data<object[]>()[0]).toMatchObject({
    ...planned,
    ...none,
  });
  expect((await batch('status', 'wages', '-o', 'json')).data()).toMatchObject({
    totals: [{ planned_rate: '1650.5', planned_cost: null, ...none }],
  });
  expect(paid(await batch('run', 'wages'))).toBe(2);
  const rows = (await batch('report', 'wages', '-o', 'json')).data<Record<string, string>[]>();
  const cents = (amount = ''): number => Math.round(Number(amount) * 100);
  for (const row of rows) {
    expect(Number(row.paid_rate)).toBeCloseTo(Number(row.amount) / Number(row.cost), 6);
    expect(cents(row.cost_difference)).toBe(cents(row.cost) - cents(row.planned_cost));
    expect(cents(row.cost_difference)).toBeLessThan(0);
  }
  const all = (name: string) => rows.reduce((sum, row) => sum + cents(row[name]), 0);
  const [total] = (await batch('status', 'wages', '-o', 'json')).data<{ totals: Record<string, string>[] }>()
    .totals;
  for (const name of ['planned_cost', 'cost', 'cost_difference'])
    expect([name, cents(total?.[name])]).toEqual([name, all(name)]);
  expect(total).toMatchObject({ planned_rate: '1650.5', input_currency: 'EUR' });
  expect(Number(total?.paid_rate)).toBeCloseTo(all('amount') / all('cost'), 6);
  const status = await run(['batch', 'status', 'wages'], { tty: true });
  expect(status.stdout).toMatch(/planned +[\d.]+ EUR at 1650\.5: paid at 166\d\.\d+, 0\.\d\d EUR less/);
  const shown = await run(['batch', 'show', 'wages', rows[0]?.key ?? ''], { tty: true });
  expect(shown.stdout).toMatch(/planned +[\d.]+ EUR at 1650\.5: paid at 166\d/);
});

it('a corridor that is not active pauses, and refuses no row: all are paid when it is open again', async () => {
  await plan(12);
  await run(['sandbox', 'fail', 'corridor-inactive', '--corridor', 'NGN::Bank', '--always']);
  const ran = await batch('run', 'wages', '--in-flight', '4');
  expect(ran.code).toBe(8);
  expect(paid(ran)).toBeLessThanOrEqual(4);
  expect(ran.stderr).toContain('Paused: the service does not take this payout type now');
  expect(await states()).toMatchObject({ state: 'paused', states: { planned: 12 } });
  await run(['sandbox', 'faults', '--clear']);
  const again = await batch('run', 'wages');
  expect([again.code, paid(again)], again.stderr).toEqual([0, 12]);
});

it('a row that costs more than its plan stops the run at once, and is not hidden', async () => {
  await plan(6);
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    return isPayment(request)
      ? { ...answer, body: answer.body.replace(/"input_amount":"?0\.60?"?/g, '"input_amount":"0.70"') }
      : answer;
  });
  const ran = await batch('run', 'wages', '--in-flight', '1');
  expect([ran.code, paid(ran)]).toEqual([8, 1]);
  expect(ran.stderr).toContain('Paused: row E-0 cost 0.70 EUR, and 0.60 EUR was planned');
});

it('a row that is cancelled while the run pays is not sent, and keeps no other from being paid', async () => {
  await plan(6);
  let first = true;
  bench.intercept(async (request, next) => {
    if (isPayment(request) && first) {
      first = false;
      await batch('cancel', 'wages', '--rows', 'E-3', '--yes');
    }
    return next(request);
  });
  const ran = await batch('run', 'wages', '--in-flight', '1');
  expect(ran.code).toBe(10);
  expect((await states()).states).toEqual({ created: 5, cancelled: 1 });
  // The service says nothing of a row that was never sent.
  expect((await batch('status', 'wages', '-o', 'json')).data()).toMatchObject({ agrees: true });
});

it('what the service says of an amount otherwise than planned is a break: exit 10', async () => {
  await plan(2);
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    return isPayment(request) && request.body?.includes('wages:E-1"')
      ? { ...answer, body: answer.body.replace(/"output_amount":"?1001[^,]*,/, '"output_amount":"900",') }
      : answer;
  });
  await batch('run', 'wages');
  const status = await batch('status', 'wages', '-o', 'json');
  expect(status.data()).toMatchObject({
    agrees: false,
    breaks: ['2001 NGN was planned for the rows that exist, and the service says 1900 NGN: 101 NGN apart'],
  });
  expect(status.code).toBe(10);
});

it('the service is busy: fewer at once, later, and every row is paid in the end', async () => {
  await plan(30);
  let busy = 12;
  bench.intercept(
    only(
      (request) => isPayment(request) && busy-- > 0,
      async () => ({ status: 429, headers: {}, body: '' }),
    ),
  );
  const ran = await batch('run', 'wages', '--in-flight', '8');
  expect((await states()).states, ran.stderr).toEqual({ created: 30 });
});

it('one of the rows to be cancelled that cannot be is said, and the exit code is 1', async () => {
  await plan(4);
  expect((await batch('cancel', 'wages', '--rows', 'E-1', '--yes')).code).toBe(0);
  const again = await batch('cancel', 'wages', '--rows', 'E-1,E-2', '--yes');
  expect(again.code, again.stderr).toBe(1);
  expect(again.stderr).toContain('1 row is cancelled.');
  expect(again.stderr).toMatch(/1 of the rows are not there, or were sent already/);
  expect((await states()).states).toEqual({ cancelled: 2, planned: 2 });
});

it('what is left of a run is a file that can be planned again, with zeros and all', async () => {
  await run(['sender', 'create', ...senderFlags('customer-2')]);
  await plan(4);
  await batch('cancel', 'wages', '--rows', 'E-1,E-2', '--yes');
  const left = await batch('remaining', 'wages');
  writeFileSync(join(bench.dir, 'next.csv'), left.stdout);
  const next = await run([
    'batch',
    'plan',
    join(bench.dir, 'next.csv'),
    '--name',
    'next',
    '--max-input',
    'EUR=10',
    '-o',
    'json',
  ]);
  expect(next.code, next.stderr).toBe(0);
  expect(next.data()).toMatchObject({ rows: 4 });
  expect(left.stderr).toContain('account numbers are whole');
});
