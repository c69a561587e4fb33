/** A limit holds whatever the rate does: the transaction is created, compared, and paid by a debit of a known amount. */
import { describe, expect, it } from 'vitest';
import {
  answering,
  baseUrl,
  createArgv,
  type Intercept,
  isCreation,
  isWriteRequest,
  lost,
  lostAfter,
  noAccount,
  only,
  payArgv,
  type Run,
  unreachable,
  useBench,
  writesOf,
} from '../support/cli.ts';

const bench = useBench({ sender: true });
const NAMED = ['--external-id', 'wages-1'];

interface Shown {
  id: string;
  external_id: string;
  state: string;
}
const all = async (): Promise<Shown[]> => (await bench.run('tx list -o json')).data<Shown[]>();
const states = async (): Promise<string[]> => (await all()).map((one) => `${one.external_id} ${one.state}`);
const balance = async (): Promise<string> =>
  (await bench.run('balance EUR -o json')).data<{ amount: string }>().amount;
const PAID_ONCE = '249985.01';
const writes = (run: Run) =>
  writesOf(run)
    .map(({ path }) => path)
    .filter((path) => path !== '/transactions/calculate');

/** The rate is better when it is calculated than when it is paid: 9.99 EUR, and then 14.99. */
const rateMoves: Intercept = async (request, next) => {
  const answer = await next(request);
  if (!request.url.endsWith('/transactions/calculate')) return answer;
  return { ...answer, body: answer.body.replaceAll('14.99', '9.99') };
};
const isDebit = ({ url }: { url: string }) => url.endsWith('/accounts/debits');

describe('a payment under a limit', () => {
  it('is created, and then debited with exactly what it costs', async () => {
    const paid = await bench.run(payArgv());
    expect(paid.code).toBe(0);
    expect(writes(paid)).toEqual(['/transactions', '/accounts/debits']);
    const [, , debit] = writesOf(paid);
    expect(debit?.body).toMatchObject({ debit: { amount: '14.99', currency: 'EUR' } });
    expect(await balance()).toBe(PAID_ONCE);
  });

  it('where the rate moved above it nothing is debited: the transaction stands by name, and a higher limit pays it', async () => {
    bench.intercept(rateMoves);
    const limited = (most: string) =>
      bench.run(createArgv(undefined, '--fund', '--max-input', most, ...NAMED));
    const above = await limited('10');
    expect([above.code, writes(above)], above.stderr).toEqual([10, ['/transactions']]);
    const [{ id }] = (await all()) as [Shown];
    expect(above.error()).toMatchObject({
      code: 'above_max_input',
      message: `the rate moved: it costs 14.99 EUR now, more than the limit, 10.00 EUR: transaction ${id} is made, and not paid`,
      hint: expect.stringMatching(`^remit tx fund ${id} pays it at this price, until \\S+; unpaid, `),
    });
    expect([await states(), await balance()]).toEqual([['wages-1 approved'], '250000']);
    const still = await limited('10');
    expect([still.code, writes(still), still.error().hint]).toEqual([
      10,
      [],
      expect.stringContaining('its transaction stands unpaid until'),
    ]);
    expect([(await limited('15')).code, await states(), await balance()]).toEqual([
      0,
      ['wages-1 paid'],
      PAID_ONCE,
    ]);
  });

  it('without an id of its own stands too, and the same command with a higher limit pays it', async () => {
    bench.intercept(rateMoves);
    const above = await bench.run(createArgv(undefined, '--fund', '--max-input', '10'));
    expect(above.code).toBe(10);
    const paid = await bench.run(payArgv());
    expect([paid.code, (await all()).length, await balance()]).toEqual([0, 1, PAID_ONCE]);
  });

  it('of the profile is one as well', async () => {
    const env = noAccount;
    const login = `login --profile shop --base-url ${baseUrl} --key key_test_7f3c --secret-stdin --no-keychain --no-check`;
    await bench.run(login, { env, stdin: 'made-up-secret-for-tests' });
    await bench.run('profiles set shop max_amount.EUR=10', { env });
    bench.intercept(rateMoves);
    const above = await bench.run(payArgv(undefined, ...NAMED), { env });
    expect([above.code, above.stderr]).toEqual([10, expect.stringContaining('10.00 EUR')]);
    expect([await states(), await balance()]).toEqual([['wages-1 approved'], '250000']);
  });

  it('shows its first request when nothing is to be sent', async () => {
    const shown = await bench.run(payArgv(undefined, '--dry-run'));
    expect(shown.data<{ url: string }>().url).toBe(`${baseUrl}/transactions`);
    expect(shown.stderr).toContain('a debit of exactly that, at most 20.00 EUR');
  });
});

describe('what would be refused after the creation is refused before it', () => {
  const refused = async (code: string): Promise<void> => {
    const run = await bench.run(payArgv(undefined, ...NAMED));
    expect([run.code, run.error()]).toEqual([5, expect.objectContaining({ code, outcome: 'not applied' })]);
    expect([writes(run), await states()]).toEqual([[], []]);
  };

  it.each([
    ['too little balance', '/accounts', /"amount":[^,}]+/g, '"amount":14.98', 'insufficient_balance'],
    ['a sender that is not approved', '/senders', /"approved"/g, '"initial"', 'sender_not_approved'],
  ])('%s', async (_, asked, said, instead, code) => {
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      if (!new URL(request.url).pathname.includes(asked)) return answer;
      return { ...answer, body: answer.body.replaceAll(said, instead) };
    });
    await refused(code);
  });

  it('what cannot be read is no reason against it', async () => {
    bench.intercept(only(({ url }) => url.endsWith('/accounts'), answering(403, '{}')));
    expect((await bench.run(payArgv(undefined, ...NAMED))).code).toBe(0);
  });
});

describe('the same command goes on', () => {
  const pay = (...more: string[]) => bench.run(payArgv(undefined, ...more));
  const once = async (id: readonly string[]) => {
    const again = await pay(...id);
    expect([again.code, await balance(), (await all()).length]).toEqual([0, PAID_ONCE, 1]);
  };

  it.each([[NAMED], [[]]])('where the debit was refused: %j', async (id) => {
    const body = '{"object":{"errors":{"amount":[{"error":"insufficient_balance"}]}}}';
    bench.intercept(only(isDebit, answering(422, body)));
    const first = await pay(...id);
    expect([first.code, first.error()]).toEqual([
      5,
      expect.objectContaining({
        outcome: 'not applied',
        hint: expect.stringMatching(/stands unpaid until \S+: the same command goes on with it/),
      }),
    ]);
    bench.restore();
    await once(id);
  });

  it.each([[NAMED], [[]]])('where it never left: %j', async (id) => {
    bench.intercept(only(isDebit, unreachable));
    expect((await pay(...id)).code).toBe(75);
    bench.restore();
    await once(id);
  });

  it.each([
    ['the creation', isCreation, lost],
    ['the creation, applied', isCreation, lostAfter],
    ['the debit', isDebit, lost],
    ['the debit, applied', isDebit, lostAfter],
  ] as const)('where the answer to %s was lost, once it is settled', async (_, fits, intercept) => {
    bench.intercept(only((request) => isWriteRequest(request) && fits(request), intercept));
    const first = await pay(...NAMED);
    expect([9, 0]).toContain(first.code);
    bench.restore();
    const open = (await bench.run('history --state open --state unknown -o json')).data<{ id: string }[]>();
    for (const { id } of open) {
      const settled = await bench.run(`history settle ${id} --yes`);
      expect(settled.code, settled.stderr).toBe(fits === isCreation ? 9 : 0);
    }
    await once(NAMED);
  });

  it('also with another limit, at the amount that stands and not at a new rate', async () => {
    bench.intercept(only(isDebit, unreachable));
    await pay(...NAMED);
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      if (!request.url.endsWith('/calculate')) return answer;
      return { ...answer, body: answer.body.replaceAll('14.99', '99.99') };
    });
    const again = await bench.run(createArgv(undefined, '--fund', '--max-input', '15', ...NAMED));
    expect([again.code, await balance()]).toEqual([0, PAID_ONCE]);
    expect(again.stderr).toContain('it is paid now');
  });

  it('says what stands where the limit is below it, and sends nothing', async () => {
    bench.intercept(only(isDebit, unreachable));
    await pay(...NAMED);
    bench.restore();
    const below = await bench.run(createArgv(undefined, '--fund', '--max-input', '14', ...NAMED));
    expect([below.code, writes(below)]).toEqual([10, []]);
    expect(below.error()).toMatchObject({
      hint: expect.stringMatching(/stands unpaid until .*higher limit/),
    });
  });

  it('after its hour with the next id, counted up from what the service has', async () => {
    for (const next of ['wages-1', 'wages-1~2']) {
      bench.intercept(only(isDebit, unreachable));
      expect((await pay(...NAMED)).code).toBe(75);
      bench.restore();
      await bench.run('sandbox clock advance 61m');
      expect((await all()).find((one) => one.external_id === next)?.state).toBe('canceled');
    }
    const third = await pay(...NAMED);
    expect([third.code, third.data<Shown>().external_id]).toEqual([0, 'wages-1~3']);
    expect(third.stderr).toContain('this is wages-1~3');
    const again = await pay(...NAMED);
    expect([again.code, again.data<Shown>().external_id, await balance()]).toEqual([
      0,
      'wages-1~3',
      PAID_ONCE,
    ]);
  });

  it('never where somebody cancelled it', async () => {
    bench.intercept(only(isDebit, unreachable));
    await pay(...NAMED);
    bench.restore();
    expect((await bench.run('tx cancel wages-1 --yes')).code).toBe(0);
    await bench.run('sandbox clock advance 61m');
    const again = await pay(...NAMED);
    expect([again.code, await states(), await balance()]).toEqual([1, ['wages-1 canceled'], '250000']);
  });

  it('never for another payment whose hour is over', async () => {
    await bench.run(createArgv('0123456711', ...NAMED));
    await bench.run('sandbox clock advance 61m');
    const again = await pay(...NAMED);
    expect([again.code, again.error()]).toEqual([1, expect.objectContaining({ category: 'conflict' })]);
    expect(await balance()).toBe('250000');
  });
});

describe('a price that was shown to a person', () => {
  /** What is shown, and then 14.99. */
  const shown =
    (amount: string): Intercept =>
    async (request, next) => {
      const answer = await next(request);
      if (!request.url.endsWith('/transactions/calculate')) return answer;
      return { ...answer, body: answer.body.replaceAll('14.99', amount) };
    };
  const onTerminal = (stdin: string, ...more: string[]): Promise<Run> =>
    bench.run(createArgv(undefined, '--fund', ...NAMED, ...more), { tty: true, stdin });

  it.each([
    ['14.92', 0, PAID_ONCE],
    ['14.91', 10, '250000'],
    ['9.99', 10, '250000'],
  ])('of %s EUR allows half a per cent more: %i', async (amount, code, left) => {
    bench.intercept(shown(amount));
    const run = await onTerminal('y\r');
    expect([run.code, await balance()], run.stderr).toEqual([code, left]);
    expect(run.stderr).toMatch(/at most (?:14\.99|14\.98|10\.03) EUR, if the rate moves/);
    expect(await states()).toEqual([`wages-1 ${code === 0 ? 'paid' : 'approved'}`]);
  });

  it('binds beneath a limit that was given, and the limit is never raised by a yes', async () => {
    bench.intercept(shown('9.99'));
    const asked = await onTerminal('y\r', '--max-input', '20');
    expect([asked.code, await balance()], asked.stderr).toEqual([10, '250000']);
    expect(asked.stderr).toContain('at most 10.03 EUR, if the rate moves');
    const refused = await onTerminal('y\r', '--max-input', '10', '--external-id', 'wages-2');
    expect([refused.code, refused.stderr.split('14.99 EUR from').length], refused.stderr).toEqual([10, 1]);
  });

  it.each([['--yes'], []])('a flag is a yes to --max-input alone: %j', async (...yes) => {
    bench.intercept(shown('9.99'));
    const given = [createArgv(undefined, '--fund', ...yes, ...NAMED), { tty: yes.length > 0 }] as const;
    const run = await bench.run(...given);
    expect([run.code, writes(run)], run.stderr).toEqual([2, []]);
    expect(run.stderr).toContain('--max-input');
  });

  it('that cannot be read pays nothing', async () => {
    bench.intercept(shown('null'));
    const run = await onTerminal('y\r');
    expect([run.code, writes(run)], run.stderr).toEqual([10, []]);
    expect(run.stderr).toContain('--max-input');
  });
});

describe('a payment whose creation alone was made', () => {
  it('is not called applied by settling it, however often; nor by a word; paid, it is', async () => {
    // Its answer is lost, and no look behind it is answered.
    bench.intercept(
      only(isCreation, async (request, next) => {
        bench.intercept(lost);
        return lostAfter(request, next);
      }),
    );
    expect((await bench.run(payArgv(undefined, ...NAMED))).code).toBe(9);
    bench.restore();
    const [{ id }] = (await bench.run('history -o json')).data<[{ id: string }]>();
    const [{ id: transaction }] = (await all()) as [Shown];
    for (const rest of [' --as not-applied --because=unpaid', '', ' --look']) {
      const settled = await bench.run(`history settle ${id}${rest} -o json`);
      expect([settled.code, settled.error().code], settled.stderr).toEqual([9, 'made_unpaid']);
    }
    expect(await balance()).toBe('250000');
    expect((await bench.run(`tx fund ${transaction} --yes`)).code).toBe(0);
    const over = await bench.run(`history settle ${id}`);
    expect([over.code, over.stderr.includes('applied')]).toEqual([0, true]);
  });
});
