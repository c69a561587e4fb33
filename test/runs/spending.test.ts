/** A run costs no more than the figures that its yes was said to, whatever the rate does after that: the ledger says what left. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { baseUrl, credentials, type Run, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const env = {
  REMIT_BASE_URL: undefined,
  REMIT_API_KEY: undefined,
  REMIT_API_SECRET: undefined,
  REMIT_PROFILE: 'shop',
};
const run = (...argv: string[]): Promise<Run> => bench.run(argv, { env });
const set = async (...settings: string[]): Promise<void> => {
  const { code, stderr } = await run('profiles', 'set', 'shop', ...settings);
  expect(code, stderr).toBe(0);
};
const left = async (): Promise<number> =>
  Math.round(
    25_000_000 - 100 * Number((await run('balance', 'EUR', '-o', 'json')).data<{ amount: string }>().amount),
  ) / 100;
const rateMoves = (...more: string[]) => run('sandbox', 'fail', 'rate-moved', '--always', ...more);
/** Its list of rates is as before: what a payment costs is known when it is made, and not before. */
const unseen = ['--corridor', 'NGN::Bank'];

/** 15,000 NGN cost 8.99 EUR, and 14.99 EUR once the rate moved. */
async function plan(rows: number, ...more: string[]): Promise<Run> {
  const lines = Array.from(
    { length: rows },
    (_, n) => `E-${n},customer-1,NGN::Bank,15000,NGN,EUR,Ada,Obi,044,01234567${String(n).padStart(2, '0')}`,
  );
  const head = 'key,sender,type,amount,currency,input_currency,first_name,last_name,bank_code,bank_account';
  writeFileSync(join(bench.dir, 'wages.csv'), [head, ...lines, ''].join('\n'));
  const limit = more.includes('--max-input') ? [] : ['--max-input', 'EUR=40'];
  return run('batch', 'plan', 'wages.csv', '--name', 'wages', ...limit, '-o', 'json', ...more);
}

beforeEach(async () => {
  const login = `login --profile shop --base-url ${baseUrl} --key ${credentials.key} --secret-stdin --no-check`;
  expect((await bench.run(login, { env, stdin: credentials.secret })).code).toBe(0);
});

describe('a rate that moves unseen', () => {
  it('leaves no 59.96 under 40, whatever tolerance the planner chose', async () => {
    await set('max_rate_tolerance=50');
    expect((await plan(4, '--rate-tolerance', '50')).code).toBe(0);
    await rateMoves(...unseen);
    const ran = await run('batch', 'run', 'wages', '--in-flight', '16');
    expect([ran.code, await left()], ran.stderr).toEqual([8, 29.98]);
    const again = await run('batch', 'run', 'wages');
    expect([again.code, await left(), again.stderr]).toEqual([
      8,
      29.98,
      expect.stringContaining(
        'paid and still to be paid come to 47.96 EUR, 7.96 EUR more than the limit of 40.00 EUR',
      ),
    ]);
  });

  it('pays no run of one row: its price is asked right before', async () => {
    await plan(1);
    await rateMoves(...unseen);
    const ran = await run('batch', 'run', 'wages');
    expect([ran.code, await left(), ran.stderr]).toEqual([
      8,
      0,
      expect.stringContaining('row E-0 costs 14.99 EUR now, and 8.99 EUR was planned'),
    ]);
  });

  it('goes no further than the total that was shown and half a per cent, under a wider limit', async () => {
    const planned = await plan(4);
    expect(planned.stderr).toContain(
      'in all 35.96 EUR, and at most 36.17 EUR: rates may move by 0.5 %, the limit is 40.00 EUR',
    );
    await rateMoves(...unseen);
    for (const _ of [1, 2, 3]) await run('batch', 'run', 'wages', '--in-flight', '16');
    expect(await left()).toBe(29.98);
  });

  it('is not seen where it did not move: many at once are all paid', async () => {
    await plan(4);
    const ran = await run('batch', 'run', 'wages', '--in-flight', '16');
    expect([ran.code, await left()], ran.stderr).toEqual([0, 35.96]);
  });
});

describe('the sum so far is held, before each row,', () => {
  it('to max_amount of the profile that pays', async () => {
    await plan(4);
    await set('max_amount.EUR=35');
    const ran = await run('batch', 'run', 'wages');
    expect([ran.code, await left()], ran.stderr).toEqual([2, 0]);
  });

  it('to max_amount, where rows turn out dearer than planned', async () => {
    await set('max_rate_tolerance=50', 'max_amount.EUR=38');
    await plan(4, '--rate-tolerance', '50');
    await rateMoves(...unseen);
    for (const _ of [1, 2]) await run('batch', 'run', 'wages', '--in-flight', '16');
    expect(await left()).toBe(29.98);
    expect((await run('batch', 'run', 'wages')).stderr).toContain('more than the limit of 38.00 EUR');
  });

  it('to what is left of the day', async () => {
    await set('max_rate_tolerance=50', 'max_per_day.EUR=37');
    await plan(4, '--rate-tolerance', '50', '--max-input', 'EUR=50');
    await rateMoves(...unseen);
    const ran = await run('batch', 'run', 'wages', '--in-flight', '1');
    expect([ran.code, await left()], ran.stderr).toEqual([8, 14.99]);
    const again = await run('batch', 'run', 'wages');
    expect([again.code, await left()], again.stderr).toEqual([8, 14.99]);
    expect(again.stderr).toContain('allows at most 37.00 EUR in 24 hours');
  });
});

describe('max_rate_tolerance', () => {
  it('is 2 % where it is not set, and no planner chooses more', async () => {
    const wide = await plan(1, '--rate-tolerance', '3');
    expect([wide.code, wide.error()]).toEqual([
      2,
      expect.objectContaining({
        message: expect.stringContaining(
          'lets a rate move by 2 % at most (max_rate_tolerance), and 3 % was given',
        ),
      }),
    ]);
    expect((await plan(1, '--rate-tolerance', '2')).code).toBe(0);
  });

  it('of the profile that pays holds, where it is lower than what was planned', async () => {
    await plan(1, '--rate-tolerance', '2');
    await set('max_rate_tolerance=1');
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      return { ...answer, body: answer.body.replaceAll('1667.9347826087', '1645.0') };
    });
    const ran = await run('batch', 'run', 'wages');
    expect([ran.code, await left(), ran.stderr]).toEqual([8, 0, expect.stringContaining('more than 1 %')]);
  });

  it('is raised in production only with --live', async () => {
    await set('max_rate_tolerance=1');
    const production = `login --profile live --base-url https://api.example.com/v1 --environment production --key ${credentials.key} --secret-stdin --no-check --no-keychain`;
    await bench.run(production, { env, stdin: credentials.secret });
    expect((await run('profiles', 'set', 'live', 'max_rate_tolerance=3')).code).toBe(2);
    expect((await run('profiles', 'set', 'live', 'max_rate_tolerance=3', '--live=live')).code).toBe(0);
  });
});
