/** Balances as finance uses them: gates, watching, the age of a cached figure; rates and what an amount becomes. */
import { describe, expect, it } from 'vitest';
import { useBench } from '../support/cli.ts';

const bench = useBench();

const live = { REMIT_BASE_URL: 'https://api.example.com/v1' };

describe('balance --min with several currencies', () => {
  it('is 0 where there is enough of each', async () => {
    const run = await bench.run(['balance', '--min', 'EUR=250000,NGN=50000000']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('enough: 250000.00 EUR is there, 250000.00 EUR is needed, 50000000 NGN');
  });

  it('is 10 where not, and says which fell short and by how much; one that is not held falls short of all', async () => {
    const run = await bench.run(['balance', '--min', 'EUR=250000.01, ghs=1, KES=5']);
    expect(run.code).toBe(10);
    expect(run.stderr).toBe(
      'not enough: 250000.00 EUR is there, 250000.01 EUR is needed, 0.01 EUR is missing\n' +
        'not enough: the account holds no KES, and 5 KES is needed\n',
    );
    expect(run.stdout).toBe(
      'EUR\t250000.00\t250000.01\t0.01\tno\nGHS\t500000.00\t1.00\t\tyes\nKES\t\t5\t5\tno\n',
    );
    const json = await bench.run(['balance', '--min', 'KES=5', '-o', 'json']);
    expect(json.data<object[]>()).toEqual([
      { currency: 'KES', amount: null, at_least: '5', short_by: '5', enough: false },
    ]);
  });

  it('is never answered from the cache', async () => {
    await bench.run(['balance'], { env: live });
    expect((await bench.run(['balance'], { env: live })).requests).toEqual([]);
    expect((await bench.run(['balance', '--min', 'EUR=1'], { env: live })).requests).toHaveLength(1);
  });

  it.each([
    'EUR',
    'EUR=',
    '=5',
    'EUR=5,',
    'EUR=5,EUR=6',
    'EUR=five',
    'EUR=-5',
    'EURO=5',
    'EUR=5=6',
    'EUR=1.005',
  ])('%j is a usage error', async (min) => {
    const run = await bench.run(['balance', '--min', min]);
    expect([run.code, run.requests.length]).toEqual([2, 0]);
  });

  it('and a currency beside it are too much', async () => {
    expect((await bench.run(['balance', 'EUR', '--min', 'EUR=5'])).code).toBe(2);
  });
});

it('a cached figure says how old it is', async () => {
  await bench.run(['balance'], { env: live });
  expect((await bench.run(['balance'], { env: live, tty: true })).stderr).toMatch(
    /as of \d+ s ago; --fresh asks again/,
  );
});

it('--partner has both beside each other', async () => {
  const run = await bench.run(['balance', '--partner'], { tty: true });
  expect(run.stdout).toMatch(/^CURRENCY +AMOUNT +AFTER PENDING +AT PROVIDER/);
});

describe('balance --watch', () => {
  /** One EUR more with every look, GHS always the same. */
  function rising(): void {
    let looks = 0;
    bench.intercept(async () => ({
      status: 200,
      headers: {},
      body: JSON.stringify({
        object: [
          { currency: 'EUR', amount: 100 + Math.min(looks++, 2), amount_after_pending: 90 },
          { currency: 'GHS', amount: 7, amount_after_pending: 7 },
        ],
      }),
    }));
  }

  it('without a terminal prints what changed, a line each', async () => {
    rising();
    const run = await bench.run(['balance', '--watch', '--count', '5', '-o', 'ndjson']);
    expect(run.code).toBe(0);
    expect(run.requests).toHaveLength(5);
    const rows = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).data);
    expect(rows.map(({ currency, amount }) => `${amount} ${currency}`)).toEqual([
      '100 EUR',
      '7 GHS',
      '101 EUR',
      '102 EUR',
    ]);
    expect(rows[0].seen_at).toMatch(/Z$/);
  });

  it('prints, and draws nothing over, on a terminal that cannot go back', async () => {
    const run = await bench.run(['balance', '--watch', '--count', '2'], { tty: true, env: { TERM: 'dumb' } });
    expect(run.stdout).toContain('250000.00');
    expect(run.stdout).not.toContain('\u001b');
  });

  it('on a terminal draws the table again in its place, in one write', async () => {
    rising();
    const run = await bench.run(['balance', '--watch', '--count', '2'], { tty: true });
    expect(run.stdout.split('\u001b[4A\r')).toHaveLength(2);
    expect(run.stdout).not.toContain('\u001b[2J');
    expect(run.stdout).toContain('101.00');
    expect(run.stdout).toContain('Ctrl-C ends it');
  });

  it('passes over what fails for a moment', async () => {
    rising();
    let calls = 0;
    bench.intercept(async (request, next) =>
      calls++ >= 1 && calls <= 5 ? { status: 503, headers: {}, body: '' } : next(request),
    );
    const run = await bench.run(['balance', '--watch', '--count', '3', '-o', 'ndjson']);
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('looking again');
  });

  it('ends with 130 on Ctrl-C', async () => {
    const interrupt = new AbortController();
    rising();
    let calls = 0;
    bench.intercept(async (request, next) => {
      if (++calls === 3) interrupt.abort('SIGINT');
      return next(request);
    });
    expect((await bench.run(['balance', '--watch'], { interrupt: interrupt.signal })).code).toBe(130);
  });

  it('with --min waits for a top-up, and ends as soon as there is enough', async () => {
    rising();
    const run = await bench.run(['balance', '--min', 'EUR=102', '--watch', '-o', 'ndjson']);
    expect([run.code, run.requests.length]).toEqual([0, 3]);
    expect(run.stderr).toContain('enough: 102.00 EUR is there, 102.00 EUR is needed');
  });

  it.each([
    ['--count', '2'],
    ['--timeout', '3s'],
  ])('with --min and %s %s ends with 10 while there is not enough', async (...flags) => {
    rising();
    const run = await bench.run(['balance', '--min', 'EUR=102', '--watch', ...flags, '-o', 'ndjson']);
    expect([run.code, run.requests.length]).toEqual([10, 2]);
    expect(run.stderr).toContain(
      'not enough: 101.00 EUR is there, 102.00 EUR is needed, 1.00 EUR is missing',
    );
  });

  it('asks a real service every five minutes, and not more often', async () => {
    const run = await bench.run(['balance', '--watch', '1m'], { env: live });
    expect([run.code, run.requests.length]).toEqual([2, 0]);
    expect(run.stderr).toContain('five minutes');
    expect((await bench.run(['balance', '--watch', '5m', '--count', '1'], { env: live })).code).toBe(0);
  });

  it.each([
    ['--watch', 'soon'],
    ['--watch', '100ms'],
    ['--watch', '--partner'],
    ['--count', '5'],
    ['--timeout', '5m'],
    ['--watch', '--count', '0'],
  ])('%s %s %s is a usage error', async (...flags) => {
    const given = flags.filter((flag) => flag !== undefined);
    expect((await bench.run(['balance', ...given])).code).toBe(2);
  });
});

describe('rates', () => {
  it('with an amount says what goes in, what comes out, and how it is rounded', async () => {
    const run = await bench.run(['rates', 'eur', 'ngn', '1200.50'], { tty: true });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /goes in +1200\.50 EUR\ncomes out +2002356 NGN\nrate +1 EUR = 1667\.9347826087 NGN/,
    );
    expect(run.stderr).toMatch(
      /2002355\.71 NGN will be paid as 2002356 NGN: NGN is paid in whole units, rounded up/,
    );
    expect((await bench.run(['rates', 'EUR', 'NGN', '1200.50', '-o', 'json'])).json()).toMatchObject({
      data: { input_amount: '1200.50', output_amount: '2002356' },
    });
  });

  it('of other currencies are rounded half up, and say so', async () => {
    expect((await bench.run(['rates', 'EUR', 'GHS', '10.01'])).stderr).toMatch(
      /^\d+\.\d{3,} GHS is rounded to \d+\.\d\d GHS\n$/,
    );
  });

  it('without an amount are as before', async () => {
    const run = await bench.run(['rates', 'EUR', 'NGN'], { tty: true });
    expect(run.stdout).toMatch(/^rate /);
    expect(run.stderr).toBe('');
  });

  it.each([['1e3'], ['-5'], ['1,200']])('of %s is a usage error', async (amount) => {
    expect((await bench.run(['rates', 'EUR', 'NGN', amount])).code).toBe(2);
  });
});
