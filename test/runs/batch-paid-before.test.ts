/** Rows whose external id names a payment already: what this run did not pay, it does not claim. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answering, lostAfter, only, type Run, useBench } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);
const at = (name: string): string => join(bench.dir, name);
const sent = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

/** Rows under external ids of their own: of 1000 NGN, 1001, … The payout of `ended` fails, and can be cancelled. */
const mine = (ids: readonly string[]): string =>
  [
    'key,external_id,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account',
    ...ids.map(
      (id, i) =>
        `K-${id},${id},NGN::Bank,${1000 + i},EUR,customer-1,Ada,Obi,044,${String(i).padStart(8, '0')}${id === 'ended' ? '19' : '00'}`,
    ),
    '',
  ].join('\n');

async function plan(text: string, name: string, ...more: string[]): Promise<Run> {
  writeFileSync(at(`${name}.csv`), text);
  const limit = more.includes('--max-input') ? [] : ['--max-input', 'EUR=1000'];
  return batch('plan', at(`${name}.csv`), '--name', name, ...limit, ...more, '-o', 'json');
}

interface Standing {
  states: Record<string, number>;
  spent: Record<string, string>;
  paid_before: { rows: number; accepted: number; costs: Record<string, string> } | null;
  paid_elsewhere: { rows: number; costs: Record<string, string> } | null;
  ending: string;
  agrees: boolean;
}
const standing = async (name: string) => (await batch('status', name, '-o', 'json')).data<Standing>();
const payments = async () => (await bench.run('tx list --all -o json')).data<{ external_id: string }[]>();
const balance = async (): Promise<number> => {
  const accounts = (await bench.run('balance -o json')).data<{ currency: string; amount: string }[]>();
  return Number(accounts.find(({ currency }) => currency === 'EUR')?.amount);
};
const found = async (name: string): Promise<Record<string, string | null>> => {
  const rows = (await batch('rows', name, '-o', 'json')).data<{ key: string; found: string | null }[]>();
  return Object.fromEntries(rows.map((row) => [row.key, row.found]));
};

/** Paid by a run of another name, under these ids. */
async function payBefore(ids: readonly string[]): Promise<void> {
  const planned = await plan(mine(ids), 'first');
  expect(planned.code, planned.stderr).toBe(0);
  expect((await batch('run', 'first')).code).toBe(0);
}

/** The money of this one comes back. */
async function cancel(externalId: string): Promise<void> {
  const all = (await bench.run('tx list --all -o json')).data<{ id: string; external_id: string }[]>();
  await bench.sandbox.drain();
  const id = all.find((one) => one.external_id === externalId)?.id;
  const { recipients } = (await bench.run(`tx show ${id} -o json`)).data<{ recipients: { id: string }[] }>();
  const made = await bench.run(`recipient cancel ${recipients[0]?.id} --yes --wait`);
  expect(made.code, made.stderr).toBe(0);
  await bench.sandbox.drain();
}

describe('found by the plan', () => {
  it('they are named, and need their exact number; they are not paid, and none of the cost', async () => {
    await payBefore(['a', 'b']);
    const refused = await plan(mine(['a', 'b', 'c']), 'second');
    expect([refused.code, sent(refused)]).toEqual([10, 0]);
    expect(refused.stderr).toContain('were paid before this run: K-a, K-b');
    expect(refused.stderr).toContain('--accept-paid-before 2');
    for (const wrong of ['1', '3'])
      expect((await plan(mine(['a', 'b', 'c']), 'second', '--accept-paid-before', wrong)).code).toBe(10);
    expect((await batch('list', '-o', 'json')).data<object[]>()).toHaveLength(1);

    const planned = await plan(mine(['a', 'b', 'c']), 'second', '--accept-paid-before', '2');
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stderr).toContain('paid before this run, and not paid again: 2 rows, ');
    expect(planned.stderr).toMatch(/^ *1 × NGN::Bank/m);
    const before = await balance();
    const ran = await batch('run', 'second');
    expect([ran.code, sent(ran)], ran.stderr).toEqual([0, 1]);
    const { spent, paid_before, ending, agrees } = await standing('second');
    expect(Number(spent.EUR)).toBeCloseTo(before - (await balance()), 6);
    expect(paid_before).toMatchObject({ rows: 2, accepted: 2 });
    expect([ending, agrees]).toEqual(['done', true]);
    expect(await found('second')).toEqual({ 'K-a': 'before', 'K-b': 'before', 'K-c': null });
    expect(await payments()).toHaveLength(3);
  });

  it('where all of them were, the run spends nothing and says so', async () => {
    await payBefore(['a', 'b']);
    expect((await plan(mine(['a', 'b']), 'second', '--accept-paid-before', '2')).code).toBe(0);
    const ran = await batch('run', 'second');
    expect([ran.code, sent(ran)], ran.stderr).toEqual([0, 0]);
    expect(ran.stderr).toContain('were paid before this run, and not by it: that is not in its cost.');
    expect((await standing('second')).spent).toEqual({});
    const shown = await bench.run('batch status second', { tty: true });
    expect(shown.stdout).toMatch(/cost so far +nothing/);
    expect(shown.stdout).toMatch(/paid before +2 rows, .*: not by this run/);
  });

  it('a number is refused where there is none', async () => {
    const refused = await plan(mine(['a']), 'second', '--accept-paid-before', '1');
    expect([refused.code, refused.stderr]).toEqual([
      10,
      expect.stringContaining('was paid before this run; you said 1'),
    ]);
  });

  it('the plan of a known run asks nothing: its rows say what became of them', async () => {
    await payBefore(['a', 'b']);
    const again = await plan(mine(['a', 'b']), 'first');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('was planned before')]);
    expect((await standing('first')).paid_before).toBeNull();
  });

  it('nor is it held to what others paid: the same plan again stands, with the same limit', async () => {
    await payBefore(['a', 'b']);
    for (const [ids, limit] of [
      [['a', 'b'], '1'],
      [['a', 'b', 'c'], '1'],
    ] as const) {
      const name = `run-${ids.length}`;
      const again = () => plan(mine(ids), name, '--accept-paid-before', '2', '--max-input', `EUR=${limit}`);
      expect((await again()).code).toBe(0);
      const stands = await again();
      expect([stands.code, stands.stderr]).toEqual([0, expect.stringContaining('was planned before')]);
    }
  });

  it('an id of another payment, of an unfunded one and of one that ended are faults of their rows', async () => {
    await payBefore(['other', 'ended']);
    await cancel('ended');
    const file = {
      input_currency: 'EUR',
      sender: { external_id: 'customer-1' },
      recipients: [
        {
          requested_amount: '1002',
          requested_currency: 'NGN',
          payout_method: {
            type: 'NGN::Bank',
            details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0000000200' },
          },
        },
      ],
    };
    writeFileSync(at('open.json'), JSON.stringify(file));
    const opened = await bench.run([
      'tx',
      'create',
      '--file',
      at('open.json'),
      '--external-id',
      'open',
      '--yes',
    ]);
    expect(opened.code, opened.stderr).toBe(0);
    const rows = mine(['other', 'ended', 'open', 'x']).replace(',1000,', ',2000,');
    const made = await plan(rows, 'second');
    expect(made.code).toBe(5);
    const faults = made.data<{ code: string; column: string }[]>();
    expect(faults.map(({ code, column }) => `${column} ${code}`)).toEqual([
      'external_id external_id_taken',
      'external_id external_id_used_up',
      'external_id external_id_unfunded',
    ]);
    expect(await payments()).toHaveLength(3);
  });
});

it('a plan of rows without ids of their own asks for the first of each window, and no more', async () => {
  const lists = (made: Run): number =>
    made.requests.filter(({ path }) => path.endsWith('/transactions')).length;
  await payBefore(['a', 'b', 'c']);
  const planned = await plan(fileOfRows(450, { from: 100 }), 'wages');
  expect([planned.code, lists(planned)], planned.stderr).toEqual([0, 2]);
  const unasked = await plan(fileOfRows(450, { from: 100 }), 'wages-2', '--offline', '--repeat', 'wages');
  expect([unasked.code, lists(unasked)], unasked.stderr).toEqual([0, 0]);
});

describe('found when the row is to be sent', () => {
  it('it is not sent, the run pauses, and goes on with the exact number', async () => {
    expect((await plan(mine(['a', 'b', 'c']), 'second')).code).toBe(0);
    await payBefore(['a']);
    const paused = await batch('run', 'second', '--in-flight', '1');
    expect([paused.code, sent(paused)], paused.stderr).toEqual([8, 0]);
    expect(paused.stderr).toMatch(/Paused: 1 row, .* EUR, was paid before, and not by this run/);
    expect(paused.stderr).toContain('remit batch run second --accept-paid-before 1');
    expect(await standing('second')).toMatchObject({
      spent: {},
      paid_before: { rows: 1, accepted: 0 },
      states: { planned: 2 },
    });
    const again = await batch('run', 'second');
    expect([again.code, sent(again)]).toEqual([8, 0]);
    const wrong = await batch('run', 'second', '--accept-paid-before', '2');
    expect([wrong.code, sent(wrong)]).toEqual([10, 0]);
    const ran = await batch('run', 'second', '--accept-paid-before', '1');
    expect([ran.code, sent(ran)], ran.stderr).toEqual([0, 2]);
    expect(await payments()).toHaveLength(3);
    expect(await standing('second')).toMatchObject({ ending: 'done', paid_before: { accepted: 1 } });
  });

  it('the last row too: nobody is told that the run is done before somebody accepted it', async () => {
    expect((await plan(mine(['a']), 'second')).code).toBe(0);
    await payBefore(['a']);
    expect((await batch('run', 'second')).code).toBe(10);
    expect(await standing('second')).toMatchObject({ ending: 'some', spent: {} });
    const again = await batch('run', 'second');
    expect([again.code, again.stderr]).toEqual([10, expect.stringContaining('--accept-paid-before 1')]);
    const accepted = await batch('run', 'second', '--accept-paid-before', '1');
    expect([accepted.code, sent(accepted)], accepted.stderr).toEqual([0, 0]);
  });

  it('where the look shows nothing, the answer to the only send does: found, not known by whom', async () => {
    expect((await plan(mine(['a', 'b']), 'second', '--offline')).code).toBe(0);
    await payBefore(['a']);
    bench.intercept(
      only(({ url }) => url.includes('external_id=a'), answering(200, '{"object":[],"meta":{}}')),
    );
    const paused = await batch('run', 'second', '--in-flight', '1');
    bench.restore();
    expect([paused.code, sent(paused)], paused.stderr).toEqual([8, 1]);
    expect(await found('second')).toEqual({ 'K-a': 'before', 'K-b': null });
    const [intent] = (await bench.run('history -o json')).data<{ state: string; note: string }[]>();
    expect(intent).toMatchObject({ state: 'applied', note: 'found, not known by whom' });
  });

  it('a look that fails sends nothing', async () => {
    expect((await plan(mine(['a']), 'second')).code).toBe(0);
    bench.intercept(
      only(({ url }) => url.includes('external_id=a'), answering(404, '{"object":{},"meta":{}}')),
    );
    const paused = await batch('run', 'second');
    bench.restore();
    expect([paused.code, sent(paused)], paused.stderr).toEqual([8, 0]);
    expect(paused.stderr).toContain('the service answered a read with 404');
    expect((await batch('run', 'second')).code).toBe(0);
  });

  it('a first send whose answer was lost is ours: what is found then is in the cost', async () => {
    expect((await plan(mine(['a']), 'second')).code).toBe(0);
    bench.intercept(only(({ url }) => url.endsWith('/create_and_fund'), lostAfter));
    const ran = await batch('run', 'second');
    bench.restore();
    expect([ran.code, await found('second')], ran.stderr).toEqual([0, { 'K-a': null }]);
    expect(Object.keys((await standing('second')).spent)).toEqual(['EUR']);
  });

  it('another payment needs somebody; one that ended leaves the row, which is given the next id', async () => {
    await payBefore(['other', 'ended']);
    await cancel('ended');
    const planned = await plan(mine(['other', 'ended']).replace(',1000,', ',2000,'), 'second', '--offline');
    expect(planned.stderr).toContain('the service was not asked which rows are paid already');
    expect((await batch('run', 'second')).code).toBe(1);
    expect((await standing('second')).states).toEqual({ conflict: 1, refused: 1 });
    const row = await bench.run('batch show second K-ended', { tty: true });
    expect(row.stdout.replaceAll(/\s+/g, ' ')).toContain('its external id names a payment that was');
    const left = await batch('remaining', 'second');
    expect(left.stdout).toContain('ended~2');
    expect(left.stdout).not.toContain('other');
  });

  it('heard of in a list before anything was sent, it is not this run’s either', async () => {
    expect((await plan(mine(['a', 'b']), 'second')).code).toBe(0);
    await payBefore(['a']);
    await batch('status', 'second', '--update');
    expect(await found('second')).toEqual({ 'K-a': 'before', 'K-b': null });
    expect((await standing('second')).spent).toEqual({});
  });
});

describe('a disk that is lost (docs/pay-runs.md)', () => {
  it.each([[[]], [['--offline']]])(
    'the same file under the same name pays the rest: plan %j',
    async (more) => {
      expect((await plan(fileOfRows(4), 'wages')).code).toBe(0);
      await batch('cancel', 'wages', '--rows', 'E-2,E-3', '--yes');
      expect((await batch('run', 'wages')).code).toBe(10);
      expect(await payments()).toHaveLength(2);
      for (const end of ['', '-wal', '-shm']) rmSync(at(`remit.db${end}`), { force: true });

      const planned = await plan(fileOfRows(4), 'wages', ...more);
      expect(planned.code, planned.stderr).toBe(0);
      expect(
        planned.stderr.includes('paid elsewhere under the ids of this run, and not paid again: 2 rows, '),
      ).toBe(more.length === 0);
      const before = await balance();
      const ran = await batch('run', 'wages');
      expect([ran.code, sent(ran)], ran.stderr).toEqual([0, more.length === 0 ? 2 : 4]);
      expect(ran.stderr).toContain('were paid elsewhere under the ids of this run');
      expect(await payments()).toHaveLength(4);
      const { spent, paid_elsewhere, paid_before, ending } = await standing('wages');
      expect([paid_elsewhere?.rows, paid_before, ending]).toEqual([2, null, 'done']);
      expect(Number(spent.EUR)).toBeCloseTo(before - (await balance()), 6);
      await bench.sandbox.drain();
      expect((await batch('watch', 'wages')).code).toBe(0);
    },
  );
});
